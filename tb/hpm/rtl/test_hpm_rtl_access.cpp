// SPDX-License-Identifier: Apache-2.0
// docs/hw/hpm.md, 4 and 7: who may access what, and what stands behind the select windows.
#include <gtest/gtest.h>

#include <vector>

#include "hpm_bench.hpp"

namespace
{

const unsigned all_modes[] = {M, S, U, VS, VU};

// The table of the counters: by mode and enable bits; 2 is "any", done is a value.
struct CounterRow {
    unsigned mode, has_s, m, h, s, exc;
};
const CounterRow counter_rows[] = {
    {M, 2, 2, 2, 2, None},     {S, 1, 0, 2, 2, Illegal},  {S, 1, 1, 2, 2, None},
    {U, 0, 0, 2, 2, Illegal},  {U, 0, 1, 2, 2, None},     {U, 1, 0, 2, 2, Illegal},
    {U, 1, 1, 2, 0, Illegal},  {U, 1, 1, 2, 1, None},     {VS, 1, 0, 2, 2, Illegal},
    {VS, 1, 1, 0, 2, Virtual}, {VS, 1, 1, 1, 2, None},    {VU, 1, 0, 2, 2, Illegal},
    {VU, 1, 1, 0, 2, Virtual}, {VU, 1, 1, 1, 0, Virtual}, {VU, 1, 1, 1, 1, None},
};

unsigned counter_exc(unsigned mode, bool has_s, bool m, bool h, bool s)
{
    auto fits = [](unsigned want, bool is) { return want == 2 || want == is; };
    unsigned exc = ~0u, rows = 0;
    for (const CounterRow &row : counter_rows) {
        if (row.mode == mode && fits(row.has_s, has_s) && fits(row.m, m) && fits(row.h, h) &&
            fits(row.s, s)) {
            exc = row.exc;
            rows++;
        }
    }
    EXPECT_EQ(rows, 1u);
    return exc;
}

// Only the bit of this counter decides: all others are the other way round.
void enable_only(Hpm &hpm, uint16_t enable, unsigned n, bool on)
{
    hpm.put(enable, on ? bit(n) : ~bit(n));
}

TEST(
    Check22_23_CounterTable,
    f1_4_1_f1_4_2_f1_4_3_f1_4_4_f1_4_5_f1_4_6_f1_4_7_f1_4_8_f1_4_9_f1_4_10_f1_4_11_f1_4_12_f1_4_13_f1_4_14_f1_4_15_f1_4_16)
{
    for (bool wide : {false, true}) {
        for (unsigned modes = 0; modes < 4; modes++) {
            Straps straps;
            straps.wide = wide;
            straps.modes = modes;
            straps.smcdeleg = straps.smcdeleg && modes >= 2;
            Hpm hpm(straps);
            hpm.dut.time_i = 1;
            hpm.put(csr::mcountinhibit, ones);
            for (unsigned n = 0; n < 32; n++) {
                if (n != 1)
                    hpm.put_value(n, bit(32) | 1);
            }
            for (unsigned set = 0; set < 8 * 32; set++) {
                bool m = set & 1, h = set & 2, s = set & 4;
                unsigned n = set / 8;
                enable_only(hpm, csr::mcounteren, n, m);
                enable_only(hpm, csr::scounteren, n, s);
                enable_only(hpm, csr::hcounteren, n, h);
                for (unsigned mode : all_modes) {
                    if (!straps.has(mode))
                        continue;
                    SCOPED_TRACE(testing::Message() << "n " << n << " mode " << mode << " set "
                                                    << set % 8 << " modes " << modes);
                    unsigned exc = counter_exc(mode, modes >= 2, m && modes >= 1, h, s);
                    uint64_t low = n == 1 ? 1 : wide ? bit(32) | 1 : 1, high = n != 1;
                    EXPECT_EQ(hpm.try_as(mode, 0xC00 + n), (Answer{exc == None ? low : 0, exc}));
                    unsigned high_exc = wide ? unsigned{Illegal} : exc;
                    EXPECT_EQ(hpm.try_as(mode, 0xC80 + n),
                              (Answer{high_exc == None ? high : 0, high_exc}));
                }
            }
        }
    }
}

TEST(Check24_25_WritesToShadows, f1_4_17_f1_4_18)
{
    for (bool wide : {false, true}) {
        Straps s;
        s.wide = wide;
        Hpm hpm(s);
        hpm.open();
        for (unsigned number = 0xC00; number < 0xCA0; number++)
            for (unsigned mode : all_modes)
                for (unsigned op : {Write, Set, Clear})
                    EXPECT_EQ(hpm.try_as(mode, number, op, 0), illegal) << std::hex << number;
        // Also where a read would be a virtual-instruction exception.
        hpm.put(csr::hcounteren, 0);
        EXPECT_EQ(hpm.try_as(VS, csr::cycle), virtual_instruction);
        EXPECT_EQ(hpm.try_as(VS, csr::cycle, Set, 0), illegal);
    }
}

// What each mode gets from a number of each privilege, all enables on.
struct PrivilegeRow {
    uint16_t number;
    unsigned s, u, vs, vu;
};
const PrivilegeRow privilege_rows[] = {
    {csr::mcycle, Illegal, Illegal, Illegal, Illegal},
    {csr::counter(3), Illegal, Illegal, Illegal, Illegal},
    {csr::mcountinhibit, Illegal, Illegal, Illegal, Illegal},
    {csr::event(3), Illegal, Illegal, Illegal, Illegal},
    {csr::mcyclecfg, Illegal, Illegal, Illegal, Illegal},
    {csr::mcounteren, Illegal, Illegal, Illegal, Illegal},
    {csr::menvcfg, Illegal, Illegal, Illegal, Illegal},
    {csr::mip, Illegal, Illegal, Illegal, Illegal},
    {csr::mvien, Illegal, Illegal, Illegal, Illegal},
    {csr::scounteren, None, Illegal, None, Virtual},
    {csr::sie, None, Illegal, None, Virtual},
    {csr::sip, None, Illegal, None, Virtual},
    {csr::hcounteren, None, Illegal, Virtual, Virtual},
    {csr::htimedelta, None, Illegal, Virtual, Virtual},
    {csr::hideleg, None, Illegal, Virtual, Virtual},
    {csr::hvien, None, Illegal, Virtual, Virtual},
    {csr::hvip, None, Illegal, Virtual, Virtual},
    {csr::vsie, None, Illegal, Virtual, Virtual},
    {csr::vsip, None, Illegal, Virtual, Virtual},
    {csr::vsiselect, None, Illegal, Virtual, Virtual},
    {csr::siselect, None, Illegal, None, Virtual},
    {csr::scountinhibit, None, Illegal, Virtual, Virtual},
    {0x154, Illegal, Illegal, Illegal, Illegal},
    {0x60A, Illegal, Illegal, Illegal, Illegal},
};

TEST(Check51_ExceptionKinds, f7_4)
{
    Hpm hpm(with_aia());
    hpm.open();
    for (const PrivilegeRow &row : privilege_rows) {
        for (unsigned op : {Read, Write, Set, Clear}) {
            SCOPED_TRACE(testing::Message() << std::hex << row.number << " op " << op);
            EXPECT_EQ(hpm.try_as(S, row.number, op).exc, row.s);
            EXPECT_EQ(hpm.try_as(U, row.number, op).exc, row.u);
            EXPECT_EQ(hpm.try_as(VS, row.number, op).exc, row.vs);
            EXPECT_EQ(hpm.try_as(VU, row.number, op).exc, row.vu);
        }
    }
}

TEST(Check51_EachEnableAloneRefuses, f7_12_f7_20)
{
    Hpm hpm;
    const struct {
        uint16_t enable;
        unsigned s, u, vs, vu;
    } rows[] = {
        {csr::mcounteren, Illegal, Illegal, Illegal, Illegal},
        {csr::scounteren, None, Illegal, None, Virtual},
        {csr::hcounteren, None, None, Virtual, Virtual},
    };
    for (const auto &row : rows) {
        for (uint16_t number : {csr::cycle, csr::time, csr::instret, uint16_t{0xC1F}}) {
            hpm.open();
            hpm.put(row.enable, ~bit(number & 31));
            EXPECT_EQ(hpm.try_as(M, number).exc, None);
            EXPECT_EQ(hpm.try_as(S, number).exc, row.s);
            EXPECT_EQ(hpm.try_as(U, number).exc, row.u);
            EXPECT_EQ(hpm.try_as(VS, number).exc, row.vs);
            EXPECT_EQ(hpm.try_as(VU, number).exc, row.vu);
        }
    }
}

TEST(Check24_ARefusedAccessChangesNothing, f1_3_8)
{
    Hpm hpm;
    hpm.put_event(3, 1);
    hpm.increment_all(2);
    hpm.access_as(S, csr::counter(3), Write, 100);
    hpm.access_as(VU, csr::mcycle, Write, 100);
    hpm.access_as(U, csr::mcountinhibit, Write, ones);
    hpm.access_as(VS, csr::mip, Set, lcofi);
    EXPECT_EQ(hpm.value(3), 8u) << "and its increments count";
    EXPECT_EQ(hpm.peek(csr::mcountinhibit), 0u);
    EXPECT_FALSE(hpm.lcofip());
}

TEST(Check34_45_53_Scountovf, f2_12_f2_13_f2_14_f3_2_10_f7_6)
{
    for (bool wide : {false, true}) {
        Straps s;
        s.wide = wide;
        Hpm hpm(s);
        hpm.open();
        hpm.put_cde(false);
        for (unsigned n : {3u, 4u, 5u, 6u, 31u})
            hpm.put_event(n, of);
        const uint64_t m = bit(3) | bit(4) | bit(31), h = bit(4) | bit(5) | bit(31);
        hpm.put(csr::mcounteren, m);
        hpm.put(csr::hcounteren, h);
        hpm.put(csr::scounteren, 0); // plays no part
        uint64_t every = m | bit(5) | bit(6);
        EXPECT_EQ(hpm.try_as(M, csr::scountovf), (Answer{every, None}));
        EXPECT_EQ(hpm.try_as(S, csr::scountovf), (Answer{m, None}));
        EXPECT_EQ(hpm.try_as(VS, csr::scountovf), (Answer{m & h, None}));
        EXPECT_EQ(hpm.try_as(U, csr::scountovf), illegal);
        EXPECT_EQ(hpm.try_as(VU, csr::scountovf), virtual_instruction);
        hpm.put_cde(true);
        EXPECT_EQ(hpm.try_as(M, csr::scountovf), (Answer{every, None}));
        EXPECT_EQ(hpm.try_as(S, csr::scountovf), (Answer{m, None}));
        EXPECT_EQ(hpm.try_as(VS, csr::scountovf), virtual_instruction);
        EXPECT_EQ(hpm.try_as(VU, csr::scountovf), virtual_instruction);
        EXPECT_EQ(hpm.try_as(U, csr::scountovf), illegal);
        for (unsigned mode : all_modes)
            for (unsigned op : {Write, Set, Clear})
                EXPECT_EQ(hpm.try_as(mode, csr::scountovf, op), illegal) << mode;
    }
}

TEST(Check44_Scountinhibit, f3_2_9)
{
    Straps s;
    s.counters &= ~bit(9);
    Hpm hpm(s);
    for (unsigned mode : all_modes)
        EXPECT_EQ(hpm.try_as(mode, csr::scountinhibit), illegal) << "CDE is 0";
    hpm.open();
    const uint64_t m = bit(0) | bit(1) | bit(3) | bit(9) | bit(30);
    const uint64_t seen = bit(0) | bit(3) | bit(30);
    hpm.put(csr::mcounteren, m);
    hpm.put(csr::mcountinhibit, bit(3) | bit(4));
    for (unsigned mode : {M, S}) {
        EXPECT_EQ(hpm.try_as(mode, csr::scountinhibit), (Answer{bit(3), None}));
        hpm.access_as(mode, csr::scountinhibit, Write, ones);
        EXPECT_EQ(hpm.peek(csr::mcountinhibit), seen | bit(4));
        hpm.access_as(mode, csr::scountinhibit, Clear, bit(0) | bit(4));
        EXPECT_EQ(hpm.peek(csr::mcountinhibit), bit(3) | bit(4) | bit(30));
        hpm.access_as(mode, csr::scountinhibit, Set, bit(0) | bit(5));
        EXPECT_EQ(hpm.peek(csr::mcountinhibit), seen | bit(4));
        hpm.access_as(mode, csr::scountinhibit, Write, bit(3));
        EXPECT_EQ(hpm.peek(csr::mcountinhibit), bit(3) | bit(4));
    }
    for (unsigned op : {Read, Write}) {
        EXPECT_EQ(hpm.try_as(U, csr::scountinhibit, op), illegal);
        EXPECT_EQ(hpm.try_as(VS, csr::scountinhibit, op), virtual_instruction);
        EXPECT_EQ(hpm.try_as(VU, csr::scountinhibit, op), virtual_instruction);
    }
}

// --- section 7 ---

struct Window {
    uint16_t number;
    bool setup, high;
};
const Window windows[] = {
    {csr::sireg, false, false},
    {csr::sireg2, true, false},
    {csr::sireg4, false, true},
    {csr::sireg5, true, true},
};

// The machine register behind a window.
uint16_t behind(const Window &w, unsigned n)
{
    if (!w.setup)
        return w.high ? csr::counterh(n) : csr::counter(n);
    unsigned at = n == 0 ? 1 : n; // mcyclecfg is 0x321
    return w.high ? csr::eventh(at) : csr::event(at);
}

TEST(Check39_CdeAndSelects, f3_2_1_f3_2_2)
{
    Hpm hpm;
    // The selects do not depend on CDE, and have 12 bits.
    for (unsigned mode : {M, S}) {
        for (uint16_t select : {csr::siselect, csr::vsiselect}) {
            EXPECT_EQ(hpm.access_as(mode, select, Write, ones).exc, None);
            EXPECT_EQ(hpm.access_as(mode, select, Write, 0), (Answer{0xFFF, None}));
        }
    }
    // In VS 0x150 is vsiselect.
    hpm.access_as(VS, csr::siselect, Write, 0x123);
    EXPECT_EQ(hpm.peek(csr::siselect), 0u);
    EXPECT_EQ(hpm.peek(csr::vsiselect), 0x123u);
    hpm.access_as(S, csr::siselect, Write, 0x456);
    EXPECT_EQ(hpm.try_as(VS, csr::siselect), (Answer{0x123, None}));

    // Delegated is CDE and mcounteren.
    hpm.put(csr::siselect, 0x45);
    for (bool cde : {false, true}) {
        for (bool enabled : {false, true}) {
            hpm.put_cde(cde);
            enable_only(hpm, csr::mcounteren, 5, enabled);
            unsigned exc = cde && enabled ? None : Illegal;
            EXPECT_EQ(hpm.try_as(S, csr::sireg).exc, exc);
            EXPECT_EQ(hpm.try_as(M, csr::sireg).exc, exc);
        }
    }
}

TEST(Check40_67_WhatStandsBehindTheWindows, f3_2_3_f3_2_4_f7_5_f7_34)
{
    for (bool wide : {false, true}) {
        Straps s;
        s.wide = wide;
        for (unsigned n = 3; n < 32; n++)
            s.width[n] = 64 - n;
        for (unsigned mode : {M, S}) {
            for (unsigned n = 0; n < 32; n++) {
                for (const Window &w : windows) {
                    SCOPED_TRACE(testing::Message() << std::hex << w.number << " n " << n);
                    Hpm hpm(s);
                    hpm.put(csr::mcountinhibit, ones);
                    hpm.put(csr::siselect, 0x40 + n);
                    hpm.put_cde(true);
                    enable_only(hpm, csr::mcounteren, n, true); // the right bit
                    if (n == 1 || (wide && w.high)) {
                        EXPECT_EQ(hpm.try_as(mode, w.number), illegal);
                        EXPECT_EQ(hpm.try_as(mode, w.number, Write, 1), illegal);
                        continue;
                    }
                    uint16_t machine = behind(w, n);
                    // All bits but MINH, there and back.
                    uint64_t bits = ones;
                    if (w.setup)
                        bits &= wide ? ~minh : w.high ? ~bit(30) : ones;
                    EXPECT_EQ(hpm.access_as(mode, w.number, Write, ones), (Answer{0, None}));
                    uint64_t got = hpm.peek(machine);
                    hpm.put(machine, 0);
                    hpm.put(machine, ones);
                    uint64_t whole = hpm.peek(machine);
                    bool empty = w.setup && n < 3 && !wide && !w.high;
                    EXPECT_EQ(whole == 0, empty);
                    EXPECT_EQ(got, whole & bits);
                    EXPECT_EQ(hpm.try_as(mode, w.number), (Answer{whole & bits, None}));
                    hpm.access_as(mode, w.number, Clear, bits & ~bit(4));
                    EXPECT_EQ(hpm.peek(machine), whole & (~bits | bit(4)));
                }
            }
        }
    }
}

TEST(Check40_MinhIsOutOfReach, f3_2_5)
{
    for (bool wide : {false, true}) {
        for (unsigned n : {0u, 2u, 3u, 31u}) {
            Straps s;
            s.wide = wide;
            Hpm hpm(s);
            hpm.open();
            hpm.put(csr::siselect, 0x40 + n);
            Window w = windows[wide ? 1 : 3];
            uint16_t machine = behind(w, n);
            uint64_t m = wide ? minh : bit(30), su = wide ? sinh_bit : bit(29);
            for (uint64_t kept : {uint64_t{0}, m}) {
                for (unsigned op : {Write, Set, Clear}) {
                    hpm.put(machine, kept | su);
                    EXPECT_EQ(hpm.access_as(S, w.number, op, m), (Answer{su, None}));
                    EXPECT_EQ(hpm.peek(machine), kept | (op == Write ? 0 : su)) << op;
                }
            }
        }
    }
}

TEST(Check40_MissingExtensions, f3_2_4)
{
    for (bool wide : {false, true}) {
        for (unsigned bits = 0; bits < 4; bits++) {
            Straps s;
            s.wide = wide;
            s.smcntrpmf = bits & 1;
            s.sscofpmf = bits & 2;
            Hpm hpm(s);
            hpm.open();
            for (unsigned n : {0u, 2u, 3u, 31u}) {
                bool fixed = n < 3;
                hpm.put(csr::siselect, 0x40 + n);
                for (unsigned mode : {M, S}) {
                    auto exc = [&](uint16_t number) { return hpm.try_as(mode, number).exc; };
                    EXPECT_EQ(exc(csr::sireg), None);
                    EXPECT_EQ(exc(csr::sireg4), wide ? Illegal : None);
                    EXPECT_EQ(exc(csr::sireg2), fixed && !s.smcntrpmf ? Illegal : None);
                    bool there = !wide && (fixed ? s.smcntrpmf : s.sscofpmf);
                    EXPECT_EQ(exc(csr::sireg5), there ? None : Illegal);
                }
            }
        }
    }
}

TEST(Check41_47_D1ToD6, f3_2_6_f3_4)
{
    for (bool wide : {false, true}) {
        Straps s;
        s.wide = wide;
        s.counters &= ~bit(20);
        Hpm hpm(s);
        hpm.open();
        for (unsigned select = 0; select < 0x1000; select++) {
            hpm.put(csr::siselect, select);
            bool inside = select >= 0x40 && select <= 0x5F && select != 0x41 && select != 0x54;
            for (unsigned mode : {M, S}) {
                auto exc = [&](uint16_t number) { return hpm.try_as(mode, number).exc; };
                EXPECT_EQ(exc(csr::sireg), inside ? None : Illegal) << select;
                EXPECT_EQ(exc(csr::sireg2), inside ? None : Illegal) << select;
                EXPECT_EQ(exc(csr::sireg3), Illegal);
                EXPECT_EQ(exc(csr::sireg6), Illegal);
                EXPECT_EQ(exc(csr::sireg4), inside && !wide ? None : Illegal) << select;
                EXPECT_EQ(exc(csr::sireg5), inside && !wide ? None : Illegal) << select;
            }
        }
    }
}

TEST(Check42_GuestsAndVsireg, f3_2_7)
{
    for (bool wide : {false, true}) {
        Straps s;
        s.wide = wide;
        Hpm hpm(s);
        hpm.open();
        for (bool cde : {false, true}) {
            hpm.put_cde(cde);
            for (unsigned select : {0x3Fu, 0x40u, 0x41u, 0x43u, 0x5Fu, 0x60u, 0x240u, 0x840u}) {
                // The other select is the other way round: it plays no part.
                bool inside = select >= 0x40 && select <= 0x5F;
                hpm.put(csr::vsiselect, select);
                hpm.put(csr::siselect, inside ? 0 : 0x43);
                for (unsigned i : {1u, 2u, 3u, 5u, 6u, 7u}) {
                    for (unsigned op : {Read, Write}) {
                        Answer in_vs = inside && cde ? virtual_instruction : illegal;
                        EXPECT_EQ(hpm.try_as(VS, 0x150 + i, op), in_vs) << select;
                        EXPECT_EQ(hpm.try_as(VU, 0x150 + i, op), virtual_instruction);
                        EXPECT_EQ(hpm.try_as(U, 0x150 + i, op), illegal);
                        EXPECT_EQ(hpm.try_as(VS, 0x250 + i, op), virtual_instruction);
                        EXPECT_EQ(hpm.try_as(VU, 0x250 + i, op), virtual_instruction);
                        for (unsigned mode : {M, S, U})
                            EXPECT_EQ(hpm.try_as(mode, 0x250 + i, op), illegal);
                    }
                }
            }
        }
    }
}

TEST(Check43_MstateenFirst, f3_2_8)
{
    Hpm hpm;
    hpm.open();
    hpm.put(csr::siselect, 0x43);
    hpm.put(csr::vsiselect, 0x43);
    const struct {
        unsigned m, h, mode;
        unsigned siselect, sireg, vsiselect, vsireg;
    } rows[] = {
        {0, 1, M, None, None, None, Illegal},
        {0, 0, M, None, None, None, Illegal},
        {0, 1, S, Illegal, Illegal, Illegal, Illegal},
        {1, 0, S, None, None, None, Illegal},
        {1, 1, S, None, None, None, Illegal},
        {0, 1, U, Illegal, Illegal, Illegal, Illegal},
        {0, 1, VS, Illegal, Illegal, Illegal, Illegal},
        {0, 0, VS, Illegal, Illegal, Illegal, Illegal},
        {1, 0, VS, Virtual, Virtual, Virtual, Virtual},
        {1, 1, VS, None, Virtual, Virtual, Virtual},
        {0, 1, VU, Illegal, Illegal, Illegal, Illegal},
        {1, 0, VU, Virtual, Virtual, Virtual, Virtual},
        {1, 1, VU, Virtual, Virtual, Virtual, Virtual},
    };
    for (const auto &row : rows) {
        SCOPED_TRACE(testing::Message() << row.m << row.h << " mode " << row.mode);
        hpm.dut.stateen_m_i = row.m;
        hpm.dut.stateen_h_i = row.h;
        EXPECT_EQ(hpm.try_as(row.mode, csr::siselect).exc, row.siselect);
        EXPECT_EQ(hpm.try_as(row.mode, csr::sireg).exc, row.sireg);
        EXPECT_EQ(hpm.try_as(row.mode, csr::vsiselect).exc, row.vsiselect);
        EXPECT_EQ(hpm.try_as(row.mode, csr::vsireg).exc, row.vsireg);
        // Nothing else asks for them.
        EXPECT_EQ(hpm.try_as(row.mode, csr::cycle).exc, None);
    }
    // Outside of the range VS has I, but hstateen comes first.
    hpm.put(csr::vsiselect, 0x200);
    hpm.dut.stateen_m_i = 1;
    hpm.dut.stateen_h_i = 0;
    EXPECT_EQ(hpm.try_as(VS, csr::sireg), virtual_instruction);
    hpm.dut.stateen_h_i = 1;
    EXPECT_EQ(hpm.try_as(VS, csr::sireg), illegal);
}

TEST(Check17_NoAccessNoAnswer, f1_3_1)
{
    Hpm hpm;
    hpm.put_value(0, 55);
    EXPECT_EQ(hpm.peek(csr::mcycle), 55u);
    hpm.dut.csr_valid_i = 0;
    for (uint16_t number : {csr::mcycle, uint16_t{0x154}}) {
        hpm.dut.csr_addr_i = number;
        hpm.dut.csr_op_i = Write;
        hpm.step();
        EXPECT_EQ(hpm.dut.csr_rdata_o, 0u);
        EXPECT_EQ(hpm.dut.csr_exc_o, None);
    }
    EXPECT_EQ(hpm.value(0), 55u) << "nothing is written";
}

} // namespace
