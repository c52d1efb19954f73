// SPDX-License-Identifier: Apache-2.0
/* Types made of others, and the names they are declared by. */
#include "formats/ctf/read/tsdl_impl.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define MAX_DEPTH 32

static const cs_tsdl_type *find_alias(const cs_tsdl_parser *p, const char *name)
{
    for (const cs_tsdl_alias *a = p->aliases; a != NULL; a = a->next)
        if (strcmp(a->name, name) == 0)
            return a->type;
    return NULL;
}

static void add_alias(cs_tsdl_parser *p, const char *name, const cs_tsdl_type *type)
{
    cs_tsdl_alias *a = cs_tsdl_make(p, sizeof *a);

    if (a == NULL)
        return;
    *a = (cs_tsdl_alias){p->aliases, cs_tsdl_keep(p, name), type};
    p->aliases = a;
}

static void labels_of(cs_tsdl_parser *p, cs_tsdl_type *type)
{
    cs_tsdl_label **tail = &type->labels;
    uint64_t next = 0;

    while (p->status == CS_OK && !cs_tsdl_take(p, '}')) {
        cs_tsdl_label *label = cs_tsdl_make(p, sizeof *label);

        if (label == NULL)
            return;
        if (p->token != TOKEN_WORD && p->token != TOKEN_STRING) {
            cs_tsdl_unexpected(p, "a label");
            return;
        }
        label->name = cs_tsdl_keep(p, p->word);
        cs_tsdl_advance(p);
        label->first = label->last = cs_tsdl_take(p, '=') ? cs_tsdl_take_number(p) : next;
        if (cs_tsdl_take(p, TOKEN_DOTS))
            label->last = cs_tsdl_take_number(p);
        next = label->last + 1;
        *tail = label;
        tail = &label->next;
        if (!cs_tsdl_take(p, ',') && p->token != '}')
            cs_tsdl_unexpected(p, "',' or '}'");
    }
}

