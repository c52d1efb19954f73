// The nest: its straps, its events, its states and samples.
#include <array>

#include "lockstep/event_block.hpp"
#include "lockstep/units.hpp"
#include "nest_rows.h"
#include "scenario/nest/nest_spec.h"

namespace cs
{
namespace
{

class NestUnit : public RtlUnit
{
  public:
    explicit NestUnit(RtlContext &context)
        : RtlUnit(context), timeline_(context.environment->timelines[CS_NEST_TIMELINE])
    {
    }

    void strap() override;
    void drive(cycle_t now) override;
    void observe(cycle_t now) override;

  private:
    static constexpr unsigned kMaxCounters = 256;

    cs_timeline *timeline_;
    std::array<EventBlock, kMaxCounters> rows_;
    unsigned last_status_ = 0;
    Pin inc_ = pin("nest_inc_i");
    Pin status_ = pin("nest_status_o");
    Pin sample_valid_ = pin("nest_sample_valid_o");
    Pin sample_group_ = pin("nest_sample_group_o");
    Pin sample_addr_ = pin("nest_sample_addr_o");
    Pin sample_number_ = pin("nest_sample_number_o");
    Pin sample_bytes_ = pin("nest_sample_bytes_o");
    Pin sample_resp_ = pin("nest_sample_resp_o");
    Pin sample_start_ = pin("nest_sample_start_o");
};

void NestUnit::strap()
{
    pin("nest_strap_base_i").set(0, 64, context_.scenario().nest->base);
    pin("nest_strap_tick_cycles_i").set(0, 32, context_.scenario().nest->tick_cycles);
}

void NestUnit::drive(cycle_t now)
{
    for (const cs_nest_row &row : cs_nest_rows) {
        if (row.kind != CS_NEST_COUNTERS)
            continue;
        for (unsigned i = 0; i < row.count; i++) {
            const unsigned number = row.first + i;
            const uint32_t event = CS_EVENT_NEST(row.offset / 8u + i);

            inc_.set_field(number, 4, rows_[number].at(timeline_, event, now));
        }
    }
}

void NestUnit::observe(cycle_t now)
{
    const auto status = static_cast<unsigned>(status_.get(0, 3));
    cs_probe_record record = {};

    record.cycle = now;
    record.source = CS_UNIT_NEST;
    if (status != last_status_) {
        record.kind = CS_PROBE_STATE;
        record.value = last_status_ = status;
        context_.emit(record);
    }
    if (!sample_valid_.bit(0))
        return;
    record.kind = CS_PROBE_SAMPLE;
    record.index = static_cast<uint16_t>(sample_group_.get(0, 3));
    record.addr = sample_addr_.get(0, 64);
    record.value = sample_number_.get(0, 32);
    record.bytes = static_cast<uint32_t>(sample_bytes_.get(0, 16));
    record.resp = static_cast<uint8_t>(sample_resp_.get(0, 2));
    record.request = sample_start_.get(0, 64);
    context_.emit(record);
}

} // namespace

std::unique_ptr<RtlUnit> make_nest(RtlContext &context)
{
    if (!context.scenario().nest->present)
        return nullptr;
    return std::make_unique<NestUnit>(context);
}

} // namespace cs
