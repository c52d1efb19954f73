// SPDX-License-Identifier: Apache-2.0
#include "lockstep/imc/imc_feed.hpp"

#include "scenario/scenario.h"
#include <countersink/models/imc/imc_core.h>

namespace cs
{

ImcPins::ImcPins(const RtlDie &die)
    : threads(die.size("imc", "NrThread")),
      active(die.pin("imc_active_o")), code{die.pin("imc_code1_o"), die.pin("imc_code2_o")},
      inc{die.pin("imc_inc1_i"), die.pin("imc_inc2_i"), die.pin("imc_inc3_i"),
          die.pin("imc_inc4_i")},
      mode(die.pin("imc_mode_i")), capture(die.pin("imc_capture_o")), pc(die.pin("imc_pc_i")),
      pid(die.pin("imc_pid_i")), lpid(die.pin("imc_lpid_i"))
{
}

void ImcFeed::forget()
{
    mode_until_ = 0;
    for (EventBlock &row : rows_)
        row.forget();
}

void ImcFeed::drive(ImcPins &pins, cs_cycle now)
{
    const bool capture = pins.capture.bit(thread_);

    if (capture || now >= mode_until_) {
        cs_context context;

        cs_timeline_context(timeline_, now, &context);
        mode_until_ = cs_timeline_until(timeline_, now);
        pins.mode.set_field(thread_, 2, context.mode);
        if (capture) {
            pins.pc.set_field(thread_, 64, context.pc);
            pins.pid.set_field(thread_, 32, context.cid1);
            pins.lpid.set_field(thread_, 32, context.cid2);
        }
    }
    if (!pins.active.bit(thread_))
        return;
    const auto first = static_cast<uint32_t>(pins.code[0].field(thread_, 7));
    const auto second = static_cast<uint32_t>(pins.code[1].field(thread_, 7));
    const uint32_t events[4] = {CS_IMC_EVENT_CPMC1(first), CS_IMC_EVENT_CPMC2(second),
                                CS_IMC_EVENT_CPMC3, CS_IMC_EVENT_CPMC4};

    for (unsigned i = 0; i < 4; i++)
        pins.inc[i].set_field(thread_, 4,
                              rows_[i].at(timeline_, CS_EVENT_IMC(event_of_[events[i]]), now));
}

} // namespace cs
