// SPDX-License-Identifier: Apache-2.0
#include "results/figures.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

static void add(cs_figures *figures, cs_figure figure)
{
    if (figures->count < CS_FIGURES_MOST)
        figures->list[figures->count++] = figure;
}

void cs_figure_count(cs_figures *figures, const char *key, const char *label, uint64_t count)
{
    add(figures, (cs_figure){key, label, CS_FIGURE_COUNT, .count = count});
}

void cs_figure_ns(cs_figures *figures, const char *key, const char *label, uint64_t ns)
{
    add(figures, (cs_figure){key, label, CS_FIGURE_TIME, .count = ns});
}

void cs_figure_cycles(cs_figures *figures, const char *key, const char *label, uint64_t cycles)
{
    cs_figure_ns(figures, key, label,
                 (uint64_t)((unsigned __int128)cycles * 1000u / figures->clock_mhz));
}

void cs_figure_fraction(cs_figures *figures, const char *key, const char *label, double fraction)
{
    add(figures, (cs_figure){key, label, CS_FIGURE_FRACTION, .fraction = fraction});
}

void cs_figure_phrase(cs_figures *figures, const char *key, const char *label, const char *phrase)
{
    add(figures, (cs_figure){key, label, CS_FIGURE_PHRASE, .phrase = phrase});
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

static bool is_of_several(const cs_figure *f, const cs_figures *all)
{
    for (size_t i = 0; i < all->count; i++)
        if (all->list[i].part != f->part && all->list[i].label != NULL &&
            strcmp(all->list[i].label, f->label) == 0)
            return true;
    return false;
}

void cs_figure_text(const cs_figure *f, const cs_figures *all, FILE *out)
{
    char label[80];

    snprintf(label, sizeof label, "%s%s%s", f->label, is_of_several(f, all) ? ", " : "",
             is_of_several(f, all) && f->part != NULL ? f->part : "");
    fprintf(out, "  %-24s ", label);
    switch (f->kind) {
    case CS_FIGURE_COUNT:
        fprintf(out, "%" PRIu64, f->count);
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

    fprintf(out, "\"%s\": ", f->key);
    if (f->kind == CS_FIGURE_PHRASE)
        cs_json_string(out, f->phrase);
    else
        fputs(cs_figure_value(f, value, sizeof value), out);
}
