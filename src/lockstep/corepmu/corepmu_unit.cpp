// SPDX-License-Identifier: Apache-2.0
// The cores' PMUs, which stand behind the PMCU's bridges: their straps, what the cores do, and
// software on them.
#include <algorithm>
#include <vector>

#include "drivers/corepmu/arm_pmu.h"
#include "drivers/pmcu/pmcu_driver.h"
#include "lockstep/corepmu/core_feed.hpp"
#include "lockstep/corepmu/core_software.hpp"
#include "lockstep/units.hpp"
#include "scenario/corepmu/corepmu_spec.h"
#include "scenario/corepmu/outages.h"
#include "scenario/pmcu/pmcu_cpus.h"
#include "scenario/pmcu/pmcu_spec.h"

namespace cs
{
namespace
{

class CorePmuUnit : public RtlUnit
{
  public:
    explicit CorePmuUnit(RtlContext &context);

    void strap() override;
    cs_status create(cs_diag *diag) override;
    void drive(cs_cycle now) override;
    void observe(cs_cycle now) override;
    void step(cs_cycle now) override;
    std::vector<cs_part> parts() const override;
    cs_timeline *counts(uint16_t source) const override;
    std::string event_name(uint32_t event) const override;
    cs_cycle end() const override;
    void forget(unsigned cpu) override;

  private:
    // The RTL's own number of a core.
    unsigned core(unsigned cpu) const;
    void set_power(unsigned cpu, bool offline, bool locked);

    struct PowerChange {
        unsigned cpu;
        cs_power_change what;
    };

    CorePins pins_;
    std::vector<PowerChange> power_; // in rising order
    std::size_t next_power_ = 0;
    std::vector<CoreFeed> feeds_; // by CPU number
    SysPins sys_;
    std::vector<std::unique_ptr<CoreSoftware>> software_;
};

CorePmuUnit::CorePmuUnit(RtlContext &context) : RtlUnit(context), pins_(die_), sys_(die_)
{
    for (unsigned cpu = 0; cpu < cs_scenario_arm_cpus(&context.scenario()); cpu++)
        feeds_.emplace_back(context.environment->timelines[cpu], core(cpu));
    for (unsigned cpu = 0; cpu < feeds_.size(); cpu++) {
        std::vector<cs_power_change> changes(cs_outages_changes(&context.scenario(), cpu, nullptr));

        cs_outages_changes(&context.scenario(), cpu, changes.data());
        for (const cs_power_change &change : changes)
            power_.push_back({cpu, change});
    }
    std::stable_sort(power_.begin(), power_.end(),
                     [](const auto &a, const auto &b) { return a.what.cycle < b.what.cycle; });
}

unsigned CorePmuUnit::core(unsigned cpu) const
{
    const unsigned slots = context_.scenario().pmcu->slots;

    return cpu % slots + pins_.slots * (cpu / slots);
}

void CorePmuUnit::strap()
{
    const cs_scenario &s = context_.scenario();

    pin("pmcu_strap_ext64_i").set(0, 1, s.corepmu->ext64);
    pin("pmcu_strap_core_access_cycles_i").set(0, 8, s.corepmu->bus_access_cycles);
    pin("pmcu_strap_core_ratio_i").set(0, 5, s.corepmu->bus_ratio);
    pin("pmcu_strap_core_posted_i").set(0, 4, s.corepmu->bus_posted);
    pin("pmcu_strap_nr_counter_i").set(0, 5, s.corepmu->counters);
    for (unsigned cpu = 0; cpu < feeds_.size(); cpu++) {
        pin("pmcu_strap_present_i").set(core(cpu), 1, !s.corepmu->absent[cpu]);
        set_power(cpu, s.corepmu->offline[cpu], s.corepmu->locked[cpu]);
        pin("pmcu_strap_hpme_i").set(core(cpu), 1, cs_pmcu_driver_hpme(context_.environment, cpu));
        pin("pmcu_strap_hpmd_i").set(core(cpu), 1, s.corepmu->hpmd);
        pin("pmcu_strap_spme_i").set(core(cpu), 1, s.corepmu->spme);
        pin("pmcu_strap_hpmn_i").set_field(core(cpu), 5, s.corepmu->hpmn);
    }
}

void CorePmuUnit::set_power(unsigned cpu, bool offline, bool locked)
{
    pin("pmcu_offline_i").set(core(cpu), 1, offline);
    pin("pmcu_locked_i").set(core(cpu), 1, locked);
}

void CorePmuUnit::drive(cs_cycle now)
{
    for (; next_power_ < power_.size() && power_[next_power_].what.cycle <= now; next_power_++)
        set_power(power_[next_power_].cpu, power_[next_power_].what.offline,
                  power_[next_power_].what.locked);
    for (CoreFeed &feed : feeds_)
        feed.drive(pins_, now);
    for (const auto &each : software_)
        each->drive(sys_, now);
}

cs_status CorePmuUnit::create(cs_diag *diag)
{
    cs_status status = CS_OK;

    for (unsigned cpu = 0; cpu < feeds_.size() && status == CS_OK; cpu++) {
        cs_arm_core_config config = {};

        if (!cs_environment_arm_core(context_.environment, cpu, &config))
            continue;
        software_.push_back(std::make_unique<CoreSoftware>(context_, feeds_[cpu], core(cpu)));
        status = software_.back()->create(config, diag);
    }
    return status;
}

void CorePmuUnit::observe(cs_cycle now)
{
    for (const auto &each : software_)
        each->observe(sys_, now);
}

void CorePmuUnit::step(cs_cycle now)
{
    for (const auto &each : software_)
        each->step(now);
}

cs_cycle CorePmuUnit::end() const
{
    cs_cycle end = 0;

    for (const auto &each : software_)
        end = std::max(end, each->end());
    return end;
}

void CorePmuUnit::forget(unsigned cpu)
{
    if (cpu < feeds_.size())
        feeds_[cpu].forget();
}

cs_timeline *CorePmuUnit::counts(uint16_t source) const
{
    for (unsigned cpu = 0; cpu < feeds_.size(); cpu++)
        if (source == CS_UNIT_CORE(cpu) || source == CS_UNIT_SYSREGS(cpu))
            return context_.environment->timelines[cpu];
    return nullptr;
}

std::string CorePmuUnit::event_name(uint32_t event) const
{
    return event == CS_EVENT_ARM_CLOCK ? "clock" : RtlUnit::event_name(event);
}

// Those that have power at least.
std::vector<cs_part> CorePmuUnit::parts() const
{
    const cs_corepmu_spec *spec = context_.scenario().corepmu;
    std::vector<cs_part> all;

    for (unsigned cpu = 0; cpu < feeds_.size(); cpu++)
        if (!spec->absent[cpu] && !spec->offline[cpu])
            all.push_back({static_cast<uint16_t>(CS_UNIT_CORE(cpu)),
                           static_cast<uint16_t>(CS_UNIT_SYSREGS(cpu))});
    return all;
}

} // namespace

std::unique_ptr<RtlUnit> make_corepmu(RtlContext &context)
{
    if (!cs_scenario_has_pmcu(&context.scenario()))
        return nullptr;
    return std::make_unique<CorePmuUnit>(context);
}

} // namespace cs
