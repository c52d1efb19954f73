// SPDX-License-Identifier: Apache-2.0
/* Each operation is begun when the cycle before its first is executed, and ends in the cycle
 * that cs_cpu_next names: by itself, by the completion of its transfer or by the line. */
#include "drivers/cpu.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/require.h"

/* Changes of lines that lie ahead. A unit raises its line once on its own and lowers it when
 * software writes to it, so that more than two of a line do not occur. */
#define MAX_EDGES (2u * CS_FIRST_IPI)

typedef struct edge {
    cs_cycle cycle;
    uint64_t line; /* its bit */
    bool level;
} edge;

struct cs_cpu {
    cs_cpu_env env;
    cs_cycle now;
    cs_op_kind kind; /* of the operation under way */
    bool first;      /* it is the wait of cycle 0, which the software did not order */
    cs_cycle due;    /* the cycle in which it ends without further input; CS_NEVER: none */
    cs_bus_txn txn;
    uint64_t wanted;            /* lines that end the wait under way */
    uint64_t lines;             /* that are high in cycle now */
    cs_cycle ipis[CS_MAX_IPIS]; /* lines of its own rise; CS_NEVER: nothing is on the way */
    cs_cycle first_ipi;         /* the first of them */
    edge edges[MAX_EDGES];
    unsigned nr_edges;
    struct cs_cpu *spins; /* who gets the lock after this one */
    cs_cycle end_cycle;
};

cs_status cs_cpu_create(const cs_cpu_env *env, cs_cpu **out, cs_diag *diag)
{
    *out = NULL;
    if (env == NULL || env->bus.submit == NULL || env->software.next == NULL)
        return cs_diag_set(diag, CS_ERR_RANGE, "cpu",
                           "env: bus.submit and software.next must be set");

    cs_cpu *cpu = calloc(1, sizeof *cpu);
    *out = cpu;
    if (cpu == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, "cpu", "no memory for the CPU port");
    cpu->env = *env;
    cpu->kind = CS_OP_DELAY;
    cpu->first = true;
    cpu->due = 0;
    for (unsigned i = 0; i < CS_MAX_IPIS; i++)
        cpu->ipis[i] = CS_NEVER;
    cpu->first_ipi = CS_NEVER;
    cpu->end_cycle = CS_NEVER;
    return CS_OK;
}

void cs_cpu_destroy(cs_cpu *cpu)
{
    free(cpu);
}

cs_cycle cs_cpu_now(const cs_cpu *cpu)
{
    return cpu->now;
}

/* The first cycle >= now in which a line is high that ends the wait, as far as is known. */
static cs_cycle line_high(const cs_cpu *cpu)
{
    cs_cycle first = CS_NEVER;

    if ((cpu->lines & cpu->wanted) != 0)
        return cpu->now;
    for (unsigned i = 0; cpu->first_ipi != CS_NEVER && i < CS_MAX_IPIS; i++)
        if (cpu->ipis[i] < first && (cpu->wanted & CS_LINE(CS_FIRST_IPI + i)) != 0)
            first = cpu->ipis[i];
    for (unsigned i = 0; i < cpu->nr_edges; i++)
        if (cpu->edges[i].level && (cpu->edges[i].line & cpu->wanted) != 0)
            return cpu->edges[i].cycle < first ? cpu->edges[i].cycle : first;
    return first;
}

cs_cycle cs_cpu_next(const cs_cpu *cpu)
{
    cs_cycle high;

    if (cpu->kind != CS_OP_WAIT_IRQ)
        return cpu->due;
    high = line_high(cpu);
    return high < cpu->due ? high : cpu->due;
}

static void raise_ipis(cs_cpu *cpu, cs_cycle cycle)
{
    cpu->first_ipi = CS_NEVER;
    for (unsigned i = 0; i < CS_MAX_IPIS; i++) {
        if (cpu->ipis[i] <= cycle) {
            cpu->lines |= CS_LINE(CS_FIRST_IPI + i);
            cpu->ipis[i] = CS_NEVER;
        }
        if (cpu->ipis[i] < cpu->first_ipi)
            cpu->first_ipi = cpu->ipis[i];
    }
}

static void move_to(cs_cpu *cpu, cs_cycle cycle)
{
    unsigned passed = 0;

    cpu->now = cycle;
    while (passed < cpu->nr_edges && cpu->edges[passed].cycle <= cycle) {
        const edge *e = &cpu->edges[passed++];

        cpu->lines = e->level ? cpu->lines | e->line : cpu->lines & ~e->line;
    }
    if (cpu->first_ipi <= cycle)
        raise_ipis(cpu, cycle);
    cpu->nr_edges -= passed;
    for (unsigned i = 0; i < cpu->nr_edges; i++)
        cpu->edges[i] = cpu->edges[i + passed];
}

