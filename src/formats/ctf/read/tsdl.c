/* TSDL: a token at a time, by recursive descent. What a reader of packets does not need (env,
 * callsite, unknown attributes) is passed over, but must be well formed. */
#include "formats/ctf/read/tsdl.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_DEPTH 32
#define WORD_BYTES 1024

/* 0 is the end; other characters stand for themselves. */
enum { END = 0, WORD = 256, NUMBER, STRING, ASSIGN, DOTS };

typedef struct alias {
    struct alias *next;
    const char *name; /* "unsigned int", "struct x", "enum x" */
    const cs_tsdl_type *type;
} alias;

typedef struct block {
    struct block *next;
} block;

typedef struct parser {
    cs_tsdl *out;
    const char *text, *end, *at;
    const char *name;
    cs_diag *diag;
    cs_status status;
    int token;
    const char *begin; /* of the token */
    char word[WORD_BYTES];
    uint64_t number;
    bool minus;
    alias *aliases;
    unsigned depth;
} parser;

/* ---- memory, and words about errors ---- */

__attribute__((format(printf, 3, 4))) static void fail(parser *p, cs_status status,
                                                       const char *format, ...)
{
    char text[256];
    va_list arguments;
    unsigned line = 1;
    const char *start = p->text;

    if (p->status != CS_OK)
        return;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    for (const char *c = p->text; c < p->begin; c++)
        if (*c == '\n') {
            line++;
            start = c + 1;
        }
    p->status = cs_diag_set_at(p->diag, status, p->name, line, (unsigned)(p->begin - start) + 1,
                               "byte 0x%zx: %s", (size_t)(p->begin - p->text), text);
    p->token = END;
    p->at = p->end;
}

static void *make(parser *p, size_t bytes)
{
    block *b = calloc(1, sizeof *b + bytes);

    if (b == NULL) {
        fail(p, CS_ERR_NO_MEMORY, "no memory for what it declares");
        return NULL;
    }
    b->next = p->out->memory;
    p->out->memory = b;
    return b + 1;
}

static const char *keep(parser *p, const char *text)
{
    char *copy = make(p, strlen(text) + 1);

    return copy != NULL ? strcpy(copy, text) : "";
}

/* ---- tokens ---- */

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static void skip_blanks(parser *p)
{
    while (p->at < p->end) {
        const size_t left = (size_t)(p->end - p->at);

        if (strchr(" \t\r\n", *p->at) != NULL && *p->at != '\0') {
            p->at++;
        } else if (left >= 2 && memcmp(p->at, "//", 2) == 0) {
            while (p->at < p->end && *p->at != '\n')
                p->at++;
        } else if (left >= 2 && memcmp(p->at, "/*", 2) == 0) {
            p->begin = p->at;
            for (p->at += 2; p->at + 1 < p->end && memcmp(p->at, "*/", 2) != 0;)
                p->at++;
            if (p->at + 1 >= p->end) {
                fail(p, CS_ERR_FORMAT, "a comment without its end, expected */");
                return;
            }
            p->at += 2;
        } else {
            return;
        }
    }
}

static void lex_string(parser *p)
{
    size_t bytes = 0;

    for (p->at++; p->at < p->end && *p->at != '"'; p->at++) {
        char c = *p->at;

        if (c == '\\' && p->at + 1 < p->end) {
            static const char from[] = "nrt0", to[] = "\n\r\t?";
            const char *found = strchr(from, *++p->at);

            c = found != NULL && *found != '\0' ? to[found - from] : *p->at;
        }
        if (c == '\0' || c == '\n' || bytes + 1 >= WORD_BYTES) {
            fail(p, CS_ERR_FORMAT, "a string with a new line or 0 in it, or longer than %d bytes",
                 WORD_BYTES);
            return;
        }
        p->word[bytes++] = c;
    }
    if (p->at >= p->end) {
        fail(p, CS_ERR_FORMAT, "a string without its end, expected '\"'");
        return;
    }
    p->at++;
    p->word[bytes] = '\0';
    p->token = STRING;
}

