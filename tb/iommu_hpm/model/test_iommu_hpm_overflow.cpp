// SPDX-License-Identifier: Apache-2.0
// docs/hw/iommu_hpm.md, "Overflow", "Interrupt" and Checks 2, 7, 9, 10.
#include "unit.hpp"

namespace
{

using Levels = std::vector<std::pair<cs_cycle, uint64_t>>;

constexpr uint64_t top(unsigned width)
{
    return ~0ull >> (64 - width);
}

// Check 2: a counter wraps behind its last bit, and not before.
TEST(IommuHpmOverflow, ComesWithTheWholeWidth)
{
    for (const unsigned width : {32u, 48u, 63u, 64u}) {
        Unit unit(2, width);
        unit.write(CTR(2), top(width) - 1);
        unit.write(EVT(2), 1);
        unit.pulse(10, 1);
        unit.pulse(20, 1);
        unit.run_to(20);
        EXPECT_EQ(21u, unit.next()) << width;
        EXPECT_EQ(0u, unit.read(IOCOUNTOVF)) << width; // in cycle 20
        EXPECT_EQ(4u, unit.read(IOCOUNTOVF)) << width;
        EXPECT_EQ(PMIP, unit.read(IPSR));
        EXPECT_EQ(0u, unit.read(CTR(2)));
        EXPECT_EQ(OF | 1, unit.read(EVT(2)));
        EXPECT_TRUE(unit.irq());
        EXPECT_EQ(CS_NEVER, unit.next());
        EXPECT_EQ((Levels{{21, 1}}), unit.levels());
    }
}

TEST(IommuHpmOverflow, OfTheCyclesCounterIsBit63)
{
    for (const unsigned width : {32u, 63u, 64u}) {
        const unsigned bits = width == 64 ? 63 : width;
        Unit unit(1, width);
        unit.write(CYCLES, top(bits) - 9); // cycle 0: in cycle 1 it is that
        EXPECT_EQ(11u, unit.next());
        unit.run_to(12);
        EXPECT_TRUE(unit.irq());
        EXPECT_EQ(OF | 1, unit.read(CYCLES)) << width;
        EXPECT_EQ(1u, unit.read(IOCOUNTOVF));
        EXPECT_EQ((Levels{{11, 1}}), unit.levels());
        unit.write4(CYCLES, 5); // keeps OF
        EXPECT_EQ(OF | 5, unit.read(CYCLES));
        unit.write4(CYCLES + 4, 0);
        EXPECT_EQ(6u, unit.read(CYCLES)); // the increment of the write is lost
        EXPECT_EQ(PMIP, unit.read(IPSR));
    }
}

// Check 7: while OF is 1 another wrap sets no pmip, nor does software that sets OF.
TEST(IommuHpmOverflow, OfIsStickyAndGuardsPmip)
{
    Unit unit(1);
    unit.write(EVT(1), OF | 1);
    unit.write(CTR(1), ~0ull);
    unit.pulse(10, 1);
    EXPECT_EQ(CS_NEVER, unit.next());
    unit.run_to(20);
    EXPECT_EQ(0u, unit.read(CTR(1)));
    EXPECT_EQ(OF | 1, unit.read(EVT(1)));
    EXPECT_EQ(0u, unit.read(IPSR));
    unit.write(EVT(1), 1);
    unit.write(CTR(1), ~0ull);
    unit.pulse(30, 1);
    unit.run_to(31);
    EXPECT_EQ(PMIP, unit.read(IPSR));
    unit.write(IPSR, PMIP);
    EXPECT_EQ(0u, unit.read(IPSR));
    EXPECT_EQ(OF | 1, unit.read(EVT(1))); // it is not ipsr's
    unit.write(CTR(1), ~0ull);
    unit.pulse(40, 1);
    unit.run_to(41);
    EXPECT_EQ(0u, unit.read(IPSR));
    EXPECT_EQ((Levels{{31, 1}, {33, 0}}), unit.levels());
}

// Check 9.
TEST(IommuHpmOverflow, AWrapWinsOverTheWriteThatClears)
{
    for (const cs_cycle at : {19u, 20u, 21u}) {
        Unit unit(2);
        unit.write(EVT(1), 1);
        unit.write(EVT(2), 2);
        unit.write(CTR(1), ~0ull);
        unit.write(CTR(2), ~0ull);
        unit.pulse(10, 1);
        unit.pulse(at, 2);
        unit.run_to(20);
        unit.write(IPSR, PMIP);
        EXPECT_EQ(at == 20, unit.irq()) << at; // one of cycle 19 is cleared, that of 21 comes
        unit.run_to(22);
        EXPECT_EQ(at >= 20, unit.irq()) << at;
        EXPECT_EQ(6u, unit.read(IOCOUNTOVF));
    }
    Unit unit(1);
    unit.write(CTR(1), ~0ull);
    unit.write(EVT(1), 1);
    unit.pulse(5, 1);
    unit.run_to(8);
    unit.write(IPSR, 0xfffffffb); // no bit of it
    EXPECT_TRUE(unit.irq());
}

TEST(IommuHpmOverflow, AWriteOfIohpmevtCannotHideAWrap)
{
    for (const bool of : {false, true}) {
        Unit unit(1);
        unit.write(CTR(1), ~0ull);
        unit.write(EVT(1), 1 | (of ? OF : 0));
        unit.pulse(10, 1, 3);
        unit.run_to(10);
        unit.write(EVT(1), 5); // in the cycle of the wrap
        EXPECT_EQ(OF | 5, unit.read(EVT(1)));
        EXPECT_EQ(2u, unit.read(CTR(1)));
        EXPECT_EQ(!of, unit.irq());
    }
}

// Each of several counters that wrap in the cycle of the write.
TEST(IommuHpmOverflow, AWriteOfIohpmevtHidesNoneOfSeveralWraps)
{
    for (unsigned written = 1; written <= 3; written++) {
        Unit unit(3);
        for (unsigned n = 1; n <= 3; n++) {
            unit.write(CTR(n), ~0ull);
            unit.write(EVT(n), 1);
        }
        unit.pulse(10, 1);
        unit.run_to(10);
        unit.write(EVT(written), 2);
        EXPECT_EQ(0xeu, unit.read(IOCOUNTOVF)) << written;
    }
}

// Check 10: halves.
TEST(IommuHpmOverflow, AWrittenHalfDropsTheWrap)
{
    for (const uint32_t half : {0u, 4u}) {
        Unit unit(1);
        unit.write(CTR(1), ~0ull);
        unit.write(EVT(1), 1);
        unit.pulse(10, 1);
        unit.run_to(10);
        unit.write4(CTR(1) + half, 0xffffffff);
        EXPECT_EQ(~0ull, unit.read(CTR(1)));
        EXPECT_EQ(0u, unit.read(IOCOUNTOVF));
        EXPECT_FALSE(unit.irq());
    }
    // A carry goes from half to half.
    Unit unit(1);
    unit.write(CTR(1), 0x7ffffffff);
    unit.write(EVT(1), 1);
    unit.pulse(10, 1, 2);
    unit.run_to(12);
    EXPECT_EQ(8u, unit.read4(CTR(1) + 4));
    EXPECT_EQ(1u, unit.read4(CTR(1)));
}

TEST(IommuHpmOverflow, AnInhibitedCounterNeverWraps)
{
    Unit unit(2);
    unit.write(CTR(1), ~0ull);
    unit.write(EVT(1), 1);
    unit.write(IOCOUNTINH, 3);
    unit.pulse(10, 1);
    unit.run_to(12);
    EXPECT_FALSE(unit.irq());
    EXPECT_EQ(CS_NEVER, unit.next());
}

TEST(IommuHpmOverflow, WhatFillsACounterDoesNotWrapIt)
{
    Unit unit(1);
    unit.write(CTR(1), ~0ull - 5);
    unit.write(EVT(1), 1);
    unit.pulse(10, 1, 5);
    EXPECT_EQ(CS_NEVER, unit.next());
    unit.run_to(20);
    EXPECT_EQ(~0ull, unit.read(CTR(1)));
    unit.pulse(30, 1);
    EXPECT_EQ(31u, unit.next());
}

TEST(IommuHpmOverflow, TheFirstOfAllIsForetold)
{
    Unit unit(3);
    for (unsigned n = 1; n <= 3; n++) {
        unit.write(CTR(n), ~0ull - n);
        unit.write(EVT(n), n);
    }
    unit.pulse(1000, 1, 5);
    unit.pulse(900, 2, 5);
    unit.pulse(950, 3, 5);
    EXPECT_EQ(901u, unit.next());
    unit.run_to(2000);
    EXPECT_EQ((Levels{{901, 1}}), unit.levels());
    EXPECT_EQ(0xeu, unit.read(IOCOUNTOVF));
    cs_iommu_hpm_reset(unit.iommu(), 3000);
    EXPECT_EQ((Levels{{901, 1}, {3000, 0}}), unit.levels());
    EXPECT_FALSE(unit.irq());
}

// Sums end at 2^56.
TEST(IommuHpmOverflow, NoneIsForetoldBehindTheLastCycle)
{
    Unit unit(1);
    unit.run_to((cs_cycle{1} << 56) + 100);
    EXPECT_EQ(unit.t, unit.read(CYCLES) + 1);
    EXPECT_EQ(CS_NEVER, unit.next());
}

TEST(IommuHpmOverflow, OneThatWouldBeSeenInAResetIsNot)
{
    for (const cs_cycle reset : {11u, 12u}) {
        Unit unit(1);
        unit.write(CTR(1), ~0ull);
        unit.write(EVT(1), 1);
        unit.pulse(10, 1);
        cs_iommu_hpm_reset(unit.iommu(), reset);
        EXPECT_EQ(reset == 12 ? (Levels{{11, 1}, {12, 0}}) : Levels{}, unit.levels());
    }
}

} // namespace
