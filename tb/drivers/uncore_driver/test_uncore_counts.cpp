// SPDX-License-Identifier: Apache-2.0
// What perf says of events on uncore units, against what the units counted cycle by cycle.
#include <algorithm>

#include "uncore_rig.hpp"

using namespace cs_test;

namespace
{

std::string one_unit(const std::string &unit, const std::string &driver)
{
    return R"(
corepmu: {clock_mhz: 1000}
pmcu: {clusters: 1, slots: 2}
software: {kind: uncore, access_cycles: 20}
uncore:
  bridges: [{access_cycles: 10, near: [1], remote_cycles: 7}]
  units:
    - name: mc
      segments: [{events: [{event: "uncore:1", rate: 1.25}, {event: "uncore:2", kind: random, rate: 0.3},
                           {event: "uncore:3", kind: random, rate: 3, max_increment: 15}]}]
      )" + unit +
           "\nuncore_driver:\n  tick_us: 10\n  handler_cycles: 300\n  event_cycles: 100\n  " +
           driver + "\n";
}

const cs_count &final_of(const UncoreRig &rig, unsigned event, unsigned command = 0)
{
    for (const auto &c : rig.counts)
        if (c.final && c.event == event && c.command == command)
            return c;
    throw std::runtime_error("no such count");
}

uint64_t sum_of_finals(const UncoreRig &rig, unsigned unit, uint32_t event)
{
    uint64_t sum = 0;

    for (const auto &c : rig.finals())
        sum += c.unit == unit && c.event == event ? c.raw : 0;
    return sum;
}

// The accesses as text: "W ctl=1".
std::vector<std::string> told(const UncoreRig &rig, size_t from, size_t count)
{
    std::vector<std::string> list;

    for (size_t i = from; i < std::min(from + count, rig.log.size()); i++) {
        const RegisterAccess &a = rig.log[i];
        const std::string name = a.offset == kCtl ? "ctl"
                                 : a.offset >= kCount
                                     ? "count" + std::to_string((a.offset - kCount) / 8)
                                     : "select" + std::to_string((a.offset - kSelect) / 8);

        list.push_back(a.write ? "W " + name + "=" + std::to_string(a.value) : "R " + name);
    }
    return list;
}

} // namespace

// With a counter for each event nothing rotates: a count is what happened while CTL ran.
TEST(UncoreCounts, EnoughCounters)
{
    UncoreRig rig(one_unit("", "perf: [{start_us: 5, stop_us: 105, events: [{event: 'uncore:1'}, "
                               "{event: 'uncore:0'}]}]"));
    rig.run();

    ASSERT_TRUE(rig.ended());
    EXPECT_EQ(told(rig, 0, 99),
              (std::vector<std::string>{"W select0=65537", "W count0=0", "W select1=65536",
                                        "W count1=0", "W ctl=1", "W ctl=0", "R count0", "R count1",
                                        "W select0=0", "W select1=0"}));
    const RegisterAccess &start = rig.log[4], &stop = rig.log[5];
    const cs_count &clock = final_of(rig, 0), &other = final_of(rig, 1);

    EXPECT_EQ(clock.raw, stop.effect - start.effect);
    EXPECT_EQ(other.raw, rig.truth(0, 1, start.effect + 1, stop.effect + 1));
    for (const auto *c : {&clock, &other}) {
        EXPECT_EQ(c->cpu, 1u);
        EXPECT_STREQ(c->pmu, "mc");
        EXPECT_EQ(c->from, 5300u) << "after the handler's work";
        EXPECT_EQ(c->to, stop.rose);
        EXPECT_EQ(c->running, stop.rose - start.rose);
    }
    EXPECT_EQ(rig.report().ticks, 0u) << "nothing rotates: the timer does not run";
    EXPECT_EQ(rig.report().rotations, 0u);
    EXPECT_EQ(rig.report().late_ticks, 0u);
    EXPECT_EQ(rig.report().register_accesses, 10u);
    EXPECT_EQ(rig.report().interrupts, 0u);
}

