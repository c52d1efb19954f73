/* The truth of a run as an SQLite database (schema: docs/truth.md), so that it can be
 * asked. */
#ifndef CS_RESULTS_TRUTH_TRUTH_H
#define CS_RESULTS_TRUTH_TRUTH_H

#include "base/diag.h"
#include "base/probe.h"
#include "base/soft.h"
#include "results/common/switches.h"
#include "results/hpm/call_paths.h"
#include "results/hpm/collector.h"
#include "results/hpm/snapshot_pages.h"
#include "results/imc/collector.h"
#include "results/imc/posts.h"
#include "results/pmcu/collector.h"
#include "results/rotation/results.h"
#include "results/uncore/collector.h"
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

/* A sample of trace mode. */
void cs_truth_imc_sample(cs_truth *truth, const cs_imc_sample *sample);

/* A count that perf printed, and what was true. */
typedef struct cs_perf_count {
    unsigned command; /* number of the perf command in the scenario */
    const char *pmu;
    const char *event;
    unsigned cpu;
    cycle_t from;     /* the counter was read then, */
    cycle_t to;       /* and again then */
    uint64_t raw;     /* the difference */
    double value;     /* with the catalog's scale */
    const char *unit; /* NULL: none */
    uint64_t truth;   /* what happened from the one to the other */
    uint64_t
        counted; /* hart: what happened while the counter counted; else value is no such count */
    bool has_counted;
} cs_perf_count;
/* What a run tells of each count, behind the driver's own record of it. */
typedef struct cs_told_count {
    const cs_perf_count *count;
    const cs_soft_record *of; /* the driver's: cs_soft_imc_count, cs_soft_riscv_count */
} cs_told_count;
extern const cs_soft_kind cs_soft_perf_count; /* cs_told_count */

void cs_truth_count(cs_truth *truth, const cs_perf_count *count);

/* A record that the kernel's driver took, as it goes to perf. */
typedef struct cs_perf_sample {
    unsigned command;
    unsigned cpu;
    uint64_t ip;
    uint32_t pid;
    cycle_t time; /* of the dump */
    unsigned misc;
} cs_perf_sample;
void cs_truth_perf_sample(cs_truth *truth, const cs_perf_sample *sample);

/* A sample of a hart's driver. */
typedef struct cs_truth_hart_sample {
    cs_riscv_which which;
    unsigned cpu;
    const cs_riscv_sample *sample;
    cs_hart_sample truth;
} cs_truth_hart_sample;
void cs_truth_hart_sample_put(cs_truth *truth, const cs_truth_hart_sample *sample);

/* Call paths and their functions; to be called before cs_truth_finish. CS_ERR_NO_MEMORY. */
cs_status cs_truth_call_paths(cs_truth *truth, cs_call_paths *paths, cs_diag *diag);

/* What the software of a hart came to. */
void cs_truth_hart(cs_truth *truth, unsigned hart, const cs_riscv_report *report);

/* An uncore unit, and who managed it. */
void cs_truth_unit(cs_truth *truth, unsigned unit, const cs_uncore_unit_result *result);

/* An event that had a counter in turns. */
void cs_truth_rotated(cs_truth *truth, const cs_rotated_result *result);

/* What an engine ought to have added to a doubleword of memory. */
void cs_truth_posted(cs_truth *truth, const cs_posted *posted);

/* What a word of a snapshot page ought to be. */
void cs_truth_snapshot(cs_truth *truth, const cs_snapshot_word *word);

/* The CPU goes from one process to another; `guest`: as its guest sees it. */
void cs_truth_switch(cs_truth *truth, unsigned cpu, bool guest, const cs_switch *what);

/* ---- what happened when (activity.h); texts are valid during the call ---- */

/* "core" and 5; of uncore units the number is that of the scenario. */
typedef struct cs_truth_unit_name {
    const char *unit; /* static */
    unsigned number;
} cs_truth_unit_name;

typedef struct cs_truth_span {
    cycle_t start; /* the first cycle, */
    cycle_t stop;  /* and the first one after it */
} cs_truth_span;

void cs_truth_state(cs_truth *truth, cs_truth_unit_name unit, cs_truth_span span,
                    const char *state);
void cs_truth_line(cs_truth *truth, cs_truth_unit_name unit, cs_truth_span span, unsigned line);
void cs_truth_access(cs_truth *truth, cs_truth_unit_name unit, const cs_probe_record *record);
void cs_truth_csr(cs_truth *truth, unsigned hart, const cs_probe_record *record);
void cs_truth_posting(cs_truth *truth, const cs_probe_record *record);
void cs_truth_transfer(cs_truth *truth, const char *manager, const cs_probe_record *record);
/* A second one of the same manager and start is added to the first. */
void cs_truth_load(cs_truth *truth, const char *manager, cs_truth_span span, uint64_t held);
void cs_truth_software(cs_truth *truth, unsigned cpu, cs_truth_span span, const char *who);

/* What the samples say of each function; to be called before cs_truth_finish. */
void cs_truth_functions(cs_truth *truth, const cs_function_result *functions, size_t count);

/* Totals of every event and core; closes the file. The object is gone afterwards. */
cs_status cs_truth_finish(cs_truth *truth, cs_collector *collector, const cs_results *results,
                          cs_diag *diag);

/* Without finishing: the file stays as it is. NULL is allowed. */
void cs_truth_abandon(cs_truth *truth);

#ifdef __cplusplus
}
#endif

#endif
