// SPDX-License-Identifier: Apache-2.0
// The snapshot page, and entries of events: shared memory.
#include "firmware.hpp"

using namespace cs_test;

namespace
{

// There are 0, 2, 3..8 and firmware counters 9, 10.
Options few(unsigned xlen = 64, uint32_t deviations = 0)
{
    Options o = small(0x1f8, xlen, deviations);

    o.fw.firmware_counters = 2;
    return o;
}

constexpr uint64_t kUntouched = 0x5555aaaa5555aaaa;

// All of it, so that what is written shows.
void paint(Machine &m, uint64_t page = kMemory)
{
    for (uint64_t i = 0; i < CS_SBI_SNAPSHOT_BYTES; i += 8)
        m.store(page + i, kUntouched);
}

void overflow(Machine &m, unsigned n)
{
    m.csr(static_cast<uint16_t>((m.xlen() == 32 ? 0x720 : 0x320) + n),
          m.xlen() == 32 ? kOf >> 32 : kOf);
}

} // namespace

// docs/drivers/sbi_pmu.md, "Errors", function 7.
TEST(SbiShmem, ErrorsAndTheFirstThatFits)
{
    const uint64_t end = kMemory + kMemoryBytes, half = UINT64_C(1) << 32;
    const struct {
        unsigned xlen;
        uint64_t low, high, flags;
        int64_t error;
    } rows[] = {
        {64, kMemory, 0, 0, kSuccess},
        {64, end - 4096, 0, 0, kSuccess},
        {64, kMemory, 0, 1, kInvalidParam},
        {64, kMemory, 0, kOf, kInvalidParam},
        {64, kOnes, kOnes, 1, kInvalidParam},
        {64, kOnes, kOnes, 0, kSuccess},
        {64, kOnes, 0, 0, kInvalidParam},
        {64, kOnes, kOnes - 1, 0, kInvalidParam},
        {64, kMemory + 2048, 0, 0, kInvalidParam},
        {64, kMemory + 1, 0, 0, kInvalidParam},
        {64, 1, 1, 0, kInvalidParam}, // before INVALID_ADDRESS
        {64, kMemory, 1, 0, kInvalidAddress},
        {64, kMemory - 4096, 0, 0, kInvalidAddress},
        {64, end, 0, 0, kInvalidAddress},
        {64, 0, 0, 0, kInvalidAddress},
        {64, kOnes - 4095, 0, 0, kInvalidAddress},
        {32, kMemory, 0, 0, kSuccess},
        {32, kMemory, half, 0, kSuccess}, // registers have 32 bits
        {32, 0xffffffff, 0xffffffff, 0, kSuccess},
        {32, 0xffffffff, 0, 0, kInvalidParam},
        {32, kMemory, 1, 0, kInvalidAddress},
        {32, kMemory + 4, 0, 0, kInvalidParam},
    };

    for (const auto &row : rows) {
        Machine m(few(row.xlen));

        EXPECT_EQ(m.call(kSetShmem, {row.low, row.high, row.flags}), row.error) << row.low;
        EXPECT_EQ(m.log, "");
        EXPECT_EQ(m.transfers, 0u);
        const bool page = row.error == kSuccess && (row.low & 0xffffffff) != 0xffffffff;
        EXPECT_EQ(m.stop(3, 1, kTake), page ? kAlreadyStopped : kNoShmem);
    }
}

TEST(SbiShmem, AboveFourGigabytes)
{
    for (unsigned xlen : {32u, 64u}) {
        const uint64_t page = UINT64_C(0x1200000000);
        Options o = few(xlen);
        o.fw.memory_base = page;
        o.fw.memory_size = 4096;
        Machine m(o);

        EXPECT_EQ(m.call(kSetShmem, {xlen == 32 ? 0 : page, xlen == 32 ? 0x12u : 0}), kSuccess);
        m.set_counter(3, 0x77);
        EXPECT_EQ(m.stop(3, 1, kTake), kAlreadyStopped);
        EXPECT_EQ(m.slot(0, page), 0x77u);
        EXPECT_EQ(m.call(kSetShmem, {xlen == 32 ? 4096 : page + 4096, xlen == 32 ? 0x12u : 0}),
                  kInvalidAddress);
    }
}

