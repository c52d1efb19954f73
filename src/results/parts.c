// SPDX-License-Identifier: Apache-2.0
#include "results/parts.h"

#define ROW(name) &cs_part_##name,
const cs_part *const cs_parts[CS_NR_PARTS] = {CS_PARTS(ROW)};
#undef ROW

size_t cs_parts_of_view(cs_part_view view, cs_part_number out[CS_NR_PARTS])
{
    size_t n = 0;

    for (unsigned part = 0; part < CS_NR_PARTS; part++) {
        const unsigned place = cs_parts[part]->place[view];
        size_t at = n;

        if (place == 0)
            continue;
        for (; at > 0 && cs_parts[out[at - 1]]->place[view] > place; at--)
            out[at] = out[at - 1];
        out[at] = (cs_part_number)part;
        n++;
    }
    return n;
}
