/* One run: simulates a scenario on a system and writes its run folder (docs/guide.md,
 * "The run folder"). */
#ifndef CS_RESULTS_RUN_H
#define CS_RESULTS_RUN_H

#include "base/cycle.h"
#include "base/diag.h"
#include "bus/system.h"
#include "results/collector.h"
#include "results/summary.h"
#include "scenario/scenario.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CS_RUN_MAX_WARNINGS 8u

typedef struct cs_run_options {
    const char *output; /* NULL: runs/<name>-<n> */
    cs_status (*make_system)(cs_environment *, cs_system **, cs_diag *);
    void (*progress)(void *ctx, cycle_t cycles); /* may be NULL */
    void *progress_ctx;
} cs_run_options;

typedef struct cs_run_result {
    cs_summary summary; /* valid until cs_run_result_destroy */
    char folder[4096];
    char warnings[CS_RUN_MAX_WARNINGS][256];
    size_t nr_warnings;
    cs_collector *collector; /* these own what summary points at */
    cs_imc_collector *imc;   /* NULL without IMC */
    cs_perf_count *counts;
    cs_hart_figures harts;
    cs_rotation_results *rotated; /* NULL: no software rotates events */
    cs_functions *functions;      /* of perf's samples; NULL: the die has no IMC */
} cs_run_result;

/* On failure no run folder is left and *result holds nothing. */
cs_status cs_run(const cs_scenario *scenario, const cs_run_options *options, cs_run_result *result,
                 cs_diag *diag);
void cs_run_result_destroy(cs_run_result *result);

#ifdef __cplusplus
}
#endif

#endif
