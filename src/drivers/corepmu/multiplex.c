// SPDX-License-Identifier: Apache-2.0
/* The calendar over all CPUs: everything that is due in a cycle happens, then the software waits for
 * the next cycle in which something is. */
#include "drivers/corepmu/multiplex.h"

#include <stdlib.h>

#include "drivers/corepmu/multiplex_impl.h"
#include "scenario/corepmu/arm_events.h"
#include "scenario/corepmu/multiplex_spec.h"

/* ---- create, destroy ---- */

/* Events on counters when the first `enabled` are: in their order, up to the first that does not
 * fit. */
static unsigned fitting(const cs_multiplex_spec *s, unsigned enabled)
{
    unsigned general = 0, cycles = 0;

    for (unsigned i = 0; i < enabled; i++) {
        if (s->events[i] == CS_ARM_CPU_CYCLES && cycles == 0)
            cycles = 1;
        else if (general < s->counters)
            general++;
        else
            break;
    }
    return general + cycles;
}

static cs_status check(const cs_multiplex_config *config, cs_diag *diag)
{
    unsigned measured = 0;

    for (unsigned cpu = 0; cpu < config->nr_cpus; cpu++)
        measured += config->spec->cpus[cpu];
    if (measured == 0)
        return cs_diag_set(diag, CS_ERR_RANGE, "multiplex", "no CPU; at least one is expected");
    if (config->spec->nr_events == 0)
        return cs_diag_set(diag, CS_ERR_RANGE, "multiplex", "no event; at least one is expected");
    return CS_OK;
}

static cs_status copy_outages(cs_multiplex *m, const cs_multiplex_config *config, cs_diag *diag)
{
    m->outages = calloc(config->nr_outages + 1, sizeof *m->outages);
    if (m->outages == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, "multiplex", "no memory for the software");
    m->nr_outages = config->nr_outages;
    for (size_t i = 0; i < config->nr_outages; i++)
        m->outages[i] = config->outages[i];
    return CS_OK;
}

static cs_status add_cpu(cs_multiplex *m, const cs_multiplex_config *config, unsigned number,
                         cs_diag *diag)
{
    cs_mux_cpu *cpu = &m->cpus[m->nr_cpus++];

    cpu->number = number;
    cpu->tick_due = cpu->overflow_due = cpu->call_due = CS_NEVER;
    cpu->outage = cs_mux_next_outage(m, cpu, m->outages);
    if (!config->spec->cpus[number])
        return CS_OK;
    return cs_mux_pmu_create(&cpu->pmu, config->spec, &config->events[number], diag);
}

cs_status cs_multiplex_create(const cs_multiplex_config *config, cs_multiplex **out, cs_diag *diag)
{
    cs_status status = check(config, diag);
    cs_multiplex *m;

    *out = NULL;
    if (status != CS_OK)
        return status;
    m = calloc(1, sizeof *m);
    if (m == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, "multiplex", "no memory for the software");
    m->spec = config->spec;
    m->us = config->clock_mhz;
    m->tick = (uint64_t)config->spec->tick_us * config->clock_mhz;
    m->soft = config->soft;
    for (unsigned i = 0; i <= m->spec->nr_events; i++)
        m->fits[i] = fitting(m->spec, i);
    status = copy_outages(m, config, diag);
    for (unsigned cpu = 0; cpu < config->nr_cpus && status == CS_OK; cpu++) {
        if (cpu == config->tool_cpu)
            m->tool.home = m->nr_cpus;
        if (cpu == config->tool_cpu || m->spec->cpus[cpu])
            status = add_cpu(m, config, cpu, diag);
    }
    if (status != CS_OK) {
        cs_multiplex_destroy(m);
        return status;
    }
    *out = m;
    return CS_OK;
}

void cs_multiplex_destroy(cs_multiplex *m)
{
    if (m == NULL)
        return;
    for (unsigned i = 0; i < m->nr_cpus; i++)
        cs_mux_pmu_destroy(&m->cpus[i].pmu);
    free(m->outages);
    free(m);
}

/* ---- what is due ---- */

/* Has a counter overflowed? While a section was active, nobody looked. */
static bool overflows(const cs_multiplex *m, const cs_mux_cpu *cpu)
{
    const cs_cycle due =
        cpu->stale ? cs_mux_pmu_overflow_due(&cpu->pmu, m->now) : cpu->overflow_due;

    return due <= m->now || cs_mux_pmu_flagged(&cpu->pmu);
}

