// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <string.h>

#include "cli/compare/print.h"
#include "results/figures.h"

#define LINE 160

static const char *const kinds[] = {"transfer", "register", "state", "interrupt", "sample"};
static const char *const outcomes[] = {"equal", "record", "end", "memory", "idle", "nothing"};

/* Numbers of 64 bits are strings where they are addresses or data, as "0x11". */
static void put_record(const cs_page_words *words, const cs_probe_record *r, FILE *out)
{
    const cs_page *page;
    cs_page_place place;
    char name[LINE];

    fprintf(out, "{\"cycle\": %" PRIu64 ", \"kind\": \"%s\", \"source\": ", r->cycle,
            r->kind < sizeof kinds / sizeof kinds[0] ? kinds[r->kind] : "?");
    cs_json_string(out, cs_probe_source_name(r->kind, r->source, name, sizeof name));
    if (cs_page_place_of(words, r, &page, &place)) {
        fprintf(out, ", \"register\": ");
        cs_json_string(out, cs_page_register_name(&place, name, sizeof name));
    }
    fprintf(out,
            ", \"index\": %u, \"write\": %s, \"address\": \"0x%" PRIx64
            "\", \"value\": \"0x%" PRIx64 "\", \"bytes\": %" PRIu32
            ", \"resp\": %u, \"request\": %" PRIu64 ", \"grant\": %" PRIu64 ", \"text\": ",
            r->index, r->write ? "true" : "false", r->addr, r->value, r->bytes, r->resp, r->request,
            r->grant);
    cs_json_string(out, cs_page_describe(words, r, name, sizeof name));
    fputc('}', out);
}

static void put_side(const char *name, bool has, const cs_page_words *words,
                     const cs_probe_record *record, FILE *out)
{
    fprintf(out, "\"%s\": ", name);
    if (has)
        put_record(words, record, out);
    else
        fprintf(out, "null");
}

static void put_bytes(const char *name, const uint8_t *data, size_t count, FILE *out)
{
    fprintf(out, "\"%s\": \"", name);
    for (size_t i = 0; i < count; i++)
        fprintf(out, "%02x", data[i]);
    fprintf(out, "\"");
}

/* Of two transfers whose bytes are known. */
static void put_data(const cs_difference_row *row, FILE *out)
{
    if (row->model_data.bytes == 0 || row->rtl_data.bytes == 0)
        return;
    fprintf(out, ", \"data\": {");
    put_bytes("model", row->model_data.data, row->model_data.bytes, out);
    fprintf(out, ", ");
    put_bytes("rtl", row->rtl_data.data, row->rtl_data.bytes, out);
    fprintf(out, "}");
}

static void put_events(const cs_difference_events *e, FILE *out)
{
    if (!e->known)
        return;
    fprintf(out, ", \"events\": [");
    for (unsigned i = 0; i < e->nr; i++)
        fprintf(out, "%s{\"event\": \"%s\", \"before\": %u, \"increment\": %u}", cs_json_comma(i),
                e->list[i].name, e->list[i].before, e->list[i].now);
    fputc(']', out);
}

static void put_row(const cs_difference_row *row, const cs_page_words *words, FILE *out)
{
    fprintf(out, "{\"equal\": %s, ", row->equal ? "true" : "false");
    put_side("model", row->has_model, words, &row->model, out);
    fprintf(out, ", ");
    put_side("rtl", row->has_rtl, words, &row->rtl, out);
    put_data(row, out);
    put_events(&row->events, out);
    fputc('}', out);
}

static void put_list(const char *name, const cs_difference_row *rows, size_t nr,
                     const cs_page_words *words, FILE *out)
{
    fprintf(out, ",\n \"%s\": [", name);
    for (size_t i = 0; i < nr; i++) {
        fprintf(out, "%s\n  ", cs_json_comma(i));
        put_row(&rows[i], words, out);
    }
    fprintf(out, "]");
}

static void put_fields(const cs_page_words *words, const cs_probe_record *model,
                       const cs_probe_record *rtl, FILE *out)
{
    const cs_page *page;
    cs_page_place place;
    cs_page_part part;
    size_t nr = 0;

    if (model == NULL || rtl == NULL || model->addr != rtl->addr ||
        !cs_page_place_of(words, model, &page, &place))
        return;
    fprintf(out, ",\n \"fields\": [");
    for (size_t i = 0; cs_page_part_at(page, &place, model, rtl, i, &part); i++)
        if (part.model != part.rtl)
            fprintf(out,
                    "%s{\"name\": \"%s\", \"msb\": %u, \"lsb\": %u, \"model\": \"0x%" PRIx64
                    "\", \"rtl\": \"0x%" PRIx64 "\"}",
                    cs_json_comma(nr++), part.name, part.msb, part.lsb, part.model, part.rtl);
    fprintf(out, "]");
}

