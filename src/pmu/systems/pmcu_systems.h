// SPDX-License-Identifier: Apache-2.0
/* A scenario's PMCU as a PMU of the system. */
#ifndef CS_PMU_SYSTEMS_PMCU_SYSTEMS_H
#define CS_PMU_SYSTEMS_PMCU_SYSTEMS_H

#include <sys/types.h>

#include "scenario/build.h"
#include "software/perf/pmcu/pmcu_pmu.h"

/* What the PMU points at. */
typedef struct cs_pmu_pmcu cs_pmu_pmcu;

/* Fills in *system, of this type. *out is NULL where the scenario has no events for a PMCU
 * (pmcu_driver.user_events). CS_ERR_NO_MEMORY. */
cs_status cs_pmu_pmcu_system(const cs_scenario *scenario, unsigned nr_cpus, uint32_t type,
                             cs_pmu_pmcu **out, cs_perf_system *system, cs_diag *diag);
void cs_pmu_pmcu_destroy(cs_pmu_pmcu *pmcu); /* NULL is allowed */
/* The process that sees the file user_events; what is in it counts from then on. */
void cs_pmu_pmcu_set_program(cs_pmu_pmcu *pmcu, pid_t program);

#endif
