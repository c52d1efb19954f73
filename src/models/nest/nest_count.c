// SPDX-License-Identifier: Apache-2.0
/* The counters: spec, "Counters". A counter is the value that it had in some cycle; what came
 * since is one sum. */
#include "models/nest/nest_internal.h"

/* Bits 0..n-1; n 0..64. */
static uint64_t low_bits(unsigned n)
{
    return n == 0 ? 0 : UINT64_MAX >> (64 - n);
}

static void settle(const cs_nest *nest, const cs_nest_row *row, uint32_t event,
                   cs_nest_counter *counter, cs_cycle to)
{
    const cs_event_source *events = &nest->env.events;

    counter->value += events->sum(events->ctx, event, CS_MODE_ALL, counter->since, to);
    counter->value &= low_bits(row->width + row->prescale);
    counter->since = to;
}

static uint64_t difference(uint64_t prev, uint64_t cur, unsigned width)
{
    if (prev == 0)
        return 0;
    return cur >= prev ? cur - prev : low_bits(width) - prev + cur;
}

uint64_t cs_nest_read(cs_nest *nest, const cs_nest_row *row, unsigned i, cs_cycle cycle)
{
    cs_nest_counter *counter = &nest->counters[row->first + i];

    settle(nest, row, row->offset / CS_NEST_WORD_BYTES + i, counter, cycle);

    const uint64_t cur = counter->value >> row->prescale;

    if (row->style == CS_NEST_CLEAR) {
        counter->value &= low_bits(row->prescale);
        return cur;
    }
    if (row->style == CS_NEST_STORE)
        return cur;
    const uint64_t delivered = difference(counter->prev, cur, row->width);

    counter->prev = cur;
    return row->style == CS_NEST_WRAP2 ? 2 * delivered : delivered;
}

void cs_nest_clear_prevs(cs_nest *nest)
{
    for (unsigned n = 0; n < nest->engine->nr_counters; n++)
        nest->counters[n].prev = 0;
}
