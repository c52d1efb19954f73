// SPDX-License-Identifier: Apache-2.0
#include "formats/common/json_read.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/common/event_fields.h"

/* What may stand next. */
typedef enum wants {
    VALUE,       /* a value */
    FIRST_VALUE, /* a value or ']' */
    FIRST_KEY,   /* a key or '}' */
    KEY,         /* a key */
    MORE,        /* ',' or the end of what is open */
    NOTHING      /* the end of the file */
} wants;

struct cs_json {
    cs_byte_source source;
    const char *name;
    bool may_stop;
    uint8_t piece[16384];
    size_t had, at;
    uint64_t before; /* bytes of the file before the piece */
    wants wants;
    unsigned depth;
    bool array[CS_JSON_MAX_DEPTH];
    char *text;
    size_t bytes, room;
    cs_status status; /* the first error, for ever */
    cs_diag diag;
};

#define END_OF_FILE (-1)
#define FAILED (-2)

cs_status cs_json_open(const cs_byte_source *source, const char *name, bool may_stop, cs_json **out,
                       cs_diag *diag)
{
    cs_json *json = calloc(1, sizeof *json);

    *out = NULL;
    if (json == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, name, "no memory for a reader");
    json->source = *source;
    json->name = name;
    json->may_stop = may_stop;
    *out = json;
    return CS_OK;
}

void cs_json_close(cs_json *json)
{
    if (json != NULL)
        free(json->text);
    free(json);
}

unsigned cs_json_depth(const cs_json *json)
{
    return json->depth;
}

static uint64_t here(const cs_json *json)
{
    return json->before + json->at;
}

__attribute__((format(printf, 3, 4))) static cs_status bad(cs_json *json, uint64_t offset,
                                                           const char *format, ...)
{
    char text[256];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    json->status = cs_diag_set(&json->diag, CS_ERR_FORMAT, json->name, "byte 0x%llx: %s",
                               (unsigned long long)offset, text);
    return json->status;
}

/* The next byte, without taking it. */
static int look(cs_json *json)
{
    if (json->at == json->had) {
        json->before += json->had;
        json->at = json->had = 0;
        json->status = json->source.read(json->source.ctx, json->piece, sizeof json->piece,
                                         &json->had, &json->diag);
        if (json->status != CS_OK)
            return FAILED;
        if (json->had == 0)
            return END_OF_FILE;
    }
    return json->piece[json->at];
}

static int look_past_blanks(cs_json *json)
{
    int c;

    while ((c = look(json)) == ' ' || c == '\t' || c == '\n' || c == '\r')
        json->at++;
    return c;
}

/* What was found, for a message. */
static cs_status unexpected(cs_json *json, int c, const char *expected)
{
    if (c == FAILED)
        return json->status;
    if (c == END_OF_FILE)
        return bad(json, here(json), "the file ends, expected %s", expected);
    if (c >= 0x20 && c < 0x7f)
        return bad(json, here(json), "found '%c', expected %s", c, expected);
    return bad(json, here(json), "found byte 0x%02x, expected %s", (unsigned)c, expected);
}

static cs_status keep(cs_json *json, char c)
{
    if (json->bytes >= CS_JSON_MAX_TEXT)
        return bad(json, here(json), "a text of more than %u bytes", CS_JSON_MAX_TEXT);
    if (json->bytes + 1 >= json->room) {
        const size_t most = CS_JSON_MAX_TEXT + 1; /* no run goes on behind it */
        const size_t twice = json->room == 0 ? 256 : 2 * json->room;
        const size_t room = twice < most ? twice : most;
        char *text = realloc(json->text, room);

        if (text == NULL)
            return json->status = cs_diag_set(&json->diag, CS_ERR_NO_MEMORY, json->name,
                                              "no memory for a text");
        json->text = text;
        json->room = room;
    }
    json->text[json->bytes++] = c;
    json->text[json->bytes] = '\0';
    return CS_OK;
}

