// SPDX-License-Identifier: Apache-2.0
/* A ring, inside perf. */
#ifndef CS_SOFTWARE_PERF_BUFFER_H
#define CS_SOFTWARE_PERF_BUFFER_H

#include "software/perf/impl.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CS_PERF_LOST_MOST_BYTES 128u /* of a LOST record */

/* What hardware writes to by itself; bytes 0: there is none. */
typedef struct cs_perf_aux {
    unsigned char *memory;
    size_t bytes; /* a power of two */
    uint64_t offset, head, woken_at, watermark;
} cs_perf_aux;

struct cs_perf_buffer {
    cs_perf *perf;
    cs_perf_aux aux;
    void *memory; /* the program can write to it at any time */
    size_t bytes;
    uint64_t size; /* of the data: a power of two, or 0 */
    uint64_t head, woken_at, watermark;
    uint64_t shown;   /* head as the page has it */
    uint32_t samples; /* since the last wake-up by samples */
    uint64_t lost;    /* records that have not been said yet */
    bool overwrites, backward, paused;
    bool poll;   /* POLLIN has not been fetched */
    bool hidden; /* head is not in the page yet (cs_perf_hold) */
    bool wakes;  /* whoever waits is to hear of it then */
    bool left_out;
    TAILQ_ENTRY(cs_perf_buffer) in_hidden;
    unsigned nr_maps;
    cs_perf_event_list events; /* that write to it */
};

/* NULL: no memory. */
cs_perf_buffer *cs_perf_buffer_new(const cs_perf_event *event, const cs_perf_mapped *mapped);
/* The event writes to it from now on, and to no other; NULL: to none. */
void cs_perf_buffer_attach(cs_perf_event *event, cs_perf_buffer *buffer);
/* The program sees all that has been written. */
void cs_perf_buffer_publish(cs_perf_buffer *buffer);

#ifdef __cplusplus
}
#endif

#endif
