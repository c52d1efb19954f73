// SPDX-License-Identifier: Apache-2.0
/* How often a list turns: at every so manyth tick, or as often as that costs little
 * (docs/drivers/rotation.md, "A tick" and "The adaptive divider"). */
#ifndef CS_DRIVERS_UNIT_PMU_ROTATION_PACE_H
#define CS_DRIVERS_UNIT_PMU_ROTATION_PACE_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cs_rotation_pace {
    unsigned divider; /* in force; >= 1 */
    unsigned least_divider;
    bool adaptive;
    bool due;       /* at the last tick */
    unsigned ticks; /* since it was due */
    unsigned calm;
    uint64_t cost; /* of the last tick */
} cs_rotation_pace;

/* Of adaptive ones. */
typedef struct cs_rotation_limits {
    uint64_t limit; /* limit_percent x tick_cycles */
    unsigned most_divider;
} cs_rotation_limits;

/* The next tick. True: the list is due. */
bool cs_rotation_pace_tick(cs_rotation_pace *pace, const cs_rotation_limits *limits);
/* How many ticks it is until it is due; at least 1. What the last one cost is known by then. */
unsigned cs_rotation_pace_left(cs_rotation_pace *pace, const cs_rotation_limits *limits);
/* The last tick has cost so much more. */
void cs_rotation_pace_bear(cs_rotation_pace *pace, uint64_t cycles);

#ifdef __cplusplus
}
#endif

#endif
