// SPDX-License-Identifier: Apache-2.0
// COUNTER_START and COUNTER_STOP: what they access, in which order and when; what is refused.
#include "firmware.hpp"

using namespace cs_test;

namespace
{

// There are 0, 2, 3, 4, 6 and firmware counters 7, 8. Those of 3 and 7 run, 3 filters U.
Options few(unsigned xlen = 64, uint32_t deviations = 0)
{
    Options o = small(0x58, xlen, deviations);

    o.fw.firmware_counters = 2;
    return o;
}

const uint64_t kAll = 0x1dd;

struct Case {
    const char *name;
    Options options;
    uint64_t fid;
    std::array<uint64_t, 6> args;
    int64_t error;
    const char *log;
};

void expect(const Case &row)
{
    SCOPED_TRACE(row.name);
    Machine m(row.options);

    EXPECT_EQ(m.config(3, 1, kUinh | kAuto, 3), kSuccess);
    EXPECT_EQ(m.config(7, 1, kAuto, kFw), kSuccess);
    EXPECT_EQ(m.call(row.fid, row.args), row.error);
    EXPECT_EQ(m.value, 0u);
    EXPECT_EQ(m.log, row.log);
    EXPECT_EQ(m.transfers, 0u);
}

} // namespace

// docs/drivers/sbi_pmu.md, "Errors", functions 3 and 4.
TEST(SbiStartStopErrors, TheFirstThatFits)
{
    const Case rows[] = {
        {"start: reserved flag", few(), kStart, {4, 1, 4}, kInvalidParam, ""},
        {"start: highest reserved flag", few(), kStart, {4, 1, kOf}, kInvalidParam, ""},
        {"start: both flags", few(), kStart, {4, 1, 3}, kInvalidParam, ""},
        {"start: empty set", few(), kStart, {4, 0}, kInvalidParam, ""},
        {"start: index 1", few(), kStart, {0, 7}, kInvalidParam, ""},
        {"start: hole", few(), kStart, {4, 7}, kInvalidParam, ""},
        {"start: beyond", few(), kStart, {8, 3}, kInvalidParam, ""},
        {"start: wraps", few(), kStart, {kOnes, 0x20}, kInvalidParam, ""},
        {"start: set before page", few(), kStart, {5, 1, 2}, kInvalidParam, ""},
        {"start: no page", few(), kStart, {3, 1, 2}, kNoShmem, ""},
        {"start: one runs", few(), kStart, {3, 1}, kAlreadyStarted, "I"},
        {"start: firmware's runs", few(), kStart, {7, 1}, kAlreadyStarted, ""},
        {"start: one of many runs", few(), kStart, {3, 0xb}, kAlreadyStarted, "I E4=0 E6=0 I=5"},
        {"start: firmware's of many runs", few(), kStart, {6, 7}, kAlreadyStarted, "I E6=0 I=15"},
        {"stop: reserved flag", few(), kStop, {3, 1, 4}, kInvalidParam, ""},
        {"stop: highest reserved flag", few(), kStop, {3, 1, kOf}, kInvalidParam, ""},
        {"stop: empty set", few(), kStop, {3, 0}, kInvalidParam, ""},
        {"stop: index 1", few(), kStop, {0, 7}, kInvalidParam, ""},
        {"stop: hole", few(), kStop, {3, 7}, kInvalidParam, ""},
        {"stop: beyond", few(), kStop, {8, 3}, kInvalidParam, ""},
        {"stop: wraps", few(), kStop, {kOnes, 0x20}, kInvalidParam, ""},
        {"stop: set before page", few(), kStop, {5, 1, 2}, kInvalidParam, ""},
        {"stop: no page", few(), kStop, {3, 1, 2}, kNoShmem, ""},
        {"stop: no page, both flags", few(), kStop, {3, 1, 3}, kNoShmem, ""},
        {"stop: one stands", few(), kStop, {4, 1}, kAlreadyStopped, "I=55"},
        {"stop: firmware's stands", few(), kStop, {8, 1}, kAlreadyStopped, ""},
        {"stop: one of many stands", few(), kStop, {3, 3}, kAlreadyStopped, "I=5d"},
        {"stop: one stands, RESET all the same",
         few(),
         kStop,
         {3, 3, kReset},
         kAlreadyStopped,
         "I=5d E3=0 E4=0"},
    };

    for (const Case &row : rows)
        expect(row);
}

