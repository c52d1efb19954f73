// SPDX-License-Identifier: Apache-2.0
/* Where the processes of a perf command of IMC ran, by the timelines alone: the driver is not asked. */
#ifndef CS_RESULTS_IMC_PROCESSES_H
#define CS_RESULTS_IMC_PROCESSES_H

#include "drivers/imc/imc_driver.h"
#include "scenario/scenario.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A process runs on a CPU, undisturbed, in the cycles [from, to). */
typedef struct cs_imc_spell {
    uint32_t pid;
    unsigned cpu;
    cs_cycle from, to;
} cs_imc_spell;

/* All of those that the command counts, in [from, to): CPU by CPU, in order. */
void cs_imc_spells(const cs_scenario *scenario, cs_timeline *const timelines[], unsigned command,
                   cs_cycle from, cs_cycle to, void (*each)(void *ctx, const cs_imc_spell *),
                   void *ctx);

/* Of a count of processes (cpu is CS_ANY_CPU): what they did, on whatever CPUs. What software did on
 * these CPUs meanwhile is not theirs. */
uint64_t cs_imc_processes_truth(const cs_scenario *scenario, cs_timeline *const timelines[],
                                const cs_count *count);

#ifdef __cplusplus
}
#endif

#endif
