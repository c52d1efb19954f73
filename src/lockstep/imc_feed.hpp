// Drives the event pins of one thread of an IMC core, and those of the nest, from timelines.
#ifndef CS_LOCKSTEP_IMC_FEED_HPP
#define CS_LOCKSTEP_IMC_FEED_HPP

#include "lockstep/event_block.hpp"
#include "lockstep/rtl_die.hpp"

namespace cs
{

class ImcFeed
{
  public:
    // `event_of`: the event behind each of docs/hw/imc.md's numbers; borrowed.
    ImcFeed(cs_timeline *timeline, const uint16_t *event_of, unsigned thread)
        : timeline_(timeline), event_of_(event_of), thread_(thread)
    {
    }

    // Sets the inputs of cycle `now` where the RTL looks at them.
    void drive(RtlDie &die, cycle_t now);

    // What was fetched ahead may no longer hold: software came or went.
    void forget();

  private:
    cs_timeline *timeline_;
    const uint16_t *event_of_;
    unsigned thread_; // the RTL's own index
    cycle_t mode_until_ = 0;
    EventBlock rows_[4]; // by CPMC
};

class NestFeed
{
  public:
    explicit NestFeed(cs_timeline *timeline) : timeline_(timeline) {}

    void drive(RtlDie &die, cycle_t now);

  private:
    static constexpr unsigned kMaxCounters = 256;

    cs_timeline *timeline_;
    EventBlock rows_[kMaxCounters];
};

} // namespace cs

#endif
