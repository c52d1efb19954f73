// SPDX-License-Identifier: Apache-2.0
// What KVM is known to do otherwise, what OpenSBI did and does no more, and the groups as a whole.
#include "deviation.hpp"

using namespace sbi_deviation;
using namespace cs_test;

// ---- KVM ----

TEST_F(SbiDeviation, SkipFails)
{
    both(CS_SBI_DEV_SKIP_FAILS, [](Machine &m, bool on) {
        EXPECT_EQ(m.config(3, 1, kSkip, 3), on ? kFailed : kSuccess);
        EXPECT_EQ(m.log, on ? "" : "E3=3");
        EXPECT_EQ(m.config(7, 1, kSkip, kFw), on ? kFailed : kSuccess);
        EXPECT_EQ(m.config(4, 1, 0, 3), kSuccess);
        EXPECT_EQ(m.config(4, 1, kSkip, 4), kSuccess);
        EXPECT_EQ(m.selector(4), 4u);
        EXPECT_EQ(m.config(4, 1, kSkip, kFw), kNotSupported);
    });
}

TEST_F(SbiDeviation, PageWhole)
{
    both(CS_SBI_DEV_PAGE_WHOLE, [](Machine &m, bool on) {
        const uint64_t pattern = 0x5555;
        const unsigned whole = 4096 / 128;

        for (unsigned i = 0; i < 511; i++)
            m.set_slot(i, pattern);
        m.set_page();
        EXPECT_EQ(m.transfers, on ? whole : 0);
        EXPECT_EQ(m.load(kMemory + 4088), on ? 0 : pattern);
        m.set_counter(3, 0x77);
        m.set_counter(4, 0x88);
        m.set_slot(3, pattern);
        EXPECT_EQ(m.stop(3, 1, kTake), kAlreadyStopped);
        EXPECT_EQ(m.transfers, on ? whole : 2);
        EXPECT_EQ(m.slot(0), 0x77u);
        EXPECT_EQ(m.slot(3), on ? 0 : pattern); // the firmware's copy
        m.set_slot(5, pattern);
        m.set_slot(1, 0x99);
        EXPECT_EQ(m.start(3, 3, kInitSnapshot), kSuccess);
        EXPECT_EQ(m.transfers, on ? whole : 1);
        EXPECT_EQ(m.log, "I E3=0 C3=77 E4=0 C4=99 I=45");
        m.set_slot(5, 1);
        EXPECT_EQ(m.stop(4, 1, kTake), kSuccess);
        EXPECT_EQ(m.slot(5), on ? pattern : 1); // as it was when it was loaded
        m.fault(kMemory + 2048);
        EXPECT_EQ(m.start(4, 1, kInitSnapshot), on ? kFailed : kSuccess);
        EXPECT_EQ(m.stop(3, 1, kTake), on ? kFailed : kSuccess);
        EXPECT_EQ(m.call(kSetShmem, {kMemory}), on ? kInvalidAddress : kSuccess);
        EXPECT_EQ(m.stop(3, 1, kTake), on ? kNoShmem : kAlreadyStopped);
    });
}

TEST_F(SbiDeviation, ErrorSticks)
{
    both(CS_SBI_DEV_ERROR_STICKS, [](Machine &m, bool on) {
        m.set_page();
        EXPECT_EQ(m.start(3, 1), kSuccess);
        EXPECT_EQ(m.start(6, 5), kSuccess);
        for (unsigned i = 0; i < 8; i++)
            m.set_slot(i, 0x5555);
        // 4 stands.
        EXPECT_EQ(m.stop(2, 0x16 | UINT64_C(1) << 6, kTake | kReset), kAlreadyStopped);
        EXPECT_EQ(m.log, on ? "I=5d scountovf C3 E3=0 E4=0 E6=0"
                            : "I=5d scountovf C3 C4 C6 E3=0 E4=0 E6=0");
        EXPECT_NE(m.slot(1), 0x5555u);
        EXPECT_EQ(m.slot(2) == 0x5555, on);
        EXPECT_EQ(m.slot(4) == 0x5555, on);
        EXPECT_EQ(m.slot(6) == 0x5555, on);
        EXPECT_EQ(m.inhibit(), 0x5du);
    });
    // From the first of several on.
    Machine two(few(CS_SBI_DEV_ERROR_STICKS));
    two.set_page();
    EXPECT_EQ(two.start(3, 1), kSuccess);
    EXPECT_EQ(two.stop(2, 0x16 | 1, kTake), kAlreadyStopped);
    EXPECT_EQ(two.log, "I=5d");
    // The answer of the last is another matter.
    Machine m(few(CS_SBI_DEV_ERROR_STICKS | CS_SBI_DEV_LAST_RESULT));
    m.set_page();
    EXPECT_EQ(m.start(3, 3), kSuccess);
    EXPECT_EQ(m.stop(3, 3, kTake), kSuccess);
    EXPECT_EQ(m.log, "I=5d scountovf C3 C4");
}

