// SPDX-License-Identifier: Apache-2.0
/* Numbers by chance, the same on every machine. */
#ifndef CS_FOREIGN_RANDOM_H
#define CS_FOREIGN_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"

typedef struct cs_foreign_random {
    uint64_t state;
} cs_foreign_random;

static inline uint64_t cs_foreign_bits(cs_foreign_random *random)
{
    random->state += CS_HASH_STEP;
    return cs_hash_mix(random->state);
}

/* 0 .. n - 1. */
static inline uint64_t cs_foreign_below(cs_foreign_random *random, uint64_t n)
{
    return cs_foreign_bits(random) % n;
}

static inline bool cs_foreign_one_in(cs_foreign_random *random, uint64_t n)
{
    return cs_foreign_below(random, n) == 0;
}

#endif
