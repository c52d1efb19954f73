// SPDX-License-Identifier: Apache-2.0
/* The PMCU as an object: time and inputs. */
#include <countersink/models/pmcu/pmcu.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/require.h"
#include "models/pmcu/pmcu_internal.h"
#include <countersink/base/numbers.h>

typedef struct limit {
    const char *name;
    unsigned value, low, high;
} limit;

static cs_status check(const cs_pmcu_config *config, const cs_pmcu_env *env, cs_diag *diag)
{
    const limit limits[] = {
        {"clusters", config->clusters, 1, CS_PMCU_MAX_CLUSTERS},
        {"slots", config->slots, 1, CS_PMCU_MAX_SLOTS},
        {"lanes", config->lanes, 1, CS_PMCU_MAX_LANES},
        {"tick_cycles", config->tick_cycles, 1, 65535},
        {"order", config->order, CS_PMCU_ORDER_DIE, CS_PMCU_ORDER_RUNNING},
        {"die", config->die, 0, CS_PMCU_MAX_DIES - 1},
    };

    for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++)
        if (limits[i].value < limits[i].low || limits[i].value > limits[i].high)
            return cs_diag_set(diag, CS_ERR_RANGE, "PMCU", "%s is %u: must be %u..%u",
                               limits[i].name, limits[i].value, limits[i].low, limits[i].high);
    if (env == NULL || env->bus.submit == NULL)
        return cs_diag_set(diag, CS_ERR_RANGE, "PMCU", "env: bus.submit must be set");
    return CS_OK;
}

cs_status cs_pmcu_create(const cs_pmcu_config *config, const cs_pmcu_env *env, cs_pmcu **out,
                         cs_diag *diag)
{
    *out = NULL;
    cs_status status = check(config, env, diag);
    if (status != CS_OK)
        return status;

    cs_pmcu *pmcu = calloc(1, sizeof(*pmcu));
    if (pmcu == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, "PMCU", "out of memory");
    pmcu->config = *config;
    pmcu->env = *env;
    cs_pmcu_reset(pmcu, 0);
    *out = pmcu;
    return CS_OK;
}

void cs_pmcu_destroy(cs_pmcu *pmcu)
{
    free(pmcu);
}

/* Transfers that are out are forgotten: the bus is reset with the unit. */
void cs_pmcu_reset(cs_pmcu *pmcu, cs_cycle now)
{
    pmcu->now = now;
    pmcu->state = CS_PMCU_IDLE;
    pmcu->entered = now;
    pmcu->brk = false;
    pmcu->irq = false;
    cs_pmcu_regs_reset(pmcu);
    pmcu->written = CS_NEVER;
    for (unsigned port = 0; port < CS_PMCU_MAX_LANES; port++)
        pmcu->completes[port] = CS_NEVER;
    pmcu->out = 0;
}

cs_cycle cs_pmcu_now(const cs_pmcu *pmcu)
{
    return pmcu->now;
}

bool cs_pmcu_irq(const cs_pmcu *pmcu)
{
    return pmcu->irq;
}

static cs_cycle earlier(cs_cycle a, cs_cycle b)
{
    return a < b ? a : b;
}

cs_cycle cs_pmcu_next(const cs_pmcu *pmcu)
{
    cs_cycle next = earlier(pmcu->written, cs_pmcu_fsm_next(pmcu));

    for (unsigned port = 0; port < pmcu->config.lanes; port++)
        next = earlier(next, pmcu->completes[port]);
    return next > pmcu->now ? next : pmcu->now;
}

/* One bit of `out` is one port that is busy or asks at the same time. */
bool cs_pmcu_bus_alone(const cs_pmcu *pmcu)
{
    return (pmcu->out & (pmcu->out - 1)) == 0;
}

static void take_completions(cs_pmcu *pmcu)
{
    for (unsigned port = 0; port < pmcu->config.lanes; port++) {
        if (pmcu->completes[port] > pmcu->now)
            continue;
        pmcu->completes[port] = CS_NEVER;
        pmcu->out &= ~(1u << port);
        cs_pmcu_fsm_complete(pmcu, port);
    }
}

static void take_write(cs_pmcu *pmcu, cs_pmcu_state state)
{
    if (pmcu->written > pmcu->now)
        return;
    pmcu->written = CS_NEVER;
    cs_pmcu_regs_write(pmcu, state, pmcu->write_offset, pmcu->write_data);
}

