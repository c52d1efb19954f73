/* Internal: big endian numbers in bytes. */
#ifndef CS_FORMATS_BIG_H
#define CS_FORMATS_BIG_H

#include <stdint.h>

static inline uint32_t cs_big_get32(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 |
           (uint32_t)bytes[3];
}

static inline uint64_t cs_big_get64(const uint8_t *bytes)
{
    return (uint64_t)cs_big_get32(bytes) << 32 | cs_big_get32(bytes + 4);
}

static inline void cs_big_put32(uint8_t *bytes, uint32_t value)
{
    for (unsigned i = 0; i < 4; i++)
        bytes[i] = (uint8_t)(value >> (24 - 8 * i));
}

static inline void cs_big_put64(uint8_t *bytes, uint64_t value)
{
    cs_big_put32(bytes, (uint32_t)(value >> 32));
    cs_big_put32(bytes + 4, (uint32_t)value);
}

#endif
