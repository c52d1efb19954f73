// SPDX-License-Identifier: Apache-2.0
// CONFIG_MATCHING: which counter is taken, what is written, what is refused.
#include "firmware.hpp"

using namespace cs_test;

namespace
{

// A call on a machine on which nothing runs and nothing has an event.
struct Case {
    const char *name;
    Options options;
    std::array<uint64_t, 6> args; // base, mask, flags, event_idx, data
    int64_t error;
    uint64_t value;
    const char *log;
};

void expect(const Case &row)
{
    SCOPED_TRACE(row.name);
    Machine m(row.options);

    EXPECT_EQ(m.call(kConfig, row.args), row.error);
    EXPECT_EQ(m.value, row.value);
    EXPECT_EQ(m.log, row.log);
    EXPECT_EQ(m.transfers, 0u);
}

// There are 0, 2, 3, 4, 6 and firmware counters 7, 8.
Options few(unsigned xlen = 64, uint32_t deviations = 0)
{
    Options o = small(0x58, xlen, deviations);

    o.fw.firmware_counters = 2;
    return o;
}

const uint64_t kAll = 0x1dd; // all of them
const uint64_t b48 = (UINT64_C(1) << 48) - 1, b56 = (UINT64_C(1) << 56) - 1;

} // namespace

// docs/drivers/sbi_pmu.md, "Errors", function 2: the first that fits.
TEST(SbiConfigErrors, TheFirstThatFits)
{
    const Case rows[] = {
        {"reserved flag", few(), {0, 8, 0x100, 1}, kInvalidParam, 0, ""},
        {"highest reserved flag", few(), {0, 8, UINT64_C(1) << 63, 1}, kInvalidParam, 0, ""},
        {"flag before set and event", few(), {99, 0, 0x100, 99}, kInvalidParam, 0, ""},
        {"empty set", few(), {3, 0, 0, 1}, kInvalidParam, 0, ""},
        {"empty set before event", few(), {3, 0, 0, 99}, kInvalidParam, 0, ""},
        {"index 1", few(), {0, 0xf, 0, 1}, kInvalidParam, 0, ""},
        {"hole", few(), {3, 0x7, 0, 1}, kInvalidParam, 0, ""},
        {"hole before event", few(), {5, 1, 0, 99}, kInvalidParam, 0, ""},
        {"one beyond", few(), {7, 0x7, 0, 1}, kInvalidParam, 0, ""},
        {"base beyond", few(), {9, 1, 0, 1}, kInvalidParam, 0, ""},
        {"far bit", few(), {3, UINT64_C(1) << 63 | 1, 0, 1}, kInvalidParam, 0, ""},
        {"base wraps", few(), {kOnes, 0x10, 0, 1}, kInvalidParam, 0, ""},
        {"base wraps to one that is there", few(), {kOnes - 1, 0x20, 0, 1}, kInvalidParam, 0, ""},
        {"base wraps, 32", few(32), {0xfffffffe, 0x20, 0, 1}, kInvalidParam, 0, ""},
        {"SKIP: no event", few(), {3, 1, kSkip, 11}, kNotSupported, 0, ""},
        {"SKIP: firmware's event on hardware", few(), {3, 1, kSkip, kFw}, kNotSupported, 0, ""},
        {"SKIP: hardware's event on firmware", few(), {7, 1, kSkip, 1}, kNotSupported, 0, ""},
        {"SKIP: only the first counts", few(), {6, 3, kSkip, kFw}, kNotSupported, 0, ""},
        {"none can: no event 0", few(), {0, kAll, 0, 0}, kNotSupported, 0, "I"},
        {"none can: not in the map", few(), {0, kAll, 0, 7}, kNotSupported, 0, "I"},
        {"none can: hardware's event, firmware's set", few(), {7, 3, 0, 1}, kNotSupported, 0, "I"},
        {"none can: firmware's event, hardware's set",
         few(),
         {0, 0x5d, 0, kFw},
         kNotSupported,
         0,
         ""},
        {"none can: mcycle and instructions", few(), {0, 1, 0, 2}, kNotSupported, 0, "I"},
        {"none can: minstret and cycles", few(), {2, 1, 0, 1}, kNotSupported, 0, "I"},
        {"none can: mcycle and raw cycles", few(), {0, 5, 0, kRaw, 1}, kNotSupported, 0, "I"},
    };

    for (const Case &row : rows)
        expect(row);
}