TEST_F(SbiDeviation, BitmapSticks)
{
    both(CS_SBI_DEV_BITMAP_STICKS, [](Machine &m, bool on) {
        m.set_page();
        EXPECT_EQ(m.start(3, 0xb), kSuccess);
        overflow(m, 4);
        EXPECT_EQ(m.stop(3, 0xb, kTake), kSuccess);
        EXPECT_EQ(m.load(kMemory), 2u);
        EXPECT_EQ(m.start(3, 0xb), kSuccess); // clears OF
        overflow(m, 6);
        EXPECT_EQ(m.stop(3, 0xb, kTake), kSuccess);
        EXPECT_EQ(m.load(kMemory), on ? 0xau : 8u);
        EXPECT_EQ(m.stop(3, 2, kTake | kReset), kAlreadyStopped);
        EXPECT_EQ(m.load(kMemory), on ? 8u : 0u);
        m.set_page(); // a new page, nothing old
        EXPECT_EQ(m.stop(3, 1, kTake), kAlreadyStopped);
        EXPECT_EQ(m.load(kMemory), 0u);
    });
}

// The copy is loaded with all the rest: the driver's bits are kept as well as the firmware's.
TEST(SbiDeviationGroups, BitmapOfTheLoadedPage)
{
    Machine m(few(CS_SBI_DEV_BITMAP_STICKS | CS_SBI_DEV_PAGE_WHOLE));

    m.set_page();
    m.store(kMemory, 0x100);
    EXPECT_EQ(m.start(3, 1, kInitSnapshot), kSuccess);
    overflow(m, 3);
    EXPECT_EQ(m.stop(3, 1, kTake), kSuccess);
    EXPECT_EQ(m.load(kMemory), 0x101u);
}

TEST_F(SbiDeviation, FwPerEvent)
{
    both(CS_SBI_DEV_FW_PER_EVENT, [](Machine &m, bool on) {
        EXPECT_EQ(m.config(7, 1, kAuto, kFw + 21), kSuccess);
        EXPECT_EQ(m.config(8, 1, kSkip, kFw + 21), kSuccess);
        EXPECT_EQ(m.start(8, 1), on ? kAlreadyStarted : kSuccess);
        m.event(21, 5);
        EXPECT_EQ(m.fw_read(7), 5u); // counted once
        EXPECT_EQ(m.fw_read(8), 5u);
        EXPECT_EQ(m.stop(8, 1), kSuccess);
        m.event(21, 5);
        EXPECT_EQ(m.fw_read(7), on ? 5u : 10u);
        EXPECT_EQ(m.stop(7, 1), on ? kAlreadyStopped : kSuccess);
        EXPECT_EQ(m.start(8, 1, kInitValue, 100), kSuccess);
        EXPECT_EQ(m.fw_read(7), on ? 100u : 10u);
        // Another event is another matter.
        EXPECT_EQ(m.config(7, 1, kSkip, kFw + 20), kSuccess);
        m.event(20, 7);
        EXPECT_EQ(m.fw_read(7), on ? 0u : 10u);
        EXPECT_EQ(m.fw_read(8), 100u);
    });
    // A second boot forgets them.
    Machine again(few(CS_SBI_DEV_FW_PER_EVENT));
    EXPECT_EQ(again.config(7, 1, kAuto, kFw), kSuccess);
    again.event(0, 5);
    again.boot();
    EXPECT_EQ(again.config(7, 1, kAuto, kFw), kSuccess);
    EXPECT_EQ(again.fw_read(7), 0u);
    // Implementation's own events are each counter's.
    Options o = few(CS_SBI_DEV_FW_PER_EVENT);
    o.fw.specific_events = 1;
    Machine m(o);
    EXPECT_EQ(m.config(7, 1, kAuto, kFw + 256), kSuccess);
    EXPECT_EQ(m.config(8, 1, kAuto, kFw + 256), kSuccess);
    m.event(256, 2);
    EXPECT_EQ(m.stop(7, 1), kSuccess);
    m.event(256, 2);
    EXPECT_EQ(m.fw_read(7), 2u);
    EXPECT_EQ(m.fw_read(8), 4u);
}

