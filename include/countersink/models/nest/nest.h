// SPDX-License-Identifier: Apache-2.0
/* The nest units and the engine that posts their counters to memory (docs/hw/nest.md).
 *
 * Time: all cycles below cs_nest_now() have been executed; the state is that of cycle
 * cs_nest_now(). A completion is posted for a cycle that has not been executed yet.
 *
 * There are no registers: the host talks to the engine through memory. What the engine reads
 * there is whatever submit() finds.
 *
 * The model costs what its transfers cost: a counter is brought up to date, by one exact sum over
 * the event source, when it is read, and the cycles between transfers are skipped.
 *
 *     const cs_nest_config config = {
 *         .base = 0x88000000, .tick_cycles = 20000, .unit = CS_UNIT_NEST};
 *     const cs_nest_env env = {.bus = {submit, my_bus}, .events = cs_timeline_event_source(timeline)};
 *     cs_nest *nest;
 *
 *     cs_nest_create(&config, &env, &nest, NULL);
 *     cs_nest_advance(nest, cs_nest_next(nest) + 1);  may call submit */
#ifndef CS_MODELS_NEST_NEST_H
#define CS_MODELS_NEST_NEST_H

#include <stdbool.h>
#include <stdint.h>

#include <countersink/base/bus/bus_port.h>
#include <countersink/base/cycle.h>
#include <countersink/base/diag.h>
#include <countersink/base/probe/probe.h>
#include <countersink/base/stream/events.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cs_nest cs_nest;

#define CS_NEST_WINDOW_BYTES 0x40000u
#define CS_NEST_MIN_TICK_CYCLES 16u

typedef enum cs_nest_status_value {
    CS_NEST_STATUS_INIT = 0,
    CS_NEST_STATUS_RUN = 1,
    CS_NEST_STATUS_PAUSE = 2,
    CS_NEST_STATUS_ERR1 = 3, /* speed */
    CS_NEST_STATUS_ERR2 = 4  /* mode */
} cs_nest_status_value;

/* The straps. */
typedef struct cs_nest_config {
    uint64_t base;        /* of the window: a multiple of 4 KiB; the window ends at 2^56 at most */
    uint32_t tick_cycles; /* CS_NEST_MIN_TICK_CYCLES..2^32-1 */
    uint16_t unit;        /* source of its probe records */
    bool power10;         /* POWER10's engine; else POWER9's */
} cs_nest_config;

typedef struct cs_nest_env {
    cs_bus_port bus;
    unsigned port;          /* handed to submit */
    cs_event_source events; /* of the nest; event = offset of the counter / 8; only sum is used */
    const cs_probe_sink *probe; /* may be NULL */
} cs_nest_env;

/* The state is that of a reset in cycle 0. *config and *env are copied; what *env points at must
 * outlive the model. On failure (CS_ERR_RANGE, CS_ERR_NO_MEMORY) *out is NULL. */
cs_status cs_nest_create(const cs_nest_config *config, const cs_nest_env *env, cs_nest **out,
                         cs_diag *diag);
void cs_nest_destroy(cs_nest *nest); /* NULL is allowed */

/* The state of cycle `now` is the reset state, and ticks begin anew; `now` is not before cs_nest_now(). A
 * transfer in flight is forgotten: its completion must not be reported. */
void cs_nest_reset(cs_nest *nest, cs_cycle now);

cs_cycle cs_nest_now(const cs_nest *nest);

/* The earliest cycle whose execution changes anything if no input comes; CS_NEVER while a transfer
 * is out that was CS_BUS_PENDING (its completion is an input). */
cs_cycle cs_nest_next(const cs_nest *nest);

/* Executes cycles up to, not including, `to`. Returns the new now (`to` below now is no error).
 * Where submit() may answer CS_BUS_PENDING, do not go further than cs_nest_next() + 1 in one
 * call: the request of that cycle may complete soon after. */
cs_cycle cs_nest_advance(cs_nest *nest, cs_cycle to);

/* The transfer that was CS_BUS_PENDING is complete at txn->complete >= now. */
void cs_nest_bus_done(cs_nest *nest, const cs_bus_txn *txn);

/* The status by the registers of cycle cs_nest_now() (cs_nest_status_value). */
unsigned cs_nest_status(const cs_nest *nest);

#ifdef __cplusplus
}
#endif

#endif
