// SPDX-License-Identifier: Apache-2.0
#include "guest/imc/programs.h"

#include <elf.h>
#include <stdbool.h>
#include <stdlib.h>

#include "guest/log.h"
#include "guest/made.h"

/* Linux's system calls. */
#define SYS_EXIT 1
#define SYS_READ 3

#define ELF_V2 2u /* of e_flags */

/* ---- instructions ---- */

static uint32_t li(unsigned to, int value)
{
    return 0x38000000u | to << 21 | ((uint32_t)value & 0xffffu);
}

static uint32_t addi(unsigned to, unsigned from, int value)
{
    return li(to, value) | from << 16;
}

static uint32_t lis(unsigned to, uint32_t value)
{
    return 0x3c000000u | to << 21 | (value >> 16);
}

static uint32_t ori(unsigned to, unsigned from, uint32_t value)
{
    return 0x60000000u | from << 21 | to << 16 | (value & 0xffffu);
}

static uint32_t mr(unsigned to, unsigned from)
{
    return 0x7c000378u | from << 21 | to << 16 | from << 11;
}

static uint32_t ld(unsigned to, unsigned base, unsigned offset)
{
    return 0xe8000000u | to << 21 | base << 16 | offset;
}

static uint32_t std_(unsigned from, unsigned base, unsigned offset)
{
    return ld(from, base, offset) + (4u << 26);
}

static uint32_t cmpdi(unsigned reg, int value)
{
    return 0x2c200000u | reg << 16 | ((uint32_t)value & 0xffffu);
}

static uint32_t mtctr(unsigned from)
{
    return 0x7c0903a6u | from << 21;
}

static uint32_t bl(int offset)
{
    return 0x48000001u | ((uint32_t)offset & 0x03fffffcu);
}

static uint32_t branch(uint32_t kind, int offset)
{
    return kind | ((uint32_t)offset & 0xfffcu);
}

#define DATA 21u /* a register that functions leave alone */

#define SC 0x44000002u
#define BLR 0x4e800020u
#define BDNZ 0x42000000u
#define IF_NOT_GREATER 0x40810000u
#define IF_GREATER 0x41810000u
#define IF_SUMMARY 0x41830000u /* a system call failed */
#define ALWAYS 0x42800000u

/* ---- the programs ---- */

static void call_us(cs_made *p, unsigned what)
{
    cs_made_emit(p, li(3, (int)what));
    cs_made_emit(p, CS_GUEST_CALL);
}

static void leave(cs_made *p)
{
    cs_made_emit(p, li(0, SYS_EXIT));
    cs_made_emit(p, li(3, 0));
    cs_made_emit(p, SC);
}

cs_status cs_power_make_put(uint8_t **elf, size_t *bytes, cs_diag *diag)
{
    uint32_t code[64];
    cs_made_symbol start = {"_start", 0, 0};
    cs_made p = {.machine = EM_PPC64,
                 .flags = ELF_V2,
                 .code = code,
                 .most_code = 64,
                 .symbols = &start,
                 .nr_symbols = 1,
                 .base = CS_MADE_PUT_BASE,
                 .memory = CS_MADE_PUT_BUFFER - CS_MADE_PUT_BASE + CS_MADE_PUT_BYTES};

    cs_made_emit(&p, ld(4, 1, 16)); /* argv[1] */
    call_us(&p, CS_GUEST_CALL_NAME);

    const size_t again = p.nr_code;
    cs_made_emit(&p, li(0, SYS_READ));
    cs_made_emit(&p, li(3, 0));
    cs_made_emit(&p, lis(4, CS_MADE_PUT_BUFFER));
    cs_made_emit(&p, li(5, CS_MADE_PUT_BYTES));
    cs_made_emit(&p, SC);
    cs_made_emit(&p, branch(IF_SUMMARY, 8 * 4));
    cs_made_emit(&p, cmpdi(3, 0));
    cs_made_emit(&p, branch(IF_NOT_GREATER, 6 * 4));
    cs_made_emit(&p, mr(5, 3));
    cs_made_emit(&p, lis(4, CS_MADE_PUT_BUFFER)); /* a system call leaves it to nobody */
    call_us(&p, CS_GUEST_CALL_PUT);
    cs_made_emit(&p, branch(ALWAYS, cs_made_back_to(&p, again)));
    leave(&p);
    start.count = p.nr_code;
    return cs_made_file(&p, elf, bytes, diag);
}

