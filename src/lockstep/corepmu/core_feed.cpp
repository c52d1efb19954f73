// SPDX-License-Identifier: Apache-2.0
#include "lockstep/corepmu/core_feed.hpp"

#include <countersink/models/corepmu/corepmu.h>

namespace cs
{

CorePins::CorePins(const RtlDie &die)
    : slots(die.size("pmcu", "NrSlot")), counters(die.size("pmcu", "NrCounter")),
      counting(die.pin("pmcu_counting_o")), event(die.pin("pmcu_event_o")),
      capture(die.pin("pmcu_capture_o")), inc(die.pin("pmcu_clocked_inc_i")),
      cycle_inc(die.pin("pmcu_clocked_cycle_inc_i")), mode(die.pin("pmcu_mode_i")),
      pc(die.pin("pmcu_pc_i")), cid1(die.pin("pmcu_cid1_i")), cid2(die.pin("pmcu_cid2_i"))
{
}

void CoreFeed::forget()
{
    mode_until_ = 0;
    for (EventBlock &row : rows_)
        row.forget();
}

// 8 bits a counter, eight counters at a time.
void CoreFeed::increments(CorePins &pins, const uint8_t *by_counter) const
{
    for (unsigned n = 0; n < pins.counters;) {
        uint64_t packed = 0;
        unsigned count = 0;

        for (; n + count < pins.counters && count < 8; count++)
            packed |= static_cast<uint64_t>(by_counter[n + count]) << (8 * count);
        pins.inc.set(8 * (core_ * pins.counters + n), 8 * count, packed);
        n += count;
    }
}

void CoreFeed::drive(CorePins &pins, cs_cycle now)
{
    if (pins.capture.bit(core_)) {
        cs_context context;

        cs_timeline_context(timeline_, now, &context);
        pins.pc.set_field(core_, 64, context.pc);
        pins.cid1.set_field(core_, 32, context.cid1);
        pins.cid2.set_field(core_, 32, context.cid2);
    }
    // A capture also reports the exception level.
    if (now >= mode_until_) {
        cs_context context;

        cs_timeline_context(timeline_, now, &context);
        mode_until_ = cs_timeline_until(timeline_, now);
        pins.mode.set_field(core_, 2, context.mode);
    }
    if (!pins.counting.bit(core_))
        return;

    uint8_t by_counter[kMaxCounters];

    for (unsigned n = 0; n < pins.counters; n++) {
        const auto event = static_cast<uint32_t>(pins.event.field(core_ * pins.counters + n, 16));

        by_counter[n] = rows_[n].at(timeline_, event, now);
    }
    increments(pins, by_counter);
    pins.cycle_inc.set_field(core_, 8,
                             rows_[kMaxCounters].at(timeline_, CS_COREPMU_EVENT_CLOCK, now));
}

} // namespace cs
