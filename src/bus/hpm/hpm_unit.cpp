// SPDX-License-Identifier: Apache-2.0
// The scenario's RISC-V harts with their software.
#include <algorithm>
#include <string>
#include <vector>

#include "bus/hpm/hart_module.hpp"
#include "bus/machine/unit.hpp"
#include "drivers/hpm/hart_environment.h"
#include "scenario/hpm/hart_cpus.h"
#include "scenario/hpm/harts_spec.h"

namespace cs
{

namespace
{

HartConfig config_of(cs_environment &environment, unsigned hart)
{
    HartConfig config;

    config.hart = cs_environment_hart(&environment, hart);
    config.hpm = cs_environment_hpm(&environment, hart);
    config.events =
        cs_environment_events(&environment, cs_scenario_hart_cpu(environment.scenario, hart));
    config.probe = environment.probe;
    config.on_run = [&environment, hart](cs_cycle cycle, cs_hart_track track) {
        cs_environment_hart_run(&environment, hart, cycle, track);
    };
    if (cs_environment_hart_masks(&environment, hart)) {
        cs_timeline *timeline =
            environment.timelines[cs_scenario_hart_cpu(environment.scenario, hart)];

        config.irqs_on = [timeline](cs_cycle cycle) {
            return cs_timeline_irqs_on(timeline, cycle);
        };
    }
    return config;
}

class HpmUnit : public Unit
{
  public:
    explicit HpmUnit(const UnitContext &context)
    {
        UnitHost &host = context.host;

        for (unsigned i = 0; i < context.scenario().harts->count; i++) {
            harts_.push_back(std::make_unique<HartModule>(("hart_" + std::to_string(i)).c_str(),
                                                          context.period,
                                                          config_of(context.environment, i)));
            harts_.back()->on_end = [&host](cs_cycle) { host.software_ended(); };
        }
    }

    UnitManager manager(uint16_t number) override
    {
        const unsigned hart = number - CS_MANAGER_HART(0u);

        return {hart < harts_.size() ? harts_[hart].get() : nullptr};
    }

    cs_cycle end_cycle() const override
    {
        cs_cycle end = 0;

        for (const auto &hart : harts_)
            end = std::max(end, hart->end_cycle());
        return end;
    }

    void finish(cs_cycle now) override
    {
        for (const auto &hart : harts_)
            hart->finish(now);
    }

  private:
    std::vector<std::unique_ptr<HartModule>> harts_;
};

} // namespace

std::unique_ptr<Unit> make_hpm_unit(const UnitContext &context)
{
    if (context.scenario().harts->count == 0)
        return nullptr;
    return std::make_unique<HpmUnit>(context);
}

} // namespace cs