TEST(SbiConfig, WhichCounterAndWhatIsWritten)
{
    const Case rows[] = {
        {"lowest of the set", few(), {0, kAll, 0, 3}, 0, 3, "I E3=3"},
        {"relative to base", few(), {4, 0x5, 0, 3}, 0, 4, "I E4=3"},
        {"mhpmcounter before mcycle", few(), {0, kAll, 0, 1}, 0, 3, "I E3=1"},
        {"mhpmcounter before minstret", few(), {0, kAll, 0, 2}, 0, 3, "I E3=2"},
        {"mcycle alone", few(), {0, 1, 0, 1}, 0, 0, "I cyclecfg=0"},
        {"minstret alone", few(), {2, 1, 0, 2}, 0, 2, "I instretcfg=0"},
        {"mcycle without of", without_of(few()), {0, kAll, 0, 1}, 0, 0, "I cyclecfg=0"},
        {"minstret without of", without_of(few()), {0, kAll, 0, 2}, 0, 2, "I instretcfg=0"},
        {"mcycle without of, cf", without_cf(without_of(few())), {0, 1, kUinh, 1}, 0, 0, "I"},
        {"mcycle without cf", without_cf(few()), {0, 1, 0, 1}, 0, 0, "I"},
        {"mcycle cannot filter", without_cf(few()), {0, 1, kUinh, 1}, kNotSupported, 0, "I"},
        {"mcycle can filter", few(), {0, 1, kUinh, 1}, 0, 0, "I cyclecfg=1000000000000000"},
        {"mcycle can filter, 32", few(32), {0, 1, kUinh, 1}, 0, 0, "I cyclecfgh=10000000"},
        {"minstret can filter, 32", few(32), {2, 1, kMinh, 2}, 0, 2, "I instretcfgh=40000000"},
        {"cfg has filters alone",
         few(),
         {0, 1, kSkip | kUinh, kRaw, b48},
         0,
         0,
         "cyclecfg=1000000000000000"},
        {"cfg has filters alone, 32",
         few(32),
         {0, 1, kSkip | kUinh, kRaw, 0, 0xffff},
         0,
         0,
         "cyclecfgh=10000000"},
        {"E in two halves", few(32), {3, 1, kUinh, 1}, 0, 3, "I E3=1 E3h=10000000"},
        {"E in one half", without_of(few(32)), {3, 1, kUinh, 3}, 0, 3, "I E3=3"},
        {"no filters without of", without_of(few()), {3, 1, kUinh, 3}, 0, 3, "I E3=3"},
        {"cache event of the map", few(), {3, 1, 0, 0x10019}, 0, 3, "I E3=10"},
        {"raw", few(), {3, 1, 0, kRaw, 0x40}, 0, 3, "I E3=40"},
        {"raw v2", few(), {3, 1, 0, kRawV2, 0xffff}, 0, 3, "I E3=ffff"},
        {"SKIP takes the first", few(), {4, 0x5, kSkip, 3}, 0, 4, "E4=3"},
        {"SKIP of an event that no counter has", few(), {4, 1, kSkip, 7}, 0, 4, "E4=7"},
        {"SKIP of no event", few(), {4, 1, kSkip, 0}, 0, 4, "E4=0"},
        {"SKIP of mcycle for whatever", few(), {0, 1, kSkip, 2}, 0, 0, "cyclecfg=0"},
        {"SKIP of firmware", few(), {7, 3, kSkip, kFw}, 0, 7, ""},
        {"firmware", few(), {0, kAll, 0, kFw + 21}, 0, 7, ""},
        {"firmware, relative", few(), {8, 1, 0, kFw}, 0, 8, ""},
        {"CLEAR", few(), {3, 1, kClear, 3}, 0, 3, "I E3=3 C3=0"},
        {"CLEAR, 32", few(32), {3, 1, kClear, 3}, 0, 3, "I E3=3 E3h=0 C3=0 C3=0 C3h=0"},
        {"CLEAR of mcycle", few(), {0, 1, kClear, 1}, 0, 0, "I cyclecfg=0 C0=0"},
        {"AUTO", few(), {3, 1, kAuto, 3}, 0, 3, "I E3=3 E3=3 I=55"},
        {"AUTO, 32", few(32), {3, 1, kAuto, 3}, 0, 3, "I E3=3 E3h=0 E3h=0 I=55"},
        {"AUTO without of", without_of(few()), {3, 1, kAuto, 3}, 0, 3, "I E3=3 I=55"},
        {"AUTO of mcycle", few(), {0, 1, kAuto, 1}, 0, 0, "I cyclecfg=0 I=5c"},
        {"CLEAR and AUTO", few(), {3, 1, kClear | kAuto, 3}, 0, 3, "I E3=3 C3=0 E3=3 I=55"},
        {"SKIP, CLEAR, AUTO",
         few(),
         {6, 1, kSkip | kClear | kAuto, 3},
         0,
         6,
         "E6=3 C6=0 E6=3 I=1d"},
        {"firmware, CLEAR, AUTO", few(), {7, 1, kClear | kAuto, kFw}, 0, 7, ""},
    };

    for (const Case &row : rows)
        expect(row);
}

