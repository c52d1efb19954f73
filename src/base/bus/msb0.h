// SPDX-License-Identifier: Apache-2.0
/* POWER's bit numbers in 64-bit words: bit 0 is the most significant (2^63), bit 63 the least.
 * A field is named by its first and its last bit, as the manuals write it ("8:50"), so that
 * first <= last <= 63 and first is its most significant bit. */
#ifndef CS_BASE_MSB0_H
#define CS_BASE_MSB0_H

#include <stdint.h>

#include "base/require.h"

/* The bits first:last set, all others clear. */
static inline uint64_t cs_msb0_mask(unsigned first, unsigned last)
{
    CS_REQUIRE(first <= last && last <= 63, "bits %u:%u: must be within 0:63", first, last);
    return UINT64_MAX >> first & UINT64_MAX << (63 - last);
}

/* The field, right-justified. */
static inline uint64_t cs_msb0(uint64_t value, unsigned first, unsigned last)
{
    return (value & cs_msb0_mask(first, last)) >> (63 - last);
}

/* `value` with the field replaced; bits of `field` above its width are dropped. */
static inline uint64_t cs_msb0_put(uint64_t value, unsigned first, unsigned last, uint64_t field)
{
    uint64_t mask = cs_msb0_mask(first, last);

    return (value & ~mask) | (field << (63 - last) & mask);
}

#endif
