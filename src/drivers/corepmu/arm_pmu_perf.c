// SPDX-License-Identifier: Apache-2.0
/* perf's core on the cores of a scenario: its machine, its events, and what it says. Each CPU has a
 * task, whom the events there follow: it is in while they may have counters. */
#include <errno.h>
#include <stdlib.h>

#include "drivers/corepmu/arm_pmu_impl.h"
#include "drivers/told.h"

#define PMU_TYPE 8u

cs_arm_cpu *cs_arm_cpu_of(cs_pmu *pmu, const cs_perf_cpu *cpu)
{
    return &((cs_arm_pmu *)pmu)->cpus[cpu->number];
}

cs_arm_perf_event *cs_arm_perf_event_of(const cs_perf_event *event)
{
    return cs_perf_user(event);
}

/* ---- what it says ---- */

static void tell_throttled(cs_arm_cpu *cpu, const cs_arm_perf_event *e, bool stopped)
{
    cs_tell_throttled(cpu->pmu->config.soft, cs_arm_now(cpu), cpu->number,
                      &(cs_throttled){(unsigned)(e - cpu->events), stopped});
}

/* Its timer's tick is needed, to let the event go on. */
static void perf_throttled(cs_arm_cpu *cpu, const cs_arm_perf_event *e)
{
    const uint64_t tick = cpu->pmu->perf->tick_ns;

    tell_throttled(cpu, e, true);
    cpu->tick_due = (cs_arm_now(cpu) / tick + 1) * tick;
}

static void perf_sampled(cs_arm_cpu *cpu, cs_arm_perf_event *e, const cs_perf_told *told)
{
    const cs_arm_sample what = {
        .event = (unsigned)(e - cpu->events),
        .number = e->event->hw.event,
        .pid = cpu->who.pid,
        .mode = cpu->who.mode,
        .pc = cpu->who.pc,
        .period = told->period,
        .of = e->samples++,
    };

    cs_arm_core_work(cpu->core, cs_arm_spec(cpu)->sample_cycles);
    cpu->pmu->report.samples++;
    cs_tell_arm_sample(cpu->pmu->config.soft, cs_arm_now(cpu), cpu->number, &what);
}

static void perf_told(void *ctx, const cs_perf_told *told)
{
    cs_arm_perf_event *e = cs_arm_perf_event_of(told->event);

    (void)ctx;
    switch (told->kind) {
    case CS_PERF_TOLD_SAMPLE:
        perf_sampled(e->cpu, e, told);
        break;
    case CS_PERF_TOLD_THROTTLE:
        perf_throttled(e->cpu, e);
        break;
    case CS_PERF_TOLD_UNTHROTTLE:
        tell_throttled(e->cpu, e, false);
        break;
    case CS_PERF_TOLD_READ:
    case CS_PERF_TOLD_LOST:
    case CS_PERF_TOLD_CLOSE:
        break;
    }
}

/* ---- what its tasks do: the counters know, and the results ---- */

static uint64_t work_sum(void *ctx, uint32_t event, uint32_t modes, cs_cycle from, cs_cycle to)
{
    (void)ctx, (void)event, (void)modes, (void)from, (void)to;
    return 0;
}

static cs_cycle work_reach(void *ctx, uint32_t event, uint32_t modes, cs_cycle from, uint64_t n)
{
    (void)ctx, (void)event, (void)modes, (void)from, (void)n;
    return CS_NEVER;
}

static void work_context(void *ctx, cs_cycle cycle, cs_context *out)
{
    (void)ctx, (void)cycle;
    *out = (cs_context){0};
}

static cs_event_source perf_work(void *ctx, const cs_perf_who *who, const char *comm)
{
    (void)who, (void)comm;
    return (cs_event_source){
        .sum = work_sum, .reach = work_reach, .context = work_context, .ctx = ctx};
}

/* ---- the machine ---- */

static cs_status perf_create(cs_arm_pmu *pmu, cs_diag *diag)
{
    const cs_perf_system ours = {.pmu = &pmu->core};
    const cs_perf_calls calls = {.work = perf_work, .told = perf_told, .ctx = pmu};
    const cs_arm_pmu_config *c = &pmu->config;
    const cs_perf_machine machine = {
        .nr_cpus = c->nr_cpus, .clock_mhz = c->clock_mhz, .systems = &ours, .nr_systems = 1};

    pmu->core = (cs_pmu){.ops = &cs_arm_pmu_ops, .name = "armv8_pmuv3_0", .type = PMU_TYPE};
    const cs_status status = cs_perf_create(&machine, &calls, &pmu->perf, diag);
    if (status != CS_OK)
        return status;
    pmu->perf->tick_ns = c->spec->tick_us * c->clock_mhz;
    pmu->perf->most_samples = c->spec->max_samples_per_tick;
    return CS_OK;
}

/* ---- its events ---- */

static int open_event(cs_arm_cpu *cpu, unsigned number)
{
    const cs_arm_pmu_spec *spec = cs_arm_spec(cpu);
    cs_arm_perf_event *e = &cpu->events[number];
    const uint32_t tid = cpu->task->who.tid;
    const cs_perf_attr attr = {
        .type = CS_PERF_TYPE_RAW,
        .config = spec->events[number],
        .sample_period = spec->period,
        .flags = cs_arm_has_process(cpu->pmu) ? CS_PERF_ATTR_DISABLED : 0,
    };
    const cs_perf_asked asked = {
        .attr = &attr, .by = tid, .privileged = true, .pid = (int32_t)tid, .cpu = -1};
    const int error = cs_perf_open(cpu->pmu->perf, &asked, &e->event);

    if (error != 0)
        return error;
    e->cpu = cpu;
    e->opened = e->closed = CS_NEVER;
    cs_perf_set_user(e->event, e);
    if (spec->period == 0)
        e->event->hw.period = cs_perf_period_begin(0, cs_arm_counting_period(spec));
    return 0;
}

static int open_cpu(cs_arm_cpu *cpu)
{
    cs_perf *perf = cpu->pmu->perf;
    const cs_perf_who who = {.pid = 1 + cpu->number, .tid = 1 + cpu->number};
    int error;

    cpu->perf = &perf->cpus[cpu->number];
    cpu->events = calloc(cs_arm_spec(cpu)->nr_events, sizeof *cpu->events);
    if (cpu->events == NULL)
        return -ENOMEM;
    error = cs_perf_task_add(perf, &who, "");
    if (error == 0)
        cpu->task = cs_perf_task_find(perf, who.tid);
    for (unsigned i = 0; i < cs_arm_spec(cpu)->nr_events && error == 0; i++)
        error = open_event(cpu, i);
    return error;
}

cs_status cs_arm_open_perf(cs_arm_pmu *pmu, cs_diag *diag)
{
    const cs_status status = perf_create(pmu, diag);
    int error = 0;

    if (status != CS_OK)
        return status;
    for (unsigned i = 0; i < pmu->config.nr_cpus && error == 0; i++)
        if (pmu->cpus[i].used)
            error = open_cpu(&pmu->cpus[i]);
    return error == 0 ? CS_OK
                      : cs_diag_set(diag, CS_ERR_NO_MEMORY, "arm_pmu",
                                    "no memory for the events of the CPUs");
}

void cs_arm_switch(cs_arm_cpu *cpu, bool in)
{
    cs_arm_sync(cpu);
    cs_perf_switch(cpu->perf, in ? cpu->task : NULL);
    cpu->in = in;
}
