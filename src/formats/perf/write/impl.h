// SPDX-License-Identifier: Apache-2.0
/* Internal: what the files of the perf.data writer share. Records are built in the writer's
 * buffer, which goes to the sink when the next one might not fit. */
#ifndef CS_FORMATS_PERF_WRITE_IMPL_H
#define CS_FORMATS_PERF_WRITE_IMPL_H

#include <string.h>

#include "formats/perf/write/data.h"

#define CS_PERF_DATA_BUFFER_BYTES (512u << 10)
#define CS_PERF_AUXTRACE_BYTES 48u /* of a record, without its payload */

/* An event as the records need it. */
typedef struct cs_perf_data_known {
    cs_perf_data_event event; /* with names and ids of its own */
    uint64_t first_id;
    uint64_t trailer; /* the bits of sample_type that a trailer has; 0 without sample_id_all */
} cs_perf_data_known;

struct cs_perf_data_writer {
    cs_perf_data_sink sink;
    cs_perf_data_known *events;
    size_t nr_events;
    uint64_t data_offset; /* of the first record */
    uint64_t written;     /* bytes that the sink has */
    cs_perf_data_totals totals;
    uint64_t *auxtraces; /* where AUXTRACE records are */
    size_t nr_auxtraces, room_auxtraces;
    bool any_time;
    uint64_t first_ns, last_ns; /* of samples */
    cs_status status;           /* the first failure */
    cs_diag diag;
    size_t used;
    uint8_t buffer[CS_PERF_DATA_BUFFER_BYTES];
};

/* ---- little-endian stores, which the compiler makes one each ---- */

static inline uint8_t *cs_perf_put16(uint8_t *at, uint16_t v)
{
    at[0] = (uint8_t)v;
    at[1] = (uint8_t)(v >> 8);
    return at + 2;
}

static inline uint8_t *cs_perf_put32(uint8_t *at, uint32_t v)
{
    at[0] = (uint8_t)v;
    at[1] = (uint8_t)(v >> 8);
    at[2] = (uint8_t)(v >> 16);
    at[3] = (uint8_t)(v >> 24);
    return at + 4;
}

static inline uint8_t *cs_perf_put64(uint8_t *at, uint64_t v)
{
    at[0] = (uint8_t)v;
    at[1] = (uint8_t)(v >> 8);
    at[2] = (uint8_t)(v >> 16);
    at[3] = (uint8_t)(v >> 24);
    at[4] = (uint8_t)(v >> 32);
    at[5] = (uint8_t)(v >> 40);
    at[6] = (uint8_t)(v >> 48);
    at[7] = (uint8_t)(v >> 56);
    return at + 8;
}

/* The bytes, then zeros up to `room`. */
static inline uint8_t *cs_perf_put_padded(uint8_t *at, const void *bytes, size_t length,
                                          size_t room)
{
    if (length != 0)
        memcpy(at, bytes, length);
    memset(at + length, 0, room - length);
    return at + room;
}

static inline size_t cs_perf_round8(size_t bytes)
{
    return (bytes + 7) & ~(size_t)7;
}

/* A text's room in a record: with its NUL, rounded up. */
static inline size_t cs_perf_text_room(const char *text)
{
    return cs_perf_round8(strlen(text) + 1);
}

/* ---- the writer ---- */

/* Keeps the first failure. */
cs_status cs_perf_data_fail(cs_perf_data_writer *w, cs_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* To the sink, past the buffer where it is large. */
cs_status cs_perf_data_write(cs_perf_data_writer *w, const void *bytes, size_t length);
/* What the buffer holds goes to the sink. */
cs_status cs_perf_data_flush(cs_perf_data_writer *w);

/* Room for a record of up to `length` bytes in the buffer; NULL: a failure, or too long. */
uint8_t *cs_perf_data_room(cs_perf_data_writer *w, size_t length, const char *what);
/* The header of the record that was given room. */
static inline uint8_t *cs_perf_put_header(uint8_t *at, uint32_t type, uint16_t misc, size_t size)
{
    at = cs_perf_put32(at, type);
    at = cs_perf_put16(at, misc);
    return cs_perf_put16(at, (uint16_t)size);
}
/* The record is there: its `length` bytes count. */
static inline cs_status cs_perf_data_done(cs_perf_data_writer *w, size_t length)
{
    w->used += length;
    w->totals.records++;
    w->totals.data_bytes += length;
    return CS_OK;
}

/* The event of `where`; NULL, with the failure kept, when there is none. */
static inline const cs_perf_data_known *cs_perf_data_known_event(cs_perf_data_writer *w,
                                                                 size_t event)
{
    if (event < w->nr_events)
        return &w->events[event];
    cs_perf_data_fail(w, CS_ERR_RANGE, "perf.data: event %zu of %zu", event, w->nr_events);
    return NULL;
}

static inline uint64_t cs_perf_data_id_of(const cs_perf_data_known *known, uint64_t id)
{
    return id != 0 ? id : known->first_id;
}

/* Bytes of the fields that a trailer has. */
static inline size_t cs_perf_trailer_bytes(uint64_t trailer)
{
    return 8u * (size_t)__builtin_popcountll(trailer);
}

uint8_t *cs_perf_put_trailer(uint8_t *at, const cs_perf_data_known *known,
                             const cs_perf_data_where *where);

/* attr's 128 bytes. */
uint8_t *cs_perf_put_attr(uint8_t *at, const cs_perf_data_attr *attr);

/* The feature table and the features, behind the data; the set of those there are in
 * features[4]. */
cs_status cs_perf_data_write_features(cs_perf_data_writer *w, const cs_perf_data_features *features,
                                      uint64_t set[4]);

#endif
