// SPDX-License-Identifier: Apache-2.0
/* What uncore units really counted for software.kind uncore, beside what it reports: it listens to
 * the register accesses, follows which counter counts what in which cycles, and asks the timelines
 * for the exact sums. It knows that software: accesses of 8 bytes, no FREEZE. */
#ifndef CS_RESULTS_UNCORE_COLLECTOR_H
#define CS_RESULTS_UNCORE_COLLECTOR_H

#include "drivers/count.h"
#include "drivers/uncore/uncore_driver.h"
#include "drivers/uncore/uncore_place.h"
#include "scenario/scenario.h"
#include "scenario/uncore/uncore_spec.h"
#include <countersink/base/diag.h>
#include <countersink/base/probe/probe.h>
#include <countersink/base/stream/timeline.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cs_uncore_collector cs_uncore_collector;

typedef struct cs_uncore_unit_result {
    cs_uncore_manager manager;
    uint64_t accesses;
    uint64_t wrong; /* events whose count is not what their counters counted */
} cs_uncore_unit_result;

typedef struct cs_uncore_results {
    cs_uncore_unit_result units[CS_MAX_UNCORE];
    uint64_t wrong; /* of all units; 0 in a run that was cut */
    uint64_t lost;  /* counted between a handler's read of COUNT and its write */
} cs_uncore_results;

/* Borrows both. Errors: CS_ERR_NO_MEMORY. */
cs_status cs_uncore_collector_create(const cs_scenario *scenario, cs_timeline *const timelines[],
                                     cs_uncore_collector **out, cs_diag *diag);
void cs_uncore_collector_destroy(cs_uncore_collector *collector); /* NULL is allowed */

/* CS_ERR_NO_MEMORY is kept for finish. */
void cs_uncore_collector_record(cs_uncore_collector *collector, const cs_probe_record *record);
/* A counter is given to an event: what it counts from the next write of its SELECT on is that
 * event's. */
void cs_uncore_collector_placed(cs_uncore_collector *collector, const cs_uncore_placed *placed);
/* A count as the software tells it; those of CPUs and of intervals are passed over. */
void cs_uncore_collector_count(cs_uncore_collector *collector, const cs_count *count);

/* To be called once; `ended`: the software has, so that every count has been told. */
cs_status cs_uncore_collector_finish(cs_uncore_collector *collector, bool ended,
                                     cs_uncore_results *out, cs_diag *diag);

#ifdef __cplusplus
}
#endif

#endif
