// SPDX-License-Identifier: Apache-2.0
/* Samples of harts by the function that they are in, beside what a perfect profiler had got: of each event that
 * is sampled, with call chains or without (docs/traces/truth.md, table hart_function). */
#ifndef CS_RESULTS_HPM_SHARES_H
#define CS_RESULTS_HPM_SHARES_H

#include "scenario/scenario.h"
#include "scenario/work/workload_spec.h"
#include <countersink/base/diag.h>
#include <countersink/base/stream/timeline.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cs_hart_shares cs_hart_shares;

/* A function of a process, of one event of a perf command. */
typedef struct cs_hart_share {
    unsigned command, event; /* their numbers (riscv.perf) */
    uint32_t pid;
    const char *workload;
    const cs_function_spec *function; /* the first of those that lie there */
    uint64_t samples;                 /* that perf got, by their program counter */
    uint64_t overflows;               /* of these events: it ran when the counter overflowed */
    double share;                     /* of the event's samples in functions */
    double expected; /* share by the weights, over the segments as they were sampled */
} cs_hart_share;

/* `scenario` is borrowed. CS_ERR_NO_MEMORY; *out is NULL then. */
cs_status cs_hart_shares_create(const cs_scenario *scenario, cs_hart_shares **out, cs_diag *diag);
void cs_hart_shares_destroy(cs_hart_shares *shares); /* NULL is allowed */

/* A sample that perf got: the function that it is in, and the one that ran at its overflow; NULL: none, or it is
 * not known. What is no function of a workload is passed over. */
void cs_hart_shares_add(cs_hart_shares *shares, unsigned command, unsigned event,
                        const cs_function *in, const cs_function *overflowed);

/* Each function that an event met, or ought to have met; by rising command, event and pid, then by falling
 * share. */
void cs_hart_shares_tell(cs_hart_shares *shares,
                         void (*tell)(void *ctx, const cs_hart_share *share), void *ctx);

#ifdef __cplusplus
}
#endif

#endif
