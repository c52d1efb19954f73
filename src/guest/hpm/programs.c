// SPDX-License-Identifier: Apache-2.0
#include "guest/hpm/programs.h"

#include <elf.h>
#include <stdbool.h>
#include <stdlib.h>

#include "guest/log.h"
#include "guest/made.h"

/* Linux's system calls. */
#define SYS_READ 63
#define SYS_EXIT 93

/* ---- instructions ---- */

enum {
    ZERO = 0,
    RA = 1,
    SP = 2,
    T0 = 5,
    T1 = 6,
    S0 = 8,
    A0 = 10,
    A1 = 11,
    A2 = 12,
    A7 = 17,
    DATA = 21,
    FAR_DATA = 22,
    T3 = 28
};

static uint32_t addi(unsigned to, unsigned from, int value)
{
    return 0x13u | to << 7 | from << 15 | (uint32_t)value << 20;
}

static uint32_t li(unsigned to, int value)
{
    return addi(to, ZERO, value);
}

/* The upper 20 bits, such that addi with the lower 12, which has a sign, gives the value. */
static uint32_t lui(unsigned to, uint32_t value)
{
    return 0x37u | to << 7 | ((value + 0x800u) & 0xfffff000u);
}

static int low(uint32_t value)
{
    return (int)(value & 0xfffu) - (int)((value & 0x800u) << 1);
}

static uint32_t ld(unsigned to, unsigned base, unsigned offset)
{
    return 0x3003u | to << 7 | base << 15 | offset << 20;
}

static uint32_t sd(unsigned from, unsigned base, unsigned offset)
{
    return 0x3023u | (offset & 31u) << 7 | base << 15 | from << 20 | offset >> 5 << 25;
}

static uint32_t jal(unsigned link, int offset)
{
    const uint32_t at = (uint32_t)offset;

    return 0x6fu | link << 7 | (at >> 12 & 0xffu) << 12 | (at >> 11 & 1u) << 20 |
           (at >> 1 & 0x3ffu) << 21 | (at >> 20 & 1u) << 31;
}

static uint32_t branch(uint32_t kind, unsigned left, unsigned right, int offset)
{
    const uint32_t at = (uint32_t)offset;

    return kind | left << 15 | right << 20 | (at >> 11 & 1u) << 7 | (at >> 1 & 15u) << 8 |
           (at >> 5 & 63u) << 25 | (at >> 12 & 1u) << 31;
}

#define BNE 0x1063u
#define BGE 0x5063u
#define ECALL 0x73u
#define RET 0x8067u

/* ---- the programs ---- */

static void call_us(cs_made *p, unsigned what)
{
    cs_made_emit(p, li(A0, (int)what));
    cs_made_emit(p, CS_RISCV_CALL);
}

static void leave(cs_made *p)
{
    cs_made_emit(p, li(A7, SYS_EXIT));
    cs_made_emit(p, li(A0, 0));
    cs_made_emit(p, ECALL);
}

cs_status cs_riscv_make_put(uint8_t **elf, size_t *bytes, cs_diag *diag)
{
    uint32_t code[64];
    cs_made_symbol start = {"_start", 0, 0};
    cs_made p = {.machine = EM_RISCV,
                 .code = code,
                 .most_code = 64,
                 .symbols = &start,
                 .nr_symbols = 1,
                 .base = CS_MADE_PUT_BASE,
                 .memory = CS_MADE_PUT_BUFFER - CS_MADE_PUT_BASE + CS_MADE_PUT_BYTES};

    cs_made_emit(&p, ld(A1, SP, 16)); /* argv[1] */
    call_us(&p, CS_GUEST_CALL_NAME);

    const size_t again = p.nr_code;
    cs_made_emit(&p, li(A7, SYS_READ));
    cs_made_emit(&p, li(A0, 0));
    cs_made_emit(&p, lui(A1, CS_MADE_PUT_BUFFER));
    cs_made_emit(&p, lui(A2, CS_MADE_PUT_BYTES));
    cs_made_emit(&p, ECALL);
    cs_made_emit(&p, branch(BGE, ZERO, A0, 6 * 4)); /* the end, or an error */
    cs_made_emit(&p, addi(A2, A0, 0));
    cs_made_emit(&p, lui(A1, CS_MADE_PUT_BUFFER));
    call_us(&p, CS_GUEST_CALL_PUT);
    cs_made_emit(&p, jal(ZERO, cs_made_back_to(&p, again)));
    leave(&p);
    start.count = p.nr_code;
    return cs_made_file(&p, elf, bytes, diag);
}

