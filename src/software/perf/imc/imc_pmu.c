// SPDX-License-Identifier: Apache-2.0
/* The kernel's driver of core_imc, thread_imc and trace_imc (docs/drivers/imc_driver.md, "The
 * kernel"). */
#include "software/perf/imc/imc_pmu.h"

#include <errno.h>
#include <stdlib.h>

#include "software/perf/imc/imc_engine.h"
#include <countersink/base/numbers.h>

#define OFFSET_MASK UINT64_C(0xffffffff)
#define SLOT_BYTES 64u
#define FIRST_WORD 3u /* of a slot: CPMC1 */
#define CODES 128u
#define CPMC3 256u
#define USER (CS_MODE_MASK(CS_MODE_GUEST_USER) | CS_MODE_MASK(CS_MODE_HOST_USER))
#define KERNEL (CS_MODE_MASK(CS_MODE_GUEST_KERNEL) | CS_MODE_MASK(CS_MODE_HOST_KERNEL))

typedef struct imc_pmu {
    cs_pmu pmu;
    cs_perf_imc_unit unit;
} imc_pmu;

static cs_perf_imc *imc_of(const cs_pmu *pmu)
{
    return ((const imc_pmu *)pmu)->unit.imc;
}

/* The engine of the CPU, as far as that has come. */
static cs_perf_imc_engine *imc_engine(const cs_pmu *pmu, const cs_perf_cpu *cpu)
{
    cs_perf_imc_engine *e = &imc_of(pmu)->engines[cpu->number];

    cs_perf_imc_catch_up(e, cpu);
    return e;
}

/* ---- opening: one of the three at a time ---- */

static int imc_open(cs_pmu *pmu, cs_perf_event *e, cs_perf_pmu which)
{
    cs_perf_imc *imc = imc_of(pmu);
    const cs_imc_request request = {
        .pmu = which,
        .config = e->attr.config,
        .size = ((const imc_pmu *)pmu)->unit.size,
        .sample_period = e->attr.sample_period,
        .task = e->who.tid != 0,
        .privileged = e->privileged,
        .active = imc->nr_events != 0 ? imc->active : 0,
    };
    const cs_imc_error error = cs_imc_event_init(&request, NULL);

    if (e->attr.type != pmu->type)
        return -ENOENT;
    if (error != CS_IMC_GOOD)
        return -(int)error;
    imc->active = which;
    imc->nr_events++;
    e->hw.held = true;
    cs_perf_imc_begin(imc);
    return 0;
}

static void imc_release(cs_pmu *pmu, cs_perf_event *e)
{
    (void)e;
    imc_of(pmu)->nr_events--;
}

/* ---- what is counted, for the truth ---- */

/* Quadrants 2 and 3 of the slots count user and kernel, as the firmware sets EVENT_MASK. */
static uint32_t imc_modes(uint64_t slot)
{
    return slot / 32 == 2 ? USER : slot / 32 == 3 ? KERNEL : CS_MODE_ALL;
}

static void imc_describe(const cs_pmu *pmu, cs_perf_event *e)
{
    const uint64_t offset = e->attr.config & OFFSET_MASK;
    const uint64_t slot = offset / SLOT_BYTES, word = offset % SLOT_BYTES / 8;
    uint64_t code = CPMC3 + word - FIRST_WORD - 2;

    e->hw.event = CS_PERF_NO_STREAM;
    e->hw.modes = imc_modes(slot);
    if (word < FIRST_WORD || word > FIRST_WORD + 3 || slot >= CODES)
        return;
    if (word < FIRST_WORD + 2)
        code = (word - FIRST_WORD) * CODES + slot;
    e->hw.event = CS_EVENT_IMC(imc_of(pmu)->config.event_of[code]);
}

/* ---- counts ---- */

