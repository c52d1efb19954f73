// SPDX-License-Identifier: Apache-2.0
/* The dies and their PMCUs. */
#ifndef CS_SCENARIO_PMCU_PMCU_SPEC_H
#define CS_SCENARIO_PMCU_PMCU_SPEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct cs_pmcu_spec {
    unsigned dies;      /* alike: each with a PMCU and its clusters */
    unsigned sccl;      /* what software calls the first, */
    unsigned sccl_step; /* and by so much more each of the others */
    unsigned clusters;  /* of a die */
    unsigned slots;
    unsigned lanes;
    bool broadcast;
    bool prefetch;
    unsigned order;       /* cs_pmcu_order */
    unsigned tick_cycles; /* default: bus.clock_mhz / 50 */
} cs_pmcu_spec;

#endif
