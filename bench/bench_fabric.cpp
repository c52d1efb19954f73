// SPDX-License-Identifier: Apache-2.0
// What one transfer costs: a model's port, the TLM payload, the fabric, the target, and back.
// Early: completed in the call. Long: through the calendar and SystemC's scheduler.
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "bus/machine/memory_target.hpp"
#include <countersink/bus/fabric/agent_module.hpp>
#include <countersink/bus/fabric/fabric.hpp>
#include <countersink/bus/fabric/register_access.hpp>

namespace
{

constexpr uint64_t kRam = 0x80000000;
constexpr uint64_t kRegisters = 0x10000000;
constexpr uint64_t kTransfers = 100000; // of one run

sc_core::sc_time period()
{
    return sc_core::sc_time(1, sc_core::SC_NS);
}

// Asks again in the cycle after every completion, until it has done its number.
class Asker : public cs::AgentModule
{
  public:
    Asker(const sc_core::sc_module_name &name, uint64_t addr, uint8_t size, uint8_t beats)
        : AgentModule(name, period())
    {
        add_port("port");
        txn_.addr = addr;
        txn_.size = size;
        txn_.beats = beats;
    }

    void ask(uint64_t transfers)
    {
        left_ = transfers;
        next_ = clock_.cycle() + 1;
        wake();
    }
    bool idle() const
    {
        return left_ == 0 && next_ == CS_NEVER;
    }

    cs_cycle earliest() const override
    {
        return pending() ? clock_.cycle() + 1 : cs::seen_after(next_);
    }
    bool alone(cs_cycle) const override
    {
        return true;
    }

  private:
    cs_cycle next() const override
    {
        return next_;
    }
    void execute(cs_cycle cycle) override
    {
        if (left_ == 0) {
            next_ = CS_NEVER;
            return;
        }
        left_--;
        txn_.request = cycle + 1;
        next_ = port(0).submit(&txn_) == CS_BUS_DONE ? txn_.complete : CS_NEVER;
    }
    void bus_done(unsigned, cs_bus_txn *txn) override
    {
        next_ = txn->complete;
        wake();
    }

    cs_bus_txn txn_ = {};
    uint64_t left_ = 0;
    cs_cycle next_ = CS_NEVER;
};

class Counter : public cs::RegisterPort
{
  public:
    bool read(cs_cycle cycle, uint32_t, bool, uint64_t &data) override
    {
        data = cycle;
        return false;
    }
    bool write(cs_cycle, uint32_t, bool, uint64_t) override
    {
        return false;
    }
};

void count(void *ctx, const cs_probe_record *)
{
    ++*static_cast<uint64_t *>(ctx);
}

// A die's number of targets, a CPU that is asleep, and one manager that asks.
struct Platform {
    Platform(const std::string &name, bool early, uint64_t addr, uint8_t size, uint8_t beats)
        : asker((name + "_asker").c_str(), addr, size, beats), cpu((name + "_cpu").c_str(), 0, 4, 1)
    {
        cs::FabricConfig config;
        cs::TargetConfig target;

        cs_memory_create(&memory, nullptr);
        sink = {count, &records, false, nullptr};
        config.period = period();
        config.managers = 2;
        config.probe = &sink;
        config.early_completion = early;
        target.base = kRam;
        target.size = 1u << 30;
        target.timing.kind = cs::TargetKind::memory;
        target.timing.read_cycles = 20;
        target.timing.write_cycles = 4;
        config.targets.push_back(target);
        target.timing.kind = cs::TargetKind::registers;
        target.timing.access_cycles = 10;
        target.size = 0x10000;
        for (unsigned i = 0; i < 5; i++) {
            target.base = kRegisters + 0x100000 * i;
            config.targets.push_back(target);
        }
        fabric = std::make_unique<cs::Fabric>((name + "_fabric").c_str(), config);
        ram = std::make_unique<cs::MemoryTarget>((name + "_ram").c_str(), memory);
        fabric->target[0].bind(ram->socket);
        for (unsigned i = 0; i < 5; i++) {
            bridges.push_back(std::make_unique<cs::RegisterBridge>(
                (name + "_bridge" + std::to_string(i)).c_str(), period(),
                std::vector<cs::RegisterSlot>{{&counter, CS_UNIT_PMCU}}, &sink));
            fabric->target[1 + i].bind(bridges[i]->socket);
        }
        cpu.socket().bind(fabric->manager[0]);
        asker.socket().bind(fabric->manager[1]);
        fabric->attach(0, cpu);
        fabric->attach(1, asker);
        asker.set_lookahead(fabric.get());
    }

    Asker asker;
    Asker cpu;
    Counter counter;
    uint64_t records = 0;
    cs_probe_sink sink = {};
    cs_memory *memory = nullptr;
    std::unique_ptr<cs::Fabric> fabric;
    std::unique_ptr<cs::MemoryTarget> ram;
    std::vector<std::unique_ptr<cs::RegisterBridge>> bridges;
};

struct Kind {
    const char *name;
    bool early;
    uint64_t addr;
    uint8_t size;
    uint8_t beats;
};

const Kind kinds[] = {
    {"register_early", true, kRegisters + 0x100000, 4, 1},
    {"register_long", false, kRegisters + 0x100000, 4, 1},
    {"memory_beat_early", true, kRam, 8, 1},
    {"memory_burst_early", true, kRam, 8, 16},
    {"memory_burst_long", false, kRam, 8, 16},
};

void transfers(benchmark::State &state, Platform *platform)
{
    for (auto _ : state) {
        platform->asker.ask(kTransfers);
        while (!platform->asker.idle())
            sc_core::sc_start(sc_core::sc_time(10, sc_core::SC_MS));
    }
    state.counters["per_transfer"] = benchmark::Counter(
        static_cast<double>(kTransfers),
        benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
    state.SetItemsProcessed(static_cast<int64_t>(state.iterations() * kTransfers));
}

} // namespace

// SystemC elaborates once: all platforms stand side by side, idle ones cost nothing.
int main(int argc, char **argv)
{
    setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
    std::vector<std::unique_ptr<Platform>> platforms;
    for (const Kind &kind : kinds) {
        platforms.push_back(
            std::make_unique<Platform>(kind.name, kind.early, kind.addr, kind.size, kind.beats));
        benchmark::RegisterBenchmark((std::string("Fabric/") + kind.name).c_str(), transfers,
                                     platforms.back().get())
            ->Unit(benchmark::kMillisecond);
    }
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
