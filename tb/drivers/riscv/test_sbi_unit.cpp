// SPDX-License-Identifier: Apache-2.0
// Counters of shared units (docs/drivers/sbi_pmu.md, "Counters of shared units"). The units are memory here:
// what the firmware stores is seen, and what it loads is what the test has put there.
#include "firmware.hpp"

using namespace cs_test;

namespace
{

constexpr uint64_t kUnit = kMemory + 0x4000, kFar = kMemory + 0x5000, kEvent = kPlatform;

// Firmware counters 7..10; hart 1 of 2, so that counters 1, 3 of the first unit are its own, and
// counter 1 of the second.
Options with_units(unsigned xlen = 64)
{
    Options o = small(0x78, xlen);

    o.fw.firmware_counters = 4;
    o.fw.hart = 1;
    o.fw.harts = 2;
    o.fw.nr_units = 2;
    o.fw.units[0] = {kUnit, 4, 32};
    o.fw.units[1] = {kFar, 2, 16};
    return o;
}

uint64_t select_of(Machine &m, uint64_t unit, unsigned n)
{
    return m.load(unit + 0x100 + 8 * n);
}

void set_count(Machine &m, uint64_t unit, unsigned n, uint64_t count)
{
    m.store(unit + 0x200 + 8 * n, count);
}

} // namespace

TEST(SbiUnit, BootLetsThemCount)
{
    Options o = with_units();
    o.boots = false;
    Machine m(o);
    cs_sbi_pmu_boot(m.fw(), m.hart());

    EXPECT_EQ(m.load(kUnit + 8), 1u);
    EXPECT_EQ(m.load(kFar + 8), 1u);
}

TEST(SbiUnit, OneIsAFirmwareCounter)
{
    for (unsigned xlen : {32u, 64u}) {
        Machine m(with_units(xlen));
        const uint64_t l3 = CS_SBI_UNIT_DATA(0, 5);

        EXPECT_EQ(m.config(0, 0x7fd, 0, kEvent, l3), kSuccess);
        EXPECT_EQ(m.value, 7u);
        EXPECT_EQ(m.transfers, 1u);
        EXPECT_EQ(select_of(m, kUnit, 1), 0x10005u);
        set_count(m, kUnit, 1, 1000);
        EXPECT_EQ(m.start(7, 1, kInitValue, 40), kSuccess);
        EXPECT_EQ(m.transfers, xlen == 64 ? 1u : 3u);
        EXPECT_EQ(m.fw_read(7), 40u);
        set_count(m, kUnit, 1, 1100);
        EXPECT_EQ(m.fw_read(7), 140u);
        set_count(m, kUnit, 1, 20); // it has wrapped, at 32 bits
        EXPECT_EQ(m.stop(7, 1), kSuccess);
        set_count(m, kUnit, 1, 99);
        EXPECT_EQ(m.fw_read(7), 140 + (UINT64_C(1) << 32) - 1080);
        EXPECT_EQ(m.call(kFwReadHi, {7}), kSuccess);
        EXPECT_EQ(m.transfers, 0u) << "it belongs to the last FW_READ";
        EXPECT_EQ(m.start(7, 1), kSuccess);
        set_count(m, kUnit, 1, 109);
        EXPECT_EQ(m.stop(7, 1, kReset), kSuccess);
        EXPECT_EQ(select_of(m, kUnit, 1), 0u) << "it is free again";
    }
}

