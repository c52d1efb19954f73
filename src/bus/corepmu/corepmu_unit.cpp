// The core PMUs, behind a register bridge a cluster.
#include <string>
#include <vector>

#include "bus/corepmu/corepmu_port.hpp"
#include "bus/machine/unit.hpp"
#include "drivers/pmcu/pmcu_driver.h"
#include "scenario/corepmu/corepmu_spec.h"
#include "scenario/machine/bus_spec.h"
#include "scenario/pmcu/pmcu_cpus.h"
#include "scenario/pmcu/pmcu_spec.h"

namespace cs
{

namespace
{

static_assert(CS_EVENT_ARM_CLOCK == CS_COREPMU_EVENT_CLOCK, "the same event in both");

class CorePmuUnit : public Unit
{
  public:
    explicit CorePmuUnit(const UnitContext &context)
        : access_cycles_(context.scenario().bus->register_access_cycles)
    {
        const cs_scenario &s = context.scenario();

        for (unsigned cpu = 0; cpu < cs_scenario_arm_cpus(&s); cpu++)
            add_core(context, cpu);
        for (unsigned cluster = 0; cluster < s.pmcu->clusters; cluster++)
            add_cluster(context, cluster);
    }

    UnitTarget target(const cs_die_target &place) override
    {
        if (place.kind != CS_TARGET_CLUSTER)
            return {};
        return register_target(clusters_[place.number]->socket, access_cycles_);
    }

  private:
    void add_core(const UnitContext &context, unsigned cpu)
    {
        const cs_environment &environment = context.environment;
        const cs_corepmu_spec &spec = *context.scenario().corepmu;
        cs_corepmu_config config = {};

        cores_.emplace_back();
        if (spec.absent[cpu])
            return;
        config.counters = spec.counters;
        config.ext64 = spec.ext64;
        config.hpmn = spec.hpmn;
        config.hpme = cs_pmcu_driver_hpme(&environment);
        config.hpmd = spec.hpmd;
        config.spme = spec.spme;
        config.offline = spec.offline[cpu];
        config.locked = spec.locked[cpu];
        cores_.back() = std::make_unique<CorePmuPort>(
            config, cs_timeline_event_source(environment.timelines[cpu]));
    }

    void add_cluster(const UnitContext &context, unsigned cluster)
    {
        std::vector<RegisterSlot> slots;

        for (unsigned slot = 0; slot < context.scenario().pmcu->slots; slot++) {
            const unsigned cpu = slot + context.scenario().pmcu->slots * cluster;
            slots.push_back({cores_[cpu].get(), static_cast<uint16_t>(CS_UNIT_CORE(cpu))});
        }
        clusters_.push_back(std::make_unique<RegisterBridge>(
            ("cluster_" + std::to_string(cluster)).c_str(), context.period, std::move(slots),
            context.environment.probe));
        clusters_.back()->enable_broadcast(static_cast<uint16_t>(CS_UNIT_BROADCAST(cluster)));
    }

    unsigned access_cycles_;
    std::vector<std::unique_ptr<CorePmuPort>> cores_; // by CPU; NULL: absent
    std::vector<std::unique_ptr<RegisterBridge>> clusters_;
};

} // namespace

std::unique_ptr<Unit> make_corepmu_unit(const UnitContext &context)
{
    if (cs_scenario_arm_cpus(&context.scenario()) == 0)
        return nullptr;
    return std::make_unique<CorePmuUnit>(context);
}

} // namespace cs
