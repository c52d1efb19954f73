// SPDX-License-Identifier: Apache-2.0
/* perf's events: opened, added, started, stopped, read; states and periods. */
#include <errno.h>
#include <stdlib.h>

#include "drivers/hpm/kernel/riscv_pmu_impl.h"

#define STOPPED CS_RISCV_HES_STOPPED
#define UPTODATE CS_RISCV_HES_UPTODATE

/* ---- open, close ---- */

static bool pmu_event_excludes(const cs_riscv_attr *attr)
{
    return attr->exclude_user || attr->exclude_kernel || attr->exclude_hv || attr->exclude_host ||
           attr->exclude_guest;
}

static int pmu_event_check(const cs_riscv_pmu *pmu, const cs_riscv_attr *attr, uint32_t *event_idx,
                           uint64_t *data)
{
    int error;

    if (attr->sample_period >> 63 != 0)
        return -EINVAL;
    if (attr->sample_freq != 0 && (pmu->config.clock_mhz == 0 || pmu->config.tick_cycles == 0))
        return -EINVAL;
    error = pmu->ops->map(pmu, attr, event_idx, data);
    if (error != 0)
        return error;
    if (pmu->ops->takes_all)
        return 0;
    if (pmu_event_excludes(attr) && !(pmu->ops->filters && pmu->config.sscofpmf))
        return -EINVAL;
    if (attr->sample_period != 0 && !(pmu->ops->samples && pmu->config.sscofpmf))
        return -EOPNOTSUPP;
    return 0;
}

int cs_riscv_perf_check(const cs_riscv_pmu *pmu, const cs_riscv_attr *attr)
{
    uint32_t event_idx;
    uint64_t data;

    return pmu_event_check(pmu, attr, &event_idx, &data);
}

int cs_riscv_perf_open(cs_riscv_pmu *pmu, cs_hart *hart, const cs_riscv_attr *attr,
                       cs_riscv_perf_event **out)
{
    uint32_t event_idx = 0;
    uint64_t data = 0;
    cs_riscv_perf_event *event;
    int error;

    *out = NULL;
    cs_hart_work(hart, pmu->config.event_cycles);
    error = pmu_event_check(pmu, attr, &event_idx, &data);
    if (error != 0)
        return error;
    event = calloc(1, sizeof *event);
    if (event == NULL)
        return -ENOMEM;
    event->attr = *attr;
    event->event_idx = event_idx;
    event->data = data;
    event->index = -1;
    event->period = cs_perf_period_begin(attr->sample_freq, is_sampling(event)
                                                                ? attr->sample_period
                                                                : cs_riscv_mask_of(pmu, -1) >> 1);
    event->frequency = (cs_perf_frequency){
        .frequency = attr->sample_freq,
        .tick_ns = cs_riscv_ns(pmu, pmu->config.tick_cycles),
    };
    event->state = STOPPED | UPTODATE;
    event->next = pmu->all;
    pmu->all = event;
    *out = event;
    return 0;
}

void cs_riscv_perf_close(cs_riscv_pmu *pmu, cs_hart *hart, cs_riscv_perf_event *event)
{
    cs_riscv_perf_event **link = &pmu->all;

    if (event->index >= 0)
        cs_riscv_perf_del(pmu, hart, event);
    while (*link != event)
        link = &(*link)->next;
    *link = event->next;
    free(event);
}

/* ---- periods ---- */

bool cs_riscv_set_period(const cs_riscv_pmu *pmu, cs_riscv_perf_event *event)
{
    bool ended;

    event->prev =
        0 - cs_perf_period_load(&event->period, cs_riscv_mask_of(pmu, event->index) >> 1, &ended);
    return ended;
}

uint64_t cs_riscv_ns(const cs_riscv_pmu *pmu, cs_cycle cycles)
{
    const unsigned mhz = pmu->config.clock_mhz;

    return mhz != 0 ? cycles / mhz * 1000 + cycles % mhz * 1000 / mhz : 0;
}

uint64_t cs_riscv_start_value(const cs_riscv_pmu *pmu, const cs_riscv_perf_event *event)
{
    return event->prev & cs_riscv_mask_of(pmu, event->index);
}

