// SPDX-License-Identifier: Apache-2.0
#include "results/hpm/unit_truth.h"

#include <stdlib.h>

#include "scenario/hpm/harts_spec.h"
#include "scenario/hpm/riscv_spec.h"
#include "scenario/hpm/riscv_units.h"

#define COUNTERS 16u
#define SELECT 0x100u
#define COUNT 0x200u
#define SELECT_ON 0x10000u

/* A counter of a unit, as the firmware of the hart that has it leaves it. */
typedef struct unit_counter {
    uint32_t select;
    bool bound;    /* an event of perf's has it */
    cs_cycle read; /* the last */
} unit_counter;

typedef struct bound {
    bool is_unit; /* it is an event of a unit */
    int number;   /* of the counter; -1: it has none now */
    unsigned unit;
    uint32_t event;
    cs_cycle from;
    uint64_t done, last; /* in turns: counted in the spans before; all at the last interval */
} bound;

struct cs_unit_truth {
    const cs_scenario *scenario;
    cs_timeline *const *timelines;
    unit_counter counters[CS_RISCV_MAX_UNITS][COUNTERS];
    bound *bounds;    /* by hart, command and event */
    size_t *first;    /* of a command among those of a hart */
    size_t nr_events; /* of a hart */
};

cs_status cs_unit_truth_create(const cs_scenario *s, cs_timeline *const timelines[],
                               cs_unit_truth **out, cs_diag *diag)
{
    cs_unit_truth *t;

    *out = NULL;
    if (s->riscv->firmware.nr_units == 0)
        return CS_OK;
    t = calloc(1, sizeof *t);
    if (t != NULL)
        t->first = calloc(s->riscv->nr_perf + 1, sizeof *t->first);
    for (size_t i = 0; t != NULL && t->first != NULL && i < s->riscv->nr_perf; i++) {
        t->first[i] = t->nr_events;
        t->nr_events += s->riscv->perf[i].nr_events;
    }
    if (t != NULL && t->first != NULL)
        t->bounds = calloc(s->harts->count * t->nr_events + 1, sizeof *t->bounds);
    if (t == NULL || t->first == NULL || t->bounds == NULL) {
        cs_unit_truth_destroy(t);
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for the results");
    }
    for (size_t i = 0; i < s->harts->count * t->nr_events; i++)
        t->bounds[i].number = -1;
    t->scenario = s;
    t->timelines = timelines;
    *out = t;
    return CS_OK;
}

void cs_unit_truth_destroy(cs_unit_truth *t)
{
    if (t == NULL)
        return;
    free(t->bounds);
    free(t->first);
    free(t);
}

static bool is_register(const cs_probe_record *r, unsigned first, unsigned *n)
{
    *n = (unsigned)(r->addr - first) / 8;
    return r->addr >= first && r->addr < first + 8u * COUNTERS && r->addr % 8 == 0;
}

void cs_unit_truth_record(cs_unit_truth *t, const cs_probe_record *r)
{
    const cs_riscv_spec *riscv = t->scenario->riscv;
    unsigned n;

    for (size_t i = 0; i < riscv->firmware.nr_units && r->resp == 0; i++) {
        if (r->source != riscv->firmware.units[i].source)
            continue;
        if (r->write && is_register(r, SELECT, &n)) {
            t->counters[i][n].select = (uint32_t)r->value;
            t->counters[i][n].bound = false;
        } else if (!r->write && is_register(r, COUNT, &n))
            t->counters[i][n].read = r->cycle;
    }
}

static bound *bound_of(const cs_unit_truth *t, const cs_riscv_which *which)
{
    return &t->bounds[which->hart * t->nr_events + t->first[which->command] + which->event];
}

static const cs_riscv_perf_config *config_of(const cs_unit_truth *t, const cs_riscv_which *which)
{
    return &t->scenario->riscv->perf[which->command].configs[which->event];
}

/* The counter that the hart's firmware has taken for it is one of the hart's, and of no event yet. */
static void bind(cs_unit_truth *t, const cs_riscv_which *which)
{
    bound *b = bound_of(t, which);

    for (unsigned n = which->hart; n < COUNTERS; n += t->scenario->harts->count) {
        unit_counter *c = &t->counters[b->unit][n];

        if (c->bound || c->select != (SELECT_ON | b->event))
            continue;
        c->bound = true;
        b->number = (int)n;
        b->from = c->read;
        return;
    }
}

void cs_unit_truth_opened(cs_unit_truth *t, const cs_riscv_opened *opened)
{
    bound *b = bound_of(t, &opened->which);

    *b = (bound){.number = -1};
    b->is_unit = cs_riscv_units_of(t->scenario, config_of(t, &opened->which), &b->unit, &b->event);
    if (b->is_unit && !opened->turns)
        bind(t, &opened->which);
}

static uint64_t sum(const cs_unit_truth *t, const bound *b, cs_cycle from, cs_cycle to)
{
    const cs_riscv_unit_spec *unit = &t->scenario->riscv->firmware.units[b->unit];

    return cs_timeline_sum(t->timelines[unit->timeline], unit->event + b->event, CS_MODE_ALL, from,
                           to);
}

/* Since it got its counter, as far as that was read. */
static uint64_t counted_on(const cs_unit_truth *t, const bound *b)
{
    return b->number < 0 ? 0 : sum(t, b, b->from, t->counters[b->unit][b->number].read);
}

void cs_unit_truth_placed(cs_unit_truth *t, const cs_riscv_placed *placed)
{
    bound *b = bound_of(t, &placed->which);

    if (!b->is_unit)
        return;
    b->done += counted_on(t, b);
    b->number = -1;
    if (placed->on)
        bind(t, &placed->which);
}

/* Of an event in turns: what its counters counted, and what happened while it was enabled. */
static cs_hart_count count_turns(const cs_unit_truth *t, bound *b, const cs_count *count)
{
    const uint64_t all = b->done + counted_on(t, b);
    const cs_hart_count out = {.from = count->from,
                               .to = count->to,
                               .counted = count->final ? all : all - b->last,
                               .truth = sum(t, b, count->from, count->to)};

    b->last = all;
    return out;
}

bool cs_unit_truth_count(cs_unit_truth *t, const cs_count *count, cs_hart_count *out)
{
    const cs_riscv_reading *reading = count->own;
    bound *b = bound_of(t, &reading->which);

    if (!b->is_unit)
        return false;
    if (count->turns) {
        *out = count_turns(t, b, count);
        return true;
    }
    if (b->number < 0)
        return false;
    out->from = b->from;
    out->to = t->counters[b->unit][b->number].read;
    out->truth = out->counted = sum(t, b, out->from, out->to);
    b->from = out->to;
    return true;
}
