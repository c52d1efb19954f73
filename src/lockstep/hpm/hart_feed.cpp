// SPDX-License-Identifier: Apache-2.0
#include "lockstep/hpm/hart_feed.hpp"

#include "drivers/hpm/hart_environment.h"
#include "scenario/hpm/hart_cpus.h"
#include "scenario/hpm/harts_spec.h"
#include <countersink/base/probe/probe.h>

namespace cs
{

static HartFeed *of(void *ctx)
{
    return static_cast<HartFeed *>(ctx);
}

HartPins::HartPins(const RtlDie &die)
    : time(die.pin("hpm_time_i")), mode(die.pin("hpm_mode_i")), v(die.pin("hpm_v_i")),
      cycle_inc(die.pin("hpm_cycle_inc_i")), instret_inc(die.pin("hpm_instret_inc_i")),
      event(die.pin("hpm_event_o")), counting(die.pin("hpm_counting_o")), inc(die.pin("hpm_inc_i")),
      csr_valid(die.pin("hpm_csr_valid_i")), csr_addr(die.pin("hpm_csr_addr_i")),
      csr_op(die.pin("hpm_csr_op_i")), csr_wdata(die.pin("hpm_csr_wdata_i")),
      csr_rdata(die.pin("hpm_csr_rdata_o")), csr_exc(die.pin("hpm_csr_exc_o")),
      lines(die.pin("hpm_lcofi_o")), requests(die.pin("hpm_req_i"))
{
}

HartFeed::HartFeed(RtlContext &context, HartPins &pins, unsigned hart)
    : context_(context), pins_(pins), number_(hart),
      manager_(context.die->manager("hpm", {nullptr, 0, hart})),
      timeline_(context.environment->timelines[cs_scenario_hart_cpu(&context.scenario(), hart)]),
      request_(pins.requests, hart)
{
    request_.drive({});
}

HartFeed::~HartFeed()
{
    cs_hart_destroy(hart_);
}

cs_status HartFeed::create(cs_diag *diag)
{
    const cs_hart_config config = cs_environment_hart(context_.environment, number_);
    const bool masks = cs_environment_hart_masks(context_.environment, number_);
    const cs_hart_env env = {csr, line, run, context, bus_.port(), this, masks ? irqs_on : nullptr};

    return cs_hart_create(&config, &env, &hart_, diag);
}

// ---- pins ----

uint8_t HartFeed::increment(unsigned row, uint32_t event, cs_cycle now)
{
    return rows_[row].at(timeline_, CS_EVENT_HART(event), now);
}

void HartFeed::drive_increments(cs_cycle now)
{
    constexpr unsigned kAtOnce = 8; // counters of 4 bits
    const auto counting = static_cast<uint32_t>(pins_.counting.field(number_, CS_HPM_COUNTERS));

    pins_.cycle_inc.set_field(number_, 4, increment(0, CS_HPM_EVENT_CYCLES, now));
    pins_.instret_inc.set_field(number_, 4, increment(2, CS_HPM_EVENT_INSTRET, now));
    for (unsigned n = 0; n < CS_HPM_COUNTERS; n += kAtOnce) {
        uint64_t packed = 0;

        for (unsigned i = n < 3 ? 3 - n : 0; i < kAtOnce; i++) {
            const unsigned row = number_ * CS_HPM_COUNTERS + n + i;

            if ((counting >> (n + i) & 1) == 0)
                continue;
            const auto event = static_cast<uint32_t>(pins_.event.field(row, 16));
            packed |= static_cast<uint64_t>(increment(n + i, event, now)) << (4 * i);
        }
        pins_.inc.set(4 * (number_ * CS_HPM_COUNTERS + n), 4 * kAtOnce, packed);
    }
}

void HartFeed::drive_access(const cs_hpm_access *access)
{
    pins_.csr_valid.set(number_, 1, access != nullptr);
    if (access == nullptr)
        return;
    pins_.csr_addr.set_field(number_, 12, access->csr);
    pins_.csr_op.set_field(number_, 2, access->op);
    pins_.csr_wdata.set_field(number_, 64, access->value);
    pins_.time.set(0, 64, access->time);
}

void HartFeed::drive(cs_cycle now)
{
    if (now >= mode_until_) {
        cs_context who;

        cs_timeline_context(timeline_, now, &who);
        mode_until_ = cs_timeline_until(timeline_, now);
        pins_.mode.set_field(number_, 2, who.mode & 3);
        pins_.v.set(number_, 1, who.mode >> 2);
    }
    drive_increments(now);
    drive_access(cs_hart_access(hart_, now));
    request_.drive(bus_.pins(now));
}

// ---- records, and the software's step ----

void HartFeed::observe_lines(unsigned lines, cs_cycle now)
{
    for (unsigned i = 0; i < 3; i++) {
        if (((lines ^ lines_) >> i & 1) != 0)
            context_.emit_irq(now, CS_UNIT_HART(number_), (lines >> i & 1) != 0, i);
    }
    lines_ = lines;
}

// What an access that writes gives the register, before its masks (docs/hw/hpm.md, section 3).
static uint64_t combine(uint64_t old, const cs_hpm_access &access, unsigned xlen)
{
    const uint64_t mask = xlen == 64 ? ~0ull : 0xffffffffull;

    switch (access.op) {
    case CS_HPM_OP_SET:
        return old | (access.value & mask);
    case CS_HPM_OP_CLEAR:
        return old & ~access.value;
    default:
        return access.value & mask;
    }
}

void HartFeed::observe_access(const cs_hpm_access &access, const cs_hpm_result &result,
                              cs_cycle now) const
{
    const unsigned xlen = context_.environment->scenario->harts->xlen;
    const bool writes = access.op != CS_HPM_OP_READ;
    const bool traps = result.exception != CS_HPM_EXCEPTION_NONE;
    cs_probe_record record = {};

    record.cycle = now;
    record.kind = CS_PROBE_REG;
    record.source = static_cast<uint16_t>(CS_UNIT_HART(number_));
    record.addr = access.csr;
    record.bytes = xlen / 8;
    record.resp = static_cast<uint8_t>(result.exception);
    record.write = traps && writes;
    record.value = result.value;
    context_.emit(record);
    if (traps || !writes)
        return;
    record.write = 1;
    record.value = combine(result.value, access, xlen);
    context_.emit(record);
}

cs_hpm_result HartFeed::result() const
{
    return {static_cast<cs_hpm_exception>(pins_.csr_exc.field(number_, 2)),
            pins_.csr_rdata.field(number_, 64)};
}

void HartFeed::step(cs_cycle now)
{
    const cs_hpm_access *access = cs_hart_access(hart_, now);

    if (access != nullptr) {
        result_ = result();
        observe_access(*access, result_, now);
    }
    observe_lines(static_cast<unsigned>(pins_.lines.field(number_, 3)), now);
    if (const cs_bus_txn *done = bus_.observe(context_.managers.at(manager_), now))
        cs_hart_bus_done(hart_, done);
    cs_hart_advance(hart_, now + 1, now + 1);
}

// ---- the hart's environment ----

cs_hpm_result HartFeed::csr(void *ctx, cs_cycle, const cs_hpm_access *)
{
    return of(ctx)->result_;
}

cs_cycle HartFeed::line(void *ctx, cs_cycle from, cs_cycle to, unsigned lines, unsigned *high)
{
    *high = of(ctx)->lines_ & lines; // of the cycle that goes on: to - 1
    return *high != 0 && from < to ? to - 1 : to;
}

void HartFeed::run(void *ctx, cs_cycle cycle, cs_hart_track track)
{
    HartFeed *feed = of(ctx);

    cs_environment_hart_run(feed->context_.environment, feed->number_, cycle, track);
    feed->mode_until_ = 0;
    for (EventBlock &row : feed->rows_)
        row.forget();
}

void HartFeed::context(void *ctx, cs_cycle cycle, cs_context *out)
{
    cs_timeline_context(of(ctx)->timeline_, cycle, out);
}

cs_cycle HartFeed::irqs_on(void *ctx, cs_cycle cycle)
{
    return cs_timeline_irqs_on(of(ctx)->timeline_, cycle);
}

} // namespace cs
