// SPDX-License-Identifier: Apache-2.0
// What perf on uncore units is refused, with the place of it.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "document.hpp"
#include "scenario/uncore/uncore_driver_spec.h"
#include "scenario/uncore/uncore_spec.h"

namespace
{

const std::string kMachine = R"(
pmcu: {clusters: 1, slots: 2}
software: {kind: uncore}
uncore:
  bridges: [{}]
  units: [{name: mc0, counters: 4}, {name: link, counters: 2}]
)";

std::string error_of(const std::string &perf, const std::vector<std::string> &sets = {})
{
    return parse(kMachine + "uncore_driver: {perf: " + perf + "}\n", sets).error;
}

bool has(const std::string &text, const std::string &part)
{
    return text.find(part) != std::string::npos;
}

} // namespace

TEST(UncoreDriverChecks, Good)
{
    Document p = parse(kMachine + R"(uncore_driver:
  perf:
    - {units: [link, mc0], stop_us: 7, events: [{event: "uncore:3", group: 1}, {event: "uncore:65535", group: 1, counters: 2}]}
    - {stop_us: 8, interval_us: 2, events: [{event: "uncore:0", pinned: true}]}
)");
    ASSERT_EQ(p.error, "");
    const auto &d = p->uncore_driver;

    ASSERT_EQ(d->nr_perf, 2u);
    EXPECT_EQ(d->perf[0].nr_units, 2u);
    EXPECT_EQ(d->perf[0].unit_list[0], 1u) << "as they are named";
    EXPECT_EQ(d->perf[0].unit_list[1], 0u);
    EXPECT_EQ(d->perf[0].events[1].event, CS_EVENT_UNCORE(65535u));
    EXPECT_EQ(d->perf[0].events[1].counters, 2u);
    EXPECT_EQ(d->perf[1].nr_units, 2u) << "all";
    EXPECT_TRUE(d->perf[1].units[0] && d->perf[1].units[1]);
    EXPECT_TRUE(d->perf[1].events[0].pinned);
    EXPECT_EQ(d->list, CS_UNCORE_LIST_PER_PMU);
    EXPECT_TRUE(p->uncore->bridges[0].near[1]);
    EXPECT_EQ(p->uncore->units[1].divider, 1u);
}

TEST(UncoreDriverChecks, Refused)
{
    const struct {
        const char *perf;
        const char *error;
    } cases[] = {
        {"[]", "uncore_driver.perf: empty"},
        {"[{units: [mc1], stop_us: 9, events: [{event: 'uncore:1'}]}]",
         "perf.0.units.0: there is no unit mc1; did you mean mc0?"},
        {"[{units: [nobodyhere], stop_us: 9, events: [{event: 'uncore:1'}]}]",
         "perf.0.units.0: there is no unit nobodyhere"},
        {"[{units: [mc0, link, mc0], stop_us: 9, events: [{event: 'uncore:1'}]}]",
         "perf.0.units.2: mc0 is named twice"},
        {"[{stop_us: 9, start_us: 9, events: [{event: 'uncore:1'}]}]",
         "perf.0.stop_us: 9 is not after start_us 9"},
        {"[{stop_us: 9, events: []}]", "perf.0.events"},
        {"[{stop_us: 9, events: [{event: 'uncore:1'}, {event: INST_RETIRED}]}]",
         "perf.0.events.1.event: no event of an uncore unit; expected \"uncore:N\""},
        {"[{stop_us: 9, events: [{event: 'uncore:1', counters: 12}]}]",
         "perf.0.events.0: no counter of link may count it: it has 2, counters is 0xc"},
        {"[{units: [mc0], stop_us: 9, events: [{event: 'uncore:1', counters: 16}]}]",
         "perf.0.events.0: no counter of mc0 may count it: it has 4, counters is 0x10"},
        {"[{stop_us: 9, events: [{event: 'uncore:1', group: 5}, {event: 'uncore:2', group: 5}, "
         "{event: 'uncore:3', group: 5}]}]",
         "perf.0.events.2: group 5 has no place on the 2 counters of link"},
        {"[{units: [mc0], stop_us: 9, events: [{event: 'uncore:1', group: 5, counters: 3}, "
         "{event: 'uncore:2', group: 5, counters: 3}, {event: 'uncore:3', group: 5, counters: "
         "3}]}]",
         "perf.0.events.2: group 5 has no place on the 4 counters of mc0"},
        {"[{stop_us: 9, events: [{event: 'uncore:1', group: 5, pinned: true}, {event: 'uncore:2', "
         "group: 5}]}]",
         "perf.0.events.1: events of group 5 are pinned and not pinned"},
    };

    for (const auto &c : cases) {
        const std::string error = error_of(c.perf);

        EXPECT_TRUE(has(error, c.error)) << c.perf << "\n" << error;
        EXPECT_TRUE(has(error, ":7:")) << "the line: " << error;
    }
}

