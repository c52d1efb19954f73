// SPDX-License-Identifier: Apache-2.0
/* Internal to arm_pmu: a CPU's PMU as the kernel has it (arm_pmu_counter.c), and what happens on a CPU
 * from the opening of the events to their end (arm_pmu.c). */
#ifndef CS_DRIVERS_COREPMU_ARM_PMU_IMPL_H
#define CS_DRIVERS_COREPMU_ARM_PMU_IMPL_H

#include "drivers/corepmu/arm_pmu.h"
#include "drivers/perf_frequency.h"

#define CS_ARM_CYCLE_COUNTER 31u

typedef struct cs_arm_perf_event {
    uint32_t number;
    unsigned counter;
    bool on;         /* it has its counter */
    uint64_t before; /* the counter as last read or written, its low 32 bits */
    uint64_t count;
    int64_t left; /* of the period, perf's period_left */
    cs_cycle since;
    uint64_t running; /* up to `since` */
    uint64_t samples;
    cs_perf_throttle throttle;
    uint64_t told, told_running;
    cs_cycle told_at;
} cs_arm_perf_event;

typedef struct cs_arm_cpu {
    cs_arm_pmu *pmu;
    cs_arm_core *core;
    unsigned number;
    bool used;
    bool open;               /* perf's events are open */
    cs_cycle opened, closed; /* CS_NEVER: not yet */
    bool in;                 /* they have their counters */
    bool given;              /* they gave them up for a claim */
    cs_cycle given_at;
    cs_cycle tick_due; /* an event is stopped until then; CS_NEVER: none is */
    cs_arm_perf_event *events;
    const cs_arm_outage *outage; /* the next, or the one that it is in; NULL: none */
    bool gone;                   /* perf's events have ended with the CPU */
    cs_cycle away, back;         /* the last time without power; CS_NEVER: never */
} cs_arm_cpu;

/* The last of a die's PMCU. CS_NEVER: none, not yet. */
typedef struct cs_arm_claimed {
    cs_cycle claimed, released;
} cs_arm_claimed;

struct cs_arm_pmu {
    cs_arm_pmu_config config;
    cs_arm_pmu_report report;
    cs_arm_cpu cpus[CS_MAX_CPUS];
    cs_arm_claimed dies[CS_MAX_DIES];
};

/* ---- arm_pmu_counter.c: in the kernel, with interrupts off ---- */

/* What the driver does when it finds the PMU. */
void cs_arm_reset(cs_arm_cpu *cpu);
/* All events get their counters, or lose them and are read. */
void cs_arm_in(cs_arm_cpu *cpu);
void cs_arm_out(cs_arm_cpu *cpu);
/* All that have counters are read. */
void cs_arm_read(cs_arm_cpu *cpu);
/* The overflow interrupt's handler. `who`: the workload that it came upon. */
void cs_arm_interrupt(cs_arm_cpu *cpu, const cs_context *who);
/* A tick of the timer: events that were throttled go on. */
void cs_arm_tick(cs_arm_cpu *cpu);

/* ---- arm_pmu.c, arm_pmu_away.c ---- */

void cs_arm_enter(cs_arm_cpu *cpu);
void cs_arm_leave(cs_arm_cpu *cpu);
/* Perf's events are to have their counters now, as far as this CPU knows. */
bool cs_arm_wants_counters(const cs_arm_cpu *cpu);
/* Perf's command ends here: its events leave their counters, and what they came to is told. */
void cs_arm_end(cs_arm_cpu *cpu);

/* The first outage of the CPU from this one on; NULL: none. */
const cs_arm_outage *cs_arm_next_outage(const cs_arm_cpu *cpu, const cs_arm_outage *from);
/* From here on nothing begins, so that the CPU can go off; CS_NEVER: it does not. */
cs_cycle cs_arm_quiet(const cs_arm_cpu *cpu);
/* Where it is that late, the CPU goes off and comes back. True: it did. */
bool cs_arm_off(cs_arm_cpu *cpu);
/* Without power in cycle `now`, as others may know. */
bool cs_arm_is_away(const cs_arm_cpu *cpu, cs_cycle now);

/* ---- as the software of a core ---- */

bool cs_arm_pmu_uses(const cs_arm_pmu *pmu, unsigned cpu);
void cs_arm_pmu_core(cs_arm_pmu *pmu, unsigned cpu, cs_arm_core_config *out);

#endif
