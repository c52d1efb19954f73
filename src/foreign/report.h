// SPDX-License-Identifier: Apache-2.0
/* What programs of a unit have found: how much was compared, what was not, and the first difference with
 * what both sides did around it. */
#ifndef CS_FOREIGN_REPORT_H
#define CS_FOREIGN_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lockstep/pages/page.h"
#include <countersink/base/cycle.h>

#define CS_FOREIGN_MAX_PINS 64u
#define CS_FOREIGN_ROWS_BEFORE 12u
#define CS_FOREIGN_ROWS_AFTER 8u
#define CS_FOREIGN_MAX_ROWS (CS_FOREIGN_ROWS_BEFORE + CS_FOREIGN_ROWS_AFTER + 1u)
#define CS_FOREIGN_MAX_PARTS 32u
#define CS_FOREIGN_MAX_COUNTED 72u
#define CS_FOREIGN_NAME 64u

/* What programs did to a register. */
typedef struct cs_foreign_touched {
    char name[CS_FOREIGN_NAME + 8];
    uint64_t reads, writes, refused;
    uint64_t bits; /* that were read as 0 and as 1 */
    char ways[32]; /* in which it was reached, as "in M, in S"; "": there is one way only */
} cs_foreign_touched;

/* An output in a row. */
typedef struct cs_foreign_answer {
    const char *pin; /* NULL: there is none */
    bool value;      /* it is told as a number; else only where it is not 0, with its name */
    bool compared;   /* both values are there */
    uint64_t model, rtl;
} cs_foreign_answer;

/* An access, a transfer, or an output that changes. */
typedef struct cs_foreign_row {
    cs_cycle cycle;
    char text[128];
    cs_foreign_answer answers[2];
    bool differs;
} cs_foreign_row;

/* Of an input that is an increment: what it was in the cycle before the difference, and in its own. */
typedef struct cs_foreign_counted {
    const char *pin;
    bool has_field;
    unsigned field; /* of it */
    uint8_t before, now;
} cs_foreign_counted;

/* A field of the register that was read. */
typedef struct cs_foreign_part {
    const char *name;
    unsigned msb, lsb;
    uint64_t model, rtl;
} cs_foreign_part;

/* How often an output was compared, and whether it was ever another value than the first one. */
typedef struct cs_foreign_looked {
    uint64_t compared;
    uint64_t first;
    bool changed;
} cs_foreign_looked;

typedef struct cs_foreign_report {
    uint64_t cycles, accesses, refused, edges;
    uint64_t transfers; /* of a design that is a manager of the bus */
    unsigned programs;
    bool has_registers; /* the unit */
    cs_foreign_touched *touched;
    size_t nr_touched;
    char
        *not_compared; /* "", or what the MAP and the programs left out, as "irq_o (no port); .." */
    cs_foreign_looked looked[CS_FOREIGN_MAX_PINS]; /* by pin */
    uint64_t compared;                             /* values of outputs */

    /* the first difference; pin NULL: there is none */
    const char *pin;
    uint64_t seed;  /* of its program */
    cs_cycle cycle; /* in which the page wants it */
    uint64_t model, rtl;
    char what[128];            /* what the pin is */
    char settings[512];        /* of its program */
    char reg[CS_FOREIGN_NAME]; /* the register that was accessed, in the page's words; "": none */
    const char *page;          /* what governs it */
    const char *heading;       /* NULL: the page has no section for it */
    cs_foreign_part parts[CS_FOREIGN_MAX_PARTS]; /* fields that differ */
    size_t nr_parts;
    bool counts; /* the design has inputs that are increments */
    cs_foreign_counted counted[CS_FOREIGN_MAX_COUNTED]; /* those that were not 0 */
    size_t nr_counted;
    cs_foreign_row rows[CS_FOREIGN_MAX_ROWS];
    size_t nr_rows, first_row;        /* first_row: the first that differs */
    cs_cycle last_cycle;              /* that was looked at */
    cs_cycle waves_from, waves_until; /* cycles below that have waves */

    cs_pages pages; /* that the texts are of */
} cs_foreign_report;

void cs_foreign_report_clear(cs_foreign_report *report);

#endif
