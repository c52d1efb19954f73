// SPDX-License-Identifier: Apache-2.0
// Managers and targets of a die, in the order of docs/hw/bus.md.
#include <gtest/gtest.h>

#include "document.hpp"

extern "C" {
#include "scenario/machine/die.h"
#include "scenario/machine/ports.h"
#include <countersink/base/numbers.h>
#include <countersink/base/probe/probe.h>
}

namespace
{

const std::string SCRIPT = "software: {kind: script}\nscript: [{delay: 1}]\n";

cs_die die_of(const std::string &die)
{
    const Document d = parse(die + SCRIPT);
    cs_die result = {};

    EXPECT_TRUE(d.ok()) << d.error;
    if (d.ok())
        cs_die_of(d.scenario.get(), &result);
    return result;
}

std::vector<unsigned> managers(const cs_die &l)
{
    std::vector<unsigned> numbers;

    for (unsigned i = 0; i < l.nr_managers; i++)
        numbers.push_back(l.managers[i].number);
    return numbers;
}

// "kind:number base size" of each.
std::vector<std::string> targets(const cs_die &l)
{
    const char *const kinds[] = {"memory", "pmcu", "cluster", "spr", "scom"};
    std::vector<std::string> result;
    char text[80];

    for (unsigned i = 0; i < l.nr_targets; i++) {
        const cs_die_target &t = l.targets[i];

        snprintf(text, sizeof text, "%s:%u %llx %llx", kinds[t.kind], t.number,
                 static_cast<unsigned long long>(t.base), static_cast<unsigned long long>(t.size));
        result.emplace_back(text);
    }
    return result;
}

using Numbers = std::vector<unsigned>;
using Texts = std::vector<std::string>;

} // namespace

TEST(Die, ThePmcuAlone)
{
    const cs_die l = die_of("pmcu: {clusters: 2, slots: 4, lanes: 2}\n");

    EXPECT_EQ(managers(l), (Numbers{CS_MANAGER_CPU, 1, 2}));
    EXPECT_EQ(targets(l), (Texts{"memory:0 80000000 40000000", "pmcu:0 10000000 10000",
                                 "cluster:0 20000000 100000", "cluster:1 20100000 100000"}));
    EXPECT_FALSE(l.adds);
}

// PMCUs first, then the clusters of all dies; in the RTL lanes stand in rows, a row a die.
TEST(Die, SeveralWithAPmcuEach)
{
    const cs_die l = die_of("pmcu: {dies: 2, clusters: 2, slots: 4, lanes: 2}\n");

    EXPECT_EQ(managers(l), (Numbers{CS_MANAGER_CPU, 1, 2, 5, 6}));
    EXPECT_EQ(targets(l),
              (Texts{"memory:0 80000000 40000000", "pmcu:0 10000000 10000", "pmcu:1 10100000 10000",
                     "cluster:0 20000000 100000", "cluster:1 20100000 100000",
                     "cluster:2 20200000 100000", "cluster:3 20300000 100000"}));
    EXPECT_STREQ(l.managers[4].place.rows, "NrLane");
    EXPECT_EQ(l.managers[4].place.row, 1u);
    EXPECT_EQ(l.managers[4].place.index, 1u);
    EXPECT_EQ(cs_die_shape_get(&l.shape, "pmcu", "NrDie"), 2u);
    EXPECT_EQ(cs_die_shape_get(&l.shape, "pmcu", "NrCluster"), 4u);
}

TEST(Die, ImcAlone)
{
    const cs_die l = die_of("imc: {cores: 3}\n");

    EXPECT_EQ(managers(l), (Numbers{0, 0x20, 0x21, 0x22}));
    EXPECT_EQ(targets(l), (Texts{"memory:0 80000000 40000000", "spr:0 30000000 100000",
                                 "scom:0 603fc00000000 200000000"}));
    EXPECT_TRUE(l.adds);
}

