// SPDX-License-Identifier: Apache-2.0
/* perf stat on units that are no cores: what their drivers have in common. perf's core (software/perf)
 * says which events are on, whose turn it is, and how long they have been on; a driver knows the
 * registers of its units, and what its CPUs wait for (docs/drivers/perf.md, "Units in a scenario").
 * The core's nanoseconds are bus cycles here. */
#ifndef CS_DRIVERS_UNIT_PMU_UNIT_PMU_H
#define CS_DRIVERS_UNIT_PMU_UNIT_PMU_H

#include "drivers/count.h"
#include "drivers/unit_pmu/rotation_pace.h"
#include "software/perf/assign.h"
#include "software/perf/impl.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CS_UNIT_COUNTERS CS_ROTATION_MAX_COUNTERS
#define CS_UNIT_NO_COUNTER (-1)

struct cs_unit_cpu;

/* An event of a command on one unit. */
typedef struct cs_unit_event {
    /* What is asked for: the driver fills it in. */
    unsigned command, unit;
    unsigned cpu;     /* as it is told: where perf opens it */
    uint32_t number;  /* on the unit */
    uint32_t allowed; /* counters, as bits */
    unsigned group;   /* of the spec; 0: alone */
    bool pinned;
    uint64_t config, config1, config2;
    const char *name;         /* NULL: as its family calls it */
    const void *spec, *owner; /* the driver's: of the event, and of the unit */

    /* What has become of it. */
    cs_perf_event *perf; /* NULL: the core does not have it yet, or no more */
    bool open;
    int counter;      /* where it is, as the registers have it */
    uint64_t last;    /* the counter as it was read or set the last time */
    cs_cycle read;    /* by a transfer that rose then; the driver's, as this: */
    cs_cycle tried;   /* the last attempt */
    cs_cycle from;    /* it was opened */
    cs_cycle told_to; /* of the last interval; value and running then: */
    uint64_t told, told_running;
} cs_unit_event;

typedef struct cs_unit {
    const char *name;
    unsigned number, counters;
    struct cs_unit_cpu *cpu; /* that handles it; NULL: none */
    bool away;               /* it is on its way there: the core does not have its events */
    cs_rotation_set set;     /* of the events that are to count, in their order: */
    cs_unit_event *wanted[CS_UNIT_COUNTERS];
    cs_unit_event *on[CS_UNIT_COUNTERS]; /* by counter, as the registers have it; NULL: none */
    bool anew;     /* what is not pinned leaves at the next commit, even if it comes back */
    cs_cycle time; /* of the last commit */
    unsigned divider;
    cs_rotation_pace pace; /* of its list */
} cs_unit;

/* A CPU, with the units that it handles, in the order in which they are looked at; and its timer. */
typedef struct cs_unit_cpu {
    unsigned number;
    unsigned *units, nr_units; /* room for all */
    cs_cycle interval;         /* of the timer */
    bool aligned;              /* it ticks at multiples, and after that: */
    cs_cycle phase;
    cs_cycle tick;  /* the next one that is needed; CS_NEVER: none */
    unsigned ahead; /* ticks to it, those that are not needed included */
} cs_unit_cpu;

/* What a driver does, with its `ctx`. */
typedef struct cs_units_ops {
    /* In which cycle the CPU is that is at work. */
    cs_cycle (*now)(void *ctx);
    /* The CPU's workload waits from here on (returns since when), or goes on. */
    cs_cycle (*enter)(void *ctx, const cs_unit_cpu *cpu);
    void (*leave)(void *ctx, const cs_unit_cpu *cpu, cs_cycle entered);
    /* to[n]: what counter n is to count, NULL: nothing; `moves`: the counters of which that changes. It
     * calls cs_unit_leaves and cs_unit_comes. */
    void (*change)(void *ctx, cs_unit *unit, cs_unit_event *const to[], uint32_t moves);
    /* The counter is read, and cs_unit_counts called. Returns when. */
    cs_cycle (*read)(void *ctx, cs_unit_event *event);
} cs_units_ops;

typedef struct cs_units_config {
    const cs_units_ops *ops;
    void *ctx;
    unsigned nr_cpus, nr_units;
    size_t most_events;
    bool global; /* one list for all units of a CPU, as in Linux up to 6.1; else each has its own */
    bool last_first; /* the last group of a list goes to its front; else the first to its end */
    bool keeps;    /* in a turn only what changes its counter leaves it; else all but pinned ones */
    bool adaptive; /* lists turn more rarely where that costs too much */
    cs_rotation_limits limits;
    uint64_t handler_cycles; /* of a tick, which each list bears */
    bool ends_at_switch; /* a count ends when its unit has been switched; else when all have been */
    const cs_count_family *family; /* of the counts */
    const cs_soft_sink *soft;      /* borrowed, may be NULL */
} cs_units_config;

