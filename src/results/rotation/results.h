// SPDX-License-Identifier: Apache-2.0
/* What rotated counts are worth: each beside the exact sum of the stream behind it, and how evenly
 * the events of a command had counters (docs/traces/truth.md, "Rotated events"). */
#ifndef CS_RESULTS_ROTATION_RESULTS_H
#define CS_RESULTS_ROTATION_RESULTS_H

#include <stddef.h>

#include "drivers/rotated.h"
#include <countersink/base/diag.h>
#include <countersink/base/stream/timeline.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A count with its truth. */
typedef struct cs_rotated_result {
    cs_rotated_count count;
    uint64_t enabled; /* cycles from `from` to `to` */
    uint64_t truth;   /* what happened in them */
    double share;     /* running / enabled; 0 in an empty span */
    double scaled;    /* raw * enabled / running, perf's estimate of truth; 0: never counted */
    double error;     /* scaled / truth - 1; 0 where truth is 0 or it never counted */
    bool counted;     /* it ran */
} cs_rotated_result;

/* What a run tells of each (cs_soft_rotated comes first). */
CS_SOFT_KIND(rotated_result, cs_rotated_result)

/* Of final counts alone. */
typedef struct cs_rotated_fairness {
    const cs_rotated_family *family; /* NULL: of all together */
    unsigned command;                /* its number among those of the family */
    uint64_t events;
    uint64_t never;   /* of them on no counter in all their time */
    uint64_t refused; /* of these pinned ones, which are in error */
    double least_share;
    double most_share;
    double jain;       /* Jain's index of the shares: 1 all alike, 1 / events one has all; 0: none
                          ran */
    double mean_error; /* absolute, of those that ran */
    double most_error;
    double shares, squares, errors; /* the sums behind these */
} cs_rotated_fairness;

typedef struct cs_rotation_results cs_rotation_results;

/* `timelines` as in cs_environment, borrowed. Errors: CS_ERR_NO_MEMORY. */
cs_status cs_rotation_results_create(cs_timeline *const timelines[], cs_rotation_results **out,
                                     cs_diag *diag);
void cs_rotation_results_destroy(cs_rotation_results *results); /* NULL is allowed */

/* NULL: no memory. Else valid until the next call. */
const cs_rotated_result *cs_rotation_results_add(cs_rotation_results *results,
                                                 const cs_rotated_count *count);

/* Final counts, in the order in which they were added; valid until the next add. */
const cs_rotated_result *cs_rotation_results_finals(const cs_rotation_results *results,
                                                    size_t *count);
/* How many others there were, and in how many of them the event was on a counter. */
uint64_t cs_rotation_results_intervals(const cs_rotation_results *results, uint64_t *readings);
/* By command, in the order of their first final count; valid until the next add. */
const cs_rotated_fairness *cs_rotation_results_commands(const cs_rotation_results *results,
                                                        size_t *count);
/* Of all final counts together; all zero without one. */
cs_rotated_fairness cs_rotation_results_all(const cs_rotation_results *results);

#ifdef __cplusplus
}
#endif

#endif