/* When hardware sets a bit that INT_CLR clears in the same cycle, it stays set. */
static void update_interrupts(cs_pmcu *pmcu)
{
    pmcu->regs.int_stat = (pmcu->regs.int_stat & ~pmcu->int_clear) | pmcu->int_set;
    pmcu->int_clear = 0;
    pmcu->int_set = 0;

    const bool level = cs_pmcu_regs_irq(&pmcu->regs);
    if (level == pmcu->irq)
        return;
    pmcu->irq = level;
    cs_probe_record record = {.cycle = pmcu->now + 1,
                              .kind = CS_PROBE_IRQ,
                              .source = (uint16_t)(CS_UNIT_PMCU + pmcu->config.die),
                              .value = level};
    cs_probe_emit(pmcu->env.probe, &record);
    if (pmcu->env.irq != NULL)
        pmcu->env.irq(pmcu->env.irq_ctx, pmcu->now + 1, level);
}

/* The requests that rise in the next cycle, in lane order. The state is still the one that
 * asked: none is left in a cycle in which something of it asks. */
static void submit(cs_pmcu *pmcu)
{
    unsigned ask = pmcu->ask;

    pmcu->ask = 0;
    pmcu->out |= ask;
    for (unsigned port = 0; ask != 0; port++, ask >>= 1) {
        if (!(ask & 1))
            continue;
        cs_bus_txn *txn = &pmcu->txn[port];

        cs_pmcu_fsm_request(pmcu, port);
        txn->request = pmcu->now + 1;
        if (pmcu->env.bus.submit(pmcu->env.bus.ctx, port, txn) == CS_BUS_DONE)
            pmcu->completes[port] = txn->complete;
    }
}

/* Executes cycle `now`. */
static void step(cs_pmcu *pmcu)
{
    const cs_pmcu_state state = pmcu->state;
    const bool busy = pmcu->out != 0;

    /* 1. Transfers that complete in this cycle, and what their lanes do next. */
    if (busy)
        take_completions(pmcu);
    /* 2. The state machine. */
    cs_pmcu_fsm_execute(pmcu, busy);
    /* 3. A register write. */
    take_write(pmcu, state);
    /* 4. The interrupt line. */
    update_interrupts(pmcu);
    /* 5. Requests of the next cycle. */
    if (pmcu->ask != 0)
        submit(pmcu);
    pmcu->now++;
}

cs_cycle cs_pmcu_advance(cs_pmcu *pmcu, cs_cycle to)
{
    while (pmcu->now < to) {
        const bool level = pmcu->irq;
        const cs_cycle next = cs_pmcu_next(pmcu);

        if (next >= to) {
            pmcu->now = to;
            break;
        }
        pmcu->now = next;
        step(pmcu);
        if (pmcu->irq != level)
            break;
    }
    return pmcu->now;
}

static void reach(cs_pmcu *pmcu, cs_cycle cycle)
{
    CS_REQUIRE(cycle >= pmcu->now,
               "PMCU: an access in cycle %" PRIu64 ": must be in %" PRIu64 " or later", cycle,
               pmcu->now);
    while (pmcu->now < cycle)
        cs_pmcu_advance(pmcu, cycle);
}

cs_bus_resp cs_pmcu_ask(const cs_pmcu *pmcu, uint32_t offset, bool wide, uint64_t *data)
{
    *data = wide ? 0 : cs_pmcu_regs_read(pmcu, offset);
    return wide ? CS_BUS_SLVERR : CS_BUS_OKAY;
}

cs_bus_resp cs_pmcu_read(cs_pmcu *pmcu, cs_cycle cycle, uint32_t offset, bool wide, uint64_t *data)
{
    reach(pmcu, cycle);
    return cs_pmcu_ask(pmcu, offset, wide, data);
}

cs_bus_resp cs_pmcu_write(cs_pmcu *pmcu, cs_cycle cycle, uint32_t offset, bool wide, uint64_t data)
{
    reach(pmcu, cycle);
    CS_REQUIRE(pmcu->written == CS_NEVER,
               "PMCU: a second write in cycle %" PRIu64 ": must be in a cycle of its own", cycle);
    if (wide)
        return CS_BUS_SLVERR;
    pmcu->written = cycle;
    pmcu->write_offset = offset;
    pmcu->write_data = (uint32_t)data;
    return CS_BUS_OKAY;
}

/* The transaction is the unit's own; a platform may hand in a copy that it filled. */
void cs_pmcu_bus_done(cs_pmcu *pmcu, unsigned port, const cs_bus_txn *txn)
{
    cs_bus_txn *own = &pmcu->txn[port];

    if (!(pmcu->out >> port & 1))
        return;
    if (txn != own) {
        own->resp = txn->resp;
        if (!own->write)
            memcpy(own->data, txn->data, cs_bus_txn_bytes(own));
    }
    pmcu->completes[port] = txn->complete;
}
