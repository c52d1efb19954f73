// SPDX-License-Identifier: Apache-2.0
// Lists, groups, pinned events, ticks of several CPUs, throttling.
#include <algorithm>

#include "uncore_rig.hpp"

using namespace cs_test;

namespace
{

double jain(const std::vector<cs_count> &counts)
{
    double sum = 0, squares = 0;

    for (const auto &c : counts) {
        const double share = double(c.running) / double(c.to - c.from);

        sum += share;
        squares += share * share;
    }
    return sum * sum / (double(counts.size()) * squares);
}

std::vector<cs_count> of_unit(const UncoreRig &rig, unsigned unit)
{
    std::vector<cs_count> list;

    for (const auto &c : rig.finals())
        if (c.unit == unit)
            list.push_back(c);
    return list;
}

double least_share(const UncoreRig &rig)
{
    double least = 1;

    for (const auto &c : rig.finals())
        least = std::min(least, double(c.running) / double(c.to - c.from));
    return least;
}

void all_is_as_counted(const UncoreRig &rig)
{
    std::map<std::pair<unsigned, uint32_t>, uint64_t> sums;

    for (const auto &c : rig.finals())
        sums[{c.unit, c.event}] += c.raw;
    for (const auto &[what, counted] : rig.counted())
        EXPECT_EQ(sums[what], counted) << "unit " << what.first << " event " << what.second;
}

} // namespace

// The proposal's complaint, and its wish: 240 ticks of twelve events on three units.
TEST(UncoreLists, TheProposalsExample)
{
    UncoreRig global(seed_example("global")), own(seed_example("per_pmu"));

    global.run();
    own.run();
    for (const UncoreRig *rig : {&global, &own}) {
        EXPECT_EQ(rig->finals().size(), 12u);
        EXPECT_EQ(rig->report().ticks, 240u);
        EXPECT_EQ(rig->report().late_ticks, 0u);
        all_is_as_counted(*rig);
    }
    // A list a unit: each event of a unit has the same share, 2 / 3, 2 / 4, 2 / 5.
    for (const auto &c : own.finals())
        EXPECT_NEAR(double(c.running) / double(c.to - c.from), 2.0 / (3 + c.unit), 0.01)
            << c.pmu << c.event;
    // One list: those that follow on other units' events are left out, and counters are idle.
    uint64_t used[2] = {0, 0};
    for (unsigned unit = 0; unit < 3; unit++) {
        EXPECT_GT(jain(of_unit(own, unit)), 0.999) << unit;
        EXPECT_LT(jain(of_unit(global, unit)), 0.99) << unit;
    }
    EXPECT_GT(least_share(own), 0.39);
    EXPECT_LT(least_share(global), 0.2);
    for (unsigned i = 0; i < 12; i++) {
        used[0] += global.finals()[i].running;
        used[1] += own.finals()[i].running;
    }
    EXPECT_LT(used[0] * 2, used[1]);
}

// Every event of a group is on, or none; a pinned one always is. Looked at whenever CTL starts.
TEST(UncoreLists, GroupsAndPinned)
{
    UncoreRig rig(R"(
pmcu: {clusters: 1, slots: 1}
software: {kind: uncore}
uncore:
  bridges: [{access_cycles: 12}]
  units: [{name: mc, counters: 3, segments: [{events: [{event: "uncore:1", rate: 1}]}]}]
uncore_driver:
  tick_us: 10
  perf:
    - stop_us: 901
      events:
        - {event: "uncore:1", group: 4}
        - {event: "uncore:2", group: 4}
        - {event: "uncore:3"}
        - {event: "uncore:4", group: 9}
        - {event: "uncore:5", counters: 4}
        - {event: "uncore:6", pinned: true}
        - {event: "uncore:7", group: 9}
)");
    rig.run();
    std::map<unsigned, uint32_t> on; // counter -> event
    std::map<uint32_t, unsigned> starts;

    for (const auto &a : rig.log) {
        if (!a.write)
            continue;
        if (a.offset >= kSelect && a.offset < kCount) {
            if ((a.value & 0x10000) != 0)
                on[(a.offset - kSelect) / 8] = a.value & 0xffff;
            else
                on.erase((a.offset - kSelect) / 8);
        }
        if (a.offset != kCtl || a.value != 1)
            continue;
        std::map<uint32_t, unsigned> now;
        for (const auto &[counter, event] : on) {
            EXPECT_TRUE(now.emplace(event, counter).second) << "twice";
            starts[event]++;
        }
        EXPECT_EQ(now.count(1), now.count(2));
        EXPECT_EQ(now.count(4), now.count(7));
        EXPECT_EQ(now.count(6), 1u);
        if (now.count(5) != 0) {
            EXPECT_EQ(now[5], 2u) << "its only counter";
        }
    }
    for (uint32_t event = 1; event <= 7; event++)
        EXPECT_GT(starts[event], 10u) << event;
    for (const auto &c : rig.finals()) {
        if (c.event == 6) {
            EXPECT_GT(c.running, 899000u);
        }
    }
}

