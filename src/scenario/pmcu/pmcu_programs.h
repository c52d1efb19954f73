// SPDX-License-Identifier: Apache-2.0
/* Internal to scenario: what the PMCU driver of each die does, of what all dies do and what is given
 * for a die alone (pmcu_driver.dies). */
#ifndef CS_SCENARIO_PMCU_PMCU_PROGRAMS_H
#define CS_SCENARIO_PMCU_PMCU_PROGRAMS_H

#include "scenario/check.h"
#include "scenario/pmcu/pmcu_driver_spec.h"

#define CS_PMCU_TICKS_PER_MS 50000u
#define CS_PMCU_DATA_BYTES 4096u /* of a driver */

/* Fills in cs_pmcu_driver_spec.programs, whatever is wrong with the dies' numbers. */
void cs_pmcu_programs_make(cs_check *check);

/* Dies that do not exist or are named twice; CPUs that cannot run a driver. */
cs_status cs_pmcu_programs_check(cs_check *check);

/* Whether the driver of some die runs on the CPU. */
bool cs_pmcu_programs_run_on(const cs_scenario *s, unsigned cpu);

#endif