TEST(SbiStartStop, AccessesInTheirOrder)
{
    const Case rows[] = {
        {"start: as it is", few(), kStart, {4, 1}, 0, "I E4=0 I=45"},
        {"start: with a value", few(), kStart, {4, 1, 1, 0x99}, 0, "I E4=0 C4=99 I=45"},
        {"start: with a value, 32",
         few(32),
         kStart,
         {4, 1, 1, 0x99, 0x88},
         0,
         "I E4h=0 C4=0 C4=99 C4h=88 I=45"},
        {"start: value without flag", few(), kStart, {4, 1, 0, 0x99}, 0, "I E4=0 I=45"},
        {"start: without of", without_of(few()), kStart, {4, 1, 1, 0x99}, 0, "I C4=99 I=45"},
        {"start: mcycle", few(), kStart, {0, 1, 1, 5}, 0, "I C0=5 I=54"},
        {"start: minstret, 32", few(32), kStart, {2, 1, 1, 5}, 0, "I C2=0 C2=5 C2h=0 I=51"},
        {"start: many at once", few(), kStart, {4, 0x5, 1, 7}, 0, "I E4=0 C4=7 E6=0 C6=7 I=5"},
        {"start: hardware and firmware", few(), kStart, {6, 0x5, 1, 7}, 0, "I E6=0 C6=7 I=15"},
        {"start: firmware", few(), kStart, {8, 1, 1, 7}, 0, ""},
        {"start: one that runs keeps its value",
         few(),
         kStart,
         {3, 3, 1, 7},
         kAlreadyStarted,
         "I E4=0 C4=7 I=45"},
        {"stop: one", few(), kStop, {3, 1}, 0, "I=5d"},
        {"stop: one, 32", few(32), kStop, {3, 1}, 0, "I=5d"},
        {"stop: and RESET", few(), kStop, {3, 1, kReset}, 0, "I=5d E3=0"},
        {"stop: and RESET, 32", few(32), kStop, {3, 1, kReset}, 0, "I=5d E3=0 E3h=0"},
        {"stop: and RESET, 32 without of",
         without_of(few(32)),
         kStop,
         {3, 1, kReset},
         0,
         "I=5d E3=0"},
        {"stop: mcycle, RESET", few(), kStop, {0, 1, kReset}, kAlreadyStopped, "I=55 cyclecfg=0"},
        {"stop: minstret, RESET, 32",
         few(32),
         kStop,
         {2, 1, kReset},
         kAlreadyStopped,
         "I=55 instretcfgh=0"},
        {"stop: mcycle, RESET without cf",
         without_cf(few()),
         kStop,
         {0, 1, kReset},
         kAlreadyStopped,
         "I=55"},
        {"stop: firmware", few(), kStop, {7, 1, kReset}, 0, ""},
        {"stop: all", few(), kStop, {0, kAll}, kAlreadyStopped, "I=5d"},
    };

    for (const Case &row : rows)
        expect(row);
}

// What one START starts begins in one cycle, and what one STOP stops ends in one.
TEST(SbiStartStop, BeginAndEndInOneCycle)
{
    Machine m(options());
    const uint64_t set = 0xfffffff8;

    for (unsigned n = 3; n < 32; n++)
        EXPECT_EQ(m.config(n, 1, 0, kRaw, 0x40), kSuccess);
    EXPECT_EQ(m.start(0, set | 5, kInitValue, 1000), kSuccess);
    const cs_cycle before = m.elapsed - 1 - m.when.back();
    EXPECT_EQ(m.stop(0, set | 5), kSuccess);
    ASSERT_EQ(m.when.size(), 1u);
    // The access that stops is itself counted.
    const uint64_t expected = 1000 + before + m.when[0] + 1;
    for (unsigned n = 3; n < 32; n++)
        EXPECT_EQ(m.counter(n), expected) << n;
    EXPECT_EQ(m.counter(0), expected);
    EXPECT_EQ(m.counter(2), expected);
}

