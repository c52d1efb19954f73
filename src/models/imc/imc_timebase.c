// SPDX-License-Identifier: Apache-2.0
#include "base/wide.h"
#include <countersink/models/imc/imc_timebase.h>

/* Ticks from cycle 0 to `cycle`. They are fewer than cycles: 64 bits hold them. */
static uint64_t ticks(const cs_imc_timebase *tb, cs_cycle cycle)
{
    if (cycle <= UINT64_MAX / UINT16_MAX)
        return cycle * tb->num / tb->den;
    return (uint64_t)((cs_u128)cycle * tb->num / tb->den);
}

uint64_t cs_imc_timebase_at(const cs_imc_timebase *tb, cs_cycle cycle)
{
    return tb->start + ticks(tb, cycle);
}

/* Tick n comes in the first cycle t with t num / den >= n. */
static cs_cycle cycle_of_tick(const cs_imc_timebase *tb, cs_u128 n)
{
    const cs_u128 cycle = (n * tb->den + tb->num - 1) / tb->num;

    return cycle < CS_NEVER ? (cs_cycle)cycle : CS_NEVER;
}

cs_cycle cs_imc_timebase_boundary(const cs_imc_timebase *tb, unsigned k, cs_cycle from)
{
    const uint64_t mask = ((uint64_t)1 << k) - 1;
    const cs_u128 next = (cs_u128)(from > 0 ? ticks(tb, from - 1) : 0) + 1;
    const uint64_t missing = (0 - (tb->start + (uint64_t)next)) & mask;

    return cycle_of_tick(tb, next + missing);
}
