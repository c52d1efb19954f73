// SPDX-License-Identifier: Apache-2.0
/* An event's state, and what follows from it: the times enabled and running, and the truth. */
#include "software/perf/impl.h"

/* With a leader that is off nothing of its group is on. */
static cs_perf_state state_effective(const cs_perf_event *event)
{
    const cs_perf_state leader = event->leader->state;

    return leader <= CS_PERF_STATE_OFF ? leader : event->state;
}

void cs_perf_update_times(cs_perf_event *event)
{
    if (event->ctx == NULL)
        return;
    const uint64_t now = cs_perf_context_time(event->ctx);
    const uint64_t passed = now - event->stamp_ns;
    const cs_perf_state state = state_effective(event);

    event->stamp_ns = now;
    if (state >= CS_PERF_STATE_INACTIVE)
        event->enabled_ns += passed;
    if (state >= CS_PERF_STATE_ACTIVE)
        event->running_ns += passed;
}

void cs_perf_correct_times(cs_perf_event *event, uint64_t until_ns, bool counted)
{
    const uint64_t passed = until_ns - event->stamp_ns;

    event->stamp_ns = until_ns;
    event->enabled_ns += passed;
    event->running_ns += counted ? passed : 0;
}

static void state_update_siblings(cs_perf_event *leader)
{
    cs_perf_event *s;

    TAILQ_FOREACH (s, &leader->siblings, in_group)
        cs_perf_update_times(s);
}

static void state_watch_siblings(cs_perf_event *leader)
{
    cs_perf_event *s;

    TAILQ_FOREACH (s, &leader->siblings, in_group)
        cs_perf_truth_update(s);
}

void cs_perf_set_state(cs_perf_event *event, cs_perf_state state)
{
    const bool group = event->leader == event && (event->state < 0) != (state < 0);

    if (event->state == state)
        return;
    cs_perf_update_times(event);
    if (group)
        state_update_siblings(event);
    event->state = state;
    cs_perf_truth_update(event);
    if (group)
        state_watch_siblings(event);
}

/* ---- truth ---- */

/* Whose work the event would count now, with a counter of its own. A task that sleeps does none:
 * an event that follows its task everywhere need not be told. */
static cs_perf_task *truth_task(const cs_perf_event *event)
{
    const cs_perf_context *ctx = event->ctx;

    if (ctx == NULL || event->pmu->software || state_effective(event) < CS_PERF_STATE_INACTIVE)
        return NULL;
    if (ctx->task != NULL && event->cpu < 0)
        return ctx->task;
    if (ctx->cpu == NULL || !cs_perf_context_matches(event))
        return NULL;
    return event->pmu->worker != NULL ? event->pmu->worker : ctx->cpu->task;
}

void cs_perf_truth_settle(cs_perf_event *event)
{
    cs_perf_truth *t = &event->truth;

    if (t->task == NULL || t->task->local == t->from_local)
        return;
    const cs_event_source *work = &t->task->work;

    t->sum += work->sum(work->ctx, event->hw.event, event->hw.modes, t->from_local, t->task->local);
    t->from_local = t->task->local;
}

void cs_perf_truth_update(cs_perf_event *event)
{
    cs_perf_task *task = truth_task(event);

    if (task == event->truth.task)
        return;
    cs_perf_truth_settle(event);
    event->truth.task = task;
    event->truth.from_local = task != NULL ? task->local : 0;
}
