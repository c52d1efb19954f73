// SPDX-License-Identifier: Apache-2.0
/* What the command has a plugin know of any guest: lines of a file, which plugin/settings.h reads. */
#ifndef CS_GUEST_SETTINGS_H
#define CS_GUEST_SETTINGS_H

#include <stddef.h>
#include <stdio.h>

#include "formats/common/elf_program.h"
#include "guest/plugin/tasks.h"
#include "scenario/scenario.h"
#include <countersink/base/diag.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A function of the kernel that is watched. */
typedef struct cs_guest_watched {
    const char *name;
    tasks_what what;
} cs_guest_watched;

cs_status cs_guest_settings_begin(const char *path, FILE **out, cs_diag *diag);
/* `status` is the guest's own; CS_ERR_IO where that is CS_OK and the file could not be written. */
cs_status cs_guest_settings_end(FILE *out, const char *path, cs_status status, cs_diag *diag);

/* Where the kernel has the functions by which it is known what runs, those of its driver, and where it counts
 * ids of events. */
void cs_guest_put_watched(const cs_elf_program *kernel, const cs_guest_watched driver[], size_t nr,
                          FILE *out);

/* What instructions take, by their kinds, the fault, and when is counted by function. */
void cs_guest_put_common(const cs_scenario *scenario, unsigned nr_kinds,
                         unsigned (*cycles)(const cs_scenario *scenario, unsigned kind), FILE *out);

#ifdef __cplusplus
}
#endif

#endif
