// SPDX-License-Identifier: Apache-2.0
/* What counts, how much, and when it overflows: docs/hw/uncore.md, "Counting". */
#include "models/uncore/uncore_internal.h"

/* Nothing happens behind it (countersink/base/stream/stream.h, CS_STREAM_END). */
#define LAST_CYCLE ((cs_cycle)1 << 56)

uint32_t cs_uncore_existing(const cs_uncore *uncore)
{
    return (1u << uncore->config.counters) - 1;
}

uint64_t cs_uncore_value_mask(const cs_uncore *uncore)
{
    return UINT64_MAX >> (CS_UNCORE_MAX_WIDTH - uncore->config.width);
}

uint32_t cs_uncore_counting(const cs_uncore *uncore)
{
    uint32_t counting = 0;

    if (!(uncore->ctl & CS_UNCORE_CTL_EN))
        return 0;
    for (unsigned n = 0; n < uncore->config.counters; n++)
        if (uncore->counter[n].select & CS_UNCORE_SELECT_ON)
            counting |= 1u << n;
    return counting;
}

/* Those whose overflow raises the line if it is low; no flag of theirs is set then. */
static uint32_t asking(const cs_uncore *uncore)
{
    return cs_uncore_counting(uncore) & uncore->ie;
}

/* The largest sum of increments that does not overflow. */
static uint64_t room(const cs_uncore *uncore, unsigned n)
{
    return cs_uncore_value_mask(uncore) - uncore->counter[n].value;
}

static uint64_t sum(const cs_uncore *uncore, unsigned n, cs_cycle to)
{
    const cs_uncore_counter *counter = &uncore->counter[n];
    const uint32_t event = counter->select & CS_UNCORE_SELECT_EVENT;

    if (uncore->config.extended)
        return uncore->tagged.sum(uncore->tagged.ctx, event, counter->match, counter->mask,
                                  counter->since, to);
    return uncore->events.sum(uncore->events.ctx, event, CS_MODE_ALL, counter->since, to);
}

/* The first cycle, if there is one below `limit`, before which more than its room has come; else
 * `limit`. By halves: of what fits a tag there are sums alone. */
static cs_cycle tagged_flag_below(const cs_uncore *uncore, unsigned n, cs_cycle limit)
{
    cs_cycle none = uncore->counter[n].since; /* not yet */
    cs_cycle there = limit < LAST_CYCLE ? limit : LAST_CYCLE;

    if (there <= none || sum(uncore, n, there) <= room(uncore, n))
        return limit;
    while (there - none > 1) {
        const cs_cycle middle = none + (there - none) / 2;

        if (sum(uncore, n, middle) > room(uncore, n))
            there = middle;
        else
            none = middle;
    }
    return there;
}

/* The first cycle with the flag, if there is one below `limit`, else `limit`. */
static cs_cycle flag_below(const cs_uncore *uncore, unsigned n, cs_cycle limit)
{
    const cs_uncore_counter *counter = &uncore->counter[n];

    if (limit - counter->since <= room(uncore, n) / CS_NARROW_INCREMENT)
        return limit;
    if (room(uncore, n) == UINT64_MAX) /* 2^64 are missing: further than any cycle */
        return limit;
    if (uncore->config.extended)
        return tagged_flag_below(uncore, n, limit);
    const cs_cycle flag =
        uncore->events.reach(uncore->events.ctx, counter->select & CS_UNCORE_SELECT_EVENT,
                             CS_MODE_ALL, counter->since, room(uncore, n) + 1);
    return flag < limit ? flag : limit;
}

uint32_t cs_uncore_near(const cs_uncore *uncore, cs_cycle to)
{
    uint32_t near = 0;

    if (uncore->ctl & CS_UNCORE_CTL_FREEZE)
        near = cs_uncore_counting(uncore);
    else if (!uncore->line)
        near = asking(uncore);
    for (unsigned n = 0; n < uncore->config.counters; n++)
        if (to - uncore->counter[n].since <= room(uncore, n) / CS_NARROW_INCREMENT)
            near &= ~(1u << n);
    return near;
}

uint32_t cs_uncore_settle(cs_uncore *uncore, uint32_t mask, cs_cycle to)
{
    const uint32_t counting = cs_uncore_counting(uncore);
    uint32_t overflowed = 0;

    for (unsigned n = 0; n < uncore->config.counters; n++) {
        cs_uncore_counter *counter = &uncore->counter[n];

        if (!(mask >> n & 1) || to <= counter->since)
            continue;
        if (counting >> n & 1) {
            const uint64_t added = sum(uncore, n, to);

            if (added > room(uncore, n))
                overflowed |= 1u << n;
            counter->value = (counter->value + added) & cs_uncore_value_mask(uncore);
        }
        counter->since = to;
    }
    uncore->ovf |= overflowed;
    return overflowed;
}

/* Executes the cycles below `to`, but stops behind the first overflow that acts. */
static void run(cs_uncore *uncore, cs_cycle to)
{
    const uint32_t near = cs_uncore_near(uncore, to);

    for (unsigned n = 0; n < uncore->config.counters; n++)
        if ((near >> n & 1) && sum(uncore, n, to) > room(uncore, n))
            to = flag_below(uncore, n, to);
    if (cs_uncore_settle(uncore, near, to) != 0 && (uncore->ctl & CS_UNCORE_CTL_FREEZE)) {
        cs_uncore_settle(uncore, cs_uncore_existing(uncore), to);
        uncore->ctl &= ~CS_UNCORE_CTL_EN;
    }
    uncore->now = to;
    cs_uncore_show_line(uncore);
}

cs_cycle cs_uncore_advance(cs_uncore *uncore, cs_cycle to)
{
    while (uncore->now < to)
        run(uncore, to);
    return uncore->now;
}

cs_cycle cs_uncore_next(const cs_uncore *uncore)
{
    const uint32_t raises = asking(uncore);
    cs_cycle next = CS_NEVER;

    if (uncore->line)
        return CS_NEVER;
    for (unsigned n = 0; n < uncore->config.counters; n++)
        if (raises >> n & 1)
            next = flag_below(uncore, n, next);
    if (next == CS_NEVER || !(uncore->ctl & CS_UNCORE_CTL_FREEZE))
        return next;
    /* One that does not ask may stop all before. */
    const uint32_t others = cs_uncore_counting(uncore) & ~raises;

    for (unsigned n = 0; n < uncore->config.counters; n++)
        if ((others >> n & 1) && flag_below(uncore, n, next) < next)
            return CS_NEVER;
    return next;
}