// One that can only be placed when another one moves is no error.
TEST(UncoreDriverChecks, AGroupThatFitsWithCare)
{
    EXPECT_EQ(error_of("[{units: [link], stop_us: 9, events: [{event: 'uncore:1', group: 1}, "
                       "{event: 'uncore:2', group: 1, counters: 1}]}]"),
              "");
    EXPECT_EQ(error_of("[{units: [mc0], stop_us: 9, events: [{event: 'uncore:1', group: 1, "
                       "counters: 3}, {event: 'uncore:2', group: 1, counters: 5}, {event: "
                       "'uncore:3', group: 1, counters: 1}, {event: 'uncore:4', group: 1}]}]"),
              "");
    EXPECT_EQ(error_of("[{stop_us: 9, events: [{event: 'uncore:1'}, {event: 'uncore:2'}, {event: "
                       "'uncore:3'}, {event: 'uncore:4'}, {event: 'uncore:5'}]}]"),
              "")
        << "not a group: they have their turns";
}

TEST(UncoreDriverChecks, TheRestOfTheScenario)
{
    const char *const good = "[{stop_us: 9, events: [{event: 'uncore:1'}]}]";

    EXPECT_EQ(error_of(good), "");
    EXPECT_TRUE(
        has(error_of(good, {"uncore.units=[]"}), "uncore.units: software.kind uncore needs units"));
    EXPECT_TRUE(has(error_of(good, {"software.kind=none"}),
                    "uncore_driver: not allowed without software.kind uncore"));
    EXPECT_TRUE(has(error_of(good, {"corepmu.offline=[1]", "corepmu.absent=[0]"}),
                    "software.kind: uncore needs an Arm CPU or a thread of an IMC core"));
    EXPECT_EQ(error_of(good, {"corepmu.offline=[0]"}), "") << "nothing runs on software.cpu";
    EXPECT_TRUE(has(error_of(good, {"pmcu.clusters=0", "harts.count=2"}),
                    "software.kind: uncore needs an Arm CPU or a thread of an IMC core"));
    EXPECT_TRUE(has(error_of(good, {"uncore_driver.adaptive=true", "uncore.units.1.divider=65"}),
                    "uncore.units.1.divider: 65 is more than uncore_driver.most_divider 64"));
    EXPECT_TRUE(has(error_of(good, {"uncore_driver.adaptive=true", "uncore_driver.divider=65"}),
                    "uncore_driver.divider: 65 is more than uncore_driver.most_divider 64"));
    EXPECT_EQ(error_of(good, {"uncore_driver.divider=65"}), "");
    EXPECT_TRUE(has(error_of(good, {"uncore.units.1.name=cpu"}),
                    "uncore.units.1.name: cpu is the name of the CPUs' own PMUs"));
}

TEST(UncoreDriverChecks, AThousandEvents)
{
    const auto many = [](unsigned n) {
        std::string text = "[{stop_us: 9, events: [{event: 'uncore:0'}";

        for (unsigned i = 1; i < n; i++)
            text += ", {event: 'uncore:" + std::to_string(i) + "'}";
        return text + "]}]";
    };

    EXPECT_EQ(error_of(many(512)), "");
    EXPECT_TRUE(has(error_of(many(513)),
                    "perf.0.events: with these there are 1026 events on all units; at most 1024"));
}

// A warning each, behind the one that section perf says it now: an event that no unit of its command has, a divider that a global list does not
// look at.
TEST(UncoreDriverChecks, WhatIsHardlyMeant)
{
    const std::string units =
        "pmcu: {clusters: 1, slots: 1}\nsoftware: {kind: uncore}\nuncore:\n  bridges: [{}]\n"
        "  units:\n    - {name: a, segments: [{events: [{event: 'uncore:1', rate: 1}]}]}\n"
        "    - {name: b, divider: 3}\n";
    const auto warned = [&](const std::string &driver) {
        Document d = parse(units + "uncore_driver: " + driver + "\n");

        EXPECT_EQ(d.error, "");
        return d->nr_warnings == 1 ? std::string() : std::string(d->warnings[1].text);
    };

    EXPECT_EQ(warned("{perf: [{stop_us: 9, events: [{event: 'uncore:1'}, {event: 'uncore:0'}]}]}"),
              "")
        << "b has none, a has: it was meant for a";
    EXPECT_EQ(warned("{perf: [{stop_us: 9, events: [{event: 'uncore:0'}, {event: 'uncore:2'}]}]}"),
              "uncore_driver.perf.0.events.1: 1 of 2 count nothing, the first is uncore:2: no unit "
              "of the command has a stream for it");
    EXPECT_EQ(warned("{list: global, perf: [{stop_us: 9, events: [{event: 'uncore:1'}]}]}"),
              "uncore.units.1.divider: no effect beside other dividers: with uncore_driver.list "
              "global all units of a CPU rotate at the divider of its first one");
}

