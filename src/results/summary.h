// SPDX-License-Identifier: Apache-2.0
/* What a run came to, as text for people and as JSON for programs. What parts have to say, they say
 * themselves (part.h). */
#ifndef CS_RESULTS_SUMMARY_H
#define CS_RESULTS_SUMMARY_H

#include <stdio.h>

#include "results/figures.h"
#include "results/parts.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CS_WARNING_BYTES 256

typedef struct cs_summary {
    const cs_scenario *scenario;
    void *parts[CS_NR_PARTS]; /* their states; NULL: it is not there */
    cs_cycle end_cycle;       /* cycles simulated */
    uint64_t wall_ns;         /* the only figure that differs from run to run */
    uint64_t refill_cycles;   /* of software_cycles: workloads refilled their caches */
    uint64_t software_cycles; /* taken from the workloads of the cores that run the software */
    const char *ended;        /* why the run ended, as a phrase */
    const char (*warnings)[CS_WARNING_BYTES]; /* of the run, beside the scenario's */
    size_t nr_warnings;
} cs_summary;

/* `most`: rows of each table in the text; 0 for all. A failed write is left in the
 * stream's error flag. */
void cs_summary_text(const cs_summary *summary, size_t most, FILE *out);
void cs_summary_json(const cs_summary *summary, FILE *out);
/* The figures alone, a row each: figure, label, unit, value. */
void cs_summary_csv(const cs_summary *summary, FILE *out);

/* The figures that stand before the tables of both. */
void cs_summary_figures(const cs_summary *summary, cs_figures *out);

/* Cycles as nanoseconds of the scenario's bus clock, rounded down. */
uint64_t cs_summary_ns(const cs_scenario *scenario, uint64_t cycles);
/* And as seconds. */
double cs_summary_seconds(const cs_scenario *scenario, uint64_t cycles);

/* How many of `all` rows are told, and the line of those that are not. */
size_t cs_summary_rows(size_t all, size_t most);
void cs_summary_more(FILE *out, size_t all, size_t rows, const char *what);

#ifdef __cplusplus
}
#endif

#endif
