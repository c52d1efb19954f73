// SPDX-License-Identifier: Apache-2.0
/* The figures that ways of a scenario are held side by side by (ways.h). */
#ifndef CS_RESULTS_WAY_FIGURES_H
#define CS_RESULTS_WAY_FIGURES_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum cs_way_figure {
    CS_WAY_SIMULATED,  /* seconds */
    CS_WAY_ESTIMATES,  /* totals of events that were held against the truth */
    CS_WAY_NEVER,      /* events that never were on a counter */
    CS_WAY_MEAN_ERROR, /* absolute, of the estimates */
    CS_WAY_MOST_ERROR,
    CS_WAY_COVERAGE,    /* the mean share of the time that an event was on a counter */
    CS_WAY_LEAST_SHARE, /* of an event */
    CS_WAY_FAIRNESS,    /* Jain's index of these shares */
    CS_WAY_BLIND,       /* share of the time in which nothing is counted */
    CS_WAY_SKEW,        /* seconds between the first and the last CPU of a reading, at most */
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

/* Absolute errors of estimates, and what they come to. */
typedef struct cs_way_errors {
    double sum, most;
    uint64_t count, never;
} cs_way_errors;

void cs_way_errors_add(cs_way_errors *errors, double estimate, uint64_t truth);
/* Nothing where there are none. */
void cs_way_errors_set(const cs_way_errors *errors, double *figures);

#ifdef __cplusplus
}
#endif

#endif
