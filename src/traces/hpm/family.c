// SPDX-License-Identifier: Apache-2.0
/* The perf commands of harts. Samples come out of the rings of their drivers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drivers/hpm/riscv.h"
#include "scenario/hpm/hart_cpus.h"
#include "scenario/hpm/harts_spec.h"
#include "scenario/hpm/riscv_events.h"
#include "scenario/hpm/riscv_spec.h"
#include "scenario/section_list.h"
#include "traces/common/times.h"
#include "traces/family.h"
#include "traces/hpm/ring_feed.h"
#include <countersink/formats/perf/abi/perf.h>

/* ---- events ---- */

static void hart_modifiers(const cs_riscv_perf_spec *p, cs_trace_event *e)
{
    const struct {
        bool set;
        uint64_t bit;
    } excludes[] = {
        {p->exclude_user, CS_PERF_ATTR_EXCLUDE_USER},
        {p->exclude_kernel, CS_PERF_ATTR_EXCLUDE_KERNEL},
        {p->exclude_hv, CS_PERF_ATTR_EXCLUDE_HV},
        {p->exclude_host, CS_PERF_ATTR_EXCLUDE_HOST},
        {p->exclude_guest, CS_PERF_ATTR_EXCLUDE_GUEST},
    };
    char letters[8] = ":";

    for (size_t i = 0; i < sizeof excludes / sizeof excludes[0]; i++)
        e->flags |= excludes[i].set ? excludes[i].bit : 0;
    /* As perf's modifiers tell what is left. */
    if (p->exclude_user != p->exclude_kernel)
        strcat(letters, p->exclude_user ? "k" : "u");
    if (p->exclude_host != p->exclude_guest)
        strcat(letters, p->exclude_host ? "G" : "H");
    if (letters[1] != '\0')
        strcat(e->name, letters);
}

static void open_events(cs_events_builder *b, const cs_perf_command *command)
{
    const cs_scenario *s = b->scenario;
    const cs_riscv_perf_spec *p = &s->riscv->perf[command->number];
    const cs_riscv_driver_spec *driver = p->guest ? &s->riscv->guest : &s->riscv->driver;
    const unsigned first = cs_scenario_hart_cpu(s, 0);
    bool cpus[CS_MAX_CPUS] = {false};

    for (unsigned cpu = first; cpu < first + s->harts->count; cpu++)
        cpus[cpu] = p->cpus[cpu];
    for (size_t k = 0; k < p->nr_events; k++) {
        cs_trace_event *new = cs_events_add(b, command, (unsigned)k, cpus);

        if (new == NULL)
            return;
        snprintf(new->name, sizeof new->name, "%s", p->events[k]);
        hart_modifiers(p, new);
        new->type = p->configs[k].type;
        new->config = p->configs[k].config;
        new->period = command->period;
        new->freq = command->frequency;
        new->guest = p->guest;
        new->callchain = p->callchain;
        if (driver->mux_us != 0)
            new->rotated = p->guest ? CS_RISCV_PMU_GUEST : CS_RISCV_PMU_HART;
        new->turn = (uint32_t)k;
        if (p->configs[k].pinned)
            new->flags |= CS_PERF_ATTR_PINNED;
    }
}

static void opening(const cs_soft_record *record, cs_trace_opening *out)
{
    const cs_riscv_opened *o = cs_told_riscv_opened(record);

    *out = (cs_trace_opening){o->which.command, o->which.event,
                              o->error != 0 ? strerror(-o->error) : NULL};
}

/* ---- samples ---- */

/* mtime counts from timebase_start. */
static uint64_t time_ns(const cs_scenario *s, uint64_t mtime)
{
    return cs_trace_scaled_ns(mtime - s->harts->timebase_start, s->harts->timebase_mhz);
}

static void ring_record(void *ctx, unsigned hart, bool guest, const cs_perf_record *r)
{
    cs_trace_feed *f = ctx;
    cs_trace_record out = {
        .event = cs_trace_events_find(f->events, &cs_trace_family_riscv, cs_ring_command(r->id),
                                      cs_ring_event(r->id)),
        .cpu = cs_scenario_hart_cpu(f->scenario, hart),
        .guest = guest,
        .time_ns = time_ns(f->scenario, r->time),
        .pid = r->pid,
        .tid = r->tid,
        .misc = r->misc,
        .ip = r->ip,
        .period = r->period,
        .chain = r->chain,
        .nr_chain = r->nr_chain,
        .lost = r->lost,
    };

    switch (r->type) {
    case CS_PERF_REC_SAMPLE:
        out.type = CS_TRACE_SAMPLE;
        break;
    case CS_PERF_REC_LOST:
        out.type = CS_TRACE_LOST;
        break;
    case CS_PERF_REC_THROTTLE:
        out.type = CS_TRACE_THROTTLE;
        break;
    case CS_PERF_REC_UNTHROTTLE:
        out.type = CS_TRACE_UNTHROTTLE;
        break;
    default:
        cs_trace_feed_fail(f, CS_ERR_FORMAT);
        return;
    }
    cs_trace_feed_put(f, &out);
}

static void data(void *ctx, const cs_soft_record *record)
{
    cs_trace_feed *f = ctx;
    const cs_riscv_data *d = cs_told_riscv_data(record);

    if (!cs_ring_feed_put(cs_trace_feed_state(f, &cs_trace_family_riscv), d->hart, d->guest,
                          d->bytes, d->length))
        cs_trace_feed_fail(f, CS_ERR_FORMAT);
}

static cs_status listen(cs_trace_feed *f, void **state, cs_run_listener *listener, cs_diag *diag)
{
    cs_ring_feed *rings = calloc(1, sizeof *rings);

    *state = rings;
    if (rings == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for rings");
    rings->record = ring_record;
    rings->ctx = f;
    cs_run_hear(listener, &cs_soft_riscv_data, data);
    return CS_OK;
}

const cs_trace_family cs_trace_family_riscv = {
    .section = &cs_section_riscv,
    .cpu = &cs_trace_cpu_hart,
    .open = open_events,
    .opened = &cs_soft_riscv_opened,
    .opening = opening,
    .listen = listen,
    .destroy = free,
    .counts = &cs_riscv_family,
};