/* Where functions find their data; a first store, that none of theirs is interrupted. */
static void emit_data(cs_made *p)
{
    cs_made_emit(p, lis(DATA, CS_MADE_PROGRAM_BASE));
    cs_made_emit(p, std_(DATA, DATA, CS_MADE_DATA_OFFSET));
}

static bool has_data(const cs_guest_spec *guest)
{
    for (size_t i = 0; i < guest->program.nr_functions; i++)
        if (guest->program.functions[i].loads + guest->program.functions[i].stores > 0)
            return true;
    return false;
}

static void emit_main(cs_made *p, const cs_guest_spec *guest, size_t first_function)
{
    if (has_data(guest))
        emit_data(p);
    cs_made_emit(p, lis(20, guest->program.rounds));
    cs_made_emit(p, ori(20, 20, guest->program.rounds));

    const size_t again = p->nr_code;
    for (size_t i = 0; i < guest->program.nr_functions; i++) {
        const uint32_t loops = guest->program.functions[i].loops;

        cs_made_emit(p, lis(5, loops));
        cs_made_emit(p, ori(5, 5, loops));
        cs_made_emit(p,
                     bl(cs_made_back_to(p, first_function + i * (CS_POWER_LOOP_INSTRUCTIONS + 2))));
    }
    cs_made_emit(p, addi(20, 20, -1));
    cs_made_emit(p, cmpdi(20, 0));
    cs_made_emit(p, branch(IF_GREATER, cs_made_back_to(p, again)));
    leave(p);
}

/* Of a loop before its branch. */
static uint32_t body(const cs_guest_function *of, unsigned nr)
{
    const unsigned reg = 6 + nr % 4, at = CS_MADE_DATA_OFFSET + 8 * nr;

    if (nr < of->loads)
        return ld(reg, DATA, at);
    return nr < of->loads + of->stores ? std_(reg, DATA, at) : addi(reg, reg, 1);
}

cs_status cs_power_make_program(const cs_guest_spec *guest, uint8_t **elf, size_t *bytes,
                                cs_diag *diag)
{
    const size_t nr = guest->program.nr_functions;
    const size_t main_count = (has_data(guest) ? 2 : 0) + 2 + 3 * nr + 3 + 3;
    cs_made p = {.machine = EM_PPC64,
                 .flags = ELF_V2,
                 .most_code = main_count + nr * (CS_POWER_LOOP_INSTRUCTIONS + 2),
                 .nr_symbols = nr + 1,
                 .base = CS_MADE_PROGRAM_BASE};
    cs_status status = CS_ERR_NO_MEMORY;

    p.code = calloc(p.most_code, sizeof *p.code);
    p.symbols = calloc(nr + 1, sizeof *p.symbols);
    if (p.code != NULL && p.symbols != NULL) {
        p.memory = CS_MADE_CODE_OFFSET + 4 * p.most_code;
        p.symbols[0] = (cs_made_symbol){"_start", 0, main_count};
        emit_main(&p, guest, main_count);
        for (size_t i = 0; i < nr; i++) {
            p.symbols[i + 1] = (cs_made_symbol){guest->program.functions[i].name, p.nr_code,
                                                CS_POWER_LOOP_INSTRUCTIONS + 2};
            cs_made_emit(&p, mtctr(5));
            for (unsigned k = 0; k < CS_GUEST_LOOP_BODY; k++)
                cs_made_emit(&p, body(&guest->program.functions[i], k));
            cs_made_emit(&p, branch(BDNZ, -4 * (int)CS_GUEST_LOOP_BODY));
            cs_made_emit(&p, BLR);
        }
        status = cs_made_file(&p, elf, bytes, diag);
    } else {
        cs_diag_set(diag, status, NULL, "a program of %zu functions", nr);
    }
    free(p.code);
    free(p.symbols);
    return status;
}
