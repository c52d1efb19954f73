/* Several ways to run one scenario, side by side (docs/scenarios.md, "Ways"): each is a run of its own in
 * a process of its own; here are the figures that are held beside each other. */
#ifndef CS_RESULTS_WAYS_H
#define CS_RESULTS_WAYS_H

#include <stdio.h>

#include "base/diag.h"
#include "results/run.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CS_WAYS_MOST 8u

typedef enum cs_way_figure {
    CS_WAY_SIMULATED,  /* seconds */
    CS_WAY_ESTIMATES,  /* totals of events that were held against the truth */
    CS_WAY_NEVER,      /* events that never were on a counter */
    CS_WAY_MEAN_ERROR, /* absolute, of the estimates */
    CS_WAY_MOST_ERROR,
    CS_WAY_COVERAGE,    /* the mean share of the time that an event was on a counter */
    CS_WAY_LEAST_SHARE, /* of an event */
    CS_WAY_FAIRNESS,    /* Jain's index of these shares */
    CS_WAY_READINGS,    /* of an event that was on a counter, a second and CPU */
    CS_WAY_SAMPLES,
    CS_WAY_LOST,         /* samples that never reached memory, or perf */
    CS_WAY_SAMPLE_RATE,  /* samples a second and CPU that was sampled */
    CS_WAY_SHARE_ERROR,  /* absolute, of the functions' shares of time, mean */
    CS_WAY_PERIOD_ERROR, /* of the period that a sample stands for, mean */
    CS_WAY_WRONG,        /* counts that are not what the counter counted */
    CS_WAY_INTERRUPTS,
    CS_WAY_CALLS,        /* of firmware: OPAL, SBI */
    CS_WAY_STOLEN,       /* seconds taken from the workloads, all CPUs together */
    CS_WAY_STOLEN_SHARE, /* of all CPUs' time */
    CS_WAY_SAMPLE_COST,  /* seconds taken, by samples */
    CS_WAY_TRANSACTIONS, /* on the bus */
    CS_WAY_TRAFFIC,      /* bytes a second */
    CS_WAY_BUS_BUSY,     /* share of the time that a transfer holds a path */
    CS_WAY_NR
} cs_way_figure;

/* NaN: the way has no such thing. */
typedef struct cs_way_result {
    double figures[CS_WAY_NR];
} cs_way_result;

/* CS_ERR_NO_MEMORY. */
cs_status cs_way_result_of(const cs_summary *summary, cs_way_result *out, cs_diag *diag);

/* Runs each scenario into a folder of its way's name within options->output (NULL:
 * runs/<name>-<n>), and writes ways.txt and ways.json beside them. All are ways of one scenario.
 * folder: the name that it has, at least 4096 bytes. Progress is not shown. Nothing is left on failure. */
cs_status cs_run_ways(cs_scenario *const scenarios[], size_t count, const cs_run_options *options,
                      cs_way_result results[], char *folder, cs_diag *diag);

/* Side by side, a row a figure that any of them has. */
void cs_ways_text(const cs_way_spec *ways, const cs_way_result *results, size_t count, FILE *out);
void cs_ways_json(const cs_way_spec *ways, const cs_way_result *results, size_t count, FILE *out);

#ifdef __cplusplus
}
#endif

#endif