// The hints are followed to the letter: M mode's too, and none is added.
TEST(SbiConfig, FiltersAreThoseAskedFor)
{
    const std::pair<uint64_t, unsigned> filters[] = {
        {kMinh, 62}, {kSinh, 61}, {kUinh, 60}, {kVsinh, 59}, {kVuinh, 58}};

    for (unsigned xlen : {32u, 64u})
        for (unsigned subset = 0; subset < 32; subset++) {
            uint64_t flags = 0, bits = 0;
            for (unsigned i = 0; i < 5; i++)
                if ((subset >> i & 1) != 0) {
                    flags |= filters[i].first;
                    bits |= UINT64_C(1) << filters[i].second;
                }
            Machine m(few(xlen));

            m.csr(0x323, kOf >> (xlen == 32 ? 32 : 0)); // whatever was there
            EXPECT_EQ(m.config(3, 1, flags, 3), kSuccess);
            EXPECT_EQ(m.selector(3), bits | 3);
            EXPECT_EQ(m.config(0, 1, flags, 1), kSuccess);
            EXPECT_EQ(xlen == 64 ? m.csr(0x321) : m.csr(0x721) << 32, bits);
        }
}

// docs/drivers/sbi_pmu.md, "Events": raw data within what mhpmevent can hold.
TEST(SbiConfig, RawDataThatThereIs)
{
    static cs_riscv_pmu_map map = {};
    map.nr_raws = 1;
    map.raws[0] = {0, 0, 0x8}; // all there is, on counter 3
    const auto on = [](Options o) {
        o.fw.map = &map;
        return o;
    };
    const struct {
        Options options;
        uint64_t event, data;
        int64_t error;
        const char *log;
    } rows[] = {
        {few(), kRaw, b48, kSuccess, "I E3=ffffffffffff"},
        {few(), kRaw, b48 + 1, kNotSupported, ""},
        {few(), kRaw, kOnes, kNotSupported, ""},
        {few(), kRawV2, b56, kSuccess, "I E3=ffffffffffffff"},
        {few(), kRawV2, b56 + 1, kNotSupported, ""},
        {few(), kRawV2, kOf, kNotSupported, ""},
        {without_of(few()), kRaw, b48, kSuccess, "I E3=ffffffffffff"},
        {few(32), kRaw, b48, kSuccess, "I E3=ffffffff E3h=ffff"},
        {few(32), kRaw, b48 + 1, kNotSupported, ""},
        {few(32), kRawV2, b56, kSuccess, "I E3=ffffffff E3h=ffffff"},
        {few(32), kRawV2, b56 + 1, kNotSupported, ""},
        {without_of(few(32)), kRaw, 0xffffffff, kSuccess, "I E3=ffffffff"},
        {without_of(few(32)), kRaw, UINT64_C(1) << 32, kNotSupported, ""},
        {without_of(few(32)), kRawV2, UINT64_C(1) << 32, kNotSupported, ""},
        {few(), kRaw, 0, kNotSupported, "I"}, // selects nothing
        {few(), kRaw + 1, 1, kNotSupported, ""},
        {few(), kRawV2 + 1, 1, kNotSupported, ""},
    };

    for (const auto &row : rows) {
        Machine m(on(row.options));

        EXPECT_EQ(m.config(3, 1, 0, row.event, row.data), row.error) << std::hex << row.data;
        EXPECT_EQ(m.log, row.log);
    }
    Options old = on(few());
    old.fw.version = CS_SBI_VERSION_2_0;
    Machine m(old);
    EXPECT_EQ(m.config(3, 1, 0, kRawV2, 1), kNotSupported);
    EXPECT_EQ(m.config(3, 1, 0, kRaw, 1), kSuccess);
}