/* ---- operations begin ---- */

static cs_cycle cpu_after(cs_cycle start, uint64_t cycles)
{
    return cycles <= CS_NEVER - start ? start + cycles : CS_NEVER;
}

static void begin_transfer(cs_cpu *cpu, const cs_op *op, cs_cycle start)
{
    bool write = op->kind == CS_OP_WRITE || op->kind == CS_OP_WRITE_BURST;
    bool burst = op->kind == CS_OP_WRITE_BURST || op->kind == CS_OP_READ_BURST;

    cpu->txn = (cs_bus_txn){
        .addr = op->addr,
        .request = start,
        .write = write,
        .size = burst ? CS_BUS_BEAT_BYTES : op->size,
        .beats = burst ? op->beats : 1,
    };
    CS_REQUIRE(cpu->txn.size <= CS_BUS_BEAT_BYTES && cpu->txn.beats <= CS_BUS_MAX_BEATS,
               "CPU: a transfer of %u beats of %u bytes: must be at most %u of %u", cpu->txn.beats,
               cpu->txn.size, CS_BUS_MAX_BEATS, CS_BUS_BEAT_BYTES);
    for (unsigned i = 0; write && i < cs_bus_txn_bytes(&cpu->txn); i++)
        cpu->txn.data[i] = (uint8_t)(burst ? op->data[i] : op->value >> (8 * i));
    cpu->due = CS_NEVER;
    if (cpu->env.bus.submit(cpu->env.bus.ctx, 0, &cpu->txn) == CS_BUS_DONE)
        cpu->due = cpu->txn.complete;
}

/* True: it has the lock at once. */
static bool cpu_take(cs_cpu *cpu, cs_lock *lock)
{
    CS_REQUIRE(lock->owner != cpu, "CPU: takes a lock in cycle %" PRIu64 ": has it already",
               cpu->now);
    if (lock->owner == NULL) {
        lock->owner = cpu;
        return true;
    }
    cpu->spins = NULL;
    if (lock->first == NULL)
        lock->first = cpu;
    else
        lock->last->spins = cpu;
    lock->last = cpu;
    cpu->due = CS_NEVER;
    return false;
}

/* The first of those who spin has it from `start` on, and sees so in this cycle. */
static void cpu_give(cs_cpu *cpu, cs_lock *lock, cs_cycle start)
{
    cs_cpu *next = lock->first;

    CS_REQUIRE(lock->owner == cpu, "CPU: gives a lock back in cycle %" PRIu64 ": does not have it",
               start);
    lock->owner = next;
    if (next == NULL)
        return;
    lock->first = next->spins;
    next->due = start;
}

/* Asks the software until it orders something that takes time. */
static void cpu_ask(cs_cpu *cpu, cs_cycle start, const cs_op_result *last)
{
    static const cs_op_result nothing = {0};

    for (;; last = &nothing) {
        cs_op op = {0};

        cpu->env.software.next(cpu->env.software.ctx, start, last, &op);
        cpu->kind = op.kind;
        switch (op.kind) {
        case CS_OP_ENTER:
            if (cpu->env.enter != NULL)
                cpu->env.enter(cpu->env.core_ctx, start, op.core);
            continue;
        case CS_OP_LEAVE:
            if (cpu->env.leave != NULL)
                cpu->env.leave(cpu->env.core_ctx, start, op.core);
            continue;
        case CS_OP_DELAY:
        case CS_OP_SLEEP:
            CS_REQUIRE(op.cycles > 0,
                       "CPU: a delay in cycle %" PRIu64 ": must be of 1 cycle or more", start);
            cpu->due = cpu_after(start, op.cycles - 1);
            return;
        case CS_OP_WAIT_IRQ:
            cpu->wanted = op.lines;
            cpu->due = op.cycles != 0 ? cpu_after(start, op.cycles - 1) : CS_NEVER;
            return;
        case CS_OP_SIGNAL:
            if (cpu->env.signal != NULL)
                cpu->env.signal(cpu->env.core_ctx, start, op.core, op.lines);
            cpu->due = start;
            return;
        case CS_OP_LOCK:
            if (!cpu_take(cpu, op.lock))
                return;
            continue;
        case CS_OP_UNLOCK:
            cpu_give(cpu, op.lock, start);
            continue;
        case CS_OP_END:
            cpu->due = CS_NEVER;
            cpu->end_cycle = start;
            return;
        case CS_OP_READ:
        case CS_OP_WRITE:
        case CS_OP_READ_BURST:
        case CS_OP_WRITE_BURST:
            begin_transfer(cpu, &op, start);
            return;
        }
    }
}

