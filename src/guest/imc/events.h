// SPDX-License-Identifier: Apache-2.0
/* What a guest's cores and its nest count: instructions by mode and kind, and cycles.
 *
 * One CPU at a time executes. An instruction takes so many cycles as its kind costs, and is counted in
 * the last of them. Cycles in which one is executed have numbers through all CPUs: an instruction is
 * named by its last, which is the instruction's own number where all cost one. Who executes them tells
 * how many there have been, in every cycle in which the engines look; what an event of theirs counts is
 * a table. */
#ifndef CS_GUEST_IMC_EVENTS_H
#define CS_GUEST_IMC_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "guest/imc/kinds.h"
#include <countersink/base/cycle.h>
#include <countersink/base/diag.h>

#ifdef __cplusplus
extern "C" {
#endif

#define EVENTS_CORE 258u /* cs_imc_core.h: codes of CPMC1 and CPMC2, CPMC3, CPMC4 */
#define EVENTS_NEST 512u /* offset / 8 in the window */
#define EVENTS_MODES 4u  /* MSR[HV PR] as a number */
#define EVENTS_CPUS 8u   /* at most */

/* What an event counts. */
typedef enum events_what {
    EVENTS_NOTHING,
    EVENTS_INSTRUCTIONS,
    EVENTS_LOADS,
    EVENTS_STORES,
    EVENTS_BRANCHES,
    EVENTS_CYCLES, /* in which the CPU executes an instruction */
    EVENTS_TICKS,  /* of 32 MHz, in such cycles */
    EVENTS_CLOCK,  /* all cycles */
    EVENTS_IDLE,   /* in which no CPU of the core executes one */
    EVENTS_WHATS
} events_what;

typedef struct events_executed {
    uint64_t of[EVENTS_MODES][CS_POWER_KINDS];
} events_executed;

/* Neighbours: a thread, a core's, all. */
typedef struct events_cpus {
    unsigned first, nr;
} events_cpus;

/* An instruction that is executed now, of the CPU whose turn it is. */
typedef struct events_current {
    unsigned mode, kind;
} events_current;

typedef struct events_idle {
    uint64_t instruction; /* from its first cycle on.. */
    uint64_t cycles;      /* .. so many have been idle */
} events_idle;

/* How many instructions in cycles below `below` there have been, of each CPU: events.executed has them. */
typedef struct events_entry {
    uint64_t below;
    bool inside;       /* from here to the next entry one is executed, */
    uint8_t cpu, mode; /* by this CPU */
} events_entry;

typedef struct events {
    uint8_t core[EVENTS_CORE]; /* events_what */
    uint8_t nest[EVENTS_NEST];
    uint8_t cycles[CS_POWER_KINDS]; /* of an instruction; 1 at least */
    unsigned cheapest;              /* of them */
    bool unit;                      /* all are 1 */
    unsigned nr_cpus, running;
    unsigned threads;                 /* CPUs of a core */
    uint64_t first;                   /* cycle of the instruction that is executed now */
    uint64_t look;                    /* by then events_reach must be asked again; CS_NEVER */
    uint64_t turn_ended[EVENTS_CPUS]; /* instructions below this one were its last */
    /* Where all CPUs stood still. */
    events_idle *idle;
    size_t nr_idle;
    /* Rings. */
    events_entry *entries;
    events_executed *executed; /* nr_cpus an entry */
    uint64_t nr_entries;
    struct {
        cs_cycle to;
        uint64_t value;
    } nest_sums[EVENTS_NEST]; /* where the engine looked last */
    bool unknown;             /* somebody asked for a cycle of which nothing is known any more */
} events;

/* core[] begins as code 2 of CPMC1 and CPMC2 ticks, CPMC3 instructions, CPMC4 cycles. All cost one. */
cs_status events_create(events *e, unsigned nr_cpus, cs_diag *diag);
void events_destroy(events *e);
void events_cost(events *e, const uint8_t cycles[CS_POWER_KINDS]);

/* The last cycle of an instruction; cycles below `cycle` in which an instruction was executed. */
cs_cycle events_cycle(const events *e, uint64_t instruction);
uint64_t events_busy(const events *e, cs_cycle cycle);
/* All have stood still before the instruction whose first cycle of all is `instruction`: that is
 * `cycle`. False: no memory. */
bool events_stood(events *e, uint64_t instruction, cs_cycle cycle);

/* Instructions that ended below `below` have been so many, of each CPU; `current`: the last of them,
 * which is executed now, or NULL. */
void events_tell(events *e, uint64_t below, const events_executed executed[],
                 const events_current *current);
uint64_t events_sum(const events_executed all[], events_cpus cpus, unsigned kind, uint32_t modes);
/* The CPU executes what comes from here on; the last entry has what was before. */
void events_turn(events *e, unsigned cpu);

/* What came in [from, to) in those modes, of a CPU, and of the chip. */
uint64_t events_core(events *e, unsigned cpu, uint32_t event, uint32_t modes, cs_cycle from,
                     cs_cycle to);
uint64_t events_nest(events *e, uint32_t event, cs_cycle from, cs_cycle to);
/* All that came below `cycle`, of a `what`. */
uint64_t events_all(events *e, events_cpus cpus, unsigned what, uint32_t modes, cs_cycle cycle);
/* The first cycle t with that many in [from, t), of all modes; CS_NEVER for what cannot be foreseen:
 * while others execute, and for what is not known before. Where instructions cost more than one, how
 * many there will be is not known: e->look says when to ask again. */
cs_cycle events_reach(events *e, unsigned cpu, uint32_t event, cs_cycle from, uint64_t count);

#ifdef __cplusplus
}
#endif

#endif
