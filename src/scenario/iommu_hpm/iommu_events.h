// SPDX-License-Identifier: Apache-2.0
/* The standard events of an IOMMU, by number and by name (docs/hw/iommu_hpm.md). */
#ifndef CS_SCENARIO_IOMMU_HPM_IOMMU_EVENTS_H
#define CS_SCENARIO_IOMMU_HPM_IOMMU_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CS_IOMMU_CYCLES 0u /* what iohpmcycles counts, as an event of perf */
#define CS_IOMMU_EVENTS 8u /* 1..8 */

/* "iommu_hpm:tlb_miss"; NULL: there is no such event. */
const char *cs_iommu_event_name(uint32_t number);
bool cs_iommu_event_number(const char *name, uint32_t *number);
/* Transactions have a GSCID and a PSCID when it happens. */
bool cs_iommu_event_has_gscid(uint32_t number);

#ifdef __cplusplus
}
#endif

#endif
