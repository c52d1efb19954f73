// SPDX-License-Identifier: Apache-2.0
#include "traces/timeline/view_unit.h"

#define ROW(name) &cs_view_unit_##name,
static const cs_view_unit *const units[] = {CS_VIEW_UNITS(ROW)};
#undef ROW

const cs_view_unit *cs_view_unit_at(size_t nr)
{
    return nr < CS_VIEW_COUNT(units) ? units[nr] : NULL;
}

const cs_view_unit *cs_view_unit_of(unsigned unit)
{
    for (size_t i = 0; i < CS_VIEW_COUNT(units); i++)
        if (unit >= units[i]->first && unit - units[i]->first < units[i]->count)
            return units[i];
    return NULL;
}

const cs_view_unit *cs_view_unit_hearing(const cs_soft_kind *kind)
{
    for (size_t i = 0; i < CS_VIEW_COUNT(units); i++)
        if (units[i]->soft == kind)
            return units[i];
    return NULL;
}