// ---- OpenSBI, repaired ----

TEST_F(SbiDeviation, HighestFirst)
{
    both(CS_SBI_DEV_HIGHEST_FIRST, [](Machine &m, bool on) {
        EXPECT_EQ(m.config(0, kAll, 0, 1), kSuccess);
        EXPECT_EQ(m.value, on ? 6u : 3u);
        EXPECT_EQ(m.config(0, 0x1d, 0, 1), kSuccess);
        EXPECT_EQ(m.value, on ? 4u : 3u);
        EXPECT_EQ(m.config(0, kAll, 0, kFw), kSuccess);
        EXPECT_EQ(m.value, 7u);
    });
    Machine m(options(64, CS_SBI_DEV_HIGHEST_FIRST));
    EXPECT_EQ(m.config(3, 0x1fffffff, 0, 1), kSuccess);
    EXPECT_EQ(m.value, 31u);
}

TEST_F(SbiDeviation, ValueLate)
{
    both(CS_SBI_DEV_VALUE_LATE, [](Machine &m, bool on) {
        EXPECT_EQ(m.start(3, 3, kInitValue, 7), kSuccess);
        EXPECT_EQ(m.log, on ? "I E3=0 I=55 C3=7 I E4=0 I=45 C4=7" : "I E3=0 C3=7 E4=0 C4=7 I=45");
        EXPECT_EQ(m.stop(3, 3), kSuccess);
        EXPECT_EQ(m.start(3, 1), kSuccess);
        EXPECT_EQ(m.log, on ? "I E3=0 I=55" : "I E3=0 I=55");
    });
}

TEST_F(SbiDeviation, GeneralOnly)
{
    both(CS_SBI_DEV_GENERAL_ONLY, [](Machine &m, bool on) {
        EXPECT_EQ(m.config(3, 1, kClear | kAuto, 3), kSuccess);
        EXPECT_EQ(m.log, "I E3=3 C3=0 E3=3 I=55");
        EXPECT_EQ(m.config(4, 1, kClear | kAuto, 0x10000), kSuccess);
        EXPECT_EQ(m.log, on ? "I E4=3" : "I E4=3 C4=0 E4=3 I=45");
        EXPECT_EQ(m.config(6, 1, kClear | kAuto, kRaw, 0x40), kSuccess);
        EXPECT_EQ(m.log, on ? "I E6=40" : "I E6=40 C6=0 E6=40 I=5");
        EXPECT_EQ(m.config(7, 1, kAuto, kFw), kSuccess);
        EXPECT_EQ(m.start(7, 1), kAlreadyStarted);
    });
}

TEST(SbiDeviationBoot, FixedUnfiltered)
{
    for (uint64_t deviations : {UINT64_C(0), CS_SBI_DEV_FIXED_UNFILTERED}) {
        Machine m(without_cf(few(deviations)));

        EXPECT_EQ(m.config(0, 1, kUinh, 1), deviations != 0 ? kSuccess : kNotSupported);
        EXPECT_EQ(m.log, "I");
        EXPECT_EQ(m.config(0, 0xd, kUinh, 1), kSuccess);
        EXPECT_EQ(m.value, 3u);
    }
}

