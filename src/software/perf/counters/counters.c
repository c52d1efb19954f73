// SPDX-License-Identifier: Apache-2.0
#include "software/perf/counters/counters.h"

#include <errno.h>
#include <string.h>

void cs_perf_counters_init(cs_perf_counters *c, const cs_perf_counters_ops *ops)
{
    *c = (cs_perf_counters){.ops = ops};
    cs_rotation_set_clear(&c->set);
}

static cs_perf_counters *counters_on(cs_pmu *pmu, const cs_perf_cpu *cpu)
{
    return ((cs_perf_counter_pmu *)pmu)->on(pmu, cpu->number);
}

/* ---- the model's time ---- */

static void counters_open_window(cs_perf_counters *c)
{
    if (cs_perf_window_joins(&c->window))
        return;
    c->ops->settle(c);
    cs_perf_window_open(&c->window);
}

/* What the thread has done since the last access has happened in the model too. */
static void counters_catch_up(cs_perf_counters *c)
{
    if (!cs_perf_window_is_behind(&c->window))
        return;
    counters_open_window(c);
    cs_perf_window_catch_up(&c->window);
}

void cs_perf_counters_settle(cs_pmu *pmu, cs_perf_cpu *cpu)
{
    cs_perf_counters *c = counters_on(pmu, cpu);

    if (c->window.task != cpu->task) {
        cs_perf_window_give(&c->window, cpu->task);
        return;
    }
    counters_catch_up(c);
    if (c->nr != 0)
        c->ops->settle(c);
}

/* ---- a counter ---- */

static void counters_update(cs_perf_counters *c, cs_perf_event *e)
{
    const uint64_t value = c->ops->read(c, e);
    const uint64_t delta = (value - e->hw.before) & c->ops->most;

    e->hw.before = value;
    e->count += delta;
    e->hw.period.left -= (int64_t)delta;
}

/* The counter overflows when the period is over. True: one is over. Half of what it can count is
 * left for an overflow that is handled late. */
static bool counters_load(cs_perf_counters *c, cs_perf_event *e)
{
    bool over;
    const uint64_t left = cs_perf_period_load(&e->hw.period, c->ops->most >> 1, &over);

    e->hw.before = -left & c->ops->most;
    c->ops->write(c, e, e->hw.before);
    return over;
}

void cs_perf_counters_start(cs_pmu *pmu, cs_perf_cpu *cpu, cs_perf_event *e)
{
    cs_perf_counters *c = counters_on(pmu, cpu);

    if (e->hw.counter < 0 || e->hw.counts || e->hw.throttle.stopped)
        return;
    counters_catch_up(c);
    counters_load(c, e);
    c->ops->run(c, e);
    e->hw.counts = true;
}

void cs_perf_counters_stop(cs_pmu *pmu, cs_perf_cpu *cpu, cs_perf_event *e)
{
    cs_perf_counters *c = counters_on(pmu, cpu);

    if (!e->hw.counts)
        return;
    counters_catch_up(c);
    c->ops->halt(c, e);
    counters_update(c, e);
    e->hw.counts = false;
}

void cs_perf_counters_read(cs_pmu *pmu, cs_perf_cpu *cpu, cs_perf_event *e)
{
    cs_perf_counters *c = counters_on(pmu, cpu);

    if (!e->hw.counts)
        return;
    counters_catch_up(c);
    counters_update(c, e);
}

/* ---- which event has which counter ---- */

int cs_perf_counters_add(cs_pmu *pmu, cs_perf_cpu *cpu, cs_perf_event *e)
{
    cs_perf_counters *c = counters_on(pmu, cpu);

    if (!cs_rotation_set_add(&c->set, e->hw.allowed))
        return -EAGAIN;
    c->events[c->nr++] = e;
    return 0;
}

static void counters_rebuild_set(cs_perf_counters *c)
{
    cs_rotation_set_clear(&c->set);
    for (unsigned i = 0; i < c->nr; i++)
        cs_rotation_set_add(&c->set, c->events[i]->hw.allowed);
}