static void lex_word(parser *p)
{
    size_t bytes = 0;
    char *end;

    while (p->at < p->end && is_word(*p->at) && bytes + 1 < WORD_BYTES)
        p->word[bytes++] = *p->at++;
    p->word[bytes] = '\0';
    p->token = WORD;
    if (p->word[0] < '0' || p->word[0] > '9')
        return;
    p->token = NUMBER;
    errno = 0;
    p->number = strtoull(p->word, &end, 0);
    while (*end != '\0' && strchr("uUlL", *end) != NULL)
        end++;
    if (errno != 0 || *end != '\0')
        fail(p, CS_ERR_FORMAT, "found '%.40s', expected a number of at most 64 bits", p->word);
}

static void advance(parser *p)
{
    static const struct {
        char text[4];
        int token;
    } signs[] = {{":=", ASSIGN}, {"...", DOTS}};

    skip_blanks(p);
    if (p->status != CS_OK)
        return;
    p->begin = p->at;
    p->token = END;
    if (p->at >= p->end)
        return;
    if (*p->at == '"') {
        lex_string(p);
        return;
    }
    if (is_word(*p->at)) {
        lex_word(p);
        return;
    }
    for (unsigned i = 0; i < 2; i++) {
        const size_t length = strlen(signs[i].text);

        if ((size_t)(p->end - p->at) >= length && memcmp(p->at, signs[i].text, length) == 0) {
            p->at += length;
            p->token = signs[i].token;
            return;
        }
    }
    if (*p->at == '\0' || strchr("{}[]<>;,.:=-+*()", *p->at) == NULL) {
        fail(p, CS_ERR_FORMAT, "found byte 0x%02x, expected TSDL", (unsigned)(uint8_t)*p->at);
        return;
    }
    p->token = *p->at++;
}

static void unexpected(parser *p, const char *expected)
{
    const size_t left = (size_t)(p->at - p->begin);

    if (p->begin >= p->end)
        fail(p, CS_ERR_FORMAT, "the file ends, expected %s", expected);
    else
        fail(p, CS_ERR_FORMAT, "found '%.*s', expected %s", (int)(left < 40 ? left : 40), p->begin,
             expected);
}

static bool take(parser *p, int token)
{
    if (p->status != CS_OK || p->token != token)
        return false;
    advance(p);
    return true;
}

static void expect(parser *p, int token, const char *expected)
{
    if (!take(p, token))
        unexpected(p, expected);
}

static bool is(const parser *p, const char *word)
{
    return p->token == WORD && strcmp(p->word, word) == 0;
}

static bool take_word(parser *p, const char *word)
{
    if (!is(p, word))
        return false;
    advance(p);
    return true;
}

static uint64_t take_number(parser *p)
{
    const bool minus = take(p, '-');
    const uint64_t number = p->number;

    if (p->token != NUMBER)
        unexpected(p, "a number");
    advance(p);
    return minus ? 0 - number : number;
}

/* ---- attributes of a type ---- */

/* `key` up to '=' or ':=', with its dots. */
static void take_key(parser *p, char *key, size_t bytes)
{
    size_t at = 0;

    key[0] = '\0';
    do {
        if (p->token != WORD && p->token != STRING) {
            unexpected(p, "the name of an attribute");
            return;
        }
        at += (size_t)snprintf(key + at, bytes - at, "%s%s", at > 0 ? "." : "", p->word);
        if (at >= bytes) {
            fail(p, CS_ERR_FORMAT, "a name of more than %zu bytes", bytes);
            return;
        }
        advance(p);
    } while (take(p, '.'));
}

/* What stands behind '=', up to ';'. */
static void skip_value(parser *p)
{
    while (p->status == CS_OK && p->token != ';' && p->token != END && p->token != '{' &&
           p->token != '}')
        advance(p);
}

