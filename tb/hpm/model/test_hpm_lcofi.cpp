// SPDX-License-Identifier: Apache-2.0
// docs/hw/hpm.md, section 9: LCOFIP, LCOFIE and their ways to M, S and VS. Test names are lines of
// the fact sheet.
#include "hart.hpp"

namespace
{

using Cycles = std::vector<cs_cycle>;

const unsigned XLENS[] = {32, 64};
const int WRITES[] = {CS_HPM_OP_WRITE, CS_HPM_OP_SET, CS_HPM_OP_CLEAR};

cs_hpm_config with_aia()
{
    cs_hpm_config c = straps();
    c.aia = true;
    return c;
}

// Counter n counts event 9 and carries with the next increment.
void arm(Hart &h, unsigned n = 5)
{
    h.event(n, 9);
    h.counter(n, ~0ull);
}

TEST(HpmLcofi, f2_8_f2_9_LcofipIsWritable)
{
    for (unsigned xlen : XLENS) {
        Hart h(straps(xlen));
        // In mip always, in sip when it is delegated; OF is another matter.
        h.write(MIP, ~0ull);
        EXPECT_EQ(LCOFI, h.read(MIP));
        h.write(SIP, 0);
        EXPECT_EQ(0u, h.read(SIP));
        EXPECT_EQ(LCOFI, h.read(MIP));
        h.write(MIDELEG, ~0ull);
        EXPECT_EQ(LCOFI, h.read(MIDELEG));
        EXPECT_EQ(LCOFI, h.read_in(S, SIP));
        h.access_in(S, SIP, CS_HPM_OP_CLEAR, LCOFI);
        EXPECT_EQ(0u, h.read(MIP));
        h.access_in(S, SIP, CS_HPM_OP_SET, LCOFI);
        EXPECT_EQ(LCOFI, h.read(MIP));
        EXPECT_EQ(0u, h.read(SCOUNTOVF));
        arm(h);
        h.pulse(9, h.t, 1);
        h.run(1);
        h.write(MIP, 0);
        EXPECT_TRUE(h.of(5)); // clearing LCOFIP leaves OF
        h.write(MIP, LCOFI);
        h.event(5, 9);
        EXPECT_EQ(LCOFI, h.read(MIP)); // and the other way round
    }
    for (unsigned modes : {0u, 1u, 2u, 3u}) {
        cs_hpm_config c = straps(64, modes);
        c.sscofpmf = false;
        Hart h(c);
        for (unsigned csr : {MIE, MIP, MIDELEG, SIE, SIP, HIDELEG, VSIE, VSIP, HVIP}) {
            const int there = csr == MIE || csr == MIP                     ? NONE
                              : csr == MIDELEG || csr == SIE || csr == SIP ? modes >= 2 ? NONE : ILL
                              : modes == 3                                 ? NONE
                                                                           : ILL;
            EXPECT_EQ(there, h.exception(M, csr, CS_HPM_OP_WRITE, ~0ull)) << std::hex << csr;
            if (there == NONE) {
                EXPECT_EQ(0u, h.read(csr)) << std::hex << csr;
            }
        }
        EXPECT_EQ(0u, h.lines());
    }
}

// The priority is the hart's; it is given three levels, each from registers alone.
TEST(HpmLcofi, f2_10_Levels)
{
    Hart h;
    h.write(MIE, LCOFI);
    for (unsigned mode : {M, S, U, VS, VU}) {
        h.write(MIP, LCOFI);
        h.mode(mode);
        EXPECT_EQ(1u, h.lines());
        h.run(5);
        EXPECT_EQ(1u, h.lines());
        h.mode(M);
        h.write(MIP, 0);
        EXPECT_EQ(0u, h.lines());
    }
}

TEST(HpmLcofi, f2_11_Delegation)
{
    for (bool mideleg : {false, true})
        for (bool hideleg : {false, true})
            for (bool enabled : {false, true}) {
                Hart h;
                h.write(MIDELEG, mideleg ? LCOFI : 0);
                h.write(HIDELEG, hideleg ? LCOFI : 0);
                h.write(MIE, enabled ? LCOFI : 0);
                EXPECT_EQ(hideleg ? LCOFI : 0, h.read(HIDELEG));
                arm(h);
                const cs_cycle at = h.t;
                h.pulse(9, at, 1);
                const unsigned line = !mideleg ? 0 : !hideleg ? 1 : 2;
                EXPECT_EQ(enabled ? at + 1 : CS_NEVER, cs_hpm_next(h.hpm()));
                h.run(3);
                EXPECT_EQ(enabled ? 1u << line : 0, h.lines());
                for (unsigned i = 0; i < 3; i++)
                    EXPECT_EQ(enabled && i == line ? Cycles{at + 1} : Cycles{}, h.edges(i, 1));
                // Where it went it can be seen, enabled and cleared.
                EXPECT_EQ(mideleg ? LCOFI : 0, h.read_in(S, SIP));
                EXPECT_EQ(mideleg && enabled ? LCOFI : 0, h.read_in(S, SIE));
                EXPECT_EQ(mideleg && hideleg ? LCOFI : 0, h.read_in(VS, SIP));
                EXPECT_EQ(mideleg && hideleg && enabled ? LCOFI : 0, h.read_in(VS, SIE));
                EXPECT_EQ(mideleg && hideleg ? LCOFI : 0, h.read(VSIP));
                h.access_in(VS, SIE, CS_HPM_OP_WRITE, LCOFI);
                EXPECT_EQ(enabled || (mideleg && hideleg) ? LCOFI : 0, h.read(MIE));
                h.access_in(VS, SIP, CS_HPM_OP_WRITE, 0);
                EXPECT_EQ(mideleg && hideleg ? 0 : LCOFI, h.read(MIP));
            }
}

TEST(HpmLcofi, f3_3_f7_8_Bit13OfAia)
{
    cs_hpm_config c = with_aia();
    Hart h(c);
    for (unsigned csr : {MVIEN, MVIP, HVIEN, HVIP}) {
        EXPECT_EQ(0u, h.write(csr, ~0ull));
        EXPECT_EQ(LCOFI, h.write(csr, 0)) << std::hex << csr;
        EXPECT_EQ(0u, h.read(csr));
    }
    c.aia = false;
    Hart none(c);
    for (unsigned csr : {MVIEN, MVIP, HVIEN})
        EXPECT_EQ(ILL, none.exception(M, csr)) << std::hex << csr;
    none.write(HVIP, ~0ull);
    EXPECT_EQ(0u, none.read(HVIP));
}

// The two tables of section 9 in full: what sip, sie, vsip and vsie show, and what a write of
// them reaches. Each stored bit has a name; the alias must move with that one and no other.
TEST(HpmLcofi, f3_3_TablesOfSection9)
{
    for (unsigned bits = 0; bits < 16; bits++) {
        const bool mideleg = bits & 1, mvien = bits & 2, hideleg = bits & 4, hvien = bits & 8;
        const bool hd = hideleg && (mideleg || mvien);
        // Hidden bits (sie_v, vsie_v) are set and seen with the delegation that shows them.
        enum { B_MIP, B_MVIP, B_HVIP, B_MIE, B_SIE_V, B_VSIE_V, NOTHING };
        const int sip = mideleg ? B_MIP : mvien ? B_MVIP : NOTHING;
        const int sie = mideleg ? B_MIE : mvien ? B_SIE_V : NOTHING;
        const int vsip = hd ? sip : hvien ? B_HVIP : NOTHING;
        const int vsie = hd ? sie : hvien ? B_VSIE_V : NOTHING;
        const struct {
            unsigned mode, csr;
            int shows;
        } table[] = {{M, SIP, sip},   {S, SIP, sip},   {M, SIE, sie},   {S, SIE, sie},
                     {M, VSIP, vsip}, {S, VSIP, vsip}, {VS, SIP, vsip}, {M, VSIE, vsie},
                     {S, VSIE, vsie}, {VS, SIE, vsie}};
        const auto delegate = [](Hart &h, bool md, bool mv, bool hi, bool hv) {
            h.write(MIDELEG, LCOFI); // so that hideleg is writable
            h.write(HIDELEG, hi ? LCOFI : 0);
            h.write(MIDELEG, md ? LCOFI : 0);
            h.write(MVIEN, mv ? LCOFI : 0);
            h.write(HVIEN, hv ? LCOFI : 0);
        };
        const auto put = [&](Hart &h, int bit, bool value) {
            const uint64_t word = value ? LCOFI : 0;
            switch (bit) {
            case B_MIP:
                h.write(MIP, word);
                break;
            case B_MVIP:
                h.write(MVIP, word);
                break;
            case B_HVIP:
                h.write(HVIP, word);
                break;
            case B_MIE:
                h.write(MIE, word);
                break;
            case B_SIE_V:
                delegate(h, false, true, false, false);
                h.write(SIE, word);
                break;
            default:
                delegate(h, false, false, false, true);
                h.write(VSIE, word);
                break;
            }
        };
        const auto get = [&](Hart &h, int bit) -> bool {
            switch (bit) {
            case B_MIP:
                return h.read(MIP);
            case B_MVIP:
                return h.read(MVIP);
            case B_HVIP:
                return h.read(HVIP);
            case B_MIE:
                return h.read(MIE);
            case B_SIE_V:
                delegate(h, false, true, false, false);
                return h.read(SIE);
            default:
                delegate(h, false, false, false, true);
                return h.read(VSIE);
            }
        };
        for (const auto &row : table)
            for (unsigned stored = 0; stored < 64; stored++) {
                Hart h(with_aia());
                for (int bit = 0; bit < NOTHING; bit++)
                    put(h, bit, stored >> bit & 1);
                delegate(h, mideleg, mvien, hideleg, hvien);
                EXPECT_EQ(hd ? LCOFI : 0, h.read(HIDELEG));
                const bool old = row.shows != NOTHING && (stored >> row.shows & 1);
                const cs_hpm_result r =
                    h.access_in(row.mode, row.csr, CS_HPM_OP_WRITE, old ? 0 : LCOFI);
                EXPECT_EQ(CS_HPM_EXCEPTION_NONE, r.exception);
                EXPECT_EQ(old ? LCOFI : 0, r.value)
                    << std::hex << row.csr << " mode " << row.mode << " " << bits << " " << stored;
                const bool line0 = (stored >> B_MIP & 1) && (stored >> B_MIE & 1) && !mideleg;
                if (row.shows != B_MIP && row.shows != B_MIE) {
                    EXPECT_EQ(line0, h.lines() & 1);
                }
                for (int bit = 0; bit < NOTHING; bit++) {
                    const bool was = stored >> bit & 1;
                    EXPECT_EQ(bit == row.shows ? !was : was, get(h, bit))
                        << "bit " << bit << std::hex << " by " << row.csr << " mode " << row.mode
                        << " " << bits << " " << stored;
                }
            }
    }
}

// The lines in all states of the stored bits.
TEST(HpmLcofi, f3_3_LinesOfAllStates)
{
    for (unsigned delegation = 0; delegation < 16; delegation++)
        for (unsigned stored = 0; stored < 16; stored++) {
            const bool mideleg = delegation & 1, mvien = delegation & 2, hideleg = delegation & 4,
                       hvien = delegation & 8;
            const bool mip = stored & 1, mie = stored & 2, virt = stored & 4, enabled = stored & 8;
            Hart h(with_aia());
            const auto word = [](bool bit) { return bit ? LCOFI : 0; };
            h.write(MIP, word(mip));
            h.write(MIE, word(mie));
            h.write(MVIP, word(virt));
            h.write(HVIP, word(!virt));
            h.write(MVIEN, LCOFI);
            h.write(SIE, word(enabled)); // sie_v
            h.write(HVIEN, LCOFI);
            h.write(VSIE, word(!enabled)); // vsie_v
            h.write(HIDELEG, word(hideleg));
            h.write(HVIEN, word(hvien));
            h.write(MVIEN, word(mvien));
            h.write(MIDELEG, word(mideleg));
            const bool sip = mideleg ? mip : mvien && virt, sie = mideleg ? mie : mvien && enabled;
            const bool hd = hideleg && (mideleg || mvien);
            const bool vsip = hd ? sip : hvien && !virt, vsie = hd ? sie : hvien && !enabled;
            const unsigned expected = (mip && mie && !mideleg ? 1 : 0) |
                                      (sip && sie && !hd ? 2 : 0) | (vsip && vsie ? 4 : 0);
            EXPECT_EQ(expected, h.lines()) << delegation << " " << stored;
        }
}

TEST(HpmLcofi, f3_3_HidelegKeepsItsStore)
{
    Hart h(with_aia());
    h.write(HIDELEG, LCOFI); // neither mideleg nor mvien: not taken
    EXPECT_EQ(0u, h.read(HIDELEG));
    h.write(MVIEN, LCOFI);
    EXPECT_EQ(0u, h.read(HIDELEG));
    h.write(HIDELEG, LCOFI);
    EXPECT_EQ(LCOFI, h.read(HIDELEG));
    h.write(MVIEN, 0);
    EXPECT_EQ(0u, h.read(HIDELEG));
    h.set(HIDELEG, 0);
    h.write(HIDELEG, 0);
    h.write(MIDELEG, LCOFI);
    EXPECT_EQ(LCOFI, h.read(HIDELEG));
    Hart plain; // without aia: the store, whatever mideleg
    plain.write(HIDELEG, LCOFI);
    EXPECT_EQ(LCOFI, plain.read(HIDELEG));
}

TEST(HpmLcofi, f7_9_NoLcofieWithoutSscofpmf)
{
    cs_hpm_config c = straps();
    for (bool overflows : {false, true}) {
        c.sscofpmf = overflows;
        Hart h(c);
        h.write(MIE, ~0ull);
        EXPECT_EQ(overflows ? LCOFI : 0, h.read(MIE));
        h.write(MIDELEG, ~0ull);
        h.write(SIE, ~0ull);
        EXPECT_EQ(overflows ? LCOFI : 0, h.read(SIE));
    }
}

TEST(HpmLcofi, LinesFallAtAReset)
{
    Hart h;
    h.write(MIE, LCOFI);
    h.write(MIP, LCOFI);
    h.run(5);
    cs_hpm_reset(h.hpm(), 100);
    EXPECT_EQ(Cycles{100}, h.edges(0, 0));
    EXPECT_EQ(0u, cs_hpm_irq(h.hpm()));
    EXPECT_EQ(100u, cs_hpm_now(h.hpm()));
    // What would have come in the reset's cycle does not.
    for (cs_cycle late : {0, 1}) {
        Hart near;
        near.write(MIE, LCOFI);
        arm(near);
        const cs_cycle at = near.t;
        near.pulse(9, at, 1);
        cs_hpm_reset(near.hpm(), at + 1 + late);
        EXPECT_EQ(late == 0 ? Cycles{} : Cycles{at + 1}, near.edges(0, 1));
        EXPECT_EQ(late == 0 ? Cycles{} : Cycles{at + 2}, near.edges(0, 0));
    }
}

// Several lines in one cycle: rising index, and the records of an access before them.
TEST(HpmLcofi, RecordsOfOneAccess)
{
    Hart h(straps(32));
    h.write(MIE, LCOFI);
    h.write(MIP, LCOFI);
    h.records.clear();
    const cs_cycle at = h.t;
    h.set(MIDELEG, 0xFFFFFFFF0000FFFF);
    ASSERT_EQ(4u, h.records.size());
    const struct {
        cs_cycle cycle;
        uint8_t kind, write;
        uint16_t index;
        uint64_t addr, value;
        uint32_t bytes;
    } expected[] = {{at, CS_PROBE_REG, 0, 0, MIDELEG, 0, 4},
                    {at, CS_PROBE_REG, 1, 0, MIDELEG, 0xFFFF, 4}, // before the masks
                    {at + 1, CS_PROBE_IRQ, 0, 0, 0, 0, 0},
                    {at + 1, CS_PROBE_IRQ, 0, 1, 0, 1, 0}};
    for (unsigned i = 0; i < 4; i++) {
        EXPECT_EQ(expected[i].cycle, h.records[i].cycle);
        EXPECT_EQ(expected[i].kind, h.records[i].kind);
        EXPECT_EQ(expected[i].write, h.records[i].write);
        EXPECT_EQ(expected[i].index, h.records[i].index);
        EXPECT_EQ(expected[i].addr, h.records[i].addr);
        EXPECT_EQ(expected[i].value, h.records[i].value);
        EXPECT_EQ(expected[i].bytes, h.records[i].bytes);
    }
}

} // namespace
