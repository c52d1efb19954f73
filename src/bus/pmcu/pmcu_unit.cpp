// SPDX-License-Identifier: Apache-2.0
// The scenario's PMCUs, one a die. The interrupt of each is a line of the CPU ports.
#include <string>
#include <vector>

#include "bus/machine/unit.hpp"
#include "scenario/corepmu/corepmu_spec.h"
#include "scenario/machine/bus_spec.h"
#include "scenario/pmcu/pmcu_cpus.h"
#include "scenario/pmcu/pmcu_spec.h"
#include <countersink/bus/pmcu/pmcu_module.hpp>

namespace cs
{

namespace
{

cs_pmcu_config config_of(const cs_scenario &s, unsigned die)
{
    cs_pmcu_config config = {};

    config.clusters = s.pmcu->clusters;
    config.slots = s.pmcu->slots;
    config.lanes = s.pmcu->lanes;
    config.broadcast = s.pmcu->broadcast;
    config.prefetch = s.pmcu->prefetch;
    config.order = static_cast<cs_pmcu_order>(s.pmcu->order);
    config.ext64 = s.corepmu->ext64;
    config.posted = s.corepmu->bus_posted != 0;
    config.tick_cycles = s.pmcu->tick_cycles;
    config.die = static_cast<uint16_t>(die);
    return config;
}

class PmcuUnit : public Unit
{
  public:
    explicit PmcuUnit(const UnitContext &context)
        : lanes_(context.scenario().pmcu->lanes),
          access_cycles_(context.scenario().bus->register_access_cycles)
    {
        for (unsigned die = 0; die < context.scenario().pmcu->dies; die++)
            add_pmcu(context, die);
    }

    UnitManager manager(uint16_t number) override
    {
        const unsigned place = number - CS_MANAGER_PMCU(0u);
        const unsigned die = place / CS_PMCU_LANES, lane = place % CS_PMCU_LANES;

        return {lane < lanes_ && die < pmcus_.size() ? pmcus_[die].get() : nullptr, lane};
    }

    UnitTarget target(const cs_die_target &place) override
    {
        if (place.kind != CS_TARGET_PMCU)
            return {};
        PmcuModule &pmcu = *pmcus_[place.number];

        return register_target(pmcu.registers, access_cycles_, &pmcu);
    }

  private:
    void add_pmcu(const UnitContext &context, unsigned die)
    {
        const std::string name = die == 0 ? "pmcu" : "pmcu_" + std::to_string(die);
        UnitHost &host = context.host;

        pmcus_.push_back(std::make_unique<PmcuModule>(name.c_str(), context.period,
                                                      config_of(context.scenario(), die),
                                                      context.environment.probe));
        pmcus_.back()->on_irq = [&host, die](cs_cycle cycle, bool level) {
            host.irq_changed(cycle, CS_LINE_PMCU(die), level);
        };
    }

    unsigned lanes_;
    unsigned access_cycles_;
    std::vector<std::unique_ptr<PmcuModule>> pmcus_; // by die
};

} // namespace

std::unique_ptr<Unit> make_pmcu_unit(const UnitContext &context)
{
    if (!cs_scenario_has_pmcu(&context.scenario()))
        return nullptr;
    return std::make_unique<PmcuUnit>(context);
}

} // namespace cs
