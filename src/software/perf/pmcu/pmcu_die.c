// SPDX-License-Identifier: Apache-2.0
#include "software/perf/pmcu/pmcu_die.h"

#include <stdlib.h>
#include <string.h>

#include <countersink/base/numbers.h>
#include <countersink/regs/corepmu_regs.h>
#include <countersink/regs/pmcu_regs.h>

#define COUNTERS 8u
#define CLUSTER_BYTES 0x100000u
#define FRAME_BYTES 0x10000u
#define TICK_MHZ 50u
#define CORE_CYCLES 40u   /* of an access to a core PMU */
#define MEMORY_CYCLES 20u /* to memory */

/* ---- the bus ---- */

static uint64_t data_get(const cs_bus_txn *txn)
{
    uint64_t value = 0;

    for (unsigned i = 0; i < txn->size; i++)
        value |= (uint64_t)txn->data[i] << 8 * i;
    return value;
}

static void data_put(cs_bus_txn *txn, uint64_t value)
{
    for (unsigned i = 0; i < txn->size; i++)
        txn->data[i] = (uint8_t)(value >> 8 * i);
}

/* A slot without a CPU answers errors. */
static cs_bus_resp bus_core(cs_perf_pmcu_die *die, cs_bus_txn *txn, uint64_t offset)
{
    const unsigned cluster = (unsigned)(offset / CLUSTER_BYTES);
    const unsigned slot = (unsigned)(offset % CLUSTER_BYTES / FRAME_BYTES);
    const unsigned cpu = slot + CS_PERF_PMCU_SLOTS * cluster;
    const uint32_t reg = (uint32_t)(offset % FRAME_BYTES);
    uint64_t value = 0;
    cs_bus_resp resp;

    if (slot >= CS_PERF_PMCU_SLOTS || cpu >= die->nr_cores)
        return CS_BUS_SLVERR;
    if (txn->write)
        return cs_corepmu_write(die->cores[cpu].pmu, txn->request, reg, txn->size == 8,
                                data_get(txn));
    resp = cs_corepmu_read(die->cores[cpu].pmu, txn->request, reg, txn->size == 8, &value);
    data_put(txn, value);
    return resp;
}

/* To cores of a cluster at once: slot 15. */
static cs_bus_resp bus_cluster(cs_perf_pmcu_die *die, cs_bus_txn *txn)
{
    const uint64_t offset = txn->addr - CS_CLUSTER_BASE;
    const uint64_t all = CLUSTER_BYTES - FRAME_BYTES;
    cs_bus_resp resp = CS_BUS_OKAY;

    if (offset % CLUSTER_BYTES < all || !txn->write)
        return bus_core(die, txn, offset);
    for (unsigned slot = 0; slot < CS_PERF_PMCU_SLOTS; slot++) {
        const cs_bus_resp one = bus_core(die, txn, offset - all + slot * FRAME_BYTES);

        resp = one != CS_BUS_OKAY ? one : resp;
    }
    return resp;
}

/* Where the transfer goes in memory; NULL: nowhere. The program may have unmapped its area. */
static uint8_t *bus_memory(cs_perf_pmcu_die *die, const cs_bus_txn *txn)
{
    const unsigned bytes = cs_bus_txn_bytes(txn);
    cs_perf_aux_room aux;

    if (txn->addr - CS_PERF_PMCU_EVENTS_AT <= sizeof die->events - bytes)
        return die->events + (txn->addr - CS_PERF_PMCU_EVENTS_AT);
    if (die->event == NULL || !cs_perf_aux_look(die->event, &aux) || bytes > aux.bytes ||
        txn->addr - CS_PERF_PMCU_AUX_AT > aux.bytes - bytes)
        return NULL;
    return aux.memory + (txn->addr - CS_PERF_PMCU_AUX_AT);
}

