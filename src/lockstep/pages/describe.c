// SPDX-License-Identifier: Apache-2.0
#include "lockstep/pages/describe.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char *resp_text(uint8_t resp)
{
    switch (resp) {
    case CS_BUS_OKAY:
        return "";
    case CS_BUS_SLVERR:
        return " SLVERR";
    case CS_BUS_DECERR:
        return " DECERR";
    default:
        return " refused";
    }
}

bool cs_page_place_of(const cs_page_words *words, const cs_probe_record *record,
                      const cs_page **page, cs_page_place *place)
{
    unsigned number;

    *page = cs_pages_of(words->pages, record, &number);
    return record->kind == CS_PROBE_REG && *page != NULL &&
           cs_page_find(*page, cs_page_variant(*page, words->scenario), record, place);
}

const cs_page_section *cs_page_section_of(const cs_page_words *words, const cs_probe_record *record)
{
    unsigned number;
    const cs_page *page = cs_pages_of(words->pages, record, &number);

    return page != NULL ? cs_page_governs(page, cs_page_variant(page, words->scenario), record)
                        : NULL;
}

/* ---- a record in a line ---- */

typedef struct line {
    char *text;
    size_t size, used;
} line;

static void put(line *l, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void put(line *l, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    if (l->used < l->size)
        l->used += (size_t)vsnprintf(l->text + l->used, l->size - l->used, format, args);
    va_end(args);
}

static void put_access(line *l, const cs_page_words *words, const cs_probe_record *r)
{
    const cs_page *page;
    cs_page_place place;
    char name[CS_PAGE_NAME];

    put(l, "%s ", r->write ? "write" : "read");
    if (cs_page_place_of(words, r, &page, &place)) {
        put(l, "%s", cs_page_register_name(&place, name, sizeof name));
        if (place.shift != 0)
            put(l, "[%u..]", place.shift);
    } else {
        put(l, "+0x%" PRIx64, r->addr);
    }
    put(l, " = 0x%" PRIx64 "%s", r->value, resp_text(r->resp));
}

static void put_state(line *l, const cs_page_words *words, const cs_probe_record *r)
{
    unsigned number;
    const cs_page *page = cs_pages_of(words->pages, r, &number);
    const char *name = page != NULL ? cs_page_state_name(page, r->value) : NULL;

    if (name != NULL)
        put(l, "state %s", name);
    else
        put(l, "state %" PRIu64, r->value);
}

const char *cs_page_describe(const cs_page_words *words, const cs_probe_record *r, char *buffer,
                             size_t size)
{
    line l = {.text = buffer, .size = size};
    char name[CS_PAGE_NAME];

    put(&l, "%" PRIu64 " %s ", r->cycle,
        cs_probe_source_name(r->kind, r->source, name, sizeof name));
    switch (r->kind) {
    case CS_PROBE_BUS:
        put(&l, "%s 0x%" PRIx64 " %u bytes%s, asked %" PRIu64 ", granted %" PRIu64,
            r->write ? "write" : "read", r->addr, r->bytes, resp_text(r->resp), r->request,
            r->grant);
        break;
    case CS_PROBE_REG:
        put_access(&l, words, r);
        break;
    case CS_PROBE_STATE:
        put_state(&l, words, r);
        break;
    case CS_PROBE_IRQ:
        put(&l, "line %u %s", r->index, r->value != 0 ? "high" : "low");
        break;
    case CS_PROBE_SAMPLE:
        if (r->resp == CS_SAMPLE_LOST)
            put(&l, "stream %u, sample of %" PRIu64 " lost", r->index, r->request);
        else
            put(&l, "stream %u, sample %" PRIu64 " at 0x%" PRIx64 " %u bytes%s", r->index, r->value,
                r->addr, r->bytes, resp_text(r->resp));
        break;
    default:
        put(&l, "kind %u", r->kind);
        break;
    }
    return buffer;
}

/* ---- fields ---- */

static uint64_t bits_of(uint64_t value, unsigned lsb, unsigned width)
{
    return value >> lsb & (width < 64 ? ((uint64_t)1 << width) - 1 : ~(uint64_t)0);
}

bool cs_page_part_at(const cs_page *page, const cs_page_place *place, const cs_probe_record *model,
                     const cs_probe_record *rtl, size_t nr, cs_page_part *out)
{
    const cs_page_field *field;

    if (nr >= place->reg->nr_fields)
        return false;
    field = &page->fields[place->reg->first_field + nr];
    *out = (cs_page_part){.name = field->name,
                          .lsb = field->lsb,
                          .msb = field->lsb + field->width - 1,
                          .model = bits_of(model->value << place->shift, field->lsb, field->width),
                          .rtl = bits_of(rtl->value << place->shift, field->lsb, field->width)};
    out->model_name = cs_page_value_name(page, field, out->model);
    out->rtl_name = cs_page_value_name(page, field, out->rtl);
    return true;
}
