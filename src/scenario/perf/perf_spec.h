// SPDX-License-Identifier: Apache-2.0
/* A perf command of a scenario, as section perf has it (perf_lower.h). */
#ifndef CS_SCENARIO_PERF_PERF_SPEC_H
#define CS_SCENARIO_PERF_PERF_SPEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "scenario/limits.h"

typedef enum cs_perf_mode {
    CS_PERF_USER,
    CS_PERF_KERNEL,
    CS_PERF_HV,
    CS_PERF_HOST,
    CS_PERF_GUEST,
    CS_PERF_MODES
} cs_perf_mode;

#define CS_PERF_MODE_BIT(mode) (1u << (mode))

#define CS_PERF_DEFAULT_FREQ 4000u /* of perf record */

typedef struct cs_perf_command_spec {
    const char **stat, **record; /* what -e takes; one of the two lists is empty */
    size_t nr_stat, nr_record;
    const char **pmus; /* in place of those that the events name */
    size_t nr_pmus;
    char partition[CS_NAME_BYTES];
    uint64_t start_us, stop_us, interval_us;
    bool cpus[CS_MAX_CPUS];
    uint64_t period, freq; /* of record; 0: not given */
    uint32_t exclude;      /* CS_PERF_MODE_BIT of each */
    bool callchain, guest, guest_events, mmapped;
    char pid[256];
    bool inherit, task, per_socket, privileged;
} cs_perf_command_spec;

#endif
