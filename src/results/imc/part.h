// SPDX-License-Identifier: Apache-2.0
/* The parts of a die of POWER: IMC, its software, and what its samples say of functions. */
#ifndef CS_RESULTS_IMC_PART_H
#define CS_RESULTS_IMC_PART_H

#include "drivers/imc/imc_driver.h"
#include "results/common/functions.h"
#include "results/imc/collector.h"
#include "results/imc/record_files.h"
#include "results/part.h"
#include "scenario/imc/imc_spec.h"
#include "scenario/nest/nest_spec.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Its parts are there where IMC or the nest is. */
static inline bool cs_is_power(const cs_scenario *scenario)
{
    return scenario->imc->cores != 0 || scenario->nest->present;
}

/* ---- imc: the records of trace mode ---- */

typedef struct cs_imc_part {
    cs_part_run *run;
    cs_imc_collector *collector;
    cs_record_files *files;        /* NULL unless keep.records */
    const cs_imc_results *results; /* from the end on */
} cs_imc_part;

void cs_truth_imc_sample(cs_truth *truth, const cs_imc_sample *sample);

/* ---- imc_software: OPAL, the kernel's driver, perf; or the interrupts in its place ---- */

typedef struct cs_imc_software_part {
    cs_part_run *run;
    bool present;        /* the software is; the die alone is no reason for its figures */
    uint64_t interrupts; /* performance monitor interrupts */
    uint64_t handler_cycles;
    uint64_t perf_samples; /* that reached perf */
    uint64_t lost_samples; /* interrupts that came too late to be taken one by one */
    uint64_t opal_calls, opal_errors;
    uint64_t read_errors; /* counters that the bus did not deliver */
    uint64_t dumps;
    uint64_t counts;      /* of core_imc and thread_imc */
    uint64_t unknown;     /* samples without an address, which POWER9's driver takes for user's */
    uint64_t late_cycles; /* what was due on a CPU began so much later, at most */
    uint64_t made;        /* samples that hardware took, lost ones among them */
    bool recorded[CS_MAX_CPUS]; /* it has written one */
} cs_imc_software_part;

void cs_truth_perf_sample(cs_truth *truth, const cs_imc_perf_sample *sample);

/* ---- imc_interrupts: by CPU, and frequency mode ---- */

typedef struct cs_imc_interrupts_part {
    cs_part_run *run;
    bool tells, adapts; /* the table by CPU; periods of samples */
    uint64_t all;       /* samples */
    uint64_t interrupts[CS_MAX_CPUS], records[CS_MAX_CPUS], samples[CS_MAX_CPUS];
    uint64_t ticks, tick_cycles; /* of frequency mode */
} cs_imc_interrupts_part;

/* ---- functions: by the records that hardware wrote; without any, by perf's samples ---- */

typedef struct cs_functions_part {
    cs_functions *of_records, *of_samples;
    uint64_t records, samples;
    cs_part_run *run;
    const cs_function_result *list; /* from the end on */
    size_t count;
} cs_functions_part;

void cs_truth_functions(cs_truth *truth, const cs_function_result *functions, size_t count);

#ifdef __cplusplus
}
#endif

#endif
