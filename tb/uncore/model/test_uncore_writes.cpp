// SPDX-License-Identifier: Apache-2.0
// docs/hw/uncore.md, "Writes against counting". In each test counter 0 overflows in cycle 20 with
// an increment of 7 on 0xFE, and has a second increment of 2 in cycle 21; the write is in 20.
#include "unit.hpp"

namespace
{

struct Meeting {
    Unit u{straps(2, 8)};

    explicit Meeting(uint64_t ctl = EN, uint64_t ie = 1)
    {
        u.pulse(4, 20, 7);
        u.pulse(4, 21, 2);
        u.set_up(0, 4, 0xFE);
        u.set_up(1, 0, 0);
        u.write(IE, ie);
        u.write(CTL, ctl); // e = 5
        u.run_to(20);
    }
    void expect(uint64_t count0, uint64_t ovf, uint64_t ctl, bool irq)
    {
        EXPECT_EQ(irq, u.irq());
        EXPECT_EQ(ctl, u.read(CTL)); // in 21
        EXPECT_EQ(ovf, u.read(OVF));
        EXPECT_EQ(count0, u.read(COUNT(0)));
        if (irq) {
            EXPECT_EQ(21u, u.levels().at(0).first);
        }
        EXPECT_EQ(irq ? 1u : 0u, u.levels().size());
    }
};

TEST(UncoreWrites, ToACounterDropItsIncrementAndItsFlag)
{
    Meeting m;
    m.u.write(COUNT(0), 0x40);
    m.expect(0x42, 0, EN, false);
    EXPECT_EQ(18u, m.u.read(COUNT(1))); // 6..23: the other lost nothing
}

TEST(UncoreWrites, ToOneHalfOfACounterToo)
{
    Meeting low;
    low.u.write4(COUNT(0), 0x40);
    low.expect(0x42, 0, EN, false);

    // A half that has no bits: what it was in e stays.
    Meeting high;
    high.u.write4(COUNT(0) + 4, 0x40);
    EXPECT_FALSE(high.u.irq());
    EXPECT_EQ(0xFEu, high.u.read(COUNT(0))); // in 21, in which it overflows
    EXPECT_EQ(1u, high.u.read(OVF));
    EXPECT_EQ((std::vector<std::pair<cs_cycle, uint64_t>>{{22, 1}}), high.u.levels());
}

TEST(UncoreWrites, ToAnotherCounterDropNothing)
{
    Meeting m;
    m.u.write(COUNT(1), 0x40);
    m.expect(7, 1, EN, true);
    EXPECT_EQ(0x43u, m.u.read(COUNT(1)));
}

TEST(UncoreWrites, ResetDropsAllIncrements)
{
    Meeting m;
    m.u.write(CTL, RESET | EN);
    m.expect(2, 0, EN, false);
    EXPECT_EQ(3u, m.u.read(COUNT(1)));
}

TEST(UncoreWrites, ResetGoesWithAnyEnAndFreeze)
{
    for (uint64_t ctl : {uint64_t{0}, EN, FREEZE, EN | FREEZE}) {
        Meeting m(EN | FREEZE);
        m.u.write(CTL, RESET | ctl);
        m.expect(ctl & EN ? 2 : 0, 0, ctl, false);
    }
}

TEST(UncoreWrites, ResetKeepsFlagsAndSelects)
{
    Unit u(straps(2, 8));

    u.set_up(1, 0, 0xF0);
    u.write(CTL, EN);
    u.run(100);
    u.write(CTL, RESET);
    EXPECT_EQ(2u, u.read(OVF));
    EXPECT_EQ(ON, u.read(SELECT(1)));
    EXPECT_EQ(0u, u.read(COUNT(1)));
}

TEST(UncoreWrites, HardwaresSetWinsOverTheClear)
{
    Meeting m;
    m.u.write(OVF, 3);
    m.expect(7, 1, EN, true);
}

TEST(UncoreWrites, TheClearOfTheCycleAfterClears)
{
    Meeting m;
    m.u.read(CTL);
    m.u.write(OVF, 1);
    EXPECT_EQ(0u, m.u.read(OVF));
    EXPECT_EQ((std::vector<std::pair<cs_cycle, uint64_t>>{{21, 1}, {22, 0}}), m.u.levels());
}

TEST(UncoreWrites, TheClearOfTheCycleBeforeIsTooEarly)
{
    Unit u(straps(1, 8));

    u.set_up(0, 0, 0xF0);
    u.write(CTL, EN);
    u.run(14);
    u.write(OVF, 1);
    EXPECT_EQ(0u, u.read(OVF)); // its last cycle at 0xFF
    EXPECT_EQ(1u, u.read(OVF));
}

TEST(UncoreWrites, OvfTakesOnesOnly)
{
    Unit u(straps(4, 8));

    for (unsigned n = 0; n < 4; n++)
        u.set_up(n, 0, 0xFF);
    u.write(CTL, EN);
    u.run(1);
    u.write(CTL, 0);
    u.write(OVF, 0);
    EXPECT_EQ(0xFu, u.read(OVF));
    u.write(OVF, ~0xAull & ~5ull);
    EXPECT_EQ(0xFu, u.read(OVF));
    u.write(OVF, 0xA);
    EXPECT_EQ(0x5u, u.read(OVF));
    u.write(OVF, 0x5ull << 32);
    EXPECT_EQ(0x5u, u.read(OVF));
}

TEST(UncoreWrites, TheWriteThatStopsIsCountedWithItsOverflow)
{
    Meeting m;
    m.u.write(CTL, 0);
    m.expect(5, 1, 0, true);
}

TEST(UncoreWrites, SelectOfTheCycleItself)
{
    Meeting off;
    off.u.write(SELECT(0), 4);
    off.expect(5, 1, EN, true);

    Meeting other;
    other.u.write(SELECT(0), ON); // the clock: 21 and 22
    other.expect(7, 1, EN, true);
}

TEST(UncoreWrites, TheFreezeWinsOverAWriteOfEn)
{
    Meeting m(EN | FREEZE);
    m.u.write(CTL, EN | FREEZE);
    m.expect(5, 1, FREEZE, true);
}

TEST(UncoreWrites, TheFreezeOfTheCycleItselfIsTheOldOne)
{
    // FREEZE is taken back in the same cycle: it acted.
    Meeting back(EN | FREEZE);
    back.u.write(CTL, EN);
    back.expect(5, 1, 0, true);

    // FREEZE is written in the cycle of the overflow: too late.
    Meeting late(EN);
    late.u.write(CTL, EN | FREEZE);
    late.expect(7, 1, EN | FREEZE, true);
}

TEST(UncoreWrites, AFreezeInTheCycleOfAnyWrite)
{
    const struct {
        uint32_t offset;
        uint64_t data;
        uint64_t count0, ovf;
        bool irq;
    } cases[] = {
        {ID, 0, 5, 1, true},          {OVF, 1, 5, 1, true},      {IE, 0, 5, 1, false},
        {SELECT(0), ON, 5, 1, true},  {0x80, 0, 5, 1, true},     {SELECT(1), ON, 5, 1, true},
        {COUNT(1), 0x40, 5, 1, true}, {COUNT(2), 1, 5, 1, true},
    };

    for (const auto &c : cases) {
        Meeting m(EN | FREEZE);
        m.u.write(c.offset, c.data);
        m.expect(c.count0, c.ovf, FREEZE, c.irq);
        // The clock counted 6..20, if it was not written.
        EXPECT_EQ(c.offset == COUNT(1) ? 0x40u : 15u, m.u.read(COUNT(1)));
    }
}

TEST(UncoreWrites, AnOverflowThatIsDroppedDoesNotFreeze)
{
    Meeting m(EN | FREEZE);
    m.u.write(COUNT(0), 0x40);
    m.expect(0x42, 0, EN | FREEZE, false);
}

TEST(UncoreWrites, IeOfTheNextCycleDecides)
{
    Meeting off;
    off.u.write(IE, 0);
    off.expect(7, 1, EN, false);

    Meeting on(EN, 0);
    on.u.write(IE, 1);
    on.expect(7, 1, EN, true);
}

TEST(UncoreWrites, AHalfLeavesTheOtherAsItWasInItsCycle)
{
    Unit u(straps(1, 64));

    u.set_up(0, 0, 0x1'FFFFFFFE);
    u.write(CTL, EN); // e = 2: 0x1'FFFFFFFE in 3
    u.run_to(4);
    u.write4(COUNT(0) + 4, 7); // 0x1'FFFFFFFF in 4: its carry is dropped
    EXPECT_EQ(0x7'FFFFFFFFu, u.read(COUNT(0)));
    EXPECT_EQ(0x8'00000000u, u.read(COUNT(0)));
    u.write4(COUNT(0), 0xFFFFFFFF);
    EXPECT_EQ(0x8'FFFFFFFFu, u.read(COUNT(0)));
    EXPECT_EQ(0x9'00000000u, u.read(COUNT(0)));
}

TEST(UncoreWrites, OneThatWritesNothingDropsNothing)
{
    for (uint32_t offset : {ID, COUNT(2), SELECT(2), 0x20u, 0x300u}) {
        Meeting m;
        m.u.write(offset, ~0ull);
        m.expect(7, 1, EN, true);
    }
    Meeting m;
    EXPECT_EQ(CS_BUS_SLVERR, cs_uncore_write(m.u.uncore(), m.u.t++, COUNT(0) + 4, true, 0));
    m.expect(7, 1, EN, true);
}

} // namespace
