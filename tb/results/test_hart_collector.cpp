// SPDX-License-Identifier: Apache-2.0
// Counts and samples of harts against their truth, from CSR accesses made by hand. Expected numbers follow from the
// round of hart_feed.hpp: U is [0, 100), S [100, 160), M [160, 200), VU [200, 230), VS [230, 250).
#include <gtest/gtest.h>

#include "hart_feed.hpp"
#include "scenario/hpm/harts_spec.h"

using namespace cs_test;

namespace
{

constexpr uint64_t kOf = 1ull << 63, kMinh = 1ull << 62, kSinh = 1ull << 61, kUinh = 1ull << 60,
                   kVsinh = 1ull << 59, kVuinh = 1ull << 58;

struct HartCollector : testing::Test {
    std::unique_ptr<HartFeed> made;
    HartFeed &feed()
    {
        return *made;
    }
    void make(const std::vector<const char *> &sets = {})
    {
        made = std::make_unique<HartFeed>(sets);
        feed().halt(1);
    }
    void SetUp() override
    {
        make();
    }
    // What a counter with that selector counts in the cycles [21, 240).
    uint64_t counted(uint64_t selector, unsigned counter = 3)
    {
        const uint64_t csr = counter < 3 ? 0x321 + counter / 2 : 0x320 + counter;

        make_same();
        feed().write(csr, selector, 10);
        feed().run(counter, 20);
        feed().begun(static_cast<int>(counter), 10);
        feed().halt(239);
        return feed().count(static_cast<int>(counter), 0).counted;
    }
    std::vector<const char *> same;
    void make_same()
    {
        make(same);
    }
};

} // namespace

// The access that stops is itself counted, the one that starts is not.
TEST_F(HartCollector, CountsTheCyclesBetweenStartAndStop)
{
    feed().write(0x323, 0x40, 10);
    feed().run(3, 20);
    feed().begun(3, 15);
    feed().halt(50);
    const cs_hart_count c = feed().count(3, 30);

    EXPECT_EQ(c.from, 21u);
    EXPECT_EQ(c.to, 51u);
    EXPECT_EQ(c.counted, 30u);
    EXPECT_EQ(c.truth, 30u);
    EXPECT_EQ(feed().results().counts, 1u);
    EXPECT_EQ(feed().results().wrong_counts, 0u);
}

TEST_F(HartCollector, AValueThatIsNotWhatWasCountedIsWrong)
{
    feed().write(0x323, 0x41, 10);
    feed().run(3, 20);
    feed().begun(3, 15);
    feed().halt(50);

    EXPECT_EQ(feed().count(3, 89).counted, 90u);
    EXPECT_EQ(feed().results().wrong_counts, 1u);
    EXPECT_EQ(feed().count(3, 0).counted, 0u) << "nothing since";
    EXPECT_EQ(feed().results().counts, 2u);
    EXPECT_EQ(feed().results().wrong_counts, 1u);
}

TEST_F(HartCollector, EachFilterTakesItsMode)
{
    EXPECT_EQ(counted(0x40), 219u);
    EXPECT_EQ(counted(0x40 | kUinh), 219u - 79);
    EXPECT_EQ(counted(0x40 | kSinh), 219u - 60);
    EXPECT_EQ(counted(0x40 | kMinh), 219u - 40);
    EXPECT_EQ(counted(0x40 | kVuinh), 219u - 30);
    EXPECT_EQ(counted(0x40 | kVsinh), 219u - 10);
    EXPECT_EQ(counted(0x40 | kUinh | kSinh | kMinh), 40u);
    EXPECT_EQ(counted(0x41 | kSinh), 237u);
    EXPECT_EQ(counted(0x40 | kOf), 219u) << "no filter";
    EXPECT_EQ(counted(0x10040), 219u) << "16 bits are the event";
    EXPECT_EQ(counted(0), 0u);
    EXPECT_EQ(counted(0x42), 0u) << "never happens";
}

TEST_F(HartCollector, WithoutSscofpmfThereAreNoFilters)
{
    same = {"harts.sscofpmf=false"};
    EXPECT_EQ(counted(0x40 | kUinh | kSinh), 219u);
    EXPECT_EQ(counted(kUinh, 0), 140u) << "those of cycle are Smcntrpmf's";
}