static uint64_t delta_mask(const cs_riscv_pmu *pmu, const cs_hart *hart,
                           const cs_riscv_perf_event *event)
{
    const uint64_t mask = cs_riscv_mask_of(pmu, event->index);
    const bool cut = cs_hart_xlen(hart) == 32 && has_bug(pmu, CS_RISCV_BUG_RV32_DELTA);

    return cut ? (uint32_t)mask : mask;
}

void cs_riscv_update(cs_riscv_pmu *pmu, cs_hart *hart, cs_riscv_perf_event *event)
{
    uint64_t now, delta;

    if (event->state & UPTODATE)
        return;
    now = pmu->ops->read(pmu, hart, event);
    delta = (now - event->prev) & delta_mask(pmu, hart, event);
    event->count += delta;
    event->period.left = (int64_t)((uint64_t)event->period.left - delta);
    event->prev = now;
}

/* ---- add, del, start, stop, read ---- */

void cs_riscv_let_users_read(const cs_riscv_pmu *pmu, cs_hart *hart,
                             const cs_riscv_perf_event *event, bool on)
{
    const counter *counter = &pmu->counters[event->index];
    const uint64_t mask = bit((unsigned)(counter->csr - CSR_CYCLE) & 31);

    if (!event->attr.mmapped || counter->software ||
        pmu->config.user_access != CS_RISCV_USER_MAPPED)
        return;
    if (on)
        cs_hart_csr_set(hart, CSR_SCOUNTEREN, mask);
    else
        cs_hart_csr_clear(hart, CSR_SCOUNTEREN, mask);
}

void cs_riscv_start(cs_riscv_pmu *pmu, cs_hart *hart, cs_riscv_perf_event *event, unsigned flags)
{
    if (pmu->ops->event != NULL) {
        pmu->ops->event->start(pmu, hart, event, flags);
        return;
    }
    if (cs_perf_throttle_tick(&event->throttle)) {
        event->throttle.samples = 0;
        pmu->figures.unthrottled++;
        cs_riscv_ring_throttle(pmu, hart, event, false);
        if (pmu->listener.throttle != NULL)
            pmu->listener.throttle(pmu->listener.ctx, event, cs_hart_now(hart), false);
    }
    if (event->state == 0) {
        pmu->figures.warnings++;
        return;
    }
    event->state = 0;
    cs_riscv_set_period(pmu, event);
    if (pmu->ops->start != NULL)
        pmu->ops->start(pmu, hart, event, cs_riscv_start_value(pmu, event));
    else
        event->prev = pmu->ops->read(pmu, hart, event);
    cs_riscv_let_users_read(pmu, hart, event, true);
}

void cs_riscv_stop(cs_riscv_pmu *pmu, cs_hart *hart, cs_riscv_perf_event *event)
{
    if (event->state & STOPPED)
        return;
    if (pmu->ops->stop != NULL) {
        cs_riscv_let_users_read(pmu, hart, event, false);
        pmu->ops->stop(pmu, hart, event);
        event->state |= STOPPED;
    }
    cs_riscv_update(pmu, hart, event);
    event->state |= UPTODATE;
}

void cs_riscv_perf_start(cs_riscv_pmu *pmu, cs_hart *hart, cs_riscv_perf_event *event,
                         unsigned flags)
{
    cs_hart_work(hart, pmu->config.event_cycles);
    cs_riscv_sse_hold(pmu, hart);
    event->wanted = true;
    event->asleep = false;
    cs_riscv_start(pmu, hart, event, flags);
    cs_riscv_sse_release(pmu, hart);
}

static void pmu_event_stop(cs_riscv_pmu *pmu, cs_hart *hart, cs_riscv_perf_event *event,
                           unsigned flags)
{
    if (pmu->ops->event != NULL)
        pmu->ops->event->stop(pmu, hart, event, flags);
    else
        cs_riscv_stop(pmu, hart, event);
}

/* But for the base PMU: whatever the flags say, the count is brought up to date, as
 * drivers/perf/riscv_pmu_sbi.c of Linux does. */
void cs_riscv_perf_stop(cs_riscv_pmu *pmu, cs_hart *hart, cs_riscv_perf_event *event,
                        unsigned flags)
{
    cs_hart_work(hart, pmu->config.event_cycles);
    cs_riscv_sse_hold(pmu, hart);
    event->wanted = false;
    event->asleep = false;
    pmu_event_stop(pmu, hart, event, flags);
    cs_riscv_sse_release(pmu, hart);
}

