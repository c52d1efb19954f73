// SPDX-License-Identifier: Apache-2.0
/* The PMCU (docs/hw/pmcu.md): reads events from memory, drives the core PMUs of a
 * die over the bus, writes what they counted to memory.
 *
 * Time: all cycles below cs_pmcu_now() have been executed; the state is that of
 * cycle cs_pmcu_now(). Inputs (register writes, completions) are posted for a cycle
 * that has not been executed yet and act when it is. Inputs of one cycle may be
 * posted in any order.
 *
 *     const cs_pmcu_config config = {.clusters = 2, .slots = 4, .lanes = 1, .tick_cycles = 100};
 *     const cs_pmcu_env env = {.bus = {submit, my_bus}, .irq = irq, .irq_ctx = my_cpu};
 *     cs_pmcu *pmcu;
 *
 *     cs_pmcu_create(&config, &env, &pmcu, NULL);
 *     cs_pmcu_write(pmcu, 10, CS_PMCU_FSM_CTRL, false, 1);  TRIGGER, after the others (pmcu_regs.h)
 *     while (cs_pmcu_next(pmcu) != CS_NEVER)                to the end of what it does by itself
 *         cs_pmcu_advance(pmcu, cs_pmcu_next(pmcu) + 1);    may call submit and irq */
#ifndef CS_MODELS_PMCU_PMCU_H
#define CS_MODELS_PMCU_PMCU_H

#include <stdbool.h>

#include <countersink/base/bus/bus_port.h>
#include <countersink/base/cycle.h>
#include <countersink/base/diag.h>
#include <countersink/base/probe/probe.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cs_pmcu cs_pmcu;

#define CS_PMCU_MAX_CLUSTERS 16u
#define CS_PMCU_MAX_SLOTS 8u
#define CS_PMCU_MAX_LANES 4u
#define CS_PMCU_MAX_DIES 4u

/* When counters are stopped to be read (docs/hw/pmcu.md, "Orders"). */
typedef enum cs_pmcu_order {
    CS_PMCU_ORDER_DIE,
    CS_PMCU_ORDER_CORE,
    CS_PMCU_ORDER_COUNTER,
    CS_PMCU_ORDER_RUNNING,
    CS_PMCU_NR_ORDERS
} cs_pmcu_order;

/* The straps. */
typedef struct cs_pmcu_config {
    unsigned clusters;    /* 1..CS_PMCU_MAX_CLUSTERS */
    unsigned slots;       /* of a cluster: 1..CS_PMCU_MAX_SLOTS */
    unsigned lanes;       /* 1..CS_PMCU_MAX_LANES */
    bool broadcast;       /* writes to all core PMUs of a cluster at once */
    bool prefetch;        /* events of the next group are fetched while this one counts */
    bool ext64;           /* register map of the core PMUs */
    unsigned tick_cycles; /* 1..65535 */
    uint16_t die;         /* its number, 0..CS_PMCU_MAX_DIES - 1: the clusters that it walks, and
                             the unit of its probe records (CS_UNIT_PMCU + die) */
    cs_pmcu_order order;
    bool posted; /* errors of writes to core PMUs come late */
} cs_pmcu_config;

typedef struct cs_pmcu_env {
    cs_bus_port bus; /* port number = lane; must not be NULL */
    /* The interrupt line has a new level from `cycle` on. May be NULL. */
    void (*irq)(void *ctx, cs_cycle cycle, bool level);
    void *irq_ctx;
    const cs_probe_sink *probe; /* may be NULL */
} cs_pmcu_env;

/* The state is that of a reset in cycle 0. *config and *env are copied; what *env points at must
 * outlive the model. On failure (CS_ERR_RANGE, CS_ERR_NO_MEMORY) *out is NULL. */
cs_status cs_pmcu_create(const cs_pmcu_config *config, const cs_pmcu_env *env, cs_pmcu **out,
                         cs_diag *diag);
void cs_pmcu_destroy(cs_pmcu *pmcu); /* NULL is allowed */
/* The state of cycle `now` is the reset state. Everything that is posted or in flight is forgotten (the
 * bus is reset with the unit), without a record or a call of irq. */
void cs_pmcu_reset(cs_pmcu *pmcu, cs_cycle now);

cs_cycle cs_pmcu_now(const cs_pmcu *pmcu);

/* The earliest cycle whose execution changes anything if no further input comes;
 * CS_NEVER when it waits for an input. A transfer that is CS_BUS_PENDING does not
 * count (its completion is an input). */
cs_cycle cs_pmcu_next(const cs_pmcu *pmcu);

/* True when, until the transfer that is being submitted is complete, no other port
 * of this unit can ask for one. To be called from within submit(). */
bool cs_pmcu_bus_alone(const cs_pmcu *pmcu);

/* Executes cycles up to, not including, `to`, but stops after a cycle in which the
 * interrupt line changed. Returns the new now (<= to; `to` below now is no error).
 * Idle stretches cost nothing. Where submit() may answer CS_BUS_PENDING, do not go further
 * than cs_pmcu_next() + 1 in one call: the request of that cycle may complete soon after. */
cs_cycle cs_pmcu_advance(cs_pmcu *pmcu, cs_cycle to);

/* Register access through the register port, effect in `cycle` >= now. The model is
 * advanced to `cycle` by the call itself (inputs for earlier cycles must have been
 * posted). A write is posted for `cycle`; one per cycle. `wide`: 8 bytes, else 4. CS_BUS_OKAY, or
 * CS_BUS_SLVERR; a read then gives 0. */
cs_bus_resp cs_pmcu_read(cs_pmcu *pmcu, cs_cycle cycle, uint32_t offset, bool wide, uint64_t *data);
cs_bus_resp cs_pmcu_write(cs_pmcu *pmcu, cs_cycle cycle, uint32_t offset, bool wide, uint64_t data);

/* What a read in cycle cs_pmcu_now() would answer. Nothing happens: it is no access. */
cs_bus_resp cs_pmcu_ask(const cs_pmcu *pmcu, uint32_t offset, bool wide, uint64_t *data);

/* A transfer that was CS_BUS_PENDING is complete at txn->complete >= now. */
void cs_pmcu_bus_done(cs_pmcu *pmcu, unsigned port, const cs_bus_txn *txn);

/* The line in cycle cs_pmcu_now(). */
bool cs_pmcu_irq(const cs_pmcu *pmcu);

#ifdef __cplusplus
}
#endif

#endif
