// SPDX-License-Identifier: Apache-2.0
/* A guest's harts, and which event of perf has which of their counters: what each has counted, where it
 * has overflowed, and what became of that. All of it goes into the log (guest/log.h). No QEMU here. */
#ifndef CS_GUEST_HPM_OWNED_H
#define CS_GUEST_HPM_OWNED_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "guest/hpm/hart.h"
#include "scenario/guest/guest_spec.h"

#ifdef __cplusplus
extern "C" {
#endif

#define OWNED_HARTS 8u

typedef struct owned_config {
    const cs_hpm_config *hpm;
    const hart_event *events; /* HART_EVENTS */
    const uint8_t *cost;      /* CS_RISCV_KINDS */
    unsigned nr_harts;        /* 1..OWNED_HARTS */
    uint8_t fault;            /* cs_guest_fault */
    uint64_t faulty; /* the overflow, or the counter that perf starts, that has it; from 1 */
    FILE *log;
} owned_config;

typedef struct owned owned;

/* An instruction that a hart has executed. */
typedef struct owned_where {
    const hart_executed *executed; /* with it */
    uint64_t pc;
    hart_instruction last;
    uint32_t image;
    bool takes; /* after it the hart takes an interrupt at once */
} owned_where;

cs_status owned_create(const owned_config *config, owned **out, cs_diag *diag);
void owned_destroy(owned *o);
/* hart_record, of a hart. */
void owned_record(owned *o, unsigned hart, struct pins *pins);

/* The instruction is the hart's last one; its overflows are told, if there are any. */
void owned_tell(owned *o, unsigned hart, const owned_where *where);

/* It is a CSR instruction, on one of ours. */
cs_hpm_result owned_access(owned *o, unsigned hart, const owned_where *where,
                           const cs_hpm_access *access);

/* After these: what the hart's own bit 13 of mip and mie should be. */
bool owned_pending(const owned *o, unsigned hart);
bool owned_enabled(const owned *o, unsigned hart);
/* As hart_left, hart_outcomes_left. */
uint64_t owned_left(const owned *o, unsigned hart, unsigned mode);
uint64_t owned_outcomes_left(const owned *o, unsigned hart);
/* As hart_wanted. */
uint32_t owned_wanted(const owned *o, unsigned hart);

/* The kernel enters the handler of all traps: what the cause register has. */
bool owned_waits(const owned *o, unsigned hart); /* for that; else it need not be told */
void owned_trap(owned *o, unsigned hart, const hart_executed *executed, uint64_t cause);

/* The driver begins to start, stop or read an event of perf on the hart, by its id. */
void owned_start(owned *o, unsigned hart, uint64_t id);
void owned_stop(owned *o, unsigned hart, uint64_t id);
void owned_read(owned *o, unsigned hart, uint64_t id);
/* As the kernel has it (perf_event_attr). */
typedef struct owned_attr {
    uint32_t type;
    uint64_t config, period, flags;
} owned_attr;

/* Perf has opened an event, or begins to read it, in that process. */
void owned_opened(owned *o, uint64_t id, uint32_t process, const owned_attr *attr);
void owned_asked(owned *o, uint64_t id, uint32_t process);
/* The event, asked for once, whose counter counts again since it was stopped, and the driver has not been told
 * to start it; 0: none. */
uint64_t owned_restarted(owned *o, unsigned hart);
/* It hands an overflow of the event to perf, of the hart at `ip`. */
void owned_sample(owned *o, unsigned hart, uint64_t id, uint64_t ip, uint32_t process);

cs_cycle owned_now(const owned *o, unsigned hart);
/* Why it no longer holds; NULL: it does. */
const char *owned_failed(const owned *o);

#ifdef __cplusplus
}
#endif

#endif
