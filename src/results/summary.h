/* What a run came to, as text for people and as JSON for programs: both are written
 * from one table of figures, so that they cannot disagree. */
#ifndef CS_RESULTS_SUMMARY_H
#define CS_RESULTS_SUMMARY_H

#include <stdio.h>

#include "base/cycle.h"
#include "results/imc/collector.h"
#include "results/pmcu/collector.h"
#include "results/rotation/results.h"
#include "results/truth/truth.h"
#include "results/uncore/collector.h"
#include "scenario/scenario.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What POWER's software did. */
typedef struct cs_software_figures {
    bool present;
    uint64_t interrupts; /* performance monitor interrupts */
    uint64_t handler_cycles;
    uint64_t perf_samples; /* that reached perf */
    uint64_t lost_samples; /* interrupts that came too late to be taken one by one */
    uint64_t opal_calls;
} cs_software_figures;

/* What the software of all harts came to. */
typedef struct cs_hart_figures {
    uint64_t harts;
    uint64_t cycles[CS_HART_TRACKS]; /* what ran, by cs_hart_track */
    uint64_t interrupts, spurious, samples, lost, throttled, sbi_calls, sbi_errors;
    cs_hart_results truth;
} cs_hart_figures;

void cs_hart_figures_add(cs_hart_figures *all, const cs_riscv_report *report);
/* Cycles taken from the workloads. */
uint64_t cs_hart_figures_software(const cs_hart_figures *figures);

typedef struct cs_summary {
    const cs_scenario *scenario;
    const cs_results *results;
    const cs_imc_results *imc;           /* NULL: the die has none */
    const cs_hart_figures *harts;        /* likewise */
    const cs_function_result *functions; /* none where nothing was sampled */
    size_t nr_functions;
    bool of_records;             /* by the records that hardware wrote; else by perf's samples */
    const cs_perf_count *counts; /* what perf stat printed */
    size_t nr_counts;
    const cs_rotation_results *rotated; /* NULL: no software rotates events */
    cs_rotating_report rotating;        /* with `rotated` */
    const cs_uncore_results *uncore;    /* NULL: no software.kind uncore */
    cs_software_figures software;       /* of POWER's software */
    cycle_t end_cycle;                  /* cycles simulated */
    uint64_t wall_ns;                   /* the only figure that differs from run to run */
    uint64_t software_cycles; /* taken from the workloads of the cores that run the software */
    uint64_t triggers;
    uint64_t aux_bytes;
    const char *ended; /* why the run ended, as a phrase */
} cs_summary;

/* `most`: rows of each table in the text; 0 for all. A failed write is left in the
 * stream's error flag. */
void cs_summary_text(const cs_summary *summary, size_t most, FILE *out);
void cs_summary_json(const cs_summary *summary, FILE *out);

/* Cycles as nanoseconds of the scenario's bus clock, rounded down. */
uint64_t cs_summary_ns(const cs_scenario *scenario, uint64_t cycles);

#ifdef __cplusplus
}
#endif

#endif
