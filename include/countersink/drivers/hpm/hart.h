// SPDX-License-Identifier: Apache-2.0
/* A hart that runs software: its CSR block, its manager port on the bus, and straight-line C code
 * above them (docs/hw/hart.md). Firmware, driver and hypervisor are written against the functions
 * of the first half; a call takes simulated time and comes back with its result. The second half
 * is for programs that contain a hart: the model system, the RTL system, a program of its
 * own (docs/yours/embedding_hart.md).
 *
 * Time: cs_hart_now is the cycle in which the next operation begins. */
#ifndef CS_DRIVERS_HPM_HART_H
#define CS_DRIVERS_HPM_HART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <countersink/base/bus/bus_port.h>
#include <countersink/base/cycle.h>
#include <countersink/base/diag.h>
#include <countersink/base/stream/events.h>
#include <countersink/models/hpm/hpm.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cs_hart cs_hart;

/* What runs on a hart: tracks of its timeline (countersink/base/stream/timeline.h). */
typedef enum cs_hart_track {
    CS_HART_WORKLOAD = 0,
    CS_HART_KERNEL = 1,   /* S (HS): driver, hypervisor */
    CS_HART_FIRMWARE = 2, /* M */
    CS_HART_GUEST = 3     /* VS: a guest's driver */
} cs_hart_track;
#define CS_HART_TRACKS 4u

/* Lines of the CSR block, as a mask. */
#define CS_HART_LCOFI_M 1u
#define CS_HART_LCOFI_S 2u
#define CS_HART_LCOFI_VS 4u

typedef struct cs_hart_costs {
    unsigned csr_cycles;         /* a CSR instruction; >= 1 */
    unsigned trap_cycles;        /* from the workload or a lower mode into a handler's first line */
    unsigned return_cycles;      /* the way back */
    unsigned irq_latency_cycles; /* from the line's rise to the trap */
    unsigned access_cycles;      /* before each load or store */
} cs_hart_costs;

/* ---- for software ---- */

cs_cycle cs_hart_now(const cs_hart *hart);
/* mtime of that cycle. */
uint64_t cs_hart_time(const cs_hart *hart);
const cs_hart_costs *cs_hart_get_costs(const cs_hart *hart);
/* 32 or 64. */
unsigned cs_hart_xlen(const cs_hart *hart);
unsigned cs_hart_number(const cs_hart *hart);

cs_hart_track cs_hart_running(const cs_hart *hart);
/* From now on this track runs; takes no time. Returns the one that ran. */
cs_hart_track cs_hart_run(cs_hart *hart, cs_hart_track track);
/* Into a handler, and back to `track` from there: run with the costs of the way. */
cs_hart_track cs_hart_trap(cs_hart *hart, cs_hart_track track);
void cs_hart_return(cs_hart *hart, cs_hart_track track);

/* A CSR instruction in the mode of the track that runs. */
cs_hpm_result cs_hart_csr(cs_hart *hart, uint16_t csr, cs_hpm_op op, uint64_t value);
/* The same, where an exception is not expected: 0 then, and remembered (cs_hart_failed). */
uint64_t cs_hart_csr_read(cs_hart *hart, uint16_t csr);
void cs_hart_csr_write(cs_hart *hart, uint16_t csr, uint64_t value);
uint64_t cs_hart_csr_set(cs_hart *hart, uint16_t csr, uint64_t bits);
uint64_t cs_hart_csr_clear(cs_hart *hart, uint16_t csr, uint64_t bits);
/* A CSR instruction of cs_hart_csr_* trapped, and no handler carried it out: the first such as text;
 * NULL: none. */
const char *cs_hart_failed(const cs_hart *hart);

/* Who carries out what traps as a virtual instruction of the guest in the cs_hart_csr_* functions, as a
 * hypervisor does: called on the guest's track, it returns on it. False: it does not. */
typedef bool (*cs_hart_emulator)(void *ctx, cs_hart *hart, uint16_t csr, cs_hpm_op op,
                                 uint64_t value, uint64_t *old);
void cs_hart_emulate(cs_hart *hart, cs_hart_emulator emulator, void *ctx);

/* `bytes` bytes at any address, in as few transfers as docs/hw/bus.md allows. Returns the worst
 * response. */
