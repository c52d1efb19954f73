// SPDX-License-Identifier: Apache-2.0
/* Trace mode: spec, "Trace mode" and the SAMPLE records of "Probe records". */
#include "models/imc/imc_internal.h"

#define RECORD_BYTES 64u
#define MIN_RECORDS 4096u
#define MAX_BUFFERSIZE 4u

void cs_imc_trace_emit(const cs_imc_core *core, unsigned thread, cs_probe_record *record)
{
    record->cycle = core->now;
    record->kind = CS_PROBE_SAMPLE;
    record->source = core->config.unit;
    record->index = (uint16_t)thread;
    cs_probe_emit(core->env.probe, record);
}

/* ---- LDBAR ---- */

static void drop(cs_imc_core *core, unsigned thread)
{
    const cs_imc_record *record = &core->live.threads[thread].record;

    if (!(core->live.waits & CS_IMC_RECORD(thread)))
        return;
    core->live.waits &= ~CS_IMC_RECORD(thread);
    cs_imc_trace_emit(core, thread,
                      &(cs_probe_record){.addr = record->addr,
                                         .resp = CS_SAMPLE_LOST,
                                         .request = record->snapshot});
}

void cs_imc_trace_write_ldbar(cs_imc_core *core, unsigned thread, uint64_t value)
{
    cs_imc_thread *t = &core->live.threads[thread];
    const bool traced = cs_imc_tracing(core, thread);

    cs_imc_count_settle(core, thread, core->now + 1);
    drop(core, thread);
    core->live.regs[CS_IMC_REG_LDBAR + thread] = value;
    const bool traces = cs_imc_tracing(core, thread);

    for (unsigned i = 0; (traced || traces) && i < CS_IMC_CPMCS; i++)
        t->cpmc[i] = 0;
    if (traces) {
        t->cpmc[cs_imc_sampler(core)] = cs_imc_load(core);
        t->index = 0;
    }
}

/* ---- snapshots ---- */

static unsigned limit(const cs_imc_core *core)
{
    const unsigned size =
        (unsigned)cs_msb0(core->live.regs[CS_IMC_REG_TRACE], CS_IMC_TRACE_BUFFERSIZE);

    return MIN_RECORDS << (size <= MAX_BUFFERSIZE ? size : 0);
}

static uint64_t who(const cs_imc_core *core, const cs_context *context)
{
    const uint64_t val = cs_msb0_put(context->cid1, 20, 31, context->cid2);

    return core->config.power10 ? cs_msb0_put(val, 0, 1, context->mode) : val;
}

/* The overflow of the cycle before has brought the counters here. */
static void fill(cs_imc_core *core, unsigned thread, uint64_t *words)
{
    const cs_event_source *events = &core->events[thread];
    const uint64_t tb = cs_imc_timebase_at(&core->config.timebase, core->now);
    cs_context context;

    events->context(events->ctx, core->now, &context);
    words[0] = tb;
    words[1] = context.pc;
    words[2] = who(core, &context);
    for (unsigned i = 0; i < CS_IMC_CPMCS; i++)
        words[3 + i] = core->live.threads[thread].cpmc[i];
    words[7] = tb & cs_msb0_mask(22, 63);
}

static void snapshot(cs_imc_core *core, unsigned thread)
{
    const uint64_t base =
        core->live.regs[CS_IMC_REG_LDBAR + thread] & cs_msb0_mask(CS_IMC_LDBAR_ADDRESS);
    const unsigned end = limit(core);
    cs_imc_thread *t = &core->live.threads[thread];

    if (cs_imc_ldbar_written(core, thread) || core->waited & CS_IMC_RECORD(thread)) {
        cs_imc_trace_emit(core, thread,
                          &(cs_probe_record){.resp = CS_SAMPLE_LOST, .request = core->now});
        return;
    }
    fill(core, thread, t->record.words);
    t->record.snapshot = core->now;
    t->record.addr = cs_imc_address(base + RECORD_BYTES * (t->index < end ? t->index : 0));
    t->index = t->index + 1 < end ? t->index + 1 : 0;
    core->live.waits |= CS_IMC_RECORD(thread);
}

/* ---- time ---- */

/* The counters that a snapshot takes are those of the cycle: before an overflow in it. */
void cs_imc_trace_execute(cs_imc_core *core)
{
    const unsigned snapshots = core->live.snapshots;

    core->live.snapshots = 0;
    for (unsigned thread = 0; thread < core->config.threads; thread++) {
        if (snapshots >> thread & 1)
            snapshot(core, thread);
        if (core->live.threads[thread].overflow != core->now)
            continue;
        core->plan |= CS_IMC_PLAN_OVERFLOW(thread);
        if (cs_imc_ldbar_written(core, thread))
            continue;
        cs_imc_count_overflow(core, thread);
        core->live.snapshots |= 1u << thread;
    }
}