static cs_tsdl_order take_order(parser *p)
{
    const cs_tsdl_order order = is(p, "le")                       ? CS_TSDL_LITTLE
                                : is(p, "be") || is(p, "network") ? CS_TSDL_BIG
                                                                  : CS_TSDL_NATIVE;

    if (order == CS_TSDL_NATIVE && !is(p, "native"))
        unexpected(p, "le, be, network or native");
    advance(p);
    return order;
}

static unsigned take_base(parser *p)
{
    static const struct {
        const char *word;
        unsigned base;
    } words[] = {{"decimal", 10}, {"dec", 10}, {"d", 10}, {"i", 10},           {"u", 10},
                 {"hex", 16},     {"x", 16},   {"X", 16}, {"hexadecimal", 16}, {"p", 16},
                 {"octal", 8},    {"oct", 8},  {"o", 8},  {"binary", 2},       {"b", 2}};

    if (p->token == NUMBER)
        return (unsigned)take_number(p);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (take_word(p, words[i].word))
            return words[i].base;
    unexpected(p, "2, 8, 10, 16 or the name of a base");
    return 10;
}

static bool take_bool(parser *p)
{
    const bool yes = is(p, "true") || (p->token == NUMBER && p->number == 1);

    if (!yes && !is(p, "false") && !(p->token == NUMBER && p->number == 0))
        unexpected(p, "true or false");
    advance(p);
    return yes;
}

static void attribute_of(parser *p, const char *key, cs_tsdl_type *type, unsigned *mantissa)
{
    if (strcmp(key, "size") == 0)
        type->size = (unsigned)take_number(p);
    else if (strcmp(key, "align") == 0)
        type->align = (unsigned)take_number(p);
    else if (strcmp(key, "signed") == 0)
        type->is_signed = take_bool(p);
    else if (strcmp(key, "byte_order") == 0)
        type->order = take_order(p);
    else if (strcmp(key, "base") == 0)
        type->base = take_base(p);
    else if (strcmp(key, "mant_dig") == 0)
        *mantissa = (unsigned)take_number(p);
    else if (strcmp(key, "exp_dig") == 0)
        type->size += (unsigned)take_number(p);
    else {
        if (strcmp(key, "encoding") == 0)
            type->is_text = !is(p, "none");
        if (strcmp(key, "map") == 0)
            type->is_clock = true;
        skip_value(p);
    }
}

/* integer, floating_point and string: what stands in braces. */
static cs_tsdl_type *basic(parser *p, cs_tsdl_kind kind)
{
    cs_tsdl_type *type = make(p, sizeof *type);
    unsigned mantissa = 0;
    char key[64];

    if (type == NULL)
        return NULL;
    type->kind = kind;
    type->base = 10;
    if (take(p, '{'))
        while (p->status == CS_OK && !take(p, '}')) {
            take_key(p, key, sizeof key);
            expect(p, '=', "'='");
            attribute_of(p, key, type, &mantissa);
            expect(p, ';', "';'");
        }
    if (kind == CS_TSDL_FLOAT)
        type->size += mantissa;
    if (kind == CS_TSDL_STRING)
        type->align = 8;
    else if (kind == CS_TSDL_FLOAT ? type->size != 32 && type->size != 64
                                   : type->size < 1 || type->size > 64)
        fail(p, CS_ERR_FORMAT, "a number of %u bits, expected %s", type->size,
             kind == CS_TSDL_FLOAT ? "32 or 64" : "1..64");
    if (type->align == 0)
        type->align = type->size % 8 == 0 ? 8 : 1;
    if ((type->align & (type->align - 1)) != 0 || type->align > 65536)
        fail(p, CS_ERR_FORMAT, "an alignment of %u, expected a power of two", type->align);
    return type;
}

/* ---- types ---- */

static const cs_tsdl_type *type_of(parser *p, char *field, size_t field_bytes);

static const cs_tsdl_type *find_alias(const parser *p, const char *name)
{
    for (const alias *a = p->aliases; a != NULL; a = a->next)
        if (strcmp(a->name, name) == 0)
            return a->type;
    return NULL;
}

