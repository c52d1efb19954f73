// SPDX-License-Identifier: Apache-2.0
#include "drivers/unit_pmu/rotation_pace.h"

#define CALM_ENOUGH 4u

/* The least divider with 100 x cost <= limit x divider; 0 does as 1 does. limit <= UINT64_MAX / 100. */
static uint64_t need_of(uint64_t cost, uint64_t limit)
{
    const uint64_t whole = cost / limit, rest = 100 * (cost % limit);

    if (whole > UINT32_MAX)
        return UINT64_MAX; /* beyond all dividers */
    return 100 * whole + rest / limit + (rest % limit != 0);
}

/* The divider after a rotation that has cost this much. */
static void pace_adapt(cs_rotation_pace *p, const cs_rotation_limits *limits)
{
    const uint64_t need = need_of(p->cost, limits->limit);
    const uint64_t divider = p->divider;

    if (need > divider) {
        p->calm = 0;
        p->divider = divider > limits->most_divider / 2 ? limits->most_divider : 2 * p->divider;
    } else if (need > divider / 2) {
        p->calm = 0;
    } else if (++p->calm == CALM_ENOUGH) {
        p->calm = 0;
        p->divider = p->divider / 2 > p->least_divider ? p->divider / 2 : p->least_divider;
    }
}

static void pace_settle(cs_rotation_pace *p, const cs_rotation_limits *limits)
{
    if (p->due && p->adaptive)
        pace_adapt(p, limits);
    p->due = false;
    p->cost = 0;
}

bool cs_rotation_pace_tick(cs_rotation_pace *p, const cs_rotation_limits *limits)
{
    pace_settle(p, limits);
    if (++p->ticks < p->divider)
        return false;
    p->ticks = 0;
    p->due = true;
    return true;
}

unsigned cs_rotation_pace_left(cs_rotation_pace *p, const cs_rotation_limits *limits)
{
    pace_settle(p, limits);
    return p->divider > p->ticks ? p->divider - p->ticks : 1;
}

void cs_rotation_pace_bear(cs_rotation_pace *p, uint64_t cycles)
{
    p->cost = cycles > UINT64_MAX - p->cost ? UINT64_MAX : p->cost + cycles;
}
