// SPDX-License-Identifier: Apache-2.0
/* Kinds of a timeline's events. */
#include "check/families.h"

const cs_timeline_kind *cs_timeline_kind_at(size_t nr)
{
    for (size_t i = 0; i < CS_CHECK_NR_FAMILIES; i++) {
        if (nr < cs_check_families[i]->nr_kinds)
            return &cs_check_families[i]->kinds[nr];
        nr -= cs_check_families[i]->nr_kinds;
    }
    return NULL;
}
