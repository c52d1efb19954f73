// SPDX-License-Identifier: Apache-2.0
/* Which program of the guest runs, as its kernel has it: a few of the kernel's functions are watched, and
 * its memory is read.
 *
 * An image is what a process executes from a fork or exec on to the next; 0: none is known. Where the
 * kernel keeps what is wanted is found by looking at its first task, which points at itself, and at the
 * name of the first program. A kernel in which it is not found has no images. */
#ifndef CS_GUEST_PLUGIN_TASKS_H
#define CS_GUEST_PLUGIN_TASKS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "guest/imc/bridge.h"

/* Functions of the kernel; what they are called stands in settings.c. Those from TASKS_OPEN on are the
 * driver's, and no matter of tasks. */
typedef enum tasks_what {
    TASKS_SWITCH,   /* (task, next) */
    TASKS_FORK,     /* (task): it will run */
    TASKS_EXEC,     /* (task, name, executes) */
    TASKS_MAP,      /* (file, address, bytes, flags, page of the file) */
    TASKS_OPEN,     /* (event): perf opens an event, or a process inherits it */
    TASKS_BEGIN,    /* (event): it begins on the CPU */
    TASKS_DUMP,     /* (event): the CPU's buffer is read for it */
    TASKS_END,      /* (event): it is taken from the CPU */
    TASKS_OVERFLOW, /* (event): the driver hands an overflow to perf */
    TASKS_READ,     /* (event): its counter is read */
    TASKS_ASK,      /* (event): perf reads it */
    TASKS_TRAP,     /* (): the handler of all traps and interrupts */
    TASKS_OFF,      /* (): the machine is switched off */
    TASKS_WHATS
} tasks_what;

#define TASKS_ARGUMENTS 5u

typedef struct tasks tasks;

/* *ram may be filled later. NULL: no memory. */
tasks *tasks_create(const bridge_memory *ram, FILE *log);

/* The function is entered by the CPU. True: another image runs there from here on. */
bool tasks_entered(tasks *t, tasks_what what, unsigned cpu, uint64_t cycle,
                   const uint64_t arguments[TASKS_ARGUMENTS]);

/* Of the CPU. */
uint32_t tasks_image(const tasks *t, unsigned cpu);
uint32_t tasks_process(const tasks *t, unsigned cpu); /* 0: the idle one's, too */

/* Where a function is entered that has this address as a symbol: by all that call it. */
uint64_t tasks_entry(const tasks *t, uint64_t address);

#endif
