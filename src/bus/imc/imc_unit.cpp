// SPDX-License-Identifier: Apache-2.0
// The scenario's IMC cores.
#include <algorithm>

#include "bus/machine/unit.hpp"
#include "scenario/imc/imc_cpus.h"
#include "scenario/imc/imc_spec.h"
#include "scenario/machine/bus_spec.h"
#include <countersink/bus/imc/imc_module.hpp>

namespace cs
{

namespace
{

std::vector<PowerChange> power_of(const cs_scenario &s)
{
    std::vector<PowerChange> power;

    for (size_t i = 0; i < s.imc->nr_deep_stops; i++) {
        const cs_deep_stop_spec &stop = s.imc->deep_stops[i];

        power.push_back({cs_scenario_us(&s, stop.at_us), stop.core, false});
        power.push_back({cs_scenario_us(&s, stop.at_us + stop.for_us), stop.core, true});
    }
    std::stable_sort(power.begin(), power.end(),
                     [](const PowerChange &a, const PowerChange &b) { return a.cycle < b.cycle; });
    return power;
}

ImcConfig config_of(const cs_environment &environment)
{
    const cs_scenario &s = *environment.scenario;
    ImcConfig config;

    config.cores = s.imc->cores;
    config.chips = s.imc->chips;
    config.core.power10 = s.imc->power10;
    config.core.threads = s.imc->threads;
    config.core.tap_log2 = s.imc->tap_log2;
    config.core.timebase = {s.imc->timebase_start, s.imc->timebase_mhz, s.bus->clock_mhz};
    config.core.unit = CS_UNIT_IMC(0);
    config.probe = environment.probe;
    config.power = power_of(s);
    for (unsigned core = 0; core < s.imc->cores; core++) {
        config.events.emplace_back();
        for (unsigned thread = 0; thread < s.imc->threads; thread++)
            config.events.back().push_back(
                cs_environment_events(&environment, cs_scenario_imc_cpu(&s, core, thread)));
    }
    return config;
}

class ImcUnit : public Unit
{
  public:
    explicit ImcUnit(const UnitContext &context)
        : context_(context), spec_(*context.scenario().imc),
          imc_("imc", context.period, config_of(context.environment))
    {
    }

    UnitManager manager(uint16_t number) override
    {
        const unsigned core = number - CS_MANAGER_IMC(0u);

        return {core < spec_.cores ? &imc_ : nullptr, core};
    }

    UnitTarget target(const cs_die_target &place) override
    {
        const unsigned access_cycles = context_.scenario().bus->register_access_cycles;

        if (place.kind == CS_TARGET_SPR)
            return register_target(imc_.spr, access_cycles, &imc_);
        if (place.kind == CS_TARGET_SCOM)
            return register_target(imc_.scom(place.number), access_cycles, &imc_);
        return {};
    }

    // A core has said when its counters will overflow: it has to look again.
    void events_changed(unsigned cpu) override
    {
        const unsigned thread = cpu - cs_scenario_imc_cpu(&context_.scenario(), 0, 0);

        if (thread < spec_.cores * spec_.threads)
            imc_.events_changed(thread / spec_.threads, thread % spec_.threads);
    }

  private:
    UnitContext context_;
    const cs_imc_spec &spec_;
    ImcModule imc_;
};

} // namespace

std::unique_ptr<Unit> make_imc_unit(const UnitContext &context)
{
    if (context.scenario().imc->cores == 0)
        return nullptr;
    return std::make_unique<ImcUnit>(context);
}

} // namespace cs
