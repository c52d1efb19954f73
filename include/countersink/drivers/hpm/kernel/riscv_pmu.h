// SPDX-License-Identifier: Apache-2.0
/* Linux's PMU driver for one hart, with what perf does above it as far as counters are touched:
 * straight-line code that runs on the hart (docs/drivers/riscv_driver.md).
 *
 * The caller has the hart on the kernel's track (config.guest: on the guest's); calls take
 * simulated time. What is called `int` gives 0 or a negative errno. */
#ifndef CS_DRIVERS_HPM_KERNEL_RISCV_PMU_H
#define CS_DRIVERS_HPM_KERNEL_RISCV_PMU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <countersink/base/diag.h>
#include <countersink/drivers/hpm/hart.h>
#include <countersink/drivers/hpm/sbi/sbi_pmu.h>
#include <countersink/formats/perf/abi/perf.h>
#include <countersink/formats/riscv/read/pmu_map.h>
#include <countersink/scenario/hpm/riscv_bug.h>
#include <countersink/scenario/hpm/riscv_kind.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cs_riscv_pmu cs_riscv_pmu;
typedef struct cs_riscv_perf_event cs_riscv_perf_event;

#define CS_RISCV_MAX_COUNTERS 64u

typedef enum cs_riscv_user_access {
    CS_RISCV_USER_MAPPED, /* counters of mapped events */
    CS_RISCV_USER_LEGACY  /* cycle, time and instret always, and these for their events */
} cs_riscv_user_access;

typedef struct cs_riscv_pmu_config {
    cs_riscv_kind kind;
    cs_riscv_find find; /* SBI: FREE or ALL; V3: any but ALL; else not looked at */
    uint32_t bugs;
    bool guest;     /* runs in VS; not with DELEGATED */
    bool sscofpmf;  /* there are overflow interrupts and filters */
    bool smcntrpmf; /* POSTED: cycle and instret have filters */
    cs_riscv_user_access user_access;
    cs_sbi sbi; /* LEGACY does not call it */
    bool use_snapshot;
    uint64_t snapshot_address;     /* a page; V3: cells of the software counters */
    uint64_t info_address;         /* 832 bytes for EVENT_GET_INFO, by 16; 0: not used */
    bool use_sse;                  /* SBI: overflows by software events, where there are some */
    uint64_t sse_address;          /* 16 bytes for attributes of theirs, by 8 */
    unsigned sse_cycles;           /* into and out of a software event's handler */
    uint64_t ring_base;            /* a page of header, then the data */
    uint64_t ring_bytes;           /* of data: a power of two; 0: no ring */
    const cs_riscv_pmu_map *map;   /* DELEGATED: events and their counters; borrowed */
    unsigned handler_cycles;       /* of the overflow handler, beside its accesses */
    unsigned event_cycles;         /* of open, add, del, start, stop, read */
    unsigned sample_cycles;        /* to build a sample */
    unsigned frame_cycles;         /* for each address of its call chain */
    unsigned max_samples_per_tick; /* of an event; 0: no throttling */
    uint64_t tick_cycles;          /* of the timer; ticks begin at its multiples */
    unsigned clock_mhz;            /* cycles of a microsecond; frequencies need it, and a tick */
} cs_riscv_pmu_config;

/* Of perf's attr. */
#define CS_RISCV_PERF_HARDWARE 0u
#define CS_RISCV_PERF_CACHE 3u
#define CS_RISCV_PERF_RAW 4u

typedef struct cs_riscv_attr {
    uint32_t type;
    uint64_t config;
    uint64_t sample_period; /* 0: counts only */
    uint64_t sample_freq;   /* samples per second; sample_period is 1 then; 0: it is fixed */
    uint64_t id;            /* the event's in the ring */
    bool exclude_user;
    bool exclude_kernel;
    bool exclude_hv;
    bool exclude_host;
    bool exclude_guest;
    bool guest_events; /* the exclude bits are about guests */
    bool mmapped;      /* user space reads the counter */
    bool callchain;    /* samples have their call chains */
    /* Instead of a sample: the handler, with the counter stopped and read. NULL: a sample. */
    void (*overflow)(void *ctx, cs_hart *hart, struct cs_riscv_perf_event *event);
    void *overflow_ctx;
} cs_riscv_attr;

