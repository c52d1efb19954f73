// SPDX-License-Identifier: Apache-2.0
// What the engines behind a guest's instructions count into memory, without a guest.
#include <sqlite3.h>

#include "fixture.hpp"
#include "formats/imc/catalog/catalog.h"
#include "guest/imc/counters.h"
#include "guest/imc/kinds.h"
#include "scenario/guest/guest_spec.h"
#include "scenario/imc/imc_spec.h"

namespace
{

constexpr uint64_t kTable = 0x40000, kHomer = UINT64_C(0x203ffd800000);
constexpr uint32_t kPdbar = 0x1001220b, kEventMask = 0x20010aa8;
constexpr uint64_t kUserKernel = 0x0402010000000000; // quadrant 2 counts users, 3 the kernel
constexpr uint64_t kEnable = UINT64_C(1) << 63;
constexpr unsigned kTapLog2 = 10; // 2000 cycles

struct Core : Bridge {
    Core() : Bridge({1, 1, 1, kTapLog2, 0, 0})
    {
        b->events.core[0] = EVENTS_CYCLES;
        for (const unsigned slot : {64, 96})
            b->events.core[128 + slot] = EVENTS_INSTRUCTIONS;
        b->events.core[97] = EVENTS_LOADS;
    }

    void count()
    {
        scom(kPdbar, kTable);
        scom(kEventMask, kUserKernel);
        scom(kHtmMode, kOn);
    }

    uint64_t counter(unsigned slot, unsigned cpmc, uint64_t table = kTable) const
    {
        const uint8_t *at = ram.data() + table + 64 * slot + 0x18 + 8 * (cpmc - 1);
        uint64_t value = 0;

        for (unsigned i = 0; i < 8; i++)
            value = value << 8 | at[i];
        return value;
    }
};

struct Nest : Bridge {
    std::vector<uint8_t> homer = std::vector<uint8_t>(0x400000);

    Nest() : Bridge({1, 1, 1, 18, kHomer + 0x180000, 500000})
    {
        b->homer = {homer.data(), kHomer, homer.size()};
        for (auto &what : b->events.nest)
            what = EVENTS_CLOCK;
    }

    uint64_t word(uint64_t offset) const
    {
        uint64_t value = 0;

        for (unsigned i = 0; i < 8; i++)
            value = value << 8 | homer[0x180000 + offset + i];
        return value;
    }
};

} // namespace

TEST_F(Core, EachWindowIsOfItsQuadrantsModes)
{
    count();
    execute(129 * 2000 + 1000);
    EXPECT_EQ(counter(0, 1), 2000u);
    EXPECT_EQ(counter(0, 4), 2000u);
    EXPECT_EQ(counter(5, 1), 0u); // nobody says what it counts
    // Of 2000 instructions the half each, and a quarter of these are loads.
    EXPECT_EQ(counter(64, 2), 1000u);
    EXPECT_EQ(counter(96, 2), 1000u);
    EXPECT_EQ(counter(64, 3), 1000u);
    EXPECT_EQ(counter(97, 1), 250u);
    EXPECT_EQ(lines('X').size(), 0u);
    ASSERT_EQ(lines('A').size(), 128u);
    EXPECT_EQ(lines('A')[0].f[3], 2000u);
}

TEST_F(Core, AThreadsTableGetsItsWindowsOnlyWhileLdbarIsOn)
{
    count();
    execute(2 * 2000 + 500);
    tell();
    bridge_ldbar(b.get(), now++, kEnable | kBuffer);
    execute(4 * 2000 + 500);
    tell();
    bridge_ldbar(b.get(), now++, kBuffer);
    execute(7 * 2000 + 500);
    EXPECT_EQ(counter(0, 4, kBuffer), 0u);
    EXPECT_EQ(counter(1, 4, kBuffer), 2000u);
    EXPECT_EQ(counter(2, 4, kBuffer), 2000u);
    EXPECT_EQ(counter(3, 4, kBuffer), 0u);
    EXPECT_EQ(counter(3, 4), 2000u);
}

TEST_F(Core, WhileTheCpuStandsStillWindowsGoByWithoutACount)
{
    count();
    execute(2 * 2000 + 500);
    tell();
    bridge_timebase(b.get(), now, (now + 4 * 2000) * 512 / 1000);
    bridge_execute(b.get(), now);
    execute(now + 3000);
    EXPECT_EQ(counter(1, 4) + counter(5, 4), 2000u); // a part before, a part after
    for (const unsigned slot : {2, 3, 4})
        EXPECT_EQ(counter(slot, 4), 0u);
    EXPECT_EQ(lines('X').size(), 0u);
}

