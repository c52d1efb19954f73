/* perf multiplexes the CPUs' own events, by Arm's numbers. */
#include <inttypes.h>
#include <stdio.h>

#include "formats/perf/abi/perf.h"
#include "scenario/corepmu/arm_events.h"
#include "scenario/corepmu/multiplex_spec.h"
#include "scenario/section_list.h"
#include "traces/family.h"

static void open_events(cs_events_builder *b, const cs_perf_command *command)
{
    const cs_multiplex_spec *p = b->scenario->multiplex;

    for (unsigned k = 0; k < p->nr_events; k++) {
        const char *name = cs_arm_event_name(p->events[k]);
        cs_trace_event *new = cs_events_add(b, command, k, p->cpus);

        if (new == NULL)
            return;
        new->rotated = CS_ROTATED_CPU_PMU;
        new->type = CS_PERF_TYPE_RAW;
        new->config = p->events[k];
        new->turn = p->events[k];
        if (name != NULL)
            snprintf(new->name, sizeof new->name, "%s", name);
        else
            snprintf(new->name, sizeof new->name, "r%" PRIx32, p->events[k]);
    }
}

const cs_trace_family cs_trace_family_multiplex = {
    .section = &cs_section_multiplex,
    .cpu = &cs_trace_cpu_arm,
    .open = open_events,
};
