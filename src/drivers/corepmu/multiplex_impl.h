// SPDX-License-Identifier: Apache-2.0
/* Internal to multiplex. A CPU's PMU with its events (multiplex_pmu.c), what a CPU does in the kernel
 * with interrupts off (multiplex_section.c), the perf process (multiplex_tool.c), and the calendar of
 * all three (multiplex.c). */
#ifndef CS_DRIVERS_COREPMU_MULTIPLEX_IMPL_H
#define CS_DRIVERS_COREPMU_MULTIPLEX_IMPL_H

#include "drivers/corepmu/multiplex.h"
#include "drivers/rotation/rotation.h"
#include "scenario/corepmu/multiplex_spec.h"

/* ---- a CPU's PMU ---- */

typedef struct cs_mux_event {
    uint64_t raw;
    uint64_t running; /* up to `stamped` */
    cs_cycle stamped;
    int64_t left;     /* perf's period_left */
    uint64_t fresh;   /* counted since the counter was last read */
    uint64_t to_wrap; /* of what comes next the so manyth overflows the counter */
    cs_cycle from;    /* what happened from here on is not in `fresh` yet */
    bool on;          /* it has a counter */
    bool overflowed;  /* its bit in PMOVSSET */
    uint64_t told_raw, told_running;
    cs_cycle told_at;
} cs_mux_event;

typedef struct cs_mux_pmu {
    const cs_multiplex_spec *spec;
    cs_event_source source;
    cs_rotation *rotation; /* NULL: not a measured CPU */
    cs_mux_event *events;
    unsigned active[CS_ROTATION_MAX_COUNTERS]; /* those that are on */
    unsigned nr_active;
    bool counting;           /* PMCR.E, with events enabled */
    bool open;               /* they are enabled */
    cs_cycle opened, closed; /* when they were enabled, and disabled */
} cs_mux_pmu;

cs_status cs_mux_pmu_create(cs_mux_pmu *pmu, const cs_multiplex_spec *spec,
                            const cs_event_source *source, cs_diag *diag);
void cs_mux_pmu_destroy(cs_mux_pmu *pmu);
/* All events are enabled, and those that fit are on counters; it does not count yet. */
void cs_mux_pmu_open(cs_mux_pmu *pmu, cs_cycle now);
void cs_mux_pmu_start(cs_mux_pmu *pmu, cs_cycle now);
void cs_mux_pmu_stop(cs_mux_pmu *pmu, cs_cycle now);
/* Stopped: the events leave their counters, which are read; and others, or the same, get them. The
 * cycles in which it stands still count as running, for perf takes the time only once. */
void cs_mux_pmu_reschedule(cs_mux_pmu *pmu, cs_cycle now);
/* read(2) of an event. */
void cs_mux_pmu_read(cs_mux_pmu *pmu, unsigned event, cs_cycle now);
/* Stopped: those that overflowed are read, and their counters written anew; returns how many. */
unsigned cs_mux_pmu_overflows(cs_mux_pmu *pmu);
bool cs_mux_pmu_flagged(const cs_mux_pmu *pmu);
/* The next overflow if all goes on as it is; CS_NEVER: none that begins before `horizon`. */
cs_cycle cs_mux_pmu_overflow_due(const cs_mux_pmu *pmu, cs_cycle horizon);
/* All events are disabled. */
void cs_mux_pmu_close(cs_mux_pmu *pmu, cs_cycle now);
/* Is any event without a counter? */
bool cs_mux_pmu_waits(const cs_mux_pmu *pmu);

/* ---- what a CPU does with interrupts off ---- */

typedef enum cs_mux_body {
    CS_MUX_TICK,
    CS_MUX_OVERFLOW,
    CS_MUX_ENABLE, /* what the perf process wants of a CPU */
    CS_MUX_READ,
    CS_MUX_DISABLE
} cs_mux_body;

typedef enum cs_mux_phase { CS_MUX_ENTRY, CS_MUX_FIRST, CS_MUX_REST, CS_MUX_EXIT } cs_mux_phase;

typedef struct cs_mux_section {
    bool active;
    cs_mux_body body;
    bool interrupt; /* with an exception's entry and exit */
    unsigned event;
    bool rotates; /* a tick that moves events */
    cs_mux_phase phase;
    cs_cycle due; /* its end */
} cs_mux_section;

