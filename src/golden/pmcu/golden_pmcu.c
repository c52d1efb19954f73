// SPDX-License-Identifier: Apache-2.0
#include "golden/pmcu/golden_pmcu.h"

#include <stdlib.h>

#include "golden/settings.h"
#include <countersink/models/pmcu/pmcu.h>

struct cs_golden_pmcu {
    cs_pmcu *pmcu;
    cs_golden_pmcu_bus bus;
    void *ctx;
};

static cs_bus_submit submit(void *ctx, unsigned port, cs_bus_txn *txn)
{
    const cs_golden_pmcu *g = ctx;
    uint64_t when[2] = {txn->request, txn->request + 1};
    const unsigned resp = g->bus(g->ctx, port, txn->write, txn->addr, cs_bus_txn_bytes(txn),
                                 txn->data, txn->request, when);

    txn->resp = resp == CS_BUS_OKAY || resp == CS_BUS_DECERR ? (uint8_t)resp : CS_BUS_SLVERR;
    txn->grant = when[0] > txn->request ? when[0] : txn->request;
    txn->complete = when[1] > txn->grant ? when[1] : txn->grant + 1;
    return CS_BUS_DONE;
}

enum {
    CLUSTERS,
    SLOTS,
    LANES,
    BROADCAST,
    PREFETCH,
    EXT64,
    TICK_CYCLES,
    DIE,
    ORDER,
    POSTED,
    NR_SETTINGS
};

static const cs_golden_setting settings[NR_SETTINGS] = {
    [CLUSTERS] = {"clusters", 4, CS_PMCU_MAX_CLUSTERS},
    [SLOTS] = {"slots", 8, CS_PMCU_MAX_SLOTS},
    [LANES] = {"lanes", 1, CS_PMCU_MAX_LANES},
    [BROADCAST] = {"broadcast", 0, 1},
    [PREFETCH] = {"prefetch", 0, 1},
    [EXT64] = {"ext64", 0, 1},
    [TICK_CYCLES] = {"tick_cycles", 20, 65535},
    [DIE] = {"die", 0, CS_PMCU_MAX_DIES - 1},
    [ORDER] = {"order", 0, CS_PMCU_NR_ORDERS - 1},
    [POSTED] = {"posted", 0, 1},
};

static cs_status create(void *out, const uint64_t *values, cs_diag *diag)
{
    cs_golden_pmcu *g = out;
    const cs_pmcu_config config = {
        .clusters = (unsigned)values[CLUSTERS],
        .slots = (unsigned)values[SLOTS],
        .lanes = (unsigned)values[LANES],
        .broadcast = values[BROADCAST] != 0,
        .prefetch = values[PREFETCH] != 0,
        .ext64 = values[EXT64] != 0,
        .tick_cycles = (unsigned)values[TICK_CYCLES],
        .die = (uint16_t)values[DIE],
        .order = (cs_pmcu_order)values[ORDER],
        .posted = values[POSTED] != 0,
    };
    const cs_pmcu_env env = {.bus = {submit, g}};

    return cs_pmcu_create(&config, &env, &g->pmcu, diag);
}

cs_golden_pmcu *cs_golden_pmcu_create(const char *text, cs_golden_pmcu_bus bus, void *ctx)
{
    static const cs_golden_kind kind = {settings, NR_SETTINGS, sizeof(cs_golden_pmcu), create};
    cs_golden_pmcu *g = cs_golden_make(&kind, text);

    if (g != NULL) {
        g->bus = bus;
        g->ctx = ctx;
    }
    return g;
}

void cs_golden_pmcu_destroy(cs_golden_pmcu *g)
{
    if (g == NULL)
        return;
    cs_pmcu_destroy(g->pmcu);
    free(g);
}

unsigned cs_golden_pmcu_access(cs_golden_pmcu *g, unsigned offset, unsigned bytes, unsigned write,
                               uint64_t *data)
{
    const cs_cycle now = cs_pmcu_now(g->pmcu);

    return write != 0 ? cs_pmcu_write(g->pmcu, now, offset, bytes == 8, *data)
                      : cs_pmcu_read(g->pmcu, now, offset, bytes == 8, data);
}

uint64_t cs_golden_pmcu_advance(cs_golden_pmcu *g, uint64_t to)
{
    return cs_pmcu_advance(g->pmcu, to);
}

uint64_t cs_golden_pmcu_cycle(const cs_golden_pmcu *g)
{
    return cs_pmcu_now(g->pmcu);
}

uint64_t cs_golden_pmcu_next(const cs_golden_pmcu *g)
{
    return cs_pmcu_next(g->pmcu);
}

unsigned cs_golden_pmcu_irq(const cs_golden_pmcu *g)
{
    return cs_pmcu_irq(g->pmcu);
}
