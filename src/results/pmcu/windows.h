// SPDX-License-Identifier: Apache-2.0
/* Follows what the PMCU of a die itself does to the cores, by its transfers: the windows in which each core
 * counted for it, what it programmed, and which slots have failed (docs/hw/pmcu.md, "Failed slots").
 * What other software writes to the same counters does not move a window. */
#ifndef CS_RESULTS_PMCU_WINDOWS_H
#define CS_RESULTS_PMCU_WINDOWS_H

#include <stdbool.h>
#include <stdint.h>

#include "results/pmcu/posted.h"
#include "scenario/scenario.h"
#include <countersink/base/cycle.h>
#include <countersink/base/probe/probe.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CS_WINDOWS_MAX_COUNTERS 8u
#define CS_WINDOWS_MAX_CLUSTERS 16u
#define CS_WINDOWS_NO_EVENT UINT32_MAX /* no core took a number */

/* The cycles in which one core counted for one subsample: [start, stop). */
typedef struct cs_pmcu_window {
    cs_cycle start;
    cs_cycle stop;
    bool counted;   /* false: no start or no stop reached the core, or its slot has failed */
    uint8_t spoilt; /* the state in which the slot failed; 0: it has not */
} cs_pmcu_window;

/* The last access of each kind that took effect in a core, from whomever it came. */
typedef struct cs_core_accesses {
    cs_cycle set, clear, reset; /* PMCNTENSET, PMCNTENCLR, PMCR */
    uint32_t clear_mask;
    cs_cycle counter; /* a counter, or the low word of one, was read or written */
    unsigned counter_number;
    uint64_t typer_offset;
    uint32_t typer;
} cs_core_accesses;

/* The cycles in which one counter counted: [start, stop). Only the orders "counter" and "running"
 * have others than the core's window. */
typedef struct cs_counter_window {
    cs_cycle start;
    cs_cycle stop; /* CS_NEVER: it counts */
} cs_counter_window;

typedef struct cs_slot_state {
    cs_pmcu_window
        window;   /* the one that is open, or was closed last; `spoilt`: of this subsample */
    bool enabled; /* the PMCU has started it, and not stopped it */
    uint8_t spoilt_next;
    uint8_t spoilt_run;
    cs_core_accesses last;
    cs_counter_window counters[CS_WINDOWS_MAX_COUNTERS + 1]; /* used ones, then the cycle counter */
    uint64_t counted_cycles; /* for subsamples that were committed */
} cs_slot_state;

typedef struct cs_windows {
    const cs_scenario *scenario;
    unsigned die;
    uint8_t state;                       /* the PMCU's */
    unsigned first_counter, nr_counters; /* that the run uses */
    bool has_cycles;
    bool first;                                /* the run's first subsample is not over */
    uint32_t events[CS_WINDOWS_MAX_COUNTERS];  /* programmed for this subsample */
    cs_slot_state slots[CS_MAX_CPUS];          /* by CPU; those of other dies stay empty */
    cs_posted posted[CS_WINDOWS_MAX_CLUSTERS]; /* of the die; where writes are posted */
    cs_cycle first_start; /* of the windows of committed subsamples; CS_NEVER: none yet */
    cs_cycle last_stop;
} cs_windows;

void cs_windows_create(cs_windows *windows, const cs_scenario *scenario, unsigned die);

/* A run begins, which uses so many counters from the first one on. */
void cs_windows_run(cs_windows *windows, unsigned first_counter, unsigned nr_counters,
                    bool has_cycles);

/* Records of BUS, STATE and REG; of others it takes no notice. */
void cs_windows_record(cs_windows *windows, const cs_probe_record *record);

/* A subsample is committed: the CPU's window of it. Then that of the next begins. */
cs_pmcu_window cs_windows_take(cs_windows *windows, unsigned cpu);

/* Of the window that was taken last: when the i-th used counter counted; behind the last one, the
 * cycle counter. */
cs_counter_window cs_windows_counter(const cs_windows *windows, unsigned cpu, unsigned i);

#ifdef __cplusplus
}
#endif

#endif
