/* The truth of a run as an SQLite database (schema: docs/truth.md), so that it can be
 * asked. */
#ifndef CS_RESULTS_TRUTH_H
#define CS_RESULTS_TRUTH_H

#include "base/diag.h"
#include "results/collector.h"
#include "scenario/scenario.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cs_truth cs_truth;

/* Makes the file `path` (which must not exist) with its tables. */
cs_status cs_truth_create(const char *path, const cs_scenario *scenario, cs_truth **out,
                          cs_diag *diag);

/* A committed subsample: its windows and, where it comes with truths, each value with
 * its own. Failures are kept and reported by cs_truth_finish. */
void cs_truth_subsample(cs_truth *truth, const cs_subsample *subsample);

/* Totals of every event and core; closes the file. The object is gone afterwards. */
cs_status cs_truth_finish(cs_truth *truth, cs_collector *collector, const cs_results *results,
                          cs_diag *diag);

/* Without finishing: the file stays as it is. NULL is allowed. */
void cs_truth_abandon(cs_truth *truth);

#ifdef __cplusplus
}
#endif

#endif
