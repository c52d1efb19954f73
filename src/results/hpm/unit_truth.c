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
    bool bound;   /* an event of perf's has it */
    cycle_t read; /* the last */
} unit_counter;

typedef struct bound {
    int number; /* of the unit; -1: the event is none of a unit, or not open */
    unsigned unit;
    uint32_t event;
    cycle_t from;
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
void cs_unit_truth_begun(cs_unit_truth *t, const cs_riscv_which *which)
{
    bound *b = bound_of(t, which);

    b->number = -1;
    if (!cs_riscv_units_of(t->scenario, config_of(t, which), &b->unit, &b->event))
        return;
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

bool cs_unit_truth_count(cs_unit_truth *t, const cs_riscv_which *which, cs_hart_count *out)
{
    bound *b = bound_of(t, which);
    const cs_riscv_unit_spec *unit;

    if (b->number < 0)
        return false;
    unit = &t->scenario->riscv->firmware.units[b->unit];
    out->from = b->from;
    out->to = t->counters[b->unit][b->number].read;
    out->truth = cs_timeline_sum(t->timelines[unit->timeline], unit->event + b->event, CS_MODE_ALL,
                                 out->from, out->to);
    out->counted = out->truth;
    b->from = out->to;
    return true;
}
