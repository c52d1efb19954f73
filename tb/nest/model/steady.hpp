// SPDX-License-Identifier: Apache-2.0
// A bench whose ticks are far apart: what a tick does is over before the next, so that a test can
// speak of ticks. Every transfer takes `latency` cycles.
#pragma once

#include "bench.hpp"

constexpr cs_cycle period = 10'000;
constexpr cs_cycle latency = 5;

class Steady : public Bench
{
  public:
    explicit Steady(Style style = Style::at_once) : Bench(period, style)
    {
        world.min_latency = world.max_latency = latency;
    }

    // Ticks 1..n are over.
    void ticks(unsigned n)
    {
        run((n + 1) * period);
    }

    // The host writes before tick n.
    void before(unsigned n, Word which, uint64_t value)
    {
        host(n * period - 100, which, value);
    }

    // The first cycle of tick n's DECIDE: LOOK is entered in the second cycle after that of the
    // tick.
    static cs_cycle decide(unsigned n)
    {
        return n * period + 2 + 1 + latency + 1;
    }

    // What tick n transferred beside its LOOK.
    std::vector<Transfer> work(unsigned n) const
    {
        std::vector<Transfer> all = transfers(n * period, (n + 1) * period);
        EXPECT_FALSE(all.empty());
        if (!all.empty()) {
            EXPECT_FALSE(all[0].write);
            all.erase(all.begin());
        }
        return all;
    }

    // Their places in the window, without the data.
    std::vector<uint64_t> places(unsigned n) const
    {
        std::vector<uint64_t> result;
        for (const Transfer &t : work(n))
            result.push_back((t.addr & ~add_bit) - world.base);
        return result;
    }

    std::vector<cs_probe_record> samples() const
    {
        return records_of(CS_PROBE_SAMPLE);
    }

    // The groups that tick n posted.
    std::vector<unsigned> groups(unsigned n) const
    {
        std::vector<unsigned> result;
        for (const cs_probe_record &r : samples())
            if (r.cycle >= n * period && r.cycle < (n + 1) * period)
                result.push_back(r.index);
        return result;
    }

    // A write of the engine that is whole in one place.
    static Transfer write(cs_cycle request, uint64_t addr, const std::vector<uint64_t> &data)
    {
        Transfer t;
        t.request = request;
        t.complete = request + latency;
        t.addr = addr;
        t.write = true;
        t.data = data;
        return t;
    }
};

// The first tick that visits.
constexpr unsigned first_visit = 5;

enum StatusValue : uint64_t { INIT, RUN, PAUSE, ERR1, ERR2 };

constexpr uint64_t default_units = 0xFFFF8073F007E000;

// STATE of the unit.
inline cs_probe_record state(cs_cycle cycle, uint64_t value)
{
    cs_probe_record r = {};
    r.cycle = cycle;
    r.kind = CS_PROBE_STATE;
    r.source = nest_unit;
    r.value = value;
    return r;
}