static void add_alias(parser *p, const char *name, const cs_tsdl_type *type)
{
    alias *a = make(p, sizeof *a);

    if (a == NULL)
        return;
    *a = (alias){p->aliases, keep(p, name), type};
    p->aliases = a;
}

static void labels_of(parser *p, cs_tsdl_type *type)
{
    cs_tsdl_label **tail = &type->labels;
    uint64_t next = 0;

    while (p->status == CS_OK && !take(p, '}')) {
        cs_tsdl_label *label = make(p, sizeof *label);

        if (label == NULL)
            return;
        if (p->token != WORD && p->token != STRING) {
            unexpected(p, "a label");
            return;
        }
        label->name = keep(p, p->word);
        advance(p);
        label->first = label->last = take(p, '=') ? take_number(p) : next;
        if (take(p, DOTS))
            label->last = take_number(p);
        next = label->last + 1;
        *tail = label;
        tail = &label->next;
        if (!take(p, ',') && p->token != '}')
            unexpected(p, "',' or '}'");
    }
}

static const cs_tsdl_type *enumeration(parser *p)
{
    char name[WORD_BYTES + 8] = "";
    const cs_tsdl_type *container = NULL;
    cs_tsdl_type *type;

    if (p->token == WORD) {
        snprintf(name, sizeof name, "enum %s", p->word);
        advance(p);
        if (p->token != ':' && p->token != '{') {
            container = find_alias(p, name);
            if (container == NULL)
                fail(p, CS_ERR_FORMAT, "found %.60s, expected one that was declared", name);
            return container;
        }
    }
    container = take(p, ':') ? type_of(p, NULL, 0) : find_alias(p, "int");
    if (p->status == CS_OK && (container == NULL || container->kind != CS_TSDL_INTEGER))
        fail(p, CS_ERR_FORMAT, "an enumeration of no integer");
    expect(p, '{', "'{'");
    type = make(p, sizeof *type);
    if (p->status != CS_OK)
        return NULL;
    *type = *container;
    type->labels = NULL;
    labels_of(p, type);
    if (name[0] != '\0')
        add_alias(p, name, type);
    return type;
}

/* "[8]" makes an array, "[length]" a sequence; the last in the text is the innermost. */
static const cs_tsdl_type *arrays(parser *p, const cs_tsdl_type *element, unsigned depth)
{
    cs_tsdl_type *type;

    if (!take(p, '['))
        return element;
    type = make(p, sizeof *type);
    if (type == NULL || element == NULL || depth > MAX_DEPTH) {
        fail(p, CS_ERR_FORMAT, "arrays more than %d deep", MAX_DEPTH);
        return NULL;
    }
    type->kind = CS_TSDL_ARRAY;
    if (p->token == NUMBER) {
        type->length = take_number(p);
    } else {
        char name[256];

        take_key(p, name, sizeof name);
        /* "stream.event.context.n" is told by its last word */
        const char *last = strrchr(name, '.') != NULL ? strrchr(name, '.') + 1 : name;
        type->kind = CS_TSDL_SEQUENCE;
        type->length_name = keep(p, last[0] == '_' ? last + 1 : last);
    }
    expect(p, ']', "']'");
    type->element = arrays(p, element, depth + 1);
    type->align = p->status == CS_OK ? type->element->align : 1;
    return type;
}

static void members_of(parser *p, cs_tsdl_type *type)
{
    cs_tsdl_member **tail = &type->members;

    while (p->status == CS_OK && !take(p, '}')) {
        char name[WORD_BYTES] = "";
        const cs_tsdl_type *of;

        if (is(p, "typealias") || is(p, "typedef") || is(p, "variant")) {
            fail(p, CS_ERR_UNSUPPORTED, "found '%s' in a struct, which is not supported", p->word);
            return;
        }
        of = type_of(p, name, sizeof name);
        do {
            cs_tsdl_member *member = make(p, sizeof *member);

            if (name[0] == '\0' && p->token == WORD) {
                snprintf(name, sizeof name, "%s", p->word);
                advance(p);
            }
            if (name[0] == '\0')
                unexpected(p, "the name of a field");
            if (member == NULL || p->status != CS_OK)
                return;
            member->name = keep(p, name[0] == '_' ? name + 1 : name);
            member->type = arrays(p, of, 0);
            if (p->status != CS_OK)
                return;
            if (member->type->align > type->align)
                type->align = member->type->align;
            *tail = member;
            tail = &member->next;
            name[0] = '\0';
        } while (take(p, ','));
        expect(p, ';', "';'");
    }
}