TEST(UncoreDriverChecks, RawEventsOfThreeWords)
{
    const std::string tags =
        "uncore: {bridges: [{}], units: [{name: mc0}, {name: x, extended: true, segments: "
        "[{events: [{event: 'uncore:1', rate: 3, tag: 5}, {event: 'uncore:1', rate: 2, tag: "
        "0x8000000000000000}, {event: 'uncore:1', rate: 1}]}]}]}\n"
        "pmcu: {clusters: 1, slots: 2}\ncorepmu: {clock_mhz: 1000}\n"
        "software: {kind: uncore}\nuncore_driver: {perf: [{units: [x], stop_us: 9, events: "
        "[{event: 'uncore:1', config1: 4, config2: 6}]}]}\n";
    Document p = parse(tags);
    ASSERT_EQ(p.error, "");
    const cs_uncore_unit_spec &unit = p->uncore->units[1];
    EXPECT_EQ(unit.nr_tags, 2u);
    EXPECT_EQ(unit.tags[1].tag, 0x8000000000000000u);
    EXPECT_STREQ(p->uncore_driver->perf[0].events[0].name, "uncore:1,config1=0x4,config2=0x6");

    const struct {
        const char *set, *error;
    } cases[] = {
        {"uncore_driver.perf.0.units=[mc0]",
         "perf.0.events.0.config1: mc0 has no such registers (uncore.units.0.extended)"},
        {"uncore.units.1.extended=false", "units.1.segments.0.events.0.tag: only a single event"},
        {"uncore.units.1.segments.0.events.1.tag=5", "events.1.event: 0x40001 has a stream"},
        {"uncore.units.0.segments=[{events: [{event: \"uncore:1\", rate: 1, tag: 1}]}]",
         "units.0.segments.0.events.0.tag: only a single event"},
        {"workloads=[{segments: [{mode: el0, events: [{event: INST_RETIRED, rate: 1, tag: 1}]}]}]",
         "workloads.0.segments.0.events.0.tag: only a single event"},
    };
    for (const auto &c : cases)
        EXPECT_TRUE(has(parse(tags, {c.set}).error, c.error))
            << c.set << ": " << parse(tags, {c.set}).error;
}

namespace
{

const std::string kPartitions = R"(
pmcu: {clusters: 1, slots: 4}
pmus: {tree: [{at: rack0-1/chip0-3, units: [{name: mc, count: 2}]}]}
software: {kind: uncore}
uncore:
  bridges: [{}]
  units: [{name: a, path: rack0/chip1/mc0}, {name: b, path: rack1/chip2/mc1}, {name: c}, {name: d}]
  partitions:
    - {name: red, cpus: [0, 1], pmus: [rack0]}
    - {name: blue, cpus: [3], pmus: [rack1/chip2-3], units: [c]}
uncore_driver:
  perf: [{partition: blue, stop_us: 9, events: [{event: "uncore:0"}], units: [c], pmus: [PMU]}]
)";

// What became of PMU, as it is named by a command of blue: the unit's name, or the error.
std::string opened(const std::string &pmu)
{
    std::string text = kPartitions;
    Document p = parse(text.replace(text.find("PMU]"), 3, pmu));

    if (!p.ok())
        return p.error;
    const cs_uncore_open_spec &open = p->uncore_driver->perf[0].opens[1];
    return open.error != nullptr ? open.error : p->uncore->units[open.unit].name;
}

} // namespace

