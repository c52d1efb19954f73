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
    cycle_t since;
    uint64_t running; /* up to `since` */
    uint64_t samples;
    cs_perf_throttle throttle;
    uint64_t told, told_running;
    cycle_t told_at;
} cs_arm_perf_event;

typedef struct cs_arm_cpu {
    cs_arm_pmu *pmu;
    cs_arm_core *core;
    unsigned number;
    bool used;
    bool open;              /* perf's events are open */
    cycle_t opened, closed; /* CS_NEVER: not yet */
    bool in;                /* they have their counters */
    bool given;             /* they gave them up for a claim */
    cycle_t given_at;
    cycle_t tick_due; /* an event is stopped until then; CS_NEVER: none is */
    cs_arm_perf_event *events;
} cs_arm_cpu;

struct cs_arm_pmu {
    cs_arm_pmu_config config;
    cs_arm_pmu_report report;
    cs_arm_cpu cpus[CS_MAX_CPUS];
    cycle_t claimed, released; /* of the last claim; CS_NEVER: none, not yet */
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

/* ---- as the software of a core ---- */

bool cs_arm_pmu_uses(const cs_arm_pmu *pmu, unsigned cpu);
void cs_arm_pmu_core(cs_arm_pmu *pmu, unsigned cpu, cs_arm_core_config *out);
void cs_arm_pmu_made(cs_arm_pmu *pmu, unsigned cpu, cs_arm_core *core);

#endif
