// SPDX-License-Identifier: Apache-2.0
// Whether an access is allowed, and by which rule: docs/hw/hpm.md, sections 4, 5 and 7.
#pragma once

#include <string>

#include "reference_state.hpp"

// What the pins carry in one cycle; no access: op is below 0.
struct Pins {
    cs_cycle t = 0;
    unsigned mode = 3; // code
    uint64_t time = 0;
    bool stateen_m = true, stateen_h = true;
    int op = -1;
    unsigned csr = 0;
    uint64_t operand = 0;
};

struct Answer {
    int exception = 0;
    uint64_t value = 0;
    std::string rule;   // A1 .., and behind A5 and A11 their row
    uint64_t fresh = 0; // what a write writes, before masks
};

class ReferencePermission : public ReferenceState
{
  protected:
    using ReferenceState::ReferenceState;

    // The number of the low half behind a high one; 0 if it is none.
    static unsigned low_of(unsigned csr)
    {
        if (csr == 0x31A)
            return 0x30A;
        if (csr == 0x615)
            return 0x605;
        if ((csr >= 0xB80 && csr <= 0xB9F) || (csr >= 0xC80 && csr <= 0xC9F))
            return csr - 0x80;
        if (csr >= 0x721 && csr <= 0x73F)
            return csr - 0x400;
        return 0;
    }

    bool exists(unsigned csr) const
    {
        if (low_of(csr) != 0) {
            if (!r32())
                return false;
            if (csr >= 0x723 && csr <= 0x73F && !c.sscofpmf)
                return false;
            return exists(low_of(csr));
        }
        if (csr >= 0xB00 && csr <= 0xB1F)
            return csr != 0xB01;
        if (csr >= 0xC00 && csr <= 0xC1F)
            return true;
        if (csr >= 0x323 && csr <= 0x33F)
            return true;
        switch (csr) {
        case 0x320:
        case 0x304:
        case 0x344:
            return true;
        case 0x321:
        case 0x322:
            return c.smcntrpmf;
        case 0x306:
        case 0x30A:
            return hasU();
        case 0x106:
        case 0x303:
        case 0x104:
        case 0x144:
            return hasS();
        case 0x606:
        case 0x603:
        case 0x204:
        case 0x244:
        case 0x645:
        case 0x605:
            return hasH();
        case 0x120:
        case 0x150:
        case 0x151:
        case 0x152:
        case 0x153:
        case 0x155:
        case 0x156:
        case 0x157:
        case 0x350:
            return hasS() && c.smcdeleg;
        case 0x250:
        case 0x251:
        case 0x252:
        case 0x253:
        case 0x255:
        case 0x256:
        case 0x257:
            return hasH() && c.smcdeleg;
        case 0xDA0:
            return hasS() && c.sscofpmf;
        case 0x308:
        case 0x309:
            return hasS() && c.aia;
        case 0x608:
            return hasH() && c.aia;
        default:
            return false;
        }
    }

    Answer judge(const Pins &p) const
    {
        const unsigned csr = p.csr, m = p.mode, pr = csr >> 8 & 3;
        const bool M = m == 3, S = m == 1, U = m == 0, VU = m == 4, VS = m == 5;
        const auto I = [](const std::string &rule) { return Answer{1, 0, rule, 0}; };
        const auto V = [](const std::string &rule) { return Answer{2, 0, rule, 0}; };
        const auto ok = [](const std::string &rule) { return Answer{0, 0, rule, 0}; };
        const bool swin = csr >= 0x150 && csr <= 0x157, vwin = csr >= 0x250 && csr <= 0x257;
        if (csr > 0xFFF || !exists(csr))
            return I("A1");
        if (p.op > 0 && (csr & 0xC00) == 0xC00)
            return I("A2");
        if (pr == 3 && !M)
            return I("A3");
        if (U && (pr == 1 || pr == 2))
            return I("A4");
        if ((csr & 0xFE0) == 0xC00 || (csr & 0xFE0) == 0xC80) {
            const unsigned n = csr & 31;
            const bool mc = mcen >> n & 1, hc = hcen >> n & 1, sc = scen >> n & 1;
            if (M)
                return ok("A5 M");
            if (S)
                return mc ? ok("A5 S 1") : I("A5 S 0");
            if (U && !hasS())
                return mc ? ok("A5 U- 1") : I("A5 U- 0");
            if (U) {
                if (!mc)
                    return I("A5 U 0");
                return sc ? ok("A5 U 1 1") : I("A5 U 1 0");
            }
            if (VS) {
                if (!mc)
                    return I("A5 VS 0");
                return hc ? ok("A5 VS 1 1") : V("A5 VS 1 0");
            }
            if (!mc)
                return I("A5 VU 0");
            if (!hc)
                return V("A5 VU 1 0");
            return sc ? ok("A5 VU 1 1 1") : V("A5 VU 1 1 0");
        }
        if (csr == 0x120 && !cde)
            return I("A6");
        if (csr == 0x120 && (VS || VU))
            return V("A7");
        if ((swin || vwin) && !M && !p.stateen_m)
            return I("A8");
        if (vwin && (VS || VU))
            return V("A9");
        if (swin && (VU || (VS && !p.stateen_h)))
            return V("A10");
        if (vwin && csr != 0x250)
            return I("A11 vsireg");
        if (swin && csr != 0x150) {
            if (VS) {
                const bool in = vsisel >= 0x40 && vsisel <= 0x5F;
                return in && cde ? V("A11 VS V") : I("A11 VS I");
            }
            const bool four_five = csr == 0x155 || csr == 0x156;
            if (sisel < 0x40 || sisel > 0x5F)
                return I("A11 D1");
            if (!cde)
                return I("A11 D2");
            if (csr == 0x153 || csr == 0x157)
                return I("A11 D3");
            if (four_five && !r32())
                return I("A11 D4");
            if (sisel == 0x41)
                return I("A11 D5");
            if (!(mcen >> (sisel - 0x40) & 1))
                return I("A11 D6");
            if (sisel < 0x43 && (csr == 0x152 || csr == 0x156) && !c.smcntrpmf)
                return I("A11 D7");
            if (sisel >= 0x43 && csr == 0x156 && !c.sscofpmf)
                return I("A11 D8");
            return ok("A11 D9");
        }
        if (pr == 2 && (VS || VU))
            return V("A12");
        if (pr == 1 && VU)
            return V("A13");
        if (csr == 0xDA0 && VS && cde)
            return V("A14");
        return ok("A15");
    }
};
