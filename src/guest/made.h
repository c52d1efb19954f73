// SPDX-License-Identifier: Apache-2.0
/* Programs for a guest, made by us: ELF files of one segment, without a library, little-endian, of
 * instructions of four bytes. */
#ifndef CS_GUEST_MADE_H
#define CS_GUEST_MADE_H

#include <stddef.h>
#include <stdint.h>

#include <countersink/base/diag.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Addresses that no other program of the guest has. */
#define CS_MADE_PROGRAM_BASE 0x20000000u
#define CS_MADE_PUT_BASE 0x21000000u
#define CS_MADE_CODE_OFFSET 0x1000u
#define CS_MADE_DATA_OFFSET 0x800u  /* what functions load and store */
#define CS_MADE_STRIDES 0x20800000u /* where functions begin whose data moves on */
#define CS_MADE_PUT_BUFFER (CS_MADE_PUT_BASE + 0x100000u)
#define CS_MADE_PUT_BYTES 0x4000u

typedef struct cs_made_symbol {
    const char *name;
    size_t at, count; /* in instructions */
} cs_made_symbol;

typedef struct cs_made {
    uint16_t machine; /* e_machine, */
    uint32_t flags;   /* and e_flags */
    uint32_t *code;
    size_t nr_code, most_code;
    cs_made_symbol *symbols;
    size_t nr_symbols;
    uint64_t base;
    uint64_t memory; /* that it has from its base on */
} cs_made;

void cs_made_emit(cs_made *p, uint32_t word);
/* From the next instruction to that at `to`, in bytes. */
int cs_made_back_to(const cs_made *p, size_t to);
/* To be freed. */
cs_status cs_made_file(const cs_made *p, uint8_t **elf, size_t *size, cs_diag *diag);

#ifdef __cplusplus
}
#endif

#endif
