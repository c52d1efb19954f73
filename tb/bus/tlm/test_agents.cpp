// The modules as agents (src/bus/fabric/agent.hpp): how far they let others run ahead, and that
// nothing depends on whether they run ahead themselves.
#include <algorithm>
#include <cstring>
#include <memory>
#include <random>
#include <vector>

#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include "bus/hpm/hart_module.hpp"
#include "bus/imc/earliest_of.hpp"
#include "bus/imc/imc_module.hpp"
#include "bus/machine/cpu_module.hpp"
#include "bus/nest/nest_module.hpp"
#include "models/imc/imc_scom.h"
#include "support/forked.hpp"
#include "world.hpp"

namespace
{

using world::ns;

constexpr uint64_t kBase = 0x80000000, kSize = 0x100000;

// One of each event in each cycle.
cs_event_source steady()
{
    cs_event_source source = {};

    source.sum = [](void *, uint32_t, uint32_t mask, cycle_t from, cycle_t to) -> uint64_t {
        return to > from && mask != 0 ? to - from : 0;
    };
    source.reach = [](void *, uint32_t, uint32_t, cycle_t from, uint64_t n) { return from + n; };
    source.context = [](void *, cycle_t, cs_context *out) { *out = {}; };
    return source;
}

// A memory that takes 7 ns for a transfer, and is busy meanwhile.
class SlowMemory : public sc_core::sc_module
{
  public:
    explicit SlowMemory(const sc_core::sc_module_name &name) : sc_core::sc_module(name)
    {
        socket.register_b_transport(this, &SlowMemory::b_transport);
    }
    tlm_utils::simple_target_socket<SlowMemory, 64> socket{"socket"};
    bool busy = false;
    unsigned transfers = 0;

  private:
    void b_transport(tlm::tlm_generic_payload &payload, sc_core::sc_time &)
    {
        busy = true;
        sc_core::wait(ns(7));
        busy = false;
        transfers++;
        if (payload.is_read())
            std::memset(payload.get_data_ptr(), 0, payload.get_data_length());
        payload.set_response_status(tlm::TLM_OK_RESPONSE);
    }
};

// While a transfer is out, what a module does next may begin in the next cycle. Then it is known
// again.
template <class Module>
void expect_care(Module &module, const SlowMemory &memory, cycle_t from, cycle_t to)
{
    unsigned waits = 0, knows = 0;

    for (cycle_t now = from + 1; now <= to; now++) {
        sc_core::sc_start(ns(1));
        ASSERT_GT(module.earliest(), now);
        if (memory.busy) {
            ASSERT_EQ(module.earliest(), now + 1);
        }
        waits += memory.busy;
        knows += memory.transfers >= 3 && module.earliest() > now + 1;
    }
    EXPECT_GE(waits, 7 * memory.transfers);
    EXPECT_GT(knows, 20u);
    EXPECT_GE(memory.transfers, 3u);
}

// A fabric with a memory on a path of its own, and nothing else than the module.
template <class Module, unsigned kManagers = 1> class Alone
{
  public:
    template <class... Arguments>
    Alone(const std::string &name, bool early, const Arguments &...arguments)
        : sink_{[](void *ctx, const cs_probe_record *r) {
                    static_cast<Alone *>(ctx)->records.push_back(*r);
                },
                this, false, nullptr}
    {
        cs::FabricConfig config;
        cs::TargetConfig ram;

        cs_memory_create(&memory, nullptr);
        target_ = std::make_unique<cs::MemoryTarget>((name + "_ram").c_str(), memory, 0, true);
        config.period = ns(1);
        rom_ = std::make_unique<cs::MemoryTarget>((name + "_rom").c_str(), memory);
        config.managers = kManagers;
        config.per_target = true;
        config.early_completion = early;
        config.probe = &sink_;
        ram.size = 0x1000;
        config.targets.push_back(ram);
        ram.base = kBase;
        ram.size = kSize;
        ram.adds = true;
        ram.memory = memory;
        ram.timing = {cs::TargetKind::memory, 5, 2, 1, 1};
        config.targets.push_back(ram);
        fabric = std::make_unique<cs::Fabric>((name + "_fabric").c_str(), config);
        fabric->target[0].bind(rom_->socket);
        fabric->target[1].bind(target_->socket);
        fabric->set_limit(kEnd);
        module = std::make_unique<Module>(name.c_str(), ns(1), arguments...);
        for (unsigned i = 0; i < kManagers; i++)
            module->connect(*fabric, i, i);
    }
    ~Alone()
    {
        cs_memory_destroy(memory);
    }

    static constexpr cycle_t kEnd = 30000;

    std::vector<cs_probe_record> records;
    std::unique_ptr<cs::Fabric> fabric;
    std::unique_ptr<Module> module;
    cs_memory *memory = nullptr;

  private:
    cs_probe_sink sink_;
    std::unique_ptr<cs::MemoryTarget> target_, rom_;
};

template <class Alone> void expect_same(Alone &early, Alone &late)
{
    const auto cut = [](std::vector<cs_probe_record> records) {
        records.erase(std::remove_if(records.begin(), records.end(),
                                     [](const auto &r) { return r.cycle >= Alone::kEnd; }),
                      records.end());
        return records;
    };

    EXPECT_GT(early.records.size(), 10u);
    EXPECT_EQ(world::difference(cut(early.records), cut(late.records)), "");
    EXPECT_TRUE(cs_memory_equal(early.memory, late.memory, nullptr, nullptr, nullptr));
    EXPECT_EQ(early.fabric->completed_late(), 0u) << "nobody else is there";
    EXPECT_EQ(late.fabric->completed_early(), 0u);
    EXPECT_EQ(early.fabric->completed_early(), late.fabric->completed_late());
}

constexpr cs_nest_config kNest = {kBase, 500, CS_UNIT_NEST, false};

} // namespace