static void put_difference(const cs_compare_report *r, const cs_page_words *words, FILE *out)
{
    const cs_difference *d = &r->difference;
    const cs_probe_record *model = cs_compare_first_model(r);
    const cs_probe_record *rtl = cs_compare_first_rtl(r);
    const cs_page_section *section = cs_page_section_of(words, model != NULL ? model : rtl);

    fprintf(out, ",\n \"first\": {");
    put_side("model", model != NULL, words, model, out);
    fprintf(out, ", ");
    put_side("rtl", rtl != NULL, words, rtl, out);
    fprintf(out, "}");
    put_fields(words, model, rtl, out);
    if (section != NULL) {
        fprintf(out, ",\n \"section\": {\"page\": \"%s\", \"heading\": ", section->page);
        cs_json_string(out, section->heading);
        fprintf(out, "}");
    }
    put_data(&d->rows[d->first], out);
    put_list("rows", d->rows, d->nr_rows, words, out);
    fprintf(out, ",\n \"first_row\": %zu, \"looked_to\": %" PRIu64, d->first, d->looked_to);
    put_list("others", d->others, d->nr_others, words, out);
}

/* What each part of the die did. */
static void put_exercise(const cs_exercise *exercise, FILE *out)
{
    const cs_exercised *part;

    fprintf(out, ",\n \"parts\": [");
    for (size_t i = 0; (part = cs_exercise_at(exercise, i)) != NULL; i++)
        fprintf(out,
                "%s\n  {\"name\": \"%s\", \"idle\": %s, \"on_purpose\": %s, \"reads\": %" PRIu64
                ", \"writes\": %" PRIu64 ", \"states\": %" PRIu64 ", \"interrupt_edges\": %" PRIu64
                ", \"samples\": %" PRIu64 "}",
                cs_json_comma(i), part->name, part->idle ? "true" : "false",
                part->on_purpose ? "true" : "false", part->reads, part->writes, part->states,
                part->edges, part->samples);
    fprintf(out, "]");
}

/* Those that differ from ours. */
static void put_copies(const cs_rtl_tree *copies, FILE *out)
{
    fprintf(out, ",\n \"copies\": [");
    for (size_t i = 0; i < copies->nr_changed; i++) {
        fprintf(out, "%s{\"file\": ", cs_json_comma(i));
        cs_json_string(out, copies->changed[i].name);
        fprintf(out, ", \"path\": ");
        cs_json_string(out, copies->changed[i].path);
        fputc('}', out);
    }
    fputc(']', out);
}

void cs_compare_print_json(const cs_compare_report *r, const cs_page_words *words,
                           const cs_exercise *exercise, const cs_rtl_tree *copies, FILE *out)
{
    fprintf(out,
            "{\"outcome\": \"%s\", \"cycles\": %" PRIu64 ", \"records\": %" PRIu64 ",\n \"of\": {",
            outcomes[r->what], r->cycles, r->records);
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        fprintf(out, "%s\"%s\": %" PRIu64, cs_json_comma(i), kinds[i], r->of_kind[i]);
    fprintf(out,
            "}, \"perf_samples\": %" PRIu64 ", \"memory_compared\": %s, \"memory_bytes\": %" PRIu64,
            r->perf_samples, r->memory ? "true" : "false", r->memory_bytes);
    put_exercise(exercise, out);
    if (copies != NULL)
        put_copies(copies, out);
    if (cs_compare_differs(r->what))
        fprintf(out,
                ",\n \"cycle\": %" PRIu64 ", \"field\": \"%s\", \"model\": \"0x%" PRIx64
                "\", \"rtl\": \"0x%" PRIx64 "\"",
                r->cycle, r->field, r->model_value, r->rtl_value);
    if (r->what == CS_COMPARE_MEMORY || (r->field != NULL && strcmp(r->field, "data") == 0))
        fprintf(out, ", \"address\": \"0x%" PRIx64 "\"", r->address);
    if (r->what == CS_COMPARE_RECORD)
        put_difference(r, words, out);
    if (r->what == CS_COMPARE_MEMORY) {
        const cs_difference_memory *m = &r->difference.memory;

        fprintf(out, ",\n \"memory\": {\"base\": \"0x%" PRIx64 "\", ", m->base);
        put_bytes("model", m->model, sizeof m->model, out);
        fprintf(out, ", ");
        put_bytes("rtl", m->rtl, sizeof m->rtl, out);
        fprintf(out, "}");
    }
    fprintf(out, "}\n");
}
