// SPDX-License-Identifier: Apache-2.0
// cs_nest_create and cs_nest_reset: what is there, and that nothing of before is left.
#include "bench.hpp"
#include "support/refused_calloc.hpp"
#include "support/still.hpp"

namespace
{

#ifndef __SANITIZE_ADDRESS__
TEST(NestObject, NoMemory)
{
    const cs_nest_config config = {0x80040000, 16, 0, false};
    const cs_nest_env env = {silent_bus(), 0, still_events(), nullptr};

    expect_no_memory<cs_nest>("nest", [&](cs_nest **out, cs_diag *diag) {
        return cs_nest_create(&config, &env, out, diag);
    });
}
#endif

TEST(NestObject, NeedsWhatItAsks)
{
    const cs_nest_config config = {0x80040000, 16, 0, false};
    const cs_nest_env no_bus = {{}, 0, still_events(), nullptr},
                      no_events = {silent_bus(), 0, {}, nullptr};

    for (const cs_nest_env *env :
         std::initializer_list<const cs_nest_env *>{nullptr, &no_bus, &no_events}) {
        cs_nest *nest = reinterpret_cast<cs_nest *>(1);
        cs_diag diag = {};

        EXPECT_EQ(CS_ERR_RANGE, cs_nest_create(&config, env, &nest, &diag));
        EXPECT_EQ(nullptr, nest);
        EXPECT_STREQ("env: bus.submit and events.sum must be set", diag.text);
    }
}

// A completion of a cycle that has been executed would never be seen.
TEST(NestDeathTest, CompletesNothingInThePast)
{
    const cs_nest_config config = {0x80040000, 16, 0, false};
    const cs_nest_env env = {silent_bus(), 0, still_events(), nullptr};
    const cs_bus_txn txn = {};
    cs_nest *nest = nullptr;

    ASSERT_EQ(CS_OK, cs_nest_create(&config, &env, &nest, nullptr));
    while (cs_nest_next(nest) != CS_NEVER) // until a transfer is out
        cs_nest_advance(nest, cs_nest_next(nest) + 1);
    EXPECT_DEATH(cs_nest_bus_done(nest, &txn),
                 "^countersink: nest: a completion in cycle 0: must be in [0-9]+ or later\n$");
    cs_nest_destroy(nest);
}

constexpr cs_cycle period = 500;
constexpr cs_cycle length = 60 * period;

// What the host has in memory, and what the nest does in the n-th cycle from `begin` on.
void begin(Bench &b, cs_cycle begin)
{
    b.world.memory.clear();
    b.world.control(units_word) = ~uint64_t{0};
    for (unsigned event = 0; event < Nest::events; event++)
        b.nest.increment[event] = [=](cs_cycle t) {
            return t < begin ? 15 : mix(event, t - begin) % 16;
        };
}

// All counters, ticks, delays, epochs and numbers begin anew, in whatever state the engine was:
// what follows is what follows a creation, so many cycles later.
TEST(NestReset, LeavesNothing)
{
    for (const bool power10 : {false, true}) {
        Bench fresh(period, Style::at_once, power10);
        begin(fresh, 0);
        fresh.run(length);

        for (const cs_cycle at :
             {period - 1, 3 * period + 107, 30 * period + 8, 31 * period + 60}) {
            Bench b(period, Style::at_once, power10);
            begin(b, at);
            b.world.control(speed_word) = 1;
            b.host(24 * period, command_word, 2);
            b.host(25 * period, command_word, 1);
            b.run(at);
            cs_nest_reset(b.model(), at);
            begin(b, at);
            b.world.log.clear();
            b.records.clear();
            b.run(at + length);

            for (Transfer &t : b.world.log)
                t.request -= at, t.complete -= at;
            for (cs_probe_record &r : b.records) {
                r.cycle -= at;
                r.request -= r.kind == CS_PROBE_SAMPLE ? at : 0;
            }
            ASSERT_EQ(fresh.world.log.size(), b.world.log.size()) << at;
            for (size_t i = 0; i < fresh.world.log.size(); i++)
                ASSERT_EQ(fresh.world.log[i], b.world.log[i]) << at;
            EXPECT_EQ(fresh.records, b.records) << at;
        }
    }
}

// Ticks come up to the end of time, and not anew after it.
TEST(NestReset, NearTheEndOfTime)
{
    for (const cs_cycle left : {15u, 16u, 17u, 18u, 34u}) {
        Bench b(16);
        const cs_cycle at = CS_NEVER - left;
        cs_nest_reset(b.model(), at);
        EXPECT_EQ(left > 17 ? at + 17 : CS_NEVER, cs_nest_next(b.model())) << left;
    }
}

} // namespace
