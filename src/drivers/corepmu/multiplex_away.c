// SPDX-License-Identifier: Apache-2.0
/* CPUs that execute nothing for a while (docs/drivers/software_way.md, "CPUs that go off"). A section that is
 * going on ends first. */
#include "drivers/corepmu/multiplex_impl.h"

const cs_multiplex_outage *cs_mux_next_outage(const cs_multiplex *m, const cs_mux_cpu *cpu,
                                              const cs_multiplex_outage *from)
{
    const cs_multiplex_outage *end = m->outages + m->nr_outages;

    while (from < end && from->cpu != cpu->number)
        from++;
    return from < end ? from : NULL;
}

cs_cycle cs_mux_away_due(const cs_multiplex *m, const cs_mux_cpu *cpu)
{
    if (cpu->outage == NULL || m->tool.work == CS_MUX_ENDED)
        return CS_NEVER;
    return cpu->away ? cpu->outage->on : cpu->outage->off;
}

/* perf_event_exit_cpu: the events leave their counters, and never come back. */
static void take_away(cs_multiplex *m, cs_mux_cpu *cpu)
{
    const bool called = cpu->call_due != CS_NEVER;

    cpu->gone = true;
    if (cpu->pmu.open)
        cs_mux_pmu_close(&cpu->pmu, m->now);
    cpu->tick_due = cpu->overflow_due = cpu->call_due = CS_NEVER;
    if (called) /* it fails at once */
        cs_mux_tool_served(m);
}

void cs_mux_away_step(cs_multiplex *m, cs_mux_cpu *cpu)
{
    cpu->away = !cpu->away;
    cpu->stale = true;
    if (!cpu->away) {
        cpu->outage = cs_mux_next_outage(m, cpu, cpu->outage + 1);
        cs_mux_tool_resumed(m, cpu);
        return;
    }
    cs_mux_tool_stands(m, cpu);
    if (cpu->outage->hotplug)
        take_away(m, cpu);
}
