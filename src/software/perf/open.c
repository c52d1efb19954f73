// SPDX-License-Identifier: Apache-2.0
/* perf_event_open(2): what is asked for is looked at in the kernel's order, so that a program
 * which is wrong in two ways gets the same errno. */
#include "software/perf/impl.h"

#include <errno.h>

#define PERIOD_SIGN (UINT64_C(1) << 63)
#define READ_MOST_BYTES (16u * 1024u) /* of a group's reading */

/* ---- may they? ---- */

static bool open_forbidden(const cs_perf *perf, const cs_perf_asked *a, int most)
{
    return perf->machine.paranoid > most && !a->privileged;
}

static int open_check_rights(const cs_perf *perf, const cs_perf_asked *a)
{
    const uint64_t flags = a->attr->flags;

    if (open_forbidden(perf, a, 2))
        return -EACCES;
    if ((flags & CS_PERF_ATTR_EXCLUDE_KERNEL) == 0 && open_forbidden(perf, a, 1))
        return -EACCES;
    if ((flags & CS_PERF_ATTR_NAMESPACES) != 0 && !a->privileged)
        return -EACCES;
    return 0;
}

/* ---- is it well formed? ---- */

static int open_check_period(const cs_perf *perf, const cs_perf_attr *attr)
{
    if ((attr->flags & CS_PERF_ATTR_FREQ) != 0)
        return attr->sample_period > perf->machine.sample_rate ? -EINVAL : 0;
    return (attr->sample_period & PERIOD_SIGN) != 0 ? -EINVAL : 0;
}

static int open_check_attr(const cs_perf *perf, const cs_perf_asked *a)
{
    const bool addresses = (a->attr->sample_type & CS_PERF_SAMPLE_PHYS_ADDR) != 0;
    int error = open_check_rights(perf, a);

    if (error == 0)
        error = open_check_period(perf, a->attr);
    if (error == 0 && addresses && open_forbidden(perf, a, 1))
        error = -EACCES;
    return error;
}

/* Clocks by their numbers; all are the machine's. Where samples are taken by an interrupt that
 * nothing holds up, only those can be read that need no lock. */
static bool open_knows_clock(const cs_perf_event *event)
{
    enum { WALL = 0, MONO = 1, MONO_RAW = 4, BOOT = 7, TAI = 11 };
    const int clock = event->attr.clockid;

    if (!cs_perf_has(event, CS_PERF_ATTR_USE_CLOCKID) || clock == MONO || clock == MONO_RAW)
        return true;
    return event->pmu->software && (clock == WALL || clock == BOOT || clock == TAI);
}

/* ---- the PMU ---- */

static int open_find_pmu(cs_perf_event *event)
{
    cs_perf *perf = event->perf;

    for (unsigned i = 0; i < perf->nr_pmus; i++) {
        const int error = perf->pmus[i]->ops->event_init(perf->pmus[i], event);

        if (error == -ENOENT)
            continue;
        event->pmu = perf->pmus[i];
        return error;
    }
    return -ENOENT;
}

/* What contradicts itself, whatever the event. */
static int open_check_itself(const cs_perf_event *event)
{
    const cs_perf_attr *a = &event->attr;

    if ((a->flags & CS_PERF_ATTR_SIGTRAP) != 0)
        return -EINVAL; /* a kernel before 5.13 */
    if ((a->flags & CS_PERF_ATTR_INHERIT) != 0 && (a->sample_type & CS_PERF_SAMPLE_READ) != 0 &&
        (a->sample_type & CS_PERF_SAMPLE_TID) == 0)
        return -EINVAL; /* nobody could tell whose reading it is */
    return 0;
}

