// SPDX-License-Identifier: Apache-2.0
/* C models alone: a core PMU, and a PMCU that reads it by a bus of our own. docs/yours/model_alone.md
 * walks through it. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <countersink/base/bus/memory.h>
#include <countersink/models/corepmu/corepmu.h>
#include <countersink/models/pmcu/pmcu.h>
#include <countersink/regs/corepmu_regs.h>
#include <countersink/regs/pmcu_regs.h>

#define CORES 0x20000000u /* where the PMCU reaches the core PMU: docs/hw/bus.md */
#define EVENTS 0x80000100u
#define STORE 0x80001000u
#define INST_RETIRED 0x08u

static void must(cs_status status, const cs_diag *diag)
{
    if (status == CS_OK)
        return;
    fprintf(stderr, "%s: %s\n", diag->where, diag->text);
    exit(1);
}

/* ---- what the core does: two instructions each cycle, in EL0, of the process 0x1234 ---- */

static uint64_t sum(void *ctx, uint32_t event, uint32_t modes, cs_cycle from, cs_cycle to)
{
    const unsigned each = event == CS_COREPMU_EVENT_CLOCK ? 1 : event == INST_RETIRED ? 2 : 0;

    (void)ctx;
    return (modes & CS_MODE_MASK(CS_MODE_EL0)) != 0 && to > from ? each * (to - from) : 0;
}

static cs_cycle reach(void *ctx, uint32_t event, uint32_t modes, cs_cycle from, uint64_t n)
{
    const uint64_t each = sum(ctx, event, modes, 0, 1);

    return each != 0 ? from + (n + each - 1) / each : CS_NEVER;
}

static void context(void *ctx, cs_cycle cycle, cs_context *out)
{
    (void)ctx, (void)cycle;
    *out = (cs_context){.pc = 0x4000, .cid1 = 0x1234, .mode = CS_MODE_EL0};
}

/* ---- a model that never acts by itself ---- */

static cs_corepmu *make_core(void)
{
    const cs_corepmu_config config = {.counters = 8, .hpmn = 8};
    const cs_corepmu_env env = {.events = {.sum = sum, .reach = reach, .context = context}};
    cs_corepmu *core;
    cs_diag diag;

    must(cs_corepmu_create(&config, &env, &core, &diag), &diag);
    return core;
}

static void count_instructions(cs_corepmu *core)
{
    uint64_t count;

    cs_corepmu_write(core, 10, CS_COREPMU_EXT32_PMEVTYPER, false, INST_RETIRED);
    cs_corepmu_write(core, 11, CS_COREPMU_EXT32_PMCNTENSET, false, 1);
    cs_corepmu_write(core, 12, CS_COREPMU_EXT32_PMCR, false, 1);
    cs_corepmu_read(core, 1000, CS_COREPMU_EXT32_PMEVCNTR, false, &count);
    printf("cycle 1000: %" PRIu64 " instructions\n", count);
    cs_corepmu_reset(core, 1001);
}

/* ---- a model that acts, on a bus of ours ---- */

typedef struct platform {
    cs_corepmu *core;
    cs_memory *memory;
    unsigned transfers;
} platform;

/* The bus is little-endian, whatever the host is. */
static uint64_t load(const uint8_t *bytes, unsigned count)
{
    uint64_t value = 0;

    for (unsigned i = 0; i < count; i++)
        value |= (uint64_t)bytes[i] << (8 * i);
    return value;
}

static void store(uint8_t *bytes, unsigned count, uint64_t value)
{
    for (unsigned i = 0; i < count; i++)
        bytes[i] = (uint8_t)(value >> (8 * i));
}