TEST(EarliestOf, IsTheLeastOfItsPlaces)
{
    std::mt19937_64 random(5);
    cs::EarliestOf earliest;
    std::vector<cycle_t> places(cs::EarliestOf::kPlaces, CS_NEVER);

    for (unsigned i = 0; i < 5000; i++) {
        const unsigned place = static_cast<unsigned>(random() % places.size());
        cycle_t others = 0;

        places[place] = random() % 8 == 0 ? CS_NEVER : random() % 50;
        earliest.set(place, places[place]);
        const auto first = std::min_element(places.begin(), places.end());
        const unsigned least = static_cast<unsigned>(first - places.begin());
        EXPECT_EQ(earliest.least(), *first);
        EXPECT_EQ(earliest.place(others), least);
        for (unsigned p : {least, place}) {
            std::vector<cycle_t> rest = places;

            rest.erase(rest.begin() + p);
            const cycle_t second = *std::min_element(rest.begin(), rest.end());
            EXPECT_EQ(earliest.least_but(p), second);
            if (p == least) {
                EXPECT_EQ(others, second);
            }
        }
    }
}

TEST(NestModule, RunsAheadWithoutATrace)
{
    cs_test::in_child([] {
        const cs_probe_sink *none = nullptr;
        Alone<cs::NestModule> early("early", true, kNest, steady(), none);
        Alone<cs::NestModule> late("late", false, kNest, steady(), none);

        sc_core::sc_start(ns(Alone<cs::NestModule>::kEnd));
        expect_same(early, late);
    });
}

TEST(NestModule, CannotTellWhileATransferIsOut)
{
    cs_test::in_child([] {
        cs::NestModule nest("nest", ns(1), kNest, steady(), nullptr);
        SlowMemory memory("memory");

        nest.socket().bind(memory.socket);
        expect_care(nest, memory, 0, 3000);
    });
}

