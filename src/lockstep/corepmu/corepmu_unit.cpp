// The cores' PMUs, which stand behind the PMCU's bridges: their straps, and what the cores do.
#include <vector>

#include "drivers/pmcu/pmcu_driver.h"
#include "lockstep/corepmu/core_feed.hpp"
#include "lockstep/units.hpp"
#include "scenario/corepmu/corepmu_spec.h"
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
    void drive(cycle_t now) override;
    void forget(unsigned cpu) override;

  private:
    // The RTL's own number of a core.
    unsigned core(unsigned cpu) const;

    CorePins pins_;
    std::vector<CoreFeed> feeds_; // by CPU number
};

CorePmuUnit::CorePmuUnit(RtlContext &context) : RtlUnit(context), pins_(die_)
{
    for (unsigned cpu = 0; cpu < cs_scenario_arm_cpus(&context.scenario()); cpu++)
        feeds_.emplace_back(context.environment->timelines[cpu], core(cpu));
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
    pin("pmcu_strap_nr_counter_i").set(0, 5, s.corepmu->counters);
    for (unsigned cpu = 0; cpu < feeds_.size(); cpu++) {
        pin("pmcu_strap_present_i").set(core(cpu), 1, !s.corepmu->absent[cpu]);
        pin("pmcu_strap_offline_i").set(core(cpu), 1, s.corepmu->offline[cpu]);
        pin("pmcu_strap_locked_i").set(core(cpu), 1, s.corepmu->locked[cpu]);
        pin("pmcu_strap_hpme_i").set(core(cpu), 1, cs_pmcu_driver_hpme(context_.environment));
        pin("pmcu_strap_hpmd_i").set(core(cpu), 1, s.corepmu->hpmd);
        pin("pmcu_strap_spme_i").set(core(cpu), 1, s.corepmu->spme);
        pin("pmcu_strap_hpmn_i").set_field(core(cpu), 5, s.corepmu->hpmn);
    }
}

void CorePmuUnit::drive(cycle_t now)
{
    for (CoreFeed &feed : feeds_)
        feed.drive(pins_, now);
}

void CorePmuUnit::forget(unsigned cpu)
{
    if (cpu < feeds_.size())
        feeds_[cpu].forget();
}

} // namespace

std::unique_ptr<RtlUnit> make_corepmu(RtlContext &context)
{
    if (!cs_scenario_has_pmcu(&context.scenario()))
        return nullptr;
    return std::make_unique<CorePmuUnit>(context);
}

} // namespace cs
