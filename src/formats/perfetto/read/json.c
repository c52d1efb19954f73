// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include "formats/perfetto/read/json.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/common/json_read.h"

#define NAME_BYTES 512

enum { NAME, CATEGORY, PID, TID, ID, NR_TEXTS };

struct cs_traceread {
    const char *name;
    cs_json *json;
    cs_traceevent event;
    char *texts[NR_TEXTS];
    size_t room[NR_TEXTS];
    char path[NAME_BYTES]; /* of an argument */
    bool begun, inside, seen, array, ended;
    cs_status status;
    cs_diag diag;
};

cs_status cs_traceread_open(const cs_byte_source *source, const char *name, cs_traceread **out,
                            cs_diag *diag)
{
    cs_traceread *reader = calloc(1, sizeof *reader);

    *out = NULL;
    if (reader == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, name, "no memory for a reader");
    reader->name = name;
    const cs_status status = cs_json_open(source, name, true, &reader->json, diag);
    if (status == CS_OK)
        *out = reader;
    else
        cs_traceread_close(reader);
    return status;
}

void cs_traceread_close(cs_traceread *reader)
{
    if (reader == NULL)
        return;
    cs_json_close(reader->json);
    cs_event_fields_free(&reader->event.args);
    for (unsigned i = 0; i < NR_TEXTS; i++)
        free(reader->texts[i]);
    free(reader);
}

__attribute__((format(printf, 3, 4))) static cs_status bad(cs_traceread *reader, uint64_t offset,
                                                           const char *format, ...)
{
    char text[256];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return cs_diag_set(&reader->diag, CS_ERR_FORMAT, reader->name, "byte 0x%llx: %s",
                       (unsigned long long)offset, text);
}

static cs_status token_of(cs_traceread *reader, cs_json_token *token)
{
    return cs_json_next(reader->json, token, &reader->diag);
}

/* ---- values ---- */

/* Microseconds as text ("1.865", "2e3") in whole nanoseconds, exactly. False: beyond 64 bits. */
static bool nanoseconds(const char *text, int64_t *out)
{
    const long most = 4 * (long)CS_JSON_MAX_TEXT; /* more than a text has digits */
    const bool minus = text[0] == '-';
    uint64_t number = 0;
    long shift = 3; /* ten to this */
    bool behind_point = false;
    const char *c = text + (minus ? 1 : 0);

    for (; (*c >= '0' && *c <= '9') || *c == '.'; c++) {
        if (*c == '.') {
            behind_point = true;
            continue;
        }
        const uint64_t digit = (uint64_t)(*c - '0');
        if (number <= (INT64_MAX - digit) / 10) {
            number = number * 10 + digit;
            shift -= behind_point ? 1 : 0;
        } else if (!behind_point) {
            shift++; /* the digits that do not fit only count; more than zeros is too large */
        }
    }
    if (*c == 'e' || *c == 'E') {
        const long exponent = strtol(c + 1, NULL, 10);

        shift += exponent > most ? most : exponent < -most ? -most : exponent;
    }
    for (; shift < 0 && number != 0; shift++)
        number /= 10;
    for (; shift > 0 && number != 0; shift--) {
        if (number > INT64_MAX / 10)
            return false;
        number *= 10;
    }
    *out = minus ? -(int64_t)number : (int64_t)number;
    return true;
}

static cs_status no_memory(cs_traceread *reader)
{
    return cs_diag_set(&reader->diag, CS_ERR_NO_MEMORY, reader->name, "no memory for an event");
}

static cs_status take_time(cs_traceread *reader, const cs_json_token *token, const char *key,
                           int64_t *out, bool *has)
{
    if (token->kind != CS_JSON_NUMBER)
        return bad(reader, token->offset, "%s: expected a number of microseconds", key);
    if (!nanoseconds(token->text, out))
        return bad(reader, token->offset, "%s: found '%.40s', expected less than 2^63 ns", key,
                   token->text);
    *has = true;
    return CS_OK;
}

