// SPDX-License-Identifier: Apache-2.0
/* Where the records and the header's numbers of a file are, for damage.h. Finding them is all that
 * is known of a format here: nothing is checked, and what cannot be is left out. */
#ifndef CS_FORMATS_DAMAGE_LAYOUT_H
#define CS_FORMATS_DAMAGE_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "formats/formats.h"
#include <countersink/base/diag.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cs_damage_record {
    uint64_t offset;
    uint64_t bytes;
} cs_damage_record;

/* A number in the header. */
typedef struct cs_damage_field {
    uint64_t offset;
    unsigned bytes; /* 2, 4 or 8 */
    const char *name;
} cs_damage_field;

#define CS_DAMAGE_MOST_FIELDS 24u

typedef struct cs_damage_layout {
    const char *format; /* its name; "lines", "bytes" */
    bool big_endian;    /* its numbers */
    cs_damage_record *records;
    size_t nr_records;
    cs_damage_field fields[CS_DAMAGE_MOST_FIELDS];
    size_t nr_fields;
    bool has_size;    /* each record has its size in two bytes .. */
    unsigned size_at; /* .. at this byte of it */
    /* Puts right what the header says of sizes, after `delta` bytes more (or fewer) in the records;
     * the bytes behind `from` have moved. NULL: nothing does. */
    void (*mend)(uint8_t *bytes, size_t size, uint64_t from, int64_t delta);
} cs_damage_layout;

/* Finds the records of `bytes` as format `as`: one of the list that has some, "lines" or "bytes" (blocks of
 * 64); NULL: told from the bytes. CS_ERR_RANGE: no such format; CS_ERR_NO_MEMORY. */
cs_status cs_damage_layout_of(const char *as, const uint8_t *bytes, size_t size,
                              cs_damage_layout *out, cs_diag *diag);
void cs_damage_layout_free(cs_damage_layout *layout);

/* What `as` may be, in one line; returns `out`. */
const char *cs_damage_formats(char out[CS_FORMAT_NAMES_BYTES]);

#ifdef __cplusplus
}
#endif

#endif
