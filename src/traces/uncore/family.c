// SPDX-License-Identifier: Apache-2.0
/* The perf commands of uncore units: each is a dynamic PMU of the unit's name that one CPU reads. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "drivers/uncore/uncore_place.h"
#include "scenario/section_list.h"
#include "scenario/uncore/uncore_driver_spec.h"
#include "scenario/uncore/uncore_spec.h"
#include "traces/family.h"
#include <countersink/formats/perf/abi/perf.h>

/* ",config1=0x..,config2=0x..", or nothing. */
static const char *raw_of(const cs_uncore_event_spec *event)
{
    const char *comma = strchr(event->name, ',');

    return comma != NULL ? comma : "";
}

static void open_events(cs_events_builder *b, const cs_perf_command *command)
{
    const cs_scenario *s = b->scenario;
    const cs_uncore_perf_spec *p = &s->uncore_driver->perf[command->number];
    cs_uncore_manager managers[CS_MAX_UNCORE];

    cs_uncore_managers(s, managers);
    for (size_t i = 0; i < p->nr_units; i++) {
        const unsigned unit = p->unit_list[i];
        const char *pmu = s->uncore->units[unit].name;

        for (size_t k = 0; k < p->nr_events; k++) {
            const uint32_t number = p->events[k].event - CS_EVENT_UNCORE(0);
            cs_trace_event *new =
                cs_events_add_turning(b, command, (unsigned)(i * p->nr_events + k),
                                      managers[unit].cpu, "the uncore unit", pmu);

            if (new == NULL)
                return;
            new->config = new->turn = number;
            new->config1 = p->events[k].config1;
            new->config2 = p->events[k].config2;
            if (p->events[k].pinned)
                new->flags |= CS_PERF_ATTR_PINNED;
            snprintf(new->name, sizeof new->name, "%s/event=0x%" PRIx32 "%s/", pmu, number,
                     raw_of(&p->events[k]));
        }
    }
}

const cs_trace_family cs_trace_family_uncore = {
    .section = &cs_section_uncore_driver,
    .open = open_events,
};