// The times of each piece of work: handler 300, event 100, access 20 and then 10 + 6 on the bus.
TEST(UncoreCounts, Times)
{
    UncoreRig rig(
        one_unit("", "perf: [{start_us: 5, stop_us: 25, events: [{event: 'uncore:1'}]}]"));
    rig.run();
    const auto rise = [&](size_t i) { return rig.log.at(i).rose; };

    EXPECT_EQ(rise(0), 5000u + 300 + 100 + 20); // SELECT
    EXPECT_EQ(rise(1), rise(0) + 16 + 20);      // COUNT
    EXPECT_EQ(rise(2), rise(1) + 16 + 20);      // CTL
    EXPECT_EQ(rise(3), 25000u + 300 + 20);      // CTL
    EXPECT_EQ(rise(4), rise(3) + 16 + 100 + 20);
    ASSERT_EQ(rig.stays.size(), 2u) << "it begins, it ends";
    EXPECT_EQ(rig.stays[0].from, 5000u);
    EXPECT_EQ(rig.stays[0].to, rise(2) + 16);
    EXPECT_EQ(rig.stays[1].from, 25000u);
    EXPECT_EQ(rig.stays[1].to, rig.log.back().rose + 16);
    EXPECT_EQ(rig.report().bus_cycles, rig.log.size() * 16);
    uint64_t taken = 0;
    for (const Stay &s : rig.stays)
        taken += s.to - s.from;
    EXPECT_EQ(rig.report().rotating_cycles, taken);
}

// One counter, two events: each tick the other one.
TEST(UncoreCounts, ASwitch)
{
    UncoreRig rig(one_unit("counters: 1", "perf: [{stop_us: 35, events: [{event: 'uncore:1'}, "
                                          "{event: 'uncore:2'}]}]"));
    rig.run();

    EXPECT_EQ(told(rig, 3, 5), (std::vector<std::string>{"W ctl=0", "R count0", "W select0=65538",
                                                         "W count0=0", "W ctl=1"}));
    EXPECT_EQ(rig.report().rotations, 3u);
    // Running is from switch to switch, by the time of the stop, and leaves no gap.
    const cs_count &first = final_of(rig, 1), &second = final_of(rig, 2);
    const cs_cycle t1 = rig.log[3].rose, t2 = rig.log[8].rose, t3 = rig.log[13].rose,
                   end = rig.log[18].rose;

    EXPECT_EQ(first.running, (t1 - rig.log[2].rose) + (t3 - t2));
    EXPECT_EQ(second.running, (t2 - t1) + (end - t3));
    EXPECT_EQ(first.running + second.running, end - rig.log[2].rose);
    EXPECT_EQ(first.to, end);
    EXPECT_EQ(second.to, end);
    EXPECT_EQ(first.raw, rig.counted().at({0, 1}));
    EXPECT_EQ(second.raw, rig.counted().at({0, 2}));
}

// A list turns, and an event finds itself on its counter again. Linux takes it out all the same; a
// pinned one stays.
TEST(UncoreCounts, WhatATurnTakesOut)
{
    const std::string text =
        one_unit("counters: 3", "perf: [{stop_us: 15, events: [{event: 'uncore:1', counters: 1}, "
                                "{event: 'uncore:2'}, {event: 'uncore:3'}, "
                                "{event: 'uncore:0', pinned: true, counters: 4}]}]");
    UncoreRig all(text), moved(text, {"uncore_driver.take_out=moved"});

    all.run();
    moved.run();
    EXPECT_EQ(told(all, 7, 8),
              (std::vector<std::string>{"W ctl=0", "R count0", "R count1", "W select0=65537",
                                        "W count0=0", "W select1=65539", "W count1=0", "W ctl=1"}));
    EXPECT_EQ(told(moved, 7, 5), (std::vector<std::string>{"W ctl=0", "R count1", "W select1=65539",
                                                           "W count1=0", "W ctl=1"}));
    for (const UncoreRig *rig : {&all, &moved}) {
        EXPECT_EQ(rig->report().rotations, 1u);
        for (unsigned event = 0; event < 4; event++)
            EXPECT_EQ(final_of(*rig, event).raw, rig->counted().at({0, event})) << event;
        EXPECT_EQ(final_of(*rig, 1).running, final_of(*rig, 0).running);
    }
}

