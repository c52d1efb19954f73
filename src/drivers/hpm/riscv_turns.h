// SPDX-License-Identifier: Apache-2.0
/* Events of a kernel on a hart that have counters in turns: perf's scheduling, above the driver
 * (docs/drivers/riscv_driver.md, "Turns"). One object a kernel and hart. The caller has the hart on the
 * kernel's track. */
#ifndef CS_DRIVERS_HPM_RISCV_TURNS_H
#define CS_DRIVERS_HPM_RISCV_TURNS_H

#include "drivers/rotation/rotated.h"
#include <countersink/drivers/hpm/kernel/riscv_pmu.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cs_riscv_turns cs_riscv_turns;

/* An event. The caller fills in the first half; it lives as long as it is in the list. */
typedef struct cs_riscv_turn {
    cs_riscv_perf_event *perf;
    unsigned group; /* of all that are open */
    bool pinned;
    void *whose; /* the caller's */
    /* Instead of the list's; NULL: that. */
    void (*placed)(void *ctx, struct cs_riscv_turn *turn, cs_cycle adding);
    bool open;
    bool on;          /* it has a counter */
    bool error;       /* pinned, and there was none for it */
    cs_hart *hart;    /* on which it was placed */
    unsigned counter; /* for the caller */
    cs_cycle from;    /* it was opened */
    cs_cycle since;
    uint64_t running; /* until then; cycles */
} cs_riscv_turn;

typedef struct cs_riscv_turns_config {
    cs_riscv_pmu *pmu;
    uint64_t interval_cycles; /* of the timer; its ticks are the multiples */
    unsigned rotation_cycles; /* work of a tick, beside that of the events */
    /* The event has got a counter, which it asked for in cycle `adding`, or has lost it. */
    void (*placed)(void *ctx, cs_riscv_turn *turn, cs_cycle adding);
    void *ctx;
} cs_riscv_turns_config;

/* Errors: CS_ERR_NO_MEMORY. */
cs_status cs_riscv_turns_create(const cs_riscv_turns_config *config, cs_riscv_turns **out,
                                cs_diag *diag);
void cs_riscv_turns_destroy(cs_riscv_turns *turns); /* NULL is allowed */

/* Events that have been opened join the list, behind all others; everything is scheduled. False: no
 * memory, or more than CS_ROTATION_MAX_EVENTS. */
bool cs_riscv_turns_open(cs_riscv_turns *turns, cs_hart *hart, cs_riscv_turn *const events[],
                         size_t nr);
/* They leave it, and their counters; who waits may have these. */
bool cs_riscv_turns_close(cs_riscv_turns *turns, cs_hart *hart, cs_riscv_turn *const events[],
                          size_t nr);

/* Cycles on a counter up to `now`, as perf accounts them: perf's time stands still in a pass. */
static inline uint64_t cs_riscv_turn_running(const cs_riscv_turn *turn, cs_cycle now)
{
    return turn->running + (turn->on ? now - turn->since : 0);
}

/* The next tick; CS_NEVER: nobody waits. */
cs_cycle cs_riscv_turns_due(const cs_riscv_turns *turns);
void cs_riscv_turns_tick(cs_riscv_turns *turns, cs_hart *hart);

const cs_rotating_report *cs_riscv_turns_report(const cs_riscv_turns *turns);

#ifdef __cplusplus
}
#endif

#endif
