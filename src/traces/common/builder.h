// SPDX-License-Identifier: Apache-2.0
/* Internal to traces: the list of events while it is made, for families (traces/family.h). */
#ifndef CS_TRACES_COMMON_BUILDER_H
#define CS_TRACES_COMMON_BUILDER_H

#include "scenario/perf_commands.h"
#include "traces/common/events.h"

typedef struct cs_events_builder {
    const cs_scenario *scenario;
    bool faithful;
    const struct cs_trace_family *family; /* whose events are added */
    cs_trace_events *events;
    size_t room;
    uint64_t next_id;
    bool failed;       /* no memory */
    char refused[200]; /* why one cannot stand in a trace; "": all can */
} cs_events_builder;

/* The number of a PMU of that name; a dynamic one gets the next that is free. */
uint32_t cs_events_pmu_type(cs_events_builder *builder, const char *name);
/* A new event of the command on the CPUs of the set; NULL: no memory. */
cs_trace_event *cs_events_add(cs_events_builder *builder, const cs_perf_command *command,
                              unsigned event, const bool cpus[CS_MAX_CPUS]);
/* The same of a dynamic PMU whose events take turns, that of `what` ("the IOMMU"). */
cs_trace_event *cs_events_add_turning(cs_events_builder *builder, const cs_perf_command *command,
                                      unsigned event, unsigned cpu, const char *what,
                                      const char *pmu);

/* Makes it one of a process, and of those that it forks, in place of CPUs. */
void cs_events_anywhere(cs_trace_event *event, uint32_t pid);

#endif
