// SPDX-License-Identifier: Apache-2.0
/* The PMUs of a scenario's catalog (docs/drivers/imc_catalog.md): those of the nest and of cores. */
#ifndef CS_PMU_SYSTEMS_IMC_SYSTEMS_H
#define CS_PMU_SYSTEMS_IMC_SYSTEMS_H

#include "scenario/build.h"
#include "software/perf/machine.h"

/* What the PMUs point at. */
typedef struct cs_pmu_imc cs_pmu_imc;

/* One for each unit that the firmware leaves in the catalog, from systems[*nr] on, which has room for
 * CS_PERF_MOST_SYSTEMS; their types are first_type + their places there. *out is NULL where the scenario
 * has no such hardware. CS_ERR_SCENARIO: more than there is room for; CS_ERR_NO_MEMORY. */
cs_status cs_pmu_imc_systems(const cs_scenario *scenario, cs_timelines *timelines, unsigned nr_cpus,
                             uint32_t first_type, cs_pmu_imc **out, cs_perf_system systems[],
                             size_t *nr, cs_diag *diag);
void cs_pmu_imc_destroy(cs_pmu_imc *imc); /* NULL is allowed */

#endif