/* Interrupts in the order of their numbers, as the GIC takes them: calls, counters, the timer. */
static bool take_interrupt(cs_multiplex *m, cs_mux_cpu *cpu)
{
    if (cpu->call_due <= m->now) {
        cpu->call_due = CS_NEVER;
        cs_mux_section_begin(m, cpu, cpu->call_body, true, cpu->call_event);
    } else if (overflows(m, cpu)) {
        cs_mux_section_begin(m, cpu, CS_MUX_OVERFLOW, true, 0);
    } else if (cpu->tick_due <= m->now) {
        cs_mux_section_begin(m, cpu, CS_MUX_TICK, true, 0);
    } else {
        return false;
    }
    return true;
}

static bool settle_cpu(cs_multiplex *m, cs_mux_cpu *cpu)
{
    if (!cpu->section.active && cs_mux_away_due(m, cpu) <= m->now) {
        cs_mux_away_step(m, cpu);
        return true;
    }
    if (cpu->away)
        return false;
    if (!cpu->section.active)
        return take_interrupt(m, cpu);
    if (cpu->section.due > m->now)
        return false;
    cs_mux_section_step(m, cpu);
    return true;
}

static void settle(cs_multiplex *m)
{
    bool moved = true;

    while (moved) {
        moved = false;
        for (unsigned i = 0; i < m->nr_cpus; i++)
            while (settle_cpu(m, &m->cpus[i]))
                moved = true;
        if (cs_mux_tool_due(m) <= m->now) {
            cs_mux_tool_step(m);
            moved = true;
        }
    }
}

/* Workloads that are left, or resumed. */
static void take_cpus(cs_multiplex *m)
{
    m->nr_ops = m->next_op = 0;
    for (unsigned i = 0; i < m->nr_cpus; i++) {
        cs_mux_cpu *cpu = &m->cpus[i];
        const bool take = cpu->section.active || (cs_mux_tool_on(m, cpu) && !cpu->away);

        if (take == cpu->taken)
            continue;
        if (take)
            cpu->taken_since = m->now;
        else
            cpu->stolen += m->now - cpu->taken_since;
        m->nr_taken += take ? 1u : -1u;
        cpu->taken = take;
        cpu->stale = true;
        m->ops[m->nr_ops++] =
            (cs_op){.kind = take ? CS_OP_ENTER : CS_OP_LEAVE, .core = (uint16_t)(1 + cpu->number)};
    }
}

static cs_cycle earlier(cs_cycle a, cs_cycle b)
{
    return a < b ? a : b;
}

static cs_cycle cpu_due(const cs_multiplex *m, cs_mux_cpu *cpu)
{
    if (cpu->section.active)
        return cpu->section.due;
    if (cpu->away)
        return cs_mux_away_due(m, cpu);
    if (cpu->stale) {
        cpu->overflow_due = cs_mux_pmu_overflow_due(&cpu->pmu, cpu->tick_due);
        cpu->stale = false;
    }
    return earlier(earlier(earlier(cpu->call_due, cpu->overflow_due), cpu->tick_due),
                   cs_mux_away_due(m, cpu));
}

static cs_cycle earliest(cs_multiplex *m)
{
    cs_cycle due = cs_mux_tool_due(m);

    for (unsigned i = 0; i < m->nr_cpus; i++)
        due = earlier(due, cpu_due(m, &m->cpus[i]));
    return due;
}

/* ---- the software ---- */

static void move_to(cs_multiplex *m, cs_cycle now)
{
    m->report.rotating.rotating_cycles += m->nr_taken * (now - m->now);
    m->now = now;
}

static void next(void *ctx, cs_cycle now, const cs_op_result *last, cs_op *op)
{
    cs_multiplex *m = ctx;

    (void)last;
    move_to(m, now);
    if (!m->begun) {
        m->begun = true;
        cs_mux_tool_begin(m);
    }
    for (;;) {
        if (m->next_op < m->nr_ops) {
            *op = m->ops[m->next_op++];
            return;
        }
        settle(m);
        take_cpus(m);
        if (m->nr_ops != 0)
            continue;
        const cs_cycle due = earliest(m);

        if (due == CS_NEVER) {
            *op = (cs_op){.kind = CS_OP_END};
            return;
        }
        if (due > now) {
            *op = (cs_op){.kind = CS_OP_SLEEP, .cycles = due - now};
            return;
        }
    }
}

cs_software cs_multiplex_software(cs_multiplex *m)
{
    return (cs_software){next, m};
}

const cs_multiplex_report *cs_multiplex_get_report(const cs_multiplex *m)
{
    return &m->report;
}

uint64_t cs_multiplex_stolen(const cs_multiplex *m, unsigned cpu, cs_cycle now)
{
    for (unsigned i = 0; i < m->nr_cpus; i++) {
        const cs_mux_cpu *c = &m->cpus[i];

        if (c->number == cpu)
            return c->stolen + (c->taken && now > c->taken_since ? now - c->taken_since : 0);
    }
    return 0;
}
