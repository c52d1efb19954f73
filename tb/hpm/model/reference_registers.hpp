// SPDX-License-Identifier: Apache-2.0
// The registers as accesses that are allowed read and write them.
#pragma once

#include "reference_permission.hpp"

class ReferenceRegisters : public ReferencePermission
{
  public:
    // What an access of these pins is answered now.
    Answer answer(const Pins &p) const
    {
        return p.op < 0 ? Answer{} : access(p);
    }

  protected:
    using ReferencePermission::ReferencePermission;

    // Number, half and view of the register that an allowed access means.
    struct Meant {
        unsigned csr;
        bool high, hides_minh;
    };

    Meant meant(const Pins &p) const
    {
        unsigned csr = p.csr;
        if (p.mode == 5 && (csr == 0x104 || csr == 0x144 || csr == 0x150))
            csr += 0x100;
        if (csr > 0x150 && csr <= 0x157)
            return indirect(csr);
        if (low_of(csr) != 0)
            return {low_of(csr), true, false};
        return {csr, false, false};
    }

    int counter_written(const Pins &p) const
    {
        const Meant m = meant(p);
        return m.csr >= 0xB00 && m.csr <= 0xB1F ? static_cast<int>(m.csr & 31) : -1;
    }

    bool means_lcofip(const Pins &p) const
    {
        const unsigned csr = meant(p).csr;
        return csr == 0x344 || (csr == 0x144 && mideleg) || (csr == 0x244 && hd() && mideleg);
    }

    void write(const Meant &m, uint64_t fresh)
    {
        uint64_t half = r32() ? m.high ? 0xFFFFFFFF00000000 : 0xFFFFFFFF : ~0ull;
        if (m.hides_minh)
            half &= ~(1ull << 62);
        const uint64_t data = m.high ? fresh << 32 : fresh;
        const auto put = [&](uint64_t old, uint64_t writable) {
            return (old & ~(half & writable)) | (data & half & writable);
        };
        const auto put32 = [&](uint32_t &reg, uint32_t writable) {
            reg = static_cast<uint32_t>(put(reg, writable));
        };
        const auto bit = [&](bool &reg) {
            if (c.sscofpmf)
                reg = data >> 13 & 1;
        };
        const uint64_t inh = 1ull << 62 | (hasS() ? 1ull << 61 : 0) | (hasU() ? 1ull << 60 : 0) |
                             (hasH() ? 3ull << 58 : 0);
        const unsigned n = m.csr & 31;
        if (m.csr >= 0xB00 && m.csr <= 0xB1F) {
            const uint64_t ones = w(n) == 64 ? ~0ull : (1ull << w(n)) - 1;
            val[n] = put(val[n], there(n) ? ones : 0);
        } else if (m.csr == 0x321) {
            ev[0] = put(ev[0], inh);
        } else if (m.csr == 0x322) {
            ev[2] = put(ev[2], inh);
        } else if (m.csr >= 0x323 && m.csr <= 0x33F) {
            if (there(n))
                ev[n] = put(ev[n], 0xFFFF | (c.sscofpmf ? inh | 1ull << 63 : 0));
        } else {
            switch (m.csr) {
            case 0x320:
                put32(inhibit, impl());
                break;
            case 0x120:
                put32(inhibit, impl() & mcen);
                break;
            case 0x306:
                put32(mcen, impl() | 2);
                break;
            case 0x106:
                put32(scen, impl() | 2);
                break;
            case 0x606:
                put32(hcen, impl() | 2);
                break;
            case 0x30A:
                cde = put(cde ? 1ull << 60 : 0, c.smcdeleg ? 1ull << 60 : 0) != 0;
                break;
            case 0x150:
                put32(sisel, 0xFFF);
                break;
            case 0x250:
                put32(vsisel, 0xFFF);
                break;
            case 0x605:
                delta = put(delta, ~0ull);
                break;
            case 0x304:
                bit(mie);
                break;
            case 0x344:
                bit(mip);
                break;
            case 0x303:
                bit(mideleg);
                break;
            case 0x144:
                sip(bit);
                break;
            case 0x104:
                sie(bit);
                break;
            case 0x603:
                if (!c.aia || mideleg || mvien)
                    bit(hideleg);
                break;
            case 0x244:
                if (hd())
                    sip(bit);
                else if (hvien)
                    bit(hvip);
                break;
            case 0x204:
                if (hd())
                    sie(bit);
                else if (hvien)
                    bit(vsie_v);
                break;
            case 0x308:
                bit(mvien);
                break;
            case 0x309:
                bit(mvip);
                break;
            case 0x608:
                bit(hvien);
                break;
            case 0x645:
                if (c.aia)
                    bit(hvip);
                break;
            }
        }
    }

