// SPDX-License-Identifier: Apache-2.0
// docs/hw/uncore.md, "Counting": who counts, the wrap at each width, the flag and FREEZE.
#include <gtest/gtest.h>

#include "Vuncore.h"
#include "uncore_bench.hpp"

namespace
{

using Uncore = UncoreRtl<Vuncore>;

TEST(Counting, NeedsEnAndOn)
{
    for (unsigned control : {0u, 1u}) {
        for (unsigned select : {0u, 1u}) {
            Uncore u;
            u.put(at::select(1), select ? on : 0);
            u.put(at::ctl, control ? en : 0);
            u.increment(1, 5);
            u.step(4);
            EXPECT_EQ(u.value(1), control && select ? 20u : 0u);
        }
    }
}

TEST(Counting, EveryIncrement)
{
    for (uint64_t start : {uint64_t{0}, uint64_t{0xFFFFFFF8}, uint64_t{0x7FFFFFFFFFF8}}) {
        Uncore u;
        uint64_t expected = start;
        u.arm(0, start);
        u.put(at::ctl, en);
        for (unsigned by = 0; by < 16; by++) {
            u.increment(0, by);
            u.step();
            expected += by;
            EXPECT_EQ(u.value(0), expected);
        }
    }
}

TEST(Counting, EachCounterHasItsOwnIncrementAndAllCountTogether)
{
    Uncore u({16, 40, 0});
    for (unsigned n = 0; n < 16; n++) {
        u.arm(n, 0x100 * n, n);
        u.increment(n, 15 - n);
    }
    u.put(at::ctl, en);
    u.step(3);
    for (unsigned n = 0; n < 16; n++)
        EXPECT_EQ(u.value(n), 0x100 * n + 3 * (15 - n));
}

TEST(Counting, EventZeroIsLikeAnyOther)
{
    Uncore u;
    u.arm(0, 0, 0);
    u.arm(1, 0, 7);
    u.put(at::ctl, en);
    u.step(5);
    EXPECT_EQ(u.value(0), 0u) << "nothing came";
    u.increment_all(2);
    u.step(5);
    EXPECT_EQ(u.value(0), 10u);
    EXPECT_EQ(u.value(1), 10u);
}

TEST(Counting, ACounterThatIsOffNeitherLooksNorOverflows)
{
    Uncore u({4, 8, 0});
    for (unsigned n = 0; n < 4; n++)
        u.put(at::count(n), 0xFF);
    u.put(at::select(2), on);
    u.increment_all(15);
    u.step(3);
    EXPECT_EQ(u.peek(at::ovf), 0u) << "CTL";
    u.put(at::ctl, en | freeze);
    u.increment(2, 0);
    u.step(3);
    EXPECT_EQ(u.peek(at::ovf), 0u) << "SELECT";
    EXPECT_EQ(u.peek(at::ctl), en | freeze);
    for (unsigned n = 0; n < 4; n++)
        EXPECT_EQ(u.value(n), 0xFFu);
}

class Width : public testing::TestWithParam<unsigned>
{
};

// value + increment below, at and above 2^W.
TEST_P(Width, TheWrapIsExact)
{
    const unsigned width = GetParam();
    for (unsigned short_of = 1; short_of <= 16; short_of++) {
        for (unsigned by = 0; by < 16; by++) {
            Uncore u({2, width, 0});
            u.arm(1, all_of(width) - (short_of - 1));
            u.put(at::ctl, en);
            u.increment(1, by);
            u.step();
            EXPECT_EQ(u.peek(at::ovf), by >= short_of ? 2u : 0u) << short_of << " " << by;
            EXPECT_EQ(u.value(1), (all_of(width) - short_of + 1 + by) & all_of(width));
        }
    }
}

TEST_P(Width, HalfWayIsNoWrap)
{
    const unsigned width = GetParam();
    Uncore u({1, width, 0});
    u.put(at::ctl, en);
    u.increment(0, 1);
    for (unsigned b = 0; b < width; b++) {
        u.arm(0, bit(b) - 1);
        u.step();
        EXPECT_EQ(u.value(0), bit(b));
        EXPECT_EQ(u.peek(at::ovf), 0u) << b;
    }
}

INSTANTIATE_TEST_SUITE_P(All, Width, testing::Range(8u, 65u));

TEST(Overflow, SetsTheFlagInTheNextCycle)
{
    Uncore u;
    u.arm(0, all_of(48) - 1);
    u.put(at::ctl, en);
    u.increment(0, 1);
    EXPECT_EQ(u.read(at::ovf), 0u); // 2^48 - 2
    EXPECT_EQ(u.read(at::ovf), 0u); // 2^48 - 1: the increment of this cycle wraps
    EXPECT_EQ(u.read(at::ovf), 1u);
}

TEST(Overflow, SetsItsOwnFlag)
{
    for (unsigned n = 0; n < 16; n++) {
        Uncore u({16, 12, 0});
        for (unsigned other = 0; other < 16; other++)
            u.arm(other, other == n ? 0xFFF : 0x7FF);
        u.put(at::ctl, en);
        u.increment_all(1);
        u.step();
        EXPECT_EQ(u.peek(at::ovf), bit(n));
    }
}

TEST(Overflow, OneFlagForSeveralWraps)
{
    Uncore u({1, 8, 0});
    u.arm(0, 0);
    u.put(at::ctl, en);
    u.increment(0, 15);
    u.step(100);
    EXPECT_EQ(u.value(0), 1500u % 256);
    EXPECT_EQ(u.peek(at::ovf), 1u);
    u.increment(0, 0);
    u.write(at::ovf, 1);
    EXPECT_EQ(u.peek(at::ovf), 0u);
}

TEST(Overflow, WithoutFreezeCountingGoesOn)
{
    Uncore u({4, 8, 0});
    u.arm(0, 0xFF);
    u.put(at::ctl, en);
    u.increment(0, 1);
    u.step(5);
    EXPECT_EQ(u.peek(at::ctl), en);
    EXPECT_EQ(u.value(0), 4u);
}

TEST(Freeze, ClearsEnInTheCycleOfTheFlag)
{
    Uncore u({4, 8, 0});
    u.arm(0, 0xFE);
    u.arm(1, 0);
    u.put(at::ctl, en | freeze);
    u.increment_all(1);
    EXPECT_EQ(u.read(at::ctl), en | freeze);
    EXPECT_EQ(u.read(at::ctl), en | freeze); // the overflow
    EXPECT_EQ(u.peek(at::ovf), 1u);
    EXPECT_EQ(u.read(at::ctl), freeze);
    u.step(10);
    EXPECT_EQ(u.value(0), 0u);
    EXPECT_EQ(u.value(1), 2u) << "all count in the cycle of the overflow, none after it";
}

TEST(Freeze, KeepsWhatIsBehindTheWrap)
{
    Uncore u({4, 8, 0});
    u.arm(0, 0xFE);
    u.arm(1, 0xFF);
    u.arm(2, 0xF0);
    u.put(at::ctl, en | freeze);
    u.increment_all(15);
    u.step(4);
    EXPECT_EQ(u.value(0), 13u);
    EXPECT_EQ(u.value(1), 14u);
    EXPECT_EQ(u.value(2), 0xFFu);
    EXPECT_EQ(u.peek(at::ovf), 3u) << "two in one cycle";
}

TEST(Freeze, ByEveryCounterAndAlsoWhenItsFlagIsSet)
{
    for (unsigned n = 0; n < 16; n++) {
        Uncore u({16, 8, 0});
        u.put(at::ctl, en | freeze);
        u.arm(n, 0xFF);
        u.increment(n, 1);
        u.step();
        ASSERT_EQ(u.peek(at::ctl), freeze);
        ASSERT_EQ(u.peek(at::ovf), bit(n));
        u.put(at::count(n), 0xFF);
        u.put(at::ctl, en | freeze);
        EXPECT_EQ(u.counting(), bit(n));
        u.step();
        EXPECT_EQ(u.peek(at::ctl), freeze) << n;
        EXPECT_EQ(u.value(n), 0u);
    }
}

TEST(Freeze, AFlagFromBeforeDoesNotHoldCounting)
{
    Uncore u({4, 8, 0});
    u.arm(0, 0xFF);
    u.put(at::ctl, en | freeze);
    u.increment(0, 1);
    u.step(2);
    u.write(at::ctl, en | freeze); // OVF is still set
    u.step(3);
    EXPECT_EQ(u.peek(at::ctl), en | freeze);
    EXPECT_EQ(u.value(0), 3u);
}

} // namespace
