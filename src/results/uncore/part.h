// SPDX-License-Identifier: Apache-2.0
/* The part of uncore units. */
#ifndef CS_RESULTS_UNCORE_PART_H
#define CS_RESULTS_UNCORE_PART_H

#include "results/part.h"
#include "results/uncore/collector.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Its state. */
typedef struct cs_uncore_part {
    cs_part_run *run;
    bool runs;                      /* software.kind uncore does */
    cs_uncore_collector *collector; /* NULL unless it does */
    bool counted;                   /* an event has been told */
    cs_uncore_results results;      /* from the end on */
} cs_uncore_part;

/* CPUs as sysfs has them in a cpumask: "0,4-6"; returns buffer. */
#define CS_UNCORE_CPUMASK_BYTES (8 * CS_MAX_CPUS)
const char *cs_uncore_cpumask(const bool cpus[CS_MAX_CPUS], char buffer[CS_UNCORE_CPUMASK_BYTES]);

/* A unit, and who managed it. */
void cs_truth_unit(cs_truth *truth, const cs_scenario *scenario, unsigned number,
                   const cs_uncore_unit_result *result);

#ifdef __cplusplus
}
#endif

#endif
