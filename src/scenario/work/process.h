// SPDX-License-Identifier: Apache-2.0
/* Processes: what those of the workloads are called, and its threads. */
#ifndef CS_SCENARIO_WORK_PROCESS_H
#define CS_SCENARIO_WORK_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "scenario/scenario.h"
#include <countersink/base/diag.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The name that a segment gives it; else "swapper" for 0, as the kernel calls its idle task; else its
 * workload's. Of several the first of the scenario. NULL: no workload has it. */
const char *cs_scenario_process(const cs_scenario *s, uint32_t pid);

/* No thread runs on two CPUs at once: a process has one on each of its CPUs. */
typedef struct cs_process_thread {
    uint32_t pid;
    unsigned cpu;
    uint32_t
        tid; /* on the first CPU the pid; on others a number that nobody else has; of pid 0 always 0 */
} cs_process_thread;

/* All, by rising pid, then by rising CPU; free() takes them. `guest`: those that a guest sees, else the host's.
 * CS_ERR_NO_MEMORY. */
cs_status cs_scenario_threads(const cs_scenario *s, bool guest, cs_process_thread **out, size_t *nr,
                              cs_diag *diag);

/* The thread of the process on the CPU; `pid` where there is none. */
uint32_t cs_process_thread_id(const cs_process_thread *threads, size_t nr, uint32_t pid,
                              unsigned cpu);

#ifdef __cplusplus
}
#endif

#endif
