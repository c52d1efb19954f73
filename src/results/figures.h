// SPDX-License-Identifier: Apache-2.0
/* What figures there are (figures.def), and those of a summary, as they are gathered: text, JSON and CSV are made
 * of one list, so that they cannot disagree. */
#ifndef CS_RESULTS_FIGURES_H
#define CS_RESULTS_FIGURES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CS_FIGURES_MOST 128u

typedef enum cs_figure_kind {
    CS_FIGURE_COUNT,
    CS_FIGURE_TIME, /* count: nanoseconds */
    CS_FIGURE_FRACTION,
    CS_FIGURE_PHRASE
} cs_figure_kind;

/* What a figure is about: titles of the text, of reports and of `sweep --list-figures`, in this order. */
typedef enum cs_figure_group {
    CS_FIGURES_RUN,
    CS_FIGURES_MEASURED,
    CS_FIGURES_ACCURACY,
    CS_FIGURES_COST,
    CS_FIGURES_WRONG,
    CS_NR_FIGURE_GROUPS
} cs_figure_group;

extern const char *const cs_figure_groups[CS_NR_FIGURE_GROUPS];

/* A row of figures.def. */
typedef struct cs_figure_row {
    const char *key; /* in summary.json, ways.json and sweeps */
    cs_figure_group group;
    const char *label; /* for people */
    const char *unit;  /* "" for none */
    const char *text;  /* what it is, in one line */
} cs_figure_row;

/* NULL: there are no more. */
const cs_figure_row *cs_figure_row_at(size_t nr);
/* NULL: there is none of this key. */
const cs_figure_row *cs_figure_row_of(const char *key);

typedef struct cs_figure {
    const cs_figure_row *row;
    bool
        shown; /* to people, too; false: it can only be zero in this scenario, or another says the same */
    cs_figure_kind kind;
    uint64_t count;
    double fraction;
    const char *phrase;
} cs_figure;

typedef struct cs_figures {
    cs_figure list[CS_FIGURES_MOST];
    size_t count;
    unsigned clock_mhz; /* of the bus */
} cs_figures;

/* Each adds a figure; `key` has a row. */
void cs_figure_count(cs_figures *figures, const char *key, bool shown, uint64_t count);
void cs_figure_cycles(cs_figures *figures, const char *key, bool shown, uint64_t cycles);
void cs_figure_ns(cs_figures *figures, const char *key, bool shown, uint64_t ns);
void cs_figure_fraction(cs_figures *figures, const char *key, bool shown, double fraction);
void cs_figure_phrase(cs_figures *figures, const char *key, bool shown, const char *phrase);

/* One line, with its line feed. */
void cs_figure_text(const cs_figure *figure, FILE *out);
/* A value of the row as a person reads it; "-" for NaN. Returns `out`. */
const char *cs_figure_value_text(const cs_figure_row *row, double value, char *out, size_t size);

/* Numbers for people: thousands are separated by commas. Valid to the end of the expression. */
typedef struct cs_digits {
    char text[32];
} cs_digits;

cs_digits cs_digits_of(uint64_t value);
/* Without decimals. */
cs_digits cs_digits_real(double value);
/* With three decimals it is printed as 0.000, never as -0.000. */
double cs_percent(double fraction);

/* The value for programs: digits, or the phrase. */
const char *cs_figure_value(const cs_figure *figure, char *buffer, size_t size);
/* "key": value */
void cs_figure_json(const cs_figure *figure, FILE *out);

/* In quotes. */
void cs_json_string(FILE *out, const char *text);
/* What stands before a row of a JSON list: nothing before row 0. */
static inline const char *cs_json_comma(size_t row)
{
    return row != 0 ? "," : "";
}

#ifdef __cplusplus
}
#endif

#endif
