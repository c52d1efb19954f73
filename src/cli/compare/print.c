// SPDX-License-Identifier: Apache-2.0
#include "cli/compare/print.h"

#include <inttypes.h>
#include <string.h>

#include "cli/compare/looked.h"

#define LINE 160
#define COLUMN 72 /* of the model, at most; what is longer pushes the RTL's out */
#define WORD 4    /* bytes */
#define MOST_WORDS 4

const cs_probe_record *cs_compare_first_model(const cs_compare_report *r)
{
    return r->model.has_record ? &r->model.records[r->model.count - 1] : NULL;
}

const cs_probe_record *cs_compare_first_rtl(const cs_compare_report *r)
{
    return r->rtl.has_record ? &r->rtl.records[r->rtl.count - 1] : NULL;
}

void cs_compare_print_equal(const cs_compare_report *r, const cs_exercise *exercise, FILE *out)
{
    cs_compare_print_verdict(r->what, exercise, out);
    fprintf(out,
            "%" PRIu64 " cycles, %" PRIu64 " records (%" PRIu64 " transfers, %" PRIu64
            " register accesses, %" PRIu64 " states, %" PRIu64 " interrupt edges, %" PRIu64
            " samples)",
            r->cycles, r->records, r->of_kind[CS_PROBE_BUS], r->of_kind[CS_PROBE_REG],
            r->of_kind[CS_PROBE_STATE], r->of_kind[CS_PROBE_IRQ],
            r->of_kind[CS_PROBE_SAMPLE] + r->perf_samples);
    if (r->memory)
        fprintf(out, ", %" PRIu64 " KiB of memory\n", r->memory_bytes / 1024);
    else
        fprintf(out, "; memory not compared (cut before the software ended)\n");
}

/* ---- the first difference ---- */

static void print_section(const cs_page_words *words, const cs_probe_record *record, FILE *out)
{
    const cs_page_section *section = cs_page_section_of(words, record);

    if (section != NULL)
        fprintf(out, "  see %s, \"%s\"\n", section->page, section->heading);
}

static void print_value(uint64_t value, const char *name, FILE *out)
{
    if (name != NULL)
        fprintf(out, "0x%" PRIx64 " %s", value, name);
    else
        fprintf(out, "0x%" PRIx64, value);
}

/* The register's fields, those that differ. */
static void print_fields(const cs_page_words *words, const cs_probe_record *model,
                         const cs_probe_record *rtl, FILE *out)
{
    const cs_page *page;
    cs_page_place place;
    cs_page_part part;
    char name[CS_PAGE_NAME];

    if (model->addr != rtl->addr || !cs_page_place_of(words, model, &page, &place))
        return;
    fprintf(out, "  register %s, of %s\n", cs_page_register_name(&place, name, sizeof name),
            page->unit);
    for (size_t i = 0; cs_page_part_at(page, &place, model, rtl, i, &part); i++) {
        if (part.model == part.rtl)
            continue;
        fprintf(out, "    %-12s", part.name);
        if (part.msb == part.lsb)
            fprintf(out, " [%u]    ", part.lsb);
        else
            fprintf(out, " [%u:%u] ", part.msb, part.lsb);
        fprintf(out, " model ");
        print_value(part.model, part.model_name, out);
        fprintf(out, ", RTL ");
        print_value(part.rtl, part.rtl_name, out);
        fputc('\n', out);
    }
}

static void print_bytes(const uint8_t *data, size_t count, FILE *out)
{
    for (size_t i = 0; i < count; i++)
        fprintf(out, "%02x%s", data[i], i % 4 == 3 && i + 1 < count ? " " : "");
}

