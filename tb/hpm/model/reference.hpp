// SPDX-License-Identifier: Apache-2.0
// The hpm block a cycle at a time, written from docs/hw/hpm.md without regard to cost, and
// without a look at the model. It tells which rule decided, so that coverage can be taken.
#pragma once

#include <vector>

#include "reference_registers.hpp"

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

template <class Increments> class Reference : public ReferenceRegisters
{
  public:
    // inc(event, cycle): what the source says of the event.
    Reference(const cs_hpm_config &config, Increments inc) : ReferenceRegisters(config), inc_(inc)
    {
    }

    std::vector<cs_probe_record> records;
    std::vector<CounterCycle> seen; // of the last cycle
    bool lcofip_set = false;        // by hardware, in the last cycle
    bool lcofip_written = false;    // by software, in the last cycle
    unsigned lines = 0;             // of the cycle that comes next

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

  private:
    Increments inc_;

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
