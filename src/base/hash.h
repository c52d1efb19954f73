// SPDX-License-Identifier: Apache-2.0
/* Internal to base: a fixed 64-bit mixing function (xor-shift and multiply, one
 * to one). Its bits are part of the format of random streams. */
#ifndef CS_BASE_HASH_H
#define CS_BASE_HASH_H

#include <stdint.h>

/* 2^64 divided by the golden ratio: steps that are far apart once mixed. */
#define CS_HASH_STEP 0x9e3779b97f4a7c15u

static inline uint64_t cs_hash_mix(uint64_t x)
{
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93u;
    x ^= x >> 29;
    x *= 0xa0761d6478bd642fu;
    return x ^ x >> 32;
}

#endif