// The value is there before the counter counts: nothing of the call itself is in it.
TEST(SbiStartStop, TheFirstValueIsExact)
{
    const uint64_t values[] = {0, 1, 0xffffffff, 0x100000000, UINT64_MAX - 1000};

    for (unsigned xlen : {32u, 64u})
        for (uint64_t first : values) {
            Machine m(few(xlen));

            m.csr(0xb04, 0xffffffff); // may not carry into the new high half
            EXPECT_EQ(m.config(4, 1, 0, kRaw, 0x40), kSuccess);
            EXPECT_EQ(m.start(4, 1, kInitValue, first), kSuccess);
            const cs_cycle counted = m.elapsed - 1 - m.when.back();
            m.work(100);
            EXPECT_EQ(m.stop(4, 1), kSuccess);
            const cs_cycle before = m.when[0] + 1; // which is counted, too
            EXPECT_EQ(m.counter(4), first + counted + 100 + before);
            // Without a value it goes on.
            const uint64_t stood = m.counter(4);
            EXPECT_EQ(m.start(4, 1), kSuccess);
            const cs_cycle more = m.elapsed - 1 - m.when.back();
            EXPECT_EQ(m.stop(4, 1), kSuccess);
            EXPECT_EQ(m.when[0] + 1, before);
            EXPECT_EQ(m.counter(4), stood + more + before);
        }
}

TEST(SbiStartStop, StartArmsAndLeavesTheRestOfTheEvent)
{
    for (unsigned xlen : {32u, 64u}) {
        Machine m(few(xlen));

        EXPECT_EQ(m.config(4, 1, kUinh | kMinh, 3), kSuccess);
        m.csr(xlen == 32 ? 0x724 : 0x324, (kOf | UINT64_C(1) << 60 | 3) >> (xlen == 32 ? 32 : 0));
        EXPECT_EQ(m.start(4, 1), kSuccess);
        EXPECT_EQ(m.selector(4), UINT64_C(1) << 60 | 3);
        // One that runs is left alone, its OF too.
        m.csr(xlen == 32 ? 0x724 : 0x324, kOf >> (xlen == 32 ? 32 : 0));
        EXPECT_EQ(m.start(4, 1), kAlreadyStarted);
        EXPECT_EQ(m.selector(4) & kOf, kOf);
        EXPECT_EQ(m.stop(4, 1), kSuccess);
        EXPECT_EQ(m.selector(4) & kOf, kOf);
    }
}

TEST(SbiStartStop, RunningAndStandingAreRemembered)
{
    Machine m(few());

    for (uint64_t n : {0, 2, 3, 4, 6, 7, 8}) {
        EXPECT_EQ(m.stop(n, 1), kAlreadyStopped) << n;
        EXPECT_EQ(m.start(n, 1), kSuccess) << n; // without an event, too
        EXPECT_EQ(m.start(n, 1), kAlreadyStarted) << n;
        EXPECT_EQ(m.stop(n, 1), kSuccess) << n;
        EXPECT_EQ(m.stop(n, 1), kAlreadyStopped) << n;
    }
    // Of a set with both kinds the others are started, then stopped.
    EXPECT_EQ(m.start(3, 1), kSuccess);
    EXPECT_EQ(m.start(8, 1), kSuccess);
    EXPECT_EQ(m.start(0, kAll), kAlreadyStarted);
    EXPECT_EQ(m.inhibit(), 0u);
    EXPECT_EQ(m.stop(7, 1), kSuccess);
    EXPECT_EQ(m.stop(0, kAll), kAlreadyStopped);
    EXPECT_EQ(m.inhibit(), 0x5du);
    EXPECT_EQ(m.start(0, kAll), kSuccess);
}

