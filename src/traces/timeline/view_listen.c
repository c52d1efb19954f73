/* A view hears of a run. */
#include "traces/format.h"
#include "traces/timeline/view.h"

/* Every scenario has a timeline, and only one. */
cs_status cs_view_check(const cs_scenario *scenario, const cs_trace_request *request, cs_diag *diag)
{
    (void)scenario;
    if (request->command != NULL)
        return cs_diag_set(diag, CS_ERR_USAGE, NULL,
                           "format %s is of the whole run: it takes no command", request->format);
    return CS_OK;
}

static void track(void *ctx, const cs_soft_record *record)
{
    const cs_track_change *change = record->what;

    cs_view_software(ctx, record->cpu, record->cycle, change->track);
}

static void probe(void *ctx, const cs_probe_record *record)
{
    cs_view_probe(ctx, record);
}

static void subsample(void *ctx, const cs_soft_record *record)
{
    cs_view_subsample(ctx, record->what);
}

static void hart_sample(void *ctx, const cs_soft_record *record)
{
    const cs_riscv_taken *taken = record->what;

    cs_view_hart_sample(ctx, &taken->which, taken->sample);
}

static cs_status end(void *ctx, cycle_t cycles, cs_diag *diag)
{
    return cs_view_finish(ctx, cycles, diag);
}

void cs_view_listen(cs_view *view, cs_run_listener *listener)
{
    *listener = (cs_run_listener){.probe = probe, .end = end, .ctx = view};
    cs_run_hear(listener, &cs_soft_track, track);
    cs_run_hear(listener, &cs_soft_pmcu_subsample, subsample);
    cs_run_hear(listener, &cs_soft_riscv_sample, hart_sample);
}
