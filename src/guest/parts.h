// SPDX-License-Identifier: Apache-2.0
/* What every guest is brought up with, and what becomes of what it leaves. */
#ifndef CS_GUEST_PARTS_H
#define CS_GUEST_PARTS_H

#include "guest/guest.h"
#include "guest/place.h"
#include "scenario/scenario.h"
#include <countersink/base/diag.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Files of a run; but for the last two they are nobody's result. */
typedef struct cs_guest_files {
    char folder[CS_GUEST_PATH];
    char initrd[CS_GUEST_PATH + 16];
    char tree[CS_GUEST_PATH + 16];
    char flash[CS_GUEST_PATH + 16];
    char qemu_said[CS_GUEST_PATH + 16];
    char console[CS_GUEST_PATH + 16];
    char symfs[CS_GUEST_PATH + 16]; /* where perf finds functions (symfs.h) */
} cs_guest_files;

/* The archive that the kernel unpacks: busybox, perf, libraries, the scenario's program, files and
 * script. files->symfs gets links to all that can be executed. */
cs_status cs_guest_write_initrd(const cs_scenario *scenario, const cs_guest_place *place,
                                bool shell, const cs_guest_files *files, cs_diag *diag);

/* A file that the scenario names: its path. */
void cs_guest_beside(const cs_scenario *scenario, const char *file, char *out, size_t bytes);

/* It has firmware, and a device tree of ours for it: all but a program for bare harts that begins in M mode. */
bool cs_guest_has_firmware(const cs_scenario *scenario);
/* Its harts have the hypervisor extension. */
bool cs_guest_has_hypervisor(const cs_scenario *scenario);

/* Adds to QEMU's device tree at `path` what it has not: of POWER a node of memory for HOMER, where the
 * kernel reads; of RISC-V which counter counts what. */
cs_status cs_guest_complete_tree(const cs_scenario *scenario, const char *path, cs_diag *diag);

/* CS_ERR_IO: it is not the one that is needed. */
cs_status cs_guest_look_at_qemu(const cs_scenario *scenario, const cs_guest_place *place,
                                const cs_guest_files *files, cs_diag *diag);
/* Writes QEMU's own device tree to files->tree. */
cs_status cs_guest_dump_tree(const cs_scenario *scenario, const cs_guest_place *place,
                             const cs_guest_files *files, cs_diag *diag);
/* Brings it up, until it ends itself. */
cs_status cs_guest_run_qemu(const cs_scenario *scenario, const cs_guest_place *place,
                            const cs_guest_files *files, const cs_guest_options *options,
                            cs_diag *diag);
/* CS_ERR_IO: `text`, and behind it the last lines of the console. */
cs_status cs_guest_fail(const cs_guest_files *files, const char *text, cs_diag *diag);

/* CS_ERR_FORMAT: it is an ELF file for another machine than `machine` (EM_..). What is no ELF file is good. */
cs_status cs_guest_check_elf(const char *path, unsigned machine, cs_diag *diag);

/* Adds to the error of a guest that has failed where its CPUs were, by the plugin's log at `log`; nothing
 * where that does not say. */
void cs_guest_tell_stopped(const cs_guest_place *place, const char *log, cs_diag *diag);

/* The truth, of the plugin's log, as truth.sqlite at `path`; symbols of the kernel and of the
 * scenario's program. */
cs_status cs_guest_write_truth(const cs_scenario *scenario, const cs_guest_place *place,
                               const char *log, const char *path, cs_guest_result *result,
                               cs_diag *diag);

/* summary.json at `path`. CS_ERR_IO. */
cs_status cs_guest_write_summary(const cs_scenario *scenario, const cs_guest_result *result,
                                 const char *path, cs_diag *diag);

#ifdef __cplusplus
}
#endif

#endif
