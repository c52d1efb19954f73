// SPDX-License-Identifier: Apache-2.0
/* perf's driver of a cadence (docs/hw/cadence.md). perf's core says which event counts and when;
 * counters/ gives each a counter and loads its period; here are the registers. */
#include <stdlib.h>

#include "models/cadence/cadence.h"
#include "software/perf/counters/core_events.h"
#include "software/perf/counters/core_map.h"
#include "software/perf/counters/counters.h"

typedef struct cadence_cpu {
    cs_perf_counters counters;
    cs_cadence model;
} cadence_cpu;

typedef struct cadence_pmu {
    cs_perf_counter_pmu pmu;
    cs_perf_core core;
    cadence_cpu *cpus;
} cadence_pmu;

static cs_perf_counters *cadence_on(cs_pmu *pmu, unsigned cpu)
{
    return &((cadence_pmu *)pmu)->cpus[cpu].counters;
}

/* ---- registers: each access is a cycle of the model ---- */

static uint64_t cadence_get(cs_perf_counters *c, uint32_t offset)
{
    return cs_cadence_read(&((cadence_cpu *)c)->model, c->window.now++, offset);
}

static void cadence_set(cs_perf_counters *c, uint32_t offset, uint64_t value)
{
    cs_cadence_write(&((cadence_cpu *)c)->model, c->window.now++, offset, value);
}

static void cadence_pause(cs_perf_counters *c)
{
    cadence_set(c, CS_CADENCE_CTRL, 0);
}

static void cadence_resume(cs_perf_counters *c)
{
    cadence_set(c, CS_CADENCE_CTRL, CS_CADENCE_RUN);
}

static void cadence_settle(cs_perf_counters *c)
{
    cadence_get(c, CS_CADENCE_OVF);
}

static uint64_t cadence_read(cs_perf_counters *c, cs_perf_event *e)
{
    return cadence_get(c, CS_CADENCE_COUNT((uint32_t)e->hw.counter));
}

static void cadence_write(cs_perf_counters *c, cs_perf_event *e, uint64_t value)
{
    cadence_set(c, CS_CADENCE_COUNT((uint32_t)e->hw.counter), value);
}

static void cadence_select(cs_perf_counters *c, const cs_perf_event *e, uint32_t bits)
{
    cadence_set(c, CS_CADENCE_SELECT((uint32_t)e->hw.counter), e->hw.event | e->hw.filter | bits);
}

static void cadence_choose(cs_perf_counters *c, cs_perf_event *e)
{
    cadence_select(c, e, 0);
}

static void cadence_run(cs_perf_counters *c, cs_perf_event *e)
{
    cadence_select(c, e, CS_CADENCE_ON | CS_CADENCE_IE);
}

static void cadence_halt(cs_perf_counters *c, cs_perf_event *e)
{
    cadence_select(c, e, 0);
    cadence_set(c, CS_CADENCE_OVF, UINT64_C(1) << e->hw.counter);
}

static cs_cycle cadence_irq(cs_perf_counters *c, cs_cycle from, cs_cycle to)
{
    return cs_cadence_irq(&((cadence_cpu *)c)->model, from, to);
}

static uint32_t cadence_overflowed(cs_perf_counters *c)
{
    const uint64_t flags = cadence_get(c, CS_CADENCE_OVF);

    cadence_set(c, CS_CADENCE_OVF, flags);
    return (uint32_t)flags;
}

static int cadence_place(const cs_perf_counters *c, int place)
{
    (void)c;
    return place;
}

static const cs_perf_counters_ops cadence_counters = {
    .pause = cadence_pause,
    .resume = cadence_resume,
    .settle = cadence_settle,
    .choose = cadence_choose,
    .read = cadence_read,
    .write = cadence_write,
    .run = cadence_run,
    .halt = cadence_halt,
    .irq = cadence_irq,
    .overflowed = cadence_overflowed,
    .place = cadence_place,
    .most = (UINT64_C(1) << CS_CADENCE_BITS) - 1,
};

/* ---- the PMU ---- */

static int cadence_event_init(cs_pmu *pmu, cs_perf_event *e)
{
    const cs_perf_core *core = &((cadence_pmu *)pmu)->core;
    cs_perf_map map;
    const int error = cs_perf_core_find(core, &e->attr, &map);

    if (error != 0)
        return error;
    e->hw.event = core->first_event + map.event;
    e->hw.filter = (cs_perf_counts_user(e) ? CS_CADENCE_USER : 0) |
                   (cs_perf_counts_kernel(e) ? CS_CADENCE_KERNEL : 0);
    e->hw.modes = cs_cadence_modes(e->hw.filter);
    e->hw.allowed = (1u << core->counters) - 1;
    return 0;
}

static void cadence_destroy(cs_pmu *pmu)
{
    free(((cadence_pmu *)pmu)->cpus);
    free(pmu);
}

static const cs_pmu_ops cadence_ops = {
    .event_init = cadence_event_init, .destroy = cadence_destroy, CS_PERF_COUNTERS_OPS};

static cs_status cadence_create(cs_perf *perf, const cs_perf_core *core, cs_pmu **out,
                                cs_diag *diag)
{
    cadence_pmu *p = calloc(1, sizeof *p);

    *out = NULL;
    if (core->counters > CS_CADENCE_COUNTERS) {
        free(p);
        return cs_diag_set(diag, CS_ERR_RANGE, NULL, "%u counters: a cadence has at most %u",
                           core->counters, CS_CADENCE_COUNTERS);
    }
    if (p == NULL || (p->cpus = calloc(perf->machine.nr_cpus, sizeof *p->cpus)) == NULL) {
        free(p);
        return CS_ERR_NO_MEMORY;
    }
    p->core = *core;
    p->pmu.on = cadence_on;
    p->pmu.pmu = (cs_pmu){.ops = &cadence_ops,
                          .name = core->name,
                          .type = core->type,
                          .no_interrupt = core->no_interrupt,
                          .no_exclude = core->no_exclude};
    for (unsigned i = 0; i < perf->machine.nr_cpus; i++) {
        cs_perf_counters_init(&p->cpus[i].counters, &cadence_counters);
        p->cpus[i].model.events = cs_perf_window_source(&p->cpus[i].counters.window);
    }
    *out = &p->pmu.pmu;
    return CS_OK;
}

static const cs_perf_core_driver cadence_driver = {cadence_create};

/* What programs find in sysfs, and what perf's own names mean: numbers of events are Arm's. */
static const cs_perf_map cadence_maps[] = {HARDWARE(0, 0x11), HARDWARE(1, 0x08), HARDWARE(4, 0x21)};
static const cs_perf_file cadence_formats[] = {{"event", "config:0-15"}};
static const cs_perf_file cadence_events[] = {{"loads", "event=0x06"}, {"stores", "event=0x07"}};

const cs_perf_core cs_perf_core_cadence = {
    .driver = &cadence_driver,
    .name = "cadence",
    .type = 9,
    .counters = CS_CADENCE_COUNTERS,
    .maps = cadence_maps,
    .nr_maps = COUNT(cadence_maps),
    .raw_mask = 0xffff,
    .formats = cadence_formats,
    .nr_formats = COUNT(cadence_formats),
    .events = cadence_events,
    .nr_events = COUNT(cadence_events),
};