TEST_F(HartCollector, FixedCountersHaveTheirOwnEventsAndFilters)
{
    EXPECT_EQ(counted(0, 0), 219u);
    EXPECT_EQ(counted(0, 2), 2 * 79u + 60);
    EXPECT_EQ(counted(kUinh, 0), 140u);
    EXPECT_EQ(counted(kUinh, 2), 60u);
    EXPECT_EQ(counted(kSinh | 0x41, 2), 158u) << "the event is fixed";
    same = {"harts.smcntrpmf=false"};
    EXPECT_EQ(counted(kUinh, 0), 219u);
    EXPECT_EQ(counted(kUinh, 2), 218u);
    EXPECT_EQ(counted(0x40 | kUinh), 140u) << "those of mhpmevent are Sscofpmf's";
}

TEST_F(HartCollector, FixedCountersHaveTheirOwnFiltersWithXlen32)
{
    make({"harts.xlen=32"});
    feed().write(0x721, kUinh >> 32, 5);
    feed().write(0x722, kSinh >> 32, 6);
    feed().write(0x320, ~5u, 20);
    feed().begun(0, 10, {0, 0, 0});
    feed().begun(2, 10, {0, 0, 1});
    feed().halt(239);

    EXPECT_EQ(feed().count(0, 140, {0, 0, 0}).counted, 140u);
    EXPECT_EQ(feed().count(2, 158, {0, 0, 1}).counted, 158u);
    EXPECT_EQ(feed().results().wrong_counts, 0u);
}

// While it runs: the cycle of the write is not counted, only that of a counter of its own.
TEST_F(HartCollector, AWriteOfACounterDropsItsCycle)
{
    feed().write(0x323, 0x40, 10);
    feed().run(3, 20);
    feed().begun(3, 15);
    feed().write(0xb03, 0, 30);
    feed().write(0xb04, 0, 31);
    feed().write(0xb00, 0, 32);
    feed().halt(50);
    const cs_hart_count c = feed().count(3, 29);

    EXPECT_EQ(c.counted, 29u);
    EXPECT_EQ(c.truth, 30u) << "what happened all the same";
    EXPECT_EQ(feed().results().wrong_counts, 0u);
}

TEST_F(HartCollector, AWriteOfTheEventActsInTheNextCycle)
{
    feed().write(0x323, 0x40, 10);
    feed().run(3, 20);
    feed().begun(3, 15);
    feed().write(0x323, 0x41, 30);
    feed().halt(50);

    EXPECT_EQ(feed().count(3, 0).counted, 10u + 3 * 20);
}

// perf stat -I: from read to read, then to the stop.
TEST_F(HartCollector, CountsOfOneEventFollowEachOther)
{
    feed().write(0x323, 0x40, 10);
    feed().run(3, 20);
    feed().begun(3, 15);
    feed().read(0xc03, 60);
    const cs_hart_count first = feed().count(3, 39);
    feed().read(0xc04, 70);
    feed().read(0xc03, 80);
    feed().write(0x323, 0x40, 85); // counts are taken at the read
    const cs_hart_count second = feed().count(3, 20);
    feed().halt(90);
    const cs_hart_count third = feed().count(3, 11);

    EXPECT_EQ(first.from, 21u);
    EXPECT_EQ(first.to, 60u) << "a read shows the state before its own cycle";
    EXPECT_EQ(first.counted, 39u);
    EXPECT_EQ(second.from, 60u);
    EXPECT_EQ(second.to, 80u);
    EXPECT_EQ(second.counted, 20u);
    EXPECT_EQ(third.from, 80u);
    EXPECT_EQ(third.to, 91u);
    EXPECT_EQ(third.counted, 11u);
    EXPECT_EQ(feed().results().wrong_counts, 0u);
}

// The overflow handler's pause is in the window, but was not counted.
TEST_F(HartCollector, APauseIsInTheTruthOnly)
{
    feed().write(0x323, 0x41, 10);
    feed().run(3, 20);
    feed().begun(3, 21);
    feed().halt(30);
    feed().run(3, 40);
    feed().halt(50);
    const cs_hart_count c = feed().count(3, 60);

    EXPECT_EQ(c.from, 21u);
    EXPECT_EQ(c.to, 51u);
    EXPECT_EQ(c.counted, 60u);
    EXPECT_EQ(c.truth, 90u);
}

