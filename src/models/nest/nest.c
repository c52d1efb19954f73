// SPDX-License-Identifier: Apache-2.0
/* The nest units as an object: time, ticks, the transfer that is out. */
#include <countersink/models/nest/nest.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/require.h"
#include "models/nest/nest_internal.h"

#define PAGE_BYTES 4096u
#define BASE_END (UINT64_C(1) << 56) /* above are the bits that the bus has for itself */
#define MAX_TICKS 255u

static cs_status check(const cs_nest_config *config, cs_diag *diag)
{
    if (config->tick_cycles < CS_NEST_MIN_TICK_CYCLES)
        return cs_diag_set(diag, CS_ERR_RANGE, "nest", "tick_cycles is %" PRIu32 ": must be %u..%u",
                           config->tick_cycles, CS_NEST_MIN_TICK_CYCLES, UINT32_MAX);
    if (config->base % PAGE_BYTES != 0)
        return cs_diag_set(diag, CS_ERR_RANGE, "nest",
                           "base is 0x%" PRIx64 ": must be a multiple of %u", config->base,
                           PAGE_BYTES);
    if (config->base > BASE_END - CS_NEST_WINDOW_BYTES)
        return cs_diag_set(diag, CS_ERR_RANGE, "nest",
                           "base is 0x%" PRIx64 ": must be at most 0x%" PRIx64, config->base,
                           BASE_END - CS_NEST_WINDOW_BYTES);
    return CS_OK;
}

static cs_status check_env(const cs_nest_env *env, cs_diag *diag)
{
    if (env == NULL || env->bus.submit == NULL || env->events.sum == NULL)
        return cs_diag_set(diag, CS_ERR_RANGE, "nest",
                           "env: bus.submit and events.sum must be set");
    return CS_OK;
}

cs_status cs_nest_create(const cs_nest_config *config, const cs_nest_env *env, cs_nest **out,
                         cs_diag *diag)
{
    *out = NULL;
    cs_status status = check(config, diag);
    if (status == CS_OK)
        status = check_env(env, diag);
    if (status != CS_OK)
        return status;

    cs_nest *nest = calloc(1, sizeof(*nest));
    if (nest == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, "nest", "out of memory");
    nest->config = *config;
    nest->env = *env;
    nest->engine = config->power10 ? &cs_nest_power10 : &cs_nest_power9;
    cs_nest_reset(nest, 0);
    *out = nest;
    return CS_OK;
}

void cs_nest_reset(cs_nest *nest, cs_cycle now)
{
    const cs_nest fresh = {.config = nest->config,
                           .env = nest->env,
                           .engine = nest->engine,
                           .begun = now,
                           .now = now,
                           .completes = CS_NEVER,
                           .ticks_since = now,
                           .regs.ring = 1};

    *nest = fresh;
    for (unsigned n = 0; n < CS_NEST_MOST_COUNTERS; n++)
        nest->counters[n].since = now;
    cs_nest_visit_init(nest);
    cs_nest_enter(nest, CS_NEST_STATE_IDLE, now);
}

void cs_nest_destroy(cs_nest *nest)
{
    free(nest);
}

cs_cycle cs_nest_now(const cs_nest *nest)
{
    return nest->now;
}

unsigned cs_nest_status(const cs_nest *nest)
{
    return cs_nest_status_of(nest);
}

/* ---- ticks ---- */

/* How many ticks come in the cycles below `cycle`. */
static uint64_t ticks_before(const cs_nest *nest, cs_cycle cycle)
{
    return cycle <= nest->begun ? 0 : (cycle - nest->begun - 1) / nest->config.tick_cycles;
}

/* Between two that are taken the number only grows, so the limit is looked at last. */
static void settle_ticks(cs_nest *nest, cs_cycle cycle)
{
    nest->ticks += ticks_before(nest, cycle) - ticks_before(nest, nest->ticks_since);
    if (nest->ticks > MAX_TICKS)
        nest->ticks = MAX_TICKS;
    nest->ticks_since = cycle;
}

cs_cycle cs_nest_ticks_due(cs_nest *nest, cs_cycle cycle)
{
    settle_ticks(nest, cycle);
    if (nest->ticks > 0)
        return cycle;

    const uint64_t period = nest->config.tick_cycles;
    const uint64_t next = ticks_before(nest, cycle) + 1;

    return next > (CS_NEVER - 1 - nest->begun) / period ? CS_NEVER
                                                        : nest->begun + next * period + 1;
}

void cs_nest_ticks_take(cs_nest *nest)
{
    settle_ticks(nest, nest->now);
    nest->ticks--;
}

/* ---- the bus ---- */

void cs_nest_ask(cs_nest *nest, uint64_t addr, bool write, unsigned words)
{
    cs_bus_txn *txn = &nest->txn;

    txn->addr = addr;
    txn->request = nest->now + 1;
    txn->write = write;
    txn->size = CS_NEST_WORD_BYTES;
    txn->beats = (uint8_t)words;
    nest->out = true;
    nest->completes = CS_NEVER;
    if (nest->env.bus.submit(nest->env.bus.ctx, nest->env.port, txn) == CS_BUS_DONE)
        nest->completes = txn->complete;
}

/* The transaction is the unit's own; a platform may hand in a copy that it filled. */
void cs_nest_bus_done(cs_nest *nest, const cs_bus_txn *txn)
{
    cs_bus_txn *own = &nest->txn;

    CS_REQUIRE(!nest->out || txn->complete >= nest->now,
               "nest: a completion in cycle %" PRIu64 ": must be in %" PRIu64 " or later",
               txn->complete, nest->now);
    if (txn != own) {
        own->resp = txn->resp;
        if (!own->write)
            memcpy(own->data, txn->data, cs_bus_txn_bytes(own));
    }
    nest->completes = txn->complete;
}

/* ---- time ---- */

cs_cycle cs_nest_next(const cs_nest *nest)
{
    const cs_cycle next = nest->out ? nest->completes : nest->due;

    return next > nest->now ? next : nest->now;
}

static void step(cs_nest *nest)
{
    if (nest->out) {
        nest->out = false;
        cs_nest_complete(nest);
    } else {
        cs_nest_act(nest);
    }
}

cs_cycle cs_nest_advance(cs_nest *nest, cs_cycle to)
{
    /* What a step brings is due in the next cycle or later. */
    for (cs_cycle next = cs_nest_next(nest); next < to; next = cs_nest_next(nest)) {
        nest->now = next;
        step(nest);
    }
    if (nest->now < to)
        nest->now = to;
    return nest->now;
}
