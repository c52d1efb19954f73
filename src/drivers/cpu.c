/* Each operation is begun when the cycle before its first is executed, and ends in the cycle
 * that cs_cpu_next names: by itself, by the completion of its transfer or by the line. */
#include "drivers/cpu.h"

#include <assert.h>
#include <stdlib.h>

/* Changes of the line that lie ahead. The unit raises its line once on its own and lowers it
 * when software writes to it, so that more than two do not occur. */
#define MAX_EDGES 8u

typedef struct edge {
    cycle_t cycle;
    bool level;
} edge;

struct cs_cpu {
    cs_cpu_env env;
    cycle_t now;
    cs_op_kind kind; /* of the operation under way */
    bool first;      /* it is the wait of cycle 0, which the software did not order */
    cycle_t due;     /* the cycle in which it ends without further input; CS_NEVER: none */
    cs_bus_txn txn;
    bool line; /* in cycle now */
    edge edges[MAX_EDGES];
    unsigned nr_edges;
    cycle_t end_cycle;
};

cs_status cs_cpu_create(const cs_cpu_env *env, cs_cpu **out, cs_diag *diag)
{
    cs_cpu *cpu = calloc(1, sizeof *cpu);

    *out = cpu;
    if (cpu == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, "cpu", "no memory for the CPU port");
    cpu->env = *env;
    cpu->kind = CS_OP_DELAY;
    cpu->first = true;
    cpu->due = 0;
    cpu->end_cycle = CS_NEVER;
    return CS_OK;
}

void cs_cpu_destroy(cs_cpu *cpu)
{
    free(cpu);
}

cycle_t cs_cpu_now(const cs_cpu *cpu)
{
    return cpu->now;
}

/* The first cycle >= now in which the line is high, as far as is known. */
static cycle_t line_high(const cs_cpu *cpu)
{
    if (cpu->line)
        return cpu->now;
    for (unsigned i = 0; i < cpu->nr_edges; i++)
        if (cpu->edges[i].level)
            return cpu->edges[i].cycle;
    return CS_NEVER;
}

cycle_t cs_cpu_next(const cs_cpu *cpu)
{
    cycle_t high;

    if (cpu->kind != CS_OP_WAIT_IRQ)
        return cpu->due;
    high = line_high(cpu);
    return high < cpu->due ? high : cpu->due;
}

static void move_to(cs_cpu *cpu, cycle_t cycle)
{
    unsigned passed = 0;

    cpu->now = cycle;
    while (passed < cpu->nr_edges && cpu->edges[passed].cycle <= cycle)
        cpu->line = cpu->edges[passed++].level;
    cpu->nr_edges -= passed;
    for (unsigned i = 0; i < cpu->nr_edges; i++)
        cpu->edges[i] = cpu->edges[i + passed];
}

/* ---- operations begin ---- */

static cycle_t after(cycle_t start, uint64_t cycles)
{
    return cycles <= CS_NEVER - start ? start + cycles : CS_NEVER;
}

static void begin_transfer(cs_cpu *cpu, const cs_op *op, cycle_t start)
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
    assert(cpu->txn.size <= CS_BUS_BEAT_BYTES && cpu->txn.beats <= CS_BUS_MAX_BEATS);
    for (unsigned i = 0; write && i < cs_bus_txn_bytes(&cpu->txn); i++)
        cpu->txn.data[i] = (uint8_t)(burst ? op->data[i] : op->value >> (8 * i));
    cpu->due = CS_NEVER;
    if (cpu->env.bus.submit(cpu->env.bus.ctx, 0, &cpu->txn) == CS_BUS_DONE)
        cpu->due = cpu->txn.complete;
}

/* Asks the software until it orders something that takes time. */
static void ask(cs_cpu *cpu, cycle_t start, const cs_op_result *last)
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
            assert(op.cycles > 0);
            cpu->due = after(start, op.cycles - 1);
            return;
        case CS_OP_WAIT_IRQ:
            cpu->due = op.cycles != 0 ? after(start, op.cycles - 1) : CS_NEVER;
            return;
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

static void fill_result(const cs_cpu *cpu, cs_op_result *result)
{
    if (cpu->kind == CS_OP_WAIT_IRQ) {
        result->irq = cpu->line;
        return;
    }
    if (cpu->kind == CS_OP_DELAY || cpu->kind == CS_OP_SLEEP)
        return;
    result->resp = cpu->txn.resp;
    if (cpu->kind == CS_OP_READ)
        for (unsigned i = 0; i < cpu->txn.size; i++)
            result->value |= (uint64_t)cpu->txn.data[i] << (8 * i);
    if (cpu->kind == CS_OP_READ_BURST)
        result->data = cpu->txn.data;
}

/* Executes cycle now, in which the operation ends. */
static void execute(cs_cpu *cpu)
{
    cs_op_result result = {0};
    cs_bus_txn done;
    bool first = cpu->first;
    cycle_t start = cpu->now + 1;

    fill_result(cpu, &result);
    if (result.data != NULL) {
        done = cpu->txn; /* the next transfer takes the place of this one */
        result.data = done.data;
    }
    cpu->first = false;
    move_to(cpu, start);
    ask(cpu, start, first ? NULL : &result);
}

cycle_t cs_cpu_advance(cs_cpu *cpu, cycle_t to)
{
    while (cpu->now < to) {
        cycle_t next = cs_cpu_next(cpu);

        move_to(cpu, next < to ? next : to);
        if (next < to)
            execute(cpu);
    }
    return cpu->now;
}

/* ---- inputs ---- */

void cs_cpu_irq(cs_cpu *cpu, cycle_t cycle, bool level)
{
    if (cpu->nr_edges > 0 && cpu->edges[cpu->nr_edges - 1].cycle == cycle)
        cpu->nr_edges--;
    assert(cpu->nr_edges < MAX_EDGES);
    if (cpu->nr_edges < MAX_EDGES)
        cpu->edges[cpu->nr_edges++] = (edge){cycle, level};
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

cycle_t cs_cpu_end_cycle(const cs_cpu *cpu)
{
    return cpu->end_cycle;
}
