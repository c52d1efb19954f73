// SPDX-License-Identifier: Apache-2.0
/* Former versions had perf's turns on the CPUs' counters as software of its own, `multiplex`. A scenario
 * that says so means arm_pmu with perf as a process. */
#ifndef CS_SCENARIO_COREPMU_MULTIPLEX_WAS_H
#define CS_SCENARIO_COREPMU_MULTIPLEX_WAS_H

#include "scenario/check.h"
#include "scenario/yaml/yaml.h"

/* Its keys become arm_pmu's, of the document and of its ways. Fits cs_section.prepare. */
cs_status cs_multiplex_was(cs_scenario *s, cs_yaml *memory, cs_yaml_node *root, cs_diag *diag);
/* Says so, once. */
cs_status cs_multiplex_was_warn(cs_check *check);

#endif