static cs_status keep_code(cs_json *json, uint32_t code)
{
    char utf8[4];
    size_t length = 1;

    if (code < 0x80) {
        utf8[0] = (char)code;
    } else if (code < 0x800) {
        utf8[0] = (char)(0xc0 | code >> 6);
        length = 2;
    } else if (code < 0x10000) {
        utf8[0] = (char)(0xe0 | code >> 12);
        length = 3;
    } else {
        utf8[0] = (char)(0xf0 | code >> 18);
        length = 4;
    }
    for (size_t i = 1; i < length; i++)
        utf8[i] = (char)(0x80 | ((code >> (6 * (length - 1 - i))) & 0x3f));
    cs_status status = CS_OK;
    for (size_t i = 0; i < length && status == CS_OK; i++)
        status = keep(json, utf8[i]);
    return status;
}

static cs_status four_digits(cs_json *json, uint32_t *out)
{
    *out = 0;
    for (unsigned i = 0; i < 4; i++) {
        const int c = look(json);
        const int digit = c >= '0' && c <= '9'   ? c - '0'
                          : c >= 'a' && c <= 'f' ? c - 'a' + 10
                          : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                                 : -1;

        if (digit < 0)
            return unexpected(json, c, "four hexadecimal digits after \\u");
        *out = *out << 4 | (uint32_t)digit;
        json->at++;
    }
    return CS_OK;
}

/* A half of a pair that stands alone, and 0, become U+FFFD. */
static cs_status unicode(cs_json *json)
{
    uint32_t code, low;
    cs_status status = four_digits(json, &code);

    while (status == CS_OK && code >= 0xd800 && code < 0xdc00) {
        if (look(json) != '\\')
            break;
        json->at++;
        if (look(json) != 'u') {
            /* another escape follows: it is the caller's, who has to see its backslash */
            status = keep_code(json, 0xfffd);
            return status == CS_OK ? CS_ERR_RANGE : status;
        }
        json->at++;
        status = four_digits(json, &low);
        if (status != CS_OK)
            return status;
        if (low >= 0xdc00 && low < 0xe000)
            return keep_code(json, 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00));
        status = keep_code(json, 0xfffd);
        code = low;
    }
    if (status != CS_OK)
        return status;
    return keep_code(json, code == 0 || (code >= 0xd800 && code < 0xe000) ? 0xfffd : code);
}

static cs_status escape(cs_json *json)
{
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    cs_status status;

    do {
        const int c = look(json);
        const char *found = c > 0 ? strchr(from, c) : NULL;

        if (found == NULL && c != 'u')
            return unexpected(json, c, "one of \"\\/bfnrtu after a backslash");
        json->at++;
        status = found != NULL ? keep(json, to[found - from]) : unicode(json);
    } while (status == CS_ERR_RANGE);
    return status;
}

static cs_status character(cs_json *json, int c)
{
    char utf8[4] = {(char)c};
    size_t length = 1;
    const uint64_t at = here(json);

    json->at++;
    if (c < 0x80)
        return keep(json, (char)c);
    const size_t wanted = c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : 2;
    while (length < wanted) {
        c = look(json);
        if (c < 0)
            break;
        if ((c & 0xc0) != 0x80)
            break;
        utf8[length++] = (char)c;
        json->at++;
    }
    if (json->status != CS_OK)
        return json->status;
    if (cs_utf8_length(utf8, length) != length)
        return bad(json, at, "found byte 0x%02x in a string, expected UTF-8",
                   (unsigned)(uint8_t)utf8[0]);
    cs_status status = CS_OK;
    for (size_t i = 0; i < length && status == CS_OK; i++)
        status = keep(json, utf8[i]);
    return status;
}

