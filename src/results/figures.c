// SPDX-License-Identifier: Apache-2.0
#include "results/figures.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
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

/* ---- for people ---- */

static cs_digits group(const char *digits)
{
    const size_t sign = *digits == '-', all = strlen(digits);
    cs_digits out = {""};
    size_t used = 0;

    for (size_t i = 0; i < all && used + 2 < sizeof out.text; i++) {
        if (i > sign && (all - i) % 3 == 0)
            out.text[used++] = ',';
        out.text[used++] = digits[i];
    }
    return out;
}

cs_digits cs_digits_of(uint64_t value)
{
    char digits[24];

    snprintf(digits, sizeof digits, "%" PRIu64, value);
    return group(digits);
}

cs_digits cs_digits_real(double value)
{
    char digits[24];

    snprintf(digits, sizeof digits, "%.0f", value);
    return group(strcmp(digits, "-0") == 0 ? "0" : digits);
}

double cs_percent(double fraction)
{
    const double percent = 100.0 * fraction;

    return percent > -0.0005 && percent < 0 ? 0 : percent;
}

static void time_text(uint64_t ns, char *out, size_t size)
{
    static const struct {
        double scale;
        const char *unit;
    } units[] = {{1e9, "s"}, {1e6, "ms"}, {1e3, "us"}};

    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if ((double)ns >= units[i].scale) {
            snprintf(out, size, "%.3f %s", (double)ns / units[i].scale, units[i].unit);
            return;
        }
    snprintf(out, size, "%" PRIu64 " ns", ns);
}

/* Of the run as it is; numbers below each other, each with its unit behind it. */
static void put_line(const cs_figure_row *row, const char *value, FILE *out)
{
    const size_t number = strcspn(value, " ");

    if (row->group == CS_FIGURES_RUN)
        fprintf(out, "  %-27s %s\n", row->label, value);
    else
        fprintf(out, "  %-27s %15.*s%s\n", row->label, (int)number, value, value + number);
}

void cs_figure_text(const cs_figure *f, FILE *out)
{
    char value[40];

    switch (f->kind) {
    case CS_FIGURE_COUNT:
        if (strcmp(f->row->unit, "MHz") == 0)
            snprintf(value, sizeof value, "%" PRIu64 " MHz", f->count);
        else if (f->row->group == CS_FIGURES_RUN)
            snprintf(value, sizeof value, "%" PRIu64, f->count);
        else
            snprintf(value, sizeof value, "%s", cs_digits_of(f->count).text);
        break;
    case CS_FIGURE_TIME:
        time_text(f->count, value, sizeof value);
        break;
    case CS_FIGURE_FRACTION:
        snprintf(value, sizeof value, "%.3f %%", cs_percent(f->fraction));
        break;
    case CS_FIGURE_PHRASE:
        put_line(f->row, f->phrase, out);
        return;
    }
    put_line(f->row, value, out);
}

/* The first of the scale in which it is at least 1, or the last; each is a thousandth of the one before. */
static void print_scaled(char *out, size_t size, double value, const char *const scale[])
{
    unsigned i = 0;

    for (; scale[i + 1] != NULL && value < 1.0; i++)
        value *= 1000.0;
    snprintf(out, size, "%.3f %s", value, scale[i]);
}

const char *cs_figure_value_text(const cs_figure_row *row, double value, char *out, size_t size)
{
    static const char *const times[] = {"s", "ms", "us", "ns", NULL};
    static const char *const rates[] = {"GB/s", "MB/s", "kB/s", "B/s", NULL};

    if (isnan(value))
        snprintf(out, size, "-");
    else if (strcmp(row->unit, "s") == 0)
        print_scaled(out, size, value, times);
    else if (strcmp(row->unit, "ns") == 0)
        print_scaled(out, size, value / 1e9, times);
    else if (strcmp(row->unit, "fraction") == 0)
        snprintf(out, size, "%.3f %%", cs_percent(value));
    else if (strcmp(row->unit, "/s") == 0)
        snprintf(out, size, "%.1f /s", value);
    else if (strcmp(row->unit, "bytes/s") == 0)
        print_scaled(out, size, value / 1e9, rates);
    else
        snprintf(out, size, "%s", cs_digits_real(value).text);
    return out;
}

/* ---- for programs ---- */

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