static cs_bus_resp bus_transfer(cs_perf_pmcu_die *die, cs_bus_txn *txn)
{
    uint8_t *at;

    if (txn->addr - CS_CLUSTER_BASE < (uint64_t)die->clusters * CLUSTER_BYTES)
        return bus_cluster(die, txn);
    at = bus_memory(die, txn);
    if (at == NULL)
        return CS_BUS_DECERR;
    if (txn->write)
        memcpy(at, txn->data, cs_bus_txn_bytes(txn));
    else
        memcpy(txn->data, at, cs_bus_txn_bytes(txn));
    return CS_BUS_OKAY;
}

static cs_bus_submit bus_submit(void *ctx, unsigned port, cs_bus_txn *txn)
{
    const bool core = txn->addr < CS_PERF_PMCU_EVENTS_AT;

    (void)port;
    txn->grant = txn->request;
    txn->complete = txn->request + (core ? CORE_CYCLES : MEMORY_CYCLES);
    txn->resp = (uint8_t)bus_transfer(ctx, txn);
    if (txn->resp != CS_BUS_OKAY && !txn->write)
        memset(txn->data, 0, sizeof txn->data);
    return CS_BUS_DONE;
}

/* ---- begin and end ---- */

static cs_status die_init_cores(cs_perf_pmcu_die *die, unsigned nr, cs_diag *diag)
{
    const cs_corepmu_config config = {.counters = COUNTERS, .hpmn = COUNTERS};

    die->cores = calloc(nr, sizeof *die->cores);
    if (die->cores == NULL)
        return CS_ERR_NO_MEMORY;
    for (; die->nr_cores < nr; die->nr_cores++) {
        cs_perf_pmcu_core *c = &die->cores[die->nr_cores];
        const cs_corepmu_env env = {.events = cs_perf_pmcu_work_source(&c->work)};
        const cs_status status = cs_corepmu_create(&config, &env, &c->pmu, diag);

        c->work.reached = &die->reached;
        if (status != CS_OK)
            return status;
    }
    return CS_OK;
}

/* CPUs beyond those of the largest die are in none. */
cs_status cs_perf_pmcu_die_init(cs_perf_pmcu_die *die, cs_perf *perf, const cs_perf_pmcu *c,
                                cs_diag *diag)
{
    const unsigned most = CS_PMCU_MAX_CLUSTERS * CS_PERF_PMCU_SLOTS;
    const unsigned cpus = perf->machine.nr_cpus < most ? perf->machine.nr_cpus : most;
    const unsigned tick = perf->machine.clock_mhz / TICK_MHZ;

    die->perf = perf;
    die->clusters = (cpus + CS_PERF_PMCU_SLOTS - 1) / CS_PERF_PMCU_SLOTS;
    const cs_pmcu_config config = {.clusters = die->clusters,
                                   .slots = CS_PERF_PMCU_SLOTS,
                                   .lanes = c->lanes,
                                   .broadcast = c->broadcast,
                                   .prefetch = c->prefetch,
                                   .tick_cycles = tick != 0 ? tick : 1,
                                   .order = (cs_pmcu_order)c->order};
    const cs_pmcu_env env = {.bus = {bus_submit, die}};
    const cs_status status = die_init_cores(die, cpus, diag);
    return status == CS_OK ? cs_pmcu_create(&config, &env, &die->pmcu, diag) : status;
}

void cs_perf_pmcu_die_end(cs_perf_pmcu_die *die)
{
    cs_pmcu_destroy(die->pmcu);
    for (unsigned i = 0; i < die->nr_cores; i++) {
        cs_corepmu_destroy(die->cores[i].pmu);
        cs_perf_pmcu_work_free(&die->cores[i].work);
    }
    free(die->cores);
}

/* ---- time ---- */

static uint64_t die_cpus_reached(const cs_perf_pmcu_die *die)
{
    uint64_t least = UINT64_MAX;

    for (unsigned i = 0; i < die->nr_cores; i++)
        if (die->perf->cpus[i].cycle < least)
            least = die->perf->cpus[i].cycle;
    return least;
}

