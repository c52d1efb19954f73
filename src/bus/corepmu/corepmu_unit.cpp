// SPDX-License-Identifier: Apache-2.0
// The core PMUs, behind a register bridge a cluster, and software on their cores.
#include <algorithm>
#include <string>
#include <vector>

#include "bus/corepmu/arm_core_module.hpp"
#include "bus/corepmu/debug_bridge.hpp"
#include "bus/machine/unit.hpp"
#include "drivers/corepmu/arm_pmu.h"
#include "drivers/pmcu/pmcu_driver.h"
#include "scenario/corepmu/corepmu_spec.h"
#include "scenario/corepmu/outages.h"
#include "scenario/pmcu/pmcu_cpus.h"
#include "scenario/pmcu/pmcu_spec.h"
#include <countersink/bus/corepmu/corepmu_port.hpp>

namespace cs
{

namespace
{

static_assert(CS_EVENT_ARM_CLOCK == CS_COREPMU_EVENT_CLOCK, "the same event in both");

class CorePmuUnit : public Unit
{
  public:
    explicit CorePmuUnit(const UnitContext &context)
        : access_cycles_(context.scenario().corepmu->bus_access_cycles),
          by_cpu_(context.environment.nr_cpus)
    {
        const cs_scenario &s = context.scenario();

        for (unsigned cpu = 0; cpu < cs_scenario_arm_cpus(&s); cpu++)
            add_core(context, cpu);
        for (unsigned cluster = 0; cluster < cs_scenario_arm_clusters(&s); cluster++)
            add_cluster(context, cluster);
        for (unsigned cpu = 0; cpu < cores_.size(); cpu++)
            add_software(context, cpu);
    }

    UnitTarget target(const cs_die_target &place) override
    {
        if (place.kind != CS_TARGET_CLUSTER)
            return {};
        if (!debug_.empty())
            return planned_target(*debug_[place.number]);
        return register_target(*clusters_[place.number], access_cycles_);
    }

    void connect(Fabric &fabric) override
    {
        for (const auto &each : software_)
            each->connect(fabric);
        for (const auto &each : debug_)
            if (!software_.empty()) // sees what the bus does to its PMU
                fabric.watch(*each);
    }

    void events_changed(unsigned cpu) override
    {
        if (by_cpu_[cpu] != nullptr)
            by_cpu_[cpu]->changed();
    }

    cs_cycle end_cycle() const override
    {
        cs_cycle end = 0;

        for (const auto &each : software_)
            end = std::max(end, each->end_cycle());
        return end;
    }

  private:
    static UnitTarget planned_target(DebugBridge &bridge)
    {
        UnitTarget target = {&bridge.socket};

        target.config.timing.kind = TargetKind::planned;
        target.config.planner = &bridge;
        return target;
    }

    void add_software(const UnitContext &context, unsigned cpu)
    {
        cs_environment &environment = context.environment;
        UnitHost &host = context.host;
        ArmCoreConfig config;

        if (!cs_environment_arm_core(&environment, cpu, &config.core))
            return;
        config.guest = cs_environment_arm_guest(&environment);
        config.probe = environment.probe;
        config.enter = [&environment, &host, cpu](cs_cycle cycle) {
            cs_environment_enter(&environment, cycle, 1 + cpu);
            host.events_changed(cpu);
        };
        config.leave = [&environment, &host, cpu](cs_cycle cycle) {
            cs_environment_leave(&environment, cycle, 1 + cpu);
            host.events_changed(cpu);
        };
        config.on_end = [&host] { host.software_ended(); };
        software_.push_back(std::make_unique<ArmCoreModule>(("core_" + std::to_string(cpu)).c_str(),
                                                            context.period, config, *cores_[cpu]));
        by_cpu_[cpu] = software_.back().get();
    }

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
        config.hpme = cs_pmcu_driver_hpme(&environment, cpu);
        config.hpmd = spec.hpmd;
        config.spme = spec.spme;
        config.offline = spec.offline[cpu];
        config.locked = spec.locked[cpu];
        cores_.back() = std::make_unique<CorePmuPort>(
            config, cs_timeline_event_source(environment.timelines[cpu]),
            power_of(context.scenario(), cpu));
    }

    static std::vector<CorePower> power_of(const cs_scenario &s, unsigned cpu)
    {
        std::vector<cs_power_change> changes(cs_outages_changes(&s, cpu, nullptr));
        std::vector<CorePower> power;

        if (!changes.empty())
            cs_outages_changes(&s, cpu, changes.data());
        for (const cs_power_change &change : changes)
            power.push_back({change.cycle, change.offline, change.locked});
        return power;
    }

    void add_cluster(const UnitContext &context, unsigned cluster)
    {
        std::vector<RegisterSlot> slots;

        for (unsigned slot = 0; slot < context.scenario().pmcu->slots; slot++) {
            const unsigned cpu = slot + context.scenario().pmcu->slots * cluster;
            slots.push_back({cores_[cpu].get(), static_cast<uint16_t>(CS_UNIT_CORE(cpu))});
        }
        const cs_corepmu_spec &spec = *context.scenario().corepmu;
        const std::string name = "cluster_" + std::to_string(cluster);

        if (spec.bus_ratio != 1 || spec.bus_posted != 0) {
            const DebugBusConfig config = {spec.bus_ratio, spec.bus_access_cycles, spec.bus_posted};

            debug_.push_back(std::make_unique<DebugBridge>(
                name.c_str(), context.period, config, std::move(slots), context.environment.probe,
                static_cast<uint16_t>(CS_UNIT_BROADCAST(cluster))));
            return;
        }
        clusters_.push_back(std::make_unique<RegisterBridge>(
            name.c_str(), context.period, std::move(slots), context.environment.probe));
        clusters_.back()->enable_broadcast(static_cast<uint16_t>(CS_UNIT_BROADCAST(cluster)));
    }

    unsigned access_cycles_;
    std::vector<std::unique_ptr<CorePmuPort>> cores_;       // by CPU; NULL: absent
    std::vector<std::unique_ptr<RegisterBridge>> clusters_; // or
    std::vector<std::unique_ptr<DebugBridge>> debug_;       // slower ones, or with posted writes
    std::vector<std::unique_ptr<ArmCoreModule>> software_;
    std::vector<ArmCoreModule *> by_cpu_; // of all CPUs; NULL: none
};

} // namespace

std::unique_ptr<Unit> make_corepmu_unit(const UnitContext &context)
{
    if (cs_scenario_arm_cpus(&context.scenario()) == 0)
        return nullptr;
    return std::make_unique<CorePmuUnit>(context);
}

} // namespace cs
