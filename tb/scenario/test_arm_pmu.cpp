// SPDX-License-Identifier: Apache-2.0
// The section `arm_pmu`: defaults, what follows from other keys, warnings; and the name that its turns had.
#include <cstring>
#include <string>

#include <gtest/gtest.h>

#include "document.hpp"
#include "scenario/corepmu/arm_pmu_spec.h"
#include "scenario/pmcu/pmcu_driver_spec.h"

namespace
{

const std::string kHead = "corepmu: {counters: 5, offline: 3, absent: [6]}\n"
                          "pmcu: {clusters: 1}\n"
                          "imc: {cores: 1}\n"
                          "software: {kind: arm_pmu}\n";

std::string cpus(const Document &d)
{
    std::string result;

    for (unsigned cpu = 0; cpu < CS_MAX_CPUS; cpu++)
        if (d->arm_pmu->cpus[cpu])
            result += std::to_string(cpu) + " ";
    return result;
}

} // namespace

TEST(ArmPmu, Defaults)
{
    const Document d = parse(kHead + "arm_pmu: {events: [CPU_CYCLES]}\n");

    ASSERT_TRUE(d.ok()) << d.error;
    EXPECT_TRUE(cs_scenario_runs(d.scenario.get(), CS_SOFTWARE_arm_pmu));
    EXPECT_EQ(d->arm_pmu->counters, 5u);
    EXPECT_EQ(d->arm_pmu->counter_bits, 32u);
    EXPECT_EQ(d->arm_pmu->mux_us, 4000u);
    EXPECT_EQ(d->arm_pmu->divider, 1u);
    EXPECT_EQ(d->arm_pmu->interval_us, 0u);
    EXPECT_EQ(d->arm_pmu->stop_us, 1000000u);
    EXPECT_EQ(d->arm_pmu->reach, CS_ARM_VISITS);
    EXPECT_EQ(d->arm_pmu->irq_entry_cycles, 300u);
    EXPECT_EQ(d->arm_pmu->ipi_cycles, 2000u);
    EXPECT_EQ(d->nr_warnings, 1u); // the keys are a former way to say it
    EXPECT_EQ(cs_scenario_least_cycles(d.scenario.get()), 1000000000u);
    EXPECT_EQ(cs_scenario_expected_cycles(d.scenario.get()), 1000000000u);
    d.scenario->limit_cycles = 70;
    EXPECT_EQ(cs_scenario_expected_cycles(d.scenario.get()), 70u);
}

TEST(ArmPmu, AllMeansThoseThatAreOnlineAndArm)
{
    const char *const keys[] = {"", ", cpus: all"};

    for (const char *key : keys) {
        const Document d =
            parse(kHead + "arm_pmu: {events: [CPU_CYCLES]" + std::string(key) + "}\n");
        ASSERT_TRUE(d.ok()) << d.error;
        EXPECT_EQ(cpus(d), "0 1 2 4 5 7 ");
    }
    const Document d = parse(kHead + "arm_pmu: {events: [CPU_CYCLES], cpus: [1, 4-5]}\n");
    ASSERT_TRUE(d.ok()) << d.error;
    EXPECT_EQ(cpus(d), "1 4 5 ");
}

TEST(ArmPmu, EventsAreReadAsTheDrivers)
{
    struct Case {
        const char *events;
        std::vector<uint32_t> numbers;
    };
    const Case cases[] = {
        {"\"11 8 0x3-5\"", {0x11, 8, 3, 4, 5}},
        {"[CPU_CYCLES, 8, INST_RETIRED, \"0x20-0x21\"]", {0x11, 8, 8, 0x20, 0x21}},
    };

    for (const Case &c : cases) {
        const Document d = parse(kHead + "arm_pmu: {events: " + std::string(c.events) + "}\n");
        ASSERT_TRUE(d.ok()) << d.error;
        EXPECT_EQ(
            std::vector<uint32_t>(d->arm_pmu->events, d->arm_pmu->events + d->arm_pmu->nr_events),
            c.numbers);
        EXPECT_EQ(d->pmcu_driver->nr_user_events, 0u);
    }
    const Document most = parse(kHead + "arm_pmu: {events: \"0x0-0xef\"}\n");
    ASSERT_TRUE(most.ok()) << most.error;
    EXPECT_EQ(most->arm_pmu->nr_events, 240u);
}

TEST(ArmPmu, SilentEventsDeserveAWord)
{
    const Document d = parse(kHead + "arm_pmu: {events: [CPU_CYCLES, 0x30, 0x31]}\n");

    ASSERT_TRUE(d.ok()) << d.error;
    ASSERT_EQ(d->nr_warnings, 2u);
    EXPECT_STREQ(d->warnings[0].text, "arm_pmu.events: 2 of 3 count nothing, the first is 0x30: "
                                      "no workload has a stream for it");
    EXPECT_EQ(d->warnings[0].line, 5u);
}