// docs/drivers/sbi_pmu.md, "Events": event_data of all other events is 0.
TEST(SbiConfig, DataOnlyWhereThereIsAny)
{
    for (unsigned xlen : {32u, 64u})
        for (uint64_t data : {UINT64_C(1), UINT64_C(1) << 32}) {
            Machine m(few(xlen));

            for (uint64_t event : {UINT64_C(1), UINT64_C(0x10000), kFw, kFw + 256})
                EXPECT_EQ(m.config(0, kAll, 0, event, data), kNotSupported) << event;
        }
}

// Each event_idx: SKIP_MATCH of a counter that suits tells whether it is one.
TEST(SbiConfig, EventsThatThereAre)
{
    Options o = few();
    o.fw.specific_events = 3;
    Machine m(o);
    const auto is_event = [&m](uint64_t event) {
        const bool hardware = m.config(3, 1, kSkip, event) == kSuccess;
        const bool firmware = m.config(7, 1, kSkip, event) == kSuccess;

        EXPECT_FALSE(hardware && firmware) << event;
        return hardware ? 1 : firmware ? 2 : 0;
    };

    for (uint64_t code = 0; code < 0x400; code++) {
        EXPECT_EQ(is_event(code), code <= 10 ? 1 : 0) << code;
        const bool cache = code >> 3 <= 6 && (code >> 1 & 3) <= 2;
        EXPECT_EQ(is_event(0x10000 | code), cache ? 1 : 0) << code;
        const bool firmware = code <= 21 || (code >= 256 && code < 259);
        EXPECT_EQ(is_event(kFw | code), firmware ? 2 : 0) << code;
        if (code > 0) {
            EXPECT_EQ(is_event(kRaw | code), 0) << code;
            EXPECT_EQ(is_event(kRawV2 | code), 0) << code;
        }
        for (uint64_t type = 4; type < 15; type++)
            EXPECT_EQ(is_event(type << 16 | code), 0) << type;
    }
    EXPECT_EQ(is_event(kRaw), 1);
    EXPECT_EQ(is_event(kRawV2), 1);
    for (uint64_t event : {UINT64_C(0xffff), UINT64_C(0x1ffff), kFw | 0xfffe, UINT64_C(0x100001),
                           UINT64_C(0x80000001), UINT64_C(1) << 32 | 1, UINT64_C(1) << 63 | 1})
        EXPECT_EQ(is_event(event), 0) << event;
}

