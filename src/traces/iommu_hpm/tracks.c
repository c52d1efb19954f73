// SPDX-License-Identifier: Apache-2.0
/* IOMMUs on timelines have the names that the scenario gives them. */
#include <stdio.h>

#include "scenario/iommu_hpm/iommu_hpm_spec.h"
#include "scenario/scenario.h"
#include "traces/timeline/view_unit.h"

static bool name(const cs_scenario *s, unsigned unit, char *out, size_t size)
{
    const unsigned number = unit - CS_UNIT_IOMMU(0);

    if (number >= s->iommu_hpm->nr_units)
        return false;
    snprintf(out, size, "iommu %.32s", s->iommu_hpm->units[number].name);
    return true;
}

const cs_view_unit cs_view_unit_iommu_hpm = {
    .first = CS_UNIT_IOMMU(0),
    .count = CS_MAX_IOMMUS,
    .name = name,
};
