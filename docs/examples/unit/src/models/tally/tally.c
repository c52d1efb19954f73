// SPDX-License-Identifier: Apache-2.0
#include "models/tally/tally.h"

#include <countersink/regs/tally_regs.h>

void cs_tally_init(cs_tally *tally, const cs_event_source *events)
{
    *tally = (cs_tally){.events = *events};
}

static void count_below(cs_tally *t, cs_cycle cycle)
{
    if ((t->ctrl & CS_TALLY_CTRL_EN_MASK) != 0)
        t->count += t->events.sum(t->events.ctx, t->ctrl >> CS_TALLY_CTRL_EVENT_SHIFT, CS_MODE_ALL,
                                  t->since, cycle);
    t->since = cycle;
}

static bool is_refused(uint32_t offset, bool wide)
{
    return offset % (wide ? 8 : 4) != 0;
}

bool cs_tally_read(cs_tally *t, cs_cycle cycle, uint32_t offset, bool wide, uint64_t *data)
{
    uint64_t value = (offset & ~7u) == CS_TALLY_CTRL ? t->ctrl : 0;

    *data = 0;
    if (is_refused(offset, wide))
        return true;
    count_below(t, cycle);
    if ((offset & ~7u) == CS_TALLY_COUNT)
        value = t->count;
    *data = wide ? value : (uint32_t)(value >> 8 * (offset & 4));
    return false;
}

bool cs_tally_write(cs_tally *t, cs_cycle cycle, uint32_t offset, bool wide, uint64_t data)
{
    if (is_refused(offset, wide))
        return true;
    count_below(t, cycle + 1);
    if (offset == CS_TALLY_CTRL)
        t->ctrl = (uint32_t)data & (CS_TALLY_CTRL_EN_MASK | CS_TALLY_CTRL_EVENT_MASK);
    else if ((offset & ~7u) == CS_TALLY_COUNT)
        t->count = 0;
    return false;
}
