// SPDX-License-Identifier: Apache-2.0
/* From a scenario to what a system is made of: the cores' timelines and the guard
 * of the fabric. Every call makes a set of its own from the same description, so
 * that two systems share nothing but the scenario.
 *
 * What is decided here (docs/scenarios.md, "Streams"): rates are converted from
 * core to bus cycles exactly; a stream's key is the seed, the CPU, and a name made
 * of the track, the segment's number and the event; CPU_CYCLES counts at the core
 * clock in every segment that does not name it. */
#ifndef CS_SCENARIO_BUILD_H
#define CS_SCENARIO_BUILD_H

#include "scenario/scenario.h"
#include "scenario/work/recipe.h"
#include <countersink/base/bus/guard.h>
#include <countersink/base/diag.h>
#include <countersink/base/stream/timeline.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The track of a timeline for what the software does there. */
#define CS_TRACK_HANDLER 1u

/* One timeline for each CPU and all that is behind them. */
typedef struct cs_timelines cs_timelines;

/* Timelines of CPU 0 .. cs_scenario_cpus - 1. The scenario must outlive them (it
 * lends the names). Replayed recordings are read from the scenario's folder.
 * Errors name the place in the scenario: CS_ERR_SCENARIO; in a recording:
 * CS_ERR_FORMAT, CS_ERR_UNSUPPORTED; CS_ERR_NO_MEMORY. *out is NULL then. */
cs_status cs_scenario_timelines(const cs_scenario *scenario, cs_timelines **out, cs_diag *diag);

/* Hears of each event of a timeline by what its stream is made; of what a ratio follows first. */
typedef struct cs_stream_listener {
    unsigned timeline;
    void (*tell)(void *ctx, unsigned segment, uint32_t event, const cs_stream_recipe *recipe);
    void *ctx;
} cs_stream_listener;

/* As cs_scenario_timelines, of which nothing stays. */
cs_status cs_scenario_tell_streams(const cs_scenario *scenario, const cs_stream_listener *listener,
                                   cs_diag *diag);

/* Owned by *timelines; NULL where there is no such CPU or unit; not const, because looking up fills its caches. */
cs_timeline *cs_timelines_cpu(cs_timelines *timelines, unsigned cpu);

/* Ends all timelines of the set. NULL is allowed. */
void cs_timelines_destroy(cs_timelines *timelines);

/* The guard with the scenario's regions and faults; independent of the scenario
 * afterwards. CS_ERR_RANGE, CS_ERR_NO_MEMORY. */
cs_status cs_scenario_guard(const cs_scenario *scenario, cs_guard **out, cs_diag *diag);

#ifdef __cplusplus
}
#endif

#endif
