// SPDX-License-Identifier: Apache-2.0
/* What the files of the uncore driver share. The software is straight-line code (drivers/routine.h); which
 * event counts, and when, is perf's core's (drivers/unit_pmu). */
#ifndef CS_DRIVERS_UNCORE_UNCORE_IMPL_H
#define CS_DRIVERS_UNCORE_UNCORE_IMPL_H

#include "drivers/routine.h"
#include "drivers/uncore/uncore_driver.h"
#include "drivers/unit_pmu/unit_pmu.h"
#include "scenario/uncore/uncore_spec.h"

#define UNCORE_MAX_COUNTERS 16u

typedef struct uncore_unit {
    const cs_uncore_unit_spec *spec;
    uint64_t base;       /* of its registers */
    uint64_t mask;       /* of a counter */
    uint64_t start;      /* COUNT of an event that comes */
    uint64_t ie;         /* IE as it is written */
    uint64_t far_cycles; /* before each access, because its CPU is not near */
    /* MATCH and MASK of the counters, with `extended`. */
    uint64_t match[UNCORE_MAX_COUNTERS], mask_of_tags[UNCORE_MAX_COUNTERS];
    uint64_t poll_cycles, wrap_cycles; /* docs/drivers/uncore_driver.md, "Wrap"; CS_NEVER: none */
    bool running;                      /* CTL */
    /* While it is away: its new CPU may take it over from `sent` on; from whom, since when and why. */
    cs_cycle sent, left;
    unsigned from;
    const char *why;
} uncore_unit;

/* What one CPU manages; with list contexts one unit of it. perf knows it by its first member. */
typedef struct uncore_cpu {
    cs_unit_cpu cpu;
    unsigned numbers[CS_MAX_UNCORE]; /* of its units */
    cs_cycle look;                   /* what CPUs do is looked at then; CS_NEVER: never */
    unsigned unit;                   /* of contexts */
    cs_cycle off, on; /* the system takes it away, and gives it back; CS_NEVER: it does not */
    cs_cycle back;    /* `on` of what begins at `off` */
    cs_cycle dark;    /* it has no power from then on */
    bool going, gone; /* up to `on` */
} uncore_cpu;

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
    cs_units units;
    uncore_unit *regs; /* by unit */
    uncore_cpu *cpus;  /* that manage something, or may come to, by number */
    unsigned nr_cpus;
    cs_unit_session *sessions;
    size_t nr_sessions;
};

static inline cs_cycle cs_uncore_us(const cs_uncore_driver *d, uint64_t us)
{
    return us * d->config.clock_mhz;
}

/* ---- uncore_build.c ---- */

cs_status cs_uncore_build(cs_uncore_driver *driver, const cs_units_ops *ops, cs_diag *diag);

/* ---- uncore_driver.c: operations ---- */

/* Returns when it has ended; `now` is the cycle after. The result is valid until the next. */
const cs_op_result *cs_uncore_perform(cs_uncore_driver *driver, cs_op op);
void cs_uncore_work(cs_uncore_driver *driver, uint64_t cycles); /* 0: none */
/* For cs_units_ops. */
cs_cycle cs_uncore_enter(void *driver, const cs_unit_cpu *cpu);
void cs_uncore_leave(void *driver, const cs_unit_cpu *cpu, cs_cycle entered);

/* ---- uncore_unit.c: registers ---- */

/* For cs_units_ops. */
void cs_uncore_change(void *driver, cs_unit *unit, cs_unit_event *const to[], uint32_t moves);
cs_cycle cs_uncore_read_event(void *driver, cs_unit_event *event);
/* The unit has to be polled then; CS_NEVER: it has nothing to read. */
cs_cycle cs_uncore_poll_due(const cs_uncore_driver *driver, const cs_unit *unit);
/* The handler's work when the unit has interrupted: its counters that have overflowed are read, and set
 * anew. */
void cs_uncore_take_overflows(cs_uncore_driver *driver, const cs_unit *unit);

/* ---- uncore_move.c: units that go to other CPUs ---- */

/* The next time from `from` on that the system takes it away. */
void cs_uncore_expect_off(const cs_uncore_driver *driver, uncore_cpu *cpu, cs_cycle from);

/* Looks at what CPUs do, and gives units away for it. */
void cs_uncore_look(cs_uncore_driver *driver, uncore_cpu *cpu);
/* The CPU goes: its units do, too. */
void cs_uncore_go_off(cs_uncore_driver *driver, uncore_cpu *cpu);
/* The unit's new CPU takes it over. */
void cs_uncore_arrive(cs_uncore_driver *driver, unsigned unit);

#endif
