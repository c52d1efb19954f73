// SPDX-License-Identifier: Apache-2.0
// What one release alone is known to do otherwise (docs/drivers/sbi_pmu.md, "Deviations").
#include "deviation.hpp"

using namespace sbi_deviation;
using namespace cs_test;

using SbiRelease = Both;

// ---- sets and indexes ----

TEST_F(SbiRelease, SetsShift)
{
    both(CS_SBI_DEV_SETS_SHIFT, [](Machine &m, bool on) {
        EXPECT_EQ(m.start(3, UINT64_C(1) << 63 | 1), on ? kSuccess : kInvalidParam);
        EXPECT_EQ(m.runs(3), on);
        EXPECT_EQ(m.start(64, 1), on ? kSuccess : kInvalidParam); // nothing is left of it
        EXPECT_EQ(m.log, "");
        EXPECT_EQ(m.start(8, 3), kInvalidParam);
    });
}

TEST_F(SbiRelease, EmptySets)
{
    both(CS_SBI_DEV_EMPTY_SETS, [](Machine &m, bool on) {
        EXPECT_EQ(m.config(0, 0, 0, 3), on ? kNotSupported : kInvalidParam);
        EXPECT_EQ(m.config(0, 0, 0, kFw), on ? kNotSupported : kInvalidParam);
        EXPECT_EQ(m.config(0, 0, kSkip, 3), kInvalidParam);
        // However near the end it begins, as long as there is such a counter: 8 is the last.
        EXPECT_EQ(m.config(8, 0, 0, 3), on ? kNotSupported : kInvalidParam);
        EXPECT_EQ(m.config(9, 0, 0, 3), kInvalidParam);
    });
}

TEST_F(SbiRelease, BaseWraps)
{
    for (unsigned xlen : {32u, 64u}) {
        const uint64_t top = xlen == 32 ? UINT32_MAX : UINT64_MAX;

        for (uint64_t deviation : {CS_SBI_DEV_BASE_WRAPS | CS_SBI_DEV_UNCONFIGURED_SKIPPED,
                                   CS_SBI_DEV_UNCONFIGURED_SKIPPED}) {
            const bool on = (deviation & CS_SBI_DEV_BASE_WRAPS) != 0;
            Machine m(few(deviation, xlen));

            EXPECT_EQ(m.config(3, 1, 0, 3), kSuccess);
            EXPECT_EQ(m.start(top, 0x11), on ? kSuccess : kInvalidParam); // 3, and the top
            EXPECT_EQ(m.runs(3), on);
            EXPECT_EQ(m.stop(top - 60, UINT64_C(1) << 20), kInvalidParam);
        }
    }
}

TEST_F(SbiRelease, AllHaveInfo)
{
    both(CS_SBI_DEV_ALL_HAVE_INFO, [](Machine &m, bool on) {
        for (uint64_t n : {5, 9, 63}) {
            EXPECT_EQ(m.call(kGetInfo, {n}), on ? kSuccess : kInvalidParam) << n;
            EXPECT_EQ(m.value, 0u);
        }
        EXPECT_EQ(m.call(kGetInfo, {1}), kInvalidParam);
        EXPECT_EQ(m.call(kGetInfo, {64}), kInvalidParam);
        EXPECT_EQ(m.call(kGetInfo, {3}), kSuccess);
        EXPECT_EQ(m.value, 0xc03u | 63u << 12);
    });
}

TEST_F(SbiRelease, ShortIndexes)
{
    const uint64_t above = UINT64_C(1) << 32;

    both(CS_SBI_DEV_INFO_INDEX_SHORT, [=](Machine &m, bool on) {
        EXPECT_EQ(m.call(kGetInfo, {above + 3}), on ? kSuccess : kInvalidParam);
    });
    both(CS_SBI_DEV_FW_INDEX_SHORT, [=](Machine &m, bool on) {
        EXPECT_EQ(m.config(7, 1, 0, kFw), kSuccess);
        EXPECT_EQ(m.call(kFwRead, {above + 7}), on ? kSuccess : kInvalidParam);
        EXPECT_EQ(m.call(kGetInfo, {above + 3}), kInvalidParam);
    });
}

// ---- events ----

TEST_F(SbiRelease, EventsUnchecked)
{
    both(CS_SBI_DEV_EVENTS_UNCHECKED, [](Machine &m, bool on) {
        EXPECT_EQ(m.config(3, 1, 0, 0x40000), kNotSupported); // no row has it
        EXPECT_EQ(m.config(7, 1, 0, kFw + 31), on ? kSuccess : kNotSupported);
        EXPECT_EQ(m.config(8, 1, 0, 0x1f0002), on ? kSuccess : kNotSupported);
    });
}

