/* Internal to results: a run while it goes on, and what its parts share. */
#ifndef CS_RESULTS_RUN_IMPL_H
#define CS_RESULTS_RUN_IMPL_H

#include "base/probe.h"
#include "drivers/environment.h"
#include "results/common/activity.h"
#include "results/common/functions.h"
#include "results/hpm/collector.h"
#include "results/hpm/ring_files.h"
#include "results/hpm/snapshot_pages.h"
#include "results/imc/posts.h"
#include "results/imc/record_files.h"
#include "results/run.h"
#include "results/run_folder.h"
#include "results/truth/truth.h"
#include "results/uncore/collector.h"

/* Everything that a run has open. */
typedef struct cs_running {
    const cs_scenario *scenario;
    const cs_run_options *options;
    cs_run_folder *folder;
    cs_truth *truth;
    cs_collector *collector;
    cs_environment *environment;
    cs_system *system;
    cs_probe_sink sink; /* what the hardware is given: run_listen.c */
    cs_soft_stream *stream;
    cs_soft_sink soft; /* of the stream */
    cs_probe_sink collector_sink;
    cs_rotation_results *rotated; /* NULL: no software rotates events */
    cs_imc_collector *imc;        /* NULL: the die has no IMC */
    cs_probe_sink imc_sink;
    cs_posts *posts; /* NULL: likewise */
    cs_probe_sink posts_sink;
    cs_hart_collector *harts; /* NULL: the die has none */
    cs_probe_sink hart_sink;
    cs_call_paths *paths;     /* NULL: likewise */
    cs_snapshot_pages *pages; /* NULL: likewise */
    cs_probe_sink pages_sink;
    cs_uncore_collector *uncore; /* NULL: no software.kind uncore */
    cs_probe_sink uncore_sink;
    cs_activity *activity; /* NULL unless keep.samples_truth */
    cs_probe_sink activity_sink;
    cs_ring_files *rings;     /* NULL without harts, or unless keep.records */
    FILE *aux;                /* NULL without a PMCU */
    FILE *probe;              /* NULL unless keep.probe */
    cs_record_files *records; /* of trace mode; NULL unless keep.records */
    uint64_t triggers;
    cs_perf_count *counts; /* of perf stat */
    size_t nr_counts, room;
    uint64_t perf_samples;
    cs_functions *functions; /* of perf's samples of time; NULL: the die has no IMC */
    bool sampled;
    uint64_t aux_bytes;       /* handed to perf */
    cs_run_listener listener; /* all NULL without one */
    cs_run_result *result;    /* for warnings while running */
} cs_running;

/* Kept for the end, if there is room. */
void cs_running_warn(cs_run_result *result, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* run_listen.c: what hardware and software tell goes to the collectors, the truth, files and the listener. */
cs_probe_sink cs_running_sink(cs_running *r);
cs_status cs_running_listen(cs_running *r, cs_diag *diag);

/* run_files.c: the files of the run folder, but for the truth's tables. */
cs_status cs_running_open_files(cs_running *r, cs_diag *diag);
cs_status cs_running_close_records(cs_running *r, cs_diag *diag);
/* Those that are written all along, and memory. */
cs_status cs_running_close_files(cs_running *r, cs_diag *diag);
cs_status cs_running_write_summary(cs_running *r, const cs_summary *summary, cs_diag *diag);

#endif
