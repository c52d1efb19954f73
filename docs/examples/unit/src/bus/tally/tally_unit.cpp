// SPDX-License-Identifier: Apache-2.0
// The scenario's tally behind its register window.
#include "bus/machine/unit.hpp"
#include "models/tally/tally.h"
#include "scenario/machine/bus_spec.h"
#include "scenario/tally/tally_spec.h"
#include <countersink/bus/fabric/register_access.hpp>

namespace cs
{
namespace
{
class TallyUnit : public Unit, public RegisterPort
{
  public:
    explicit TallyUnit(const UnitContext &context)
        : access_cycles_(context.scenario().bus->register_access_cycles),
          bridge_("tally", context.period, {{this, CS_UNIT_TALLY}}, context.environment.probe)
    {
        const auto events = cs_environment_events(&context.environment, CS_TALLY_TIMELINE);
        cs_tally_init(&tally_, &events);
    }

    UnitTarget target(const cs_die_target &place) override
    {
        if (place.kind != CS_TARGET_TALLY)
            return {};
        return register_target(bridge_.socket, access_cycles_);
    }
    bool read(cs_cycle cycle, uint32_t offset, bool wide, uint64_t &data) override
    {
        return cs_tally_read(&tally_, cycle, offset, wide, &data);
    }
    bool write(cs_cycle cycle, uint32_t offset, bool wide, uint64_t data) override
    {
        return cs_tally_write(&tally_, cycle, offset, wide, data);
    }

  private:
    unsigned access_cycles_;
    cs_tally tally_;
    RegisterBridge bridge_;
};
} // namespace
std::unique_ptr<Unit> make_tally_unit(const UnitContext &context)
{
    return context.scenario().tally->present ? std::make_unique<TallyUnit>(context) : nullptr;
}
} // namespace cs
