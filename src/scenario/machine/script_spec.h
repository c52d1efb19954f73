// SPDX-License-Identifier: Apache-2.0
/* The steps of a script. */
#ifndef CS_SCENARIO_MACHINE_SCRIPT_SPEC_H
#define CS_SCENARIO_MACHINE_SCRIPT_SPEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One step of a script: raw bus accesses, as a bring-up engineer would type them. */
typedef enum cs_step_kind {
    CS_STEP_WRITE,
    CS_STEP_READ,
    CS_STEP_DELAY,
    CS_STEP_WAIT_IRQ,    /* until the line is high, at most `cycles` if not 0 */
    CS_STEP_CPU,         /* takes no time: the steps from here on are of the CPU `value` */
    CS_STEP_SIGNAL,      /* interrupts the CPU `value` */
    CS_STEP_WAIT_SIGNAL, /* until that has happened to its own, at most `cycles` if not 0 */
    CS_STEP_LOCK,        /* spins until lock `value` is free, and takes it */
    CS_STEP_UNLOCK
} cs_step_kind;

typedef struct cs_script_step {
    cs_step_kind kind;
    uint64_t addr;
    uint8_t size; /* 1, 2, 4, 8 */
    uint64_t value;
    uint64_t cycles;
    uint8_t cpu; /* whose step it is */
} cs_script_step;

#define CS_SCRIPT_LOCKS 16u

#endif
