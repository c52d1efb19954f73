// SPDX-License-Identifier: Apache-2.0
/* The part of the harts: their counters, their software, and what it samples. */
#ifndef CS_RESULTS_HPM_PART_H
#define CS_RESULTS_HPM_PART_H

#include "drivers/hpm/riscv.h"
#include "results/common/functions.h"
#include "results/hpm/call_paths.h"
#include "results/hpm/collector.h"
#include "results/hpm/ring_files.h"
#include "results/hpm/shares.h"
#include "results/hpm/unit_truth.h"
#include "results/part.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What the software of all harts came to. */
typedef struct cs_hart_figures {
    uint64_t harts;
    uint64_t cycles[CS_HART_TRACKS]; /* what ran, by cs_hart_track */
    uint64_t sse;                    /* interrupts, by software events */
    uint64_t interrupts, spurious, samples, lost, throttled, sbi_calls, sbi_errors;
    cs_hart_results truth;
} cs_hart_figures;

void cs_hart_figures_add(cs_hart_figures *all, const cs_riscv_report *report);
/* Cycles taken from the workloads. */
uint64_t cs_hart_figures_software(const cs_hart_figures *figures);

/* Its state. */
typedef struct cs_hpm_part {
    cs_part_run *run;
    cs_hart_collector *collector;
    cs_unit_truth *units; /* NULL: none is counted by the firmware */
    cs_call_paths *paths;
    cs_hart_shares *shares;
    cs_ring_files *rings;    /* NULL unless keep.records */
    cs_functions *functions; /* of the workloads, by what was sampled */
    double share_error;      /* of their shares, mean; NaN: no sample was in one */
    cs_hart_figures figures;
} cs_hpm_part;

/* ---- tables of the truth ---- */

extern const cs_truth_table *const cs_hpm_tables[];

/* A CSR access of a hart: a record of kind CS_PROBE_REG; those of other units are passed over. */
void cs_truth_csr(cs_truth *truth, const cs_probe_record *record);

/* A sample of a hart's driver. */
typedef struct cs_truth_hart_sample {
    cs_riscv_which which;
    unsigned cpu;
    const cs_riscv_sample *sample;
    cs_hart_sample truth;
} cs_truth_hart_sample;
void cs_truth_hart_sample_put(cs_truth *truth, const cs_truth_hart_sample *sample);

/* What the software of a hart came to. */
void cs_truth_hart(cs_truth *truth, unsigned hart, unsigned cpu, const cs_riscv_report *report);

/* Call paths and their functions. CS_ERR_NO_MEMORY. */
cs_status cs_truth_call_paths(cs_truth *truth, cs_call_paths *paths, cs_diag *diag);

/* Events of the perf commands. */
void cs_truth_hart_events(cs_truth *truth, const cs_scenario *scenario);

/* Functions of all samples. */
void cs_truth_hart_shares(cs_truth *truth, const cs_scenario *scenario, cs_hart_shares *shares);

#ifdef __cplusplus
}
#endif

#endif
