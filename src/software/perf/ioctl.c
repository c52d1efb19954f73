// SPDX-License-Identifier: Apache-2.0
/* ioctl(2) of an event. */
#include "software/perf/impl.h"

#include <errno.h>

#define PERIOD_SIGN (UINT64_C(1) << 63)

/* The event, or with PERF_IOC_FLAG_GROUP all of its group. */
static void ioctl_for_each(cs_perf_event *event, uint64_t arg, void (*act)(cs_perf_event *))
{
    cs_perf_event *s;

    if ((arg & CS_PERF_IOC_FLAG_GROUP) == 0) {
        act(event);
        return;
    }
    act(event->leader);
    TAILQ_FOREACH (s, &event->leader->siblings, in_group)
        act(s);
}

static void ioctl_reset_one(cs_perf_event *event)
{
    cs_perf_update_count(event);
    event->count = 0;
    event->truth.sum = 0;
}

/* What children that have ended came to stays, as in Linux. */
static void ioctl_reset(cs_perf_event *event)
{
    cs_perf_event *c;

    ioctl_reset_one(event);
    TAILQ_FOREACH (c, &event->children, in_parent)
        ioctl_reset_one(c);
}

static int ioctl_refresh(cs_perf_event *event, uint64_t more)
{
    if (cs_perf_has(event, CS_PERF_ATTR_INHERIT) || !cs_perf_samples(event))
        return -EINVAL;
    event->refresh += (uint32_t)more;
    cs_perf_enable(event);
    return 0;
}

/* ---- PERIOD ---- */

static void ioctl_set_period(cs_perf_event *event, uint64_t value)
{
    const bool counts = event->state == CS_PERF_STATE_ACTIVE;
    cs_pmu *p = event->pmu;

    if (counts)
        p->ops->stop(p, event->ctx->cpu, event);
    if (cs_perf_has(event, CS_PERF_ATTR_FREQ)) {
        event->hw.frequency.frequency = value;
    } else {
        event->attr.sample_period = value;
        event->hw.period.sample = value;
    }
    event->hw.period.left = 0;
    if (counts)
        p->ops->start(p, event->ctx->cpu, event);
}

static int ioctl_period(cs_perf_event *event, uint64_t value)
{
    const bool frequency = cs_perf_has(event, CS_PERF_ATTR_FREQ);
    cs_perf_event *c;

    if (!cs_perf_samples(event) || value == 0)
        return -EINVAL;
    if (frequency ? value > event->perf->machine.sample_rate : (value & PERIOD_SIGN) != 0)
        return -EINVAL;
    ioctl_set_period(event, value);
    TAILQ_FOREACH (c, &event->children, in_parent)
        ioctl_set_period(c, value);
    return 0;
}

/* ---- the rest ---- */

/* Breakpoints alone can be changed, and this machine has none. The kernel's clocks are PMUs of
 * their own, whose type no program knows. */
static int ioctl_modify(const cs_perf_event *event, const cs_perf_attr *attr)
{
    const bool clock = event->pmu->software && event->hw.event <= CS_PERF_SW_TASK_CLOCK;

    return clock || event->attr.type != attr->type ? -EINVAL : -EOPNOTSUPP;
}

static int ioctl_of_ring(cs_perf_event *event, const cs_perf_ioctl *call)
{
    if (call->request == CS_PERF_IOC_SET_OUTPUT)
        return cs_perf_set_output(event, call->output);
    return cs_perf_pause_output(event, call->arg != 0);
}

/* Filters and programs belong to tracepoints. */
static int ioctl_of_others(const cs_perf_event *event, const cs_perf_ioctl *call)
{
    switch (call->request) {
    case CS_PERF_IOC_SET_FILTER:
    case CS_PERF_IOC_SET_BPF:
        return -EINVAL;
    case CS_PERF_IOC_QUERY_BPF:
        return call->privileged ? -EINVAL : -EPERM;
    case CS_PERF_IOC_MODIFY_ATTRIBUTES:
        return ioctl_modify(event, call->attr);
    default:
        return -ENOTTY;
    }
}

int cs_perf_do_ioctl(cs_perf_event *event, cs_perf_ioctl *call)
{
    switch (call->request) {
    case CS_PERF_IOC_ENABLE:
        ioctl_for_each(event, call->arg, cs_perf_enable);
        break;
    case CS_PERF_IOC_DISABLE:
        ioctl_for_each(event, call->arg, cs_perf_disable);
        break;
    case CS_PERF_IOC_RESET:
        ioctl_for_each(event, call->arg, ioctl_reset);
        break;
    case CS_PERF_IOC_REFRESH:
        return ioctl_refresh(event, call->arg);
    case CS_PERF_IOC_PERIOD:
        return ioctl_period(event, call->period);
    case CS_PERF_IOC_ID:
        call->id = cs_perf_id(event);
        break;
    case CS_PERF_IOC_SET_OUTPUT:
    case CS_PERF_IOC_PAUSE_OUTPUT:
        return ioctl_of_ring(event, call);
    default:
        return ioctl_of_others(event, call);
    }
    cs_perf_update_page(event);
    return 0;
}