TEST(ArmPmu, CountersThatDoNothingButInterruptDeserveAWord)
{
    const std::string text = kHead + "arm_pmu: {events: [CPU_CYCLES], counter_bits: ";
    const Document storm = parse(text + "8}\n"), calm = parse(text + "64}\n");

    ASSERT_TRUE(storm.ok()) << storm.error;
    ASSERT_EQ(storm->nr_warnings, 2u);
    EXPECT_NE(strstr(storm->warnings[0].text, "8: a counter of cycles interrupts every "), nullptr)
        << storm->warnings[0].text;
    EXPECT_EQ(calm->nr_warnings, 1u);
}

// Costs that a driver beside a PMCU never had stay at nothing there.
TEST(ArmPmu, CostsDependOnWhetherPerfIsAProcess)
{
    const struct {
        const char *keys;
        unsigned out, read, overflow;
    } cases[] = {
        {"", 80, 0, 0},
        {", event_cycles: 70", 70, 0, 0},
        {", reach: affinity", 60, 60, 100},
        {", reach: calls, event_read_cycles: 5", 60, 5, 100},
    };

    for (const auto &c : cases) {
        const Document d = parse(kHead + "arm_pmu: {events: [CPU_CYCLES]" + c.keys + "}\n");
        ASSERT_TRUE(d.ok()) << d.error;
        EXPECT_EQ(d->arm_pmu->event_out_cycles, c.out) << c.keys;
        EXPECT_EQ(d->arm_pmu->event_read_cycles, c.read) << c.keys;
        EXPECT_EQ(d->arm_pmu->overflow_cycles, c.overflow) << c.keys;
    }
}

TEST(ArmPmu, EventsTakeTurnsWhereCountersAreTooFew)
{
    const struct {
        const char *keys;
        bool turns;
    } cases[] = {
        {"[1, 2, 3, 4, 5]", false},
        {"[1, 2, 3, CPU_CYCLES, 4, 5]", false}, // the cycle counter takes one
        {"[1, 2, CPU_CYCLES, 4, CPU_CYCLES, 5, 6]", true},
        {"[1, 2, 3, 4, 5, 6]", true},
        {"[1, 2], counters: 1", true},
        {"[1], reach: affinity", true},
    };

    for (const auto &c : cases) {
        const Document d = parse(kHead + "arm_pmu: {events: " + c.keys + "}\n");
        ASSERT_TRUE(d.ok()) << d.error;
        EXPECT_EQ(cs_arm_takes_turns(d->arm_pmu), c.turns) << c.keys;
    }
}

// Former versions had `multiplex`: the same keys, three by another name, and perf as a process.
TEST(ArmPmu, WasMultiplex)
{
    const std::string head = "corepmu: {counters: 5}\npmcu: {clusters: 1}\n";
    const std::string body =
        "multiplex: {events: [CPU_CYCLES, 8], tick_us: 70, event_in_cycles: 3, "
        "migration_cycles: 4, timer_cycles: 6}\n";

    for (const char *kind : {"multiplex", "[multiplex]"}) {
        const Document d = parse(head + "software: {kind: " + kind + "}\n" + body);

        ASSERT_TRUE(d.ok()) << d.error;
        EXPECT_TRUE(cs_scenario_runs(d.scenario.get(), CS_SOFTWARE_arm_pmu));
        EXPECT_EQ(d->arm_pmu->reach, CS_ARM_AFFINITY);
        EXPECT_EQ(d->arm_pmu->nr_events, 2u);
        EXPECT_EQ(d->arm_pmu->mux_us, 70u);
        EXPECT_EQ(d->arm_pmu->event_cycles, 3u);
        EXPECT_EQ(d->arm_pmu->visit_cycles, 4u);
        EXPECT_EQ(d->arm_pmu->timer_cycles, 6u);
        EXPECT_EQ(d->nr_warnings, 3u); // its keys are former ones, and no workload counts event 8
        EXPECT_NE(strstr(d->warnings[d->nr_warnings - 1].text, "read from multiplex"), nullptr);
    }
    const Document way = parse(head +
                                   "ways:\n  - {name: a, set: {software: {kind: none}}}\n"
                                   "  - {name: b, set: {software: {kind: multiplex}, " +
                                   "multiplex: {events: [8], reach: calls}}}\n",
                               {"way=b", "multiplex.tick_us=9"});
    ASSERT_TRUE(way.ok()) << way.error;
    EXPECT_EQ(way->arm_pmu->reach, CS_ARM_CALLS);
    EXPECT_EQ(way->arm_pmu->mux_us, 9u);
    // What the run folder keeps means the same.
    const Document again = parse(way->yaml);
    ASSERT_TRUE(again.ok()) << again.error;
    EXPECT_EQ(again->arm_pmu->reach, CS_ARM_CALLS);
    EXPECT_EQ(again->arm_pmu->mux_us, 9u);
}