TEST(SbiShmem, StaysUntilTheNextOne)
{
    Machine m(few());

    m.set_page();
    EXPECT_EQ(m.call(kSetShmem, {0}), kInvalidAddress);
    m.set_counter(3, 0x77);
    EXPECT_EQ(m.stop(3, 1, kTake), kAlreadyStopped);
    EXPECT_EQ(m.slot(0), 0x77u);
    m.set_page(kMemory + 4096);
    EXPECT_EQ(m.stop(3, 1, kTake), kAlreadyStopped);
    EXPECT_EQ(m.slot(0, kMemory + 4096), 0x77u);
    EXPECT_EQ(m.call(kSetShmem, {kOnes, kOnes}), kSuccess);
    EXPECT_EQ(m.start(3, 1, kInitSnapshot), kNoShmem);
    EXPECT_EQ(m.stop(3, 1, kTake), kNoShmem);
    EXPECT_EQ(m.start(3, 1), kSuccess);
}

// docs/drivers/sbi_pmu.md, function 4: the accesses, and a transfer for each run of slots and the bitmap.
TEST(SbiSnapshot, StopAccessesInTheirOrder)
{
    const struct {
        const char *name;
        Options options;
        uint64_t base, mask, flags;
        const char *log;
        uint64_t transfers;
    } rows[] = {
        {"one", few(), 3, 1, 0, "I=1fd scountovf C3", 2},
        {"one, 32", few(32), 3, 1, 0, "I=1fd scountovf C3h C3", 2},
        {"without of", without_of(few()), 3, 1, 0, "I=1fd C3", 2},
        {"neighbours", few(), 3, 7, 0, "I=1fd scountovf C3 C4 C5", 2},
        {"two runs", few(), 3, 0x1b, 0, "I=1fd scountovf C3 C4 C6 C7", 3},
        {"all", few(), 0, 0x7fd, 0, "I=1fd scountovf C0 C2 C3 C4 C5 C6 C7 C8", 3},
        {"firmware", few(), 9, 3, 0, "", 2},
        {"both", few(), 8, 7, 0, "I=1fd scountovf C8", 2},
        {"and RESET", few(), 3, 3, kReset, "I=1fd scountovf C3 C4 E3=0 E4=0", 2},
        {"mcycle and RESET, 32", few(32), 0, 1, kReset, "I=1fd scountovf C0h C0 cyclecfgh=0", 2},
    };

    for (const auto &row : rows) {
        SCOPED_TRACE(row.name);
        Machine m(row.options);

        m.set_page();
        EXPECT_EQ(m.stop(row.base, row.mask, kTake | row.flags), kAlreadyStopped);
        EXPECT_EQ(m.log, row.log);
        EXPECT_EQ(m.transfers, row.transfers);
        // The page is stored between the last C and the first E.
        for (size_t i = 1; i < m.when.size(); i++) {
            const bool stores = row.flags != 0 && m.when[i] - m.when[i - 1] > kTransfer;
            EXPECT_EQ(m.when[i] - m.when[i - 1],
                      stores ? row.transfers * kTransfer + kCosts.csr_cycles : kCosts.csr_cycles);
        }
    }
}

// Function 3: the slots come first.
TEST(SbiSnapshot, StartAccessesInTheirOrder)
{
    const struct {
        const char *name;
        Options options;
        uint64_t base, mask;
        const char *log;
        uint64_t transfers; // of at most 16 slots, and cut at 128 bytes by the page's begin + 8
    } rows[] = {
        {"one", few(), 3, 1, "I E3=0 C3=1000 I=1f5", 1},
        {"one, 32", few(32), 3, 1, "I E3h=0 C3=0 C3=1000 C3h=0 I=1f5", 1},
        {"from first to last", few(), 3, 0x11, "I E3=0 C3=1000 E7=0 C7=1004 I=175", 1},
        {"not from the first slot", few(), 2, 0xc, "I E4=0 C4=1002 E5=0 C5=1003 I=1cd", 1},
        {"firmware", few(), 9, 3, "", 1},
        {"both", few(), 8, 7, "I E8=0 C8=1000 I=fd", 1},
    };

    for (const auto &row : rows) {
        SCOPED_TRACE(row.name);
        Machine m(row.options);

        for (unsigned i = 0; i < 64; i++)
            m.set_slot(i, 0x1000 + i);
        m.set_page();
        EXPECT_EQ(m.start(row.base, row.mask, kInitSnapshot), kSuccess);
        EXPECT_EQ(m.log, row.log);
        EXPECT_EQ(m.transfers, row.transfers);
        if (!m.when.empty()) {
            EXPECT_EQ(m.when[0], kCosts.trap_cycles + kCallCycles + row.transfers * kTransfer +
                                     kCosts.csr_cycles - 1);
        }
    }
}

