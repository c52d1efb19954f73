// SPDX-License-Identifier: Apache-2.0
/* The performance counters of a RISC-V hart, as its CSR instructions see them (docs/hw/hpm.md).
 *
 * Time: all cycles below cs_hpm_now() have been executed; the state, the lines among it, is
 * that of cycle cs_hpm_now(). A CSR access names its own cycle.
 *
 * The model costs what its accesses and overflows cost: a counter is brought up to date, by one
 * exact sum over the hart's event source, when it is needed, and the cycle of an overflow
 * is found by one search.
 *
 *     const cs_hpm_config config = cs_hpm_default_config();
 *     const cs_hpm_env env = {.events = cs_timeline_event_source(timeline)};
 *     const cs_hpm_access cycles = {.csr = 0xb00, .op = CS_HPM_OP_READ, .mode = CS_HPM_MODE_M};
 *     cs_hpm *hpm;
 *
 *     cs_hpm_create(&config, &env, &hpm, NULL);
 *     const cs_hpm_result mcycle = cs_hpm_access_csr(hpm, 1000, &cycles); */
#ifndef CS_MODELS_HPM_HPM_H
#define CS_MODELS_HPM_HPM_H

#include <stdbool.h>

#include <countersink/base/cycle.h>
#include <countersink/base/diag.h>
#include <countersink/base/probe/probe.h>
#include <countersink/base/stream/events.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cs_hpm cs_hpm;

#define CS_HPM_COUNTERS 32u /* numbers of counters: 0 is mcycle, 2 minstret; 1 is none */
#define CS_HPM_MAX_LCOFI_LATENCY 31u

/* What the event source's modes mean: 4 V + privilege. */
#define CS_HPM_MODE_U 0u
#define CS_HPM_MODE_S 1u /* HS where there is H */
#define CS_HPM_MODE_M 3u
#define CS_HPM_MODE_VU 4u
#define CS_HPM_MODE_VS 5u

/* The source's events for mcycle and minstret; mhpmevent n names that of mhpmcounter n. */
#define CS_HPM_EVENT_CYCLES 1u
#define CS_HPM_EVENT_INSTRET 2u
/* With cs_hpm_config.event_sets: a set, whose bit k is event k + 1. What that counts the source says. */
#define CS_HPM_EVENT_SET 0x10000u

typedef enum cs_hpm_modes {
    CS_HPM_MODES_M = 0,
    CS_HPM_MODES_M_U = 1,
    CS_HPM_MODES_M_S_U = 2,
    CS_HPM_MODES_H = 3 /* M S U VS VU */
} cs_hpm_modes;

/* The straps: docs/hw/hpm.md, section 1. */
typedef struct cs_hpm_config {
    unsigned xlen;                  /* 32 or 64 */
    unsigned modes;                 /* cs_hpm_modes */
    uint32_t counters;              /* bit n: mhpmcounter n is there; bits 2:0 zero */
    uint8_t width[CS_HPM_COUNTERS]; /* bits of counter n, 1..64; looked at where it is there */
    bool sscofpmf;
    bool smcntrpmf;
    bool smcdeleg;          /* only with S */
    bool aia;               /* only with S and sscofpmf */
    unsigned lcofi_latency; /* 0..31 */
    /* What another implementation may have otherwise (docs/hw/hpm.md, "Other mhpmevents"); zero: as the page
     * says. */
    uint16_t event_holes;  /* bits of an event's number that are zero */
    uint64_t legal_events; /* bit n: event n may be chosen, and no other than these; 0: all may */
    bool illegal_stays; /* what no write may choose leaves the event as it is; else it becomes 0 */
    bool event_sets;    /* a number is a set of up to 16 events of the source's */
    uint16_t unit;      /* source of its probe records: CS_UNIT_HART(n) */
} cs_hpm_config;

typedef enum cs_hpm_op {
    CS_HPM_OP_READ = 0, /* csrrs, csrrc with rs1 = x0 or uimm 0 */
    CS_HPM_OP_WRITE = 1,
    CS_HPM_OP_SET = 2,
    CS_HPM_OP_CLEAR = 3
} cs_hpm_op;

