// SPDX-License-Identifier: Apache-2.0
/* Figures of a summary, as they are gathered: text and JSON are both made of this list, so that they
 * cannot disagree. */
#ifndef CS_RESULTS_FIGURES_H
#define CS_RESULTS_FIGURES_H

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

typedef struct cs_figure {
    const char *key;   /* in summary.json */
    const char *label; /* in summary.txt; NULL: JSON only */
    cs_figure_kind kind;
    uint64_t count;
    double fraction;
    const char *phrase;
    const char *part; /* whose it is; NULL: of the run */
} cs_figure;

typedef struct cs_figures {
    cs_figure list[CS_FIGURES_MOST];
    size_t count;
    unsigned clock_mhz; /* of the bus */
} cs_figures;

void cs_figure_count(cs_figures *figures, const char *key, const char *label, uint64_t count);
void cs_figure_cycles(cs_figures *figures, const char *key, const char *label, uint64_t cycles);
void cs_figure_ns(cs_figures *figures, const char *key, const char *label, uint64_t ns);
void cs_figure_fraction(cs_figures *figures, const char *key, const char *label, double fraction);
void cs_figure_phrase(cs_figures *figures, const char *key, const char *label, const char *phrase);

/* One line, with its line feed; of a figure with a label. It says whose it is where another part has one of the
 * same label among `all`. */
void cs_figure_text(const cs_figure *figure, const cs_figures *all, FILE *out);
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
