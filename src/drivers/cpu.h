// SPDX-License-Identifier: Apache-2.0
/* A CPU port: runs one piece of software (software.h) as a bus manager (docs/hw/cpu.md). Several are
 * executed in the order of cycles, and within a cycle in that of their numbers: what software of one
 * does, software of the others sees from its next operation on.
 *
 * Time: all cycles below cs_cpu_now() have been executed; the state is that of cycle cs_cpu_now().
 * Interrupts and completions are posted for a cycle that has not been executed yet. */
#ifndef CS_DRIVERS_CPU_H
#define CS_DRIVERS_CPU_H

#include "drivers/software.h"
#include <countersink/base/bus/bus_port.h>
#include <countersink/base/cycle.h>
#include <countersink/base/diag.h>
#include <countersink/base/numbers.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cs_cpu cs_cpu;

typedef struct cs_cpu_env {
    cs_bus_port bus; /* port 0 */
    cs_software software;
    /* The core (cs_op.core) leaves or resumes its workload at `cycle`. May be NULL. */
    void (*enter)(void *ctx, cs_cycle cycle, unsigned core);
    void (*leave)(void *ctx, cs_cycle cycle, unsigned core);
    /* Another core is interrupted (cs_op's SIGNAL starts in `cycle`). May be NULL. */
    void (*signal)(void *ctx, cs_cycle cycle, unsigned core, uint64_t lines);
    void *core_ctx;
} cs_cpu_env;

/* The software's first operation starts in cycle 1: executing cycle 0 asks for it. */
cs_status cs_cpu_create(const cs_cpu_env *env, cs_cpu **out, cs_diag *diag);
void cs_cpu_destroy(cs_cpu *cpu);
cs_cycle cs_cpu_now(const cs_cpu *cpu);
/* The earliest cycle whose execution changes anything if no input comes; CS_NEVER while waiting
 * for an interrupt without limit, for a pending transfer, or at the end. */
cs_cycle cs_cpu_next(const cs_cpu *cpu);
/* Executes cycles below `to`. Returns the new now. */
cs_cycle cs_cpu_advance(cs_cpu *cpu, cs_cycle to);
/* An interrupt line has `level` from `cycle` >= now on. Cycles never fall from call to call. */
void cs_cpu_irq(cs_cpu *cpu, cs_cycle cycle, unsigned line, bool level);
/* Of its own lines (CS_LINE_IPI) these rise in `cycle` >= now; each falls when a wait has ended by it.
 * One that is high, or on its way, is not sent again. */
void cs_cpu_signal(cs_cpu *cpu, cs_cycle cycle, uint64_t lines);
void cs_cpu_bus_done(cs_cpu *cpu, const cs_bus_txn *txn);
bool cs_cpu_waits_for_irq(const cs_cpu *cpu);
bool cs_cpu_ended(const cs_cpu *cpu);
/* The cycle in which the software ended; CS_NEVER before. */
cs_cycle cs_cpu_end_cycle(const cs_cpu *cpu);

#ifdef __cplusplus
}
#endif

#endif
