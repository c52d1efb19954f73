// SPDX-License-Identifier: Apache-2.0
/* A real system that runs on our hardware (docs/uses/linux_power.md). */
#ifndef CS_SCENARIO_GUEST_GUEST_SPEC_H
#define CS_SCENARIO_GUEST_GUEST_SPEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "scenario/limits.h"

#define CS_FILE_BYTES 256u
#define CS_GUEST_CLOCK_MHZ 1000u
#define CS_GUEST_HOMER UINT64_C(0x203ffd800000) /* of chip 0, in QEMU's powernv9 */

typedef enum cs_guest_kind { CS_GUEST_NONE, CS_GUEST_POWER9, CS_GUEST_RISCV64 } cs_guest_kind;

typedef enum cs_guest_fault {
    CS_GUEST_NO_FAULT,
    CS_GUEST_WRONG_ADDRESS, /* of a record */
    CS_GUEST_LOST,          /* a record is not written; an interrupt does not come */
    CS_GUEST_LATE,          /* an interrupt comes an instruction late */
    CS_GUEST_COUNT_OFF      /* a counter starts one too high */
} cs_guest_fault;

/* Of what guest_count tells. */
typedef enum cs_guest_counts {
    CS_GUEST_COUNT_TRACE,
    CS_GUEST_COUNT_IMC,
    CS_GUEST_COUNT_ALL
} cs_guest_counts;

/* Cycles that an instruction takes, by its kind; 1..CS_GUEST_MOST_CYCLES. */
#define CS_GUEST_MOST_CYCLES 64u
typedef struct cs_guest_cycles {
    uint8_t load, store, branch, other;
} cs_guest_cycles;

/* A cache, or a TLB, whose lines are pages (docs/hw/caches.md). */
enum { CS_GUEST_L1D, CS_GUEST_L1I, CS_GUEST_DTLB, CS_GUEST_ITLB, CS_GUEST_CACHES };
typedef struct cs_guest_cache {
    uint16_t sets; /* 0: it is not there */
    uint8_t ways;
    uint16_t line; /* bytes */
} cs_guest_cache;

/* Instructions of a loop of the program before its branch. */
#define CS_GUEST_LOOP_BODY 7u

/* A function of the program that is made for the guest. */
typedef struct cs_guest_function {
    char name[CS_NAME_BYTES];
    uint32_t loops;  /* of 8 instructions, a round */
    uint8_t loads;   /* of these, */
    uint8_t stores;  /* and these; the last is a branch */
    uint16_t stride; /* bytes that its data moves on in each loop; 0: it stays */
} cs_guest_function;
#define CS_GUEST_STRIDE_BYTES 0x700000u /* that a call may move on in all */

typedef struct cs_guest_spec {
    uint8_t kind;                 /* cs_guest_kind */
    char run[CS_FILE_BYTES];      /* a shell script, beside the scenario; "": none */
    char kernel[CS_FILE_BYTES];   /* "": the one that was fetched */
    char initrd[CS_FILE_BYTES];   /* unpacked before what is ours; "": none */
    char firmware[CS_FILE_BYTES]; /* "": the one that was fetched */
    char elf[CS_FILE_BYTES];      /* a program for bare harts, and no Linux; "": none */
    const char **files;
    size_t nr_files;
    uint8_t threads; /* of a core, that the guest has: 1, 2, 4 */
    uint16_t memory_mib;
    uint16_t limit_s; /* of wall time */
    uint8_t fault;    /* cs_guest_fault */
    uint64_t faulty;  /* the record, overflow or start of a counter that has it */
    uint8_t counts;   /* cs_guest_counts */
    cs_guest_cycles cycles;
    cs_guest_cache caches[CS_GUEST_CACHES];
    struct {
        uint64_t from, cycles; /* of a hart; 0 cycles: none */
    } pins;
    struct {
        char name[CS_NAME_BYTES];
        uint32_t rounds;
        cs_guest_function *functions;
        size_t nr_functions; /* 0: there is no program */
    } program;
} cs_guest_spec;

#endif
