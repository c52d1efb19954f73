/* Which CPU manages an uncore unit (docs/uncore_driver.md, "Which CPU manages a unit"). */
#ifndef CS_DRIVERS_UNCORE_UNCORE_PLACE_H
#define CS_DRIVERS_UNCORE_UNCORE_PLACE_H

#include "scenario/scenario.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cs_uncore_manager {
    bool managed; /* false: no command names the unit, or nothing drives units; the rest is 0 */
    unsigned cpu;
    bool near;
    const char *why; /* static */
} cs_uncore_manager;

/* By number of unit, for all of uncore.nr_units. */
void cs_uncore_managers(const cs_scenario *scenario, cs_uncore_manager out[]);

#ifdef __cplusplus
}
#endif

#endif
