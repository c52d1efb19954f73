// SPDX-License-Identifier: Apache-2.0
/* What one event's stream is made of, in numbers alone: another process can make the same of them. */
#ifndef CS_SCENARIO_RECIPE_H
#define CS_SCENARIO_RECIPE_H

#include "scenario/work/workload_spec.h"
#include <countersink/base/diag.h>
#include <countersink/base/stream/stream.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Of any kind but CS_STREAM_REPLAY, which is a file's. */
typedef struct cs_stream_recipe {
    cs_stream_kind kind; /* a spread is a random one */
    cs_rate rate;        /* per bus cycle; of a ratio: per increment of its source */
    uint64_t period_cycles, offset_cycles, length_cycles;
    uint64_t key; /* of a random one */
    uint32_t increment, max_increment;
    uint32_t of; /* of a ratio: its source's event */
} cs_stream_recipe;

/* `source`: of a ratio; NULL of others. Errors: those of countersink/base/stream/stream.h; CS_ERR_UNSUPPORTED. */
cs_status cs_stream_of_recipe(cs_stream_pool *pool, const cs_stream_recipe *recipe,
                              const cs_stream *source, const cs_stream **out, cs_diag *diag);

#ifdef __cplusplus
}
#endif

#endif
