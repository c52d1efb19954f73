// SPDX-License-Identifier: Apache-2.0
// What the hpm block keeps from cycle to cycle, and what follows from it and the straps alone.
#pragma once

#include <cstdint>
#include <set>

#include <countersink/models/hpm/hpm.h>

class ReferenceState
{
  public:
    explicit ReferenceState(const cs_hpm_config &config) : c(config) {}

    cs_hpm_config c;

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

  protected:
    uint64_t val[32] = {}, ev[32] = {};
    uint32_t inhibit = 0, mcen = 0, scen = 0, hcen = 0, sisel = 0, vsisel = 0;
    bool cde = false;
    uint64_t delta = 0;
    bool mip = false, mie = false, mideleg = false, hideleg = false, mvien = false, mvip = false,
         hvien = false, hvip = false, sie_v = false, vsie_v = false;
    std::set<cs_cycle> arrivals;

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
};
