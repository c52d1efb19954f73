// Drives one core PMU's event pins from the core's timeline, for the events that the RTL's mux
// selects.
#ifndef CS_LOCKSTEP_CORE_FEED_HPP
#define CS_LOCKSTEP_CORE_FEED_HPP

#include "lockstep/event_block.hpp"
#include "lockstep/rtl_die.hpp"

namespace cs
{

class CoreFeed
{
  public:
    CoreFeed(cs_timeline *timeline, unsigned core, unsigned counters)
        : timeline_(timeline), core_(core), counters_(counters)
    {
    }

    // Sets the inputs of cycle `now` where the RTL looks at them.
    void drive(RtlDie &die, cycle_t now);

    // What was fetched ahead may no longer hold: software came or went.
    void forget();

  private:
    static constexpr unsigned kMaxCounters = 31;

    cs_timeline *timeline_;
    unsigned core_;
    unsigned counters_;
    cycle_t mode_until_ = 0;
    EventBlock rows_[kMaxCounters + 1]; // by counter; the last is the cycle counter's
};

} // namespace cs

#endif
