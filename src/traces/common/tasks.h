// SPDX-License-Identifier: Apache-2.0
/* Internal to traces: who runs in a scenario, and where what they run is mapped: for the COMM and MMAP2
 * records of a trace, or its symbols. */
#ifndef CS_TRACES_COMMON_TASKS_H
#define CS_TRACES_COMMON_TASKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "scenario/scenario.h"
#include "scenario/work/process.h"
#include "scenario/work/workload_spec.h"
#include <countersink/base/diag.h>

#define CS_TASK_COMM_BYTES 16u /* as the kernel's */

/* A process: a workload under one of its context ids. */
typedef struct cs_trace_task {
    uint32_t pid;
    char comm[CS_TASK_COMM_BYTES];
} cs_trace_task;

/* Functions that lie together. */
typedef struct cs_trace_mapping {
    bool kernel;
    uint32_t pid; /* of a kernel: 0 */
    uint64_t addr;
    uint64_t length; /* both whole pages */
    uint64_t offset; /* in the file. Where there is none: the address, as the kernel has it of
                        anonymous memory, so that perf shows addresses; of a kernel 0, as of a
                        module */
    const char
        *file; /* "[database]": there is no such file. Processes whose functions would be in each
                       * other's way have files of their own, "[database.1]". */
    const cs_program_spec *program; /* NULL: likewise */
} cs_trace_mapping;

typedef struct cs_trace_tasks {
    cs_trace_task *tasks; /* by rising pid */
    size_t nr_tasks;
    cs_process_thread *threads;
    size_t nr_threads;
    cs_trace_mapping *mappings;
    size_t nr_mappings;
} cs_trace_tasks;

/* guest: what a guest sees of itself; else what the host does. Errors: CS_ERR_NO_MEMORY. */
cs_status cs_trace_tasks_create(const cs_scenario *scenario, bool guest, cs_trace_tasks **out,
                                cs_diag *diag);
void cs_trace_tasks_destroy(cs_trace_tasks *tasks); /* NULL is allowed */

/* The thread of the process on the CPU; `pid` where there is none. */
uint32_t cs_trace_tasks_thread(const cs_trace_tasks *tasks, uint32_t pid, unsigned cpu);

#endif
