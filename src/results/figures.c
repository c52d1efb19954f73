// SPDX-License-Identifier: Apache-2.0
#include "results/figures.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

const char *const cs_figure_groups[CS_NR_FIGURE_GROUPS] = {
    "The run", "What was measured", "How accurate it is", "What it cost", "What went wrong",
};

static const cs_figure_row rows[] = {
#define CS_FIGURE(key, group, label, unit, text) {key, CS_FIGURES_##group, label, unit, text},
#include "results/figures.def"
#undef CS_FIGURE
};
#define NR_ROWS (sizeof rows / sizeof rows[0])

const cs_figure_row *cs_figure_row_at(size_t nr)
{
    return nr < NR_ROWS ? &rows[nr] : NULL;
}

const cs_figure_row *cs_figure_row_of(const char *key)
{
    for (size_t i = 0; i < NR_ROWS; i++)
        if (strcmp(rows[i].key, key) == 0)
            return &rows[i];
    return NULL;
}

static void add(cs_figures *figures, const char *key, cs_figure figure)
{
    figure.row = cs_figure_row_of(key);
    assert(figure.row != NULL);
    if (figures->count < CS_FIGURES_MOST)
        figures->list[figures->count++] = figure;
}

void cs_figure_count(cs_figures *figures, const char *key, bool shown, uint64_t count)
{
    add(figures, key, (cs_figure){.shown = shown, .kind = CS_FIGURE_COUNT, .count = count});
}

void cs_figure_ns(cs_figures *figures, const char *key, bool shown, uint64_t ns)
{
    add(figures, key, (cs_figure){.shown = shown, .kind = CS_FIGURE_TIME, .count = ns});
}

void cs_figure_cycles(cs_figures *figures, const char *key, bool shown, uint64_t cycles)
{
    cs_figure_ns(figures, key, shown,
                 (uint64_t)((unsigned __int128)cycles * 1000u / figures->clock_mhz));
}

void cs_figure_fraction(cs_figures *figures, const char *key, bool shown, double fraction)
{
    add(figures, key,
        (cs_figure){.shown = shown, .kind = CS_FIGURE_FRACTION, .fraction = fraction});
}

void cs_figure_phrase(cs_figures *figures, const char *key, bool shown, const char *phrase)
{
    add(figures, key, (cs_figure){.shown = shown, .kind = CS_FIGURE_PHRASE, .phrase = phrase});
}

static void print_time(FILE *out, uint64_t ns)
{
    static const struct {
        double scale;
        const char *unit;
    } units[] = {{1e9, "s"}, {1e6, "ms"}, {1e3, "us"}};

    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if ((double)ns >= units[i].scale) {
            fprintf(out, "%.3f %s", (double)ns / units[i].scale, units[i].unit);
            return;
        }
    fprintf(out, "%" PRIu64 " ns", ns);
}

void cs_figure_text(const cs_figure *f, FILE *out)
{
    fprintf(out, "  %-27s ", f->row->label);
    switch (f->kind) {
    case CS_FIGURE_COUNT:
        fprintf(out, "%" PRIu64, f->count);
        if (strcmp(f->row->unit, "MHz") == 0) /* bytes stand in the label */
            fprintf(out, " MHz");
        break;
    case CS_FIGURE_TIME:
        print_time(out, f->count);
        break;
    case CS_FIGURE_FRACTION:
        fprintf(out, "%.3f %%", 100.0 * f->fraction);
        break;
    case CS_FIGURE_PHRASE:
        fprintf(out, "%s", f->phrase);
        break;
    }
    fputc('\n', out);
}

void cs_json_string(FILE *out, const char *text)
{
    fputc('"', out);
    for (; *text != '\0'; text++) {
        if (*text == '"' || *text == '\\')
            fputc('\\', out);
        if ((unsigned char)*text < 0x20)
            fprintf(out, "\\u%04x", (unsigned)*text);
        else
            fputc(*text, out);
    }
    fputc('"', out);
}

const char *cs_figure_value(const cs_figure *f, char *buffer, size_t size)
{
    if (f->kind == CS_FIGURE_PHRASE)
        return f->phrase;
    if (f->kind == CS_FIGURE_FRACTION)
        snprintf(buffer, size, "%.9g", f->fraction);
    else
        snprintf(buffer, size, "%" PRIu64, f->count);
    return buffer;
}

void cs_figure_json(const cs_figure *f, FILE *out)
{
    char value[32];

    fprintf(out, "\"%s\": ", f->row->key);
    if (f->kind == CS_FIGURE_PHRASE)
        cs_json_string(out, f->phrase);
    else
        fputs(cs_figure_value(f, value, sizeof value), out);
}
