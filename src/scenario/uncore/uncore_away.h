// SPDX-License-Identifier: Apache-2.0
/* CPUs that the system takes away from uncore units (docs/drivers/uncore_driver.md, "A unit moves"). */
#ifndef CS_SCENARIO_UNCORE_UNCORE_AWAY_H
#define CS_SCENARIO_UNCORE_UNCORE_AWAY_H

#include "scenario/check.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Adds those that lose their power, and checks all. */
cs_status cs_uncore_away_check(cs_check *check);

#ifdef __cplusplus
}
#endif

#endif