// Slot i is counter base + i; the bitmap likewise; all else of the page stays.
TEST(SbiSnapshot, SlotsAreRelativeToTheBase)
{
    for (unsigned xlen : {32u, 64u})
        for (unsigned base : {0u, 2u, 3u, 4u})
            for (uint64_t counters : {UINT64_C(0x7f8), UINT64_C(0x550), UINT64_C(0x10)}) {
                const uint64_t mask = counters >> base;
                Machine m(few(xlen));

                if (mask << base != counters)
                    continue;
                m.set_page();
                for (unsigned n = 3; n < 9; n++)
                    m.set_counter(n, 0x100 + n);
                for (unsigned n : {9u, 10u}) {
                    EXPECT_EQ(m.config(n, 1, kAuto, kFw + n), kSuccess);
                    m.event(n, 0x100 + n);
                }
                for (unsigned n : {4u, 5u, 8u})
                    overflow(m, n);
                paint(m);
                EXPECT_EQ(m.stop(base, mask, kTake), kAlreadyStopped);
                EXPECT_EQ(m.load(kMemory), (0x130 & counters) >> base);
                for (unsigned i = 0; i < 511; i++)
                    EXPECT_EQ(m.slot(i),
                              i < 64 && (mask >> i & 1) != 0 ? 0x100 + base + i : kUntouched)
                        << base << " " << i;
            }
}

TEST(SbiSnapshot, AllSixtyFourBits)
{
    for (unsigned xlen : {32u, 64u}) {
        const uint64_t large = UINT64_C(0x123456789abcdef0);
        Machine m(few(xlen));

        m.set_page();
        m.set_slot(1, large);
        EXPECT_EQ(m.start(7, 2, kInitSnapshot), kSuccess); // counts nothing
        EXPECT_EQ(m.stop(6, 4, kTake), kSuccess);
        EXPECT_EQ(m.slot(2), large);
    }
}

TEST(SbiSnapshot, AllSixtyFourSlots)
{
    Options o = options();
    o.fw.firmware_counters = 64;
    Machine m(o);

    m.set_page();
    paint(m);
    for (unsigned n = 32; n < 96; n++) {
        EXPECT_EQ(m.config(n, 1, kAuto, kFw), kSuccess);
        m.event(0, 1);
    }
    EXPECT_EQ(m.stop(32, kOnes, kTake), kSuccess);
    EXPECT_EQ(m.transfers, 5u); // bursts of 16 beats, and the bitmap
    EXPECT_EQ(m.load(kMemory), 0u);
    for (unsigned i = 0; i < 64; i++)
        EXPECT_EQ(m.slot(i), 64u - i);
    EXPECT_EQ(m.slot(64), kUntouched);
    for (unsigned i = 0; i < 64; i++)
        m.set_slot(i, UINT64_MAX - i);
    EXPECT_EQ(m.start(32, kOnes, kInitSnapshot), kSuccess);
    EXPECT_EQ(m.transfers, 4u);
    for (unsigned i = 0; i < 64; i++)
        EXPECT_EQ(m.fw_read(32 + i), UINT64_MAX - i);
}

// The bitmap has what overflowed while it ran.
TEST(SbiSnapshot, OverflowIsInTheBitmap)
{
    for (bool of : {true, false}) {
        Machine m(of ? few() : without_of(few()));

        m.set_page();
        for (unsigned n : {3u, 4u, 5u})
            EXPECT_EQ(m.config(n, 1, 0, kRaw, 0x40), kSuccess);
        m.set_slot(0, UINT64_MAX);
        m.set_slot(1, 0);
        m.set_slot(2, UINT64_MAX - 5);
        EXPECT_EQ(m.start(3, 7, kInitSnapshot), kSuccess);
        m.work(10);
        paint(m);
        EXPECT_EQ(m.stop(4, 3, kTake), kSuccess);
        EXPECT_EQ(m.load(kMemory), of ? 2u : 0u); // counter 5; 3 is not of the set
        EXPECT_EQ(m.slot(1), m.slot(0) - 6);
        EXPECT_EQ(m.stop(3, 1, kTake | kReset), kSuccess);
        EXPECT_EQ(m.load(kMemory), of ? 1u : 0u);
        EXPECT_EQ(m.stop(3, 1, kTake), kAlreadyStopped); // OF went with RESET
        EXPECT_EQ(m.load(kMemory), 0u);
    }
}

