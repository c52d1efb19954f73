// SPDX-License-Identifier: Apache-2.0
// General names of what is not a unit's alone: die, cores and pid (docs/scenarios.md, "General names").
#include <gtest/gtest.h>

#include "document.hpp"

extern "C" {
#include "scenario/corepmu/corepmu_spec.h"
#include "scenario/cpus.h"
#include "scenario/hpm/hart_cpus.h"
#include "scenario/pmcu/pmcu_cpus.h"
#include "scenario/pmcu/pmcu_spec.h"
#include "scenario/scenario.h"
}

namespace
{

const std::string kRest = "workloads: [{segments: [{pid: 7}]}]\nsoftware: {kind: script}\n"
                          "script: [{delay: 1}]\n";

} // namespace

TEST(GeneralNames, GoWhereTheOthersGo)
{
    const Document d = parse("die: {clusters: 3, slots: 5}\ncores: {clock_mhz: 1700}\n" + kRest);

    ASSERT_TRUE(d.ok()) << d.error;
    EXPECT_EQ(d->pmcu->clusters, 3u);
    EXPECT_EQ(d->pmcu->slots, 5u);
    EXPECT_EQ(d->corepmu->clock_mhz, 1700u);
    EXPECT_EQ(d->core_clock.mhz, 1700u);
    EXPECT_EQ(cs_scenario_cpus(d.scenario.get()), 15u);
}

// One key may have the one name, the next the other; what neither gives has its default.
TEST(GeneralNames, StandBesideTheOthers)
{
    const Document d = parse("pmcu: {slots: 2, lanes: 2}\ndie: {clusters: 2}\n"
                             "corepmu: {counters: 6}\ncores: {clock_mhz: 500}\n" +
                             kRest);

    ASSERT_TRUE(d.ok()) << d.error;
    EXPECT_EQ(d->pmcu->clusters, 2u);
    EXPECT_EQ(d->pmcu->slots, 2u);
    EXPECT_EQ(d->pmcu->lanes, 2u);
    EXPECT_EQ(d->corepmu->counters, 6u);
    EXPECT_EQ(d->corepmu->clock_mhz, 500u);
    const Document neither = parse("die: {}\ncores: {}\n" + kRest);
    ASSERT_TRUE(neither.ok()) << neither.error;
    EXPECT_EQ(neither->pmcu->clusters, 4u);
    EXPECT_EQ(neither->pmcu->slots, 8u);
    EXPECT_EQ(neither->corepmu->clock_mhz, 2600u);
}

// A die with other CPUs has clusters if the scenario speaks of them, by either name.
TEST(GeneralNames, BringClustersBesideOtherCpus)
{
    for (const char *text : {"die: {clusters: 1, slots: 2}\n", "pmcu: {clusters: 1, slots: 2}\n"}) {
        const Document d = parse(text + std::string("harts: {count: 1}\n") + kRest);

        ASSERT_TRUE(d.ok()) << d.error;
        EXPECT_EQ(cs_scenario_arm_cpus(d.scenario.get()), 2u) << text;
    }
    const Document harts = parse("harts: {count: 1}\ncores: {clock_mhz: 900}\n" + kRest);
    ASSERT_TRUE(harts.ok()) << harts.error;
    EXPECT_EQ(cs_scenario_arm_cpus(harts.scenario.get()), 0u);
    EXPECT_EQ(harts->core_clock.mhz, 900u);
}

