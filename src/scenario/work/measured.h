// SPDX-License-Identifier: Apache-2.0
/* Programs that others have measured on real processors, and published what they found
 * (docs/sources.md, "Measured programs"). A segment that is `like` one counts as it did. */
#ifndef CS_SCENARIO_WORK_MEASURED_H
#define CS_SCENARIO_WORK_MEASURED_H

#include <stdbool.h>
#include <stddef.h>

#include "scenario/keys.h"
#include "scenario/work/workload_spec.h"

struct cs_check;

/* What can be said of a program, whatever the processor calls it. */
typedef enum cs_measure {
    CS_MEASURE_INSTRUCTIONS,
    CS_MEASURE_CYCLES, /* in which it runs: all of a segment's */
    CS_MEASURE_BRANCHES,
    CS_MEASURE_MISPREDICTS,
    CS_MEASURE_LOADS,
    CS_MEASURE_STORES,
    CS_MEASURE_ACCESSES, /* loads and stores */
    CS_MEASURE_L1_MISSES,
    CS_MEASURE_L2_MISSES,
    CS_MEASURE_L3_MISSES,
    CS_MEASURE_DATA_WALKS, /* misses of the last TLB */
    CS_MEASURE_CODE_WALKS,
    CS_MEASURE_STALLS, /* cycles: no program's figures have them */
    CS_NR_MEASURES
} cs_measure;

/* An event of a kind of CPU that counts so; in tables, the last has no name. The first event of
 * instructions stands before all others. */
typedef struct cs_measured_event {
    const char *name; /* as a scenario has it */
    cs_measure measure;
} cs_measured_event;

/* What a segment may be like; ended by one without a name. 0 is none. */
extern const cs_key_choice cs_measured_programs[];

/* Counts for each instruction; of instructions and cycles themselves, for each core cycle. False: it
 * was not published. */
bool cs_measured_rate(unsigned program, cs_measure measure, cs_fraction *out);

/* Adds the events of the segments that are like a program. */
cs_status cs_check_like(struct cs_check *check);

#endif
