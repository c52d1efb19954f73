// SPDX-License-Identifier: Apache-2.0
/* A view hears of a run. */
#include "traces/format.h"
#include "traces/timeline/view_unit.h"

/* Every scenario has a timeline, and only one. */
cs_status cs_view_check(const cs_scenario *scenario, const cs_trace_request *request, cs_diag *diag)
{
    (void)scenario;
    if (request->command != NULL)
        return cs_diag_set(diag, CS_ERR_USAGE, NULL,
                           "format %s covers the whole run: it takes no --command",
                           request->format);
    return CS_OK;
}

static void probe(void *ctx, const cs_probe_record *record)
{
    cs_view_probe(ctx, record);
}

static void soft(void *ctx, const cs_soft_record *record)
{
    cs_view_soft(ctx, record);
}

static cs_status end(void *ctx, cs_cycle cycles, cs_diag *diag)
{
    return cs_view_finish(ctx, cycles, diag);
}

void cs_view_listen(cs_view *view, cs_run_listener *listener)
{
    const cs_view_unit *unit;

    *listener = (cs_run_listener){.probe = probe, .end = end, .ctx = view};
    cs_run_hear(listener, &cs_soft_track, soft);
    for (size_t i = 0; (unit = cs_view_unit_at(i)) != NULL; i++)
        if (unit->soft != NULL)
            cs_run_hear(listener, unit->soft, soft);
}