TEST(SbiSnapshot, StartOnlyReads)
{
    Machine m(few());

    m.set_page();
    paint(m);
    EXPECT_EQ(m.start(3, 0xff, kInitSnapshot), kSuccess);
    EXPECT_EQ(m.stop(3, 0xff), kSuccess);
    EXPECT_EQ(m.start(3, 0xff), kSuccess);
    EXPECT_EQ(m.config(3, 1, kSkip | kClear, 3), kSuccess);
    EXPECT_EQ(m.stop(3, 0xff, kReset), kSuccess);
    for (uint64_t i = 0; i < CS_SBI_SNAPSHOT_BYTES; i += 8)
        EXPECT_EQ(m.load(kMemory + i), kUntouched);
    EXPECT_EQ(m.config(9, 1, kSkip, kFw), kSuccess);
    EXPECT_EQ(m.fw_read(9), kUntouched);
}

// One that runs keeps its value; the slot is loaded all the same.
TEST(SbiSnapshot, InitOfOneThatRuns)
{
    Machine m(few());

    m.set_page();
    EXPECT_EQ(m.start(4, 1), kSuccess);
    for (unsigned i = 0; i < 3; i++)
        m.set_slot(i, 0x1000 + i);
    EXPECT_EQ(m.start(3, 7, kInitSnapshot), kAlreadyStarted);
    EXPECT_EQ(m.log, "I E3=0 C3=1000 E5=0 C5=1002 I=1c5");
}

// docs/drivers/sbi_pmu.md, "Errors": FAILED of 3 and 4.
TEST(SbiSnapshotFaults, LoadFailsBeforeAnythingIsTouched)
{
    Machine m(few());

    m.set_page();
    m.fault(kMemory + 16);
    EXPECT_EQ(m.start(3, 3, kInitSnapshot), kFailed);
    EXPECT_EQ(m.log, "");
    EXPECT_EQ(m.start(3, 5, kInitSnapshot), kFailed); // from the first to the last
    EXPECT_EQ(m.start(3, 1, kInitSnapshot), kSuccess);
    EXPECT_EQ(m.start(5, 1, kInitSnapshot), kSuccess);
    EXPECT_EQ(m.inhibit(), 0x1d5u);
}

TEST(SbiSnapshotFaults, StoreFailsAndTheCountersAreStopped)
{
    for (uint64_t offset : {0, 8, 24}) {
        Machine m(few());

        m.set_page();
        EXPECT_EQ(m.config(3, 1, kAuto, 3), kSuccess);
        EXPECT_EQ(m.start(5, 1), kSuccess);
        for (unsigned n : {3u, 5u})
            m.set_counter(n, 0x100 + n);
        paint(m);
        m.fault(kMemory + offset);
        EXPECT_EQ(m.stop(3, 0xd, kTake | kReset), kFailed); // 6 stood: FAILED goes before
        EXPECT_EQ(m.log, "I=1fd scountovf C3 C5 C6 E3=0 E5=0 E6=0");
        EXPECT_EQ(m.transfers, 3u);
        EXPECT_EQ(m.inhibit(), 0x1fdu);
        // What can be stored, is.
        EXPECT_EQ(m.load(kMemory), offset == 0 ? kUntouched : 0);
        EXPECT_EQ(m.slot(0), offset == 8 ? kUntouched : 0x103);
        EXPECT_EQ(m.slot(2), offset == 24 ? kUntouched : 0x105);
    }
}

// ---- EVENT_GET_INFO ----

namespace
{

struct Entry {
    uint32_t event_idx;
    uint64_t data;
    uint32_t output;
};

void put(Machine &m, unsigned i, uint32_t event_idx, uint64_t data)
{
    m.store(kMemory + 16 * i, UINT64_C(0xdeadbeef) << 32 | event_idx);
    m.store(kMemory + 16 * i + 8, data);
}

uint32_t output(Machine &m, unsigned i)
{
    return static_cast<uint32_t>(m.load(kMemory + 16 * i) >> 32);
}

} // namespace

