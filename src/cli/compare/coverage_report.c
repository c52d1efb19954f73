// SPDX-License-Identifier: Apache-2.0
#include "cli/compare/coverage_report.h"

#include <inttypes.h>
#include <string.h>

#include "formats/common/table.h"
#include "results/figures.h"

typedef struct tally {
    size_t reached, declared, excluded;
} tally;

bool cs_coverage_format_of(const char *name, cs_coverage_format *out)
{
    static const char *const names[] = {"text", "csv", "json", "html"};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(name, names[i]) == 0) {
            *out = (cs_coverage_format)i;
            return true;
        }
    return false;
}

static bool is_asked(const cs_coverage_request *request, const cs_coverage_point *p)
{
    bool group = request->nr_groups == 0;

    for (size_t i = 0; i < request->nr_groups; i++)
        group = group || strcmp(request->groups[i], p->group) == 0;
    return group && (request->unit == NULL || strcmp(request->unit, p->unit) == 0);
}

static bool is_reached(const cs_coverage_point *p)
{
    return p->hits[CS_COVERAGE_MODEL] != 0 && p->hits[CS_COVERAGE_RTL] != 0;
}

static void count(tally *t, const cs_coverage_point *p)
{
    t->excluded += p->reason != NULL;
    t->declared += p->reason == NULL;
    t->reached += p->reason == NULL && is_reached(p);
}

/* Of the unit, and of the group unless that is NULL. */
static tally tally_of(const cs_coverage *c, const cs_coverage_request *request, const char *unit,
                      const char *group)
{
    tally t = {0};

    for (size_t i = 0; i < cs_coverage_count(c); i++) {
        const cs_coverage_point *p = cs_coverage_at(c, i);

        if (is_asked(request, p) && (unit == NULL || strcmp(p->unit, unit) == 0) &&
            (group == NULL || strcmp(p->group, group) == 0))
            count(&t, p);
    }
    return t;
}

/* No point before it is of its unit (of its group, too). */
static bool is_first(const cs_coverage *c, const cs_coverage_request *request, size_t nr,
                     bool group)
{
    const cs_coverage_point *p = cs_coverage_at(c, nr);

    for (size_t i = 0; i < nr; i++) {
        const cs_coverage_point *q = cs_coverage_at(c, i);

        if (is_asked(request, q) && strcmp(p->unit, q->unit) == 0 &&
            (!group || strcmp(p->group, q->group) == 0))
            return false;
    }
    return true;
}

static const char *verdict_of(const cs_coverage_point *p)
{
    if (p->reason != NULL)
        return "excluded";
    if (is_reached(p))
        return "reached";
    if (p->hits[CS_COVERAGE_MODEL] != 0)
        return "in the model only";
    return p->hits[CS_COVERAGE_RTL] != 0 ? "in the RTL only" : "not reached";
}

/* ---- text ---- */

static void print_group(const cs_coverage *c, const cs_coverage_request *request,
                        const cs_coverage_point *of, FILE *out)
{
    const tally t = tally_of(c, request, of->unit, of->group);

    fprintf(out, "  %-10s %zu of %zu\n", of->group, t.reached, t.declared);
    for (size_t i = 0; i < cs_coverage_count(c); i++) {
        const cs_coverage_point *p = cs_coverage_at(c, i);

        if (strcmp(p->unit, of->unit) != 0 || strcmp(p->group, of->group) != 0)
            continue;
        if (p->reason != NULL)
            fprintf(out, "    excluded: %s (%s)\n", p->name, p->reason);
        else if (!is_reached(p))
            fprintf(out, "    %s: %s\n", verdict_of(p), p->name);
        else if (request->all)
            fprintf(out, "    reached: %s (model %" PRIu64 ", RTL %" PRIu64 ")\n", p->name,
                    p->hits[CS_COVERAGE_MODEL], p->hits[CS_COVERAGE_RTL]);
    }
}

static void print_text(const cs_coverage *c, const cs_coverage_request *request, FILE *out)
{
    const tally all = tally_of(c, request, NULL, NULL);

    for (size_t i = 0; i < cs_coverage_count(c); i++) {
        const cs_coverage_point *p = cs_coverage_at(c, i);

        if (!is_asked(request, p))
            continue;
        if (is_first(c, request, i, false)) {
            const tally t = tally_of(c, request, p->unit, NULL);

            fprintf(out, "%s (%s): %zu of %zu\n", p->unit, p->page, t.reached, t.declared);
        }
        if (is_first(c, request, i, true))
            print_group(c, request, p, out);
    }
    fprintf(out, "all: %zu of %zu points", all.reached, all.declared);
    if (all.excluded != 0)
        fprintf(out, ", %zu excluded", all.excluded);
    fputc('\n', out);
}

/* ---- CSV ---- */

static cs_status write_out(void *ctx, const char *text, size_t bytes)
{
    return fwrite(text, 1, bytes, ctx) == bytes ? CS_OK : CS_ERR_IO;
}

