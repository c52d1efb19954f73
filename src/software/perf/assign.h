// SPDX-License-Identifier: Apache-2.0
/* Events to counters of one PMU (docs/drivers/rotation.md, "Scheduling"). */
#ifndef CS_SOFTWARE_PERF_ASSIGN_H
#define CS_SOFTWARE_PERF_ASSIGN_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CS_ROTATION_MAX_COUNTERS 32u /* of a PMU */

/* Events that all have a counter. May be copied; empty only after cs_rotation_set_clear. */
typedef struct cs_rotation_set {
    unsigned nr;                                 /* events */
    uint32_t allowed[CS_ROTATION_MAX_COUNTERS];  /* by event */
    int8_t counter_of[CS_ROTATION_MAX_COUNTERS]; /* by event */
    int8_t owner[CS_ROTATION_MAX_COUNTERS];      /* by counter; -1: free */
} cs_rotation_set;

void cs_rotation_set_clear(cs_rotation_set *set);
/* One event more, with as many others moved as it takes. False when there is no way: the set is as
 * it was. */
bool cs_rotation_set_add(cs_rotation_set *set, uint32_t allowed);
/* The lexicographically first assignment, events in the order in which they were added. */
void cs_rotation_set_lowest(cs_rotation_set *set);

#ifdef __cplusplus
}
#endif

#endif
