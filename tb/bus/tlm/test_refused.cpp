// SPDX-License-Identifier: Apache-2.0
// Units whose configuration their model refuses.
#include <vector>

#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>

#include "bus/hpm/hart_module.hpp"
#include "bus/machine/cpu_module.hpp"
#include "support/forked.hpp"
#include "support/still.hpp"
#include "world.hpp"
#include <countersink/bus/corepmu/corepmu_port.hpp>
#include <countersink/bus/imc/imc_module.hpp>
#include <countersink/bus/nest/nest_module.hpp>
#include <countersink/bus/pmcu/pmcu_module.hpp>
#include <countersink/bus/uncore/uncore_module.hpp>

namespace
{

using world::ns;

// Reads and writes at some addresses, one after the other.
class Initiator : public sc_core::sc_module
{
  public:
    SC_HAS_PROCESS(Initiator);

    Initiator(const sc_core::sc_module_name &name, std::vector<uint64_t> addresses)
        : sc_core::sc_module(name), addresses_(std::move(addresses))
    {
        SC_THREAD(run);
    }

    tlm_utils::simple_initiator_socket<Initiator, 64> socket{"socket"};
    unsigned errors = 0;

  private:
    void run()
    {
        for (const uint64_t address : addresses_)
            for (const auto command : {tlm::TLM_READ_COMMAND, tlm::TLM_WRITE_COMMAND}) {
                tlm::tlm_generic_payload payload;
                sc_core::sc_time delay;
                uint64_t data = 0;

                world::fill(payload, command, address, &data, 8);
                socket->b_transport(payload, delay);
                wait(delay);
                errors += payload.get_response_status() == tlm::TLM_GENERIC_ERROR_RESPONSE;
            }
    }

    std::vector<uint64_t> addresses_;
};

} // namespace

TEST(Refused, IsReported)
{
    cs_test::in_child([] {
        cs_pmcu_config pmcu = {};
        pmcu.lanes = 9;
        EXPECT_THROW(cs::PmcuModule("c", ns(1), pmcu, nullptr), sc_core::sc_report);
        const cs_corepmu_config core = {};
        EXPECT_THROW(cs::CorePmuPort(core, still_events()), sc_core::sc_report);
        const cs_uncore_config uncore = {};
        EXPECT_THROW(cs::UncorePort(uncore, still_events(), nullptr), sc_core::sc_report);
    });
}

// Where the handler lets a refusal pass, what was refused is there, answers with errors and does nothing.
TEST(Refused, AnswersWithErrors)
{
    cs_test::in_child([] {
        sc_core::sc_report_handler::set_actions(sc_core::SC_ERROR, sc_core::SC_DO_NOTHING);
        cs_pmcu_config wrong_pmcu = {};
        wrong_pmcu.lanes = 1;
        const cs_corepmu_config wrong_core = {};
        const cs_uncore_config wrong_uncore = {};
        const cs_nest_config wrong_nest = {};
        cs::ImcConfig wrong_imc;
        wrong_imc.cores = 2;
        wrong_imc.core.threads = 3;
        wrong_imc.events = {std::vector<cs_event_source>(3), std::vector<cs_event_source>(3)};
        wrong_imc.power = {{50, 1, false}};
        cs::HartConfig wrong_hart;

        cs::PmcuModule pmcu("pmcu", ns(1), wrong_pmcu, nullptr);
        cs::CorePmuPort core(wrong_core, still_events(), {{10, true, false}});
        cs::UncoreModule uncore("uncore", ns(1), wrong_uncore, still_events(), nullptr);
        cs::RegisterBridge bridge("bridge", ns(1), {{&core, 0}, {&uncore, 0}}, nullptr);
        cs::NestModule nest("nest", ns(1), wrong_nest, still_events(), nullptr);
        cs::ImcModule imc("imc", ns(1), wrong_imc);
        cs::HartModule hart("hart", ns(1), wrong_hart);
        cs::CpuModule cpu("cpu", ns(1), cs_cpu_env{});
        sc_core::sc_signal<bool> pmcu_irq("pmcu_irq"), uncore_irq("uncore_irq");
        pmcu.irq.bind(pmcu_irq);
        uncore.irq.bind(uncore_irq);

        cs::FabricConfig config;
        config.period = ns(1);
        config.managers = 7;
        for (unsigned i = 0; i < 4; i++) {
            cs::TargetConfig target;
            target.base = 0x100000 * i;
            target.size = 0x100000;
            target.timing.kind = cs::TargetKind::registers;
            config.targets.push_back(target);
        }
        cs::Fabric fabric("fabric", config);
        Initiator initiator("initiator", {0x0, 0x100000, 0x110000, 0x200000, 0x300000});
        fabric.target[0].bind(pmcu.registers);
        fabric.target[1].bind(bridge.socket);
        fabric.target[2].bind(imc.spr);
        fabric.target[3].bind(imc.scom());
        initiator.socket.bind(fabric.manager[0]);
        pmcu.connect(fabric, 1);
        nest.connect(fabric, 2);
        imc.connect(fabric, 3);
        imc.connect(fabric, 4, 1);
        hart.connect(fabric, 5);
        cpu.connect(fabric, 6);
        sc_core::sc_start(ns(2000));
        EXPECT_EQ(initiator.errors, 10u);
        uncore.finish(2000);
        hart.finish(2000);
        cpu.set_irq(2001, 0, true);
        cpu.signal(0, 2001, 1);
        imc.events_changed(0, 0);
        EXPECT_EQ(hart.end_cycle(), CS_NEVER);
        EXPECT_EQ(cpu.end_cycle(), CS_NEVER);
    });
}
