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

/* A counter of `width` bits that is full. Now and then a narrower one, most often by one bit: a carry goes no
 * further than it has to, and is no overflow before the end. */
static inline uint64_t cs_foreign_full(cs_foreign_random *random, unsigned width)
{
    if (width > 1 && cs_foreign_one_in(random, 8))
        width =
            cs_foreign_one_in(random, 2) ? width - 1 : 1 + (unsigned)cs_foreign_below(random, 64);
    return UINT64_MAX >> (64 - width);
}

#endif
