// SPDX-License-Identifier: Apache-2.0
/* What the command has a plugin know of any guest (guest/settings.h). */
#ifndef CS_GUEST_PLUGIN_SETTINGS_H
#define CS_GUEST_PLUGIN_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "guest/plugin/tasks.h"
#include "scenario/guest/guest_spec.h"

#define GUEST_WATCHES 32u
#define GUEST_KINDS 16u /* of instructions: no guest has as many */

typedef struct guest_settings {
    struct {
        uint64_t entry;
        tasks_what what;
    } watched[GUEST_WATCHES]; /* functions of the kernel, that it has */
    size_t nr_watched;
    uint64_t ids;                /* where the kernel counts perf's events; 0: not known */
    uint8_t cycles[GUEST_KINDS]; /* that an instruction takes */
    unsigned fault;              /* cs_guest_fault */
    uint64_t faulty;
    cs_guest_counts count; /* when */
} guest_settings;

/* `own` gets each line that is of one kind of guest only. False: the file cannot be read. */
bool guest_settings_read(guest_settings *s, const char *path,
                         void (*own)(void *ctx, const char *line), void *ctx);

#endif
