// SPDX-License-Identifier: Apache-2.0
/* The PMCU's tables of the truth. */
#ifndef CS_RESULTS_PMCU_TRUTH_H
#define CS_RESULTS_PMCU_TRUTH_H

#include "results/pmcu/part.h"
#include "results/truth/truth.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const cs_truth_table *const cs_pmcu_tables[];
/* Those of several dies. */
extern const cs_truth_table *const cs_pmcu_die_tables[];
/* That of CPUs that go off. */
extern const cs_truth_table *const cs_pmcu_outage_tables[];

/* A committed subsample: its windows and, where it comes with truths, each value with
 * its own. */
void cs_truth_subsample(cs_truth *truth, const cs_pmcu_subsample *subsample);
/* Of several dies: whose it is. */
void cs_truth_subsample_die(cs_truth *truth, const cs_pmcu_subsample *subsample);
/* Where CPUs go off: `count` of the die's subsamples, from `first` of its own on, were not handed
 * over when their trigger was taken anew. */
void cs_truth_overwritten(const cs_part_run *run, unsigned die, uint64_t first, uint64_t count);

/* The span, and totals of every event and core; of several dies each with its share. */
void cs_truth_pmcu(cs_truth *truth, const cs_pmcu_part *part);

#ifdef __cplusplus
}
#endif

#endif
