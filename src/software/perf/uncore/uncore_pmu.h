// SPDX-License-Identifier: Apache-2.0
/* PMUs of units off the cores, on our model of them (docs/hw/uncore.md), as HiSilicon's drivers have
 * them (docs/drivers/perf.md, "PMUs of the system"). */
#ifndef CS_SOFTWARE_PERF_UNCORE_PMU_H
#define CS_SOFTWARE_PERF_UNCORE_PMU_H

#include "software/perf/machine.h"
#include <countersink/base/stream/events.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What its driver wants to know: cs_perf_system.config; copied. */
typedef struct cs_perf_uncore {
    unsigned counters; /* 1..16 */
    unsigned width;    /* of a counter, in bits: 8..64 */
    bool fixed;        /* event n has counter n, and no other */
    uint64_t most;     /* the highest config that there is */
    /* Config c is event c + shift of the unit, but config 0 is event `zero`, where that is not 0: event
     * 0 is the clock. */
    uint32_t shift, zero;
    cs_event_source work; /* what the unit does, by the numbers of CS_EVENT_UNCORE; borrowed */
} cs_perf_uncore;

extern const cs_perf_system_driver cs_perf_uncore_driver;

/* A kind of unit: what perf sees of all that are of it. `unit` is without counters, width, work. */
typedef struct cs_perf_uncore_kind {
    const char *pattern; /* of names: `#` stands for a number; NULL: any */
    const cs_perf_file *formats, *events;
    size_t nr_formats, nr_events;
    cs_perf_uncore unit;
} cs_perf_uncore_kind;

/* By its name: HiSilicon's DDRC, L3C and HHA, of the first version; else a unit whose events have no
 * names. */
const cs_perf_uncore_kind *cs_perf_uncore_kind_of(const char *name);

#ifdef __cplusplus
}
#endif

#endif
