// SPDX-License-Identifier: Apache-2.0
/* The events that the kernel counts itself and this machine knows: clocks, switches, migrations,
 * and the one that never counts. */
#include "software/perf/impl.h"

#include <errno.h>
#include <stdlib.h>

#define NS_PER_SECOND UINT64_C(1000000000)
#define SHORTEST_NS UINT64_C(10000) /* of a timer */

/* ---- page faults: only who watches the threads knows them ---- */

static bool software_is_fault(uint64_t config)
{
    return config == CS_PERF_SW_PAGE_FAULTS || config == CS_PERF_SW_PAGE_FAULTS_MIN ||
           config == CS_PERF_SW_PAGE_FAULTS_MAJ;
}

static uint64_t software_faults(const cs_perf_faults *faults, uint32_t config)
{
    return (config != CS_PERF_SW_PAGE_FAULTS_MAJ ? faults->minor : 0) +
           (config != CS_PERF_SW_PAGE_FAULTS_MIN ? faults->major : 0);
}

static void software_add_faults(cs_perf_faults *to, const cs_perf_faults *now,
                                const cs_perf_faults *before)
{
    to->minor += now->minor - before->minor;
    to->major += now->major - before->major;
}

void cs_perf_take_faults(cs_perf_task *task, cs_perf_cpu *cpu)
{
    const cs_perf_calls *calls = &task->perf->calls;
    cs_perf_faults now;

    if (!calls->faults(calls->ctx, &task->who, &now))
        return;
    if (task->knows_faults && cpu != NULL) {
        software_add_faults(&task->faults, &now, &task->seen_faults);
        software_add_faults(&cpu->faults, &now, &task->seen_faults);
    }
    task->seen_faults = now;
    task->knows_faults = true;
}

/* From now on they count. */
static void software_begin_faults(cs_perf *perf)
{
    cs_perf_task *task;

    if (perf->counts_faults)
        return;
    perf->counts_faults = true;
    for (unsigned i = 0; i < CS_PERF_TASK_SLOTS; i++)
        TAILQ_FOREACH (task, &perf->tasks[i], in_slot)
            cs_perf_take_faults(task, NULL);
}

/* What the event has come to since the machine began, on the CPU on which it counts. */
static uint64_t software_now(const cs_perf_cpu *cpu, const cs_perf_event *event)
{
    const bool of_task = event->ctx->task != NULL;

    switch (event->hw.event) {
    case CS_PERF_SW_CPU_CLOCK:
    case CS_PERF_SW_TASK_CLOCK:
        return cpu->now_ns;
    case CS_PERF_SW_CONTEXT_SWITCHES:
        return of_task ? event->ctx->task->nr_switches : cpu->nr_switches;
    case CS_PERF_SW_CPU_MIGRATIONS:
        return of_task ? event->ctx->task->nr_migrations : cpu->nr_migrations;
    case CS_PERF_SW_PAGE_FAULTS:
    case CS_PERF_SW_PAGE_FAULTS_MIN:
    case CS_PERF_SW_PAGE_FAULTS_MAJ:
        return software_faults(of_task ? &event->ctx->task->faults : &cpu->faults, event->hw.event);
    default:
        return 0;
    }
}

static bool software_is_clock(uint64_t config)
{
    return config == CS_PERF_SW_CPU_CLOCK || config == CS_PERF_SW_TASK_CLOCK;
}

/* By a timer; others do as things happen. */
static bool software_has_timer(const cs_perf_event *event)
{
    return cs_perf_samples(event) && software_is_clock(event->hw.event);
}

static bool software_knows(const cs_perf *perf, uint64_t config)
{
    return (software_is_fault(config) && perf->calls.faults != NULL) ||
           config == CS_PERF_SW_CPU_CLOCK || config == CS_PERF_SW_TASK_CLOCK ||
           config == CS_PERF_SW_CONTEXT_SWITCHES || config == CS_PERF_SW_CPU_MIGRATIONS ||
           config == CS_PERF_SW_DUMMY;
}

/* A clock needs not look for the period that makes a frequency. */
static void software_fix_period(cs_perf_event *event)
{
    if (!software_has_timer(event) || !cs_perf_has(event, CS_PERF_ATTR_FREQ))
        return;
    event->attr.sample_period = NS_PER_SECOND / event->attr.sample_period;
    event->attr.flags &= ~CS_PERF_ATTR_FREQ;
}

static int software_init(cs_pmu *pmu, cs_perf_event *event)
{
    const uint64_t config = event->attr.config;

    if (event->attr.type != pmu->type || !software_knows(event->perf, config))
        return -ENOENT;
    if ((event->attr.sample_type & CS_PERF_SAMPLE_BRANCH_STACK) != 0)
        return -EOPNOTSUPP;
    if (software_is_fault(config) && cs_perf_samples(event))
        return -EOPNOTSUPP;
    if (software_is_fault(config))
        software_begin_faults(event->perf);
    event->hw.event = (uint32_t)config;
    software_fix_period(event);
    return 0;
}

