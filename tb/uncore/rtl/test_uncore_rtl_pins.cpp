// SPDX-License-Identifier: Apache-2.0
// docs/hw/uncore.md, "Interrupt", "Port" and the sizes that are built.
#include <gtest/gtest.h>

#include "Vuncore.h"
#include "Vuncore_3.h"
#include "uncore_bench.hpp"

namespace
{

using Uncore = UncoreRtl<Vuncore>;

// These flags set, nothing counting.
void set_flags(Uncore &u, uint64_t flags)
{
    for (unsigned n = 0; n < u.straps.counters; n++) {
        u.put(at::select(n), 0);
        if (flags & bit(n))
            u.arm(n, all_of(u.straps.width));
    }
    u.put(at::ctl, en);
    u.increment_all(1);
    u.step();
    u.increment_all(0);
    u.put(at::ctl, 0);
}

TEST(Interrupt, IsAnyFlagThatAsks)
{
    for (uint64_t flags = 0; flags < 16; flags++) {
        Uncore u;
        set_flags(u, flags);
        ASSERT_EQ(u.peek(at::ovf), flags);
        for (uint64_t asks = 0; asks < 16; asks++) {
            u.write(at::ie, asks);
            u.settle();
            EXPECT_EQ(u.irq(), (flags & asks) != 0) << flags << " " << asks;
        }
    }
}

TEST(Interrupt, OfEveryCounter)
{
    for (unsigned n = 0; n < 16; n++) {
        Uncore u({16, 64, 0});
        set_flags(u, bit(n));
        u.write(at::ie, ~bit(n));
        EXPECT_FALSE(u.irq()) << n;
        u.write(at::ie, bit(n));
        EXPECT_TRUE(u.irq()) << n;
    }
}

TEST(Interrupt, IsALevelFromTheCycleOfTheFlagUntilItIsCleared)
{
    Uncore u({4, 8, 0});
    u.arm(0, 0xFE);
    u.put(at::ie, 1);
    u.put(at::ctl, en);
    u.increment(0, 1);
    for (bool expected : {false, false, true, true, true}) {
        EXPECT_EQ(u.irq(), expected);
        EXPECT_EQ(u.read(at::ovf), expected ? 1u : 0u);
    }
    u.drive(true, at::ovf, 1, true);
    EXPECT_TRUE(u.irq()) << "in e";
    u.edge();
    EXPECT_FALSE(u.irq()) << "in e+1";
}

TEST(Interrupt, DoesNotNeedEnOrOn)
{
    Uncore u;
    set_flags(u, 2);
    u.write(at::ie, 2);
    u.write(at::select(1), 0);
    EXPECT_EQ(u.peek(at::ctl), 0u);
    EXPECT_TRUE(u.irq());
}

TEST(Pins, EventIsThatOfTheSelectAlsoWhenOff)
{
    Uncore u({16, 48, 0});
    for (unsigned n = 0; n < 16; n++)
        u.write(at::select(n), (n % 2 ? on : 0) | (0xFF00 - 0x101 * n));
    u.settle();
    for (unsigned n = 0; n < 16; n++)
        EXPECT_EQ(u.event(n), 0xFF00 - 0x101 * n);
}

TEST(Pins, CountingIsEnAndOnOfCountersThatAreThere)
{
    for (unsigned counters : {1u, 4u, 11u, 16u}) {
        Uncore u({counters, 48, 0});
        for (unsigned n = 0; n < 16; n++)
            if (n != 2)
                u.write(at::select(n), on);
        u.settle();
        EXPECT_EQ(u.counting(), 0u);
        u.write(at::ctl, en);
        u.settle();
        EXPECT_EQ(u.counting(), (bit(counters) - 1) & ~bit(2));
        u.write(at::ctl, freeze);
        u.settle();
        EXPECT_EQ(u.counting(), 0u);
    }
}

TEST(Pins, DataAndErrorAreZeroWithoutAnAccess)
{
    Uncore u({16, 64, 0xFFFF});
    for (unsigned n = 0; n < 16; n++)
        u.put(at::count(n), ones);
    for (unsigned offset = 0; offset < 0x400; offset++) {
        for (bool wide : {false, true}) {
            u.drive(false, offset, 0, wide);
            u.dut.reg_en_i = 0;
            u.settle();
            EXPECT_EQ(u.dut.reg_rdata_o, 0u);
            EXPECT_EQ(u.dut.reg_err_o, 0u);
            if (offset % 8 == 0) {
                EXPECT_EQ(u.drive(true, offset, ones, wide), (Answer{0, false})) << "a write";
            }
            u.dut.reg_en_i = 0;
        }
    }
}

TEST(Pins, TheResetIsAsynchronousAndTakesEverything)
{
    Uncore u({16, 8, 0x1234});
    for (unsigned n = 0; n < 16; n++)
        u.arm(n, 0xF0 + n, 0xFFFF);
    u.put(at::ie, ones);
    u.put(at::ctl, en | freeze);
    u.increment_all(1);
    u.step(1);
    ASSERT_TRUE(u.irq());
    u.put(at::ctl, en | freeze);
    u.settle();
    ASSERT_EQ(u.counting(), 0xFFFFu);
    u.dut.rst_ni = 0; // no edge of the clock from here
    u.dut.eval();
    EXPECT_FALSE(u.irq());
    EXPECT_EQ(u.counting(), 0u);
    EXPECT_EQ(u.event(5), 0u);
    std::vector<uint64_t> expected(0x80, 0);
    expected[0] = 0x12340810;
    EXPECT_EQ(u.frame(), expected);
    // While it is held nothing is written and nothing counts.
    u.write(at::ctl, en);
    u.write(at::select(0), on);
    u.write(at::count(0), 5);
    u.step(3);
    EXPECT_EQ(u.frame(), expected);
    u.dut.rst_ni = 1;
    u.settle();
    EXPECT_EQ(u.frame(), expected);
}

TEST(Sizes, BuiltWithFewerCounters)
{
    for (unsigned counters : {1u, 2u, 3u}) {
        UncoreRtl<Vuncore_3> u({counters, 16, 3});
        EXPECT_EQ(u.read(at::id), 0x31000u + counters);
        for (unsigned n = 0; n < 16; n++) {
            u.write(at::select(n), on | (0x100 + n));
            u.write(at::count(n), 0xFFFF);
        }
        u.write(at::ie, ones);
        EXPECT_EQ(u.read(at::ie), bit(counters) - 1);
        u.increment_all(2);
        u.write(at::ctl, en);
        u.step();
        EXPECT_EQ(u.read(at::ovf), bit(counters) - 1);
        u.write(at::ctl, 0);
        for (unsigned n = 0; n < 16; n++) {
            EXPECT_EQ(u.read(at::select(n)), n < counters ? on | (0x100 + n) : 0);
            EXPECT_EQ(u.read(at::count(n)), n < counters ? 5u : 0u);
            if (n < 3) {
                EXPECT_EQ(u.event(n), n < counters ? 0x100 + n : 0);
            }
        }
        EXPECT_TRUE(u.irq());
    }
}

} // namespace
