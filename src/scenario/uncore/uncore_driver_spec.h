/* perf and the kernel's driver of uncore units. */
#ifndef CS_SCENARIO_UNCORE_UNCORE_DRIVER_SPEC_H
#define CS_SCENARIO_UNCORE_UNCORE_DRIVER_SPEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "scenario/uncore/uncore_spec.h"

#define CS_MAX_UNCORE_EVENTS 1024u /* of all perf commands together */

typedef struct cs_uncore_event_spec {
    uint32_t event; /* CS_EVENT_UNCORE */
    unsigned group; /* 0: alone */
    bool pinned;
    uint32_t counters; /* that may count it, as bits; 0: all */
} cs_uncore_event_spec;

/* One perf stat on uncore units. */
typedef struct cs_uncore_perf_spec {
    const char **unit_names;
    size_t nr_unit_names;
    bool units[CS_MAX_UNCORE];         /* the same by number; without names all */
    unsigned unit_list[CS_MAX_UNCORE]; /* and in their order */
    size_t nr_units;
    cs_uncore_event_spec *events;
    size_t nr_events;
    uint64_t start_us;
    uint64_t stop_us;
    uint64_t interval_us; /* -I; 0: only at the end */
} cs_uncore_perf_spec;

typedef struct cs_uncore_driver_spec {
    bool global;       /* one list a CPU; false: one a unit */
    bool take_out_all; /* events that are not pinned leave their counters when a list turns */
    unsigned tick_us;
    unsigned divider;
    bool adaptive;
    unsigned limit_percent;
    unsigned most_divider;
    unsigned handler_cycles;
    unsigned event_cycles;
    uint64_t poll_cycles;
    cs_uncore_perf_spec *perf;
    size_t nr_perf;
} cs_uncore_driver_spec;

#endif
