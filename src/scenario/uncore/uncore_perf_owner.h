// SPDX-License-Identifier: Apache-2.0
/* Commands of section perf on uncore units. */
#ifndef CS_SCENARIO_UNCORE_UNCORE_PERF_OWNER_H
#define CS_SCENARIO_UNCORE_UNCORE_PERF_OWNER_H

#include "scenario/perf/perf_owner.h"

extern const cs_perf_owner cs_uncore_perf_owner;

#endif
