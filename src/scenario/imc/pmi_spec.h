// SPDX-License-Identifier: Apache-2.0
/* Sampling by interrupts: the way without IMC. */
#ifndef CS_SCENARIO_IMC_PMI_SPEC_H
#define CS_SCENARIO_IMC_PMI_SPEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "scenario/limits.h"

typedef struct cs_pmi_spec {
    uint64_t period;  /* core cycles from one interrupt to the next, where freq is 0 */
    uint64_t freq;    /* interrupts a second, of which perf looks for the period; 0: it is fixed */
    uint64_t tick_us; /* frequency: of the kernel's timer */
    unsigned tick_cycles;          /* frequency: perf's work at a tick */
    unsigned max_samples_per_tick; /* 0: no throttling */
    bool cpus[CS_MAX_CPUS];
    unsigned handler_cycles;
    uint64_t ring_base; /* of the samples */
    uint64_t stop_us;
} cs_pmi_spec;

#endif
