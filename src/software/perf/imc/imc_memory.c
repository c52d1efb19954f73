// SPDX-License-Identifier: Apache-2.0
#include "software/perf/imc/imc_memory.h"

#include <stdlib.h>
#include <string.h>

#include "base/bus/big.h"

#define WORD 8u

bool cs_perf_imc_memory_init(cs_perf_imc_memory *m, size_t size)
{
    *m = (cs_perf_imc_memory){.bytes = calloc(1, size), .size = size};
    return m->bytes != NULL;
}

void cs_perf_imc_memory_free(cs_perf_imc_memory *m)
{
    free(m->bytes);
}

static bool memory_has(const cs_perf_imc_memory *m, uint64_t address, size_t bytes)
{
    return address <= m->size && bytes <= m->size - address;
}

/* docs/hw/bus.md, "Adding". */
static void memory_add(uint8_t *to, const uint8_t *from, size_t bytes)
{
    for (size_t i = 0; i < bytes; i += WORD)
        cs_big_put64(to + i, cs_big_get64(to + i) + cs_big_get64(from + i));
}

static void memory_transfer(cs_perf_imc_memory *m, cs_bus_txn *txn)
{
    const size_t bytes = cs_bus_txn_bytes(txn);
    uint8_t *at = m->bytes + (txn->addr & ~CS_BUS_ADD);

    if (!txn->write)
        memcpy(txn->data, at, bytes);
    else if ((txn->addr & CS_BUS_ADD) != 0)
        memory_add(at, txn->data, bytes);
    else
        memcpy(at, txn->data, bytes);
}

static cs_bus_submit memory_submit(void *ctx, unsigned port, cs_bus_txn *txn)
{
    cs_perf_imc_memory *m = ctx;
    const bool there = memory_has(m, txn->addr & ~CS_BUS_ADD, cs_bus_txn_bytes(txn));

    (void)port;
    txn->grant = txn->request;
    txn->complete = txn->request + 1;
    txn->resp = there ? CS_BUS_OKAY : CS_BUS_DECERR;
    if (there)
        memory_transfer(m, txn);
    else
        memset(txn->data, 0, sizeof txn->data);
    return CS_BUS_DONE;
}

cs_bus_port cs_perf_imc_memory_port(cs_perf_imc_memory *m)
{
    return (cs_bus_port){memory_submit, m};
}

uint64_t cs_perf_imc_memory_get(const cs_perf_imc_memory *m, uint64_t address)
{
    return memory_has(m, address, WORD) ? cs_big_get64(m->bytes + address) : 0;
}

void cs_perf_imc_memory_set(cs_perf_imc_memory *m, uint64_t address, uint64_t value)
{
    if (memory_has(m, address, WORD))
        cs_big_put64(m->bytes + address, value);
}
