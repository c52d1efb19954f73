/* The PMCU that a scenario may have, and the CPUs of its clusters. */
#ifndef CS_SCENARIO_PMCU_PMCU_CPUS_H
#define CS_SCENARIO_PMCU_PMCU_CPUS_H

#include "scenario/scenario.h"
#include "scenario/section.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const cs_cpu_class cs_arm_class;

unsigned cs_scenario_arm_cpus(const cs_scenario *s); /* from CPU 0 on */
bool cs_scenario_is_arm(const cs_scenario *s, unsigned cpu);

bool cs_scenario_has_pmcu(const cs_scenario *s);

/* Somebody may give the PMCU work: its driver, or a script that reaches its registers. */
bool cs_scenario_drives_pmcu(const cs_scenario *s);

#ifdef __cplusplus
}
#endif

#endif