typedef struct cs_mux_cpu {
    unsigned number;
    cs_mux_pmu pmu;
    cs_mux_section section;
    cs_cycle tick_due;
    cs_cycle overflow_due; /* of the present state, while no section is active */
    bool stale;            /* it has to be looked for anew */
    cs_cycle call_due;     /* the perf process's interrupt */
    cs_mux_body call_body;
    unsigned call_event;
    const cs_multiplex_outage *outage; /* the next, or the one that it is in; NULL: no more */
    bool away;                         /* it is in it */
    bool gone;                         /* the system took it away: its events are over */
    bool taken;                        /* the workload stands still */
    cs_cycle taken_since;
    uint64_t stolen; /* in finished stays */
} cs_mux_cpu;

/* ---- the perf process ---- */

typedef enum cs_mux_work {
    CS_MUX_SLEEPS,
    CS_MUX_WAKES,
    CS_MUX_MOVES,
    CS_MUX_CALLS, /* a system call up to what it wants of the CPU */
    CS_MUX_WAITS, /* for that */
    CS_MUX_ENDED
} cs_mux_work;

typedef struct cs_mux_tool {
    cs_mux_work work;
    cs_mux_body pass; /* what it does to all events of all CPUs */
    bool last;        /* the reading after all are disabled */
    unsigned home;    /* where it sleeps, in cpus[] */
    unsigned at;      /* the CPU that it runs on */
    unsigned cpu;     /* the one it is about */
    unsigned event;
    uint64_t left; /* of the work, from `since` on, while no section is active there */
    cs_cycle since;
    cs_cycle wake_at;
} cs_mux_tool;

struct cs_multiplex {
    const cs_multiplex_spec *spec;
    uint64_t us; /* cycles */
    cs_cycle tick;
    const cs_soft_sink *soft;
    cs_mux_cpu cpus[CS_MAX_CPUS]; /* the measured ones and the tool's, in rising order */
    unsigned nr_cpus;
    cs_multiplex_outage *outages;
    size_t nr_outages;
    unsigned fits[CS_MAX_USER_EVENTS + 1]; /* events on counters when so many are enabled */
    cs_mux_tool tool;
    bool begun;
    cs_cycle now;
    unsigned nr_taken;
    cs_op ops[CS_MAX_CPUS];
    unsigned nr_ops, next_op;
    cs_multiplex_report report;
};

void cs_mux_section_begin(cs_multiplex *m, cs_mux_cpu *cpu, cs_mux_body body, bool interrupt,
                          unsigned event);
/* Its part has ended: not before section.due. */
void cs_mux_section_step(cs_multiplex *m, cs_mux_cpu *cpu);

/* ---- CPUs that go off (multiplex_away.c) ---- */

/* The first outage of the CPU from `from` on; NULL: none. */
const cs_multiplex_outage *cs_mux_next_outage(const cs_multiplex *m, const cs_mux_cpu *cpu,
                                              const cs_multiplex_outage *from);
/* When it goes off, or comes back; CS_NEVER: never, or perf has ended. No section is active on it. */
cs_cycle cs_mux_away_due(const cs_multiplex *m, const cs_mux_cpu *cpu);
/* That is now. */
void cs_mux_away_step(cs_multiplex *m, cs_mux_cpu *cpu);

void cs_mux_tool_begin(cs_multiplex *m);
/* When it has to be called next; CS_NEVER: when a section has ended, or never again. */
cs_cycle cs_mux_tool_due(const cs_multiplex *m);
void cs_mux_tool_step(cs_multiplex *m);
/* It runs on this CPU, or would if no section did. */
bool cs_mux_tool_on(const cs_multiplex *m, const cs_mux_cpu *cpu);
/* A section begins, or has ended, on this CPU. */
void cs_mux_tool_preempted(cs_multiplex *m, const cs_mux_cpu *cpu);
void cs_mux_tool_resumed(cs_multiplex *m, const cs_mux_cpu *cpu);
/* The CPU executes nothing from now on, or executes again. */
void cs_mux_tool_stands(cs_multiplex *m, cs_mux_cpu *cpu);
/* What it wanted of a CPU is done. */
void cs_mux_tool_served(cs_multiplex *m);

#endif
