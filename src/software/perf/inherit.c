// SPDX-License-Identifier: Apache-2.0
/* Events that a new thread has from its parent, and what becomes of a thread's events at its
 * end. */
#include "software/perf/impl.h"

#include <errno.h>

/* The child's copy; NULL: no memory. It counts for the event that was opened, whoever's child it
 * is. */
static cs_perf_event *inherit_copy(cs_perf_event *from, cs_perf_task *child)
{
    cs_perf_event *origin = from->parent != NULL ? from->parent : from;
    cs_perf_event *e = cs_perf_event_new(from->perf, &from->attr);

    if (e == NULL)
        return NULL;
    e->pmu = from->pmu;
    e->hw = (cs_perf_hw){.event = from->hw.event,
                         .modes = from->hw.modes,
                         .filter = from->hw.filter,
                         .allowed = from->hw.allowed,
                         .counter = -1,
                         .period = from->hw.period,
                         .frequency = from->hw.frequency};
    if (cs_perf_samples(e)) {
        e->hw.period.last = e->hw.period.sample;
        e->hw.period.left = (int64_t)e->hw.period.sample;
    }
    e->cpu = from->cpu;
    e->who = child->who;
    e->privileged = from->privileged;
    e->state = origin->state >= CS_PERF_STATE_INACTIVE ? CS_PERF_STATE_INACTIVE : CS_PERF_STATE_OFF;
    e->parent = origin;
    TAILQ_INSERT_TAIL(&origin->children, e, in_parent);
    return e;
}

static bool inherits(const cs_perf_event *event, const cs_perf_task *parent,
                     const cs_perf_task *child)
{
    if (!cs_perf_has(event, CS_PERF_ATTR_INHERIT))
        return false;
    return !cs_perf_has(event, CS_PERF_ATTR_INHERIT_THREAD) || parent->who.pid == child->who.pid;
}

static int inherit_group(cs_perf_event *leader, cs_perf_task *child)
{
    cs_perf_event *copy = inherit_copy(leader, child), *s;

    if (copy == NULL)
        return -ENOMEM;
    cs_perf_attach(copy, &child->ctx, copy);
    TAILQ_FOREACH (s, &leader->siblings, in_group) {
        cs_perf_event *member = inherit_copy(s, child);

        if (member == NULL)
            return -ENOMEM;
        cs_perf_attach(member, &child->ctx, copy);
    }
    return 0;
}

int cs_perf_inherit(cs_perf_task *parent, cs_perf_task *child)
{
    cs_perf_event *e;
    int error = 0;

    TAILQ_FOREACH (e, &parent->ctx.events, in_ctx) {
        if (e->leader != e || !inherits(e, parent, child))
            continue;
        error = inherit_group(e, child);
        if (error != 0)
            return error;
    }
    return 0;
}

void cs_perf_child_ends(cs_perf_event *child)
{
    cs_perf_event *parent = child->parent;

    cs_perf_update_count(child);
    parent->child_count += child->count;
    parent->child_enabled_ns += child->enabled_ns;
    parent->child_running_ns += child->running_ns;
    parent->child_truth += child->pmu->software ? child->count : child->truth.sum;
    cs_perf_detach(child);
    TAILQ_REMOVE(&parent->children, child, in_parent);
    cs_perf_event_free(child);
}

/* An event that was opened stays, to be read. */
static void inherit_end_opened(cs_perf_event *event)
{
    cs_perf_leave_context(event);
    if (TAILQ_EMPTY(&event->children))
        cs_perf_wakeup(event, CS_PERF_WAKE_HANGUP);
}

void cs_perf_leave_event(cs_perf_event *event)
{
    cs_perf_event *parent = event->parent;

    if (parent == NULL) {
        inherit_end_opened(event);
        return;
    }
    cs_perf_tell_read(event);
    cs_perf_child_ends(event);
    if (parent->state == CS_PERF_STATE_EXIT && TAILQ_EMPTY(&parent->children))
        cs_perf_wakeup(parent, CS_PERF_WAKE_HANGUP);
}

void cs_perf_leave_task(cs_perf_task *task)
{
    cs_perf_event *e;

    while ((e = TAILQ_FIRST(&task->ctx.events)) != NULL)
        cs_perf_leave_event(e);
}
