// SPDX-License-Identifier: Apache-2.0
/* What `check` must know of IOMMUs. */
#include "check/family.h"
#include "scenario/section_list.h"

static const cs_section *const sections[] = {&cs_section_iommu_driver, NULL};

static const cs_check_counted rotated = {
    .own = "pmu IN (SELECT name FROM truth.iommu)",
    .name = "printf('%s/event=0x%x%s/', pmu, event, CASE instr(name, ',') WHEN 0 THEN '' ELSE "
            "substr(name, instr(name, ',')) END)"};

/* Perfetto has their names, the truth their numbers. */
static const char *const resolve_perfetto[] = {
    "UPDATE process SET unit=coalesce((SELECT 'iommu '||i.iommu FROM truth.iommu i WHERE "
    "substr(i.name,1,32)=substr(process.name,7)), name) WHERE name LIKE 'iommu %'",
    NULL};

const cs_check_family cs_check_iommu_hpm = {
    .sections = sections, .rotated = &rotated, .resolve_perfetto = resolve_perfetto};
