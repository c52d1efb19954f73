// SPDX-License-Identifier: Apache-2.0
/* Several ways to run one scenario, side by side (docs/scenarios.md, "Ways"): each is a run of its own in
 * a process of its own; here are the figures that are held beside each other. */
#ifndef CS_RESULTS_WAYS_H
#define CS_RESULTS_WAYS_H

#include <stdio.h>

#include "results/run.h"
#include "results/way_figures.h"
#include <countersink/base/diag.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CS_WAYS_MOST 8u

/* NaN: the way has no such thing. */
typedef struct cs_way_result {
    double figures[CS_WAY_NR];
} cs_way_result;

/* Its row is cs_figure_row_of's. */
const char *cs_way_figure_key(unsigned figure);

/* CS_ERR_NO_MEMORY. */
cs_status cs_way_result_of(const cs_summary *summary, cs_way_result *out, cs_diag *diag);

/* Runs each scenario into a folder of its way's name within options->output (NULL: runs/<name>-<n>), and
 * writes ways.txt, .md, .csv and .json beside them. All are ways of one scenario; `jobs` of them
 * (1..CS_CHILDREN_MOST) run at a time, and no result depends on it. folder: the name that it has, at least
 * 4096 bytes. Progress is not shown. Nothing is left on failure. */
cs_status cs_run_ways(cs_scenario *const scenarios[], size_t count, unsigned jobs,
                      const cs_run_options *options, cs_way_result results[], char *folder,
                      cs_diag *diag);

/* Side by side, a row a figure that any of them has. */
void cs_ways_text(const cs_way_spec *ways, const cs_way_result *results, size_t count, FILE *out);
void cs_ways_markdown(const cs_way_spec *ways, const cs_way_result *results, size_t count,
                      FILE *out);
void cs_ways_csv(const cs_way_spec *ways, const cs_way_result *results, size_t count, FILE *out);
void cs_ways_json(const cs_way_spec *ways, const cs_way_result *results, size_t count, FILE *out);

#ifdef __cplusplus
}
#endif

#endif