TEST(UncorePartitions, NamingAPmu)
{
    const struct {
        const char *pmu, *found;
    } cases[] = {
        {"rack1/chip2/mc1", "b"},
        {"/sys/devices/system/pmus/rack1/chip2/mc1", "b"},
        {"/proc/device-tree/rack@1/chip@2/mc@1", "b"},
        {"'0x20401'", "b"},
        {"'132097'", "b"},
        {"rack0/chip1/mc0", "ENOENT"}, // red's
        {"rack1/chip1/mc0", "ENOENT"}, // nobody's
        {"rack1/chip2/mc7", "ENOENT"}, // not there
        {"rack1/chip2", "EISDIR"},
        {"rack1", "EISDIR"},
        {"/", "EISDIR"},
        {"rack1/chip1", "ENOENT"},
        {"rack0", "ENOENT"},
        {"'0x200'", "ENODEV"},
        {"'0x20402'", "ENODEV"},
        {"'0x1000000'", "EINVAL"},
        {"rack1/chip2/mc0", "no unit simulates rack1/chip2/mc0"},
        {"rack1/chip9/mc0", "character 7: chip9: 9 is outside chip 0..7"},
        {"/proc/device-tree/rack1/chip@2/mc@1", "is no name with a unit address"},
        {"/proc/device-tree/rack@01/chip@2/mc@1", "is no name with a unit address"},
        {"rack1/chip2/mc1, '0x20401'", "perf.0.pmus.1: b is named twice"},
    };
    for (const auto &c : cases)
        EXPECT_TRUE(has(opened(c.pmu), c.found)) << c.pmu << ": " << opened(c.pmu);
}

TEST(UncorePartitions, WhatIsRefused)
{
    const struct {
        const char *set, *error;
    } cases[] = {
        {"uncore_driver.perf.0.partition=green", "there is no partition green"},
        {"uncore.partitions.1.name=red", "red is the name of uncore.partitions.0, too"},
        {"uncore.partitions.1.cpus=[1, 2]", "partitions.1.cpus: CPU 1 is of red already"},
        {"uncore.partitions.1.pmus=[rack0-1/chip3]", "pmus.0: something of it is of red already"},
        {"uncore.partitions.1.units=[a]", "a is of blue already"},
        {"uncore.partitions.1.units=[e]", "partitions.1.units.0: there is no unit e"},
        {"uncore.partitions.1.pmus=[rack1/blade]", "pmus.0: character 7"},
        {"uncore.bridges.0.reach=[0, 1]", "none of these CPUs may manage b"},
    };
    std::string text = kPartitions;
    text.replace(text.find("PMU]"), 3, "rack1/chip2/mc1");
    ASSERT_EQ(parse(text).error, "");
    std::string nowhere = text;
    nowhere.erase(nowhere.find("partition: blue, "), 17);
    EXPECT_TRUE(has(parse(nowhere).error, "perf.0.partition: missing")) << parse(nowhere).error;
    for (const auto &c : cases)
        EXPECT_TRUE(has(parse(text, {c.set}).error, c.error))
            << c.set << ": " << parse(text, {c.set}).error;
}

// corepmu.outages and uncore_driver.hotplug are one list to the driver.
TEST(UncoreDriverChecks, CpusThatLoseTheirPower)
{
    const std::string text = kMachine +
                             "corepmu: {outages: [{cpu: 1, at_us: 500, for_us: 100}, {cpu: 1, "
                             "at_us: 900, for_us: 50}]}\nuncore_driver: {hotplug: [{cpu: 1, at_us: "
                             "700, for_us: 20}], teardown_us: 30, perf: [{stop_us: 999, events: "
                             "[{event: 'uncore:1'}]}]}\n";
    Document p = parse(text);
    ASSERT_EQ(p.error, "");
    ASSERT_EQ(p->uncore_driver->nr_hotplug, 3u);
    EXPECT_EQ(p->uncore_driver->hotplug[1].at_us, 470u);
    EXPECT_EQ(p->uncore_driver->hotplug[1].for_us, 130u);
    EXPECT_EQ(p->uncore_driver->hotplug[1].power_us, 500u);
    EXPECT_EQ(p->uncore_driver->hotplug[2].at_us, 870u);

    const struct {
        const char *set, *error;
    } cases[] = {
        {"corepmu.outages.0.kind=power_down",
         "uncore_driver.cpus: CPU 1 sleeps from 500 us on, but the timer"},
        {"corepmu.outages.1.kind=clock_stop", "uncore_driver.cpus: CPU 1 sleeps from 900 us on"},
        {"uncore_driver.teardown_us=500",
         "teardown_us: CPU 1 loses its power at 500 us, no later than that"},
        {"uncore_driver.hotplug.0.at_us=470",
         "hotplug.0.at_us: CPU 1 is away from 470 us on already (its power goes then)"},
        {"uncore_driver.hotplug=[{cpu: 1, at_us: 3}, {cpu: 1, at_us: 9}]",
         "hotplug.0.at_us: CPU 1 is away from 9 us on already (another of the list)"},
    };
    for (const auto &c : cases)
        EXPECT_TRUE(has(parse(text, {c.set}).error, c.error))
            << c.set << ": " << parse(text, {c.set}).error;
    // One that manages nothing may sleep.
    EXPECT_EQ(parse(text, {"uncore_driver.cpus=[0]", "uncore_driver.hotplug=[]",
                           "corepmu.outages.0.kind=power_down"})
                  .error,
              "");
}
