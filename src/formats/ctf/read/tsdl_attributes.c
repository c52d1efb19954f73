// SPDX-License-Identifier: Apache-2.0
/* integer, floating_point and string: types that are told by attributes alone. */
#include "formats/ctf/read/tsdl_impl.h"

#include <string.h>

cs_tsdl_order cs_tsdl_take_order(cs_tsdl_parser *p)
{
    const cs_tsdl_order order = cs_tsdl_is(p, "le")                               ? CS_TSDL_LITTLE
                                : cs_tsdl_is(p, "be") || cs_tsdl_is(p, "network") ? CS_TSDL_BIG
                                                                                  : CS_TSDL_NATIVE;

    if (order == CS_TSDL_NATIVE && !cs_tsdl_is(p, "native"))
        cs_tsdl_unexpected(p, "le, be, network or native");
    cs_tsdl_advance(p);
    return order;
}

static unsigned take_base(cs_tsdl_parser *p)
{
    static const struct {
        const char *word;
        unsigned base;
    } words[] = {{"decimal", 10}, {"dec", 10}, {"d", 10}, {"i", 10},           {"u", 10},
                 {"hex", 16},     {"x", 16},   {"X", 16}, {"hexadecimal", 16}, {"p", 16},
                 {"octal", 8},    {"oct", 8},  {"o", 8},  {"binary", 2},       {"b", 2}};

    if (p->token == TOKEN_NUMBER)
        return (unsigned)cs_tsdl_take_number(p);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (cs_tsdl_take_word(p, words[i].word))
            return words[i].base;
    cs_tsdl_unexpected(p, "2, 8, 10, 16 or the name of a base");
    return 10;
}

static bool take_bool(cs_tsdl_parser *p)
{
    const bool yes = cs_tsdl_is(p, "true") || (p->token == TOKEN_NUMBER && p->number == 1);

    if (!yes && !cs_tsdl_is(p, "false") && !(p->token == TOKEN_NUMBER && p->number == 0))
        cs_tsdl_unexpected(p, "true or false");
    cs_tsdl_advance(p);
    return yes;
}

static void attribute_of(cs_tsdl_parser *p, const char *key, cs_tsdl_type *type, unsigned *mantissa)
{
    if (strcmp(key, "size") == 0)
        type->size = (unsigned)cs_tsdl_take_number(p);
    else if (strcmp(key, "align") == 0)
        type->align = (unsigned)cs_tsdl_take_number(p);
    else if (strcmp(key, "signed") == 0)
        type->is_signed = take_bool(p);
    else if (strcmp(key, "byte_order") == 0)
        type->order = cs_tsdl_take_order(p);
    else if (strcmp(key, "base") == 0)
        type->base = take_base(p);
    else if (strcmp(key, "mant_dig") == 0)
        *mantissa = (unsigned)cs_tsdl_take_number(p);
    else if (strcmp(key, "exp_dig") == 0)
        type->size += (unsigned)cs_tsdl_take_number(p);
    else {
        if (strcmp(key, "encoding") == 0)
            type->is_text = !cs_tsdl_is(p, "none");
        if (strcmp(key, "map") == 0)
            type->is_clock = true;
        cs_tsdl_skip_value(p);
    }
}

cs_tsdl_type *cs_tsdl_basic(cs_tsdl_parser *p, cs_tsdl_kind kind)
{
    cs_tsdl_type *type = cs_tsdl_make(p, sizeof *type);
    unsigned mantissa = 0;
    char key[64];

    if (type == NULL)
        return NULL;
    type->kind = kind;
    type->base = 10;
    if (cs_tsdl_take(p, '{'))
        while (p->status == CS_OK && !cs_tsdl_take(p, '}')) {
            cs_tsdl_take_key(p, key, sizeof key);
            cs_tsdl_expect(p, '=', "'='");
            attribute_of(p, key, type, &mantissa);
            cs_tsdl_expect(p, ';', "';'");
        }
    if (kind == CS_TSDL_FLOAT)
        type->size += mantissa;
    if (kind == CS_TSDL_STRING)
        type->align = 8;
    else if (kind == CS_TSDL_FLOAT ? type->size != 32 && type->size != 64
                                   : type->size < 1 || type->size > 64)
        cs_tsdl_fail(p, CS_ERR_FORMAT, "a number of %u bits, expected %s", type->size,
                     kind == CS_TSDL_FLOAT ? "32 or 64" : "1..64");
    if (type->align == 0)
        type->align = type->size % 8 == 0 ? 8 : 1;
    if ((type->align & (type->align - 1)) != 0 || type->align > 65536)
        cs_tsdl_fail(p, CS_ERR_FORMAT, "an alignment of %u, expected a power of two", type->align);
    return type;
}