static bool strides(const cs_guest_spec *guest)
{
    for (size_t i = 0; i < guest->program.nr_functions; i++)
        if (guest->program.functions[i].stride > 0)
            return true;
    return false;
}

/* Where functions find their data; a first store, that none of theirs is interrupted. */
static void emit_data(cs_made *p, bool far)
{
    cs_made_emit(p, lui(DATA, CS_MADE_PROGRAM_BASE));
    cs_made_emit(p, addi(DATA, DATA, CS_MADE_DATA_OFFSET / 2));
    cs_made_emit(p, addi(DATA, DATA, CS_MADE_DATA_OFFSET / 2));
    cs_made_emit(p, sd(DATA, DATA, 0));
    if (far)
        cs_made_emit(p, lui(FAR_DATA, CS_MADE_STRIDES));
}

static void load_number(cs_made *p, unsigned to, uint32_t value)
{
    cs_made_emit(p, lui(to, value));
    cs_made_emit(p, addi(to, to, low(value)));
}

static void emit_main(cs_made *p, const cs_guest_spec *guest, size_t first_function)
{
    emit_data(p, strides(guest));
    load_number(p, S0, guest->program.rounds);

    const size_t again = p->nr_code;
    for (size_t i = 0; i < guest->program.nr_functions; i++) {
        load_number(p, A0, guest->program.functions[i].loops);
        cs_made_emit(p, jal(RA, cs_made_back_to(p, first_function + i * (CS_GUEST_LOOP_BODY + 3))));
    }
    cs_made_emit(p, addi(S0, S0, -1));
    cs_made_emit(p, branch(BNE, S0, ZERO, cs_made_back_to(p, again)));
    leave(p);
}

/* Of a loop before its count. */
static uint32_t body(const cs_guest_function *of, unsigned nr)
{
    const unsigned reg = T3 + nr % 4, data = of->stride > 0 ? T1 : DATA;

    if (nr < of->loads)
        return ld(reg, data, 8 * nr);
    if (nr < of->loads + of->stores)
        return sd(reg, data, 8 * nr);
    return of->stride > 0 && nr == CS_RISCV_LOOP_BODY - 1 ? addi(T1, T1, of->stride)
                                                          : addi(reg, reg, 1);
}

static void emit_function(cs_made *p, const cs_guest_function *f)
{
    const unsigned loops = f->stride > 0 ? A0 : T0;

    cs_made_emit(p, f->stride > 0 ? addi(T1, FAR_DATA, 0) : addi(T0, A0, 0));

    const size_t again = p->nr_code;
    for (unsigned k = 0; k < CS_RISCV_LOOP_BODY; k++)
        cs_made_emit(p, body(f, k));
    cs_made_emit(p, addi(loops, loops, -1));
    cs_made_emit(p, branch(BNE, loops, ZERO, cs_made_back_to(p, again)));
    cs_made_emit(p, RET);
}

cs_status cs_riscv_make_program(const cs_guest_spec *guest, uint8_t **elf, size_t *bytes,
                                cs_diag *diag)
{
    const size_t nr = guest->program.nr_functions, each = CS_GUEST_LOOP_BODY + 3;
    const bool far = strides(guest);
    const size_t main_count = 4 + far + 2 + 3 * nr + 2 + 3;
    cs_made p = {.machine = EM_RISCV,
                 .most_code = main_count + nr * each,
                 .nr_symbols = nr + 1,
                 .base = CS_MADE_PROGRAM_BASE};
    cs_status status = CS_ERR_NO_MEMORY;

    p.code = calloc(p.most_code, sizeof *p.code);
    p.symbols = calloc(nr + 1, sizeof *p.symbols);
    if (p.code != NULL && p.symbols != NULL) {
        p.memory = far ? CS_MADE_STRIDES - CS_MADE_PROGRAM_BASE + CS_GUEST_STRIDE_BYTES + 0x1000
                       : CS_MADE_CODE_OFFSET + 4 * p.most_code;
        p.symbols[0] = (cs_made_symbol){"_start", 0, main_count};
        emit_main(&p, guest, main_count);
        for (size_t i = 0; i < nr; i++) {
            p.symbols[i + 1] = (cs_made_symbol){guest->program.functions[i].name, p.nr_code, each};
            emit_function(&p, &guest->program.functions[i]);
        }
        status = cs_made_file(&p, elf, bytes, diag);
    } else {
        cs_diag_set(diag, status, NULL, "a program of %zu functions", nr);
    }
    free(p.code);
    free(p.symbols);
    return status;
}
