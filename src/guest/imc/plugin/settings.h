// SPDX-License-Identifier: Apache-2.0
/* What the command has the plugin know of a guest: the file that guest/imc/settings.c writes. */
#ifndef CS_GUEST_IMC_PLUGIN_SETTINGS_H
#define CS_GUEST_IMC_PLUGIN_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "guest/imc/bridge.h"
#include "guest/plugin/settings.h"

#define SETTINGS_RANGES 64

typedef struct settings {
    bridge_config config;
    guest_settings guest;
    uint8_t core[EVENTS_CORE], nest[EVENTS_NEST]; /* what its events count */
    struct {
        uint64_t from, to;
        unsigned role;
    } driver[SETTINGS_RANGES];
    size_t nr_driver;
} settings;

/* Segments of the nest go to their own list. False: there is no such file. */
bool settings_read(settings *s, segments *segments, const char *path);

/* Of a place in the kernel's code; BRIDGE_ROLES: it is none of the driver's that matter. */
unsigned settings_role(const settings *s, uint64_t pc);

#endif
