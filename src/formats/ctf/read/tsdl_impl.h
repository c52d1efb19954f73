// SPDX-License-Identifier: Apache-2.0
/* Internal to tsdl*.c: the parser, and what each file does for the others. After an error there are no
 * more tokens, so that callers look at `status` only where they loop or follow a pointer. */
#ifndef CS_FORMATS_CTF_READ_TSDL_IMPL_H
#define CS_FORMATS_CTF_READ_TSDL_IMPL_H

#include "formats/ctf/read/tsdl.h"

#define WORD_BYTES 1024

/* 0 is the end; other characters stand for themselves. */
enum { TOKEN_END = 0, TOKEN_WORD = 256, TOKEN_NUMBER, TOKEN_STRING, TOKEN_ASSIGN, TOKEN_DOTS };

typedef struct cs_tsdl_alias {
    struct cs_tsdl_alias *next;
    const char *name; /* "unsigned int", "struct x", "enum x" */
    const cs_tsdl_type *type;
} cs_tsdl_alias;

typedef struct cs_tsdl_parser {
    cs_tsdl *out;
    const char *text, *end, *at;
    const char *name;
    cs_diag *diag;
    cs_status status;
    int token;
    const char *begin; /* of the token */
    char word[WORD_BYTES];
    uint64_t number;
    cs_tsdl_alias *aliases;
    unsigned depth;
} cs_tsdl_parser;

/* ---- tsdl.c: memory that lives as long as the metadata ---- */

void *cs_tsdl_make(cs_tsdl_parser *p, size_t bytes); /* zeroed; NULL: no memory, and it failed */
const char *cs_tsdl_keep(cs_tsdl_parser *p, const char *text);

/* ---- tsdl_tokens.c ---- */

/* The first error stays, at the token; the text ends there. */
__attribute__((format(printf, 3, 4))) void cs_tsdl_fail(cs_tsdl_parser *p, cs_status status,
                                                        const char *format, ...);
void cs_tsdl_unexpected(cs_tsdl_parser *p, const char *expected);
void cs_tsdl_advance(cs_tsdl_parser *p);
bool cs_tsdl_is(const cs_tsdl_parser *p, const char *word);
/* Whether it was there; then it is passed. */
bool cs_tsdl_take(cs_tsdl_parser *p, int token);
bool cs_tsdl_take_word(cs_tsdl_parser *p, const char *word);
void cs_tsdl_expect(cs_tsdl_parser *p, int token, const char *expected);
uint64_t cs_tsdl_take_number(cs_tsdl_parser *p);
/* `key` up to '=' or ':=', with its dots. */
void cs_tsdl_take_key(cs_tsdl_parser *p, char *key, size_t bytes);
/* What stands behind '=', up to ';'. */
void cs_tsdl_skip_value(cs_tsdl_parser *p);

/* ---- tsdl_attributes.c ---- */

cs_tsdl_order cs_tsdl_take_order(cs_tsdl_parser *p);
/* integer, floating_point and string: what stands in braces. NULL: no memory. */
cs_tsdl_type *cs_tsdl_basic(cs_tsdl_parser *p, cs_tsdl_kind kind);

/* ---- tsdl_types.c ---- */

/* A type; with `field` the name behind it, where that had to be read, else left. NULL: it failed. */
const cs_tsdl_type *cs_tsdl_type_of(cs_tsdl_parser *p, char *field, size_t field_bytes);
/* What stands behind the word, with its ';'. */
void cs_tsdl_typealias(cs_tsdl_parser *p);

#endif
