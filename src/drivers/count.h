// SPDX-License-Identifier: Apache-2.0
/* What the software of every unit tells of perf's events: three numbers of each (counted, enabled,
 * running); and what it cost to rotate them over counters (docs/drivers/rotation.md, "What is reported"). */
#ifndef CS_DRIVERS_COUNT_H
#define CS_DRIVERS_COUNT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/probe/soft.h"
#include "scenario/cpus.h"
#include <countersink/base/cycle.h>
#include <countersink/base/stream/timeline.h>

#ifdef __cplusplus
extern "C" {
#endif

struct cs_count;

/* The PMUs of one kind: what is the same of all their events. */
typedef struct cs_count_family {
    const char *name;     /* for people: "cpu" */
    unsigned timeline;    /* of the streams behind the first one's events; others follow */
    uint32_t first_event; /* what event 0 of a PMU is in its timeline */
    bool of_cpus;         /* a PMU a CPU; false: units of their own */
    bool followed;        /* a part of the results follows its counters, and says what is true */
    /* What happened in the span of a count; NULL: what its event counts in its timeline. */
    uint64_t (*truth)(const struct cs_count *count, cs_timeline *const timelines[]);
    /* Returns buffer. */
    const char *(*event_name)(uint32_t event, char *buffer, size_t size);
} cs_count_family;

/* An event of a perf command, at its end or at the end of an interval of perf stat -I. */
typedef struct cs_count {
    unsigned command;  /* number in the scenario's list of perf commands; of the CPUs' own: 0 */
    const char *pmu;   /* the unit's name, or CS_CPU_PMU_NAME; outlives the run */
    unsigned unit;     /* number of the unit; of the CPUs' own: 0 */
    unsigned cpu;      /* the CPU that managed it, or whose event it is; CS_ANY_CPU: of processes */
    uint32_t event;    /* number on that PMU; of one with a counter of its own: in the command */
    cs_cycle from, to; /* the span of the event, or of the interval */
    uint64_t enabled;  /* cycles of it; of processes those on all CPUs together */
    uint64_t running;  /* of these on a counter, as perf accounts them */
    uint64_t raw;      /* counted in the span, modulo 2^64 */
    bool turns;        /* it has counters in turns; false: one of its own */
    bool final;        /* of the whole command; false: of an interval of -I */
    const cs_count_family *family;
    bool pinned;      /* it never takes turns: it is always on a counter, or in error */
    unsigned serial;  /* which of the software's events it is, over all commands and units */
    const char *name; /* the event's; NULL: as the family calls it */
    uint64_t config;  /* perf's, where an event's number does not say all; else 0 */
    uint64_t config1, config2; /* of a raw event that is longer */
    const void *own;           /* the family's; valid while it is told */
} cs_count;

/* What such software tells, while it runs. */
CS_SOFT_KIND(count, cs_count)

/* What happened in the span. Not of a family that is followed. */
uint64_t cs_count_truth(const cs_count *count, cs_timeline *const timelines[]);

/* Returns buffer, or what else is its name. */
const char *cs_count_name(const cs_count *count, char *buffer, size_t size);

/* The figures of the software as a whole. */
typedef struct cs_rotating_report {
    uint64_t ticks, rotations;  /* ticks taken, those that moved something */
    uint64_t late_ticks;        /* ticks that could not be taken in time (merged) */
    uint64_t rotating_cycles;   /* CPU cycles taken from workloads, all CPUs */
    uint64_t register_accesses; /* bus accesses, or system register accesses */
    uint64_t bus_cycles;        /* cycles waited for the bus, where registers are behind it */
    uint64_t interrupts;
    uint64_t overdue_reads;   /* a counter could have come round twice in between */
    uint64_t failed_accesses; /* the bus answered with an error */
} cs_rotating_report;

void cs_rotating_report_add(cs_rotating_report *all, const cs_rotating_report *report);

#ifdef __cplusplus
}
#endif

#endif
