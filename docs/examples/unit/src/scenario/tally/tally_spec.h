// SPDX-License-Identifier: Apache-2.0
/* The section `tally` of a scenario. */
#ifndef CS_SCENARIO_TALLY_TALLY_SPEC_H
#define CS_SCENARIO_TALLY_TALLY_SPEC_H

#include "scenario/limits.h"
#include "scenario/work/workload_spec.h"

#define CS_UNIT_TALLY 0x600u
#define CS_TARGET_TALLY 0x80u
#define CS_TALLY_BASE 0x50000000u
#define CS_TALLY_BYTES 0x10000u
#define CS_TALLY_TIMELINE (CS_MAX_CPUS + 64u)
#define CS_EVENT_TALLY(n) (0x80000u + (n))

typedef struct cs_tally_spec {
    bool present;
    cs_segment_spec *segments;
    size_t nr_segments;
} cs_tally_spec;

#endif
