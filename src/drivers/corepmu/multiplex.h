// SPDX-License-Identifier: Apache-2.0
/* The way without PMCU: perf stat of n events on the m counters of each CPU, multiplexed by the
 * kernel's timer (docs/drivers/software_way.md). It makes no bus access: counters are system registers, and
 * what they count is the CPU's own event source. What it costs is taken from the CPUs' workloads, on
 * all of them at the same time (ENTER and LEAVE). This is the yardstick, not the thing measured. */
#ifndef CS_DRIVERS_COREPMU_MULTIPLEX_H
#define CS_DRIVERS_COREPMU_MULTIPLEX_H

#include "drivers/rotation/rotated.h"
#include "drivers/software.h"
#include "scenario/corepmu/multiplex_spec.h"
#include <countersink/base/diag.h>
#include <countersink/base/stream/events.h>

#ifdef __cplusplus
extern "C" {
#endif

struct cs_environment;

/* A CPU that executes nothing for a while. */
typedef struct cs_multiplex_outage {
    unsigned cpu;
    cs_cycle off, on;
    bool hotplug; /* the system takes the CPU away: its events are over */
} cs_multiplex_outage;

typedef struct cs_multiplex_config {
    const cs_multiplex_spec *spec; /* borrowed; in the ranges of the scenario's keys */
    unsigned clock_mhz;            /* bus cycles of a microsecond */
    unsigned nr_cpus;              /* 1..CS_MAX_CPUS; spec->cpus beyond them are not looked at */
    unsigned tool_cpu;             /* where perf itself runs; < nr_cpus */
    const cs_event_source *events; /* what each CPU does, by its number; copied */
    const cs_soft_sink *soft;      /* what perf prints; borrowed, may be NULL */
    const cs_multiplex_outage *outages; /* of a CPU in rising order, none of tool_cpu; copied */
    size_t nr_outages;
} cs_multiplex_config;

typedef struct cs_multiplex_report {
    cs_rotating_report rotating; /* rotating_cycles: all that was taken from workloads */
    uint64_t overflows;          /* interrupts of counters */
    uint64_t calls;              /* interrupts by which perf had another CPU do something */
    uint64_t system_calls;       /* perf's */
} cs_multiplex_report;

typedef struct cs_multiplex cs_multiplex;

extern const cs_rotated_family cs_multiplex_family; /* of the counts that it tells */

/* Errors: CS_ERR_RANGE without a CPU or an event and with what cs_rotation_create refuses,
 * CS_ERR_NO_MEMORY; *out is NULL then. */
cs_status cs_multiplex_create(const cs_multiplex_config *config, cs_multiplex **out, cs_diag *diag);
void cs_multiplex_destroy(cs_multiplex *multiplex); /* NULL is allowed */
cs_software cs_multiplex_software(cs_multiplex *multiplex);

/* As of the last operation; valid as long as the object. */
const cs_multiplex_report *cs_multiplex_get_report(const cs_multiplex *multiplex);
/* Cycles below `now` that were taken from the workload of a CPU. */
uint64_t cs_multiplex_stolen(const cs_multiplex *multiplex, unsigned cpu, cs_cycle now);

/* NULL where it does not run. */
cs_multiplex *cs_multiplex_of(const struct cs_environment *environment);

#ifdef __cplusplus
}
#endif

#endif
