// SPDX-License-Identifier: Apache-2.0
// The IMC cores: their straps and power, what their threads do, their states and samples, and
// accesses to their registers.
#include <vector>

#include "lockstep/access_pins.hpp"
#include "lockstep/imc/imc_feed.hpp"
#include "lockstep/units.hpp"
#include "scenario/imc/imc_cpus.h"
#include "scenario/imc/imc_spec.h"
#include "scenario/machine/bus_spec.h"

namespace cs
{
namespace
{

class ImcUnit : public RtlUnit
{
  public:
    explicit ImcUnit(RtlContext &context);

    void strap() override;
    void drive(cs_cycle now) override;
    void observe(cs_cycle now) override;
    std::vector<cs_part> parts() const override;
    void forget(unsigned cpu) override;

  private:
    static constexpr uint32_t kRecordBytes = 64;

    void drive_power(cs_cycle now);
    void observe_sample(unsigned core, cs_probe_record record);
    void observe_losses(unsigned core, cs_probe_record record);
    void observe_accesses(cs_cycle now);
    // The RTL's own number of a thread.
    unsigned thread_of(unsigned core, unsigned thread) const
    {
        return thread + pins_.threads * core;
    }

    const cs_scenario &s_;
    ImcPins pins_;
    std::vector<ImcFeed> feeds_; // by CPU number, from the first of an IMC core on
    std::vector<unsigned> states_;
    Pin power_ = pin("imc_power_i");
    Pin state_ = pin("imc_state_o");
    Pin sample_valid_ = pin("imc_sample_valid_o");
    Pin sample_thread_ = pin("imc_sample_thread_o");
    Pin sample_addr_ = pin("imc_sample_addr_o");
    Pin sample_resp_ = pin("imc_sample_resp_o");
    Pin sample_snap_ = pin("imc_sample_snap_o");
    Pin sample_number_ = pin("imc_sample_number_o");
    Pin lost_ = pin("imc_lost_o");
    Pin dropped_ = pin("imc_dropped_o");
    Pin dropped_addr_ = pin("imc_dropped_addr_o");
    Pin dropped_snap_ = pin("imc_dropped_snap_o");
    Pin accesses_ = pin("imc_acc_o");
};

ImcUnit::ImcUnit(RtlContext &context)
    : RtlUnit(context), s_(context.scenario()), pins_(die_), states_(s_.imc->cores, 0)
{
    for (unsigned core = 0; core < s_.imc->cores; core++)
        for (unsigned thread = 0; thread < s_.imc->threads; thread++)
            feeds_.emplace_back(
                context.environment->timelines[cs_scenario_imc_cpu(&s_, core, thread)],
                s_.imc->event_of, thread_of(core, thread));
}

void ImcUnit::strap()
{
    pin("imc_strap_access_cycles_i").set(0, 8, s_.bus->register_access_cycles);
    pin("imc_strap_power10_i").set(0, 1, s_.imc->power10);
    pin("imc_strap_nr_core_i").set(0, 5, s_.imc->cores);
    pin("imc_strap_chip_cores_i").set(0, 5, cs_imc_chip_cores(s_.imc));
    pin("imc_strap_nr_thread_i").set(0, 3, s_.imc->threads);
    pin("imc_strap_tap_log2_i").set(0, 5, s_.imc->tap_log2);
    pin("imc_strap_tb_start_i").set(0, 64, s_.imc->timebase_start);
    pin("imc_strap_tb_num_i").set(0, 16, s_.imc->timebase_mhz);
    pin("imc_strap_tb_den_i").set(0, 16, s_.bus->clock_mhz);
    for (unsigned core = 0; core < s_.imc->cores; core++)
        power_.set(core, 1, 1);
}

void ImcUnit::drive_power(cs_cycle now)
{
    for (size_t i = 0; i < s_.imc->nr_deep_stops; i++) {
        const cs_deep_stop_spec &stop = s_.imc->deep_stops[i];

        if (now == cs_scenario_us(&s_, stop.at_us))
            power_.set(stop.core, 1, 0);
        if (now == cs_scenario_us(&s_, stop.at_us + stop.for_us))
            power_.set(stop.core, 1, 1);
    }
}

void ImcUnit::drive(cs_cycle now)
{
    drive_power(now);
    for (ImcFeed &feed : feeds_)
        feed.drive(pins_, now);
}

void ImcUnit::observe_sample(unsigned core, cs_probe_record record)
{
    if (!sample_valid_.bit(core))
        return;
    record.kind = CS_PROBE_SAMPLE;
    record.index = static_cast<uint16_t>(sample_thread_.field(core, 2));
    record.addr = sample_addr_.field(core, 64);
    record.value = sample_number_.field(core, 32);
    record.bytes = kRecordBytes;
    record.resp = static_cast<uint8_t>(sample_resp_.field(core, 2));
    record.request = sample_snap_.field(core, 64);
    context_.emit(record);
}

void ImcUnit::observe_losses(unsigned core, cs_probe_record record)
{
    record.kind = CS_PROBE_SAMPLE;
    record.resp = CS_SAMPLE_LOST;
    for (unsigned thread = 0; thread < s_.imc->threads; thread++) {
        const unsigned number = thread_of(core, thread);

        record.index = static_cast<uint16_t>(thread);
        if (lost_.bit(number)) {
            record.addr = 0;
            record.request = record.cycle;
            context_.emit(record);
        }
        if (dropped_.bit(number)) {
            record.addr = dropped_addr_.field(number, 64);
            record.request = dropped_snap_.field(number, 64);
            context_.emit(record);
        }
    }
}

// Bridge 0 is the SPRs', then come the chips' of SCOM.
void ImcUnit::observe_accesses(cs_cycle now)
{
    const AccessPins spr(accesses_, 0);
    if (spr.valid())
        context_.emit(spr.record(now, CS_UNIT_SPR, spr.addr()));
    for (unsigned chip = 0; chip < s_.imc->chips; chip++) {
        const AccessPins scom(accesses_, 1 + chip);

        if (scom.valid())
            context_.emit(scom.record(now, CS_UNIT_SCOM_OF(chip), scom.addr() >> 3));
    }
}

void ImcUnit::observe(cs_cycle now)
{
    for (unsigned core = 0; core < s_.imc->cores; core++) {
        const auto state = static_cast<unsigned>(state_.field(core, 3));
        cs_probe_record record = {};

        record.cycle = now;
        record.source = static_cast<uint16_t>(CS_UNIT_IMC(core));
        if (state != states_[core]) {
            cs_probe_record changed = record;

            changed.kind = CS_PROBE_STATE;
            changed.value = states_[core] = state;
            context_.emit(changed);
        }
        observe_sample(core, record);
        observe_losses(core, record);
    }
    observe_accesses(now);
}

void ImcUnit::forget(unsigned cpu)
{
    const unsigned first = cs_scenario_imc_cpu(&s_, 0, 0);

    if (cpu >= first && cpu - first < feeds_.size())
        feeds_[cpu - first].forget();
}

std::vector<cs_part> ImcUnit::parts() const
{
    std::vector<cs_part> all;

    for (unsigned core = 0; core < s_.imc->cores; core++)
        all.push_back(part(CS_UNIT_IMC(core)));
    return all;
}

} // namespace

std::unique_ptr<RtlUnit> make_imc(RtlContext &context)
{
    if (context.scenario().imc->cores == 0)
        return nullptr;
    return std::make_unique<ImcUnit>(context);
}

} // namespace cs
