// SPDX-License-Identifier: Apache-2.0
#include "formats/perfetto/write/json.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "formats/perfetto/write/limits.h"

/* JavaScript's numbers are exact up to here. */
#define MOST_EXACT (UINT64_C(1) << 53)
#define NUMBER_BYTES 64

static void flush(cs_perfetto *t)
{
    if (t->status == CS_OK && t->held > 0)
        t->status = t->sink.write(t->sink.ctx, t->buffer, t->held);
    t->held = 0;
}

static void put(cs_perfetto *t, const char *text, size_t bytes)
{
    while (bytes > sizeof t->buffer - t->held) {
        const size_t part = sizeof t->buffer - t->held;

        memcpy(t->buffer + t->held, text, part);
        t->held += part;
        text += part;
        bytes -= part;
        flush(t);
    }
    memcpy(t->buffer + t->held, text, bytes);
    t->held += bytes;
}

static void puts_of(cs_perfetto *t, const char *text)
{
    put(t, text, strlen(text));
}

/* ---- values ---- */

/* Digits are written from the last to the first, without printf: events by the million. */
static void put_decimal(cs_perfetto *t, uint64_t number)
{
    char digits[NUMBER_BYTES];
    char *p = digits + sizeof digits;

    do {
        *--p = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    put(t, p, (size_t)(digits + sizeof digits - p));
}

static void put_hex(cs_perfetto *t, uint64_t number)
{
    char digits[NUMBER_BYTES];
    char *p = digits + sizeof digits;

    *--p = '"';
    do {
        *--p = "0123456789abcdef"[number % 16];
        number /= 16;
    } while (number > 0);
    *--p = 'x';
    *--p = '0';
    *--p = '"';
    put(t, p, (size_t)(digits + sizeof digits - p));
}

/* Bytes of the UTF-8 sequence at `c`, which ends at a NUL at the latest; 0: it is none. */
static unsigned sequence(const unsigned char *c)
{
    static const unsigned char least[] = {0, 0, 0x80, 0xa0, 0x90}; /* second bytes of E0, F0 */
    const unsigned bytes = *c < 0x80   ? 1
                           : *c < 0xc2 ? 0
                           : *c < 0xe0 ? 2
                           : *c < 0xf0 ? 3
                           : *c < 0xf5 ? 4
                                       : 0;

    for (unsigned i = 1; i < bytes; i++)
        if ((c[i] & 0xc0) != 0x80)
            return 0;
    if ((*c == 0xe0 || *c == 0xf0) && c[1] < least[bytes])
        return 0; /* longer than need be */
    if ((*c == 0xed && c[1] > 0x9f) || (*c == 0xf4 && c[1] > 0x8f))
        return 0; /* a surrogate; above U+10FFFF */
    return bytes;
}

/* Bytes from `c` on that stand in JSON as they are. */
static size_t plain(const unsigned char *c)
{
    size_t bytes = 0;

    while (c[bytes] >= 0x20 && c[bytes] < 0x80 && c[bytes] != '"' && c[bytes] != '\\')
        bytes++;
    return bytes;
}

static void put_text(cs_perfetto *t, const char *text)
{
    const unsigned char *c = (const unsigned char *)text;
    char escape[8];

    put(t, "\"", 1);
    for (;;) {
        const size_t run = plain(c);

        put(t, (const char *)c, run);
        c += run;
        if (*c == '\0')
            break;
        const unsigned bytes = sequence(c);
        if (bytes == 0) {
            puts_of(t, "\\ufffd");
        } else if (bytes == 1) {
            snprintf(escape, sizeof escape, "\\u%04x", *c);
            puts_of(t, escape);
        } else {
            put(t, (const char *)c, bytes);
        }
        c += bytes != 0 ? bytes : 1;
    }
    put(t, "\"", 1);
}

static void put_number(cs_perfetto *t, uint64_t number)
{
    const bool as_text = number > MOST_EXACT;

    if (as_text)
        puts_of(t, "\"");
    put_decimal(t, number);
    if (as_text)
        puts_of(t, "\"");
}

static void put_signed(cs_perfetto *t, int64_t number)
{
    char text[NUMBER_BYTES];
    const bool as_text = number > (int64_t)MOST_EXACT || number < -(int64_t)MOST_EXACT;

    snprintf(text, sizeof text, as_text ? "\"%" PRId64 "\"" : "%" PRId64, number);
    puts_of(t, text);
}

static void put_enum(cs_perfetto *t, const cs_field *field, uint64_t number)
{
    for (size_t i = 0; i < field->nr_labels; i++)
        if (field->labels[i].value == number) {
            put_text(t, field->labels[i].name);
            return;
        }
    put_number(t, number);
}

static void put_value(cs_perfetto *t, const cs_field *field, cs_field_value value)
{
    switch (field->kind) {
    case CS_FIELD_DECIMAL:
        put_number(t, value.number);
        break;
    case CS_FIELD_HEX:
        put_hex(t, value.number);
        break;
    case CS_FIELD_SIGNED:
        put_signed(t, (int64_t)value.number);
        break;
    case CS_FIELD_ENUM:
        put_enum(t, field, value.number);
        break;
    case CS_FIELD_TEXT:
        put_text(t, value.text);
        break;
    }
}

static void put_object(cs_perfetto *t, const cs_perfetto_args *args)
{
    puts_of(t, "{");
    for (size_t i = 0; i < args->nr; i++) {
        if (i != 0)
            puts_of(t, ",");
        put_text(t, args->fields[i].name);
        puts_of(t, ":");
        put_value(t, &args->fields[i], args->values[i]);
    }
    puts_of(t, "}");
}

/* ---- times ---- */

static uint64_t nanoseconds(const cs_perfetto *t, uint64_t cycle)
{
    return cs_perfetto_nanoseconds(t->clock_mhz, cycle);
}

static void put_microseconds(cs_perfetto *t, uint64_t ns)
{
    const char decimals[] = {'.', (char)('0' + ns / 100 % 10), (char)('0' + ns / 10 % 10),
                             (char)('0' + ns % 10)};

    put_decimal(t, ns / 1000);
    put(t, decimals, sizeof decimals);
}

/* ---- events ---- */

/* Begins an event's line: its phase, its track, its name. */
static void begin(cs_perfetto *t, const char *phase, cs_perfetto_track track, const char *name)
{
    puts_of(t, t->any ? ",\n{\"ph\":\"" : "\n{\"ph\":\"");
    t->any = true;
    puts_of(t, phase);
    puts_of(t, "\",\"pid\":");
    put_decimal(t, track.group);
    puts_of(t, ",\"tid\":");
    put_decimal(t, track.track);
    puts_of(t, ",\"name\":");
    put_text(t, name);
}

static void put_time(cs_perfetto *t, uint64_t cycle)
{
    puts_of(t, ",\"ts\":");
    put_microseconds(t, nanoseconds(t, cycle));
}

/* Ends it with what it carries. */
static cs_status finish(cs_perfetto *t, const cs_perfetto_args *args)
{
    if (args != NULL && args->nr != 0) {
        puts_of(t, ",\"args\":");
        put_object(t, args);
    }
    puts_of(t, "}");
    return t->status;
}

/* A metadata event with its one argument. */
static void describe(cs_perfetto *t, const char *what, cs_perfetto_track track,
                     const cs_field *field, cs_field_value value)
{
    begin(t, "M", track, what);
    finish(t, &(cs_perfetto_args){field, &value, 1});
}

cs_status cs_perfetto_begin(cs_perfetto *t, const cs_text_sink *sink, unsigned clock_mhz,
                            const cs_perfetto_args *facts)
{
    t->sink = *sink;
    t->clock_mhz = clock_mhz;
    t->any = false;
    t->status = CS_OK;
    t->held = 0;
    puts_of(t, "{\"displayTimeUnit\":\"ns\",\"otherData\":");
    put_object(t, facts);
    puts_of(t, ",\"traceEvents\":[");
    return t->status;
}

static const cs_field name_field = {.name = "name", .kind = CS_FIELD_TEXT};
static const cs_field order_field = {.name = "sort_index", .kind = CS_FIELD_DECIMAL, .bits = 32};

cs_status cs_perfetto_name_group(cs_perfetto *t, unsigned group, const char *name, unsigned order)
{
    const cs_perfetto_track track = {group, 0};

    describe(t, "process_name", track, &name_field, (cs_field_value){.text = name});
    describe(t, "process_sort_index", track, &order_field, (cs_field_value){.number = order});
    return t->status;
}

cs_status cs_perfetto_name_track(cs_perfetto *t, cs_perfetto_track track, const char *name,
                                 unsigned order)
{
    describe(t, "thread_name", track, &name_field, (cs_field_value){.text = name});
    describe(t, "thread_sort_index", track, &order_field, (cs_field_value){.number = order});
    return t->status;
}

cs_status cs_perfetto_slice(cs_perfetto *t, cs_perfetto_track track, const char *name,
                            uint64_t from, uint64_t to, const cs_perfetto_args *args)
{
    if (to < from || !cs_perfetto_is_time(t->clock_mhz, to))
        return CS_ERR_RANGE;
    begin(t, "X", track, name);
    put_time(t, from);
    puts_of(t, ",\"dur\":");
    put_microseconds(t, nanoseconds(t, to) - nanoseconds(t, from));
    return finish(t, args);
}

cs_status cs_perfetto_instant(cs_perfetto *t, cs_perfetto_track track, const char *name,
                              uint64_t cycle, const cs_perfetto_args *args)
{
    if (!cs_perfetto_is_time(t->clock_mhz, cycle))
        return CS_ERR_RANGE;
    begin(t, "i", track, name);
    put_time(t, cycle);
    puts_of(t, ",\"s\":\"t\"");
    return finish(t, args);
}

cs_status cs_perfetto_counter(cs_perfetto *t, unsigned group, const char *name, const char *unit,
                              uint64_t cycle, double value)
{
    char number[NUMBER_BYTES];

    if (!cs_perfetto_is_time(t->clock_mhz, cycle) || !cs_perfetto_is_value(unit, value))
        return CS_ERR_RANGE;
    begin(t, "C", (cs_perfetto_track){group, 0}, name);
    put_time(t, cycle);
    puts_of(t, ",\"args\":{");
    put_text(t, unit);
    /* A whole number with all its digits: 15 are too few above 10^15. All above 2^53 are whole. */
    const bool whole = fabs(value) >= 0x1p53 || value == (double)(int64_t)value;

    snprintf(number, sizeof number, whole && fabs(value) < 1e20 ? ":%.0f}" : ":%.15g}", value);
    puts_of(t, number);
    return finish(t, NULL);
}

cs_status cs_perfetto_end(cs_perfetto *t)
{
    puts_of(t, "\n]}\n");
    flush(t);
    return t->status;
}
