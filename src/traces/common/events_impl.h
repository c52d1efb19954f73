/* Internal to perf_events*.c: the list of events while it is made. */
#ifndef CS_TRACES_COMMON_EVENTS_IMPL_H
#define CS_TRACES_COMMON_EVENTS_IMPL_H

#include "traces/common/events.h"

typedef struct cs_events_builder {
    const cs_scenario *scenario;
    cs_trace_events *events;
    size_t room;
    uint64_t next_id;
    bool failed;          /* no memory */
    const char *reserved; /* a unit that has the name of a PMU of perf's own; NULL: none */
    bool faithful;
} cs_events_builder;

/* The number of a PMU of that name; a dynamic one gets the next that is free. */
uint32_t cs_events_pmu_type(cs_events_builder *builder, const char *name);
/* A new event on the CPUs of the set; NULL: no memory. */
cs_trace_event *cs_events_add(cs_events_builder *builder, cs_trace_source source, unsigned command,
                              unsigned event, const bool cpus[CS_MAX_CPUS]);

/* events_rotated.c */
void cs_events_add_uncore(cs_events_builder *builder, unsigned command);
void cs_events_add_multiplex(cs_events_builder *builder);

#endif
