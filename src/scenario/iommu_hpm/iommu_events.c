// SPDX-License-Identifier: Apache-2.0
#include "scenario/iommu_hpm/iommu_events.h"

#include <stddef.h>
#include <string.h>

static const char *const names[] = {
    "iommu_hpm:cycles",        "iommu_hpm:untranslated_req", "iommu_hpm:translated_req",
    "iommu_hpm:ats_trans_req", "iommu_hpm:tlb_miss",         "iommu_hpm:ddt_walks",
    "iommu_hpm:pdt_walks",     "iommu_hpm:s_vs_pt_walks",    "iommu_hpm:g_pt_walks",
};

const char *cs_iommu_event_name(uint32_t number)
{
    return number < sizeof names / sizeof names[0] ? names[number] : NULL;
}

bool cs_iommu_event_number(const char *name, uint32_t *number)
{
    for (uint32_t i = 0; cs_iommu_event_name(i) != NULL; i++)
        if (strcmp(names[i], name) == 0) {
            *number = i;
            return true;
        }
    return false;
}

bool cs_iommu_event_has_gscid(uint32_t number)
{
    return number == 4 || number == 7 || number == 8;
}
