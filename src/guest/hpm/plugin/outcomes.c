/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "guest/hpm/plugin/outcomes.h"

#include <stdlib.h>

#include "guest/hpm/owned.h"
#include "guest/hpm/plugin/opcodes.h"
#include "guest/hpm/plugin/registers.h"

#define BRANCHES (CS_RISCV_OUTCOME(TAKEN) | CS_RISCV_OUTCOME(NOT_TAKEN))
#define TRAPS (CS_RISCV_OUTCOME(EXCEPTION) | CS_RISCV_OUTCOME(INTERRUPT))
#define STVEC 0x105u
#define VSTVEC 0x205u
#define MTVEC 0x305u
#define VECTORED 1u /* of these two: interrupts have addresses of their own */
#define CAUSES 64u
#define INTERRUPTS (UINT64_C(1) << 63) /* a cause of these */

/* The instruction of a hart that brought something about last. */
typedef struct recent {
    uint64_t left;   /* until the hart must look */
    uint64_t number; /* in its mode */
    unsigned mode, from;
    uint32_t outcomes;
} recent;

/* Where traps to a mode go; known since it was written last. */
typedef struct vector {
    uint64_t at;
    bool known;
} vector;

typedef struct branch {
    const place *place;
    cs_riscv_branch compares;
} branch;

static struct {
    recent harts[OWNED_HARTS];
    vector vectors[OWNED_HARTS][HART_MODES];
    counts *counts;
} g;

void outcomes_create(counts *of)
{
    g.counts = of;
}

/* ---- what there is of an instruction ---- */

static recent *recent_of(unsigned cpu, const place *p, bool ahead)
{
    const uint64_t number = hart_executed_in(&cells_of(cpu)->executed, p->mode) + ahead;
    recent *r = &g.harts[cpu];

    if (number != r->number || p->mode != r->mode)
        r->outcomes = 0;
    r->number = number;
    r->mode = p->mode;
    return r;
}

/* Of a mode, at that address. */
static void add(unsigned cpu, unsigned outcome, unsigned mode, uint64_t pc)
{
    const size_t at = counts_place(g.counts, pc, mode == CS_HPM_MODE_U, OUTCOMES_KIND + outcome);
    recent *r = &g.harts[cpu];

    r->outcomes |= 1u << outcome;
    r->left -= r->left > 0;
    cells_of(cpu)->executed.outcomes[mode][outcome]++;
    if (at != COUNTS_NONE)
        cells_counted(cpu)[at]++;
}

static void look(unsigned cpu, const place *p, bool ahead)
{
    if (g.harts[cpu].left > 0)
        return;
    cells_look(cpu);
    if (!ahead)
        cells_of(cpu)->late = (uintptr_t)p;
}

void outcomes_note(unsigned cpu, const place *p, uint32_t outcomes, bool ahead)
{
    outcomes &= ~recent_of(cpu, p, ahead)->outcomes; /* of each one */
    for (unsigned i = 0; i < CS_RISCV_OUTCOMES; i++)
        if ((outcomes >> i & 1) != 0)
            add(cpu, i, p->mode, p->pc);
    look(cpu, p, ahead);
}

void outcomes_plan(unsigned cpu, uint64_t left, uint32_t wanted)
{
    g.harts[cpu].left = left;
    cells_of(cpu)->branches = wanted & BRANCHES;
    cells_of(cpu)->traps = wanted & TRAPS;
}

hart_instruction outcomes_last(unsigned cpu, const place *p)
{
    const recent *r = &g.harts[cpu];
    const bool same =
        r->mode == p->mode && r->number == hart_executed_in(&cells_of(cpu)->executed, p->mode);

    return (hart_instruction){p->mode, p->kind, same ? r->outcomes : 0, r->from};
}

/* ---- branches ---- */

/* It goes on there when it has been executed, which it will be now. */
static void on_branch(unsigned cpu, void *data)
{
    const branch *b = data;

    if (cells_of(cpu)->leave)
        return;
    const bool taken = cs_riscv_is_taken(b->compares, registers_read(b->compares.left),
                                         registers_read(b->compares.right));

    outcomes_note(cpu, b->place, taken ? CS_RISCV_OUTCOME(TAKEN) : CS_RISCV_OUTCOME(NOT_TAKEN),
                  true);
}