// As without the SBI: the counter runs since the boot, and what counts is where it was read.
TEST_F(HartCollector, ACounterThatRanBeforeBeginsWhereItWasRead)
{
    feed().write(0x320, 0, 2);
    feed().read(0xc02, 40);
    feed().begun(2, 30, {0, 0, 1});
    feed().read(0xc02, 110);
    const cs_hart_count c = feed().count(2, 130, {0, 0, 1});

    EXPECT_EQ(c.from, 40u);
    EXPECT_EQ(c.to, 110u);
    EXPECT_EQ(c.counted, 60u * 2 + 10);
    EXPECT_EQ(feed().results().wrong_counts, 0u);
}

// The second event on a counter begins with what was counted before it was added.
TEST_F(HartCollector, AnEventIsAddedAgain)
{
    feed().write(0x323, 0x40, 10);
    feed().run(3, 20);
    feed().begun(3, 15);
    feed().halt(50);
    feed().count(3, 30);
    feed().write(0x323, 0x41, 60);
    feed().run(3, 70);
    feed().begun(3, 55);
    feed().halt(80);
    const cs_hart_count c = feed().count(3, 30);

    EXPECT_EQ(c.from, 71u);
    EXPECT_EQ(c.counted, 30u);
    EXPECT_EQ(c.truth, 30u);
}

TEST_F(HartCollector, AFirmwareCounterIsJudgedByWhatTheFirmwareWasTold)
{
    feed().begun(CS_RISCV_FIRMWARE_COUNTER, 10);
    const cs_hart_count c = feed().count(CS_RISCV_FIRMWARE_COUNTER, 7, {0, 1, 0}, 7);

    EXPECT_EQ(c.from, 1u);
    EXPECT_EQ(c.to, 999u);
    EXPECT_EQ(c.counted, 7u);
    EXPECT_EQ(c.truth, 7u);
    EXPECT_EQ(feed().results().wrong_counts, 0u);
    feed().count(CS_RISCV_FIRMWARE_COUNTER, 8, {0, 1, 0}, 7);
    EXPECT_EQ(feed().results().wrong_counts, 1u);
}

TEST_F(HartCollector, HartsAreApartAndOthersAreNotHeard)
{
    feed().halt(1);
    feed().write(0x320, ~0u, 1, 1);
    feed().write(0x323, 0x40, 10);
    feed().write(0x323, 0x41, 10, 1);
    feed().run(3, 20);
    feed().write(0x320, ~8u, 30, 1);
    feed().begun(3, 15);
    feed().begun(3, 15, {1, 1, 0});
    cs_probe_record r = HartFeed::access(0x323, 0x41, 22, 0, true);
    r.resp = 1; // it trapped
    feed().emit(r);
    r.resp = 0;
    r.kind = CS_PROBE_BUS;
    feed().emit(r);
    r.kind = CS_PROBE_REG;
    r.source = CS_UNIT_PMCU;
    feed().emit(r);
    r.source = CS_UNIT_HART(CS_MAX_HARTS);
    feed().emit(r);
    feed().halt(50);
    feed().write(0x320, ~0u, 60, 1);

    EXPECT_EQ(feed().count(3, 30).counted, 30u);
    EXPECT_EQ(feed().count(3, 90, {1, 1, 0}).counted, 90u);
    EXPECT_EQ(feed().results().wrong_counts, 0u);
}

TEST_F(HartCollector, EventsOfHartsAreApart)
{
    feed().write(0x320, ~0u, 1, 1);
    feed().write(0x320, ~5u, 20);
    feed().write(0x320, ~1u, 30, 1);
    feed().begun(0, 15, {0, 0, 0});
    feed().begun(2, 15, {0, 0, 1});
    feed().begun(0, 15, {1, 0, 0});
    feed().halt(50);
    feed().write(0x320, ~0u, 60, 1);

    EXPECT_EQ(feed().count(0, 30, {0, 0, 0}).from, 21u);
    EXPECT_EQ(feed().count(2, 60, {0, 0, 1}).from, 21u);
    EXPECT_EQ(feed().count(0, 30, {1, 0, 0}).from, 31u);
    EXPECT_EQ(feed().results().wrong_counts, 0u);
}

// ---- overflows ----