TEST(Die, BothAndTheNest)
{
    const cs_die l = die_of("pmcu: {clusters: 1, slots: 2, lanes: 4}\nimc: {cores: 2}\n"
                            "nest: {present: true}\nmemory: {base: 0x100000000}\n");

    EXPECT_EQ(managers(l), (Numbers{0, 1, 2, 3, 4, 0x20, 0x21, 0x40}));
    EXPECT_EQ(targets(l), (Texts{"memory:0 100000000 40000000", "pmcu:0 10000000 10000",
                                 "cluster:0 20000000 100000", "spr:0 30000000 100000",
                                 "scom:0 603fc00000000 200000000"}));
    EXPECT_TRUE(l.adds);
    EXPECT_EQ(cs_die_manager_place(&l, CS_MANAGER_CPU), 0u);
    EXPECT_EQ(cs_die_manager_place(&l, CS_MANAGER_PMCU(3)), 4u);
    EXPECT_EQ(cs_die_manager_place(&l, CS_MANAGER_IMC(1)), 6u);
    EXPECT_EQ(cs_die_manager_place(&l, CS_MANAGER_NEST), 7u);
}

// The nest needs no core, and brings no window of registers of its own.
TEST(Die, TheNestBesideThePmcu)
{
    const cs_die l = die_of("pmcu: {clusters: 1, slots: 2}\nnest: {present: true}\n");

    EXPECT_EQ(managers(l), (Numbers{0, 1, 0x40}));
    EXPECT_EQ(l.nr_targets, 3u);
    EXPECT_TRUE(l.adds);
}

// Port 0 is the die's own, the others are a unit; all stand before the PMCU.
TEST(Die, APortACpu)
{
    const Document d = parse("pmcu: {clusters: 1, slots: 4}\n"
                             "software: {kind: script, ports: per_cpu, cpu: 1}\n"
                             "script: [{delay: 1}, {cpu: 3}, {delay: 1}, {cpu: 0}, {delay: 1}]\n");
    uint8_t cpus[CS_MAX_CPUS];
    char text[CS_DIE_SHAPE_TEXT];
    cs_die die = {};

    ASSERT_TRUE(d.ok()) << d.error;
    ASSERT_EQ(cs_scenario_ports(d.scenario.get(), cpus), 3u);
    EXPECT_EQ((std::vector<uint8_t>{cpus[0], cpus[1], cpus[2]}), (std::vector<uint8_t>{0, 1, 3}));
    cs_die_of(d.scenario.get(), &die);
    EXPECT_EQ(managers(die), (Numbers{0, 0x61, 0x62, 1}));
    EXPECT_EQ(std::string(cs_die_shape_text(&die.shape, text)).rfind("ports.NrPort=2 ", 0), 0u)
        << text;
}

TEST(Die, PortsThatAreRefused)
{
    const struct {
        const char *text, *error;
    } rows[] = {
        {"pmcu: {clusters: 1, slots: 2}\nsoftware: {kind: script}\nscript: [{cpu: 1}, {delay: "
         "1}]\n",
         "script.0.cpu: CPUs side by side need software.ports per_cpu"},
        {"pmcu: {clusters: 1, slots: 2}\nsoftware: {kind: script, ports: per_cpu}\n"
         "script: [{cpu: 2}, {delay: 1}]\n",
         "script.0.cpu: 2 is outside the CPUs 0..1"},
        {"pmcu: {clusters: 1, slots: 2}\nsoftware: {kind: script, ports: per_cpu}\n"
         "script: [{delay: 1}, {signal: 1}]\n",
         "script.1.signal: CPU 1 has no steps"},
        {"pmcu: {clusters: 1, slots: 2}\nsoftware: {kind: script, ports: per_cpu}\n"
         "script: [{lock: 1}]\n",
         "script: CPU 0 does not give lock 1 back"},
        {"pmcu: {clusters: 1, slots: 2}\nsoftware: {kind: script, ports: per_cpu}\n"
         "script: [{lock: 1}, {lock: 0}]\n",
         "script.1.lock: CPU 0 has lock 1 already"},
        {"pmcu: {clusters: 1, slots: 2}\nsoftware: {kind: script, ports: per_cpu}\n"
         "script: [{unlock: 1}]\n",
         "script.0.unlock: CPU 0 has not got lock 1"},
        {"pmcu: {clusters: 1, slots: 2}\nsoftware: {kind: script, ipi_cycles: 3}\n"
         "script: [{delay: 1}]\n",
         "software.ipi_cycles: not allowed"},
        {"pmcu: {clusters: 1, slots: 2}\nsoftware: {kind: arm_pmu, ports: per_cpu}\n"
         "arm_pmu: {}\n",
         "software.ports: per_cpu is not for software.kind arm_pmu"},
    };

    for (const auto &row : rows) {
        const Document d = parse(row.text);

        EXPECT_FALSE(d.ok()) << row.text;
        EXPECT_NE(d.error.find(row.error), std::string::npos) << d.error;
    }
}

