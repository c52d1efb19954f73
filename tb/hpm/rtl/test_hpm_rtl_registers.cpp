// SPDX-License-Identifier: Apache-2.0
// docs/hw/hpm.md, 5: which numbers there are, and which of their bits.
#include <gtest/gtest.h>

#include <map>
#include <vector>

#include "hpm_bench.hpp"

namespace
{

// All straps that decide what there is, with both XLEN: the profile sets are among them.
std::vector<Straps> every_set()
{
    std::vector<Straps> all;
    for (unsigned bits = 0; bits < 32; bits++) {
        for (unsigned modes = 0; modes < 4; modes++) {
            Straps s;
            s.modes = modes;
            s.wide = bits & 1;
            s.sscofpmf = bits & 2;
            s.smcntrpmf = bits & 4;
            s.smcdeleg = bits & 8;
            s.aia = bits & 16;
            bool allowed = (modes >= 2 || (!s.smcdeleg && !s.aia)) && (s.sscofpmf || !s.aia);
            if (!allowed)
                continue;
            s.counters = 0x8000FF58; // holes: 5, 7, 16..30
            s.width[8] = 40;
            s.width[9] = 17;
            all.push_back(s);
        }
    }
    return all;
}

std::string name(const Straps &s)
{
    return "xlen " + std::to_string(s.wide ? 64 : 32) + " modes " + std::to_string(s.modes) +
           " of " + std::to_string(s.sscofpmf) + " cf " + std::to_string(s.smcntrpmf) + " dg " +
           std::to_string(s.smcdeleg) + " aia " + std::to_string(s.aia);
}

uint64_t mask(unsigned width)
{
    return width == 64 ? ones : bit(width) - 1;
}

uint64_t filters(const Straps &s)
{
    return minh | (s.has(S) ? sinh_bit : 0) | (s.has(U) ? uinh : 0) |
           (s.has(VS) ? vsinh | vuinh : 0);
}

// The numbers of the table that are there, and what a write of ones leaves in them; 0 for those
// that are read only. The select windows and what CDE guards are judged apart.
std::map<uint16_t, uint64_t> rows(const Straps &s)
{
    std::map<uint16_t, uint64_t> at;
    bool has_s = s.has(S), has_h = s.has(VS);
    auto halves = [&](uint16_t low, uint16_t high, uint64_t bits) {
        at[low] = s.wide ? bits : bits & 0xFFFFFFFF;
        if (!s.wide && high != 0)
            at[high] = bits >> 32;
    };
    for (unsigned n = 0; n < 32; n++) {
        bool fixed = n == 0 || n == 2, there = fixed || (s.counters >> n & 1);
        at[0xC00 + n] = 0;
        if (!s.wide)
            at[0xC80 + n] = 0;
        if (n == 1)
            continue;
        halves(0xB00 + n, 0xB80 + n, there ? mask(fixed ? 64 : s.width[n]) : 0);
        if (!fixed)
            halves(0x320 + n, s.sscofpmf ? 0x720 + n : 0,
                   !there ? 0 : 0xFFFF | (s.sscofpmf ? of | filters(s) : 0));
    }
    if (s.smcntrpmf) {
        halves(0x321, 0x721, filters(s));
        halves(0x322, 0x722, filters(s));
    }
    at[0x320] = s.impl();
    if (s.has(U))
        at[0x306] = s.impl() | 2;
    if (has_s)
        at[0x106] = s.impl() | 2;
    if (has_h)
        at[0x606] = s.impl() | 2;
    if (s.has(U))
        halves(0x30A, 0x31A, s.smcdeleg ? bit(60) : 0);
    if (has_s && s.sscofpmf)
        at[0xDA0] = 0;
    if (has_s && s.smcdeleg) {
        at[0x150] = 0xFFF;
        at[0x350] = 0;
    }
    if (has_h && s.smcdeleg)
        at[0x250] = 0xFFF;
    if (has_h)
        halves(0x605, 0x615, ones);
    uint64_t thirteen = s.sscofpmf ? lcofi : 0;
    at[0x304] = at[0x344] = thirteen;
    if (has_s) {
        at[0x303] = thirteen;
        at[0x104] = at[0x144] = 0; // nothing is delegated
    }
    if (has_h) {
        at[0x603] = s.aia ? 0 : thirteen; // with aia, only under mideleg or mvien
        at[0x204] = at[0x244] = 0;
        at[0x645] = s.aia ? lcofi : 0;
    }
    if (s.aia) {
        at[0x308] = at[0x309] = lcofi;
        if (has_h)
            at[0x608] = lcofi;
    }
    return at;
}

bool guarded(uint16_t number)
{
    bool window = (number & 0xFF8) == 0x150 || (number & 0xFF8) == 0x250;
    return number == 0x120 || (window && (number & 7) != 0);
}

bool read_only(uint16_t number)
{
    return number >> 10 == 3;
}

// f1_1 to f1_1_17, f1_2_3, f1_2_4, f1_2_15, f2_1, f3_1, f3_4: one sweep over all numbers.
TEST(
    Check01To06_09_16_47_Numbers,
    f1_1_1_f1_1_2_f1_1_3_f1_1_4_f1_1_5_f1_1_6_f1_1_7_f1_1_8_f1_1_9_f1_1_10_f1_1_14_f1_1_15_f1_1_16_f1_1_17_f1_2_15_f3_4)
{
    for (const Straps &s : every_set()) {
        SCOPED_TRACE(name(s));
        Hpm hpm(s);
        auto there = rows(s);
        for (unsigned number = 0; number < 0x1000; number++) {
            if (guarded(number))
                continue;
            Answer want{0, there.count(number) ? None : Illegal};
            EXPECT_EQ(hpm.try_as(M, number), want) << std::hex << number;
            want.exc = read_only(number) ? unsigned{Illegal} : want.exc;
            for (unsigned op : {Write, Set, Clear})
                EXPECT_EQ(hpm.try_as(M, number, op, ones), want) << std::hex << number;
        }
    }
}

TEST(Check04_SelectWindows, f1_1_11_f1_1_12_f1_1_13)
{
    for (const Straps &s : every_set()) {
        SCOPED_TRACE(name(s));
        Hpm hpm(s);
        if (s.smcdeleg) {
            hpm.open();
            hpm.put(csr::siselect, 0x46);
            hpm.put(csr::mcountinhibit, 8);
        }
        auto expect = [&](uint16_t number, bool there) {
            EXPECT_EQ(hpm.try_as(M, number).exc, there ? None : Illegal) << std::hex << number;
        };
        expect(0x120, s.smcdeleg);
        expect(0x150, s.smcdeleg);
        expect(0x151, s.smcdeleg);
        expect(0x152, s.smcdeleg);
        expect(0x153, false); // D3
        expect(0x154, false);
        expect(0x155, s.smcdeleg && !s.wide);
        expect(0x156, s.smcdeleg && !s.wide && s.sscofpmf);
        expect(0x157, false);
        expect(0x250, s.smcdeleg && s.modes == 3);
        for (uint16_t number = 0x251; number <= 0x257; number++)
            expect(number, false); // section 7
    }
}

// Registers that are another one's alias move with it; the frame leaves them out.
std::map<uint16_t, uint64_t> frame(Hpm &hpm)
{
    std::map<uint16_t, uint64_t> words;
    for (const auto &row : rows(hpm.straps))
        if (!read_only(row.first))
            words[row.first] = hpm.peek(row.first);
    return words;
}

// Every other bit stays, in this register and in all others.
TEST(Check03_09_12_27_37_38_57_69_Bits,
     f1_2_1_f1_2_3_f1_2_4_f1_2_7_f1_2_8_f1_2_9_f2_1_f2_2_f2_8_f2_17_f3_1_f7_9_f7_10_f7_16_f7_33)
{
    for (const Straps &s : every_set()) {
        SCOPED_TRACE(name(s));
        for (const auto &row : rows(s)) {
            if (read_only(row.first))
                continue;
            Hpm hpm(s);
            auto expected = frame(hpm);
            for (const auto &word : expected)
                EXPECT_EQ(word.second, 0u) << "after reset, " << std::hex << word.first;
            expected[row.first] = row.second;
            // The operand of XLEN 32 has no upper half, whatever the pins carry.
            EXPECT_EQ(hpm.access(row.first, Write, ones), (Answer{0, None}));
            EXPECT_EQ(frame(hpm), expected) << "ones to " << std::hex << row.first;
            EXPECT_EQ(hpm.access(row.first, Clear, ones), (Answer{row.second, None}));
            expected[row.first] = 0;
            EXPECT_EQ(frame(hpm), expected) << "cleared " << std::hex << row.first;
        }
    }
}

TEST(Check01_02_57_Shadows, f1_1_1_f1_1_2_f1_1_4_f1_1_5_f7_10_f7_33)
{
    for (bool wide : {false, true}) {
        Straps s;
        s.wide = wide;
        Hpm hpm(s);
        hpm.put(csr::mcountinhibit, ones);
        auto word = [](unsigned n) { return 0xA5000000C3000000 | uint64_t{n} << 32 | (n + 100); };
        for (unsigned n = 0; n < 32; n++)
            if (n != 1)
                hpm.put_value(n, word(n));
        for (unsigned n = 0; n < 32; n++) {
            if (n == 1)
                continue;
            EXPECT_EQ(hpm.value(n), word(n));
            uint64_t low = wide ? word(n) : word(n) & 0xFFFFFFFF;
            EXPECT_EQ(hpm.try_as(M, 0xC00 + n), (Answer{low, None})) << n;
            Answer high = wide ? illegal : Answer{word(n) >> 32, None};
            EXPECT_EQ(hpm.try_as(M, 0xC80 + n), high) << n;
        }
    }
}

TEST(Check06_MenvcfgHasCde, f1_1_15)
{
    for (bool wide : {false, true}) {
        for (bool dg : {false, true}) {
            Straps s;
            s.wide = wide;
            s.smcdeleg = dg;
            Hpm hpm(s);
            hpm.put(csr::menvcfg, ones);
            EXPECT_EQ(hpm.peek(csr::menvcfg), wide && dg ? bit(60) : 0);
            EXPECT_EQ(hpm.try_as(S, csr::scountinhibit).exc, wide && dg ? None : Illegal);
            if (!wide) {
                hpm.put(csr::menvcfgh, ones);
                EXPECT_EQ(hpm.peek(csr::menvcfgh), dg ? bit(28) : 0);
                EXPECT_EQ(hpm.try_as(S, csr::scountinhibit).exc, dg ? None : Illegal);
                hpm.put(csr::menvcfg, 0);
                EXPECT_EQ(hpm.peek(csr::menvcfgh), dg ? bit(28) : 0);
            }
            for (uint16_t henvcfg : {0x60A, 0x61A})
                EXPECT_EQ(hpm.try_as(M, henvcfg), illegal);
        }
    }
}

TEST(Check07_08_ZeroAfterResetAndClocksOfTheCore, f1_2_1_f1_2_2)
{
    for (bool wide : {false, true}) {
        Straps s;
        s.wide = wide;
        Hpm hpm(s);
        EXPECT_EQ(hpm.value(0), 0u);
        EXPECT_EQ(hpm.value(2), 0u);
        EXPECT_EQ(hpm.dut.counting_o, 5u) << "they run from reset on";
        hpm.increment(0, 3);
        hpm.step(10);
        EXPECT_EQ(hpm.value(0), 30u);
        EXPECT_EQ(hpm.value(2), 0u);
        hpm.put_value(0, ones - 1);
        EXPECT_EQ(hpm.value(0), ones - 1);
        hpm.dut.rst_ni = 0; // asynchronous: no clock is needed
        hpm.dut.eval();
        EXPECT_EQ(hpm.value(0), 0u);
    }
}

// All that can be set is set, and a request is on its way; then reset falls between two clocks.
TEST(Check07_ResetFromAnyState, f1_2_1_f2_7)
{
    for (unsigned latency : {0u, 1u, 3u}) {
        Straps s = with_aia();
        s.latency = latency;
        Hpm hpm(s);
        hpm.open();
        for (unsigned n = 3; n < 32; n++)
            hpm.put_event(n, ones);
        for (uint16_t cfg : {csr::mcyclecfg, csr::minstretcfg, csr::htimedelta, csr::siselect,
                             csr::vsiselect, csr::mvien, csr::hvien})
            hpm.put(cfg, ones);
        for (uint16_t shown : {csr::sie, csr::mvip, csr::vsie, csr::hvip}) // sie_v, vsie_v
            hpm.put(shown, lcofi);
        for (uint16_t now : {csr::mideleg, csr::hideleg, csr::mie, csr::mip})
            hpm.put(now, lcofi);
        for (unsigned n : {0u, 2u, 3u})
            hpm.put_value(n, ones);
        hpm.put(csr::mip, 0);
        hpm.put_event(3, 1);
        hpm.increment(3, 1);
        hpm.step();
        hpm.increment(3, 0);
        hpm.put(csr::mcountinhibit, ones);
        hpm.dut.rst_ni = 0;
        hpm.dut.eval();
        hpm.step();
        hpm.dut.rst_ni = 1;
        hpm.dut.eval();
        for (unsigned number = 0; number < 0x1000; number++)
            EXPECT_EQ(hpm.peek(number), 0u) << std::hex << number;
        EXPECT_EQ(hpm.dut.lcofi_o, 0u);
        hpm.step(40);
        EXPECT_FALSE(hpm.lcofip()) << "a request from before the reset, L = " << latency;
        hpm.put(csr::mvien, lcofi);
        EXPECT_EQ(hpm.peek(csr::sie), 0u);
        EXPECT_EQ(hpm.peek(csr::hideleg), 0u);
        hpm.put(csr::hvien, lcofi);
        EXPECT_EQ(hpm.peek(csr::vsie), 0u);
        EXPECT_EQ(hpm.peek(csr::vsip), 0u);
    }
}

// The request of the very cycle before the reset, which nothing has passed on yet.
TEST(Check30_ResetInTheCycleAfterTheRequest, f2_7)
{
    for (unsigned latency : {0u, 1u, 31u}) {
        Straps s;
        s.latency = latency;
        Hpm hpm(s);
        hpm.arm(3);
        hpm.increment(3, 1);
        hpm.step();
        hpm.dut.rst_ni = 0;
        hpm.dut.eval();
        hpm.dut.rst_ni = 1;
        hpm.dut.eval();
        for (unsigned cycle = 0; cycle < 40; cycle++) {
            EXPECT_FALSE(hpm.lcofip()) << "L = " << latency;
            hpm.step();
        }
    }
}

TEST(Check09_69_EveryWidth, f1_2_3_f2_17_f7_36)
{
    for (bool wide : {false, true}) {
        for (unsigned first = 1; first <= 64; first++) {
            Straps s;
            s.wide = wide;
            for (unsigned n = 3; n < 32; n++)
                s.width[n] = 1 + (first + 5 * n) % 64; // each its own
            Hpm hpm(s);
            for (unsigned n = 3; n < 32; n++)
                hpm.put_value(n, ones);
            for (unsigned n = 3; n < 32; n++)
                EXPECT_EQ(hpm.value(n), mask(s.width[n])) << n << ": " << s.width[n] << " bits";
        }
    }
}

TEST(Check10_CounterThatIsNotThere, f1_2_5)
{
    Straps s;
    s.counters = bit(3) | bit(31);
    Hpm hpm(s);
    hpm.open();
    hpm.increment_all(1);
    for (unsigned n = 4; n < 31; n++) {
        hpm.put_event(n, 1);
        hpm.put_value(n, 5);
    }
    hpm.step();
    EXPECT_EQ(hpm.dut.counting_o, 5u);
    for (unsigned n = 4; n < 31; n++) {
        EXPECT_EQ(hpm.value(n), 0u);
        EXPECT_EQ(hpm.event(n), 0u);
        EXPECT_EQ(hpm.event_pins(n), 0u);
        EXPECT_EQ(hpm.try_as(M, 0xC00 + n), (Answer{0, None}));
        for (unsigned code : {U, S, VU, VS})
            EXPECT_EQ(hpm.try_as(code, 0xC00 + n), illegal) << n << " in " << code;
    }
}

TEST(Check12_Enables, f1_2_7_f1_2_8_f1_2_9_f1_2_10)
{
    Straps s;
    s.counters = 0x00A0F008;
    Hpm hpm(s);
    // The bits of each are writable whatever the others hold.
    for (uint16_t enable : {csr::scounteren, csr::hcounteren, csr::mcounteren}) {
        hpm.put(enable, ones);
        EXPECT_EQ(hpm.peek(enable), 0x00A0F00Fu);
        hpm.put(enable, 0);
    }
    hpm.put_event(3, 1);
    hpm.increment(3, 1);
    for (unsigned code : {U, S, VU, VS}) {
        uint64_t before = hpm.value(3);
        hpm.mode(code);
        hpm.step(5);
        EXPECT_EQ(hpm.value(3), before + 5) << "enables off, counting goes on";
    }
    hpm.put(csr::scounteren, 8);
    EXPECT_EQ(hpm.access_as(VS, csr::scounteren, Set, 4), (Answer{8, None}));
    EXPECT_EQ(hpm.access_as(S, csr::scounteren), (Answer{12, None})) << "one register in VS, too";
}

TEST(Check13_Mcountinhibit, f1_2_11_f1_2_12)
{
    Hpm hpm;
    hpm.put(csr::mcountinhibit, ones);
    EXPECT_EQ(hpm.peek(csr::mcountinhibit), 0xFFFFFFFDu);
    hpm.put(csr::mcountinhibit, 0);
    for (unsigned n = 3; n < 32; n++)
        hpm.put_event(n, n);
    hpm.increment_all(1);
    EXPECT_EQ(hpm.dut.counting_o, 0xFFFFFFFDu);
    hpm.access(csr::mcountinhibit, Write, ones);
    EXPECT_EQ(hpm.dut.counting_o, 0u);
    hpm.step(3);
    for (unsigned n = 3; n < 32; n++)
        EXPECT_EQ(hpm.value(n), 1u) << "all stopped in one cycle";
    // Inhibited counters are read and written as ever; time is not stopped.
    hpm.access(csr::counter(7), Write, 77);
    EXPECT_EQ(hpm.value(7), 77u);
    for (uint64_t t : {uint64_t{5}, uint64_t{6}, ones}) {
        hpm.dut.time_i = t;
        EXPECT_EQ(hpm.peek(csr::time), t);
    }
}

TEST(Check26_TimeOfAGuest, f1_4_19)
{
    for (bool wide : {false, true}) {
        Straps s;
        s.wide = wide;
        Hpm hpm(s);
        hpm.open();
        hpm.dut.time_i = 0x00000001FFFFFFF0;
        hpm.put(csr::htimedelta, 0xFFFFFFFF00000020);
        if (!wide)
            hpm.put(csr::htimedeltah, 0xFFFFFFFF);
        const uint64_t host = hpm.dut.time_i, guest = 0x0000000100000010;
        for (unsigned code : {M, S, U, VS, VU}) {
            uint64_t want = code >= VU ? guest : host;
            uint64_t low = wide ? want : want & 0xFFFFFFFF;
            EXPECT_EQ(hpm.try_as(code, csr::time), (Answer{low, None})) << code;
            Answer high = wide ? illegal : Answer{want >> 32, None};
            EXPECT_EQ(hpm.try_as(code, csr::timeh), high) << code;
        }
    }
}

TEST(Check52_MachineSeesScountovfUnmasked, f2_12_f7_5)
{
    Straps s = narrow();
    Hpm hpm(s);
    uint64_t want = 0;
    for (unsigned n = 3; n < 32; n += 3) {
        hpm.put_event(n, of);
        want |= bit(n);
        EXPECT_EQ(hpm.peek(csr::scountovf), want);
    }
    hpm.put_event(3, 0);
    EXPECT_EQ(hpm.peek(csr::scountovf), want & ~bit(3));
}

TEST(Check09_62_EventPins, f1_2_4_f7_17)
{
    for (bool wide : {false, true}) {
        Straps s;
        s.wide = wide;
        s.counters &= ~bit(12);
        Hpm hpm(s);
        for (unsigned n = 3; n < 32; n++)
            hpm.put_event(n, 0x8000 + n);
        for (unsigned n = 0; n < 32; n++)
            EXPECT_EQ(hpm.event_pins(n), n < 3 || n == 12 ? 0 : 0x8000 + n);
        EXPECT_EQ(hpm.dut.counting_o, 0xFFFFEFFDu);
        hpm.put_event(5, inh_bits | of);
        EXPECT_EQ(hpm.dut.counting_o, 0xFFFFEFDDu) << "event 0, whatever else is set";
    }
}

} // namespace
