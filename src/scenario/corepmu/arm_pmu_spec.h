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

/* Costs in bus cycles. */
typedef struct cs_arm_pmu_spec {
    uint8_t command; /* cs_arm_command */
    uint8_t owner;   /* cs_arm_owner */
    bool guest;      /* a guest's perf: it sees the first range only */
    uint32_t events[CS_MAX_USER_EVENTS];
    unsigned nr_events;
    unsigned nr_ignored_events; /* stands behind nr_events */
    bool cpus[CS_MAX_CPUS];
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
} cs_arm_pmu_spec;

#endif
