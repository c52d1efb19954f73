// SPDX-License-Identifier: Apache-2.0
/* PMU events by the names that the Arm architecture gives them: the common events
 * and those that are recommended for implementations. */
#ifndef CS_SCENARIO_ARM_EVENTS_H
#define CS_SCENARIO_ARM_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CS_ARM_CPU_CYCLES 0x11u

typedef struct cs_arm_event {
    uint16_t number;
    const char *name; /* "INST_RETIRED" */
} cs_arm_event;

/* In rising order of numbers. NULL where index is too large. */
size_t cs_arm_event_count(void);
const cs_arm_event *cs_arm_event_at(size_t index);

/* NULL where the number has no name here. */
const char *cs_arm_event_name(uint32_t number);

/* What an event without a name is called, for printf in C and in SQL: in what a run prints, and as perf's
 * event of a core. Whoever writes a trace and whoever checks it take it from here. */
#define CS_ARM_EVENT_NUMBER "0x%04x"
#define CS_ARM_EVENT_PERF "armv8_pmuv3_0/event=0x%x/"

#define CS_ARM_EVENT_TEXT_BYTES 32u

/* Its name, or CS_ARM_EVENT_NUMBER of it; returns `out`, of `size` bytes. */
const char *cs_arm_event_text(uint32_t number, char *out, size_t size);

/* False where there is no such name; upper case only. */
bool cs_arm_event_number(const char *name, uint32_t *number);

#ifdef __cplusplus
}
#endif

#endif
