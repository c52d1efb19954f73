// SPDX-License-Identifier: Apache-2.0
/* Damages the bytes of a file on purpose, so that readers can be tried on what happens to files:
 * the same bytes, layout, kind and seed give the same damage on every machine. The damage is told
 * exactly, in numbers and in words, as what a test expects a reader to find.
 *
 * Where the layout (layout.h) knows the format's records, whole records are lost, doubled,
 * swapped or made to overlap, and what counts them in the header is put right: the file looks
 * whole, and only what is in it is wrong. */
#ifndef CS_FORMATS_DAMAGE_DAMAGE_H
#define CS_FORMATS_DAMAGE_DAMAGE_H

#include <stddef.h>
#include <stdint.h>

#include "formats/damage/layout.h"
#include <countersink/base/diag.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum cs_damage_kind {
    CS_DAMAGE_TRUNCATE,  /* the end is cut off, at any byte */
    CS_DAMAGE_DROP,      /* a record is missing */
    CS_DAMAGE_DUPLICATE, /* a record is there twice */
    CS_DAMAGE_REORDER,   /* two records have changed places */
    CS_DAMAGE_OVERLAP,   /* a record is written over the end of the one before it */
    CS_DAMAGE_FLIP,      /* a bit of a record is turned */
    CS_DAMAGE_ZERO,      /* a stretch of bytes reads as zero */
    CS_DAMAGE_HEADER,    /* a number of the header lies */
    CS_DAMAGE_SIZE,      /* a record's size lies (of formats whose records have one) */
    CS_NR_DAMAGES
} cs_damage_kind;

#define CS_DAMAGE_SHOWN_BYTES 32u
#define CS_DAMAGE_WORDS_BYTES 256u

typedef struct cs_damage_report {
    cs_damage_kind kind;
    uint64_t seed;
    uint64_t size_before; /* of the file */
    uint64_t size_after;
    uint64_t offset;                       /* the first byte that is not as it was */
    uint64_t before_bytes;                 /* so many bytes from there on became .. */
    uint64_t after_bytes;                  /* .. so many; the rest of the file follows as it was */
    uint8_t before[CS_DAMAGE_SHOWN_BYTES]; /* the first of them */
    uint8_t after[CS_DAMAGE_SHOWN_BYTES];
    char words[CS_DAMAGE_WORDS_BYTES]; /* "record 7 (64 bytes at byte 448) is missing" */
} cs_damage_report;

const char *cs_damage_name(cs_damage_kind kind); /* "truncate" */

/* "drop" or "drop:17" (the seed, else 1). CS_ERR_RANGE names what is expected. */
cs_status cs_damage_of(const char *text, cs_damage_kind *kind, uint64_t *seed, cs_diag *diag);

/* Damages bytes[0..size) into *out (to be freed with free) of *out_size bytes, never equal to what
 * came in. CS_ERR_RANGE: this kind is not possible here (too few records, no header, no size), with
 * the reason. */
cs_status cs_damage_make(const cs_damage_layout *layout, cs_damage_kind kind, uint64_t seed,
                         const uint8_t *bytes, size_t size, uint8_t **out, size_t *out_size,
                         cs_damage_report *report, cs_diag *diag);

/* The same from file to file; `in` and `out` may be the same. The layout is `as`, or told from the
 * bytes for NULL. Errors also of the files. */
cs_status cs_damage_file(const char *in, const char *out, const char *as, cs_damage_kind kind,
                         uint64_t seed, cs_damage_report *report, cs_diag *diag);

/* The first bytes as "0a1b", as many as are shown; returns text. */
#define CS_DAMAGE_HEX_BYTES (2 * CS_DAMAGE_SHOWN_BYTES + 1)
const char *cs_damage_hex(const uint8_t *data, uint64_t bytes, char text[CS_DAMAGE_HEX_BYTES]);

/* The report as one JSON object, NUL terminated; returns text. 1 KiB is enough. */
const char *cs_damage_json(const cs_damage_report *report, char *text, size_t size);

#ifdef __cplusplus
}
#endif

#endif
