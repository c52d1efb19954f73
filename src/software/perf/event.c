// SPDX-License-Identifier: Apache-2.0
/* An event from its beginning to its end: its place in a context and a group, on and off, its
 * sums. */
#include "software/perf/impl.h"

#include <stdlib.h>

cs_perf_event *cs_perf_event_new(cs_perf *perf, const cs_perf_attr *attr)
{
    cs_perf_event *e = calloc(1, sizeof *e);

    if (e == NULL)
        return NULL;
    e->perf = perf;
    e->attr = *attr;
    e->id = ++perf->last_id;
    e->cpu = -1;
    e->leader = e;
    e->hw.counter = -1;
    e->state =
        (attr->flags & CS_PERF_ATTR_DISABLED) != 0 ? CS_PERF_STATE_OFF : CS_PERF_STATE_INACTIVE;
    TAILQ_INIT(&e->siblings);
    TAILQ_INIT(&e->children);
    return e;
}

void cs_perf_event_free(cs_perf_event *event)
{
    if (event == NULL)
        return;
    if (event->hw.held)
        event->pmu->ops->event_free(event->pmu, event);
    cs_perf_buffer_drop(event);
    free(event);
}

/* ---- its place ---- */

/* Whatever has changed in its list: the CPU on which that is in looks again. */
static void event_resched(const cs_perf_event *event)
{
    if (event->ctx != NULL && event->ctx->cpu != NULL)
        cs_perf_resched(event->ctx->cpu, event->pmu_at, CS_PERF_OUT_ALL);
}

/* A software group that a hardware event joins is that PMU's from now on. */
static void event_move_group(cs_perf_event *leader, unsigned pmu)
{
    cs_perf_event *s;

    if (leader->ctx->cpu != NULL)
        cs_perf_group_sched_out(leader);
    cs_perf_context_unlink(leader);
    leader->pmu_at = pmu;
    leader->software_group = false;
    TAILQ_FOREACH (s, &leader->siblings, in_group)
        s->pmu_at = pmu;
    cs_perf_context_link(leader);
}

static void event_join(cs_perf_event *event, cs_perf_event *leader)
{
    if (leader->software_group && !event->pmu->software)
        event_move_group(leader, event->pmu->number);
    event->leader = leader;
    event->pmu_at = leader->pmu_at;
    TAILQ_INSERT_TAIL(&leader->siblings, event, in_group);
    leader->nr_siblings++;
}

static void event_enter(cs_perf_event *event, cs_perf_context *ctx)
{
    TAILQ_INSERT_TAIL(&ctx->events, event, in_ctx);
    ctx->nr_events++;
    ctx->flags |= event->attr.flags;
    ctx->bound |= event->cpu >= 0;
    ctx->sampled |= event->pmu->software && cs_perf_samples(event);
    event->perf->nr_cpu_events += ctx->task == NULL;
}

static void event_leave(cs_perf_event *event, cs_perf_context *ctx)
{
    TAILQ_REMOVE(&ctx->events, event, in_ctx);
    event->perf->nr_cpu_events -= ctx->task == NULL;
    if (--ctx->nr_events != 0)
        return;
    ctx->flags = 0;
    ctx->bound = false;
    ctx->sampled = false;
}

void cs_perf_attach(cs_perf_event *event, cs_perf_context *ctx, cs_perf_event *leader)
{
    event->ctx = ctx;
    event->stamp_ns = cs_perf_context_time(ctx);
    event_enter(event, ctx);
    if (leader != event) {
        event_join(event, leader);
    } else {
        event->pmu_at = event->pmu->number;
        event->software_group = event->pmu->software;
        cs_perf_context_link(event);
    }
    cs_perf_truth_update(event);
    if (event->state == CS_PERF_STATE_INACTIVE)
        event_resched(event);
}

