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

/* False where there is no such name; upper case only. */
bool cs_arm_event_number(const char *name, uint32_t *number);

#ifdef __cplusplus
}
#endif

#endif