static cs_status take_text(cs_traceread *reader, const cs_json_token *token, unsigned which,
                           const char **out)
{
    if (reader->room[which] <= token->bytes) {
        char *text = realloc(reader->texts[which], token->bytes + 1);

        if (text == NULL)
            return no_memory(reader);
        reader->texts[which] = text;
        reader->room[which] = token->bytes + 1;
    }
    memcpy(reader->texts[which], token->text, token->bytes);
    reader->texts[which][token->bytes] = '\0';
    *out = reader->texts[which];
    return CS_OK;
}

static unsigned digit_of(char c)
{
    return c >= '0' && c <= '9'   ? (unsigned)(c - '0')
           : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10
           : c >= 'A' && c <= 'F' ? (unsigned)(c - 'A') + 10
                                  : 16;
}

/* A whole number of 64 bits, decimal or as 0x1f; from -2^63 on. */
static bool whole(const char *text, uint64_t *out)
{
    const bool hex = text[0] == '0' && text[1] == 'x', minus = text[0] == '-';
    const char *digits = text + (hex ? 2 : minus ? 1 : 0);
    const unsigned base = hex ? 16 : 10;
    uint64_t number = 0;

    for (; *digits != '\0'; digits++) {
        const unsigned digit = digit_of(*digits);

        if (digit >= base || number > (UINT64_MAX - digit) / base)
            return false;
        number = number * base + digit;
    }
    if (minus && number > (uint64_t)1 << 63)
        return false;
    *out = minus ? 0 - number : number;
    return digits != text + (hex ? 2 : minus ? 1 : 0);
}

/* ---- arguments ---- */

static cs_status add_argument(cs_traceread *reader, const cs_json_token *token)
{
    uint64_t number;
    const bool is_number = (token->kind == CS_JSON_NUMBER || token->kind == CS_JSON_STRING) &&
                           whole(token->text, &number);

    if (cs_event_fields_add(&reader->event.args, reader->path, token->text, token->bytes,
                            is_number ? number : 0, is_number))
        return CS_OK;
    if (reader->event.args.no_memory)
        return no_memory(reader);
    return bad(reader, token->offset, "more arguments than %u, or %u bytes of them",
               CS_EVENT_MAX_FIELDS, CS_EVENT_MAX_BYTES);
}

/* Behind the `at` bytes that the path has; *end: where it ends then. */
static cs_status append(cs_traceread *reader, size_t at, const char *name, uint64_t offset,
                        size_t *end)
{
    const size_t bytes = strlen(name), dot = at > 0;

    if (at + dot + bytes >= NAME_BYTES)
        return bad(reader, offset, "an argument's name is longer than %u bytes", NAME_BYTES - 1);
    if (dot)
        reader->path[at] = '.';
    memcpy(reader->path + at + dot, name, bytes + 1);
    *end = at + dot + bytes;
    return CS_OK;
}

/* What an object or array of arguments has; as deep as the JSON reader allows. */
static cs_status take_arguments(cs_traceread *reader, const cs_json_token *begin, size_t at)
{
    const bool array = begin->kind == CS_JSON_ARRAY;
    cs_json_token token;
    cs_status status;
    unsigned number = 0;
    size_t end = 0;
    char index[16];

    while ((status = token_of(reader, &token)) == CS_OK) {
        if (token.kind == CS_JSON_ARRAY_END || token.kind == CS_JSON_OBJECT_END)
            break;
        if (array)
            snprintf(index, sizeof index, "%u", number++);
        status = append(reader, at, array ? index : token.text, token.offset, &end);
        if (status == CS_OK && !array)
            status = token_of(reader, &token);
        if (status != CS_OK)
            break;
        status = token.kind == CS_JSON_OBJECT || token.kind == CS_JSON_ARRAY
                     ? take_arguments(reader, &token, end)
                     : add_argument(reader, &token);
        if (status != CS_OK)
            break;
    }
    return status;
}