static int pmu_event_add(cs_riscv_pmu *pmu, cs_hart *hart, cs_riscv_perf_event *event,
                         unsigned flags)
{
    const int index = pmu->ops->get_index(pmu, hart, event);

    if (index < 0)
        return index;
    event->index = index;
    event->state = STOPPED | UPTODATE;
    pmu->used |= bit((unsigned)index);
    pmu->events[index] = event;
    if (flags & CS_RISCV_EF_START) {
        event->wanted = true;
        cs_riscv_start(pmu, hart, event, CS_RISCV_EF_RELOAD);
    }
    return 0;
}

int cs_riscv_perf_add(cs_riscv_pmu *pmu, cs_hart *hart, cs_riscv_perf_event *event, unsigned flags)
{
    int error;

    cs_hart_work(hart, pmu->config.event_cycles);
    if (event->index >= 0)
        return -EINVAL;
    cs_riscv_sse_hold(pmu, hart);
    error = pmu_event_add(pmu, hart, event, flags);
    cs_riscv_sse_release(pmu, hart);
    return error;
}

void cs_riscv_perf_del(cs_riscv_pmu *pmu, cs_hart *hart, cs_riscv_perf_event *event)
{
    cs_hart_work(hart, pmu->config.event_cycles);
    if (event->index < 0)
        return;
    cs_riscv_sse_hold(pmu, hart);
    event->wanted = false;
    event->asleep = false;
    pmu_event_stop(pmu, hart, event, CS_RISCV_EF_UPDATE);
    if (pmu->ops->release != NULL)
        pmu->ops->release(pmu, hart, event);
    if (pmu->events[event->index] == event) {
        pmu->events[event->index] = NULL;
        pmu->used &= ~bit((unsigned)event->index);
    }
    event->index = -1;
    cs_riscv_sse_release(pmu, hart);
}

uint64_t cs_riscv_perf_read(cs_riscv_pmu *pmu, cs_hart *hart, cs_riscv_perf_event *event)
{
    cs_hart_work(hart, pmu->config.event_cycles);
    if (event->index >= 0 && pmu->ops->event != NULL)
        pmu->ops->event->read(pmu, hart, event);
    else if (event->index >= 0)
        cs_riscv_update(pmu, hart, event);
    return event->count;
}

void cs_riscv_perf_set_period(cs_riscv_perf_event *event, uint64_t period)
{
    event->attr.sample_period = period;
    event->period.sample = period;
    event->period.left = 0;
}

void cs_riscv_perf_reload(cs_riscv_pmu *pmu, cs_hart *hart, cs_riscv_perf_event *event)
{
    cs_riscv_start(pmu, hart, event, CS_RISCV_EF_RELOAD);
}

/* ---- sleep ---- */

void cs_riscv_pmu_pm_enter(cs_riscv_pmu *pmu, cs_hart *hart)
{
    const uint64_t set = pmu->ops->event == NULL ? cs_riscv_running(pmu) : 0;

    for (unsigned i = 0; i < CS_RISCV_MAX_COUNTERS; i++) {
        if (set >> i & 1) {
            cs_riscv_stop(pmu, hart, pmu->events[i]);
            pmu->events[i]->asleep = true;
        }
    }
}

void cs_riscv_pmu_pm_exit(cs_riscv_pmu *pmu, cs_hart *hart)
{
    for (unsigned i = 0; i < CS_RISCV_MAX_COUNTERS; i++) {
        if (pmu->events[i] != NULL && pmu->events[i]->asleep) {
            pmu->events[i]->asleep = false;
            cs_riscv_start(pmu, hart, pmu->events[i], CS_RISCV_EF_RELOAD);
        }
    }
}

/* ---- what is known of one ---- */

uint64_t cs_riscv_perf_count(const cs_riscv_perf_event *event)
{
    return event->count;
}

int64_t cs_riscv_perf_left(const cs_riscv_perf_event *event)
{
    return event->period.left;
}

unsigned cs_riscv_perf_state(const cs_riscv_perf_event *event)
{
    return event->state;
}

int cs_riscv_perf_index(const cs_riscv_perf_event *event)
{
    return event->index;
}

const cs_riscv_attr *cs_riscv_perf_attr(const cs_riscv_perf_event *event)
{
    return &event->attr;
}

uint32_t cs_riscv_perf_idx(const cs_riscv_perf_event *event, uint64_t *data)
{
    if (data != NULL)
        *data = event->data;
    return event->event_idx;
}
