// SPDX-License-Identifier: Apache-2.0
// The scenario's IOMMUs: their monitors, each behind a bridge, and what comes to them.
#include <string>
#include <vector>

#include "bus/machine/unit.hpp"
#include "bus/machine/unit_lines.hpp"
#include "scenario/iommu_hpm/iommu_hpm_spec.h"
#include <countersink/bus/iommu_hpm/iommu_hpm_port.hpp>

namespace cs
{

namespace
{

// What comes to an IOMMU.
struct Sources {
    const cs_iommu_spec *unit;
    cs_timeline *const *timelines; // of its sources

    static uint64_t sum(void *ctx, uint64_t evt, cs_cycle from, cs_cycle to)
    {
        const auto *sources = static_cast<const Sources *>(ctx);
        const uint32_t event = CS_EVENT_IOMMU(cs_iommu_hpm_event(evt));
        uint64_t total = 0;

        for (size_t i = 0; i < sources->unit->nr_sources; i++) {
            const cs_iommu_source_spec &o = sources->unit->sources[i];
            const cs_iommu_hpm_ids ids = {o.device_id,   o.process_id, o.gscid,    o.pscid,
                                          o.has_process, o.has_gscid,  o.has_pscid};

            if (cs_iommu_hpm_fits(evt, &ids))
                total += cs_timeline_sum(sources->timelines[i], event, CS_MODE_ALL, from, to);
        }
        return total;
    }
};

class IommuHpmUnit : public Unit
{
  public:
    explicit IommuHpmUnit(const UnitContext &context) : spec_(*context.scenario().iommu_hpm)
    {
        UnitHost &host = context.host;

        lines_ = std::make_unique<UnitLines>(
            "iommu_hpm_lines", context.period, [&host](unsigned unit, cs_cycle cycle, bool level) {
                host.irq_changed(cycle, CS_LINE_IOMMU(unit), level);
            });
        sources_.reserve(spec_.nr_units);
        for (unsigned i = 0; i < spec_.nr_units; i++)
            add(context, i);
    }

    UnitTarget target(const cs_die_target &place) override
    {
        if (place.kind != CS_TARGET_IOMMU)
            return {};
        return register_target(*bridges_[place.number], spec_.units[place.number].access_cycles);
    }

    void connect(Fabric &fabric) override
    {
        lines_->connect(fabric);
    }

    void finish(cs_cycle now) override
    {
        lines_->come_to(now);
        for (const auto &port : ports_)
            port->finish(now);
    }

  private:
    void add(const UnitContext &context, unsigned number)
    {
        const cs_iommu_spec &unit = spec_.units[number];
        const auto source = static_cast<uint16_t>(CS_UNIT_IOMMU(number));
        const cs_iommu_hpm_config config = {unit.counters, unit.width, source};

        sources_.push_back(
            {&unit, &context.environment.timelines[CS_IOMMU_TIMELINE(unit.first_source)]});
        const cs_iommu_hpm_env env = {Sources::sum, &sources_.back(), context.environment.probe};

        ports_.push_back(std::make_unique<LinePort<IommuHpmPort>>(*lines_, config, env));
        bridges_.push_back(std::make_unique<RegisterBridge>(
            ("iommu_hpm_" + std::to_string(number)).c_str(), context.period,
            std::vector<RegisterSlot>{{ports_.back().get(), source}}, context.environment.probe));
    }

    const cs_iommu_hpm_spec &spec_;
    std::vector<Sources> sources_;
    std::unique_ptr<UnitLines> lines_;
    std::vector<std::unique_ptr<IommuHpmPort>> ports_;
    std::vector<std::unique_ptr<RegisterBridge>> bridges_;
};

} // namespace

std::unique_ptr<Unit> make_iommu_hpm_unit(const UnitContext &context)
{
    if (context.scenario().iommu_hpm->nr_units == 0)
        return nullptr;
    return std::make_unique<IommuHpmUnit>(context);
}

} // namespace cs
