// SPDX-License-Identifier: Apache-2.0
/* What happened in a run, piece by piece, in rows of the truth: states and interrupt lines while
 * they last, register accesses, how much of the bus each manager held, and what software ran
 * (docs/traces/truth.md, "What happened when"). It knows the probe stream and who runs where; what timelines
 * show (traces/timeline/view.h) it does not know. What it must know of units stands in their parts
 * (part.h, `sources`). */
#ifndef CS_RESULTS_COMMON_ACTIVITY_H
#define CS_RESULTS_COMMON_ACTIVITY_H

#include "results/truth/truth.h"
#include "scenario/scenario.h"
#include <countersink/base/diag.h>
#include <countersink/base/probe/probe.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A row of `load` is of this much time. */
#define CS_ACTIVITY_LOAD_US 10u

typedef struct cs_activity cs_activity;

/* Borrows both. Errors: CS_ERR_NO_MEMORY; *out is to be destroyed then, too. */
cs_status cs_activity_create(const cs_scenario *scenario, cs_truth *truth, cs_activity **out,
                             cs_diag *diag);
void cs_activity_destroy(cs_activity *activity); /* NULL is allowed */

/* Records of one unit or manager in their order; of several in any. */
void cs_activity_record(cs_activity *activity, const cs_probe_record *record);

/* From `cycle` on the CPU runs the track of its timeline; 0: its workload. */
void cs_activity_software(cs_activity *activity, unsigned cpu, cs_cycle cycle, unsigned track);

/* The run has `end` cycles: what still lasts ends there. To be called once, before cs_truth_finish. */
void cs_activity_finish(cs_activity *activity, cs_cycle end);

#ifdef __cplusplus
}
#endif

#endif