/* ---- operations end ---- */

static void fill_result(cs_cpu *cpu, cs_op_result *result)
{
    switch (cpu->kind) {
    case CS_OP_WAIT_IRQ:
        result->lines = cpu->lines & cpu->wanted;
        result->irq = result->lines != 0;
        cpu->lines &= ~(result->lines & CS_LINES_IPI); /* who hears it takes it */
        return;
    case CS_OP_READ:
    case CS_OP_WRITE:
    case CS_OP_READ_BURST:
    case CS_OP_WRITE_BURST:
        break;
    default:
        return;
    }
    result->resp = cpu->txn.resp;
    if (cpu->kind == CS_OP_READ)
        for (unsigned i = 0; i < cpu->txn.size; i++)
            result->value |= (uint64_t)cpu->txn.data[i] << (8 * i);
    if (cpu->kind == CS_OP_READ_BURST)
        result->data = cpu->txn.data;
}

/* Executes cycle now, in which the operation ends. */
static void cpu_execute(cs_cpu *cpu)
{
    cs_op_result result = {0};
    cs_bus_txn done;
    bool first = cpu->first;
    cs_cycle start = cpu->now + 1;

    fill_result(cpu, &result);
    if (result.data != NULL) {
        done = cpu->txn; /* the next transfer takes the place of this one */
        result.data = done.data;
    }
    cpu->first = false;
    move_to(cpu, start);
    cpu_ask(cpu, start, first ? NULL : &result);
}

cs_cycle cs_cpu_advance(cs_cpu *cpu, cs_cycle to)
{
    while (cpu->now < to) {
        cs_cycle next = cs_cpu_next(cpu);

        move_to(cpu, next < to ? next : to);
        if (next < to)
            cpu_execute(cpu);
    }
    return cpu->now;
}

/* ---- inputs ---- */

void cs_cpu_irq(cs_cpu *cpu, cs_cycle cycle, unsigned line, bool level)
{
    const cs_cycle next = cs_cpu_next(cpu);
    const uint64_t bit = CS_LINE(line);

    CS_REQUIRE(line < CS_FIRST_IPI, "CPU: interrupt line %u: must be 0..%u", line,
               CS_FIRST_IPI - 1);
    move_to(cpu, next < cycle ? next : cycle); /* nothing happens before: no edge need be kept */
    if (cpu->nr_edges > 0 && cpu->edges[cpu->nr_edges - 1].cycle == cycle &&
        cpu->edges[cpu->nr_edges - 1].line == bit)
        cpu->nr_edges--;
    CS_REQUIRE(cpu->nr_edges < MAX_EDGES,
               "CPU: more than %u changes of interrupt lines to come: must be advanced in between",
               MAX_EDGES);
    cpu->edges[cpu->nr_edges++] = (edge){cycle, bit, level};
    move_to(cpu, cpu->now);
}

void cs_cpu_signal(cs_cpu *cpu, cs_cycle cycle, uint64_t lines)
{
    for (unsigned i = 0; i < CS_MAX_IPIS; i++) {
        const uint64_t line = CS_LINE(CS_FIRST_IPI + i);

        if ((lines & line) == 0 || (cpu->lines & line) != 0 || cpu->ipis[i] != CS_NEVER)
            continue;
        cpu->ipis[i] = cycle;
        cpu->first_ipi = cycle < cpu->first_ipi ? cycle : cpu->first_ipi;
    }
    move_to(cpu, cpu->now);
}

void cs_cpu_bus_done(cs_cpu *cpu, const cs_bus_txn *txn)
{
    if (txn != &cpu->txn)
        cpu->txn = *txn;
    cpu->due = cpu->txn.complete;
}

bool cs_cpu_waits_for_irq(const cs_cpu *cpu)
{
    return cpu->kind == CS_OP_WAIT_IRQ;
}

bool cs_cpu_ended(const cs_cpu *cpu)
{
    return cpu->end_cycle != CS_NEVER;
}

cs_cycle cs_cpu_end_cycle(const cs_cpu *cpu)
{
    return cpu->end_cycle;
}