static void print_csv(const cs_coverage *c, const cs_coverage_request *request, FILE *out)
{
    static const cs_table_column columns[] = {
        {.name = "unit", .kind = CS_CELL_NAME},   {.name = "group", .kind = CS_CELL_NAME},
        {.name = "name", .kind = CS_CELL_NAME},   {.name = "model", .kind = CS_CELL_NUMBER},
        {.name = "rtl", .kind = CS_CELL_NUMBER},  {.name = "verdict", .kind = CS_CELL_NAME},
        {.name = "reason", .kind = CS_CELL_NAME},
    };
    const cs_text_sink sink = {write_out, out};
    cs_table table;

    cs_table_begin(&table, CS_TABLE_CSV, &sink);
    cs_table_columns(&table, columns, sizeof columns / sizeof columns[0]);
    for (size_t i = 0; i < cs_coverage_count(c); i++) {
        const cs_coverage_point *p = cs_coverage_at(c, i);
        const cs_table_cell cells[] = {{.name = p->unit},
                                       {.name = p->group},
                                       {.name = p->name},
                                       {.number = p->hits[CS_COVERAGE_MODEL]},
                                       {.number = p->hits[CS_COVERAGE_RTL]},
                                       {.name = verdict_of(p)},
                                       {.name = p->reason}};

        if (is_asked(request, p))
            cs_table_row(&table, cells);
    }
    cs_table_end(&table);
}

/* ---- JSON ---- */

static void print_json(const cs_coverage *c, const cs_coverage_request *request, FILE *out)
{
    const tally all = tally_of(c, request, NULL, NULL);
    size_t nr = 0;

    fprintf(out, "{\"reached\": %zu, \"declared\": %zu, \"excluded\": %zu,\n \"points\": [",
            all.reached, all.declared, all.excluded);
    for (size_t i = 0; i < cs_coverage_count(c); i++) {
        const cs_coverage_point *p = cs_coverage_at(c, i);

        if (!is_asked(request, p))
            continue;
        fprintf(out, "%s\n  {\"unit\": \"%s\", \"group\": \"%s\", \"name\": ", cs_json_comma(nr++),
                p->unit, p->group);
        cs_json_string(out, p->name);
        fprintf(out, ", \"model\": %" PRIu64 ", \"rtl\": %" PRIu64 ", \"verdict\": \"%s\"",
                p->hits[CS_COVERAGE_MODEL], p->hits[CS_COVERAGE_RTL], verdict_of(p));
        if (p->reason != NULL) {
            fprintf(out, ", \"reason\": ");
            cs_json_string(out, p->reason);
        }
        fputc('}', out);
    }
    fprintf(out, "]}\n");
}

/* ---- HTML ---- */

static void print_escaped(const char *text, FILE *out)
{
    for (; *text != '\0'; text++)
        switch (*text) {
        case '<':
            fputs("&lt;", out);
            break;
        case '>':
            fputs("&gt;", out);
            break;
        case '&':
            fputs("&amp;", out);
            break;
        default:
            fputc(*text, out);
            break;
        }
}

static void print_html_row(const cs_coverage_point *p, FILE *out)
{
    const char *kind = p->reason != NULL ? "no" : is_reached(p) ? "yes" : "hole";

    fprintf(out, "<tr class=\"%s\"><td>%s</td><td>", kind, p->group);
    print_escaped(p->name, out);
    fprintf(out, "</td><td>%" PRIu64 "</td><td>%" PRIu64 "</td><td>", p->hits[CS_COVERAGE_MODEL],
            p->hits[CS_COVERAGE_RTL]);
    print_escaped(p->reason != NULL ? p->reason : verdict_of(p), out);
    fprintf(out, "</td></tr>\n");
}

static void print_html(const cs_coverage *c, const cs_coverage_request *request, FILE *out)
{
    static const char head[] =
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Coverage</title>\n"
        "<style>body{font-family:sans-serif}td,th{padding:1px 8px;text-align:left}"
        ".hole{background:#f8c8c8}.yes{background:#d8f0d8}.no{color:#777}</style></head><body>\n";
    const tally all = tally_of(c, request, NULL, NULL);
    bool open = false;

    fprintf(out, "%s<h1>Coverage: %zu of %zu points</h1>\n", head, all.reached, all.declared);
    for (size_t i = 0; i < cs_coverage_count(c); i++) {
        const cs_coverage_point *p = cs_coverage_at(c, i);

        if (!is_asked(request, p))
            continue;
        if (is_first(c, request, i, false)) {
            const tally t = tally_of(c, request, p->unit, NULL);

            fprintf(out,
                    "%s<h2>%s: %zu of %zu</h2>\n<p>%s</p>\n<table><tr><th>group</th><th>point</th>"
                    "<th>model</th><th>RTL</th><th></th></tr>\n",
                    open ? "</table>\n" : "", p->unit, t.reached, t.declared, p->page);
            open = true;
        }
        print_html_row(p, out);
    }
    fprintf(out, "%s</body></html>\n", open ? "</table>\n" : "");
}

bool cs_coverage_report(const cs_coverage *c, const cs_coverage_request *request, FILE *out)
{
    static void (*const formats[])(const cs_coverage *, const cs_coverage_request *,
                                   FILE *) = {[CS_COVERAGE_TEXT] = print_text,
                                              [CS_COVERAGE_CSV] = print_csv,
                                              [CS_COVERAGE_JSON] = print_json,
                                              [CS_COVERAGE_HTML] = print_html};
    const tally all = tally_of(c, request, NULL, NULL);

    formats[request->format](c, request, out);
    return all.reached == all.declared;
}