static uint64_t imc_now(const cs_pmu *pmu, const cs_perf_cpu *cpu, const cs_perf_event *e,
                        uint64_t table)
{
    return cs_perf_imc_memory_get(&imc_engine(pmu, cpu)->memory,
                                  table + (e->attr.config & OFFSET_MASK));
}

static void imc_update(const cs_pmu *pmu, const cs_perf_cpu *cpu, cs_perf_event *e, uint64_t table)
{
    const uint64_t now = imc_now(pmu, cpu, e, table);

    e->count += now - e->hw.before;
    e->hw.before = now;
}

static void imc_settle(cs_pmu *pmu, cs_perf_cpu *cpu)
{
    cs_perf_imc_settle(&imc_of(pmu)->engines[cpu->number], cpu);
}

/* ---- core_imc ---- */

static int core_event_init(cs_pmu *pmu, cs_perf_event *e)
{
    const int error = imc_open(pmu, e, CS_PERF_CORE);

    if (error != 0)
        return error;
    imc_describe(pmu, e);
    cs_perf_imc_engine *engine = imc_engine(pmu, &e->perf->cpus[e->cpu]);
    cs_perf_imc_start(engine, &engine->nr_counting);
    return 0;
}

static void core_event_free(cs_pmu *pmu, cs_perf_event *e)
{
    cs_perf_imc_engine *engine = imc_engine(pmu, &e->perf->cpus[e->cpu]);

    cs_perf_imc_stop(engine, &engine->nr_counting);
    imc_release(pmu, e);
}

static void core_start(cs_pmu *pmu, cs_perf_cpu *cpu, cs_perf_event *e)
{
    e->hw.before = imc_now(pmu, cpu, e, CS_PERF_IMC_CORE_AT);
}

static int core_add(cs_pmu *pmu, cs_perf_cpu *cpu, cs_perf_event *e)
{
    core_start(pmu, cpu, e);
    return 0;
}

static void core_read(cs_pmu *pmu, cs_perf_cpu *cpu, cs_perf_event *e)
{
    imc_update(pmu, cpu, e, CS_PERF_IMC_CORE_AT);
}

/* ---- thread_imc ---- */

static int thread_event_init(cs_pmu *pmu, cs_perf_event *e)
{
    const int error = imc_open(pmu, e, CS_PERF_THREAD);

    if (error == 0)
        imc_describe(pmu, e);
    return error;
}

static void thread_start(cs_pmu *pmu, cs_perf_cpu *cpu, cs_perf_event *e)
{
    e->hw.before = imc_now(pmu, cpu, e, CS_PERF_IMC_THREAD_AT);
}

static void thread_read(cs_pmu *pmu, cs_perf_cpu *cpu, cs_perf_event *e)
{
    imc_update(pmu, cpu, e, CS_PERF_IMC_THREAD_AT);
}

static int thread_add(cs_pmu *pmu, cs_perf_cpu *cpu, cs_perf_event *e)
{
    cs_perf_imc_engine *engine = imc_engine(pmu, cpu);

    thread_start(pmu, cpu, e);
    cs_perf_imc_set_ldbar(engine, CS_PERF_IMC_THREAD_AT | CS_PERF_IMC_LDBAR_ENABLE);
    cs_perf_imc_start(engine, &engine->nr_counting);
    return 0;
}

/* ENABLE goes although another event may count the same thread: so does the kernel. */
static void thread_del(cs_pmu *pmu, cs_perf_cpu *cpu, cs_perf_event *e)
{
    cs_perf_imc_engine *engine = imc_engine(pmu, cpu);

    cs_perf_imc_stop(engine, &engine->nr_counting);
    cs_perf_imc_set_ldbar(engine, engine->ldbar & ~CS_PERF_IMC_LDBAR_ENABLE);
    thread_read(pmu, cpu, e);
}

/* ---- trace_imc ---- */

static int trace_event_init(cs_pmu *pmu, cs_perf_event *e)
{
    e->hw.event = CS_PERF_NO_STREAM;
    return imc_open(pmu, e, CS_PERF_TRACE);
}

