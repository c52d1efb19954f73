// SPDX-License-Identifier: Apache-2.0
/* The CPUs of a perf command on the cores' own PMUs. */
#ifndef CS_SCENARIO_COREPMU_PERF_CPUS_H
#define CS_SCENARIO_COREPMU_PERF_CPUS_H

#include "scenario/check.h"

#ifdef __cplusplus
extern "C" {
#endif

/* perf opens events on online CPUs alone; "all", or a key that is not given, means these. */
cs_status cs_check_perf_cpus(cs_check *check, const char *key, bool cpus[CS_MAX_CPUS]);

/* The events of such a command: at least one, each one of an Arm core; warns of silent ones. */
cs_status cs_check_perf_events(cs_check *check, const char *key, const char *kind,
                               const uint32_t *events, unsigned nr, unsigned ignored);

#ifdef __cplusplus
}
#endif

#endif