static void software_read(cs_pmu *pmu, cs_perf_cpu *cpu, cs_perf_event *event)
{
    const uint64_t now = software_now(cpu, event);

    (void)pmu;
    if (!event->hw.counts)
        return;
    event->count += now - event->hw.before;
    event->hw.before = now;
}

/* Not shorter than the kernel's shortest. */
static uint64_t software_period(const cs_perf_event *event)
{
    const uint64_t period = event->hw.period.sample;

    return period > SHORTEST_NS ? period : SHORTEST_NS;
}

static void software_start(cs_pmu *pmu, cs_perf_cpu *cpu, cs_perf_event *event)
{
    const int64_t left = event->hw.period.left;

    (void)pmu;
    if (event->hw.throttle.stopped)
        return;
    event->hw.before = software_now(cpu, event);
    event->hw.counts = true;
    if (software_has_timer(event))
        event->hw.timer_ns = cpu->now_ns + (left > 0 ? (uint64_t)left : software_period(event));
}

/* A timer goes on later with what is left of it. */
static void software_stop(cs_pmu *pmu, cs_perf_cpu *cpu, cs_perf_event *event)
{
    software_read(pmu, cpu, event);
    if (event->hw.counts && software_has_timer(event))
        event->hw.period.left = (int64_t)(event->hw.timer_ns - cpu->now_ns);
    event->hw.counts = false;
}

/* ---- clocks that sample ---- */

static uint64_t software_context_timer(const cs_perf_context *ctx)
{
    const cs_perf_event *e;
    uint64_t next = UINT64_MAX;

    TAILQ_FOREACH (e, &ctx->events, in_ctx)
        if (e->pmu->software && e->hw.counts && software_has_timer(e) && e->hw.timer_ns < next)
            next = e->hw.timer_ns;
    return next;
}

static uint64_t software_timer(cs_pmu *pmu, const cs_perf_cpu *cpu)
{
    const uint64_t own = software_context_timer(&cpu->ctx);
    const uint64_t task = cpu->task != NULL ? software_context_timer(&cpu->task->ctx) : UINT64_MAX;

    (void)pmu;
    return own < task ? own : task;
}

static void software_context_expire(cs_pmu *pmu, cs_perf_cpu *cpu, cs_perf_context *ctx)
{
    cs_perf_event *e;

    TAILQ_FOREACH (e, &ctx->events, in_ctx) {
        if (!e->pmu->software || !e->hw.counts || !software_has_timer(e) ||
            e->hw.timer_ns > cpu->now_ns)
            continue;
        software_read(pmu, cpu, e);
        e->hw.timer_ns = cpu->now_ns + software_period(e);
        if (cs_perf_overflow(cpu, e, e->hw.period.sample))
            e->hw.counts = false;
    }
}

static void software_expire(cs_pmu *pmu, cs_perf_cpu *cpu)
{
    software_context_expire(pmu, cpu, &cpu->ctx);
    if (cpu->task != NULL)
        software_context_expire(pmu, cpu, &cpu->task->ctx);
}

/* ---- switches and migrations that sample ---- */

static void software_happened(cs_perf_cpu *cpu, cs_perf_context *ctx, uint32_t what)
{
    cs_perf_event *e;

    if (!ctx->sampled)
        return;
    TAILQ_FOREACH (e, &ctx->events, in_ctx) {
        bool over;

        if (!e->pmu->software || e->hw.event != what || !e->hw.counts || !cs_perf_samples(e))
            continue;
        const uint64_t period = e->hw.period.last;
        software_read(e->pmu, cpu, e);
        e->hw.period.left--;
        cs_perf_period_load(&e->hw.period, INT64_MAX, &over);
        if (over && cs_perf_overflow(cpu, e, period))
            e->hw.counts = false;
    }
}

void cs_perf_software_happened(cs_perf_cpu *cpu, uint32_t what)
{
    software_happened(cpu, &cpu->ctx, what);
    software_happened(cpu, &cpu->task->ctx, what);
}

static int software_add(cs_pmu *pmu, cs_perf_cpu *cpu, cs_perf_event *event)
{
    software_start(pmu, cpu, event);
    return 0;
}

static void software_destroy(cs_pmu *pmu)
{
    free(pmu);
}

cs_pmu *cs_perf_software_pmu(void)
{
    static const cs_pmu_ops ops = {
        .event_init = software_init,
        .add = software_add,
        .del = software_stop,
        .start = software_start,
        .stop = software_stop,
        .read = software_read,
        .timer = software_timer,
        .expire = software_expire,
        .destroy = software_destroy,
    };
    cs_pmu *pmu = calloc(1, sizeof *pmu);

    if (pmu != NULL)
        *pmu = (cs_pmu){
            .ops = &ops, .name = "software", .type = CS_PERF_TYPE_SOFTWARE, .software = true};
    return pmu;
}
