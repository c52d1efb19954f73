// SPDX-License-Identifier: Apache-2.0
#include "cli/zoo/tell.h"

#include <string.h>

#include "cli/compare_unit/outcome.h"
#include "cli/help/wrap.h"
#include "results/figures.h"

#define NAME_COLUMN 38u

/* ---- in lines ---- */

void cs_zoo_list(const cs_zoo *zoo, FILE *out)
{
    for (size_t k = 0; k < zoo->nr_kinds; k++) {
        const cs_zoo_kind *kind = zoo->kinds[k];

        fprintf(out, "%s%s, %s:\n", k != 0 ? "\n" : "", kind->name, kind->page);
        for (size_t i = 0; i < kind->nr_bugs; i++)
            cs_wrap(out, kind->bugs[i].says,
                    (unsigned)fprintf(out, "  %-*s ", (int)NAME_COLUMN, kind->bugs[i].name),
                    NAME_COLUMN + 3, cs_columns(out, 98));
    }
}

static void put_lines(FILE *out, const char *mark, const char *text)
{
    for (;;) {
        const int bytes = (int)strcspn(text, "\n");

        fprintf(out, "  %s %.*s\n", mark, bytes, text);
        if (text[bytes] == '\0')
            return;
        text += bytes + 1;
    }
}

void cs_zoo_tell(const cs_zoo_kind *kind, const cs_zoo_bug *bug, FILE *out)
{
    fprintf(out, "%s: %s\n  published in", bug->name, bug->says);
    for (size_t i = 0; i < bug->nr_threads; i++)
        fprintf(out, "%s %s", i != 0 ? "," : "", bug->threads[i]);
    fprintf(out, "\n  breaks %s, \"%s\"\n", kind->page, bug->rule);
    for (size_t i = 0; i < bug->nr_changes; i++) {
        fprintf(out, "in %s\n", bug->changes[i].file);
        put_lines(out, "-", bug->changes[i].old);
        put_lines(out, "+", bug->changes[i].with);
    }
    if (bug->scenario != NULL) {
        fprintf(out, "run %s", bug->scenario);
        for (size_t i = 0; i < bug->nr_given; i++)
            fprintf(out, " --set '%s'", bug->given[i]);
        fprintf(out, ", then with");
        for (size_t i = 0; i < bug->nr_sets; i++)
            fprintf(out, " --set '%s'", bug->sets[i]);
        fprintf(out, "\n");
    }
    fprintf(out, "\n");
}

static void put_runs(const cs_zoo_bug *bug, const cs_zoo_runs *runs, FILE *out)
{
    const cs_figure_row *row = cs_figure_row_of(bug->figure);
    char without[64], with[64];

    fprintf(out, "%s: %s without the bug, %s with it\n", row->label,
            cs_figure_value_text(row, runs->without, without, sizeof without),
            cs_figure_value_text(row, runs->with, with, sizeof with));
}

void cs_zoo_tell_outcome(const cs_zoo_bug *bug, const cs_zoo_outcome *outcome, FILE *out)
{
    if (outcome->report != NULL) {
        cs_unit_print(outcome->report, out);
        return;
    }
    fprintf(out, "%s: ", outcome->found ? "DIFFERENT" : "EQUAL");
    put_runs(bug, &outcome->runs, out);
}

void cs_zoo_tell_row(const cs_zoo_bug *bug, const cs_zoo_outcome *outcome, FILE *out)
{
    fprintf(out, "%-*s %s", (int)NAME_COLUMN, bug->name, outcome->found ? "found" : "NOT FOUND");
    if (outcome->report != NULL) {
        fprintf(out, outcome->found ? " by program %u\n" : " by %u programs\n",
                outcome->report->programs);
        return;
    }
    fprintf(out, ": ");
    put_runs(bug, &outcome->runs, out);
}

/* ---- as JSON ---- */

static void put_list(FILE *out, const char *key, const char *const list[], size_t nr)
{
    fprintf(out, ", \"%s\": [", key);
    for (size_t i = 0; i < nr; i++) {
        fprintf(out, "%s", cs_json_comma(i));
        cs_json_string(out, list[i]);
    }
    fprintf(out, "]");
}

static void put_string(FILE *out, const char *key, const char *text)
{
    fprintf(out, ", \"%s\": ", key);
    cs_json_string(out, text);
}

static void put_outcome(const cs_zoo_kind *kind, const cs_zoo_outcome *outcome, bool whole,
                        FILE *out)
{
    fprintf(out, ",\n  \"found\": %s", outcome->found ? "true" : "false");
    if (outcome->report == NULL) {
        fprintf(out, ", \"without\": %.9g, \"with\": %.9g", outcome->runs.without,
                outcome->runs.with);
        return;
    }
    fprintf(out, ", \"programs\": %u", outcome->report->programs);
    if (whole) {
        fprintf(out, ",\n  \"comparison\": ");
        cs_unit_print_json(cs_foreign_find_unit(kind->name), outcome->report, out);
    }
}

void cs_zoo_json(const cs_zoo_kind *kind, const cs_zoo_bug *bug, const cs_zoo_outcome *outcome,
                 bool whole, FILE *out)
{
    fprintf(out, "{\"name\": ");
    cs_json_string(out, bug->name);
    put_string(out, "kind", kind->name);
    put_string(out, "page", kind->page);
    put_string(out, "rule", bug->rule);
    put_string(out, "says", bug->says);
    put_list(out, "threads", bug->threads, bug->nr_threads);
    if (bug->scenario != NULL) {
        put_string(out, "scenario", bug->scenario);
        put_list(out, "given", bug->given, bug->nr_given);
        put_list(out, "set", bug->sets, bug->nr_sets);
        put_string(out, "figure", bug->figure);
    }
    if (outcome != NULL)
        put_outcome(kind, outcome, whole, out);
    fprintf(out, "}");
}
