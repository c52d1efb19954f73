// The hpm block a cycle at a time, written from docs/hw/hpm.md without regard to cost, and
// without a look at the model. It tells which rule decided, so that coverage can be taken.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "models/hpm/hpm.h"

// What the pins carry in one cycle; no access: op is below 0.
struct Pins {
    cycle_t t = 0;
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

// What happened to one counter in one cycle.
struct CounterCycle {
    unsigned n;
    bool armed_kind;  // a counter that can have an OF
    bool could_carry; // value + inc >= 2^W, whatever stops it
    bool of, inhibited, event_zero;
    int filter; // 0: no bit set; 1: passes; 2: keeps out
    enum Write {
        NONE,
        LOW,
        HIGH,
        EVENT_KEEPS_OF,
        EVENT_OF_0,
        EVENT_OF_1,
        INHIBIT_SET,
        INHIBIT_CLEAR,
        ANOTHER_COUNTER
    } write;
};

template <class Increments> class Reference
{
  public:
    // inc(event, cycle): what the source says of the event.
    Reference(const cs_hpm_config &config, Increments inc) : c(config), inc_(inc) {}

    cs_hpm_config c;
    std::vector<cs_probe_record> records;
    std::vector<CounterCycle> seen; // of the last cycle
    bool lcofip_set = false;        // by hardware, in the last cycle
    bool lcofip_written = false;    // by software, in the last cycle
    unsigned lines = 0;             // of the cycle that comes next

    // What an access of these pins is answered now.
    Answer answer(const Pins &p) const
    {
        return p.op < 0 ? Answer{} : access(p);
    }

    Answer step(const Pins &p)
    {
        const Answer a = answer(p);
        if (p.op >= 0)
            note(p, a);

        // 1. Who counts, in the state of this cycle.
        const bool writes = p.op > 0 && a.exception == 0;
        const int written = writes ? counter_written(p) : -1;
        uint64_t value[32];
        bool requested = false;
        uint32_t of_set = 0;
        seen.clear();
        for (unsigned n = 0; n < 32; n++) {
            value[n] = val[n];
            if (n == 1 || !there(n))
                continue;
            const unsigned e = n == 0 ? 1 : n == 2 ? 2 : unsigned(ev[n] & 0xFFFF);
            const unsigned add = e == 0 ? 0 : inc_(e, p.t);
            const bool out = kept_out(n, p.mode);
            const bool inhibited = inhibit >> n & 1;
            const unsigned __int128 sum = static_cast<unsigned __int128>(val[n]) + add;
            const bool carry = sum >= static_cast<unsigned __int128>(1) << w(n);
            const bool of = ev[n] >> 63;
            seen.push_back({n, n >= 3 && c.sscofpmf, carry, of, inhibited, e == 0,
                            (ev[n] >> 58 & 31) == 0 ? 0
                            : out                   ? 2
                                                    : 1,
                            CounterCycle::NONE});
            if (e == 0 || inhibited || out || written == static_cast<int>(n))
                continue;
            value[n] = w(n) == 64 ? static_cast<uint64_t>(sum)
                                  : static_cast<uint64_t>(sum) & ((1ull << w(n)) - 1);
            if (carry && n >= 3 && c.sscofpmf && !of) {
                of_set |= 1u << n;
                requested = true;
            }
        }
        if (requested)
            arrivals.insert(p.t + 1 + c.lcofi_latency);

        lcofip_written = writes && means_lcofip(p);

        // 2. The write, on the state of this cycle; counters meet their sums.
        if (writes) {
            const uint32_t inhibit_before = inhibit;
            const Meant m = meant(p);
            write(m, a.fresh);
            classify(m, inhibit_before, written);
            for (unsigned n = 0; n < 32; n++) {
                if (written != static_cast<int>(n))
                    val[n] = value[n];
            }
        } else {
            for (unsigned n = 0; n < 32; n++)
                val[n] = value[n];
        }
        for (unsigned n = 3; n < 32; n++)
            if (of_set >> n & 1)
                ev[n] |= 1ull << 63;
        lcofip_set = arrivals.erase(p.t + 1) != 0;
        if (lcofip_set)
            mip = true;

        // 3. The lines of the next cycle.
        const unsigned now = levels();
        for (unsigned i = 0; i < 3; i++)
            if ((now ^ lines) >> i & 1) {
                cs_probe_record r = {};
                r.cycle = p.t + 1;
                r.kind = CS_PROBE_IRQ;
                r.source = c.unit;
                r.index = static_cast<uint16_t>(i);
                r.value = now >> i & 1;
                records.push_back(r);
            }
        lines = now;
        return a;
    }

    uint64_t counter(unsigned n) const
    {
        return val[n];
    }
    // event_o and counting_o.
    unsigned event(unsigned n) const
    {
        return n < 3 ? 0 : ev[n] & 0xFFFF;
    }
    bool counting(unsigned n) const
    {
        return n != 1 && there(n) && !(inhibit >> n & 1) && (n < 3 || event(n) != 0);
    }

  private:
    Increments inc_;
    uint64_t val[32] = {}, ev[32] = {};
    uint32_t inhibit = 0, mcen = 0, scen = 0, hcen = 0, sisel = 0, vsisel = 0;
    bool cde = false;
    uint64_t delta = 0;
    bool mip = false, mie = false, mideleg = false, hideleg = false, mvien = false, mvip = false,
         hvien = false, hvip = false, sie_v = false, vsie_v = false;
    std::set<cycle_t> arrivals;

    bool r32() const
    {
        return c.xlen == 32;
    }
    bool hasU() const
    {
        return c.modes >= 1;
    }
    bool hasS() const
    {
        return c.modes >= 2;
    }
    bool hasH() const
    {
        return c.modes == 3;
    }
    bool there(unsigned n) const
    {
        return n == 0 || n == 2 || (n >= 3 && (c.counters >> n & 1));
    }
    uint32_t impl() const
    {
        return c.counters | 5;
    }
    unsigned w(unsigned n) const
    {
        return n < 3 ? 64 : c.width[n];
    }

    bool kept_out(unsigned n, unsigned mode) const
    {
        switch (mode) {
        case 3:
            return ev[n] >> 62 & 1;
        case 1:
            return ev[n] >> 61 & 1;
        case 0:
            return ev[n] >> 60 & 1;
        case 5:
            return ev[n] >> 59 & 1;
        default:
            return ev[n] >> 58 & 1;
        }
    }

    // ---- section 9

    bool hd() const
    {
        return c.aia ? hideleg && (mideleg || mvien) : hideleg;
    }
    unsigned levels() const
    {
        const bool sip = mideleg ? mip : mvien ? mvip : false;
        const bool sie = mideleg ? mie : mvien ? sie_v : false;
        const bool vsip = hd() ? sip : hvien ? hvip : false;
        const bool vsie = hd() ? sie : hvien ? vsie_v : false;
        return (mip && mie && !mideleg) | (sip && sie && !hd()) << 1 | (vsip && vsie) << 2;
    }

    // ---- section 5

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

    // ---- sections 4 and 7

    // The machine register behind a sireg that may be used: number, and whether it is a high half.
    struct Indirect {
        unsigned csr;
        bool high, hides_minh;
    };

    Indirect indirect(unsigned csr) const
    {
        const unsigned n = sisel - 0x40;
        const unsigned which = csr - 0x150;
        if (which == 1 || which == 5)
            return {0xB00 + n, which == 5, false};
        return {n == 0 ? 0x321 : n == 2 ? 0x322 : 0x320 + n, which == 6, true};
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

    // ---- reading

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
        if (csr > 0x150 && csr <= 0x157) {
            const Indirect i = indirect(csr);
            return {i.csr, i.high, i.hides_minh};
        }
        if (low_of(csr) != 0)
            return {low_of(csr), true, false};
        return {csr, false, false};
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

    void note(const Pins &p, const Answer &a)
    {
        cs_probe_record r = {};
        r.cycle = p.t;
        r.kind = CS_PROBE_REG;
        r.source = c.unit;
        r.addr = p.csr;
        r.bytes = c.xlen / 8;
        if (a.exception != 0) {
            r.write = p.op != 0;
            r.resp = static_cast<uint8_t>(a.exception);
            records.push_back(r);
            return;
        }
        r.value = a.value;
        records.push_back(r);
        if (p.op == 0)
            return;
        r.write = 1;
        r.value = a.fresh;
        records.push_back(r);
    }

    // ---- writing

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

    // ---- coverage

    void classify(const Meant &m, uint32_t inhibit_before, int written)
    {
        const bool event = m.csr >= 0x323 && m.csr <= 0x33F;
        const bool has_of = event && (!r32() || m.high);
        for (CounterCycle &s : seen) {
            if (written == static_cast<int>(s.n))
                s.write = m.high ? CounterCycle::HIGH : CounterCycle::LOW;
            else if (written >= 0)
                s.write = CounterCycle::ANOTHER_COUNTER;
            else if (event && (m.csr & 31) == s.n)
                s.write = !has_of         ? CounterCycle::EVENT_KEEPS_OF
                          : ev[s.n] >> 63 ? CounterCycle::EVENT_OF_1
                                          : CounterCycle::EVENT_OF_0;
            else if ((inhibit_before ^ inhibit) >> s.n & 1)
                s.write =
                    inhibit >> s.n & 1 ? CounterCycle::INHIBIT_SET : CounterCycle::INHIBIT_CLEAR;
        }
    }
};
