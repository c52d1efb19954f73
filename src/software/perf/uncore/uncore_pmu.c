// SPDX-License-Identifier: Apache-2.0
/* What HiSilicon's drivers do with the registers of a unit: counters start in the middle, so that their
 * overflow interrupts long before they wrap; no samples, no tasks, and one CPU for all events. */
#include "software/perf/uncore/uncore_pmu.h"

#include <errno.h>
#include <stdlib.h>

#include "software/perf/counters/counters.h"
#include <countersink/base/numbers.h>
#include <countersink/models/uncore/uncore.h>

#define CTL 0x008u
#define OVF 0x010u
#define IE 0x018u
#define SELECT 0x100u
#define COUNT 0x200u
#define EACH 8u
#define CTL_EN 1u
#define SELECT_ON 0x10000u

typedef struct unit_pmu {
    cs_perf_counter_pmu pmu;
    cs_perf_counters counters;
    cs_perf_counters_ops ops; /* with the unit's width */
    cs_perf_uncore unit;
    cs_uncore *model;
    cs_perf_task worker;
    uint32_t enabled; /* in IE */
} unit_pmu;

static unit_pmu *unit_of(cs_perf_counters *c)
{
    return (unit_pmu *)((char *)c - offsetof(unit_pmu, counters));
}

static cs_perf_counters *unit_on(cs_pmu *pmu, unsigned cpu)
{
    (void)cpu;
    return &((unit_pmu *)pmu)->counters;
}

/* ---- registers ---- */

static uint64_t unit_get(cs_perf_counters *c, uint32_t offset)
{
    uint64_t data;

    cs_uncore_read(unit_of(c)->model, c->window.now++, offset, true, &data);
    return data;
}

static void unit_set(cs_perf_counters *c, uint32_t offset, uint64_t value)
{
    cs_uncore_write(unit_of(c)->model, c->window.now++, offset, true, value);
}

static uint32_t unit_each(uint32_t first, const cs_perf_event *e)
{
    return first + EACH * (uint32_t)e->hw.counter;
}

/* ---- counters ---- */

static void unit_pause(cs_perf_counters *c)
{
    unit_set(c, CTL, 0);
}

static void unit_resume(cs_perf_counters *c)
{
    unit_set(c, CTL, CTL_EN);
}

/* A read of the flags brings every counter up to date. */
static void unit_settle(cs_perf_counters *c)
{
    unit_get(c, OVF);
}

/* It is on from its start on. */
static void unit_choose(cs_perf_counters *c, cs_perf_event *e)
{
    (void)c;
    (void)e;
}

static uint64_t unit_read(cs_perf_counters *c, cs_perf_event *e)
{
    return unit_get(c, unit_each(COUNT, e));
}

/* Half of what it can count is left for an interrupt that is late, whatever the core would load. */
static void unit_write(cs_perf_counters *c, cs_perf_event *e, uint64_t value)
{
    (void)value;
    e->hw.before = UINT64_C(1) << (unit_of(c)->unit.width - 1);
    unit_set(c, unit_each(COUNT, e), e->hw.before);
}

static void unit_ask(cs_perf_counters *c, uint32_t enabled)
{
    unit_of(c)->enabled = enabled;
    unit_set(c, IE, enabled);
}

static void unit_run(cs_perf_counters *c, cs_perf_event *e)
{
    unit_ask(c, unit_of(c)->enabled | UINT32_C(1) << e->hw.counter);
    unit_set(c, unit_each(SELECT, e), SELECT_ON | (e->hw.event - CS_EVENT_UNCORE(0)));
}

static void unit_halt(cs_perf_counters *c, cs_perf_event *e)
{
    const uint32_t bit = UINT32_C(1) << e->hw.counter;

    unit_set(c, unit_each(SELECT, e), 0);
    unit_ask(c, unit_of(c)->enabled & ~bit);
    unit_set(c, OVF, bit);
}

static cs_cycle unit_irq(cs_perf_counters *c, cs_cycle from, cs_cycle to)
{
    cs_uncore *model = unit_of(c)->model;

    cs_uncore_advance(model, from);
    if (cs_uncore_irq(model))
        return from;
    const cs_cycle at = cs_uncore_next(model);
    return at < to ? at : to;
}

static uint32_t unit_overflowed(cs_perf_counters *c)
{
    const uint64_t flags = unit_get(c, OVF);

    unit_set(c, OVF, flags);
    return (uint32_t)flags;
}

static int unit_place(const cs_perf_counters *c, int place)
{
    (void)c;
    return place;
}