TEST_F(SbiRelease, HighBits)
{
    const struct {
        uint64_t deviation;
        int64_t cycles, firmware;
    } rows[] = {{CS_SBI_DEV_HIGH_BITS_UNCHECKED, kNotSupported, kSuccess},
                {CS_SBI_DEV_HIGH_BITS_IGNORED, kSuccess, kSuccess}};

    for (const auto &row : rows)
        both(row.deviation | CS_SBI_DEV_UNKNOWN_EVENT_INVALID, [&row](Machine &m, bool on) {
            EXPECT_EQ(m.config(3, 1, 0, 0x100001), on ? row.cycles : kNotSupported);
            EXPECT_EQ(m.config(4, 1, 0, UINT64_C(1) << 32 | 1), on ? row.cycles : kNotSupported);
            EXPECT_EQ(m.config(7, 1, kAuto, 0x8f0002), on ? row.firmware : kNotSupported);
            m.event(2, 5);
            EXPECT_EQ(m.call(kFwRead, {7}), on ? kSuccess : kInvalidParam);
            EXPECT_EQ(m.value, on ? 5u : 0u);
        });
}

TEST(SbiReleaseFirmware, StandardEventsOnly)
{
    for (uint64_t deviations : {UINT64_C(0), CS_SBI_DEV_STANDARD_FW_ONLY}) {
        const int64_t expected = deviations == 0 ? kSuccess : kNotSupported;
        Options o = few(deviations);

        o.fw.specific_events = 1;
        o.fw.platform_events = 1;
        Machine m(o);
        EXPECT_EQ(m.config(7, 1, 0, kFw + 256), expected);
        EXPECT_EQ(m.config(7, 1, 0, kPlatform), expected);
        EXPECT_EQ(m.config(7, 1, 0, kFw + 21), kSuccess);
    }
}

// ---- the map ----

static const cs_riscv_pmu_map kTwoRows = [] {
    cs_riscv_pmu_map map = {};

    map.nr_ranges = 1;
    map.ranges[0] = {3, 3, 0x58};
    map.nr_selects = 1;
    map.selects[0] = {3, 7};
    map.nr_raws = 2;
    map.raws[0] = {0, 0xf0, 0x08};
    map.raws[1] = {0, 0xf00, 0x50};
    return map;
}();

static uint64_t raw_counter(const cs_riscv_pmu_map &map, uint64_t deviations, uint64_t base,
                            uint64_t mask, uint64_t data = 1)
{
    Options o = few(deviations);

    o.fw.map = &map;
    Machine m(o);
    return m.config(base, mask, 0, kRaw, data) == kSuccess ? m.value : 99;
}

// Data that both rows have: the second search begins where the first has found one, and shifts the
// mask so far.
TEST(SbiReleaseMap, RowsInOrder)
{
    const uint64_t order = CS_SBI_DEV_ROWS_IN_ORDER, highest = CS_SBI_DEV_HIGHEST_FIRST;

    EXPECT_EQ(raw_counter(kTwoRows, 0, 0, 0x58), 3u);
    EXPECT_EQ(raw_counter(kTwoRows, order, 0, 0x09), 6u);  // << 3: 3 and 6
    EXPECT_EQ(raw_counter(kTwoRows, order, 0, 0x59), 6u);  // << 3: 3, 6, 7, 9
    EXPECT_EQ(raw_counter(kTwoRows, order, 0, 0x50), 99u); // the first finds none
    EXPECT_EQ(raw_counter(kTwoRows, 0, 0, 0x50), 4u);
    EXPECT_EQ(raw_counter(kTwoRows, order | highest, 0, 0x59), 3u); // the first row decides
    EXPECT_EQ(raw_counter(kTwoRows, order, 0, 0x50, 0x10), 4u);     // only the second has it
}

// A row for all raw events looks like a row of events, of which there is one.
TEST(SbiReleaseMap, ARowThatIsRefused)
{
    const uint64_t order = CS_SBI_DEV_ROWS_IN_ORDER;
    cs_riscv_pmu_map map = kTwoRows;

    map.raws[0] = {0, 0, 0x08};
    EXPECT_EQ(raw_counter(map, 0, 3, 1), 3u);
    EXPECT_EQ(raw_counter(map, order, 3, 1), 99u);
    EXPECT_EQ(raw_counter(map, order, 4, 1), 99u); // nor is what is behind it
    EXPECT_EQ(raw_counter(map, order | CS_SBI_DEV_MAP_NEEDS_ALL, 4, 1), 4u);
}