/* What this machine, or this PMU, cannot do. */
static int open_check_event(const cs_perf_event *event, const cs_perf_asked *asked)
{
    const cs_perf_attr *a = &event->attr;

    if (event->pmu->no_exclude && cs_perf_has(event, CS_PERF_ATTR_EXCLUDES))
        return -EINVAL;
    if ((a->flags & CS_PERF_ATTR_AUX_OUTPUT) != 0)
        return -EOPNOTSUPP;
    if ((asked->flags & CS_PERF_FLAG_CGROUP) != 0)
        return -EBADF; /* no descriptor is one of a cgroup */
    if ((a->sample_type & CS_PERF_SAMPLE_CALLCHAIN) != 0 &&
        a->sample_max_stack > event->perf->machine.max_stack)
        return -EOVERFLOW;
    if (cs_perf_samples(event) && event->pmu->no_interrupt)
        return -EOPNOTSUPP;
    return open_knows_clock(event) ? 0 : -EINVAL;
}

/* ---- its group ---- */

static int open_check_group(const cs_perf_event *event, cs_perf_event *leader,
                            const cs_perf_context *ctx)
{
    const uint64_t alone = CS_PERF_ATTR_EXCLUSIVE | CS_PERF_ATTR_PINNED;

    if (leader->leader != leader || leader->cpu != event->cpu || leader->ctx != ctx)
        return -EINVAL;
    if (leader->attr.clockid != event->attr.clockid ||
        cs_perf_has(leader, CS_PERF_ATTR_USE_CLOCKID) !=
            cs_perf_has(event, CS_PERF_ATTR_USE_CLOCKID))
        return -EINVAL;
    if (cs_perf_has(event, alone))
        return -EINVAL;
    if (!event->pmu->software && !leader->software_group && leader->pmu_at != event->pmu->number)
        return -EINVAL;
    return 0;
}

static bool open_group_is_too_long(const cs_perf_event *event, const cs_perf_event *leader)
{
    const unsigned nr = leader->nr_siblings + 1;

    return cs_perf_read_bytes(event->attr.read_format, nr) > READ_MOST_BYTES ||
           cs_perf_read_bytes(leader->attr.read_format, nr) > READ_MOST_BYTES;
}

/* Everything of the group together needs counters at once; as a PMU that counts nothing else has
 * them. */
static int open_check_fit(const cs_perf_event *event, const cs_perf_event *leader)
{
    const cs_pmu *p = event->pmu;

    if (p->ops->fits == NULL || p->ops->fits(event->pmu, event, leader))
        return 0;
    return -EINVAL;
}

/* ---- who, where ---- */

typedef struct open_target {
    cs_perf_task *task;    /* NULL: everybody */
    cs_perf_event *leader; /* NULL: a group of its own */
    cs_perf_event *output;
} open_target;

static int open_find_target(cs_perf *perf, const cs_perf_asked *a, open_target *t)
{
    const bool inherits = (a->attr->flags & CS_PERF_ATTR_INHERIT) != 0;

    const bool cgroup = (a->flags & CS_PERF_FLAG_CGROUP) != 0; /* then `pid` is its descriptor */

    *t = (open_target){.leader = a->group};
    if (cgroup && (a->pid == -1 || a->cpu == -1))
        return -EINVAL;
    if ((a->flags & CS_PERF_FLAG_OUTPUT) != 0)
        t->output = a->group;
    if ((a->flags & CS_PERF_FLAG_NO_GROUP) != 0)
        t->leader = NULL;
    if (a->pid != -1 && !cgroup) {
        t->task = cs_perf_task_find(perf, a->pid == 0 ? a->by : (uint32_t)a->pid);
        if (t->task == NULL)
            return -ESRCH;
    }
    if (t->task != NULL && t->leader != NULL &&
        cs_perf_has(t->leader, CS_PERF_ATTR_INHERIT) != inherits)
        return -EINVAL;
    return 0;
}

static int open_check_cpu(const cs_perf *perf, const cs_perf_asked *a, const open_target *t)
{
    if (a->cpu >= 0 && (unsigned)a->cpu < perf->machine.nr_cpus)
        return 0;
    return t->task != NULL && a->cpu == -1 ? 0 : -EINVAL;
}

