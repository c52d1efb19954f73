// SPDX-License-Identifier: Apache-2.0
/* Internal to arm_pmu. perf's core (software/perf) says which events count, and when; here are its
 * driver of a core's counters (arm_pmu_counter.c), its machine (arm_pmu_perf.c), what happens on a CPU
 * from the opening of the events to their end (arm_pmu.c), and perf as a process (arm_pmu_process.c).
 * The core's nanoseconds are bus cycles here. */
#ifndef CS_DRIVERS_COREPMU_ARM_PMU_IMPL_H
#define CS_DRIVERS_COREPMU_ARM_PMU_IMPL_H

#include "drivers/corepmu/arm_pmu.h"
#include "software/perf/impl.h"

#define CS_ARM_CYCLE_COUNTER 31u
#define CS_ARM_COUNTERS 32u

struct cs_arm_cpu;

/* perf's event on a CPU, beside what the core keeps of it. */
typedef struct cs_arm_perf_event {
    cs_perf_event *event;
    struct cs_arm_cpu *cpu;
    unsigned counter; /* that it has, or had last */
    cs_cycle moved;   /* when it got its counter, or lost it */
    cs_cycle opened, closed;
    uint64_t samples;
    uint64_t told, told_running;
    cs_cycle told_at;
} cs_arm_perf_event;

/* What perf does to an event in the kernel, on the event's CPU. */
typedef enum cs_arm_request { CS_ARM_ENABLE, CS_ARM_READ, CS_ARM_DISABLE } cs_arm_request;

typedef struct cs_arm_cpu {
    cs_arm_pmu *pmu;
    cs_arm_core *core;
    cs_perf_cpu *perf;  /* as the core has it; NULL: perf has no events here */
    cs_perf_task *task; /* whom its events follow */
    unsigned number;
    bool used;               /* perf has events here */
    bool open;               /* they are open */
    cs_cycle opened, closed; /* CS_NEVER: not yet */
    bool in;                 /* they may have counters */
    bool given;              /* they gave them up for a claim */
    cs_cycle given_at;
    cs_cycle tick_due; /* an event is stopped until then; CS_NEVER: none is */
    cs_cycle turn_due; /* the timer of rotation; CS_NEVER: all events have counters */
    uint64_t turns;    /* so often it has fired */
    cs_arm_perf_event *events;
    cs_context who;       /* the workload that an interrupt came upon */
    bool handling;        /* in that interrupt: its event has just been read */
    unsigned stopped;     /* how often PMCR.E has been asked to be off */
    uint32_t busy;        /* counters that have an event, as bits */
    unsigned inside;      /* in the kernel, or in perf: how deep */
    cs_cycle taken;       /* since when the workload waits */
    cs_cycle entered;     /* in the kernel, by an interrupt, since then */
    uint64_t interrupted; /* cycles that these took */
    /* Another CPU asks something of this one: when its interrupt comes; CS_NEVER: it does not. */
    cs_cycle call_due;
    cs_cycle read_at;            /* an event was read for perf */
    const cs_arm_outage *outage; /* the next, or the one that it is in; NULL: none */
    bool gone;                   /* perf's events have ended with the CPU */
    cs_cycle away, back;         /* the last time without power; CS_NEVER: never */
} cs_arm_cpu;

/* The last of a die's PMCU. CS_NEVER: none, not yet. */
typedef struct cs_arm_claimed {
    cs_cycle claimed, released;
} cs_arm_claimed;

/* perf where it is a process. What one CPU leaves to another it does so for a later cycle, so that
 * nothing depends on who is executed first in a cycle. */
typedef struct cs_arm_process {
    unsigned home;   /* where it sleeps */
    unsigned at;     /* the CPU that it is on */
    cs_cycle due;    /* there it goes on then */
    unsigned coming; /* cycles that it needs to be there */
    cs_arm_request pass;
    bool last; /* the reading after all are disabled */
    unsigned cpu, event;
    cs_cycle served; /* another CPU has answered; CS_NEVER: not yet */
    cs_cycle ended;
} cs_arm_process;

