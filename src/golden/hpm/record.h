// SPDX-License-Identifier: Apache-2.0
/* What a core has done lately: increments of events by cycle and mode, as stretches in which they
 * stay the same. An event source for cycles that have been (internal to golden). */
#ifndef CS_GOLDEN_HPM_RECORD_H
#define CS_GOLDEN_HPM_RECORD_H

#include <stddef.h>

#include <countersink/base/stream/events.h>

#define CS_RECORD_EVENTS 256u
#define CS_RECORD_MODES 6u

typedef struct cs_record_stretch {
    cs_cycle begin;
    uint64_t before[CS_RECORD_MODES]; /* of all cycles before it, by mode */
    uint8_t increment;
    uint8_t mode;
} cs_record_stretch;

typedef struct cs_record_row {
    cs_record_stretch *list;
    size_t count, room;
} cs_record_row;

/* What a set of events (CS_HPM_EVENT_SET) counts. */
typedef enum cs_record_sets {
    CS_RECORD_NO_SETS,
    CS_RECORD_SUMS, /* the increments of all */
    CS_RECORD_ANY   /* 1 when one of them has an increment */
} cs_record_sets;

typedef struct cs_record {
    unsigned sets; /* cs_record_sets */
    cs_record_row events[CS_RECORD_EVENTS];
    struct cs_record_watched *watched; /* sets, with CS_RECORD_ANY */
    size_t nr_watched;
    cs_cycle end; /* cycles that are known */
    bool full; /* there was no memory for one: sums are too small from there on (golden.c ends) */
} cs_record;

/* All events of cycle record->end, which is known afterwards. */
void cs_record_add(cs_record *record, const uint8_t increments[CS_RECORD_EVENTS], uint8_t mode);
void cs_record_clear(cs_record *record);

/* With CS_RECORD_ANY: a set that counts from record->end on. */
void cs_record_watch(cs_record *record, uint32_t set);

/* Cycles before record->end are not asked for any more: what is kept of them is freed. Sets that are still
 * counted are to be watched again. */
void cs_record_forget(cs_record *record);

cs_event_source cs_record_source(cs_record *record);

#endif
