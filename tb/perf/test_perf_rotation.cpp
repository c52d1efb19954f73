// SPDX-License-Identifier: Apache-2.0
// More events than counters (docs/drivers/perf.md, "Turns").
#include "perf_rig.hpp"

using namespace perf_rig;

namespace
{

class PerfRotation : public Machine
{
  protected:
    std::vector<cs_perf_event *> Branches(unsigned n, int pid = 0, int cpu = -1)
    {
        std::vector<cs_perf_event *> events;

        for (unsigned i = 0; i < n; i++)
            events.push_back(Open(Hardware(kHwBranches), nullptr, pid, cpu));
        return events;
    }
};

TEST_F(PerfRotation, NobodyWaitsWhileThereAreCounters)
{
    const auto events = Branches(4);
    Open(Hardware(kHwCycles));

    Run(0, 30 * kMs);
    for (cs_perf_event *e : events)
        EXPECT_EQ(Read(e).running, 30 * kMs);
}

// Six on four: each waits in a third of the time, four milliseconds at a time.
TEST_F(PerfRotation, TurnsAreOfFourMilliseconds)
{
    const auto events = Branches(6);

    Run(0, 24 * kMs);
    for (cs_perf_event *e : events) {
        EXPECT_EQ(Read(e).enabled, 24 * kMs);
        EXPECT_EQ(Read(e).running, 16 * kMs);
    }
}

// Worked out by hand from the order in which they begin: 0 1 2 3, then 1 2 3 4, then 2 3 4 5.
TEST_F(PerfRotation, TheFirstGoesToTheEnd)
{
    const auto events = Branches(6);

    Run(0, 4 * kMs);
    EXPECT_EQ(Read(events[4]).running, 0u);
    Run(4 * kMs, 8 * kMs);
    EXPECT_EQ(Read(events[0]).running, 4 * kMs);
    EXPECT_EQ(Read(events[4]).running, 4 * kMs);
    EXPECT_EQ(Read(events[5]).running, 0u);
    EXPECT_EQ(Read(events[4]).value, busy_.Sum(kBranches, 12 * kMs, 24 * kMs));
}

TEST_F(PerfRotation, CountsAreThoseOfTheirTurnsAndTheTruthIsAll)
{
    const auto events = Branches(5);
    uint64_t sum = 0;

    Run(0, 40 * kMs);
    told_.clear();
    for (cs_perf_event *e : events)
        sum += Read(e).value;
    const uint64_t all = busy_.Sum(kBranches, 0, 120 * kMs);
    EXPECT_EQ(sum, 4 * all);
    ASSERT_EQ(told_.size(), 5u);
    for (const cs_perf_told &t : told_)
        EXPECT_EQ(t.truth, all);
}

// 3 ms of every 6: of the multiples of 4 ms, 8 ms is the first at which it runs.
TEST_F(PerfRotation, AThreadOfShortStretchesHasItsTurns)
{
    const auto events = Branches(5);

    Run(0, 3 * kMs);
    Run(6 * kMs, 9 * kMs);
    EXPECT_EQ(Read(events[0]).running, 5 * kMs);
    EXPECT_EQ(Read(events[4]).running, 1 * kMs);
}

// The kernel's timer runs on, and CPUs that idle rotate too.
TEST_F(PerfRotation, EventsOfAnIdleCpuTakeTurns)
{
    const auto events = Branches(8, -1, 0);

    cs_perf_idle(perf_, 64 * kMs);
    for (cs_perf_event *e : events)
        EXPECT_EQ(Read(e).running, 32 * kMs);
}

// A CPU's events come before a thread's, which gets what is left.
TEST_F(PerfRotation, ACpusEventsComeFirst)
{
    const auto own = Branches(2), cpus = Branches(3, -1, 0);

    Run(0, 40 * kMs);
    EXPECT_EQ(Read(cpus[0]).running, 40 * kMs);
    EXPECT_EQ(Read(own[0]).running + Read(own[1]).running, 40 * kMs);
    EXPECT_EQ(Read(own[0]).running, 20 * kMs);
}

// Of two events of cycles one has the counter that only cycles can have, the other takes turns.
TEST_F(PerfRotation, TheCycleCounterIsForCyclesAlone)
{
    const auto branches = Branches(4);
    cs_perf_event *cycles = Open(Hardware(kHwCycles)), *more = Open(Hardware(kHwCycles));

    Run(0, 20 * kMs);
    EXPECT_EQ(Read(cycles).running, 20 * kMs);
    EXPECT_EQ(Read(more).running, 16 * kMs);
    for (cs_perf_event *e : branches)
        EXPECT_EQ(Read(e).running, 16 * kMs);
}

// The fifth waits until two others are disabled and a sixth is opened. All that are enabled have a
// counter then, so the order stays, in which the sixth is the last when one too many is enabled again.
TEST_F(PerfRotation, AListInWhichAllCountDoesNotTurn)
{
    auto events = Branches(5);

    Run(0, 1 * kMs);
    ASSERT_EQ(Read(events[4]).running, 0u);
    for (unsigned i = 1; i < 3; i++)
        ASSERT_EQ(Ioctl(events[i], CS_PERF_IOC_DISABLE), 0);
    events.push_back(Branches(1)[0]);
    Run(1 * kMs, 5 * kMs);
    ASSERT_EQ(Ioctl(events[2], CS_PERF_IOC_ENABLE), 0);
    Run(5 * kMs, 7 * kMs);
    EXPECT_EQ(Read(events[0]).running, 7 * kMs);
    EXPECT_EQ(Read(events[5]).running, 4 * kMs);
}

TEST_F(PerfRotation, TheIntervalIsTheMachines)
{
    machine_.mux_us = 1000;
    Begin();
    const auto events = Branches(8);

    Run(0, 1 * kMs);
    EXPECT_EQ(Read(events[4]).running, 0u);
    Run(1 * kMs, 2 * kMs);
    EXPECT_EQ(Read(events[4]).running, 1 * kMs);
}

} // namespace
