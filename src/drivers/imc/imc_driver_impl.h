// SPDX-License-Identifier: Apache-2.0
/* What the files of the IMC driver share. The driver is straight-line code (drivers/routine.h): perf's
 * own, which boots, too; with a port a CPU one routine more for each CPU. */
#ifndef CS_DRIVERS_IMC_IMC_DRIVER_IMPL_H
#define CS_DRIVERS_IMC_IMC_DRIVER_IMPL_H

#include "drivers/imc/imc_driver.h"
#include "drivers/imc/opal.h"
#include "drivers/routine.h"
#include "formats/imc/catalog/nest_units.h"
#include "scenario/imc/imc_driver_spec.h"
#include "scenario/imc/imc_spec.h"

/* A counter of a command: an event on a CPU. */
typedef struct imc_counter {
    const cs_imc_event *event;
    unsigned cpu;
    unsigned place; /* of the event, among those of the command */
    bool started;   /* there is a value to compare with */
    cs_cycle from;
    uint64_t value;
} imc_counter;

/* An event of a command with processes, on all CPUs, since perf read it last. */
typedef struct imc_total {
    const cs_imc_event *event;
    uint64_t raw, ran;
} imc_total;

typedef struct imc_command {
    const cs_perf_spec *spec;
    const cs_imc_unit *unit;
    imc_counter *counters;
    unsigned nr_counters;
    unsigned cpus[CS_MAX_CPUS]; /* those that it is for: one a core, one a chip */
    unsigned nr_cpus;
    imc_total *totals; /* of a command with processes; NULL: it is of CPUs */
    unsigned nr_totals;
    unsigned awaited;       /* CPUs that have not yet given their share of what perf reads */
    cs_cycle since;         /* perf has read so far */
    bool dead[CS_MAX_CPUS]; /* its START failed there */
    bool opened, refused, ended;
    bool told[CS_IMC_TROUBLES]; /* troubles, by kind */
    cs_cycle due;               /* of what comes next, */
    bool ticks;                 /* which is a tick of the timer */
    cs_cycle late;              /* its last CPU was, at most */
    unsigned latest;            /* which CPU that was */
} imc_command;

/* What a CPU is to do for a command. */
typedef enum imc_job_kind { JOB_BEGIN, JOB_AGAIN, JOB_TICK, JOB_END } imc_job_kind;

typedef struct imc_job {
    imc_job_kind kind;
    unsigned command;
    cs_cycle due;
} imc_job;

/* A task of the driver: perf's own, which boots, too; with a port a CPU one more for each CPU that it
 * has to do with. */
typedef struct imc_lane {
    struct cs_imc_driver *driver;
    unsigned cpu;
    bool worker;
    imc_job *jobs; /* of a worker: those that it was sent, and how many it has begun */
    size_t nr_jobs, room, begun;
    bool called; /* it has to be sent an interrupt for them */
    /* Of commands with processes: */
    uint64_t open, on; /* a bit each: those that are open here; whose events are on the CPU, */
    uint64_t there;    /* and are not just being taken off it */
    bool switches;     /* the CPU's workload is of more than one process */
    bool known;        /* there is */
    uint32_t process;  /* who the kernel has on this CPU, */
    enum { LANE_RUNS, LANE_WAITS, LANE_GRANTED } state; /* when another CPU has left it */
    cs_cycle waits_since;
    cs_routine routine;
    cs_cycle began;   /* its last operation */
    bool looked;      /* for cores that wake, since then */
    size_t woken;     /* deep stops that are over, in order of their ends */
    cs_cycle entered; /* the software came onto the CPU that it is on */
    cs_cycle action;  /* what is being done was due then */
    unsigned serving; /* the command that it is done for; CS_IMC_NO_COMMAND: none */
} imc_lane;

struct cs_imc_driver {
    cs_imc_driver_config config; /* its events are copied to: */
    cs_event_source events[CS_MAX_CPUS];
    cs_opal opal;
    imc_lane main;
    imc_lane *workers; /* with a port a CPU: [nr_workers], by CPU */
    unsigned nr_workers;
    imc_lane *at; /* the one that runs */
    bool over;    /* no job will come any more */
    bool failed;  /* no memory */
    cs_lock core_locks[CS_IMC_MAX_CORES], trace_locks[CS_IMC_MAX_CORES], nest_locks[CS_MAX_CHIPS];
    cs_cycle now;
    bool booted;
    bool nest;                    /* its nodes are in the kernel's tree, */
    uint64_t units;               /* and of these units; the boot chip's vector at boot */
    bool nest_lost;               /* the pause failed */
    bool core_lost, trace_lost;   /* INIT failed: the kernel has no PMU */
    cs_imc_generation generation; /* the catalog's */
    imc_command *commands;
    size_t nr_commands;
    size_t written;                   /* words of debugfs */
    const cs_deep_stop_spec **by_end; /* deep stops in that order */
    unsigned core_references[CS_IMC_MAX_CORES];
    unsigned trace_references[CS_IMC_MAX_CORES];
    unsigned nest_references[CS_MAX_CHIPS];
    uint64_t htm_mode[CS_IMC_MAX_CORES]; /* as written last */
    cs_perf_pmu active;                  /* core, thread or trace; 0: none */
    unsigned active_references;
    uint64_t ldbar[CS_MAX_CPUS]; /* by CPU, as written last */
    cs_imc_driver_report report;
};

