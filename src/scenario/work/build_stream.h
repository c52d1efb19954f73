// SPDX-License-Identifier: Apache-2.0
/* Internal to scenario. The streams of one segment of one CPU. */
#ifndef CS_SCENARIO_BUILD_STREAM_H
#define CS_SCENARIO_BUILD_STREAM_H

#include "scenario/build.h"
#include "scenario/cpus.h"
#include "scenario/scenario.h"
#include "scenario/work/recipe.h"
#include "scenario/work/recording.h"
#include "scenario/work/workload_spec.h"
#include <countersink/base/stream/stream.h>
#include <countersink/base/stream/timeline.h>

#define CS_SPREAD_SCALE 1000000000000u /* of a spread's rates: 10^12 */

/* Which stream is being made, for keys and errors. */
typedef struct cs_stream_place {
    const cs_scenario *scenario;
    cs_stream_pool *pool;
    cs_recordings *recordings;
    const cs_segment_spec *segment;
    const char *path;  /* "workloads.0.segments.1" */
    const char *track; /* "work", "handler" */
    unsigned number;   /* of the segment in its track */
    uint32_t cpu;      /* the timeline */
    const cs_implicit_event *implicit;
    size_t nr_implicit;
    unsigned most;                      /* that can count in a bus cycle */
    const cs_stream_listener *listener; /* NULL: nobody listens */
    cs_diag *diag;
} cs_stream_place;

/* "place: path.events.N: text" */
cs_status cs_stream_place_error(const cs_stream_place *place, const cs_stream_spec *spec,
                                const char *text);

/* The stream of one event. `source`: of the ratio, else NULL. */
cs_status cs_build_stream(const cs_stream_place *place, const cs_stream_spec *spec, uint32_t event,
                          const cs_stream *source, const cs_stream **out);
cs_stream_recipe cs_build_recipe(const cs_stream_place *place, const cs_stream_spec *spec,
                                 uint32_t event);

/* The mean rate per core cycle of one event of a spread, in units of
 * 1 / CS_SPREAD_SCALE: log-uniform between the two rates, fixed by seed and event. */
uint64_t cs_spread_rate(uint64_t seed, uint32_t event, cs_fraction low, cs_fraction high);

/* All events of place->segment in rising order, the ratios and CPU_CYCLES among
 * them; the array is the caller's to free. */
cs_status cs_build_segment_events(const cs_stream_place *place, cs_segment_event **events,
                                  size_t *nr_events);

#endif
