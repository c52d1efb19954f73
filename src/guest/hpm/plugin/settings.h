// SPDX-License-Identifier: Apache-2.0
/* What the command has the plugin know of a RISC-V guest: the file that guest/hpm/settings.c writes. */
#ifndef CS_GUEST_HPM_PLUGIN_SETTINGS_H
#define CS_GUEST_HPM_PLUGIN_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "guest/hpm/hart.h"
#include "guest/plugin/kernel.h"
#include "guest/plugin/tasks.h"
#include "scenario/guest/guest_spec.h"

typedef struct settings {
    cs_hpm_config config;
    hart_event events[HART_EVENTS];
    uint8_t cost[CS_RISCV_KINDS];
    unsigned nr_harts;
    cs_guest_counts count; /* when */
    unsigned fault;        /* cs_guest_fault */
    uint64_t faulty;
    uint64_t watched[TASKS_WHATS]; /* functions of the kernel; 0: it has none of that name */
    uint64_t ids;                  /* where the kernel counts perf's events; 0: not known */
    kernel_window windows[KERNEL_WINDOWS];
} settings;

/* False: there is no such file. */
bool settings_read(settings *s, const char *path);

/* What it took to execute that. */
uint64_t settings_cycles(const settings *s, const hart_executed *executed);

#endif