TEST(SbiEventInfo, WhatIsSupported)
{
    const Entry entries[] = {
        {0, 0, 0},
        {1, 0, 1},
        {2, 0, 1},
        {6, 0, 1},
        {7, 0, 0},
        {8, 0, 0},
        {10, 0, 1},
        {1, 99, 1}, // data means nothing here
        {0x10000, 0, 1},
        {0x10002, 0, 0},
        {0x10021, 0, 1},
        {0x20000, 0x40, 1},
        {0x20000, 0xffff, 1},
        {0x20000, 0x10000, 0},
        {0x20000, 0, 0},
        {0x20000, UINT64_C(1) << 48, 0},
        {0x30000, 0x40, 1},
        {0x30000, kOnes, 0},
        {0xf0000, 0, 1},
        {0xf0015, 0, 1},
        {0xf0100, 0, 1},
        {0xf0101, 0, 0},
        {0xfffff, 2, 1},
        {0xfffff, 3, 0},
    };
    const unsigned nr = std::size(entries);

    for (unsigned xlen : {32u, 64u}) {
        Options o = few(xlen);
        o.fw.specific_events = 1;
        o.fw.platform_events = 3;
        Machine m(o);

        for (unsigned i = 0; i < nr; i++)
            put(m, i, entries[i].event_idx, entries[i].data);
        m.store(kMemory + 16 * nr, kUntouched);
        EXPECT_EQ(m.call(kEventInfo, {kMemory, 0, nr, 0}), kSuccess);
        EXPECT_EQ(m.value, 0u);
        EXPECT_EQ(m.log, "");
        EXPECT_EQ(m.transfers, 2u * nr);
        for (unsigned i = 0; i < nr; i++) {
            EXPECT_EQ(output(m, i), entries[i].output) << i;
            EXPECT_EQ(m.load(kMemory + 16 * i) & 0xffffffff, entries[i].event_idx);
            EXPECT_EQ(m.load(kMemory + 16 * i + 8), entries[i].data);
        }
        EXPECT_EQ(m.load(kMemory + 16 * nr), kUntouched);
    }
}

TEST(SbiEventInfo, WhatNoCounterOfThisHartCanCount)
{
    Options o = small(0);
    o.fw.firmware_counters = 0;
    Machine m(o);
    const std::pair<uint32_t, uint32_t> events[] = {{1, 1},       {2, 1},       {3, 0},
                                                    {0x10000, 0}, {0x20000, 0}, {0xf0000, 0}};
    unsigned i = 0;

    for (const auto &event : events)
        put(m, i++, event.first, event.first == 0x20000 ? 0x40 : 0);
    EXPECT_EQ(m.call(kEventInfo, {kMemory, 0, i, 0}), kSuccess);
    i = 0;
    for (const auto &event : events)
        EXPECT_EQ(output(m, i++), event.second) << event.first;
}

// Too wide is no event, though a row of the map would match.
TEST(SbiEventInfo, RawDataThatThereIs)
{
    cs_riscv_pmu_map map = {};
    map.nr_raws = 1;
    map.raws[0] = {0, 0, 0x8};
    Options o = few();
    o.fw.map = &map;
    Machine m(o);
    const Entry entries[] = {
        {0x20000, (UINT64_C(1) << 48) - 1, 1},
        {0x20000, UINT64_C(1) << 48 | 1, 0},
        {0x30000, (UINT64_C(1) << 56) - 1, 1},
        {0x30000, UINT64_C(1) << 56 | 1, 0},
    };

    for (unsigned i = 0; i < std::size(entries); i++)
        put(m, i, entries[i].event_idx, entries[i].data);
    EXPECT_EQ(m.call(kEventInfo, {kMemory, 0, std::size(entries), 0}), kSuccess);
    for (unsigned i = 0; i < std::size(entries); i++)
        EXPECT_EQ(output(m, i), entries[i].output) << i;
}

