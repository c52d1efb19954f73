// SPDX-License-Identifier: Apache-2.0
/* The PMU of a core, on our model of it (models/corepmu): what armv8_pmuv3 and x86's driver do with
 * registers. */
#include "software/perf/corepmu/corepmu_pmu.h"

#include <stdlib.h>

#include <countersink/regs/corepmu_regs.h>

/* Counters overflow from bit 63. */
#define CONTROL (CS_COREPMU_EXT64_PMCR_LC_MASK | CS_COREPMU_EXT64_PMCR_LP_MASK)

typedef struct core_cpu {
    cs_perf_counters counters;
    cs_corepmu *pmu;
    bool cycle_counter;
} core_cpu;

struct cs_perf_corepmu {
    cs_perf_counter_pmu pmu;
    cs_perf_core core;
    core_cpu *cpus;
    unsigned nr_cpus;
};

const cs_perf_core *cs_perf_corepmu_core(const cs_pmu *pmu)
{
    return &((const struct cs_perf_corepmu *)pmu)->core;
}

static cs_perf_counters *core_on(cs_pmu *pmu, unsigned cpu)
{
    return &((struct cs_perf_corepmu *)pmu)->cpus[cpu].counters;
}

/* ---- registers ---- */

static uint64_t core_access(cs_perf_counters *c, uint32_t offset, bool write, uint64_t value)
{
    const cs_corepmu_access access = {.offset = (uint16_t)offset, .write = write, .value = value};
    uint64_t data = 0;

    cs_corepmu_system(((core_cpu *)c)->pmu, c->window.now++, &access, &data);
    return data;
}

static uint64_t core_get(cs_perf_counters *c, uint32_t offset)
{
    return core_access(c, offset, false, 0);
}

static void core_set(cs_perf_counters *c, uint32_t offset, uint64_t value)
{
    core_access(c, offset, true, value);
}

static uint32_t core_bit(const cs_perf_event *e)
{
    return UINT32_C(1) << e->hw.counter;
}

/* Those of the cycle counter stand where a counter 31 would have them. */
static uint32_t core_counter(const cs_perf_event *e)
{
    return CS_COREPMU_EXT64_PMEVCNTR + CS_COREPMU_EXT64_PMEVCNTR_STRIDE * (uint32_t)e->hw.counter;
}

static uint32_t core_type(const cs_perf_event *e)
{
    return CS_COREPMU_EXT64_PMEVTYPER + CS_COREPMU_EXT64_PMEVTYPER_STRIDE * (uint32_t)e->hw.counter;
}

/* ---- counters ---- */

static void core_pause(cs_perf_counters *c)
{
    core_set(c, CS_COREPMU_EXT64_PMCR, CONTROL);
}

static void core_resume(cs_perf_counters *c)
{
    core_set(c, CS_COREPMU_EXT64_PMCR, CONTROL | CS_COREPMU_EXT64_PMCR_E_MASK);
}

/* A read of the flags brings every counter up to date. */
static void core_settle(cs_perf_counters *c)
{
    core_get(c, CS_COREPMU_EXT64_PMOVSCLR);
}

static void core_choose(cs_perf_counters *c, cs_perf_event *e)
{
    core_set(c, core_type(e), e->hw.filter | e->hw.event);
}

/* Without an access, so that the window is not broken: to look at one counter need not cost what
 * all of them cost to be brought up to date. */
static uint64_t core_read(cs_perf_counters *c, cs_perf_event *e)
{
    uint64_t value = 0;

    cs_corepmu_ask(((core_cpu *)c)->pmu, c->window.now, core_counter(e), true, &value);
    return value;
}

static void core_write(cs_perf_counters *c, cs_perf_event *e, uint64_t value)
{
    core_set(c, core_counter(e), value);
}

static void core_run(cs_perf_counters *c, cs_perf_event *e)
{
    if (cs_perf_samples(e)) /* else its end is too far away to be of interest */
        core_set(c, CS_COREPMU_EXT64_PMINTENSET, core_bit(e));
    core_set(c, CS_COREPMU_EXT64_PMCNTENSET, core_bit(e));
}

