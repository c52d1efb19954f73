// SPDX-License-Identifier: Apache-2.0
/* OPAL, the kernel's IMC driver, and perf commands. */
#ifndef CS_SCENARIO_IMC_IMC_DRIVER_SPEC_H
#define CS_SCENARIO_IMC_IMC_DRIVER_SPEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "scenario/limits.h"

typedef enum cs_perf_pmu {
    CS_PERF_NEST = 1, /* the kernel's domains */
    CS_PERF_CORE = 2,
    CS_PERF_THREAD = 3,
    CS_PERF_TRACE = 4
} cs_perf_pmu;

/* What is given back after a deep stop. */
typedef enum cs_restore {
    CS_RESTORE_ALL,      /* PDBAR, EVENT_MASK and TRACE by OPAL's stop-api, LDBAR by the kernel */
    CS_RESTORE_HTM_MODE, /* and HTM_MODE, as it was */
    CS_RESTORE_NO_LDBAR, /* Linux 5.2 */
    CS_RESTORE_NONE      /* skiboot before the stop-api entries */
} cs_restore;

/* A process that a command is about. */
typedef struct cs_perf_process_spec {
    uint32_t pid; /* cid1 in the workloads */
} cs_perf_process_spec;

/* One perf command: stat (sample_period 0) or record. */
typedef struct cs_perf_spec {
    cs_perf_pmu pmu;
    const char **events; /* names of the catalog */
    size_t nr_events;
    uint64_t config;        /* raw, where there are no names */
    bool cpus[CS_MAX_CPUS]; /* with processes: those that run any of them */
    cs_perf_process_spec
        *processes; /* the command's: the first, and what it forks; none: of CPUs */
    size_t nr_processes;
    bool inherit; /* what is forked is counted, too */
    uint64_t start_us;
    uint64_t stop_us;
    uint64_t interval_us; /* stat: -I; record: the task is scheduled out and in; 0: never */
    uint64_t sample_period;
    uint64_t freq;   /* samples a second (perf record -F); 0: sample_period */
    bool per_socket; /* stat: counts are added up by chip */
    bool exclude;    /* one of the exclude_* bits */
    bool task;       /* counts a task, not a CPU */
    bool privileged; /* perfmon_capable() */
    unsigned line;   /* in the YAML */
    unsigned column;
} cs_perf_spec;

/* What a user writes into powerpc/imc/imc_cmd_<chip> or imc_mode_<chip> of debugfs. */
typedef enum cs_imc_debugfs_file { CS_DEBUGFS_IMC_CMD, CS_DEBUGFS_IMC_MODE } cs_imc_debugfs_file;

#define CS_DEBUGFS_FILES 2u /* a chip has */
#define CS_DEBUGFS_OF(file, chip) ((file) + CS_DEBUGFS_FILES * (chip))

typedef struct cs_imc_debugfs_spec {
    unsigned file; /* CS_DEBUGFS_OF */
    uint64_t value;
    uint64_t at_us;
} cs_imc_debugfs_spec;

typedef struct cs_imc_driver_spec {
    uint64_t buffers_base;      /* where the kernel's IMC memory is */
    uint64_t boot_cycles;       /* bus cycles before OPAL and the kernel come up */
    uint64_t event_mask;        /* what OPAL writes */
    uint64_t trace_scom;        /* what OPAL writes; default: skiboot's for the variant */
    unsigned opal_cycles;       /* an OPAL call, beside its accesses */
    unsigned cross_call_cycles; /* to have another CPU do something */
    unsigned switch_cycles;     /* a context switch at which events come or go, beside accesses */
    unsigned record_cycles;     /* work of the CPU for each record of a dump */
    uint64_t tick_us;           /* of the kernel's timer; commands with freq are stopped at it */
    cs_restore restore;
    cs_perf_spec *perf;
    size_t nr_perf;
    cs_imc_debugfs_spec *debugfs;
    size_t nr_debugfs;
} cs_imc_driver_spec;

struct cs_scenario;

#ifdef __cplusplus
extern "C" {
#endif

/* With a port a CPU: the driver has a task on this CPU. */
bool cs_scenario_imc_works(const struct cs_scenario *s, unsigned cpu);
/* How many processes its workload is of. */
unsigned cs_scenario_imc_processes(const struct cs_scenario *s, unsigned cpu);

#ifdef __cplusplus
}
#endif

#endif
