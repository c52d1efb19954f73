// SPDX-License-Identifier: Apache-2.0
/* What the kernel's IMC driver says to a perf event: which it refuses, and with which error; and to a
 * record of trace mode. */
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

/* The rule of validity (docs/drivers/imc_driver.md, "Dump"); *before: tb1 of the record before, 0 before
 * the first. False: the scan ends. */
bool cs_imc_takes_record(uint64_t tb1, uint64_t tb2, uint64_t *before);
/* CS_PERF_MISC_.. of its mode: POWER10's records say it (in `val`), of POWER9's the address does. */
uint16_t cs_imc_record_misc(bool power10, uint64_t ip, uint64_t val);

#ifdef __cplusplus
}
#endif

#endif
