#include "lockstep/uncore_feed.hpp"

#include "scenario/scenario.h"

namespace cs
{

void UncoreFeed::drive(RtlDie &die, cycle_t now)
{
    const uint32_t counting = die.uncore_counting(unit_);

    for (unsigned n = 0; n < kMaxCounters; n++)
        if (counting >> n & 1)
            die.uncore_increment(
                unit_, n, rows_[n].at(timeline_, CS_EVENT_UNCORE(die.uncore_event(unit_, n)), now));
}

void UncoreFeed::observe(const RtlDie &die, cycle_t now, const cs_probe_sink *probe)
{
    const bool level = die.uncore_irq(unit_);
    cs_probe_record record = {};

    if (level == irq_)
        return;
    irq_ = level;
    record.cycle = now;
    record.kind = CS_PROBE_IRQ;
    record.source = source_;
    record.value = level;
    cs_probe_emit(probe, &record);
}

} // namespace cs
