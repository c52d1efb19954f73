// SPDX-License-Identifier: Apache-2.0
/* The PMCUs that a scenario may have, one a die, and the CPUs of their clusters. CPUs, and clusters, are
 * numbered die by die. */
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

unsigned cs_scenario_die_cpus(const cs_scenario *s); /* of one die */
unsigned cs_scenario_arm_clusters(const cs_scenario *s);
unsigned cs_scenario_die_of(const cs_scenario *s, unsigned cpu); /* which must be such a CPU */
unsigned cs_scenario_sccl(const cs_scenario *s, unsigned die);

bool cs_scenario_has_pmcu(const cs_scenario *s);

/* Somebody may give a PMCU work: its driver, or a script that reaches its registers. */
bool cs_scenario_drives_pmcu(const cs_scenario *s);

#ifdef __cplusplus
}
#endif

#endif
