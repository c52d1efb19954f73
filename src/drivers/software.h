// SPDX-License-Identifier: Apache-2.0
/* Software as the simulated hardware meets it: a row of operations on a bus and an
 * interrupt line. A driver is an object that is asked for its next operation and
 * is told how the last one ended; it knows neither SystemC nor Verilator, so the
 * same code drives model and RTL (docs/hw/cpu.md). */
#ifndef CS_DRIVERS_SOFTWARE_H
#define CS_DRIVERS_SOFTWARE_H

#include <stdbool.h>
#include <stdint.h>

#include <countersink/base/bus/bus_port.h>
#include <countersink/base/cycle.h>
#include <countersink/base/numbers.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum cs_op_kind {
    CS_OP_READ,        /* one bus read of `size` bytes at addr */
    CS_OP_WRITE,       /* one bus write of `size` bytes at addr */
    CS_OP_WRITE_BURST, /* `beats` * 8 bytes from `data` at addr (8-byte aligned) */
    CS_OP_READ_BURST,
    CS_OP_DELAY,    /* CPU work of `cycles` (>= 1) cycles */
    CS_OP_SLEEP,    /* the same time without work: other software of the port may run (tasks.h),
                       so that it may last longer */
    CS_OP_WAIT_IRQ, /* until one of `lines` is high, or `cycles` have passed (0: no limit) */
    CS_OP_ENTER,    /* the core leaves its workload for this code; takes no time */
    CS_OP_LEAVE,    /* back to the workload; takes no time */
    CS_OP_SIGNAL, /* an interrupt (CS_LINE_IPI) to the CPU `core`, which has a port; takes a cycle */
    CS_OP_LOCK,   /* spins until `lock` is free, and takes it; takes no time if it is */
    CS_OP_UNLOCK, /* gives it back; takes no time */
    CS_OP_END     /* the software has ended */
} cs_op_kind;

struct cs_cpu;

/* A spin lock of software on several CPU ports: who asked first has it first. All zero: free. Who
 * has it neither sleeps nor waits for an interrupt. */
typedef struct cs_lock {
    struct cs_cpu *owner;        /* NULL: free */
    struct cs_cpu *first, *last; /* who spins, in the order in which they get it */
} cs_lock;

typedef struct cs_op {
    cs_op_kind kind;
    uint64_t addr;
    uint64_t value; /* WRITE */
    uint64_t cycles;
    const uint8_t *data; /* WRITE_BURST: valid until the next call of next() */
    uint8_t size;        /* 1, 2, 4, 8 */
    uint8_t beats;       /* bursts: 1..16 */
    uint16_t core; /* ENTER, LEAVE, SIGNAL: 1 + the CPU that is meant; 0: the one that runs the
                      software. With a port a CPU, ENTER and LEAVE are of that one only */
    uint64_t
        lines; /* WAIT_IRQ: CS_LINE(..) of each that ends it (countersink/base/numbers.h). SIGNAL: the
                       CS_LINE_IPI of its kind of software */
    cs_lock *lock; /* LOCK, UNLOCK */
} cs_op;

typedef struct cs_op_result {
    uint64_t value;      /* READ */
    const uint8_t *data; /* READ_BURST: valid during the call */
    uint8_t resp;        /* cs_bus_resp of a bus operation */
    uint64_t lines;      /* WAIT_IRQ: those of its lines that were high */
    bool irq;            /* WAIT_IRQ: true if any was, false on timeout */
} cs_op_result;

/* `now` is the cycle in which the next operation starts; `last` is NULL on the
 * first call. */
typedef struct cs_software {
    void (*next)(void *ctx, cs_cycle now, const cs_op_result *last, cs_op *op);
    void *ctx;
} cs_software;

#ifdef __cplusplus
}
#endif

#endif
