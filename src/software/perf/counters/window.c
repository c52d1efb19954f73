// SPDX-License-Identifier: Apache-2.0
#include "software/perf/counters/window.h"

static uint32_t window_event(const cs_perf_window *w, uint32_t event)
{
    return event == w->alias && w->event != 0 ? w->event : event + w->first;
}

static uint64_t window_sum(void *ctx, uint32_t event, uint32_t modes, cs_cycle from, cs_cycle to)
{
    const cs_perf_window *w = ctx;
    const cs_cycle a = from > w->from ? from : w->from;
    const cs_cycle b = to < w->to ? to : w->to;

    if (w->task == NULL || b <= a)
        return 0;
    const cs_event_source *work = &w->task->work;
    const uint64_t offset = w->local - w->from;

    return work->sum(work->ctx, window_event(w, event), modes, a + offset, b + offset);
}

static cs_cycle window_reach(void *ctx, uint32_t event, uint32_t modes, cs_cycle from, uint64_t n)
{
    const cs_perf_window *w = ctx;
    const cs_cycle a = from > w->from ? from : w->from;

    if (n == 0)
        return from;
    if (w->task == NULL || a > w->to)
        return CS_NEVER;
    const cs_event_source *work = &w->task->work;
    const uint64_t offset = w->local - w->from;
    const uint32_t what = window_event(w, event);

    /* A sum costs a fraction of a search, and stretches are far shorter than periods as a rule. */
    if (work->sum(work->ctx, what, modes, a + offset, w->to + offset) < n)
        return CS_NEVER;
    return work->reach(work->ctx, what, modes, a + offset, n) - offset;
}

/* Whoever samples asks the task. */
static void window_context(void *ctx, cs_cycle cycle, cs_context *out)
{
    (void)ctx;
    (void)cycle;
    *out = (cs_context){0};
}

cs_event_source cs_perf_window_source(cs_perf_window *w)
{
    return (cs_event_source){
        .sum = window_sum, .reach = window_reach, .context = window_context, .ctx = w};
}
