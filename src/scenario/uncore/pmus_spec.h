// SPDX-License-Identifier: Apache-2.0
/* The PMUs of the whole system, by address. */
#ifndef CS_SCENARIO_UNCORE_PMUS_SPEC_H
#define CS_SCENARIO_UNCORE_PMUS_SPEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "scenario/limits.h"

#define CS_MAX_PMU_PLACES 64u

/* Places that have the same PMUs. */
typedef struct cs_pmu_place_spec {
    char at[CS_PMU_TEXT_BYTES];
    struct cs_pmu_kind *units;
    size_t nr_units;
} cs_pmu_place_spec;

typedef struct cs_pmus_spec {
    struct cs_pmu_level *levels;
    size_t nr_levels;
    cs_pmu_place_spec *places;
    size_t nr_places;
    struct cs_pmu_tree *tree; /* of both, and of uncore units with a path; never NULL */
} cs_pmus_spec;

#endif
