// SPDX-License-Identifier: Apache-2.0
/* Internal to traces: where FINISHED_ROUND may stand in a perf.data file.
 *
 * perf reads each CPU's ring now and then, so that its records are in order ring by ring only. When it meets a
 * FINISHED_ROUND, it gives out what it holds up to the newest time that it had seen at the FINISHED_ROUND
 * before. So one may be written when no ring can bring anything older than that any more: when the last
 * record of each is at least as new. */
#ifndef CS_TRACES_PERF_ROUNDS_H
#define CS_TRACES_PERF_ROUNDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cs_perf_rounds cs_perf_rounds;

/* NULL: no memory. */
cs_perf_rounds *cs_perf_rounds_create(size_t nr_rings);
void cs_perf_rounds_destroy(cs_perf_rounds *rounds); /* NULL is allowed */

/* A record of the ring has been written; times of a ring never fall. True: a round is long enough, and
 * a FINISHED_ROUND is to be written. */
bool cs_perf_rounds_put(cs_perf_rounds *rounds, size_t ring, uint64_t time_ns);

#ifdef __cplusplus
}
#endif

#endif
