// SPDX-License-Identifier: Apache-2.0
/* Internal: numbers out of bytes, in the file's byte order, with the end watched. The first field
 * that does not fit, and the first value that cannot be, is remembered; from then on all is 0. So
 * a record is taken apart without a test a field, and judged once. */
#ifndef CS_FORMATS_PERF_READ_CURSOR_H
#define CS_FORMATS_PERF_READ_CURSOR_H

#include "formats/perf/read/record.h"
#include <countersink/base/diag.h>

typedef struct cs_perfread_cursor {
    const uint8_t *bytes;
    size_t size;
    size_t at;
    uint64_t base; /* of bytes[0] in the file */
    bool big_endian;
    bool failed;
    cs_status status;
    char why[256];
} cs_perfread_cursor;

uint16_t cs_perfread_get16(const uint8_t *bytes, bool big_endian);
uint32_t cs_perfread_get32(const uint8_t *bytes, bool big_endian);
uint64_t cs_perfread_get64(const uint8_t *bytes, bool big_endian);

static inline cs_perfread_cursor cs_perfread_cursor_of(const uint8_t *bytes, size_t size,
                                                       uint64_t base, bool big_endian)
{
    return (cs_perfread_cursor){
        .bytes = bytes, .size = size, .base = base, .big_endian = big_endian};
}

static inline size_t cs_perfread_left(const cs_perfread_cursor *cursor)
{
    return cursor->failed ? 0 : cursor->size - cursor->at;
}

/* `field` names what is read; a literal. */
uint16_t cs_perfread_take16(cs_perfread_cursor *cursor, const char *field);
uint32_t cs_perfread_take32(cs_perfread_cursor *cursor, const char *field);
uint64_t cs_perfread_take64(cs_perfread_cursor *cursor, const char *field);
cs_perfread_words cs_perfread_take_words(cs_perfread_cursor *cursor, uint64_t count,
                                         const char *field);
cs_perfread_blob cs_perfread_take_blob(cs_perfread_cursor *cursor, uint64_t bytes,
                                       const char *field);

/* The bytes up to `end` as a string, which has to have its NUL in them. */
const char *cs_perfread_take_name(cs_perfread_cursor *cursor, size_t end, const char *field);

/* Like the string of a feature: its length in 32 bits, then as many bytes. */
const char *cs_perfread_take_string(cs_perfread_cursor *cursor, const char *field);

/* Something is wrong at byte `at` of the cursor; the first is kept. */
void cs_perfread_wrong(cs_perfread_cursor *cursor, size_t at, cs_status status, const char *format,
                       ...) __attribute__((format(printf, 4, 5)));

/* CS_OK, or what failed, as "byte N: .. (`what` at byte M)". */
cs_status cs_perfread_judge(const cs_perfread_cursor *cursor, const char *file, const char *what,
                            cs_diag *diag);

#endif
