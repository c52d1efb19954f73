// SPDX-License-Identifier: Apache-2.0
// What a debugger of a platform sees of registers, by transport_dbg.
#include <functional>
#include <vector>

#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>

#include "bus/corepmu/debug_bridge.hpp"
#include "models/imc/imc_scom.h"
#include "support/forked.hpp"
#include "support/still.hpp"
#include "world.hpp"
#include <countersink/bus/corepmu/corepmu_port.hpp>
#include <countersink/bus/imc/imc_module.hpp>
#include <countersink/bus/pmcu/pmcu_module.hpp>
#include <countersink/bus/uncore/uncore_module.hpp>

namespace
{

using world::ns;

constexpr uint64_t kPmcu = 0, kBridge = 0x100000, kSlow = 0x200000, kScom = 0x200000000,
                   kSpr = 0x400000;
constexpr uint64_t kUncore = kBridge + 0x10000, kBroadcast = kBridge + 0xf0000;
constexpr uint32_t kPmcr = 0xE04, kEnable = 0xC00, kCycles = 0x0F8, kPcLow = 0x200, kPcHigh = 0x204;
constexpr uint32_t kWaitCnt = 0x20;

// One of each event in each cycle; the program counter is the cycle.
cs_event_source steady()
{
    cs_event_source source = still_events();

    source.sum = [](void *, uint32_t, uint32_t, cs_cycle from, cs_cycle to) -> uint64_t {
        return to > from ? to - from : 0;
    };
    source.reach = [](void *, uint32_t, uint32_t, cs_cycle from, uint64_t n) { return from + n; };
    source.context = [](void *, cs_cycle cycle, cs_context *out) {
        *out = {};
        out->pc = 0x500000000 + cycle * 4;
    };
    return source;
}

class Software : public sc_core::sc_module
{
  public:
    SC_HAS_PROCESS(Software);

    Software(const sc_core::sc_module_name &name, std::function<void(Software &)> body)
        : sc_core::sc_module(name), body_(std::move(body))
    {
        SC_THREAD(run);
    }

    tlm_utils::simple_initiator_socket<Software, 64> socket{"socket"};
    bool finished = false;

    uint64_t access(tlm::tlm_command command, uint64_t address, uint64_t data, unsigned bytes)
    {
        tlm::tlm_generic_payload payload;
        sc_core::sc_time delay;

        world::fill(payload, command, address, &data, bytes);
        socket->b_transport(payload, delay);
        wait(delay);
        EXPECT_EQ(payload.get_response_status(), tlm::TLM_OK_RESPONSE) << std::hex << address;
        return data;
    }
    void write(uint64_t address, uint64_t data, unsigned bytes = 4)
    {
        access(tlm::TLM_WRITE_COMMAND, address, data, bytes);
    }
    uint64_t read(uint64_t address, unsigned bytes = 4)
    {
        return access(tlm::TLM_READ_COMMAND, address, 0, bytes);
    }
    unsigned debug(tlm::tlm_command command, uint64_t address, uint64_t &data, unsigned bytes)
    {
        tlm::tlm_generic_payload payload;

        world::fill(payload, command, address, &data, bytes);
        return socket->transport_dbg(payload);
    }
    uint64_t peek(uint64_t address, unsigned bytes = 4)
    {
        uint64_t data = 0;

        EXPECT_EQ(debug(tlm::TLM_READ_COMMAND, address, data, bytes), bytes) << std::hex << address;
        return data;
    }

  private:
    void run()
    {
        body_(*this);
        finished = true;
    }

    std::function<void(Software &)> body_;
};

void count(void *ctx, const cs_probe_record *)
{
    ++*static_cast<unsigned *>(ctx);
}

// The platform, and software that runs on it.
void run(const std::function<void(Software &, unsigned &records)> &body)
{
    unsigned records = 0;
    cs_probe_sink sink = {};
    sink.record = count;
    sink.ctx = &records;
    cs_pmcu_config pmcu_config = {};
    pmcu_config.clusters = pmcu_config.slots = pmcu_config.lanes = pmcu_config.tick_cycles = 1;
    cs_corepmu_config core_config = {};
    core_config.counters = core_config.hpmn = 8;
    cs_uncore_config uncore_config = {};
    uncore_config.counters = 4;
    uncore_config.width = 48;
    cs::ImcConfig imc_config;
    imc_config.cores = 2;
    imc_config.core.threads = 1;
    imc_config.core.tap_log2 = 18;
    imc_config.core.timebase = {0, 512, 2000};
    imc_config.events = {{steady()}, {steady()}};

    cs::PmcuModule pmcu("pmcu", ns(1), pmcu_config, &sink);
    cs::CorePmuPort core(core_config, steady()), slow_core(core_config, steady());
    cs::UncoreModule uncore("uncore", ns(1), uncore_config, steady(), &sink);
    cs::RegisterBridge bridge("bridge", ns(1), {{&core, 0}, {&uncore, 0}}, &sink);
    cs::DebugBridge slow("slow", ns(1), {4, 2, 4}, {{&slow_core, 0}}, &sink, 0);
    cs::ImcModule imc("imc", ns(1), imc_config);
    bridge.enable_broadcast(0);

    cs::FabricConfig config;
    config.period = ns(1);
    config.managers = 4;
    config.targets.resize(5);
    for (unsigned i = 0; i < 5; i++) {
        config.targets[i].base = 0x100000 * i;
        config.targets[i].size = 0x100000;
        config.targets[i].timing.kind = cs::TargetKind::registers;
    }
    config.targets[2].timing.kind = cs::TargetKind::planned;
    config.targets[2].planner = &slow;
    config.targets[3].base = kScom;
    config.targets[3].size = CS_SCOM_BYTES;
    cs::Fabric fabric("fabric", config);
    fabric.target[0].bind(pmcu.registers);
    fabric.target[1].bind(bridge.socket);
    fabric.target[2].bind(slow.socket);
    fabric.target[3].bind(imc.scom());
    fabric.target[4].bind(imc.spr);
    Software software("software", [&](Software &self) { body(self, records); });
    software.socket.bind(fabric.manager[0]);
    pmcu.connect(fabric, 1);
    imc.connect(fabric, 2);
    imc.connect(fabric, 3, 1);
    sc_core::sc_start(ns(100000));
    EXPECT_TRUE(software.finished);
}

} // namespace

