// SPDX-License-Identifier: Apache-2.0
// The PMCUs, one a die: straps, states, interrupts and samples, and accesses to their registers and
// to those of the cores.
#include <algorithm>

#include "lockstep/access_pins.hpp"
#include "lockstep/units.hpp"
#include "scenario/machine/bus_spec.h"
#include "scenario/pmcu/pmcu_cpus.h"
#include "scenario/pmcu/pmcu_spec.h"

namespace cs
{
namespace
{

class PmcuUnit : public RtlUnit
{
  public:
    using RtlUnit::RtlUnit;

    void strap() override;
    void observe(cs_cycle now) override;
    std::vector<cs_part> parts() const override;

  private:
    void observe_state(cs_cycle now, unsigned die);
    void observe_sample(cs_cycle now, unsigned die);
    void observe_accesses(cs_cycle now);
    unsigned source_of(const AccessPins &access, unsigned bridge) const;

    // A field a die; bridges are those of the RTL.
    Pin irq_ = pin("pmcu_irq_o");
    Pin state_ = pin("pmcu_state_o");
    Pin sample_valid_ = pin("pmcu_sample_valid_o");
    Pin sample_addr_ = pin("pmcu_sample_addr_o");
    Pin sample_number_ = pin("pmcu_sample_number_o");
    Pin sample_bytes_ = pin("pmcu_sample_bytes_o");
    Pin accesses_ = pin("pmcu_acc_o");
    unsigned dies_ = context_.scenario().pmcu->dies;
    unsigned rtl_dies_ = std::max(1u, die_.size("pmcu", "NrDie"));
    bool last_irq_[CS_MAX_DIES] = {};
    unsigned last_state_[CS_MAX_DIES] = {};
};

void PmcuUnit::strap()
{
    const cs_scenario &s = context_.scenario();

    pin("pmcu_strap_access_cycles_i").set(0, 8, s.bus->register_access_cycles);
    pin("pmcu_strap_nr_cluster_i").set(0, 5, s.pmcu->clusters);
    pin("pmcu_strap_nr_slot_i").set(0, 4, s.pmcu->slots);
    pin("pmcu_strap_nr_lane_i").set(0, 3, s.pmcu->lanes);
    pin("pmcu_strap_broadcast_i").set(0, 1, s.pmcu->broadcast);
    pin("pmcu_strap_prefetch_i").set(0, 1, s.pmcu->prefetch);
    pin("pmcu_strap_order_i").set(0, 2, s.pmcu->order);
    pin("pmcu_strap_tick_cycles_i").set(0, 16, s.pmcu->tick_cycles);
}

void PmcuUnit::observe(cs_cycle now)
{
    for (unsigned die = 0; die < dies_; die++) {
        observe_state(now, die);
        observe_sample(now, die);
    }
    observe_accesses(now);
}

void PmcuUnit::observe_state(cs_cycle now, unsigned die)
{
    const auto state = static_cast<unsigned>(state_.field(die, 4));
    const bool irq = irq_.bit(die);

    if (state != last_state_[die]) {
        cs_probe_record record = {};

        record.cycle = now;
        record.source = static_cast<uint16_t>(CS_UNIT_PMCU + die);
        record.kind = CS_PROBE_STATE;
        record.value = last_state_[die] = state;
        context_.emit(record);
    }
    if (irq == last_irq_[die])
        return;
    last_irq_[die] = irq;
    context_.emit_irq(now, CS_UNIT_PMCU + die, irq);
    context_.raise(now, CS_LINE_PMCU(die), irq);
}

void PmcuUnit::observe_sample(cs_cycle now, unsigned die)
{
    cs_probe_record record = {};

    if (!sample_valid_.bit(die))
        return;
    record.cycle = now;
    record.source = static_cast<uint16_t>(CS_UNIT_PMCU + die);
    record.kind = CS_PROBE_SAMPLE;
    record.addr = sample_addr_.field(die, 64);
    record.value = sample_number_.field(die, 32);
    record.bytes = static_cast<uint32_t>(sample_bytes_.field(die, 16));
    context_.emit(record);
}

// The first bridges are the PMCUs', those behind them the clusters'.
unsigned PmcuUnit::source_of(const AccessPins &access, unsigned bridge) const
{
    if (bridge < rtl_dies_)
        return CS_UNIT_PMCU + bridge;
    const unsigned cluster = bridge - rtl_dies_;

    return access.slot() == kBroadcastSlot
               ? CS_UNIT_BROADCAST(cluster)
               : CS_UNIT_CORE(access.slot() + context_.scenario().pmcu->slots * cluster);
}

void PmcuUnit::observe_accesses(cs_cycle now)
{
    const unsigned bridges = rtl_dies_ + cs_scenario_arm_clusters(&context_.scenario());

    for (unsigned bridge = 0; bridge < bridges; bridge++) {
        const AccessPins access(accesses_, bridge);

        if (access.valid())
            context_.emit(access.record(now, source_of(access, bridge), access.offset()));
    }
}

std::vector<cs_part> PmcuUnit::parts() const
{
    std::vector<cs_part> all;

    for (unsigned die = 0; die < dies_; die++)
        all.push_back(part(CS_UNIT_PMCU + die));
    return all;
}

} // namespace

std::unique_ptr<RtlUnit> make_pmcu(RtlContext &context)
{
    if (!cs_scenario_has_pmcu(&context.scenario()))
        return nullptr;
    return std::make_unique<PmcuUnit>(context);
}

} // namespace cs