static int trace_add(cs_pmu *pmu, cs_perf_cpu *cpu, cs_perf_event *e)
{
    cs_perf_imc_engine *engine = imc_engine(pmu, cpu);

    (void)e;
    cs_perf_imc_set_ldbar(engine, imc_of(pmu)->trace_at | CS_PERF_IMC_LDBAR_TRACE);
    cs_perf_imc_start(engine, &engine->nr_tracing);
    return 0;
}

static void trace_start(cs_pmu *pmu, cs_perf_cpu *cpu, cs_perf_event *e)
{
    (void)pmu;
    (void)cpu;
    (void)e;
}

static void trace_stop(cs_pmu *pmu, cs_perf_cpu *cpu, cs_perf_event *e)
{
    cs_perf_imc_dump(imc_engine(pmu, cpu), cpu, e);
}

/* LDBAR stays: a thread that has traced once goes on when its core is started again. */
static void trace_del(cs_pmu *pmu, cs_perf_cpu *cpu, cs_perf_event *e)
{
    cs_perf_imc_engine *engine = imc_engine(pmu, cpu);

    cs_perf_imc_stop(engine, &engine->nr_tracing);
    trace_stop(pmu, cpu, e);
}

/* ---- begin and end ---- */

static void imc_destroy(cs_pmu *pmu)
{
    free(pmu);
}

static cs_status imc_create(const cs_pmu_ops *ops, cs_perf *perf, const cs_perf_system *system,
                            cs_pmu **out, cs_diag *diag)
{
    imc_pmu *p = calloc(1, sizeof *p);
    cs_status status;

    *out = NULL;
    if (p == NULL)
        return CS_ERR_NO_MEMORY;
    p->unit = *(const cs_perf_imc_unit *)system->config;
    p->pmu = (cs_pmu){.ops = ops, .name = system->name, .type = system->type, .no_exclude = true};
    status = cs_perf_imc_attach(p->unit.imc, perf, diag);
    if (status != CS_OK) {
        free(p);
        return status;
    }
    *out = &p->pmu;
    return CS_OK;
}

static cs_status core_create(cs_perf *perf, const cs_perf_system *system, cs_pmu **out,
                             cs_diag *diag)
{
    static const cs_pmu_ops ops = {
        .event_init = core_event_init,
        .event_free = core_event_free,
        .add = core_add,
        .del = core_read,
        .start = core_start,
        .stop = core_read,
        .read = core_read,
        .settle = imc_settle,
        .destroy = imc_destroy,
    };

    return imc_create(&ops, perf, system, out, diag);
}

static cs_status thread_create(cs_perf *perf, const cs_perf_system *system, cs_pmu **out,
                               cs_diag *diag)
{
    static const cs_pmu_ops ops = {
        .event_init = thread_event_init,
        .event_free = imc_release,
        .add = thread_add,
        .del = thread_del,
        .start = thread_start,
        .stop = thread_read,
        .read = thread_read,
        .settle = imc_settle,
        .destroy = imc_destroy,
    };

    return imc_create(&ops, perf, system, out, diag);
}

static cs_status trace_create(cs_perf *perf, const cs_perf_system *system, cs_pmu **out,
                              cs_diag *diag)
{
    static const cs_pmu_ops ops = {
        .event_init = trace_event_init,
        .event_free = imc_release,
        .add = trace_add,
        .del = trace_del,
        .start = trace_start,
        .stop = trace_stop,
        .read = trace_start,
        .settle = imc_settle,
        .destroy = imc_destroy,
    };

    return imc_create(&ops, perf, system, out, diag);
}

const cs_perf_system_driver cs_perf_imc_core_driver = {core_create};
const cs_perf_system_driver cs_perf_imc_thread_driver = {thread_create};
const cs_perf_system_driver cs_perf_imc_trace_driver = {trace_create};
