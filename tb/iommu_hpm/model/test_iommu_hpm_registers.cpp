// SPDX-License-Identifier: Apache-2.0
// docs/hw/iommu_hpm.md, "Registers", and Checks 1, 6, 8.
#include <cstring>

#include "support/refused_calloc.hpp"
#include "unit.hpp"

namespace
{

constexpr uint64_t kAllEvt = ~0ull ^ 0x7fff ^ OF; // of event 0, without OF

TEST(IommuHpmRegisters, ResetIsZeroAndTheCyclesCount)
{
    Unit unit;
    for (uint32_t offset = 0x054; offset < 0x060; offset += 4)
        EXPECT_EQ(0u, unit.read4(offset)) << offset;
    EXPECT_EQ(3u, unit.read(CYCLES)); // nothing is inhibited: cycles 0, 1, 2
    for (unsigned n = 1; n <= 7; n++) {
        EXPECT_EQ(0u, unit.read(CTR(n))) << n;
        EXPECT_EQ(0u, unit.read(EVT(n))) << n;
    }
}

// Check 1: what is there, what reads 0.
TEST(IommuHpmRegisters, OnlyTheCountersOfNAreThere)
{
    for (const unsigned counters : {1u, 2u, 7u, 30u, 31u}) {
        Unit unit(counters);
        unit.write(IOCOUNTINH, ~0u);
        EXPECT_EQ((2ull << counters) - 1, unit.read(IOCOUNTINH)) << counters;
        for (unsigned n = 1; n <= 31; n++) {
            unit.write(CTR(n), 0x1234567800000000 + n);
            unit.write(EVT(n), kAllEvt | n % 9);
        }
        for (unsigned n = 1; n <= 31; n++) {
            EXPECT_EQ(n <= counters ? 0x1234567800000000 + n : 0, unit.read(CTR(n))) << n;
            EXPECT_EQ(n <= counters ? kAllEvt | n % 9 : 0, unit.read(EVT(n))) << n;
        }
        EXPECT_EQ(0u, unit.read4(IOCOUNTOVF));
    }
}

TEST(IommuHpmRegisters, TheWidthIsWhatACounterKeeps)
{
    for (const unsigned width : {32u, 33u, 48u, 63u, 64u}) {
        Unit unit(2, width);
        unit.write(IOCOUNTINH, 7);
        for (const unsigned n : {0u, 2u}) {
            unit.write(CTR(n), ~0ull);
            // Bit 63 of iohpmcycles is its OF.
            EXPECT_EQ(~0ull >> (64 - width) | (n == 0 ? OF : 0), unit.read(CTR(n))) << width << n;
        }
    }
}

TEST(IommuHpmRegisters, HalvesAreOfTheirRegister)
{
    Unit unit;
    unit.write(IOCOUNTINH, 0xff);
    for (const uint32_t offset : {CYCLES, CTR(3), EVT(3)}) {
        unit.write(offset, 0x0123456700000005);
        unit.write4(offset + 4, 0x1abcdef0);
        EXPECT_EQ(0x1abcdef000000005u, unit.read(offset));
        unit.write4(offset, 0xffffffff00000006); // of a 4-byte access only the low half counts
        EXPECT_EQ(0x1abcdef000000006u, unit.read(offset));
        EXPECT_EQ(0x1abcdef0u, unit.read4(offset + 4));
        EXPECT_EQ(0x00000006u, unit.read4(offset));
    }
}

// An eventID that there is not stores 0, and leaves the other fields.
TEST(IommuHpmRegisters, AnEventIsOneThatThereIsOr0)
{
    Unit unit;
    for (const uint64_t event : {0ull, 1ull, 8ull, 9ull, 0x10ull, 0x4004ull, 0x7fffull}) {
        unit.write(EVT(2), kAllEvt | event);
        EXPECT_EQ(kAllEvt | (event <= 8 ? event : 0), unit.read(EVT(2))) << event;
    }
    unit.write(EVT(2), 4);
    unit.write4(EVT(2) + 4, 0x1234); // the other half has a legal one
    EXPECT_EQ(0x123400000004u, unit.read(EVT(2)));
}

// Check 8: iocountovf follows OF and cannot be written.
TEST(IommuHpmRegisters, IocountovfIsTheOfBits)
{
    Unit unit;
    unit.write(EVT(3), OF);
    unit.write(EVT(7), OF | 2);
    unit.write(CYCLES, OF);
    EXPECT_EQ(0x89u, unit.read(IOCOUNTOVF));
    unit.write4(IOCOUNTOVF, 0xff);
    unit.write4(IOCOUNTOVF, 0);
    EXPECT_EQ(0x89u, unit.read(IOCOUNTOVF));
    unit.write(EVT(3), 0);
    unit.write(CYCLES, 0);
    EXPECT_EQ(0x80u, unit.read(IOCOUNTOVF));
    EXPECT_EQ(0u, unit.read(IPSR)); // a write that sets OF is no overflow
    EXPECT_FALSE(unit.irq());
}

// Check 6.
TEST(IommuHpmRegisters, EachBitOfIocountinhIsItsCounter)
{
    for (unsigned bit = 0; bit <= 7; bit++) {
        Unit unit;
        for (unsigned n = 1; n <= 7; n++)
            unit.write(EVT(n), 1);
        unit.write(IOCOUNTINH, 1u << bit); // cycle 7
        for (unsigned i = 0; i < 10; i++)
            unit.pulse(20 + i, 1, 2);
        unit.run_to(100);
        for (unsigned n = 1; n <= 7; n++)
            EXPECT_EQ(n == bit ? 0u : 20u, unit.read(CTR(n))) << bit << n;
        EXPECT_EQ(bit == 0 ? 8u : 107u, unit.read(CYCLES)) << bit;
    }
}

TEST(IommuHpmRegisters, WrongAccessesAreErrorsAndDoNothing)
{
    struct Case {
        uint32_t offset;
        bool wide;
    };
    for (const Case &c :
         {Case{0x061, false}, Case{0x062, false}, Case{0x064, true}, Case{0x050, true},
          Case{0x058, true}, Case{0x06c, true}, Case{0x802, false}, Case{0xffc, true}}) {
        Unit unit;
        unit.write(EVT(1), OF);
        uint64_t data = 5;
        EXPECT_EQ(CS_BUS_SLVERR,
                  cs_iommu_hpm_read(unit.iommu(), unit.t++, c.offset, c.wide, &data));
        EXPECT_EQ(0u, data);
        EXPECT_EQ(CS_BUS_SLVERR,
                  cs_iommu_hpm_write(unit.iommu(), unit.t++, c.offset, c.wide, ~0ull));
        EXPECT_EQ(0u, unit.read(IOCOUNTINH)) << c.offset;
        EXPECT_EQ(0u, unit.read(CTR(1))) << c.offset;
        EXPECT_EQ(5u, unit.read(CYCLES)) << c.offset; // it has counted on
    }
}

TEST(IommuHpmRegisters, ElsewhereThereIsNothing)
{
    Unit unit;
    for (const uint32_t offset : {0x000u, 0x050u, 0x158u + 0x100u + 8, 0x300u, 0xff8u, 0xfff8u}) {
        unit.write4(offset, ~0u);
        EXPECT_EQ(0u, unit.read4(offset)) << offset;
    }
    unit.write(0x300, ~0ull);
    EXPECT_EQ(0u, unit.read(0x300));
}

TEST(IommuHpmRegisters, AskIsNoAccess)
{
    Unit unit;
    uint64_t data = 0;
    unit.run_to(40);
    EXPECT_EQ(CS_BUS_OKAY, cs_iommu_hpm_ask(unit.iommu(), CYCLES, true, &data));
    EXPECT_EQ(40u, data);
    EXPECT_EQ(CS_BUS_SLVERR, cs_iommu_hpm_ask(unit.iommu(), 0x058, true, &data));
    EXPECT_EQ(40u, cs_iommu_hpm_now(unit.iommu()));
    EXPECT_EQ(40u, unit.read(CYCLES)); // in the same cycle
    EXPECT_EQ(CS_BUS_OKAY, cs_iommu_hpm_ask(unit.iommu(), CYCLES, true, &data));
    EXPECT_EQ(40u, data); // and behind it
}

TEST(IommuHpmRegisters, AResetIsTheStateOfItsCycle)
{
    Unit unit;
    unit.write(EVT(2), OF | 4);
    unit.write(CTR(2), 77);
    unit.write(IOCOUNTINH, 0x10);
    unit.run_to(50);
    cs_iommu_hpm_reset(unit.iommu(), 60);
    unit.t = 60;
    EXPECT_EQ(0u, unit.read(EVT(2)));
    EXPECT_EQ(0u, unit.read(CTR(2)));
    EXPECT_EQ(0u, unit.read(IOCOUNTINH));
    EXPECT_EQ(3u, unit.read(CYCLES)); // 60, 61 and 62
}

// The state of its cycle is another after it, whoever has read the old one.
TEST(IommuHpmRegisters, AResetLeavesRoomForAnAccessInItsCycle)
{
    Unit unit;
    unit.run_to(10);
    EXPECT_EQ(10u, unit.read(CYCLES));
    cs_iommu_hpm_reset(unit.iommu(), 10);
    unit.t = 10;
    EXPECT_EQ(0u, unit.read(CYCLES));
}

TEST(IommuHpmTimeDeathTest, OneAccessACycleAndNoneInThePast)
{
    Unit unit;
    uint64_t data;

    unit.run_to(10);
    unit.read(CYCLES);
    EXPECT_DEATH(cs_iommu_hpm_read(unit.iommu(), 10, CYCLES, true, &data),
                 "^countersink: iommu_hpm: an access in cycle 10: must be in 11 or later\n$");
    EXPECT_DEATH(cs_iommu_hpm_write(unit.iommu(), 10, CYCLES, true, 0), "an access in cycle 10");
    unit.run_to(21);
    EXPECT_DEATH(cs_iommu_hpm_read(unit.iommu(), 19, CYCLES, true, &data),
                 "must be in 21 or later");
    EXPECT_DEATH(cs_iommu_hpm_reset(unit.iommu(), 20),
                 "iommu_hpm: a reset in cycle 20: must be in 21 or later");
}

TEST(IommuHpmRegisters, TimeDoesNotGoBack)
{
    Unit unit;
    unit.run_to(10);
    EXPECT_EQ(10u, cs_iommu_hpm_advance(unit.iommu(), 5));
    EXPECT_EQ(10u, cs_iommu_hpm_now(unit.iommu()));
}

#ifndef __SANITIZE_ADDRESS__
TEST(IommuHpmRegisters, NoMemoryIsTold)
{
    const cs_iommu_hpm_config config = {7, 64, UNIT};
    const cs_iommu_hpm_env env = {[](void *, uint64_t, cs_cycle, cs_cycle) { return uint64_t{0}; },
                                  nullptr, nullptr};

    expect_no_memory<cs_iommu_hpm>("iommu_hpm", [&](cs_iommu_hpm **out, cs_diag *diag) {
        return cs_iommu_hpm_create(&config, &env, out, diag);
    });
}
#endif

TEST(IommuHpmRegisters, WrongStrapsAreRefused)
{
    struct Case {
        unsigned counters, width;
        const char *text;
    };
    for (const Case &c :
         {Case{0, 64, "counters is 0: must be 1..31"},
          Case{32, 64, "counters is 32: must be 1..31"}, Case{7, 31, "width is 31: must be 32..64"},
          Case{7, 65, "width is 65: must be 32..64"}, Case{7, 64, "env: sum must be set"}}) {
        const cs_iommu_hpm_config config = {c.counters, c.width, UNIT};
        const cs_iommu_hpm_env env = {};
        Unit other;
        cs_iommu_hpm *iommu = other.iommu();
        cs_diag diag = {};
        EXPECT_EQ(CS_ERR_RANGE, cs_iommu_hpm_create(&config, &env, &iommu, &diag));
        EXPECT_EQ(nullptr, iommu);
        EXPECT_NE(nullptr, strstr(diag.text, c.text)) << diag.text;
    }
}

} // namespace
