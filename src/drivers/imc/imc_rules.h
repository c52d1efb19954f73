// SPDX-License-Identifier: Apache-2.0
/* What the kernel's IMC driver says to a perf event: which it refuses, and with which error. */
#ifndef CS_DRIVERS_IMC_IMC_RULES_H
#define CS_DRIVERS_IMC_IMC_RULES_H

#include <stdbool.h>
#include <stdint.h>

#include "scenario/imc/imc_driver_spec.h"

#ifdef __cplusplus
extern "C" {
#endif

/* As the kernel returns them, without the sign. */
typedef enum cs_imc_error {
    CS_IMC_GOOD = 0,
    CS_IMC_ENOENT = 2,
    CS_IMC_EACCES = 13,
    CS_IMC_EBUSY = 16,
    CS_IMC_ENODEV = 19,
    CS_IMC_EINVAL = 22
} cs_imc_error;

/* One event as perf opens it. */
typedef struct cs_imc_request {
    cs_perf_pmu pmu;
    uint64_t config;
    uint32_t size; /* of the unit's memory */
    uint64_t sample_period;
    bool exclude;
    bool task; /* no CPU: counts a task */
    bool privileged;
    const char *missing; /* why there is no PMU for it; NULL: there is one */
    cs_perf_pmu active;  /* core, thread or trace that is in use in the whole system; 0: none */
} cs_imc_request;

/* The first rule that refuses it; *reason (may be NULL) says why, in words. */
cs_imc_error cs_imc_event_init(const cs_imc_request *request, const char **reason);

const char *cs_imc_error_name(cs_imc_error error); /* "EINVAL" */

#ifdef __cplusplus
}
#endif

#endif
