// SPDX-License-Identifier: Apache-2.0
/* The tables of a run's truth as CSV files beside it, for those who have no SQLite at hand. */
#ifndef CS_RESULTS_TRUTH_CSV_H
#define CS_RESULTS_TRUTH_CSV_H

#include "results/run_folder.h"
#include <countersink/base/diag.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Of truth.sqlite in the folder: csv/<table>.csv of every table that has rows, columns as in
 * docs/traces/truth.md, rows in the order in which the run wrote them. Errors: CS_ERR_IO. */
cs_status cs_truth_csv(cs_run_folder *folder, cs_diag *diag);

#ifdef __cplusplus
}
#endif

#endif
