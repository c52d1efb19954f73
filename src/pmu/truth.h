// SPDX-License-Identifier: Apache-2.0
/* What a program was told, and what was true: an SQLite file (docs/uses/pmu_anywhere.md, "Truth"). It
 * appears when it is whole. */
#ifndef CS_PMU_TRUTH_H
#define CS_PMU_TRUTH_H

#include <stdbool.h>

#include "software/perf/perf.h"
#include <countersink/base/diag.h>

typedef struct cs_pmu_truth cs_pmu_truth;

/* CS_ERR_IO: the file exists, or cannot be made. `numbered`: threads are 1, 2, .. as they come, for they
 * have other numbers in each run. */
cs_status cs_pmu_truth_begin(const char *path, bool numbered, const cs_perf_machine *machine,
                             cs_pmu_truth **out, cs_diag *diag);
void cs_pmu_truth_event(cs_pmu_truth *truth, const cs_perf_event *event);
void cs_pmu_truth_told(cs_pmu_truth *truth, const cs_perf_told *told);
/* Gives it its name. The object is gone afterwards. CS_ERR_IO. */
cs_status cs_pmu_truth_finish(cs_pmu_truth *truth, cs_diag *diag);
/* Nothing is left. NULL is allowed. */
void cs_pmu_truth_abandon(cs_pmu_truth *truth);

#endif