typedef struct cs_units {
    cs_units_config config;
    cs_unit *units;        /* the driver fills in name, counters, CPU and divider */
    cs_unit_event *events; /* in the order in which perf opens them */
    size_t nr_events;
    struct cs_unit_pmu *pmus;
    cs_perf *perf;
    cs_rotating_report report;
    bool failed; /* memory ran out while an event was opened */
    bool ending; /* no access any more */
} cs_units;

/* CS_ERR_NO_MEMORY; cs_units_end is to be called in any case. */
cs_status cs_units_begin(const cs_units_config *config, cs_units *units, cs_diag *diag);
void cs_units_end(cs_units *units);

/* ---- unit_pmu.c: events, for the core ---- */

/* From here on the core knows it, on the unit's CPU. Its group is to be enabled when it is complete. */
void cs_unit_open(cs_units *units, cs_unit_event *event);
void cs_unit_enable(cs_units *units, const cs_unit_event *event);
/* It counts no more, and its counter is free from the next commit on; others may have it. */
void cs_unit_disable(cs_units *units, cs_unit_event *event);
void cs_unit_close(cs_units *units, cs_unit_event *event);
/* Its unit has no CPU any more: its count stays as it is. */
void cs_unit_strand(cs_units *units, cs_unit_event *event);
/* Its count and its times are right up to the cycle that is returned. */
cs_cycle cs_unit_update(cs_units *units, cs_unit_event *event);

/* All events of the unit leave their counters; what is waiting for them gets none. */
void cs_units_take_off(cs_units *units, unsigned unit);
/* The list of the unit is scheduled anew. */
void cs_units_schedule(cs_units *units, unsigned unit);
/* The list of the unit turns. */
void cs_units_rotate(cs_units *units, unsigned unit);
/* Some event of that list waits for a counter. */
bool cs_units_wait(const cs_units *units, unsigned unit);
/* The core loses the unit's events, and has them again on the CPU that the unit has then. */
void cs_units_uproot(cs_units *units, unsigned unit);
void cs_units_plant(cs_units *units, unsigned unit);

/* What the core has decided for the unit is carried out. True: something has moved. */
bool cs_units_commit(cs_units *units, unsigned unit);

/* For cs_units_ops: the event has left its counter, and counted up to `at`; has got one, and counts from
 * then on; its counter, of which the bits of `mask` count, has been read. */
void cs_unit_leaves(cs_unit *unit, cs_unit_event *event, cs_cycle at);
void cs_unit_comes(cs_unit *unit, cs_unit_event *event, unsigned counter, cs_cycle at);
void cs_unit_counts(cs_unit_event *event, uint64_t value, uint64_t mask);

/* ---- unit_stat.c: commands and ticks ---- */

typedef enum cs_unit_state { CS_UNIT_NEW, CS_UNIT_OPEN, CS_UNIT_OVER } cs_unit_state;

/* A command on one of the CPUs that handle units of it. */
typedef struct cs_unit_session {
    unsigned command;
    cs_unit_cpu *cpu;
    cs_unit_state state;
    cs_cycle start, stop;
    uint64_t every;    /* -I; 0: none */
    cs_cycle interval; /* the next one; CS_NEVER: none */
} cs_unit_session;

/* What a CPU has to do, in the order in which those that are due at the same time go. */
typedef enum cs_unit_job_kind {
    CS_UNIT_END,
    CS_UNIT_INTERVAL,
    CS_UNIT_BEGIN,
    CS_UNIT_ARRIVE, /* the drivers', as all but the tick */
    CS_UNIT_POLL,
    CS_UNIT_TICK,
    CS_UNIT_OFF,
    CS_UNIT_LOOK,
    CS_UNIT_NONE
} cs_unit_job_kind;

typedef struct cs_unit_job {
    cs_unit_job_kind kind;
    cs_cycle due; /* CS_NEVER: never */
    cs_unit_cpu *cpu;
    cs_unit_session *session;
    unsigned unit;
} cs_unit_job;

cs_unit_session cs_unit_session_of(unsigned command, cs_unit_cpu *cpu, cs_cycle start,
                                   cs_cycle stop, uint64_t every);
/* What is next for it. */
cs_unit_job cs_unit_session_job(cs_unit_session *session);
/* The other one takes the place of *best if it is to go before. */
void cs_unit_offer(cs_unit_job *best, const cs_unit_job *other);
/* A job of a command, or a tick. */
void cs_units_do(cs_units *units, const cs_unit_job *job);

/* The CPU has other units now, or these have other events: its lists begin anew, what is to count gets its
 * counter, and the timer is set. */
void cs_units_settle(cs_units *units, cs_unit_cpu *cpu);
/* How often the unit's list turns now, in ticks; 0: its CPU has no events. */
unsigned cs_units_divider(const cs_units *units, unsigned unit);

#ifdef __cplusplus
}
#endif

#endif
