/* The part of the PMCU and the cores that it counts on. */
#ifndef CS_RESULTS_PMCU_PART_H
#define CS_RESULTS_PMCU_PART_H

#include "results/part.h"
#include "results/pmcu/collector.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Its state. */
typedef struct cs_pmcu_part {
    cs_part_run *run;
    cs_pmcu_collector *collector;
    const cs_pmcu_results *results; /* from the end on */
    FILE *aux;                      /* NULL without a PMCU that is driven */
    uint64_t aux_bytes;             /* handed to perf */
    uint64_t subsamples;            /* committed so far */
    uint64_t of_others;             /* those of them that are of another trigger than the last is */
    uint64_t last_address;          /* of the last one */
    uint64_t handed_over;           /* of them, to perf */
} cs_pmcu_part;

#ifdef __cplusplus
}
#endif

#endif
