// SPDX-License-Identifier: Apache-2.0
/* Where the CPUs of a guest were that was ended from outside. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "formats/common/elf_program.h"
#include "guest/parts.h"

#define LINE_BYTES 256
#define KERNEL UINT64_C(0xc000000000000000)
#define USER 1u /* of a mode */

/* The kernel's function that has the address; NULL: none has. */
static const cs_elf_symbol *function_at(const cs_elf_program *kernel, uint64_t pc)
{
    const cs_elf_symbol *symbol, *best = NULL;

    for (size_t i = 0; (symbol = cs_elf_program_symbol(kernel, i)) != NULL; i++)
        if (pc - symbol->addr < symbol->size && (best == NULL || symbol->addr > best->addr))
            best = symbol;
    return best;
}

static void tell(const cs_elf_program *kernel, unsigned cpu, uint64_t pc, unsigned mode,
                 cs_diag *diag)
{
    const cs_elf_symbol *in = kernel != NULL && pc >= KERNEL ? function_at(kernel, pc) : NULL;
    const size_t used = strlen(diag->text);
    const char *whose = (mode & USER) != 0 ? "a program"
                        : pc >= KERNEL     ? "the kernel"
                                       : "the firmware, or the kernel before it has page tables";

    if (in != NULL)
        snprintf(diag->text + used, sizeof diag->text - used,
                 "\nCPU %u was at 0x%" PRIx64 ", %s+0x%" PRIx64, cpu, pc, in->name, pc - in->addr);
    else
        snprintf(diag->text + used, sizeof diag->text - used,
                 "\nCPU %u was at 0x%" PRIx64 ", in %s", cpu, pc, whose);
}

void cs_guest_tell_stopped(const cs_guest_place *place, const char *log, cs_diag *diag)
{
    FILE *lines = diag != NULL ? fopen(log, "r") : NULL;
    cs_elf_program *kernel = NULL;
    char line[LINE_BYTES];
    unsigned cpu, mode;
    uint64_t pc;

    if (lines == NULL)
        return;
    if (cs_elf_program_open(place->symbols, &kernel, NULL) != CS_OK)
        kernel = NULL;
    while (fgets(line, sizeof line, lines) != NULL)
        if (sscanf(line, "H %x %" SCNx64 " %x", &cpu, &pc, &mode) == 3)
            tell(kernel, cpu, pc, mode, diag);
    cs_elf_program_close(kernel);
    fclose(lines);
}
