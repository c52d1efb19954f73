// SPDX-License-Identifier: Apache-2.0
/* The software above IMC: OPAL as firmware, the kernel's driver, and perf commands, as one piece
 * of software on the CPU port (docs/drivers/imc_driver.md). What happens on a CPU (a cross call, a context
 * switch) is taken from that CPU's workload. */
#ifndef CS_DRIVERS_IMC_IMC_DRIVER_H
#define CS_DRIVERS_IMC_IMC_DRIVER_H

#include "drivers/count.h"
#include "drivers/imc/imc_memory.h"
#include "drivers/imc/imc_rules.h"
#include "drivers/software.h"
#include "formats/imc/catalog/catalog.h"
#include "scenario/imc/imc_driver_spec.h"
#include "scenario/imc/imc_spec.h"
#include <countersink/base/diag.h>
#include <countersink/base/stream/events.h>
#include <countersink/base/stream/timeline.h>

#ifdef __cplusplus
extern "C" {
#endif

struct cs_environment;
struct cs_scenario;

typedef struct cs_imc_driver cs_imc_driver;

typedef struct cs_imc_driver_config {
    const cs_imc_driver_spec *spec;    /* borrowed, in the ranges of the scenario's keys */
    const cs_imc_spec *imc;            /* likewise: the cores */
    const cs_imc_catalog *catalog;     /* borrowed; NULL: none */
    cs_imc_memory memory;              /* the kernel's */
    bool nest;                         /* there is one, */
    uint64_t nest_base[CS_MAX_CHIPS];  /* and this is its memory, by chip; */
    uint64_t nest_units[CS_MAX_CHIPS]; /* the vector as hostboot leaves it; 0: it leaves none */
    unsigned clock_mhz;                /* bus cycles of a microsecond */
    unsigned nr_cpus;                  /* of all kinds */
    unsigned tool_cpu;                 /* where perf itself runs */
    const bool *works; /* by CPU: it has a task of its own (software.ports per_cpu), which does what
                          is done there; NULL: none has. Not kept */
    const bool *switches;          /* by CPU: its workload is of more than one process; likewise */
    const cs_event_source *events; /* by CPU: who runs there; copied */
    cs_timeline *const
        *timelines;           /* by CPU; borrowed. Of commands with processes only; else NULL */
    const cs_soft_sink *soft; /* what it tells; borrowed, may be NULL */
} cs_imc_driver_config;

/* perf opened a command, or could not. */
typedef struct cs_imc_opened {
    unsigned command;   /* its number in the scenario */
    cs_imc_error error; /* CS_IMC_GOOD, or why not */
    const char *reason;
} cs_imc_opened;

/* What went wrong on a CPU while a command ran, or before. Told once a command, of its first CPU. */
typedef enum cs_imc_trouble_kind {
    CS_IMC_START_FAILED, /* OPAL_HARDWARE: the kernel refuses the event there */
    CS_IMC_STOP_FAILED,  /* OPAL_HARDWARE: the engine goes on */
    CS_IMC_LATE,         /* its turn came so late, because the software serves CPUs in turn */
    CS_IMC_HTM_LOST,     /* its core came out of a deep stop with HTM_MODE off */
    CS_IMC_LEFT_OUT,     /* it is still in trace mode, and its core's counters leave it out */
    CS_IMC_ENABLE_LOST,  /* another command has switched its thread's counters off with its own */
    CS_IMC_NEST_LOST,    /* no command's: OPAL's pause failed, and it removed the nest's nodes */
    CS_IMC_INIT_FAILED,  /* no command's: OPAL_HARDWARE; the kernel has no PMU for it */
    CS_IMC_TROUBLES
} cs_imc_trouble_kind;

typedef struct cs_imc_trouble {
    cs_imc_trouble_kind kind;
    unsigned command;
    unsigned cpu;
    cs_cycle late; /* CS_IMC_LATE: so much, in cycles */
} cs_imc_trouble;

/* Of what perf stat printed (cs_soft_count): `own` is the cs_imc_event, which outlives the run. */
extern const cs_count_family cs_imc_family;

/* An event of a command with processes was on a CPU: from its add to its del, or to a read between. */
typedef struct cs_imc_stint {
    unsigned command;
    unsigned cpu;
    const cs_imc_event *event;
    cs_cycle from; /* the counter was read then */
    cs_cycle to;
    uint64_t raw;
} cs_imc_stint;

/* A record that the driver took, as the sample that goes to perf. */
typedef struct cs_imc_perf_sample {
    unsigned command;
    unsigned cpu;
    cs_cycle time; /* when the driver had made the sample of it, and not that of the record */
    uint64_t ip;
    uint64_t timebase; /* of the record; perf does not get it */
    uint32_t pid;      /* of the task that is current at the dump */
    uint16_t misc;     /* PERF_RECORD_MISC_* of the CPU mode */
    uint64_t period;
    bool by_interrupt; /* of a PMI's handler (pmi.h): it is no command's, */
    uint64_t counted;  /* and its counter has counted so much since the last one; else 0 */
} cs_imc_perf_sample;

/* What the driver tells. */
CS_SOFT_KIND(imc_opened, cs_imc_opened)
CS_SOFT_KIND(imc_trouble, cs_imc_trouble)
CS_SOFT_KIND(imc_stint, cs_imc_stint)
CS_SOFT_KIND(imc_sample, cs_imc_perf_sample)

typedef struct cs_imc_driver_report {
    uint64_t opal_calls;
    uint64_t opal_errors; /* that did not answer success */
    uint64_t read_errors; /* counters that the bus did not deliver: no count then */
    uint64_t refused;     /* commands */
    uint64_t dumps;
    uint64_t ticks;       /* those of them that a tick of the timer made */
    uint64_t scanned;     /* records that the scans looked at */
    uint64_t samples;     /* records that they took */
    uint64_t dump_cycles; /* from a dump's first read to its last write */
    uint64_t late_cycles; /* what was due on a CPU began so much later, at most */
    /* Of commands with processes: */
    uint64_t switches;      /* at which the kernel took events off a CPU, or put them on */
    uint64_t swaps;         /* at which it left them, as both processes have the same */
    uint64_t waits;         /* for a process that another CPU still ran, */
    uint64_t waited_cycles; /* and how long */
} cs_imc_driver_report;

/* CS_ERR_NO_MEMORY; *out is NULL then. */
cs_status cs_imc_driver_create(const cs_imc_driver_config *config, cs_imc_driver **out,
                               cs_diag *diag);
void cs_imc_driver_destroy(cs_imc_driver *driver); /* NULL is allowed */
cs_software cs_imc_driver_software(cs_imc_driver *driver);
/* The task of a CPU, from 0 on; false: there are no more. */
bool cs_imc_driver_worker(cs_imc_driver *driver, unsigned nr, unsigned *cpu, cs_software *software);
const cs_imc_driver_report *cs_imc_driver_get_report(const cs_imc_driver *driver);

/* NULL where it does not run. */
cs_imc_driver *cs_imc_driver_of(const struct cs_environment *environment);
/* The scenario's, without events and soft; it borrows the scenario. */
cs_imc_driver_config cs_imc_driver_config_of(const struct cs_scenario *scenario);

#ifdef __cplusplus
}
#endif

#endif
