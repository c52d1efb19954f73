// SPDX-License-Identifier: Apache-2.0
#include "results/imc/perf_truth.h"

#include <stdlib.h>

#include "nest_rows.h"
#include "results/imc/filter.h"
#include "results/imc/processes.h"
#include "scenario/imc/imc_cpus.h"
#include "scenario/imc/imc_driver_spec.h"
#include "scenario/imc/imc_spec.h"

#define SLOT_BYTES 64u
#define FIRST_WORD 3u /* of CPMC1 in a slot */
#define CODES 128u

uint64_t cs_imc_thread_truth(const cs_scenario *s, cs_timeline *timeline, const cs_imc_event *event,
                             cs_cycle from, cs_cycle to)
{
    const unsigned slot = event->value / SLOT_BYTES;
    const unsigned cpmc = event->value % SLOT_BYTES / 8 - FIRST_WORD;

    if (slot >= CODES || cpmc > 3) /* no counter is there, and nothing is posted */
        return 0;
    const unsigned number = cpmc < 2 ? cpmc * CODES + slot : 2 * CODES + cpmc - 2;

    return cs_timeline_sum(timeline, CS_EVENT_IMC(s->imc->event_of[number]),
                           cs_imc_filter_modes(s->imc_driver->event_mask, slot), from, to);
}

static uint64_t thread_truth(const cs_scenario *s, cs_timeline *timeline, const cs_count *c)
{
    return cs_imc_thread_truth(s, timeline, c->own, c->from, c->to);
}

static uint64_t core_truth(const cs_scenario *s, cs_timeline *const timelines[], const cs_count *c)
{
    const unsigned first = cs_scenario_imc_cpu(s, 0, 0);
    const unsigned core = (c->cpu - first) / s->imc->threads;
    uint64_t sum = 0;

    for (unsigned thread = 0; thread < s->imc->threads; thread++)
        sum += thread_truth(s, timelines[cs_scenario_imc_cpu(s, core, thread)], c);
    return sum;
}

/* Some counters of the nest are posted twice as large as they are. */
static unsigned posted_times(const cs_nest_program *program, uint32_t offset)
{
    for (size_t i = 0; i < program->nr_rows; i++) {
        const cs_nest_row *row = &program->rows[i];

        if (row->kind == CS_NEST_COUNTERS && offset >= row->offset &&
            offset < row->offset + 8u * row->count)
            return row->style == CS_NEST_WRAP2 ? 2 : 1;
    }
    return 1;
}

static uint64_t truth_of(const cs_scenario *s, cs_timeline *const timelines[], const cs_count *c)
{
    const cs_imc_event *event = c->own;

    switch (event->of->domain) {
    case CS_IMC_DOMAIN_NEST:
        return posted_times(&cs_nest_programs[s->imc->power10], event->value) *
               cs_timeline_sum(timelines[CS_NEST_TIMELINE_OF(cs_scenario_imc_chip(s, c->cpu))],
                               CS_EVENT_NEST(event->value / 8), CS_MODE_ALL, c->from, c->to);
    case CS_IMC_DOMAIN_CORE:
        return core_truth(s, timelines, c);
    default:
        if (c->cpu == CS_ANY_CPU)
            return cs_imc_processes_truth(s, timelines, c);
        return thread_truth(s, timelines[c->cpu], c);
    }
}

cs_counted cs_imc_counted_of(const cs_scenario *s, cs_timeline *const timelines[],
                             const cs_count *c)
{
    const cs_imc_event *event = c->own;
    cs_counted one = cs_counted_of(c, truth_of(s, timelines, c));

    if (event->scale != NULL)
        cs_counted_scale(&one, strtod(event->scale, NULL));
    one.unit = event->unit;
    return one;
}
