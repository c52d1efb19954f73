// SPDX-License-Identifier: Apache-2.0
/* Internal: little endian numbers in bytes. */
#ifndef CS_FORMATS_COMMON_LITTLE_H
#define CS_FORMATS_COMMON_LITTLE_H

#include <stdint.h>

static inline uint32_t cs_little_get32(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
           (uint32_t)bytes[3] << 24;
}

static inline uint64_t cs_little_get64(const uint8_t *bytes)
{
    return cs_little_get32(bytes) | (uint64_t)cs_little_get32(bytes + 4) << 32;
}

static inline void cs_little_put32(uint8_t *bytes, uint32_t value)
{
    for (unsigned i = 0; i < 4; i++)
        bytes[i] = (uint8_t)(value >> (8 * i));
}

static inline void cs_little_put64(uint8_t *bytes, uint64_t value)
{
    cs_little_put32(bytes, (uint32_t)value);
    cs_little_put32(bytes + 4, (uint32_t)(value >> 32));
}

#endif
