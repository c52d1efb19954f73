// SPDX-License-Identifier: Apache-2.0
/* A program's perf_event_open(2), answered by hardware of ours (docs/uses/pmu_anywhere.md).
 *
 * The program is started under a seccomp filter; the calls that concern events wait for our answer, and
 * the perf core (software/perf/perf.h) has it. Nothing else of the program changes. */
#ifndef CS_PMU_PMU_H
#define CS_PMU_PMU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <countersink/base/diag.h>

typedef struct cs_pmu_options {
    const char *machine; /* a scenario; NULL: the one that is built in */
    const char *const *sets;
    size_t nr_sets;
    const char *truth; /* the SQLite file to write; NULL: none */
    uint64_t step_ns;  /* each call that waits takes its thread so long; 0: real time */
    int paranoid;      /* kernel.perf_event_paranoid of the machine */
    bool no_sysfs;     /* PMUs do not appear in /sys/bus/event_source/devices */
    /* Trouble. */
    const char *deny;  /* the PMU of this name is not there; NULL: all are */
    unsigned counters; /* general counters of each core; 0: as the machine has */
    unsigned fail;     /* every so manyth opening of an event fails with EBUSY; 0: none */
    bool no_overflow;  /* counters report no overflow: sampling is refused */
} cs_pmu_options;

typedef struct cs_pmu_result {
    int ended;            /* how the program ended, as waitpid gives it */
    int why;              /* the errno for which it could not be started; 0: it was */
    const char *no_sysfs; /* why no PMU appears there; NULL: they do, or need not */
    uint64_t calls;       /* that waited for us */
    uint64_t opened;      /* events */
    uint64_t reads, samples, lost;
} cs_pmu_result;

/* Returns when the program has ended; processes that it has left behind are served on by a process of
 * ours. Signals that end us are handed on to the program. Errors: those of the scenario (scenario/load.h);
 * CS_ERR_SCENARIO, it has no core PMU that is known here; CS_ERR_UNSUPPORTED, this system does not allow
 * it; CS_ERR_IO, CS_ERR_NO_MEMORY. */
cs_status cs_pmu_run(const cs_pmu_options *options, char *const argv[], cs_pmu_result *result,
                     cs_diag *diag);

#endif
