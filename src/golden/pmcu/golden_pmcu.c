#include "golden/pmcu/golden_pmcu.h"

#include <stdio.h>
#include <stdlib.h>

#include "golden/settings.h"
#include "models/pmcu/pmcu.h"

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

cs_golden_pmcu *cs_golden_pmcu_create(const char *text, cs_golden_pmcu_bus bus, void *ctx)
{
    uint64_t clusters = 4, slots = 8, lanes = 1, broadcast = 0, prefetch = 0, ext64 = 0,
             tick_cycles = 20, die = 0, order = 0, posted = 0;
    const cs_golden_setting rows[] = {
        {"clusters", &clusters, CS_PMCU_MAX_CLUSTERS},
        {"slots", &slots, CS_PMCU_MAX_SLOTS},
        {"lanes", &lanes, CS_PMCU_MAX_LANES},
        {"broadcast", &broadcast, 1},
        {"prefetch", &prefetch, 1},
        {"ext64", &ext64, 1},
        {"tick_cycles", &tick_cycles, 65535},
        {"die", &die, CS_PMCU_MAX_DIES - 1},
        {"order", &order, CS_PMCU_NR_ORDERS - 1},
        {"posted", &posted, 1},
    };
    cs_golden_pmcu *g;
    cs_diag diag = {0};

    if (!cs_golden_read_settings(text, rows, sizeof rows / sizeof rows[0]))
        return NULL;
    g = calloc(1, sizeof *g);
    if (g == NULL) {
        snprintf(cs_golden_reason, sizeof cs_golden_reason, "no memory");
        return NULL;
    }
    g->bus = bus;
    g->ctx = ctx;
    const cs_pmcu_config config = {
        .clusters = (unsigned)clusters,
        .slots = (unsigned)slots,
        .lanes = (unsigned)lanes,
        .broadcast = broadcast != 0,
        .prefetch = prefetch != 0,
        .ext64 = ext64 != 0,
        .tick_cycles = (unsigned)tick_cycles,
        .die = (uint16_t)die,
        .order = (cs_pmcu_order)order,
        .posted = posted != 0,
    };
    const cs_pmcu_env env = {.bus = {submit, g}};
    if (cs_pmcu_create(&config, &env, &g->pmcu, &diag) != CS_OK) {
        cs_diag_print(&diag, cs_golden_reason, sizeof cs_golden_reason);
        free(g);
        return NULL;
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
    const cycle_t now = cs_pmcu_now(g->pmcu);

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