static void watch_branch(struct qemu_plugin_insn *insn, const place *p, uint32_t word)
{
    branch *b = malloc(sizeof *b);

    if (b == NULL)
        abort(); /* in the midst of a guest nothing better can be done */
    *b = (branch){p, cs_riscv_branch_of(word)};
    qemu_plugin_register_vcpu_insn_exec_cond_cb(insn, on_branch, QEMU_PLUGIN_CB_R_REGS,
                                                QEMU_PLUGIN_COND_NE,
                                                cells_number(offsetof(cells, branches)), 0, b);
}

/* ---- traps ---- */

static uint64_t vector_of(unsigned cpu, unsigned mode)
{
    vector *v = &g.vectors[cpu][mode];

    if (!v->known)
        v->at = registers_read(mode == CS_HPM_MODE_M ? REGISTERS_MTVEC : REGISTERS_STVEC);
    v->known = true;
    return v->at;
}

static bool is_handler(unsigned cpu, const place *p)
{
    const uint64_t tvec = vector_of(cpu, p->mode), far = p->pc - (tvec & ~UINT64_C(3));

    return far == 0 || ((tvec & 3) == VECTORED && far % 4 == 0 && far < UINT64_C(4) * CAUSES);
}

/* The mode that the trap has come from, which registers of its handler's mode have. */
static unsigned origin(unsigned handler)
{
    const uint64_t machine = registers_read(REGISTERS_MSTATUS);
    const uint64_t supervisor = registers_read(REGISTERS_SSTATUS);
    const uint64_t hypervisor = registers_read(REGISTERS_HSTATUS);

    if (handler == CS_HPM_MODE_M)
        return (unsigned)(machine >> MPP_AT & 3) | (unsigned)(machine >> MPV_AT & 1) << 2;
    if (handler == CS_HPM_MODE_VS)
        return (unsigned)(supervisor >> SPP_AT & 1) | 1u << 2;
    return (unsigned)(supervisor >> SPP_AT & 1) | (unsigned)(hypervisor >> SPV_AT & 1) << 2;
}

/* A handler begins: after a trap, of which it has the mode, the address and the cause. */
static void on_block(unsigned cpu, void *data)
{
    const place *p = data;
    const bool machine = p->mode == CS_HPM_MODE_M;

    if (cells_of(cpu)->leave || !is_handler(cpu, p))
        return;
    const uint64_t cause = registers_read(machine ? REGISTERS_MCAUSE : REGISTERS_SCAUSE);
    const unsigned from = origin(p->mode);

    recent_of(cpu, p, true)->from = from;
    add(cpu, (cause & INTERRUPTS) != 0 ? CS_RISCV_INTERRUPT : CS_RISCV_EXCEPTION, from,
        registers_read(machine ? REGISTERS_MEPC : REGISTERS_SEPC));
    look(cpu, p, true);
}

static bool is_vector(uint32_t csr)
{
    return csr == STVEC || csr == VSTVEC || csr == MTVEC;
}

static void on_new_vector(unsigned cpu, void *data)
{
    (void)data;
    for (unsigned mode = 0; mode < HART_MODES; mode++)
        g.vectors[cpu][mode].known = false;
}

void outcomes_watch(struct qemu_plugin_insn *insn, const place *p, uint32_t word, size_t nr)
{
    if (p->kind == CS_RISCV_BRANCH)
        watch_branch(insn, p, word);
    if (p->kind == CS_RISCV_CSR && is_vector(word >> 20))
        qemu_plugin_register_vcpu_insn_exec_cb(insn, on_new_vector, QEMU_PLUGIN_CB_NO_REGS, NULL);
    if (nr == 0 && p->mode != CS_HPM_MODE_U && p->mode != CS_HPM_MODE_VU)
        qemu_plugin_register_vcpu_insn_exec_cond_cb(
            insn, on_block, QEMU_PLUGIN_CB_R_REGS, QEMU_PLUGIN_COND_NE,
            cells_number(offsetof(cells, traps)), 0, (void *)p);
}
