// SPDX-License-Identifier: Apache-2.0
// perf's frequency mode (docs/drivers/perf_frequency.md). The expected numbers are worked out by hand.
#include <gtest/gtest.h>

#include <vector>

#include "drivers/perf_frequency.h"

namespace
{

constexpr uint64_t kTick = 4000000; // 250 Hz

// The last overflow was at 0.
cs_perf_frequency At4000Hz()
{
    return {4000, kTick, true, 0, 0};
}

struct PeriodCase {
    uint64_t frequency, nsec, count, period;
};

TEST(PerfFrequency, PeriodIsCountsOverTimeAndFrequency)
{
    const std::vector<PeriodCase> cases = {
        {4000, 1000, 1, 250},             // 10^9 / 4 x 10^6
        {4000, kTick, 16000000, 1000000}, // 4 GHz: a million cycles are 250 us
        {4000, kTick, 1000, 62},          // 62.5
        {1000, 1000000, 7, 7},            //
        {100000, kTick, 399, 0},          // fewer than one an overflow
        {4000, 1, 0, 0},                  // nothing has been counted
        {1, UINT64_C(1) << 33, UINT64_C(1) << 33, 1000000000},
        {64, 1, UINT64_C(1) << 40, (UINT64_C(1) << 33) * 1000000000}, // nothing is left of 64 >> 7
    };

    for (const PeriodCase &c : cases)
        EXPECT_EQ(cs_perf_frequency_period(c.frequency, c.nsec, c.count), c.period)
            << c.count << " in " << c.nsec << " ns at " << c.frequency << " Hz";
}

// 2^36 needs 37 bits and 10^9 30: of the two 2^36 loses three, and so does the divisor.
TEST(PerfFrequency, ADividendTooLargeLosesBitsOnBothSides)
{
    const uint64_t divisor = UINT64_C(1000003) * 4000;

    EXPECT_EQ(cs_perf_frequency_period(4000, 1000003, UINT64_C(1) << 36),
              (UINT64_C(1) << 33) * 1000000000 / (divisor >> 3));
}

// 2^63 ns (64 bits) at 4 Hz (3 bits): three bits too many, which the time loses.
TEST(PerfFrequency, ADivisorTooLargeLosesBitsOnBothSides)
{
    EXPECT_EQ(cs_perf_frequency_period(4, UINT64_C(1) << 63, UINT64_C(1) << 33),
              ((UINT64_C(1) << 33) * 1000000000 >> 3) / ((UINT64_C(1) << 60) * 4));
}

// 40 + 30 and 60 + 12 bits: both sides lose a bit in turn until one fits, after six. Then 54 + 12
// are two too many.
TEST(PerfFrequency, BothSidesTooLargeLoseBitsInTurns)
{
    const uint64_t dividend = (UINT64_C(1) << 33) * 1000000000 >> 2;
    const uint64_t divisor = (UINT64_C(1) << 51) * 4000;

    EXPECT_EQ(cs_perf_frequency_period(4000, UINT64_C(1) << 59, UINT64_C(1) << 39),
              dividend / divisor);
}

TEST(PerfFrequency, AnEventBeginsWithOne)
{
    const cs_perf_period free = cs_perf_period_begin(4000, 0);
    const cs_perf_period fixed = cs_perf_period_begin(0, 1000000);

    EXPECT_EQ(free.sample, 1u);
    EXPECT_EQ(free.last, 1u);
    EXPECT_EQ(free.left, 1);
    EXPECT_EQ(fixed.sample, 1000000u);
    EXPECT_EQ(fixed.left, 1000000);
}

TEST(PerfFrequency, ALoadGoesOnOrBeginsAnew)
{
    cs_perf_period p = {1000, 500, 30};
    bool ended;

    EXPECT_EQ(cs_perf_period_load(&p, 1u << 31, &ended), 30u); // the stretch goes on
    EXPECT_FALSE(ended);
    EXPECT_EQ(p.last, 500u);
    p.left = -7; // late by seven: the next one is so much shorter
    EXPECT_EQ(cs_perf_period_load(&p, 1u << 31, &ended), 993u);
    EXPECT_TRUE(ended);
    EXPECT_EQ(p.last, 1000u);
    p.left = -1000; // late by a whole one: it is left out
    EXPECT_EQ(cs_perf_period_load(&p, 1u << 31, nullptr), 1000u);
    p.left = 1000; // the counter cannot hold it all
    EXPECT_EQ(cs_perf_period_load(&p, 255, &ended), 255u);
    EXPECT_FALSE(ended);
    EXPECT_EQ(p.left, 1000);
}

// A 4 GHz core, and handlers that are done 1 us after the last: 4,000 events a stretch, whatever
// the period. So perf thinks that the period alone took a microsecond.
TEST(PerfFrequency, OverflowsMoveAnEighthOfTheWay)
{
    cs_perf_frequency f = At4000Hz();
    cs_perf_period p = cs_perf_period_begin(4000, 0);
    uint64_t now = 1000;

    // wanted: 1 x 10^9 / (1000 x 4000) = 250; (250 - 1 = 249) / 8 = 31.1: 32
    EXPECT_FALSE(cs_perf_frequency_overflow(&f, &p, now));
    EXPECT_EQ(p.sample, 33u);
    // The load takes the new period; wanted: 33 x 250 = 8250; 8217 / 8 = 1027.1: 1028
    p.left = 0;
    cs_perf_period_load(&p, 1u << 31, nullptr);
    EXPECT_FALSE(cs_perf_frequency_overflow(&f, &p, now += 1000));
    EXPECT_EQ(p.sample, 1061u);
    // 1061 x 250 = 265250; 264189 / 8 = 33023.6: 33024
    p.left = 0;
    cs_perf_period_load(&p, 1u << 31, nullptr);
    EXPECT_FALSE(cs_perf_frequency_overflow(&f, &p, now += 1000));
    EXPECT_EQ(p.sample, 34085u);
    EXPECT_EQ(p.last, 1061u);
}

TEST(PerfFrequency, TheFirstOverflowOnlyStartsTheClock)
{
    cs_perf_frequency f = {4000, kTick, false, 0, 0};
    cs_perf_period p = cs_perf_period_begin(4000, 0);

    EXPECT_FALSE(cs_perf_frequency_overflow(&f, &p, 1000));
    EXPECT_EQ(p.sample, 1u);
    EXPECT_FALSE(cs_perf_frequency_overflow(&f, &p, 2000)); // 1 x 250
    EXPECT_EQ(p.sample, 33u);
}

TEST(PerfFrequency, AWayBackIsRoundedUpToo)
{
    cs_perf_frequency f = At4000Hz();
    cs_perf_period p = {1000, 999, 1000};

    f.time_stamp = 1000000;
    // 250 us: wanted is what the stretch had, 999; -1 / 8: -1
    EXPECT_FALSE(cs_perf_frequency_overflow(&f, &p, 1250000));
    EXPECT_EQ(p.sample, 999u);
    EXPECT_FALSE(cs_perf_frequency_overflow(&f, &p, 1500000)); // there
    EXPECT_EQ(p.sample, 999u);
}

TEST(PerfFrequency, NoPeriodIsBelowOne)
{
    cs_perf_frequency f = {100000, kTick, true, 0, 0};
    cs_perf_period p = {1, 1, 1};

    EXPECT_FALSE(cs_perf_frequency_overflow(&f, &p, 1000000)); // wanted: 0
    EXPECT_EQ(p.sample, 1u);
}

TEST(PerfFrequency, AnOverflowAfterTwoTicksTeachesNothing)
{
    cs_perf_frequency f = At4000Hz();
    cs_perf_period p = {1000, 1000, 1000};

    EXPECT_FALSE(cs_perf_frequency_overflow(&f, &p, 2 * kTick));
    EXPECT_EQ(p.sample, 1000u);
    EXPECT_EQ(f.time_stamp, 2 * kTick);
    EXPECT_FALSE(cs_perf_frequency_overflow(&f, &p, 2 * kTick)); // nor one at the same time
    EXPECT_EQ(p.sample, 1000u);
    EXPECT_FALSE(cs_perf_frequency_overflow(&f, &p, 4 * kTick - 1)); // just below: it does
    EXPECT_NE(p.sample, 1000u);
}

// The core becomes slow: a million is left, but 16,000 a tick would be 1,000 a sample.
TEST(PerfFrequency, TicksFindPeriodsThatAreMuchTooLong)
{
    cs_perf_frequency f = At4000Hz();
    cs_perf_period p = {8000, 1000000, 990000};

    f.count_stamp = 50000;
    // wanted: 16000 x 10^9 / (4 x 10^6 x 4000) = 1000; -7000 / 8 = -875
    EXPECT_TRUE(cs_perf_frequency_tick(&f, &p, 66000));
    EXPECT_EQ(p.sample, 7125u);
    EXPECT_EQ(p.left, 0); // 990,000 is more than 8 x 7,125: the stretch ends here
    EXPECT_EQ(cs_perf_period_load(&p, 1u << 31, nullptr), 7125u);
}

TEST(PerfFrequency, ATickLeavesAStretchOfEightPeriods)
{
    cs_perf_frequency f = At4000Hz();
    cs_perf_period p = {1000, 8000, 8000};

    EXPECT_TRUE(cs_perf_frequency_tick(&f, &p, 16000)); // wanted: 1000
    EXPECT_EQ(p.left, 8000);
    p.left = 8001;
    EXPECT_TRUE(cs_perf_frequency_tick(&f, &p, 32000));
    EXPECT_EQ(p.left, 0);
}

TEST(PerfFrequency, ATickWithoutCountsIsNone)
{
    cs_perf_frequency f = At4000Hz();
    cs_perf_period p = {1000, 1000, 1000000};

    EXPECT_FALSE(cs_perf_frequency_tick(&f, &p, 0));
    EXPECT_EQ(p.sample, 1000u);
    EXPECT_EQ(p.left, 1000000);
}

// One is a count. Wanted: 10^9 / (4 x 10^6 x 4000) = 0; -1000 / 8 = -125.
TEST(PerfFrequency, ATickWithOneCountTeaches)
{
    cs_perf_frequency f = At4000Hz();
    cs_perf_period p = {1000, 1000, 1000};

    EXPECT_TRUE(cs_perf_frequency_tick(&f, &p, 1));
    EXPECT_EQ(p.sample, 875u);
}

// 4 GHz, 4000 Hz, no handlers' time: it settles at a million.
TEST(PerfFrequency, ItSettles)
{
    cs_perf_frequency f = At4000Hz();
    cs_perf_period p = cs_perf_period_begin(4000, 0);
    uint64_t cycle = 0, tick = 1, samples = 0, left = p.sample;

    while (cycle < UINT64_C(2000000000)) { // half a second
        if (cycle + left < tick * 16000000) {
            cycle += left;
            p.left = 0;
            left = cs_perf_period_load(&p, 1u << 31, nullptr);
            if (cs_perf_frequency_overflow(&f, &p, cycle / 4))
                left = cs_perf_period_load(&p, 1u << 31, nullptr);
            samples += cycle >= 1000000000;
            continue;
        }
        p.left = static_cast<int64_t>(left - (tick * 16000000 - cycle));
        cycle = tick++ * 16000000;
        cs_perf_frequency_tick(&f, &p, cycle);
        left = cs_perf_period_load(&p, 1u << 31, nullptr);
    }
    EXPECT_NEAR(static_cast<double>(p.sample), 1000000, 20000);
    EXPECT_NEAR(static_cast<double>(samples), 1000, 20);
}

TEST(PerfThrottle, StopsAfterSoManyOfATickUntilTheNext)
{
    cs_perf_throttle t = {};

    EXPECT_FALSE(cs_perf_throttle_overflow(&t, 5, 2));
    EXPECT_FALSE(cs_perf_throttle_overflow(&t, 5, 2));
    EXPECT_FALSE(cs_perf_throttle_overflow(&t, 6, 2)); // another tick
    EXPECT_FALSE(cs_perf_throttle_overflow(&t, 6, 2));
    EXPECT_FALSE(cs_perf_throttle_tick(&t));
    EXPECT_TRUE(cs_perf_throttle_overflow(&t, 6, 2));
    EXPECT_TRUE(cs_perf_throttle_tick(&t));
    EXPECT_FALSE(cs_perf_throttle_tick(&t));
    for (int i = 0; i < 1000; i++)
        EXPECT_FALSE(cs_perf_throttle_overflow(&t, 7, 0)); // no limit
}

} // namespace