static void core_halt(cs_perf_counters *c, cs_perf_event *e)
{
    core_set(c, CS_COREPMU_EXT64_PMCNTENCLR, core_bit(e));
    core_set(c, CS_COREPMU_EXT64_PMINTENCLR, core_bit(e));
    core_set(c, CS_COREPMU_EXT64_PMOVSCLR, core_bit(e));
}

static cs_cycle core_irq(cs_perf_counters *c, cs_cycle from, cs_cycle to)
{
    return cs_corepmu_irq(((core_cpu *)c)->pmu, from, to);
}

static uint32_t core_overflowed(cs_perf_counters *c)
{
    const uint64_t flags = core_get(c, CS_COREPMU_EXT64_PMOVSCLR);

    core_set(c, CS_COREPMU_EXT64_PMOVSCLR, flags);
    return (uint32_t)flags;
}

/* The cycle counter is the first place, so that cycles prefer it. */
static int core_place(const cs_perf_counters *c, int place)
{
    if (!((const core_cpu *)c)->cycle_counter)
        return place;
    return place == 0 ? (int)CS_COREPMU_CYCLE_COUNTER : place - 1;
}

static const cs_perf_counters_ops core_counters = {
    .pause = core_pause,
    .resume = core_resume,
    .settle = core_settle,
    .choose = core_choose,
    .read = core_read,
    .write = core_write,
    .run = core_run,
    .halt = core_halt,
    .irq = core_irq,
    .overflowed = core_overflowed,
    .place = core_place,
    .most = UINT64_MAX,
};

/* ---- begin and end ---- */

static void core_destroy(cs_pmu *pmu)
{
    struct cs_perf_corepmu *p = (struct cs_perf_corepmu *)pmu;

    for (unsigned i = 0; i < p->nr_cpus; i++)
        cs_corepmu_destroy(p->cpus[i].pmu);
    free(p->cpus);
    free(p);
}

static cs_status core_cpu_init(const cs_perf_core *core, core_cpu *c, cs_diag *diag)
{
    const cs_corepmu_config config = {
        .counters = core->counters, .ext64 = true, .hpmn = core->counters};

    cs_perf_counters_init(&c->counters, &core_counters);
    c->counters.window.alias = CS_COREPMU_EVENT_CLOCK;
    c->counters.window.event = CS_PERF_CORE_CYCLES;
    c->cycle_counter = core->cycle_counter;
    const cs_corepmu_env env = {.events = cs_perf_window_source(&c->counters.window)};
    return cs_corepmu_create(&config, &env, &c->pmu, diag);
}

static cs_status core_init(struct cs_perf_corepmu *p, unsigned nr_cpus, cs_diag *diag)
{
    p->cpus = calloc(nr_cpus, sizeof *p->cpus);
    if (p->cpus == NULL)
        return CS_ERR_NO_MEMORY;
    for (; p->nr_cpus < nr_cpus; p->nr_cpus++) {
        const cs_status status = core_cpu_init(&p->core, &p->cpus[p->nr_cpus], diag);

        if (status != CS_OK)
            return status;
    }
    return CS_OK;
}

static const cs_pmu_ops core_ops = {
    .event_init = cs_perf_corepmu_event_init,
    .destroy = core_destroy,
    CS_PERF_COUNTERS_OPS,
};

static cs_status core_create(cs_perf *perf, const cs_perf_core *core, cs_pmu **out, cs_diag *diag)
{
    struct cs_perf_corepmu *p = calloc(1, sizeof *p);

    *out = NULL;
    if (p == NULL)
        return CS_ERR_NO_MEMORY;
    p->core = *core;
    p->pmu.on = core_on;
    p->pmu.pmu = (cs_pmu){.ops = &core_ops,
                          .name = core->name,
                          .type = core->type,
                          .no_interrupt = core->no_interrupt,
                          .no_exclude = core->no_exclude};
    const cs_status status = core_init(p, perf->machine.nr_cpus, diag);
    if (status != CS_OK) {
        core_destroy(&p->pmu.pmu);
        return status;
    }
    *out = &p->pmu.pmu;
    return CS_OK;
}

const cs_perf_core_driver cs_perf_corepmu_driver = {core_create};
