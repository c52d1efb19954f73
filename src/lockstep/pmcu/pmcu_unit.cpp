// The PMCU: its straps, its states, interrupt and samples, and accesses to its registers and to
// those of the cores.
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
    void observe(cycle_t now) override;

  private:
    void observe_state(cycle_t now);
    void observe_sample(cycle_t now);
    void observe_accesses(cycle_t now);

    Pin irq_ = pin("pmcu_irq_o");
    Pin state_ = pin("pmcu_state_o");
    Pin sample_valid_ = pin("pmcu_sample_valid_o");
    Pin sample_addr_ = pin("pmcu_sample_addr_o");
    Pin sample_number_ = pin("pmcu_sample_number_o");
    Pin sample_bytes_ = pin("pmcu_sample_bytes_o");
    Pin accesses_ = pin("pmcu_acc_o");
    bool last_irq_ = false;
    unsigned last_state_ = 0;
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

void PmcuUnit::observe(cycle_t now)
{
    observe_state(now);
    observe_sample(now);
    observe_accesses(now);
}

void PmcuUnit::observe_state(cycle_t now)
{
    const auto state = static_cast<unsigned>(state_.get(0, 4));
    const bool irq = irq_.bit(0);
    cs_probe_record record = {};

    record.cycle = now;
    record.source = CS_UNIT_PMCU;
    if (state != last_state_) {
        record.kind = CS_PROBE_STATE;
        record.value = last_state_ = state;
        context_.emit(record);
    }
    if (irq == last_irq_)
        return;
    record.kind = CS_PROBE_IRQ;
    record.value = last_irq_ = irq;
    context_.emit(record);
    context_.raise(now, CS_LINE_PMCU(0), irq);
}

void PmcuUnit::observe_sample(cycle_t now)
{
    cs_probe_record record = {};

    if (!sample_valid_.bit(0))
        return;
    record.cycle = now;
    record.source = CS_UNIT_PMCU;
    record.kind = CS_PROBE_SAMPLE;
    record.addr = sample_addr_.get(0, 64);
    record.value = sample_number_.get(0, 32);
    record.bytes = static_cast<uint32_t>(sample_bytes_.get(0, 16));
    context_.emit(record);
}

// Bridge 0 is the PMCU's, 1 + k that of cluster k.
void PmcuUnit::observe_accesses(cycle_t now)
{
    const cs_scenario &s = context_.scenario();

    for (unsigned bridge = 0; bridge < s.pmcu->clusters + 1; bridge++) {
        const AccessPins access(accesses_, bridge);
        unsigned source = CS_UNIT_PMCU;

        if (!access.valid())
            continue;
        if (bridge != 0)
            source = access.slot() == kBroadcastSlot
                         ? CS_UNIT_BROADCAST(bridge - 1)
                         : CS_UNIT_CORE(access.slot() + s.pmcu->slots * (bridge - 1));
        context_.emit(access.record(now, source, access.offset()));
    }
}

} // namespace

std::unique_ptr<RtlUnit> make_pmcu(RtlContext &context)
{
    if (!cs_scenario_has_pmcu(&context.scenario()))
        return nullptr;
    return std::make_unique<PmcuUnit>(context);
}

} // namespace cs
