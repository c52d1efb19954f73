// SPDX-License-Identifier: Apache-2.0
/* The cores' PMUs. */
#ifndef CS_SCENARIO_COREPMU_COREPMU_SPEC_H
#define CS_SCENARIO_COREPMU_COREPMU_SPEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "scenario/limits.h"

typedef enum cs_outage_kind {
    CS_OUTAGE_HOTPLUG,
    CS_OUTAGE_POWER_DOWN,
    CS_OUTAGE_CLOCK_STOP
} cs_outage_kind;

/* A CPU that executes nothing for a while (docs/hw/corepmu.md, "Power"). */
typedef struct cs_outage_spec {
    unsigned cpu;
    uint64_t at_us, for_us, unlock_us;
    unsigned kind; /* cs_outage_kind */
} cs_outage_spec;

typedef struct cs_corepmu_spec {
    unsigned clock_mhz;
    unsigned counters;
    bool ext64;
    unsigned hpmn; /* default: counters */
    bool hpme;
    bool hpmd;
    bool spme;
    bool vhe;                   /* the host's kernel runs at EL2, its processes' ids in CID2 */
    unsigned bus_ratio;         /* bus cycles of a cycle of the debug bus */
    unsigned bus_access_cycles; /* of the debug bus, for an access */
    unsigned bus_posted;        /* places for posted writes; 0: none are */
    bool wfi_clock;             /* goes on while a core waits for an interrupt */
    bool offline[CS_MAX_CPUS];
    bool absent[CS_MAX_CPUS];
    bool locked[CS_MAX_CPUS];
    cs_outage_spec *outages; /* those of a CPU in rising order */
    size_t nr_outages;
} cs_corepmu_spec;

#endif
