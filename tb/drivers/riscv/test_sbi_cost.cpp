// SPDX-License-Identifier: Apache-2.0
// What a call costs (docs/drivers/sbi_pmu.md, "A call"): the way there and back, its work, its accesses.
// That no call takes more or less is checked with every call of the other tests; here the sums.
#include "firmware.hpp"

using namespace cs_test;

namespace
{

Options few(unsigned xlen = 64)
{
    Options o = small(0x18, xlen);

    o.fw.firmware_counters = 2;
    return o;
}

// The cycles of a call, by hand.
cs_cycle sum(unsigned accesses, unsigned transfers)
{
    return 7 + 11 + 3 * accesses + 1000 * transfers + 5;
}

} // namespace

TEST(SbiCost, IsTheSumOfItsRow)
{
    const struct {
        const char *name;
        uint64_t fid;
        std::array<uint64_t, 6> args;
        unsigned accesses64, accesses32, transfers;
    } rows[] = {
        {"NUM_COUNTERS", kNumCounters, {}, 0, 0, 0},
        {"GET_INFO", kGetInfo, {3}, 0, 0, 0},
        {"FW_READ", kFwRead, {5}, 0, 0, 0},
        {"FW_READ_HI", kFwReadHi, {5}, 0, 0, 0},
        {"SET_SHMEM", kSetShmem, {kMemory}, 0, 0, 0},
        {"EVENT_GET_INFO", kEventInfo, {kMemory, 0, 3}, 0, 0, 6},
        {"refused", kConfig, {0, 0}, 0, 0, 0},
        {"no such function", 77, {}, 0, 0, 0},
        {"CONFIG", kConfig, {3, 1, 0, 3}, 2, 3, 0},
        {"CONFIG of mcycle", kConfig, {0, 1, 0, 1}, 2, 2, 0},
        {"CONFIG of firmware", kConfig, {5, 1, 0, kFw}, 0, 0, 0},
        {"CONFIG, nobody can", kConfig, {3, 1, 0, 7}, 1, 1, 0},
        {"CONFIG, CLEAR, AUTO", kConfig, {3, 1, kClear | kAuto, 3}, 5, 8, 0},
        {"CONFIG, SKIP", kConfig, {3, 1, kSkip, 3}, 1, 2, 0},
        {"START", kStart, {3, 3}, 4, 4, 0},
        {"START with values", kStart, {3, 3, kInitValue}, 6, 10, 0},
        {"START of firmware", kStart, {5, 3, kInitValue}, 0, 0, 0},
        {"START from the page", kStart, {3, 3, kInitSnapshot}, 6, 10, 1},
        {"STOP", kStop, {3, 3}, 1, 1, 0},
        {"STOP of firmware", kStop, {5, 3}, 0, 0, 0},
        {"STOP, RESET", kStop, {3, 3, kReset}, 3, 5, 0},
        {"STOP to the page", kStop, {3, 3, kTake}, 4, 6, 2},
        {"STOP to the page, RESET", kStop, {0, 0x1d, kTake | kReset}, 10, 16, 3},
    };

    for (unsigned xlen : {32u, 64u})
        for (const auto &row : rows) {
            Machine m(few(xlen));

            m.set_page();
            for (unsigned i = 0; i < 3; i++)
                m.store(kMemory + 16 * i, 1);
            if (row.fid == kFwRead || row.fid == kFwReadHi) {
                ASSERT_EQ(m.config(5, 1, 0, kFw), kSuccess);
            }
            m.call(row.fid, row.args);
            EXPECT_EQ(m.elapsed, sum(xlen == 64 ? row.accesses64 : row.accesses32, row.transfers))
                << row.name << " " << xlen;
        }
}

TEST(SbiCost, EachCostByItself)
{
    // A STOP of one counter to the page: 3 accesses, 2 transfers.
    const struct {
        cs_hart_costs costs;
        unsigned call_cycles;
        cs_cycle expected;
    } rows[] = {
        {{1, 0, 0, 0, 0}, 0, 3 + 2 * 998},   {{2, 0, 0, 0, 0}, 0, 6 + 2 * 998},
        {{1, 10, 0, 0, 0}, 0, 13 + 2 * 998}, {{1, 0, 10, 0, 0}, 0, 13 + 2 * 998},
        {{1, 0, 0, 9, 0}, 0, 3 + 2 * 998},   {{1, 0, 0, 0, 2}, 0, 3 + 2 * 1000},
        {{1, 0, 0, 0, 0}, 10, 13 + 2 * 998},
    };

    for (const auto &row : rows) {
        Options o = few();
        o.costs = row.costs;
        o.fw.call_cycles = row.call_cycles;
        Machine m(o);

        m.set_page();
        m.stop(3, 1, kTake);
        EXPECT_EQ(m.elapsed, row.expected);
    }
}

// It comes from whoever runs, and goes back there; the firmware's time is M mode's.
TEST(SbiCost, IsTheFirmwaresTime)
{
    for (cs_hart_track track : {CS_HART_WORKLOAD, CS_HART_KERNEL, CS_HART_GUEST}) {
        Machine m(few());

        cs_hart_run(m.hart(), track);
        const uint64_t before = cs_hart_cycles(m.hart(), CS_HART_FIRMWARE, cs_hart_now(m.hart()));
        EXPECT_EQ(m.config(3, 1, kAuto, kRaw, 0x40), kSuccess);
        EXPECT_EQ(cs_hart_running(m.hart()), track);
        EXPECT_EQ(cs_hart_cycles(m.hart(), CS_HART_FIRMWARE, cs_hart_now(m.hart())) - before,
                  m.elapsed);
    }
}

// A counter that leaves M out sees nothing of the firmware.
TEST(SbiCost, IsNotCountedWithMinh)
{
    Machine m(few());

    EXPECT_EQ(m.config(3, 1, kMinh, kRaw, 0x40), kSuccess);
    EXPECT_EQ(m.config(4, 1, 0, kRaw, 0x40), kSuccess);
    EXPECT_EQ(m.start(3, 3), kSuccess);
    const cs_cycle after = m.elapsed - 1 - m.when.back();
    m.work(100);
    EXPECT_EQ(m.stop(3, 3), kSuccess);
    const cs_cycle before = m.when[0] + 1;
    EXPECT_EQ(m.counter(3), 100u);
    EXPECT_EQ(m.counter(4), after + 100 + before);
}

// An armed counter asks for its interrupt once; START arms it again.
TEST(SbiOverflow, OnceForEachStart)
{
    for (unsigned xlen : {32u, 64u}) {
        Machine m(few(xlen));

        EXPECT_EQ(m.config(3, 1, kMinh, kRaw, 0x40), kSuccess);
        for (int i = 0; i < 3; i++) {
            EXPECT_EQ(m.start(3, 1, kInitValue, UINT64_MAX - 49), kSuccess);
            m.work(49);
            EXPECT_EQ(m.csr(0x344), 0u);
            EXPECT_EQ(m.csr(0xda0), 0u);
            m.work(1);
            EXPECT_EQ(m.csr(0x344), kLcofi);
            EXPECT_EQ(m.csr(0xda0), 8u);
            m.csr(0x344, 0);
            m.set_counter(3, UINT64_MAX);
            m.work(10);
            EXPECT_EQ(m.csr(0x344), 0u);
            EXPECT_EQ(m.stop(3, 1), kSuccess);
        }
    }
}
