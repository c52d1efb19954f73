// SPDX-License-Identifier: Apache-2.0
// docs/hw/uncore.md, "What the unit tells" and "Counting" while nobody writes.
#include "unit.hpp"

namespace
{

TEST(UncoreCounting, TheWriteThatStartsIsNotCountedTheOneThatStopsIs)
{
    Unit u;

    u.set_up(0, 0);
    u.write(CTL, EN); // e = 2: counts from 3 on
    EXPECT_EQ(0u, u.read(COUNT(0)));
    EXPECT_EQ(1u, u.read(COUNT(0)));
    u.run_to(103);
    u.write(CTL, 0); // counted itself
    EXPECT_EQ(101u, u.read(COUNT(0)));
    u.run(50);
    EXPECT_EQ(101u, u.read(COUNT(0)));
}

TEST(UncoreCounting, OnStartsAndStopsOneCounter)
{
    Unit u;

    u.write(CTL, EN);
    u.write(SELECT(1), ON); // e = 1
    u.run_to(10);
    EXPECT_EQ(8u, u.read(COUNT(1)));
    EXPECT_EQ(0u, u.read(COUNT(0)));
    u.write(SELECT(1), 0); // e = 12
    EXPECT_EQ(11u, u.read(COUNT(1)));
    EXPECT_EQ(11u, u.read(COUNT(1)));
}

TEST(UncoreCounting, AnotherEventCountsFromTheNextCycleOn)
{
    Unit u;

    u.inc(5, 3);
    u.inc(6, 11);
    u.set_up(0, 5);
    u.write(CTL, EN); // e = 2
    u.run_to(10);
    u.write(SELECT(0), ON | 6); // cycles 3..10 are of event 5
    u.run_to(20);
    EXPECT_EQ(8 * 3 + 9 * 11u, u.read(COUNT(0)));
}

TEST(UncoreCounting, AllSixteenBitsOfTheEventAreAsked)
{
    Unit u(straps(16));

    for (unsigned bit = 0; bit < 16; bit++) {
        u.inc(1u << bit, bit);
        u.set_up(bit, 1u << bit);
    }
    u.write(CTL, EN);
    u.run(10);
    for (unsigned n = 0; n < 16; n++)
        EXPECT_EQ((10 + n) * n, u.read(COUNT(n)));
}

TEST(UncoreCounting, EventZeroIsTheClock)
{
    Unit u(straps(2, 64));

    u.set_up(1, 0);
    u.write(CTL, EN);
    u.run(1000000000000);
    EXPECT_EQ(1000000000000u, u.read(COUNT(1)));
}

// Every increment counts in its own cycle.
TEST(UncoreCounting, IncrementsOfZeroToFifteen)
{
    for (unsigned increment = 0; increment < 16; increment++) {
        Unit u;

        u.pulse(9, 20, increment);
        u.set_up(0, 9);
        u.write(CTL, EN);
        u.run_to(20);
        EXPECT_EQ(0u, u.read(COUNT(0)));
        EXPECT_EQ(increment, u.read(COUNT(0)));
        EXPECT_EQ(increment, u.read(COUNT(0)));
    }
}

TEST(UncoreCounting, AnEventThatTheUnitDoesNotKnowCountsNothing)
{
    Unit u;

    u.set_up(0, 0x777);
    u.write(CTL, EN);
    u.run(1000);
    EXPECT_EQ(0u, u.read(COUNT(0)));
}

TEST(UncoreCounting, ModuloTwoToTheWidth)
{
    for (unsigned width : {8u, 9u, 31u, 32u, 33u, 48u, 63u, 64u}) {
        Unit u(straps(1, width));

        u.inc(4, 15);
        u.set_up(0, 4, all_ones(width) - 16);
        u.write(CTL, EN);
        EXPECT_EQ(all_ones(width) - 16, u.read(COUNT(0)));
        EXPECT_EQ(all_ones(width) - 1, u.read(COUNT(0)));
        EXPECT_EQ(13u, u.read(COUNT(0))) << width;
        EXPECT_EQ(1u, u.read(OVF));
    }
}

// It is read without stopping, and reading costs it nothing.
TEST(UncoreCounting, ReadingDoesNotDisturb)
{
    Unit u(straps(4, 8));

    u.inc(4, 15);
    u.set_up(0, 4);
    u.write(CTL, EN);
    for (unsigned i = 0; i < 100; i++)
        EXPECT_EQ(15 * i & 0xFF, u.read(COUNT(0)));
    EXPECT_EQ(1u, u.read(OVF));
}

TEST(UncoreCounting, CountersAreOnTheirOwn)
{
    Unit u(straps(16, 12));

    for (unsigned n = 0; n < 16; n++) {
        u.inc(100 + n, n);
        u.set_up(n, 100 + n, n << 8);
    }
    u.write(SELECT(7), 107); // off
    u.write(CTL, EN);
    u.run(20);
    u.write(CTL, 0); // 21 cycles
    for (unsigned n = 0; n < 16; n++)
        EXPECT_EQ(((n << 8) + (n == 7 ? 0 : 21 * n)) & 0xFFF, u.read(COUNT(n)));
}

// A counter costs one sum when somebody asks, and nothing when it cannot overflow.
TEST(UncoreCost, IsThatOfAccesses)
{
    Unit u(straps(16, 48));

    for (unsigned n = 0; n < 16; n++)
        u.set_up(n, 0);
    u.write(IE, 0xFFFF);
    u.write(CTL, EN | FREEZE);
    u.sums = u.reaches = 0;
    for (unsigned i = 0; i < 10000; i++)
        u.run(1000);
    EXPECT_EQ(0u, u.sums + u.reaches);
    EXPECT_EQ(10000000u, u.read(COUNT(3)));
    EXPECT_EQ(1u, u.sums + u.reaches);
    EXPECT_EQ(10000000u, u.read(COUNT(4)) - 1);
    EXPECT_EQ(2u, u.sums + u.reaches);
    u.write(COUNT(3), 0);
    EXPECT_LE(u.sums + u.reaches, 3u);
}

TEST(UncoreCost, IsThatOfOverflows)
{
    Unit u(straps(1, 32));

    u.set_up(0, 0);
    u.write(IE, 1);
    u.write(CTL, EN);
    const cs_cycle start = u.t;
    u.sums = u.reaches = 0;
    for (unsigned i = 0; i < 100; i++)
        u.run(1ull << 25);
    EXPECT_FALSE(u.irq());
    EXPECT_LT(u.sums + u.reaches, 200u);
    u.run_to(start + (1ull << 32) - 1);
    EXPECT_FALSE(u.irq());
    u.run(1);
    EXPECT_TRUE(u.irq());
    EXPECT_LT(u.sums + u.reaches, 300u);
}

// Flags that ask for nothing are found by the read.
TEST(UncoreCost, FlagsWithoutInterruptAreNotSearched)
{
    Unit u(straps(4, 8));

    for (unsigned n = 0; n < 4; n++)
        u.set_up(n, 0);
    u.write(CTL, EN);
    u.sums = u.reaches = 0;
    u.run(1000000);
    EXPECT_EQ(0u, u.sums + u.reaches);
    EXPECT_EQ(0xFu, u.read(OVF));
    EXPECT_EQ(4u, u.sums);
    EXPECT_EQ(0u, u.reaches);
}

} // namespace