/* Each transfer takes ten cycles, and has its effect in the middle of them. */
static cs_bus_submit submit(void *ctx, unsigned port, cs_bus_txn *txn)
{
    platform *p = ctx;
    const unsigned bytes = cs_bus_txn_bytes(txn);
    const bool wide = bytes == 8;
    uint64_t value = 0;

    (void)port;
    p->transfers++;
    txn->grant = txn->request;
    txn->complete = txn->request + 10;
    txn->resp = CS_BUS_OKAY;
    if (txn->addr >= EVENTS && txn->write) {
        must(cs_memory_write(p->memory, txn->addr, bytes, txn->data, NULL), &(cs_diag){0});
    } else if (txn->addr >= EVENTS) {
        cs_memory_read(p->memory, txn->addr, bytes, txn->data);
    } else if (txn->write) {
        txn->resp = (uint8_t)cs_corepmu_write(
            p->core, txn->request + 5, (uint32_t)(txn->addr - CORES), wide, load(txn->data, bytes));
    } else {
        txn->resp = (uint8_t)cs_corepmu_read(p->core, txn->request + 5,
                                             (uint32_t)(txn->addr - CORES), wide, &value);
        store(txn->data, bytes, value);
    }
    return CS_BUS_DONE;
}

static void irq(void *ctx, cs_cycle cycle, bool level)
{
    (void)ctx;
    printf("cycle %" PRIu64 ": the interrupt line is %s\n", cycle, level ? "high" : "low");
}

static cs_pmcu *make_pmcu(platform *p)
{
    const cs_pmcu_config config = {.clusters = 1, .slots = 1, .lanes = 1, .tick_cycles = 20};
    const cs_pmcu_env env = {.bus = {submit, p}, .irq = irq};
    cs_pmcu *pmcu;
    cs_diag diag;

    must(cs_pmcu_create(&config, &env, &pmcu, &diag), &diag);
    return pmcu;
}

/* One event, one sample, a period of 50 ticks. */
static void program(cs_pmcu *pmcu, cs_cycle cycle)
{
    static const uint32_t writes[][2] = {
        {CS_PMCU_FSM_CFG, 1u << 16 | 1u << 8 | 1u},
        {CS_PMCU_EVENT_BASE_L, EVENTS},
        {CS_PMCU_STORE_BASE_L, STORE},
        {CS_PMCU_KILL_BASE_L, STORE + 0x1000},
        {CS_PMCU_WAIT_CNT, 50},
        {CS_PMCU_INT_EN, 1},
        {CS_PMCU_FSM_CTRL, 1},
    };

    for (size_t i = 0; i < sizeof writes / sizeof writes[0]; i++)
        cs_pmcu_write(pmcu, cycle + i, writes[i][0], false, writes[i][1]);
}

static void run(cs_pmcu *pmcu)
{
    uint64_t status;

    while (cs_pmcu_next(pmcu) != CS_NEVER)
        cs_pmcu_advance(pmcu, cs_pmcu_next(pmcu) + 1);
    cs_pmcu_read(pmcu, cs_pmcu_now(pmcu), CS_PMCU_INT_STAT, false, &status);
    printf("cycle %" PRIu64 ": nothing more to do, INT_STAT 0x%" PRIx64 "\n", cs_pmcu_now(pmcu),
           status);
}

int main(void)
{
    platform p = {.core = make_core()};
    const uint8_t event[8] = {INST_RETIRED};
    uint8_t sample[3 * 8];
    cs_diag diag;

    count_instructions(p.core);
    must(cs_memory_create(&p.memory, &diag), &diag);
    must(cs_memory_write(p.memory, EVENTS, sizeof event, event, NULL), &diag);
    cs_pmcu *pmcu = make_pmcu(&p);
    program(pmcu, 2000);
    run(pmcu);

    cs_memory_read(p.memory, STORE, sizeof sample, sample);
    printf("%u transfers; context ID 0x%" PRIx64 ", %" PRIu64 " instructions in %" PRIu64
           " cycles\n",
           p.transfers, load(sample, 4), load(sample + 8, 8), load(sample + 16, 8));
    cs_pmcu_destroy(pmcu);
    cs_corepmu_destroy(p.core);
    cs_memory_destroy(p.memory);
    return 0;
}
