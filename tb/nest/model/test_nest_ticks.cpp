// SPDX-License-Identifier: Apache-2.0
// Parameters, ticks, and what the first ones do.
#include "steady.hpp"
#include "support/still.hpp"

namespace
{

struct CreateCase {
    uint64_t base;
    uint32_t tick_cycles;
    const char *text; // nullptr: it is created
};

TEST(NestTicks, Parameters)
{
    const CreateCase cases[] = {
        {0, 16, nullptr},
        {0xBF980000, UINT32_MAX, nullptr},
        {(1ull << 56) - 0x40000, 500'000, nullptr},
        {0x1000, 15, "tick_cycles is 15: must be 16..4294967295"},
        {0x1000, 0, "tick_cycles is 0: must be 16..4294967295"},
        {0x1008, 16, "base is 0x1008: must be a multiple of 4096"},
        {(1ull << 56) - 0x3F000, 16, "base is 0xfffffffffc1000: must be at most 0xfffffffffc0000"},
        {1ull << 56, 16, "base is 0x100000000000000: must be at most 0xfffffffffc0000"},
    };
    for (const CreateCase &c : cases) {
        const cs_nest_config config = {c.base, c.tick_cycles, 0, false};
        const cs_nest_env env = {silent_bus(), 0, still_events(), nullptr};
        cs_diag diag = {};
        cs_nest *nest = reinterpret_cast<cs_nest *>(&diag);
        const cs_status status = cs_nest_create(&config, &env, &nest, &diag);

        EXPECT_EQ(c.text == nullptr ? CS_OK : CS_ERR_RANGE, status);
        EXPECT_EQ(c.text != nullptr, nest == nullptr);
        EXPECT_STREQ(c.text == nullptr ? "" : "nest", diag.where);
        EXPECT_STREQ(c.text == nullptr ? "" : c.text, diag.text);
        cs_nest_destroy(nest);
    }
}

TEST(NestTicks, Reset)
{
    Steady b;

    EXPECT_EQ(0u, b.now());
    EXPECT_EQ(INIT, b.status());
    // Tick 1 is seen in its cycle + 1, the cycle in which IDLE takes it.
    EXPECT_EQ(period + 1, cs_nest_next(b.model()));
    b.run(period + 3);
    EXPECT_EQ(1u, b.world.log.size());
    EXPECT_EQ(period + 3, b.world.log[0].request);
    EXPECT_EQ(b.world.base + block, b.world.log[0].addr);
    EXPECT_EQ(6u, b.world.log[0].data.size());
}

// Ticks begin anew, in whatever state the engine was.
TEST(NestTicks, ResetAgain)
{
    for (const cs_cycle at : {3 * period + 107, 3 * period + 4, period - 1}) {
        Steady b;
        b.run(at - 1);
        cs_nest_reset(b.model(), at);

        EXPECT_EQ(at, b.now());
        EXPECT_EQ(INIT, b.status());
        EXPECT_EQ(at + period + 1, cs_nest_next(b.model()));
        const size_t before = b.world.log.size();
        b.run(at + period + 3);
        ASSERT_EQ(before + 1, b.world.log.size());
        EXPECT_EQ(at + period + 3, b.world.log.back().request);
        EXPECT_EQ(b.world.base + block, b.world.log.back().addr);
    }
}

// From a memory full of rubbish: zeros, version, vector, mode state, status.
TEST(NestTicks, FirstTick)
{
    Steady b;
    for (uint32_t offset = 0; offset < 0x1000; offset += 8)
        b.world.word(offset) = 0xA5A5;
    b.ticks(1);

    std::vector<Transfer> expected;
    cs_cycle t = Steady::decide(1) + 1; // first cycle of the first that follows
    const auto add = [&](uint32_t offset, const std::vector<uint64_t> &data) {
        expected.push_back(Steady::write(t + 1, b.world.base + offset, data));
        t += 1 + latency + 1;
    };
    for (unsigned burst = 0; burst < 14; burst++)
        add(128 * burst, std::vector<uint64_t>(16));
    add(0x700, std::vector<uint64_t>(14));
    add(version_offset, {0x0100151120260000});
    add(block + 0x18, {default_units});
    add(block + 0x28, {0});
    add(block + 0x00, {INIT, 0});
    EXPECT_EQ(expected, b.work(1));

    EXPECT_EQ(0u, b.world.word(0x768));
    EXPECT_EQ(0xA5A5u, b.world.word(0x770));
    EXPECT_EQ(default_units, b.world.control(units_word));
    EXPECT_TRUE(b.records.empty()); // INIT before and after
}

// A vector of the host's own is left as it is.
TEST(NestTicks, FirstTickWithAVector)
{
    Steady b;
    b.world.control(units_word) = 0x8000000000000000;
    b.world.control(mode_word) = 1;
    b.ticks(1);

    const std::vector<uint64_t> places = b.places(1);
    const std::vector<uint64_t> after_clean(places.begin() + 15, places.end());
    EXPECT_EQ((std::vector<uint64_t>{version_offset, block + 0x28, block}), after_clean);
    EXPECT_EQ(0x8000000000000000u, b.world.control(units_word));
    EXPECT_EQ(1u, b.world.control(mode_state_word));
}

TEST(NestTicks, RunAfterFourPhases)
{
    Steady b;
    b.ticks(first_visit);

    EXPECT_TRUE(b.work(2).empty());
    EXPECT_TRUE(b.work(3).empty());
    EXPECT_EQ((std::vector<Transfer>{
                  Steady::write(Steady::decide(4) + 2, b.world.base + block, {RUN, 0})}),
              b.work(4));
    EXPECT_EQ((std::vector<cs_probe_record>{state(Steady::decide(4) + 1, RUN)}),
              b.records_of(CS_PROBE_STATE));
    EXPECT_EQ(std::vector<unsigned>{1}, b.groups(first_visit)); // and the alinks
}

// The registers say so in the cycle after DECIDE, not in DECIDE.
TEST(NestTicks, StatusByTheRegisters)
{
    Steady b;

    b.run(Steady::decide(4));
    EXPECT_EQ(INIT, b.status());
    b.run(Steady::decide(4) + 1);
    EXPECT_EQ(RUN, b.status());
}

// Nothing is decided on what could not be read; the tick is gone.
TEST(NestTicks, ErrorOnLook)
{
    for (uint8_t resp : {CS_BUS_SLVERR, CS_BUS_DECERR}) {
        Steady b;
        b.world.error = [resp](unsigned n) { return n < 2 ? resp : uint8_t{CS_BUS_OKAY}; };
        b.world.control(mode_word) = 9;
        b.ticks(3);
        EXPECT_TRUE(b.work(1).empty());
        EXPECT_TRUE(b.work(2).empty());
        EXPECT_EQ(19u, b.work(3).size());
        EXPECT_EQ((std::vector<cs_probe_record>{state(Steady::decide(3) + 1, ERR2)}), b.records);
    }
}

// After a LOOK that failed in c IDLE is in c + 1, and takes what has come.
TEST(NestTicks, IdleAfterErrorOnLook)
{
    Bench b(16);
    b.world.error = [](unsigned) -> uint8_t { return CS_BUS_SLVERR; };
    b.world.min_latency = b.world.max_latency = 40;
    b.run(1000);
    ASSERT_GT(b.world.log.size(), 5u);
    EXPECT_EQ(16u + 3, b.world.log[0].request);
    for (size_t i = 1; i < b.world.log.size(); i++)
        EXPECT_EQ(b.world.log[i - 1].complete + 3, b.world.log[i].request);
}

// Ticks that come while the engine is at work: all are kept, up to 255.
struct PileCase {
    cs_cycle busy; // ticks that come during the first LOOK
    unsigned kept;
};

TEST(NestTicks, KeptUpTo255)
{
    for (const PileCase &c : {PileCase{7, 7}, {254, 254}, {255, 255}, {256, 255}, {400, 255}}) {
        constexpr cs_cycle p = 1000;
        Bench b(p);
        // All fail, so that a tick is a LOOK and no more; the first ends just before a tick.
        b.world.error = [](unsigned) -> uint8_t { return CS_BUS_SLVERR; };
        b.world.latency = [&](unsigned n) { return n == 0 ? (c.busy + 1) * p - 10 : 1; };
        b.run(p + 4);
        const cs_cycle end = b.world.log[0].complete;
        ASSERT_EQ(p + 3 + (c.busy + 1) * p - 10, end);
        b.run(end + 200 * p);

        // One after the other, without a pause, as long as there are some: a LOOK takes 4 cycles
        // (IDLE, LOOK, request, completion), so another tick comes in every 250th.
        size_t i = 1;
        while (i < b.world.log.size() && b.world.log[i].request == b.world.log[i - 1].complete + 3)
            i++;
        const cs_cycle last = b.world.log[i - 1].complete;
        const cs_cycle come = last / p - end / p;
        EXPECT_EQ(c.kept + come, i - 1) << "busy " << c.busy;
    }
}

// A tick that comes in the cycle in which another is taken is not lost at 255.
TEST(NestTicks, TakenAndComeAtOnce)
{
    constexpr cs_cycle p = 1000;
    for (const cs_cycle end : {300 * p - 2, 300 * p - 1, 300 * p}) {
        Bench b(p);
        b.world.error = [](unsigned) -> uint8_t { return CS_BUS_SLVERR; };
        b.world.latency = [&](unsigned n) { return n == 0 ? end - (p + 3) : 1; };
        b.run(end + 200 * p);
        ASSERT_EQ(end, b.world.log[0].complete);

        size_t i = 1;
        while (b.world.log[i].request == b.world.log[i - 1].complete + 3)
            i++;
        const cs_cycle last = b.world.log[i - 1].complete;
        // IDLE takes in end + 1. A tick in end - 1 or end finds 255 and is lost; one in end + 1
        // is not.
        const cs_cycle come = last / p - end / p;
        EXPECT_EQ(255 + come, i - 1) << end;
        EXPECT_EQ(end == 300 * p ? 1u : 2u, come);
    }
}

// The longest period there is.
TEST(NestTicks, LongPeriod)
{
    Bench b(UINT32_MAX);
    b.run(3 * cs_cycle{UINT32_MAX});
    ASSERT_EQ(21u, b.world.log.size());
    EXPECT_EQ(cs_cycle{UINT32_MAX} + 3, b.world.log[0].request);
    EXPECT_EQ(2 * cs_cycle{UINT32_MAX} + 3, b.world.log[20].request);
}

} // namespace
