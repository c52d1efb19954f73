// SPDX-License-Identifier: Apache-2.0
// Units that go to other CPUs, and contexts with timers of their own (docs/drivers/uncore_driver.md).
#include "uncore_rig.hpp"

using cs_test::UncoreRig;

namespace
{

// Two units near CPUs 0 and 1, one that CPUs 2 and 3 reach.
const std::string kMachine = R"(
corepmu: {clock_mhz: 1000}
pmcu: {clusters: 1, slots: 4}
software: {kind: uncore}
uncore:
  bridges:
    - {access_cycles: 12, near: [0, 1], remote_cycles: 900}
    - {access_cycles: 60, near: [2], reach: [2, 3], remote_cycles: 40}
  units:
    - name: a
      counters: 2
      segments: [{events: [{event: "uncore:1", kind: random, rate: 0.4, max_increment: 4},
                           {event: "uncore:2", rate: 0.3}, {event: "uncore:3", rate: 0.1}]}]
    - {name: b, counters: 1}
    - name: far
      bridge: 1
      counters: 2
      width: 16
      segments: [{events: [{event: "uncore:1", kind: random, rate: 1.1, max_increment: 9}]}]
uncore_driver:
  tick_us: 20
  poll_cycles: 2000
  perf:
    - {stop_us: 801, interval_us: 90,
       events: [{event: "uncore:1"}, {event: "uncore:2"}, {event: "uncore:3"}]}
    - {units: [a], start_us: 300, stop_us: 500, events: [{event: "uncore:2"}]}
)";

// What was told is what the counters counted, and intervals add up to it.
void expect_right(const UncoreRig &rig)
{
    const auto counted = rig.counted();
    std::map<std::pair<unsigned, uint32_t>, uint64_t> finals, intervals;

    ASSERT_TRUE(rig.ended());
    for (const auto &c : rig.counts)
        (c.final ? finals : intervals)[{c.unit, c.event}] += c.raw;
    for (const auto &[key, sum] : finals) {
        const auto at = counted.find(key);
        EXPECT_EQ(sum, at != counted.end() ? at->second : 0)
            << "unit " << key.first << " event " << key.second;
        EXPECT_LE(intervals[key], sum);
    }
    EXPECT_EQ(rig.finals().size(), 3u * 3 + 1);
    for (const auto &c : rig.finals())
        EXPECT_LE(c.running, c.to - c.from);
}

// The CPUs that switched a unit on, one after the other.
std::vector<unsigned> managers(const UncoreRig &rig, unsigned unit)
{
    std::vector<unsigned> cpus;

    for (const auto &a : rig.log)
        if (a.unit == unit && (cpus.empty() || cpus.back() != a.cpu))
            cpus.push_back(a.cpu);
    return cpus;
}

using Cpus = std::vector<unsigned>;

} // namespace

// The next near CPU takes over, and keeps the unit when the first comes back.
TEST(UncoreMoves, AManagingCpuThatGoesOff)
{
    UncoreRig rig(kMachine, {"uncore_driver.manager=nearest",
                             "uncore_driver.hotplug=[{cpu: 0, at_us: 200, for_us: 100}]"});
    rig.run();
    expect_right(rig);
    EXPECT_EQ(managers(rig, 0), (Cpus{0, 1}));
    EXPECT_EQ(managers(rig, 1), (Cpus{0, 1}));
    EXPECT_EQ(managers(rig, 2), (Cpus{2}));
    ASSERT_EQ(rig.moves.size(), 2u);
    EXPECT_STREQ(rig.moves[0].why, "its CPU went off");
    EXPECT_GE(rig.moves[0].left, 200000u);
}

// CPU 1 follows: then CPU 2, which is far, is all that is left.
TEST(UncoreMoves, OneCpuAfterTheOther)
{
    UncoreRig rig(kMachine, {"uncore_driver.manager=nearest",
                             "uncore_driver.hotplug=[{cpu: 0, at_us: 200}, {cpu: 1, at_us: 400}]"});
    rig.run();
    expect_right(rig);
    EXPECT_EQ(managers(rig, 0), (Cpus{0, 1, 2}));
    for (const auto &stay : rig.stays)
        EXPECT_FALSE(stay.cpu == 0 && stay.from > 260000) << "it is gone";
}

// Both go at once: CPU 1 sends on what CPU 0 sends to it, as soon as it is there. Nothing is counted yet:
// a handler's cycle is all that a step takes.
TEST(UncoreMoves, AUnitOnItsWayToACpuThatGoesOff)
{
    UncoreRig rig(kMachine, {"uncore_driver.manager=nearest", "uncore_driver.handler_cycles=1",
                             "uncore_driver.perf.0.start_us=300", "uncore.units.1.bridge=1",
                             "uncore_driver.hotplug=[{cpu: 0, at_us: 200}, {cpu: 1, at_us: 200}]"});
    rig.run();
    expect_right(rig);
    EXPECT_EQ(managers(rig, 0), (Cpus{2}));
    ASSERT_EQ(rig.moves.size(), 2u);
    EXPECT_EQ(rig.moves[0].to, 1u);
    EXPECT_EQ(rig.moves[0].left, 200001u);
    EXPECT_EQ(rig.moves[1].to, 2u);
    EXPECT_EQ(rig.moves[1].left, 200003u) << "one for its arrival, one to leave again";
}

