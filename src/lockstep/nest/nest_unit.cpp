// SPDX-License-Identifier: Apache-2.0
// The nest: its straps, its events, its states and samples.
#include <array>
#include <string>
#include <vector>

#include "lockstep/event_block.hpp"
#include "lockstep/units.hpp"
#include "nest_rows.h"
#include "scenario/imc/imc_spec.h"
#include "scenario/nest/nest_spec.h"

namespace cs
{
namespace
{

class NestUnit : public RtlUnit
{
  public:
    explicit NestUnit(RtlContext &context) : RtlUnit(context), nests_(context.scenario().imc->chips)
    {
        for (unsigned chip = 0; chip < nests_.size(); chip++)
            nests_[chip].timeline = context.environment->timelines[CS_NEST_TIMELINE_OF(chip)];
    }

    void strap() override;
    void drive(cs_cycle now) override;
    void observe(cs_cycle now) override;
    std::vector<cs_part> parts() const override;

  private:
    static constexpr unsigned kMaxCounters = 512;

    struct Nest {
        cs_timeline *timeline = nullptr;
        std::array<EventBlock, kMaxCounters> rows;
        unsigned last_status = 0;
    };

    void drive_chip(unsigned chip, cs_cycle now);
    void observe_chip(unsigned chip, cs_cycle now);

    // POWER9's and POWER10's are modules of their own.
    Pin own(const char *name) const
    {
        return pin((std::string(power10_ ? "nest10_" : "nest_") + name).c_str());
    }

    std::vector<Nest> nests_; // by chip
    bool power10_ = context_.scenario().imc->power10;
    const cs_nest_program &program_ = cs_nest_programs[power10_];
    Pin inc_ = own("inc_i");
    Pin status_ = own("status_o");
    Pin sample_valid_ = own("sample_valid_o");
    Pin sample_group_ = own("sample_group_o");
    Pin sample_addr_ = own("sample_addr_o");
    Pin sample_number_ = own("sample_number_o");
    Pin sample_bytes_ = own("sample_bytes_o");
    Pin sample_resp_ = own("sample_resp_o");
    Pin sample_start_ = own("sample_start_o");
};

void NestUnit::strap()
{
    const cs_nest_spec *spec = context_.scenario().nest;

    for (unsigned chip = 0; chip < nests_.size(); chip++) {
        own("strap_base_i").set_field(chip, 64, cs_nest_base(spec, chip));
        own("strap_tick_cycles_i").set_field(chip, 32, spec->tick_cycles);
    }
}

void NestUnit::drive(cs_cycle now)
{
    for (unsigned chip = 0; chip < nests_.size(); chip++)
        drive_chip(chip, now);
}

void NestUnit::drive_chip(unsigned chip, cs_cycle now)
{
    Nest &nest = nests_[chip];

    for (unsigned r = 0; r < program_.nr_rows; r++) {
        const cs_nest_row &row = program_.rows[r];

        if (row.kind != CS_NEST_COUNTERS)
            continue;
        for (unsigned i = 0; i < row.count; i++) {
            const unsigned number = row.first + i;
            const uint32_t event = CS_EVENT_NEST(row.offset / 8u + i);

            inc_.set_field(program_.nr_counters * chip + number, 4,
                           nest.rows[number].at(nest.timeline, event, now));
        }
    }
}

void NestUnit::observe(cs_cycle now)
{
    for (unsigned chip = 0; chip < nests_.size(); chip++)
        observe_chip(chip, now);
}

void NestUnit::observe_chip(unsigned chip, cs_cycle now)
{
    const auto status = static_cast<unsigned>(status_.field(chip, 3));
    cs_probe_record record = {};

    record.cycle = now;
    record.source = static_cast<uint16_t>(CS_UNIT_NEST_OF(chip));
    if (status != nests_[chip].last_status) {
        record.kind = CS_PROBE_STATE;
        record.value = nests_[chip].last_status = status;
        context_.emit(record);
    }
    if (!sample_valid_.bit(chip))
        return;
    record.kind = CS_PROBE_SAMPLE;
    record.index = static_cast<uint16_t>(sample_group_.field(chip, 4));
    record.addr = sample_addr_.field(chip, 64);
    record.value = sample_number_.field(chip, 32);
    record.bytes = static_cast<uint32_t>(sample_bytes_.field(chip, 16));
    record.resp = static_cast<uint8_t>(sample_resp_.field(chip, 2));
    record.request = sample_start_.field(chip, 64);
    context_.emit(record);
}

std::vector<cs_part> NestUnit::parts() const
{
    std::vector<cs_part> all;

    for (unsigned chip = 0; chip < nests_.size(); chip++)
        all.push_back(part(CS_UNIT_NEST_OF(chip)));
    return all;
}

} // namespace

std::unique_ptr<RtlUnit> make_nest(RtlContext &context)
{
    if (!context.scenario().nest->present)
        return nullptr;
    return std::make_unique<NestUnit>(context);
}

} // namespace cs
