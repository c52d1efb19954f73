// SPDX-License-Identifier: Apache-2.0
#include "formats/damage/damage.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct worker {
    const cs_damage_layout *layout;
    const uint8_t *bytes;
    size_t size;
    uint64_t random; /* state */
    uint8_t *out;
    size_t out_size;
    cs_damage_report *report;
} worker;

/* splitmix64: the same numbers everywhere. */
static uint64_t draw(worker *work)
{
    uint64_t z = work->random += UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static size_t below(worker *work, size_t limit)
{
    return (size_t)(draw(work) % limit);
}

__attribute__((format(printf, 2, 3))) static void say(worker *work, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(work->report->words, sizeof work->report->words, format, arguments);
    va_end(arguments);
}

/* bytes[offset .. + before) become `after` bytes at `with`. */
static bool replace(worker *work, uint64_t offset, uint64_t before, const uint8_t *with,
                    uint64_t after)
{
    cs_damage_report *report = work->report;
    const size_t rest = work->size - (size_t)(offset + before);

    work->out_size = (size_t)offset + (size_t)after + rest;
    work->out = malloc(work->out_size > 0 ? work->out_size : 1);
    if (work->out == NULL)
        return false;
    memcpy(work->out, work->bytes, (size_t)offset);
    if (after > 0)
        memcpy(work->out + offset, with, (size_t)after);
    memcpy(work->out + offset + after, work->bytes + offset + before, rest);
    report->offset = offset;
    report->before_bytes = before;
    report->after_bytes = after;
    for (uint64_t i = 0; i < before && i < CS_DAMAGE_SHOWN_BYTES; i++)
        report->before[i] = work->bytes[offset + i];
    for (uint64_t i = 0; i < after && i < CS_DAMAGE_SHOWN_BYTES; i++)
        report->after[i] = with[i];
    return true;
}

static const char *truncate_end(worker *work)
{
    if (work->size == 0)
        return "an empty file has no end to cut off";
    const size_t keep = below(work, work->size);

    say(work, "the file ends at byte %zu, %zu bytes are missing", keep, work->size - keep);
    replace(work, keep, work->size - keep, NULL, 0);
    return NULL;
}

static const char *drop(worker *work)
{
    if (work->layout->nr_records == 0)
        return "there is no record to leave out";
    const size_t i = below(work, work->layout->nr_records);
    const cs_damage_record *record = &work->layout->records[i];

    say(work, "record %zu (%" PRIu64 " bytes at byte %" PRIu64 ") is missing", i, record->bytes,
        record->offset);
    replace(work, record->offset, record->bytes, NULL, 0);
    return NULL;
}

static const char *duplicate(worker *work)
{
    if (work->layout->nr_records == 0)
        return "there is no record to double";
    const size_t i = below(work, work->layout->nr_records);
    const cs_damage_record *record = &work->layout->records[i];

    say(work, "record %zu (%" PRIu64 " bytes at byte %" PRIu64 ") is there twice", i, record->bytes,
        record->offset);
    replace(work, record->offset + record->bytes, 0, work->bytes + record->offset, record->bytes);
    return NULL;
}

/* Whether two stretches read the same in either order. */
static bool differ(const worker *work, const cs_damage_record *a, const cs_damage_record *b)
{
    return a->bytes != b->bytes ||
           memcmp(work->bytes + a->offset, work->bytes + b->offset, (size_t)a->bytes) != 0;
}

/* A place of `tries` where two records in a row are not the same. */
static bool find_pair(worker *work, size_t *first)
{
    const size_t pairs = work->layout->nr_records < 2 ? 0 : work->layout->nr_records - 1;
    const size_t begin = pairs > 0 ? below(work, pairs) : 0;

    for (size_t i = 0; i < pairs; i++) {
        *first = (begin + i) % pairs;
        if (differ(work, &work->layout->records[*first], &work->layout->records[*first + 1]))
            return true;
    }
    return false;
}

static const char *reorder(worker *work)
{
    size_t i;

    if (!find_pair(work, &i))
        return "there are no two different records in a row";
    const cs_damage_record *a = &work->layout->records[i], *b = a + 1;
    const uint64_t whole = b->offset + b->bytes - a->offset;
    const uint64_t gap = b->offset - (a->offset + a->bytes);
    uint8_t *turned = malloc((size_t)whole);

    if (turned == NULL)
        return NULL;
    memcpy(turned, work->bytes + b->offset, (size_t)b->bytes);
    memcpy(turned + b->bytes, work->bytes + a->offset + a->bytes, (size_t)gap);
    memcpy(turned + b->bytes + gap, work->bytes + a->offset, (size_t)a->bytes);
    say(work, "records %zu and %zu (from byte %" PRIu64 " on) have changed places", i, i + 1,
        a->offset);
    replace(work, a->offset, whole, turned, whole);
    free(turned);
    return NULL;
}

/* The later record begins within the earlier one, whose end is lost. */
static const char *overlap(worker *work)
{
    if (work->layout->nr_records < 2)
        return "there are no two records in a row";
    const size_t i = below(work, work->layout->nr_records - 1);
    const cs_damage_record *a = &work->layout->records[i], *b = a + 1;
    if (a->bytes < 2)
        return "the records are too short to overlap";
    /* Whole words, where there are some: as two writers do who disagree about a pointer. */
    const uint64_t unit = a->bytes > 8 ? 8 : 1;
    const uint64_t lost = unit * (1 + below(work, (size_t)((a->bytes - 1) / unit)));
    const uint64_t from = a->offset + a->bytes - lost;

    say(work, "record %zu (at byte %" PRIu64 ") lies over the last %" PRIu64 " bytes of record %zu",
        i + 1, b->offset, lost, i);
    replace(work, from, b->offset + b->bytes - from, work->bytes + b->offset, b->bytes);
    return NULL;
}

static const char *flip(worker *work)
{
    size_t at, in = 0;
    const cs_damage_layout *layout = work->layout;

    if (work->size == 0)
        return "an empty file has no bits";
    if (layout->nr_records > 0) {
        in = below(work, layout->nr_records);
        at = (size_t)(layout->records[in].offset + below(work, (size_t)layout->records[in].bytes));
    } else {
        at = below(work, work->size);
    }
    const unsigned bit = (unsigned)below(work, 8);
    const uint8_t turned = (uint8_t)(work->bytes[at] ^ 1u << bit);

    if (layout->nr_records > 0)
        say(work, "bit %u of byte %zu is turned (record %zu, its byte %" PRIu64 ")", bit, at, in,
            at - layout->records[in].offset);
    else
        say(work, "bit %u of byte %zu is turned", bit, at);
    replace(work, at, 1, &turned, 1);
    return NULL;
}

static const char *zero(worker *work)
{
    static const uint8_t zeros[256];
    size_t at = work->size > 0 ? below(work, work->size) : 0;

    for (size_t i = 0; i < work->size && work->bytes[at] == 0; i++)
        at = (at + 1) % work->size;
    if (work->size == 0 || work->bytes[at] == 0)
        return "there is no byte that is not zero";
    size_t bytes = 1 + below(work, sizeof zeros);
    if (bytes > work->size - at)
        bytes = work->size - at;
    say(work, "%zu bytes from byte %zu on are zero", bytes, at);
    replace(work, at, bytes, zeros, bytes);
    return NULL;
}

/* ---- numbers that lie ---- */

static uint64_t get(const worker *work, uint64_t at, unsigned bytes)
{
    uint64_t value = 0;

    for (unsigned i = 0; i < bytes; i++)
        value = value << 8 | work->bytes[at + (work->layout->big_endian ? i : bytes - 1 - i)];
    return value;
}

/* Small, large, a little off, and as large as can be. */
static uint64_t lie(worker *work, uint64_t truth, unsigned bytes)
{
    const uint64_t mask = bytes == 8 ? UINT64_MAX : (UINT64_C(1) << 8 * bytes) - 1;
    const uint64_t lies[] = {0,
                             1,
                             truth + 1,
                             truth - 1,
                             truth + 8,
                             truth - 8,
                             truth << 1,
                             truth / 2,
                             mask,
                             mask >> 1,
                             mask - 7,
                             truth + 64,
                             work->size,
                             (uint64_t)work->size + 1,
                             UINT64_C(1) << (8 * bytes - 8),
                             truth ^ draw(work)};
    const size_t nr_lies = sizeof lies / sizeof lies[0];
    const size_t begin = below(work, nr_lies);

    for (size_t i = 0; i < nr_lies; i++)
        if ((lies[(begin + i) % nr_lies] & mask) != (truth & mask))
            return lies[(begin + i) % nr_lies] & mask;
    return ~truth & mask;
}

static void tell_lie(worker *work, uint64_t at, unsigned bytes, const char *what)
{
    const uint64_t truth = get(work, at, bytes);
    const uint64_t value = lie(work, truth, bytes);
    uint8_t laid[8];

    for (unsigned i = 0; i < bytes; i++)
        laid[work->layout->big_endian ? bytes - 1 - i : i] = (uint8_t)(value >> 8 * i);
    say(work, "%s (at byte %" PRIu64 ") says %" PRIu64 " instead of %" PRIu64, what, at, value,
        truth);
    replace(work, at, bytes, laid, bytes);
}

static const char *header(worker *work)
{
    const cs_damage_layout *layout = work->layout;

    if (layout->nr_fields == 0)
        return "the format has no header";
    const cs_damage_field *field = &layout->fields[below(work, layout->nr_fields)];
    tell_lie(work, field->offset, field->bytes, field->name);
    return NULL;
}

static const char *size_of_record(worker *work)
{
    const cs_damage_layout *layout = work->layout;
    char what[64];

    if (!layout->has_size)
        return "the format's records have no size in them";
    if (layout->nr_records == 0)
        return "there is no record";
    const size_t i = below(work, layout->nr_records);
    snprintf(what, sizeof what, "the size of record %zu", i);
    tell_lie(work, layout->records[i].offset + layout->size_at, 2, what);
    return NULL;
}

/* ---- all of them ---- */

static const struct damage {
    const char *name;
    const char *(*make)(worker *work); /* NULL, or why it cannot be */
    bool mended;
} damages[CS_NR_DAMAGES] = {
    [CS_DAMAGE_TRUNCATE] = {"truncate", truncate_end, false},
    [CS_DAMAGE_DROP] = {"drop", drop, true},
    [CS_DAMAGE_DUPLICATE] = {"duplicate", duplicate, true},
    [CS_DAMAGE_REORDER] = {"reorder", reorder, true},
    [CS_DAMAGE_OVERLAP] = {"overlap", overlap, true},
    [CS_DAMAGE_FLIP] = {"flip", flip, false},
    [CS_DAMAGE_ZERO] = {"zero", zero, false},
    [CS_DAMAGE_HEADER] = {"header", header, false},
    [CS_DAMAGE_SIZE] = {"size", size_of_record, false},
};

const char *cs_damage_name(cs_damage_kind kind)
{
    return (unsigned)kind < CS_NR_DAMAGES ? damages[kind].name : "?";
}

cs_status cs_damage_of(const char *text, cs_damage_kind *kind, uint64_t *seed, cs_diag *diag)
{
    const size_t length = strcspn(text, ":");
    char *end = NULL;

    *seed = 1;
    if (text[length] == ':') {
        const char *digits = text + length + 1;

        errno = 0;
        *seed = strtoull(digits, &end, 0);
        if (*digits < '0' || *digits > '9' || *end != '\0' || errno != 0)
            return cs_diag_set(diag, CS_ERR_RANGE, NULL, "found '%s', expected a seed behind ':'",
                               text);
    }
    for (unsigned i = 0; i < CS_NR_DAMAGES; i++)
        if (strlen(damages[i].name) == length && strncmp(damages[i].name, text, length) == 0) {
            *kind = (cs_damage_kind)i;
            return CS_OK;
        }
    return cs_diag_set(diag, CS_ERR_RANGE, NULL,
                       "found '%s', expected truncate, drop, duplicate, reorder, overlap, flip, "
                       "zero, header or size",
                       text);
}

cs_status cs_damage_make(const cs_damage_layout *layout, cs_damage_kind kind, uint64_t seed,
                         const uint8_t *bytes, size_t size, uint8_t **out, size_t *out_size,
                         cs_damage_report *report, cs_diag *diag)
{
    worker work = {.layout = layout,
                   .bytes = bytes,
                   .size = size,
                   .random = seed * CS_NR_DAMAGES + (uint64_t)kind,
                   .report = report};

    *out = NULL;
    *out_size = 0;
    *report = (cs_damage_report){.kind = kind, .seed = seed, .size_before = size};
    const char *why = damages[kind].make(&work);
    if (why != NULL)
        return cs_diag_set(diag, CS_ERR_RANGE, NULL, "%s is not possible here (%s): %s",
                           damages[kind].name, layout->format, why);
    if (work.out == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for %zu bytes", size);
    if (damages[kind].mended && layout->mend != NULL)
        layout->mend(work.out, work.out_size, report->offset + report->before_bytes,
                     (int64_t)work.out_size - (int64_t)size);
    report->size_after = work.out_size;
    *out = work.out;
    *out_size = work.out_size;
    return CS_OK;
}

const char *cs_damage_hex(const uint8_t *data, uint64_t bytes, char text[CS_DAMAGE_HEX_BYTES])
{
    *text = '\0';
    for (uint64_t i = 0; i < bytes && i < CS_DAMAGE_SHOWN_BYTES; i++)
        snprintf(text + 2 * i, 3, "%02x", data[i]);
    return text;
}

const char *cs_damage_json(const cs_damage_report *report, char *text, size_t size)
{
    char before[CS_DAMAGE_HEX_BYTES], after[CS_DAMAGE_HEX_BYTES];

    snprintf(text, size,
             "{\"kind\": \"%s\", \"seed\": %" PRIu64 ", \"words\": \"%s\", \"offset\": %" PRIu64
             ", \"before_bytes\": %" PRIu64 ", \"after_bytes\": %" PRIu64
             ", \"before\": \"%s\", \"after\": \"%s\", \"size_before\": %" PRIu64
             ", \"size_after\": %" PRIu64 "}",
             cs_damage_name(report->kind), report->seed, report->words, report->offset,
             report->before_bytes, report->after_bytes,
             cs_damage_hex(report->before, report->before_bytes, before),
             cs_damage_hex(report->after, report->after_bytes, after), report->size_before,
             report->size_after);
    return text;
}
