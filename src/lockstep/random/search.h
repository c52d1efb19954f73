// SPDX-License-Identifier: Apache-2.0
/* Looks for a difference between model and RTL by random scenarios. */
#ifndef CS_LOCKSTEP_RANDOM_SEARCH_H
#define CS_LOCKSTEP_RANDOM_SEARCH_H

#include "lockstep/random/random.h"
#include "lockstep/trial.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CS_SEARCH_SECONDS 120u /* of a processor: a comparison that takes more has failed */

typedef struct cs_search_options {
    uint64_t scenarios; /* at most so many */
    uint64_t seed;
    const char *unit;   /* that takes part in each of them; NULL: any */
    uint64_t budget_ns; /* no new scenario is begun after that; 0: no limit */
    unsigned jobs;      /* comparisons at a time */
    cs_die_options die;
    const cs_random_dies *dies;                                /* NULL: the ready-made ones */
    void (*progress)(void *ctx, uint64_t done, size_t points); /* may be NULL */
    void *progress_ctx;
} cs_search_options;

typedef struct cs_search_report {
    uint64_t scenarios; /* that were compared and agreed */
    /* What was drawn and is none, and why the first of them is none: they are stepped over. */
    uint64_t refused;
    cs_diag why;
    size_t points;                /* different things that they showed */
    size_t declared, nr_declared; /* points of docs/hw/points/ among them; how many there are */
    uint64_t cycles, of_kind[5];
    /* The first that did not agree: NULL if there is none; freed by cs_search_clear. */
    char *text;
    cs_trial trial;
} cs_search_report;

/* The scenarios depend on `seed`, `unit` and `dies` alone, not on `jobs`: number n is drawn when
 * what those up to n - CS_TRIAL_JOBS have shown is known, and no other. The first that differs is
 * the one with the lowest number. Errors: of cs_random_scenario; one of a comparison, with the
 * scenario in `text`. */
cs_status cs_search(const cs_search_options *options, cs_search_report *report, cs_diag *diag);
void cs_search_clear(cs_search_report *report);

/* The text of scenario `number` alone, as if it were drawn first, without steering: freed by the
 * caller. */
cs_status cs_search_draw(const cs_search_options *options, uint64_t number, char **text,
                         cs_diag *diag);

#ifdef __cplusplus
}
#endif

#endif
