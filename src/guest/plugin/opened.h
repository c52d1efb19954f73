// SPDX-License-Identifier: Apache-2.0
/* Which id an event of perf has, as perf.data names it. The kernel hands events to the driver as pointers to
 * its own structure. Where in it the id is depends on the kernel: an event that is being opened has there
 * the number that the kernel has just counted up, and no other place has it in all events.
 *
 * What perf has asked for is in the structure, too: it begins with a type and its own size.
 *
 * An event that a process inherits at a fork points at the one that perf has opened, and has its id. */
#ifndef CS_GUEST_PLUGIN_OPENED_H
#define CS_GUEST_PLUGIN_OPENED_H

#include <stdbool.h>
#include <stdint.h>

#include "guest/imc/bridge.h"

typedef struct opened opened;

/* *ram may be filled later. NULL: no memory. */
opened *opened_create(const bridge_memory *ram);

/* Where the kernel counts ids. Without it no id is known. */
void opened_count_at(opened *o, uint64_t address);

/* The kernel begins to open the event. */
void opened_add(opened *o, uint64_t event);

/* 0: it is not known. */
uint64_t opened_id(const opened *o, uint64_t event);

/* Whether perf has opened it itself, and no process has inherited it. */
bool opened_own(const opened *o, uint64_t event);

/* What perf has asked for: the first words of its perf_event_attr. */
typedef struct opened_attr {
    uint32_t type;
    uint64_t config;
    uint64_t period; /* or frequency, of samples; 0: none */
    uint64_t flags;  /* disabled, inherit, .. */
} opened_attr;

/* False: where the kernel keeps it is not known. */
bool opened_attr_of(const opened *o, uint64_t event, opened_attr *out);

#endif
