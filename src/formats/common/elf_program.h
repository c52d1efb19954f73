// SPDX-License-Identifier: Apache-2.0
/* What a profile wants to know of a program in an ELF file: its functions, where it is executed from, and
 * its build id. Files of every machine, 32 and 64 bits. */
#ifndef CS_FORMATS_COMMON_ELF_PROGRAM_H
#define CS_FORMATS_COMMON_ELF_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <countersink/base/diag.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CS_ELF_MOST_TEXTS 8u
#define CS_ELF_MOST_BUILD_ID_BYTES 20u

/* A loaded segment that can be executed. */
typedef struct cs_elf_text {
    uint64_t addr; /* as linked */
    uint64_t bytes;
    uint64_t offset; /* in the file */
} cs_elf_text;

typedef struct cs_elf_symbol {
    const char *name;
    uint64_t addr; /* as linked */
    uint64_t size;
} cs_elf_symbol;

typedef struct cs_elf_program cs_elf_program;

/* Errors: CS_ERR_IO where the file cannot be read; CS_ERR_FORMAT for what is not an ELF file, no program or
 * library, has nothing to be executed, or no functions (it is stripped); CS_ERR_NO_MEMORY. *out is
 * NULL then. */
cs_status cs_elf_program_open(const char *path, cs_elf_program **out, cs_diag *diag);
void cs_elf_program_close(cs_elf_program *program); /* NULL is allowed */

/* It is loaded where one likes. */
bool cs_elf_program_moves(const cs_elf_program *program);
/* [*nr], by rising address. */
const cs_elf_text *cs_elf_program_texts(const cs_elf_program *program, unsigned *nr);
/* NULL: it has none, *bytes is 0. Of a longer one the first CS_ELF_MOST_BUILD_ID_BYTES. */
const uint8_t *cs_elf_program_build_id(const cs_elf_program *program, unsigned *bytes);

/* Functions with a size, by name; of several with one name the first in the file. NULL at `nr` and
 * beyond; where there is no such name. */
const cs_elf_symbol *cs_elf_program_symbol(const cs_elf_program *program, size_t nr);
/* What an assembler names in code without a size: functions, and places. NULL at their number. */
const cs_elf_symbol *cs_elf_program_label(const cs_elf_program *program, size_t nr);
const cs_elf_symbol *cs_elf_program_find(const cs_elf_program *program, const char *name);
/* Address, as linked, of a variable; 0: there is none of that name. */
uint64_t cs_elf_program_variable(const cs_elf_program *program, const char *name);

/* out[i] is the address of what is called names[i], be it code, data or a mere label, in a file that may have no
 * functions; 0: nothing is called so. CS_ERR_IO; CS_ERR_FORMAT: it is no ELF file. */
cs_status cs_elf_addresses(const char *path, const char *const names[], uint64_t out[], size_t nr,
                           cs_diag *diag);

#ifdef __cplusplus
}
#endif

#endif