/* Takes what stands for itself of the bytes at hand, as far as there is room. `is` says what does. */
static inline void take_run(cs_json *json, bool (*is)(uint8_t byte))
{
    const uint8_t *from = json->piece + json->at;
    const size_t there = json->had - json->at;
    const size_t room = json->room > json->bytes ? json->room - json->bytes - 1 : 0;
    const size_t most = there < room ? there : room;
    char *to = most > 0 ? json->text + json->bytes : NULL;
    size_t run = 0;

    for (; run < most && is(from[run]); run++)
        to[run] = (char)from[run];
    if (run == 0)
        return;
    to[run] = '\0';
    json->bytes += run;
    json->at += run;
}

static inline bool is_plain(uint8_t byte)
{
    return byte >= 0x20 && byte < 0x80 && byte != '"' && byte != '\\';
}

static inline bool is_digit(uint8_t byte)
{
    return byte >= '0' && byte <= '9';
}

/* From its opening quote on. */
static cs_status string(cs_json *json)
{
    cs_status status = CS_OK;

    json->at++;
    while (status == CS_OK) {
        take_run(json, is_plain);
        const int c = look(json);

        if (c == '"') {
            json->at++;
            return CS_OK;
        }
        if (c < 0x20)
            return unexpected(json, c, "the rest of a string and '\"'");
        if (c == '\\') {
            json->at++;
            status = escape(json);
        } else {
            status = character(json, c);
        }
    }
    return status;
}

static cs_status digits(cs_json *json)
{
    int c = look(json);
    cs_status status = CS_OK;

    if (c < '0' || c > '9')
        return unexpected(json, c, "a digit of a number");
    while (c >= '0' && c <= '9' && status == CS_OK) {
        status = keep(json, (char)c);
        json->at++;
        take_run(json, is_digit);
        c = look(json);
    }
    return status == CS_OK ? json->status : status;
}

static cs_status number(cs_json *json)
{
    cs_status status = CS_OK;

    if (look(json) == '-') {
        status = keep(json, '-');
        json->at++;
    }
    if (status == CS_OK && look(json) == '0') {
        status = keep(json, '0');
        json->at++;
    } else if (status == CS_OK) {
        status = digits(json);
    }
    if (status == CS_OK && look(json) == '.') {
        status = keep(json, '.');
        json->at++;
        if (status == CS_OK)
            status = digits(json);
    }
    if (status == CS_OK && (look(json) == 'e' || look(json) == 'E')) {
        status = keep(json, 'e');
        json->at++;
        if (status == CS_OK && (look(json) == '+' || look(json) == '-')) {
            status = keep(json, (char)look(json));
            json->at++;
        }
        if (status == CS_OK)
            status = digits(json);
    }
    return status == CS_OK ? json->status : status;
}

static cs_status word(cs_json *json, cs_json_token *token)
{
    static const struct {
        const char *text;
        cs_json_kind kind;
    } words[] = {{"true", CS_JSON_TRUE}, {"false", CS_JSON_FALSE}, {"null", CS_JSON_NULL}};
    const int first = look(json);

    for (unsigned i = 0; i < 3; i++) {
        if (first != words[i].text[0])
            continue;
        for (const char *c = words[i].text; *c != '\0'; c++) {
            const int found = look(json);

            if (found != *c)
                return unexpected(json, found, words[i].text);
            if (keep(json, *c) != CS_OK)
                return json->status;
            json->at++;
        }
        token->kind = words[i].kind;
        return CS_OK;
    }
    return unexpected(json, first, "a value");
}

static cs_status opened(cs_json *json, bool array, cs_json_token *token)
{
    if (json->depth == CS_JSON_MAX_DEPTH)
        return bad(json, here(json), "arrays and objects more than %u deep", CS_JSON_MAX_DEPTH);
    json->array[json->depth++] = array;
    json->wants = array ? FIRST_VALUE : FIRST_KEY;
    json->at++;
    token->kind = array ? CS_JSON_ARRAY : CS_JSON_OBJECT;
    return CS_OK;
}

