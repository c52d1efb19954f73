// SPDX-License-Identifier: Apache-2.0
/* A sweep as its file says it (docs/uses/sweeps.md): a scenario, and keys that take one value after the
 * other. Every combination is a point. */
#ifndef CS_SWEEP_PLAN_H
#define CS_SWEEP_PLAN_H

#include <stddef.h>
#include <stdint.h>

#include <countersink/base/diag.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CS_SWEEP_MOST_AXES 16u
#define CS_SWEEP_MOST_KEYS 32u /* that vary */
#define CS_SWEEP_MOST_SETS 64u
#define CS_SWEEP_MOST_POINTS 1000000u
#define CS_SWEEP_MOST_FIGURES 32u

typedef struct cs_sweep_value {
    const char *shown;      /* one line */
    const char *assignment; /* "key=VALUE", as --set takes it; NULL: the key is left as it is */
} cs_sweep_value;

/* Keys that change together; one where there is no zipping. */
typedef struct cs_sweep_axis {
    const char *keys[CS_SWEEP_MOST_KEYS];
    cs_sweep_value *values[CS_SWEEP_MOST_KEYS]; /* `count` of each key */
    size_t nr_keys;
    size_t count;
} cs_sweep_axis;

struct cs_yaml;

typedef struct cs_sweep_plan {
    const char *path; /* of the file */
    const char *name;
    const char *about;    /* "": nothing is said */
    const char *scenario; /* its path, from where we are */
    uint64_t seed;        /* of random values */
    const char *sets[CS_SWEEP_MOST_SETS];
    size_t nr_sets;
    cs_sweep_axis axes[CS_SWEEP_MOST_AXES];
    size_t nr_axes;
    size_t nr_keys; /* of all axes */
    size_t nr_points;
    const char *figures[CS_SWEEP_MOST_FIGURES]; /* that are shown; none: the usual ones */
    size_t nr_figures;
    const char *text; /* of the file */
    const char
        *what; /* the same without comments, and without what is only said or shown: two plans
                         with the same do the same */
    struct cs_yaml *memory;
} cs_sweep_plan;

/* Reads the file. `sets`, which are kept by reference, come behind those of its `set`. Errors as of
 * scenarios (scenario/load.h). */
cs_status cs_sweep_load(const char *path, const char *const sets[], size_t nr_sets,
                        cs_sweep_plan *plan, cs_diag *diag);
void cs_sweep_unload(cs_sweep_plan *plan);

/* The key-th key of all axes, and its value at a point. The last axis changes quickest. */
const char *cs_sweep_key(const cs_sweep_plan *plan, size_t key);
const cs_sweep_value *cs_sweep_value_at(const cs_sweep_plan *plan, size_t point, size_t key);

/* All assignments of a point; those that vary come last. */
size_t cs_sweep_sets(const cs_sweep_plan *plan, size_t point,
                     const char *out[CS_SWEEP_MOST_SETS + CS_SWEEP_MOST_KEYS]);

#ifdef __cplusplus
}
#endif

#endif
