// SPDX-License-Identifier: Apache-2.0
/* Commands of section perf on the PMUs of POWER cores. */
#ifndef CS_SCENARIO_IMC_PMI_PERF_OWNER_H
#define CS_SCENARIO_IMC_PMI_PERF_OWNER_H

#include "scenario/perf/perf_owner.h"

extern const cs_perf_owner cs_pmi_perf_owner;

#endif
