/* The PMCU (docs/hw/pmcu.md): reads events from memory, drives the core PMUs of a
 * die over the bus, writes what they counted to memory.
 *
 * Time: all cycles below cs_pmcu_now() have been executed; the state is that of
 * cycle cs_pmcu_now(). Inputs (register writes, completions) are posted for a cycle
 * that has not been executed yet and act when it is. Inputs of one cycle may be
 * posted in any order. */
#ifndef CS_MODELS_PMCU_PMCU_H
#define CS_MODELS_PMCU_PMCU_H

#include <stdbool.h>

#include "base/bus/bus_port.h"
#include "base/cycle.h"
#include "base/diag.h"
#include "base/probe/probe.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cs_pmcu cs_pmcu;

#define CS_PMCU_MAX_LANES 4u

typedef struct cs_pmcu_config {
    unsigned clusters; /* 1..16 */
    unsigned slots;    /* 1..8 */
    unsigned lanes;    /* 1..4 */
    bool broadcast;
    bool prefetch;
    bool ext64;           /* register map of the core PMUs */
    unsigned tick_cycles; /* 1..65535 */
} cs_pmcu_config;

typedef struct cs_pmcu_env {
    cs_bus_port bus; /* port number = lane */
    /* The interrupt line has a new level from `cycle` on. May be NULL. */
    void (*irq)(void *ctx, cycle_t cycle, bool level);
    void *irq_ctx;
    const cs_probe_sink *probe; /* may be NULL; must outlive the model */
} cs_pmcu_env;

cs_status cs_pmcu_create(const cs_pmcu_config *config, const cs_pmcu_env *env, cs_pmcu **out,
                         cs_diag *diag);
void cs_pmcu_destroy(cs_pmcu *pmcu); /* NULL is allowed */
/* Everything that is posted or out is forgotten (the bus is reset with the unit); no record
 * and no irq call comes of it. */
void cs_pmcu_reset(cs_pmcu *pmcu, cycle_t now);

cycle_t cs_pmcu_now(const cs_pmcu *pmcu);

/* The earliest cycle whose execution changes anything if no further input comes;
 * CS_NEVER when it waits for an input. A transfer that is CS_BUS_PENDING does not
 * count (its completion is an input). */
cycle_t cs_pmcu_next(const cs_pmcu *pmcu);

/* True when, until the transfer that is being submitted is complete, no other port
 * of this unit can ask for one. To be called from within submit(). */
bool cs_pmcu_bus_alone(const cs_pmcu *pmcu);

/* Executes cycles up to, not including, `to`, but stops after a cycle in which the
 * interrupt line changed. Returns the new now (<= to; `to` below now is no error).
 * Idle stretches cost nothing. Where submit() may answer CS_BUS_PENDING, do not go further
 * than cs_pmcu_next() + 1 in one call: the request of that cycle may complete soon after. */
cycle_t cs_pmcu_advance(cs_pmcu *pmcu, cycle_t to);

/* Register access through the register port, effect in `cycle` >= now. The model is
 * advanced to `cycle` by the call itself (inputs for earlier cycles must have been
 * posted). A write is posted for `cycle`; one a cycle. Returns true for an error response. */
bool cs_pmcu_read(cs_pmcu *pmcu, cycle_t cycle, uint32_t offset, bool wide, uint64_t *data);
bool cs_pmcu_write(cs_pmcu *pmcu, cycle_t cycle, uint32_t offset, bool wide, uint64_t data);

/* A transfer that was CS_BUS_PENDING is complete at txn->complete >= now. */
void cs_pmcu_bus_done(cs_pmcu *pmcu, unsigned port, const cs_bus_txn *txn);

bool cs_pmcu_irq(const cs_pmcu *pmcu);

#ifdef __cplusplus
}
#endif

#endif