TEST(SbiConfig, WhatTheMapSaysOfEachEvent)
{
    Machine m(options());

    for (size_t i = 0; cs_riscv_event_at(i) != nullptr; i++) {
        const cs_riscv_event *event = cs_riscv_event_at(i);

        for (unsigned k = 0; k < event->nr_sbi; k++) {
            EXPECT_EQ(m.config(31, 1, 0, event->sbi[k]), kSuccess) << event->name;
            EXPECT_EQ(m.selector(31), event->encoding);
        }
        EXPECT_EQ(m.config(31, 1, 0, kRaw, event->encoding), kSuccess) << event->name;
        EXPECT_EQ(m.selector(31), event->encoding);
    }
    EXPECT_EQ(m.config(31, 1, 0, kRaw, 0x10000), kNotSupported);
}

// A map of its own: counters by range and by mask, and event_idx itself where it has no value.
TEST(SbiConfig, AMapOfItsOwn)
{
    cs_riscv_pmu_map map = {};
    map.nr_selects = 2;
    map.selects[0] = {0x1, 0x77};
    map.selects[1] = {0x10001, kOnes};
    map.nr_ranges = 2;
    map.ranges[0] = {0x1, 0x5, 0x1f}; // mcycle and minstret are not for 3..5
    map.ranges[1] = {0x10000, 0x10001, 0x40};
    map.nr_raws = 2;
    map.raws[0] = {0x10, 0xfffffffffffffff0, 0x18};
    map.raws[1] = {0x0, 0xffffffffffffffc0, 0x40};
    Options o = few();
    o.fw.map = &map;
    const Case rows[] = {
        {"value", o, {0, kAll, 0, 1}, 0, 3, "I E3=77"},
        {"event_idx", o, {0, kAll, 0, 2}, 0, 3, "I E3=2"},
        {"not on 6", o, {6, 1, 0, 2}, kNotSupported, 0, "I"},
        {"3 not on mcycle", o, {0, 0x5, 0, 3}, kNotSupported, 0, "I"},
        {"last of the range", o, {0, kAll, 0, 5}, 0, 3, "I E3=5"},
        {"beyond the range", o, {0, kAll, 0, 6}, kNotSupported, 0, "I"},
        {"cache", o, {0, kAll, 0, 0x10000}, 0, 6, "I E6=10000"},
        {"value without bits 63:56", o, {0, kAll, 0, 0x10001}, 0, 6, "I E6=ffffffffffffff"},
        {"raw on 3, 4, 6", o, {0, kAll, 0, kRaw, 0x1f}, 0, 3, "I E3=1f"},
        {"raw on 6 only", o, {0, kAll, 0, kRaw, 0x2f}, 0, 6, "I E6=2f"},
        {"raw on none", o, {0, kAll, 0, kRaw, 0x40}, kNotSupported, 0, "I"},
    };

    for (const Case &row : rows)
        expect(row);
    map.nr_selects = map.nr_ranges = 0; // copied: no matter any more
    cs_riscv_pmu_map empty = {};
    o.fw.map = &empty;
    for (const Case &row : {Case{"cycles always", o, {0, kAll, 0, 1}, 0, 0, "I cyclecfg=0"},
                            Case{"instructions always", o, {0, kAll, 0, 2}, 0, 2, "I instretcfg=0"},
                            Case{"nothing else", o, {0, kAll, 0, 3}, kNotSupported, 0, "I"}})
        expect(row);
}