typedef struct cs_riscv_sample {
    const cs_riscv_perf_event *event;
    unsigned hart;
    cs_cycle cycle; /* the first of the trap: `trap_cycles` before the handler began */
    uint64_t ip;
    uint32_t pid;
    uint32_t tid;
    uint64_t time; /* mtime */
    uint64_t period;
    unsigned counter; /* hardware's number: CSR - 0xc00 */
    uint16_t misc;
    bool in_software; /* it interrupted software of the kernel's, not the workload */
    uint64_t count;   /* the event's so far */
    bool lost;        /* the ring had no room */
    /* With its markers, as in the ring; NULL: attr.callchain is not set. */
    const uint64_t *chain;
    size_t nr_chain;
} cs_riscv_sample;

/* Any may be NULL. */
typedef struct cs_riscv_listener {
    void (*sample)(void *ctx, const cs_riscv_sample *sample);
    /* on: throttled; else it goes on. */
    void (*throttle)(void *ctx, const cs_riscv_perf_event *event, cs_cycle cycle, bool on);
    /* A LOST record went into the ring. */
    void (*lost)(void *ctx, uint64_t records);
    /* The reader has taken bytes of the ring. */
    void (*data)(void *ctx, const void *bytes, size_t length);
    void *ctx;
} cs_riscv_listener;

typedef struct cs_riscv_figures {
    uint64_t interrupts; /* handlers that ran */
    uint64_t sse;        /* of them by software events */
    uint64_t spurious;   /* those that found nothing */
    uint64_t samples;    /* lost ones among them */
    uint64_t lost;       /* records that found no room */
    uint64_t throttled;
    uint64_t unthrottled;
    uint64_t sbi_calls;
    uint64_t sbi_errors; /* but ALREADY_STARTED and _STOPPED, trials, and empty sets */
    uint64_t bus_errors; /* of the page and the ring */
    uint64_t ring_bytes; /* of records written */
    uint64_t warnings;   /* starts of an event that runs, or with RELOAD of one not read */
} cs_riscv_figures;

/* *config and *listener (NULL is allowed) are copied. Errors: CS_ERR_RANGE, CS_ERR_NO_MEMORY;
 * *out is NULL then. */
cs_status cs_riscv_pmu_create(const cs_riscv_pmu_config *config, const cs_riscv_listener *listener,
                              cs_riscv_pmu **out, cs_diag *diag);
void cs_riscv_pmu_destroy(cs_riscv_pmu *pmu); /* with its events; NULL is allowed */

/* Finds counters and events and makes the hart ready. ENODEV: no counters. */
int cs_riscv_pmu_probe(cs_riscv_pmu *pmu, cs_hart *hart);
/* The hart goes down; events must have been deleted. */
void cs_riscv_pmu_dying(cs_riscv_pmu *pmu, cs_hart *hart);

/* Bit i: there is a counter i. */
uint64_t cs_riscv_pmu_counters(const cs_riscv_pmu *pmu);
/* Of counter i: its bits; 0: there is none. */
unsigned cs_riscv_pmu_width(const cs_riscv_pmu *pmu, unsigned i);
/* 0xc00..; 0: no hardware counter. */
unsigned cs_riscv_pmu_csr(const cs_riscv_pmu *pmu, unsigned i);
bool cs_riscv_pmu_has_snapshot(const cs_riscv_pmu *pmu);
const cs_riscv_figures *cs_riscv_pmu_figures(const cs_riscv_pmu *pmu);

/* Counters that no event can have now: events have them, or another owner. */
uint64_t cs_riscv_pmu_taken(const cs_riscv_pmu *pmu);
/* Free counters of the set belong to another owner, until they are given back. */
void cs_riscv_pmu_lend(cs_riscv_pmu *pmu, uint64_t set);
void cs_riscv_pmu_give_back(cs_riscv_pmu *pmu, uint64_t set);

