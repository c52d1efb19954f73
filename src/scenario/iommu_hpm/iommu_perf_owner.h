// SPDX-License-Identifier: Apache-2.0
/* Commands of section perf on IOMMUs. */
#ifndef CS_SCENARIO_IOMMU_HPM_IOMMU_PERF_OWNER_H
#define CS_SCENARIO_IOMMU_HPM_IOMMU_PERF_OWNER_H

#include "scenario/perf/perf_owner.h"

extern const cs_perf_owner cs_iommu_perf_owner;

#endif
