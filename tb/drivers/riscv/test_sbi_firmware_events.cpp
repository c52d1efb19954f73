// SPDX-License-Identifier: Apache-2.0
// Firmware counters: what counts in them, and how they are read.
#include "firmware.hpp"

using namespace cs_test;

namespace
{

// Firmware counters are 3..6.
Options few(unsigned xlen = 64, uint32_t deviations = 0)
{
    Options o = small(0, xlen, deviations);

    o.fw.firmware_counters = 4;
    o.fw.specific_events = 2;
    o.fw.platform_events = UINT64_C(1) << 40;
    return o;
}

} // namespace

// docs/drivers/sbi_pmu.md, functions 5 and 6, and their errors.
TEST(SbiFwRead, BothHalves)
{
    const uint64_t large = UINT64_C(0x123456789abcdef0);
    const struct {
        unsigned xlen;
        uint64_t low, high;
    } rows[] = {{64, large, 0}, {32, 0x9abcdef0, 0x12345678}};

    for (const auto &row : rows) {
        Machine m(few(row.xlen));

        EXPECT_EQ(m.config(3, 1, 0, kFw), kSuccess);
        EXPECT_EQ(m.start(3, 1, kInitValue, large), kSuccess);
        EXPECT_EQ(m.fw_read(3), row.low);
        EXPECT_EQ(m.log, "");
        EXPECT_EQ(m.call(kFwReadHi, {3}), kSuccess);
        EXPECT_EQ(m.value, row.high);
        EXPECT_EQ(m.log, "");
        EXPECT_EQ(m.call(kFwRead, {6}), kInvalidParam); // it has no event
        EXPECT_EQ(m.call(kFwReadHi, {6}), kInvalidParam);
        EXPECT_EQ(m.stop(3, 1), kSuccess);
        EXPECT_EQ(m.fw_read(3), row.low);
    }
}

TEST(SbiFwRead, CountersOfHardwareAndNone)
{
    for (unsigned xlen : {32u, 64u}) {
        Options o = small(0x28, xlen); // firmware counters are 6, 7
        o.fw.firmware_counters = 2;
        Machine m(o);

        for (uint64_t index : {UINT64_C(0), UINT64_C(1), UINT64_C(2), UINT64_C(3), UINT64_C(4),
                               UINT64_C(5), UINT64_C(8), UINT64_C(64), kOnes})
            for (uint64_t fid : {kFwRead, kFwReadHi}) {
                EXPECT_EQ(m.call(fid, {index}), kInvalidParam) << index;
                EXPECT_EQ(m.value, 0u);
            }
        EXPECT_EQ(m.config(6, 1, 0, kFw), kSuccess);
        EXPECT_EQ(m.config(7, 1, 0, kFw + 1), kSuccess);
        for (uint64_t index : {6, 7})
            for (uint64_t fid : {kFwRead, kFwReadHi})
                EXPECT_EQ(m.call(fid, {index}), kSuccess) << index;
    }
}

// docs/drivers/sbi_pmu.md, "Events": each of the 22, and those of the implementation, by itself.
TEST(SbiFwEvents, EachCountsItsOwn)
{
    Machine m(few());

    for (unsigned code = 0; code < 0x110; code++) {
        if (m.config(3, 1, kSkip | kClear, kFw + code) != kSuccess) {
            EXPECT_TRUE((code > 21 && code < 256) || code > 257) << code;
            continue;
        }
        ASSERT_EQ(m.start(3, 1), kSuccess);
        for (unsigned other = 0; other < 0x110; other++)
            m.event(other, other == code ? 1000 : 1);
        EXPECT_EQ(m.fw_read(3), 1000u) << code;
        EXPECT_EQ(m.stop(3, 1), kSuccess);
    }
}