/* Both, in rows of 16 bytes; a row that agrees stands once, and a line below says which bytes differ. */
static void print_both(uint64_t base, const uint8_t *model, const uint8_t *rtl, size_t count,
                       FILE *out)
{
    for (size_t at = 0; at < count; at += 16) {
        const size_t n = count - at < 16 ? count - at : 16;
        const bool equal = memcmp(model + at, rtl + at, n) == 0;

        fprintf(out, "    0x%" PRIx64 " %s ", base + at, equal ? "both " : "model");
        print_bytes(model + at, n, out);
        if (!equal) {
            fprintf(out, "\n    %*s RTL   ", (int)snprintf(NULL, 0, "0x%" PRIx64, base + at), "");
            print_bytes(rtl + at, n, out);
        }
        fputc('\n', out);
    }
}

static void print_data(const cs_compare_report *r, FILE *out)
{
    const cs_difference_row *row = &r->difference.rows[r->difference.first];
    const unsigned model = row->model_data.bytes, rtl = row->rtl_data.bytes;

    if (model == 0 || rtl == 0)
        return;
    fprintf(out, "  the bytes of the transfer\n");
    print_both(row->model.addr, row->model_data.data, row->rtl_data.data, model < rtl ? model : rtl,
               out);
}

static void print_record(const cs_compare_report *r, const cs_page_words *words, FILE *out)
{
    const cs_probe_record *model = cs_compare_first_model(r);
    const cs_probe_record *rtl = cs_compare_first_rtl(r);
    const cs_probe_record *record = model != NULL ? model : rtl;
    char unit[CS_PAGE_NAME];

    fprintf(out, "DIFFERENT at cycle %" PRIu64 ", %s", r->cycle,
            cs_probe_source_name(record->kind, record->source, unit, sizeof unit));
    if (model == NULL || rtl == NULL)
        fprintf(out, ": only the %s has this record\n", model != NULL ? "model" : "RTL");
    else if (strcmp(r->field, "data") == 0)
        fprintf(out, ", the byte at 0x%" PRIx64 ": model 0x%02" PRIx64 ", RTL 0x%02" PRIx64 "\n",
                r->address, r->model_value, r->rtl_value);
    else
        fprintf(out, ", field '%s': model 0x%" PRIx64 ", RTL 0x%" PRIx64 "\n", r->field,
                r->model_value, r->rtl_value);
    if (model != NULL && rtl != NULL && model->kind == CS_PROBE_REG && rtl->kind == CS_PROBE_REG)
        print_fields(words, model, rtl, out);
    print_data(r, out);
    print_section(words, record, out);
}

/* ---- both sides ---- */

static size_t column_of(const cs_difference *d, const cs_page_words *words)
{
    size_t most = strlen("model");
    char line[LINE];

    for (size_t i = 0; i < d->nr_rows; i++)
        if (d->rows[i].has_model) {
            const size_t bytes =
                strlen(cs_page_describe(words, &d->rows[i].model, line, sizeof line));

            most = bytes > most ? bytes : most;
        }
    return most < COLUMN ? most : COLUMN;
}

/* The words of two transfers that differ: in the columns of their row, or behind two lines (column 0). */
static void print_words(const cs_difference_row *row, size_t column, FILE *out)
{
    unsigned bytes, at = 0;

    for (unsigned nr = 0; (bytes = cs_difference_part(row, WORD, &at)) != 0; nr++) {
        char model[2 * WORD + 1], rtl[2 * WORD + 1];
        const unsigned from = at - bytes;

        if (nr == MOST_WORDS) {
            fprintf(out, "      ..\n");
            return;
        }
        for (unsigned b = 0; b < bytes; b++) {
            snprintf(model + 2 * b, 3, "%02x", row->model_data.data[from + b]);
            snprintf(rtl + 2 * b, 3, "%02x", row->rtl_data.data[from + b]);
        }
        if (column != 0)
            fprintf(out, "      +0x%02x %-*s  %s\n", from, (int)(column - strlen("  +0xXX ")),
                    model, rtl);
        else
            fprintf(out, "      +0x%02x model %s, RTL %s\n", from, model, rtl);
    }
}