cs_bus_resp cs_hart_load(cs_hart *hart, uint64_t address, void *data, size_t bytes);
cs_bus_resp cs_hart_store(cs_hart *hart, uint64_t address, const void *data, size_t bytes);
/* Little-endian words. */
cs_bus_resp cs_hart_store64(cs_hart *hart, uint64_t address, uint64_t value);
cs_bus_resp cs_hart_load64(cs_hart *hart, uint64_t address, uint64_t *value);

/* Work of `cycles` cycles that nothing else sees; but see cs_hart_intercept. */
void cs_hart_work(cs_hart *hart, uint64_t cycles);

/* Nothing, while whatever runs goes on, until one of the lines is high or the cycle is `until`.
 * Returns the lines of the mask that are high; 0: it is `until`. */
unsigned cs_hart_wait(cs_hart *hart, cs_cycle until, unsigned lines);

/* Who the workload is at the cycle of now, or was when it was left. */
void cs_hart_context(cs_hart *hart, cs_context *out);
/* Who runs now, software or not. Software has the workload's ids. */
void cs_hart_here(cs_hart *hart, cs_context *out);
/* The first cycle, now or later, in which the workload takes interrupts of S mode. */
cs_cycle cs_hart_irqs_on(const cs_hart *hart);

/* Lines that interrupt software, too: in a cycle of work on the kernel's or a guest's track in which
 * one of them is high. `irq_latency_cycles` later the handler is called, on that track; it returns
 * on it. CSR instructions and transfers are not interrupted. 0: none. */
typedef void (*cs_hart_interceptor)(void *ctx, cs_hart *hart);
void cs_hart_intercept(cs_hart *hart, unsigned lines, cs_hart_interceptor handler, void *ctx);

/* ---- for those who build one in ---- */

typedef struct cs_hart_env {
    /* The CSR block carries out the access of cycle e; calls come in rising cycles. */
    cs_hpm_result (*csr)(void *ctx, cs_cycle e, const cs_hpm_access *access);
    /* The first cycle of [from, to) in which one of the lines is high; `to`: none of them. */
    cs_cycle (*line)(void *ctx, cs_cycle from, cs_cycle to, unsigned lines, unsigned *high);
    /* From `cycle` on the hart runs the track. */
    void (*run)(void *ctx, cs_cycle cycle, cs_hart_track track);
    void (*context)(void *ctx, cs_cycle cycle, cs_context *out);
    cs_bus_port bus; /* port 0 */
    void *ctx;
    /* The first cycle from `cycle` on in which the workload takes interrupts; NULL: always. */
    cs_cycle (*irqs_on)(void *ctx, cs_cycle cycle);
} cs_hart_env;

typedef struct cs_hart_config {
    unsigned number;
    unsigned xlen;
    cs_hart_costs costs;
    uint64_t time_start; /* mtime of cycle 0 */
    unsigned time_mhz;   /* mtime's clock, and the bus's */
    unsigned clock_mhz;
    /* What runs on the hart, from cycle 0 on; NULL: the caller of the functions above is the
     * software, and every transfer must be done at once (CS_BUS_DONE). */
    void (*software)(void *ctx, cs_hart *hart);
    void *software_ctx;
} cs_hart_config;

/* Errors: CS_ERR_NO_MEMORY. */
cs_status cs_hart_create(const cs_hart_config *config, const cs_hart_env *env, cs_hart **out,
                         cs_diag *diag);
void cs_hart_destroy(cs_hart *hart); /* NULL is allowed */

/* The cycle whose execution begins the hart's next operation that others can see, or that is not
 * known to be far enough below `ahead` (cs_hart_advance); CS_NEVER: a transfer is under way, or
 * the software has ended. */
cs_cycle cs_hart_next(const cs_hart *hart);
/* Executes the cycles below `to`; and those below `ahead` (>= to) as far as nothing else takes part
 * in them. */
void cs_hart_advance(cs_hart *hart, cs_cycle to, cs_cycle ahead);
void cs_hart_bus_done(cs_hart *hart, const cs_bus_txn *txn);
/* The access whose effect is in `cycle`, which is the hart's next; NULL: none. */
const cs_hpm_access *cs_hart_access(const cs_hart *hart, cs_cycle cycle);
bool cs_hart_ended(const cs_hart *hart);
/* The cycle in which the software ended; CS_NEVER before. */
cs_cycle cs_hart_end_cycle(const cs_hart *hart);
/* Cycles below `now` that a track has taken. */
uint64_t cs_hart_cycles(const cs_hart *hart, cs_hart_track track, cs_cycle now);

#ifdef __cplusplus
}
#endif

#endif
