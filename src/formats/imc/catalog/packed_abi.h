// SPDX-License-Identifier: Apache-2.0
/* What reader and writer of packed catalogs share: docs/drivers/imc_catalog.md, "In firmware". All numbers
 * are big-endian words of 32 bits. */
#ifndef CS_FORMATS_IMC_CATALOG_PACKED_ABI_H
#define CS_FORMATS_IMC_CATALOG_PACKED_ABI_H

#include <stddef.h>
#include <stdint.h>

#define FFS_MAGIC "PART"
#define FFS_HEADER 48u /* 7 words, 4 that are reserved, and the exclusive or of all of them */
#define FFS_ENTRY 128u
#define FFS_NAME 16u

enum ffs_header {
    FFS_VERSION = 4,
    FFS_SIZE = 8,
    FFS_ENTRY_SIZE = 12,
    FFS_ENTRIES = 16,
    FFS_BLOCK = 20,
    FFS_BLOCKS = 24,
    FFS_CHECKSUM = 44
};
enum ffs_entry {
    FFS_BASE = 16,
    FFS_LENGTH = 20,
    FFS_PARENT = 24,
    FFS_ID = 28,
    FFS_TYPE = 32,
    FFS_ACTUAL = 40,
    FFS_INTEGRITY = 62, /* 16 bits, of which the highest says ECC */
    FFS_ENTRY_CHECKSUM = 124
};

#define IMA_NAME "IMA_CATALOG"
#define IMA_MAGIC "IMA"  /* with its 0; in an image nobody looks at it */
#define IMA_BUILT "IMCC" /* what IBM's own build of a partition writes there */
#define IMA_HEADER 4096u /* magic, version, then 3 words a catalog: id, offset, bytes */
#define IMA_ROW 12u
#define IMA_FIRST_ROW 8u

static inline uint32_t word_at(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static inline void put_word(uint8_t *bytes, uint32_t value)
{
    for (unsigned i = 0; i < 4; i++)
        bytes[i] = (uint8_t)(value >> (24 - 8 * i));
}

static inline uint32_t exclusive_or(const uint8_t *bytes, size_t count)
{
    uint32_t sum = 0;

    for (size_t i = 0; i < count; i += 4)
        sum ^= word_at(bytes + i);
    return sum;
}

#endif
