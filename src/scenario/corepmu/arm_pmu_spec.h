// SPDX-License-Identifier: Apache-2.0
/* perf on the core PMUs by the kernel's own driver (docs/drivers/two_owners.md). */
#ifndef CS_SCENARIO_COREPMU_ARM_PMU_SPEC_H
#define CS_SCENARIO_COREPMU_ARM_PMU_SPEC_H

#include <stdbool.h>
#include <stdint.h>

#include "scenario/limits.h"

typedef enum cs_arm_command { CS_ARM_STAT, CS_ARM_TASK, CS_ARM_RECORD } cs_arm_command;

/* What keeps the PMCU's driver and this one from each other's counters. */
typedef enum cs_arm_owner {
    CS_ARM_NONE,
    CS_ARM_YIELD,
    CS_ARM_REFUSE,
    CS_ARM_PARTITION
} cs_arm_owner;

/* How perf gets to the CPUs. */
typedef enum cs_arm_reach { CS_ARM_VISITS, CS_ARM_AFFINITY, CS_ARM_CALLS } cs_arm_reach;

/* Costs in bus cycles. */
typedef struct cs_arm_pmu_spec {
    uint8_t command;    /* cs_arm_command */
    uint8_t owner;      /* cs_arm_owner */
    uint8_t reach;      /* cs_arm_reach */
    bool was_multiplex; /* it was given by a name that it had */
    bool guest;         /* a guest's perf: it sees the first range only */
    uint32_t events[CS_MAX_USER_EVENTS];
    unsigned nr_events;
    unsigned nr_ignored_events; /* stands behind nr_events */
    bool cpus[CS_MAX_CPUS];
    unsigned counters;             /* that it may use, beside the cycle counter */
    unsigned counter_bits;         /* 8..64; each overflow is an interrupt at half of the range */
    uint64_t mux_us;               /* perf_event_mux_interval_ms */
    unsigned divider;              /* events take turns at every so manyth */
    uint64_t process;              /* of `task`: its pid */
    uint64_t period;               /* of `record` */
    unsigned max_samples_per_tick; /* of `record`: an event with more stops; 0: none does */
    uint64_t tick_us;
    uint64_t start_us, stop_us, interval_us;
    unsigned irq_entry_cycles;
    unsigned irq_exit_cycles;
    unsigned register_read_cycles;
    unsigned register_write_cycles;
    unsigned event_cycles;
    unsigned sample_cycles;
    unsigned switch_cycles;
    unsigned visit_cycles;
    unsigned timer_cycles;
    unsigned rotation_cycles;
    unsigned event_out_cycles;
    unsigned event_skip_cycles;
    unsigned event_read_cycles;
    unsigned overflow_cycles;
    unsigned syscall_cycles;
    unsigned wakeup_cycles;
    unsigned ipi_cycles;
} cs_arm_pmu_spec;

#ifdef __cplusplus
extern "C" {
#endif

/* Events may have to wait for a counter, or perf's own work counts. */
bool cs_arm_takes_turns(const cs_arm_pmu_spec *spec);

#ifdef __cplusplus
}
#endif

#endif
