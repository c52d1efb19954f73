// SPDX-License-Identifier: Apache-2.0
/* Events by the names that sections have for them (cs_section.names). */
#ifndef CS_SCENARIO_EVENT_NAMES_H
#define CS_SCENARIO_EVENT_NAMES_H

#include <stddef.h>
#include <stdint.h>

typedef struct cs_named_event {
    const char *prefix; /* "x:"; "": none */
    uint32_t number;
    const char *name;
} cs_named_event;

/* The nr'th of all, section after section; its name is NULL where there are no more. */
cs_named_event cs_named_event_at(size_t nr);

/* The name of an event without a prefix; NULL: it has none. */
const char *cs_named_event_of(uint32_t number);

#endif
