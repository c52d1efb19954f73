// SPDX-License-Identifier: Apache-2.0
/* Engines follow their CPUs, stretch by stretch. */
#include "software/perf/imc/imc_engine.h"

#include <stdlib.h>

#include <countersink/base/numbers.h>

#define THREADS CS_IMC_MAX_THREADS
#define TABLE_BYTES 0x2000u
#define HTM_ON UINT64_C(0xe800000000000000)
#define HTM_OFF UINT64_C(0xe000000000000000)
#define NS_PER_US UINT64_C(1000)

/* ---- what a CPU's thread does ---- */

static uint64_t engine_sum(void *ctx, uint32_t event, uint32_t modes, cs_cycle from, cs_cycle to)
{
    const cs_perf_imc_engine *e = ctx;

    return e->stream.sum(e->stream.ctx, e->imc->config.event_of[event], modes, from, to);
}

static cs_cycle engine_reach(void *ctx, uint32_t event, uint32_t modes, cs_cycle from, uint64_t n)
{
    const cs_perf_imc_engine *e = ctx;

    return e->stream.reach(e->stream.ctx, e->imc->config.event_of[event], modes, from, n);
}

/* When that cycle of the model was. */
static uint64_t engine_ns(const cs_perf_imc_engine *e, cs_cycle cycle)
{
    const uint64_t mhz = e->perf->machine.clock_mhz, at = e->cycle - (e->window.now - cycle);

    return at / mhz * NS_PER_US + at % mhz * NS_PER_US / mhz;
}

/* Where the program really is, if somebody knows; else what its stream says. */
static void engine_context(void *ctx, cs_cycle cycle, cs_context *out)
{
    const cs_perf_imc_engine *e = ctx;
    const cs_perf_window *w = &e->window;
    const cs_perf_calls *calls = &e->perf->calls;
    cs_perf_where where;

    *out = (cs_context){.mode = CS_MODE_HOST_KERNEL};
    if (w->task == NULL)
        return;
    w->task->work.context(w->task->work.ctx, cycle - w->from + w->local, out);
    if (calls->where == NULL ||
        !calls->where(calls->ctx, &w->task->who, engine_ns(e, cycle), false, &where))
        return;
    out->pc = where.ip;
    out->mode = where.kernel ? CS_MODE_HOST_KERNEL : CS_MODE_HOST_USER;
}

static uint64_t silent_sum(void *ctx, uint32_t event, uint32_t modes, cs_cycle from, cs_cycle to)
{
    (void)ctx;
    (void)event;
    (void)modes;
    (void)from;
    (void)to;
    return 0;
}

static cs_cycle silent_reach(void *ctx, uint32_t event, uint32_t modes, cs_cycle from, uint64_t n)
{
    (void)ctx;
    (void)event;
    (void)modes;
    return n == 0 ? from : CS_NEVER;
}

static void silent_context(void *ctx, cs_cycle cycle, cs_context *out)
{
    (void)ctx;
    (void)cycle;
    *out = (cs_context){0};
}

/* ---- begin and end ---- */

cs_perf_imc *cs_perf_imc_create(const cs_perf_imc_config *config)
{
    cs_perf_imc *imc = calloc(1, sizeof *imc);

    if (imc == NULL)
        return NULL;
    imc->config = *config;
    imc->trace_bytes = TABLE_BYTES;
    while (imc->trace_bytes < config->trace_bytes)
        imc->trace_bytes *= 2;
    imc->trace_at = imc->trace_bytes > 2 * TABLE_BYTES ? imc->trace_bytes : 2 * TABLE_BYTES;
    return imc;
}

void cs_perf_imc_destroy(cs_perf_imc *imc)
{
    if (imc == NULL)
        return;
    for (unsigned i = 0; i < imc->nr_engines; i++) {
        cs_imc_core_destroy(imc->engines[i].core);
        cs_perf_imc_memory_free(&imc->engines[i].memory);
    }
    free(imc->engines);
    free(imc);
}