static const cs_tsdl_type *enumeration(cs_tsdl_parser *p)
{
    char name[WORD_BYTES + 8] = "";
    const cs_tsdl_type *container = NULL;
    cs_tsdl_type *type;

    if (p->token == TOKEN_WORD) {
        snprintf(name, sizeof name, "enum %s", p->word);
        cs_tsdl_advance(p);
        if (p->token != ':' && p->token != '{') {
            container = find_alias(p, name);
            if (container == NULL)
                cs_tsdl_fail(p, CS_ERR_FORMAT, "found %.60s, expected one that was declared", name);
            return container;
        }
    }
    container = cs_tsdl_take(p, ':') ? cs_tsdl_type_of(p, NULL, 0) : find_alias(p, "int");
    if (p->status == CS_OK && (container == NULL || container->kind != CS_TSDL_INTEGER))
        cs_tsdl_fail(p, CS_ERR_FORMAT, "an enumeration of no integer");
    cs_tsdl_expect(p, '{', "'{'");
    type = cs_tsdl_make(p, sizeof *type);
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
static const cs_tsdl_type *arrays(cs_tsdl_parser *p, const cs_tsdl_type *element, unsigned depth)
{
    cs_tsdl_type *type;

    if (!cs_tsdl_take(p, '['))
        return element;
    type = cs_tsdl_make(p, sizeof *type);
    if (type == NULL || element == NULL || depth >= MAX_DEPTH) {
        cs_tsdl_fail(p, CS_ERR_FORMAT, "arrays more than %d deep", MAX_DEPTH);
        return NULL;
    }
    type->kind = CS_TSDL_ARRAY;
    if (p->token == TOKEN_NUMBER) {
        type->length = cs_tsdl_take_number(p);
    } else {
        char name[256];

        cs_tsdl_take_key(p, name, sizeof name);
        /* "stream.event.context.n" is told by its last word */
        const char *last = strrchr(name, '.') != NULL ? strrchr(name, '.') + 1 : name;
        type->kind = CS_TSDL_SEQUENCE;
        type->length_name = cs_tsdl_keep(p, last[0] == '_' ? last + 1 : last);
    }
    cs_tsdl_expect(p, ']', "']'");
    type->element = arrays(p, element, depth + 1);
    type->align = p->status == CS_OK ? type->element->align : 1;
    return type;
}

static void members_of(cs_tsdl_parser *p, cs_tsdl_type *type)
{
    cs_tsdl_member **tail = &type->members;

    while (p->status == CS_OK && !cs_tsdl_take(p, '}')) {
        char name[WORD_BYTES] = "";
        const cs_tsdl_type *of;

        if (cs_tsdl_is(p, "typealias") || cs_tsdl_is(p, "typedef") || cs_tsdl_is(p, "variant")) {
            cs_tsdl_fail(p, CS_ERR_UNSUPPORTED, "found '%s' in a struct, which is not supported",
                         p->word);
            return;
        }
        of = cs_tsdl_type_of(p, name, sizeof name);
        do {
            cs_tsdl_member *member = cs_tsdl_make(p, sizeof *member);

            if (name[0] == '\0' && p->token == TOKEN_WORD) {
                snprintf(name, sizeof name, "%s", p->word);
                cs_tsdl_advance(p);
            }
            if (name[0] == '\0')
                cs_tsdl_unexpected(p, "the name of a field");
            if (member == NULL || p->status != CS_OK)
                return;
            member->name = cs_tsdl_keep(p, name[0] == '_' ? name + 1 : name);
            member->type = arrays(p, of, 0);
            if (p->status != CS_OK)
                return;
            if (member->type->align > type->align)
                type->align = member->type->align;
            *tail = member;
            tail = &member->next;
            name[0] = '\0';
        } while (cs_tsdl_take(p, ','));
        cs_tsdl_expect(p, ';', "';'");
    }
}

static const cs_tsdl_type *structure(cs_tsdl_parser *p)
{
    char name[WORD_BYTES + 8] = "";
    cs_tsdl_type *type = cs_tsdl_make(p, sizeof *type);

    if (type == NULL)
        return NULL;
    type->kind = CS_TSDL_STRUCT;
    type->align = 1;
    if (p->token == TOKEN_WORD) {
        snprintf(name, sizeof name, "struct %s", p->word);
        cs_tsdl_advance(p);
    }
    if (!cs_tsdl_take(p, '{')) {
        const cs_tsdl_type *known = find_alias(p, name);

        if (known == NULL)
            cs_tsdl_unexpected(p, "'{', or the name of a struct that was declared");
        return known;
    }
    members_of(p, type);
    if (cs_tsdl_take_word(p, "align")) {
        cs_tsdl_expect(p, '(', "'('");
        const uint64_t align = cs_tsdl_take_number(p);

        if (align == 0 || align > 65536 || (align & (align - 1)) != 0)
            cs_tsdl_fail(p, CS_ERR_FORMAT, "an alignment of %" PRIu64 ", expected a power of two",
                         align);
        if (align > type->align)
            type->align = (unsigned)align;
        cs_tsdl_expect(p, ')', "')'");
    }
    if (name[0] != '\0')
        add_alias(p, name, type);
    return type;
}

/* An alias of several words; in a struct the last of them is the field's name. */
static const cs_tsdl_type *aliased(cs_tsdl_parser *p, char *field, size_t field_bytes)
{
    char name[WORD_BYTES] = "", last[WORD_BYTES] = "";
    const char *begin = p->begin;
    const cs_tsdl_type *type;

    while (p->status == CS_OK && p->token == TOKEN_WORD) {
        if (last[0] != '\0') {
            const size_t at = strlen(name);

            if (strlen(last) + at + 2 > sizeof name) {
                cs_tsdl_fail(p, CS_ERR_FORMAT, "a type's name of more than %d bytes",
                             WORD_BYTES - 1);
                return NULL;
            }
            snprintf(name + at, sizeof name - at, "%s%s", at > 0 ? " " : "", last);
        }
        snprintf(last, sizeof last, "%s", p->word);
        cs_tsdl_advance(p);
    }
    if (field == NULL && last[0] != '\0') {
        const size_t at = strlen(name);

        if (strlen(last) + at + 2 <= sizeof name)
            snprintf(name + at, sizeof name - at, "%s%s", at > 0 ? " " : "", last);
    }
    type = find_alias(p, name);
    if (type == NULL) {
        p->begin = begin;
        cs_tsdl_fail(p, CS_ERR_FORMAT, "found type '%.60s', expected one that was declared", name);
        return NULL;
    }
    if (field != NULL)
        snprintf(field, field_bytes, "%s", last);
    return type;
}

const cs_tsdl_type *cs_tsdl_type_of(cs_tsdl_parser *p, char *field, size_t field_bytes)
{
    const cs_tsdl_type *type = NULL;

    if (++p->depth > MAX_DEPTH)
        cs_tsdl_fail(p, CS_ERR_FORMAT, "types more than %d deep", MAX_DEPTH);
    else if (cs_tsdl_take_word(p, "integer"))
        type = cs_tsdl_basic(p, CS_TSDL_INTEGER);
    else if (cs_tsdl_take_word(p, "floating_point"))
        type = cs_tsdl_basic(p, CS_TSDL_FLOAT);
    else if (cs_tsdl_take_word(p, "string"))
        type = cs_tsdl_basic(p, CS_TSDL_STRING);
    else if (cs_tsdl_take_word(p, "struct"))
        type = structure(p);
    else if (cs_tsdl_take_word(p, "enum"))
        type = enumeration(p);
    else if (cs_tsdl_is(p, "variant"))
        cs_tsdl_fail(p, CS_ERR_UNSUPPORTED, "variants are not supported");
    else if (p->token == TOKEN_WORD)
        type = aliased(p, field, field_bytes);
    else
        cs_tsdl_unexpected(p, "a type");
    p->depth--;
    return p->status == CS_OK ? type : NULL;
}

void cs_tsdl_typealias(cs_tsdl_parser *p)
{
    const cs_tsdl_type *type = cs_tsdl_type_of(p, NULL, 0);
    char name[WORD_BYTES] = "";

    cs_tsdl_expect(p, TOKEN_ASSIGN, "':='");
    while (p->status == CS_OK && p->token == TOKEN_WORD) {
        const size_t at = strlen(name);
        const size_t bytes = strlen(p->word);

        if (at + bytes + 2 > sizeof name) {
            cs_tsdl_fail(p, CS_ERR_FORMAT, "a type's name of more than %d bytes", WORD_BYTES);
            return;
        }
        if (at > 0)
            name[at] = ' ';
        memcpy(name + at + (at > 0), p->word, bytes + 1);
        cs_tsdl_advance(p);
    }
    if (name[0] == '\0')
        cs_tsdl_unexpected(p, "a name");
    cs_tsdl_expect(p, ';', "';'");
    if (p->status == CS_OK)
        add_alias(p, name, type);
}
