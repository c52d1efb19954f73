#include "lockstep/imc_feed.hpp"

#include "models/imc/imc_core.h"
#include "nest_rows.h"
#include "scenario/scenario.h"

namespace cs
{

void ImcFeed::forget()
{
    mode_until_ = 0;
    for (EventBlock &row : rows_)
        row.forget();
}

void ImcFeed::drive(RtlDie &die, cycle_t now)
{
    const bool capture = die.imc_capture(thread_);

    if (capture || now >= mode_until_) {
        cs_context context;

        cs_timeline_context(timeline_, now, &context);
        mode_until_ = cs_timeline_until(timeline_, now);
        die.imc_mode(thread_, context.mode);
        if (capture)
            die.imc_context(thread_, context.pc, context.cid1, context.cid2);
    }
    unsigned code[2];

    if (!die.imc_active(thread_, code))
        return;
    const uint32_t events[4] = {CS_IMC_EVENT_CPMC1(code[0]), CS_IMC_EVENT_CPMC2(code[1]),
                                CS_IMC_EVENT_CPMC3, CS_IMC_EVENT_CPMC4};
    uint8_t increments[4];

    for (unsigned i = 0; i < 4; i++)
        increments[i] = rows_[i].at(timeline_, CS_EVENT_IMC(event_of_[events[i]]), now);
    die.imc_increments(thread_, increments);
}

void NestFeed::drive(RtlDie &die, cycle_t now)
{
    for (const cs_nest_row &row : cs_nest_rows) {
        if (row.kind != CS_NEST_COUNTERS)
            continue;
        for (unsigned i = 0; i < row.count; i++) {
            const unsigned number = row.first + i;
            const uint32_t event = CS_EVENT_NEST(row.offset / 8u + i);

            die.nest_increment(number, rows_[number].at(timeline_, event, now));
        }
    }
}

} // namespace cs
