// SPDX-License-Identifier: Apache-2.0
/* Call paths of the workloads as samples with call chains met them, against their weights
 * (docs/traces/call_chains.md, "Shares"). */
#ifndef CS_RESULTS_HPM_CALL_PATHS_H
#define CS_RESULTS_HPM_CALL_PATHS_H

#include "scenario/scenario.h"
#include "scenario/work/workload_spec.h"
#include <countersink/base/diag.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cs_call_paths cs_call_paths;

/* A function as it is reached by one way, in a segment. */
typedef struct cs_call_path {
    unsigned command; /* number of the perf command (riscv.perf) */
    const char *workload;
    uint32_t pid;
    unsigned segment; /* of the workload, from 0 */
    const cs_function_spec *function;
    const char *stack;   /* "main;handle;parse": outermost first */
    const char *returns; /* "0x10124;0x1044c": innermost first, as in a chain behind the ip */
    uint64_t samples;    /* that perf got */
    double
        expected; /* share of the command's samples in paths: by the weights, over the segments as
                            they were sampled */
} cs_call_path;

/* A function with all that it has called. */
typedef struct cs_call_share {
    unsigned command;
    const char *workload;
    const char *function;
    uint64_t base;
    uint64_t self; /* samples */
    double self_expected;
    uint64_t inclusive; /* samples in it, or in what it has called; a sample counts once */
    double inclusive_expected;
} cs_call_share;

/* `scenario` is borrowed. CS_ERR_NO_MEMORY; *out is NULL then. */
cs_status cs_call_paths_create(const cs_scenario *scenario, cs_call_paths **out, cs_diag *diag);
void cs_call_paths_destroy(cs_call_paths *paths); /* NULL is allowed */

/* A sample with a call chain in the function of that number (cs_function_spec). */
void cs_call_paths_add(cs_call_paths *paths, unsigned command, uint32_t function);

/* Each path with a weight of each segment in which a command sampled, and the functions on them;
 * valid until the next call. CS_ERR_NO_MEMORY. */
cs_status cs_call_paths_tell(cs_call_paths *paths,
                             void (*path)(void *ctx, const cs_call_path *path),
                             void (*share)(void *ctx, const cs_call_share *share), void *ctx,
                             cs_diag *diag);

#ifdef __cplusplus
}
#endif

#endif
