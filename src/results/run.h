/* One run: simulates a scenario on a system and writes its run folder (docs/guide.md,
 * "The run folder"). */
#ifndef CS_RESULTS_RUN_H
#define CS_RESULTS_RUN_H

#include "base/cycle.h"
#include "base/diag.h"
#include "bus/system.h"
#include "drivers/environment.h"
#include "results/collector.h"
#include "results/imc_collector.h"
#include "results/rotation_results.h"
#include "results/summary.h"
#include "scenario/scenario.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CS_RUN_MAX_WARNINGS 8u

/* Somebody who listens to a run, beside what it writes itself: what the hardware did and what perf
 * got. Each function may be NULL; what they are handed is valid during the call. Records of
 * different CPUs come in no particular order of cycles. `begin` and `end` may fail, and the run
 * fails with them; who fails in between keeps it for `end`. */
typedef struct cs_run_listener {
    /* Before the first cycle. The environment lives as long as the run. */
    cs_status (*begin)(void *ctx, cs_environment *environment, cs_diag *diag);
    void (*probe)(void *ctx, const cs_probe_record *record);
    /* From `cycle` on the CPU runs the track of its timeline; 0: its workload. */
    void (*software)(void *ctx, unsigned cpu, cycle_t cycle, unsigned track);
    /* ---- PMCU ---- */
    void (*subsample)(void *ctx, const cs_subsample *subsample);
    void (*trigger)(void *ctx, const cs_pmcu_trigger *trigger);
    /* A piece of a stretch of AUX data that is handed to perf in environment->aux_cycle; `last`: the
     * stretch ends with it. */
    void (*aux)(void *ctx, const uint8_t *data, size_t bytes, bool last);
    /* ---- IMC ---- */
    void (*opened)(void *ctx, unsigned command, cs_imc_error error, const char *reason);
    void (*count)(void *ctx, const cs_imc_count *count, const cs_perf_count *with_truth);
    void (*perf_sample)(void *ctx, const cs_imc_perf_sample *sample);
    void (*imc_sample)(void *ctx, const cs_imc_sample *sample); /* as the hardware wrote it */
    /* ---- harts ---- */
    void (*hart_begun)(void *ctx, const cs_riscv_which *which, int error, int counter,
                       cycle_t adding);
    void (*hart_count)(void *ctx, const cs_riscv_count *count, const cs_perf_count *with_truth);
    void (*hart_sample)(void *ctx, const cs_riscv_which *which, const cs_riscv_sample *sample);
    /* The reader of a driver's ring has taken bytes: records, cut anywhere. */
    void (*hart_data)(void *ctx, unsigned hart, bool guest, const void *bytes, size_t length);
    /* ---- events that had counters in turns ---- */
    void (*rotated)(void *ctx, const cs_rotated_result *count);
    /* After the last cycle, and before the run folder has its name. */
    cs_status (*end)(void *ctx, cycle_t end, cs_diag *diag);
    void *ctx;
} cs_run_listener;

typedef struct cs_run_options {
    const char *output; /* NULL: runs/<name>-<n> */
    cs_status (*make_system)(cs_environment *, cs_system **, cs_diag *);
    void (*progress)(void *ctx, cycle_t cycles); /* may be NULL */
    void *progress_ctx;
    const cs_run_listener *listener; /* may be NULL */
    bool truth_csv;                  /* the tables of the truth as CSV files, too */
    /* All is written, and the run folder is about to get its name: the last to fail. `folder` is where it lies
     * now. May be NULL. */
    cs_status (*commit)(void *ctx, const char *folder, cs_diag *diag);
    void *commit_ctx;
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
    cs_uncore_results uncore;
    cs_functions *functions; /* of perf's samples; NULL: the die has no IMC */
} cs_run_result;

/* On failure no run folder is left and *result holds nothing. */
cs_status cs_run(const cs_scenario *scenario, const cs_run_options *options, cs_run_result *result,
                 cs_diag *diag);
void cs_run_result_destroy(cs_run_result *result);

#ifdef __cplusplus
}
#endif

#endif
