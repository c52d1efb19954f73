// SPDX-License-Identifier: Apache-2.0
/* Commands of section perf on Arm cores. */
#ifndef CS_SCENARIO_COREPMU_ARM_PERF_OWNER_H
#define CS_SCENARIO_COREPMU_ARM_PERF_OWNER_H

#include "scenario/perf/perf_owner.h"

extern const cs_perf_owner cs_arm_perf_owner;

#endif
