// SPDX-License-Identifier: Apache-2.0
/* What differs between the machines that guests are, and where `tools/setup.sh linux` and `linux-riscv` have
 * put what they need. */
#ifndef CS_GUEST_PLACE_H
#define CS_GUEST_PLACE_H

#include <stddef.h>
#include <stdint.h>

#include <countersink/base/diag.h>

#define CS_GUEST_PATH 1024

struct cs_guest_spec;

typedef struct cs_guest_machine {
    const char *kind;        /* guest.kind */
    const char *set;         /* of tools/setup.sh, and folder below the caches */
    const char *environment; /* names that folder */
    const char *files;       /* of the guest, in it */
    const char *kernel;      /* a pattern, in the guest's files */
    unsigned elf;            /* EM_.. */
    const char *qemu;        /* program */
    const char *plugin;
    const char *busybox;      /* in the guest's files */
    const char *libraries[3]; /* folders, too */
    const char *loader_folder;
    const char *loader[2];  /* a link that programs want, in that folder, and to what */
    const char *boot_words; /* for the kernel */
    /* Programs for it (imc/programs.h, hpm/programs.h). */
    cs_status (*make_put)(uint8_t **elf, size_t *bytes, cs_diag *diag);
    cs_status (*make_program)(const struct cs_guest_spec *guest, uint8_t **elf, size_t *bytes,
                              cs_diag *diag);
} cs_guest_machine;

/* Of a cs_guest_kind that is none of none. */
const cs_guest_machine *cs_guest_machine_of(unsigned kind);

typedef struct cs_guest_place {
    const cs_guest_machine *machine;
    char qemu[CS_GUEST_PATH];  /* the folder of QEMU */
    char guest[CS_GUEST_PATH]; /* of the guest's files */
    char kernel[CS_GUEST_PATH];
    char symbols[CS_GUEST_PATH]; /* an ELF file with the kernel's functions */
    char plugin[CS_GUEST_PATH];
} cs_guest_place;

/* CS_ERR_UNSUPPORTED: what is missing, and what to do. */
cs_status cs_guest_find(const cs_guest_machine *machine, cs_guest_place *place, cs_diag *diag);

#endif
