// SPDX-License-Identifier: Apache-2.0
/* What the command has the plugin know of a RISC-V guest: the file that guest/hpm/settings.c writes. */
#ifndef CS_GUEST_HPM_PLUGIN_SETTINGS_H
#define CS_GUEST_HPM_PLUGIN_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "guest/hpm/hart.h"
#include "guest/hpm/owned.h"
#include "guest/hpm/plugin/bare.h"
#include "guest/plugin/kernel.h"
#include "guest/plugin/settings.h"

typedef struct settings {
    guest_settings guest;
    cs_hpm_config config;
    hart_event events[HART_EVENTS];
    unsigned nr_harts;
    kernel_window windows[KERNEL_WINDOWS];
    cs_guest_cache caches[CS_GUEST_CACHES];
    bool has_caches; /* one of them */
    bare bare;
    cs_cycle pins_from, pins_cycles; /* 0: none are recorded */
} settings;

/* False: there is no such file. */
bool settings_read(settings *s, const char *path);

/* The harts, which point into the settings; what is to be recorded of the first goes into the folder. NULL: the log
 * says why. */
owned *settings_create(const settings *s, const char *folder, FILE *log);

/* How many instructions these are, and what it took to execute them. */
uint64_t settings_instructions(const hart_executed *executed);
uint64_t settings_cycles(const settings *s, const hart_executed *executed);

#endif
