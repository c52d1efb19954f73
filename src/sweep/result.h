// SPDX-License-Identifier: Apache-2.0
/* What a point of a sweep came to: numbers with names. */
#ifndef CS_SWEEP_RESULT_H
#define CS_SWEEP_RESULT_H

#include <stdbool.h>
#include <stddef.h>

#include "results/run.h"
#include <countersink/base/diag.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CS_SWEEP_RESULT_MOST 160u
#define CS_SWEEP_NAME_BYTES 40u

typedef struct cs_sweep_result {
    bool ended; /* its process got to the end, well or not */
    cs_status status;
    cs_diag diag;
    double wall_s;
    size_t nr;
    struct {
        char name[CS_SWEEP_NAME_BYTES];
        double value;
    } figures[CS_SWEEP_RESULT_MOST];
} cs_sweep_result;

/* The figures that ways of a scenario are held beside each other with (results/ways.h), then the
 * numbers of summary.json whose names are not among them. Those that a run does not have are left out. */
cs_status cs_sweep_result_of(const cs_summary *summary, cs_sweep_result *out, cs_diag *diag);

/* Of a way's figure "25.31 ms" and the like, of another one the number; "-" if it is none. */
const char *cs_sweep_figure_text(const char *name, double value, char *out, size_t size);

#ifdef __cplusplus
}
#endif

#endif