// docs/drivers/sbi_pmu.md, "Errors", function 8.
TEST(SbiEventInfo, ErrorsAndTheFirstThatFits)
{
    const uint64_t end = kMemory + kMemoryBytes;
    const struct {
        unsigned xlen;
        uint64_t low, high, entries, flags;
        int64_t error;
    } rows[] = {
        {64, kMemory, 0, 1, 0, kSuccess},
        {64, end - 16, 0, 1, 0, kSuccess},
        {64, 0, 0, 0, 0, kSuccess},
        {64, kMemory, 0, 1, 1, kInvalidParam},
        {64, kMemory + 8, 0, 1, 0, kInvalidParam},
        {64, 8, 1, 1, 0, kInvalidParam},
        {64, 8, 0, 0, 0, kInvalidParam},
        {64, kMemory, 0, 0, 1, kInvalidParam},
        {64, kMemory, 1, 1, 0, kInvalidAddress},
        {64, kMemory - 16, 0, 1, 0, kInvalidAddress},
        {64, kMemory - 16, 0, 2, 0, kInvalidAddress},
        {64, end, 0, 1, 0, kInvalidAddress},
        {64, end - 16, 0, 2, 0, kInvalidAddress},
        {64, kMemory, 0, kMemoryBytes / 16 + 1, 0, kInvalidAddress},
        {64, kMemory, 0, UINT64_C(1) << 60, 0, kInvalidAddress}, // times 16 is 0
        {64, kMemory, 0, (UINT64_C(1) << 60) + 1, 0, kInvalidAddress},
        {64, kMemory, 0, kOnes, 0, kInvalidAddress},
        {32, kMemory, 0, 1, 0, kSuccess},
        {32, kMemory, 1, 1, 0, kInvalidAddress},
        {32, kMemory, 0, 0x10000000, 0, kInvalidAddress},
    };

    for (const auto &row : rows) {
        Machine m(few(row.xlen));

        m.store(kMemory, kUntouched << 32 | 1);
        m.store(end - 16, kUntouched << 32 | 1);
        EXPECT_EQ(m.call(kEventInfo, {row.low, row.high, row.entries, row.flags}), row.error)
            << row.low << " " << row.entries;
        EXPECT_EQ(m.value, 0u);
        EXPECT_EQ(m.transfers, row.error == kSuccess ? 2 * row.entries : 0);
    }
}

TEST(SbiEventInfo, EntriesBeforeAFailureAreDone)
{
    // What is in the place of entry 2: a reserved bit, or memory that fails.
    const struct {
        uint32_t event_idx;
        uint64_t fault, bytes;
        int64_t error;
        uint64_t transfers;
    } rows[] = {
        {0x100001, 0, 0, kInvalidParam, 5}, {0x80000001, 0, 0, kInvalidParam, 5},
        {1, kMemory + 32, 4, kFailed, 5},   {1, kMemory + 36, 1, kFailed, 5},
        {1, kMemory + 47, 1, kFailed, 5},
    };

    for (const auto &row : rows) {
        Machine m(few());

        for (unsigned i = 0; i < 4; i++)
            put(m, i, i == 2 ? row.event_idx : 1, 0);
        if (row.bytes > 0)
            m.fault(row.fault, row.bytes);
        EXPECT_EQ(m.call(kEventInfo, {kMemory, 0, 4, 0}), row.error) << row.event_idx;
        EXPECT_EQ(m.transfers, row.transfers);
        EXPECT_EQ(output(m, 0), 1u);
        EXPECT_EQ(output(m, 1), 1u);
        EXPECT_EQ(output(m, 2), 0xdeadbeefu);
        EXPECT_EQ(output(m, 3), 0xdeadbeefu);
    }
}

// It has an answer, and so have those behind it.
TEST(SbiEventInfo, WhatIsNoEventIsNotSupported)
{
    for (uint32_t event_idx : {0xbu, 0x40000u, 0xe0000u, 0x1003fu, 0x20001u, 0xf0016u, 0xf00ffu}) {
        Machine m(few());

        for (unsigned i = 0; i < 3; i++)
            put(m, i, i == 1 ? event_idx : 1, 0);
        EXPECT_EQ(m.call(kEventInfo, {kMemory, 0, 3, 0}), kSuccess) << event_idx;
        EXPECT_EQ(output(m, 0), 1u);
        EXPECT_EQ(output(m, 1), 0u);
        EXPECT_EQ(output(m, 2), 1u);
    }
}

TEST(SbiEventInfo, BytesAreLittleEndianAtAnyEntry)
{
    Machine m(few());
    const uint64_t high = kMemory + kMemoryBytes - 32;

    m.store(high + 16, 3);
    m.store(high + 24, 0);
    m.store(high, 0x10000);
    m.store(high + 8, 0);
    EXPECT_EQ(m.call(kEventInfo, {high, 0, 2, 0}), kSuccess);
    EXPECT_EQ(m.load(high), UINT64_C(1) << 32 | 0x10000);
    EXPECT_EQ(m.load(high + 16), UINT64_C(1) << 32 | 3);
}
