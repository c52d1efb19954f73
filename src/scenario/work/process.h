/* What a process is called: a context id of the workloads. */
#ifndef CS_SCENARIO_WORK_PROCESS_H
#define CS_SCENARIO_WORK_PROCESS_H

#include <stdint.h>

#include "scenario/scenario.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The name that a segment gives it; else "swapper" for 0, as the kernel calls its idle task; else its
 * workload's. Of several the first of the scenario. NULL: no workload has it. */
const char *cs_scenario_process(const cs_scenario *s, uint32_t pid);

#ifdef __cplusplus
}
#endif

#endif
