// SPDX-License-Identifier: Apache-2.0
// Drives the event pins of one thread of an IMC core from its timeline.
#ifndef CS_LOCKSTEP_IMC_IMC_FEED_HPP
#define CS_LOCKSTEP_IMC_IMC_FEED_HPP

#include "lockstep/event_block.hpp"
#include "lockstep/rtl_die.hpp"

namespace cs
{

// What the cores do; a field a thread.
struct ImcPins {
    explicit ImcPins(const RtlDie &die);

    unsigned threads; // of a core of the die
    Pin active, code[2], inc[4], mode, capture, pc, pid, lpid;
};

class ImcFeed
{
  public:
    // `event_of`: the event behind each of docs/hw/imc.md's numbers; borrowed. `thread`: the RTL's
    // own number.
    ImcFeed(cs_timeline *timeline, const uint16_t *event_of, unsigned thread)
        : timeline_(timeline), event_of_(event_of), thread_(thread)
    {
    }

    // Sets the inputs of cycle `now` where the RTL looks at them.
    void drive(ImcPins &pins, cs_cycle now);

    // What was fetched ahead may no longer hold: software came or went.
    void forget();

  private:
    cs_timeline *timeline_;
    const uint16_t *event_of_;
    unsigned thread_;
    cs_cycle mode_until_ = 0;
    EventBlock rows_[4]; // by CPMC
};

} // namespace cs

#endif
