// SPDX-License-Identifier: Apache-2.0
/* What drivers of PMUs have in common whose counters overflow: which event has which counter,
 * periods, and the order of things at an overflow. A driver adds how its hardware is reached. */
#ifndef CS_SOFTWARE_PERF_COUNTERS_H
#define CS_SOFTWARE_PERF_COUNTERS_H

#include "software/perf/assign.h"
#include "software/perf/counters/window.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The counters of a CPU. */
typedef struct cs_perf_counters {
    const struct cs_perf_counters_ops *ops;
    cs_perf_window window; /* every access is one cycle of it: window.now++ */
    unsigned disabled;     /* how often */
    cs_rotation_set set;   /* of places: a driver says which counter each is */
    cs_perf_event *events[CS_ROTATION_MAX_COUNTERS]; /* [nr] in the order of the set */
    unsigned nr;
} cs_perf_counters;

/* The hardware, by accesses. event->hw.counter is the counter. */
typedef struct cs_perf_counters_ops {
    /* All stand still, and go on. */
    void (*pause)(cs_perf_counters *c);
    void (*resume)(cs_perf_counters *c);
    /* The model is right up to now, so that the window's stretch is needed no more. */
    void (*settle)(cs_perf_counters *c);
    /* The counter counts this event, in its modes. */
    void (*choose)(cs_perf_counters *c, cs_perf_event *event);
    uint64_t (*read)(cs_perf_counters *c, cs_perf_event *event);
    void (*write)(cs_perf_counters *c, cs_perf_event *event, uint64_t value);
    /* It counts from now on, or no more; then its overflow is dropped too. */
    void (*run)(cs_perf_counters *c, cs_perf_event *event);
    void (*halt)(cs_perf_counters *c, cs_perf_event *event);
    /* The first cycle of [from, to) in which the interrupt is high; `to`: none. */
    cs_cycle (*irq)(cs_perf_counters *c, cs_cycle from, cs_cycle to);
    /* Counters that have overflowed, as bits; they have not any more. */
    uint32_t (*overflowed)(cs_perf_counters *c);
    /* The number of a place of the set. */
    int (*place)(const cs_perf_counters *c, int place);
    uint64_t most; /* that a counter can count to its overflow; all ones of its bits */
} cs_perf_counters_ops;

void cs_perf_counters_init(cs_perf_counters *c, const cs_perf_counters_ops *ops);

/* A driver's PMU begins with this; it says where the counters of a CPU are. */
typedef struct cs_perf_counter_pmu {
    cs_pmu pmu;
    cs_perf_counters *(*on)(cs_pmu *pmu, unsigned cpu);
} cs_perf_counter_pmu;

/* For its cs_pmu_ops. */
bool cs_perf_counters_fit(cs_pmu *pmu, const cs_perf_event *event, const cs_perf_event *leader);
void cs_perf_counters_disable(cs_pmu *pmu, cs_perf_cpu *cpu);
void cs_perf_counters_enable(cs_pmu *pmu, cs_perf_cpu *cpu);
int cs_perf_counters_add(cs_pmu *pmu, cs_perf_cpu *cpu, cs_perf_event *event);
void cs_perf_counters_del(cs_pmu *pmu, cs_perf_cpu *cpu, cs_perf_event *event);
void cs_perf_counters_start(cs_pmu *pmu, cs_perf_cpu *cpu, cs_perf_event *event);
void cs_perf_counters_stop(cs_pmu *pmu, cs_perf_cpu *cpu, cs_perf_event *event);
void cs_perf_counters_read(cs_pmu *pmu, cs_perf_cpu *cpu, cs_perf_event *event);
cs_cycle cs_perf_counters_next(cs_pmu *pmu, cs_perf_cpu *cpu, cs_cycle most);
void cs_perf_counters_interrupt(cs_pmu *pmu, cs_perf_cpu *cpu);
void cs_perf_counters_settle(cs_pmu *pmu, cs_perf_cpu *cpu);

/* All but event_init and destroy. */
#define CS_PERF_COUNTERS_OPS                                                                       \
    .fits = cs_perf_counters_fit, .disable = cs_perf_counters_disable,                             \
    .enable = cs_perf_counters_enable, .add = cs_perf_counters_add, .del = cs_perf_counters_del,   \
    .start = cs_perf_counters_start, .stop = cs_perf_counters_stop, .read = cs_perf_counters_read, \
    .next = cs_perf_counters_next, .interrupt = cs_perf_counters_interrupt,                        \
    .settle = cs_perf_counters_settle

#ifdef __cplusplus
}
#endif

#endif
