// SPDX-License-Identifier: Apache-2.0
/* What samples of program counters say of the functions of the workloads, against their weights. */
#ifndef CS_RESULTS_COMMON_FUNCTIONS_H
#define CS_RESULTS_COMMON_FUNCTIONS_H

#include "scenario/scenario.h"
#include <countersink/base/diag.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cs_functions cs_functions;

typedef struct cs_function_result {
    const char *name;
    uint64_t base;
    uint64_t samples;
    double share;    /* of all samples in functions */
    double expected; /* by the weights, over the CPUs as they were sampled */
} cs_function_result;

/* `scenario` is borrowed. CS_ERR_NO_MEMORY; *out is NULL then. */
cs_status cs_functions_create(const cs_scenario *scenario, cs_functions **out, cs_diag *diag);
void cs_functions_destroy(cs_functions *functions); /* NULL is allowed */

/* A sample. What is in no function of the CPU's workload does not matter. */
void cs_functions_add(cs_functions *functions, unsigned cpu, uint64_t pc);

/* To be called once: all functions, by falling share. Valid until destroy. */
const cs_function_result *cs_functions_finish(cs_functions *functions, size_t *count);

/* In place of it: how far a function's share of the samples is from what is expected, mean of all
 * functions; NaN where no sample was in one. */
double cs_functions_error(cs_functions *functions);

#ifdef __cplusplus
}
#endif

#endif
