// SPDX-License-Identifier: Apache-2.0
// The section `multiplex`: defaults, what follows from other keys, warnings.
#include <cstring>
#include <string>

#include <gtest/gtest.h>

#include "document.hpp"
#include "scenario/corepmu/multiplex_spec.h"
#include "scenario/pmcu/pmcu_driver_spec.h"

namespace
{

const std::string kHead = "corepmu: {counters: 5, offline: 3, absent: [6]}\n"
                          "pmcu: {clusters: 1}\n"
                          "imc: {cores: 1}\n"
                          "software: {kind: multiplex}\n";

std::string cpus(const Document &d)
{
    std::string result;

    for (unsigned cpu = 0; cpu < CS_MAX_CPUS; cpu++)
        if (d->multiplex->cpus[cpu])
            result += std::to_string(cpu) + " ";
    return result;
}

} // namespace

TEST(Multiplex, Defaults)
{
    const Document d = parse(kHead + "multiplex: {events: [CPU_CYCLES]}\n");

    ASSERT_TRUE(d.ok()) << d.error;
    EXPECT_TRUE(cs_scenario_runs(d.scenario.get(), CS_SOFTWARE_multiplex));
    EXPECT_EQ(d->multiplex->counters, 5u);
    EXPECT_EQ(d->multiplex->counter_bits, 32u);
    EXPECT_EQ(d->multiplex->tick_us, 4000u);
    EXPECT_EQ(d->multiplex->divider, 1u);
    EXPECT_EQ(d->multiplex->interval_us, 0u);
    EXPECT_EQ(d->multiplex->stop_us, 1000000u);
    EXPECT_FALSE(d->multiplex->calls);
    EXPECT_EQ(d->multiplex->irq_entry_cycles, 300u);
    EXPECT_EQ(d->multiplex->ipi_cycles, 2000u);
    EXPECT_EQ(d->nr_warnings, 0u);
    EXPECT_EQ(cs_scenario_least_cycles(d.scenario.get()), 1000000000u);
    EXPECT_EQ(cs_scenario_expected_cycles(d.scenario.get()), 1000000000u);
    d.scenario->limit_cycles = 70;
    EXPECT_EQ(cs_scenario_expected_cycles(d.scenario.get()), 70u);
}

TEST(Multiplex, AllMeansThoseThatAreOnlineAndArm)
{
    const char *const keys[] = {"", ", cpus: all"};

    for (const char *key : keys) {
        const Document d =
            parse(kHead + "multiplex: {events: [CPU_CYCLES]" + std::string(key) + "}\n");
        ASSERT_TRUE(d.ok()) << d.error;
        EXPECT_EQ(cpus(d), "0 1 2 4 5 7 ");
    }
    const Document d = parse(kHead + "multiplex: {events: [CPU_CYCLES], cpus: [1, 4-5]}\n");
    ASSERT_TRUE(d.ok()) << d.error;
    EXPECT_EQ(cpus(d), "1 4 5 ");
}

TEST(Multiplex, EventsAreReadAsTheDrivers)
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
        const Document d = parse(kHead + "multiplex: {events: " + std::string(c.events) + "}\n");
        ASSERT_TRUE(d.ok()) << d.error;
        EXPECT_EQ(std::vector<uint32_t>(d->multiplex->events,
                                        d->multiplex->events + d->multiplex->nr_events),
                  c.numbers);
        EXPECT_EQ(d->pmcu_driver->nr_user_events, 0u);
    }
    const Document most = parse(kHead + "multiplex: {events: \"0x0-0xef\"}\n");
    ASSERT_TRUE(most.ok()) << most.error;
    EXPECT_EQ(most->multiplex->nr_events, 240u);
}

TEST(Multiplex, SilentEventsDeserveAWord)
{
    const Document d = parse(kHead + "multiplex: {events: [CPU_CYCLES, 0x30, 0x31]}\n");

    ASSERT_TRUE(d.ok()) << d.error;
    ASSERT_EQ(d->nr_warnings, 1u);
    EXPECT_STREQ(d->warnings[0].text, "multiplex.events: 2 of 3 count nothing, the first is 0x30: "
                                      "no workload has a stream for it");
    EXPECT_EQ(d->warnings[0].line, 5u);
}

TEST(Multiplex, CountersThatDoNothingButInterruptDeserveAWord)
{
    const std::string text = kHead + "multiplex: {events: [CPU_CYCLES], counter_bits: ";
    const Document storm = parse(text + "8}\n"), calm = parse(text + "64}\n");

    ASSERT_TRUE(storm.ok()) << storm.error;
    ASSERT_EQ(storm->nr_warnings, 1u);
    EXPECT_NE(strstr(storm->warnings[0].text, "8: a counter of cycles interrupts every "), nullptr)
        << storm->warnings[0].text;
    EXPECT_EQ(calm->nr_warnings, 0u);
}
