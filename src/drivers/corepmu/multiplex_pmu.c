// SPDX-License-Identifier: Apache-2.0
/* A CPU's counters and the events on them. Counters count between start and stop alone (PMCR.E): what
 * an event counted is a sum of the CPU's stream over exactly these cycles. */
#include <stdlib.h>

#include "drivers/corepmu/multiplex_impl.h"
#include "scenario/corepmu/arm_events.h"
#include "scenario/corepmu/multiplex_spec.h"

#define CYCLE_COUNTER 1u /* as a bit: the lowest, so that CPU_CYCLES takes it when it is free */

static uint64_t mask(const cs_mux_pmu *pmu)
{
    return UINT64_MAX >> (64u - pmu->spec->counter_bits);
}

/* Half of the range: so late may an overflow be handled. */
static int64_t period(const cs_mux_pmu *pmu)
{
    return (int64_t)(mask(pmu) >> 1);
}

static cs_status make_rotation(cs_mux_pmu *pmu, cs_diag *diag)
{
    const cs_multiplex_spec *spec = pmu->spec;
    const uint32_t general = (UINT32_C(2) << spec->counters) - 2;
    const cs_rotation_pmu counters = {spec->counters + 1, spec->divider, false};
    cs_rotation_event events[CS_MAX_USER_EVENTS];
    const cs_rotation_config config = {
        .list = CS_ROTATION_PER_PMU,
        .pmus = &counters,
        .nr_pmus = 1,
        .events = events,
        .nr_events = spec->nr_events,
    };

    for (unsigned i = 0; i < spec->nr_events; i++)
        events[i] = (cs_rotation_event){
            .group = i,
            .allowed =
                general | (spec->events[i] == CS_ARM_CPU_CYCLES ? CYCLE_COUNTER : UINT32_C(0)),
        };
    return cs_rotation_create(&config, &pmu->rotation, diag);
}

cs_status cs_mux_pmu_create(cs_mux_pmu *pmu, const cs_multiplex_spec *spec,
                            const cs_event_source *source, cs_diag *diag)
{
    *pmu = (cs_mux_pmu){.spec = spec, .source = *source};
    pmu->events = calloc(spec->nr_events, sizeof *pmu->events);
    if (pmu->events == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, "multiplex", "no memory for %u events",
                           spec->nr_events);
    for (unsigned i = 0; i < spec->nr_events; i++)
        pmu->events[i].left = period(pmu);
    return make_rotation(pmu, diag);
}

void cs_mux_pmu_destroy(cs_mux_pmu *pmu)
{
    cs_rotation_destroy(pmu->rotation);
    free(pmu->events);
}

/* ---- counters ---- */

/* What happened since `from` is in the counter. */
static void count(cs_mux_pmu *pmu, unsigned number, cs_cycle now)
{
    cs_mux_event *e = &pmu->events[number];
    uint64_t sum = 0;

    if (pmu->counting)
        sum =
            pmu->source.sum(pmu->source.ctx, pmu->spec->events[number], CS_MODE_ALL, e->from, now);
    e->from = now;
    e->fresh += sum;
    if (sum < e->to_wrap) {
        e->to_wrap -= sum;
        return;
    }
    e->overflowed = true;
    /* Past the overflow by so much; the next one is a whole range behind the first. */
    e->to_wrap = mask(pmu) - ((sum - e->to_wrap) & mask(pmu)) + 1;
}

/* The driver reads the counter. A range that went by unnoticed is lost. */
static void take_over(cs_mux_pmu *pmu, cs_mux_event *e)
{
    const uint64_t delta = e->fresh & mask(pmu);

    e->raw += delta;
    e->left = (int64_t)((uint64_t)e->left - delta);
    e->fresh = 0;
}

/* The driver writes the counter so that it overflows after `left`. */
static void write_counter(cs_mux_pmu *pmu, cs_mux_event *e)
{
    if (e->left <= -period(pmu))
        e->left = period(pmu);
    else if (e->left <= 0)
        e->left += period(pmu);
    e->to_wrap = (uint64_t)e->left;
}

static void stamp(cs_mux_event *e, cs_cycle now)
{
    if (e->on)
        e->running += now - e->stamped;
    e->stamped = now;
}

