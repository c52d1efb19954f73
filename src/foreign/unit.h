/* A kind of unit that somebody's own RTL can be: the pins that its page gives it, what a MAP can say
 * of it, and the programs that hold such RTL against the C model. */
#ifndef CS_FOREIGN_UNIT_H
#define CS_FOREIGN_UNIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cycle.h"
#include "base/diag.h"
#include "foreign/dut.h"

#define CS_FOREIGN_MAX_PINS 64u
#define CS_FOREIGN_MAX_SETTINGS 16u
#define CS_FOREIGN_RECENT 8u
#define CS_FOREIGN_MAX_LATE 31u

/* A pin as the unit's page has it. */
typedef struct cs_foreign_pin {
    const char *name;
    bool output;
    uint16_t width;
    uint16_t field; /* bits of one field, where it has several; 0: it has none */
    bool needed;    /* a MAP has to name it */
    bool address;   /* it carries the number of a register */
    bool strap;     /* it holds a setting */
    bool ports;     /* its fields are ports of a bus: a design may have fewer, from the first on */
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
    unsigned late[CS_FOREIGN_MAX_PINS];
    unsigned field[CS_FOREIGN_MAX_PINS];  /* bits that one field has there; 0: as many as here */
    unsigned fields[CS_FOREIGN_MAX_PINS]; /* it has; 0: as many as here */
    const cs_foreign_range *leaves_out;   /* registers that no program touches */
    size_t nr_leaves_out;
    unsigned pace_cycles; /* from an access to the next one, at least */
} cs_foreign_design;

typedef struct cs_foreign_options {
    uint64_t seed;
    unsigned programs;
    unsigned cycles; /* of a program */
} cs_foreign_options;

/* What a program did to a register. */
typedef struct cs_foreign_touched {
    char name[24];
    uint64_t reads, writes, refused;
} cs_foreign_touched;

/* What the programs have done, and the first difference. */
typedef struct cs_foreign_report {
    uint64_t cycles, accesses, refused, edges, overflows;
    uint64_t transfers; /* of a design that is a manager of the bus */
    unsigned programs;
    cs_foreign_touched *touched; /* for free() */
    size_t nr_touched;
    /* the first difference; pin NULL: there is none */
    const char *pin;
    uint64_t seed; /* of its program */
    cycle_t cycle; /* in which the page wants it */
    uint64_t model, rtl;
    char what[128];                      /* the access, or what the line is */
    char settings[256];                  /* of its program */
    char recent[CS_FOREIGN_RECENT][128]; /* the accesses before it, oldest first */
    unsigned nr_recent;
} cs_foreign_report;

typedef struct cs_foreign_unit {
    const char *name;
    const char *page;                   /* its specification */
    const cs_foreign_pin *pins;         /* to a name of NULL */
    const cs_foreign_setting *settings; /* likewise */
    unsigned address_bits;
    /* Settings that do not go together: CS_ERR_RANGE with the setting's name in `where`. */
    cs_status (*check)(const cs_foreign_design *design, cs_diag *diag);
    cs_status (*compare)(const cs_foreign_design *design, cs_foreign_dut *dut,
                         const cs_foreign_options *options, cs_foreign_report *report,
                         cs_diag *diag);
} cs_foreign_unit;

/* The place of a pin or setting in its table; -1: there is none of that name. */
int cs_foreign_pin_index(const cs_foreign_unit *unit, const char *name);
int cs_foreign_setting_index(const cs_foreign_unit *unit, const char *name);

/* The unit of that name; NULL. */
const cs_foreign_unit *cs_foreign_find_unit(const char *name);
/* Calls `tell` for each. */
void cs_foreign_each_unit(void (*tell)(void *ctx, const cs_foreign_unit *unit), void *ctx);

bool cs_foreign_left_out(const cs_foreign_design *design, uint64_t address);

#endif
