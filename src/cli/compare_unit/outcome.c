// SPDX-License-Identifier: Apache-2.0
#include "cli/compare_unit/outcome.h"

#include <inttypes.h>
#include <string.h>

#include "cli/cli.h"
#include "results/figures.h"

#define COLUMN 60 /* of what was done, at most; what is longer pushes the values out */
#define NAMED 8u  /* registers in a line */

static bool no_access(const cs_foreign_report *r)
{
    return r->has_registers && r->accesses == r->refused;
}

int cs_unit_answer(const cs_foreign_report *r)
{
    if (r->pin != NULL)
        return EXIT_DIFFERENCE;
    return no_access(r) || r->compared == 0 ? EXIT_UNDECIDED : EXIT_GOOD;
}

/* ---- in lines ---- */

/* One side of a row: "0x11", "reg_err_o 1", "done". */
static const char *side(const cs_foreign_row *row, bool rtl, char *out, size_t size)
{
    size_t used = 0;

    snprintf(out, size, "%s", row->answers[0].pin != NULL ? "done" : "");
    for (unsigned a = 0; a < 2 && row->answers[a].pin != NULL && used < size; a++) {
        const cs_foreign_answer *answer = &row->answers[a];
        const uint64_t value = rtl ? answer->rtl : answer->model;
        const char *comma = used != 0 ? ", " : "";

        if (rtl && !answer->compared)
            used += (size_t)snprintf(out + used, size - used, "%s?", comma);
        else if (answer->value)
            used += (size_t)snprintf(out + used, size - used, "%s0x%" PRIx64, comma, value);
        else if (value != 0)
            used += (size_t)snprintf(out + used, size - used, "%s%s %" PRIu64, comma, answer->pin,
                                     value);
    }
    return out;
}

static int longest(const cs_foreign_report *r, bool text)
{
    char value[96];
    size_t most = text ? strlen("cycle") : strlen("model");

    for (size_t i = 0; i < r->nr_rows; i++) {
        const size_t bytes =
            strlen(text ? r->rows[i].text : side(&r->rows[i], false, value, sizeof value));

        most = bytes > most ? bytes : most;
    }
    return most < COLUMN ? (int)most : COLUMN;
}

static void print_counted(const cs_foreign_report *r, bool before, FILE *out)
{
    unsigned nr = 0;

    for (size_t i = 0; i < r->nr_counted; i++) {
        const cs_foreign_counted *c = &r->counted[i];
        char field[16] = "";

        if ((before ? c->before : c->now) == 0)
            continue;
        if (c->has_field)
            snprintf(field, sizeof field, "[%u]", c->field);
        fprintf(out, "%s %s%s +%u", nr++ != 0 ? "," : "", c->pin, field,
                before ? c->before : c->now);
    }
    fprintf(out, "%s\n", nr == 0 ? " none" : "");
}

static void print_increments(const cs_foreign_report *r, FILE *out)
{
    if (!r->counts)
        return;
    if (r->cycle != 0) {
        fprintf(out, "  increments of cycle %" PRIu64 ":", r->cycle - 1);
        print_counted(r, true, out);
    }
    fprintf(out, "  increments of cycle %" PRIu64 ":", r->cycle);
    print_counted(r, false, out);
}

static void print_rows(const cs_foreign_report *r, FILE *out)
{
    const int text = longest(r, true), value = longest(r, false);
    char model[96], rtl[96];

    fprintf(out, "\n    %7s  %-*s  %-*s  RTL\n", "cycle", text, "", value, "model");
    for (size_t i = 0; i < r->nr_rows; i++) {
        const cs_foreign_row *row = &r->rows[i];
        const char *mark = i == r->first_row ? ">" : row->differs ? "!" : " ";

        side(row, false, model, sizeof model);
        side(row, true, rtl, sizeof rtl);
        if (row->answers[0].pin != NULL)
            fprintf(out, "  %s %7" PRIu64 "  %-*s  %-*s  %s\n", mark, row->cycle, text, row->text,
                    value, model, strcmp(model, rtl) == 0 ? "=" : rtl);
        else
            fprintf(out, "  %s %7" PRIu64 "  %s\n", mark, row->cycle, row->text);
    }
    fprintf(out, "\n");
}

