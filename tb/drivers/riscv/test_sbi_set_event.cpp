// SPDX-License-Identifier: Apache-2.0
// SET_EVENT as the mails about the proposal would have it (docs/drivers/sbi_pmu.md, "SET_EVENT in the
// mails").
#include "firmware.hpp"

using namespace cs_test;

namespace
{

constexpr uint64_t kSetEvent = CS_SBI_V3_COUNTER_SET_EVENT, kV3Start = CS_SBI_V3_COUNTER_START,
                   kV3Stop = CS_SBI_V3_COUNTER_STOP;
constexpr uint64_t kSoftware = 0xf0000;

// There are 0, 2, 3, 4, 6 and software counters 7, 8. Cache references (2) are counted by 4 and 6
// alone, misses (3) by none.
Options v3(cs_riscv_set_event form, unsigned xlen = 64)
{
    static const cs_riscv_pmu_map map = [] {
        cs_riscv_pmu_map m = {};

        m.nr_selects = 1;
        m.selects[0] = {3, 0x40};
        m.nr_ranges = 1;
        m.ranges[0] = {3, 3, 0x50};
        m.nr_raws = 1;
        m.raws[0] = {0, 0, 0x18};
        return m;
    }();
    Options o = small(0x58, xlen);

    o.fw.form = CS_SBI_PROPOSAL_V3;
    o.fw.set_event = form;
    o.fw.firmware_counters = 2;
    o.fw.map = &map;
    return o;
}

} // namespace

TEST(SbiSetEvent, PlainTellsNothing)
{
    Machine m(v3(CS_RISCV_SET_EVENT_PLAIN));

    EXPECT_EQ(m.call(kSetEvent, {3, 2}), kNotSupported);
    EXPECT_EQ(m.value, 0u);
    EXPECT_EQ(m.call(kSetEvent, {3, 2, 0, 1}), kNotSupported) << "there is no such argument";
    EXPECT_EQ(m.call(kSetEvent, {4, 2, 0, 1}), kSuccess);
    EXPECT_EQ(m.value, 0u);
    EXPECT_EQ(m.log, "E4=40");
}

TEST(SbiSetEvent, AFailureTellsWhichCould)
{
    for (unsigned xlen : {32u, 64u}) {
        Machine m(v3(CS_RISCV_SET_EVENT_MASK, xlen));

        EXPECT_EQ(m.call(kSetEvent, {3, 2}), kNotSupported);
        EXPECT_EQ(m.value, 0x50u);
        EXPECT_EQ(m.log, "mcounteren");
        EXPECT_EQ(m.call(kSetEvent, {3, 3}), kNotSupported);
        EXPECT_EQ(m.value, 0u) << "none can";
        EXPECT_EQ(m.call(kSetEvent, {2, 0x20000, 5}), kNotSupported);
        EXPECT_EQ(m.value, 0x18u);
        EXPECT_EQ(m.call(kSetEvent, {3, kSoftware}), kNotSupported);
        EXPECT_EQ(m.value, 0u) << "of hardware only";
        EXPECT_EQ(m.call(kSetEvent, {5, 2}), kInvalidParam);
        EXPECT_EQ(m.value, 0u);
        EXPECT_EQ(m.call(kSetEvent, {6, 2}), kSuccess);
        EXPECT_EQ(m.value, 0u);
    }
}

// "only reflect counters that have their mcounteren bits set"
TEST(SbiSetEvent, WhatMcounterenKeepsBackIsNotTold)
{
    Machine m(v3(CS_RISCV_SET_EVENT_MASK)), any(v3(CS_RISCV_SET_EVENT_BOOLEAN));

    m.csr(0x306, 0xf);
    EXPECT_EQ(m.call(kSetEvent, {3, 2}), kNotSupported);
    EXPECT_EQ(m.value, 0u);
    any.csr(0x306, 0x4f);
    EXPECT_EQ(any.call(kSetEvent, {3, 2, 0, 1}), kSuccess);
    EXPECT_EQ(any.value, 6u);
}

TEST(SbiSetEvent, TheBooleanLetsTheFirmwarePick)
{
    for (unsigned xlen : {32u, 64u}) {
        Machine m(v3(CS_RISCV_SET_EVENT_BOOLEAN, xlen));

        EXPECT_EQ(m.call(kSetEvent, {3, 2, 0, 0}), kNotSupported) << "just this one";
        EXPECT_EQ(m.call(kSetEvent, {4, 2, 0, 0}), kSuccess);
        EXPECT_EQ(m.value, 4u);
        EXPECT_EQ(m.call(kSetEvent, {3, 2, 0, 1}), kSuccess);
        EXPECT_EQ(m.value, 4u) << "nobody knows that it is taken";
        EXPECT_EQ(m.call(kV3Start, {4}), kSuccess);
        EXPECT_EQ(m.call(kSetEvent, {3, 2, 0, 1}), kSuccess);
        EXPECT_EQ(m.value, 6u) << "that one runs";
        EXPECT_EQ(m.call(kV3Start, {6}), kSuccess);
        EXPECT_EQ(m.call(kSetEvent, {3, 2, 0, 1}), kNotSupported);
        EXPECT_EQ(m.call(kV3Stop, {4}), kSuccess);
        EXPECT_EQ(m.call(kSetEvent, {3, 2, 0, 2}), kSuccess) << "true is not 0";
        EXPECT_EQ(m.value, 4u);
        EXPECT_EQ(m.call(kSetEvent, {5, 2, 0, 1}), kInvalidParam);
        EXPECT_EQ(m.call(kSetEvent, {3, 3, 0, 1}), kNotSupported);
    }
}

TEST(SbiSetEvent, TheBooleanAndSoftware)
{
    Machine m(v3(CS_RISCV_SET_EVENT_BOOLEAN));

    EXPECT_EQ(m.call(kSetEvent, {3, kSoftware + 3, 0, 1}), kSuccess);
    EXPECT_EQ(m.value, 7u);
    EXPECT_EQ(m.call(kV3Start, {7}), kSuccess);
    EXPECT_EQ(m.call(kSetEvent, {3, kSoftware + 3, 0, 1}), kSuccess);
    EXPECT_EQ(m.value, 8u);
    EXPECT_EQ(m.call(kV3Start, {8}), kSuccess);
    EXPECT_EQ(m.call(kSetEvent, {3, kSoftware + 3, 0, 1}), kNotSupported);
}
