// SPDX-License-Identifier: Apache-2.0
// The modules as agents (include/countersink/bus/fabric/agent.hpp): how far they let others run ahead, and that
// nothing depends on whether they run ahead themselves.
#include <algorithm>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "agents.hpp"
#include "bus/hpm/hart_module.hpp"
#include "bus/machine/cpu_module.hpp"
#include "support/forked.hpp"
#include <countersink/bus/imc/earliest_of.hpp>
#include <countersink/bus/nest/nest_module.hpp>

using namespace agents;

namespace
{

constexpr cs_nest_config kNest = {kBase, 500, CS_UNIT_NEST, false};

} // namespace

TEST(EarliestOf, IsTheLeastOfItsPlaces)
{
    std::mt19937_64 random(5);
    cs::EarliestOf earliest;
    std::vector<cs_cycle> places(cs::EarliestOf::kPlaces, CS_NEVER);

    for (unsigned i = 0; i < 5000; i++) {
        const unsigned place = static_cast<unsigned>(random() % places.size());
        cs_cycle others = 0;

        places[place] = random() % 8 == 0 ? CS_NEVER : random() % 50;
        earliest.set(place, places[place]);
        const auto first = std::min_element(places.begin(), places.end());
        const unsigned least = static_cast<unsigned>(first - places.begin());
        EXPECT_EQ(earliest.least(), *first);
        EXPECT_EQ(earliest.place(others), least);
        for (unsigned p : {least, place}) {
            std::vector<cs_cycle> rest = places;

            rest.erase(rest.begin() + p);
            const cs_cycle second = *std::min_element(rest.begin(), rest.end());
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
    cs_cycle end = 0;
    unsigned ends = 0;
    std::vector<std::pair<cs_cycle, cs_hart_track>> runs;
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
    config.on_run = [&seen](cs_cycle cycle, cs_hart_track track) {
        seen.runs.emplace_back(cycle, track);
    };
    return config;
}

void keep_end(cs::HartModule &hart, Seen &seen)
{
    hart.on_end = [&seen](cs_cycle cycle) {
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

namespace
{

void read_often(void *ctx, cs_hart *hart)
{
    auto *reads = static_cast<unsigned *>(ctx);

    while (*reads < 2000000) {
        cs_hart_csr_read(hart, kMcycle);
        ++*reads;
    }
}

struct Soon final : cs::Agent {
    cs_cycle earliest() const override
    {
        return 1;
    }
    bool alone(cs_cycle) const override
    {
        return true;
    }
};

} // namespace

// Nobody sees its CSR instructions: they are executed as far ahead as the run goes, or a piece, even
// where another agent is about to do something.
TEST(HartModule, RunsAheadNoFurtherThanTheRunGoes)
{
    for (cs_cycle limit : {cs_cycle(300), CS_NEVER})
        cs_test::in_child([limit] {
            Seen seen;
            unsigned reads = 0;
            cs::HartConfig config = hart_of(seen);

            config.hart.software = read_often;
            config.hart.software_ctx = &reads;
            Alone<cs::HartModule> hart("hart", true, config);
            Soon other;
            hart.fabric->watch(other);
            hart.fabric->set_limit(limit);
            sc_core::sc_start(ns(1));
            EXPECT_GE(reads, limit == CS_NEVER ? 300000u : 90u);
            EXPECT_LE(reads, limit == CS_NEVER ? 400000u : 110u);
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

void read_next(void *ctx, cs_cycle, const cs_op_result *, cs_op *op)
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
        std::vector<cs_cycle> ends;
        early.module->on_end = [&](cs_cycle cycle) { ends.push_back(cycle); };
        sc_core::sc_start(ns(Alone<cs::CpuModule>::kEnd));
        EXPECT_EQ(early.fabric->completed_early(), 10u);
        EXPECT_EQ(late.fabric->completed_late(), 10u);
        EXPECT_EQ(world::difference(early.records, late.records), "");
        EXPECT_EQ(early.module->end_cycle(), late.module->end_cycle());
        EXPECT_EQ(ends, std::vector<cs_cycle>{early.module->end_cycle()});
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

TEST(Modules, RefuseWhatTheirModelsRefuse)
{
    cs_test::in_child([] {
        cs_nest_config nest = kNest;
        Seen seen;
        cs::HartConfig hart = hart_of(seen);

        nest.tick_cycles = 1;
        EXPECT_THROW(cs::NestModule("a", ns(1), nest, steady(), nullptr), sc_core::sc_report);
        hart.hpm.xlen = 3;
        EXPECT_THROW(cs::HartModule("b", ns(1), hart), sc_core::sc_report);
    });
}
