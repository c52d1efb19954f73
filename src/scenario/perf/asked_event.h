// SPDX-License-Identifier: Apache-2.0
/* What perf's -e takes: "cycles:u", "PMU/term=1,term/D", "{event,event}:D". */
#ifndef CS_SCENARIO_PERF_ASKED_EVENT_H
#define CS_SCENARIO_PERF_ASKED_EVENT_H

#include <stdbool.h>
#include <stddef.h>

#include "scenario/yaml/yaml.h"
#include <countersink/base/diag.h>

typedef struct cs_asked_event {
    const char *pmu;       /* "": it names none */
    const char *what;      /* the terms of a PMU's event, or the event's name */
    const char *modifiers; /* behind it, and behind its group; "": none */
    size_t item;           /* where it stands in the list */
    unsigned group;        /* from 1 on; 0: it is alone */
} cs_asked_event;

typedef struct cs_asked_events {
    cs_asked_event *at;
    size_t count;
    unsigned groups;
} cs_asked_events;

/* Room for the events of all items; CS_ERR_NO_MEMORY. */
cs_status cs_asked_events_room(cs_asked_events *events, cs_yaml *memory, const char *const items[],
                               size_t nr_items, cs_diag *diag);

/* The events of an item join. CS_ERR_SCENARIO with *expected set: it is written otherwise;
 * CS_ERR_NO_MEMORY. */
cs_status cs_asked_events_add(cs_asked_events *events, cs_yaml *memory, const char *text,
                              size_t item, const char **expected, cs_diag *diag);

/* A term of `what`: "event=1", "partial". */
typedef struct cs_asked_term {
    char name[64];
    char value[64]; /* "": it has none */
} cs_asked_term;

/* The next one; *at moves on. False: there are no more. */
bool cs_asked_term_next(const char **at, cs_asked_term *out);

#endif