// 10 counts before the end: the tenth of them, in cycle 30, carries.
TEST_F(HartCollector, ASampleKnowsItsOverflow)
{
    feed().write(0x323, 0x40, 10);
    feed().write(0xb03, 0ull - 10, 11);
    feed().run(3, 20);
    feed().begun(3, 15);
    feed().halt(41);
    const cs_hart_sample s = feed().sample(3, 44, 10);
    cs_context truth;

    cs_timeline_context(feed().list[0], 30, &truth);
    EXPECT_EQ(s.overflow, 30u);
    EXPECT_EQ(s.at.pc, truth.pc);
    EXPECT_EQ(s.at.mode, CS_MODE_U);
    EXPECT_EQ(s.skid_cycles, 14);
    EXPECT_EQ(s.period, 10u);
    EXPECT_EQ(feed().results().samples, 1u);
    EXPECT_EQ(feed().results().without_overflow, 0u);
    EXPECT_EQ(feed().results().period_error, 0.0);
}

// What happens while the handler runs is in the next period.
TEST_F(HartCollector, PeriodsGoFromOverflowToOverflow)
{
    feed().write(0x323, 0x40, 10);
    feed().write(0xb03, 0ull - 10, 11);
    feed().run(3, 20);
    feed().begun(3, 15);
    feed().halt(41);
    feed().sample(3, 44, 10);
    feed().write(0x323, 0x40, 45);
    feed().write(0xb03, 0ull - 10, 46);
    feed().run(3, 48);
    feed().halt(60);
    const cs_hart_sample s = feed().sample(3, 62, 10);

    EXPECT_EQ(s.overflow, 58u);
    EXPECT_EQ(s.period, 28u);
    EXPECT_EQ(s.skid_cycles, 4);
    EXPECT_EQ(feed().results().skid_cycles, 18u);
    EXPECT_EQ(feed().results().most_skid_cycles, 14u);
    EXPECT_DOUBLE_EQ(feed().results().period_error, 0.9);
    EXPECT_DOUBLE_EQ(feed().results().most_period_error, 1.8);
}

TEST_F(HartCollector, TheFirstOverflowIsKeptUntilOfIsCleared)
{
    feed().write(0x323, 0x40, 10);
    feed().write(0xb03, 0ull - 10, 11);
    feed().run(3, 20);
    feed().begun(3, 15);
    feed().write(0xb03, 0ull - 5, 35);
    feed().write(0x323, 0x40 | kOf, 45);
    feed().read(0xc03, 50);
    EXPECT_EQ(feed().sample(3, 50, 10).overflow, 30u) << "not 40, and OF was written as 1";
    feed().write(0x323, 0x40, 55);
    feed().halt(60);
    EXPECT_EQ(feed().sample(3, 60, 10).overflow, CS_NEVER);
    EXPECT_EQ(feed().results().without_overflow, 1u);
    EXPECT_EQ(feed().results().samples, 2u);
    EXPECT_EQ(feed().results().skid_cycles, 20u) << "of the one that has an overflow";
}

// The counter ran into the end while the trap was under way.
TEST_F(HartCollector, ANegativeSkidIsNone)
{
    feed().write(0x323, 0x40, 10);
    feed().write(0xb03, 0ull - 10, 11);
    feed().run(3, 20);
    feed().begun(3, 15);
    feed().halt(41);
    EXPECT_EQ(feed().sample(3, 25, 10).skid_cycles, -5);
    EXPECT_EQ(feed().results().skid_cycles, 0u);
    EXPECT_EQ(feed().results().most_skid_cycles, 0u);
}

TEST_F(HartCollector, ASkidOfOneCycle)
{
    feed().write(0x323, 0x40, 10);
    feed().write(0xb03, 0ull - 10, 11);
    feed().run(3, 20);
    feed().begun(3, 15);
    feed().halt(41);
    feed().sample(3, 31, 10);
    EXPECT_EQ(feed().results().skid_cycles, 1u);
}

// A sample without an overflow has no error of its own.
TEST_F(HartCollector, TheMeanErrorIsThatOfSamplesWithAnOverflow)
{
    feed().sample(3, 5, 10);
    feed().write(0x323, 0x40, 10);
    feed().write(0xb03, 0ull - 10, 11);
    feed().run(3, 20);
    feed().begun(3, 15);
    feed().halt(41);
    feed().sample(3, 44, 8);
    EXPECT_DOUBLE_EQ(feed().results().period_error, 0.25);
}