struct cs_arm_pmu {
    cs_pmu core; /* as perf's core knows it: the first member */
    cs_arm_pmu_config config;
    cs_arm_pmu_report report;
    cs_perf *perf;
    bool ending; /* cores are gone: no access any more */
    cs_arm_cpu cpus[CS_MAX_CPUS];
    cs_arm_claimed dies[CS_MAX_DIES];
    cs_arm_process process;
};

static inline const cs_arm_pmu_spec *cs_arm_spec(const cs_arm_cpu *cpu)
{
    return cpu->pmu->config.spec;
}

static inline cs_cycle cs_arm_now(const cs_arm_cpu *cpu)
{
    return cs_arm_core_now(cpu->core);
}

static inline bool cs_arm_has_process(const cs_arm_pmu *pmu)
{
    return pmu->config.spec->reach != CS_ARM_VISITS;
}

/* perf's core takes its time from here. At the end the cores may be gone already. */
static inline void cs_arm_sync(cs_arm_cpu *cpu)
{
    if (!cpu->pmu->ending)
        cpu->perf->now_ns = cs_arm_now(cpu);
}

/* ---- arm_pmu_perf.c: the core's machine ---- */

cs_status cs_arm_open_perf(cs_arm_pmu *pmu, cs_diag *diag);
/* The events of a CPU may have counters, or may not. */
void cs_arm_switch(cs_arm_cpu *cpu, bool in);
cs_arm_perf_event *cs_arm_perf_event_of(const cs_perf_event *event);
cs_arm_cpu *cs_arm_cpu_of(cs_pmu *pmu, const cs_perf_cpu *cpu);

/* ---- arm_pmu_counter.c: in the kernel, with interrupts off ---- */

extern const cs_pmu_ops cs_arm_pmu_ops;

/* Half of what a counter can count: so late may an overflow be handled. */
uint64_t cs_arm_counting_period(const cs_arm_pmu_spec *spec);
/* What the driver does when it finds the PMU. */
void cs_arm_reset(cs_arm_cpu *cpu);
/* The overflow interrupt's handler. */
void cs_arm_interrupt(cs_arm_cpu *cpu);

/* ---- arm_pmu.c, arm_pmu_away.c ---- */

/* The workload waits, or goes on. */
void cs_arm_take(cs_arm_cpu *cpu);
void cs_arm_give(cs_arm_cpu *cpu);
/* An interrupt. */
void cs_arm_enter(cs_arm_cpu *cpu);
void cs_arm_leave(cs_arm_cpu *cpu);
/* What comes next before cycle `until`. False: that has been reached. */
bool cs_arm_step(cs_arm_cpu *cpu, cs_cycle until);
/* perf's events are to have their counters now, as far as this CPU knows. */
bool cs_arm_wants_counters(const cs_arm_cpu *cpu);
/* perf's command ends here: its events leave their counters, and what they came to is told. */
void cs_arm_end(cs_arm_cpu *cpu);
void cs_arm_tell(cs_arm_perf_event *e, cs_cycle to, bool final);

/* The first outage of the CPU from this one on; NULL: none. */
const cs_arm_outage *cs_arm_next_outage(const cs_arm_cpu *cpu, const cs_arm_outage *from);
/* From here on nothing begins, so that the CPU can go off; CS_NEVER: it does not. */
cs_cycle cs_arm_quiet(const cs_arm_cpu *cpu);
/* Where it is that late, the CPU goes off and comes back. True: it did. */
bool cs_arm_off(cs_arm_cpu *cpu);
/* Without power in cycle `now`, as others may know. */
bool cs_arm_is_away(const cs_arm_cpu *cpu, cs_cycle now);

/* ---- arm_pmu_process.c ---- */

void cs_arm_process_begin(cs_arm_pmu *pmu);
/* All of the software of a CPU, once the PMU has been reset. */
void cs_arm_process_run(cs_arm_cpu *cpu);
/* Another CPU's interrupt: what it asks of this one. */
void cs_arm_process_called(cs_arm_cpu *cpu);
/* The system takes the CPU away. */
void cs_arm_process_loses(cs_arm_cpu *cpu);

/* ---- as the software of a core ---- */

bool cs_arm_pmu_uses(const cs_arm_pmu *pmu, unsigned cpu);
void cs_arm_pmu_core(cs_arm_pmu *pmu, unsigned cpu, cs_arm_core_config *out);

#endif
