// SPDX-License-Identifier: Apache-2.0
// Which CPU manages a unit: docs/drivers/uncore_driver.md, "Which CPU manages a unit".
#include <gtest/gtest.h>

#include <string>

#include "drivers/uncore/uncore_place.h"
#include "scenario/load.h"
#include "scenario/uncore/uncore_spec.h"

namespace
{

// "cpu why" of each unit; "-" where nobody manages it.
std::vector<std::string> places(const std::string &bridges, const std::string &units,
                                const std::string &perf,
                                const std::string &die = "clusters: 1, slots: 4}")
{
    const std::string text = "pmcu: {" + die + "\nsoftware: {kind: uncore, cpu: 1}\n" +
                             "uncore: {bridges: " + bridges + ", units: " + units +
                             "}\nuncore_driver: {perf: " + perf + "}\n";
    cs_uncore_manager out[CS_MAX_UNCORE];
    cs_scenario *s = nullptr;
    cs_diag diag = {};
    std::vector<std::string> list;

    EXPECT_EQ(cs_scenario_parse(text.data(), text.size(), "t.yaml", ".", nullptr, 0, &s, &diag),
              CS_OK)
        << diag.text;
    if (s == nullptr)
        return list;
    cs_uncore_managers(s, out);
    for (size_t i = 0; i < s->uncore->nr_units; i++)
        list.push_back(out[i].managed ? std::to_string(out[i].cpu) + " " + out[i].why : "-");
    cs_scenario_destroy(s);
    return list;
}

using List = std::vector<std::string>;

const char *const kAll = "[{stop_us: 9, events: [{event: 'uncore:1'}]}]";
// A switch of two counters: 8 accesses.
const char *const kMany =
    "[{stop_us: 9, events: [{event: 'uncore:1'}, {event: 'uncore:2'}, {event: 'uncore:3'}]}]";

} // namespace

TEST(UncorePlace, Table)
{
    const struct {
        const char *bridges, *units, *perf;
        List expected;
    } cases[] = {
        // near everywhere: they are spread, lowest number first
        {"[{}]",
         "[{name: a}, {name: b}, {name: c}, {name: d}, {name: e}]",
         kAll,
         {"0 near", "1 near, less loaded", "2 near, less loaded", "3 near, less loaded", "0 near"}},
        // far is far
        {"[{near: [2], remote_cycles: 5000}]",
         "[{name: a}, {name: b}]",
         kAll,
         {"2 near", "2 near"}},
        // 2 accesses of 20 + 2 + 2 + 10 are 68; 20 more each make 108: less than twice 68
        {"[{near: [2], remote_cycles: 20}]",
         "[{name: a}, {name: b}]",
         kAll,
         {"2 near", "0 far, less loaded"}},
        // 34 more each make 136, just as much as 68 + 68: near is preferred
        {"[{near: [2], remote_cycles: 34}]", "[{name: a}, {name: b}]", kAll, {"2 near", "2 near"}},
        // a far bridge costs more, so its CPU gets nothing else for a while
        {"[{}, {access_cycles: 400}]",
         "[{name: a, bridge: 1}, {name: b}, {name: c}, {name: d}, {name: e}, {name: f}]",
         kAll,
         {"0 near", "1 near, less loaded", "2 near, less loaded", "3 near, less loaded",
          "1 near, less loaded", "2 near, less loaded"}},
        // eight accesses against two of an idle unit's
        {"[{near: '0-1', remote_cycles: 9999}]",
         "[{name: a, counters: 2}, {name: b}, {name: c}, {name: d}, {name: e}, {name: f}]",
         kMany,
         {"0 near", "1 near, less loaded", "1 near, less loaded", "1 near, less loaded",
          "1 near, less loaded", "0 near"}},
        // three counters and one event more: eleven
        {"[{near: '0-1', remote_cycles: 9999}]",
         "[{name: a, counters: 3}, {name: b}, {name: c}, {name: d}, {name: e}, {name: f}, "
         "{name: g}]",
         "[{stop_us: 9, events: [{event: 'uncore:1'}, {event: 'uncore:2'}, {event: 'uncore:3'}, "
         "{event: 'uncore:4'}]}]",
         {"0 near", "1 near, less loaded", "1 near, less loaded", "1 near, less loaded",
          "1 near, less loaded", "1 near, less loaded", "1 near, less loaded"}},
        // a divider of 8 makes it cheaper than one of 2 accesses
        {"[{near: '0-1', remote_cycles: 9999}]",
         "[{name: a, counters: 2, divider: 8}, {name: b}, {name: c}]",
         kMany,
         {"0 near", "1 near, less loaded", "0 near"}},
        // nobody asks for b
        {"[{}]",
         "[{name: a}, {name: b}, {name: c}]",
         "[{units: [c, a], stop_us: 9, events: [{event: 'uncore:1'}]}]",
         {"0 near", "-", "1 near, less loaded"}},
    };

    for (const auto &c : cases)
        EXPECT_EQ(places(c.bridges, c.units, c.perf), c.expected) << c.bridges << c.units;
}

TEST(UncorePlace, CpusThatAreNotThere)
{
    EXPECT_EQ(places("[{near: [0, 2], remote_cycles: 10}]", "[{name: a}, {name: b}]", kAll,
                     "clusters: 1, slots: 4}\ncorepmu: {absent: [0], offline: [2]}"),
              (List{"1 far, none near", "3 far, none near"}));
}

// As many CPUs as there can be: an access costs what it costs with a few, so that a far CPU, which
// has nothing to do, takes the second unit.
TEST(UncorePlace, AllCpusThatThereCanBe)
{
    for (const char *die : {"clusters: 1, slots: 4}", "clusters: 16, slots: 8}"})
        EXPECT_EQ(places("[{near: [0], access_cycles: 1, remote_cycles: 10}]",
                         "[{name: a}, {name: b}]", kAll, die),
                  (List{"0 near", "1 far, less loaded"}))
            << die;
}

TEST(UncorePlace, NobodyWithoutTheSoftware)
{
    const std::string text = "uncore: {bridges: [{}], units: [{name: a}]}\n";
    cs_uncore_manager out[CS_MAX_UNCORE];
    cs_scenario *s = nullptr;

    ASSERT_EQ(cs_scenario_parse(text.data(), text.size(), "t.yaml", ".", nullptr, 0, &s, nullptr),
              CS_OK);
    cs_uncore_managers(s, out);
    EXPECT_FALSE(out[0].managed);
    EXPECT_EQ(out[0].why, nullptr);
    cs_scenario_destroy(s);
}