static inline cs_cycle cs_imc_us(const cs_imc_driver *d, uint64_t us)
{
    return us * d->config.clock_mhz;
}

static inline unsigned cs_imc_core_of(const cs_imc_driver *d, unsigned cpu)
{
    return (cpu - d->config.memory.first_cpu) / d->config.imc->threads;
}

static inline unsigned cs_imc_thread_of(const cs_imc_driver *d, unsigned cpu)
{
    return (cpu - d->config.memory.first_cpu) % d->config.imc->threads;
}

static inline unsigned cs_imc_cpu_of(const cs_imc_driver *d, unsigned core, unsigned thread)
{
    return d->config.memory.first_cpu + d->config.imc->threads * core + thread;
}

static inline unsigned cs_imc_chip(const cs_imc_driver *d, unsigned cpu)
{
    return cs_imc_chip_of(d->config.imc, cs_imc_core_of(d, cpu));
}

#define CS_IMC_NO_COMMAND UINT32_MAX

/* ---- imc_ops.c: operations of the lane that runs; each returns when it has ended ---- */

/* The first word of a main function. */
void cs_imc_begin(imc_lane *lane);
/* Cores that have come out of a deep stop meanwhile come first. */
const cs_op_result *cs_imc_perform(cs_imc_driver *driver, cs_op op);
void cs_imc_work(cs_imc_driver *driver, uint64_t cycles);
void cs_imc_enter(cs_imc_driver *driver, unsigned cpu);
void cs_imc_leave(cs_imc_driver *driver, unsigned cpu);
/* Big-endian words of memory as the bus carries them. */
uint64_t cs_imc_as_bus(uint64_t value);
/* False: the bus has refused it. */
bool cs_imc_write_word(cs_imc_driver *driver, uint64_t addr, uint64_t value);
bool cs_imc_read_word(cs_imc_driver *driver, uint64_t addr, uint64_t *value);
/* An interrupt to the CPU of a worker. */
void cs_imc_signal(cs_imc_driver *driver, unsigned cpu);

/* ---- imc_calls.c ---- */

void cs_imc_tell(cs_imc_driver *driver, cs_imc_trouble_kind kind, unsigned command, unsigned cpu,
                 cs_cycle late);
/* The kernel's add and del of a command's events on a CPU. */
void cs_imc_add_event(cs_imc_driver *driver, const imc_command *command, unsigned cpu);
void cs_imc_delete_event(cs_imc_driver *driver, const imc_command *command, unsigned cpu);
/* Before OPAL: what is told to the nests' engines. */
void cs_imc_hostboot(cs_imc_driver *driver);
void cs_imc_boot(cs_imc_driver *driver);
/* A core comes out of a deep stop then, next; CS_NEVER: none. */
cs_cycle cs_imc_wakes(const cs_imc_driver *driver);
void cs_imc_wake(cs_imc_driver *driver);

/* A user's next write into debugfs is due then; CS_NEVER: there is none. */
cs_cycle cs_imc_debugfs_due(const cs_imc_driver *driver);
void cs_imc_write_debugfs(cs_imc_driver *driver);

/* ---- imc_dump.c ---- */

void cs_imc_dump(cs_imc_driver *driver, unsigned command, unsigned cpu);

/* ---- imc_perf.c ---- */

/* False: no memory. */
bool cs_imc_make_command(cs_imc_driver *driver, imc_command *command, const cs_perf_spec *spec);
/* It is due. */
void cs_imc_serve_command(cs_imc_driver *driver, unsigned number);
/* A job of the worker that runs. */
void cs_imc_do_job(cs_imc_driver *driver, const imc_job *job);
/* All workers are told that no job will come any more. */
void cs_imc_dismiss(cs_imc_driver *driver);
void cs_imc_tell_late(cs_imc_driver *driver); /* of what was served last */
/* The values that the next ones are compared with, or these. */
void cs_imc_read_first(cs_imc_driver *driver, unsigned number, unsigned cpu);
void cs_imc_read_counts(cs_imc_driver *driver, unsigned number, unsigned cpu);
void cs_imc_tick_on(cs_imc_driver *driver, unsigned number, unsigned cpu);
/* The CPU's worker has a job more, and is called for it with all others by cs_imc_call. */
imc_lane *cs_imc_worker_of(cs_imc_driver *driver, unsigned cpu);
void cs_imc_post(cs_imc_driver *driver, imc_lane *worker, imc_job job);
void cs_imc_call(cs_imc_driver *driver);

/* perf prints a count of the event, up to now; command, CPU, number, begin, time and value are given. */
void cs_imc_tell_count(const cs_imc_driver *driver, unsigned cpu, const cs_imc_event *event,
                       cs_count count);

/* ---- imc_tasks.c: commands with processes ---- */

/* Of the worker that runs: another process may be there then, if nothing comes between; CS_NEVER: none
 * will. */
cs_cycle cs_imc_switch_due(const cs_imc_driver *driver);
/* True: it had something to do for a switch. */
bool cs_imc_switch(cs_imc_driver *driver);
void cs_imc_do_task_job(cs_imc_driver *driver, const imc_job *job);
/* perf has it begin, reads it or ends it, on all CPUs where there is something to do. */
void cs_imc_ask_tasks(cs_imc_driver *driver, imc_job job);

#endif
