#include "lockstep/hart_feed.hpp"

#include "base/probe.h"

namespace cs
{

static HartFeed *of(void *ctx)
{
    return static_cast<HartFeed *>(ctx);
}

HartFeed::HartFeed(cs_environment *environment, unsigned hart)
    : environment_(environment), number_(hart),
      timeline_(environment->timelines[cs_scenario_hart_cpu(environment->scenario, hart)])
{
}

HartFeed::~HartFeed()
{
    cs_hart_destroy(hart_);
}

cs_status HartFeed::create(cs_diag *diag)
{
    const cs_hart_config config = cs_environment_hart(environment_, number_);
    const cs_hart_env env = {csr, line, run, context, bus_.port(), this};

    return cs_hart_create(&config, &env, &hart_, diag);
}

// ---- pins ----

uint8_t HartFeed::increment(unsigned row, uint32_t event, cycle_t now)
{
    return rows_[row].at(timeline_, CS_EVENT_HART(event), now);
}

void HartFeed::drive(RtlDie &die, cycle_t now)
{
    if (now >= mode_until_) {
        cs_context who;

        cs_timeline_context(timeline_, now, &who);
        mode_until_ = cs_timeline_until(timeline_, now);
        die.hart_mode(number_, who.mode);
    }
    const uint32_t counting = die.hart_counting(number_);
    HartPins pins = {};

    pins.cycles = increment(0, CS_HPM_CYCLE_EVENT, now);
    pins.instructions = increment(2, CS_HPM_INSTRET_EVENT, now);
    for (unsigned n = 3; n < CS_HPM_SLOTS; n++)
        if ((counting >> n & 1) != 0)
            pins.by_counter[n] = increment(n, die.hart_event(number_, n), now);
    die.hart_increments(number_, pins);
    die.hart_access(number_, cs_hart_access(hart_, now));
    die.port(1 + number_, bus_.pins(now));
}

// ---- records, and the software's step ----

void HartFeed::observe_lines(unsigned lines, cycle_t now)
{
    for (unsigned i = 0; i < 3; i++) {
        if (((lines ^ lines_) >> i & 1) == 0)
            continue;
        cs_probe_record record = {};

        record.cycle = now;
        record.kind = CS_PROBE_IRQ;
        record.source = static_cast<uint16_t>(CS_UNIT_HART(number_));
        record.index = static_cast<uint16_t>(i);
        record.value = lines >> i & 1;
        cs_probe_emit(environment_->probe, &record);
    }
    lines_ = lines;
}

// What an access that writes gives the register, before its masks (docs/hw/hpm.md, section 3).
static uint64_t combine(uint64_t old, const cs_hpm_access &access, unsigned xlen)
{
    const uint64_t mask = xlen == 64 ? ~0ull : 0xffffffffull;

    switch (access.op) {
    case CS_HPM_SET:
        return old | (access.value & mask);
    case CS_HPM_CLEAR:
        return old & ~access.value;
    default:
        return access.value & mask;
    }
}

void HartFeed::observe_access(const cs_hpm_access &access, const cs_hpm_result &result,
                              cycle_t now) const
{
    const unsigned xlen = environment_->scenario->harts->xlen;
    const bool writes = access.op != CS_HPM_READ;
    const bool traps = result.exception != CS_HPM_NONE;
    cs_probe_record record = {};

    record.cycle = now;
    record.kind = CS_PROBE_REG;
    record.source = static_cast<uint16_t>(CS_UNIT_HART(number_));
    record.addr = access.csr;
    record.bytes = xlen / 8;
    record.resp = static_cast<uint8_t>(result.exception);
    record.write = traps && writes;
    record.value = result.value;
    cs_probe_emit(environment_->probe, &record);
    if (traps || !writes)
        return;
    record.write = 1;
    record.value = combine(result.value, access, xlen);
    cs_probe_emit(environment_->probe, &record);
}

void HartFeed::step(RtlDie &die, cycle_t now)
{
    const cs_hpm_access *access = cs_hart_access(hart_, now);

    if (access != nullptr) {
        result_ = die.hart_result(number_);
        observe_access(*access, result_, now);
    }
    observe_lines(die.hart_lines(number_), now);
    if (const cs_bus_txn *done = bus_.observe(die.manager(die.size().first_hart() + number_), now))
        cs_hart_bus_done(hart_, done);
    cs_hart_advance(hart_, now + 1, now + 1);
}

// ---- the hart's environment ----

cs_hpm_result HartFeed::csr(void *ctx, cycle_t, const cs_hpm_access *)
{
    return of(ctx)->result_;
}

cycle_t HartFeed::line(void *ctx, cycle_t from, cycle_t to, unsigned lines, unsigned *high)
{
    *high = of(ctx)->lines_ & lines; // of the cycle that goes on: to - 1
    return *high != 0 && from < to ? to - 1 : to;
}

void HartFeed::run(void *ctx, cycle_t cycle, cs_hart_track track)
{
    HartFeed *feed = of(ctx);

    cs_environment_hart_run(feed->environment_, feed->number_, cycle, track);
    feed->mode_until_ = 0;
    for (EventBlock &row : feed->rows_)
        row.forget();
}

void HartFeed::context(void *ctx, cycle_t cycle, cs_context *out)
{
    cs_timeline_context(of(ctx)->timeline_, cycle, out);
}

} // namespace cs
