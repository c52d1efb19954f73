// SPDX-License-Identifier: Apache-2.0
#include "formats/perf/read/cursor.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "formats/perf/read/data.h"

static uint64_t get(const uint8_t *bytes, unsigned count, bool big_endian)
{
    uint64_t value = 0;

    for (unsigned i = 0; i < count; i++)
        value = value << 8 | bytes[big_endian ? i : count - 1 - i];
    return value;
}

uint16_t cs_perfread_get16(const uint8_t *bytes, bool big_endian)
{
    return (uint16_t)get(bytes, 2, big_endian);
}

uint32_t cs_perfread_get32(const uint8_t *bytes, bool big_endian)
{
    return (uint32_t)get(bytes, 4, big_endian);
}

uint64_t cs_perfread_get64(const uint8_t *bytes, bool big_endian)
{
    return get(bytes, 8, big_endian);
}

uint64_t cs_perfread_word(const cs_perfread_words *words, size_t i)
{
    return cs_perfread_get64(words->bytes + 8 * i, words->big_endian);
}

void cs_perfread_wrong(cs_perfread_cursor *cursor, size_t at, cs_status status, const char *format,
                       ...)
{
    va_list arguments;

    if (cursor->failed)
        return;
    cursor->failed = true;
    cursor->status = status;
    int used = snprintf(cursor->why, sizeof cursor->why, "byte %" PRIu64 ": ", cursor->base + at);
    va_start(arguments, format);
    vsnprintf(cursor->why + used, sizeof cursor->why - (size_t)used, format, arguments);
    va_end(arguments);
}

/* Room for `bytes` of `field`; the bytes, or NULL. */
static const uint8_t *take(cs_perfread_cursor *cursor, uint64_t bytes, const char *field)
{
    if (cursor->failed)
        return NULL;
    if (cursor->size - cursor->at < bytes) {
        cs_perfread_wrong(cursor, cursor->at, CS_ERR_FORMAT,
                          "%s takes %" PRIu64 " bytes, there are %zu", field, bytes,
                          cursor->size - cursor->at);
        return NULL;
    }
    const uint8_t *found = cursor->bytes + cursor->at;
    cursor->at += (size_t)bytes;
    return found;
}

uint16_t cs_perfread_take16(cs_perfread_cursor *cursor, const char *field)
{
    const uint8_t *bytes = take(cursor, 2, field);

    return bytes != NULL ? cs_perfread_get16(bytes, cursor->big_endian) : 0;
}

uint32_t cs_perfread_take32(cs_perfread_cursor *cursor, const char *field)
{
    const uint8_t *bytes = take(cursor, 4, field);

    return bytes != NULL ? cs_perfread_get32(bytes, cursor->big_endian) : 0;
}

uint64_t cs_perfread_take64(cs_perfread_cursor *cursor, const char *field)
{
    const uint8_t *bytes = take(cursor, 8, field);

    return bytes != NULL ? cs_perfread_get64(bytes, cursor->big_endian) : 0;
}

cs_perfread_words cs_perfread_take_words(cs_perfread_cursor *cursor, uint64_t count,
                                         const char *field)
{
    if (!cursor->failed && count > UINT64_MAX / 8)
        cs_perfread_wrong(cursor, cursor->at, CS_ERR_FORMAT,
                          "%s are %" PRIu64 " words of 8 bytes, there are %zu bytes", field, count,
                          cursor->size - cursor->at);
    const uint8_t *bytes = take(cursor, 8 * count, field);

    return (cs_perfread_words){.bytes = bytes,
                               .count = bytes != NULL ? (size_t)count : 0,
                               .big_endian = cursor->big_endian};
}

cs_perfread_blob cs_perfread_take_blob(cs_perfread_cursor *cursor, uint64_t bytes,
                                       const char *field)
{
    const uint8_t *found = take(cursor, bytes, field);

    return (cs_perfread_blob){.bytes = found, .count = found != NULL ? (size_t)bytes : 0};
}

const char *cs_perfread_take_name(cs_perfread_cursor *cursor, size_t end, const char *field)
{
    if (cursor->failed)
        return "";
    if (end > cursor->size || cursor->at > end ||
        memchr(cursor->bytes + cursor->at, 0, end - cursor->at) == NULL) {
        cs_perfread_wrong(cursor, cursor->at, CS_ERR_FORMAT, "%s has no NUL in its %zu bytes",
                          field, end > cursor->at && end <= cursor->size ? end - cursor->at : 0);
        return "";
    }
    const char *name = (const char *)cursor->bytes + cursor->at;
    cursor->at = end;
    return name;
}

const char *cs_perfread_take_string(cs_perfread_cursor *cursor, const char *field)
{
    const size_t begin = cursor->at;
    const uint32_t bytes = cs_perfread_take32(cursor, field);

    if (bytes > CS_PERFREAD_MOST_STRING_BYTES)
        cs_perfread_wrong(cursor, begin, CS_ERR_FORMAT,
                          "%s is a string of %" PRIu32 " bytes, expected at most %" PRIu32, field,
                          bytes, CS_PERFREAD_MOST_STRING_BYTES);
    if (!cursor->failed && bytes > cursor->size - cursor->at)
        cs_perfread_wrong(cursor, begin, CS_ERR_FORMAT,
                          "%s is a string of %" PRIu32 " bytes, there are %zu", field, bytes,
                          cursor->size - cursor->at);
    return cs_perfread_take_name(cursor, cursor->at + bytes, field);
}

cs_status cs_perfread_judge(const cs_perfread_cursor *cursor, const char *file, const char *what,
                            cs_diag *diag)
{
    if (!cursor->failed)
        return CS_OK;
    return cs_diag_set(diag, cursor->status, file, "%s (%s at byte %" PRIu64 ")", cursor->why, what,
                       cursor->base);
}
