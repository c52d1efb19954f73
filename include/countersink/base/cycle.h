// SPDX-License-Identifier: Apache-2.0
/* Simulated time. One bus clock; a cycle is the span between two of its rising
 * edges. State and outputs belong to a cycle; inputs seen in cycle t act in t+1. */
#ifndef CS_BASE_CYCLE_H
#define CS_BASE_CYCLE_H

#include <stdint.h>

typedef uint64_t cs_cycle;

/* Later than every cycle that can be simulated. */
#define CS_NEVER UINT64_MAX

#endif
