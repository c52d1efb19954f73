// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>
#include <string.h>

#include "lockstep/pages/reader.h"

cs_page_register *cs_page_register_of(const cs_page *page, const char *key)
{
    for (size_t i = 0; i < page->nr_registers; i++)
        if (strcmp(page->registers[i].key, key) == 0)
            return &page->registers[i];
    return NULL;
}

const cs_page_field *cs_page_field_of(const cs_page *page, const char *key, const char *name)
{
    for (size_t i = 0; i < page->nr_registers; i++) {
        const cs_page_register *reg = &page->registers[i];

        if (strcmp(reg->key, key) != 0)
            continue;
        for (size_t f = 0; f < reg->nr_fields; f++)
            if (strcmp(page->fields[reg->first_field + f].name, name) == 0)
                return &page->fields[reg->first_field + f];
    }
    return NULL;
}

/* The name without its number in <>. */
static char *key_of(const char *name)
{
    char *key = strdup(name);
    char *open = key != NULL ? strchr(key, '<') : NULL;
    const char *close = open != NULL ? strchr(open, '>') : NULL;

    if (close != NULL)
        memmove(open, close + 1, strlen(close));
    return key;
}

/* register NAME ADDRESS BITS ACCESS [COUNT STRIDE [/ DIVISOR]] */
static cs_status read_register(cs_page_reader *r)
{
    cs_page *p = r->page;
    cs_page_register *reg =
        cs_page_grow(r, p->registers, &p->room_registers, p->nr_registers, sizeof *reg);
    uint64_t n[4] = {0, 64, 1, 0};
    uint64_t divisor = 1;

    if (reg == NULL)
        return CS_ERR_NO_MEMORY;
    p->registers = reg;
    if (r->nr_words == 9 && strcmp(r->words[7], "/") == 0 && !cs_page_number(r->words[8], &divisor))
        return cs_page_refuse(r, r->words[8], "a number");
    if (r->nr_words != 5 && r->nr_words != 7 && r->nr_words != 9)
        return cs_page_refuse(r, NULL,
                              "register NAME ADDRESS BITS ACCESS [COUNT STRIDE [/ NUMBER]]");
    for (size_t i = 0; i < 4; i++) {
        static const size_t places[] = {2, 3, 5, 6};

        if (places[i] < r->nr_words && !cs_page_number(r->words[places[i]], &n[i]))
            return cs_page_refuse(r, r->words[places[i]], "a number");
    }
    reg += p->nr_registers;
    *reg = (cs_page_register){.name = r->words[1],
                              .key = key_of(r->words[1]),
                              .variant = r->variant,
                              .addresses = {n[0]},
                              .nr_addresses = 1,
                              .count = (unsigned)n[2],
                              .divisor = divisor != 0 ? (unsigned)divisor : 1,
                              .stride = n[3],
                              .bits = (unsigned)n[1],
                              .span = r->numbers ? 1 : (unsigned)n[1] / 8,
                              .writes = strcmp(r->words[4], "ro") != 0,
                              .first_field = p->nr_fields};
    if (reg->key == NULL)
        return cs_diag_set(r->diag, CS_ERR_NO_MEMORY, r->file, "no memory for a register");
    p->nr_registers++;
    return CS_OK;
}

/* also ADDRESS..: of the register before; the numbers go on from address to address */
static cs_status read_also(cs_page_reader *r)
{
    cs_page *p = r->page;

    if (p->nr_registers == 0)
        return cs_page_refuse(r, r->words[0], "a register before it");
    cs_page_register *reg = &p->registers[p->nr_registers - 1];
    for (size_t i = 1; i < r->nr_words; i++)
        if (reg->nr_addresses == CS_PAGE_ADDRESSES ||
            !cs_page_number(r->words[i], &reg->addresses[reg->nr_addresses++]))
            return cs_page_refuse(r, r->words[i], "an address, of not too many");
    return CS_OK;
}

