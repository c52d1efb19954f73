// SPDX-License-Identifier: Apache-2.0
/* What a core does in a program of known length: its mode in each cycle, and the increments of a few
 * events. Behind the model it is an event source; the RTL's pins get it cycle by cycle. Nothing
 * happens after the last cycle. */
#ifndef CS_FOREIGN_ACTIVITY_H
#define CS_FOREIGN_ACTIVITY_H

#include "foreign/bench.h"
#include <countersink/base/diag.h>
#include <countersink/base/stream/events.h>

#define CS_FOREIGN_CORE_EVENTS 16u
#define CS_FOREIGN_CORE_MODES 6u

typedef struct cs_foreign_core cs_foreign_core;

typedef struct cs_foreign_core_event {
    uint32_t event;
    unsigned most; /* increment */
    bool always;   /* it is that in every cycle */
    unsigned none; /* it has none in so many first cycles */
} cs_foreign_core_event;

/* A set of events, whose bit k is the event k + 1, instead of one. */
#define CS_FOREIGN_SET 0x10000u

/* What a set counts. */
typedef enum cs_foreign_sets {
    CS_FOREIGN_NO_SETS,
    CS_FOREIGN_SUMS, /* the increments of all */
    CS_FOREIGN_ANY   /* 1 when one of them has an increment */
} cs_foreign_sets;

typedef struct cs_foreign_core_plan {
    cs_cycle cycles;
    cs_foreign_core_event events[CS_FOREIGN_CORE_EVENTS];
    unsigned nr_events;
    cs_cycle last_cycles; /* of these, in which the mode is the first one */
    const uint8_t *modes; /* drawn from these; the first is that of the first cycles */
    unsigned nr_modes;
    unsigned sets; /* cs_foreign_sets */
    uint64_t pc;   /* bits that who runs has */
    uint32_t cid1, cid2;
} cs_foreign_core_plan;

/* An event of which a pin carries the increments: as many as its bits can say, and at most `most`. Where no
 * port stands for the pin it is what the pin is held at. */
cs_foreign_core_event cs_foreign_core_event_of(const cs_foreign_bench *bench, uint32_t event,
                                               unsigned pin, unsigned most);

cs_status cs_foreign_core_create(const cs_foreign_core_plan *plan, cs_foreign_random *random,
                                 cs_foreign_core **out, cs_diag *diag);
void cs_foreign_core_destroy(cs_foreign_core *activity); /* NULL is allowed */

cs_event_source cs_foreign_core_source(cs_foreign_core *activity);
unsigned cs_foreign_core_increment(const cs_foreign_core *activity, uint32_t event, cs_cycle cycle);
void cs_foreign_core_context(const cs_foreign_core *activity, cs_cycle cycle, cs_context *out);

#endif