namespace
{

// What a hart's software saw.
struct Seen {
    uint64_t loaded[4] = {}, cycles[2] = {};
    cycle_t end = 0;
    unsigned ends = 0;
    std::vector<std::pair<cycle_t, cs_hart_track>> runs;
};

constexpr uint16_t kMcycle = 0xb00;

void software(void *ctx, cs_hart *hart)
{
    Seen &seen = *static_cast<Seen *>(ctx);

    cs_hart_run(hart, CS_HART_FIRMWARE);
    for (unsigned i = 0; i < 4; i++)
        cs_hart_store64(hart, kBase + 8 * i, 7 + i);
    for (unsigned i = 0; i < 4; i++)
        cs_hart_load64(hart, kBase + 8 * i, &seen.loaded[i]);
    for (uint64_t &value : seen.cycles)
        value = cs_hart_csr_read(hart, kMcycle);
    cs_hart_work(hart, 100);
    for (unsigned i = 0; i < 8; i++)
        cs_hart_store64(hart, kBase + 0x100 + 8 * i, i);
}

cs::HartConfig hart_of(Seen &seen)
{
    cs::HartConfig config;

    config.hart.xlen = 64;
    config.hart.costs = {3, 0, 0, 0, 2};
    config.hart.time_mhz = config.hart.clock_mhz = 1;
    config.hart.software = software;
    config.hart.software_ctx = &seen;
    config.hpm = cs_hpm_default_config();
    config.events = steady();
    config.on_run = [&seen](cycle_t cycle, cs_hart_track track) {
        seen.runs.emplace_back(cycle, track);
    };
    return config;
}

void keep_end(cs::HartModule &hart, Seen &seen)
{
    hart.on_end = [&seen](cycle_t cycle) {
        seen.end = cycle;
        seen.ends++;
    };
}

} // namespace

TEST(HartModule, RunsAheadWithoutATrace)
{
    cs_test::in_child([] {
        Seen seen[2];
        Alone<cs::HartModule> early("early", true, hart_of(seen[0]));
        Alone<cs::HartModule> late("late", false, hart_of(seen[1]));

        keep_end(*early.module, seen[0]);
        keep_end(*late.module, seen[1]);
        sc_core::sc_start(ns(Alone<cs::HartModule>::kEnd));
        expect_same(early, late);
        EXPECT_EQ(early.fabric->completed_early(), 16u);
        EXPECT_EQ(early.module->end_cycle(), late.module->end_cycle());
        for (const Seen &s : seen) {
            for (unsigned i = 0; i < 4; i++)
                EXPECT_EQ(s.loaded[i], 7 + i);
            EXPECT_EQ(s.cycles[1] - s.cycles[0], 3u) << "a CSR instruction's";
            EXPECT_EQ(s.ends, 1u);
            EXPECT_EQ(s.end, early.module->end_cycle());
            ASSERT_EQ(s.runs.size(), 1u);
            EXPECT_EQ(s.runs[0].second, CS_HART_FIRMWARE);
        }
        EXPECT_EQ(early.module->earliest(), CS_NEVER) << "it has ended: whoever asks may run ahead";
    });
}

TEST(HartModule, CannotTellWhileATransferIsOut)
{
    cs_test::in_child([] {
        Seen seen;
        cs::HartModule hart("hart", ns(1), hart_of(seen));
        SlowMemory memory("memory");

        hart.socket().bind(memory.socket);
        expect_care(hart, memory, 0, 3000);
        EXPECT_EQ(memory.transfers, 16u);
        EXPECT_GT(hart.end_cycle(), 16u * 7);
    });
}

namespace
{

// Reads a row of places; then waits for the line, and ends.
struct Reader {
    unsigned reads = 0;
    bool waits = false;
};

void read_next(void *ctx, cycle_t, const cs_op_result *, cs_op *op)
{
    auto *reader = static_cast<Reader *>(ctx);

    *op = {};
    op->kind = reader->reads < 10 ? CS_OP_READ : reader->waits ? CS_OP_WAIT_IRQ : CS_OP_END;
    op->addr = kBase + 8 * reader->reads++;
    op->size = 8;
    op->lines = CS_LINE(0);
}

} // namespace

