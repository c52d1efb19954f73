#include "lockstep/core_feed.hpp"

#include "models/corepmu/corepmu.h"

namespace cs
{

void CoreFeed::forget()
{
    mode_until_ = 0;
    for (EventBlock &row : rows_)
        row.forget();
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

    uint8_t by_counter[kMaxCounters];

    for (unsigned n = 0; n < counters_; n++)
        by_counter[n] = rows_[n].at(timeline_, die.event(core_, n), now);
    die.increments(core_, by_counter,
                   rows_[kMaxCounters].at(timeline_, CS_COREPMU_CYCLE_EVENT, now));
}

} // namespace cs
