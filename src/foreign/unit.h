// SPDX-License-Identifier: Apache-2.0
/* A kind of unit that somebody's own RTL can be: the pins that its page gives it, what a MAP can say
 * of it, and the programs that hold such RTL against the C model. All that is the same for every unit
 * is in foreign/program.c. */
#ifndef CS_FOREIGN_UNIT_H
#define CS_FOREIGN_UNIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "foreign/report.h"
#include "foreign/rtl/dut.h"
#include <countersink/base/cycle.h>
#include <countersink/base/diag.h>
#include <countersink/base/probe/probe.h>

#define CS_FOREIGN_MAX_SETTINGS 16u
#define CS_FOREIGN_MAX_LATE 31u
#define CS_FOREIGN_CYCLES 2000u

/* A pin as the unit's page has it. */
typedef struct cs_foreign_pin {
    const char *name;
    bool output;
    uint16_t width;
    uint16_t field;   /* bits of one field, where it has several; 0: it has none */
    bool needed;      /* a MAP has to name it */
    bool address;     /* it carries the number of a register */
    bool strap;       /* it holds a setting */
    bool amount;      /* an increment: a design's may have any number of bits, and gets no more */
    bool lags;        /* an input of increments: a design may count them some cycles later */
    bool followed;    /* an output that is answered, and not compared */
    uint8_t about;    /* an output: records of which kind (cs_probe_kind) it tells */
    uint64_t held;    /* an input: what it is on both sides where no port stands for it */
    const char *each; /* what its fields are of, as "port": a design may have the first ones only */
    bool bus;         /* it is a port of the bus (foreign/ports/manager.h) */
    const char *instead; /* an input that says the same in another way */
    const char *tells;
} cs_foreign_pin;

/* What a MAP can say about the design (`settings`); what it does not say is drawn for each program
 * where the strap is among the ports, and the default where it is not. */
typedef struct cs_foreign_setting {
    const char *name;
    const char *pin; /* its strap; NULL: it has none, and is never drawn */
    uint64_t least, most;
    uint64_t value; /* the default */
    const char *tells;
} cs_foreign_setting;

typedef struct cs_foreign_range {
    uint64_t first, last;
} cs_foreign_range;

/* What the programs have to know of a MAP (foreign/map.h). */
typedef struct cs_foreign_design {
    bool set[CS_FOREIGN_MAX_SETTINGS]; /* said by the MAP */
    uint64_t setting[CS_FOREIGN_MAX_SETTINGS];
    bool linked[CS_FOREIGN_MAX_PINS]; /* it has this pin */
    unsigned
        late[CS_FOREIGN_MAX_PINS]; /* cycles that an output comes, or increments count, later */
    unsigned bits[CS_FOREIGN_MAX_PINS];   /* of its port, at most ours; 0: not known yet */
    unsigned field[CS_FOREIGN_MAX_PINS];  /* bits that one field has there; 0: as many as here */
    unsigned first[CS_FOREIGN_MAX_PINS];  /* of our fields that it has */
    unsigned fields[CS_FOREIGN_MAX_PINS]; /* it has; 0: as many as here */
    const cs_foreign_range *leaves_out;   /* registers that no program touches */
    size_t nr_leaves_out;
    unsigned address_bits; /* registers further up are left out, too; 0: as many as here */
    unsigned pace_cycles;  /* from an access to the next one, at least */
} cs_foreign_design;

typedef struct cs_foreign_options {
    uint64_t seed;
    unsigned programs;
    unsigned cycles;                           /* of a program; 0: as the unit says */
    const struct cs_foreign_waves_plan *waves; /* foreign/waves.h; NULL: none */
} cs_foreign_options;

struct cs_foreign_bench;

typedef struct cs_foreign_unit {
    const char *name;
    const char *page;                   /* its specification */
    const cs_foreign_pin *pins;         /* to a name of NULL; clock and reset first */
    const cs_foreign_setting *settings; /* likewise */
    unsigned cycles;                    /* of a program when nobody says it; 0: CS_FOREIGN_CYCLES */
    unsigned address_bits;              /* 0: it has no registers */
    /* The place of a register in the unit's page, where that is not its address; or NULL. */
    uint64_t (*place)(uint64_t address, const char *variant);
    /* What does not go together: CS_ERR_RANGE. Called again when the ports' widths are known. */
    cs_status (*check)(const cs_foreign_design *design, cs_diag *diag);

    /* ---- its programs; the structure behind `bench` begins with it, and has `bytes` ---- */
    size_t bytes;
    /* Accesses of its ending, which reads every register. */
    /* NULL: it has none. */
    unsigned (*ending)(const struct cs_foreign_bench *bench);
    /* bench->setting has been drawn: mends what does not go together, and makes the model of a program
     * of so many cycles; the last `ending` of them are its ending. */
    cs_status (*begin)(struct cs_foreign_bench *bench, cs_cycle cycles, cs_cycle ending,
                       cs_diag *diag);
    void (*strap)(struct cs_foreign_bench *bench); /* straps that are not plain settings; or NULL */
    /* The inputs of the cycle bench->now, and what its outputs have to be. */
    void (*drive)(struct cs_foreign_bench *bench);
    /* Inputs that answer outputs of the same cycle; or NULL. */
    void (*answer)(struct cs_foreign_bench *bench);
    /* What it compares itself, when all has settled; or NULL. */
    void (*settled)(struct cs_foreign_bench *bench);
    /* The state of bench->now is that of a reset. */
    void (*reset)(struct cs_foreign_bench *bench);
    void (*end)(struct cs_foreign_bench *bench); /* the model is gone; also after a failed begin */
} cs_foreign_unit;

/* Rows of a unit's table: first the name in its enumeration, then what is in the row. */
#define CS_FOREIGN_ROW(name, ...) {__VA_ARGS__},
#define CS_FOREIGN_CLOCK_PINS(PIN)                                                                 \
    PIN(CLK, "clk_i", .width = 1, .needed = true, .tells = "the clock")                            \
    PIN(RST, "rst_ni", .width = 1, .needed = true, .tells = "reset, active low")

/* The place of a pin or setting in its table; -1: there is none of that name. */
int cs_foreign_pin_index(const cs_foreign_unit *unit, const char *name);
int cs_foreign_setting_index(const cs_foreign_unit *unit, const char *name);

/* The unit of that name; NULL. */
const cs_foreign_unit *cs_foreign_find_unit(const char *name);
/* Calls `tell` for each. */
void cs_foreign_each_unit(void (*tell)(void *ctx, const cs_foreign_unit *unit), void *ctx);

bool cs_foreign_left_out(const cs_foreign_design *design, uint64_t address);

/* Whether the design has our field, of a pin with one for each of several. */
bool cs_foreign_has_field(const cs_foreign_design *design, unsigned pin, unsigned field);
/* The largest value of an input, or of one field of it, of which ours has `bits`. */
uint64_t cs_foreign_largest(const cs_foreign_design *design, unsigned pin, unsigned bits);

#endif
