// SPDX-License-Identifier: Apache-2.0
/* POWER's nest counters. */
#ifndef CS_SCENARIO_NEST_NEST_SPEC_H
#define CS_SCENARIO_NEST_NEST_SPEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "scenario/work/workload_spec.h"

#define CS_NEST_APART UINT64_C(0x400000) /* windows of chips, as their HOMERs are */

/* What one of several chips has of its own. */
typedef struct cs_nest_chip_spec {
    uint64_t units; /* the availability vector as the firmware leaves it; 0: the engine's default */
    cs_segment_spec *segments;
    size_t nr_segments;
} cs_nest_chip_spec;

typedef struct cs_nest_spec {
    bool present;
    uint64_t base;        /* of chip 0 */
    uint64_t tick_cycles; /* fits 32 bits */
    uint64_t units;       /* in the control block when the run begins, as are: */
    unsigned speed, mode;
    cs_segment_spec *segments;
    size_t nr_segments;
    cs_nest_chip_spec *chips; /* by number; none: all do what the segments say */
    size_t nr_chips;
} cs_nest_spec;

/* Words of the control block when the run begins, as a place in the window and what is there. */
#define CS_NEST_WORDS 3u
typedef struct cs_nest_word {
    uint32_t offset;
    uint64_t value;
} cs_nest_word;
void cs_nest_block(const cs_nest_spec *nest, cs_nest_word out[CS_NEST_WORDS]);

static inline uint64_t cs_nest_base(const cs_nest_spec *nest, unsigned chip)
{
    return nest->base + chip * CS_NEST_APART;
}

#endif