TEST_F(Core, ALostPostingIsToldAndNotInMemory)
{
    b->fault = BRIDGE_LOST;
    b->faulty = 1;
    count();
    execute(4 * 2000 + 500);
    ASSERT_EQ(lines('A').size(), 3u);
    EXPECT_EQ(counter(0, 4), 2000u);
    EXPECT_EQ(counter(1, 4), 0u);
    EXPECT_EQ(counter(2, 4), 2000u);
}

TEST_F(Core, WhatTheDriverReadsIsTold)
{
    count();
    execute(3 * 2000 + 500);
    tell();
    bridge_driver(b.get(), now, BRIDGE_READ, kTable + 0x18, false);
    bridge_driver(b.get(), now, BRIDGE_READ, kTable + 0x18, true); // a store is no read
    const auto reads = lines('M');
    ASSERT_EQ(reads.size(), 1u);
    EXPECT_EQ(reads[0].f[0], static_cast<uint64_t>(BRIDGE_READ));
    EXPECT_EQ(reads[0].f[2], kTable + 0x18);
    EXPECT_EQ(reads[0].f[3], now + 1); // had it always counted
}

TEST_F(Nest, ItPostsIntoHomer)
{
    execute(40 * 500000);
    // It has configured itself, says that it runs, and its counters of the bus clock have gone on.
    EXPECT_EQ(word(0x3fc00), static_cast<uint64_t>(CS_NEST_STATUS_RUN));
    EXPECT_GT(word(0x80), 0u); // CYC of the power bus
    EXPECT_EQ(lines('X').size(), 0u);
    EXPECT_GT(lines('A').size(), 100u);
    EXPECT_NEAR(static_cast<double>(word(0x80)) * 256, 40 * 500000, 5 * 500000);
}

TEST_F(Nest, TheTimeOfDayIsTheTimebase)
{
    execute(20 * 500000);
    const auto writes = lines('W');
    uint64_t last = 0;

    for (const Line &w : writes)
        if (w.f.at(0) == kHomer + 0x180748)
            last = w.f.at(2);
    EXPECT_EQ(word(0x748), last);
    EXPECT_NEAR(static_cast<double>(last), 20 * 500000 * 0.512, 8 * 500000 * 0.512);
    bridge_driver(b.get(), now, BRIDGE_READ, kHomer + 0x180748, false);
    EXPECT_EQ(lines('M').at(0).f.at(3), (now + 1) * 512 / 1000);
}

// Of what the plugin tells: what the files of perf should say.
static std::string files_of(const char *told, const char *query)
{
    const std::string catalog = std::string(CS_SOURCE) + "/configs/imc/power9_small.dts";
    cs_imc_spec imc = {};
    cs_guest_spec guest = {};
    cs_scenario scenario = {};
    sqlite3 *db = nullptr;
    sqlite3_stmt *rows = nullptr;
    std::string all;
    FILE *log = tmpfile();

    fputs(told, log);
    EXPECT_EQ(cs_imc_catalog_load(catalog.c_str(), &imc.catalog, nullptr), CS_OK);
    scenario.imc = &imc;
    scenario.guest = &guest;
    EXPECT_EQ(sqlite3_open(":memory:", &db), SQLITE_OK);
    EXPECT_EQ(cs_power_write_counters(db, &scenario, log, nullptr), CS_OK);
    EXPECT_EQ(sqlite3_prepare_v2(db, query, -1, &rows, nullptr), SQLITE_OK) << sqlite3_errmsg(db);
    while (sqlite3_step(rows) == SQLITE_ROW)
        all += std::string(reinterpret_cast<const char *>(sqlite3_column_text(rows, 0))) + "\n";
    sqlite3_finalize(rows);
    sqlite3_close(db);
    cs_imc_catalog_destroy(imc.catalog);
    fclose(log);
    return all;
}

