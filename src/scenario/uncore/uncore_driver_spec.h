// SPDX-License-Identifier: Apache-2.0
/* perf and the kernel's driver of uncore units. */
#ifndef CS_SCENARIO_UNCORE_UNCORE_DRIVER_SPEC_H
#define CS_SCENARIO_UNCORE_UNCORE_DRIVER_SPEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "scenario/uncore/uncore_spec.h"

#define CS_MAX_UNCORE_EVENTS 1024u /* of all perf commands together */

#define CS_UNCORE_RAW_NAME_BYTES 72u

typedef struct cs_uncore_event_spec {
    uint32_t event; /* CS_EVENT_UNCORE */
    unsigned group; /* 0: alone */
    bool pinned;
    uint32_t counters;                   /* that may count it, as bits; 0: all */
    uint64_t config1, config2;           /* MATCH and MASK of its counter */
    char name[CS_UNCORE_RAW_NAME_BYTES]; /* with them; "": both are 0 */
} cs_uncore_event_spec;

/* How a PMU is named to perf_event_open. */
typedef enum cs_uncore_named {
    CS_UNCORE_BY_NAME,
    CS_UNCORE_BY_CPU,
    CS_UNCORE_BY_PATH
} cs_uncore_named;

/* A PMU that a command asks for. */
typedef struct cs_uncore_open_spec {
    const char *asked; /* as it is written */
    cs_uncore_named named;
    unsigned unit;     /* CS_MAX_UNCORE: none, it was refused */
    const char *error; /* "ENOENT"; NULL: it is open */
    const char *why;   /* of the error */
} cs_uncore_open_spec;

/* One perf stat on uncore units. */
typedef struct cs_uncore_perf_spec {
    const char **unit_names;
    size_t nr_unit_names;
    const char **pmus;
    size_t nr_pmus;
    char partition[CS_NAME_BYTES]; /* "": there are none */
    cs_uncore_open_spec *opens;    /* with names or pmus: what became of each */
    size_t nr_opens;
    bool units[CS_MAX_UNCORE];         /* those that are open, by number */
    unsigned unit_list[CS_MAX_UNCORE]; /* and in their order */
    size_t nr_units;
    cs_uncore_event_spec *events;
    size_t nr_events;
    uint64_t start_us;
    uint64_t stop_us;
    uint64_t interval_us; /* -I; 0: only at the end */
} cs_uncore_perf_spec;

typedef enum cs_uncore_list_kind {
    CS_UNCORE_LIST_PER_PMU,
    CS_UNCORE_LIST_GLOBAL,  /* one a CPU */
    CS_UNCORE_LIST_CONTEXTS /* one a unit, each with a timer of its own, as Linux 6.2 */
} cs_uncore_list_kind;

/* Which CPU manages a unit. */
typedef enum cs_uncore_choice {
    CS_UNCORE_BY_LOAD, /* distance and what it manages already */
    CS_UNCORE_NEAREST, /* the first that is near, whatever the CPUs do */
    CS_UNCORE_BUSY,    /* a CPU that runs its workload: it moves after it */
    CS_UNCORE_IDLE     /* one that does not */
} cs_uncore_choice;

/* A CPU that is taken from the system for a while, as by its sysfs file `online`. */
typedef struct cs_uncore_hotplug_spec {
    unsigned cpu;
    uint64_t at_us, for_us; /* for_us 0: for ever */
    uint64_t power_us;      /* its power goes then; 0: it keeps it */
} cs_uncore_hotplug_spec;

typedef struct cs_uncore_driver_spec {
    unsigned list;          /* cs_uncore_list_kind */
    unsigned choice;        /* cs_uncore_choice */
    bool cpus[CS_MAX_CPUS]; /* that may manage */
    uint64_t look_us;       /* busy, idle: so often what the CPUs do is looked at */
    cs_uncore_hotplug_spec
        *hotplug; /* those of corepmu.outages among them; by rising at_us a CPU */
    size_t nr_hotplug;
    uint64_t teardown_us;
    bool take_out_all; /* events that are not pinned leave their counters when a list turns */
    unsigned tick_us;
    unsigned divider;
    bool adaptive;
    unsigned limit_percent;
    unsigned most_divider;
    unsigned handler_cycles;
    unsigned event_cycles;
    uint64_t poll_cycles;
    bool by_interrupt; /* counters are read when their unit's interrupt says so; else polled */
    cs_uncore_perf_spec *perf;
    size_t nr_perf;
} cs_uncore_driver_spec;

/* Units may change their CPUs while the software runs. */
static inline bool cs_uncore_moves(const cs_uncore_driver_spec *spec)
{
    return spec->nr_hotplug != 0 || spec->choice == CS_UNCORE_BUSY ||
           spec->choice == CS_UNCORE_IDLE;
}

struct cs_scenario;

#ifdef __cplusplus
extern "C" {
#endif

/* The CPU is there, and uncore_driver.cpus has it. */
bool cs_uncore_may_manage(const struct cs_scenario *s, unsigned cpu);

#ifdef __cplusplus
}
#endif

#endif
