// SPDX-License-Identifier: Apache-2.0
/* IOMMUs, and the transactions that come to them: what their monitors count (docs/hw/iommu_hpm.md). */
#ifndef CS_SCENARIO_IOMMU_HPM_IOMMU_HPM_SPEC_H
#define CS_SCENARIO_IOMMU_HPM_IOMMU_HPM_SPEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "scenario/limits.h"
#include <countersink/base/numbers.h>

#define CS_IOMMU_SOURCES 16u /* of an IOMMU: the records of a cycle */

/* A device with the address space that it works in: all its transactions have these IDs. */
typedef struct cs_iommu_source_spec {
    char name[CS_NAME_BYTES];
    uint32_t device_id;
    uint32_t process_id, gscid, pscid;
    bool has_process, has_gscid, has_pscid;
    struct cs_segment_spec *segments;
    size_t nr_segments;
} cs_iommu_source_spec;

typedef struct cs_iommu_spec {
    char name[CS_NAME_BYTES];
    unsigned counters;
    unsigned width;
    unsigned access_cycles; /* of its bridge */
    cs_iommu_source_spec *sources;
    size_t nr_sources;
    unsigned first_source; /* among those of all IOMMUs */
} cs_iommu_spec;

typedef struct cs_iommu_hpm_spec {
    cs_iommu_spec *units;
    size_t nr_units;
} cs_iommu_hpm_spec;

#endif
