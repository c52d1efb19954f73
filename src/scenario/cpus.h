// SPDX-License-Identifier: Apache-2.0
/* The CPUs of a scenario: those of each section that brings some, one kind after the other. */
#ifndef CS_SCENARIO_CPUS_H
#define CS_SCENARIO_CPUS_H

#include <stddef.h>

#include "scenario/scenario.h"
#include "scenario/section.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What they are called in results, where units have their names. */
#define CS_CPU_PMU_NAME "cpu"

/* The kinds in the order of CPU numbers; the first one is there by default. Ended by NULL. */
extern const cs_cpu_class *cs_cpu_classes[CS_MAX_CPU_CLASSES + 1];
void cs_cpu_classes_gather(void); /* before anything else */

/* The kind before this one, which is not the first. */
const cs_cpu_class *cs_cpu_class_before(const cs_cpu_class *kind);

/* Counts the CPUs, as far as their sections have been read. */
void cs_scenario_count_cpus(cs_scenario *s);

/* The kind of a CPU that there is, and the first CPU of a kind, or where it would be. */
const cs_cpu_class *cs_scenario_cpu_class(const cs_scenario *s, unsigned cpu);
unsigned cs_scenario_first_cpu(const cs_scenario *s, const cs_cpu_class *kind);

/* Where a CPU is among those of its kind: *group is that of its cluster or core, *number counts
 * within. */
void cs_scenario_cpu_place(const cs_scenario *s, unsigned cpu, unsigned *group, unsigned *number);

/* What runs on a CPU in a track of its timeline, from 1 on: "handler"; NULL: it has no such. */
const char *cs_scenario_track_name(const cs_scenario *s, unsigned cpu, unsigned track);

cs_cpu_state cs_scenario_cpu_state(const cs_scenario *s, unsigned cpu);
const char *cs_cpu_state_name(cs_cpu_state state); /* "online" */

/* May the software of other units run there? */
bool cs_scenario_can_manage(const cs_scenario *s, unsigned cpu);

/* Whether a CPU waits for an interrupt, or has no workload, when its workload has run `local` cycles. */
bool cs_scenario_cpu_waits(const cs_scenario *s, unsigned cpu, uint64_t local);

/* "x.cores 4, x.threads 8, y.count 0": the keys that CPU numbers depend on, of the sections before
 * the one that has the key `before`; NULL: of all. */
const char *cs_scenario_cpu_keys(const cs_scenario *s, const char *before, char *out, size_t size);

/* What counts in a timeline (of a CPU, or of a unit) without being named; `idle`: of a CPU
 * without a workload, or that waits. Returns how many there are. */
size_t cs_implicit_events(const cs_scenario *s, unsigned timeline, bool idle,
                          cs_implicit_event out[CS_MAX_IMPLICIT]);
bool cs_is_implicit_event(const cs_scenario *s, uint32_t event); /* of any timeline */

/* What one event can count in a bus cycle: on a timeline; on any CPU. */
unsigned cs_timeline_most_increment(const cs_scenario *s, unsigned timeline);
unsigned cs_scenario_most_increment(const cs_scenario *s);

/* What event 0 of the CPU or unit is in its timeline, and the event whose stream each of its
 * events has (NULL: its own). */
uint32_t cs_scenario_first_event(const cs_scenario *s, unsigned timeline);
const uint16_t *cs_scenario_event_of(const cs_scenario *s, unsigned timeline);

/* The unit that a timeline beyond those of CPUs belongs to; NULL: none. */
const cs_unit_class *cs_scenario_unit_class(const cs_scenario *s, unsigned timeline);

#ifdef __cplusplus
}
#endif

#endif
