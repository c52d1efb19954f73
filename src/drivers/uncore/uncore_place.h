// SPDX-License-Identifier: Apache-2.0
/* Which CPU manages an uncore unit (docs/drivers/uncore_driver.md, "Which CPU manages a unit"). */
#ifndef CS_DRIVERS_UNCORE_UNCORE_PLACE_H
#define CS_DRIVERS_UNCORE_UNCORE_PLACE_H

#include <stdbool.h>
#include <stdint.h>

#include "scenario/uncore/uncore_driver_spec.h"
#include "scenario/uncore/uncore_spec.h"

#ifdef __cplusplus
extern "C" {
#endif

struct cs_scenario;

typedef struct cs_uncore_manager {
    bool managed; /* false: no command names the unit, or nothing drives units; the rest is 0 */
    unsigned cpu;
    bool near;
    const char *why; /* static */
} cs_uncore_manager;

/* Who may manage, and what an access costs. */
typedef struct cs_uncore_candidates {
    const cs_uncore_spec *units;       /* borrowed */
    const cs_uncore_driver_spec *spec; /* likewise; its commands name the units */
    bool may[CS_MAX_CPUS];             /* manage a unit */
    uint64_t access_cycles;            /* of an access up to the bridge and back */
} cs_uncore_candidates;

/* By number of unit, for all of candidates->units: what holds at the beginning. */
void cs_uncore_choose(const cs_uncore_candidates *candidates, cs_uncore_manager out[]);

/* Another CPU for a unit: of those in `may` that reach it the one whose accesses are cheapest, then the
 * lowest. CS_MAX_CPUS: there is none. */
unsigned cs_uncore_best(const cs_uncore_spec *units, unsigned unit, const bool may[CS_MAX_CPUS]);

/* The same for a scenario; without software that drives units nobody manages. */
void cs_uncore_managers(const struct cs_scenario *scenario, cs_uncore_manager out[]);

#ifdef __cplusplus
}
#endif

#endif
