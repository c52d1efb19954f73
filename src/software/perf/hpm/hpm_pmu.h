// SPDX-License-Identifier: Apache-2.0
#ifndef CS_SOFTWARE_PERF_HPM_PMU_H
#define CS_SOFTWARE_PERF_HPM_PMU_H

#include "software/perf/pmu.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const cs_perf_core_driver cs_perf_hpm_driver;

#ifdef __cplusplus
}
#endif

#endif
