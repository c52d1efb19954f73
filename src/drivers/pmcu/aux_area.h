// SPDX-License-Identifier: Apache-2.0
/* The AUX buffers of the PMCU driver: equal pieces of simulated memory, used in turn. */
#ifndef CS_DRIVERS_PMCU_AUX_AREA_H
#define CS_DRIVERS_PMCU_AUX_AREA_H

#include <stdbool.h>
#include <stdint.h>

#include <countersink/base/cycle.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cs_aux_area {
    uint64_t base; /* physical address of buffer 0; the others follow it */
    uint64_t buffer_bytes;
    unsigned nr_buffers;
    unsigned current;
    uint64_t head; /* bytes of the current buffer that are in use */
    /* perf, which reads one stretch after the other. */
    uint64_t reader_cycles; /* each takes so long; 0: no time */
    cs_cycle reader_done;   /* with all that it was handed */
    cs_cycle *free_at;      /* [nr_buffers], NULL with reader_cycles 0: it has been read then */
} cs_aux_area;

/* Where the current buffer begins, where its next byte goes, where it ends (exclusive). */
uint64_t cs_aux_area_start(const cs_aux_area *area);
uint64_t cs_aux_area_head(const cs_aux_area *area);
uint64_t cs_aux_area_end(const cs_aux_area *area);

uint64_t cs_aux_area_room(const cs_aux_area *area);

/* The current buffer is handed to perf in cycle `now`. True: the next one has not been read by then. */
bool cs_aux_area_hand_over(cs_aux_area *area, cs_cycle now);

/* The next buffer, empty; the first after the last. Returns the cycle from which on it is free. */
cs_cycle cs_aux_area_turn(cs_aux_area *area);

#ifdef __cplusplus
}
#endif

#endif