/* field NAME MSB[:LSB] ACCESS, or with `bits from the top` FIRST[:LAST] */
static cs_status read_field(cs_page_reader *r)
{
    cs_page *p = r->page;
    cs_page_field *field = cs_page_grow(r, p->fields, &p->room_fields, p->nr_fields, sizeof *field);
    uint64_t first, last;

    if (field == NULL)
        return CS_ERR_NO_MEMORY;
    p->fields = field;
    if (p->nr_registers == 0 || r->nr_words < 3)
        return cs_page_refuse(r, NULL, "field NAME BITS, of a register");
    cs_page_register *reg = &p->registers[p->nr_registers - 1];
    char *colon = strchr(r->words[2], ':');
    if (colon != NULL)
        *colon = '\0';
    if (!cs_page_number(r->words[2], &first) ||
        !cs_page_number(colon != NULL ? colon + 1 : r->words[2], &last) || first > 63 ||
        last > 63 || (r->from_top ? last < first : first < last))
        return cs_page_refuse(r, r->words[2], "bits of a register");
    field += p->nr_fields++;
    *field = (cs_page_field){.name = r->words[1],
                             .lsb = (unsigned)(r->from_top ? 63 - last : last),
                             .width = (unsigned)(r->from_top ? last - first : first - last) + 1,
                             .first_value = p->nr_values};
    reg->nr_fields++;
    return CS_OK;
}

static cs_status add_value(cs_page_reader *r, cs_page_value **list, size_t *room, size_t *nr)
{
    cs_page_value *value = cs_page_grow(r, *list, room, *nr, sizeof *value);

    if (value == NULL)
        return CS_ERR_NO_MEMORY;
    *list = value;
    if (r->nr_words != 3 || !cs_page_number(r->words[2], &value[*nr].value))
        return cs_page_refuse(r, r->nr_words > 2 ? r->words[2] : NULL, "a name and a number");
    value[(*nr)++].name = r->words[1];
    return CS_OK;
}

/* value NAME NUMBER: of the field before */
static cs_status read_value(cs_page_reader *r)
{
    cs_page *p = r->page;

    if (p->nr_fields == 0)
        return cs_page_refuse(r, r->words[0], "a field before it");
    p->fields[p->nr_fields - 1].nr_values++;
    return add_value(r, &p->values, &p->room_values, &p->nr_values);
}

/* state NAME NUMBER: and the point that it is entered */
static cs_status read_state(cs_page_reader *r)
{
    cs_page *p = r->page;
    const cs_status status = add_value(r, &p->states, &p->room_states, &p->nr_states);

    return status == CS_OK ? cs_page_add_state_point(r, &p->states[p->nr_states - 1]) : status;
}

/* variant NAME: of the registers that follow */
static cs_status read_variant(cs_page_reader *r)
{
    r->variant = r->nr_words > 1 ? r->words[1] : "";
    return CS_OK;
}

/* bits from the top, or from the bottom */
static cs_status read_bits(cs_page_reader *r)
{
    if (r->nr_words != 4)
        return cs_page_refuse(r, NULL, "bits from the top, or bottom");
    r->from_top = strcmp(r->words[3], "top") == 0;
    return CS_OK;
}

/* addresses are numbers, or bytes */
static cs_status read_addresses(cs_page_reader *r)
{
    if (r->nr_words != 3)
        return cs_page_refuse(r, NULL, "addresses are numbers, or bytes");
    r->numbers = strcmp(r->words[2], "numbers") == 0;
    return CS_OK;
}

cs_status cs_page_read_register_line(cs_page_reader *r, bool *known)
{
    static const struct {
        const char *word;
        cs_status (*read)(cs_page_reader *r);
    } lines[] = {{"register", read_register}, {"also", read_also},
                 {"field", read_field},       {"value", read_value},
                 {"state", read_state},       {"variant", read_variant},
                 {"bits", read_bits},         {"addresses", read_addresses}};

    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        if (strcmp(r->words[0], lines[i].word) == 0) {
            *known = true;
            return lines[i].read(r);
        }
    return CS_OK;
}
