// SPDX-License-Identifier: Apache-2.0
// The monitors of IOMMUs: their straps, what the transactions of their sources do, their interrupts,
// and accesses to their registers.
#include <array>
#include <vector>

#include "lockstep/access_pins.hpp"
#include "lockstep/event_block.hpp"
#include "lockstep/units.hpp"
#include "scenario/iommu_hpm/iommu_events.h"
#include "scenario/iommu_hpm/iommu_hpm_spec.h"

namespace cs
{
namespace
{

class IommuHpmUnit : public RtlUnit
{
  public:
    explicit IommuHpmUnit(RtlContext &context);

    void strap() override;
    void drive(cs_cycle now) override;
    void observe(cs_cycle now) override;
    std::vector<cs_part> parts() const override;

  private:
    // A source of transactions: a record of its IOMMU in each cycle.
    struct Source {
        unsigned record; // number among all of the die
        cs_timeline *timeline;
        std::array<EventBlock, CS_IOMMU_EVENTS> events = {};
    };

    void set_ids(unsigned record, const cs_iommu_source_spec &spec);

    const cs_scenario &s_;
    std::vector<Source> sources_;
    std::vector<bool> irqs_; // by IOMMU
    Pin valid_ = pin("iommu_hpm_valid_i");
    Pin inc_ = pin("iommu_hpm_inc_i");
    Pin irq_ = pin("iommu_hpm_irq_o");
    Pin accesses_ = pin("iommu_hpm_acc_o");
};

IommuHpmUnit::IommuHpmUnit(RtlContext &context)
    : RtlUnit(context), s_(context.scenario()), irqs_(s_.iommu_hpm->nr_units)
{
    const unsigned records = die_.size("iommu_hpm", "NrRecord");

    for (unsigned i = 0; i < s_.iommu_hpm->nr_units; i++) {
        const cs_iommu_spec &unit = s_.iommu_hpm->units[i];

        for (unsigned r = 0; r < unit.nr_sources; r++)
            sources_.push_back(
                {r + records * i,
                 context.environment->timelines[CS_IOMMU_TIMELINE(unit.first_source + r)]});
    }
}

void IommuHpmUnit::strap()
{
    const unsigned records = die_.size("iommu_hpm", "NrRecord");

    for (unsigned i = 0; i < s_.iommu_hpm->nr_units; i++) {
        const cs_iommu_spec &unit = s_.iommu_hpm->units[i];

        pin("iommu_hpm_strap_access_cycles_i").set_field(i, 16, unit.access_cycles);
        pin("iommu_hpm_strap_counters_i").set_field(i, 5, unit.counters);
        pin("iommu_hpm_strap_width_i").set_field(i, 7, unit.width);
        for (unsigned r = 0; r < unit.nr_sources; r++)
            set_ids(r + records * i, unit.sources[r]);
    }
}

// All transactions of a source have the same.
void IommuHpmUnit::set_ids(unsigned record, const cs_iommu_source_spec &spec)
{
    pin("iommu_hpm_did_i").set_field(record, 24, spec.device_id);
    pin("iommu_hpm_pv_i").set(record, 1, spec.has_process);
    pin("iommu_hpm_pid_i").set_field(record, 20, spec.process_id);
    pin("iommu_hpm_gscv_i").set(record, 1, spec.has_gscid);
    pin("iommu_hpm_gscid_i").set_field(record, 16, spec.gscid);
    pin("iommu_hpm_pscv_i").set(record, 1, spec.has_pscid);
    pin("iommu_hpm_pscid_i").set_field(record, 20, spec.pscid);
}

void IommuHpmUnit::drive(cs_cycle now)
{
    for (Source &source : sources_) {
        uint32_t all = 0;

        for (unsigned e = 0; e < CS_IOMMU_EVENTS; e++)
            all |= uint32_t{source.events[e].at(source.timeline, CS_EVENT_IOMMU(e + 1), now)}
                   << 4 * e;
        valid_.set(source.record, 1, all != 0);
        inc_.set_field(source.record, 32, all);
    }
}

void IommuHpmUnit::observe(cs_cycle now)
{
    for (unsigned i = 0; i < irqs_.size(); i++) {
        const AccessPins access(accesses_, i);

        if (irq_.bit(i) != irqs_[i]) {
            irqs_[i] = !irqs_[i];
            context_.emit_irq(now, CS_UNIT_IOMMU(i), irqs_[i]);
            context_.raise(now, CS_LINE_IOMMU(i), irqs_[i]);
        }
        if (access.valid())
            context_.emit(access.record(now, CS_UNIT_IOMMU(i), access.offset()));
    }
}

std::vector<cs_part> IommuHpmUnit::parts() const
{
    std::vector<cs_part> all;

    for (unsigned i = 0; i < irqs_.size(); i++)
        all.push_back(part(CS_UNIT_IOMMU(i)));
    return all;
}

} // namespace

std::unique_ptr<RtlUnit> make_iommu_hpm(RtlContext &context)
{
    if (context.scenario().iommu_hpm->nr_units == 0)
        return nullptr;
    return std::make_unique<IommuHpmUnit>(context);
}

} // namespace cs