/* ---- an event ---- */

/* The event lives until close or until the driver ends. *out is NULL with an error. */
int cs_riscv_perf_open(cs_riscv_pmu *pmu, cs_hart *hart, const cs_riscv_attr *attr,
                       cs_riscv_perf_event **out);
/* Deletes it first where it has a counter. */
void cs_riscv_perf_close(cs_riscv_pmu *pmu, cs_hart *hart, cs_riscv_perf_event *event);

#define CS_RISCV_EF_START 1u  /* add */
#define CS_RISCV_EF_RELOAD 2u /* start */
#define CS_RISCV_EF_UPDATE 4u /* stop */

int cs_riscv_perf_add(cs_riscv_pmu *pmu, cs_hart *hart, cs_riscv_perf_event *event, unsigned flags);
void cs_riscv_perf_del(cs_riscv_pmu *pmu, cs_hart *hart, cs_riscv_perf_event *event);
/* Of an event that has a counter. */
void cs_riscv_perf_start(cs_riscv_pmu *pmu, cs_hart *hart, cs_riscv_perf_event *event,
                         unsigned flags);
void cs_riscv_perf_stop(cs_riscv_pmu *pmu, cs_hart *hart, cs_riscv_perf_event *event,
                        unsigned flags);
/* Brings the count up to date and returns it. */
uint64_t cs_riscv_perf_read(cs_riscv_pmu *pmu, cs_hart *hart, cs_riscv_perf_event *event);

#define CS_RISCV_HES_STOPPED 1u
#define CS_RISCV_HES_UPTODATE 2u

/* Of a stopped event: a new period begins, of which nothing has passed. */
void cs_riscv_perf_set_period(cs_riscv_perf_event *event, uint64_t period);
/* From attr.overflow: the counter goes on from the event's period. */
void cs_riscv_perf_reload(cs_riscv_pmu *pmu, cs_hart *hart, cs_riscv_perf_event *event);

/* These take no time. */
/* What opening would say. */
int cs_riscv_perf_check(const cs_riscv_pmu *pmu, const cs_riscv_attr *attr);
uint64_t cs_riscv_perf_count(const cs_riscv_perf_event *event);
int64_t cs_riscv_perf_left(const cs_riscv_perf_event *event); /* to the end of the period */
unsigned cs_riscv_perf_state(const cs_riscv_perf_event *event);
int cs_riscv_perf_index(const cs_riscv_perf_event *event); /* counter; -1: none */
const cs_riscv_attr *cs_riscv_perf_attr(const cs_riscv_perf_event *event);
/* What the event is for SBI: type and code; its data. */
uint32_t cs_riscv_perf_idx(const cs_riscv_perf_event *event, uint64_t *data);

/* ---- from outside ---- */

/* The overflow handler, after the trap into it. True: an overflow was found. */
bool cs_riscv_pmu_irq(cs_riscv_pmu *pmu, cs_hart *hart);
/* The handler of software events, fit for cs_sbi_pmu_on_sse: the whole of it, COMPLETE included. */
void cs_riscv_pmu_sse(cs_riscv_pmu *pmu, cs_hart *hart, const cs_sse_entry *entry);
/* Overflows come by software events. */
bool cs_riscv_pmu_has_sse(const cs_riscv_pmu *pmu);
/* The timer's tick. */
void cs_riscv_pmu_tick(cs_riscv_pmu *pmu, cs_hart *hart);
/* The first tick not before `now` that has something to do; CS_NEVER: none has. */
cs_cycle cs_riscv_pmu_next_tick(const cs_riscv_pmu *pmu, cs_cycle now);
/* The reader of the ring takes what is new. Returns the bytes. */
uint64_t cs_riscv_pmu_drain(cs_riscv_pmu *pmu, cs_hart *hart);

/* Around a sleep that loses the counters. */
void cs_riscv_pmu_pm_enter(cs_riscv_pmu *pmu, cs_hart *hart);
void cs_riscv_pmu_pm_exit(cs_riscv_pmu *pmu, cs_hart *hart);

#ifdef __cplusplus
}
#endif

#endif