static const cs_tsdl_type *structure(parser *p)
{
    char name[WORD_BYTES + 8] = "";
    cs_tsdl_type *type = make(p, sizeof *type);

    if (type == NULL)
        return NULL;
    type->kind = CS_TSDL_STRUCT;
    type->align = 1;
    if (p->token == WORD) {
        snprintf(name, sizeof name, "struct %s", p->word);
        advance(p);
    }
    if (!take(p, '{')) {
        const cs_tsdl_type *known = find_alias(p, name);

        if (known == NULL)
            unexpected(p, "'{', or the name of a struct that was declared");
        return known;
    }
    members_of(p, type);
    if (take_word(p, "align")) {
        expect(p, '(', "'('");
        const uint64_t align = take_number(p);

        if (align == 0 || align > 65536 || (align & (align - 1)) != 0)
            fail(p, CS_ERR_FORMAT, "an alignment of %" PRIu64 ", expected a power of two", align);
        if (align > type->align)
            type->align = (unsigned)align;
        expect(p, ')', "')'");
    }
    if (name[0] != '\0')
        add_alias(p, name, type);
    return type;
}

/* An alias of several words; in a struct the last of them is the field's name. */
static const cs_tsdl_type *aliased(parser *p, char *field, size_t field_bytes)
{
    char name[WORD_BYTES] = "", last[WORD_BYTES] = "";
    const char *begin = p->begin;
    const cs_tsdl_type *type;

    while (p->status == CS_OK && p->token == WORD) {
        if (last[0] != '\0') {
            const size_t at = strlen(name);

            if (strlen(last) + at + 2 > sizeof name) {
                fail(p, CS_ERR_FORMAT, "a type's name of more than %d bytes", WORD_BYTES);
                return NULL;
            }
            snprintf(name + at, sizeof name - at, "%s%s", at > 0 ? " " : "", last);
        }
        snprintf(last, sizeof last, "%s", p->word);
        advance(p);
    }
    if (field == NULL && last[0] != '\0') {
        const size_t at = strlen(name);

        if (strlen(last) + at + 2 <= sizeof name)
            snprintf(name + at, sizeof name - at, "%s%s", at > 0 ? " " : "", last);
    }
    if (p->status != CS_OK)
        return NULL;
    type = find_alias(p, name);
    if (type == NULL) {
        p->begin = begin;
        fail(p, CS_ERR_FORMAT, "found type '%.60s', expected one that was declared", name);
        return NULL;
    }
    if (field != NULL)
        snprintf(field, field_bytes, "%s", last);
    return type;
}

/* A type; with `field` the name behind it, where that had to be read, else "". */
static const cs_tsdl_type *type_of(parser *p, char *field, size_t field_bytes)
{
    const cs_tsdl_type *type = NULL;

    if (++p->depth > MAX_DEPTH)
        fail(p, CS_ERR_FORMAT, "types more than %d deep", MAX_DEPTH);
    else if (take_word(p, "integer"))
        type = basic(p, CS_TSDL_INTEGER);
    else if (take_word(p, "floating_point"))
        type = basic(p, CS_TSDL_FLOAT);
    else if (take_word(p, "string"))
        type = basic(p, CS_TSDL_STRING);
    else if (take_word(p, "struct"))
        type = structure(p);
    else if (take_word(p, "enum"))
        type = enumeration(p);
    else if (is(p, "variant"))
        fail(p, CS_ERR_UNSUPPORTED, "variants are not supported");
    else if (p->token == WORD)
        type = aliased(p, field, field_bytes);
    else
        unexpected(p, "a type");
    p->depth--;
    return p->status == CS_OK ? type : NULL;
}

