// SPDX-License-Identifier: Apache-2.0
/* What a report tells of a difference beside the difference itself: the records around it, aligned, the
 * first one of every other source, and the bytes behind hashes. */
#ifndef CS_LOCKSTEP_DIFFERENCE_H
#define CS_LOCKSTEP_DIFFERENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <countersink/base/diag.h>
#include <countersink/base/probe/probe.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CS_DIFFERENCE_AFTER 10u /* records of each side, from the first that differs on */
#define CS_DIFFERENCE_ROWS (8u + 2 * CS_DIFFERENCE_AFTER)
#define CS_DIFFERENCE_OTHERS 24u

/* The bytes of a transfer. */
typedef struct cs_difference_data {
    unsigned bytes; /* 0: it is none, or they are not known */
    uint8_t data[CS_BUS_MAX_BYTES];
} cs_difference_data;

#define CS_DIFFERENCE_EVENTS 8u
#define CS_DIFFERENCE_NAME 12u /* "0xffff" */

typedef struct cs_difference_event {
    uint32_t event; /* of the timeline (countersink/base/numbers.h) */
    char name[CS_DIFFERENCE_NAME];
    uint8_t before, now; /* its increments */
} cs_difference_event;

/* What a source counted in a cycle and in the one before (lockstep/increments.h): events with increments. */
typedef struct cs_difference_events {
    bool known, more; /* more: than fit */
    cs_cycle cycle;
    unsigned nr;
    cs_difference_event list[CS_DIFFERENCE_EVENTS]; /* by number */
} cs_difference_events;

/* The same thing on both sides; one of them may not have it. */
typedef struct cs_difference_row {
    bool has_model, has_rtl;
    bool equal;
    cs_probe_record model, rtl;
    cs_difference_data model_data, rtl_data; /* of two transfers whose hashes differ */
    cs_difference_events events;             /* of two reads or edges that differ */
} cs_difference_row;

/* Where memory differs: both sides, from a multiple of their size on. */
typedef struct cs_difference_memory {
    uint64_t base;
    uint8_t model[64], rtl[64];
} cs_difference_memory;

typedef struct cs_difference {
    cs_difference_row rows[CS_DIFFERENCE_ROWS]; /* in order, across the first difference */
    size_t nr_rows;
    size_t first;                                   /* of them that differs */
    cs_difference_row others[CS_DIFFERENCE_OTHERS]; /* the first of each other source, by cycle */
    size_t nr_others;
    cs_cycle looked_to;          /* how far that was looked for */
    cs_difference_memory memory; /* CS_COMPARE_MEMORY */
} cs_difference;

/* Records of one side, from the first difference on, in order. */
typedef struct cs_record_list {
    cs_probe_record *records;
    size_t count, room;
} cs_record_list;

/* CS_ERR_NO_MEMORY. */
cs_status cs_record_list_add(cs_record_list *list, const cs_probe_record *records, size_t count,
                             cs_diag *diag);
void cs_record_list_free(cs_record_list *list);

/* `agreed`: the records before, of both sides. */
void cs_difference_align(cs_difference *d, const cs_probe_record *agreed, size_t nr_agreed,
                         const cs_record_list *model, const cs_record_list *rtl);
/* All but the source of the first one. */
void cs_difference_others(cs_difference *d, const cs_record_list *model, const cs_record_list *rtl);

/* ---- bytes behind hashes ---- */

/* Keeps the last bytes that a sink was told. */
typedef struct cs_data_ring cs_data_ring;

cs_status cs_data_ring_create(cs_data_ring **out, cs_diag *diag);
void cs_data_ring_destroy(cs_data_ring *ring); /* NULL is allowed */
/* Fits cs_probe_sink.data, with the ring as ctx. */
void cs_data_ring_add(cs_data_ring *ring, uint64_t hash, const uint8_t *data, unsigned bytes);
/* The last bytes of this hash; *out stays where they are not known any more. */
void cs_data_ring_find(const cs_data_ring *ring, uint64_t hash, cs_difference_data *out);
/* The bytes of all transfers that differ by their hash. */
void cs_difference_data_of(cs_difference *d, const cs_data_ring *model, const cs_data_ring *rtl);

/* The next part of both, of `width` bytes or what is left, that differs; *at is moved behind it. Its
 * bytes; 0: there is none. */
unsigned cs_difference_part(const cs_difference_row *row, unsigned width, unsigned *at);

#ifdef __cplusplus
}
#endif

#endif
