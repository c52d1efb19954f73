// SPDX-License-Identifier: Apache-2.0
/* IOMMUs and who goes through them. */
#include "report/panels.h"

static const cs_report_query die[] = {
    {"iommu_units", "iommu",
     "SELECT 'iommu ' || name AS name, counters, width, accesses, wrong, lost FROM iommu ORDER BY "
     "iommu",
     0},
    {0},
};

const cs_report_panel cs_report_of_iommu_hpm[] = {
    {"die", CS_REPORT_DIE, NULL, NULL, NULL, NULL, die},
    {0},
};