static cs_status engine_init(cs_perf_imc *imc, cs_perf *perf, cs_perf_imc_engine *e, cs_diag *diag)
{
    const cs_imc_core_config config = {.power10 = imc->config.power10,
                                       .threads = THREADS,
                                       .tap_log2 = imc->config.tap_log2,
                                       .timebase = imc->config.timebase,
                                       .unit = CS_UNIT_IMC(0)};
    cs_event_source events[THREADS] = {{engine_sum, engine_reach, engine_context, e, NULL}};

    for (unsigned i = 1; i < THREADS; i++)
        events[i] = (cs_event_source){silent_sum, silent_reach, silent_context, NULL, NULL};
    *e = (cs_perf_imc_engine){.imc = imc, .perf = perf};
    e->window.first = CS_EVENT_IMC(0);
    e->stream = cs_perf_window_source(&e->window);
    if (!cs_perf_imc_memory_init(&e->memory, imc->trace_at + imc->trace_bytes))
        return CS_ERR_NO_MEMORY;
    const cs_imc_core_env env = {.bus = cs_perf_imc_memory_port(&e->memory), .events = events};
    return cs_imc_core_create(&config, &env, &e->core, diag);
}

cs_status cs_perf_imc_attach(cs_perf_imc *imc, cs_perf *perf, cs_diag *diag)
{
    const unsigned nr = perf->machine.nr_cpus;
    cs_status status = CS_OK;

    if (imc->engines != NULL)
        return CS_OK;
    imc->engines = calloc(nr, sizeof *imc->engines);
    if (imc->engines == NULL)
        return CS_ERR_NO_MEMORY;
    for (; imc->nr_engines < nr && status == CS_OK; imc->nr_engines++)
        status = engine_init(imc, perf, &imc->engines[imc->nr_engines], diag);
    return status;
}

/* Of thread 0 the engine gets LDBAR; the others of its core never have any. */
static void engine_boot(cs_perf_imc_engine *e, cs_perf_cpu *cpu)
{
    const cs_perf_imc_config *c = &e->imc->config;

    e->cycle = cpu->cycle;
    cs_perf_window_give(&e->window, cpu->task);
    cs_perf_imc_write(e, CS_IMC_REG_PDBAR, CS_PERF_IMC_CORE_AT);
    cs_perf_imc_write(e, CS_IMC_REG_EVENT_MASK, c->event_mask);
    cs_perf_imc_write(e, CS_IMC_REG_HTM_MODE, HTM_OFF);
    cs_perf_imc_set_ldbar(e, 0);
    if (c->trace_bytes != 0)
        cs_perf_imc_write(e, CS_IMC_REG_TRACE, c->trace_scom);
}

void cs_perf_imc_begin(cs_perf_imc *imc)
{
    if (imc->works)
        return;
    imc->works = true;
    for (unsigned i = 0; i < imc->nr_engines; i++)
        engine_boot(&imc->engines[i], &imc->engines[i].perf->cpus[i]);
}

/* ---- time ---- */

static void engine_advance(cs_perf_imc_engine *e)
{
    cs_imc_core_events_changed(e->core, 0);
    cs_imc_core_advance(e->core, e->window.now);
}

void cs_perf_imc_catch_up(cs_perf_imc_engine *e, const cs_perf_cpu *cpu)
{
    cs_perf_window *w = &e->window;
    const uint64_t passed = cpu->cycle - e->cycle;

    if (passed == 0)
        return;
    if (!cs_perf_window_joins(w))
        cs_perf_window_open(w);
    e->cycle = cpu->cycle;
    w->now += passed;
    w->to = w->now;
    w->seen += w->task != NULL ? passed : 0;
    engine_advance(e);
}

/* Any write brings all counters up to date, so that a stretch is needed no more; this one changes
 * nothing. */
void cs_perf_imc_settle(cs_perf_imc_engine *e, cs_perf_cpu *cpu)
{
    if (!e->imc->works)
        return;
    if (e->window.task != cpu->task) {
        cs_perf_window_give(&e->window, cpu->task);
        return;
    }
    cs_perf_imc_catch_up(e, cpu);
    cs_perf_imc_write(e, CS_IMC_REG_FIR, 0);
}

/* ---- registers ---- */

void cs_perf_imc_write(cs_perf_imc_engine *e, unsigned reg, uint64_t value)
{
    cs_imc_core_write(e->core, e->window.now++, reg, value);
    engine_advance(e);
}

void cs_perf_imc_start(cs_perf_imc_engine *e, unsigned *nr)
{
    if ((*nr)++ == 0)
        cs_perf_imc_write(e, CS_IMC_REG_HTM_MODE, HTM_ON);
}

void cs_perf_imc_stop(cs_perf_imc_engine *e, unsigned *nr)
{
    if (--*nr == 0)
        cs_perf_imc_write(e, CS_IMC_REG_HTM_MODE, HTM_OFF);
}

void cs_perf_imc_set_ldbar(cs_perf_imc_engine *e, uint64_t value)
{
    e->ldbar = value;
    cs_perf_imc_write(e, CS_IMC_REG_LDBAR, value);
}
