// SPDX-License-Identifier: Apache-2.0
/* TSDL by recursive descent: the blocks of a trace. What a reader of packets does not need (env,
 * callsite, unknown attributes) is passed over, but must be well formed. */
#include "formats/ctf/read/tsdl_impl.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "formats/common/event_fields.h"

/* ---- memory ---- */

typedef struct block {
    struct block *next;
} block;

void *cs_tsdl_make(cs_tsdl_parser *p, size_t bytes)
{
    block *b = calloc(1, sizeof *b + bytes);

    if (b == NULL) {
        cs_tsdl_fail(p, CS_ERR_NO_MEMORY, "no memory for what it declares");
        return NULL;
    }
    b->next = p->out->memory;
    p->out->memory = b;
    return b + 1;
}

const char *cs_tsdl_keep(cs_tsdl_parser *p, const char *text)
{
    char *copy = cs_tsdl_make(p, strlen(text) + 1);

    return copy != NULL ? strcpy(copy, text) : "";
}

void cs_tsdl_free(cs_tsdl *metadata)
{
    for (block *b = metadata->memory, *next; b != NULL; b = next) {
        next = b->next;
        free(b);
    }
    *metadata = (cs_tsdl){0};
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

static void take_type(cs_tsdl_parser *p, const char *key, scope *out)
{
    const cs_tsdl_type *type = cs_tsdl_type_of(p, NULL, 0);
    const struct {
        const char *key;
        const cs_tsdl_type **where;
    } keys[] = {{"packet.header", &out->packet}, {"packet.context", &out->packet},
                {"event.header", &out->header},  {"event.context", &out->stream_context},
                {"context", &out->context},      {"fields", &out->fields}};

    if (p->status != CS_OK)
        return;
    if (type->kind != CS_TSDL_STRUCT)
        cs_tsdl_fail(p, CS_ERR_FORMAT, "%s is no struct", key);
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (strcmp(key, keys[i].key) == 0)
            *keys[i].where = type;
}

static void take_value(cs_tsdl_parser *p, const char *key, scope *out)
{
    if (strcmp(key, "id") == 0) {
        out->id = cs_tsdl_take_number(p);
    } else if (strcmp(key, "stream_id") == 0) {
        out->stream_id = cs_tsdl_take_number(p);
    } else if (strcmp(key, "name") == 0 && (p->token == TOKEN_STRING || p->token == TOKEN_WORD)) {
        cs_utf8_clean(out->name, p->word, strlen(p->word));
        cs_tsdl_advance(p);
    } else if (strcmp(key, "byte_order") == 0) {
        p->out->order = cs_tsdl_take_order(p);
    } else if (strcmp(key, "uuid") == 0 && p->token == TOKEN_STRING) {
        p->out->has_uuid = uuid_of(p->word, p->out->uuid);
        if (!p->out->has_uuid)
            cs_tsdl_unexpected(p, "a UUID");
        cs_tsdl_advance(p);
    } else {
        cs_tsdl_skip_value(p);
    }
}

static void scope_of(cs_tsdl_parser *p, scope *out)
{
    cs_tsdl_alias *const outer = p->aliases;
    char key[256];

    cs_tsdl_expect(p, '{', "'{'");
    while (p->status == CS_OK && !cs_tsdl_take(p, '}')) {
        if (cs_tsdl_take_word(p, "typealias")) {
            cs_tsdl_typealias(p);
            continue;
        }
        if (cs_tsdl_is(p, "struct") || cs_tsdl_is(p, "enum")) {
            cs_tsdl_type_of(p, NULL, 0);
            cs_tsdl_expect(p, ';', "';'");
            continue;
        }
        cs_tsdl_take_key(p, key, sizeof key);
        if (cs_tsdl_take(p, TOKEN_ASSIGN))
            take_type(p, key, out);
        else if (cs_tsdl_take(p, '='))
            take_value(p, key, out);
        else
            cs_tsdl_unexpected(p, "'=' or ':='");
        cs_tsdl_expect(p, ';', "';'");
    }
    cs_tsdl_expect(p, ';', "';'");
    p->aliases = outer;
}

static void add_stream(cs_tsdl_parser *p, const scope *s)
{
    cs_tsdl_stream_class *stream = cs_tsdl_make(p, sizeof *stream);

    if (stream == NULL)
        return;
    if (cs_tsdl_stream_of(p->out, s->id) != NULL)
        cs_tsdl_fail(p, CS_ERR_FORMAT, "stream %" PRIu64 " is declared twice", s->id);
    *stream =
        (cs_tsdl_stream_class){p->out->streams, s->id, s->packet, s->header, s->stream_context};
    p->out->streams = stream;
}

static void add_event(cs_tsdl_parser *p, const scope *s)
{
    cs_tsdl_event_class *event = cs_tsdl_make(p, sizeof *event);

    if (event == NULL)
        return;
    if (cs_tsdl_event_of(p->out, s->stream_id, s->id) != NULL)
        cs_tsdl_fail(p, CS_ERR_FORMAT, "event %" PRIu64 " of stream %" PRIu64 " is declared twice",
                     s->id, s->stream_id);
    *event = (cs_tsdl_event_class){p->out->events,           s->id,      s->stream_id,
                                   cs_tsdl_keep(p, s->name), s->context, s->fields};
    p->out->events = event;
}

static void declaration(cs_tsdl_parser *p)
{
    scope s = {0};

    if (cs_tsdl_take_word(p, "typealias")) {
        cs_tsdl_typealias(p);
    } else if (cs_tsdl_is(p, "struct") || cs_tsdl_is(p, "enum")) {
        cs_tsdl_type_of(p, NULL, 0);
        cs_tsdl_expect(p, ';', "';'");
    } else if (cs_tsdl_take_word(p, "trace")) {
        scope_of(p, &s);
        p->out->packet_header = s.packet;
    } else if (cs_tsdl_take_word(p, "stream")) {
        scope_of(p, &s);
        add_stream(p, &s);
    } else if (cs_tsdl_take_word(p, "event")) {
        scope_of(p, &s);
        add_event(p, &s);
    } else if (cs_tsdl_take_word(p, "env") || cs_tsdl_take_word(p, "clock") ||
               cs_tsdl_take_word(p, "callsite")) {
        const cs_tsdl kept = *p->out;

        scope_of(p, &s); /* a clock has a uuid of its own */
        p->out->has_uuid = kept.has_uuid;
        memcpy(p->out->uuid, kept.uuid, sizeof kept.uuid);
        p->out->order = kept.order;
    } else if (cs_tsdl_is(p, "typedef")) {
        cs_tsdl_fail(p, CS_ERR_UNSUPPORTED, "typedef is not supported, expected typealias");
    } else {
        cs_tsdl_unexpected(p,
                           "typealias, struct, enum, trace, env, clock, stream, event or callsite");
    }
}

cs_status cs_tsdl_parse(cs_tsdl *metadata, const char *text, size_t bytes, const char *name,
                        cs_diag *diag)
{
    cs_tsdl_parser p = {.out = metadata,
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
    cs_tsdl_advance(&p);
    while (p.status == CS_OK && p.token != TOKEN_END)
        declaration(&p);
    if (p.status == CS_OK && metadata->streams == NULL)
        cs_tsdl_fail(&p, CS_ERR_FORMAT, "the metadata declares no stream");
    return p.status;
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
