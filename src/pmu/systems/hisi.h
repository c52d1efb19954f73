// SPDX-License-Identifier: Apache-2.0
/* HiSilicon's units off the cores. */
#ifndef CS_PMU_SYSTEMS_HISI_H
#define CS_PMU_SYSTEMS_HISI_H

#include <sys/types.h>

#include "scenario/build.h"
#include "software/perf/machine.h"

/* What their PMUs point at. */
typedef struct cs_pmu_hisi cs_pmu_hisi;

/* From systems[*nr] on, which has room for CS_PERF_MOST_SYSTEMS; types are first_type + their places
 * there. CS_ERR_SCENARIO: a unit that has no PMU here; CS_ERR_NO_MEMORY; *out is NULL then. */
cs_status cs_pmu_hisi_systems(const cs_scenario *scenario, cs_timelines *timelines,
                              unsigned nr_cpus, uint32_t first_type, cs_pmu_hisi **out,
                              cs_perf_system systems[], size_t *nr, cs_diag *diag);
void cs_pmu_hisi_destroy(cs_pmu_hisi *hisi); /* NULL is allowed */
/* The process that sees the PMUs' files; what it writes there counts from then on. */
void cs_pmu_hisi_set_program(cs_pmu_hisi *hisi, pid_t program);

#endif
