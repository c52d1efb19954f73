/* The CPUs of a scenario: those of each section that brings some, one kind after the other. */
#ifndef CS_SCENARIO_CPUS_H
#define CS_SCENARIO_CPUS_H

#include <stddef.h>

#include "scenario/scenario.h"
#include "scenario/section.h"

#ifdef __cplusplus
extern "C" {
#endif

/* CPUs of all kinds, as far as their sections have been read. */
unsigned cs_scenario_count_cpus(const cs_scenario *s);

/* The kind of a CPU that there is. */
const cs_cpu_class *cs_scenario_cpu_class(const cs_scenario *s, unsigned cpu);

/* "pmcu.clusters 4, pmcu.slots 8, imc.cores 0": the keys that CPU numbers depend on, of the
 * sections before the one that has the key `before`; NULL: of all. */
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
