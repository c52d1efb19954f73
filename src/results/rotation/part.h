// SPDX-License-Identifier: Apache-2.0
/* The part of events that have counters in turns. */
#ifndef CS_RESULTS_ROTATION_PART_H
#define CS_RESULTS_ROTATION_PART_H

#include "results/part.h"
#include "results/rotation/results.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Its state. */
typedef struct cs_rotation_part {
    cs_part_run *run;
    cs_rotation_results *results;
    cs_rotating_report report; /* of all such software together; from the end on */
} cs_rotation_part;

void cs_truth_rotated(cs_truth *truth, const cs_counted *result);

#ifdef __cplusplus
}
#endif

#endif