TEST(SbiReleaseMap, NeedsAll)
{
    cs_riscv_pmu_map map = kTwoRows;

    map.nr_selects = 0;
    EXPECT_EQ(raw_counter(map, 0, 3, 1), 3u);
    EXPECT_EQ(raw_counter(map, CS_SBI_DEV_MAP_NEEDS_ALL, 3, 1), 99u);
}

// ---- CONFIG_MATCHING ----

TEST_F(SbiRelease, FixedAlways)
{
    both(CS_SBI_DEV_FIXED_ALWAYS, [](Machine &m, bool on) {
        EXPECT_EQ(m.config(3, 3, 0, 1), kSuccess);
        EXPECT_EQ(m.value, on ? 0u : 3u);
        EXPECT_EQ(m.config(7, 3, 0, 2), on ? kSuccess : kNotSupported);
        EXPECT_EQ(m.value, on ? 2u : 0u);
        EXPECT_EQ(m.start(0, 1), kSuccess);
        EXPECT_EQ(m.config(0, 1, 0, 1), on ? kSuccess : kNotSupported); // though it runs
    });
}

// The base is looked at before all.
TEST(SbiReleaseFixed, ABaseBehindTheHardware)
{
    for (uint64_t event : {1, 2}) {
        Machine m(few(CS_SBI_DEV_FIXED_FROM_OUTSIDE));

        EXPECT_EQ(m.config(6, 1, 0, event), kSuccess);
        EXPECT_EQ(m.config(7, 1, 0, event), kNotSupported);
        EXPECT_EQ(m.log, "");
    }
}

TEST_F(SbiRelease, FixedNoFilter)
{
    both(CS_SBI_DEV_FIXED_NO_FILTER, [](Machine &m, bool on) {
        EXPECT_EQ(m.config(0, 1, kUinh, 1), kSuccess);
        EXPECT_EQ(m.csr(0x321), on ? 0 : UINT64_C(1) << 60);
    });
}

TEST_F(SbiRelease, SkipTakesBase)
{
    both(CS_SBI_DEV_SKIP_TAKES_BASE, [](Machine &m, bool on) {
        EXPECT_EQ(m.config(3, 2, kSkip, 3), kSuccess);
        EXPECT_EQ(m.value, on ? 3u : 4u);
    });
}

// The event is of the other kind: nothing happens.
TEST(SbiReleaseSkip, OfTheOtherKind)
{
    Machine m(few(CS_SBI_DEV_SKIP_NEEDS_EVENT));

    EXPECT_EQ(m.config(3, 1, 0, 3), kSuccess);
    EXPECT_EQ(m.config(7, 1, 0, kFw), kSuccess);
    EXPECT_EQ(m.config(3, 1, kSkip, kFw + 1), kSuccess);
    EXPECT_EQ(m.config(7, 1, kSkip | kClear | kAuto, 3), kSuccess);
    EXPECT_EQ(m.log, "");
    m.event(0, 5);
    EXPECT_EQ(m.fw_read(7), 0u);
}

// AUTO_START of one that runs: OF stays, so that its interrupt is not asked for anew.
TEST(SbiReleaseSkip, AutoStartOfOneThatRuns)
{
    Machine m(few(CS_SBI_DEV_SKIP_NEEDS_EVENT | CS_SBI_DEV_ONE_BY_ONE));

    EXPECT_EQ(m.config(3, 1, kAuto, 3), kSuccess);
    overflow(m, 3);
    EXPECT_EQ(m.config(3, 1, kSkip | kAuto, 3), kSuccess);
    EXPECT_EQ(m.log, "I");
    EXPECT_EQ(m.selector(3), kOf | 3);
}

TEST_F(SbiRelease, FwRelative)
{
    both(CS_SBI_DEV_FW_RELATIVE, [](Machine &m, bool on) {
        EXPECT_EQ(m.config(0, kAll, 0, kFw), kSuccess);
        EXPECT_EQ(m.value, 7u);
        EXPECT_EQ(m.config(7, 1, 0, kFw), on ? kNotSupported : kSuccess); // it would be 0
    });
}

// ---- firmware counters ----

