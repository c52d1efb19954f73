// SPDX-License-Identifier: Apache-2.0
/* perf as a process: it enables all events of all CPUs, reads them at every interval, disables them and
 * reads them at the end, one system call after the other. It goes to each CPU (sched_setaffinity), as
 * perf does since 5.6, or stays at home and interrupts the others, as before (docs/drivers/
 * software_way.md). */
#include "drivers/corepmu/arm_pmu_impl.h"

#define NOWHERE UINT32_MAX
/* What one CPU leaves to another holds from then on. */
#define LATER 2u

static cs_arm_process *process_of(const cs_arm_cpu *cpu)
{
    return &cpu->pmu->process;
}

/* It is on this CPU, and awake. */
static bool process_is_here(const cs_arm_cpu *cpu)
{
    const cs_arm_process *p = process_of(cpu);

    return p->at == cpu->number && p->due <= cs_arm_now(cpu);
}

/* The first CPU from `from` on that has events; nr_cpus: there is none. */
static unsigned next_used(const cs_arm_pmu *pmu, unsigned from)
{
    while (from < pmu->config.nr_cpus && !pmu->cpus[from].used)
        from++;
    return from;
}

void cs_arm_process_begin(cs_arm_pmu *pmu)
{
    pmu->process = (cs_arm_process){
        .home = pmu->config.home,
        .at = pmu->config.home,
        .due = pmu->config.spec->start_us * pmu->config.clock_mhz,
        .cpu = next_used(pmu, 0),
        .ended = CS_NEVER,
    };
}

/* ---- its way ---- */

/* It goes on there, not before cycle `due`. */
static void process_goes(cs_arm_cpu *cpu, unsigned to, cs_cycle due, unsigned coming)
{
    cs_arm_process *p = process_of(cpu);
    const cs_cycle now = cs_arm_now(cpu);

    p->at = to;
    p->due = due > now + LATER ? due : now + LATER;
    p->coming = coming;
    if (to != cpu->number && cpu->pmu->cpus[to].core != NULL) /* else it has not begun yet */
        cs_arm_core_poke(cpu->pmu->cpus[to].core, now);
}

static void process_visits(cs_arm_cpu *cpu)
{
    const cs_arm_process *p = process_of(cpu);

    if (cs_arm_spec(cpu)->reach == CS_ARM_CALLS || p->cpu == cpu->number ||
        cpu->pmu->cpus[p->cpu].gone)
        return;
    process_goes(cpu, p->cpu, 0, cs_arm_spec(cpu)->visit_cycles);
}

static void process_sleeps(cs_arm_cpu *cpu)
{
    const cs_arm_pmu_config *c = &cpu->pmu->config;
    const cs_cycle now = cs_arm_now(cpu), stop = c->spec->stop_us * c->clock_mhz;
    const uint64_t interval = c->spec->interval_us * c->clock_mhz;
    const bool reads = interval != 0 && now < stop && interval < stop - now;

    process_of(cpu)->pass = reads ? CS_ARM_READ : CS_ARM_DISABLE;
    process_goes(cpu, process_of(cpu)->home, reads ? now + interval : stop, c->spec->wakeup_cycles);
}

static void process_ends(cs_arm_cpu *cpu)
{
    cs_arm_process *p = process_of(cpu);

    p->at = NOWHERE;
    p->ended = cs_arm_now(cpu) + LATER;
    for (unsigned i = 0; i < cpu->pmu->config.nr_cpus; i++)
        if (cpu->pmu->cpus[i].core != NULL && i != cpu->number)
            cs_arm_core_poke(cpu->pmu->cpus[i].core, cs_arm_now(cpu));
}

static void process_ends_pass(cs_arm_cpu *cpu)
{
    cs_arm_process *p = process_of(cpu);

    p->cpu = next_used(cpu->pmu, 0);
    if (p->last) {
        process_ends(cpu);
    } else if (p->pass == CS_ARM_DISABLE) {
        p->last = true;
        p->pass = CS_ARM_READ;
        process_visits(cpu);
    } else {
        process_sleeps(cpu);
    }
}

static void process_next_event(cs_arm_cpu *cpu)
{
    cs_arm_process *p = process_of(cpu);

    if (++p->event < cs_arm_spec(cpu)->nr_events)
        return;
    p->event = 0;
    p->cpu = next_used(cpu->pmu, p->cpu + 1);
    if (p->cpu < cpu->pmu->config.nr_cpus)
        process_visits(cpu);
    else
        process_ends_pass(cpu);
}

/* ---- in the kernel ---- */

static void event_enable(cs_arm_cpu *cpu, cs_arm_perf_event *e)
{
    if (!cpu->open) {
        cpu->open = true;
        cpu->opened = cs_arm_now(cpu);
        if (cs_arm_wants_counters(cpu))
            cs_arm_switch(cpu, true);
    }
    cs_arm_sync(cpu);
    e->opened = e->told_at = cs_arm_now(cpu);
    cs_perf_enable_one(e->event);
}

static void event_disable(cs_arm_cpu *cpu, cs_arm_perf_event *e)
{
    cs_arm_sync(cpu);
    cs_perf_disable(e->event);
    e->closed = cpu->perf->now_ns;
    if (e + 1 != cpu->events + cs_arm_spec(cpu)->nr_events)
        return;
    if (cpu->in)
        cs_arm_switch(cpu, false);
    cpu->open = false;
    cpu->closed = cs_arm_now(cpu);
}