/* ---- events ---- */

static cs_status take_member(cs_traceread *reader, const char *key, const cs_json_token *token)
{
    static const char *const keys[NR_TEXTS] = {"name", "cat", "pid", "tid", "id"};
    cs_traceevent *event = &reader->event;
    const char **const texts[NR_TEXTS] = {&event->name, &event->category, &event->pid, &event->tid,
                                          &event->id};

    if (strcmp(key, "ph") == 0) {
        if (token->kind != CS_JSON_STRING || token->bytes != 1 || token->text[0] <= 0x20 ||
            token->text[0] == 0x7f)
            return bad(reader, token->offset, "ph: expected a string of one character");
        event->phase = token->text[0];
        return CS_OK;
    }
    if (strcmp(key, "ts") == 0)
        return take_time(reader, token, key, &event->time_ns, &event->has_time);
    if (strcmp(key, "dur") == 0)
        return take_time(reader, token, key, &event->duration_ns, &event->has_duration);
    if (strcmp(key, "args") == 0 && token->kind == CS_JSON_OBJECT)
        return take_arguments(reader, token, 0);
    for (unsigned i = 0; i < NR_TEXTS; i++)
        if (strcmp(key, keys[i]) == 0) {
            if (token->kind != CS_JSON_STRING && token->kind != CS_JSON_NUMBER)
                return bad(reader, token->offset, "%s: expected a string or a number", key);
            return take_text(reader, token, i, texts[i]);
        }
    return cs_json_skip(reader->json, token, &reader->diag);
}

/* From its '{' on. */
static cs_status take_event(cs_traceread *reader, const cs_json_token *begin)
{
    cs_event_fields args = reader->event.args;
    cs_json_token token;
    cs_status status;
    char key[16];

    cs_event_fields_clear(&args);
    reader->event = (cs_traceevent){.offset = begin->offset, .args = args};
    while ((status = token_of(reader, &token)) == CS_OK && token.kind == CS_JSON_KEY) {
        const size_t bytes = strnlen(token.text, sizeof key - 1);

        memcpy(key, token.text, bytes);
        key[bytes] = '\0';
        status = token_of(reader, &token);
        if (status == CS_OK)
            status = take_member(reader, key, &token);
        if (status != CS_OK)
            return status;
    }
    if (status != CS_OK)
        return status;
    if (reader->event.phase == '\0')
        return bad(reader, begin->offset, "an event without \"ph\"");
    if (!reader->event.has_time && reader->event.phase != 'M')
        return bad(reader, begin->offset, "an event without \"ts\"");
    return cs_event_fields_done(&reader->event.args) ? CS_OK : no_memory(reader);
}

/* ---- the file ---- */

static cs_status begin(cs_traceread *reader)
{
    cs_json_token token;
    const cs_status status = token_of(reader, &token);

    if (status != CS_OK)
        return status;
    if (token.kind != CS_JSON_ARRAY && token.kind != CS_JSON_OBJECT)
        return bad(reader, token.offset, "expected '{' or '['");
    reader->begun = true;
    reader->array = reader->inside = reader->seen = token.kind == CS_JSON_ARRAY;
    return CS_OK;
}

/* Through the keys of the object to the events, or to the end. */
static cs_status find_events(cs_traceread *reader)
{
    cs_json_token token;
    cs_status status;

    while ((status = token_of(reader, &token)) == CS_OK && token.kind == CS_JSON_KEY) {
        const bool events = strcmp(token.text, "traceEvents") == 0;

        status = token_of(reader, &token);
        if (status == CS_OK && events) {
            if (token.kind != CS_JSON_ARRAY)
                return bad(reader, token.offset, "traceEvents: expected an array");
            reader->inside = reader->seen = true;
            return CS_OK;
        }
        if (status == CS_OK)
            status = cs_json_skip(reader->json, &token, &reader->diag);
        if (status != CS_OK)
            return status;
    }
    if (status == CS_OK && !reader->seen)
        return bad(reader, token.offset, "the object ends without \"traceEvents\"");
    reader->ended = true;
    return status == CS_OK ? token_of(reader, &token) : status; /* nothing may stand behind it */
}

