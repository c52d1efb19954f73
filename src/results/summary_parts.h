/* How figures of the summary are told; for summary*.c alone. */
#ifndef CS_RESULTS_SUMMARY_PARTS_H
#define CS_RESULTS_SUMMARY_PARTS_H

#include "results/summary.h"

typedef enum figure_kind { COUNT, NANOSECONDS, FRACTION, PHRASE } figure_kind;

typedef struct figure {
    const char *key;   /* in summary.json */
    const char *label; /* in summary.txt; NULL: JSON only */
    figure_kind kind;
    uint64_t count;
    double fraction;
    const char *phrase;
} figure;

void cs_summary_json_string(FILE *out, const char *text);

/* Of a summary with `rotated`. The figures go to out[n..]; returns how many there are then. */
size_t cs_summary_rotation_figures(const cs_summary *summary, figure *out, size_t n);
void cs_summary_rotation_text(const cs_summary *summary, size_t most, FILE *out);
void cs_summary_rotation_json(const cs_summary *summary, FILE *out);

#endif
