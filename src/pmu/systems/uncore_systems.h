// SPDX-License-Identifier: Apache-2.0
/* A scenario's uncore units as PMUs of the system. */
#ifndef CS_PMU_SYSTEMS_UNCORE_SYSTEMS_H
#define CS_PMU_SYSTEMS_UNCORE_SYSTEMS_H

#include "scenario/build.h"
#include "software/perf/uncore/uncore_pmu.h"

/* One for each unit, in the scenario's order; `first_type` is the type of the first. units[] is what they
 * point at; both have room for CS_MAX_UNCORE. CS_ERR_SCENARIO: a unit that has no PMU here. */
cs_status cs_pmu_uncore_systems(const cs_scenario *scenario, cs_timelines *timelines,
                                uint32_t first_type, cs_perf_uncore units[],
                                cs_perf_system systems[], size_t *nr_systems, cs_diag *diag);

#endif
