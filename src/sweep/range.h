// SPDX-License-Identifier: Apache-2.0
/* Internal to sweep. The values of a key that a map says: {from, to} with `step`, with `count` or with
 * `random`, linear or on a logarithmic scale. */
#ifndef CS_SWEEP_RANGE_H
#define CS_SWEEP_RANGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "scenario/yaml/yaml.h"

#define CS_SWEEP_RANGE_TEXT 40u

typedef struct cs_sweep_range {
    double from;
    double to;
    double step; /* 0: `count` of them, evenly */
    size_t count;
    bool whole; /* numbers without a fraction */
    bool log;
    bool random;
    uint64_t seed;
} cs_sweep_range;

/* `key`: whose values they are; each has random ones of its own. */
cs_status cs_sweep_range_read(const cs_yaml_node *map, const char *key, uint64_t seed,
                              cs_sweep_range *out, cs_diag *diag);

/* The i-th value, as a scenario has it. Returns `text`. */
const char *cs_sweep_range_text(const cs_sweep_range *range, size_t i,
                                char text[CS_SWEEP_RANGE_TEXT]);

#endif
