// SPDX-License-Identifier: Apache-2.0
/* What units off the harts really did, where harts count them by their firmware (docs/drivers/sbi_pmu.md,
 * "Counters of shared units"): it listens to the firmware's accesses to the units, and asks the
 * units' timelines. */
#ifndef CS_RESULTS_HPM_UNIT_TRUTH_H
#define CS_RESULTS_HPM_UNIT_TRUTH_H

#include "results/hpm/collector.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cs_unit_truth cs_unit_truth;

/* Borrows both. *out is NULL where no unit is counted so. Errors: CS_ERR_NO_MEMORY. */
cs_status cs_unit_truth_create(const cs_scenario *s, cs_timeline *const timelines[],
                               cs_unit_truth **out, cs_diag *diag);
void cs_unit_truth_destroy(cs_unit_truth *truth); /* NULL is allowed */

void cs_unit_truth_record(cs_unit_truth *truth, const cs_probe_record *record);
/* perf has opened the event; it counts, unless it has counters in turns. */
void cs_unit_truth_opened(cs_unit_truth *truth, const cs_riscv_opened *opened);
void cs_unit_truth_placed(cs_unit_truth *truth, const cs_riscv_placed *placed);
/* What it counted since the last time, of one in turns in all its spans; false: the event is none of a
 * unit. */
bool cs_unit_truth_count(cs_unit_truth *truth, const cs_count *count, cs_hart_count *out);

#ifdef __cplusplus
}
#endif

#endif
