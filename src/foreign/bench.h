// SPDX-License-Identifier: Apache-2.0
/* A design on its pins while a program runs: what its inputs are given, what its outputs have to be, and
 * what both sides did lately. Each unit's run begins with one (foreign/unit.h, `bytes`). */
#ifndef CS_FOREIGN_BENCH_H
#define CS_FOREIGN_BENCH_H

#include "foreign/random.h"
#include "foreign/tally.h"
#include "foreign/unit.h"
#include "foreign/waves.h"

#define CS_FOREIGN_MOST_PORTS 4u
#define CS_FOREIGN_RECENT 80u /* deeds are kept at least: more than come while an output is late */
/* Increments of so many cycles are kept: the one before a difference is, however late an output is. */
#define CS_FOREIGN_COUNTED_CYCLES (CS_FOREIGN_MAX_LATE + 2u)
#define CS_FOREIGN_COUNTED_BYTES 32u /* of the widest input that is an increment */

/* What was done or seen, as it is kept until somebody wants to read it. */
typedef struct cs_foreign_deed {
    cs_cycle cycle;
    const char *verb;   /* "write" */
    const char *behind; /* "in M"; or NULL */
    const char *each;   /* "port", of which it is `number`; or NULL */
    unsigned number;
    const char *variant; /* of registers in the page (lockstep/pages/page.h); or NULL */
    bool is_register, has_addr, has_value;
    uint64_t addr, value; /* value: what is written */
    unsigned bytes;       /* 0: are not told */
    cs_foreign_answer answers[2];
} cs_foreign_deed;

typedef struct cs_foreign_bench {
    const cs_foreign_unit *unit;
    const cs_foreign_design *design;
    cs_foreign_dut *dut;
    cs_foreign_report *report;
    cs_foreign_tally *tally;
    const cs_page *page; /* names of registers */

    /* of the program */
    uint64_t seed;
    cs_cycle reset_from, reset_to; /* CS_NEVER: none */
    cs_foreign_random random;
    uint64_t setting[CS_FOREIGN_MAX_SETTINGS]; /* as drawn */
    cs_cycle now;
    bool ending;
    unsigned ended; /* accesses of its ending */
    cs_cycle next;  /* access, at the earliest */

    void *pins[CS_FOREIGN_MAX_PINS];     /* by the unit's table */
    unsigned width[CS_FOREIGN_MAX_PINS]; /* of outputs, as the page has them in this program */
    struct {
        uint8_t expected; /* bit f: of field f; 0 where it has none for each of several */
        uint64_t value[CS_FOREIGN_MOST_PORTS];
    } wanted[CS_FOREIGN_MAX_PINS][CS_FOREIGN_MAX_LATE + 1]; /* what outputs have to be, by cycle */
    struct {
        uint64_t model, rtl;
    } last[CS_FOREIGN_MAX_PINS][CS_FOREIGN_MOST_PORTS]; /* values of outputs */
    uint8_t given[CS_FOREIGN_COUNTED_CYCLES][CS_FOREIGN_MAX_PINS][CS_FOREIGN_COUNTED_BYTES];
    cs_foreign_deed recent[2 * CS_FOREIGN_RECENT]; /* by cycle */
    unsigned nr_recent;
    unsigned after; /* deeds behind the difference */
    cs_foreign_deed spare;
    cs_foreign_deed *current; /* that answers belong to; NULL: none of this cycle */
    cs_foreign_waves *waves;  /* NULL: none */
    bool differs;
    cs_cycle until; /* there is a difference: cycles below are looked at */
} cs_foreign_bench;

/* A fresh design after reset, in cycle 0, its inputs 0 but for the straps. Draws follow `seed`. */
void cs_foreign_bench_begin(cs_foreign_bench *bench, uint64_t seed);
void cs_foreign_bench_restart(cs_foreign_bench *bench);

/* A reset amid the program, whose cycles are so many, where the unit knows one. */
void cs_foreign_plan_reset(cs_foreign_bench *bench, cs_cycle cycles);
/* Begins or ends it in bench->now. True: the design is in it, and nobody asks or looks. */
bool cs_foreign_in_reset(cs_foreign_bench *bench);

/* Draws a setting again, between these, if it is one that is drawn. */
void cs_foreign_draw_setting(cs_foreign_bench *bench, unsigned setting, uint64_t least,
                             uint64_t most);

/* ---- inputs ---- */

static inline bool cs_foreign_has(const cs_foreign_bench *bench, unsigned pin)
{
    return bench->design->linked[pin];
}

static inline uint64_t cs_foreign_draw(cs_foreign_bench *bench, uint64_t n)
{
    return cs_foreign_below(&bench->random, n);
}

static inline void cs_foreign_drive(cs_foreign_bench *bench, unsigned pin, unsigned lsb,
                                    unsigned width, uint64_t value)
{
    cs_foreign_set(bench->pins[pin], lsb, width, value);
}

static inline uint64_t cs_foreign_look(const cs_foreign_bench *bench, unsigned pin, unsigned lsb,
                                       unsigned width)
{
    return cs_foreign_get(bench->pins[pin], lsb, width);
}

/* What an input is on both sides when a program wants `value`: no more than the bits that theirs has;
 * what it is held at where no port stands for it. */
uint64_t cs_foreign_given(const cs_foreign_bench *bench, unsigned pin, uint64_t value);
/* Drives it so, and returns it. */
uint64_t cs_foreign_give(cs_foreign_bench *bench, unsigned pin, uint64_t value);

void cs_foreign_clock(cs_foreign_bench *bench, unsigned level);

/* ---- outputs ---- */

/* The page's value of an output in this cycle; once for each cycle in which it matters. */
void cs_foreign_expect(cs_foreign_bench *bench, unsigned pin, uint64_t value);
/* Of one field of it (cs_foreign_pin, `each`). */
void cs_foreign_expect_field(cs_foreign_bench *bench, unsigned pin, unsigned field, uint64_t value);
/* The same of one that belongs to the last deed. */
void cs_foreign_expect_answer(cs_foreign_bench *bench, unsigned pin, uint64_t value);

/* All outputs that are due, when all has settled. */
void cs_foreign_compare_outputs(cs_foreign_bench *bench);

/* A value of an output, or of one field of it, in a cycle: a difference goes into the report. */
void cs_foreign_compare_value(cs_foreign_bench *bench, unsigned pin, unsigned field, cs_cycle from,
                              uint64_t model, uint64_t rtl);

/* The increments of this cycle, before its outputs are compared. */
void cs_foreign_keep_counted(cs_foreign_bench *bench);
/* Those around a difference into the report. */
void cs_foreign_tell_counted(cs_foreign_bench *bench, cs_cycle cycle);

/* ---- what was done ---- */

/* In this cycle; to be filled in, and valid until the next call. */
cs_foreign_deed *cs_foreign_did_this(cs_foreign_bench *bench, const char *verb);
/* An access of a register, counted too. */
cs_foreign_deed *cs_foreign_accessed(cs_foreign_bench *bench, const char *verb, uint64_t addr,
                                     bool write, bool refused);

/* The rows and texts of the difference into the report. */
void cs_foreign_tell_difference(cs_foreign_bench *bench);
/* What was not compared. CS_ERR_NO_MEMORY. */
cs_status cs_foreign_tell_not_compared(const cs_foreign_bench *bench, cs_diag *diag);
/* A register in the page's words, or its address: "PMCNTENSET", "0xc04". */
const char *cs_foreign_register_name(const cs_foreign_bench *bench, const char *variant,
                                     uint64_t addr, char *out, size_t size);

#endif
