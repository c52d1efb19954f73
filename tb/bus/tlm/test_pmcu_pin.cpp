// SPDX-License-Identifier: Apache-2.0
// The interrupt of a PMCU as a pin, where the platform runs ahead of SystemC's time: its edges are
// those of the records (include/countersink/bus/pmcu/pmcu_module.hpp).
#include <memory>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>

#include "bus/machine/cpu_module.hpp"
#include "support/forked.hpp"
#include "world.hpp"
#include <countersink/bus/corepmu/corepmu_port.hpp>
#include <countersink/bus/pmcu/pmcu_module.hpp>

namespace
{

using Levels = std::vector<std::pair<cs_cycle, bool>>;
using world::ns;

// Registers of docs/hw/pmcu.md, and what is written there; 0: cycles to wait.
constexpr uint64_t kCtrl = traffic::kPmcu + 0x038, kIntEn = traffic::kPmcu + 0x100,
                   kIntClr = traffic::kPmcu + 0x10c;
constexpr uint32_t kEvents = 0x80000100, kStore = 0x80001000, kWait = 20000;

struct Write {
    uint64_t addr;
    uint32_t value;
};

// One event, one loop. Long after it the line falls, rises and falls by three writes in a row. All of
// it is done once more.
constexpr Write kProgram[] = {{traffic::kPmcu + 0x004, 1u << 16 | 1u << 8 | 1u},
                              {traffic::kPmcu + 0x00c, kEvents},
                              {traffic::kPmcu + 0x01c, kStore},
                              {traffic::kPmcu + 0x014, kStore + 0x1000},
                              {traffic::kPmcu + 0x020, 50},
                              {kIntEn, 1},
                              {kCtrl, 1},
                              {0, kWait},
                              {kIntEn, 0},
                              {kIntEn, 1},
                              {kIntClr, 3},
                              {kCtrl, 1},
                              {0, kWait},
                              {kIntClr, 3}};

struct Software {
    const Write *next = kProgram;
};

void next_operation(void *ctx, cs_cycle, const cs_op_result *, cs_op *op)
{
    auto *software = static_cast<Software *>(ctx);

    *op = {};
    op->kind = CS_OP_END;
    if (software->next == std::end(kProgram))
        return;
    const Write &write = *software->next++;
    op->kind = write.addr == 0 ? CS_OP_DELAY : CS_OP_WRITE;
    op->cycles = write.value;
    op->addr = write.addr;
    op->value = write.value;
    op->size = 4;
}

// Somebody's own: writes registers ahead of SystemC's time, which comes with the next wait.
class Ahead : public sc_core::sc_module
{
  public:
    SC_HAS_PROCESS(Ahead);

    explicit Ahead(const sc_core::sc_module_name &name) : sc_core::sc_module(name)
    {
        SC_THREAD(run);
    }
    tlm_utils::simple_initiator_socket<Ahead, 64> socket{"socket"};

  private:
    void run()
    {
        sc_core::sc_time ahead;

        for (Write step : kProgram) {
            if (step.addr == 0) {
                wait(ahead + ns(step.value));
                ahead = {};
                continue;
            }
            tlm::tlm_generic_payload payload;
            world::fill(payload, tlm::TLM_WRITE_COMMAND, step.addr - traffic::kPmcu, &step.value,
                        4);
            socket->b_transport(payload, ahead);
            EXPECT_EQ(payload.get_response_status(), tlm::TLM_OK_RESPONSE);
        }
    }
};

// What the pin shows.
class Watcher : public sc_core::sc_module
{
  public:
    SC_HAS_PROCESS(Watcher);

    explicit Watcher(const sc_core::sc_module_name &name) : sc_core::sc_module(name)
    {
        SC_METHOD(see);
        sensitive << irq;
        dont_initialize();
    }
    sc_core::sc_in<bool> irq{"irq"};
    Levels seen;