static cs_status closed(cs_json *json, cs_json_token *token)
{
    json->depth--;
    token->kind = json->array[json->depth] ? CS_JSON_ARRAY_END : CS_JSON_OBJECT_END;
    json->wants = json->depth == 0 ? NOTHING : MORE;
    return CS_OK;
}

static cs_status value(cs_json *json, int c, cs_json_token *token)
{
    cs_status status;

    if (c == '{' || c == '[')
        return opened(json, c == '[', token);
    if (c == '"') {
        token->kind = CS_JSON_STRING;
        status = string(json);
    } else if (c == '-' || (c >= '0' && c <= '9')) {
        token->kind = CS_JSON_NUMBER;
        status = number(json);
    } else {
        status = word(json, token);
    }
    json->wants = json->depth == 0 ? NOTHING : MORE;
    return status;
}

static cs_status key(cs_json *json, int c, cs_json_token *token)
{
    if (c != '"')
        return unexpected(json, c, json->wants == KEY ? "a key in quotes" : "a key or '}'");
    token->kind = CS_JSON_KEY;
    cs_status status = string(json);
    if (status != CS_OK)
        return status;
    c = look_past_blanks(json);
    if (c != ':')
        return unexpected(json, c, "':' after a key");
    json->at++;
    json->wants = VALUE;
    return CS_OK;
}

/* A comma, or the end of an array or object. */
static cs_status more(cs_json *json, int *c, bool *is_closed)
{
    const bool array = json->array[json->depth - 1];

    *is_closed = *c == (array ? ']' : '}');
    if (*is_closed)
        return CS_OK;
    if (*c != ',')
        return unexpected(json, *c, array ? "',' or ']'" : "',' or '}'");
    json->at++;
    json->wants = array ? VALUE : KEY;
    *c = look_past_blanks(json);
    return json->status;
}

static cs_status next(cs_json *json, cs_json_token *token)
{
    int c = look_past_blanks(json);
    bool is_closed = false;

    if (c == FAILED)
        return json->status;
    if (json->wants == MORE && c != END_OF_FILE) {
        const cs_status status = more(json, &c, &is_closed);

        if (status != CS_OK)
            return status;
    }
    token->offset = here(json);
    if (c == END_OF_FILE && json->may_stop && json->depth == 1 && json->array[0])
        return closed(json, token);
    switch (json->wants) {
    case NOTHING:
        token->kind = CS_JSON_END;
        return c == END_OF_FILE ? CS_OK : unexpected(json, c, "the end of the file");
    case MORE:
        if (!is_closed)
            return unexpected(json, c, json->array[json->depth - 1] ? "',' or ']'" : "',' or '}'");
        break;
    case FIRST_VALUE:
        is_closed = c == ']';
        break;
    case FIRST_KEY:
        is_closed = c == '}';
        break;
    case VALUE:
    case KEY:
        break;
    }
    if (is_closed) {
        json->at++;
        return closed(json, token);
    }
    return json->wants == FIRST_KEY || json->wants == KEY ? key(json, c, token)
                                                          : value(json, c, token);
}

cs_status cs_json_next(cs_json *json, cs_json_token *token, cs_diag *diag)
{
    *token = (cs_json_token){0};
    json->bytes = 0;
    if (json->status == CS_OK)
        next(json, token);
    if (json->status != CS_OK) {
        if (diag != NULL)
            *diag = json->diag;
        return json->status;
    }
    token->text = json->bytes > 0 ? json->text : "";
    token->bytes = json->bytes;
    return CS_OK;
}

cs_status cs_json_skip(cs_json *json, const cs_json_token *token, cs_diag *diag)
{
    cs_json_token inner = *token;
    cs_status status = CS_OK;

    if (token->kind != CS_JSON_OBJECT && token->kind != CS_JSON_ARRAY)
        return CS_OK;
    const unsigned depth = json->depth - 1;
    while (status == CS_OK && json->depth > depth)
        status = cs_json_next(json, &inner, diag);
    return status;
}
