// SPDX-License-Identifier: Apache-2.0
/* What the files of the uncore driver share. The software is straight-line code (drivers/routine.h). */
#ifndef CS_DRIVERS_UNCORE_UNCORE_IMPL_H
#define CS_DRIVERS_UNCORE_UNCORE_IMPL_H

#include "drivers/rotation/rotation.h"
#include "drivers/routine.h"
#include "drivers/uncore/uncore_driver.h"
#include "scenario/uncore/uncore_spec.h"

#define UNCORE_MAX_COUNTERS 16u
#define NO_COUNTER (-1)

/* An event of a command on one unit. */
typedef struct uncore_event {
    unsigned command, unit;
    unsigned event; /* number on the unit */
    const cs_uncore_event_spec *spec;
    unsigned group; /* of all groups of all commands */
    uint32_t allowed;
    bool pinned;
    bool error; /* pinned, and there was no counter for it */
    bool open;
    int8_t counter;        /* where it is; NO_COUNTER */
    uint64_t last;         /* COUNT as it was read or set the last time, */
    cs_cycle read;         /* by a transfer that rose then; */
    cs_cycle tried;        /* the last attempt */
    cs_cycle since;        /* running is accounted up to here */
    cs_cycle from;         /* it was opened */
    uint64_t raw, running; /* since then */
    cs_cycle told_to;      /* of the last interval; raw and running then: */
    uint64_t told_raw, told_running;
} uncore_event;

typedef struct uncore_counters {
    uncore_event *on[UNCORE_MAX_COUNTERS]; /* NULL: none */
} uncore_counters;

typedef struct uncore_unit {
    const cs_uncore_unit_spec *spec;
    uint64_t base;          /* of its registers */
    uint64_t mask;          /* of a counter */
    uint64_t start;         /* COUNT of an event that comes */
    uint64_t ie;            /* IE as it is written */
    uint64_t far_cycles;    /* before each access, because its CPU is not near */
    struct uncore_cpu *cpu; /* that manages it; NULL: none */
    uncore_counters now;
    /* MATCH and MASK of the counters, with `extended`. */
    uint64_t match[UNCORE_MAX_COUNTERS], mask_of_tags[UNCORE_MAX_COUNTERS];
    uint64_t poll_cycles, wrap_cycles; /* docs/drivers/uncore_driver.md, "Wrap"; CS_NEVER: none */
    bool running;                      /* CTL */
    /* Its CPU has not taken it over yet, and may from `sent` on: from whom, since when and why. */
    bool moving;
    cs_cycle sent, left;
    unsigned from;
    const char *why;
} uncore_unit;

/* What one CPU manages; with list contexts one unit of it. */
typedef struct uncore_cpu {
    unsigned cpu;
    cs_cycle interval; /* of its timer */
    cs_cycle look;     /* what CPUs do is looked at then; CS_NEVER: never */
    unsigned unit;     /* of contexts */
    cs_cycle off, on;  /* the system takes it away, and gives it back; CS_NEVER: it does not */
    cs_cycle back;     /* `on` of what begins at `off` */
    cs_cycle dark;     /* it has no power from then on */
    bool going, gone;  /* up to `on` */
    unsigned units[CS_MAX_UNCORE], nr_units;
    uncore_event **list; /* that are open, as `rotation` has them */
    size_t nr_list;
    cs_rotation *rotation; /* NULL: no event is open */
    cs_cycle tick;         /* the next one that is needed; CS_NEVER: none */
    unsigned ahead;        /* ticks to it, those that are not needed included */
} uncore_cpu;

typedef enum uncore_state { SESSION_NEW, SESSION_OPEN, SESSION_OVER } uncore_state;

/* A command on one of the CPUs that manage units of it. */
typedef struct uncore_session {
    unsigned command;
    uncore_cpu *cpu;
    uncore_state state;
    cs_cycle start, stop;
    cs_cycle interval; /* the next one; CS_NEVER: none */
} uncore_session;

