// SPDX-License-Identifier: Apache-2.0
/* A core PMU's registers, as far as they say who counts what: made of the accesses that somebody has made,
 * or everybody. */
#ifndef CS_RESULTS_COREPMU_IMAGE_H
#define CS_RESULTS_COREPMU_IMAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "scenario/corepmu/corepmu_spec.h"
#include <countersink/base/probe/probe.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CS_IMAGE_COUNTERS 32u /* the last is the cycle counter */

typedef struct cs_pmu_image {
    uint32_t enabled;
    uint32_t pmcr;
    uint32_t type[CS_IMAGE_COUNTERS];
    uint64_t value[CS_IMAGE_COUNTERS];
} cs_pmu_image;

/* A register access, whoever made it, without the layout of its map. */
typedef enum cs_pmu_register {
    CS_PMU_OTHER,
    CS_PMU_COUNTER, /* with `counter`; `high`: of 32-bit accesses */
    CS_PMU_TYPE,
    CS_PMU_SET,
    CS_PMU_CLEAR,
    CS_PMU_FLAGS, /* PMOVSCLR */
    CS_PMU_CONTROL
} cs_pmu_register;

typedef struct cs_pmu_access {
    cs_pmu_register what;
    unsigned counter;
    bool write, wide, high;
    uint64_t value;
    uint32_t visible; /* counters that whoever it is sees */
} cs_pmu_access;

/* `system`: of the core itself. */
cs_pmu_access cs_pmu_access_of(const cs_corepmu_spec *spec, bool system,
                               const cs_probe_record *record);

/* The counters that a write gives a value, whose increment of the effect cycle is lost. */
uint32_t cs_pmu_valued(const cs_pmu_access *access);

/* The write's effect. */
void cs_pmu_image_write(cs_pmu_image *image, const cs_pmu_access *access);

/* Counters that count, filters aside. */
uint32_t cs_pmu_image_counting(const cs_pmu_image *image, const cs_corepmu_spec *spec, bool hpme);

#ifdef __cplusplus
}
#endif

#endif
