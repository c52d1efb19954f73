// SPDX-License-Identifier: Apache-2.0
// docs/hw/uncore.md, "Counting": flags, freeze, "Interrupt", and the records of the line.
#include "unit.hpp"

namespace
{

using Levels = std::vector<std::pair<cs_cycle, uint64_t>>;

// Counter 0, event 4, is `missing` short of 2^W; then EN.
void start(Unit &u, uint64_t missing, unsigned width, uint64_t ctl = EN)
{
    u.set_up(0, 4, all_ones(width) - missing + 1);
    u.write(CTL, ctl);
}

TEST(UncoreOverflow, AtTwoToTheWidthAndNotBefore)
{
    for (unsigned width : {8u, 16u, 32u, 33u, 48u, 64u}) {
        for (unsigned increment = 0; increment < 16; increment++) {
            for (unsigned missing = 1; missing < 17; missing++) {
                Unit u(straps(1, width));

                u.pulse(4, 10, increment);
                start(u, missing, width);
                u.run_to(10);
                EXPECT_EQ(0u, u.read(OVF));
                EXPECT_EQ(increment >= missing, u.read(OVF)) << increment << " " << missing;
                EXPECT_EQ((increment - uint64_t{missing}) & all_ones(width), u.read(COUNT(0)));
            }
        }
    }
}

TEST(UncoreOverflow, TheFlagStaysAndOneIsForSeveral)
{
    Unit u(straps(2, 8));

    u.inc(4, 15);
    start(u, 1, 8);
    u.run(1000);
    EXPECT_EQ(1u, u.read(OVF));
    EXPECT_EQ(1u, u.read(OVF));
    u.write(CTL, 0);
    EXPECT_EQ(1u, u.read(OVF));
    u.write(OVF, 1);
    EXPECT_EQ(0u, u.read(OVF));
}

TEST(UncoreOverflow, EachCounterHasItsFlag)
{
    Unit u(straps(16, 8));

    for (unsigned n = 0; n < 16; n++)
        u.set_up(n, 100 + n, 0xFF);
    u.write(CTL, EN);
    const cs_cycle at = u.t;
    for (unsigned n = 0; n < 16; n++)
        u.pulse(100 + n, at + n, 1);
    for (unsigned n = 0; n < 16; n++)
        EXPECT_EQ((1u << n) - 1, u.read(OVF));
}

TEST(UncoreOverflow, WithoutFreezeItCountsOn)
{
    Unit u(straps(1, 8));

    u.inc(4, 10);
    start(u, 1, 8);
    u.run(4);
    EXPECT_EQ(39u, u.read(COUNT(0)));
    EXPECT_EQ(EN, u.read(CTL));
}

TEST(UncoreFreeze, AnOverflowInTClearsEnInTPlusOne)
{
    Unit u(straps(3, 8));

    u.inc(4, 5);
    u.set_up(1, 0);
    u.set_up(2, 4, 10);
    start(u, 16, 8, EN | FREEZE);
    u.run(3);
    EXPECT_EQ(EN | FREEZE, u.read(CTL)); // the cycle of the overflow, the fourth
    EXPECT_EQ(FREEZE, u.read(CTL));
    u.run(100);
    // All counted in it, nobody after it.
    EXPECT_EQ(4u, u.read(COUNT(0)));
    EXPECT_EQ(4u, u.read(COUNT(1)));
    EXPECT_EQ(30u, u.read(COUNT(2)));
    EXPECT_EQ(1u, u.read(OVF));
}

TEST(UncoreFreeze, FoundWhenTheCyclesAreOneBlock)
{
    for (unsigned first = 0; first < 3; first++) {
        Unit u(straps(3, 8));

        for (unsigned n = 0; n < 3; n++)
            u.set_up(n, 0, n == first ? 0x80 : 0x20);
        u.write(CTL, EN | FREEZE);
        u.run(100000);
        EXPECT_EQ(1u << first, u.read(OVF));
        for (unsigned n = 0; n < 3; n++)
            EXPECT_EQ(n == first ? 0u : 0xA0u, u.read(COUNT(n)));
    }
}

TEST(UncoreFreeze, TwoThatOverflowInOneCycleHaveBothFlags)
{
    Unit u(straps(2, 8));

    u.set_up(0, 0, 0xFA);
    u.set_up(1, 0, 0xFA);
    u.write(CTL, EN | FREEZE);
    u.run(1000);
    EXPECT_EQ(3u, u.read(OVF));
    EXPECT_EQ(0u, u.read(COUNT(0)) | u.read(COUNT(1)));
}

TEST(UncoreFreeze, AlsoByOneWhoseFlagIsSetAlready)
{
    Unit u(straps(1, 8));

    u.set_up(0, 0, 0xFA);
    u.write(CTL, EN | FREEZE);
    u.run(1000);
    u.write(CTL, EN | FREEZE); // OVF 0 is set
    EXPECT_EQ(0u, u.read(COUNT(0)));
    u.run(1000);
    EXPECT_EQ(FREEZE, u.read(CTL));
    EXPECT_EQ(0u, u.read(COUNT(0)));
}

TEST(UncoreInterrupt, FollowsAnyFlagThatAsks)
{
    Unit u(straps(4, 8));

    u.set_up(2, 0, 0xF0);
    u.write(IE, 4);
    u.write(CTL, EN);
    const cs_cycle up = u.t + 16; // the overflow is in the cycle before
    EXPECT_EQ(up, u.next());
    u.run_to(up - 1);
    EXPECT_FALSE(u.irq());
    EXPECT_EQ(up, u.next());
    u.run(1);
    EXPECT_TRUE(u.irq());
    EXPECT_EQ(CS_NEVER, u.next());
    EXPECT_EQ((Levels{{up, 1}}), u.levels());
    u.run(1000);
    EXPECT_EQ((Levels{{up, 1}}), u.levels());
    const cs_cycle down = u.t + 1;
    u.write(OVF, 4);
    EXPECT_FALSE(u.irq());
    EXPECT_EQ((Levels{{up, 1}, {down, 0}}), u.levels());
}

TEST(UncoreInterrupt, RecordedWhenTheCyclesAreOneBlock)
{
    Unit u(straps(4, 8));

    u.set_up(3, 0, 0xF0);
    u.write(IE, 0xF);
    u.write(CTL, EN);
    const cs_cycle up = u.t + 16;
    u.run(100000);
    EXPECT_EQ((Levels{{up, 1}}), u.levels());
}

TEST(UncoreInterrupt, IeMasksIt)
{
    Unit u(straps(2, 8));

    u.set_up(0, 0, 0xF0);
    u.set_up(1, 0, 0xE0);
    u.write(IE, 2);
    u.write(CTL, EN);
    const cs_cycle up = u.t + 32;
    EXPECT_EQ(up, u.next());
    u.run(1000);
    EXPECT_EQ((Levels{{up, 1}}), u.levels());
}

TEST(UncoreInterrupt, IeWrittenLaterFindsTheFlag)
{
    Unit u(straps(2, 8));

    u.set_up(1, 0, 0xF0);
    u.write(CTL, EN);
    u.run(100);
    EXPECT_FALSE(u.irq());
    EXPECT_EQ(CS_NEVER, u.next());
    u.write(IE, 2);
    EXPECT_TRUE(u.irq());
    EXPECT_EQ((Levels{{u.t, 1}}), u.levels());
    u.write(IE, 1);
    EXPECT_FALSE(u.irq());
    EXPECT_EQ(u.t, u.levels().back().first);
    EXPECT_EQ(2u, u.read(OVF));
}

// The second flag came while the line was high.
TEST(UncoreInterrupt, StaysForASecondFlag)
{
    Unit u(straps(2, 8));

    u.set_up(0, 0, 0xF0);
    u.set_up(1, 0, 0xE0);
    u.write(IE, 3);
    u.write(CTL, EN);
    const cs_cycle up = u.t + 16;
    u.run(200);
    u.write(OVF, 1);
    EXPECT_TRUE(u.irq());
    u.write(OVF, 2);
    EXPECT_FALSE(u.irq());
    EXPECT_EQ(2u, u.levels().size());
    EXPECT_EQ(up, u.levels()[0].first);
    EXPECT_EQ(u.t, u.levels()[1].first);
}

TEST(UncoreInterrupt, TwoOverflowsOfOneCounterAreOneChange)
{
    Unit u(straps(1, 8));

    u.set_up(0, 0);
    u.write(IE, 1);
    u.write(CTL, EN);
    u.run(10000);
    EXPECT_EQ(1u, u.levels().size());
    u.write(OVF, 1);
    u.run(10000);
    EXPECT_EQ(3u, u.levels().size());
}

TEST(UncoreNext, NeverWhenNothingCanComeOrSomebodyFreezesFirst)
{
    Unit u(straps(2, 8));

    EXPECT_EQ(CS_NEVER, u.next());
    u.set_up(0, 0, 0x80);
    u.set_up(1, 0, 0x20);
    u.write(IE, 2);
    EXPECT_EQ(CS_NEVER, u.next()); // EN is 0
    u.write(CTL, EN);
    EXPECT_EQ(u.t + 0xE0, u.next());
    u.write(CTL, EN | FREEZE);
    EXPECT_EQ(CS_NEVER, u.next()); // counter 0 stops both
    u.write(SELECT(0), 0);
    EXPECT_EQ(u.t + 0xE0 - 2, u.next());
    u.write(SELECT(1), ON | 9); // in which nothing happens
    EXPECT_EQ(CS_NEVER, u.next());
}

TEST(UncoreNext, TheSameCycleIsNotTooLate)
{
    Unit u(straps(2, 8));

    u.set_up(0, 0, 0x20);
    u.set_up(1, 0, 0x20);
    u.write(IE, 2);
    u.write(CTL, EN | FREEZE);
    const cs_cycle up = u.t + 0xE0;
    EXPECT_EQ(up, u.next());
    u.run(1000);
    EXPECT_EQ((Levels{{up, 1}}), u.levels());
    EXPECT_EQ(3u, u.read(OVF));
}

TEST(UncoreNext, AtSixtyFourBits)
{
    Unit u(straps(1, 64));

    u.set_up(0, 0);
    u.write(IE, 1);
    u.write(CTL, EN);
    EXPECT_EQ(CS_NEVER, u.next()); // 2^64 cycles are missing
    u.write(COUNT(0), ~0ull - 1000);
    EXPECT_EQ(u.t + 1001, u.next());
    u.write(COUNT(0), ~0ull);
    EXPECT_EQ(u.t + 1, u.next());
}

TEST(UncoreNext, DoesNotChangeAnything)
{
    Unit u(straps(2, 8));

    u.set_up(0, 0);
    u.write(IE, 1);
    u.write(CTL, EN);
    const cs_cycle next = u.next();
    EXPECT_EQ(next, u.next());
    EXPECT_EQ(cs_uncore_now(u.uncore()), u.t);
    EXPECT_TRUE(u.levels().empty());
}

} // namespace
