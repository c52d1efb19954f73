// SPDX-License-Identifier: Apache-2.0
/* perf multiplexes the CPUs' own events: the way without PMCU. */
#ifndef CS_SCENARIO_COREPMU_MULTIPLEX_SPEC_H
#define CS_SCENARIO_COREPMU_MULTIPLEX_SPEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "scenario/limits.h"

/* perf stat of more events than counters on the CPUs (docs/drivers/software_way.md). Costs in bus cycles. */
typedef struct cs_multiplex_spec {
    uint32_t events[CS_MAX_USER_EVENTS];
    unsigned nr_events;
    unsigned nr_ignored_events; /* beyond 240: an error; stands behind nr_events */
    bool cpus[CS_MAX_CPUS];
    unsigned counters;     /* of a CPU, beside the cycle counter; 1..31 */
    unsigned counter_bits; /* 8..64; each overflow is an interrupt at half of the range */
    unsigned tick_us;      /* perf_event_mux_interval_ms */
    unsigned divider;
    uint64_t interval_us; /* perf stat -I; 0: only at the end */
    uint64_t stop_us;
    bool
        calls; /* perf stays on its CPU and reaches the others by interrupts; false: it goes there */
    unsigned irq_entry_cycles;
    unsigned irq_exit_cycles;
    unsigned timer_cycles;
    unsigned register_read_cycles;
    unsigned register_write_cycles;
    unsigned rotation_cycles;
    unsigned event_out_cycles;
    unsigned event_in_cycles;
    unsigned event_skip_cycles;
    unsigned event_read_cycles;
    unsigned overflow_cycles;
    unsigned syscall_cycles;
    unsigned migration_cycles;
    unsigned wakeup_cycles;
    unsigned ipi_cycles;
} cs_multiplex_spec;

#endif
