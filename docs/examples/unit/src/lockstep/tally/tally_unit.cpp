// SPDX-License-Identifier: Apache-2.0
// The tally's strap, what it counts, and accesses to its registers.
#include "lockstep/access_pins.hpp"
#include "lockstep/event_block.hpp"
#include "lockstep/units.hpp"
#include "scenario/machine/bus_spec.h"
#include "scenario/tally/tally_spec.h"

namespace cs
{
namespace
{
class TallyUnit : public RtlUnit
{
  public:
    using RtlUnit::RtlUnit;
    void strap() override
    {
        pin("tally_strap_access_cycles_i")
            .set(0, 8, context_.scenario().bus->register_access_cycles);
    }
    void drive(cs_cycle now) override
    {
        if (counting_.bit(0))
            inc_.set(0, 4, row_.at(timeline_, CS_EVENT_TALLY(event_.get(0, 16)), now));
    }
    void observe(cs_cycle now) override
    {
        const AccessPins access(access_, 0);
        if (access.valid())
            context_.emit(access.record(now, CS_UNIT_TALLY, access.offset()));
    }
    std::vector<cs_part> parts() const override
    {
        return {part(CS_UNIT_TALLY)};
    }

  private:
    cs_timeline *timeline_ = context_.environment->timelines[CS_TALLY_TIMELINE];
    EventBlock row_;
    Pin event_ = pin("tally_event_o"), counting_ = pin("tally_counting_o"),
        inc_ = pin("tally_inc_i"), access_ = pin("tally_acc_o");
};
} // namespace
std::unique_ptr<RtlUnit> make_tally(RtlContext &context)
{
    return context.scenario().tally->present ? std::make_unique<TallyUnit>(context) : nullptr;
}
} // namespace cs