TEST(CpuModule, RunsAheadWithoutATrace)
{
    cs_test::in_child([] {
        Reader readers[2];
        cs_cpu_env envs[2] = {};

        for (unsigned i = 0; i < 2; i++)
            envs[i].software = {read_next, &readers[i]};
        Alone<cs::CpuModule> early("early", true, envs[0]);
        Alone<cs::CpuModule> late("late", false, envs[1]);
        std::vector<cycle_t> ends;
        early.module->on_end = [&](cycle_t cycle) { ends.push_back(cycle); };
        sc_core::sc_start(ns(Alone<cs::CpuModule>::kEnd));
        EXPECT_EQ(early.fabric->completed_early(), 10u);
        EXPECT_EQ(late.fabric->completed_late(), 10u);
        EXPECT_EQ(world::difference(early.records, late.records), "");
        EXPECT_EQ(early.module->end_cycle(), late.module->end_cycle());
        EXPECT_EQ(ends, std::vector<cycle_t>{early.module->end_cycle()});
    });
}

// A pin may wake it at any time; a line that only calls raise does not.
TEST(CpuModule, CannotTellWhileItWaitsForAPin)
{
    for (bool bound : {false, true})
        cs_test::in_child([bound] {
            Reader reader;
            cs_cpu_env env = {};
            sc_core::sc_signal<bool> irq("irq");

            reader.waits = true;
            env.software = {read_next, &reader};
            cs::CpuModule cpu("cpu", ns(1), env);
            SlowMemory memory("memory");
            cpu.socket().bind(memory.socket);
            if (bound)
                cpu.irq.bind(irq);
            if (!bound) {
                expect_care(cpu, memory, 0, 3000);
            } else {
                sc_core::sc_start(ns(3000));
            }
            EXPECT_EQ(reader.reads, 11u) << "it waits";
            EXPECT_EQ(cpu.earliest(), bound ? 3001 : CS_NEVER);
            cpu.set_irq(3100, 0, true);
            sc_core::sc_start(ns(50));
            EXPECT_EQ(reader.reads, 11u);
            sc_core::sc_start(ns(100));
            EXPECT_GT(reader.reads, 11u) << "the line is high from cycle 3100 on";
        });
}

namespace
{

struct Host : sc_core::sc_module {
    explicit Host(const sc_core::sc_module_name &name) : sc_core::sc_module(name) {}

    bool access(bool write, uint64_t addr, uint64_t &value, unsigned bytes = 8)
    {
        tlm::tlm_generic_payload payload;
        sc_core::sc_time delay;

        payload.set_command(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
        payload.set_address(addr);
        payload.set_data_ptr(reinterpret_cast<unsigned char *>(&value));
        payload.set_data_length(bytes);
        payload.set_streaming_width(bytes);
        socket->b_transport(payload, delay);
        return payload.is_response_ok();
    }
    bool write(uint64_t addr, uint64_t value)
    {
        return access(true, addr, value);
    }

    tlm_utils::simple_initiator_socket<Host, 64> socket{"socket"};
};

// Two chips of four cores with two threads. Core 4 has no power from cycle 5 on, the other three
// of its chip have none from 300 on.
struct Imc {
    Imc() : imc("imc", ns(1), config())
    {
        for (unsigned chip = 0; chip < 2; chip++)
            at[chip].socket.bind(imc.scom(chip));
        at[2].socket.bind(imc.spr);
        for (unsigned core = 0; core < 8; core++)
            imc.socket(core).bind(memory[core].socket);
        sc_core::sc_start(ns(10));
    }
    static cs::ImcConfig config()
    {
        cs::ImcConfig config;

        config.chips = 2;
        config.cores = 8;
        config.core.threads = 2;
        config.core.tap_log2 = 6;
        config.core.timebase = {0, 1, 1};
        config.core.unit = CS_UNIT_IMC(0);
        config.events.assign(8, {steady(), steady()});
        config.power = {{5, 4, false}, {300, 5, false}, {300, 6, false}, {300, 7, false}};
        return config;
    }
    bool access(unsigned where, bool write, uint64_t addr, uint64_t &value, unsigned bytes)
    {
        const bool good = at[where].access(write, addr, value, bytes);

        sc_core::sc_start(ns(10)); // the next access is made later
        return good;
    }
    bool write(unsigned where, uint64_t addr, uint64_t value, unsigned bytes = 8)
    {
        return access(where, true, addr, value, bytes);
    }
    // CS_NEVER: an error.
    uint64_t read(unsigned where, uint64_t addr, unsigned bytes = 8)
    {
        uint64_t value = 1;

        return access(where, false, addr, value, bytes) ? value : CS_NEVER;
    }