static void print_difference(const cs_foreign_report *r, FILE *out)
{
    fprintf(out,
            "DIFFERENT in the program of seed %" PRIu64 " at cycle %" PRIu64
            ", %s: model 0x%" PRIx64 ", RTL 0x%" PRIx64 "\n  %s%s%s\n",
            r->seed, r->cycle, r->pin, r->model, r->rtl, r->what, r->reg[0] != '\0' ? ", of " : "",
            r->reg);
    for (size_t i = 0; i < r->nr_parts; i++) {
        const cs_foreign_part *p = &r->parts[i];
        char bits[16];

        snprintf(bits, sizeof bits, p->msb == p->lsb ? "[%u]" : "[%u:%u]", p->msb, p->lsb);
        fprintf(out, "    %-10s %-7s model 0x%" PRIx64 ", RTL 0x%" PRIx64 "\n", p->name, bits,
                p->model, p->rtl);
    }
    fprintf(out, "  see %s", r->page);
    if (r->heading != NULL)
        fprintf(out, ", \"%s\"", r->heading);
    fprintf(out, "\n  settings: %s\n", r->settings);
    print_increments(r, out);
    print_rows(r, out);
    fprintf(out, "  again: --seed %" PRIu64 " --programs 1; --waves FILE.fst shows it\n", r->seed);
}

static void print_equal(const cs_foreign_report *r, FILE *out)
{
    fprintf(out,
            "EQUAL: %u programs, %" PRIu64 " cycles, %" PRIu64 " accesses (%" PRIu64
            " refused), %" PRIu64 " interrupt edges",
            r->programs, r->cycles, r->accesses, r->refused, r->edges);
    if (r->transfers != 0)
        fprintf(out, ", %" PRIu64 " transfers", r->transfers);
    fprintf(out, "\n");
}

/* Reached, but in fewer than one of so many programs. */
static bool is_hardly_exercised(const cs_foreign_report *r, const cs_foreign_touched *t)
{
    const uint64_t times = t->writes != 0 ? t->writes : t->reads;

    return times != 0 && times < r->programs / 20;
}

/* The first ones by name. */
static void print_hardly(const cs_foreign_report *r, FILE *out)
{
    size_t nr = 0;

    for (size_t i = 0; i < r->nr_touched; i++)
        if (is_hardly_exercised(r, &r->touched[i]) && nr++ < NAMED)
            fprintf(out, "%s%s", nr == 1 ? "  hardly exercised: " : ", ", r->touched[i].name);
    if (nr > NAMED)
        fprintf(out, " and %zu more", nr - NAMED);
    if (nr != 0)
        fprintf(out, " (--registers has the figures)\n");
}

void cs_unit_print(const cs_foreign_report *r, FILE *out)
{
    const int answer = cs_unit_answer(r);

    if (answer == EXIT_DIFFERENCE)
        print_difference(r, out);
    else if (answer == EXIT_GOOD)
        print_equal(r, out);
    else
        fprintf(out, "UNDECIDED: no %s in %u programs; the MAP leaves out too much\n",
                no_access(r) ? "register was accessed" : "output was compared", r->programs);
    if (r->not_compared[0] != '\0')
        fprintf(out, "  not compared: %s\n", r->not_compared);
    if (answer == EXIT_GOOD)
        print_hardly(r, out);
}

void cs_unit_print_touched(const cs_foreign_report *r, FILE *out)
{
    for (size_t i = 0; i < r->nr_touched; i++) {
        const cs_foreign_touched *t = &r->touched[i];

        fprintf(out, "  %-24s %10" PRIu64 " read %10" PRIu64 " written %10" PRIu64 " refused",
                t->name, t->reads, t->writes, t->refused);
        fprintf(out, ", bits 0x%" PRIx64 "%s%s\n", t->bits, t->ways[0] != '\0' ? ", " : "",
                t->ways);
    }
}

/* ---- as JSON ---- */

/* Numbers of 64 bits are strings, as "0x11". */
static void put_row(const cs_foreign_row *row, FILE *out)
{
    fprintf(out, "{\"cycle\": %" PRIu64 ", \"differs\": %s, \"text\": ", row->cycle,
            row->differs ? "true" : "false");
    cs_json_string(out, row->text);
    fprintf(out, ", \"outputs\": [");
    for (unsigned a = 0; a < 2 && row->answers[a].pin != NULL; a++) {
        fprintf(out,
                "%s{\"pin\": \"%s\", \"model\": \"0x%" PRIx64 "\", \"rtl\": ", cs_json_comma(a),
                row->answers[a].pin, row->answers[a].model);
        if (row->answers[a].compared)
            fprintf(out, "\"0x%" PRIx64 "\"}", row->answers[a].rtl);
        else
            fprintf(out, "null}");
    }
    fprintf(out, "]}");
}