/* What perf asks of an event, on the event's CPU. */
static void event_serve(cs_arm_cpu *cpu)
{
    const cs_arm_process *p = process_of(cpu);
    cs_arm_perf_event *e = &cpu->events[p->event];

    switch (p->pass) {
    case CS_ARM_ENABLE:
        event_enable(cpu, e);
        break;
    case CS_ARM_READ:
        cs_arm_sync(cpu);
        cs_perf_update_count(e->event);
        cpu->read_at = cpu->perf->now_ns;
        break;
    case CS_ARM_DISABLE:
        event_disable(cpu, e);
        break;
    }
}

/* ---- another CPU's interrupt ---- */

static void process_serves(cs_arm_cpu *cpu)
{
    cs_arm_process *p = process_of(cpu);

    cpu->call_due = CS_NEVER;
    p->served = cs_arm_now(cpu) + LATER;
    cs_arm_core_poke(cpu->pmu->cpus[p->at].core, cs_arm_now(cpu));
}

void cs_arm_process_called(cs_arm_cpu *cpu)
{
    cs_arm_enter(cpu);
    cpu->pmu->report.rotating.interrupts++;
    event_serve(cpu);
    process_serves(cpu);
    cs_arm_leave(cpu);
}

static void process_calls(cs_arm_cpu *cpu, cs_arm_cpu *to)
{
    cs_arm_process *p = process_of(cpu);
    const unsigned ipi = cs_arm_spec(cpu)->ipi_cycles;

    p->served = CS_NEVER;
    to->call_due = cs_arm_now(cpu) + (ipi > LATER ? ipi : LATER);
    cs_arm_core_poke(to->core, cs_arm_now(cpu));
    while (cs_arm_step(cpu, p->served))
        ;
}

/* A call fails, and a process is moved to another CPU. */
void cs_arm_process_loses(cs_arm_cpu *cpu)
{
    if (!cs_arm_has_process(cpu->pmu))
        return;
    if (cpu->call_due != CS_NEVER)
        process_serves(cpu);
    if (process_of(cpu)->at == cpu->number)
        process_goes(cpu, process_of(cpu)->home, 0, 0);
}

/* ---- a system call ---- */

/* Work of perf, which interrupts may stop; none of it is left when it is somewhere else. */
static void process_works(cs_arm_cpu *cpu, uint64_t cycles)
{
    while (cycles != 0 && process_is_here(cpu)) {
        const cs_cycle since = cs_arm_now(cpu);
        const uint64_t interrupted = cpu->interrupted;

        cs_arm_step(cpu, since + cycles);
        const uint64_t worked = cs_arm_now(cpu) - since - (cpu->interrupted - interrupted);
        cycles -= worked < cycles ? worked : cycles;
    }
}

/* It has a counter, as is known on every CPU. */
static bool event_is_on(const cs_arm_perf_event *e, cs_cycle now)
{
    const bool on = e->event->state == CS_PERF_STATE_ACTIVE;

    return e->moved + LATER <= now ? on : !on;
}

/* An event without a counter is read without its CPU; so is one of a CPU that was taken away. */
static bool needs_its_cpu(const cs_arm_cpu *cpu, const cs_arm_cpu *of)
{
    const cs_arm_process *p = process_of(cpu);

    if (of->gone)
        return false;
    return p->pass != CS_ARM_READ || event_is_on(&of->events[p->event], cs_arm_now(cpu));
}

/* In which cycle it was done. */
static cs_cycle process_asks(cs_arm_cpu *cpu, cs_arm_cpu *of)
{
    if (!needs_its_cpu(cpu, of))
        return cs_arm_now(cpu);
    if (of == cpu)
        event_serve(cpu);
    else
        process_calls(cpu, of);
    return of->read_at;
}

/* A CPU that was taken away has ended its events; one that was never there has opened none. */
static void process_tells(const cs_arm_process *p, cs_arm_cpu *of, cs_cycle read_at)
{
    cs_arm_perf_event *e = &of->events[p->event];
    const cs_cycle closed = e->closed < of->closed ? e->closed : of->closed;

    if (p->pass != CS_ARM_READ)
        return;
    if (e->opened == CS_NEVER)
        e->opened = e->told_at = e->closed = read_at;
    cs_arm_tell(e, closed < read_at ? closed : read_at, p->last);
}

static void process_call(cs_arm_cpu *cpu)
{
    cs_arm_cpu *of = &cpu->pmu->cpus[process_of(cpu)->cpu];

    process_works(cpu, cs_arm_spec(cpu)->syscall_cycles);
    if (!process_is_here(cpu))
        return;
    process_tells(process_of(cpu), of, process_asks(cpu, of));
    process_next_event(cpu);
}

/* ---- as the software of a CPU ---- */

static void process_stays(cs_arm_cpu *cpu)
{
    const unsigned coming = process_of(cpu)->coming;

    process_of(cpu)->coming = 0;
    cs_arm_take(cpu);
    process_works(cpu, coming);
    if (process_is_here(cpu) && process_of(cpu)->event == 0)
        process_visits(cpu);
    while (process_is_here(cpu))
        process_call(cpu);
    cs_arm_give(cpu);
}

/* When this CPU has to look again, as it knows. */
static cs_cycle process_due(const cs_arm_cpu *cpu)
{
    const cs_arm_process *p = process_of(cpu);

    return p->at == cpu->number ? p->due : p->ended;
}

void cs_arm_process_run(cs_arm_cpu *cpu)
{
    while (process_of(cpu)->ended > cs_arm_now(cpu)) {
        cs_arm_step(cpu, process_due(cpu));
        if (process_is_here(cpu))
            process_stays(cpu);
    }
}
