// SPDX-License-Identifier: Apache-2.0
/* Time passes: on each CPU from one thing that happens to the next. These are the ends of
 * stretches, the timer's tick, rotation, and interrupts of PMUs. */
#include "software/perf/impl.h"

#include <errno.h>

#define NS_PER_US UINT64_C(1000)

/* ---- nanoseconds and cycles ---- */

/* Without overflow for clocks up to 100 GHz and times up to 2^64 ns. */
static uint64_t cycles_at(const cs_perf *perf, uint64_t ns)
{
    const uint64_t mhz = perf->machine.clock_mhz;

    return ns / NS_PER_US * mhz + ns % NS_PER_US * mhz / NS_PER_US;
}

static uint64_t ns_at(const cs_perf *perf, uint64_t cycle)
{
    const uint64_t mhz = perf->machine.clock_mhz;

    return cycle / mhz * NS_PER_US + cycle % mhz * NS_PER_US / mhz;
}

/* ---- the last overflow ---- */

static void disable_last(cs_perf_context *ctx)
{
    cs_perf_event *e;

    TAILQ_FOREACH (e, &ctx->events, in_ctx) {
        if (!e->overflowed_last)
            continue;
        e->overflowed_last = false;
        cs_perf_disable(e);
    }
}

/* What REFRESH has counted down is disabled once nobody goes through the events any more. */
static void cpu_disable_last(cs_perf_cpu *cpu)
{
    if (!cpu->overflowed_last)
        return;
    cpu->overflowed_last = false;
    disable_last(&cpu->ctx);
    if (cpu->task != NULL)
        disable_last(&cpu->task->ctx);
}

/* ---- timers ---- */

