// SPDX-License-Identifier: Apache-2.0
#include "drivers/rotation/rotation_impl.h"

#define CALM_ENOUGH 4u

/* The least divider with 100 x cost <= limit x divider; 0 does as 1 does. limit <= UINT64_MAX / 100. */
static uint64_t need_of(uint64_t cost, uint64_t limit)
{
    const uint64_t whole = cost / limit, rest = 100 * (cost % limit);

    if (whole > UINT32_MAX)
        return UINT64_MAX; /* beyond all dividers */
    return 100 * whole + rest / limit + (rest % limit != 0);
}

void cs_rotation_adapt(const cs_rotation *rotation, cs_rotation_turns *list)
{
    const uint64_t need = need_of(list->cost, rotation->limit);
    const uint64_t divider = list->divider;

    if (need > divider) {
        list->calm = 0;
        list->divider =
            divider > rotation->most_divider / 2 ? rotation->most_divider : 2 * list->divider;
    } else if (need > divider / 2) {
        list->calm = 0;
    } else if (++list->calm == CALM_ENOUGH) {
        list->calm = 0;
        list->divider =
            list->divider / 2 > list->least_divider ? list->divider / 2 : list->least_divider;
    }
}
