// SPDX-License-Identifier: Apache-2.0
// Ways: one scenario with one software or another.
#include <gtest/gtest.h>

#include <string>

#include "document.hpp"
#include "scenario/corepmu/corepmu_spec.h"
#include "scenario/pmcu/pmcu_driver_spec.h"

namespace
{

const char *const TWO = R"(seed: 7
corepmu: {clock_mhz: 2000}
bus: {clock_mhz: 500}
ways:
  - name: offload
    set:
      pmcu_driver: {user_events: [8], nr_sample: 3}
  - name: none
    text: nobody counts
    set:
      software: {kind: none}
      corepmu: {counters: 4}
      seed: 9
)";

} // namespace

TEST(Ways, TheFirstIsMeantUnlessAnotherIsNamed)
{
    const auto first = parse(TWO);
    ASSERT_TRUE(first.ok()) << first.error;
    EXPECT_EQ(first->nr_ways, 2u);
    EXPECT_STREQ(first->way, "");
    EXPECT_STREQ(first->ways[1].name, "none");
    EXPECT_STREQ(first->ways[1].text, "nobody counts");
    EXPECT_EQ(first->pmcu_driver->nr_sample, 3u);
    EXPECT_EQ(first->seed, 7u);

    const auto second = parse(TWO, {"way=none"});
    ASSERT_TRUE(second.ok()) << second.error;
    EXPECT_TRUE(cs_scenario_runs(second.scenario.get(), CS_SOFTWARE_none));
    EXPECT_EQ(second->corepmu->counters, 4u);
    EXPECT_EQ(second->core_clock.mhz, 2000u) << "what the way does not name stays";
    EXPECT_EQ(second->seed, 9u) << "what it names takes the place of what was there";
}

TEST(Ways, AssignmentsComeLast)
{
    EXPECT_EQ(parse(TWO, {"way=none", "seed=11"})->seed, 11u);
    EXPECT_EQ(parse(TWO, {"seed=11", "way=none"})->seed, 11u);
    EXPECT_EQ(parse(TWO, {"way=none", "ways.1.set.seed=12"})->seed, 12u);
}

TEST(Ways, TheTextThatIsKeptIsOfOneWay)
{
    const auto way = parse(TWO, {"way=none"});
    const auto again = parse(way->yaml);

    ASSERT_TRUE(again.ok()) << again.error << "\n" << way->yaml;
    EXPECT_EQ(again->nr_ways, 0u);
    EXPECT_EQ(again->seed, 9u);
    EXPECT_EQ(again->corepmu->counters, 4u);
    EXPECT_TRUE(cs_scenario_runs(again.scenario.get(), CS_SOFTWARE_none));
}

TEST(Ways, MistakesAreNamed)
{
    static const struct {
        const char *set, *error;
    } cases[] = {
        {"way=other", "\"other\" is none of the ways: offload, none"},
        {"ways.1.name=offload", "ways.1.name: offload is the name of way 0, too"},
        {"ways.0.set.ways=[]", "ways is not allowed in a way"},
        {"ways.0.set.way=a", "way is not allowed in a way"},
        {"ways.0.set=3", "\"3\" is not a map"},
        {"ways=[{name: a}]", "ways: "},
        {"ways.0.name=a/b", "is not a label"},
        {"ways.0.set.nonsense=1", "nonsense"},
        {"way=[]", "way: a list is not a label"},
    };

    for (const auto &c : cases) {
        const auto d = parse(TWO, {c.set});

        EXPECT_NE(d.error.find(c.error), std::string::npos) << c.set << ": " << d.error;
    }
    EXPECT_NE(parse("way: a").error.find("there are no ways"), std::string::npos);
}

TEST(Ways, SeveralPiecesOfSoftware)
{
    static const struct {
        const char *yaml, *error;
    } cases[] = {
        {"software: {kind: [pmcu_driver]}", ""},
        {"software: {kind: []}", "is not a word or some words"},
        {"software: {kind: [pmcu_driver, pmcu_driver]}", "pmcu_driver stands there twice"},
        {"software: {kind: [pmcu_driver, none]}", "none stands alone"},
        {"software: {kind: [pmcu_drivr]}", "did you mean pmcu_driver?"},
        {"imc_driver: {}", "not allowed without software.kind imc"},
        {"software: {kind: [pmcu_driver, imc]}", "imc needs IMC cores"},
    };

    for (const auto &c : cases) {
        const auto d = parse(c.yaml);

        if (c.error[0] == '\0') {
            EXPECT_TRUE(d.ok()) << d.error;
        } else {
            EXPECT_NE(d.error.find(c.error), std::string::npos) << c.yaml << ": " << d.error;
        }
    }
}
