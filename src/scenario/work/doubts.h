// SPDX-License-Identifier: Apache-2.0
/* What nobody would believe of a scenario, though it can be simulated: more branches than
 * instructions, samples without functions. Lockstep scenarios need not be believed. */
#ifndef CS_SCENARIO_WORK_DOUBTS_H
#define CS_SCENARIO_WORK_DOUBTS_H

#include "scenario/scenario.h"
#include <countersink/base/diag.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Calls `hear` for each, with a line of text: "workloads.0.segments.1: ...". CS_ERR_NO_MEMORY, and
 * what cs_scenario_timelines says. */
cs_status cs_scenario_doubts(const cs_scenario *scenario, void (*hear)(void *ctx, const char *text),
                             void *ctx, cs_diag *diag);

#ifdef __cplusplus
}
#endif

#endif
