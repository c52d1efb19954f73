// SPDX-License-Identifier: Apache-2.0
/* Harts as CPUs. */
#ifndef CS_SCENARIO_HPM_HART_CPUS_H
#define CS_SCENARIO_HPM_HART_CPUS_H

#include "scenario/scenario.h"
#include "scenario/section.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const cs_cpu_class cs_hart_class;

unsigned cs_scenario_hart_cpu(const cs_scenario *s, unsigned hart);
bool cs_scenario_is_hart(const cs_scenario *s, unsigned cpu);

#ifdef __cplusplus
}
#endif

#endif
