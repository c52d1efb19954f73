// SPDX-License-Identifier: Apache-2.0
/* What rotated counts are worth: each beside the exact sum of the stream behind it, and how evenly
 * the events of a command had counters (docs/traces/truth.md, "Rotated events"). */
#ifndef CS_RESULTS_ROTATION_RESULTS_H
#define CS_RESULTS_ROTATION_RESULTS_H

#include <stddef.h>

#include "results/common/counts.h"
#include <countersink/base/diag.h>
#include <countersink/base/stream/timeline.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Of final counts alone. */
typedef struct cs_rotated_fairness {
    const cs_count_family *family; /* NULL: of all together */
    unsigned command;              /* its number among those of the family */
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

/* Errors: CS_ERR_NO_MEMORY. */
cs_status cs_rotation_results_create(cs_rotation_results **out, cs_diag *diag);
void cs_rotation_results_destroy(cs_rotation_results *results); /* NULL is allowed */

/* CS_ERR_NO_MEMORY. */
cs_status cs_rotation_results_add(cs_rotation_results *results, const cs_counted *counted);

/* Final counts, in the order in which they were added; valid until the next add. */
const cs_counted *cs_rotation_results_finals(const cs_rotation_results *results, size_t *count);
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