/* Who carries it out: one for all CPUs, or one for each that has a port. */
typedef struct uncore_worker {
    struct cs_uncore_driver *driver;
    cs_routine routine;
    unsigned cpu; /* CS_MAX_CPUS: all */
} uncore_worker;

struct cs_uncore_driver {
    cs_uncore_driver_config config;
    uncore_worker workers[CS_MAX_CPUS];
    unsigned nr_workers;
    uncore_worker *worker; /* that is at work, */
    cs_cycle now;          /* and in which cycle */
    uncore_unit *units;
    uncore_cpu *cpus; /* that manage something, or may come to, by number */
    unsigned nr_cpus;
    uncore_event *events; /* as they are opened */
    size_t nr_events;
    cs_cycle tick_cycles;
    uncore_session *sessions;
    size_t nr_sessions;
    cs_rotating_report report;
    bool failed;
};

static inline cs_cycle cs_uncore_us(const cs_uncore_driver *d, uint64_t us)
{
    return us * d->config.clock_mhz;
}

/* ---- uncore_build.c ---- */

/* False: no memory. */
bool cs_uncore_build(cs_uncore_driver *driver, const cs_uncore_driver_config *config);

/* ---- uncore_driver.c: operations ---- */

/* Returns when it has ended; `now` is the cycle after. The result is valid until the next. */
const cs_op_result *cs_uncore_perform(cs_uncore_driver *driver, cs_op op);
void cs_uncore_work(cs_uncore_driver *driver, uint64_t cycles); /* 0: none */

/* ---- uncore_unit.c: registers ---- */

/* Puts the unit's events where the lists of its CPU say; true: something has moved. `anew`: its list
 * was scheduled anew. *time becomes the time of the switch, or now. */
bool cs_uncore_switch(cs_uncore_driver *driver, uncore_cpu *cpu, unsigned unit, bool anew,
                      cs_cycle *time);
/* Reads the counter of an event that is on one, and accounts for it. */
void cs_uncore_read_event(cs_uncore_driver *driver, uncore_event *event);
/* The unit has to be polled then; CS_NEVER: it has nothing to read. */
cs_cycle cs_uncore_poll_due(const uncore_unit *unit);
/* The handler's work when the unit has interrupted: its counters that have overflowed are read, and set
 * anew. */
void cs_uncore_take_overflows(cs_uncore_driver *driver, uncore_unit *unit);

/* Takes all events off their counters, and stops it. Since when it stands still. */
cs_cycle cs_uncore_clear(cs_uncore_driver *driver, unsigned unit);

/* ---- uncore_driver.c: timers ---- */

cs_cycle cs_uncore_enter(cs_uncore_driver *driver, const uncore_cpu *cpu);
void cs_uncore_leave(cs_uncore_driver *driver, const uncore_cpu *cpu, cs_cycle entered);
/* The timer of a list that was made anew. */
void cs_uncore_restart(cs_uncore_driver *driver, uncore_cpu *cpu);

/* ---- uncore_move.c: units that go to other CPUs ---- */

/* The next time from `from` on that the system takes it away. */
void cs_uncore_expect_off(const cs_uncore_driver *driver, uncore_cpu *cpu, cs_cycle from);

/* Looks at what CPUs do, and gives units away for it. */
void cs_uncore_look(cs_uncore_driver *driver, uncore_cpu *cpu);
/* The CPU goes: its units do, too. */
void cs_uncore_go_off(cs_uncore_driver *driver, uncore_cpu *cpu);
/* The unit's new CPU takes it over. */
void cs_uncore_arrive(cs_uncore_driver *driver, unsigned unit);

/* ---- uncore_list.c: what is open ---- */

/* The lists of the CPU made anew for the units that it has now. False: no memory. */
bool cs_uncore_relist(cs_uncore_driver *driver, uncore_cpu *cpu);

/* Those of `command` on the CPU become open, or closed, and the lists are made anew. False: no
 * memory. */
bool cs_uncore_list(cs_uncore_driver *driver, uncore_cpu *cpu, unsigned command, bool open);

#endif
