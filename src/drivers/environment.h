// SPDX-License-Identifier: Apache-2.0
/* What surrounds the hardware of one simulated die: the cores' timelines, memory and
 * its guard, the software. The model system and the RTL system own one each, built
 * from the same scenario; nothing is shared between the two but immutable
 * descriptions. */
#ifndef CS_DRIVERS_ENVIRONMENT_H
#define CS_DRIVERS_ENVIRONMENT_H

#include "base/probe/soft.h"
#include "drivers/software.h"
#include "drivers/software_list.h"
#include "drivers/tasks.h"
#include "scenario/scenario.h"
#include <countersink/base/bus/guard.h>
#include <countersink/base/bus/memory.h>
#include <countersink/base/diag.h>
#include <countersink/base/probe/probe.h>
#include <countersink/base/stream/timeline.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A CPU goes to another track of its timeline. */
typedef struct cs_track_change {
    unsigned track; /* 0: its workload; CS_TRACK_HANDLER (scenario/build.h), or what its kind of CPU
                       has */
} cs_track_change;

/* What the environment tells, beside what its drivers do. */
CS_SOFT_KIND(track, cs_track_change) /* from the record's cycle on */

typedef struct cs_environment {
    const cs_scenario *scenario; /* borrowed */
    unsigned nr_cpus;
    cs_timeline *timelines[CS_MAX_TIMELINES]; /* by CPU number; absent CPUs have one too; then
                                                 other things that count, NULL without */
    /* By timeline: events by the numbers of the unit's page. */
    struct cs_unit_events {
        cs_event_source source;   /* the timeline */
        uint32_t first;           /* what the unit's event 0 is there */
        const uint16_t *event_of; /* NULL: each its own */
    } unit_events[CS_MAX_TIMELINES];
    struct cs_timelines *timeline_set; /* owns them */
    cs_guard *guard;
    cs_memory *memory;
    void *objects[CS_NR_SOFTWARE_KINDS]; /* of the kinds of software, NULL where it does not run;
                                           each driver's header names them by type */
    /* The CPU ports, in the order of their CPUs. */
    struct cs_environment_port {
        unsigned cpu; /* whose it is; of a single one, that of its first task */
        unsigned nr_tasks;
        cs_tasks *tasks;      /* what runs, where that is more than one */
        cs_software software; /* all of it */
    } ports[CS_MAX_CPU_PORTS];
    unsigned nr_ports;
    unsigned nr_kinds;          /* of software that has tasks on them */
    const char *ended;          /* what there is to say of its end */
    const cs_probe_sink *probe; /* borrowed; where the hardware's records go */
    cs_soft_sink soft; /* where what software does goes; set by the owner before the first cycle */
    /* By CPU. */
    cs_cycle entered[CS_MAX_CPUS];         /* it left its workload; CS_NEVER: it runs it */
    cs_cycle left[CS_MAX_CPUS];            /* its caches were its own again, by its last leave */
    uint64_t software_cycles[CS_MAX_CPUS]; /* in finished stays in the software */
    uint64_t refill_cycles;                /* of them, in which workloads refilled their caches */
    /* Pieces of software that took it from its workload, and are at work. */
    uint8_t inside[CS_MAX_CPUS];
    cs_status status; /* the first failure of a timeline, or of who listens, while running */
} cs_environment;

/* Errors of cs_scenario_timelines and cs_scenario_guard, CS_ERR_RANGE, CS_ERR_NO_MEMORY;
 * *out is NULL then. */
cs_status cs_environment_create(const cs_scenario *scenario, const cs_probe_sink *probe,
                                cs_environment **out, cs_diag *diag);
void cs_environment_destroy(cs_environment *environment); /* NULL is allowed */

/* What a CPU, or another thing that counts, does, by the event numbers of its unit's page in
 * docs/hw/. It refers to the environment. */
cs_event_source cs_environment_events(const cs_environment *environment, unsigned timeline);
/* The same of all CPUs. */
void cs_environment_all_events(const cs_environment *environment, cs_event_source out[CS_MAX_CPUS]);

/* Before the first cycle: a piece of software (tasks.h) that runs on a CPU. With software.ports per_cpu
 * it runs on that CPU's port, which the kind's cs_software_rule.runs_on has asked for, side by side
 * with the tasks of other CPUs; else all tasks share the one port. CS_ERR_NO_MEMORY; CS_ERR_RANGE: the
 * CPU has no port. */
cs_status cs_environment_add_task(cs_environment *environment, unsigned cpu, cs_software software,
                                  cs_diag *diag);

/* The number of a CPU's port; of the one port, where there is one. */
unsigned cs_environment_port(const cs_environment *environment, unsigned cpu);

/* What the rotation of a kind of software cost so far; NULL: it rotates nothing, or does not run. */
const struct cs_rotating_report *cs_environment_rotating(const cs_environment *environment,
                                                         cs_software_kind number);

/* From `cycle` on the CPU runs the track (0: its workload), in place of what it ran. */
void cs_environment_run(cs_environment *environment, unsigned cpu, cs_cycle cycle, unsigned track);

/* A core that runs the software leaves or resumes its workload: fits cs_cpu_env. Several may be in
 * the software at the same time. After a stay the workload stands still until it has refilled what
 * the software evicted (software.evicted_lines, software.refill_cycles). */
void cs_environment_enter(void *environment, cs_cycle cycle, unsigned core);
void cs_environment_leave(void *environment, cs_cycle cycle, unsigned core);

/* The CPU that cs_op.core means. */
unsigned cs_environment_cpu(const cs_environment *environment, unsigned core);
/* cs_op.core as the software of a port says it, never 0. */
unsigned cs_environment_core(const cs_environment *environment, unsigned port, unsigned core);

/* Cycles below `now` that the software took from the workload of a CPU, and of all CPUs. */
uint64_t cs_environment_cpu_software_cycles(const cs_environment *environment, unsigned cpu,
                                            cs_cycle now);
uint64_t cs_environment_software_cycles(const cs_environment *environment, cs_cycle now);

#ifdef __cplusplus
}
#endif

#endif
