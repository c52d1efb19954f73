// SPDX-License-Identifier: Apache-2.0
/* Counts that perf stat printed, of any driver, each with what was true. */
#ifndef CS_RESULTS_COMMON_COUNTS_H
#define CS_RESULTS_COMMON_COUNTS_H

#include "base/files/spill.h"
#include "base/probe/soft.h"
#include "results/part.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A count that perf printed, and what was true. */
typedef struct cs_perf_count {
    unsigned command; /* number of the perf command in the scenario */
    const char *pmu;
    const char *event;
    unsigned cpu;     /* CS_ANY_CPU: of processes, wherever they ran */
    cs_cycle from;    /* the counter was read then, */
    cs_cycle to;      /* and again then */
    uint64_t raw;     /* the difference */
    double value;     /* with the catalog's scale */
    const char *unit; /* NULL: none */
    uint64_t truth;   /* what happened from the one to the other; of processes: what they did */
    /* Of a counter of its own: what happened while it counted. */
    uint64_t counted;
    bool has_counted;
} cs_perf_count;

/* What a run tells of each count, behind the driver's own record of it. */
typedef struct cs_told_count {
    const cs_perf_count *count;
    const cs_soft_record *of; /* the driver's; valid during the call, too */
} cs_told_count;
CS_SOFT_KIND(perf_count, cs_told_count)

/* The state of the part. */
typedef struct cs_counts_part {
    cs_part_run *run;
    cs_spill *list; /* of cs_perf_count */
} cs_counts_part;

void cs_truth_count(cs_truth *truth, const cs_perf_count *count);

#ifdef __cplusplus
}
#endif

#endif
