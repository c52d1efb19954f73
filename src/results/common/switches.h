// SPDX-License-Identifier: Apache-2.0
/* When a CPU goes from one process to another: where its workload's context id changes. What
 * interrupts the workload leaves the process as it is. */
#ifndef CS_RESULTS_COMMON_SWITCHES_H
#define CS_RESULTS_COMMON_SWITCHES_H

#include <stdbool.h>
#include <stdint.h>

#include "results/part.h"
#include <countersink/base/stream/timeline.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cs_switch {
    cs_cycle begun; /* `from` is there since then */
    cs_cycle cycle; /* the first of the new process */
    uint32_t from, to;
} cs_switch;

/* Of one CPU; to be filled by cs_switches_begin. The timeline is borrowed. */
typedef struct cs_switches {
    cs_timeline *timeline;
    bool guest; /* as a guest sees it: what is not in its modes is not there */
    bool known; /* a process has been seen */
    uint32_t pid;
    cs_cycle begun; /* of it */
    cs_cycle seen;  /* up to here */
} cs_switches;

void cs_switches_begin(cs_switches *switches, cs_timeline *timeline, bool guest);

/* The next one, if it is at `until` or before; what software does up to there must be in the
 * timeline. */
bool cs_switches_next(cs_switches *switches, cs_cycle until, cs_switch *out);

/* A guest has run on the record's CPU: to be told when the run has ended. It tells nothing more. */
CS_SOFT_KIND(guest_ran, cs_nothing)

#ifdef __cplusplus
}
#endif

#endif
