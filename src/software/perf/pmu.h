// SPDX-License-Identifier: Apache-2.0
/* What a PMU is to the core: a name, a number and a few functions, as the kernel's struct pmu
 * has them. A driver programs its model of the hardware; which events are to count, and when, is
 * the core's. */
#ifndef CS_SOFTWARE_PERF_PMU_H
#define CS_SOFTWARE_PERF_PMU_H

#include <stdbool.h>
#include <stdint.h>

#include "software/perf/perf.h"
#include <countersink/base/cycle.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cs_pmu cs_pmu;
typedef struct cs_perf_cpu cs_perf_cpu;
typedef struct cs_perf_task cs_perf_task;

/* All are called with the CPU's events disabled but where it says otherwise. */
typedef struct cs_pmu_ops {
    /* Is it one of ours? Fills in event->hw. -ENOENT: no; else what the program gets. */
    int (*event_init)(cs_pmu *pmu, cs_perf_event *event);
    /* The event ends; only of one for which event_init has set hw.held. May be NULL. */
    void (*event_free)(cs_pmu *pmu, cs_perf_event *event);
    /* Has an idle CPU counters for all of the leader's group and this event, which is no part of
     * it yet? NULL: always. */
    bool (*fits)(cs_pmu *pmu, const cs_perf_event *event, const cs_perf_event *leader);
    /* All counters of the CPU stand still; or those that have an event count, after whatever add
     * and del have changed has been carried out. NULL, both: they count by themselves. */
    void (*disable)(cs_pmu *pmu, cs_perf_cpu *cpu);
    void (*enable)(cs_pmu *pmu, cs_perf_cpu *cpu);
    /* The event is to count. -EAGAIN: there is no counter for it beside those that count. */
    int (*add)(cs_pmu *pmu, cs_perf_cpu *cpu, cs_perf_event *event);
    /* It does so no more; event->count is what it has come to. */
    void (*del)(cs_pmu *pmu, cs_perf_cpu *cpu, cs_perf_event *event);
    /* Of an event that has been added: it counts from the period that event->hw says, or stands
     * still (its count brought up to date). */
    void (*start)(cs_pmu *pmu, cs_perf_cpu *cpu, cs_perf_event *event);
    void (*stop)(cs_pmu *pmu, cs_perf_cpu *cpu, cs_perf_event *event);
    /* event->count is brought up to date. Of events that count. */
    void (*read)(cs_pmu *pmu, cs_perf_cpu *cpu, cs_perf_event *event);
    /* In how many cycles of the thread that runs will it ask for an interrupt? CS_NEVER: not within
     * `most`. NULL, as both below: it never asks. */
    cs_cycle (*next)(cs_pmu *pmu, cs_perf_cpu *cpu, cs_cycle most);
    /* It asks: calls cs_perf_overflow for each event whose period is over. Events count. */
    void (*interrupt)(cs_pmu *pmu, cs_perf_cpu *cpu);
    /* What counts is brought up to the CPU's cycle: another thread is about to run. */
    void (*settle)(cs_pmu *pmu, cs_perf_cpu *cpu);
    /* Its own timer: when it is due next on the CPU (UINT64_MAX: never), and what it does then.
     * NULL: it has none. */
    uint64_t (*timer)(cs_pmu *pmu, const cs_perf_cpu *cpu);
    void (*expire)(cs_pmu *pmu, cs_perf_cpu *cpu);
    /* All CPUs have come to perf->now_ns. NULL: that is of no interest. */
    void (*reached)(cs_pmu *pmu);
    void (*destroy)(cs_pmu *pmu); /* NULL: it is its owner's */
} cs_pmu_ops;

struct cs_pmu {
    const cs_pmu_ops *ops;
    const char *name;
    uint32_t type;
    bool no_interrupt; /* sampling is refused */
    bool no_exclude;   /* so is counting in some modes only */
    bool software;     /* its events fit into any group */
    bool aux;          /* it writes to an AUX area by itself */
    bool alone;        /* no other event of its on the same CPU */
    unsigned number;   /* among the machine's */
    /* Of the system: what the unit does, as if it were a thread that always runs, from its first event
     * on; on_cpu handles it. NULL: it counts what threads do. */
    cs_perf_task *worker;
    unsigned on_cpu;
    bool works; /* there has been an event */
};

/* NULL: no memory. */
cs_pmu *cs_perf_software_pmu(void);

/* How a PMU of the system is made; errors as below. */
struct cs_perf_system_driver {
    cs_status (*create)(cs_perf *perf, const cs_perf_system *system, cs_pmu **out, cs_diag *diag);
};

/* How a core's counters are reached. */
struct cs_perf_core_driver {
    /* CS_ERR_RANGE: of the model (its number of counters); CS_ERR_NO_MEMORY; *out is NULL then. */
    cs_status (*create)(cs_perf *perf, const cs_perf_core *core, cs_pmu **out, cs_diag *diag);
};

#ifdef __cplusplus
}
#endif

#endif
