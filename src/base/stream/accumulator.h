// SPDX-License-Identifier: Apache-2.0
/* Internal to base. The phase accumulator: floor((t * p + phase) / q) without
 * overflow for t <= CS_STREAM_END, p / q <= 255 and q <= CS_RATE_MOST_DIVISOR. */
#ifndef CS_BASE_ACCUMULATOR_H
#define CS_BASE_ACCUMULATOR_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/wide.h"
#include <countersink/base/stream/stream.h>

typedef struct cs_accumulator {
    uint64_t p;
    uint64_t q;
    uint64_t phase; /* < q */
    uint64_t whole; /* p / q */
    uint64_t rest;  /* p % q */
} cs_accumulator;

static inline cs_accumulator cs_accumulator_of(uint64_t p, uint64_t q, uint64_t phase)
{
    return (cs_accumulator){.p = p, .q = q, .phase = phase, .whole = p / q, .rest = p % q};
}

/* floor((t * rest + phase) / q) and, in *remainder, what is left. */
static inline uint64_t cs_accumulator_carries(const cs_accumulator *acc, uint64_t t,
                                              uint64_t *remainder)
{
    uint64_t product;

    if (acc->rest == 0) {
        *remainder = acc->phase;
        return 0;
    }
    if (!__builtin_mul_overflow(t, acc->rest, &product) &&
        !__builtin_add_overflow(product, acc->phase, &product)) {
        *remainder = product % acc->q;
        return product / acc->q;
    }
    cs_u128 wide = (cs_u128)t * acc->rest + acc->phase;
    uint64_t quotient = (uint64_t)(wide / acc->q);
    *remainder = (uint64_t)(wide - (cs_u128)quotient * acc->q);
    return quotient;
}

static inline uint64_t cs_accumulator_prefix(const cs_accumulator *acc, uint64_t t)
{
    uint64_t remainder;

    return t * acc->whole + cs_accumulator_carries(acc, t, &remainder);
}

/* The least t whose prefix is >= target; CS_NEVER where it is beyond
 * CS_STREAM_END. */
static inline cs_cycle cs_accumulator_find(const cs_accumulator *acc, uint64_t target)
{
    if (target == 0)
        return 0;
    if (acc->p == 0)
        return CS_NEVER;

    /* t * p + phase >= target * q; phase < q keeps the difference positive. */
    cs_u128 wide = (cs_u128)target * acc->q - acc->phase;
    cs_u128 t;
    if (wide <= UINT64_MAX - acc->p)
        t = ((uint64_t)wide + acc->p - 1) / acc->p;
    else
        t = wide / acc->p + (wide % acc->p != 0);
    return t <= CS_STREAM_END ? (cs_cycle)t : CS_NEVER;
}

static inline void cs_accumulator_increments(const cs_accumulator *acc, uint64_t first, size_t n,
                                             uint8_t out[])
{
    uint64_t remainder;

    if (acc->rest == 0) {
        memset(out, (int)acc->whole, n);
        return;
    }
    cs_accumulator_carries(acc, first, &remainder);
    for (size_t i = 0; i < n; i++) {
        remainder += acc->rest;
        uint64_t carry = remainder >= acc->q;
        remainder -= carry ? acc->q : 0;
        out[i] = (uint8_t)(acc->whole + carry);
    }
}

#endif