  private:
    // The machine register behind a sireg that may be used.
    Meant indirect(unsigned csr) const
    {
        const unsigned n = sisel - 0x40;
        const unsigned which = csr - 0x150;
        if (which == 1 || which == 5)
            return {0xB00 + n, which == 5, false};
        return {n == 0 ? 0x321 : n == 2 ? 0x322 : 0x320 + n, which == 6, true};
    }

    // The whole register, as the number shows it in this mode.
    uint64_t whole(unsigned csr, const Pins &p) const
    {
        const uint64_t b13 = 1u << 13;
        const bool V = p.mode >= 4;
        if (csr >= 0xB00 && csr <= 0xB1F)
            return val[csr & 31];
        if (csr == 0xC01)
            return p.time + (V ? delta : 0);
        if (csr >= 0xC00 && csr <= 0xC1F)
            return val[csr & 31];
        if (csr == 0x321)
            return ev[0];
        if (csr >= 0x322 && csr <= 0x33F)
            return ev[csr & 31];
        switch (csr) {
        case 0x320:
            return inhibit;
        case 0x120:
            return inhibit & impl() & mcen;
        case 0x306:
            return mcen;
        case 0x106:
            return scen;
        case 0x606:
            return hcen;
        case 0x30A:
            return cde ? 1ull << 60 : 0;
        case 0xDA0: {
            uint32_t of = 0;
            for (unsigned n = 3; n < 32; n++)
                of |= static_cast<uint32_t>(ev[n] >> 63) << n;
            return p.mode == 3 ? of : p.mode == 1 ? of & mcen : of & mcen & hcen;
        }
        case 0x150:
            return sisel;
        case 0x250:
            return vsisel;
        case 0x605:
            return delta;
        case 0x304:
            return mie ? b13 : 0;
        case 0x344:
            return mip ? b13 : 0;
        case 0x303:
            return mideleg ? b13 : 0;
        case 0x144:
            return (mideleg ? mip : mvien ? mvip : false) ? b13 : 0;
        case 0x104:
            return (mideleg ? mie : mvien ? sie_v : false) ? b13 : 0;
        case 0x603:
            return hd() ? b13 : 0;
        case 0x244:
            return hd() ? whole(0x144, p) : hvien && hvip ? b13 : 0;
        case 0x204:
            return hd() ? whole(0x104, p) : hvien && vsie_v ? b13 : 0;
        case 0x308:
            return mvien ? b13 : 0;
        case 0x309:
            return mvip ? b13 : 0;
        case 0x608:
            return hvien ? b13 : 0;
        case 0x645:
            return hvip ? b13 : 0;
        }
        return 0;
    }

    Answer access(const Pins &p) const
    {
        Answer a = judge(p);
        if (a.exception != 0)
            return a;
        const Meant m = meant(p);
        uint64_t v = whole(m.csr, p);
        if (m.hides_minh)
            v &= ~(1ull << 62);
        const uint64_t word = r32() ? 0xFFFFFFFF : ~0ull;
        a.value = (m.high ? v >> 32 : v) & word;
        const uint64_t o = p.operand & word;
        a.fresh = p.op == 1 ? o : p.op == 2 ? a.value | o : a.value & ~o;
        return a;
    }

    template <class Bit> void sip(const Bit &bit)
    {
        if (mideleg)
            bit(mip);
        else if (mvien)
            bit(mvip);
    }
    template <class Bit> void sie(const Bit &bit)
    {
        if (mideleg)
            bit(mie);
        else if (mvien)
            bit(sie_v);
    }
};