  private:
    void see()
    {
        seen.emplace_back(sc_core::sc_time_stamp() / ns(1), irq.read());
    }
};

cs_event_source idle_core()
{
    cs_event_source source = {};

    source.sum = [](void *, uint32_t, uint32_t, cs_cycle, cs_cycle) -> uint64_t { return 0; };
    source.reach = [](void *, uint32_t, uint32_t, cs_cycle, uint64_t) { return CS_NEVER; };
    source.context = [](void *, cs_cycle, cs_context *out) { *out = {}; };
    return source;
}

void keep(void *ctx, const cs_probe_record *record)
{
    if (record->kind == CS_PROBE_IRQ)
        static_cast<Levels *>(ctx)->emplace_back(record->cycle, record->value != 0);
}

enum class By { early, late, ahead };

// Edges of the pin; they are those of the records, and of the calls.
Levels edges(By by)
{
    Levels recorded, called;
    const cs_probe_sink sink = {keep, &recorded, false, nullptr};
    Software software;
    cs_cpu_env env = {};
    cs_pmcu_config one_core = {};
    cs_memory *memory = nullptr;
    cs::FabricConfig config;
    cs::TargetConfig target;

    env.software = {next_operation, &software};
    one_core.clusters = one_core.slots = one_core.lanes = 1;
    one_core.tick_cycles = 20;
    cs_memory_create(&memory, nullptr);
    cs::CpuModule cpu("cpu", ns(1), env);
    cs::PmcuModule pmcu("pmcu", ns(1), one_core, &sink);
    cs::CorePmuPort port({8, false, 8, false, false, false, false, false}, idle_core());
    cs::RegisterBridge cluster("cluster", ns(1), {{&port, CS_UNIT_CORE(0)}}, nullptr);
    cs::MemoryTarget ram("ram", memory);
    Watcher watcher("watcher");
    sc_core::sc_signal<bool> irq("irq");

    config.period = ns(1);
    config.managers = 2;
    config.early_completion = by == By::early;
    target.base = traffic::kRam;
    target.size = traffic::kRamSize;
    target.timing.kind = cs::TargetKind::memory;
    config.targets.push_back(target);
    target.base = traffic::kCluster;
    target.size = traffic::kClusterSize;
    target.timing.kind = cs::TargetKind::registers;
    config.targets.push_back(target);
    if (by != By::ahead) {
        target.base = traffic::kPmcu;
        target.size = traffic::kPmcuSize;
        target.owner = &pmcu;
        config.targets.push_back(target);
    }
    cs::Fabric fabric("fabric", config);
    fabric.target[0].bind(ram.socket);
    fabric.target[1].bind(cluster.socket);
    std::unique_ptr<Ahead> platform;
    if (by == By::ahead) {
        software.next = std::end(kProgram);
        platform = std::make_unique<Ahead>("platform");
        platform->socket.bind(pmcu.registers);
    } else
        fabric.target[2].bind(pmcu.registers);
    cpu.connect(fabric, 0);
    pmcu.connect(fabric, 1);
    pmcu.irq.bind(irq);
    pmcu.on_irq = [&](cs_cycle cycle, bool level) { called.emplace_back(cycle, level); };
    watcher.irq.bind(irq);
    fabric.set_limit(100000);
    sc_core::sc_start(ns(100000));
    EXPECT_EQ(watcher.seen, recorded);
    EXPECT_EQ(called, recorded);
    EXPECT_EQ(fabric.completed_early() != 0, by == By::early);
    cs_memory_destroy(memory);
    return watcher.seen;
}

} // namespace

TEST(PmcuPin, ShowsWhatWasDoneAheadInItsOwnTime)
{
    for (By by : {By::early, By::late, By::ahead})
        cs_test::in_child([by] {
            const Levels seen = edges(by);

            ASSERT_EQ(seen.size(), 6u);
            for (unsigned i = 0; i < 6; i++)
                EXPECT_EQ(seen[i].second, i % 2 == 0);
            EXPECT_GT(seen[0].first, 50u * 20);
            EXPECT_GT(seen[1].first, kWait);
            EXPECT_LT(seen[3].first, kWait + 2000) << "three writes in a row";
            EXPECT_GT(seen[4].first, seen[3].first + 50 * 20);
            EXPECT_GT(seen[5].first, 2 * kWait);
        });
}
