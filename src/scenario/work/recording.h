// SPDX-License-Identifier: Apache-2.0
/* Internal to scenario. The files that a scenario replays, each read once. */
#ifndef CS_SCENARIO_RECORDING_H
#define CS_SCENARIO_RECORDING_H

#include "scenario/scenario.h"
#include "scenario/work/workload_spec.h"
#include <countersink/base/stream/stream.h>

typedef struct cs_recordings cs_recordings;
struct cs_stream_place;

cs_status cs_recordings_create(cs_recordings **out, cs_diag *diag);
void cs_recordings_destroy(cs_recordings *recordings); /* NULL is allowed */

/* The stream of spec->file_event in spec->file: the CPU's own where the recording
 * tells CPUs apart (perf stat -A), else the one for all. */
cs_status cs_recordings_stream(cs_recordings *recordings, const struct cs_stream_place *place,
                               const cs_stream_spec *spec, const cs_stream **out);

#endif