void cs_perf_pmcu_die_settle(cs_perf_pmcu_die *die, const cs_perf_cpu *cpu)
{
    cs_perf_pmcu_core *c;

    if (!die->works || cpu->number >= die->nr_cores)
        return;
    c = &die->cores[cpu->number];
    if (c->task == cpu->task)
        return;
    c->task = cpu->task;
    cs_perf_pmcu_work_switch(&c->work, cpu->cycle + die->skew, cpu->task);
}

void cs_perf_pmcu_die_begin(cs_perf_pmcu_die *die)
{
    if (die->works)
        return;
    die->works = true;
    die->skew = 0 - die_cpus_reached(die);
    for (unsigned i = 0; i < die->nr_cores; i++)
        cs_perf_pmcu_die_settle(die, &die->perf->cpus[i]);
    cs_perf_pmcu_die_write(die, CS_PMCU_PMCR, CS_PMCU_PMCR_RESET);
    cs_perf_pmcu_die_write(die, CS_PMCU_INT_MSK, 0);
    cs_perf_pmcu_die_write(die, CS_PMCU_INT_EN, CS_PMCU_INT_EN_DONE_MASK | CS_PMCU_INT_EN_BRK_MASK);
}

/* The PMCU has gone on where CPUs have not: they do nothing meanwhile. */
static void die_wait_for_pmcu(cs_perf_pmcu_die *die)
{
    const cs_cycle now = cs_pmcu_now(die->pmcu);
    const uint64_t ahead = now > die->reached ? now - die->reached : 0;

    if (ahead == 0)
        return;
    for (unsigned i = 0; i < die->nr_cores; i++)
        cs_perf_pmcu_work_insert(&die->cores[i].work, die->reached, ahead);
    die->skew += ahead;
    die->reached = now;
}

/* A read of the flags brings all counters up to date; what was before is needed no more. */
static void die_forget(cs_perf_pmcu_die *die)
{
    const cs_cycle now = cs_pmcu_now(die->pmcu);
    uint64_t flags;

    for (unsigned i = 0; i < die->nr_cores; i++) {
        cs_corepmu_read(die->cores[i].pmu, now, CS_COREPMU_EXT32_PMOVSCLR, false, &flags);
        cs_perf_pmcu_work_forget(&die->cores[i].work, now);
    }
}

void cs_perf_pmcu_die_run(cs_perf_pmcu_die *die)
{
    if (!die->works)
        return;
    die->reached = die_cpus_reached(die) + die->skew;
    while (cs_pmcu_now(die->pmcu) < die->reached) {
        cs_pmcu_advance(die->pmcu, die->reached);
        if (cs_pmcu_irq(die->pmcu))
            die->interrupt(die->ctx);
    }
    die_wait_for_pmcu(die);
    die_forget(die);
}

void cs_perf_pmcu_die_run_alone(cs_perf_pmcu_die *die)
{
    cs_cycle next = cs_pmcu_next(die->pmcu);

    while (!cs_pmcu_irq(die->pmcu) && next != CS_NEVER) {
        cs_pmcu_advance(die->pmcu, next + 1);
        next = cs_pmcu_next(die->pmcu);
    }
    if (cs_pmcu_irq(die->pmcu))
        die->interrupt(die->ctx);
    die_wait_for_pmcu(die);
}

/* ---- registers: one access a cycle ---- */

void cs_perf_pmcu_die_write(cs_perf_pmcu_die *die, uint32_t offset, uint32_t value)
{
    const cs_cycle now = cs_pmcu_now(die->pmcu);

    die->port = die->port > now ? die->port : now;
    cs_pmcu_write(die->pmcu, die->port++, offset, false, value);
    cs_pmcu_advance(die->pmcu, die->port);
}

uint32_t cs_perf_pmcu_die_read(const cs_perf_pmcu_die *die, uint32_t offset)
{
    uint64_t value = 0;

    cs_pmcu_ask(die->pmcu, offset, false, &value);
    return (uint32_t)value;
}

void cs_perf_pmcu_die_write_address(cs_perf_pmcu_die *die, uint32_t high, uint64_t address)
{
    cs_perf_pmcu_die_write(die, high, (uint32_t)(address >> 32));
    cs_perf_pmcu_die_write(die, high + 4, (uint32_t)address);
}
