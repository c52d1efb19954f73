// SPDX-License-Identifier: Apache-2.0
/* Internal to traces: the events that a scenario's perf commands open, as perf knows them. */
#ifndef CS_TRACES_COMMON_EVENTS_H
#define CS_TRACES_COMMON_EVENTS_H

#include "drivers/count.h"
#include "traces/trace.h"
#include <countersink/base/diag.h>

#define CS_TRACE_ANY_CPU UINT16_MAX /* -1, as files have it */

struct cs_trace_family;

typedef struct cs_trace_event {
    const struct cs_trace_family *family; /* whose command has opened it */
    unsigned command;                     /* its number in the family's list */
    unsigned event;                       /* its number in the command */
    const char *rotated; /* cs_count.pmu of a counter in turns; NULL: it has its own */
    uint32_t turn;       /* likewise cs_count.event */
    char name[512];      /* "pmu/event/", "instructions:u" */
    uint32_t type;       /* of the PMU */
    uint64_t config, config1, config2;
    uint64_t period;  /* 0: it counts */
    uint64_t freq;    /* samples a second (-F), of which it has no fixed period; 0: it has one */
    uint64_t flags;   /* CS_PERF_ATTR_EXCLUDE_.., CS_PERF_ATTR_PINNED */
    bool anywhere;    /* it counts processes, on any CPU: cpus is CS_TRACE_ANY_CPU alone, */
    uint32_t pid;     /* and this is the first of them */
    bool sockets;     /* perf adds it up by socket (--per-socket) */
    bool intervals;   /* it is told by the interval (-I) */
    bool guest;       /* a guest's perf has opened it */
    bool callchain;   /* its samples have call chains, */
    bool raw;         /* or the bytes that the hardware has stored */
    const char *unit; /* NULL: none */
    double scale;     /* 1: none */
    uint64_t *ids;    /* [nr_cpus] */
    uint16_t *cpus;   /* [nr_cpus], rising */
    unsigned nr_cpus;
} cs_trace_event;

typedef struct cs_trace_pmu {
    uint32_t type;
    char name[256];
} cs_trace_pmu;

typedef struct cs_trace_events {
    cs_trace_event *list;
    size_t nr;
    cs_trace_pmu *pmus; /* dynamic ones, and those that perf always has */
    size_t nr_pmus;
    unsigned nr_commands; /* that the events are of */
    unsigned interval_us; /* of the only command; else 0 */
} cs_trace_events;

/* perf's flavour `faithful`: of what hands out AUX data there is that event only. */
bool cs_trace_is_faithful(const cs_trace_request *request);

/* The events of the commands that are asked for: of those that sample; where there are none, of those
 * that count. *counts: which. Errors: CS_ERR_NO_MEMORY; CS_ERR_SCENARIO for events that cannot stand in
 * a trace. */
cs_status cs_trace_events_create(const cs_scenario *scenario, const cs_trace_request *request,
                                 bool *counts, cs_trace_events **out, cs_diag *diag);
void cs_trace_events_destroy(cs_trace_events *events); /* NULL is allowed */

/* The same for a format that is to be `what` ("a table"), with what is wrong with the request:
 * CS_ERR_USAGE where its command is none, and the text tells those there are; CS_ERR_SCENARIO where
 * there are none at all. */
cs_status cs_trace_events_check(const cs_scenario *scenario, const cs_trace_request *request,
                                const char *what, bool *counts, cs_trace_events **out,
                                cs_diag *diag);

/* The number in the list; events->nr: none. */
size_t cs_trace_events_find(const cs_trace_events *events, const struct cs_trace_family *family,
                            unsigned command, unsigned event);
/* The first from number `from` on that the count can be of: a command may have the same event twice. */
size_t cs_trace_events_find_count(const cs_trace_events *events, const cs_count *count,
                                  size_t from);
/* The id of the event on the CPU; 0: it is not counted there. */
uint64_t cs_trace_event_id(const cs_trace_event *event, unsigned cpu);

#endif