static uint64_t earlier(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t cpu_next_tick(const cs_perf_cpu *cpu)
{
    const uint64_t tick = cpu->perf->tick_ns;

    return cpu->nr_ticking != 0 ? (cpu->now_ns / tick + 1) * tick : UINT64_MAX;
}

static uint64_t cpu_next_timer(const cs_perf_cpu *cpu)
{
    uint64_t next = cpu_next_tick(cpu);

    for (unsigned i = 0; i < cpu->perf->nr_pmus; i++) {
        cs_pmu *p = cpu->perf->pmus[i];

        next = earlier(next, cpu->rotate_ns[i]);
        if (p->ops->timer != NULL && cpu->nr_ticking != 0)
            next = earlier(next, p->ops->timer(p, cpu));
    }
    return next;
}

static void cpu_expire(cs_perf_cpu *cpu, cs_pmu *p)
{
    if (p->ops->timer != NULL && cpu->nr_ticking != 0 && cpu->now_ns >= p->ops->timer(p, cpu))
        p->ops->expire(p, cpu);
}

static void cpu_timers(cs_perf_cpu *cpu, uint64_t tick_ns)
{
    for (unsigned i = 0; i < cpu->perf->nr_pmus; i++)
        cpu_expire(cpu, cpu->perf->pmus[i]);
    cpu_disable_last(cpu);
    if (cpu->now_ns >= tick_ns)
        cs_perf_tick(cpu);
    for (unsigned i = 0; i < cpu->perf->nr_pmus; i++)
        if (cpu->now_ns >= cpu->rotate_ns[i])
            cs_perf_rotate(cpu, i);
}

/* ---- interrupts ---- */

/* Counters of a core stand still while nobody runs there. */
static bool pmu_may_interrupt(const cs_perf_cpu *cpu, const cs_pmu *p)
{
    return p->ops->next != NULL && cpu->nr_active[p->number] != 0 &&
           (cpu->task != NULL || p->worker != NULL);
}

/* In how many cycles the first PMU will interrupt, and which; `most`: none does within these. */
static cs_cycle cpu_next_interrupt(cs_perf_cpu *cpu, cs_cycle most, cs_pmu **which)
{
    cs_cycle next = CS_NEVER;

    *which = NULL;
    for (unsigned i = 0; i < cpu->perf->nr_pmus; i++) {
        cs_pmu *p = cpu->perf->pmus[i];
        const cs_cycle at = pmu_may_interrupt(cpu, p) ? p->ops->next(p, cpu, most) : CS_NEVER;

        if (at >= next)
            continue;
        next = at;
        *which = p;
    }
    return *which != NULL ? next : most;
}

/* ---- a CPU ---- */

static void cpu_set_now(cs_perf_cpu *cpu, uint64_t now_ns)
{
    cpu->now_ns = now_ns;
    if (cpu->perf->now_ns < now_ns)
        cpu->perf->now_ns = now_ns;
}

/* The time of the CPU's cycle; it may have passed already, as cycles are shorter than
 * nanoseconds. */
static uint64_t cpu_ns(const cs_perf_cpu *cpu)
{
    const uint64_t ns = ns_at(cpu->perf, cpu->cycle);

    return ns > cpu->now_ns ? ns : cpu->now_ns;
}

/* Units run whether the CPU that handles them does or not. */
static void cpu_work(cs_perf_cpu *cpu, cs_cycle cycles)
{
    if (cpu->task != NULL)
        cpu->task->local += cycles;
    for (unsigned i = 0; i < cpu->perf->nr_pmus; i++) {
        const cs_pmu *p = cpu->perf->pmus[i];

        if (p->works && p->on_cpu == cpu->number)
            p->worker->local += cycles;
    }
}

/* To `to_ns`, or to the first interrupt before it. */
static void cpu_step(cs_perf_cpu *cpu, uint64_t to_ns)
{
    const cs_cycle most = cycles_at(cpu->perf, to_ns) - cpu->cycle;
    cs_pmu *who;
    const cs_cycle step = cpu_next_interrupt(cpu, most, &who);

    cpu->cycle += step;
    cpu_work(cpu, step);
    cpu_set_now(cpu, who == NULL ? to_ns : cpu_ns(cpu));
    if (who != NULL)
        who->ops->interrupt(who, cpu);
}

static void cpu_advance(cs_perf_cpu *cpu, uint64_t to_ns)
{
    while (cpu->now_ns < to_ns) {
        const uint64_t tick = cpu_next_tick(cpu);
        const uint64_t until = earlier(to_ns, cpu_next_timer(cpu));

        cpu_step(cpu, until);
        cpu_timers(cpu, tick);
    }
}

static void cpu_idle(cs_perf_cpu *cpu, uint64_t to_ns)
{
    if (cpu->now_ns >= to_ns)
        return;
    cs_perf_switch(cpu, NULL);
    cpu_advance(cpu, to_ns);
}

/* ---- what is called ---- */

int cs_perf_run(cs_perf *perf, uint32_t tid, unsigned cpu, uint64_t from_ns, uint64_t to_ns)
{
    cs_perf_task *task = cs_perf_task_find(perf, tid);

    if (cpu >= perf->machine.nr_cpus || to_ns < from_ns || from_ns < perf->cpus[cpu].now_ns)
        return -EINVAL;
    if (task == NULL)
        return -ESRCH;
    if (from_ns == to_ns)
        return 0;
    cs_perf_cpu *c = &perf->cpus[cpu];
    if (task->current && task->cpu != cpu)
        cs_perf_switch(&perf->cpus[task->cpu], NULL);
    cpu_idle(c, from_ns);
    cs_perf_switch(c, task);
    cpu_advance(c, to_ns);
    if (perf->counts_faults)
        cs_perf_take_faults(task, c);
    return 0;
}

void cs_perf_idle(cs_perf *perf, uint64_t now_ns)
{
    for (unsigned i = 0; i < perf->machine.nr_cpus; i++)
        cpu_idle(&perf->cpus[i], now_ns);
    if (perf->now_ns < now_ns)
        perf->now_ns = now_ns;
    for (unsigned i = 0; i < perf->nr_pmus; i++)
        if (perf->pmus[i]->ops->reached != NULL)
            perf->pmus[i]->ops->reached(perf->pmus[i]);
}

uint64_t cs_perf_reached(const cs_perf *perf, unsigned cpu)
{
    return cpu < perf->machine.nr_cpus ? perf->cpus[cpu].now_ns : UINT64_MAX;
}

uint64_t cs_perf_now(const cs_perf *perf)
{
    return perf->now_ns;
}
