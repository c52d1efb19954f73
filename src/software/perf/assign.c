// SPDX-License-Identifier: Apache-2.0
#include "software/perf/assign.h"

#include <string.h>

static void rotation_own(cs_rotation_set *set, unsigned event, unsigned counter)
{
    set->owner[counter] = (int8_t)event;
    set->counter_of[event] = (int8_t)counter;
}

/* An augmenting path; none of the counters in *closed is tried, and each only once. */
static bool rotation_place(cs_rotation_set *set, unsigned event, uint32_t *closed)
{
    for (unsigned counter = 0; counter < CS_ROTATION_MAX_COUNTERS; counter++) {
        const uint32_t bit = UINT32_C(1) << counter;

        if ((set->allowed[event] & ~*closed & bit) == 0)
            continue;
        *closed |= bit;
        if (set->owner[counter] < 0 || rotation_place(set, (unsigned)set->owner[counter], closed)) {
            rotation_own(set, event, counter);
            return true;
        }
    }
    return false;
}

void cs_rotation_set_clear(cs_rotation_set *set)
{
    set->nr = 0;
    memset(set->owner, -1, sizeof set->owner);
}

bool cs_rotation_set_add(cs_rotation_set *set, uint32_t allowed)
{
    uint32_t closed = 0;

    if (set->nr == CS_ROTATION_MAX_COUNTERS)
        return false;
    set->allowed[set->nr] = allowed;
    if (!rotation_place(set, set->nr, &closed))
        return false;
    set->nr++;
    return true;
}

/* `event`, which has none, takes the counter if whoever has it finds another one; `fixed` ones are
 * left alone. */
static bool rotation_take(cs_rotation_set *set, unsigned event, unsigned counter, uint32_t fixed)
{
    uint32_t closed = fixed | UINT32_C(1) << counter;
    const int owner = set->owner[counter];

    if (owner >= 0 && !rotation_place(set, (unsigned)owner, &closed))
        return false;
    rotation_own(set, event, counter);
    return true;
}

void cs_rotation_set_lowest(cs_rotation_set *set)
{
    uint32_t fixed = 0;

    for (unsigned event = 0; event < set->nr; event++) {
        unsigned counter = 0;

        set->owner[set->counter_of[event]] = -1;
        while ((set->allowed[event] & ~fixed & UINT32_C(1) << counter) == 0 ||
               !rotation_take(set, event, counter, fixed))
            counter++;
        fixed |= UINT32_C(1) << counter;
    }
}