/* Those that the leader leaves go on as they are, each by itself. */
static void event_release_siblings(cs_perf_event *leader)
{
    cs_perf_event *s;

    while ((s = TAILQ_FIRST(&leader->siblings)) != NULL) {
        cs_perf_update_times(s);
        TAILQ_REMOVE(&leader->siblings, s, in_group);
        s->leader = s;
        s->software_group = s->pmu->software;
        s->attr.flags |= leader->attr.flags & (CS_PERF_ATTR_PINNED | CS_PERF_ATTR_EXCLUSIVE);
        if (s->ctx != NULL) {
            s->ctx->pmus[s->pmu_at].strays |= s->software_group;
            cs_perf_context_link(s);
        }
        cs_perf_truth_update(s);
    }
    leader->nr_siblings = 0;
}

static void event_leave_group(cs_perf_event *event)
{
    if (event->leader != event) {
        TAILQ_REMOVE(&event->leader->siblings, event, in_group);
        event->leader->nr_siblings--;
        event->leader = event;
        return;
    }
    event_release_siblings(event);
}

void cs_perf_leave_context(cs_perf_event *event)
{
    cs_perf_context *ctx = event->ctx;

    if (ctx == NULL)
        return;
    if (ctx->cpu != NULL)
        cs_perf_out_alone(event);
    cs_perf_set_state(event, CS_PERF_STATE_EXIT);
    if (event->leader == event)
        cs_perf_context_unlink(event);
    event_leave(event, ctx);
    event->ctx = NULL;
    cs_perf_truth_update(event);
}

void cs_perf_remove(cs_perf_event *event)
{
    cs_perf_leave_context(event);
    event_leave_group(event);
}

void cs_perf_detach(cs_perf_event *event)
{
    cs_perf_cpu *cpu = event->ctx != NULL ? event->ctx->cpu : NULL;

    cs_perf_remove(event);
    if (cpu != NULL)
        cs_perf_resched(cpu, event->pmu_at, CS_PERF_OUT_ALL);
}

/* ---- on and off ---- */

void cs_perf_enable_one(cs_perf_event *event)
{
    if (event->state >= CS_PERF_STATE_INACTIVE || event->state == CS_PERF_STATE_EXIT)
        return;
    cs_perf_set_state(event, CS_PERF_STATE_INACTIVE);
    event_resched(event);
}

static void event_disable_one(cs_perf_event *event)
{
    if (event->state < CS_PERF_STATE_INACTIVE)
        return;
    if (event->ctx != NULL && event->ctx->cpu != NULL)
        cs_perf_out_alone(event);
    cs_perf_set_state(event, CS_PERF_STATE_OFF);
}

void cs_perf_enable(cs_perf_event *event)
{
    cs_perf_event *c;

    cs_perf_enable_one(event);
    TAILQ_FOREACH (c, &event->children, in_parent)
        cs_perf_enable_one(c);
}

void cs_perf_disable(cs_perf_event *event)
{
    cs_perf_event *c;

    event_disable_one(event);
    TAILQ_FOREACH (c, &event->children, in_parent)
        event_disable_one(c);
}

/* ---- sums ---- */

void cs_perf_update_count(cs_perf_event *event)
{
    if (event->state == CS_PERF_STATE_ACTIVE)
        event->pmu->ops->read(event->pmu, event->ctx->cpu, event);
    cs_perf_update_times(event);
    cs_perf_truth_settle(event);
}

static void sums_add(cs_perf_sums *s, cs_perf_event *event)
{
    cs_perf_update_count(event);
    s->count += event->count;
    s->enabled_ns += event->enabled_ns;
    s->running_ns += event->running_ns;
    s->truth += event->pmu->software ? event->count : event->truth.sum;
}

cs_perf_sums cs_perf_sums_of(cs_perf_event *event)
{
    cs_perf_sums s = {event->child_count, event->child_enabled_ns, event->child_running_ns,
                      event->child_truth};
    cs_perf_event *c;

    sums_add(&s, event);
    TAILQ_FOREACH (c, &event->children, in_parent)
        sums_add(&s, c);
    return s;
}