// One that runs is nobody's; one that stands is free, whatever it was configured for.
TEST(SbiConfig, WhoRunsIsTaken)
{
    for (uint64_t deviations : {UINT64_C(0), CS_SBI_DEV_MAPPED_TAKEN}) {
        const bool mapped = deviations != 0;
        Machine m(few(64, deviations));

        EXPECT_EQ(m.config(0, kAll, 0, 1), kSuccess);
        EXPECT_EQ(m.value, 3u);
        EXPECT_EQ(m.config(0, kAll, 0, 1), kSuccess);
        EXPECT_EQ(m.value, mapped ? 4u : 3u);
        EXPECT_EQ(m.config(0, kAll, kAuto, 1), kSuccess);
        EXPECT_EQ(m.value, mapped ? 6u : 3u);
        EXPECT_EQ(m.config(0, kAll, 0, 1), kSuccess);
        EXPECT_EQ(m.value, mapped ? 0u : 4u);

        EXPECT_EQ(m.config(0, kAll, 0, kFw), kSuccess);
        EXPECT_EQ(m.value, 7u);
        EXPECT_EQ(m.config(0, kAll, kAuto, kFw), kSuccess);
        EXPECT_EQ(m.value, mapped ? 8u : 7u);
        EXPECT_EQ(m.config(0, kAll, 0, kFw), mapped ? kNotSupported : kSuccess);
        // SKIP_MATCH takes what runs, too.
        EXPECT_EQ(m.config(7, 1, kSkip, kFw + 1), kSuccess);
        EXPECT_EQ(m.value, 7u);
        EXPECT_EQ(m.config(4, 1, kAuto | kSkip, 3), kSuccess);
        EXPECT_EQ(m.config(4, 1, kSkip, 4), kSuccess);
        EXPECT_EQ(m.selector(4), 4u);
        EXPECT_TRUE(m.runs(4));
    }
    // All run: none.
    Machine m(few());
    for (uint64_t n : {0, 2, 3, 4, 6})
        EXPECT_EQ(m.start(n, 1), kSuccess);
    EXPECT_EQ(m.config(0, kAll, 0, 1), kNotSupported);
}

// mcycle, where all that could overflow run.
TEST(SbiConfig, McycleWhenNothingElseIsLeft)
{
    for (bool cf : {false, true})
        for (uint64_t flags : std::initializer_list<uint64_t>{0, kSinh}) {
            Machine m(cf ? few() : without_cf(few()));

            EXPECT_EQ(m.start(3, 0xb), kSuccess);
            EXPECT_EQ(m.config(0, kAll, flags, 1), cf || flags == 0 ? kSuccess : kNotSupported);
            EXPECT_EQ(m.value, 0u);
            EXPECT_EQ(m.config(0, kAll, flags, 2), cf || flags == 0 ? kSuccess : kNotSupported);
            EXPECT_EQ(m.value, cf || flags == 0 ? 2u : 0u);
        }
}

TEST(SbiConfig, ValuesStayUnlessCleared)
{
    for (unsigned xlen : {32u, 64u}) {
        Machine m(few(xlen));

        m.csr(0xb03, 0x12345678);
        if (xlen == 32)
            m.csr(0xb83, 9);
        const uint64_t before = m.counter(3);
        EXPECT_EQ(m.config(3, 1, 0, 3), kSuccess);
        EXPECT_EQ(m.counter(3), before);
        EXPECT_EQ(m.config(3, 1, kAuto, 3), kSuccess); // "does not alter the value"
        EXPECT_EQ(m.counter(3), before);
        EXPECT_EQ(m.stop(3, 1), kSuccess);
        EXPECT_EQ(m.config(3, 1, kClear, 3), kSuccess);
        EXPECT_EQ(m.counter(3), 0u);

        EXPECT_EQ(m.config(7, 1, kAuto, kFw), kSuccess);
        m.event(0, 5);
        EXPECT_EQ(m.stop(7, 1), kSuccess);
        EXPECT_EQ(m.config(7, 1, 0, kFw), kSuccess);
        EXPECT_EQ(m.fw_read(7), 5u);
        EXPECT_EQ(m.config(7, 1, kAuto, kFw), kSuccess);
        EXPECT_EQ(m.fw_read(7), 5u);
        EXPECT_EQ(m.start(7, 1), kAlreadyStarted);
        EXPECT_EQ(m.config(7, 1, kClear | kSkip, kFw), kSuccess);
        EXPECT_EQ(m.fw_read(7), 0u);
    }
}

// It counts from the cycle after the one in which its bit of mcountinhibit falls.
TEST(SbiConfig, AutoStartCountsFromItsLastAccess)
{
    Machine m(few());

    EXPECT_EQ(m.config(3, 1, kClear | kAuto, kRaw, 0x40), kSuccess);
    const cs_cycle after = m.elapsed - 1 - m.when.back();
    EXPECT_EQ(after, 5u); // the way back
    EXPECT_EQ(m.counter(3), after + kCosts.csr_cycles - 1);
}
