// SPDX-License-Identifier: Apache-2.0
/* Counts that perf stat printed, of any driver, each with what was true; and the part of those whose
 * counter was their own. */
#ifndef CS_RESULTS_COMMON_COUNTS_H
#define CS_RESULTS_COMMON_COUNTS_H

#include "base/files/spill.h"
#include "drivers/count.h"
#include "results/part.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A count with its truth. */
typedef struct cs_counted {
    cs_count count;
    cs_cycle from, to; /* the counter was read then, and again then: the truth's span */
    uint64_t truth;    /* what happened in it; of processes: what they did */
    double share;      /* running / enabled; 0 in an empty span */
    double value;      /* what perf prints: of one in turns its estimate, raw * enabled / running */
    double error;      /* value / truth - 1; 0 where truth is 0 or it never counted */
    bool ran;          /* it was on a counter */
    const char *unit;  /* of the value; NULL: none */
    /* Of a counter of its own that is followed: what happened while it counted. */
    uint64_t counted;
    bool has_counted;
} cs_counted;

cs_counted cs_counted_of(const cs_count *count, uint64_t truth);
/* What perf prints is so much larger. */
void cs_counted_scale(cs_counted *counted, double scale);

/* What a run tells of each (cs_soft_count comes first). */
CS_SOFT_KIND(counted, cs_counted)

/* The state of the part. */
typedef struct cs_counts_part {
    cs_part_run *run;
    cs_spill *list; /* of cs_counted: of counters of their own */
} cs_counts_part;

void cs_truth_count(cs_truth *truth, const cs_counted *counted);

#ifdef __cplusplus
}
#endif

#endif
