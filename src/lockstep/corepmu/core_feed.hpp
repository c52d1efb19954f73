// SPDX-License-Identifier: Apache-2.0
// Drives one core PMU's event pins from the core's timeline, for the events that the RTL's mux
// selects.
#ifndef CS_LOCKSTEP_COREPMU_CORE_FEED_HPP
#define CS_LOCKSTEP_COREPMU_CORE_FEED_HPP

#include "lockstep/event_block.hpp"
#include "lockstep/rtl_die.hpp"

namespace cs
{

// What the cores do: ports of the PMCU's module; a field a core.
struct CorePins {
    explicit CorePins(const RtlDie &die);

    unsigned slots, counters; // of the die
    Pin counting, event, capture, inc, cycle_inc, mode, pc, cid1, cid2;
};

class CoreFeed
{
  public:
    // `core`: the RTL's own number.
    CoreFeed(cs_timeline *timeline, unsigned core) : timeline_(timeline), core_(core) {}

    // Sets the inputs of cycle `now` where the RTL looks at them.
    void drive(CorePins &pins, cs_cycle now);

    // What was fetched ahead may no longer hold: software came or went.
    void forget();

  private:
    static constexpr unsigned kMaxCounters = 31;

    void increments(CorePins &pins, const uint8_t *by_counter) const;

    cs_timeline *timeline_;
    unsigned core_;
    cs_cycle mode_until_ = 0;
    EventBlock rows_[kMaxCounters + 1]; // by counter; the last is the cycle counter's
};

} // namespace cs

#endif