void cs_perf_counters_del(cs_pmu *pmu, cs_perf_cpu *cpu, cs_perf_event *e)
{
    cs_perf_counters *c = counters_on(pmu, cpu);
    unsigned i = 0;

    cs_perf_counters_stop(pmu, cpu, e);
    e->hw.counter = -1;
    while (c->events[i] != e)
        i++;
    c->nr--;
    memmove(&c->events[i], &c->events[i + 1], (c->nr - i) * sizeof c->events[0]);
    counters_rebuild_set(c);
}

/* An event whose counter is to be another lets go of the old one before anybody gets a new one. */
static void counters_let_go(cs_pmu *pmu, cs_perf_cpu *cpu, cs_perf_counters *c)
{
    for (unsigned i = 0; i < c->nr; i++) {
        cs_perf_event *e = c->events[i];

        if (e->hw.counter < 0 || e->hw.counter == c->ops->place(c, c->set.counter_of[i]))
            continue;
        cs_perf_counters_stop(pmu, cpu, e);
        e->hw.counter = -1;
    }
}

static void counters_assign(cs_pmu *pmu, cs_perf_cpu *cpu, cs_perf_counters *c)
{
    cs_rotation_set_lowest(&c->set);
    counters_let_go(pmu, cpu, c);
    for (unsigned i = 0; i < c->nr; i++) {
        cs_perf_event *e = c->events[i];

        if (e->hw.counter >= 0)
            continue;
        e->hw.counter = c->ops->place(c, c->set.counter_of[i]);
        c->ops->choose(c, e);
        cs_perf_counters_start(pmu, cpu, e);
    }
}

bool cs_perf_counters_fit(cs_pmu *pmu, const cs_perf_event *event, const cs_perf_event *leader)
{
    const cs_perf_event *s;
    cs_rotation_set set;
    bool fits;

    cs_rotation_set_clear(&set);
    fits = cs_rotation_set_add(&set, event->hw.allowed);
    if (leader == event)
        return fits;
    if (leader->pmu == pmu)
        fits = fits && cs_rotation_set_add(&set, leader->hw.allowed);
    TAILQ_FOREACH (s, &leader->siblings, in_group)
        if (s->pmu == pmu)
            fits = fits && cs_rotation_set_add(&set, s->hw.allowed);
    return fits;
}

/* ---- all of them ---- */

void cs_perf_counters_disable(cs_pmu *pmu, cs_perf_cpu *cpu)
{
    cs_perf_counters *c = counters_on(pmu, cpu);

    if (c->disabled++ != 0)
        return;
    counters_catch_up(c);
    c->ops->pause(c);
}

void cs_perf_counters_enable(cs_pmu *pmu, cs_perf_cpu *cpu)
{
    cs_perf_counters *c = counters_on(pmu, cpu);

    if (--c->disabled != 0)
        return;
    counters_assign(pmu, cpu, c);
    if (c->nr != 0)
        c->ops->resume(c);
}

/* ---- overflow ---- */

cs_cycle cs_perf_counters_next(cs_pmu *pmu, cs_perf_cpu *cpu, cs_cycle most)
{
    cs_perf_counters *c = counters_on(pmu, cpu);
    cs_perf_window *w = &c->window;
    cs_cycle at;

    counters_catch_up(c);
    counters_open_window(c);
    w->to = w->now + most;
    at = c->ops->irq(c, w->now, w->now + most + 1);
    w->to = w->now;
    return at <= w->now + most ? at - w->now : CS_NEVER;
}

static void counters_overflow(cs_pmu *pmu, cs_perf_cpu *cpu, cs_perf_event *e)
{
    cs_perf_counters *c = counters_on(pmu, cpu);
    const uint64_t period = e->hw.period.last;

    counters_update(c, e);
    if (counters_load(c, e) && cs_perf_samples(e) && cs_perf_overflow(cpu, e, period))
        cs_perf_counters_stop(pmu, cpu, e);
}

void cs_perf_counters_interrupt(cs_pmu *pmu, cs_perf_cpu *cpu)
{
    cs_perf_counters *c = counters_on(pmu, cpu);
    uint32_t flags;

    counters_catch_up(c);
    c->disabled++;
    c->ops->pause(c);
    flags = c->ops->overflowed(c);
    for (unsigned i = 0; i < c->nr; i++)
        if ((flags >> c->events[i]->hw.counter & 1) != 0)
            counters_overflow(pmu, cpu, c->events[i]);
    c->disabled--;
    c->ops->resume(c);
}
