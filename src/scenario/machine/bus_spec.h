// SPDX-License-Identifier: Apache-2.0
/* The fabric. */
#ifndef CS_SCENARIO_MACHINE_BUS_SPEC_H
#define CS_SCENARIO_MACHINE_BUS_SPEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct cs_bus_spec {
    unsigned clock_mhz; /* divides 500000; a multiple of 50 */
    bool per_target;
    unsigned forward_cycles;
    unsigned return_cycles;
    unsigned register_access_cycles;
} cs_bus_spec;

#endif
