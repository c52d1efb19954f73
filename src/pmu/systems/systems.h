// SPDX-License-Identifier: Apache-2.0
/* PMUs of the system that a scenario has: units off the cores. */
#ifndef CS_PMU_SYSTEMS_SYSTEMS_H
#define CS_PMU_SYSTEMS_SYSTEMS_H

#include <stdbool.h>
#include <sys/types.h>

#include "scenario/build.h"
#include "software/perf/machine.h"

typedef struct cs_pmu_systems cs_pmu_systems;

/* The scenario and its timelines must outlive them. CS_ERR_SCENARIO: a unit that has no PMU here;
 * CS_ERR_NO_MEMORY; *out is NULL then. */
cs_status cs_pmu_systems_create(const cs_scenario *scenario, cs_timelines *timelines,
                                unsigned nr_cpus, cs_pmu_systems **out, cs_diag *diag);
void cs_pmu_systems_destroy(cs_pmu_systems *systems); /* NULL is allowed */

const cs_perf_system *cs_pmu_systems_list(const cs_pmu_systems *systems, size_t *nr);
/* There is no such PMU any more. False: there was none. */
bool cs_pmu_systems_remove(cs_pmu_systems *systems, const char *name);
/* What this process has written into files of PMUs counts from now on. */
void cs_pmu_systems_set_program(cs_pmu_systems *systems, pid_t program);

#endif