static const cs_perf_counters_ops unit_counters = {
    .pause = unit_pause,
    .resume = unit_resume,
    .settle = unit_settle,
    .choose = unit_choose,
    .read = unit_read,
    .write = unit_write,
    .run = unit_run,
    .halt = unit_halt,
    .irq = unit_irq,
    .overflowed = unit_overflowed,
    .place = unit_place,
};

/* ---- events ---- */

/* The driver counts heads: of a group that no counters can hold it hears only later. */
static bool unit_fits(cs_pmu *pmu, const cs_perf_event *event, const cs_perf_event *leader)
{
    const cs_perf_event *s;
    unsigned nr = 1;

    if (leader == event)
        return true;
    if (!leader->pmu->software && leader->pmu != pmu)
        return false;
    nr += leader->pmu == pmu;
    TAILQ_FOREACH (s, &leader->siblings, in_group) {
        if (!s->pmu->software && s->pmu != pmu)
            return false;
        nr += s->pmu == pmu;
    }
    return nr <= ((const unit_pmu *)pmu)->unit.counters;
}

static uint32_t unit_number(const cs_perf_uncore *unit, uint64_t config)
{
    if (config == 0 && unit->zero != 0)
        return CS_EVENT_UNCORE(unit->zero);
    return CS_EVENT_UNCORE((uint32_t)config + unit->shift);
}

static int unit_event_init(cs_pmu *pmu, cs_perf_event *e)
{
    const unit_pmu *p = (const unit_pmu *)pmu;

    if (e->attr.type != pmu->type)
        return -ENOENT;
    if (cs_perf_samples(e) || e->who.tid != 0)
        return -EOPNOTSUPP;
    if (e->cpu < 0 || e->attr.config > p->unit.most)
        return -EINVAL;
    e->hw.event = unit_number(&p->unit, e->attr.config);
    e->hw.modes = CS_MODE_ALL;
    e->hw.allowed = (uint32_t)((UINT64_C(1) << p->unit.counters) - 1);
    if (p->unit.fixed)
        e->hw.allowed &= UINT32_C(1) << e->attr.config;
    if (e->hw.allowed == 0)
        return -EINVAL;
    e->cpu = (int)pmu->on_cpu;
    pmu->works = true;
    return 0;
}

/* ---- begin and end ---- */

static void unit_destroy(cs_pmu *pmu)
{
    cs_uncore_destroy(((unit_pmu *)pmu)->model);
    free(pmu);
}

static cs_status unit_init(unit_pmu *p, const cs_perf_uncore *unit, cs_diag *diag)
{
    const cs_uncore_config config = {.counters = unit->counters, .width = unit->width};

    p->unit = *unit;
    p->ops = unit_counters;
    p->ops.most = UINT64_MAX >> (64 - unit->width);
    p->worker.work = unit->work;
    cs_perf_counters_init(&p->counters, &p->ops);
    p->counters.window.first = CS_EVENT_UNCORE(0);
    cs_perf_window_give(&p->counters.window, &p->worker);
    const cs_uncore_env env = {.events = cs_perf_window_source(&p->counters.window)};
    return cs_uncore_create(&config, &env, &p->model, diag);
}

static const cs_pmu_ops unit_ops = {
    .event_init = unit_event_init,
    .fits = unit_fits,
    .disable = cs_perf_counters_disable,
    .enable = cs_perf_counters_enable,
    .add = cs_perf_counters_add,
    .del = cs_perf_counters_del,
    .start = cs_perf_counters_start,
    .stop = cs_perf_counters_stop,
    .read = cs_perf_counters_read,
    .next = cs_perf_counters_next,
    .interrupt = cs_perf_counters_interrupt,
    .destroy = unit_destroy,
};

static cs_status unit_create(cs_perf *perf, const cs_perf_system *system, cs_pmu **out,
                             cs_diag *diag)
{
    unit_pmu *p = calloc(1, sizeof *p);

    (void)perf;
    *out = NULL;
    if (p == NULL)
        return CS_ERR_NO_MEMORY;
    p->pmu.on = unit_on;
    p->pmu.pmu = (cs_pmu){.ops = &unit_ops,
                          .name = system->name,
                          .type = system->type,
                          .no_exclude = true,
                          .worker = &p->worker};
    const cs_status status = unit_init(p, system->config, diag);
    if (status != CS_OK) {
        unit_destroy(&p->pmu.pmu);
        return status;
    }
    *out = &p->pmu.pmu;
    return CS_OK;
}

const cs_perf_system_driver cs_perf_uncore_driver = {unit_create};
