// SPDX-License-Identifier: Apache-2.0
/* What the two parts of random scenarios with IMC cores share. */
#ifndef CS_LOCKSTEP_IMC_RANDOM_H
#define CS_LOCKSTEP_IMC_RANDOM_H

#include "lockstep/random/random.h"

typedef struct cs_random_imc_state {
    unsigned cores, threads, chips;
    bool power10;
    /* OPAL, the kernel and perf drive them; their CPUs have a port each, and processes move. */
    bool tasks;
    bool nest;          /* with them: perf reads it, too */
    unsigned processes; /* that some workload has, as bits of their numbers */
} cs_random_imc_state;

/* Where the driver's pages and buffers are. */
#define CS_RANDOM_IMC_TASKS (CS_RANDOM_RAM + (16u << 20))

void cs_random_imc_task_workloads(cs_draw *d, cs_random_imc_state *p);
void cs_random_imc_task_nest(cs_draw *d);
const char *cs_random_imc_task_driver(cs_draw *d, const cs_random_imc_state *p);

#endif
