// SPDX-License-Identifier: Apache-2.0
/* What a comparison of model and RTL is told by the scenario. */
#ifndef CS_SCENARIO_MACHINE_COMPARE_SPEC_H
#define CS_SCENARIO_MACHINE_COMPARE_SPEC_H

#include <stddef.h>

typedef struct cs_compare_spec {
    const char **idle; /* parts of the die that need not do anything, by name */
    size_t nr_idle;
} cs_compare_spec;

#endif