TEST(SbiFwEvents, EveryCounterThatHasItAndRuns)
{
    Machine m(few());

    EXPECT_EQ(m.config(3, 1, kAuto, kFw + 5), kSuccess);
    EXPECT_EQ(m.config(4, 1, kAuto, kFw + 5), kSuccess);
    EXPECT_EQ(m.config(5, 1, 0, kFw + 5), kSuccess); // stands
    EXPECT_EQ(m.config(6, 1, kAuto, kFw + 6), kSuccess);
    m.event(5);
    m.event(5, 2);
    EXPECT_EQ(m.elapsed, 0u); // whoever tells of it has the time
    m.event(6, UINT64_MAX);
    m.event(6, 3); // wraps
    m.event(7, 9);
    m.event(0xffff, 9);
    m.event(kFw + 5, 9);
    EXPECT_EQ(m.fw_read(3), 3u);
    EXPECT_EQ(m.fw_read(4), 3u);
    EXPECT_EQ(m.fw_read(5), 0u);
    EXPECT_EQ(m.fw_read(6), 2u);
    EXPECT_EQ(m.stop(4, 1), kSuccess);
    m.event(5, 10);
    EXPECT_EQ(m.fw_read(3), 13u);
    EXPECT_EQ(m.fw_read(4), 3u);
    EXPECT_EQ(m.start(4, 1), kSuccess);
    m.event(5, 10);
    EXPECT_EQ(m.fw_read(4), 13u);
}

TEST(SbiFwEvents, PlatformsHaveAnEncoding)
{
    for (unsigned xlen : {32u, 64u}) {
        Machine m(few(xlen));
        const uint64_t last = (UINT64_C(1) << 40) - 1;

        EXPECT_EQ(m.config(3, 1, kAuto, kPlatform, 0), kSuccess);
        EXPECT_EQ(m.config(4, 1, kAuto, kPlatform, last), kSuccess);
        EXPECT_EQ(m.config(5, 1, kAuto, kPlatform, last + 1), kNotSupported);
        EXPECT_EQ(m.config(5, 1, kAuto, kFw), kSuccess);
        m.platform(last, 3);
        m.platform(last & 0xffffffff, 100);
        m.platform(0, 5);
        m.event(CS_SBI_FW_PLATFORM, 100); // has a function of its own
        EXPECT_EQ(m.fw_read(3), 5u);
        EXPECT_EQ(m.fw_read(4), 3u);
        EXPECT_EQ(m.fw_read(5), 0u);
        EXPECT_EQ(m.config(3, 1, kSkip | kClear, kPlatform, 7), kSuccess);
        m.platform(0, 5);
        m.platform(7, 6);
        EXPECT_EQ(m.fw_read(3), 6u);
    }
    Machine none(options());
    EXPECT_EQ(none.config(32, 1, 0, kPlatform, 0), kNotSupported);
}

TEST(SbiFwEvents, ValuesOfStart)
{
    for (unsigned xlen : {32u, 64u}) {
        Machine m(few(xlen));

        EXPECT_EQ(m.config(3, 1, 0, kFw), kSuccess);
        EXPECT_EQ(m.start(3, 1, kInitValue, UINT64_C(0xffffffff)), kSuccess);
        m.event(0);
        EXPECT_EQ(m.start(3, 1, kInitValue, 77), kAlreadyStarted);
        EXPECT_EQ(m.fw_read(3), xlen == 32 ? 0 : UINT64_C(0x100000000));
        EXPECT_EQ(m.stop(3, 1), kSuccess);
        EXPECT_EQ(m.start(3, 1, 0, 77), kSuccess);
        EXPECT_EQ(m.call(kFwReadHi, {3}), kSuccess);
        EXPECT_EQ(m.value, xlen == 32 ? 1u : 0u);
    }
}

// A second boot forgets all.
TEST(SbiFwEvents, BootForgets)
{
    Machine m(few());

    m.set_page();
    EXPECT_EQ(m.config(3, 1, kAuto, kFw), kSuccess);
    m.event(0, 5);
    m.boot();
    m.event(0, 5);
    EXPECT_EQ(m.call(kFwRead, {3}), kInvalidParam);
    EXPECT_EQ(m.config(3, 1, kSkip, kFw), kSuccess);
    EXPECT_EQ(m.fw_read(3), 0u);
    EXPECT_EQ(m.stop(3, 1, kTake), kNoShmem);
    EXPECT_EQ(m.stop(3, 1), kAlreadyStopped);
}
