// SPDX-License-Identifier: Apache-2.0
/* What harts really did, beside what their software reports: it listens to the CSR writes of the
 * counters, follows which counter counts what in which cycles, and asks the timelines for the
 * exact sums. Nothing is taken from the counters themselves. */
#ifndef CS_RESULTS_HPM_COLLECTOR_H
#define CS_RESULTS_HPM_COLLECTOR_H

#include "drivers/hpm/riscv.h"
#include "scenario/scenario.h"
#include <countersink/base/diag.h>
#include <countersink/base/probe/probe.h>
#include <countersink/base/stream/timeline.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cs_hart_collector cs_hart_collector;

/* A count of perf's and the truth. */
typedef struct cs_hart_count {
    cs_cycle from;    /* the counter began to count, or was read the last time */
    cs_cycle to;      /* it stopped, or was read */
    uint64_t counted; /* what happened in the cycles in which it counted: value must be that */
    uint64_t truth;   /* what happened in [from, to) */
} cs_hart_count;

/* A sample and the truth. */
typedef struct cs_hart_sample {
    cs_cycle overflow;      /* the counter carried; CS_NEVER: it has not */
    cs_context at;          /* who ran then */
    int64_t skid_cycles;    /* from there to the trap; negative: while the trap was under way */
    uint64_t period;        /* what happened since the overflow before, or the beginning */
    cs_context interrupted; /* the workload as the trap found it */
} cs_hart_sample;

typedef struct cs_hart_results {
    uint64_t counts;
    uint64_t wrong_counts; /* value is not what was counted */
    uint64_t samples;
    uint64_t without_overflow; /* samples */
    uint64_t skid_cycles;      /* of all samples together; negative ones are 0 */
    uint64_t most_skid_cycles;
    double period_error; /* of all samples, on the average: truth / period - 1 */
    double most_period_error;
    uint64_t same_pc;  /* samples whose program counter is the overflow's */
    uint64_t irqs_off; /* samples whose overflow was where the workload takes no interrupts, */
    uint64_t irqs_off_there; /* and that were taken in such code */
    uint64_t in_software;    /* samples of software of the kernel's */
} cs_hart_results;

/* Borrows both. Errors: CS_ERR_NO_MEMORY. */
cs_status cs_hart_collector_create(const cs_scenario *scenario, cs_timeline *const timelines[],
                                   cs_hart_collector **out, cs_diag *diag);
void cs_hart_collector_destroy(cs_hart_collector *collector); /* NULL is allowed */

void cs_hart_collector_record(cs_hart_collector *collector, const cs_probe_record *record);

/* As the harts' software tells them (drivers/hpm/riscv.h), each in its turn. */
void cs_hart_collector_begun(cs_hart_collector *collector, const cs_riscv_which *which, int counter,
                             cs_cycle adding);
/* What is told of a guest's virtual counters (KVM). */
void cs_hart_collector_virtual(cs_hart_collector *collector, const cs_riscv_virtual *what);
/* Of an event in turns: perf has opened it; it has got a counter, or lost it. */
void cs_hart_collector_opened(cs_hart_collector *collector, const cs_riscv_which *which);
void cs_hart_collector_placed(cs_hart_collector *collector, const cs_riscv_placed *placed);
/* Of cs_riscv_family. */
cs_hart_count cs_hart_collector_count(cs_hart_collector *collector, const cs_count *count);
cs_hart_sample cs_hart_collector_sample(cs_hart_collector *collector, const cs_riscv_which *which,
                                        const cs_riscv_sample *sample);

/* A counter that stands still in `cycle`, as it ought to be. */
typedef struct cs_hart_counter {
    uint64_t value;
    bool overflowed; /* its OF is set */
} cs_hart_counter;
cs_hart_counter cs_hart_collector_counter(cs_hart_collector *collector, unsigned hart,
                                          unsigned counter, cs_cycle cycle);

/* Of all harts. */
const cs_hart_results *cs_hart_collector_results(const cs_hart_collector *collector);

#ifdef __cplusplus
}
#endif

#endif
