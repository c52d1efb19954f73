// SPDX-License-Identifier: Apache-2.0
/* The uncore block: counters of a unit that is not a core (docs/hw/uncore.md).
 *
 * Time: all cycles below cs_uncore_now() have been executed; the state, the interrupt line among
 * it, is that of cycle cs_uncore_now(). A counter is brought up to date, by one exact sum over the
 * unit's event source, when an access needs it; the cycle of an overflow is found by search.
 *
 *     const cs_uncore_config config = {.counters = 4, .width = 48};
 *     const cs_uncore_env env = {.events = cs_timeline_event_source(timeline)};
 *     cs_uncore *uncore;
 *
 *     cs_uncore_create(&config, &env, &uncore, NULL);
 *     cs_uncore_write(uncore, 10, 0x100, true, 0x10003);  counter 0 counts event 3
 *     cs_uncore_write(uncore, 11, 0x008, true, 1);        from cycle 12 on
 *     cs_uncore_read(uncore, 1000, 0x200, true, &count); */
#ifndef CS_MODELS_UNCORE_UNCORE_H
#define CS_MODELS_UNCORE_UNCORE_H

#include <stdbool.h>

#include <countersink/base/bus/bus_port.h>
#include <countersink/base/cycle.h>
#include <countersink/base/diag.h>
#include <countersink/base/probe/probe.h>
#include <countersink/base/stream/events.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cs_uncore cs_uncore;

#define CS_UNCORE_MAX_COUNTERS 16u

/* The straps. */
typedef struct cs_uncore_config {
    unsigned counters; /* 1..CS_UNCORE_MAX_COUNTERS */
    unsigned width;    /* 8..64 */
    uint16_t id;
    uint16_t unit; /* source of its probe records: CS_UNIT_UNCORE(n) */
    bool extended; /* counters choose by tags, too */
} cs_uncore_config;

/* What an event counts of which the tags fit ("Tags"): the sum over the cycles [from, to). */
typedef struct cs_uncore_tagged {
    uint64_t (*sum)(void *ctx, uint32_t event, uint64_t match, uint64_t mask, cs_cycle from,
                    cs_cycle to);
    void *ctx;
} cs_uncore_tagged;

typedef struct cs_uncore_env {
    cs_event_source events;     /* sum and reach are used */
    const cs_probe_sink *probe; /* may be NULL */
    cs_uncore_tagged tagged;    /* with `extended`, in the place of `events` */
} cs_uncore_env;

/* The state is that of a reset in cycle 0. *config and *env are copied; what *env points at must
 * outlive the model. On failure (CS_ERR_RANGE, CS_ERR_NO_MEMORY) *out is NULL. */
cs_status cs_uncore_create(const cs_uncore_config *config, const cs_uncore_env *env,
                           cs_uncore **out, cs_diag *diag);
void cs_uncore_destroy(cs_uncore *uncore); /* NULL is allowed */
/* The state of cycle `now` is the reset state; `now` is not before cs_uncore_now(). */
void cs_uncore_reset(cs_uncore *uncore, cs_cycle now);

/* An access with effect in `cycle`, after that of any earlier one and not before cs_uncore_now().
 * `wide`: 8 bytes, else 4 (data in the low half). CS_BUS_OKAY, or CS_BUS_SLVERR; a read then gives
 * 0. A write executes its cycle: cs_uncore_now() is cycle + 1 then, after a read it is cycle. */
cs_bus_resp cs_uncore_read(cs_uncore *uncore, cs_cycle cycle, uint32_t offset, bool wide,
                           uint64_t *data);
cs_bus_resp cs_uncore_write(cs_uncore *uncore, cs_cycle cycle, uint32_t offset, bool wide,
                            uint64_t data);

/* What a read in cycle cs_uncore_now() would answer. Nothing happens: it is no access. */
cs_bus_resp cs_uncore_ask(const cs_uncore *uncore, uint32_t offset, bool wide, uint64_t *data);

cs_cycle cs_uncore_now(const cs_uncore *uncore);
/* The first cycle after cs_uncore_now() in which the line has another level, if no access comes;
 * CS_NEVER: none. */
cs_cycle cs_uncore_next(const cs_uncore *uncore);
/* Executes cycles up to, not including, `to`. Returns the new now (`to` below now is no error). */
cs_cycle cs_uncore_advance(cs_uncore *uncore, cs_cycle to);
/* The line in cycle cs_uncore_now(). */
bool cs_uncore_irq(const cs_uncore *uncore);

#ifdef __cplusplus
}
#endif

#endif
