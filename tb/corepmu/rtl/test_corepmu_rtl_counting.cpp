// SPDX-License-Identifier: Apache-2.0
// docs/hw/corepmu.md, "Counting": filters, ranges, overflow, and writes against counting.
#include <gtest/gtest.h>

#include "corepmu_bench.hpp"

namespace
{

constexpr uint32_t E = 0x1, P = 0x2, C = 0x4, LC = 0x40, LP = 0x80;
constexpr uint32_t cycle_bit = 0x80000000;

TEST(Counting, AddsTheIncrementOfEveryCycle)
{
    CorePmu pmu({});
    pmu.control(E);
    pmu.write(at::enable_set, cycle_bit | 0xFF);
    EXPECT_TRUE(pmu.dut.counting_o);
    uint64_t expected = 0;
    for (unsigned by = 0; by < 16; by++) {
        for (unsigned n = 0; n < 8; n++)
            pmu.increment(n, by);
        pmu.dut.cycle_inc_i = 15 - by;
        pmu.step(3);
        expected += 3 * by;
    }
    pmu.silence();
    for (unsigned n = 0; n < 8; n++)
        EXPECT_EQ(pmu.get(at::counter(n)), expected);
    EXPECT_EQ(pmu.get(at::cycles), 3u * 120);
}

TEST(Counting, EachCounterHasItsOwnEnableAndIncrement)
{
    Straps s;
    s.counters = 31;
    s.hpmn = 31;
    for (unsigned counter = 0; counter < 32; counter++) {
        CorePmu pmu(s);
        pmu.control(E);
        pmu.write(at::enable_set, 1u << counter);
        EXPECT_TRUE(pmu.dut.counting_o);
        for (unsigned n = 0; n < 31; n++)
            pmu.increment(n, 1 + n % 15);
        pmu.dut.cycle_inc_i = 7;
        pmu.step();
        pmu.silence();
        for (unsigned n = 0; n < 31; n++)
            EXPECT_EQ(pmu.get(at::counter(n)), n == counter ? 1 + n % 15 : 0);
        EXPECT_EQ(pmu.get(at::cycles), counter == 31 ? 7 : 0);
        pmu.write(at::enable_clr, 0xFFFFFFFF);
        EXPECT_FALSE(pmu.dut.counting_o);
    }
}

TEST(Counting, Filter)
{
    auto bit = [](unsigned word, unsigned n) { return (word >> n) & 1; };
    for (bool ext64 : {false, true}) {
        for (unsigned field = 0; field < 64; field++) {
            uint32_t word = field << 26;
            const bool passes[4] = {
                bit(word, 30) == bit(word, 28), // EL0: U = NSU
                bit(word, 31) == bit(word, 29), // EL1: P = NSK
                bit(word, 27) == 1,             // EL2: NSH
                bit(word, 26) == bit(word, 31), // EL3: M = P
            };
            Straps s;
            s.ext64 = ext64;
            s.spme = true;
            CorePmu pmu(s);
            pmu.control(E);
            pmu.write(at::typer(ext64, 1), word);
            pmu.write(at::cycle_filter(ext64), word);
            pmu.write(at::enable_set, cycle_bit | 2);
            uint64_t expected = 0;
            for (unsigned mode = 0; mode < 4; mode++) {
                pmu.dut.mode_i = mode;
                pmu.increment_all(1);
                pmu.step(1u << (2 * mode));
                pmu.silence();
                expected += passes[mode] ? 1u << (2 * mode) : 0;
            }
            EXPECT_EQ(pmu.get(at::counter(1)), expected) << std::hex << word;
            EXPECT_EQ(pmu.get(at::cycles), expected) << std::hex << word;
        }
    }
}

// Counter 1 is of the first range, counter 5 of the second; the filters let all modes pass.
TEST(Counting, Prohibited)
{
    constexpr uint32_t DP = 0x20, all_modes = 1u << 27;

    for (unsigned bits = 0; bits < 8; bits++) {
        for (unsigned mode = 0; mode < 4; mode++) {
            Straps s;
            s.hpmn = 4;
            s.hpme = true;
            s.hpmd = bits & 1;
            s.spme = bits & 2;
            const bool dp = bits & 4;
            CorePmu pmu(s);
            pmu.control(dp ? E | DP : E);
            for (unsigned n : {1u, 5u})
                pmu.write(at::typer(false, n), all_modes);
            pmu.write(at::cycle_filter(false), all_modes);
            pmu.write(at::enable_set, cycle_bit | 1u << 1 | 1u << 5);
            pmu.dut.mode_i = mode;
            pmu.increment_all(255);
            pmu.step(2);
            pmu.silence();
            const bool el2 = mode == 2 && s.hpmd, el3 = mode == 3 && !s.spme;
            EXPECT_EQ(pmu.get(at::counter(1)), el2 || el3 ? 0u : 510u) << bits << " " << mode;
            EXPECT_EQ(pmu.get(at::counter(5)), el3 ? 0u : 510u) << bits << " " << mode;
            EXPECT_EQ(pmu.get(at::cycles), dp && (el2 || el3) ? 0u : 510u) << bits << " " << mode;
        }
    }
}

TEST(Counting, Ranges)
{
    for (unsigned hpmn : {0u, 1u, 5u, 8u, 31u}) {
        for (unsigned on = 0; on < 4; on++) {
            bool enabled = on & 1, hpme = on & 2;
            Straps s;
            s.hpmn = hpmn;
            s.hpme = hpme;
            CorePmu pmu(s);
            pmu.control(enabled ? E : 0);
            pmu.write(at::enable_set, cycle_bit | 0xFF);
            pmu.increment_all(2);
            pmu.step(5);
            pmu.silence();
            for (unsigned n = 0; n < 8; n++)
                EXPECT_EQ(pmu.get(at::counter(n)), (n < hpmn ? enabled : hpme) ? 10 : 0)
                    << "hpmn " << hpmn << " counter " << n;
            EXPECT_EQ(pmu.get(at::cycles), enabled ? 10 : 0);
        }
    }
}

// Counter 2 is of the first range, counter 6 of the second.
TEST(Overflow, AtBit31OrBit63)
{
    const struct {
        uint32_t control;
        uint64_t start;
        unsigned by;
        uint32_t flags; // of 2, 6 and the cycle counter
    } cases[] = {
        {E, 0xFFFFFFFE, 1, 0},
        {E, 0xFFFFFFFE, 2, 1u << 2 | cycle_bit},
        {E, 0xFFFFFFF1, 15, 1u << 2 | cycle_bit},
        {E, 0xFFFFFFF0, 15, 0},
        {E | LP, 0xFFFFFFFF, 1, cycle_bit},
        {E | LC, 0xFFFFFFFF, 1, 1u << 2},
        {E | LP | LC, 0x12FFFFFFFF, 1, 0},
        {E | LP | LC, 0xFFFFFFFFFFFFFFFF, 1, 1u << 2 | 1u << 6 | cycle_bit},
        {E, 0xFFFFFFFFFFFFFFFF, 1, 1u << 2 | 1u << 6 | cycle_bit},
        {E, 0xFFFFFFFFFFFFFFFF, 0, 0},
    };
    for (const auto &c : cases) {
        Straps s;
        s.hpmn = 4;
        s.hpme = true;
        CorePmu pmu(s);
        for (uint16_t offset : {at::counter(2), at::counter(6), at::cycles})
            pmu.put(offset, c.start);
        pmu.control(c.control);
        pmu.write(at::enable_set, cycle_bit | 1u << 2 | 1u << 6);
        pmu.increment_all(c.by);
        pmu.step();
        pmu.silence();
        EXPECT_EQ(pmu.read(at::overflow_set).data, c.flags) << std::hex << c.start;
        for (uint16_t offset : {at::counter(2), at::counter(6), at::cycles})
            EXPECT_EQ(pmu.get(offset), c.start + c.by) << "64 bits wide all the same";
    }
}

// A write in the cycle in which counters 0, 1 and the cycle counter would carry by 3.
TEST(Collision, WhatAWriteDoesToTheIncrementOfItsCycle)
{
    constexpr uint64_t start = 0x00000005FFFFFFFE, counted = start + 3;
    constexpr uint32_t flags = cycle_bit | 3;
    const struct {
        const char *what;
        uint16_t offset;
        uint32_t data;
        uint64_t counter0, counter1, cycles;
        uint32_t flags;
    } cases[] = {
        {"nothing", 0xF00, 0, counted, counted, counted, flags},
        {"low word", at::counter(0), 0x77, 0x500000077, counted, counted, flags & ~1u},
        {"high word", at::counter(0) + 4, 0x77, 0x77FFFFFFFE, counted, counted, flags & ~1u},
        {"cycles, low", at::cycles, 0x77, counted, counted, 0x500000077, 3},
        {"cycles, high", at::cycles + 4, 0x77, counted, counted, 0x77FFFFFFFE, 3},
        {"P", at::control(false), E | P, 0, 0, counted, cycle_bit},
        {"C", at::control(false), E | C, counted, counted, 0, 3},
        {"E off", at::control(false), 0, counted, counted, counted, flags},
        {"LP and LC on", at::control(false), E | LC | LP, counted, counted, counted, flags},
        {"enables off", at::enable_clr, 0xFFFFFFFF, counted, counted, counted, flags},
        {"filter of 0", at::typer(false, 0), 1u << 30, counted, counted, counted, flags},
        {"event of 0", at::typer(false, 0), 0x1234, counted, counted, counted, flags},
        {"filter of cycles", at::cycle_filter(false), 1u << 30, counted, counted, counted, flags},
        {"flags cleared", at::overflow_clr, 0xFFFFFFFF, counted, counted, counted, flags},
        {"a flag set", at::overflow_set, 0x10, counted, counted, counted, flags | 0x10},
    };
    for (const auto &c : cases) {
        SCOPED_TRACE(c.what);
        CorePmu pmu({});
        for (uint16_t offset : {at::counter(0), at::counter(1), at::cycles})
            pmu.put(offset, start);
        pmu.control(E);
        pmu.write(at::enable_set, cycle_bit | 3);
        pmu.increment_all(3);
        pmu.write(c.offset, c.data);
        pmu.silence();
        EXPECT_EQ(pmu.get(at::counter(0)), c.counter0);
        EXPECT_EQ(pmu.get(at::counter(1)), c.counter1);
        EXPECT_EQ(pmu.get(at::cycles), c.cycles);
        EXPECT_EQ(pmu.read(at::overflow_clr).data, c.flags);
    }
}

TEST(Collision, AWideWriteReplacesBothHalves)
{
    Straps s;
    s.ext64 = true;
    CorePmu pmu(s);
    pmu.write_wide(at::counter(0), ~0ull);
    pmu.control(E);
    pmu.write(at::enable_set, 1);
    pmu.increment_all(1);
    pmu.write_wide(at::counter(0), 0x1122334455667788);
    pmu.silence();
    EXPECT_EQ(pmu.read_wide(at::counter(0)).data, 0x1122334455667788u);
    EXPECT_EQ(pmu.read(at::overflow_set).data, 0u);
}

TEST(Collision, AChangeActsFromTheNextCycle)
{
    const struct {
        const char *what;
        uint16_t on_offset;
        uint32_t on;
        uint16_t off_offset;
        uint32_t off;
    } switches[] = {
        {"PMCR.E", at::control(false), E, at::control(false), 0},
        {"filter", at::typer(false, 0), 0, at::typer(false, 0), 1u << 30},
        {"enable", at::enable_set, 1, at::enable_clr, 1},
    };
    for (const auto &c : switches) {
        SCOPED_TRACE(c.what);
        CorePmu pmu({});
        pmu.control(E);
        pmu.write(at::enable_set, 1);
        pmu.write(c.off_offset, c.off);
        pmu.increment(0, 1);
        pmu.write(c.on_offset, c.on);   // not yet in the effect cycle
        pmu.step(4);                    // in these
        pmu.write(c.off_offset, c.off); // and still in this one
        pmu.step(4);
        EXPECT_EQ(pmu.get(at::counter(0)), 5u);
    }
}

TEST(Collision, AReadGivesTheValueBeforeTheIncrementOfItsCycle)
{
    CorePmu pmu({});
    pmu.control(E);
    pmu.write(at::enable_set, 1);
    pmu.increment(0, 4);
    for (unsigned i = 0; i < 5; i++)
        EXPECT_EQ(pmu.read(at::counter(0)).data, 4 * i);
}

} // namespace
