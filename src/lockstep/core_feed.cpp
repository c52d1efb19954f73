#include "lockstep/core_feed.hpp"

#include "models/corepmu/corepmu.h"

namespace cs
{

void CoreFeed::forget()
{
    mode_until_ = 0;
    for (cycle_t &block : block_)
        block = CS_NEVER;
}

void CoreFeed::fetch(unsigned row, uint32_t event, cycle_t first)
{
    if (block_[row] == first && event_[row] == event)
        return;
    block_[row] = first;
    event_[row] = event;
    cs_timeline_increments(timeline_, event, first, kBlock, ahead_[row]);
}

void CoreFeed::drive(RtlDie &die, cycle_t now)
{
    if (die.capture(core_)) {
        cs_context context;

        cs_timeline_context(timeline_, now, &context);
        die.context(core_, context.pc, context.cid1, context.cid2);
    }
    // A capture also reports the exception level.
    if (now >= mode_until_) {
        cs_context context;

        cs_timeline_context(timeline_, now, &context);
        mode_until_ = cs_timeline_until(timeline_, now);
        die.mode(core_, context.mode);
    }
    if (!die.counting(core_))
        return;

    const cycle_t first = now - now % kBlock;
    const unsigned cycle_row = kMaxCounters;
    uint8_t by_counter[kMaxCounters];

    for (unsigned n = 0; n < counters_; n++) {
        fetch(n, die.event(core_, n), first);
        by_counter[n] = ahead_[n][now - first];
    }
    fetch(cycle_row, CS_COREPMU_CYCLE_EVENT, first);
    die.increments(core_, by_counter, ahead_[cycle_row][now - first]);
}

} // namespace cs
