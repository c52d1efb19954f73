// SPDX-License-Identifier: Apache-2.0
/* ELF files that are of another machine than the guest's. */
#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "guest/parts.h"

#define NAME_BYTES 24

static const struct {
    unsigned number;
    const char *name;
} machines[] = {
    {EM_386, "x86"},       {EM_X86_64, "x86-64"}, {EM_ARM, "Arm"},
    {EM_AARCH64, "Arm64"}, {EM_PPC, "PowerPC"},   {EM_PPC64, "64-bit PowerPC"},
    {EM_RISCV, "RISC-V"},  {EM_S390, "S/390"},    {EM_LOONGARCH, "LoongArch"},
    {EM_MIPS, "MIPS"},
};

static const char *name_of(unsigned machine, char name[NAME_BYTES])
{
    for (size_t i = 0; i < sizeof machines / sizeof machines[0]; i++)
        if (machines[i].number == machine)
            return machines[i].name;
    snprintf(name, NAME_BYTES, "machine %u", machine);
    return name;
}

cs_status cs_guest_check_elf(const char *path, unsigned machine, cs_diag *diag)
{
    uint8_t head[EI_NIDENT + 4] = {0};
    char found[NAME_BYTES], expected[NAME_BYTES];
    FILE *file = fopen(path, "rb");

    if (file == NULL)
        return cs_diag_set(diag, CS_ERR_IO, path, "cannot open: %s", strerror(errno));
    const size_t bytes = fread(head, 1, sizeof head, file);
    fclose(file);
    if (bytes < sizeof head || memcmp(head, ELFMAG, SELFMAG) != 0)
        return CS_OK;
    const uint8_t *at = head + EI_NIDENT + 2;
    const bool little = head[EI_DATA] == ELFDATA2LSB;
    const unsigned of = little ? at[0] | (unsigned)at[1] << 8 : at[1] | (unsigned)at[0] << 8;

    return of == machine ? CS_OK
                         : cs_diag_set(diag, CS_ERR_FORMAT, path,
                                       "is an ELF file for %s, expected one for %s",
                                       name_of(of, found), name_of(machine, expected));
}