TEST_F(SbiRelease, FwWidthXlen)
{
    for (unsigned xlen : {32u, 64u})
        both(
            CS_SBI_DEV_FW_WIDTH_XLEN,
            [xlen](Machine &m, bool on) {
                EXPECT_EQ(m.call(kGetInfo, {7}), kSuccess);
                EXPECT_EQ(m.value >> 12 & 63, on ? xlen - 1 : 63);
            },
            xlen);
}

TEST_F(SbiRelease, FwReadOfHardware)
{
    const struct {
        uint64_t deviation, value;
    } rows[] = {{CS_SBI_DEV_FW_READ_NOTHING, 0}, {CS_SBI_DEV_FW_READ_HARDWARE, 0x77}};

    for (const auto &row : rows)
        both(row.deviation, [&row](Machine &m, bool on) {
            EXPECT_EQ(m.config(3, 1, 0, 3), kSuccess);
            m.set_counter(3, 0x77);
            EXPECT_EQ(m.call(kFwRead, {3}), on ? kSuccess : kInvalidParam);
            EXPECT_EQ(m.value, on ? row.value : 0);
            EXPECT_EQ(m.call(kFwRead, {4}), kInvalidParam); // it has no event
        });
}

TEST_F(SbiRelease, HighHalves)
{
    for (unsigned xlen : {32u, 64u}) {
        const bool wide = xlen == 64;

        both(
            CS_SBI_DEV_HI_UNCONFIGURED,
            [wide](Machine &m, bool on) {
                EXPECT_EQ(m.call(kFwReadHi, {7}), on && wide ? kSuccess : kInvalidParam);
                EXPECT_EQ(m.call(kFwReadHi, {3}), kInvalidParam);
            },
            xlen);
        both(
            CS_SBI_DEV_HI_NEVER,
            [wide](Machine &m, bool on) {
                EXPECT_EQ(m.config(7, 1, 0, kFw), kSuccess);
                EXPECT_EQ(m.call(kFwReadHi, {7}), on && wide ? kInvalidParam : kSuccess);
            },
            xlen);
    }
}

// ---- shared memory ----

TEST_F(SbiRelease, PageAnywhere)
{
    both(CS_SBI_DEV_PAGE_ANYWHERE, [](Machine &m, bool on) {
        EXPECT_EQ(m.call(kSetShmem, {kMemory + 8}), on ? kSuccess : kInvalidParam);
        m.set_counter(3, 0x77);
        EXPECT_EQ(m.stop(3, 1, kTake), on ? kAlreadyStopped : kNoShmem);
        EXPECT_EQ(m.slot(0, kMemory + 8), on ? 0x77u : 0u);
    });
}

TEST_F(SbiRelease, InfoByHost)
{
    both(CS_SBI_DEV_INFO_BY_HOST, [](Machine &m, bool on) {
        m.store(kMemory, kRaw);
        m.store(kMemory + 8, kOnes);
        EXPECT_EQ(m.call(kEventInfo, {kMemory, 0, 1, 0}), kSuccess);
        EXPECT_EQ(m.load(kMemory) >> 32, on ? 1u : 0u);
        EXPECT_EQ(m.call(kEventInfo, {0, 0, 1, 0}), on ? kFailed : kInvalidAddress);
    });
}

TEST(SbiReleaseVersion, InfoEarly)
{
    for (uint64_t deviations : {UINT64_C(0), CS_SBI_DEV_INFO_EARLY}) {
        const int64_t expected = deviations != 0 ? kSuccess : kNotSupported;
        Options o = few(deviations);

        o.fw.version = CS_SBI_VERSION_2_0;
        Machine m(o);
        EXPECT_EQ(m.call(kEventInfo, {kMemory, 0, 0, 0}), expected);
        EXPECT_EQ(m.config(3, 1, 0, kRawV2, 5), expected);
    }
}

// There was no snapshot then: its flags are reserved bits.
TEST(SbiReleaseVersion, SnapshotFlagsBeforeTwo)
{
    for (uint64_t deviations : {UINT64_C(0), CS_SBI_DEV_RESERVED_UNCHECKED}) {
        Options o = few(deviations);

        o.fw.version = 0x01000000;
        Machine m(o);
        EXPECT_EQ(m.start(3, 1, kInitSnapshot), deviations == 0 ? kInvalidParam : kSuccess);
        EXPECT_EQ(m.stop(3, 1, kTake), deviations == 0 ? kInvalidParam : kSuccess);
    }
}
