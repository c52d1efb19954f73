// The scenario's PMCU. Its interrupt is a line of the CPU ports.
#include "bus/machine/unit.hpp"
#include "bus/pmcu/pmcu_module.hpp"
#include "scenario/corepmu/corepmu_spec.h"
#include "scenario/machine/bus_spec.h"
#include "scenario/pmcu/pmcu_cpus.h"
#include "scenario/pmcu/pmcu_spec.h"

namespace cs
{

namespace
{

cs_pmcu_config config_of(const cs_scenario &s)
{
    cs_pmcu_config config = {};

    config.clusters = s.pmcu->clusters;
    config.slots = s.pmcu->slots;
    config.lanes = s.pmcu->lanes;
    config.broadcast = s.pmcu->broadcast;
    config.prefetch = s.pmcu->prefetch;
    config.order = static_cast<cs_pmcu_order>(s.pmcu->order);
    config.ext64 = s.corepmu->ext64;
    config.tick_cycles = s.pmcu->tick_cycles;
    return config;
}

class PmcuUnit : public Unit
{
  public:
    explicit PmcuUnit(const UnitContext &context)
        : lanes_(context.scenario().pmcu->lanes),
          access_cycles_(context.scenario().bus->register_access_cycles),
          pmcu_("pmcu", context.period, config_of(context.scenario()), context.environment.probe)
    {
        UnitHost &host = context.host;

        pmcu_.on_irq = [&host](cycle_t cycle, bool level) {
            host.irq_changed(cycle, CS_LINE_PMCU(0), level);
        };
    }

    UnitManager manager(uint16_t number) override
    {
        const unsigned lane = number - CS_MANAGER_PMCU(0u);

        return {lane < lanes_ ? &pmcu_ : nullptr, lane};
    }

    UnitTarget target(const cs_die_target &place) override
    {
        if (place.kind != CS_TARGET_PMCU)
            return {};
        return register_target(pmcu_.registers, access_cycles_, &pmcu_);
    }

  private:
    unsigned lanes_;
    unsigned access_cycles_;
    PmcuModule pmcu_;
};

} // namespace

std::unique_ptr<Unit> make_pmcu_unit(const UnitContext &context)
{
    if (!cs_scenario_has_pmcu(&context.scenario()))
        return nullptr;
    return std::make_unique<PmcuUnit>(context);
}

} // namespace cs