TEST_F(HartCollector, TheVeryProgramCounter)
{
    feed().write(0x323, 0x40 | kUinh,
                 10); // S begins with cycle 100; its function is one instruction
    feed().write(0xb03, 0ull - 10, 11);
    feed().run(3, 20);
    feed().begun(3, 15);
    feed().halt(120);

    EXPECT_EQ(feed().sample(3, 125, 10, 0x2000).overflow, 109u);
    EXPECT_EQ(feed().results().same_pc, 1u);
    feed().sample(3, 125, 10, 0x2004);
    EXPECT_EQ(feed().results().same_pc, 1u);
}

// Several increments a cycle: the cycle that passes the end.
TEST_F(HartCollector, AnIncrementMayPassTheEnd)
{
    feed().write(0x323, 0x41, 10);
    feed().write(0xb03, 0ull - 10, 11);
    feed().run(3, 20);
    feed().begun(3, 15);
    feed().halt(41);
    const cs_hart_sample s = feed().sample(3, 44, 10);

    EXPECT_EQ(s.overflow, 24u) << "9 after cycle 23";
    EXPECT_EQ(s.period, 12u);
}

TEST_F(HartCollector, ExactlyFullIsNoOverflow)
{
    feed().write(0x323, 0x40, 10);
    feed().write(0xb03, 0ull - 10, 11);
    feed().run(3, 20);
    feed().begun(3, 15);
    feed().halt(29);
    EXPECT_EQ(feed().sample(3, 30, 10).overflow, CS_NEVER);
    feed().run(3, 30);
    feed().halt(31);
    EXPECT_EQ(feed().sample(3, 32, 10).overflow, 31u);
}

TEST_F(HartCollector, NarrowCountersWrapAndCarryAtTheirWidth)
{
    make({"harts.width=5"});
    feed().write(0x323, 0x40, 10);
    feed().write(0xb03, 0xff, 11); // 31
    feed().run(3, 20);
    feed().begun(3, 15);
    feed().halt(90);

    EXPECT_EQ(feed().sample(3, 95, 1).overflow, 21u);
    EXPECT_EQ(feed().count(3, 70).counted, 70u) << "however often it has wrapped";
    feed().write(0x323, 0x40, 96);
    feed().run(3, 96); // holds (31 + 70) mod 32 = 5
    feed().halt(130);
    EXPECT_EQ(feed().sample(3, 135, 1).overflow, 96u + 27);
    feed().write(0x320, ~1ull, 140);
    feed().halt(240);
    EXPECT_EQ(feed().sample(0, 245, 1).overflow, CS_NEVER) << "those that are fixed have 64 bits";
}

// ---- XLEN 32, indirect access ----

TEST_F(HartCollector, HalvesWithXlen32)
{
    make({"harts.xlen=32"});
    feed().write(0x323, 0x40, 10);
    feed().write(0x723, kUinh >> 32, 11);
    feed().write(0xb03, 0, 12);
    feed().write(0xb83, 0xffffffff, 13);
    feed().write(0xb03, 0u - 10, 14);
    feed().run(3, 20);
    feed().begun(3, 15);
    feed().halt(119);

    EXPECT_EQ(feed().sample(3, 120, 10).overflow, 109u);
    EXPECT_EQ(feed().count(3, 20).counted, 20u);
    EXPECT_EQ(feed().results().wrong_counts, 0u);
}

TEST_F(HartCollector, OfIsInTheHighHalfWithXlen32)
{
    make({"harts.xlen=32"});
    feed().write(0x323, 0x40, 10);
    feed().write(0xb83, 0xffffffff, 13);
    feed().write(0xb03, 0u - 10, 14);
    feed().run(3, 20);
    feed().begun(3, 15);
    feed().halt(40);
    feed().write(0x323, 0x40, 41);
    EXPECT_EQ(feed().sample(3, 50, 10).overflow, 30u) << "the low half has no OF";
    feed().write(0x723, 0, 51);
    EXPECT_EQ(feed().sample(3, 60, 10).overflow, CS_NEVER);
}