static void print_cycle(const cs_difference_events *e, bool before, FILE *out)
{
    unsigned nr = 0;

    fprintf(out, "%" PRIu64 ":", e->cycle - before);
    for (unsigned i = 0; i < e->nr; i++) {
        const unsigned increment = before ? e->list[i].before : e->list[i].now;

        if (increment != 0)
            fprintf(out, "%s %s +%u", nr++ != 0 ? "," : "", e->list[i].name, increment);
    }
    fprintf(out, "%s%s", nr == 0 ? " none" : "", e->more ? ", .." : "");
}

/* What was counted when the two were read, or the line changed. */
static void print_events(const cs_difference_events *e, FILE *out)
{
    if (!e->known)
        return;
    fprintf(out, "      events of cycle ");
    print_cycle(e, true, out);
    fprintf(out, "; of ");
    print_cycle(e, false, out);
    fputc('\n', out);
}

static void print_row(const cs_difference_row *row, const char *mark, size_t column,
                      const cs_page_words *words, FILE *out)
{
    char line[LINE];
    const char *model =
        row->has_model ? cs_page_describe(words, &row->model, line, sizeof line) : "-";

    fprintf(out, "  %s %-*s  ", mark, (int)column, model);
    if (row->equal)
        fprintf(out, "=\n");
    else
        fprintf(out, "%s\n",
                row->has_rtl ? cs_page_describe(words, &row->rtl, line, sizeof line) : "-");
}

static void print_rows(const cs_difference *d, const cs_page_words *words, FILE *out)
{
    const size_t column = column_of(d, words);

    fprintf(out, "\n    %-*s  RTL\n", (int)column, "model");
    for (size_t i = 0; i < d->nr_rows; i++) {
        print_row(&d->rows[i], i == d->first ? ">" : " ", column, words, out);
        if (i != d->first) /* whose bytes stand above */
            print_words(&d->rows[i], column, out);
        print_events(&d->rows[i].events, out);
    }
}

static void print_others(const cs_difference *d, const cs_page_words *words, FILE *out)
{
    char unit[CS_PAGE_NAME];
    char line[LINE];

    if (d->nr_others != 0)
        fprintf(out, "\n  what else differs first, up to cycle %" PRIu64 "\n", d->looked_to);
    for (size_t i = 0; i < d->nr_others; i++) {
        const cs_difference_row *row = &d->others[i];
        const cs_probe_record *record = row->has_model ? &row->model : &row->rtl;

        fprintf(out, "  %s\n",
                cs_probe_source_name(record->kind, record->source, unit, sizeof unit));
        fprintf(out, "    model %s\n",
                row->has_model ? cs_page_describe(words, &row->model, line, sizeof line) : "-");
        fprintf(out, "    RTL   %s\n",
                row->has_rtl ? cs_page_describe(words, &row->rtl, line, sizeof line) : "-");
        print_words(row, 0, out);
        print_events(&row->events, out);
    }
}

void cs_compare_print(const cs_compare_report *r, const cs_page_words *words, FILE *out)
{
    const cs_difference_memory *memory = &r->difference.memory;

    switch (r->what) {
    case CS_COMPARE_EQUAL:
    case CS_COMPARE_IDLE:
    case CS_COMPARE_NOTHING:
        break;
    case CS_COMPARE_RECORD:
        print_record(r, words, out);
        print_rows(&r->difference, words, out);
        print_others(&r->difference, words, out);
        break;
    case CS_COMPARE_END:
        fprintf(out,
                "DIFFERENT at cycle %" PRIu64 ": the software ends in cycle %" PRId64
                " in the model and %" PRId64 " in the RTL (-1: not yet)\n",
                r->cycle, (int64_t)r->model_value, (int64_t)r->rtl_value);
        break;
    case CS_COMPARE_MEMORY:
        fprintf(out,
                "DIFFERENT: all records agree, but memory at 0x%" PRIx64
                " is 0x%02x in the model and 0x%02x in the RTL\n",
                r->address, (unsigned)r->model_value, (unsigned)r->rtl_value);
        print_both(memory->base, memory->model, memory->rtl, sizeof memory->model, out);
        break;
    }
}
