// SPDX-License-Identifier: Apache-2.0
// The object as its header promises it: how it is made, what a reset leaves, how far time goes, and
// what it asks its event sources.
#include "bench.hpp"
#include "support/refused_calloc.hpp"
#include "support/still.hpp"

namespace
{

#ifndef __SANITIZE_ADDRESS__
TEST(ImcObject, NoMemory)
{
    const cs_event_source events[1] = {still_events()};
    const cs_imc_core_env env = {silent_bus(), 0, events, nullptr};
    const cs_imc_core_config config = config_of(1);

    expect_no_memory<cs_imc_core>("IMC core", [&](cs_imc_core **out, cs_diag *diag) {
        return cs_imc_core_create(&config, &env, out, diag);
    });
}
#endif

TEST(ImcObject, NeedsWhatItAsks)
{
    const cs_event_source good[2] = {still_events(), still_events()};
    cs_event_source bad[2] = {still_events(), still_events()};
    bad[1].context = nullptr;
    const cs_imc_core_env no_bus = {{}, 0, good, nullptr},
                          no_events = {silent_bus(), 0, nullptr, nullptr},
                          half = {silent_bus(), 0, bad, nullptr};
    const struct {
        const cs_imc_core_env *env;
        const char *text;
    } cases[] = {
        {nullptr, "env: bus.submit and events must be set"},
        {&no_bus, "env: bus.submit and events must be set"},
        {&no_events, "env: bus.submit and events must be set"},
        {&half, "env: sum, reach and context of events[1] must be set"},
    };
    const cs_imc_core_config config = config_of(2);

    for (const auto &c : cases) {
        cs_imc_core *core = reinterpret_cast<cs_imc_core *>(1);
        cs_diag diag = {};

        EXPECT_EQ(CS_ERR_RANGE, cs_imc_core_create(&config, c.env, &core, &diag));
        EXPECT_EQ(nullptr, core);
        EXPECT_STREQ(c.text, diag.text);
    }
}

// Asked, it answers what a read gives, also in the cycle in which its power goes.
TEST(ImcObject, AskedAsRead)
{
    Bench b(config_of(2));
    uint64_t answer, value;

    b.write(1, CS_IMC_REG_HTM_MODE, htm_on);
    b.run(20);
    cs_imc_core_set_power(b.model(), 50, false);
    for (const cs_cycle cycle : {20u, 49u, 50u, 51u}) {
        b.run(cycle);
        for (unsigned reg = 0; reg < 16; reg++) {
            const cs_bus_resp resp = cs_imc_core_ask(b.model(), reg, &answer);
            EXPECT_EQ(resp, cs_imc_core_read(b.model(), cycle, reg, &value)) << cycle << " " << reg;
            EXPECT_EQ(answer, value) << cycle << " " << reg;
        }
    }
}

TEST(ImcDeathTest, NothingInThePast)
{
    Bench b(config_of(1));
    uint64_t value;

    b.run(100);
    EXPECT_DEATH(cs_imc_core_read(b.model(), 99, CS_IMC_REG_TRACE, &value),
                 "^countersink: IMC core: an access in cycle 99: must be in 100 or later\n$");
    EXPECT_DEATH(cs_imc_core_write(b.model(), 99, CS_IMC_REG_TRACE, 0), "an access in cycle 99");
    EXPECT_DEATH(cs_imc_core_set_power(b.model(), 99, false), "a change of power in cycle 99");
}

// ---- time ----

// A core that is off waits for an input, also one that lost its power.
TEST(ImcTime, NothingComesOfItself)
{
    for (unsigned threads : {1u, 2u, 4u}) {
        Bench b(config_of(threads));
        b.write(1, CS_IMC_REG_HTM_MODE, htm_on);
        b.write(20, CS_IMC_REG_HTM_MODE, 0);
        b.run(60);
        EXPECT_EQ(CS_NEVER, cs_imc_core_next(b.model())) << threads;
        cs_imc_core_set_power(b.model(), 70, false);
        EXPECT_EQ(70u, cs_imc_core_next(b.model())) << threads;
        b.run(80);
        EXPECT_EQ(CS_NEVER, cs_imc_core_next(b.model())) << threads;
    }
}

// It comes back before the end after a cycle in which a request was left open, and only then.
TEST(ImcTime, ComesBackForAnOpenRequest)
{
    for (Style style : {Style::at_once, Style::later}) {
        const bool open = style == Style::later;
        Bench b(config_of(1), style);
        b.write(1, CS_IMC_REG_HTM_MODE, htm_on);
        // Boundaries 4 and 8: the post is taken in 9, and complete in 15; that of 12 in 16.
        EXPECT_EQ(9u, cs_imc_core_advance(b.model(), 9));
        EXPECT_EQ(open ? 10u : 14u, cs_imc_core_advance(b.model(), 14));
        b.run(16);
        EXPECT_EQ(open ? 17u : 100u, cs_imc_core_advance(b.model(), 100));
    }
}

// A year at 1 GHz: empty cycles cost nothing.
TEST(ImcTime, EmptyCyclesArePassedOver)
{
    constexpr cs_cycle year = 365 * 24 * 3'600'000'000'000;
    Bench b(config_of(1));

    cs_imc_core_set_power(b.model(), year, false);
    EXPECT_EQ(year + 1, cs_imc_core_advance(b.model(), year + 1));
    EXPECT_TRUE(b.read_fails(year + 1, CS_IMC_REG_PDBAR));
}

// A thread that the core does not have changes nothing.
TEST(ImcTime, EventsOfNoThread)
{
    for (unsigned threads : {1u, 2u, 4u}) {
        Bench b(config_of(threads));
        b.write(1, CS_IMC_REG_HTM_MODE, htm_on);
        b.run(2);
        for (unsigned thread = threads; thread < 8; thread++)
            cs_imc_core_events_changed(b.model(), thread);
        EXPECT_EQ(4u, cs_imc_core_next(b.model())) << threads; // the boundary
    }
}

// Of two levels that are told for one cycle the second counts; the model stays where it is.
TEST(ImcTime, PowerOfACycleToldAgain)
{
    Bench b(config_of(1));

    b.write(10, CS_IMC_REG_PDBAR, 1);
    b.run(11);
    cs_imc_core_set_power(b.model(), 100, false);
    cs_imc_core_set_power(b.model(), 100, true);
    EXPECT_EQ(11u, b.now());
    EXPECT_EQ(1u, b.read(101, CS_IMC_REG_PDBAR));
}

// ---- reset ----

TEST(ImcReset, PowerIsAsItWasTold)
{
    Bench b(config_of(1));

    b.write(10, CS_IMC_REG_PDBAR, 1);
    b.run(40);
    cs_imc_core_set_power(b.model(), 50, false);
    cs_imc_core_reset(b.model(), 60);
    EXPECT_EQ(CS_NEVER, cs_imc_core_next(b.model()));
    EXPECT_TRUE(b.read_fails(60, CS_IMC_REG_PDBAR));
    b.power(70, true);
    EXPECT_EQ(0u, b.read(71, CS_IMC_REG_PDBAR));
}

TEST(ImcReset, StatesBeginAnew)
{
    Bench b(config_of(1));

    b.write(1, CS_IMC_REG_HTM_MODE, htm_on);
    b.run(3);
    cs_imc_core_reset(b.model(), 3);
    EXPECT_EQ(CS_NEVER, cs_imc_core_next(b.model()));
    b.write(8, CS_IMC_REG_HTM_MODE, htm_on);
    b.run(20);
    const std::vector<cs_probe_record> states = {state_record(2, SYNC), state_record(9, SYNC),
                                                 state_record(13, RUN)};
    EXPECT_EQ(states, b.records_of(CS_PROBE_STATE));
}

// A write of its cycle is lost, also for the next one.
TEST(ImcReset, AWriteOfItsCycleIsLost)
{
    Bench b(config_of(1));

    b.write(10, CS_IMC_REG_HTM_MODE, htm_on);
    b.write(10, CS_IMC_REG_TRACE, 5);
    cs_imc_core_reset(b.model(), 10);
    b.write(20, CS_IMC_REG_PDBAR, 7);
    EXPECT_EQ(7u, b.read(21, CS_IMC_REG_PDBAR));
    EXPECT_EQ(0u, b.read(21, CS_IMC_REG_HTM_MODE));
    EXPECT_EQ(0u, b.read(21, CS_IMC_REG_TRACE));
}

// ---- event sources ----

// A window costs four sums, which the source is told of ahead.
TEST(ImcWindows, AsksForFourSums)
{
    Bench b(config_of(2));
    unsigned sums = 0;

    b.write(0, CS_IMC_REG_EVENT_MASK, all_sets);
    b.write(1, CS_IMC_REG_HTM_MODE, htm_on);
    b.run(5);
    for (unsigned window = 0; window < 10; window++) { // 5 + 4 window and three more
        sums += window % 2 == 0 ? 4 : 0;
        b.run(9 + 4 * window);
        EXPECT_EQ(sums, b.threads[0].sums) << window;
        EXPECT_EQ(sums, b.threads[0].prepared) << window;
    }
}

} // namespace
