// SPDX-License-Identifier: Apache-2.0
/* The perf commands of IOMMUs: each is a dynamic PMU of the IOMMU's name that one CPU reads. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "scenario/iommu_hpm/iommu_driver_spec.h"
#include "scenario/machine/software_spec.h"
#include "scenario/section_list.h"
#include "traces/family.h"
#include <countersink/formats/perf/abi/perf.h>

/* ",device_id=0x100", or nothing. */
static const char *filters_of(const cs_iommu_event_spec *event)
{
    const char *comma = strchr(event->name, ',');

    return comma != NULL ? comma : "";
}

static void open_events(cs_events_builder *b, const cs_perf_command *command)
{
    const cs_scenario *s = b->scenario;
    const cs_iommu_perf_spec *p = &s->iommu_driver->perf[command->number];

    for (size_t i = 0; i < p->nr_units; i++) {
        const char *pmu = s->iommu_hpm->units[p->units[i]].name;

        for (size_t k = 0; k < p->nr_events; k++) {
            const uint32_t number = p->events[k].event - CS_EVENT_IOMMU(0);
            cs_trace_event *new = cs_events_add_turning(
                b, command, (unsigned)(i * p->nr_events + k), s->software->cpu, "the IOMMU", pmu);

            if (new == NULL)
                return;
            new->config = p->events[k].config;
            new->turn = number;
            if (p->events[k].pinned)
                new->flags |= CS_PERF_ATTR_PINNED;
            snprintf(new->name, sizeof new->name, "%s/event=0x%" PRIx32 "%s/", pmu, number,
                     filters_of(&p->events[k]));
        }
    }
}

const cs_trace_family cs_trace_family_iommu_hpm = {
    .section = &cs_section_iommu_driver,
    .open = open_events,
};
