// SPDX-License-Identifier: Apache-2.0
/* Units off the cores, and the bridges behind which they are. */
#ifndef CS_SCENARIO_UNCORE_UNCORE_SPEC_H
#define CS_SCENARIO_UNCORE_UNCORE_SPEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "scenario/limits.h"
#include "scenario/work/workload_spec.h"

#define CS_UNCORE_BRIDGES 4u
#define CS_UNCORE_PARTITIONS 16u
#define CS_UNCORE_SLOTS 15u /* of a bridge */
#define CS_MAX_UNCORE (CS_UNCORE_BRIDGES * CS_UNCORE_SLOTS)

/* A bridge to uncore units: so far away they are. */
typedef struct cs_uncore_bridge_spec {
    unsigned access_cycles;
    bool near[CS_MAX_CPUS];
    bool reach[CS_MAX_CPUS]; /* CPUs that reach the registers there at all */
    unsigned remote_cycles;  /* what an access costs a CPU that is not near, in addition */
} cs_uncore_bridge_spec;

/* A tag that an event of a unit has somewhere. */
typedef struct cs_uncore_tag {
    uint32_t event;  /* CS_EVENT_UNCORE */
    uint32_t number; /* CS_EVENT_UNCORE_TAGGED: as which it stands in the unit's timeline */
    uint64_t tag;
} cs_uncore_tag;

typedef struct cs_uncore_unit_spec {
    char name[CS_NAME_BYTES];
    unsigned bridge;
    unsigned slot; /* in the order of the units of a bridge */
    unsigned counters;
    unsigned width;
    unsigned id;
    bool extended; /* counters choose by tags, too */
    cs_uncore_tag *tags;
    size_t nr_tags;
    unsigned partition;           /* that has it; CS_UNCORE_PARTITIONS: none */
    char path[CS_PMU_TEXT_BYTES]; /* "": it has no address */
    uint64_t address;
    cs_segment_spec *segments;
    size_t nr_segments;
    unsigned divider; /* of rotations; default: uncore_driver.divider */
} cs_uncore_unit_spec;

/* A system of its own beside others, with CPUs and PMUs that a hypervisor gave it. */
typedef struct cs_uncore_partition_spec {
    char name[CS_NAME_BYTES];
    bool cpus[CS_MAX_CPUS];
    const char **unit_names;
    size_t nr_unit_names;
    const char **pmu_paths; /* places, and PMUs, of the tree */
    size_t nr_pmu_paths;
    struct cs_pmu_path *paths; /* [nr_pmu_paths] the same */
} cs_uncore_partition_spec;

typedef struct cs_uncore_spec {
    cs_uncore_bridge_spec *bridges;
    size_t nr_bridges;
    cs_uncore_unit_spec *units;
    size_t nr_units;
    cs_uncore_partition_spec *partitions;
    size_t nr_partitions; /* 0: there is one system, which has all */
} cs_uncore_spec;

/* The CPU reaches the unit's registers, and its system has both. */
static inline bool cs_uncore_reaches(const cs_uncore_spec *s, size_t unit, unsigned cpu)
{
    const cs_uncore_unit_spec *u = &s->units[unit];

    return s->bridges[u->bridge].reach[cpu] &&
           (s->nr_partitions == 0 ||
            (u->partition < s->nr_partitions && s->partitions[u->partition].cpus[cpu]));
}

/* The unit's place in the RTL and in records: slot s of bridge b is b * CS_UNCORE_SLOTS + s. */
static inline unsigned cs_uncore_place(const cs_uncore_unit_spec *unit)
{
    return unit->bridge * CS_UNCORE_SLOTS + unit->slot;
}

#endif
