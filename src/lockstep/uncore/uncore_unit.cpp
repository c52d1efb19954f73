// SPDX-License-Identifier: Apache-2.0
// Uncore units and their bridges: their straps, what they count, their interrupts, and accesses to
// their registers.
#include <array>
#include <map>
#include <vector>

#include "lockstep/access_pins.hpp"
#include "lockstep/event_block.hpp"
#include "lockstep/units.hpp"
#include "scenario/uncore/uncore_spec.h"
#include "scenario/uncore/uncore_tags.h"

namespace cs
{
namespace
{

class UncoreUnit : public RtlUnit
{
  public:
    explicit UncoreUnit(RtlContext &context);

    void strap() override;
    void drive(cs_cycle now) override;
    void observe(cs_cycle now) override;
    std::vector<cs_part> parts() const override;
    cs_timeline *counts(uint16_t source) const override;
    std::string event_name(uint32_t event) const override;

  private:
    static constexpr unsigned kCounters = 16;

    // One of the units.
    struct Feed {
        const cs_uncore_unit_spec *unit;
        cs_timeline *timeline;
        unsigned number; // the RTL's own
        uint16_t source; // of its records
        bool irq = false;
        std::array<EventBlock, kCounters> rows = {};
        // Of a unit with tags, by event in its timeline.
        std::map<uint32_t, EventBlock> tagged = {};
    };

    uint64_t increment(Feed &feed, unsigned n, cs_cycle now);
    void observe_accesses(cs_cycle now);

    const cs_scenario &s_;
    std::vector<Feed> feeds_; // as in the scenario
    Pin event_ = pin("uncore_event_o");
    Pin match_ = pin("uncore_match_o");
    Pin mask_ = pin("uncore_mask_o");
    Pin counting_ = pin("uncore_counting_o");
    Pin inc_ = pin("uncore_inc_i");
    Pin irq_ = pin("uncore_irq_o");
    Pin accesses_ = pin("uncore_acc_o");
};

UncoreUnit::UncoreUnit(RtlContext &context) : RtlUnit(context), s_(context.scenario())
{
    const unsigned slots = die_.size("uncore", "NrUnit");

    for (unsigned i = 0; i < s_.uncore->nr_units; i++) {
        const cs_uncore_unit_spec &unit = s_.uncore->units[i];

        feeds_.push_back({&unit, context.environment->timelines[CS_UNCORE_TIMELINE(i)],
                          unit.slot + slots * unit.bridge,
                          static_cast<uint16_t>(CS_UNIT_UNCORE(cs_uncore_place(&unit)))});
    }
}

void UncoreUnit::strap()
{
    for (unsigned b = 0; b < s_.uncore->nr_bridges; b++)
        pin("uncore_strap_access_cycles_i").set_field(b, 16, s_.uncore->bridges[b].access_cycles);
    for (size_t i = 0; i < feeds_.size(); i++) {
        const cs_uncore_unit_spec &unit = s_.uncore->units[i];
        const unsigned number = feeds_[i].number;

        pin("uncore_strap_present_i").set(number, 1, 1);
        pin("uncore_strap_counters_i").set_field(number, 5, unit.counters);
        pin("uncore_strap_width_i").set_field(number, 7, unit.width);
        pin("uncore_strap_id_i").set_field(number, 16, unit.id);
        pin("uncore_strap_extended_i").set(number, 1, unit.extended);
    }
}

void UncoreUnit::drive(cs_cycle now)
{
    for (Feed &feed : feeds_) {
        const auto counting = static_cast<uint32_t>(counting_.field(feed.number, kCounters));

        for (unsigned n = 0; n < kCounters; n++) {
            const unsigned row = kCounters * feed.number + n;

            if ((counting >> n & 1) == 0)
                continue;
            inc_.set_field(row, 4, increment(feed, n, now));
        }
    }
}

uint64_t UncoreUnit::increment(Feed &feed, unsigned n, cs_cycle now)
{
    const unsigned row = kCounters * feed.number + n;
    const auto event = static_cast<uint32_t>(event_.field(row, 16));
    uint64_t sum = 0;
    uint32_t stream;
    size_t k = 0;

    if (!feed.unit->extended)
        return feed.rows[n].at(feed.timeline, CS_EVENT_UNCORE(event), now);
    const cs_uncore_counted counted = {event, match_.field(row, 64), mask_.field(row, 64)};
    while (cs_uncore_stream_of(feed.unit, &counted, &k, &stream))
        sum += feed.tagged[stream].at(feed.timeline, stream, now);
    return sum;
}

void UncoreUnit::observe(cs_cycle now)
{
    for (size_t i = 0; i < feeds_.size(); i++) {
        Feed &feed = feeds_[i];

        if (irq_.bit(feed.number) == feed.irq)
            continue;
        feed.irq = !feed.irq;
        context_.emit_irq(now, feed.source, feed.irq);
        if (i < CS_MAX_UNCORE_LINES)
            context_.raise(now, CS_LINE_UNCORE(static_cast<unsigned>(i)), feed.irq);
    }
    observe_accesses(now);
}

void UncoreUnit::observe_accesses(cs_cycle now)
{
    for (unsigned bridge = 0; bridge < s_.uncore->nr_bridges; bridge++) {
        const AccessPins access(accesses_, bridge);

        if (!access.valid())
            continue;
        const unsigned source = access.slot() == kBroadcastSlot
                                    ? CS_UNIT_UNCORE_ALL(bridge)
                                    : CS_UNIT_UNCORE(access.slot() + CS_UNCORE_SLOTS * bridge);
        context_.emit(access.record(now, source, access.offset()));
    }
}

cs_timeline *UncoreUnit::counts(uint16_t source) const
{
    for (const Feed &feed : feeds_)
        if (feed.source == source)
            return feed.timeline;
    return nullptr;
}

std::string UncoreUnit::event_name(uint32_t event) const
{
    return event >= CS_EVENT_UNCORE_TAGGED(0)
               ? "tag " + std::to_string(event - CS_EVENT_UNCORE_TAGGED(0))
               : RtlUnit::event_name(event);
}

std::vector<cs_part> UncoreUnit::parts() const
{
    std::vector<cs_part> all;

    for (const Feed &feed : feeds_)
        all.push_back(part(feed.source));
    return all;
}

} // namespace

std::unique_ptr<RtlUnit> make_uncore(RtlContext &context)
{
    if (context.scenario().uncore->nr_bridges == 0)
        return nullptr;
    return std::make_unique<UncoreUnit>(context);
}

} // namespace cs
