// SPDX-License-Identifier: Apache-2.0
/* One run: simulates a scenario on a system and writes its run folder (docs/reference.md,
 * "Run folder"). */
#ifndef CS_RESULTS_RUN_H
#define CS_RESULTS_RUN_H

#include "base/files/output.h"
#include "bus/system.h"
#include "drivers/environment.h"
#include "results/summary.h"
#include "scenario/scenario.h"
#include <countersink/base/cycle.h>
#include <countersink/base/diag.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CS_RUN_MAX_WARNINGS 8u

#define CS_RUN_MAX_HEARINGS 12u

/* Somebody who listens to a run, beside what it writes itself. Each function may be NULL. Records of
 * different CPUs come in no particular order of cycles. `begin` and `end` may fail, and the run
 * fails with them; who fails in between keeps it for `end`. */
typedef struct cs_run_listener {
    /* Before the first cycle. The environment lives as long as the run. */
    cs_status (*begin)(void *ctx, cs_environment *environment, cs_diag *diag);
    /* What the hardware did, */
    void (*probe)(void *ctx, const cs_probe_record *record);
    /* and what software did and results add to it: their kinds stand in the headers of the drivers, of
     * the environment and of the results. By cs_run_hear; the last is empty. */
    cs_soft_hearing hearings[CS_RUN_MAX_HEARINGS];
    /* After the last cycle, and before the run folder has its name. */
    cs_status (*end)(void *ctx, cs_cycle end, cs_diag *diag);
    void *ctx;
} cs_run_listener;

/* The listener hears of the kind, too: of CS_RUN_MAX_HEARINGS - 1 at most. */
void cs_run_hear(cs_run_listener *listener, const cs_soft_kind *kind,
                 void (*hear)(void *ctx, const cs_soft_record *record));

typedef struct cs_run_options {
    const char *output;      /* NULL: runs/<name>-<n> */
    const cs_output *within; /* not NULL: the run folder is the second thing of this output, */
    const cs_output *begun;  /* or of this one the first; who has begun them commits them */
    cs_status (*make_system)(cs_environment *, cs_system **, cs_diag *);
    void (*progress)(void *ctx, cs_cycle cycles); /* may be NULL */
    void *progress_ctx;
    const cs_run_listener *listener; /* may be NULL */
    bool truth_csv;                  /* the tables of the truth as CSV files, too */
    /* All is written, and the run folder is about to get its name: the last to fail. It names both, where the
     * folder lies within an output. `folder` is where it lies now. May be NULL. */
    cs_status (*commit)(void *ctx, const char *folder, cs_diag *diag);
    void *commit_ctx;
} cs_run_options;

typedef struct cs_run_result {
    cs_summary summary; /* its parts are valid until cs_run_result_destroy */
    char folder[4096];
    char warnings[CS_RUN_MAX_WARNINGS][CS_WARNING_BYTES];
    size_t nr_warnings;
} cs_run_result;

/* On failure no run folder is left and *result holds nothing. */
cs_status cs_run(const cs_scenario *scenario, const cs_run_options *options, cs_run_result *result,
                 cs_diag *diag);
void cs_run_result_destroy(cs_run_result *result);

#ifdef __cplusplus
}
#endif

#endif
