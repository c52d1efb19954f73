// SPDX-License-Identifier: Apache-2.0
// The bus clock as SystemC sees it. Cycle t begins at t * period: the fabric does then what is
// due in t. At t * period + period / 2 the units execute their step of cycle t. So what a unit
// asks for in cycle t + 1 is known before the fabric looks, whatever the order of processes.
#ifndef CS_BUS_FABRIC_CLOCK_HPP
#define CS_BUS_FABRIC_CLOCK_HPP

#include <systemc>

#include <countersink/base/cycle.h>

namespace cs
{

class Clock
{
  public:
    // The period must be usable().
    explicit Clock(const sc_core::sc_time &period)
        : period_(period.value()), half_(period.value() / 2), last_(CS_NEVER / period_ - 1)
    {
    }

    // The cycle that is going on.
    cs_cycle cycle() const
    {
        const uint64_t now = now_units();
        if (now != seen_) {
            seen_ = now;
            cycle_ = now / period_;
        }
        return cycle_;
    }

    // The first cycle that begins `delay` or later from now.
    cs_cycle at_or_after(const sc_core::sc_time &delay) const
    {
        return (now_units() + delay.value() + period_ - 1) / period_;
    }

    // From now to the beginning, or the step, of a cycle; zero when that has passed.
    sc_core::sc_time until_begin(cs_cycle cycle) const
    {
        return until(cycle, 0);
    }
    sc_core::sc_time until_step(cs_cycle cycle) const
    {
        return until(cycle, half_);
    }

    sc_core::sc_time begin(cs_cycle cycle) const
    {
        return sc_core::sc_time::from_value(cycle * period_);
    }

    sc_core::sc_time period() const
    {
        return sc_core::sc_time::from_value(period_);
    }

    // A delay in cycles, rounded up.
    uint64_t cycles(const sc_core::sc_time &delay) const
    {
        return (delay.value() + period_ - 1) / period_;
    }

    // The last cycle that SystemC's 64 bits of time can hold.
    cs_cycle last() const
    {
        return last_;
    }

    // A positive, even number of SystemC's resolution units.
    static bool usable(const sc_core::sc_time &period)
    {
        return period.value() >= 2 && period.value() % 2 == 0;
    }

  private:
    static uint64_t now_units()
    {
        return sc_core::sc_time_stamp().value();
    }

    sc_core::sc_time until(cs_cycle cycle, uint64_t phase) const
    {
        const uint64_t then = cycle * period_ + phase;
        const uint64_t now = now_units();
        return sc_core::sc_time::from_value(then > now ? then - now : 0);
    }

    uint64_t period_;
    uint64_t half_;
    cs_cycle last_;
    mutable uint64_t seen_ = 0;
    mutable cs_cycle cycle_ = 0;
};

} // namespace cs

#endif
