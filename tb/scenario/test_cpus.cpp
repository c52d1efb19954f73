// SPDX-License-Identifier: Apache-2.0
// CPUs of several kinds on one die, and what is asked of a kind.
#include <gtest/gtest.h>

#include "document.hpp"

extern "C" {
#include "scenario/cpus.h"
#include "scenario/hpm/hart_cpus.h"
#include "scenario/imc/imc_cpus.h"
#include "scenario/machine/software_spec.h"
#include "scenario/pmcu/pmcu_cpus.h"
}

namespace
{

// CPUs 0..3 of clusters, 4..7 threads of IMC cores, 8 and 9 harts.
const std::string ALL = "pmcu: {clusters: 2, slots: 2}\n"
                        "imc: {cores: 2, threads: 2}\n"
                        "harts: {count: 2}\n";
const std::string SCRIPT = "software: {kind: script}\nscript: [{delay: 1}]\n";

} // namespace

TEST(Cpus, KindsFollowEachOther)
{
    const Document d = parse(ALL + SCRIPT);
    ASSERT_TRUE(d.ok()) << d.error;
    const cs_scenario *s = d.scenario.get();

    EXPECT_EQ(cs_scenario_cpus(s), 10u);
    EXPECT_EQ(cs_scenario_first_cpu(s, &cs_arm_class), 0u);
    EXPECT_EQ(cs_scenario_first_cpu(s, &cs_imc_class), 4u);
    EXPECT_EQ(cs_scenario_first_cpu(s, &cs_hart_class), 8u);
    EXPECT_EQ(cs_scenario_imc_cpu(s, 1, 1), 7u);
    EXPECT_EQ(cs_scenario_hart_cpu(s, 1), 9u);
    for (unsigned cpu = 0; cpu < 10; cpu++) {
        EXPECT_EQ(cs_scenario_is_arm(s, cpu), cpu < 4) << cpu;
        EXPECT_EQ(cs_scenario_is_imc(s, cpu), cpu >= 4 && cpu < 8) << cpu;
        EXPECT_EQ(cs_scenario_is_hart(s, cpu), cpu >= 8) << cpu;
    }
}

TEST(Cpus, PlacesAndTracks)
{
    const Document d = parse(ALL + SCRIPT);
    ASSERT_TRUE(d.ok()) << d.error;
    const cs_scenario *s = d.scenario.get();
    const struct {
        unsigned cpu, group, number;
        const char *tracks[2]; // from 1 on
    } cases[] = {{3, 1, 1, {"handler", nullptr}},
                 {6, 1, 0, {"handler", nullptr}},
                 {9, 1, 0, {"kernel", "firmware"}}};

    for (const auto &c : cases) {
        unsigned group, number;

        cs_scenario_cpu_place(s, c.cpu, &group, &number);
        EXPECT_EQ(group, c.group) << c.cpu;
        EXPECT_EQ(number, c.number) << c.cpu;
        for (unsigned track = 1; track <= 2; track++)
            EXPECT_STREQ(cs_scenario_track_name(s, c.cpu, track), c.tracks[track - 1]) << c.cpu;
        EXPECT_EQ(cs_scenario_track_name(s, c.cpu, 4), nullptr) << c.cpu;
    }
}

TEST(Cpus, OfAKindThatIsNotThere)
{
    const Document d = parse("harts: {count: 3}\n");
    ASSERT_TRUE(d.ok()) << d.error;
    const cs_scenario *s = d.scenario.get();

    EXPECT_EQ(cs_scenario_first_cpu(s, &cs_imc_class), 0u);
    EXPECT_EQ(cs_scenario_cpu_class(s, 0), &cs_hart_class);
    EXPECT_FALSE(cs_scenario_is_arm(s, 0));
}

TEST(Cpus, StatesAndWhoManagesUnits)
{
    const Document d = parse(ALL + "corepmu: {absent: 1, offline: 2, locked: 3}\n" + SCRIPT);
    ASSERT_TRUE(d.ok()) << d.error;
    const cs_scenario *s = d.scenario.get();
    const struct {
        unsigned cpu;
        std::string state;
        bool manages;
    } cases[] = {{0, "online", true}, {1, "absent", false}, {2, "offline", false},
                 {3, "locked", true}, {4, "online", true},  {8, "online", false}};

    for (const auto &c : cases) {
        EXPECT_EQ(cs_cpu_state_name(cs_scenario_cpu_state(s, c.cpu)), c.state) << c.cpu;
        EXPECT_EQ(cs_scenario_can_manage(s, c.cpu), c.manages) << c.cpu;
    }
}

TEST(Cpus, SoftwareByDefault)
{
    const struct {
        std::string die;
        cs_software_kind kind;
    } cases[] = {{"{}\n", CS_SOFTWARE_pmcu_driver}, {"harts: {count: 1}\n", CS_SOFTWARE_none}};

    for (const auto &c : cases) {
        const Document d = parse(c.die);
        ASSERT_TRUE(d.ok()) << d.error;
        EXPECT_EQ(d.scenario->software->kinds, CS_SOFTWARE_BIT(c.kind)) << c.die;
        EXPECT_TRUE(cs_scenario_runs(d.scenario.get(), CS_SOFTWARE_riscv)) << c.die;
        EXPECT_FALSE(cs_scenario_runs(d.scenario.get(), CS_SOFTWARE_script)) << c.die;
    }
}
