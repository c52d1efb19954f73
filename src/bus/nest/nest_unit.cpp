// SPDX-License-Identifier: Apache-2.0
// The scenario's nest counters.
#include <memory>
#include <string>
#include <vector>

#include "bus/machine/unit.hpp"
#include "scenario/imc/imc_spec.h"
#include "scenario/nest/nest_spec.h"
#include <countersink/bus/nest/nest_module.hpp>

namespace cs
{

namespace
{

cs_nest_config config_of(const cs_scenario &scenario, unsigned chip)
{
    const cs_nest_spec &spec = *scenario.nest;

    return {cs_nest_base(&spec, chip), static_cast<uint32_t>(spec.tick_cycles),
            static_cast<uint16_t>(CS_UNIT_NEST_OF(chip)), scenario.imc->power10};
}

std::string name_of(unsigned chip)
{
    return chip == 0 ? "nest" : "nest_" + std::to_string(chip);
}

class NestUnit : public Unit
{
  public:
    explicit NestUnit(const UnitContext &context)
    {
        for (unsigned chip = 0; chip < context.scenario().imc->chips; chip++)
            nests_.push_back(std::make_unique<NestModule>(
                name_of(chip).c_str(), context.period, config_of(context.scenario(), chip),
                cs_environment_events(&context.environment, CS_NEST_TIMELINE_OF(chip)),
                context.environment.probe));
    }

    UnitManager manager(uint16_t number) override
    {
        for (unsigned chip = 0; chip < nests_.size(); chip++)
            if (number == CS_MANAGER_NEST_OF(chip))
                return {nests_[chip].get()};
        return {};
    }

  private:
    std::vector<std::unique_ptr<NestModule>> nests_; // by chip
};

} // namespace

std::unique_ptr<Unit> make_nest_unit(const UnitContext &context)
{
    if (!context.scenario().nest->present)
        return nullptr;
    return std::make_unique<NestUnit>(context);
}

} // namespace cs
