// SPDX-License-Identifier: Apache-2.0
// docs/hw/hpm.md, 3 and 6: counting, and counting against accesses.
#include <gtest/gtest.h>

#include <vector>

#include "hpm_bench.hpp"

namespace
{

const unsigned all_modes[] = {M, S, U, VS, VU};
const unsigned writes[] = {Write, Set, Clear};

std::vector<unsigned> counters()
{
    std::vector<unsigned> all{0, 2};
    for (unsigned n = 3; n < 32; n++)
        all.push_back(n);
    return all;
}

Straps xlen(bool wide)
{
    Straps s;
    s.wide = wide;
    return s;
}

// All counters have an event, stand at this value and get this increment.
void run_all(Hpm &hpm, uint64_t value, unsigned inc)
{
    for (unsigned n : counters()) {
        if (n >= 3)
            hpm.put_event(n, 1);
        hpm.put_value(n, value);
    }
    hpm.increment_all(inc);
}

TEST(Check11_18_68_HalvesAreWrittenApart, f1_2_6_f1_3_2_f1_3_4_f1_3_5_f7_35)
{
    for (unsigned n : counters()) {
        for (unsigned op : writes) {
            Hpm hpm(narrow());
            const uint64_t start = 0x11111111FFFFFFFE;
            run_all(hpm, start, 3);
            // The low half: no carry into the high one, although the sum would.
            hpm.access(csr::counter(n), op, 0x0F);
            uint32_t low = op == Write ? 0x0F : op == Set ? 0xFFFFFFFF : 0xFFFFFFF0;
            EXPECT_EQ(hpm.value(n), (start & ~uint64_t{0xFFFFFFFF}) | low) << n << " op " << op;
            hpm.put_value(n, start);
            hpm.access(csr::counterh(n), op, 0x03);
            uint64_t high = op == Write ? 0x03 : op == Set ? 0x11111113 : 0x11111110;
            EXPECT_EQ(hpm.value(n), high << 32 | 0xFFFFFFFE) << n << " op " << op;
        }
    }
}

TEST(Check18_61_WrittenValueStandsForOneCycle, f1_3_2_f7_15)
{
    for (bool wide : {false, true}) {
        for (unsigned n : counters()) {
            Hpm hpm(xlen(wide));
            run_all(hpm, 5, 15);
            EXPECT_EQ(hpm.access(csr::counter(n), Write, 1000), (Answer{5, None}));
            EXPECT_EQ(hpm.value(n), 1000u) << n;
            hpm.step();
            EXPECT_EQ(hpm.value(n), 1015u) << n;
        }
    }
}

TEST(Check60_WriteOfOneCostsNoOther, f7_14)
{
    for (bool wide : {false, true}) {
        for (unsigned written : counters()) {
            for (bool high : {false, true}) {
                if (wide && high)
                    continue;
                Hpm hpm(xlen(wide));
                run_all(hpm, 7, 9);
                hpm.access(high ? csr::counterh(written) : csr::counter(written), Set, 0);
                for (unsigned n : counters())
                    EXPECT_EQ(hpm.value(n), n == written ? 7u : 16u) << written << ", " << n;
            }
        }
    }
}

TEST(Check18_ThroughTheWindows, f1_3_2_f7_34)
{
    for (bool wide : {false, true}) {
        for (unsigned n : counters()) {
            Hpm hpm(xlen(wide));
            hpm.open();
            hpm.put(csr::siselect, 0x40 + n);
            run_all(hpm, bit(32) | 7, 9);
            hpm.access_as(S, csr::sireg, Write, 90);
            EXPECT_EQ(hpm.value(n), wide ? 90 : bit(32) | 90);
            EXPECT_EQ(hpm.value(n == 0 ? 2 : 0), bit(32) | 16);
            if (wide)
                continue;
            hpm.access_as(S, csr::sireg4, Write, 4);
            EXPECT_EQ(hpm.value(n), bit(34) | 90);
        }
    }
}

TEST(Check17_20_ReadsDropNothing, f1_3_1_f1_3_6_f1_3_8_f7_18)
{
    for (unsigned n : counters()) {
        Hpm hpm;
        run_all(hpm, 100, 2);
        EXPECT_EQ(hpm.access(csr::counter(n)), (Answer{100, None})) << "before the increment";
        EXPECT_EQ(hpm.access(csr::counter(n), Read, ones), (Answer{102, None}));
        EXPECT_EQ(hpm.access(0xC00 + n), (Answer{104, None}));
        // The operand is zero but the register is not x0: a write.
        EXPECT_EQ(hpm.access(csr::counter(n), Set, 0), (Answer{106, None}));
        EXPECT_EQ(hpm.access(csr::counter(n), Clear, 0), (Answer{106, None}));
        EXPECT_EQ(hpm.access(csr::counter(n)), (Answer{106, None}));
        EXPECT_EQ(hpm.value(n), 108u);
    }
}

TEST(Check18_AHalfWithoutBitsDropsToo, f1_3_5)
{
    Straps s = narrow();
    s.width[4] = 32;
    s.width[5] = 20;
    s.width[6] = 33;
    for (unsigned n : {4u, 5u, 6u}) {
        for (unsigned op : writes) {
            Hpm hpm(s);
            hpm.put_event(n, 1);
            hpm.increment(n, 4);
            hpm.access(csr::counterh(n), op, 0);
            EXPECT_EQ(hpm.value(n), 0u);
            hpm.access(csr::counterh(n));
            EXPECT_EQ(hpm.value(n), 4u);
        }
    }
}

TEST(Check20_OtherWritesDropNothing, f1_3_6)
{
    Hpm hpm(with_aia());
    hpm.open();
    run_all(hpm, 0, 1);
    const uint16_t numbers[] = {
        csr::mcountinhibit, csr::scountinhibit, csr::mcounteren,  csr::scounteren, csr::hcounteren,
        csr::menvcfg,       csr::mcyclecfg,     csr::minstretcfg, csr::siselect,   csr::vsiselect,
        csr::htimedelta,    csr::mie,           csr::mip,         csr::mideleg,    csr::hideleg,
        csr::mvien,         csr::mvip,          csr::hvip};
    unsigned done = 0;
    for (uint16_t number : numbers) {
        EXPECT_EQ(hpm.access(number, Set, 0).exc, None) << std::hex << number;
        done++;
        for (unsigned n : counters())
            EXPECT_EQ(hpm.value(n), done) << std::hex << number;
    }
    for (unsigned n = 3; n < 32; n++)
        hpm.access(csr::event(n), Set, 0);
    for (unsigned n : counters())
        EXPECT_EQ(hpm.value(n), done + 29);
}

TEST(Check19_49_InhibitAgainstItsOwnInstruction, f1_3_3_f7_1_f7_2)
{
    for (unsigned n : counters()) {
        Hpm hpm;
        hpm.open();
        run_all(hpm, 0, 1);
        hpm.access(csr::mcountinhibit, Write, bit(n));
        EXPECT_EQ(hpm.value(n), 1u) << "the one that sets the bit is counted";
        hpm.step(4);
        EXPECT_EQ(hpm.value(n), 1u);
        hpm.access(csr::mcountinhibit, Write, 0);
        EXPECT_EQ(hpm.value(n), 1u) << "the one that clears it is not";
        hpm.step();
        EXPECT_EQ(hpm.value(n), 2u);
        hpm.access_as(S, csr::scountinhibit, Set, bit(n));
        EXPECT_EQ(hpm.value(n), 3u);
        hpm.access_as(S, csr::scountinhibit, Clear, bit(n));
        EXPECT_EQ(hpm.value(n), 3u);
    }
}

TEST(Check19_EventAndFilterOfTheCycle, f1_3_3)
{
    for (unsigned n = 3; n < 32; n++) {
        Hpm hpm;
        run_all(hpm, 0, 1);
        hpm.access(csr::event(n), Write, 0);
        EXPECT_EQ(hpm.value(n), 1u) << "the event of this cycle";
        hpm.access(csr::event(n), Write, 2 | minh);
        EXPECT_EQ(hpm.value(n), 1u) << "event 0";
        hpm.access(csr::event(n), Write, 2);
        EXPECT_EQ(hpm.value(n), 1u) << "MINH";
        hpm.access(csr::event(n), Write, 2 | minh);
        EXPECT_EQ(hpm.value(n), 2u);
    }
}

TEST(Check14_WhatTrapsIsNotCounted, f1_2_13)
{
    // The hart gives no instret in the cycle of an access with an exception; the block adds none.
    Hpm hpm;
    hpm.increment(2, 1);
    hpm.access_as(S, csr::counter(3));
    EXPECT_EQ(hpm.value(2), 1u);
    hpm.increment(2, 0);
    hpm.access_as(S, csr::counter(3));
    EXPECT_EQ(hpm.value(2), 1u);
}

TEST(Check15_64_HighLowHigh, f1_2_14_f7_21)
{
    for (unsigned n : counters()) {
        for (uint64_t before = 0; before < 3; before++) {
            Hpm hpm(narrow());
            run_all(hpm, 0x2FFFFFFFF - before, 1);
            uint64_t high, low, again;
            do {
                high = hpm.access(0xC80 + n).data;
                low = hpm.access(0xC00 + n).data;
                again = hpm.access(0xC80 + n).data;
            } while (high != again);
            EXPECT_EQ((high << 32 | low) + 2, hpm.value(n)) << "two cycles ago";
            EXPECT_EQ(hpm.peek(csr::counterh(n)), 3u);
        }
    }
}

TEST(Check63_CarryIntoTheHighWord, f7_18)
{
    for (bool wide : {false, true}) {
        Hpm hpm(xlen(wide));
        run_all(hpm, 0xFFFFFFFF, 1);
        hpm.step();
        for (unsigned n : counters())
            EXPECT_EQ(hpm.value(n), bit(32));
        for (unsigned n : counters())
            hpm.access(0xC00 + n);
        for (unsigned n : counters())
            EXPECT_EQ(hpm.value(n), bit(32) + 31) << "no tick is lost";
    }
}

TEST(Check21_35_AWriteNeverOverflows, f1_3_7_f2_15)
{
    for (bool wide : {false, true}) {
        for (unsigned n = 3; n < 32; n++) {
            Hpm hpm(xlen(wide));
            run_all(hpm, 0, 0);
            hpm.put_value(n, ones);
            hpm.increment(n, 15);
            hpm.access(csr::counter(n), Write, 0);
            EXPECT_EQ(hpm.event(n), 1u);
            EXPECT_FALSE(hpm.lcofip());
        }
        // mcycle and minstret wrap in silence.
        Hpm hpm(xlen(wide));
        for (unsigned n : {0u, 2u}) {
            hpm.put_value(n, ones);
            hpm.increment(n, 2);
            hpm.step();
            EXPECT_EQ(hpm.value(n), 1u);
            EXPECT_FALSE(hpm.lcofip());
            EXPECT_EQ(hpm.peek(csr::scountovf), 0u);
            hpm.increment(n, 0);
        }
    }
}

TEST(Check28_69_WrapAtTheWidth, f2_3_f7_36)
{
    for (bool wide : {false, true}) {
        for (unsigned width = 1; width <= 64; width++) {
            for (unsigned inc = 1; inc <= 15; inc++) {
                Straps s = xlen(wide);
                s.width[3] = width;
                const uint64_t top = width == 64 ? ones : bit(width) - 1;
                Hpm hpm(s);
                hpm.put_event(3, 1);
                hpm.increment(3, inc);
                if (inc <= top) {
                    hpm.put_value(3, top - inc); // the last sum that fits
                    hpm.step();
                    EXPECT_EQ(hpm.value(3), top);
                    EXPECT_EQ(hpm.event(3), 1u) << width << " bits by " << inc;
                }
                uint64_t start = inc <= top ? top - inc + 1 : top;
                hpm.put_value(3, start);
                hpm.step();
                uint64_t sum = (start + inc) & top;
                EXPECT_EQ(hpm.value(3), sum);
                EXPECT_EQ(hpm.event(3), of | 1) << width << " bits by " << inc;
                hpm.step();
                EXPECT_EQ(hpm.value(3), (sum + inc) & top) << "counting goes on";
            }
        }
    }
}

TEST(Check27_38_FilterPerMode, f2_1_f2_2_f3_1)
{
    const struct {
        uint64_t filter;
        unsigned mode;
    } keeps_out[] = {{minh, M}, {sinh_bit, S}, {uinh, U}, {vsinh, VS}, {vuinh, VU}};
    for (bool wide : {false, true}) {
        for (unsigned set = 0; set < 32; set++) {
            uint64_t filters = 0;
            for (unsigned i = 0; i < 5; i++)
                filters |= set >> i & 1 ? keeps_out[i].filter : 0;
            Hpm hpm(xlen(wide));
            run_all(hpm, 0, 1);
            for (unsigned n : counters())
                hpm.put_event(n == 0 ? 1 : n, filters | (n >= 3));
            for (unsigned n : counters())
                hpm.put_value(n, 0);
            uint64_t want = 0;
            for (unsigned i = 0; i < 5; i++) {
                hpm.mode(keeps_out[i].mode);
                hpm.step();
                want += !(set >> i & 1);
                for (unsigned n : counters())
                    EXPECT_EQ(hpm.value(n), want) << "counter " << n << " set " << set;
            }
        }
    }
}

TEST(Check38_50_TheModeThatIsLeft, f3_1_f7_3)
{
    Hpm hpm;
    hpm.put(csr::mcyclecfg, minh);
    hpm.put(csr::minstretcfg, uinh);
    hpm.put_value(0, 0);
    hpm.increment(0, 1);
    hpm.increment(2, 1);
    hpm.step(); // M, with the mret that retires in it
    EXPECT_EQ(hpm.value(0), 0u);
    EXPECT_EQ(hpm.value(2), 1u);
    hpm.mode(U);
    hpm.step(); // U, and here comes the trap
    EXPECT_EQ(hpm.value(0), 1u);
    EXPECT_EQ(hpm.value(2), 1u);
    hpm.mode(M);
    hpm.step();
    EXPECT_EQ(hpm.value(0), 1u);
    EXPECT_EQ(hpm.value(2), 2u);
}

TEST(Check38_WithoutTheExtensionsEveryModePasses, f3_1)
{
    for (unsigned bits = 0; bits < 4; bits++) {
        Straps s;
        s.smcntrpmf = bits & 1;
        s.sscofpmf = bits & 2;
        Hpm hpm(s);
        for (unsigned n : counters())
            hpm.put_event(n == 0 ? 1 : n, inh_bits | 1);
        for (unsigned n : counters())
            hpm.put_value(n, 0);
        hpm.increment_all(1);
        unsigned mode_count = 0;
        for (unsigned mode : all_modes) {
            hpm.mode(mode);
            hpm.step();
            mode_count++;
            for (unsigned n : counters())
                EXPECT_EQ(hpm.value(n), (n < 3 ? s.smcntrpmf : s.sscofpmf) ? 0 : mode_count);
        }
    }
}

TEST(Check48_62_Events, f3_5_f7_17)
{
    Hpm hpm;
    hpm.increment_all(15);
    for (unsigned n = 3; n < 32; n++)
        hpm.put_event(n, inh_bits); // encoding 0
    hpm.step(3);
    for (unsigned n = 3; n < 32; n++)
        EXPECT_EQ(hpm.value(n), 0u);
    // Every other encoding counts what the pins say: the map is outside.
    for (unsigned encoding : {1u, 7u, 25u, 31u, 32u, 0x100u, 0x8000u, 0xFFFFu}) {
        hpm.put_event(8, encoding);
        EXPECT_EQ(hpm.event_pins(8), encoding);
        hpm.put_value(8, 0);
        hpm.step(2);
        EXPECT_EQ(hpm.value(8), 30u) << encoding;
        hpm.increment(8, 0);
        hpm.step();
        EXPECT_EQ(hpm.value(8), 30u) << "the map has nothing for it";
        hpm.increment(8, 15);
    }
}

TEST(Check58_InhibitedMcycleStandsStill, f7_11)
{
    Hpm hpm;
    hpm.increment(0, 1);
    hpm.put(csr::mcountinhibit, 1);
    uint64_t at = hpm.value(0);
    for (unsigned i = 0; i < 8; i++) {
        hpm.access(csr::mcycle);
        EXPECT_EQ(hpm.value(0), at);
    }
    EXPECT_EQ(hpm.dut.counting_o, 4u);
}

TEST(Check59_NoMhpmcounters, f7_13_f7_19)
{
    for (bool wide : {false, true}) {
        Straps s = xlen(wide);
        s.counters = 0;
        Hpm hpm(s);
        hpm.increment_all(3);
        hpm.step(2);
        EXPECT_EQ(hpm.value(0), 6u);
        EXPECT_EQ(hpm.value(2), 6u);
        hpm.access(csr::mcountinhibit, Write, ones);
        EXPECT_EQ(hpm.peek(csr::mcountinhibit), 5u);
        hpm.step(2);
        EXPECT_EQ(hpm.value(0), 9u);
        hpm.access(csr::mcountinhibit, Write, 4);
        hpm.step(2);
        EXPECT_EQ(hpm.value(0), 15u);
        EXPECT_EQ(hpm.value(2), 9u);
        EXPECT_EQ(hpm.peek(csr::scountovf), 0u);
        for (unsigned n = 3; n < 32; n++)
            EXPECT_EQ(hpm.value(n), 0u);
    }
}

TEST(Check60_65_IncrementsAboveOneAndOneEventOnMany, f7_14_f7_22)
{
    Hpm hpm;
    run_all(hpm, 0, 1);
    uint64_t sum[32] = {};
    for (unsigned cycle = 0; cycle < 64; cycle++) {
        for (unsigned n : counters()) {
            unsigned inc = (cycle * 7 + n * 3) % 16;
            hpm.increment(n, inc);
            sum[n] += inc;
        }
        hpm.step();
    }
    for (unsigned n : counters())
        EXPECT_EQ(hpm.value(n), sum[n]) << n;
}

} // namespace