static void typealias(parser *p)
{
    const cs_tsdl_type *type = type_of(p, NULL, 0);
    char name[WORD_BYTES] = "";

    expect(p, ASSIGN, "':='");
    while (p->status == CS_OK && p->token == WORD) {
        const size_t at = strlen(name);

        if (at + strlen(p->word) + 2 > sizeof name) {
            fail(p, CS_ERR_FORMAT, "a type's name of more than %d bytes", WORD_BYTES);
            return;
        }
        snprintf(name + at, sizeof name - at, "%s%s", at > 0 ? " " : "", p->word);
        advance(p);
    }
    if (name[0] == '\0')
        unexpected(p, "a name");
    expect(p, ';', "';'");
    if (p->status == CS_OK)
        add_alias(p, name, type);
}

/* ---- scopes ---- */

static bool uuid_of(const char *text, uint8_t *out)
{
    unsigned nr = 0;

    for (; *text != '\0'; text++) {
        static const char digits[] = "0123456789abcdef";
        const char low = (char)(*text >= 'A' && *text <= 'F' ? *text + 32 : *text);
        const char *found = strchr(digits, low);

        if (*text == '-')
            continue;
        if (found == NULL || nr == 32)
            return false;
        out[nr / 2] = (uint8_t)(out[nr / 2] << 4 | (found - digits));
        nr++;
    }
    return nr == 32;
}

/* A block's attributes of interest: types by ':=', values by '='. */
typedef struct scope {
    const cs_tsdl_type *packet, *header, *stream_context, *context, *fields;
    uint64_t id, stream_id;
    char name[WORD_BYTES];
} scope;

static void take_type(parser *p, const char *key, scope *out)
{
    const cs_tsdl_type *type = type_of(p, NULL, 0);
    const struct {
        const char *key;
        const cs_tsdl_type **where;
    } keys[] = {{"packet.header", &out->packet}, {"packet.context", &out->packet},
                {"event.header", &out->header},  {"event.context", &out->stream_context},
                {"context", &out->context},      {"fields", &out->fields}};

    if (p->status != CS_OK)
        return;
    if (type->kind != CS_TSDL_STRUCT)
        fail(p, CS_ERR_FORMAT, "%s is no struct", key);
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (strcmp(key, keys[i].key) == 0)
            *keys[i].where = type;
}

static void take_value(parser *p, const char *key, scope *out)
{
    if (strcmp(key, "id") == 0) {
        out->id = take_number(p);
    } else if (strcmp(key, "stream_id") == 0) {
        out->stream_id = take_number(p);
    } else if (strcmp(key, "name") == 0 && (p->token == STRING || p->token == WORD)) {
        snprintf(out->name, sizeof out->name, "%s", p->word);
        advance(p);
    } else if (strcmp(key, "byte_order") == 0) {
        p->out->order = take_order(p);
    } else if (strcmp(key, "uuid") == 0 && p->token == STRING) {
        p->out->has_uuid = uuid_of(p->word, p->out->uuid);
        if (!p->out->has_uuid)
            unexpected(p, "a UUID");
        advance(p);
    } else {
        skip_value(p);
    }
}

static void scope_of(parser *p, scope *out)
{
    alias *const outer = p->aliases;
    char key[256];

    expect(p, '{', "'{'");
    while (p->status == CS_OK && !take(p, '}')) {
        if (take_word(p, "typealias")) {
            typealias(p);
            continue;
        }
        if (is(p, "struct") || is(p, "enum")) {
            type_of(p, NULL, 0);
            expect(p, ';', "';'");
            continue;
        }
        take_key(p, key, sizeof key);
        if (take(p, ASSIGN))
            take_type(p, key, out);
        else if (take(p, '='))
            take_value(p, key, out);
        else
            unexpected(p, "'=' or ':='");
        expect(p, ';', "';'");
    }
    expect(p, ';', "';'");
    p->aliases = outer;
}