// --set and ways may use the other name: the later one stays, with one warning.
TEST(GeneralNames, ALaterNameReplacesTheOther)
{
    const struct {
        const char *text;
        std::vector<std::string> sets;
        unsigned clusters, clock_mhz;
        const char *warning;
    } cases[] = {
        {"die: {clusters: 2}\n",
         {"pmcu.clusters=3"},
         3,
         2600,
         "pmcu.clusters: replaces die.clusters, which is the same key"},
        {"pmcu: {clusters: 2, lanes: 1}\n",
         {"die={clusters: 3, slots: 2}"},
         3,
         2600,
         "die.clusters: replaces pmcu.clusters, which is the same key"},
        {"corepmu: {clock_mhz: 500}\n",
         {"cores.clock_mhz=700"},
         4,
         700,
         "cores.clock_mhz: replaces corepmu.clock_mhz, which is the same key"},
        {"cores: {clock_mhz: 500}\n",
         {"cores.clock_mhz=600", "corepmu.clock_mhz=700", "cores.clock_mhz=800"},
         4,
         800,
         "cores.clock_mhz: replaces corepmu.clock_mhz, which is the same key"},
        {"die: {clusters: 2}\nways: [{name: a, set: {pmcu: {clusters: 3}}}, {name: b, set: {seed: "
         "2}}]\n",
         {},
         3,
         2600,
         "pmcu.clusters: replaces die.clusters, which is the same key"},
        {"die: {clusters: 2}\nways: [{name: a, set: {pmcu: {clusters: 3}}}, {name: b, set: {seed: "
         "2}}]\n",
         {"die.clusters=1"},
         1,
         2600,
         "die.clusters: replaces pmcu.clusters, which is the same key"},
    };

    for (const auto &c : cases) {
        const Document d = parse(c.text + kRest, c.sets);

        ASSERT_TRUE(d.ok()) << d.error;
        EXPECT_EQ(d->pmcu->clusters, c.clusters) << c.text;
        EXPECT_EQ(d->corepmu->clock_mhz, c.clock_mhz) << c.text;
        ASSERT_EQ(d->nr_warnings, 1u) << c.text;
        EXPECT_STREQ(d->warnings[0].text, c.warning);
        // The scenario of the run folder has one name, and says the same.
        const Document again = parse(d->yaml);
        ASSERT_TRUE(again.ok()) << again.error;
        EXPECT_EQ(again->pmcu->clusters, c.clusters) << d->yaml;
        EXPECT_EQ(again->corepmu->clock_mhz, c.clock_mhz) << d->yaml;
        EXPECT_EQ(again->nr_warnings, 0u) << d->yaml;
    }
}

TEST(GeneralNames, ALaterPidReplacesItsRegister)
{
    const struct {
        const char *segment, *set;
        uint32_t pid;
        const char *warning;
    } cases[] = {
        {"{cycles: 9, pid: 7}", "workloads.0.segments.0.cid2=8", 8, "cid2: replaces workloads.0."},
        {"{cycles: 9, cid2: 7}", "workloads.0.segments.0.pid=8", 8, "pid: replaces workloads.0."},
    };

    for (const auto &c : cases) {
        const Document d = parse(
            std::string("workloads:\n  - {name: w, segments: [") + c.segment + "]}\n", {c.set});

        ASSERT_TRUE(d.ok()) << d.error;
        EXPECT_EQ(d->workloads[0].segments[0].pid, c.pid);
        EXPECT_EQ(d->workloads[0].segments[0].cid2, c.pid);
        ASSERT_GE(d->nr_warnings, 1u);
        EXPECT_NE(std::string(d->warnings[0].text).find(c.warning), std::string::npos)
            << d->warnings[0].text;
        EXPECT_TRUE(parse(d->yaml).ok()) << d->yaml;
    }
}

TEST(GeneralNames, ErrorsHaveTheNameThatIsWritten)
{
    const struct {
        const char *text, *error;
        std::vector<std::string> sets;
    } cases[] = {
        {"die: {clusters: 17}\n", "t.yaml:1:17: die.clusters: 17 is outside 0..16", {}},
        {"die: {lanes: 2}\n", "t.yaml:1:7: die.lanes: there is no such key; ", {}},
        {"pmcu: {slots: 2}\ndie: {slots: 2}\n",
         "t.yaml:2:14: die.slots: the same as pmcu.slots, which is given, too",
         {}},
        {"cores: {clock_mhz: 9}\ncorepmu: {clock_mhz: 9}\n",
         "t.yaml:1:20: cores.clock_mhz: the same as corepmu.clock_mhz, which is given, too",
         {}},
        {"bus: {clock_mhz: 50}\ncores: {clock_mhz: 751}\nimc: {cores: 1, timebase_mhz: 25}\n"
         "die: {clusters: 1}\n",
         "t.yaml:2:20: cores.clock_mhz: 751 is more than 15",
         {}},
    };

    for (const auto &c : cases) {
        const Document d = parse(c.text + kRest, c.sets);

        EXPECT_EQ(d.status, CS_ERR_SCENARIO) << c.text;
        EXPECT_EQ(d.error.substr(0, std::string(c.error).size()), c.error) << d.error;
    }
}