TEST(Debug, RegistersAreSeenAndNothingHappens)
{
    cs_test::in_child([] {
        run([](Software &self, unsigned &records) {
            self.write(kPmcu + kWaitCnt, 0x1234);
            self.write(kBridge + kEnable, 0x80000000);
            self.write(kBridge + kPmcr, 1);
            self.write(kUncore + 0x100, 0x10000, 8);
            self.write(kUncore + 0x008, 1, 8);
            self.read(kBridge + kPcLow);
            const uint64_t pc_high = self.peek(kBridge + kPcHigh);
            const unsigned before = records;
            const sc_core::sc_time now = sc_core::sc_time_stamp();

            const uint64_t cycles = self.peek(kBridge + kCycles),
                           counted = self.peek(kUncore + 0x200, 8);
            EXPECT_NE(cycles, 0u);
            EXPECT_NE(counted, 0u);
            EXPECT_EQ(self.peek(kPmcu + kWaitCnt), 0x1234u);
            EXPECT_EQ(self.peek(kBridge + kPcHigh), pc_high);
            EXPECT_EQ(self.peek(kUncore + 0x008, 8), 1u);
            EXPECT_EQ(records, before) << "no access was made";
            EXPECT_EQ(sc_core::sc_time_stamp(), now);

            sc_core::wait(ns(100)); // both count on, and say so when they are asked again
            EXPECT_EQ(self.peek(kBridge + kCycles), cycles + 100);
            EXPECT_EQ(self.peek(kUncore + 0x200, 8), counted + 100);
        });
    });
}

TEST(Debug, WhatIsPostedHasTakenEffect)
{
    cs_test::in_child([] {
        run([](Software &self, unsigned &) {
            self.write(kSlow + kEnable, 0x80000000);
            sc_core::wait(ns(100));
            EXPECT_EQ(self.peek(kSlow + kEnable), 0x80000000u);
        });
    });
}

TEST(Debug, ScomAndSpr)
{
    cs_test::in_child([] {
        run([](Software &self, unsigned &) {
            const uint64_t trace =
                kScom + (uint64_t{cs_imc_scom_address(false, 1, CS_IMC_REG_TRACE)} << 3);

            self.write(trace, 0x123, 8);
            EXPECT_EQ(self.peek(trace, 8), self.read(trace, 8));
            EXPECT_EQ(self.peek(trace, 8), 0x123u);
            EXPECT_EQ(self.peek(kSpr + 8 * 850, 8), 0u) << "LDBAR";
        });
    });
}

TEST(Debug, WhatCannotBeSeen)
{
    cs_test::in_child([] {
        run([](Software &self, unsigned &) {
            uint64_t data = 7;

            EXPECT_EQ(self.debug(tlm::TLM_WRITE_COMMAND, kPmcu + kWaitCnt, data, 4), 0u);
            EXPECT_EQ(self.read(kPmcu + kWaitCnt), 0x249F0u) << "as after a reset";
            EXPECT_EQ(self.debug(tlm::TLM_READ_COMMAND, kPmcu + kWaitCnt, data, 8), 0u)
                << "it is an error";
            EXPECT_EQ(self.debug(tlm::TLM_READ_COMMAND, kBridge + kPmcr + 1, data, 4), 0u);
            EXPECT_EQ(self.debug(tlm::TLM_READ_COMMAND, kBridge + kPmcr, data, 16), 0u);
            EXPECT_EQ(self.debug(tlm::TLM_READ_COMMAND, kBroadcast + kPmcr, data, 4), 0u);
            EXPECT_EQ(self.debug(tlm::TLM_READ_COMMAND, kBridge + 0x20000, data, 4), 0u)
                << "absent";
            EXPECT_EQ(data, 7u);
        });
    });
}