static void add_stream(parser *p, const scope *s)
{
    cs_tsdl_stream_class *stream = make(p, sizeof *stream);

    if (stream == NULL)
        return;
    if (cs_tsdl_stream_of(p->out, s->id) != NULL)
        fail(p, CS_ERR_FORMAT, "stream %" PRIu64 " is declared twice", s->id);
    *stream =
        (cs_tsdl_stream_class){p->out->streams, s->id, s->packet, s->header, s->stream_context};
    p->out->streams = stream;
}

static void add_event(parser *p, const scope *s)
{
    cs_tsdl_event_class *event = make(p, sizeof *event);

    if (event == NULL)
        return;
    if (cs_tsdl_event_of(p->out, s->stream_id, s->id) != NULL)
        fail(p, CS_ERR_FORMAT, "event %" PRIu64 " of stream %" PRIu64 " is declared twice", s->id,
             s->stream_id);
    *event = (cs_tsdl_event_class){p->out->events,   s->id,      s->stream_id,
                                   keep(p, s->name), s->context, s->fields};
    p->out->events = event;
}

static void declaration(parser *p)
{
    scope s = {0};

    if (take_word(p, "typealias")) {
        typealias(p);
    } else if (is(p, "struct") || is(p, "enum")) {
        type_of(p, NULL, 0);
        expect(p, ';', "';'");
    } else if (take_word(p, "trace")) {
        scope_of(p, &s);
        p->out->packet_header = s.packet;
    } else if (take_word(p, "stream")) {
        scope_of(p, &s);
        add_stream(p, &s);
    } else if (take_word(p, "event")) {
        scope_of(p, &s);
        add_event(p, &s);
    } else if (take_word(p, "env") || take_word(p, "clock") || take_word(p, "callsite")) {
        const cs_tsdl kept = *p->out;

        scope_of(p, &s); /* a clock has a uuid of its own */
        p->out->has_uuid = kept.has_uuid;
        memcpy(p->out->uuid, kept.uuid, sizeof kept.uuid);
        p->out->order = kept.order;
    } else if (is(p, "typedef")) {
        fail(p, CS_ERR_UNSUPPORTED, "typedef is not supported, expected typealias");
    } else {
        unexpected(p, "typealias, struct, enum, trace, env, clock, stream, event or callsite");
    }
}

cs_status cs_tsdl_parse(cs_tsdl *metadata, const char *text, size_t bytes, const char *name,
                        cs_diag *diag)
{
    parser p = {.out = metadata,
                .text = text,
                .end = text + bytes,
                .at = text,
                .begin = text,
                .name = name,
                .diag = diag};

    *metadata = (cs_tsdl){.order = CS_TSDL_LITTLE};
    if (bytes >= 4 &&
        (memcmp(text, "\x57\x1d\xd1\x75", 4) == 0 || memcmp(text, "\x75\xd1\x1d\x57", 4) == 0))
        return cs_diag_set(diag, CS_ERR_UNSUPPORTED, name,
                           "metadata in packets is not supported, expected plain text");
    advance(&p);
    while (p.status == CS_OK && p.token != END)
        declaration(&p);
    if (p.status == CS_OK && metadata->streams == NULL)
        fail(&p, CS_ERR_FORMAT, "the metadata declares no stream");
    return p.status;
}

void cs_tsdl_free(cs_tsdl *metadata)
{
    for (block *b = metadata->memory, *next; b != NULL; b = next) {
        next = b->next;
        free(b);
    }
    *metadata = (cs_tsdl){0};
}

const cs_tsdl_stream_class *cs_tsdl_stream_of(const cs_tsdl *metadata, uint64_t id)
{
    const cs_tsdl_stream_class *s = metadata->streams;

    while (s != NULL && s->id != id)
        s = s->next;
    return s;
}

const cs_tsdl_event_class *cs_tsdl_event_of(const cs_tsdl *metadata, uint64_t stream, uint64_t id)
{
    const cs_tsdl_event_class *e = metadata->events;

    while (e != NULL && (e->id != id || e->stream_id != stream))
        e = e->next;
    return e;
}
