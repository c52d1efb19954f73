// SPDX-License-Identifier: Apache-2.0
/* Internal to results: the files of a run folder that are no part's. */
#ifndef CS_RESULTS_RUN_IMPL_H
#define CS_RESULTS_RUN_IMPL_H

#include "results/run.h"

/* Where the options say; only its object. */
cs_status cs_run_open_folder(const cs_run_options *options, const char *name, cs_run_folder **out,
                             cs_diag *diag);
/* Begins the folder, with the scenario and what it names. */
cs_status cs_run_begin_folder(cs_part_run *run, const cs_run_options *options, cs_diag *diag);
cs_status cs_run_write_summary(const cs_part_run *run, const cs_summary *summary, cs_diag *diag);

#endif
