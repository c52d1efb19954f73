// SPDX-License-Identifier: Apache-2.0
// docs/hw/iommu_hpm.md, "Counting": widths, OF, iocountovf, pmip, and writes against counting.
#include <gtest/gtest.h>

#include "Viommu_hpm.h"
#include "bench.hpp"

namespace
{

using Unit = Iommu<Viommu_hpm>;

// Event 1 happens this often in each cycle.
Record by(unsigned increment)
{
    Record r;
    r.inc[1] = static_cast<uint8_t>(increment);
    return r;
}

// Counter n has event 1 and this value; the cycles counter stands still.
void arm(Unit &u, unsigned n, uint64_t value)
{
    u.silence();
    u.write_half(at::inh, 1);
    u.write(at::evt(n), 1);
    u.write(at::counter(n), value);
}

class Width : public testing::TestWithParam<unsigned>
{
};

TEST_P(Width, TheWrapIsExact)
{
    const unsigned width = GetParam();
    for (unsigned short_of = 1; short_of <= 16; short_of++) {
        for (unsigned increment = 0; increment < 16; increment++) {
            Unit u({2, width});
            arm(u, 1, all_of(width) - (short_of - 1));
            u.report(by(increment));
            u.step();
            EXPECT_EQ(u.value(1), (all_of(width) - short_of + 1 + increment) & all_of(width));
            EXPECT_EQ(u.peek(at::ovf), increment >= short_of ? 2u : 0u);
            EXPECT_EQ(u.irq(), increment >= short_of);
        }
    }
}

TEST_P(Width, HalfWayIsNoWrap)
{
    const unsigned width = GetParam();
    Unit u({1, width});
    for (unsigned b = 0; b < width; b++) {
        arm(u, 1, bit(b) - 1);
        u.report(by(1));
        u.step();
        EXPECT_EQ(u.value(1), bit(b));
        EXPECT_EQ(u.peek(at::ovf), 0u) << b;
    }
}

TEST_P(Width, OfTheCyclesCounterIsAtMost63)
{
    const unsigned width = GetParam() == 64 ? 63 : GetParam();
    Unit u({1, GetParam()});
    u.write(at::cycles, all_of(width) - 1);
    EXPECT_EQ(u.read(at::cycles, true), all_of(width) - 1);
    EXPECT_EQ(u.read(at::cycles, true), all_of(width));
    EXPECT_TRUE(u.irq());
    EXPECT_EQ(u.peek(at::ovf), 1u);
    EXPECT_EQ(u.read(at::cycles, true), of);
    EXPECT_EQ(u.read(at::cycles, true), of | 1);
}

INSTANTIATE_TEST_SUITE_P(All, Width, testing::Range(32u, 65u));

TEST(Overflow, OfIsStickyAndThereIsNoPmipWhileItIs1)
{
    Unit u({2, 32});
    arm(u, 2, all_of(32));
    u.report(by(1));
    u.step();
    u.silence();
    EXPECT_EQ(u.peek(at::ovf), 4u);
    EXPECT_EQ(u.peek(at::evt(2), true), of | 1);
    EXPECT_EQ(u.peek(at::ipsr), pmip);
    u.write_half(at::ipsr, pmip);
    EXPECT_FALSE(u.irq());
    EXPECT_EQ(u.peek(at::ovf), 4u) << "OF is not pmip";

    u.write(at::counter(2), all_of(32));
    u.report(by(1));
    u.step();
    EXPECT_EQ(u.value(2), 0u);
    EXPECT_EQ(u.peek(at::ovf), 4u);
    EXPECT_FALSE(u.irq()) << "OF is still 1";

    u.silence();
    u.write(at::evt(2), 1); // OF 0
    EXPECT_EQ(u.peek(at::ovf), 0u);
    u.write(at::counter(2), all_of(32));
    u.report(by(1));
    u.step();
    EXPECT_TRUE(u.irq());
}

TEST(Overflow, OfAnotherCounterDoesNotHoldIt)
{
    for (unsigned n = 0; n <= 31; n++) {
        Unit u({31, 32});
        for (unsigned k = 1; k <= 31; k++)
            u.write(at::evt(k), 1 | (k == n ? 0 : of));
        u.write(at::cycles, n == 0 ? all_of(32) : of);
        if (n == 0) {
            u.step();
        } else {
            u.write(at::counter(n), all_of(32));
            u.report(by(1));
            u.step();
        }
        EXPECT_TRUE(u.irq()) << n;
        EXPECT_EQ(u.peek(at::ovf), 0xFFFFFFFFu);
    }
}

TEST(Overflow, SoftwareSetsOfWithoutPmip)
{
    Unit u;
    u.write(at::evt(3), of);
    u.write_half(at::cycles + 4, 0x80000000);
    EXPECT_EQ(u.peek(at::ovf), 9u);
    u.step(3);
    EXPECT_FALSE(u.irq());
    u.write(at::evt(3), 0);
    u.write(at::cycles, 0);
    EXPECT_EQ(u.peek(at::ovf), 0u) << "iocountovf has no state";
}

TEST(Overflow, IpsrIsClearedByBit2Alone)
{
    Unit u({2, 32});
    arm(u, 1, all_of(32));
    u.report(by(1));
    u.step();
    u.silence();
    u.write_half(at::ipsr, ~uint64_t{pmip});
    EXPECT_EQ(u.peek(at::ipsr), pmip);
    u.write_half(at::ipsr, pmip);
    EXPECT_EQ(u.peek(at::ipsr), 0u);
}

TEST(Writes, AWrapBeatsAClearOfPmip)
{
    Unit u({2, 32});
    arm(u, 1, all_of(32));
    arm(u, 2, all_of(32));
    u.write(at::evt(2), of); // no event
    u.report(by(1));
    u.write_half(at::ipsr, pmip);
    EXPECT_TRUE(u.irq());
    u.silence();
    u.write_half(at::ipsr, pmip);
    EXPECT_FALSE(u.irq());
}

TEST(Writes, AWrittenCounterDropsTheIncrementAndItsOverflow)
{
    for (unsigned half = 0; half < 3; half++) { // low, high, both
        Unit u({2, 32});
        arm(u, 1, all_of(32));
        u.report(by(3));
        u.write(static_cast<uint16_t>(at::counter(1) + (half == 1 ? 4 : 0)), 0xFFFFFFF0, half == 2);
        EXPECT_EQ(u.value(1), half == 1 ? 0xFFFFFFFFu : 0xFFFFFFF0u);
        EXPECT_EQ(u.peek(at::ovf), 0u);
        EXPECT_FALSE(u.irq());
    }
}

TEST(Writes, AHalfLeavesTheOtherWithoutACarry)
{
    Unit u;
    arm(u, 1, 0x00000001FFFFFFFF);
    u.report(by(1));
    u.write_half(at::counter(1), 0xFFFFFFFF);
    EXPECT_EQ(u.value(1), 0x00000001FFFFFFFFu);
    u.step();
    EXPECT_EQ(u.value(1), 0x0000000200000000u);
    u.write_half(at::counter(1) + 4, 7);
    EXPECT_EQ(u.value(1), 0x0000000700000000u);
}

TEST(Writes, OfTheCyclesCounterGoesWithItsUpperHalf)
{
    Unit u;
    u.write(at::cycles, of | 5);
    u.write_half(at::cycles, 9);
    EXPECT_EQ(u.value(0), of | 9) << "the lower half keeps OF";
    u.write_half(at::cycles + 4, 0x12);
    EXPECT_EQ(u.value(0), 0x1200000009u);
    u.write(at::cycles, all_of(63));
    u.write_half(at::cycles + 4, 0xFFFFFFFF); // it would wrap
    EXPECT_EQ(u.value(0), ones) << "OF is the written one";
    EXPECT_FALSE(u.irq());
}

TEST(Writes, OfIohpmevtDropNothing)
{
    Unit u({2, 32});
    arm(u, 1, 10);
    u.report(by(3));
    u.write(at::evt(1), 2); // another event: from the next cycle on
    EXPECT_EQ(u.value(1), 13u);
    u.step(2);
    EXPECT_EQ(u.value(1), 13u);
}

TEST(Writes, AWrapBeatsAWriteOfOf)
{
    for (uint64_t before : {uint64_t{0}, of}) {
        for (uint64_t written : {uint64_t{0}, of}) {
            Unit u({2, 32});
            arm(u, 1, all_of(32));
            u.write(at::evt(1), 1 | before);
            u.report(by(1));
            u.write(at::evt(1), 8 | written);
            EXPECT_EQ(u.peek(at::evt(1), true), 8 | of);
            EXPECT_EQ(u.irq(), before == 0);
        }
    }
}

TEST(Writes, TheInhibitingOneIsCountedTheOtherNot)
{
    Unit u;
    u.write(at::evt(1), 1);
    u.report(by(2));
    u.write_half(at::inh, 2);
    EXPECT_EQ(u.value(1), 2u);
    u.step(4);
    EXPECT_EQ(u.value(1), 2u);
    u.write_half(at::inh, 0);
    EXPECT_EQ(u.value(1), 2u);
    u.step();
    EXPECT_EQ(u.value(1), 4u);
}

TEST(Writes, AnInhibitedCounterNeitherCountsNorOverflows)
{
    Unit u({2, 32});
    arm(u, 1, all_of(32));
    u.write_half(at::inh, 3);
    u.report(by(15));
    u.step(5);
    EXPECT_EQ(u.value(1), all_of(32));
    EXPECT_EQ(u.peek(at::ovf), 0u);
    EXPECT_FALSE(u.irq());
}

} // namespace