// The counter that a pinned event did not get is free when the unit moves: it stays in error.
TEST(UncoreMoves, APinnedEventInErrorStaysThere)
{
    UncoreRig rig(
        kMachine,
        {"uncore_driver.manager=nearest", "uncore_driver.hotplug=[{cpu: 0, at_us: 200}]",
         "uncore_driver.perf=[{units: [a], stop_us: 150, events: [{event: 'uncore:1', counters: "
         "1, pinned: true}]}, {units: [a], start_us: 100, stop_us: 800, events: [{event: "
         "'uncore:2', counters: 1, pinned: true}, {event: 'uncore:3', pinned: true}]}]"});
    rig.run();
    EXPECT_EQ(managers(rig, 0), (Cpus{0, 1}));
    ASSERT_EQ(rig.finals().size(), 3u);
    for (const auto &c : rig.finals())
        EXPECT_EQ(c.running == 0, c.event == 2) << c.event;
}

// Nobody else reaches it: its events end when its CPUs have gone, and keep what they had counted.
TEST(UncoreMoves, NobodyElseReachesTheUnit)
{
    UncoreRig rig(kMachine, {"uncore_driver.hotplug=[{cpu: 2, at_us: 200}, {cpu: 3, at_us: 400}]"});
    rig.run();
    expect_right(rig);
    EXPECT_EQ(managers(rig, 2), (Cpus{2, 3}));
    for (const auto &a : rig.log)
        EXPECT_FALSE(a.unit == 2 && a.rose > 420000) << "it is not touched any more";
    for (const auto &c : rig.finals()) {
        if (c.unit == 2) {
            EXPECT_LT(c.running, 420000u);
        }
    }
}

// Units go where work is, or away from it, as soon as it is looked at.
TEST(UncoreMoves, AfterTheWorkload)
{
    for (const bool busy : {true, false}) {
        UncoreRig rig(kMachine, {busy ? "uncore_driver.manager=busy" : "uncore_driver.manager=idle",
                                 "uncore_driver.look_us=50"});
        // CPU 0 works below 300 us and from 600 us on, CPU 1 in between.
        rig.waits = [busy](unsigned cpu, cs_cycle cycle) {
            const bool first = cycle < 300000 || cycle >= 600000;
            return cpu > 1 ? !busy : (cpu == 0) != first;
        };
        rig.run();
        expect_right(rig);
        const unsigned last = busy ? 0 : 1;
        EXPECT_EQ(managers(rig, 0).back(), last) << busy;
        EXPECT_EQ(managers(rig, 1).back(), last) << busy;
        ASSERT_GE(rig.moves.size(), 4u) << busy;
        for (const auto &m : rig.moves)
            EXPECT_LT(m.left % 50000, 20000u) << "when it was looked at";
    }
}

// At any time, with any list, counts are right across moves.
TEST(UncoreMoves, AtAnyTime)
{
    for (unsigned at = 290; at < 310; at++)
        for (const char *list : {"per_pmu", "global", "contexts"}) {
            const std::string off = "uncore_driver.hotplug=[{cpu: 0, at_us: " + std::to_string(at) +
                                    ", for_us: 50}, {cpu: 1, at_us: " + std::to_string(at + 201) +
                                    "}]";
            const std::string of = std::string("uncore_driver.list=") + list;
            SCOPED_TRACE(of + " " + off);
            UncoreRig rig(kMachine, {"uncore_driver.manager=nearest", off.c_str(), of.c_str()});

            rig.run();
            expect_right(rig);
        }
}

// A context's timer begins when it is needed, and comes at its own interval; it stands when nothing
// waits for a counter.
TEST(UncoreContexts, HaveTimersOfTheirOwn)
{
    UncoreRig rig(kMachine,
                  {"uncore_driver.list=contexts", "uncore_driver.manager=nearest",
                   "uncore.units.1.divider=3", "uncore_driver.perf.1.start_us=798",
                   "uncore_driver.perf.1.stop_us=799", "uncore_driver.perf.0.interval_us=0"});
    std::map<unsigned, std::vector<cs_cycle>> stops;

    rig.run();
    expect_right(rig);
    for (const auto &a : rig.log)
        if (a.write && a.offset == cs_test::kCtl && a.value == 0)
            stops[a.unit].push_back(a.rose);
    ASSERT_GT(stops[0].size(), 30u);
    ASSERT_GT(stops[1].size(), 10u);
    for (size_t i = 5; i < 25; i++)
        EXPECT_NEAR(static_cast<double>(stops[0][i + 1] - stops[0][i]), 20000, 1500);
    for (size_t i = 3; i < 10; i++)
        EXPECT_NEAR(static_cast<double>(stops[1][i + 1] - stops[1][i]), 60000, 1500);
}
