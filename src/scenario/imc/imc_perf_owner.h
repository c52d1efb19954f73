// SPDX-License-Identifier: Apache-2.0
/* Commands of section perf on PMUs of IMC. */
#ifndef CS_SCENARIO_IMC_IMC_PERF_OWNER_H
#define CS_SCENARIO_IMC_IMC_PERF_OWNER_H

#include "scenario/perf/perf_owner.h"

extern const cs_perf_owner cs_imc_perf_owner;

#endif
