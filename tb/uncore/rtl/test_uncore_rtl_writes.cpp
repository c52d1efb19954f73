// SPDX-License-Identifier: Apache-2.0
// docs/hw/uncore.md, "Writes against counting": an access with effect in cycle e, and what is
// counted in e.
#include <gtest/gtest.h>

#include "Vuncore.h"
#include "uncore_bench.hpp"

namespace
{

using Uncore = UncoreRtl<Vuncore>;

TEST(Writes, WhatStopsIsCountedWhatStartsIsNot)
{
    const struct {
        uint16_t offset;
        uint64_t starts, stops;
    } cases[] = {{at::ctl, en, 0}, {at::select(0), on, 0}};
    for (const auto &c : cases) {
        Uncore u;
        u.put(at::ctl, en);
        u.put(at::select(0), on);
        u.put(c.offset, c.stops);
        u.increment(0, 1);
        u.step(3);
        u.write(c.offset, c.starts);
        EXPECT_EQ(u.value(0), 0u) << "the write that starts";
        u.step(3);
        EXPECT_EQ(u.value(0), 3u);
        u.write(c.offset, c.stops);
        EXPECT_EQ(u.value(0), 4u) << "the write that stops";
        u.step(3);
        EXPECT_EQ(u.value(0), 4u);
    }
}

TEST(Writes, WhatStopsMayOverflow)
{
    for (uint16_t offset : {at::ctl, at::select(0)}) {
        Uncore u({4, 8, 0});
        u.arm(0, 0xFF);
        u.put(at::ctl, en | freeze);
        u.increment(0, 2);
        u.write(offset, 0);
        EXPECT_EQ(u.value(0), 1u);
        EXPECT_EQ(u.peek(at::ovf), 1u);
        EXPECT_EQ(u.peek(at::ctl), offset == at::ctl ? 0 : freeze);
    }
}

TEST(Writes, AnIncrementIsThatOfTheEventOfItsCycle)
{
    Uncore u;
    u.arm(2, 0, 0x1111);
    u.put(at::ctl, en);
    u.increment(2, 4);
    u.drive(true, at::select(2), on | 0x2222, true);
    EXPECT_EQ(u.event(2), 0x1111u) << "in e";
    u.edge();
    u.dut.reg_en_i = 0;
    u.settle();
    EXPECT_EQ(u.event(2), 0x2222u) << "in e+1";
    EXPECT_EQ(u.value(2), 4u);
}

// Wide, low half, high half: value of the counter in e+1.
TEST(Writes, ACounterThatIsWrittenDropsItsIncrementAndOthersDoNot)
{
    const struct {
        uint16_t half;
        bool wide;
        uint64_t expected;
    } cases[] = {{0, true, 0xABCD12345678}, {0, false, 0x11112345678}, {4, false, 0x5678FFFFFFFF}};
    for (const auto &c : cases) {
        for (unsigned n = 0; n < 16; n++) {
            Uncore u({16, 48, 0});
            for (unsigned k = 0; k < 16; k++)
                u.arm(k, 0x111FFFFFFFF);
            u.put(at::ctl, en);
            u.increment_all(1);
            u.access(true, at::count(n) + c.half, 0xABCD12345678, c.wide);
            for (unsigned k = 0; k < 16; k++)
                EXPECT_EQ(u.value(k),
                          k == n ? (c.half == 4 ? 0x5678FFFFFFFF : c.expected) : 0x11200000000u)
                    << n << " " << k;
        }
    }
}

TEST(Writes, ACounterThatIsWrittenSetsNoFlagAndDoesNotFreeze)
{
    for (unsigned width : {8u, 32u, 33u, 64u}) {
        for (int kind = 0; kind < 3; kind++) {
            Uncore u({2, width, 0});
            u.arm(0, all_of(width));
            u.arm(1, 0);
            u.put(at::ctl, en | freeze);
            u.increment_all(15);
            if (kind == 0)
                u.write(at::count(0), 5);
            else
                u.write_half(at::count(0) + (kind == 1 ? 0 : 4), 5);
            const uint64_t high = all_of(width) & ~uint64_t{0xFFFFFFFF};
            const uint64_t low = all_of(width) & 0xFFFFFFFF;
            const uint64_t expected[] = {5, high | 5, low | (uint64_t{5} << 32 & high)};
            EXPECT_EQ(u.value(0), expected[kind]) << width << " " << kind;
            EXPECT_EQ(u.peek(at::ovf), 0u) << width << " " << kind;
            EXPECT_EQ(u.peek(at::ctl), en | freeze);
            EXPECT_EQ(u.value(1), 15u);
        }
    }
}

TEST(Writes, ARefusedOrIdleWriteDropsNothing)
{
    Uncore u({2, 64, 0});
    u.arm(0, 0);
    u.put(at::ctl, en);
    u.increment(0, 1);
    u.access(true, at::count(0) + 4, 0x1000, true);
    u.access(true, at::count(0) + 2, 0x1000, false);
    u.access(true, at::ctl + 4, reset_counters, true);
    u.access(true, at::ctl + 1, reset_counters, false);
    EXPECT_EQ(u.value(0), 4u);
    u.drive(true, at::count(0), 0x1000, true);
    u.dut.reg_en_i = 0;
    u.step();
    EXPECT_EQ(u.value(0), 5u) << "without reg_en_i";
    u.write(at::count(1), 0x1000);
    u.write(at::count(2), 0x1000);
    u.write(at::count(8), 0x1000);
    u.write(at::select(0) + 0x80, 0);
    EXPECT_EQ(u.value(0), 9u) << "other counters, and those that are not there";
    EXPECT_EQ(u.read(at::count(0)), 9u);
}

TEST(Reset, ZeroesAllCountersAndNothingElse)
{
    Uncore u({16, 64, 7});
    for (unsigned n = 0; n < 16; n++)
        u.arm(n, ones - n, n);
    u.put(at::ie, 0xFFF);
    u.put(at::ctl, en);
    u.increment_all(1);
    u.step();
    ASSERT_EQ(u.peek(at::ovf), 1u);
    std::vector<uint64_t> expected = u.frame();
    for (unsigned n = 0; n < 16; n++)
        expected[at::count(n) / 8] = 0;
    u.write_half(at::ctl, reset_counters | en);
    EXPECT_EQ(u.frame(), expected);
    u.step();
    EXPECT_EQ(u.value(3), 1u);
}

TEST(Reset, DropsTheIncrementsOfItsCycle)
{
    Uncore u({4, 8, 0});
    for (unsigned n = 0; n < 4; n++)
        u.arm(n, 0xFF);
    u.put(at::ctl, en | freeze);
    u.increment_all(3);
    u.write(at::ctl, reset_counters | en | freeze);
    for (unsigned n = 0; n < 4; n++)
        EXPECT_EQ(u.value(n), 0u);
    EXPECT_EQ(u.peek(at::ovf), 0u);
    EXPECT_EQ(u.peek(at::ctl), en | freeze);
}

TEST(Reset, GoesWithWhateverTheSameWriteHas)
{
    for (uint64_t before : {uint64_t{0}, en, freeze, en | freeze}) {
        for (uint64_t written : {uint64_t{0}, en, freeze, en | freeze}) {
            Uncore u;
            u.arm(0, 0x1234);
            u.put(at::ctl, before);
            u.increment(0, 1);
            u.write(at::ctl, reset_counters | written);
            EXPECT_EQ(u.peek(at::ctl), written);
            EXPECT_EQ(u.value(0), 0u);
            u.step(2);
            EXPECT_EQ(u.value(0), written & en ? 2u : 0u);
        }
    }
}

TEST(Flags, OnesClearAndZerosKeep)
{
    for (bool wide : {false, true}) {
        Uncore u({16, 8, 0});
        for (unsigned n = 0; n < 16; n++)
            u.arm(n, 0xFF);
        u.put(at::ctl, en);
        u.increment_all(1);
        u.step();
        u.increment_all(0);
        ASSERT_EQ(u.peek(at::ovf), 0xFFFFu);
        u.access(true, at::ovf, 0x1234, wide);
        EXPECT_EQ(u.peek(at::ovf), 0xEDCBu);
        u.access(true, at::ovf, 0, wide);
        EXPECT_EQ(u.peek(at::ovf), 0xEDCBu);
        u.access(true, at::ovf, ones, wide);
        EXPECT_EQ(u.peek(at::ovf), 0u);
    }
}

TEST(Flags, TheSetOfHardwareWinsOverAClear)
{
    for (bool was_set : {false, true}) {
        Uncore u({4, 8, 0});
        u.put(at::ctl, en);
        for (unsigned n = 0; n < 4; n++)
            u.arm(n, 0xFF);
        if (was_set) {
            u.increment_all(1);
            u.step();
            u.increment_all(0);
        }
        u.put(at::count(2), 0xFF);
        u.put(at::count(3), 0);
        u.increment(2, 1);
        u.increment(3, 1);
        u.write(at::ovf, ones);
        EXPECT_EQ(u.peek(at::ovf), 4u);
    }
}

TEST(Flags, OneThatArrivesMeanwhileIsKept)
{
    Uncore u({4, 8, 0});
    u.arm(0, 0xFF);
    u.arm(1, 0xFE);
    u.put(at::ctl, en);
    u.increment_all(1);
    u.step();
    const uint64_t seen = u.read(at::ovf); // counter 1 overflows behind this
    ASSERT_EQ(seen, 1u);
    u.write(at::ovf, seen);
    EXPECT_EQ(u.peek(at::ovf), 2u);
}

TEST(Freeze, WinsOverAWriteOfEn)
{
    for (uint64_t written : {uint64_t{0}, en, freeze, en | freeze}) {
        Uncore u({4, 8, 0});
        u.arm(0, 0xFF);
        u.put(at::ctl, en | freeze);
        u.increment(0, 1);
        u.write(at::ctl, written);
        EXPECT_EQ(u.peek(at::ctl), written & freeze) << "FREEZE is as written";
        EXPECT_EQ(u.peek(at::ovf), 1u);
        EXPECT_EQ(u.value(0), 0u);
    }
}

TEST(Freeze, ThatIsWrittenActsFromTheNextCycleOn)
{
    Uncore u({4, 8, 0});
    u.arm(0, 0xFF);
    u.arm(1, 0xFE);
    u.put(at::ctl, en);
    u.increment_all(1);
    u.write(at::ctl, en | freeze); // counter 0 overflows
    EXPECT_EQ(u.peek(at::ctl), en | freeze);
    u.step(); // counter 1
    EXPECT_EQ(u.peek(at::ctl), freeze);
    EXPECT_EQ(u.peek(at::ovf), 3u);
}

} // namespace