static cs_status next(cs_traceread *reader)
{
    cs_json_token token;
    cs_status status = reader->begun ? CS_OK : begin(reader);

    while (status == CS_OK && !reader->ended) {
        if (!reader->inside) {
            status = find_events(reader);
            continue;
        }
        status = token_of(reader, &token);
        if (status != CS_OK)
            break;
        if (token.kind == CS_JSON_OBJECT)
            return take_event(reader, &token);
        if (token.kind != CS_JSON_ARRAY_END)
            return bad(reader, token.offset, "expected '{', the begin of an event");
        reader->inside = false;
        if (reader->array) {
            reader->ended = true;
            status = token_of(reader, &token);
        }
    }
    return status;
}

cs_status cs_traceread_next(cs_traceread *reader, cs_traceevent **event, cs_diag *diag)
{
    *event = NULL;
    if (reader->status == CS_OK && !reader->ended)
        reader->status = next(reader);
    if (reader->status != CS_OK && diag != NULL)
        *diag = reader->diag;
    if (reader->status == CS_OK && !reader->ended)
        *event = &reader->event;
    return reader->status;
}

/* ---- what it looks like ---- */

bool cs_traceread_looks_so(const uint8_t *look, size_t bytes)
{
    size_t at = 1;

    if (bytes < 2 || (look[0] != '{' && look[0] != '['))
        return false;
    while (at < bytes && (look[at] == ' ' || look[at] == '\n' || look[at] == '\r'))
        at++;
    return at < bytes && look[at] == (look[0] == '{' ? '"' : '{');
}

/* ---- rows for people ---- */

enum { OFFSET, TIME, PHASE, TRACK, EVENT, DURATION, FIELDS, NR_COLUMNS };

static const cs_table_column columns[NR_COLUMNS] = {
    {"offset", CS_CELL_HEX, 6, 8},  {"time_ns", CS_CELL_REAL, 0, 12},
    {"phase", CS_CELL_NAME, 0, 5},  {"pid.tid", CS_CELL_NAME, 0, 8},
    {"event", CS_CELL_NAME, 0, 20}, {"duration_ns", CS_CELL_REAL, 0, 11},
    {"fields", CS_CELL_NAME, 0, 0},
};

cs_status cs_traceread_print(cs_traceread *reader, cs_table_format format, const cs_text_sink *sink,
                             cs_diag *diag)
{
    cs_table table;
    cs_traceevent *event;
    cs_status status;

    cs_table_begin(&table, format, sink);
    cs_table_columns(&table, columns, NR_COLUMNS);
    while ((status = cs_traceread_next(reader, &event, diag)) == CS_OK && event != NULL) {
        char time[32], duration[32], track[128];
        const char phase[2] = {event->phase};

        snprintf(time, sizeof time, "%lld", (long long)event->time_ns);
        snprintf(duration, sizeof duration, "%lld", (long long)event->duration_ns);
        snprintf(track, sizeof track, "%.60s.%.60s", event->pid != NULL ? event->pid : "",
                 event->tid != NULL ? event->tid : "");
        const cs_table_cell cells[NR_COLUMNS] = {
            [OFFSET].number = event->offset,
            [TIME].name = event->has_time ? time : NULL,
            [PHASE].name = phase,
            [TRACK].name = track,
            [EVENT].name = event->name,
            [DURATION].name = event->has_duration ? duration : NULL,
            [FIELDS].name = cs_event_fields_print(&event->args),
        };
        if (cs_table_row(&table, cells) != CS_OK)
            break;
    }
    cs_table_end(&table);
    if (status == CS_OK && table.status != CS_OK)
        return cs_diag_set(diag, table.status, NULL, "the table could not be written");
    return status;
}
