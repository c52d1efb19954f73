// Drives the event pins of an uncore unit from its timeline, and records its interrupt.
#ifndef CS_LOCKSTEP_UNCORE_FEED_HPP
#define CS_LOCKSTEP_UNCORE_FEED_HPP

#include "base/probe.h"
#include "lockstep/event_block.hpp"
#include "lockstep/rtl_die.hpp"

namespace cs
{

class UncoreFeed
{
  public:
    // `unit`: the RTL's own index; `source`: of its records.
    UncoreFeed(cs_timeline *timeline, unsigned unit, uint16_t source)
        : timeline_(timeline), unit_(unit), source_(source)
    {
    }

    // Sets the inputs of cycle `now` where the RTL looks at them.
    void drive(RtlDie &die, cycle_t now);
    void observe(const RtlDie &die, cycle_t now, const cs_probe_sink *probe);

  private:
    static constexpr unsigned kMaxCounters = 16;

    cs_timeline *timeline_;
    unsigned unit_;
    uint16_t source_;
    bool irq_ = false;
    EventBlock rows_[kMaxCounters];
};

} // namespace cs

#endif