// The limit holds for all that rotation takes from the CPU, the interrupt itself included.
TEST(UncoreCounts, TheLimitHoldsForTheWholeTick)
{
    UncoreRig rig(one_unit("counters: 1",
                           "adaptive: true\n  limit_percent: 1\n  most_divider: 1000\n  "
                           "perf: [{stop_us: 50000, events: [{event: 'uncore:1'}, "
                           "{event: 'uncore:2'}]}]"));
    rig.run(10000000);
    const uint64_t before = rig.report().rotating_cycles;

    rig.run(40000000);
    EXPECT_LE(rig.report().rotating_cycles - before, 300000u) << "1 % of 30 ms";
    EXPECT_GE(rig.report().rotating_cycles - before, 100000u);
    EXPECT_EQ(rig.report().ticks, rig.report().rotations) << "none comes for nothing";
}

// It starts when something has to wait, and stops when nothing does any more.
TEST(UncoreCounts, TheTimerRunsWhileSomethingWaits)
{
    UncoreRig rig(one_unit("counters: 1",
                           "perf: [{stop_us: 905, events: [{event: 'uncore:1'}]}, {start_us: 300, "
                           "stop_us: 405, events: [{event: 'uncore:2'}]}]"));
    rig.run();
    EXPECT_EQ(rig.report().ticks, 10u) << "310 ... 400 us";
    EXPECT_EQ(rig.report().rotations, 10u);
}

TEST(UncoreCounts, ADividerRotatesSeldom)
{
    for (unsigned divider : {1u, 3u, 7u}) {
        UncoreRig rig(one_unit("counters: 1\n      divider: " + std::to_string(divider),
                               "divider: 2\n  perf: [{stop_us: 421, events: [{event: 'uncore:1'}, "
                               "{event: 'uncore:2'}]}]"));
        rig.run();
        EXPECT_EQ(rig.report().ticks, 42u / divider) << "the others need not come";
        EXPECT_EQ(rig.report().rotations, 42u / divider) << "the unit's own, not the driver's 2";
        EXPECT_EQ(rig.report().late_ticks, 0u);
    }
    UncoreRig rig(one_unit("counters: 1", "divider: 2\n  perf: [{stop_us: 421, events: [{event: "
                                          "'uncore:1'}, {event: 'uncore:2'}]}]"));
    rig.run();
    EXPECT_EQ(rig.report().rotations, 21u);
    EXPECT_EQ(cs_uncore_driver_divider(rig.driver, 1), 0u) << "there is no such unit";
}

// A counter of 16 bits at 1.25 a cycle comes round each 52 us; the tick is far longer.
TEST(UncoreCounts, NarrowCountersArePolled)
{
    for (unsigned width : {12u, 16u, 20u}) {
        UncoreRig rig(one_unit("width: " + std::to_string(width),
                               "poll_cycles: 130\n  perf: [{stop_us: 5001, "
                               "events: [{event: 'uncore:1'}, {event: 'uncore:3'}]}]"),
                      {"uncore_driver.tick_us=100000"});
        rig.run();
        EXPECT_EQ(rig.report().ticks, 0u);
        EXPECT_EQ(rig.report().overdue_reads, width == 12 ? rig.report().overdue_reads : 0)
            << width;
        EXPECT_GT(final_of(rig, 1).raw, 6000000u);
        for (unsigned event : {1u, 3u})
            EXPECT_EQ(final_of(rig, event).raw, rig.counted().at({0, event})) << width;
        // Half the time in which it can come round, and the work of a poll.
        size_t reads = 0;
        for (const auto &a : rig.log)
            reads += !a.write && a.offset == kCount;
        const uint64_t period = std::max<uint64_t>((1u << (width - 1)) / 15, 130);
        EXPECT_LE(reads, 5000000 / period + 2);
        EXPECT_GE(reads, 5000000 / (period + 450));
    }
}

