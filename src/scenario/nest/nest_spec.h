/* POWER's nest counters. */
#ifndef CS_SCENARIO_NEST_NEST_SPEC_H
#define CS_SCENARIO_NEST_NEST_SPEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "scenario/work/workload_spec.h"

typedef struct cs_nest_spec {
    bool present;
    uint64_t base;
    uint64_t tick_cycles; /* fits 32 bits */
    cs_segment_spec *segments;
    size_t nr_segments;
} cs_nest_spec;

#endif
