// SPDX-License-Identifier: Apache-2.0
#include "bus/hpm/hart_module.hpp"

namespace cs
{

static HartModule *of(void *ctx)
{
    return static_cast<HartModule *>(ctx);
}

HartModule::HartModule(const sc_core::sc_module_name &name, const sc_core::sc_time &period,
                       const HartConfig &config)
    : AgentModule(name, period), config_(config)
{
    const cs_hart_env env = {
        csr, line, run, context, {submit, this}, this, config_.irqs_on ? irqs_on : nullptr};
    const cs_hpm_env counters = {config_.events, config_.probe};
    cs_diag diag = {};

    add_port("socket");
    if (cs_hpm_create(&config_.hpm, &counters, &hpm_, &diag) != CS_OK ||
        cs_hart_create(&config_.hart, &env, &hart_, &diag) != CS_OK)
        SC_REPORT_ERROR("/countersink/hart", diag.text);
}

HartModule::~HartModule()
{
    cs_hart_destroy(hart_);
    cs_hpm_destroy(hpm_);
}

cs_cycle HartModule::end_cycle() const
{
    return hart_ != nullptr ? cs_hart_end_cycle(hart_) : CS_NEVER;
}

void HartModule::finish(cs_cycle cycle)
{
    if (hpm_ != nullptr)
        cs_hpm_advance(hpm_, cycle);
}

// ---- as an agent ----

cs_cycle HartModule::earliest() const
{
    if (pending())
        return clock_.cycle() + 1;
    return seen_after(next());
}

// One transfer at a time.
bool HartModule::alone(cs_cycle) const
{
    return true;
}

cs_cycle HartModule::next() const
{
    return hart_ != nullptr ? cs_hart_next(hart_) : CS_NEVER;
}

// Nobody sees CSR accesses and waits: they are executed as far ahead as SystemC is to run.
void HartModule::execute(cs_cycle cycle)
{
    constexpr cs_cycle kWithoutLimit = 1 << 20;

    cs_hart_advance(hart_, cycle + 1, limit() != CS_NEVER ? limit() : cycle + kWithoutLimit);
    if (cs_hart_ended(hart_) && on_end) // nothing comes after it
        on_end(cs_hart_end_cycle(hart_));
}

// ---- the hart's environment ----

cs_bus_submit HartModule::submit(void *ctx, unsigned, cs_bus_txn *txn)
{
    return of(ctx)->port(0).submit(txn);
}

cs_hpm_result HartModule::csr(void *ctx, cs_cycle e, const cs_hpm_access *access)
{
    return cs_hpm_access_csr(of(ctx)->hpm_, e, access);
}

cs_cycle HartModule::line(void *ctx, cs_cycle from, cs_cycle to, unsigned lines, unsigned *high)
{
    return cs_hpm_wait(of(ctx)->hpm_, from, to, lines, high);
}

void HartModule::run(void *ctx, cs_cycle cycle, cs_hart_track track)
{
    if (of(ctx)->config_.on_run)
        of(ctx)->config_.on_run(cycle, track);
}

void HartModule::context(void *ctx, cs_cycle cycle, cs_context *out)
{
    const cs_event_source &events = of(ctx)->config_.events;

    events.context(events.ctx, cycle, out);
}

cs_cycle HartModule::irqs_on(void *ctx, cs_cycle cycle)
{
    return of(ctx)->config_.irqs_on(cycle);
}

void HartModule::bus_done(unsigned, cs_bus_txn *txn)
{
    cs_hart_bus_done(hart_, txn);
    wake();
}

} // namespace cs
