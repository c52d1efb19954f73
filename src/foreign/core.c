// SPDX-License-Identifier: Apache-2.0
#include "foreign/core.h"

#include <stdlib.h>

#define FIRST_CYCLES 40u /* in which the mode is the first one */

struct cs_foreign_core {
    cs_cycle cycles;
    uint32_t events[CS_FOREIGN_CORE_EVENTS];
    unsigned nr_events;
    unsigned sets;
    uint64_t key, pc;
    uint32_t cid1, cid2;
    uint8_t *mode;
    uint8_t *increment; /* [event][cycle] */
    uint32_t *prefix;   /* [event][mode][cycle], of the cycles before */
};

static uint32_t *prefix_of(const cs_foreign_core *a, unsigned event, unsigned mode)
{
    return a->prefix + (event * CS_FOREIGN_CORE_MODES + mode) * (a->cycles + 1);
}

static int row_of(const cs_foreign_core *a, uint32_t event)
{
    for (unsigned i = 0; i < a->nr_events; i++)
        if (a->events[i] == event)
            return (int)i;
    return -1;
}

static void draw_modes(cs_foreign_core *a, const cs_foreign_core_plan *plan,
                       cs_foreign_random *random)
{
    const uint64_t stay = 1 + cs_foreign_below(random, cs_foreign_one_in(random, 3) ? 3 : 60);
    uint8_t now = plan->modes[0];

    for (cs_cycle t = 0; t < a->cycles; t++) {
        if (t > FIRST_CYCLES && cs_foreign_one_in(random, stay))
            now = plan->modes[cs_foreign_below(random, plan->nr_modes)];
        a->mode[t] = t + plan->last_cycles < a->cycles ? now : plan->modes[0];
    }
}

static void draw_event(cs_foreign_core *a, unsigned row, const cs_foreign_core_event *event,
                       cs_foreign_random *random)
{
    const uint64_t quiet = cs_foreign_below(random, 5); /* how often it has none */
    const unsigned largest = event->most != 0 && cs_foreign_one_in(random, 3) ? 1 : event->most;
    uint8_t *increment = a->increment + row * a->cycles;

    for (cs_cycle t = 0; t < a->cycles; t++) {
        if (event->always)
            increment[t] = (uint8_t)event->most;
        else if (cs_foreign_below(random, 5) >= quiet)
            increment[t] = (uint8_t)cs_foreign_below(random, largest + 1u);
        if (t < event->none)
            increment[t] = 0;
        for (unsigned mode = 0; mode < CS_FOREIGN_CORE_MODES; mode++) {
            uint32_t *prefix = prefix_of(a, row, mode);

            prefix[t + 1] = prefix[t] + (a->mode[t] == mode ? increment[t] : 0u);
        }
    }
}

cs_foreign_core_event cs_foreign_core_event_of(const cs_foreign_bench *bench, uint32_t event,
                                               unsigned pin, unsigned most)
{
    const cs_foreign_pin *p = &bench->unit->pins[pin];
    const uint64_t largest =
        cs_foreign_has(bench, pin)
            ? cs_foreign_largest(bench->design, pin, p->field != 0 ? p->field : p->width)
            : p->held;

    return (cs_foreign_core_event){event, largest < most ? (unsigned)largest : most,
                                   !cs_foreign_has(bench, pin), bench->design->late[pin]};
}

cs_status cs_foreign_core_create(const cs_foreign_core_plan *plan, cs_foreign_random *random,
                                 cs_foreign_core **out, cs_diag *diag)
{
    cs_foreign_core *a = calloc(1, sizeof *a);

    *out = a;
    if (a != NULL) {
        a->cycles = plan->cycles;
        a->nr_events = plan->nr_events;
        a->sets = plan->sets;
        a->key = cs_foreign_bits(random);
        a->pc = plan->pc;
        a->cid1 = plan->cid1;
        a->cid2 = plan->cid2;
        for (unsigned i = 0; i < plan->nr_events; i++)
            a->events[i] = plan->events[i].event;
        a->mode = calloc(a->cycles, 1);
        a->increment = calloc(a->cycles, CS_FOREIGN_CORE_EVENTS);
        a->prefix = calloc((a->cycles + 1) * CS_FOREIGN_CORE_EVENTS * CS_FOREIGN_CORE_MODES,
                           sizeof *a->prefix);
    }
    if (a == NULL || a->mode == NULL || a->increment == NULL || a->prefix == NULL) {
        cs_foreign_core_destroy(a);
        *out = NULL;
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for a program");
    }
    draw_modes(a, plan, random);
    for (unsigned i = 0; i < a->nr_events; i++)
        draw_event(a, i, &plan->events[i], random);
    return CS_OK;
}

