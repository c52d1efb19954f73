// SPDX-License-Identifier: Apache-2.0
/* The timebase of a die with IMC (docs/hw/imc.md, "Timebase"): a function of the cycle. */
#ifndef CS_MODELS_IMC_TIMEBASE_H
#define CS_MODELS_IMC_TIMEBASE_H

#include <countersink/base/cycle.h>

#ifdef __cplusplus
extern "C" {
#endif

/* num ticks in den cycles: 1..65535 each, num <= den. */
typedef struct cs_imc_timebase {
    uint64_t start; /* the timebase in cycle 0 */
    uint32_t num, den;
} cs_imc_timebase;

/* TB(cycle). */
uint64_t cs_imc_timebase_at(const cs_imc_timebase *tb, cs_cycle cycle);

/* The first cycle from `from` on, and not 0, in which the timebase ticks and its low k bits
 * (0..63) are zero; CS_NEVER if there is none. */
cs_cycle cs_imc_timebase_boundary(const cs_imc_timebase *tb, unsigned k, cs_cycle from);

#ifdef __cplusplus
}
#endif

#endif
