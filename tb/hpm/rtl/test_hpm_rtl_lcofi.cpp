// SPDX-License-Identifier: Apache-2.0
// docs/hw/hpm.md, 8 and 9: overflow, LCOFIP, and where it goes.
#include <gtest/gtest.h>

#include <initializer_list>
#include <vector>

#include "hpm_bench.hpp"

namespace
{

const unsigned writes[] = {Write, Set, Clear};

Straps late(unsigned latency, bool wide = true)
{
    Straps s;
    s.latency = latency;
    s.wide = wide;
    return s;
}

// In the next cycle counter n carries, and in no other.
void carry_next(Hpm &hpm, unsigned n = 3)
{
    hpm.arm(n);
    hpm.increment(n, 1);
}

TEST(Check29_70_OfIsSticky, f2_4_f2_5_f2_6_f7_39)
{
    for (bool wide : {false, true}) {
        for (unsigned n = 3; n < 32; n++) {
            Hpm hpm(late(0, wide));
            carry_next(hpm, n);
            hpm.step();
            EXPECT_EQ(hpm.event(n), of | 1);
            EXPECT_EQ(hpm.value(n), 0u);
            EXPECT_TRUE(hpm.lcofip());
            EXPECT_EQ(hpm.peek(csr::scountovf), bit(n));
            // Silent while OF is 1, with LCOFIP pending or not.
            for (bool pending : {true, false}) {
                if (!pending)
                    hpm.put(csr::mip, 0);
                hpm.put_value(n, ones);
                hpm.step();
                EXPECT_EQ(hpm.value(n), 0u);
                EXPECT_EQ(hpm.event(n), of | 1);
                EXPECT_EQ(hpm.lcofip(), pending);
            }
            // Software's own 0 to 1 is no request, and it disarms.
            hpm.increment(n, 0);
            hpm.put_event(n, 1);
            EXPECT_FALSE(hpm.lcofip());
            hpm.put_event(n, of | 1);
            EXPECT_FALSE(hpm.lcofip());
            hpm.put_value(n, ones);
            hpm.increment(n, 1);
            hpm.step();
            EXPECT_FALSE(hpm.lcofip());
            // A cleared OF arms again.
            hpm.put_event(n, 1);
            hpm.put_value(n, ones);
            hpm.step();
            EXPECT_TRUE(hpm.lcofip());
        }
    }
}

TEST(Check30_LatencyOfTheRequest, f2_7)
{
    for (unsigned latency = 0; latency < 32; latency++) {
        Hpm hpm(late(latency));
        hpm.put(csr::mie, lcofi);
        carry_next(hpm);
        hpm.step(); // cycle t
        EXPECT_EQ(hpm.event(3), of | 1) << "OF comes at once";
        for (unsigned i = 0; i < latency; i++) {
            EXPECT_FALSE(hpm.lcofip()) << latency << " at " << i;
            EXPECT_EQ(hpm.dut.lcofi_o, 0u);
            hpm.step();
        }
        EXPECT_TRUE(hpm.lcofip()) << latency;
        EXPECT_EQ(hpm.dut.lcofi_o, 1u);
        hpm.step(50);
        EXPECT_TRUE(hpm.lcofip()) << "until software clears it";
    }
}

TEST(Check30_TwoRequestsCloserThanL, f2_7)
{
    for (unsigned latency : {2u, 5u, 31u}) {
        for (unsigned apart = 1; apart < latency; apart++) {
            Hpm hpm(late(latency));
            hpm.arm(3);
            hpm.arm(4);
            std::vector<bool> seen;
            for (unsigned cycle = 0; cycle < 80; cycle++) {
                hpm.increment(3, cycle == 0);
                hpm.increment(4, cycle == apart);
                // Cleared in every cycle: what is seen is what was set in this very one.
                hpm.access(csr::mip, Write, 0);
                seen.push_back(hpm.lcofip());
            }
            for (unsigned cycle = 0; cycle < 80; cycle++)
                EXPECT_EQ(seen[cycle], cycle == latency || cycle == apart + latency)
                    << latency << ", " << apart << " apart, cycle " << cycle;
        }
    }
}

TEST(Check65_SeveralOverflowsOneRequest, f7_22)
{
    Straps s = late(3);
    s.width[9] = 40;
    Hpm hpm(s);
    for (unsigned n = 3; n < 32; n++)
        hpm.arm(n);
    hpm.increment_all(1);
    hpm.step();
    EXPECT_EQ(hpm.peek(csr::scountovf), 0xFFFFFFF8u);
    unsigned set = 0;
    for (unsigned cycle = 0; cycle < 40; cycle++) {
        hpm.access(csr::mip, Write, 0);
        set += hpm.lcofip();
    }
    EXPECT_EQ(set, 1u);
}

// Every name of mip[13], with the delegation that it needs and the mode that has it.
struct Alias {
    unsigned mode;
    uint16_t number;
    bool mideleg, hideleg;
};
const Alias aliases[] = {
    {M, csr::mip, false, false}, {M, csr::mip, true, true},  {M, csr::sip, true, false},
    {S, csr::sip, true, false},  {S, csr::sip, true, true},  {M, csr::vsip, true, true},
    {S, csr::vsip, true, true},  {VS, csr::sip, true, true},
};

void delegate(Hpm &hpm, const Alias &alias)
{
    hpm.put(csr::mideleg, alias.mideleg ? lcofi : 0);
    hpm.put(csr::hideleg, alias.hideleg ? lcofi : 0);
}

TEST(Check36_54_HardwareBeatsEveryWriteOfLcofip, f2_16_f7_7)
{
    for (bool aia : {false, true}) {
        for (const Alias &alias : aliases) {
            for (unsigned latency : {0u, 1u, 31u}) {
                for (unsigned op : writes) {
                    for (bool before : {false, true}) {
                        Straps s = late(latency);
                        s.aia = aia;
                        Hpm hpm(s);
                        delegate(hpm, alias);
                        hpm.put(csr::mip, before ? lcofi : 0);
                        carry_next(hpm);
                        uint64_t operand = op == Write ? 0 : lcofi;
                        if (latency > 0)
                            hpm.step(latency);
                        EXPECT_EQ(hpm.access_as(alias.mode, alias.number, op, operand),
                                  (Answer{before ? lcofi : 0, None}));
                        EXPECT_TRUE(hpm.lcofip()) << "e = t + L, op " << op;
                        // A cycle later it goes.
                        if (op == Set)
                            continue;
                        hpm.access_as(alias.mode, alias.number, op, operand);
                        EXPECT_FALSE(hpm.lcofip()) << "e = t + L + 1, op " << op;
                    }
                }
            }
        }
    }
}

TEST(Check31_LcofipIsSoftwaresToo, f2_8_f2_9)
{
    for (const Alias &alias : aliases) {
        Hpm hpm;
        delegate(hpm, alias);
        hpm.put_event(3, 1);
        for (unsigned op : {Set, Clear, Write}) {
            uint64_t operand = lcofi;
            hpm.access_as(alias.mode, alias.number, op, operand);
            EXPECT_EQ(hpm.lcofip(), op != Clear);
            EXPECT_EQ(hpm.event(3), 1u) << "OF stays as it is";
        }
        // Both are cleared apart.
        hpm.put_event(3, of | 1);
        hpm.put_event(3, 1);
        EXPECT_TRUE(hpm.lcofip());
        hpm.put_event(3, of | 1);
        hpm.access_as(alias.mode, alias.number, Clear, lcofi);
        EXPECT_EQ(hpm.event(3), of | 1);
    }
}

// A write of mhpmevent 3 in the cycle of a carry.
struct OfCase {
    bool before; // OF
    unsigned op;
    uint64_t operand;
    bool after, request;
};
const OfCase of_cases[] = {
    {false, Write, 2, true, true},  {false, Write, of | 2, true, true},
    {false, Set, of, true, true},   {false, Set, 0, true, true},
    {false, Clear, of, true, true}, {false, Clear, 0, true, true},
    {true, Write, 2, false, false}, {true, Write, of | 2, true, false},
    {true, Set, 0, true, false},    {true, Clear, of, false, false},
    {true, Clear, 0, true, false},
};

TEST(Check36_OfAgainstWrites, f2_16)
{
    for (bool window : {false, true}) {
        for (bool wide : {false, true}) {
            for (const OfCase &c : of_cases) {
                SCOPED_TRACE(testing::Message() << window << wide << " OF " << c.before << " op "
                                                << c.op << " " << std::hex << c.operand);
                Hpm hpm(late(0, wide));
                hpm.open();
                hpm.put(csr::siselect, 0x43);
                hpm.arm(3, (c.before ? of : 0) | sinh_bit);
                hpm.increment(3, 1);
                uint16_t number = wide ? csr::event(3) : csr::eventh(3);
                if (window)
                    number = wide ? csr::sireg2 : csr::sireg5;
                uint64_t operand = wide ? c.operand : c.operand >> 32;
                unsigned mode = M;
                EXPECT_EQ(hpm.access_as(mode, number, c.op, operand).exc, None);
                EXPECT_EQ(hpm.event(3) >> 63, c.after);
                EXPECT_EQ(hpm.lcofip(), c.request);
                EXPECT_EQ(hpm.value(3), 0u) << "the wrap itself is done";
                // The other bits of the write are done.
                EXPECT_EQ(hpm.event(3) & sinh_bit, c.op == Write ? 0 : sinh_bit);
                if (wide && c.op == Write) {
                    EXPECT_EQ(hpm.event(3) & 0xFFFF, 2u);
                }
            }
        }
    }
}

TEST(Check36_TheLowHalfLeavesOf, f2_16)
{
    for (bool before : {false, true}) {
        Hpm hpm(narrow());
        hpm.arm(3, before ? of : 0);
        hpm.increment(3, 1);
        hpm.access(csr::event(3), Write, 7);
        EXPECT_EQ(hpm.event(3), of | 7);
        EXPECT_EQ(hpm.lcofip(), !before);
        // And without a carry it stays what it was.
        hpm.put_event(3, before ? of : 0);
        hpm.access(csr::event(3), Write, 9);
        EXPECT_EQ(hpm.event(3), (before ? of : 0) | 9);
    }
}

TEST(Check53_OverflowRaisesTheLine, f7_6)
{
    for (unsigned mode : {M, S, U, VS, VU}) {
        Hpm hpm;
        hpm.put(csr::mie, lcofi);
        carry_next(hpm);
        hpm.mode(mode);
        hpm.step();
        EXPECT_EQ(hpm.dut.lcofi_o, 1u) << "in any mode";
        EXPECT_TRUE(hpm.lcofip());
    }
}

TEST(Check66_ARequestOnItsWayIsNotStopped, f7_28_f7_31)
{
    const struct {
        const char *what;
        uint16_t number;
        uint64_t value;
    } rows[] = {
        {"OF cleared", csr::event(3), 1},   {"inhibited", csr::mcountinhibit, ones},
        {"event 0", csr::event(3), 0},      {"LCOFIP cleared", csr::mip, 0},
        {"delegated", csr::mideleg, lcofi}, {"counter written", csr::counter(3), 0},
    };
    for (const auto &row : rows) {
        Hpm hpm(late(4));
        carry_next(hpm);
        hpm.step();
        hpm.access(row.number, Write, row.value);
        hpm.step(2);
        EXPECT_FALSE(hpm.lcofip()) << row.what;
        hpm.step();
        EXPECT_TRUE(hpm.lcofip()) << row.what;
    }
    Hpm hpm(late(4));
    carry_next(hpm);
    hpm.step(2);
    hpm.dut.rst_ni = 0;
    hpm.dut.eval();
    hpm.dut.rst_ni = 1;
    hpm.step(10);
    EXPECT_FALSE(hpm.lcofip()) << "reset stops it";
}

TEST(Check28_31_56_WithoutSscofpmf, f2_3_f2_8_f7_9)
{
    for (bool wide : {false, true}) {
        Straps s = late(0, wide);
        s.sscofpmf = false;
        Hpm hpm(s);
        for (unsigned n = 3; n < 32; n++)
            hpm.arm(n, of);
        for (uint16_t number : {csr::mie, csr::mip, csr::mideleg, csr::hideleg, csr::hvip})
            hpm.put(number, ones);
        hpm.increment_all(1);
        hpm.step();
        EXPECT_EQ(hpm.value(3), 0u);
        hpm.step(3);
        for (uint16_t number : {csr::mie, csr::mip, csr::mideleg, csr::hideleg, csr::hvip, csr::sie,
                                csr::sip, csr::vsie, csr::vsip})
            EXPECT_EQ(hpm.peek(number), 0u) << std::hex << number;
        EXPECT_EQ(hpm.value(31), 3u);
        EXPECT_EQ(hpm.event(31), 1u);
        EXPECT_EQ(hpm.dut.lcofi_o, 0u);
    }
}

// --- section 9 ---

struct State {
    bool mip, mie, mideleg, hideleg, mvien, mvip, sie_v, hvien, hvip, vsie_v;
};

// In an order in which each bit is within reach.
void bring(Hpm &hpm, const State &s)
{
    auto set = [&](uint16_t number, bool to) { hpm.put(number, to ? lcofi : 0); };
    if (hpm.straps.aia) {
        set(csr::mideleg, false);
        set(csr::mvien, true);
        set(csr::sie, s.sie_v);
        set(csr::hideleg, false);
        set(csr::hvien, true);
        set(csr::vsie, s.vsie_v);
        set(csr::hideleg, s.hideleg);
        set(csr::mvip, s.mvip);
        set(csr::hvip, s.hvip);
        set(csr::hvien, s.hvien);
        set(csr::mvien, s.mvien);
    }
    set(csr::mip, s.mip);
    set(csr::mie, s.mie);
    set(csr::mideleg, s.mideleg);
    if (!hpm.straps.aia)
        set(csr::hideleg, s.hideleg);
}

State state_of(unsigned bits)
{
    auto b = [&](unsigned i) { return (bits >> i & 1) != 0; };
    return {b(0), b(1), b(2), b(3), b(4), b(5), b(6), b(7), b(8), b(9)};
}

// The tables of the section, by rows.
bool hd_of(const State &s, bool aia)
{
    return aia ? s.hideleg && (s.mideleg || s.mvien) : s.hideleg;
}
bool *sip_of(State &s)
{
    return s.mideleg ? &s.mip : s.mvien ? &s.mvip : nullptr;
}
bool *sie_of(State &s)
{
    return s.mideleg ? &s.mie : s.mvien ? &s.sie_v : nullptr;
}
bool *vsip_of(State &s, bool aia)
{
    return hd_of(s, aia) ? sip_of(s) : s.hvien ? &s.hvip : nullptr;
}
bool *vsie_of(State &s, bool aia)
{
    return hd_of(s, aia) ? sie_of(s) : s.hvien ? &s.vsie_v : nullptr;
}
bool at(const bool *b)
{
    return b != nullptr && *b;
}

void expect_state(Hpm &hpm, State s)
{
    bool aia = hpm.straps.aia, hd = hd_of(s, aia);
    auto reads = [&](uint16_t number, bool want) {
        EXPECT_EQ(hpm.peek(number), want ? lcofi : 0) << std::hex << number;
    };
    reads(csr::mip, s.mip);
    reads(csr::mie, s.mie);
    reads(csr::mideleg, s.mideleg);
    reads(csr::hideleg, hd);
    reads(csr::sip, at(sip_of(s)));
    reads(csr::sie, at(sie_of(s)));
    reads(csr::vsip, at(vsip_of(s, aia)));
    reads(csr::vsie, at(vsie_of(s, aia)));
    reads(csr::hvip, s.hvip);
    if (aia) {
        reads(csr::mvien, s.mvien);
        reads(csr::mvip, s.mvip);
        reads(csr::hvien, s.hvien);
    }
    unsigned lines = (s.mip && s.mie && !s.mideleg) | (at(sip_of(s)) && at(sie_of(s)) && !hd) << 1 |
                     (at(vsip_of(s, aia)) && at(vsie_of(s, aia))) << 2;
    EXPECT_EQ(hpm.dut.lcofi_o, lines);
    // VS has its own under the names of S.
    EXPECT_EQ(hpm.try_as(VS, csr::sip).data, at(vsip_of(s, aia)) ? lcofi : 0);
    EXPECT_EQ(hpm.try_as(VS, csr::sie).data, at(vsie_of(s, aia)) ? lcofi : 0);
}

// With every store uncovered in turn, so that those which no alias shows are seen to be kept.
void expect_stores(Hpm &hpm, const State &s)
{
    if (!hpm.straps.aia)
        return;
    auto reads = [&](uint16_t number, bool want) {
        EXPECT_EQ(hpm.peek(number), want ? lcofi : 0) << std::hex << number << " uncovered";
    };
    hpm.put(csr::mideleg, 0);
    hpm.put(csr::mvien, lcofi);
    hpm.put(csr::hvien, lcofi);
    reads(csr::sie, s.sie_v);
    reads(csr::hideleg, s.hideleg);
    hpm.put(csr::hideleg, 0);
    reads(csr::vsie, s.vsie_v);
}

TEST(Check32_33_DelegationWithoutAia, f2_10_f2_11)
{
    for (unsigned bits = 0; bits < 16; bits++) {
        Hpm hpm;
        bring(hpm, state_of(bits));
        expect_state(hpm, state_of(bits));
    }
}

TEST(Check46_55_DelegationWithAia, f3_3_f7_8)
{
    for (unsigned bits = 0; bits < 1024; bits++) {
        SCOPED_TRACE(bits);
        Hpm hpm(with_aia());
        bring(hpm, state_of(bits));
        expect_state(hpm, state_of(bits));
        expect_stores(hpm, state_of(bits));
    }
}

// A write through each name, in every state: what it reaches changes, nothing else does.
TEST(Check33_46_WritesThroughEveryName, f2_11_f3_3_f7_8)
{
    const struct {
        unsigned mode;
        uint16_t number;
        bool of_aia;
    } names[] = {
        {M, csr::mip, false},  {M, csr::mie, false},  {M, csr::mideleg, false},
        {M, csr::sip, false},  {S, csr::sie, false},  {S, csr::hideleg, false},
        {S, csr::vsip, false}, {M, csr::vsie, false}, {VS, csr::sip, false},
        {VS, csr::sie, false}, {S, csr::hvip, false}, {M, csr::mvien, true},
        {M, csr::mvip, true},  {S, csr::hvien, true},
    };
    for (bool aia : {false, true}) {
        for (unsigned bits = 0; bits < (aia ? 1024 : 16); bits++) {
            for (const auto &name : names) {
                if (name.of_aia && !aia)
                    continue;
                for (bool to : {false, true}) {
                    SCOPED_TRACE(testing::Message()
                                 << "aia " << aia << " state " << bits << " " << std::hex
                                 << name.number << " mode " << name.mode << " to " << to);
                    Straps straps;
                    straps.aia = aia;
                    Hpm hpm(straps);
                    State s = state_of(bits);
                    bring(hpm, s);
                    bool vs = name.mode == VS;
                    bool can_delegate = !aia || s.mideleg || s.mvien;
                    bool *store = nullptr;
                    switch (name.number) {
                    case csr::mip:
                        store = &s.mip;
                        break;
                    case csr::mie:
                        store = &s.mie;
                        break;
                    case csr::mideleg:
                        store = &s.mideleg;
                        break;
                    case csr::hideleg:
                        store = can_delegate ? &s.hideleg : nullptr;
                        break;
                    case csr::sip:
                        store = vs ? vsip_of(s, aia) : sip_of(s);
                        break;
                    case csr::sie:
                        store = vs ? vsie_of(s, aia) : sie_of(s);
                        break;
                    case csr::vsip:
                        store = vsip_of(s, aia);
                        break;
                    case csr::vsie:
                        store = vsie_of(s, aia);
                        break;
                    case csr::hvip:
                        store = aia ? &s.hvip : nullptr;
                        break;
                    case csr::mvien:
                        store = &s.mvien;
                        break;
                    case csr::mvip:
                        store = &s.mvip;
                        break;
                    case csr::hvien:
                        store = &s.hvien;
                        break;
                    }
                    EXPECT_EQ(hpm.access_as(name.mode, name.number, Write, to ? ones : ~lcofi).exc,
                              None);
                    if (store != nullptr)
                        *store = to;
                    expect_state(hpm, s);
                    expect_stores(hpm, s);
                }
            }
        }
    }
}

TEST(Check33_TheRequestAlwaysSetsMip, f2_11_f3_3)
{
    for (unsigned bits = 0; bits < 1024; bits += 2) { // mip is 0
        Hpm hpm(with_aia());
        State s = state_of(bits);
        bring(hpm, s);
        carry_next(hpm);
        hpm.step();
        s.mip = true;
        expect_state(hpm, s);
    }
}

TEST(Check46_RequestAgainstAWriteOfAnotherStore, f2_16_f3_3)
{
    // sip is mvip here: the request goes to mip, the write to mvip.
    Hpm hpm(with_aia());
    hpm.put(csr::mvien, lcofi);
    hpm.put(csr::mvip, lcofi);
    carry_next(hpm);
    EXPECT_EQ(hpm.access_as(S, csr::sip, Clear, lcofi), (Answer{lcofi, None}));
    EXPECT_TRUE(hpm.lcofip());
    EXPECT_EQ(hpm.peek(csr::mvip), 0u);
    EXPECT_EQ(hpm.peek(csr::sip), 0u);
}

} // namespace
