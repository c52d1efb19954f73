// SPDX-License-Identifier: Apache-2.0
/* Commands of section perf on harts. */
#ifndef CS_SCENARIO_HPM_RISCV_PERF_OWNER_H
#define CS_SCENARIO_HPM_RISCV_PERF_OWNER_H

#include "scenario/perf/perf_owner.h"

extern const cs_perf_owner cs_riscv_perf_owner;

#endif
