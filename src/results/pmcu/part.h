// SPDX-License-Identifier: Apache-2.0
/* The part of the PMCUs, one a die, and the cores that they count on. */
#ifndef CS_RESULTS_PMCU_PART_H
#define CS_RESULTS_PMCU_PART_H

#include "results/part.h"
#include "results/pmcu/collector.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CS_PMCU_NAME_BYTES 24u

/* Of a die. */
typedef struct cs_pmcu_die {
    cs_pmcu_collector *collector;
    const cs_pmcu_results *results; /* from the end on */
    char name[CS_PMCU_NAME_BYTES];  /* "sccl0"; "": there is only one */
    char aux_file[CS_PMCU_NAME_BYTES];
    FILE *aux;              /* NULL without a PMCU that is driven */
    uint64_t aux_bytes;     /* handed to perf */
    uint64_t subsamples;    /* committed so far */
    uint64_t of_others;     /* those of them that are of another trigger than the last is */
    uint64_t last_address;  /* of the last one */
    uint64_t first_address; /* of the last trigger's first one */
    bool taken;             /* the last trigger's are with perf */
    uint64_t handed_over;   /* of them, to perf */
    const char *ended;      /* its driver, at the end; NULL: none runs */
} cs_pmcu_die;

/* Its state. */
typedef struct cs_pmcu_part {
    cs_part_run *run;
    unsigned nr_dies;
    cs_pmcu_die dies[CS_MAX_DIES];
    uint64_t subsamples; /* of several, committed so far */
    uint64_t aux_bytes;  /* of all, handed to perf */
    /* From the end on, of the drivers of all dies: that perf took to copy the samples, to other CPUs,
     * interrupts without a cause. */
    uint64_t perf_cycles, moves, spurious;
    const cs_pmcu_results *results; /* of all of them, from the end on */
    cs_pmcu_results sum;            /* the same where they are several; owns its events */
    char ending[CS_MAX_DIES * 96u];
} cs_pmcu_part;

/* docs/hw/pmcu.md, "States"; NULL: there is none. */
const char *cs_pmcu_state_name(unsigned state);

/* ---- dies.c: of several one ---- */

/* Fills in `sum`, and what of its events has a `truth` of each die. False: no memory. */
bool cs_pmcu_sum(cs_pmcu_part *part);
/* What a die has of an event; NULL: it has not counted it. */
const cs_pmcu_event_result *cs_pmcu_event_of(const cs_pmcu_die *die,
                                             const cs_pmcu_event_result *event);

/* ---- warn.c ---- */

void cs_pmcu_warn(const cs_pmcu_part *part);

/* ---- told.c: figures, tables and lists of the summary ---- */

/* How much longer the windows were than the period, as a share of it. */
double cs_pmcu_window_excess(const cs_pmcu_results *results);

void cs_pmcu_figures(const void *part, const struct cs_summary *summary, cs_figures *out);
void cs_pmcu_text(const void *part, const struct cs_summary *summary, size_t most, FILE *out);
void cs_pmcu_json(const void *part, const struct cs_summary *summary, FILE *out);
cs_status cs_pmcu_ways(const void *part, const struct cs_summary *summary, double *figures);

#ifdef __cplusplus
}
#endif

#endif