// Whoever comes second stays in error, though the first one leaves, and a third one comes and goes.
TEST(UncoreLists, APinnedEventInErrorStaysThere)
{
    for (const char *list : {"per_pmu", "global", "contexts"}) {
        UncoreRig rig(R"(
pmcu: {clusters: 1, slots: 1}
software: {kind: uncore}
uncore:
  bridges: [{access_cycles: 12}]
  units: [{name: mc, counters: 3, segments: [{events: [{event: "uncore:2", rate: 1}]}]}]
uncore_driver:
  tick_us: 10
  perf:
    - {stop_us: 300, events: [{event: "uncore:1", counters: 1, pinned: true}]}
    - start_us: 100
      stop_us: 900
      events:
        - {event: "uncore:2", counters: 1, pinned: true, group: 1}
        - {event: "uncore:3", pinned: true, group: 1}
    - {start_us: 200, stop_us: 600, events: [{event: "uncore:4"}]}
    - {start_us: 400, stop_us: 900, events: [{event: "uncore:2", counters: 1, pinned: true}]}
)",
                      {(std::string("uncore_driver.list=") + list).c_str()});
        rig.run();
        ASSERT_EQ(rig.finals().size(), 5u);
        for (const auto &c : rig.finals()) {
            const bool in_error = c.command == 1;

            EXPECT_EQ(c.running == 0, in_error) << list << " command " << c.command;
            EXPECT_EQ(c.raw != 0, !in_error && c.event == 2) << list << " command " << c.command;
        }
        all_is_as_counted(rig);
    }
}

// Two units on two CPUs: each is handled on its own, half a tick apart, and never together.
TEST(UncoreLists, CpusHaveTheirTicksApart)
{
    UncoreRig rig(R"(
pmcu: {clusters: 1, slots: 4}
corepmu: {offline: [0]}
software: {kind: uncore, cpu: 1}
uncore:
  bridges: [{access_cycles: 12, near: [3], remote_cycles: 100}, {access_cycles: 30, near: [1], remote_cycles: 100}]
  units: [{name: a, counters: 1}, {name: b, bridge: 1, counters: 1}]
uncore_driver:
  tick_us: 20
  perf: [{stop_us: 401, events: [{event: "uncore:1"}, {event: "uncore:0"}]}]
)");
    rig.run();
    unsigned ticks[2] = {0, 0};

    for (const auto &a : rig.log)
        EXPECT_EQ(a.cpu, a.unit == 0 ? 3u : 1u);
    for (const Stay &s : rig.stays)
        for (unsigned i = 0; i < 2; i++)
            if (s.from >= 20000 && s.from < 400000 && s.from % 20000 == 10000 * i) {
                EXPECT_EQ(s.cpu, i == 0 ? 1u : 3u) << "by number: CPU 1 is the first";
                ticks[i]++;
            }
    EXPECT_EQ(ticks[0], 19u);
    EXPECT_EQ(ticks[1], 19u);
    EXPECT_EQ(rig.report().late_ticks, 0u);
    all_is_as_counted(rig);
}

// Work that takes longer than half a tick: the other CPU's ticks come late. Longer than a tick: some
// fall away.
TEST(UncoreLists, LateTicks)
{
    const std::string text = R"(
pmcu: {clusters: 1, slots: 2}
software: {kind: uncore}
uncore:
  bridges: [{access_cycles: 100, near: [0], remote_cycles: 60000}, {access_cycles: 100, near: [1], remote_cycles: 60000}]
  units: [{name: a, counters: 1}, {name: b, bridge: 1, counters: 1}]
uncore_driver:
  tick_us: 10
  perf: [{stop_us: 1001, events: [{event: "uncore:1"}, {event: "uncore:0"}]}]
)";
    UncoreRig quick(text), late(text, {"uncore.bridges.1.access_cycles=1100"}),
        lost(text, {"uncore.bridges.1.access_cycles=5000"});

    for (UncoreRig *rig : {&quick, &late, &lost}) {
        rig->run();
        EXPECT_TRUE(rig->ended());
        all_is_as_counted(*rig);
    }
    EXPECT_EQ(quick.report().late_ticks, 0u);
    EXPECT_NEAR(double(quick.report().ticks), 200, 1);
    EXPECT_GT(late.report().late_ticks, 90u);
    EXPECT_NEAR(double(late.report().ticks), 200, 2) << "late, but taken";
    EXPECT_LT(lost.report().ticks, 100u);
    EXPECT_GE(lost.report().ticks + lost.report().late_ticks, 195u);
    EXPECT_LE(lost.report().late_ticks, 200u);
}

// A far bridge: adaptive dividers bring the cost down to the limit.
TEST(UncoreLists, Throttling)
{
    const std::string text = R"(
pmcu: {clusters: 1, slots: 1}
software: {kind: uncore}
uncore:
  bridges: [{access_cycles: 12}, {access_cycles: 900}]
  units: [{name: near, counters: 4}, {name: far, bridge: 1, counters: 4}]
uncore_driver:
  tick_us: 100
  limit_percent: 2
  perf: [{stop_us: 20001, events: [{event: "uncore:1"}, {event: "uncore:2"}, {event: "uncore:3"},
          {event: "uncore:4"}, {event: "uncore:5"}, {event: "uncore:6"}]}]
)";
    UncoreRig plain(text), adaptive(text, {"uncore_driver.adaptive=true"});

    plain.run(10000000);
    adaptive.run(10000000);
    EXPECT_EQ(cs_uncore_driver_divider(plain.driver, 1), 1u);
    EXPECT_EQ(cs_uncore_driver_divider(adaptive.driver, 0), 1u);
    // A switch takes 14 accesses of 926 cycles, 4 x 2 events of 100: need is 7, by doubling 8.
    EXPECT_EQ(cs_uncore_driver_divider(adaptive.driver, 1), 8u);
    plain.run();
    adaptive.run();
    EXPECT_LT(adaptive.report().rotating_cycles * 3, plain.report().rotating_cycles);
    EXPECT_LT(adaptive.report().bus_cycles * 4, plain.report().bus_cycles);
    EXPECT_EQ(adaptive.report().ticks, plain.report().ticks);
    all_is_as_counted(adaptive);
}
