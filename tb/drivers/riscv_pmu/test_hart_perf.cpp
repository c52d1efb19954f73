// SPDX-License-Identifier: Apache-2.0
// docs/drivers/riscv_driver.md, "Turns": perf's core above the driver, which says what fits.
#include <list>

#include "drivers/hpm/hart_perf.h"
#include "kernel.hpp"

using namespace cs_test;

namespace
{

constexpr uint64_t kTurn = 1000;

// Counters 3 and 4 of the hart; what samples can have no other.
Machine two_counters()
{
    Machine m = machine();

    m.hpm.counters = 0x18;
    return m;
}

// Events by number, as they are opened. The log has who got a counter (+) and who lost it (-).
struct HartPerf : ::testing::Test {
    Kernel k{two_counters()};
    cs_hart_perf *perf = nullptr;
    std::list<cs_hart_event> events;
    std::string log;

    void make(uint64_t turn_cycles = kTurn)
    {
        cs_hart_perf_config config = {};

        config.pmu = k.pmu();
        config.turn_cycles = turn_cycles;
        ASSERT_EQ(cs_hart_perf_create(&config, &perf, nullptr), CS_OK);
    }
    ~HartPerf() override
    {
        cs_hart_perf_destroy(perf);
    }
    cs_hart_event *open(bool pinned = false, cs_hart_event *leader = nullptr,
                        cs_riscv_attr attr = raw(kOne))
    {
        events.push_back({});
        cs_hart_event *e = &events.back();

        attr.id = events.size() - 1;
        e->attr = attr;
        e->pinned = pinned;
        e->whose = this;
        e->placed = [](cs_hart_event *event, cs_hart *, bool on, cs_cycle) {
            static_cast<HartPerf *>(event->whose)->log +=
                (on ? "+" : "-") + std::to_string(event->attr.id) + " ";
        };
        EXPECT_EQ(cs_hart_perf_open(perf, k.hart(), e, leader), 0);
        return e;
    }
    // All that are open, in one pass.
    std::string schedule()
    {
        cs_hart_perf_begin(perf, k.hart());
        for (cs_hart_event &e : events)
            if (e.core != nullptr && !cs_hart_event_is_on(&e))
                cs_hart_event_enable(&e);
        cs_hart_perf_schedule(perf);
        return taken();
    }
    std::string tick()
    {
        cs_hart_perf_tick(perf, k.hart());
        return taken();
    }
    std::string close(cs_hart_event *e)
    {
        cs_hart_perf_begin(perf, k.hart());
        cs_perf_remove(e->core);
        cs_hart_perf_fill(perf);
        cs_hart_perf_close(perf, k.hart(), e);
        return taken();
    }
    std::string taken()
    {
        std::string text;

        text.swap(log);
        return text;
    }
};

} // namespace

TEST_F(HartPerf, EachIsTriedUntilTheFirstIsRefused)
{
    make();
    for (int i = 0; i < 4; i++)
        open();
    EXPECT_EQ(schedule(), "+0 +1 ");
    EXPECT_EQ(events.back().error, 0) << "it was not tried";
    EXPECT_EQ(cs_hart_perf_due(perf) % kTurn, 0u);
}

TEST_F(HartPerf, ATickTakesAllOffAndTheLastGoesToTheFront)
{
    make();
    for (int i = 0; i < 3; i++)
        open();
    schedule();
    EXPECT_EQ(tick(), "-0 -1 +2 +0 ");
    EXPECT_EQ(tick(), "-2 -0 +1 +2 ");
    EXPECT_EQ(cs_hart_perf_report(perf)->rotations, 2u);
}

TEST_F(HartPerf, NobodyWaitsWhileThereAreCounters)
{
    make();
    open();
    open();
    schedule();
    EXPECT_EQ(cs_hart_perf_due(perf), CS_NEVER);
}

TEST_F(HartPerf, AGroupIsUndoneWhenOneOfItIsRefused)
{
    make();
    cs_hart_event *leader = open();
    open(false, leader);
    open(false, leader);
    open();
    EXPECT_EQ(schedule(), "+0 +1 -0 -1 ");
    EXPECT_EQ(tick(), "+3 +0 -0 ");
    EXPECT_FALSE(cs_hart_event_is_on(leader));
}

TEST_F(HartPerf, PinnedGoFirstAndStay)
{
    make();
    open();
    open();
    open(true);
    EXPECT_EQ(schedule(), "+2 +0 ");
    EXPECT_EQ(tick(), "-0 +1 ");
    open();
    EXPECT_EQ(schedule(), "-1 +1 ") << "what comes later leaves them where they are";
}

TEST_F(HartPerf, APinnedOneWithoutACounterIsNotTriedAgain)
{
    make();
    cs_hart_event *first = open(true);
    open(true);
    cs_hart_event *error = open(true);
    EXPECT_EQ(schedule(), "+0 +1 ");
    EXPECT_EQ(error->error, -EOPNOTSUPP);
    EXPECT_EQ(cs_hart_perf_due(perf), CS_NEVER) << "it does not wait";
    EXPECT_EQ(close(first), "-0 ");
    EXPECT_EQ(schedule(), "+2 ") << "but for one that is enabled again";
}

TEST_F(HartPerf, WhoWaitsHasTheCounterOfOneThatLeaves)
{
    make();
    cs_hart_event *first = open();
    open();
    open();
    schedule();
    EXPECT_EQ(close(first), "-0 +2 ");
    EXPECT_EQ(cs_hart_perf_due(perf), CS_NEVER);
}

// perf's clock stands still in a pass.
TEST_F(HartPerf, RunningIsFromPassToPass)
{
    make();
    open();
    open();
    cs_hart_event *third = open();
    schedule();
    k.run(5000);
    const cs_cycle began = k.now();
    tick();
    k.run(7000);
    const cs_cycle ended = k.now();
    tick();
    EXPECT_EQ(third->core->running_ns, ended - began);
    k.run(300);
    const cs_cycle looked = k.now();
    cs_hart_perf_begin(perf, k.hart());
    EXPECT_EQ(cs_hart_perf_read(perf, third), third->core->count);
    EXPECT_EQ(third->core->running_ns, looked - began);
    EXPECT_NEAR(static_cast<double>(third->core->count), 7300, 50);
}

// Without turns nobody leaves a counter for another.
TEST_F(HartPerf, WithoutTurnsAllStay)
{
    make(0);
    open();
    open();
    EXPECT_EQ(schedule(), "+0 +1 ");
    cs_hart_event *third = open();
    EXPECT_EQ(schedule(), "");
    EXPECT_EQ(third->error, -EOPNOTSUPP);
    EXPECT_EQ(cs_hart_perf_due(perf), CS_NEVER);
    EXPECT_EQ(cs_hart_perf_report(perf), nullptr);
}

TEST_F(HartPerf, WhatTheDriverRefusesIsNotOpened)
{
    cs_hart_event e = {};

    make();
    e.attr = hardware(99);
    EXPECT_EQ(cs_hart_perf_open(perf, k.hart(), &e, nullptr), -EINVAL);
    EXPECT_EQ(e.core, nullptr);
}
