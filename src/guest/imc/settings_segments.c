// SPDX-License-Identifier: Apache-2.0
/* The scenario's nest.segments as lines of settings (segments.h). */
#include <inttypes.h>
#include <stdio.h>

#include "guest/imc/parts.h"
#include "scenario/build.h"
#include "scenario/nest/nest_spec.h"
#include <countersink/base/numbers.h>

typedef struct told_segments {
    const cs_nest_spec *nest;
    size_t segment; /* segments below it have begun */
    FILE *out;
} told_segments;

static void begin_segments(told_segments *t, size_t below)
{
    for (; t->segment < below; t->segment++)
        fprintf(t->out, "segment %" PRIx64 "\n", t->nest->segments[t->segment].cycles);
}

static void put_stream(void *ctx, unsigned segment, uint32_t event, const cs_stream_recipe *r)
{
    told_segments *t = ctx;

    begin_segments(t, segment + 1);
    fprintf(t->out,
            "stream %x %x %" PRIx64 " %" PRIx64 " %" PRIx64 " %" PRIx64 " %" PRIx64 " %" PRIx64
            " %x %x %x\n",
            event - CS_EVENT_NEST(0), r->kind, r->rate.p, r->rate.q, r->period_cycles,
            r->offset_cycles, r->length_cycles, r->key, r->increment, r->max_increment,
            r->kind == CS_STREAM_RATIO ? r->of - CS_EVENT_NEST(0) : 0);
}

cs_status cs_power_put_segments(const cs_scenario *scenario, FILE *out, cs_diag *diag)
{
    told_segments told = {.nest = scenario->nest, .out = out};
    const cs_stream_listener listener = {CS_NEST_TIMELINE, put_stream, &told};
    cs_status status;

    if (scenario->nest->nr_segments == 0)
        return CS_OK;
    status = cs_scenario_tell_streams(scenario, &listener, diag);
    begin_segments(&told, scenario->nest->nr_segments);
    return status;
}
