// SPDX-License-Identifier: Apache-2.0
/* The perf process: it enables all events of all CPUs, reads them at every interval, disables them and
 * reads them at the end, one CPU after the other. It goes to each CPU (sched_setaffinity), as perf does
 * since 5.6, or stays at home and interrupts the others, as before. */
#include <inttypes.h>
#include <stdio.h>

#include "drivers/corepmu/multiplex_impl.h"
#include "scenario/corepmu/arm_events.h"

static void begin(cs_multiplex *m, cs_mux_work work, uint64_t cycles)
{
    m->tool.work = work;
    m->tool.left = cycles;
    m->tool.since = m->now;
}

/* The first measured CPU from `from` on; nr_cpus: there is none. */
static unsigned measured(const cs_multiplex *m, unsigned from)
{
    while (from < m->nr_cpus && m->cpus[from].pmu.rotation == NULL)
        from++;
    return from;
}

/* ---- what it prints ---- */

const cs_rotated_family cs_multiplex_family = {
    .name = CS_ROTATED_CPU_PMU, .of_cpus = true, .event_name = cs_arm_event_text};

static void tell(cs_multiplex *m)
{
    const cs_mux_tool *t = &m->tool;
    cs_mux_pmu *pmu = &m->cpus[t->cpu].pmu;
    cs_mux_event *e = &pmu->events[t->event];
    const cs_rotated_count count = {
        .pmu = CS_ROTATED_CPU_PMU,
        .cpu = m->cpus[t->cpu].number,
        .event = m->spec->events[t->event],
        .from = t->last ? pmu->opened : e->told_at,
        .to = t->last ? pmu->closed : e->stamped,
        .running = t->last ? e->running : e->running - e->told_running,
        .raw = t->last ? e->raw : e->raw - e->told_raw,
        .final = t->last,
        .family = &cs_multiplex_family,
        .serial = t->event,
    };

    e->told_at = count.to;
    e->told_running = e->running;
    e->told_raw = e->raw;
    cs_tell_rotated(m->soft, m->now, count.cpu, &count);
}

/* ---- its way ---- */

static void call(cs_multiplex *m)
{
    m->report.system_calls++;
    begin(m, CS_MUX_CALLS, m->spec->syscall_cycles);
}

static void visit(cs_multiplex *m)
{
    m->tool.event = 0;
    if (m->spec->calls || m->tool.at == m->tool.cpu || m->cpus[m->tool.cpu].gone) {
        call(m);
        return;
    }
    m->tool.at = m->tool.cpu;
    begin(m, CS_MUX_MOVES, m->spec->migration_cycles);
}

static void begin_pass(cs_multiplex *m, cs_mux_body pass)
{
    m->tool.pass = pass;
    m->tool.cpu = measured(m, 0);
    visit(m);
}

static void sleep_on(cs_multiplex *m)
{
    const cs_cycle stop = m->spec->stop_us * m->us;
    const uint64_t interval = m->spec->interval_us * m->us;
    cs_cycle wake = stop;

    if (interval != 0 && m->now < stop && interval < stop - m->now)
        wake = m->now + interval;
    m->tool.work = CS_MUX_SLEEPS;
    m->tool.at = m->tool.home;
    m->tool.wake_at = wake > m->now ? wake : m->now;
}

static void end_pass(cs_multiplex *m)
{
    if (m->tool.last) {
        m->tool.work = CS_MUX_ENDED;
    } else if (m->tool.pass == CS_MUX_DISABLE) {
        m->tool.last = true;
        begin_pass(m, CS_MUX_READ);
    } else {
        sleep_on(m);
    }
}

static void next_event(cs_multiplex *m)
{
    cs_mux_tool *t = &m->tool;

    if (t->pass == CS_MUX_READ)
        tell(m);
    if (++t->event < m->spec->nr_events) {
        call(m);
        return;
    }
    t->cpu = measured(m, t->cpu + 1);
    if (t->cpu < m->nr_cpus)
        visit(m);
    else
        end_pass(m);
}

/* In the kernel: an event that has no counter is read without asking its CPU, and so is one of a CPU
 * that was taken away. */
static void serve(cs_multiplex *m)
{
    cs_mux_tool *t = &m->tool;
    cs_mux_cpu *cpu = &m->cpus[t->cpu];

    if (cpu->gone || (t->pass == CS_MUX_READ && !cpu->pmu.events[t->event].on)) {
        cs_mux_pmu_read(&cpu->pmu, t->event, m->now);
        next_event(m);
        return;
    }
    t->work = CS_MUX_WAITS;
    if (t->at == t->cpu) {
        cs_mux_section_begin(m, cpu, t->pass, false, t->event);
        return;
    }
    m->report.calls++;
    cpu->call_due = m->now + m->spec->ipi_cycles;
    cpu->call_body = t->pass;
    cpu->call_event = t->event;
}

/* ---- the calendar's view ---- */

static bool works(const cs_mux_tool *t)
{
    return t->work == CS_MUX_WAKES || t->work == CS_MUX_MOVES || t->work == CS_MUX_CALLS;
}

void cs_mux_tool_begin(cs_multiplex *m)
{
    m->tool.at = m->tool.home;
    begin_pass(m, CS_MUX_ENABLE);
}

cs_cycle cs_mux_tool_due(const cs_multiplex *m)
{
    const cs_mux_tool *t = &m->tool;

    if (t->work == CS_MUX_SLEEPS)
        return t->wake_at;
    return works(t) && !m->cpus[t->at].section.active && !m->cpus[t->at].away ? t->since + t->left
                                                                              : CS_NEVER;
}

void cs_mux_tool_step(cs_multiplex *m)
{
    cs_mux_tool *t = &m->tool;

    switch (t->work) {
    case CS_MUX_SLEEPS:
        begin(m, CS_MUX_WAKES, m->spec->wakeup_cycles);
        return;
    case CS_MUX_WAKES:
        begin_pass(m, m->now >= m->spec->stop_us * m->us ? CS_MUX_DISABLE : CS_MUX_READ);
        return;
    case CS_MUX_MOVES:
        call(m);
        return;
    case CS_MUX_CALLS:
        serve(m);
        return;
    case CS_MUX_WAITS:
    case CS_MUX_ENDED:
        return;
    }
}

bool cs_mux_tool_on(const cs_multiplex *m, const cs_mux_cpu *cpu)
{
    return cpu == &m->cpus[m->tool.at] && (works(&m->tool) || m->tool.work == CS_MUX_WAITS);
}

void cs_mux_tool_preempted(cs_multiplex *m, const cs_mux_cpu *cpu)
{
    if (cs_mux_tool_on(m, cpu) && works(&m->tool))
        m->tool.left -= m->now - m->tool.since;
}

void cs_mux_tool_resumed(cs_multiplex *m, const cs_mux_cpu *cpu)
{
    if (cs_mux_tool_on(m, cpu))
        m->tool.since = m->now;
}

/* A process is moved from a CPU that is taken away. */
void cs_mux_tool_stands(cs_multiplex *m, cs_mux_cpu *cpu)
{
    if (!cs_mux_tool_on(m, cpu))
        return;
    cs_mux_tool_preempted(m, cpu);
    if (cpu->outage->hotplug)
        m->tool.at = m->tool.home;
    m->tool.since = m->now;
}

void cs_mux_tool_served(cs_multiplex *m)
{
    next_event(m);
}
