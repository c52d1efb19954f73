// SPDX-License-Identifier: Apache-2.0
#include "models/cadence/cadence.h"

#define LAST ((UINT64_C(1) << CS_CADENCE_BITS) - 1)

uint32_t cs_cadence_modes(uint32_t select)
{
    return ((select & CS_CADENCE_USER) != 0 ? CS_MODE_MASK(CS_MODE_EL0) : 0) |
           ((select & CS_CADENCE_KERNEL) != 0
                ? CS_MODE_MASK(CS_MODE_EL1) | CS_MODE_MASK(CS_MODE_EL2)
                : 0);
}

static bool counts(const cs_cadence *c, unsigned n)
{
    return c->run && (c->select[n] & CS_CADENCE_ON) != 0;
}

static void count_below(cs_cadence *c, cs_cycle cycle)
{
    for (unsigned n = 0; n < CS_CADENCE_COUNTERS; n++) {
        if (!counts(c, n))
            continue;
        c->count[n] += c->events.sum(c->events.ctx, c->select[n] & 0xffff,
                                     cs_cadence_modes(c->select[n]), c->since, cycle);
        if (c->count[n] > LAST)
            c->ovf |= 1u << n;
        c->count[n] &= LAST;
    }
    c->since = cycle;
}

uint64_t cs_cadence_read(cs_cadence *c, cs_cycle cycle, uint32_t offset)
{
    const unsigned n = (offset - 0x10) / 0x10;

    count_below(c, cycle);
    if (offset < 0x10)
        return offset == CS_CADENCE_CTRL ? c->run : c->ovf;
    return offset == CS_CADENCE_SELECT(n) ? c->select[n] : c->count[n];
}

void cs_cadence_write(cs_cadence *c, cs_cycle cycle, uint32_t offset, uint64_t value)
{
    const unsigned n = (offset - 0x10) / 0x10;

    count_below(c, cycle);
    if (offset == CS_CADENCE_CTRL)
        c->run = (value & CS_CADENCE_RUN) != 0;
    else if (offset == CS_CADENCE_OVF)
        c->ovf &= ~(uint32_t)value;
    else if (offset == CS_CADENCE_SELECT(n))
        c->select[n] = (uint32_t)value & 0xfffff;
    else
        c->count[n] = value & LAST;
}

cs_cycle cs_cadence_irq(cs_cadence *c, cs_cycle from, cs_cycle to)
{
    cs_cycle first = to;

    count_below(c, from);
    for (unsigned n = 0; n < CS_CADENCE_COUNTERS; n++) {
        if ((c->select[n] & CS_CADENCE_IE) == 0)
            continue;
        if ((c->ovf >> n & 1) != 0)
            return from;
        if (!counts(c, n))
            continue;
        const cs_cycle at =
            c->events.reach(c->events.ctx, c->select[n] & 0xffff, cs_cadence_modes(c->select[n]),
                            from, LAST + 1 - c->count[n]);
        first = at < first ? at : first;
    }
    return first;
}