// Read too seldom it loses whole rounds: that is counted, and only whole rounds are lost.
TEST(UncoreCounts, TooSeldomIsTold)
{
    UncoreRig rig(one_unit("width: 12", "poll_cycles: 5000\n  perf: [{stop_us: "
                                        "1001, events: [{event: 'uncore:1'}]}]"),
                  {"uncore_driver.tick_us=1000"});
    rig.run();
    const uint64_t raw = final_of(rig, 1).raw, counted = rig.counted().at({0, 1});

    EXPECT_GT(rig.report().overdue_reads, 150u);
    EXPECT_LT(raw, counted);
    EXPECT_EQ((counted - raw) % 4096, 0u);
}

TEST(UncoreCounts, Intervals)
{
    UncoreRig rig(one_unit("counters: 1", "perf: [{start_us: 3, stop_us: 333, interval_us: 50, "
                                          "events: [{event: 'uncore:1'}, {event: 'uncore:3'}]}]"));
    rig.run();
    for (unsigned event : {1u, 3u}) {
        const cs_count &whole = final_of(rig, event);
        uint64_t raw = 0, running = 0;
        cs_cycle at = whole.from;
        unsigned parts = 0;

        for (const auto &c : rig.counts) {
            if (c.final || c.event != event)
                continue;
            EXPECT_EQ(c.from, at);
            EXPECT_GT(c.to, c.from);
            EXPECT_LE(c.running, c.to - c.from);
            at = c.to;
            raw += c.raw;
            running += c.running;
            parts++;
        }
        EXPECT_EQ(parts, 7u) << "53, 103 ... 303 us, and the rest";
        EXPECT_EQ(at, whole.to);
        EXPECT_EQ(raw, whole.raw);
        EXPECT_EQ(running, whole.running);
        EXPECT_EQ(whole.raw, rig.counted().at({0, event}));
    }
}

// A read that fails adds nothing; the next one makes up for it.
TEST(UncoreCounts, FailedReads)
{
    const std::string text =
        one_unit("", "perf: [{stop_us: 333, interval_us: 50, events: [{event: 'uncore:1'}]}]");
    UncoreRig rig(text);
    unsigned reads = 0;

    rig.refuses = [&](const RegisterAccess &a) { return !a.write && ++reads % 3 == 0; };
    rig.run();
    EXPECT_EQ(reads, 7u);
    EXPECT_EQ(rig.report().failed_accesses, 2u);
    EXPECT_EQ(final_of(rig, 1).raw, rig.counted().at({0, 1}));
}

// A command that comes while another one rotates, and goes again: each keeps its own figures.
TEST(UncoreCounts, CommandsComeAndGo)
{
    UncoreRig rig(one_unit(
        "counters: 2",
        "perf: [{stop_us: 905, events: [{event: 'uncore:1'}, {event: 'uncore:2'}, {event: "
        "'uncore:0'}]}, {start_us: 333, stop_us: 666, events: [{event: 'uncore:3'}, {event: "
        "'uncore:1'}]}]"));
    rig.run();
    ASSERT_TRUE(rig.ended());
    ASSERT_EQ(rig.finals().size(), 5u);
    for (unsigned event = 0; event < 4; event++)
        EXPECT_EQ(sum_of_finals(rig, 0, event), rig.counted().at({0, event})) << event;
    EXPECT_EQ(final_of(rig, 3, 1).from, 333300u);
    EXPECT_GE(final_of(rig, 3, 1).to, 666300u);
    EXPECT_LT(final_of(rig, 3, 1).to, 667000u);
    EXPECT_GT(final_of(rig, 3, 1).running, 100000u);
    uint64_t running = 0;
    for (const auto &c : rig.finals())
        running += c.running;
    EXPECT_LE(running, 2u * 905000);
    EXPECT_GT(running, 2u * 900000) << "no counter is idle";
}
