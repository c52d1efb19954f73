/* Between a guest's instructions and our engine of its core: time, events, memory. No QEMU here.
 *
 * An instruction takes one cycle. Cycles in which the guest's CPU stands still are added when it is
 * known how many they were: the guest's own timebase says so. */
#ifndef CS_GUEST_IMC_BRIDGE_H
#define CS_GUEST_IMC_BRIDGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/diag.h"
#include "models/imc/imc_core.h"

#ifdef __cplusplus
extern "C" {
#endif

#define BRIDGE_TB_NUM 512u  /* ticks of the timebase.. */
#define BRIDGE_TB_DEN 1000u /* .. in as many cycles */
#define BRIDGE_SLOTS 65536u /* records of the largest buffer */

typedef enum bridge_fault { BRIDGE_NO_FAULT, BRIDGE_WRONG_ADDRESS, BRIDGE_LOST } bridge_fault;

typedef struct bridge_idle {
    uint64_t instruction; /* from it on.. */
    uint64_t cycles;      /* .. so many have been idle */
} bridge_idle;

typedef struct bridge_record {
    uint64_t number, tb;
    bool there; /* the engine has written it, and the driver has not cleared it */
} bridge_record;

typedef struct bridge_who {
    uint64_t pc, pid, lpid;
    uint64_t mode; /* cs_mode */
} bridge_who;

typedef struct bridge {
    cs_imc_core *core;
    FILE *log;
    uint8_t *ram;
    uint64_t ram_bytes;
    bridge_idle *idle;
    size_t nr_idle;
    /* Who runs. */
    cycle_t at; /* cycle of the instruction */
    bridge_who now;
    bridge_who sampled; /* at the last snapshot */
    cycle_t sampled_at;
    /* Registers, as written last. */
    uint64_t htm_mode, ldbar, event_mask;
    uint64_t session, number;
    bridge_record slots[BRIDGE_SLOTS];
    size_t next_slot; /* that the driver reads next, */
    uint64_t last_tb; /* and the timebase of the one before */
    bridge_fault fault;
    uint64_t faulty; /* number of the record that has it */
} bridge;

/* `log` stays the caller's. Memory and fault are the caller's to set. */
cs_status bridge_create(bridge *b, FILE *log, cs_diag *diag);
void bridge_destroy(bridge *b);

/* The cycle of an instruction that is executed now. */
cycle_t bridge_cycle(const bridge *b, uint64_t instruction);
/* The instruction in whose cycle the engine does something next, if it is given nothing. */
uint64_t bridge_next(const bridge *b, uint64_t instruction);
/* b->now is whose instruction it is. */
void bridge_execute(bridge *b, uint64_t instruction);
/* The timebase, as the guest has just read it. */
void bridge_timebase(bridge *b, uint64_t instruction, uint64_t tb);
void bridge_scom(bridge *b, uint64_t instruction, uint32_t scom, uint64_t value);
void bridge_ldbar(bridge *b, uint64_t instruction, uint64_t value);
/* Trace mode runs. */
bool bridge_traces(const bridge *b);
/* The driver reads or clears eight bytes of memory. */
void bridge_driver(bridge *b, uint64_t address, bool store);

#ifdef __cplusplus
}
#endif

#endif
