// SPDX-License-Identifier: Apache-2.0
/* Commands of section perf on PMCUs. */
#ifndef CS_SCENARIO_PMCU_PMCU_PERF_OWNER_H
#define CS_SCENARIO_PMCU_PMCU_PERF_OWNER_H

#include "scenario/perf/perf_owner.h"

extern const cs_perf_owner cs_pmcu_perf_owner;

#endif
