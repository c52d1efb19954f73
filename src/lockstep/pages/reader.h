// SPDX-License-Identifier: Apache-2.0
/* Internal to pages: a text taken apart into lines and words. */
#ifndef CS_LOCKSTEP_PAGE_READER_H
#define CS_LOCKSTEP_PAGE_READER_H

#include "lockstep/pages/page.h"

#define CS_PAGE_WORDS 64u

typedef struct cs_page_reader {
    cs_page *page;
    const char *file; /* for messages */
    unsigned line;
    char *words[CS_PAGE_WORDS];
    size_t nr_words;
    const char *group;
    const char *variant;
    bool from_top; /* bits of fields are counted from the top */
    bool numbers;  /* registers have numbers, not offsets in bytes */
    cs_diag *diag;
} cs_page_reader;

/* CS_ERR_FORMAT with the line; `word` may be NULL: there is none. */
cs_status cs_page_refuse(const cs_page_reader *r, const char *word, const char *expected);

/* Decimal, or hexadecimal with 0x. */
bool cs_page_number(const char *word, uint64_t *out);

/* NULL: no memory, which *r's diagnostic says. */
void *cs_page_grow(cs_page_reader *r, void *items, size_t *room, size_t nr, size_t bytes);

cs_page_register *cs_page_register_of(const cs_page *page, const char *key);
const cs_page_field *cs_page_field_of(const cs_page *page, const char *key, const char *name);
bool cs_page_state_number(const cs_page *page, const char *name, uint64_t *out);

/* register, field, value, also, variant, bits (reader_registers.c); `known`: it was one of them. */
cs_status cs_page_read_register_line(cs_page_reader *r, bool *known);

/* The words from `at` on: EVENT [or EVENT].. [in STATE] [when FLAG].. (reader_rules.c) */
cs_status cs_page_read_rule(cs_page_reader *r, size_t at, cs_page_rule *out);
/* The point that the state is entered. */
cs_status cs_page_add_state_point(cs_page_reader *r, const cs_page_value *state);
/* group, point, writes, reads, arc, flag, excluded */
cs_status cs_page_read_point_line(cs_page_reader *r, bool *known);

#endif
