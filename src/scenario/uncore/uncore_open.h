// SPDX-License-Identifier: Apache-2.0
/* What perf_event_open says of each PMU that a command names (docs/drivers/uncore_driver.md, "Naming a PMU"). */
#ifndef CS_SCENARIO_UNCORE_UNCORE_OPEN_H
#define CS_SCENARIO_UNCORE_UNCORE_OPEN_H

#include "scenario/check.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Fills in opens, units and unit_list of the command. */
cs_status cs_uncore_open_check(cs_check *check, size_t command);

#ifdef __cplusplus
}
#endif

#endif
