// SPDX-License-Identifier: Apache-2.0
/* Uncore units on timelines have the names that the scenario gives them. */
#include <stdio.h>

#include "scenario/uncore/uncore_spec.h"
#include "traces/timeline/view_unit.h"

static bool name(const cs_scenario *s, unsigned unit, char *out, size_t size)
{
    for (size_t i = 0; i < s->uncore->nr_units; i++)
        if (unit == CS_UNIT_UNCORE(cs_uncore_place(&s->uncore->units[i]))) {
            snprintf(out, size, "uncore %.32s", s->uncore->units[i].name);
            return true;
        }
    return false;
}

const cs_view_unit cs_view_unit_uncore = {
    .first = CS_UNIT_UNCORE(0),
    .count = CS_MAX_UNCORE,
    .name = name,
};
