// SPDX-License-Identifier: Apache-2.0
/* perf of a kernel on a hart: perf's core, whose PMU is the kernel's driver (docs/drivers/perf.md, "In a
 * scenario"). The core says which events count; the driver makes the accesses and calls. One object per
 * kernel and hart. The core's nanoseconds are bus cycles here, and its clock stands still in a pass: it is
 * looked at by cs_hart_perf_begin. The caller has the hart on the kernel's track. */
#ifndef CS_DRIVERS_HPM_HART_PERF_H
#define CS_DRIVERS_HPM_HART_PERF_H

#include "drivers/count.h"
#include "software/perf/impl.h"
#include <countersink/drivers/hpm/kernel/riscv_pmu.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cs_hart_perf cs_hart_perf;

/* An event, beside what the core and the driver keep of it. The caller fills in the first half; it lives as
 * long as the event is open. */
typedef struct cs_hart_event {
    cs_riscv_attr attr;
    bool pinned;
    /* It has got a counter, which it asked for in cycle `since`, or has lost it. */
    void (*placed)(struct cs_hart_event *event, cs_hart *hart, bool on, cs_cycle since);
    void *whose;               /* the caller's */
    cs_perf_event *core;       /* NULL: it is not open */
    cs_riscv_perf_event *perf; /* the driver's; NULL: likewise */
    int error;                 /* why it has no counter */
} cs_hart_event;

typedef struct cs_hart_perf_config {
    cs_riscv_pmu *pmu;    /* borrowed */
    uint64_t turn_cycles; /* of the timer of turns, whose ticks are the multiples; 0: no turns */
    unsigned rotation_cycles; /* work of a tick, beside that of the events */
} cs_hart_perf_config;

/* Errors: CS_ERR_NO_MEMORY; *out is NULL then. */
cs_status cs_hart_perf_create(const cs_hart_perf_config *config, cs_hart_perf **out, cs_diag *diag);
/* Before the driver. NULL is allowed. */
void cs_hart_perf_destroy(cs_hart_perf *perf);

bool cs_hart_perf_takes_turns(const cs_hart_perf *perf);
/* perf looks at its clock. */
void cs_hart_perf_begin(cs_hart_perf *perf, cs_hart *hart);

/* The event is open, and off; `leader` of its group (NULL: it is one). 0, or the negative errno with which
 * perf refuses it. */
int cs_hart_perf_open(cs_hart_perf *perf, cs_hart *hart, cs_hart_event *event,
                      cs_hart_event *leader);
/* All that are enabled have counters, as far as there are some: with turns flexible ones leave theirs first. */
void cs_hart_perf_schedule(cs_hart_perf *perf);
/* Those that wait are tried; all others stay as they are. */
void cs_hart_perf_fill(cs_hart_perf *perf);
/* Its count is brought up to date, and returned. */
uint64_t cs_hart_perf_read(cs_hart_perf *perf, cs_hart_event *event);
/* Of an event without a counter: takes no time. */
void cs_hart_perf_close(cs_hart_perf *perf, cs_hart *hart, cs_hart_event *event);

/* For the next pass. */
static inline void cs_hart_event_enable(cs_hart_event *event)
{
    cs_perf_set_state(event->core, CS_PERF_STATE_INACTIVE);
}

/* It has a counter. */
static inline bool cs_hart_event_is_on(const cs_hart_event *event)
{
    return event->core->state == CS_PERF_STATE_ACTIVE;
}

/* The next tick of the timer; CS_NEVER: nobody waits. */
cs_cycle cs_hart_perf_due(const cs_hart_perf *perf);
void cs_hart_perf_tick(cs_hart_perf *perf, cs_hart *hart);
/* NULL: there are no turns. */
const cs_rotating_report *cs_hart_perf_report(const cs_hart_perf *perf);

#ifdef __cplusplus
}
#endif

#endif