TEST(Counters, AFileHasWhatWasPostedBetweenTheDriversReads)
{
    const char told[] = "B 2 40000 0\n"
                        "A 0 10 40098 5 0 0 0\n" // CCYC: slot 2, CPMC1
                        "M 1 20 40098 64 0\n"    // the event begins
                        "A 1 30 40098 7 1 2 3\n" // and 4 counters beside it
                        "M 2 40 99998 1 0\n"     // of the driver's own
                        "M 2 40 40098 c8 0\n"    // perf reads it
                        "A 2 50 40098 9 0 0 0\n"
                        "M 3 60 40098 12c 0\n" // it ends
                        "A 3 70 40098 100 0 0 0\n"
                        "N stat.data\n"
                        "M 1 80 40098 12c 0\n"
                        "M 3 90 40098 190 0\n"
                        "N other.data\n";

    EXPECT_EQ(files_of(told, "SELECT file||' '||event||' '||round||' '||count||' '||counted FROM "
                             "guest_told ORDER BY rowid"),
              "stat.data core_imc/CPM_CCYC/ 1 7 100\n"
              "stat.data core_imc/CPM_CCYC/ 2 16 200\n"
              "other.data core_imc/CPM_CCYC/ 1 0 100\n");
}

// Two that count the same side by side: event 5 ends and is put out while event 6 goes on.
TEST(Counters, AnEventHasWhatWasPostedWhileItCounted)
{
    const char told[] = "B 2 40000 0\n"
                        "M 1 10 40098 0 5\n"
                        "A 0 20 40098 1 0 0 0\n"
                        "M 1 30 40098 64 6\n"
                        "A 1 40 40098 2 0 0 0\n"
                        "M 2 50 40098 c8 6\n" // 2, of 100
                        "A 2 60 40098 4 0 0 0\n"
                        "M 3 70 40098 12c 5\n" // 7, of 300
                        "N a.data\n"
                        "A 3 80 40098 8 0 0 0\n"
                        "M 3 90 40098 190 6\n" // 14, of 300
                        "N b.data\n";

    EXPECT_EQ(files_of(told, "SELECT file||' '||id||' '||round||' '||count||' '||counted||' '||"
                             "coalesce(cycle, 'last') FROM guest_told ORDER BY id, round"),
              "a.data 5 1 7 300 last\n"
              "a.data 6 1 2 100 80\n"
              "b.data 6 2 14 300 last\n");
    EXPECT_EQ(files_of(told, "SELECT group_concat(id,' ') FROM (SELECT id FROM guest_read ORDER BY "
                             "seq)"),
              "5 6 6 5 6\n");
}

// The engine's zeros, and its one word.
TEST(Counters, WhatIsWrittenIsNotAdded)
{
    const char told[] = "M 1 10 203ffd980748 0 0\n"
                        "W 203ffd980748 8 64\n"
                        "M 2 20 203ffd980748 64 0\n"
                        "W 203ffd980748 8 c8\n"
                        "M 2 30 203ffd980748 c8 0\n"
                        "W 203ffd980700 70 0\n"
                        "M 3 40 203ffd980748 12c 0\n";

    EXPECT_EQ(files_of(told, "SELECT group_concat(expected,' ') FROM (SELECT expected FROM "
                             "guest_read ORDER BY seq)"),
              "0 100 200 0\n");
}

TEST(Kinds, LoadsStoresAndBranches)
{
    const struct {
        uint32_t word;
        unsigned kind;
    } words[] = {
        {0xe9230000, CS_POWER_LOADS},        // ld r9,0(r3)
        {0x812a0000, CS_POWER_LOADS},        // lwz
        {0x7d20182a, CS_POWER_LOADS},        // ldx r9,0,r3
        {0x7c0006ea, CS_POWER_LOADS},        // ldcix
        {0x7c005698, CS_POWER_LOADS},        // lxvd2x
        {0xf9230000, CS_POWER_STORES},       // std
        {0x9b8d0932, CS_POWER_STORES},       // stb
        {0xbc010000, CS_POWER_STORES},       // stmw
        {0x7d20192d, CS_POWER_STORES},       // stwcx.
        {0x7c005798, CS_POWER_STORES},       // stxvd2x
        {0xf4000005, CS_POWER_STORES},       // stxv
        {0xf4000001, CS_POWER_LOADS},        // lxv
        {0x4200ffe4, CS_POWER_BRANCHES},     // bdnz
        {0x48000001, CS_POWER_BRANCHES},     // bl
        {0x4e800020, CS_POWER_BRANCHES},     // blr
        {0x4c0002e4, CS_POWER_INSTRUCTIONS}, // stop
        {0x38630001, CS_POWER_INSTRUCTIONS}, // addi
        {0x44000002, CS_POWER_INSTRUCTIONS}, // sc
    };

    for (const auto &w : words)
        EXPECT_EQ(cs_power_kind(w.word), w.kind) << std::hex << w.word;
}
