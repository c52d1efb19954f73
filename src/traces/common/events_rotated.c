/* Events that have counters in turns: those of uncore units, each a dynamic PMU of the unit's name that
 * one CPU reads, and the CPUs' own, by Arm's numbers. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "drivers/uncore/uncore_place.h"
#include "formats/perf/abi/perf.h"
#include "scenario/corepmu/arm_events.h"
#include "scenario/corepmu/multiplex_spec.h"
#include "scenario/uncore/uncore_driver_spec.h"
#include "scenario/uncore/uncore_spec.h"
#include "traces/common/events_impl.h"

void cs_events_add_uncore(cs_events_builder *b, unsigned command)
{
    const cs_scenario *s = b->scenario;
    const cs_uncore_perf_spec *p = &s->uncore_driver->perf[command];
    cs_uncore_manager managers[CS_MAX_UNCORE];

    cs_uncore_managers(s, managers);
    for (size_t i = 0; i < p->nr_units; i++) {
        const unsigned unit = p->unit_list[i];
        const char *pmu = s->uncore->units[unit].name;
        bool cpus[CS_MAX_CPUS] = {false};

        cpus[managers[unit].cpu] = true;
        for (size_t k = 0; k < p->nr_events; k++) {
            const uint32_t number = p->events[k].event - CS_EVENT_UNCORE(0);
            cs_trace_event *new =
                cs_events_add(b, CS_TRACE_UNCORE, command, (unsigned)(i * p->nr_events + k), cpus);

            if (new == NULL)
                return;
            new->uncore_unit = unit;
            new->type = cs_events_pmu_type(b, pmu);
            if (new->type < CS_PERF_TYPE_FIRST_DYNAMIC)
                b->reserved = pmu;
            new->config = number;
            snprintf(new->name, sizeof new->name, "%s/event=0x%" PRIx32 "/", pmu, number);
        }
    }
}

void cs_events_add_multiplex(cs_events_builder *b)
{
    const cs_multiplex_spec *p = b->scenario->multiplex;

    for (unsigned k = 0; k < p->nr_events; k++) {
        const char *name = cs_arm_event_name(p->events[k]);
        cs_trace_event *new = cs_events_add(b, CS_TRACE_MULTIPLEX, 0, k, p->cpus);

        if (new == NULL)
            return;
        new->type = CS_PERF_TYPE_RAW;
        new->config = p->events[k];
        if (name != NULL)
            snprintf(new->name, sizeof new->name, "%s", name);
        else
            snprintf(new->name, sizeof new->name, "r%" PRIx32, p->events[k]);
    }
}

size_t cs_trace_events_find_rotated(const cs_trace_events *e, const cs_rotated_count *count,
                                    size_t from)
{
    const bool core = strcmp(count->pmu, CS_ROTATED_CPU_PMU) == 0;
    const cs_trace_source source = core ? CS_TRACE_MULTIPLEX : CS_TRACE_UNCORE;
    size_t i = from;

    while (i < e->nr &&
           (e->list[i].source != source || e->list[i].command != count->command ||
            e->list[i].config != count->event || (!core && e->list[i].uncore_unit != count->unit)))
        i++;
    return i < e->nr ? i : e->nr;
}