static void put_difference(const cs_foreign_report *r, FILE *out)
{
    fprintf(out,
            ",\n \"seed\": %" PRIu64 ", \"cycle\": %" PRIu64
            ", \"pin\": \"%s\", \"model\": \"0x%" PRIx64 "\", \"rtl\": \"0x%" PRIx64
            "\",\n \"what\": ",
            r->seed, r->cycle, r->pin, r->model, r->rtl);
    cs_json_string(out, r->what);
    fprintf(out, ", \"register\": ");
    cs_json_string(out, r->reg);
    fprintf(out, ", \"section\": {\"page\": \"%s\", \"heading\": ", r->page);
    cs_json_string(out, r->heading != NULL ? r->heading : "");
    fprintf(out, "},\n \"settings\": ");
    cs_json_string(out, r->settings);
    fprintf(out, ",\n \"fields\": [");
    for (size_t i = 0; i < r->nr_parts; i++)
        fprintf(out,
                "%s{\"name\": \"%s\", \"msb\": %u, \"lsb\": %u, \"model\": \"0x%" PRIx64
                "\", \"rtl\": \"0x%" PRIx64 "\"}",
                cs_json_comma(i), r->parts[i].name, r->parts[i].msb, r->parts[i].lsb,
                r->parts[i].model, r->parts[i].rtl);
    fprintf(out, "],\n \"increments\": [");
    for (size_t i = 0; i < r->nr_counted; i++)
        fprintf(out, "%s{\"pin\": \"%s\", \"field\": %u, \"before\": %u, \"increment\": %u}",
                cs_json_comma(i), r->counted[i].pin, r->counted[i].field, r->counted[i].before,
                r->counted[i].now);
    fprintf(out, "],\n \"rows\": [");
    for (size_t i = 0; i < r->nr_rows; i++) {
        fprintf(out, "%s\n  ", cs_json_comma(i));
        put_row(&r->rows[i], out);
    }
    fprintf(out, "],\n \"first_row\": %zu", r->first_row);
}

void cs_unit_print_json(const cs_foreign_unit *unit, const cs_foreign_report *r, FILE *out)
{
    const int answer = cs_unit_answer(r);

    fprintf(out,
            "{\"outcome\": \"%s\", \"unit\": \"%s\", \"programs\": %u, \"cycles\": %" PRIu64
            ", \"accesses\": %" PRIu64 ", \"refused\": %" PRIu64 ", \"interrupt_edges\": %" PRIu64
            ", \"transfers\": %" PRIu64 ", \"compared\": %" PRIu64 ",\n \"not_compared\": ",
            answer == EXIT_DIFFERENCE ? "different"
            : answer == EXIT_GOOD     ? "equal"
                                      : "undecided",
            unit->name, r->programs, r->cycles, r->accesses, r->refused, r->edges, r->transfers,
            r->compared);
    cs_json_string(out, r->not_compared);
    fprintf(out, ",\n \"outputs\": {");
    for (unsigned i = 0, nr = 0; unit->pins[i].name != NULL; i++)
        if (unit->pins[i].output && r->looked[i].compared != 0)
            fprintf(out, "%s\"%s\": %" PRIu64, cs_json_comma(nr++), unit->pins[i].name,
                    r->looked[i].compared);
    fprintf(out, "},\n \"registers\": [");
    for (size_t i = 0; i < r->nr_touched; i++) {
        fprintf(out, "%s\n  {\"name\": ", cs_json_comma(i));
        cs_json_string(out, r->touched[i].name);
        fprintf(out,
                ", \"reads\": %" PRIu64 ", \"writes\": %" PRIu64 ", \"refused\": %" PRIu64
                ", \"bits\": \"0x%" PRIx64 "\", \"ways\": \"%s\"}",
                r->touched[i].reads, r->touched[i].writes, r->touched[i].refused,
                r->touched[i].bits, r->touched[i].ways);
    }
    fprintf(out, "]");
    if (r->pin != NULL)
        put_difference(r, out);
    fprintf(out, "}\n");
}
