// SPDX-License-Identifier: Apache-2.0
/* Internal to check: a number of 128 bits that tells the rows of a table, in whatever order they come.
 * Tables of the same rows have the same; by chance two others have it once in 2^128 times. Nothing,
 * numbers and texts are told apart. */
#ifndef CS_CHECK_ROW_HASH_H
#define CS_CHECK_ROW_HASH_H

#include <stdint.h>
#include <string.h>

#include "base/hash.h"

#define CS_ROW_LANES 2u

/* Of one row, value by value. */
typedef struct cs_row_hash {
    uint64_t lanes[CS_ROW_LANES];
} cs_row_hash;

/* Of all rows. */
typedef struct cs_rows_sum {
    uint64_t sums[CS_ROW_LANES];
    uint64_t rows;
} cs_rows_sum;

typedef enum cs_row_type { CS_ROW_NOTHING, CS_ROW_NUMBER, CS_ROW_REAL, CS_ROW_TEXT } cs_row_type;

static inline cs_row_hash cs_row_begin(void)
{
    return (cs_row_hash){{1, 2}};
}

static inline void cs_row_add(cs_row_hash *row, cs_row_type type, uint64_t value)
{
    for (unsigned lane = 0; lane < CS_ROW_LANES; lane++)
        row->lanes[lane] =
            cs_hash_mix((row->lanes[lane] ^ value) + (type + UINT64_C(1)) * CS_HASH_STEP);
}

static inline void cs_row_add_text(cs_row_hash *row, const char *text, size_t bytes)
{
    uint64_t word;
    size_t at = 0;

    for (; bytes - at >= sizeof word; at += sizeof word) {
        memcpy(&word, text + at, sizeof word);
        cs_row_add(row, CS_ROW_TEXT, word);
    }
    word = bytes << 56; /* at most 7 bytes are left */
    memcpy(&word, text + at, bytes - at);
    cs_row_add(row, CS_ROW_TEXT, word);
}

static inline void cs_rows_add(cs_rows_sum *rows, const cs_row_hash *row)
{
    for (unsigned lane = 0; lane < CS_ROW_LANES; lane++)
        rows->sums[lane] += row->lanes[lane];
    rows->rows++;
}

#endif
