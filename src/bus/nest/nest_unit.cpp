// The scenario's nest counters.
#include "bus/machine/unit.hpp"
#include "bus/nest/nest_module.hpp"
#include "scenario/nest/nest_spec.h"

namespace cs
{

namespace
{

cs_nest_config config_of(const cs_nest_spec &spec)
{
    return {spec.base, static_cast<uint32_t>(spec.tick_cycles), CS_UNIT_NEST};
}

class NestUnit : public Unit
{
  public:
    explicit NestUnit(const UnitContext &context)
        : nest_("nest", context.period, config_of(*context.scenario().nest),
                cs_environment_events(&context.environment, CS_NEST_TIMELINE),
                context.environment.probe)
    {
    }

    UnitManager manager(uint16_t number) override
    {
        return {number == CS_MANAGER_NEST ? &nest_ : nullptr};
    }

  private:
    NestModule nest_;
};

} // namespace

std::unique_ptr<Unit> make_nest_unit(const UnitContext &context)
{
    if (!context.scenario().nest->present)
        return nullptr;
    return std::make_unique<NestUnit>(context);
}

} // namespace cs
