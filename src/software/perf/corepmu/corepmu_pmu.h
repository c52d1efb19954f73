// SPDX-License-Identifier: Apache-2.0
/* A core's PMU, inside perf. */
#ifndef CS_SOFTWARE_PERF_COREPMU_PMU_H
#define CS_SOFTWARE_PERF_COREPMU_PMU_H

#include "software/perf/counters/counters.h"
#include <countersink/models/corepmu/corepmu.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CS_PERF_CORE_CYCLES 0x11u /* CPU_CYCLES, Arm's number */

extern const cs_perf_core_driver cs_perf_corepmu_driver;

const cs_perf_core *cs_perf_corepmu_core(const cs_pmu *pmu);
int cs_perf_corepmu_event_init(cs_pmu *pmu, cs_perf_event *event);

#ifdef __cplusplus
}
#endif

#endif