/* ---- all of them ---- */

static void put_in(cs_mux_pmu *pmu, cs_cycle now)
{
    const int8_t *counters = cs_rotation_counters(pmu->rotation);

    pmu->nr_active = 0;
    for (unsigned i = 0; i < pmu->spec->nr_events; i++) {
        cs_mux_event *e = &pmu->events[i];

        if (counters[i] < 0)
            continue;
        stamp(e, now);
        e->on = true;
        e->overflowed = false;
        write_counter(pmu, e);
        pmu->active[pmu->nr_active++] = i;
    }
}

static void take_out(cs_mux_pmu *pmu, cs_cycle now)
{
    for (unsigned i = 0; i < pmu->nr_active; i++) {
        cs_mux_event *e = &pmu->events[pmu->active[i]];

        take_over(pmu, e);
        stamp(e, now);
        e->on = false;
        e->overflowed = false;
    }
    pmu->nr_active = 0;
}

void cs_mux_pmu_open(cs_mux_pmu *pmu, cs_cycle now)
{
    pmu->open = true;
    pmu->opened = now;
    pmu->closed = CS_NEVER;
    for (unsigned i = 0; i < pmu->spec->nr_events; i++)
        pmu->events[i].stamped = pmu->events[i].told_at = now;
    put_in(pmu, now);
}

void cs_mux_pmu_start(cs_mux_pmu *pmu, cs_cycle now)
{
    pmu->counting = true;
    for (unsigned i = 0; i < pmu->nr_active; i++)
        pmu->events[pmu->active[i]].from = now;
}

void cs_mux_pmu_stop(cs_mux_pmu *pmu, cs_cycle now)
{
    for (unsigned i = 0; i < pmu->nr_active; i++)
        count(pmu, pmu->active[i], now);
    pmu->counting = false;
}

void cs_mux_pmu_reschedule(cs_mux_pmu *pmu, cs_cycle now)
{
    take_out(pmu, now);
    put_in(pmu, now);
}

void cs_mux_pmu_read(cs_mux_pmu *pmu, unsigned event, cs_cycle now)
{
    cs_mux_event *e = &pmu->events[event];

    if (!pmu->open)
        return;
    stamp(e, now);
    if (!e->on)
        return;
    count(pmu, event, now);
    take_over(pmu, e);
}

unsigned cs_mux_pmu_overflows(cs_mux_pmu *pmu)
{
    unsigned handled = 0;

    for (unsigned i = 0; i < pmu->nr_active; i++) {
        cs_mux_event *e = &pmu->events[pmu->active[i]];

        if (!e->overflowed)
            continue;
        take_over(pmu, e);
        write_counter(pmu, e);
        e->overflowed = false;
        handled++;
    }
    return handled;
}

bool cs_mux_pmu_flagged(const cs_mux_pmu *pmu)
{
    for (unsigned i = 0; i < pmu->nr_active; i++)
        if (pmu->events[pmu->active[i]].overflowed)
            return true;
    return false;
}

cs_cycle cs_mux_pmu_overflow_due(const cs_mux_pmu *pmu, cs_cycle horizon)
{
    cs_cycle first = CS_NEVER;

    for (unsigned i = 0; i < pmu->nr_active && pmu->counting; i++) {
        const unsigned number = pmu->active[i];
        const cs_mux_event *e = &pmu->events[number];
        const uint64_t cycles = horizon > e->from ? horizon - e->from : 0;

        if (e->to_wrap / CS_MAX_INCREMENT > cycles)
            continue;
        const cs_cycle due = pmu->source.reach(pmu->source.ctx, pmu->spec->events[number],
                                               CS_MODE_ALL, e->from, e->to_wrap);
        first = due < first ? due : first;
    }
    return first;
}

void cs_mux_pmu_close(cs_mux_pmu *pmu, cs_cycle now)
{
    cs_mux_pmu_stop(pmu, now);
    take_out(pmu, now);
    pmu->open = false;
    pmu->closed = now;
}

bool cs_mux_pmu_waits(const cs_mux_pmu *pmu)
{
    return pmu->nr_active < pmu->spec->nr_events;
}
