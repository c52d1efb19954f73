// SPDX-License-Identifier: Apache-2.0
// Increments of one event, fetched ahead from a timeline in blocks of 64 cycles.
#ifndef CS_LOCKSTEP_EVENT_BLOCK_HPP
#define CS_LOCKSTEP_EVENT_BLOCK_HPP

#include <countersink/base/stream/timeline.h>

namespace cs
{

class EventBlock
{
  public:
    // Of `event` in cycle `now`.
    uint8_t at(cs_timeline *timeline, uint32_t event, cs_cycle now)
    {
        const cs_cycle first = now - now % kCycles;

        if (first_ != first || event_ != event) {
            first_ = first;
            event_ = event;
            cs_timeline_increments(timeline, event, first, kCycles, ahead_);
        }
        return ahead_[now - first];
    }

    // What was fetched may no longer hold: software came or went.
    void forget()
    {
        first_ = CS_NEVER;
    }

  private:
    static constexpr unsigned kCycles = 64;

    cs_cycle first_ = CS_NEVER;
    uint32_t event_ = 0;
    uint8_t ahead_[kCycles];
};

} // namespace cs

#endif
