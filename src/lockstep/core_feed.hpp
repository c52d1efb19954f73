// Drives one core PMU's event pins from the core's timeline: fetched ahead in blocks of
// 64 cycles, for the events that the RTL's mux selects.
#ifndef CS_LOCKSTEP_CORE_FEED_HPP
#define CS_LOCKSTEP_CORE_FEED_HPP

#include "base/timeline.h"
#include "lockstep/rtl_die.hpp"

namespace cs
{

class CoreFeed
{
  public:
    CoreFeed(cs_timeline *timeline, unsigned core, unsigned counters)
        : timeline_(timeline), core_(core), counters_(counters)
    {
        forget();
    }

    // Sets the inputs of cycle `now` where the RTL looks at them.
    void drive(RtlDie &die, cycle_t now);

    // What was fetched ahead may no longer hold: software came or went.
    void forget();

  private:
    static constexpr unsigned kBlock = 64;
    static constexpr unsigned kMaxCounters = 31;

    void fetch(unsigned row, uint32_t event, cycle_t first);

    cs_timeline *timeline_;
    unsigned core_;
    unsigned counters_;
    cycle_t mode_until_;
    // Row n is counter n, the last one the cycle counter.
    cycle_t block_[kMaxCounters + 1];
    uint32_t event_[kMaxCounters + 1];
    uint8_t ahead_[kMaxCounters + 1][kBlock];
};

} // namespace cs

#endif