// Counter n of a unit is hart n mod harts'.
TEST(SbiUnit, AHartHasItsShare)
{
    Machine m(with_units());

    EXPECT_EQ(m.config(0, 0x7fd, kAuto, kEvent, CS_SBI_UNIT_DATA(0, 5)), kSuccess);
    EXPECT_EQ(m.config(0, 0x7fd, kAuto, kEvent, CS_SBI_UNIT_DATA(0, 6)), kSuccess);
    EXPECT_EQ(select_of(m, kUnit, 1), 0x10005u);
    EXPECT_EQ(select_of(m, kUnit, 3), 0x10006u);
    EXPECT_EQ(m.config(0, 0x7fd, kAuto, kEvent, CS_SBI_UNIT_DATA(0, 7)), kNotSupported);
    EXPECT_EQ(m.config(0, 0x7fd, kAuto, kEvent, CS_SBI_UNIT_DATA(1, 7)), kSuccess);
    EXPECT_EQ(m.value, 9u);
    EXPECT_EQ(select_of(m, kUnit, 0), 0u);
    EXPECT_EQ(select_of(m, kUnit, 2), 0u);
    EXPECT_EQ(m.stop(8, 1, kReset), kSuccess);
    EXPECT_EQ(m.config(0, 0x7fd, 0, kEvent, CS_SBI_UNIT_DATA(0, 7)), kSuccess);
    EXPECT_EQ(m.value, 8u);
    EXPECT_EQ(select_of(m, kUnit, 3), 0x10007u);
    EXPECT_EQ(m.config(8, 1, 0, kFw + 3), kSuccess) << "another event in its place";
    EXPECT_EQ(select_of(m, kUnit, 3), 0u);
}

// Who says nothing of other harts has the only one.
TEST(SbiUnit, AHartAloneHasAll)
{
    Options o = with_units();
    o.fw.hart = o.fw.harts = 0;
    Machine m(o);

    for (unsigned n = 0; n < 4; n++) {
        EXPECT_EQ(m.config(0, 0x7fd, kAuto, kEvent, CS_SBI_UNIT_DATA(0, 5 + n)), kSuccess);
        EXPECT_EQ(select_of(m, kUnit, n), 0x10005u + n);
    }
}

TEST(SbiUnit, WhatIsNoEventOfThem)
{
    Machine m(with_units()), none(small(0x78));

    EXPECT_EQ(m.config(0, 0x7fd, 0, kEvent, CS_SBI_UNIT_DATA(2, 5)), kNotSupported);
    EXPECT_EQ(m.config(0, 0x7fd, 0, kEvent, UINT64_C(2) << 32), kNotSupported);
    EXPECT_EQ(m.config(0, 0x7fd, 0, kEvent, 5), kNotSupported);
    EXPECT_EQ(none.config(0, 0x7fd, 0, kEvent, CS_SBI_UNIT_DATA(0, 5)), kNotSupported);
    m.store(kMemory, CS_SBI_FW_PLATFORM | CS_SBI_TYPE_FW << 16);
    m.store(kMemory + 8, CS_SBI_UNIT_DATA(1, 9));
    EXPECT_EQ(m.call(kEventInfo, {kMemory, 0, 1}), kSuccess);
    EXPECT_EQ(m.load(kMemory) >> 32, 1u);
}

TEST(SbiUnit, AUnitThatCannotBeReached)
{
    Machine m(with_units());

    EXPECT_EQ(m.config(0, 0x7fd, 0, kEvent, CS_SBI_UNIT_DATA(0, 5)), kSuccess);
    m.fault(kUnit + 0x208);
    EXPECT_EQ(m.start(7, 1), kFailed);
    m.fault(0, 0);
    EXPECT_EQ(m.start(7, 1), kSuccess);
    m.fault(kUnit + 0x208);
    EXPECT_EQ(m.call(kFwRead, {7}), kFailed);
    EXPECT_EQ(m.stop(7, 1), kFailed);
}

TEST(SbiUnit, SnapshotsHaveThem)
{
    Machine m(with_units());

    m.set_page();
    EXPECT_EQ(m.config(0, 0x7fd, 0, kEvent, CS_SBI_UNIT_DATA(0, 5)), kSuccess);
    EXPECT_EQ(m.start(7, 1, kInitValue, 0), kSuccess);
    set_count(m, kUnit, 1, 77);
    EXPECT_EQ(m.stop(7, 1, kTake), kSuccess);
    EXPECT_EQ(m.slot(0), 77u);
}