/* A CSR instruction, and what the pins beside it carry in its cycle. */
typedef struct cs_hpm_access {
    uint16_t csr;   /* the number as in the instruction */
    uint8_t op;     /* cs_hpm_op; READ is the one that does not write */
    uint8_t mode;   /* CS_HPM_MODE_..: the event source's in that cycle, one that is there */
    uint64_t value; /* operand; bits 63:32 are not looked at with xlen 32 */
    uint64_t time;  /* mtime */
    bool stateen_m; /* mstateen0[60], hstateen0[60]; both true where there is no Smstateen */
    bool stateen_h;
} cs_hpm_access;

typedef enum cs_hpm_exception {
    CS_HPM_EXCEPTION_NONE = 0,
    CS_HPM_EXCEPTION_ILLEGAL = 1, /* illegal instruction, cause 2 */
    CS_HPM_EXCEPTION_VIRTUAL = 2  /* virtual instruction, cause 22 */
} cs_hpm_exception;

typedef struct cs_hpm_result {
    cs_hpm_exception exception;
    uint64_t value; /* the old one, zero-extended; 0 with an exception */
} cs_hpm_result;

typedef struct cs_hpm_env {
    cs_event_source
        events; /* by the numbers of docs/hw/hpm.md, section 10; sum and reach are used */
    const cs_probe_sink *probe; /* may be NULL */
} cs_hpm_env;

/* The straps by default; unit 0x400, CS_UNIT_HART(0). */
cs_hpm_config cs_hpm_default_config(void);

/* The state is that of a reset in cycle 0. *config and *env are copied; what *env points at must
 * outlive the model. On failure (CS_ERR_RANGE, CS_ERR_NO_MEMORY) *out is NULL. */
cs_status cs_hpm_create(const cs_hpm_config *config, const cs_hpm_env *env, cs_hpm **out,
                        cs_diag *diag);
void cs_hpm_destroy(cs_hpm *hpm); /* NULL is allowed */

/* The state of cycle `now` is the reset state, and its increments count; `now` is not before
 * cs_hpm_now(). Lines that were 1 fall in `now`. */
void cs_hpm_reset(cs_hpm *hpm, cs_cycle now);

cs_cycle cs_hpm_now(const cs_hpm *hpm);

/* The access of a cycle: at most one per cycle, and not before cs_hpm_now(). One that writes executes
 * the cycle, and with it settles what the source does in it: cs_hpm_now() is cycle + 1 then.
 * Otherwise it is `cycle`. */
cs_hpm_result cs_hpm_access_csr(cs_hpm *hpm, cs_cycle cycle, const cs_hpm_access *access);

/* Brings all counters up to cs_hpm_now(): from then on the source is asked of no cycle before it. */
void cs_hpm_settle_all(cs_hpm *hpm);

/* What an access in cycle cs_hpm_now() would answer. Nothing happens: it is none. */
cs_hpm_result cs_hpm_ask(cs_hpm *hpm, const cs_hpm_access *access);

/* The first cycle after cs_hpm_now() in which a line has another level if no access comes;
 * CS_NEVER if there is none. By what the source says now: not kept over software that comes. */
cs_cycle cs_hpm_next(const cs_hpm *hpm);

/* Executes cycles up to, not including, `to`. Returns the new now (`to` below now is no error). */
cs_cycle cs_hpm_advance(cs_hpm *hpm, cs_cycle to);

/* lcofi_o in cycle cs_hpm_now(): bit 0 to M, 1 to S, 2 to VS. */
unsigned cs_hpm_irq(const cs_hpm *hpm);

/* Advances to the first cycle of [from, to) in which one of `lines` is high, and returns it, with
 * those that are high; `to` and 0 when there is none. `from` is not before cs_hpm_now(). */
cs_cycle cs_hpm_wait(cs_hpm *hpm, cs_cycle from, cs_cycle to, unsigned lines, unsigned *high);

#ifdef __cplusplus
}
#endif

#endif