    Host at[3]{Host("chip_0"), Host("chip_1"), Host("sprs")};
    cs::ImcModule imc;
    SlowMemory memory[8]{SlowMemory("m0"), SlowMemory("m1"), SlowMemory("m2"), SlowMemory("m3"),
                         SlowMemory("m4"), SlowMemory("m5"), SlowMemory("m6"), SlowMemory("m7")};
};

constexpr unsigned kSpr = 2;
constexpr uint64_t kHtmOn =
    0xe800000000000000; // bits 0:4 are 11101 (docs/hw/imc.md, "Counters and states")

uint64_t scom(unsigned core, unsigned reg)
{
    return uint64_t(cs_imc_scom_address(false, core, reg)) << 3;
}

uint64_t ldbar(unsigned core, unsigned thread)
{
    return (4 * core + thread) * 0x2000 + 850 * 8;
}

} // namespace

// docs/hw/imc.md, "Access": each chip has its own cores.
TEST(ImcModule, FindsTheCoreOfAnAddress)
{
    cs_test::in_child([] {
        constexpr uint64_t kTrace = 0x4000000000000000;
        Imc b;

        EXPECT_TRUE(b.write(1, scom(1, CS_IMC_REG_PDBAR), 0x12000)); // core 5
        EXPECT_TRUE(b.write(0, scom(2, CS_IMC_REG_PDBAR), 0x34000));
        for (unsigned chip = 0; chip < 2; chip++)
            for (unsigned core = 0; core < 4; core++)
                EXPECT_EQ(b.read(chip, scom(core, CS_IMC_REG_PDBAR)),
                          chip == 1 && core == 0   ? CS_NEVER // no power
                          : chip == 1 && core == 1 ? 0x12000
                          : chip == 0 && core == 2 ? 0x34000
                                                   : 0)
                    << chip << ' ' << core;
        EXPECT_FALSE(b.write(0, scom(4, CS_IMC_REG_PDBAR), 1)) << "a chip has four";
        EXPECT_FALSE(b.write(0, scom(0, CS_IMC_REG_PDBAR), 0x1000, 4)) << "not half of it";
        EXPECT_EQ(b.read(0, scom(0, CS_IMC_REG_PDBAR), 4), CS_NEVER);
        EXPECT_EQ(b.read(0, scom(0, CS_IMC_REG_PDBAR)), 0u);
        EXPECT_EQ(b.read(0, 0x8), CS_NEVER);

        EXPECT_TRUE(b.write(kSpr, ldbar(5, 1), kTrace));
        EXPECT_EQ(b.read(kSpr, ldbar(5, 1)), kTrace);
        EXPECT_EQ(b.read(kSpr, ldbar(5, 0)), 0u);
        EXPECT_EQ(b.read(kSpr, ldbar(1, 1)), 0u);
        EXPECT_EQ(b.read(kSpr, ldbar(5, 2)), CS_NEVER) << "a core has two threads";
        EXPECT_EQ(b.read(kSpr, ldbar(8, 0)), CS_NEVER) << "there are eight cores";
        EXPECT_FALSE(b.write(kSpr, ldbar(8, 0), kTrace));
        EXPECT_EQ(b.read(kSpr, ldbar(4, 0)), CS_NEVER) << "no power";
    });
}

// A register that the cores of a chip share answers as long as one of them has power.
TEST(ImcModule, IsAskedForWhatCoresShare)
{
    cs_test::in_child([] {
        Imc b;

        EXPECT_EQ(b.read(0, scom(0, CS_IMC_REG_FIR)), 0u);
        EXPECT_EQ(b.read(1, scom(0, CS_IMC_REG_FIR)), 0u) << "core 4 has no power, the others have";
        EXPECT_TRUE(b.write(1, scom(0, CS_IMC_REG_FIR), 0));
        sc_core::sc_start(ns(300));
        EXPECT_EQ(b.read(1, scom(0, CS_IMC_REG_FIR)), CS_NEVER);
        EXPECT_FALSE(b.write(1, scom(0, CS_IMC_REG_FIR), 0));
        EXPECT_EQ(b.read(0, scom(0, CS_IMC_REG_FIR)), 0u);
    });
}

// A window that ends posts: while that is out nobody may rely on what the cores do next.
TEST(ImcModule, CannotTellWhileATransferIsOut)
{
    cs_test::in_child([] {
        Imc b;

        EXPECT_TRUE(b.write(0, scom(1, CS_IMC_REG_PDBAR), kBase));
        EXPECT_TRUE(b.write(0, scom(1, CS_IMC_REG_HTM_MODE), kHtmOn));
        expect_care(b.imc, b.memory[1], 30, 3000);
    });
}

// All cores post at the end of the same windows: each waits for its turn, and none goes the long way.
TEST(ImcModule, RunsAheadWithoutATrace)
{
    cs_test::in_child([] {
        constexpr unsigned kCores = 8;
        using Cores = Alone<cs::ImcModule, kCores>;
        cs::ImcConfig config = Imc::config();
        config.chips = 1;
        config.core.tap_log2 = 12;
        config.power = {{9000, 3, false}, {17000, 3, true}};
        Cores early("early", true, config), late("late", false, config);
        Host hosts[4] = {Host("a"), Host("b"), Host("c"), Host("d")};

        for (unsigned i = 0; i < 2; i++) {
            cs::ImcModule &imc = *(i == 0 ? early : late).module;

            hosts[2 * i].socket.bind(imc.scom());
            hosts[2 * i + 1].socket.bind(imc.spr);
        }
        cycle_t now = 0;
        const auto run = [&](cycle_t to) { // whoever looks meanwhile says so
            for (Cores *cores : {&early, &late})
                cores->fabric->set_limit(to);
            sc_core::sc_start(ns(static_cast<double>(to - now)));
            now = to;
        };
        run(10);
        for (unsigned core = 0; core < kCores; core++) {
            if (core + 1 == kCores)
                run(5000); // the last begins a window later, and has its turn first
            for (const auto &[reg, value] : {std::pair(CS_IMC_REG_PDBAR, kBase + 0x2000 * core),
                                             {CS_IMC_REG_HTM_MODE, kHtmOn}}) {
                for (unsigned i = 0; i < 2; i++)
                    EXPECT_TRUE(hosts[2 * i].write(scom(core, reg), value));
                run(now + 10);
            }
        }
        run(Cores::kEnd);
        expect_same(early, late);
        EXPECT_EQ(early.module->earliest(), late.module->earliest());
    });
}

TEST(Modules, RefuseWhatTheirModelsRefuse)
{
    cs_test::in_child([] {
        cs_nest_config nest = kNest;
        Seen seen;
        cs::HartConfig hart = hart_of(seen);
        cs::ImcConfig imc = Imc::config();

        nest.tick_cycles = 1;
        EXPECT_THROW(cs::NestModule("a", ns(1), nest, steady(), nullptr), sc_core::sc_report);
        hart.hpm.xlen = 3;
        EXPECT_THROW(cs::HartModule("b", ns(1), hart), sc_core::sc_report);
        imc.core.threads = 3;
        EXPECT_THROW(cs::ImcModule("c", ns(1), imc), sc_core::sc_report);
    });
}