TEST_F(SbiDeviation, HolesHaveInfo)
{
    for (unsigned xlen : {32u, 64u})
        both(
            CS_SBI_DEV_HOLES_HAVE_INFO,
            [](Machine &m, bool on) {
                EXPECT_EQ(m.call(kGetInfo, {5}), on ? kSuccess : kInvalidParam);
                EXPECT_EQ(m.value, on ? 0xc05u | 63 << 12 : 0u);
                EXPECT_EQ(m.call(kGetInfo, {1}), kInvalidParam); // time is no counter
                EXPECT_EQ(m.call(kGetInfo, {9}), kInvalidParam);
                EXPECT_EQ(m.start(4, 3), on ? kSuccess : kInvalidParam); // 5 is passed over
                EXPECT_EQ(m.runs(4), on);
            },
            xlen);
}

TEST_F(SbiDeviation, FwNeverAlready)
{
    both(CS_SBI_DEV_FW_NEVER_ALREADY, [](Machine &m, bool on) {
        EXPECT_EQ(m.config(7, 1, 0, kFw), kSuccess);
        EXPECT_EQ(m.stop(7, 1), on ? kSuccess : kAlreadyStopped);
        EXPECT_EQ(m.start(7, 1, kInitValue, 5), kSuccess);
        EXPECT_EQ(m.start(7, 1, kInitValue, 6), on ? kSuccess : kAlreadyStarted);
        EXPECT_EQ(m.fw_read(7), on ? 6u : 5u);
        EXPECT_EQ(m.stop(3, 1), kAlreadyStopped);
    });
}

TEST_F(SbiDeviation, HiAnyIndex)
{
    for (unsigned xlen : {32u, 64u})
        both(
            CS_SBI_DEV_HI_ANY_INDEX,
            [xlen](Machine &m, bool on) {
                for (uint64_t index : {UINT64_C(1), UINT64_C(3), UINT64_C(99), kOnes}) {
                    EXPECT_EQ(m.call(kFwReadHi, {index}),
                              on && xlen == 64 ? kSuccess : kInvalidParam);
                    EXPECT_EQ(m.value, 0u);
                }
                EXPECT_EQ(m.call(kFwRead, {3}), kInvalidParam);
                EXPECT_EQ(m.config(7, 1, 0, kFw), kSuccess);
                EXPECT_EQ(m.call(kFwReadHi, {7}), kSuccess);
            },
            xlen);
}

TEST_F(SbiDeviation, FiltersLost)
{
    both(CS_SBI_DEV_FILTERS_LOST, [](Machine &m, bool on) {
        EXPECT_EQ(m.config(3, 1, kUinh | kMinh, 3), kSuccess);
        EXPECT_EQ(m.selector(3), UINT64_C(5) << 60 | 3);
        EXPECT_EQ(m.start(3, 1), kSuccess);
        EXPECT_EQ(m.log, on ? "E3=3 I E3=3 I=55" : "I E3=5000000000000003 I=55");
        EXPECT_EQ(m.config(0, 1, kUinh, 1), kSuccess);
        EXPECT_EQ(m.start(0, 1), kSuccess);
        EXPECT_EQ(m.csr(0x321), UINT64_C(1) << 60);
    });
    Machine reset(few(CS_SBI_DEV_FILTERS_LOST)); // what was reset stays so
    EXPECT_EQ(reset.config(3, 1, kAuto, 3), kSuccess);
    EXPECT_EQ(reset.stop(3, 1, kReset), kSuccess);
    EXPECT_EQ(reset.start(3, 1), kSuccess);
    EXPECT_EQ(reset.log, "E3=0 I E3=0 I=55");
    Machine m(few(CS_SBI_DEV_FILTERS_LOST | CS_SBI_DEV_START_REWRITES));
    EXPECT_EQ(m.config(3, 1, kUinh, 3), kSuccess);
    EXPECT_EQ(m.start(3, 1), kSuccess);
    EXPECT_EQ(m.log, "E3=8000000000000003 I E3=3 I=55");
}