static void open_set_period(cs_perf_event *event)
{
    const cs_perf *perf = event->perf;
    const uint64_t frequency =
        cs_perf_has(event, CS_PERF_ATTR_FREQ) ? event->attr.sample_period : 0;

    event->hw.period = cs_perf_period_begin(frequency, event->attr.sample_period);
    event->hw.frequency = (cs_perf_frequency){.frequency = frequency, .tick_ns = perf->tick_ns};
    if (frequency == 0)
        event->attr.flags &= ~CS_PERF_ATTR_FREQ;
}

/* The event by itself: what it is, and whether this machine has it. */
static int open_prepare(cs_perf_event *event, const cs_perf_asked *a, const open_target *t)
{
    int error;

    event->cpu = a->cpu;
    event->privileged = a->privileged;
    if (t->task != NULL)
        event->who = t->task->who;
    error = open_check_itself(event);
    if (error == 0)
        error = open_find_pmu(event);
    if (error == 0)
        error = open_check_fit(event, t->leader != NULL ? t->leader : event);
    if (error == 0)
        error = open_check_event(event, a);
    open_set_period(event);
    return error;
}

static bool open_has_another(const cs_perf_event *event, const cs_perf_context *ctx)
{
    const cs_perf_event *e;

    TAILQ_FOREACH (e, &ctx->events, in_ctx)
        if (e->pmu == event->pmu)
            return true;
    return false;
}

/* Where it belongs. */
static int open_place(cs_perf_event *event, const cs_perf_asked *a, const open_target *t)
{
    cs_perf *perf = event->perf;
    cs_perf_context *ctx;
    int error = 0;

    if (t->task == NULL && open_forbidden(perf, a, 0))
        return -EACCES;
    ctx = t->task != NULL ? &t->task->ctx : &perf->cpus[event->cpu].ctx;
    if (t->leader != NULL)
        error = open_check_group(event, t->leader, ctx);
    if (error == 0 && t->output != NULL)
        error = cs_perf_set_output(event, t->output);
    if (error == 0 && t->leader != NULL && open_group_is_too_long(event, t->leader))
        error = -E2BIG;
    if (error == 0 && event->attr.aux_sample_size != 0)
        error = -EINVAL; /* nothing of its group has any */
    if (error != 0)
        return error;
    if (event->pmu->alone && open_has_another(event, ctx))
        return -EBUSY;
    cs_perf_attach(event, ctx, t->leader != NULL ? t->leader : event);
    return 0;
}

int cs_perf_open(cs_perf *perf, const cs_perf_asked *asked, cs_perf_event **out)
{
    open_target target;
    int error;

    *out = NULL;
    if ((asked->flags & ~CS_PERF_FLAG_KNOWN) != 0)
        return -EINVAL;
    error = open_check_attr(perf, asked);
    if (error == 0)
        error = open_find_target(perf, asked, &target);
    if (error == 0)
        error = open_check_cpu(perf, asked, &target);
    if (error != 0)
        return error;
    cs_perf_event *event = cs_perf_event_new(perf, asked->attr);
    if (event == NULL)
        return -ENOMEM;
    event->user = asked->user;
    if (asked->id != 0)
        event->id = asked->id;
    error = open_prepare(event, asked, &target);
    if (error == 0)
        error = open_place(event, asked, &target);
    if (error != 0) {
        cs_perf_event_free(event);
        return error;
    }
    TAILQ_INSERT_TAIL(&perf->events, event, in_perf);
    perf->nr_events++;
    *out = event;
    return 0;
}

/* ---- the end ---- */

void cs_perf_close(cs_perf_event *event)
{
    cs_perf_event *c;

    if (event == NULL)
        return;
    cs_perf *perf = event->perf;
    const cs_perf_sums sums = cs_perf_sums_of(event);
    cs_perf_tell(event, CS_PERF_TOLD_CLOSE, &sums);
    while ((c = TAILQ_FIRST(&event->children)) != NULL)
        cs_perf_child_ends(c);
    cs_perf_detach(event);
    TAILQ_REMOVE(&perf->events, event, in_perf);
    perf->nr_events--;
    cs_perf_event_free(event);
}