TEST_F(HartCollector, CountersByIndirectAccess)
{
    feed().write(0x150, 0x43, 5);
    feed().write(0x152, 0x40 | kUinh, 10);
    feed().write(0x151, 0ull - 10, 11);
    feed().write(0x120, ~8ull, 20);
    feed().begun(3, 15);
    feed().write(0x120, ~0ull, 119);
    EXPECT_EQ(feed().sample(3, 120, 10).overflow, 109u);
    EXPECT_EQ(feed().count(3, 20).counted, 20u);
    feed().write(0x152, 0x40, 121);
    EXPECT_EQ(feed().sample(3, 122, 10).overflow, CS_NEVER);
}

TEST_F(HartCollector, HalvesByIndirectAccess)
{
    make({"harts.xlen=32"});
    feed().write(0x150, 0x43, 5);
    feed().write(0x152, 0x40, 10);
    feed().write(0x156, kUinh >> 32, 11);
    feed().write(0x155, 0xffffffff, 12);
    feed().write(0x151, 0u - 10, 13);
    feed().write(0x120, ~8u, 20);
    feed().begun(3, 15);
    feed().write(0x120, ~0u, 119);

    EXPECT_EQ(feed().sample(3, 120, 10).overflow, 109u);
    EXPECT_EQ(feed().count(3, 20).counted, 20u);
}

TEST_F(HartCollector, FiltersOfFixedCountersByIndirectAccess)
{
    feed().write(0x150, 0x40, 5);
    feed().write(0x152, kUinh, 6);
    feed().write(0x150, 0x42, 7);
    feed().write(0x152, kSinh, 8);
    feed().write(0x120, ~5ull, 20);
    feed().begun(0, 10, {0, 0, 0});
    feed().begun(2, 10, {0, 0, 1});
    feed().write(0x120, ~0ull, 239);

    EXPECT_EQ(feed().count(0, 140, {0, 0, 0}).counted, 140u);
    EXPECT_EQ(feed().count(2, 158, {0, 0, 1}).counted, 158u);
}

// What S mode writes leaves the filter of M as M has set it.
TEST_F(HartCollector, MinhIsKeptByIndirectAccess)
{
    for (const uint64_t minh : {kMinh, uint64_t{0}}) {
        make();
        feed().write(0x323, 0x41 | minh, 5);
        feed().write(0x150, 0x43, 6);
        feed().write(0x152, 0x40 | (minh ^ kMinh), 10);
        feed().run(3, 20);
        feed().begun(3, 15);
        feed().halt(239);
        EXPECT_EQ(feed().count(3, 0).counted, minh != 0 ? 179u : 219u);
    }
}

TEST_F(HartCollector, OtherIndirectRegistersAreNothing)
{
    feed().write(0x323, 0x40, 5);
    for (const uint64_t select : {0x3full, 0x60ull, 0x80000043ull, 0ull, 0x43ull}) {
        feed().write(0x150, select, 6);
        for (const uint64_t csr : {0x151, 0x152, 0x153, 0x154, 0x155, 0x156, 0x157})
            if (select != 0x43 || csr == 0x153 || csr == 0x154 || csr == 0x157)
                feed().write(csr, 0x41, 7);
    }
    feed().write(0x150, 0x60, 8);
    feed().write(0x152, kUinh, 8); // not cycle's
    feed().write(0x250, 0x44, 8);
    feed().write(0x306, 0, 8);
    feed().write(0x320, ~9ull, 20);
    feed().begun(3, 15);
    feed().begun(0, 15, {0, 0, 0});
    feed().halt(50);

    EXPECT_EQ(feed().count(3, 30).counted, 30u);
    EXPECT_EQ(feed().count(0, 30, {0, 0, 0}).counted, 30u);
    EXPECT_EQ(feed().sample(3, 60, 30).overflow, CS_NEVER);
}

// Software of the hart is none of the workload's: what it counts is its own.
TEST_F(HartCollector, SoftwareIsCountedToo)
{
    feed().write(0x320, 0, 2);
    feed().read(0xc00, 10);
    feed().begun(0, 5, {0, 0, 0});
    ASSERT_EQ(cs_timeline_enter(feed().list[0], 20, CS_HART_KERNEL, nullptr), CS_OK);
    ASSERT_EQ(cs_timeline_leave(feed().list[0], 50, nullptr), CS_OK);
    feed().read(0xc00, 60);

    EXPECT_EQ(feed().count(0, 50, {0, 0, 0}).counted, 50u);
    EXPECT_EQ(feed().results().wrong_counts, 0u);
}
