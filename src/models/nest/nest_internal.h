// SPDX-License-Identifier: Apache-2.0
/* Inside the nest units: what the files share. docs/hw/nest.md is cited as "spec".
 *
 * nest.c         the object, time, ticks, the transfer that is out
 * nest_engine.c  the states and what follows what; DECIDE
 * nest_visit.c   visits: which groups and rows, and what they post
 * nest_count.c   the counters
 *
 * A state acts once: in its first cycle it asks for its transfer, or does all it has to do. The
 * cycles of SCAN and COLLECT have no effect that is seen before the row's POST, so they are passed
 * over: the state is POST from the beginning of its SCAN on, and acts when POST begins. */
#ifndef CS_MODELS_NEST_INTERNAL_H
#define CS_MODELS_NEST_INTERNAL_H

#include <stdbool.h>

#include "nest_rows.h"
#include <countersink/models/nest/nest.h>

#define CS_NEST_WORD_BYTES CS_BUS_BEAT_BYTES
#define CS_NEST_MOST_GROUPS 13u
#define CS_NEST_MOST_COUNTERS                                                                      \
    (CS_NEST_P10_COUNTERS_TOTAL > CS_NEST_COUNTERS_TOTAL ? CS_NEST_P10_COUNTERS_TOTAL              \
                                                         : CS_NEST_COUNTERS_TOTAL)

/* What the two engines differ in: spec, "POWER10". */
typedef struct cs_nest_engine {
    const cs_nest_row *rows;
    unsigned nr_rows, nr_counters, groups;
    unsigned ring_states, phases;
    unsigned clean_bytes;
    uint64_t default_units;                   /* 0: none */
    unsigned epochs[CS_NEST_MOST_GROUPS + 1]; /* by group; 0: it has none */
    unsigned
        slowing[CS_NEST_MOST_GROUPS + 1]; /* by group: its delay is the speed / this; 0: none */
    unsigned debug_groups;                /* bit g: group g goes elsewhere in mode 1 */
    bool links;                           /* the units have links, of three bits each */
} cs_nest_engine;

/* Spec, "A tick". */
typedef enum cs_nest_state {
    CS_NEST_STATE_IDLE = 0,
    CS_NEST_STATE_LOOK = 1,
    CS_NEST_STATE_DECIDE = 2,
    CS_NEST_STATE_CLEAN = 3,
    CS_NEST_STATE_VERSION = 4,
    CS_NEST_STATE_UNITS = 5,
    CS_NEST_STATE_MODE = 6,
    CS_NEST_STATE_STATUS = 7,
    CS_NEST_STATE_SCAN = 8,
    CS_NEST_STATE_COLLECT = 9,
    CS_NEST_STATE_POST = 10,
    CS_NEST_NR_STATES
} cs_nest_state;

/* What LOOK found. */
typedef struct cs_nest_block {
    uint64_t command, speed, units, mode;
} cs_nest_block;

/* Spec, "Registers of the engine"; by group where there is a group. */
typedef struct cs_nest_registers {
    bool seen, paused;
    unsigned phase;
    uint64_t speed, units, mode;
    unsigned ring;
    uint64_t delay[CS_NEST_MOST_GROUPS + 1];
    unsigned epoch[CS_NEST_MOST_GROUPS + 1]; /* 0 where a group has none */
} cs_nest_registers;

typedef struct cs_nest_counter {
    uint64_t value; /* all w + s bits, in cycle `since` */
    uint64_t prev;
    cs_cycle since;
} cs_nest_counter;

/* A visit and the posting that is under way in it. */
typedef struct cs_nest_visit {
    unsigned posted; /* bit g: group g */
    unsigned epoch[CS_NEST_MOST_GROUPS + 1];
    uint64_t units;  /* as the rows' masks know them */
    unsigned row;    /* being posted */
    cs_cycle start;  /* of the header's COLLECT */
    uint64_t header; /* its address */
    uint32_t bytes;
} cs_nest_visit;

struct cs_nest {
    cs_nest_config config;
    cs_nest_env env;
    const cs_nest_engine *engine;

    cs_cycle begun; /* the cycle of the reset */
    cs_cycle now;
    cs_nest_state state;
    cs_cycle due;       /* when the state acts, unless its transfer is out */
    bool out;           /* a transfer is */
    cs_cycle completes; /* CS_NEVER: the platform will tell */
    cs_bus_txn txn;

    uint64_t ticks; /* in cycle ticks_since, before the limit is looked at */
    cs_cycle ticks_since;

    unsigned todo;        /* bit n: state n follows in this tick */
    unsigned clean_burst; /* of CLEAN */
    cs_nest_block block;
    cs_nest_registers regs;
    uint64_t status_written;
    cs_nest_visit visit;
    unsigned group_states[CS_NEST_MOST_GROUPS + 1]; /* as in cs_nest_row.states */
    uint64_t postings[CS_NEST_MOST_GROUPS + 1];     /* that have ended */
    cs_nest_counter counters[CS_NEST_MOST_COUNTERS];
};

static inline uint64_t cs_nest_get64(const uint8_t *from)
{
    uint64_t value = 0;

    for (unsigned i = 0; i < CS_NEST_WORD_BYTES; i++)
        value = value << 8 | from[i];
    return value;
}

static inline void cs_nest_put64(uint8_t *to, uint64_t value)
{
    for (unsigned i = CS_NEST_WORD_BYTES; i-- > 0; value >>= 8)
        to[i] = (uint8_t)value;
}

/* nest.c */
/* Asks for a burst of `words` whole doublewords, from the next cycle on; the data of a write is in
 * txn.data. */
void cs_nest_ask(cs_nest *nest, uint64_t addr, bool write, unsigned words);
/* IDLE in `cycle`: the first cycle from there on with ticks > 0. */
cs_cycle cs_nest_ticks_due(cs_nest *nest, cs_cycle cycle);
/* Takes one in cycle `now`. */
void cs_nest_ticks_take(cs_nest *nest);

/* nest_kinds.c */
extern const cs_nest_engine cs_nest_power9, cs_nest_power10;

/* nest_engine.c */
unsigned cs_nest_status_of(const cs_nest *nest);
/* The state from `cycle` on; SCAN looks for the rows from visit.row on. */
void cs_nest_enter(cs_nest *nest, cs_nest_state state, cs_cycle cycle);
/* What the state does in cycle `now`, its due. */
void cs_nest_act(cs_nest *nest);
/* The state's transfer is complete in cycle `now`. */
void cs_nest_complete(cs_nest *nest);

/* nest_visit.c */
void cs_nest_visit_init(cs_nest *nest);
/* DECIDE: the groups of the visit in the ring's state, and what the registers become by it. */
void cs_nest_visit_decide(cs_nest *nest);
/* SCAN begins in `cycle` with visit.row: moves on to the row that is carried out and returns the
 * first cycle of its POST; with none, visit.row is the number of rows and the cycle that of IDLE. */
cs_cycle cs_nest_visit_scan(cs_nest *nest, cs_cycle cycle);
void cs_nest_visit_post(cs_nest *nest);
void cs_nest_visit_posted(cs_nest *nest);

/* nest_count.c */
/* Reads the i-th counter of a row in `cycle`. */
uint64_t cs_nest_read(cs_nest *nest, const cs_nest_row *row, unsigned i, cs_cycle cycle);
void cs_nest_clear_prevs(cs_nest *nest);

#endif
