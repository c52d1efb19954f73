// SPDX-License-Identifier: Apache-2.0
/* Internal to scenario: perf commands of IMC with processes. */
#ifndef CS_SCENARIO_IMC_IMC_PROCESSES_H
#define CS_SCENARIO_IMC_IMC_PROCESSES_H

#include "scenario/check.h"

/* Command i has processes: its CPUs are those that run any of them. Where some are given they stay,
 * for the check. */
void cs_imc_place_processes(cs_check *check, size_t i);
/* CS_ERR_SCENARIO. A command without processes is good. */
cs_status cs_imc_check_processes(cs_check *check, size_t i);

#endif