TEST(Die, MorePortsThanThereAre)
{
    std::string text = "pmcu: {clusters: 16, slots: 8}\n"
                       "software: {kind: script, ports: per_cpu}\nscript:\n";

    for (unsigned cpu = 0; cpu < 97; cpu++)
        text += "  - cpu: " + std::to_string(cpu) + "\n  - delay: 1\n";
    const Document d = parse(text);
    EXPECT_FALSE(d.ok());
    EXPECT_NE(d.error.find("software runs on 97 CPUs; there are at most 96 CPU ports"),
              std::string::npos)
        << d.error;
}

TEST(Die, TheLargestDiesFit)
{
    const cs_die a = die_of("pmcu: {clusters: 16, slots: 1, lanes: 4}\n"
                            "imc: {cores: 24}\nnest: {present: true}\n");

    EXPECT_EQ(a.nr_managers, 1u + 4 + 24 + 1);
    EXPECT_EQ(a.nr_targets, 2u + 16 + 2);
    EXPECT_LE(a.nr_managers, CS_DIE_MANAGERS);
    EXPECT_LE(a.nr_targets, CS_DIE_TARGETS);

    // Two sockets of two dies, with as many bridges of uncore units as there may be.
    const cs_die b = die_of("pmcu: {dies: 4, clusters: 8, slots: 4, lanes: 4}\n"
                            "uncore:\n  bridges: [{}, {}, {}, {}]\n"
                            "  units: [{name: a, bridge: 0}, {name: b, bridge: 1}, "
                            "{name: c, bridge: 2}, {name: d, bridge: 3}]\n");

    EXPECT_EQ(b.nr_managers, 1u + 4 * 4);
    EXPECT_EQ(b.nr_targets, 1u + 4 + 4 * 8 + 4);
    EXPECT_LE(b.nr_targets, CS_DIE_TARGETS);
}

// How large the RTL has to be.
TEST(Die, TheShapeNamesWhatTheUnitsNeed)
{
    char text[CS_DIE_SHAPE_TEXT];
    const cs_die small =
        die_of("pmcu: {clusters: 2, slots: 4, lanes: 1}\ncorepmu: {counters: 6}\n");
    const cs_die power = die_of("imc: {cores: 3, threads: 2}\nnest: {present: true}\n");

    EXPECT_STREQ(cs_die_shape_text(&small.shape, text),
                 "pmcu.NrCluster=2 pmcu.NrSlot=4 pmcu.NrCounter=6 pmcu.NrLane=1");
    EXPECT_STREQ(cs_die_shape_text(&power.shape, text), "imc.NrCore=3 imc.NrThread=2 nest");
}

TEST(Die, AManagerKnowsItsUnitAndItsPlaceThere)
{
    const cs_die d = die_of("pmcu: {clusters: 1, slots: 2, lanes: 2}\nimc: {cores: 2}\n");

    EXPECT_STREQ(d.managers[0].unit, "");
    EXPECT_STREQ(d.managers[2].unit, "pmcu");
    EXPECT_EQ(d.managers[2].place.index, 1u);
    EXPECT_STREQ(d.managers[3].unit, "imc");
    EXPECT_EQ(d.managers[3].place.index, 0u);
    EXPECT_STREQ(d.targets[2].unit, "pmcu");
    EXPECT_STREQ(d.targets[2].place.rows, "NrDie");
    EXPECT_EQ(d.targets[2].place.row, 1u) << "behind the registers of the PMCUs";
    EXPECT_EQ(d.targets[2].place.index, 0u);
}