void cs_foreign_core_destroy(cs_foreign_core *activity)
{
    if (activity == NULL)
        return;
    free(activity->mode);
    free(activity->increment);
    free(activity->prefix);
    free(activity);
}

/* Of sets: cycle by cycle. A program is short. */
static uint64_t sum_of_set(const cs_foreign_core *a, uint32_t set, uint32_t modes, cs_cycle from,
                           cs_cycle to)
{
    uint64_t total = 0;

    for (cs_cycle t = from; t < to; t++)
        if (modes >> a->mode[t] & 1)
            total += cs_foreign_core_increment(a, set, t);
    return total;
}

static uint64_t sum(void *ctx, uint32_t event, uint32_t modes, cs_cycle from, cs_cycle to)
{
    const cs_foreign_core *a = ctx;
    const int row = row_of(a, event);
    uint64_t total = 0;

    if (to > a->cycles)
        to = a->cycles;
    if (a->sets != CS_FOREIGN_NO_SETS && event & CS_FOREIGN_SET)
        return sum_of_set(a, event, modes, from, to);
    if (row < 0 || from >= to)
        return 0;
    for (unsigned mode = 0; mode < CS_FOREIGN_CORE_MODES; mode++) {
        const uint32_t *prefix = prefix_of(a, (unsigned)row, mode);

        if (modes >> mode & 1)
            total += prefix[to] - prefix[from];
    }
    return total;
}

static cs_cycle reach(void *ctx, uint32_t event, uint32_t modes, cs_cycle from, uint64_t n)
{
    const cs_foreign_core *a = ctx;
    cs_cycle low = from, high = a->cycles; /* sum(from, high) >= n */

    if (n == 0)
        return from;
    if (sum(ctx, event, modes, from, high) < n)
        return CS_NEVER;
    while (high - low > 1) {
        const cs_cycle middle = low + (high - low) / 2;

        if (sum(ctx, event, modes, from, middle) >= n)
            high = middle;
        else
            low = middle;
    }
    return high;
}

void cs_foreign_core_context(const cs_foreign_core *a, cs_cycle cycle, cs_context *out)
{
    const uint64_t who = cs_hash_mix(a->key + cycle / 64);

    *out = (cs_context){.pc = cs_hash_mix(a->key + cycle) & 0xffffffffffffff & a->pc,
                        .cid1 = (uint32_t)who & a->cid1,
                        .cid2 = (uint32_t)(who >> 32) & a->cid2,
                        .mode = a->mode[cycle < a->cycles ? cycle : a->cycles - 1]};
}

static void context(void *ctx, cs_cycle cycle, cs_context *out)
{
    cs_foreign_core_context(ctx, cycle, out);
}

cs_event_source cs_foreign_core_source(cs_foreign_core *activity)
{
    return (cs_event_source){sum, reach, context, activity, NULL};
}

static unsigned of_event(const cs_foreign_core *a, uint32_t event, cs_cycle cycle)
{
    const int row = row_of(a, event);

    return row < 0 || cycle >= a->cycles ? 0 : a->increment[(size_t)row * a->cycles + cycle];
}

unsigned cs_foreign_core_increment(const cs_foreign_core *a, uint32_t event, cs_cycle cycle)
{
    unsigned sum = 0;

    if (a->sets == CS_FOREIGN_NO_SETS || !(event & CS_FOREIGN_SET))
        return of_event(a, event, cycle);
    for (uint32_t k = 0; k < 16; k++)
        if (event >> k & 1)
            sum += of_event(a, k + 1, cycle);
    return a->sets == CS_FOREIGN_ANY ? sum != 0 : sum;
}