// A refused call has touched nothing.
TEST(SbiStartStop, ErrorsTouchNothing)
{
    Machine m(few());

    EXPECT_EQ(m.start(3, 3), kSuccess);
    for (uint64_t base : {UINT64_C(0), UINT64_C(5), UINT64_C(8), kOnes}) {
        EXPECT_EQ(m.start(base, 0xff, kInitValue, 77), kInvalidParam);
        EXPECT_EQ(m.stop(base, 0xff, kReset), kInvalidParam);
    }
    EXPECT_EQ(m.start(6, 3, kInitSnapshot), kNoShmem);
    EXPECT_EQ(m.stop(3, 3, kTake), kNoShmem);
    EXPECT_EQ(m.inhibit(), 0x45u);
    EXPECT_EQ(m.counter(6), 0u);
    EXPECT_EQ(m.start(7, 1), kSuccess);
}

// With XLEN 32 a mask has 32 bits, and firmware counters are reached by their base.
TEST(SbiStartStop, Xlen32HasMasksOf32Bits)
{
    Machine m(options(32));

    EXPECT_EQ(m.call(kStart, {3, UINT64_C(1) << 32 | 1}), kSuccess);
    EXPECT_TRUE(m.runs(3));
    EXPECT_EQ(m.call(kStart, {32, 0xffff}), kSuccess);
    EXPECT_EQ(m.call(kStart, {47, 1}), kAlreadyStarted);
    EXPECT_EQ(m.call(kStart, {48, 1}), kInvalidParam);
    EXPECT_EQ(m.call(kStart, {17, 0x80000000}), kInvalidParam);
    EXPECT_EQ(m.call(kStop, {16, 0x80000000}), kSuccess);
}

// All 96 counters at most, the last of them by a mask of its own.
TEST(SbiStartStop, SetsAtTheEnds)
{
    Options o = options();
    o.fw.firmware_counters = 64;
    Machine m(o);

    EXPECT_EQ(m.start(32, kOnes), kSuccess);
    EXPECT_EQ(m.start(33, kOnes), kInvalidParam);
    EXPECT_EQ(m.start(95, 1), kAlreadyStarted);
    EXPECT_EQ(m.stop(31, kOnes), kAlreadyStopped); // 31 stood
    EXPECT_EQ(m.stop(95, 1), kSuccess);
    EXPECT_EQ(m.start(2, kOnes), kSuccess);
    EXPECT_EQ(m.inhibit(), 1u);
    // Bits of a high base are no counters of hardware.
    EXPECT_EQ(m.stop(64, 0x8), kAlreadyStopped);
    EXPECT_EQ(m.log, "");
}

TEST(SbiStop, ResetDropsTheEvent)
{
    Machine m(few());

    EXPECT_EQ(m.config(3, 1, kAuto | kUinh, 3), kSuccess);
    EXPECT_EQ(m.config(7, 1, kAuto, kFw), kSuccess);
    EXPECT_EQ(m.config(8, 1, kAuto, kFw), kSuccess);
    m.event(0, 3);
    EXPECT_EQ(m.stop(7, 1, kReset), kSuccess);
    EXPECT_EQ(m.start(7, 1), kSuccess);
    m.event(0, 4); // it has no event any more
    EXPECT_EQ(m.call(kFwRead, {7}), kInvalidParam);
    EXPECT_EQ(m.config(7, 1, kSkip, kFw), kSuccess);
    EXPECT_EQ(m.fw_read(7), 3u);
    EXPECT_EQ(m.fw_read(8), 7u);
    EXPECT_EQ(m.stop(3, 1, kReset), kSuccess);
    EXPECT_EQ(m.selector(3), 0u);
}
