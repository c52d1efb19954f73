// SPDX-License-Identifier: Apache-2.0
/* The software that owns a PMCU: what the published driver (hisi_pmcu.c, RFC of February 2023,
 * docs/sources.md) does between perf and the hardware, as straight-line code (drivers/routine.h).
 *
 * A session: PMCR, INT_MSK, INT_EN, COMP and PMCCFILTR are written; the event array goes to
 * memory, the AUX header to the first AUX buffer; the first trigger. Each interrupt then ends a
 * trigger and starts the next, or hands the full AUX buffer to perf and goes on in the next one,
 * until all samples are there, the user stops perf, or the hardware reports an error that
 * ended its run. Last, the rest is handed over and INT_EN is cleared.
 *
 * All of this but the waiting for the interrupt (and its latency) happens between ENTER and
 * LEAVE, in time that the core's workload does not get. So does what perf does with the data. */
#ifndef CS_DRIVERS_PMCU_PMCU_DRIVER_H
#define CS_DRIVERS_PMCU_PMCU_DRIVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/probe/soft.h"
#include "drivers/pmcu/split.h"
#include "drivers/software.h"
#include <countersink/base/cycle.h>
#include <countersink/base/diag.h>

#ifdef __cplusplus
extern "C" {
#endif

struct cs_environment;

/* Where in the driver's data the event array lies, as in the published driver: its address is
 * a multiple of 4 and of nothing more. */
#define CS_PMCU_DRIVER_ARRAY_OFFSET 36u

/* Compatibility mode leaves counters 0 to 2 to guests; a die whose MDCR_EL2.HPMN is larger
 * than this runs in normal mode. */
#define CS_PMCU_DRIVER_COMP_HPMN 3u

/* What version 1 of the published driver does otherwise; none by default. */
typedef enum cs_pmcu_quirk {
    /* COMP is written before the mode is known, hence 0; sizes are those of the mode. */
    CS_PMCU_QUIRK_COMP_UNSET = 1u << 0,
    /* INT_CLR is written after the next TRIGGER: the DONE of a short run is lost. */
    CS_PMCU_QUIRK_LATE_CLEAR = 1u << 1,
    /* A stop polls with interrupts off: a handler on the same CPU cannot answer. */
    CS_PMCU_QUIRK_STOP_MASKED = 1u << 2,
    /* The interrupt has no affinity of its own: its handler runs on CPU 0. */
    CS_PMCU_QUIRK_AFFINITY_UNSET = 1u << 3,
    /* FSM_STATUS is not read: a failed run is taken for a good one. */
    CS_PMCU_QUIRK_STATUS_UNREAD = 1u << 4,
    /* INT_EN stays set at the end: the driver is never unbound. */
    CS_PMCU_QUIRK_STAYS_ENABLED = 1u << 5
} cs_pmcu_quirk;

/* Who else uses the counters is asked before the first register is written. */
typedef enum cs_pmcu_claim {
    CS_PMCU_CLAIM_GRANTED,
    CS_PMCU_CLAIM_WAIT, /* to be asked again, CS_PMCU_CLAIM_POLL_US later */
    CS_PMCU_CLAIM_BUSY
} cs_pmcu_claim;
#define CS_PMCU_CLAIM_POLL_US 1u

typedef struct cs_pmcu_owner {
    cs_pmcu_claim (*claim)(void *ctx, cs_cycle now); /* NULL: nobody is asked */
    void (*release)(void *ctx, cs_cycle now);        /* after a session whose claim was granted */
    void *ctx;
} cs_pmcu_owner;

/* From cycle `at` on it is to be on another CPU: the one that it is on goes off. */
typedef struct cs_pmcu_cpu_move {
    cs_cycle at;
    unsigned cpu;
} cs_pmcu_cpu_move;

typedef struct cs_pmcu_driver_config {
    unsigned die;                  /* whose PMCU: CS_LINE_PMCU(die) is its interrupt */
    uint64_t registers;            /* address of the PMCU */
    const uint32_t *user_events;   /* 16-bit event numbers, copied */
    size_t nr_user_events;         /* those beyond 240 are ignored and counted */
    uint64_t nr_sample;            /* samples to take */
    uint32_t sample_period_ticks;  /* WAIT_CNT */
    uint8_t pmccfiltr;             /* bits 31:24 of PMCCFILTR */
    bool comp;                     /* compatibility mode is asked for */
    unsigned hpmn;                 /* MDCR_EL2.HPMN of the die's cores */
    unsigned nr_cpus;              /* CPU slots of the die, >= 1 */
    unsigned cpu;                  /* that the driver runs on; for what it tells */
    const cs_pmcu_cpu_move *moves; /* rising; copied by nobody, as long as the driver */
    size_t nr_moves;
    uint64_t aux_base;         /* a multiple of 16 */
    uint64_t aux_buffer_bytes; /* 1..2^32-1, a multiple of 16 */
    unsigned aux_buffers;      /* >= 1 */
    uint64_t reader_cycles;    /* perf takes so long to read a stretch; 0: none */
    uint64_t data_base;        /* the driver's data, a multiple of 4 */
    cs_cycle start_at_cycle;   /* the user starts perf; 0: at once */
    cs_cycle stop_at_cycle;    /* the user stops perf; 0: never */
    cs_pmcu_owner owner;
    uint64_t claim_cycles;       /* from one claim to the next, >= 1 where there is an owner */
    unsigned access_cycles;      /* CPU work before each register access */
    unsigned irq_latency_cycles; /* from the line to the handler */
    unsigned irq_entry_cycles;   /* then: exception entry, time that the workload does not get */
    unsigned irq_exit_cycles;    /* end of the handler to the workload, likewise */
    unsigned perf_wakeup_cycles; /* perf's work for a stretch that it is handed, */
    unsigned perf_kib_cycles;    /* and for each 1024 bytes of it; interrupts come in between */
    uint64_t poll_cycles;        /* stop: from one look at the handler's answer to the next, >= 1 */
    uint64_t give_up_cycles;     /* stop: how long it looks, a multiple of poll_cycles */
    unsigned quirks;             /* cs_pmcu_quirk */
} cs_pmcu_driver_config;

/* One trigger, when it has ended. */
typedef struct cs_pmcu_trigger {
    unsigned die;
    uint64_t number;        /* from 0 */
    cs_cycle trigger_cycle; /* FSM_CTRL.TRIGGER is written: its completion */
    cs_cycle done_cycle;    /* software sees the line that reports the end */
    cs_cycle gap_cycles; /* from done_cycle of the last trigger to trigger_cycle; 0 for the first */
    uint64_t samples_asked;
    uint64_t samples_done; /* 0 where the run did not get to its end */
    uint64_t store_base;
    unsigned ev_len;
    unsigned nr_loop;
    uint32_t errors; /* bits 13:8 of FSM_STATUS, at their places; 0 after a break */
} cs_pmcu_trigger;

/* A stretch of AUX data that is handed to perf: to be read out of memory now. Together they are the
 * dump that formats/pmcu/read/aux.h reads. */
typedef struct cs_pmcu_aux_stretch {
    unsigned die;
    uint64_t address;
    uint64_t bytes; /* >= 1 */
    bool truncated; /* there was no room behind it: PERF_AUX_FLAG_TRUNCATED */
} cs_pmcu_aux_stretch;

/* All AUX buffers were full: nothing was sampled until perf had read one. */
typedef struct cs_pmcu_aux_loss {
    unsigned die;
    cs_cycle from, to;
} cs_pmcu_aux_loss;

/* It went to another CPU. */
typedef struct cs_pmcu_moved {
    unsigned die, from, to;
} cs_pmcu_moved;

/* What the driver tells. */
CS_SOFT_KIND(pmcu_aux, cs_pmcu_aux_stretch)
CS_SOFT_KIND(pmcu_loss, cs_pmcu_aux_loss) /* the cycle is `to` */
CS_SOFT_KIND(pmcu_moved, cs_pmcu_moved)
CS_SOFT_KIND(pmcu_trigger, cs_pmcu_trigger) /* the cycle is done_cycle */

/* Why a session ended. */
typedef enum cs_pmcu_end {
    CS_PMCU_END_NOT_YET = 0,
    CS_PMCU_END_COMPLETE = 1,     /* all samples were taken */
    CS_PMCU_END_STOPPED = 2,      /* by the user; the hardware answered */
    CS_PMCU_END_STOP_TIMEOUT = 3, /* by the user; the hardware did not answer in time */
    CS_PMCU_END_CFG_ERR = 4,      /* the hardware refused FSM_CFG (a driver without events) */
    CS_PMCU_END_FETCH_ERR = 5,    /* bus error on the event array */
    CS_PMCU_END_STORE_ERR = 6,    /* bus error on the AUX buffer */
    CS_PMCU_END_KILL = 7,         /* the hardware came to the end of the AUX buffer */
    CS_PMCU_END_NO_ROOM = 8,      /* no sample fits into an empty AUX buffer */
    CS_PMCU_END_BUS_ERROR = 9,    /* on an access of the driver itself */
    CS_PMCU_END_BUSY = 10         /* others have the counters */
} cs_pmcu_end;

typedef struct cs_pmcu_driver_report {
    cs_pmcu_end end;
    bool comp;          /* the mode in use */
    bool comp_refused;  /* asked for, but HPMN is too large */
    unsigned nr_events; /* user events in use */
    size_t ignored_events;
    uint64_t triggers;
    uint64_t samples; /* done and kept */
    uint64_t commits;
    uint64_t committed_bytes;
    uint64_t truncations;         /* of the commits */
    uint64_t full_cycles;         /* in which all AUX buffers were full */
    uint64_t gap_cycles;          /* of all triggers but the first */
    uint64_t perf_cycles;         /* of the core, for perf */
    uint64_t moves;               /* to another CPU */
    uint64_t spurious_interrupts; /* INT_STAT read 0 */
    uint32_t errors;              /* bits 13:8 of FSM_STATUS of all triggers */
    uint64_t error_address;       /* of CS_PMCU_END_BUS_ERROR */
} cs_pmcu_driver_report;

typedef struct cs_pmcu_driver cs_pmcu_driver;

/* CS_ERR_RANGE (what was found and what is allowed), CS_ERR_NO_MEMORY; *out is NULL then.
 * `soft` is borrowed and may be NULL. */
cs_status cs_pmcu_driver_create(const cs_pmcu_driver_config *config, const cs_soft_sink *soft,
                                cs_pmcu_driver **out, cs_diag *diag);
void cs_pmcu_driver_destroy(cs_pmcu_driver *driver); /* NULL is allowed */

/* What the CPU port is to run; valid as long as the driver. */
cs_software cs_pmcu_driver_software(cs_pmcu_driver *driver);

/* So far; final once `end` is not CS_PMCU_END_NOT_YET. */
const cs_pmcu_driver_report *cs_pmcu_driver_get_report(const cs_pmcu_driver *driver);

const cs_pmcu_layout *cs_pmcu_driver_get_layout(const cs_pmcu_driver *driver);

/* As a phrase for people: "all samples were taken". */
const char *cs_pmcu_end_text(cs_pmcu_end end);

/* That it runs on. */
unsigned cs_pmcu_driver_cpu(const cs_pmcu_driver *driver);

/* Of a die; NULL where none runs. */
cs_pmcu_driver *cs_pmcu_driver_of(const struct cs_environment *environment, unsigned die);
/* MDCR_EL2.HPME of a core: the scenario's, or set by its die's driver for compatibility mode. */
bool cs_pmcu_driver_hpme(const struct cs_environment *environment, unsigned cpu);

#ifdef __cplusplus
}
#endif

#endif
