// SPDX-License-Identifier: Apache-2.0
// Each step of docs/drivers/software_way.md at its cycle, with costs that tell them apart.
#include <algorithm>

#include "multiplex_rig.hpp"
#include "scenario/corepmu/multiplex_spec.h"

using namespace cs_multiplex_test;

namespace
{

const std::vector<uint32_t> kEvents = {0x8, 0x10, 0x12, kCycles, 0x13};

Streams ones(unsigned cpus)
{
    return Streams(cpus, kEvents, 1, [](unsigned, uint32_t, cs_cycle) { return 1; });
}

uint64_t raw(const Rig &rig, unsigned cpu, uint32_t event)
{
    for (const cs_rotated_count &c : rig.told)
        if (c.final && c.cpu == cpu && c.event == event)
            return c.raw;
    return UINT64_MAX;
}

std::vector<Stay> of_cpu(const Rig &rig, unsigned cpu)
{
    std::vector<Stay> stays;

    for (const Stay &s : rig.stays)
        if (s.cpu == cpu)
            stays.push_back(s);
    return stays;
}

// 3 events on 2 counters: a tick takes entry, timer, PMCR (r, w); 2 events out (3 w, r each), 2 in
// (5 w each), one is skipped; PMUSERENR, PMCR (w, r, w); exit.
TEST(MultiplexSteps, ATick)
{
    struct Case {
        const char *name;
        unsigned cs_multiplex_spec::*cost;
        uint64_t before, standing, after; // the counters stand still
    };
    const Case cases[] = {
        {"nothing", nullptr, 0, 0, 0},
        {"entry", &cs_multiplex_spec::irq_entry_cycles, 10, 0, 0},
        {"timer", &cs_multiplex_spec::timer_cycles, 10, 0, 0},
        {"read", &cs_multiplex_spec::register_read_cycles, 10, 30, 0},
        {"write", &cs_multiplex_spec::register_write_cycles, 10, 180, 0},
        {"rotation", &cs_multiplex_spec::rotation_cycles, 0, 10, 0},
        {"out", &cs_multiplex_spec::event_out_cycles, 0, 20, 0},
        {"in", &cs_multiplex_spec::event_in_cycles, 0, 20, 0},
        {"skip", &cs_multiplex_spec::event_skip_cycles, 0, 10, 0},
        {"exit", &cs_multiplex_spec::irq_exit_cycles, 0, 0, 10},
        {"of others", &cs_multiplex_spec::event_read_cycles, 0, 0, 0},
        {"of calls", &cs_multiplex_spec::ipi_cycles, 0, 0, 0},
    };

    for (const Case &c : cases) {
        SCOPED_TRACE(c.name);
        cs_multiplex_spec spec = plain_spec({0x8, 0x10, 0x12}, 2);
        spec.cpus[0] =
            false; // perf enables and disables on CPU 1: what it takes there is no tick's
        spec.tick_us = 10000;
        spec.stop_us = 25000;
        if (c.cost != nullptr)
            spec.*c.cost = 10;
        Rig rig(spec, 2);
        Streams streams = ones(2);
        ASSERT_TRUE(rig.run(streams, 40000));

        const uint64_t all = c.before + c.standing + c.after;
        const std::vector<Stay> stays = of_cpu(rig, 1);
        std::vector<Stay> ticks;
        for (const Stay &s : stays)
            if (s.enter == 10000 || s.enter == 20000)
                ticks.push_back(s);
        if (all != 0)
            EXPECT_EQ(ticks, (std::vector<Stay>{{1, 10000, 10000 + all}, {1, 20000, 20000 + all}}));
        else
            EXPECT_TRUE(ticks.empty());
        EXPECT_EQ(rig.report().rotating.ticks, 2u);
        EXPECT_EQ(rig.report().rotating.rotations, 2u);
        EXPECT_EQ(rig.report().rotating.interrupts, 2u);
        // Lists 0 1 2, 2 0 1, 1 2 0.
        const cs_rotated_count &first = rig.told[0];
        EXPECT_EQ(raw(rig, 1, 0x8), 20000 + c.before - first.from - c.standing);
        EXPECT_EQ(raw(rig, 1, 0x10),
                  10000 + c.before - first.from + (first.to - (20000 + c.before + c.standing)));
        EXPECT_EQ(raw(rig, 1, 0x12), first.to - 10000 - c.before - 2 * c.standing);
        // Running goes on while the counters stand still.
        EXPECT_EQ(first.running, 20000 + c.before - first.from);
    }
}

TEST(MultiplexSteps, TicksOfAllCpusAreMultiplesOfTheTick)
{
    cs_multiplex_spec spec = plain_spec({0x8, 0x10, 0x12}, 3);

    spec.syscall_cycles = 30; // 90 a CPU: they are enabled in 91, 181, 271
    spec.irq_entry_cycles = 1;
    spec.stop_us = 450;
    Rig rig(spec, 3);
    Streams streams = ones(3);
    ASSERT_TRUE(rig.run(streams, 40000));

    EXPECT_EQ(rig.told[0].from, 91u);
    EXPECT_EQ(rig.told[3].from, 181u);
    EXPECT_EQ(rig.told[6].from, 271u);
    auto has = [&rig](const Stay &s) {
        return std::count(rig.stays.begin(), rig.stays.end(), s) != 0;
    };
    EXPECT_TRUE(has({0, 100, 101}));
    EXPECT_TRUE(has({1, 200, 201}));
    for (cs_cycle t : {300u, 400u})
        for (unsigned cpu = 0; cpu < 3; cpu++)
            EXPECT_TRUE(has({cpu, t, t + 1})) << "CPU " << cpu << " at " << t;
    // CPU 0 is disabled from 450 on, the others 90 and 180 later.
    EXPECT_EQ(rig.report().rotating.ticks, 4u + 4 + 4);
}

TEST(MultiplexSteps, AllFit)
{
    // 4 counters and the cycle counter.
    cs_multiplex_spec spec = plain_spec(kEvents, 1);

    spec.counters = 4;
    spec.irq_entry_cycles = spec.event_in_cycles = spec.syscall_cycles = 7;
    spec.interval_us = 300;
    Rig rig(spec, 1);
    Streams streams = ones(1);
    ASSERT_TRUE(rig.run(streams, 40000));

    EXPECT_EQ(rig.report().rotating.ticks, 0u);
    EXPECT_EQ(rig.report().rotating.interrupts, 0u);
    EXPECT_EQ(rig.report().calls, 0u);
    for (const cs_rotated_count &c : rig.told) {
        EXPECT_EQ(c.running, c.to - c.from);
        EXPECT_EQ(c.raw, c.to - c.from);
    }
    EXPECT_EQ(rig.told.size(), 5u * 3);
}

TEST(MultiplexSteps, TheCycleCounterIsForCyclesOnly)
{
    struct Case {
        std::vector<uint32_t> events;
        unsigned counters;
        bool fit;
    };
    const Case cases[] = {
        {{0x8}, 1, true},
        {{0x8, 0x10}, 1, false},
        {{0x8, kCycles}, 1, true},
        {{kCycles, 0x8}, 1, true},
        {{kCycles, kCycles}, 1, true},
        {{kCycles, kCycles, 0x8}, 1, false},
        {{kCycles, kCycles, 0x8}, 2, true},
        {{0x8, 0x10, 0x12, kCycles}, 3, true},
        {{0x8, 0x10, 0x12, 0x13}, 3, false},
    };

    for (const Case &c : cases) {
        cs_multiplex_spec spec = plain_spec(c.events, 1);
        spec.counters = c.counters;
        Rig rig(spec, 1);
        Streams streams = ones(1);
        ASSERT_TRUE(rig.run(streams, 40000));
        EXPECT_EQ(rig.report().rotating.ticks == 0, c.fit)
            << c.events.size() << " events, " << c.counters << " counters";
    }
}

TEST(MultiplexSteps, TheDivider)
{
    cs_multiplex_spec spec = plain_spec({0x8, 0x10, 0x12}, 1);

    spec.divider = 3;
    spec.irq_entry_cycles = 5;
    spec.rotation_cycles = 11;
    Rig rig(spec, 1);
    Streams streams = ones(1);
    ASSERT_TRUE(rig.run(streams, 40000));

    EXPECT_EQ(rig.report().rotating.ticks, 10u); // in 1000 the tick comes before perf
    EXPECT_EQ(rig.report().rotating.rotations, 3u);
    EXPECT_EQ(rig.stays[0], (Stay{0, 100, 105}));
    EXPECT_EQ(rig.stays[2], (Stay{0, 300, 316}));
}

// A handler longer than the tick: what was due meanwhile is one tick.
TEST(MultiplexSteps, TicksThatCannotBeTakenMerge)
{
    cs_multiplex_spec spec = plain_spec({0x8, 0x10, 0x12}, 1);

    spec.divider = 3;
    spec.rotation_cycles = 250;
    Rig rig(spec, 1);
    Streams streams = ones(1);
    ASSERT_TRUE(rig.run(streams, 40000));

    // Taken in 100, 200, 300 (a rotation; 400 and 500 are due), 550, 600, 700 (another), 950, 1000.
    const cs_rotating_report &r = rig.report().rotating;
    EXPECT_EQ(r.ticks, 8u);
    EXPECT_EQ(r.rotations, 2u);
    EXPECT_EQ(r.late_ticks, 2u);
    EXPECT_EQ(rig.stays, (std::vector<Stay>{{0, 300, 550}, {0, 700, 950}}));
}

// perf on CPU 1 asks CPU 0: an interrupt for each event that has a counter, none for the others.
TEST(MultiplexSteps, CallsOfAnotherCpu)
{
    cs_multiplex_spec spec = plain_spec({0x8, 0x10, 0x12}, 1);

    spec.calls = true;
    spec.tick_us = 100000; // none
    spec.interval_us = 500;
    spec.stop_us = 700;
    spec.irq_entry_cycles = 3;
    spec.irq_exit_cycles = 4;
    spec.register_read_cycles = 1;
    spec.event_read_cycles = 6;
    spec.syscall_cycles = 10;
    spec.ipi_cycles = 20;
    Rig rig(spec, 2);
    rig.tool_cpu = 1;
    Streams streams = ones(2);
    ASSERT_TRUE(rig.run(streams, 40000));

    // Enabling: 3 times 10 + 20 + 3 + (PMCR: 1) + (PMCR: 1), and 0, 1, 2 events out, from 1 on.
    EXPECT_EQ(rig.told[0].from, 1u + 3 * 35 + 3);
    // 609: a system call, a call, and 3 + 1 to the MRS.
    EXPECT_EQ(rig.told[0].to, 609u + 10 + 20 + 3 + 1);
    EXPECT_EQ(rig.told[1].to, 609u + 40 + 34);
    EXPECT_EQ(rig.told[2].to, 609u + 80 + 10);
    EXPECT_EQ(rig.told[2].raw, 0u);
    const std::vector<Stay> called = of_cpu(rig, 0);
    ASSERT_GE(called.size(), 5u);
    EXPECT_EQ(called[3], (Stay{0, 639, 639 + 3 + 1 + 6 + 4}));
    EXPECT_EQ(called[4], (Stay{0, 679, 679 + 3 + 1 + 6 + 4}));
    // perf's own CPU is taken all the while.
    EXPECT_EQ(of_cpu(rig, 1)[1].enter, 609u);
    EXPECT_EQ(rig.report().calls, 3u + 2 + 3);
    EXPECT_EQ(rig.report().rotating.interrupts, 3u + 2 + 3);
    EXPECT_EQ(rig.report().system_calls, 4u * 3);
}

// The system takes a CPU away while perf's call is on its way there: the call fails at once, and perf
// asks that CPU for nothing more.
TEST(MultiplexSteps, ACallToACpuThatGoesAway)
{
    cs_multiplex_spec spec = plain_spec({0x8, 0x10, 0x12}, 2);

    spec.calls = true;
    spec.tick_us = 10000;
    spec.syscall_cycles = 30;
    spec.ipi_cycles = 500;
    Rig rig(spec, 2);
    rig.outages = {{1, 300, 5000, true}};
    Streams streams = ones(2);
    ASSERT_TRUE(rig.run(streams, 40000));

    EXPECT_EQ(rig.report().calls, 1u);
    EXPECT_EQ(rig.report().system_calls, 3u * 3 * 2) << "enabled, disabled and read, on two CPUs";
    EXPECT_EQ(of_cpu(rig, 0), (std::vector<Stay>{{0, 1, 360}, {0, 1000, 1360}}))
        << "two calls are left at 300";
    EXPECT_TRUE(of_cpu(rig, 1).empty());
    EXPECT_EQ(raw(rig, 1, 0x8), 0u);
}

// The system takes away a CPU on which perf is not: what perf is at goes on, where it is.
TEST(MultiplexSteps, AnotherCpuGoesAway)
{
    cs_multiplex_spec spec = plain_spec({0x8, 0x10, 0x12}, 3);

    spec.tick_us = 10000;
    spec.syscall_cycles = 30;
    for (const bool calls : {true, false})
        for (const cs_cycle off : {50u, 200u}) { // perf is at CPU 0's events, and at CPU 2's
            spec.calls = calls;
            Rig rig(spec, 3);
            rig.outages = {{1, off, 5000, true}};
            Streams streams = ones(3);
            ASSERT_TRUE(rig.run(streams, 40000));

            EXPECT_EQ(rig.told.at(0).from, 1u + 3 * 30) << calls << " " << off;
            EXPECT_EQ(rig.stolen(0) + rig.stolen(1) + rig.stolen(2), 3u * 3 * 3 * 30)
                << calls << " " << off;
        }
}

// perf goes to each CPU: no interrupts, and each CPU pays for itself.
TEST(MultiplexSteps, VisitsOfAllCpus)
{
    cs_multiplex_spec spec = plain_spec({0x8, 0x10, 0x12}, 3);

    spec.tick_us = 100000; // none
    spec.interval_us = 10000;
    spec.stop_us = 20000;
    spec.syscall_cycles = 10;
    spec.event_read_cycles = 6;
    spec.migration_cycles = 100;
    spec.wakeup_cycles = 50;
    Rig rig(spec, 3);
    rig.tool_cpu = 1;
    Streams streams = ones(3);
    ASSERT_TRUE(rig.run(streams, 40000));

    EXPECT_EQ(rig.report().calls, 0u);
    EXPECT_EQ(rig.report().rotating.interrupts, 0u);
    // Enabling ends in 1 + 3 x (100 + 30); then 10000; perf wakes up on CPU 1 and goes to CPU 0.
    const cs_cycle woken = 391 + 10000;
    const cs_cycle reading = 100 + 3 * 10 + 2 * 6;
    EXPECT_EQ(of_cpu(rig, 1)[1], (Stay{1, woken, woken + 50}));
    EXPECT_EQ(of_cpu(rig, 0)[1], (Stay{0, woken + 50, woken + 50 + reading}));
    EXPECT_EQ(of_cpu(rig, 1)[2], (Stay{1, woken + 50 + reading, woken + 50 + 2 * reading}));
    EXPECT_EQ(of_cpu(rig, 2)[1], (Stay{2, woken + 50 + 2 * reading, woken + 50 + 3 * reading}));
}

TEST(MultiplexSteps, AnIntervalCountsFromTheEndOfTheLastReading)
{
    cs_multiplex_spec spec = plain_spec({0x8}, 1);

    spec.interval_us = 100;
    spec.stop_us = 400;
    spec.syscall_cycles = 20;
    Rig rig(spec, 1);
    Streams streams = ones(1);
    ASSERT_TRUE(rig.run(streams, 40000));

    // Enabled in 21; read in 141, 261, 381; disabled from 400 on.
    ASSERT_EQ(rig.told.size(), 4u);
    EXPECT_EQ(text(rig.told[0]), "interval cpu 0 event 8 21..141 running 120 raw 120");
    EXPECT_EQ(text(rig.told[1]), "interval cpu 0 event 8 141..261 running 120 raw 120");
    EXPECT_EQ(text(rig.told[2]), "interval cpu 0 event 8 261..381 running 120 raw 120");
    EXPECT_EQ(text(rig.told[3]), "final cpu 0 event 8 21..420 running 399 raw 399");
}

} // namespace
