// SPDX-License-Identifier: Apache-2.0
/* Runs the points of a sweep, several at a time, and keeps what they came to (docs/uses/sweeps.md). */
#ifndef CS_SWEEP_SWEEP_H
#define CS_SWEEP_SWEEP_H

#include <stdio.h>

#include "sweep/plan.h"
#include "sweep/result.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cs_sweep_options {
    const char *output; /* the SQLite file: made, or gone on with */
    const char *runs;   /* NULL, or a folder that gets each point's run folder, by its number */
    unsigned jobs;      /* processes at a time, 1..CS_CHILDREN_MOST */
    size_t first;       /* the points first, first + stride, ...: a part of several */
    size_t stride;      /* 1: all */
    cs_status (*make_system)(cs_environment *, cs_system **, cs_diag *);
    void (*progress)(void *ctx, size_t done, size_t all); /* after each point; may be NULL */
    void *progress_ctx;
} cs_sweep_options;

typedef struct cs_sweep_end {
    size_t points;  /* that were to be run, in all */
    size_t found;   /* of them, were there already */
    size_t refused; /* of those run now, whose scenario was no good */
    cs_diag first_refused;
    size_t first_refused_point;
} cs_sweep_end;

/* What can be seen of mistakes before anything is run: the first point, and each value (of long lists
 * the first 64) beside the first ones of the other keys. Also makes `identity`, by malloc. */
cs_status cs_sweep_check(const cs_sweep_plan *plan, char **identity, cs_diag *diag);

/* A point whose scenario is refused is a row with its message. Anything else that fails ends the sweep;
 * what was run stays in the file. */
cs_status cs_sweep_run(const cs_sweep_plan *plan, const cs_sweep_options *options,
                       const char *identity, cs_sweep_end *end, cs_diag *diag);

/* The file as CSV: a row a point; the keys, then the `nr` figures, of which those that no point has are
 * left out; 0: all columns. */
cs_status cs_sweep_csv(const cs_sweep_plan *plan, const char *path, const char *const figures[],
                       size_t nr, FILE *out, cs_diag *diag);

/* For people: keys and figures of at most `most` points (0: all). Figures that the plan asks for and no
 * point has are told to `warnings`. */
cs_status cs_sweep_text(const cs_sweep_plan *plan, const char *path, size_t most, FILE *out,
                        FILE *warnings, cs_diag *diag);

#ifdef __cplusplus
}
#endif

#endif
