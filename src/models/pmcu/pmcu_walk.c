// SPDX-License-Identifier: Apache-2.0
/* Walks: spec, "Walks", with its table of accesses. */
#include <string.h>

#include "models/pmcu/pmcu_internal.h"
#include <countersink/base/numbers.h>
#include <countersink/regs/corepmu_regs.h>
#include <countersink/regs/pmcu_regs.h>

/* docs/hw/bus.md, "Targets and the address map" and "Register bridge". */
#define SLOT_BYTES 0x10000u
#define BROADCAST_SLOT 15u
#define CYCLE_COUNTER 31u

/* The registers of a core PMU that are walked; offsets by map (ext32, ext64). A pair is
 * one access of 8 bytes with ext64, and two of 4 bytes with ext32, low word first. */
typedef enum core_reg {
    PMCNTENSET,
    PMCNTENCLR,
    PMOVSCLR,
    PMCCFILTR,
    PMCR,
    PMEVTYPER,
    PMPCSR,
    CONTEXT,
    PMEVCNTR,
    PMCCNTR
} core_reg;

typedef struct core_reg_row {
    uint16_t offset[2];
    uint16_t step[2]; /* from counter to counter */
    bool pair;
    uint16_t high; /* ext32: the second access of a pair */
} core_reg_row;

#define MAPS(name)                                                                                 \
    {                                                                                              \
        CS_COREPMU_EXT32_##name, CS_COREPMU_EXT64_##name                                           \
    }
#define NO_STEP                                                                                    \
    {                                                                                              \
        0, 0                                                                                       \
    }
/* clang-format off */
static const core_reg_row core_regs[] = {
    [PMCNTENSET] = {MAPS(PMCNTENSET), NO_STEP, false, 0},
    [PMCNTENCLR] = {MAPS(PMCNTENCLR), NO_STEP, false, 0},
    [PMOVSCLR]   = {MAPS(PMOVSCLR), NO_STEP, false, 0},
    [PMCCFILTR]  = {MAPS(PMCCFILTR), NO_STEP, false, 0},
    [PMCR]       = {MAPS(PMCR), NO_STEP, false, 0},
    [PMEVTYPER]  = {MAPS(PMEVTYPER), MAPS(PMEVTYPER_STRIDE), false, 0},
    [PMPCSR]     = {MAPS(PMPCSR), NO_STEP, false, 0},
    /* With ext64 the alias, which has its high word beside it. */
    [CONTEXT]    = {{CS_COREPMU_EXT32_PMCID1SR, CS_COREPMU_EXT64_PMCID1SR_ALIAS}, NO_STEP,
                    true, CS_COREPMU_EXT32_PMCID2SR},
    [PMEVCNTR]   = {MAPS(PMEVCNTR), MAPS(PMEVCNTR_STRIDE), true, CS_COREPMU_EXT32_PMEVCNTR + 4},
    [PMCCNTR]    = {MAPS(PMCCNTR), NO_STEP, true, CS_COREPMU_EXT32_PMCCNTR + 4},
};
/* clang-format on */
#undef MAPS
#undef NO_STEP

typedef enum operand {
    ZERO,
    ENABLES,       /* M */
    ENABLE,        /* the bit of a counter */
    FILTER,        /* the copy of PMCCFILTR */
    CONTROL_RESET, /* the copy of PMCR, with P and C */
    EVENT,
    TO_NOWHERE, /* reads: the field of the sample */
    TO_CONTEXT,
    TO_EVENT,
    TO_CYCLES
} operand;

#define NORMAL 1u
#define COMP 2u
#define BOTH (NORMAL | COMP)

#define ORDER(name) (1u << CS_PMCU_ORDER_##name)
#define STOPPED (ORDER(DIE) | ORDER(CORE) | ORDER(COUNTER)) /* to be read */
#define ALL (STOPPED | ORDER(RUNNING))

/* What a walk does at a slot; `each`: for each used counter. */
typedef struct walk_row {
    cs_pmcu_state state;
    unsigned modes, orders;
    bool write;
    core_reg reg;
    bool each;
    operand what;
} walk_row;

/* clang-format off */
static const walk_row walk_rows[] = {
    {CS_PMCU_INIT,    BOTH,   ALL,            true,  PMCNTENCLR, false, ENABLES},
    {CS_PMCU_INIT,    NORMAL, ALL,            true,  PMCCFILTR,  false, FILTER},
    {CS_PMCU_INIT,    NORMAL, ALL,            true,  PMCR,       false, CONTROL_RESET},
    {CS_PMCU_INIT,    COMP,   ALL,            true,  PMEVCNTR,   true,  ZERO},
    {CS_PMCU_INIT,    BOTH,   ALL,            true,  PMOVSCLR,   false, ENABLES},
    {CS_PMCU_PROGRAM, BOTH,   ALL,            true,  PMEVTYPER,  true,  EVENT},
    {CS_PMCU_PROGRAM, NORMAL, ORDER(RUNNING), true,  PMCR,       false, CONTROL_RESET},
    {CS_PMCU_PROGRAM, COMP,   ORDER(RUNNING), true,  PMEVCNTR,   true,  ZERO},
    {CS_PMCU_START,   BOTH,   ALL,            true,  PMCNTENSET, false, ENABLES},
    {CS_PMCU_STOP,    BOTH,   ALL,            true,  PMCNTENCLR, false, ENABLES},
    {CS_PMCU_READ,    BOTH,   ORDER(CORE),    true,  PMCNTENCLR, false, ENABLES},
    {CS_PMCU_READ,    BOTH,   ALL,            false, PMPCSR,     false, TO_NOWHERE},
    {CS_PMCU_READ,    BOTH,   ALL,            false, CONTEXT,    false, TO_CONTEXT},
    {CS_PMCU_READ,    BOTH,   ALL,            false, PMEVCNTR,   true,  TO_EVENT},
    {CS_PMCU_READ,    NORMAL, ALL,            false, PMCCNTR,    false, TO_CYCLES},
    {CS_PMCU_READ,    NORMAL, STOPPED,        true,  PMCR,       false, CONTROL_RESET},
    {CS_PMCU_READ,    COMP,   STOPPED,        true,  PMEVCNTR,   true,  ZERO},
    {CS_PMCU_BREAK,   BOTH,   ALL,            true,  PMCNTENCLR, false, ENABLES},
};
/* clang-format on */

/* Order "counter": this comes before the read of each counter. */
static const walk_row stop_row = {CS_PMCU_READ, BOTH,  ORDER(COUNTER), true,
                                  PMCNTENCLR,   false, ENABLE};

/* Number nr_pmu is the cycle counter. */
static unsigned counter_number(const cs_pmcu *pmcu, unsigned i)
{
    return i < pmcu->run.nr_pmu ? pmcu->run.first_counter + i : CYCLE_COUNTER;
}

/* What a row writes, for the i-th used counter. */
static uint32_t operand_data(const cs_pmcu *pmcu, operand what, unsigned i)
{
    switch (what) {
    case ENABLES:
        return pmcu->run.enable_mask;
    case ENABLE:
        return 1u << counter_number(pmcu, i);
    case FILTER:
        return pmcu->run.pmccfiltr;
    case CONTROL_RESET:
        return pmcu->run.pmcr | CS_COREPMU_EXT32_PMCR_P_MASK | CS_COREPMU_EXT32_PMCR_C_MASK;
    case EVENT:
        return pmcu->run.events[i];
    default:
        return 0;
    }
}

/* Spec, "What is written". */
static void set_fields(const cs_pmcu *pmcu, operand what, unsigned i, cs_pmcu_access *access)
{
    const unsigned nr_cpu = cs_pmcu_nr_cpu(pmcu);
    unsigned low = CS_PMCU_NO_FIELD;
    unsigned distance = 4;
    unsigned stride = 8;

    if (what == TO_CONTEXT) {
        low = 0;
        distance = 4 * nr_cpu;
        stride = 4;
    } else if (what == TO_EVENT) {
        low = 8 * nr_cpu * (1 + i);
    } else if (what == TO_CYCLES) {
        low = 8 * nr_cpu * (1 + pmcu->run.nr_pmu);
    }
    access->field[0] = (uint16_t)low;
    access->field[1] = (uint16_t)(low == CS_PMCU_NO_FIELD ? low : low + distance);
    access->stride = (uint16_t)stride;
}

static void add(cs_pmcu *pmcu, const cs_pmcu_access *access)
{
    pmcu->accesses[pmcu->nr_accesses++] = *access;
    if (!access->write)
        pmcu->reset_at = pmcu->nr_accesses;
}

/* The accesses of one row for the i-th used counter. */
static void add_row(cs_pmcu *pmcu, const walk_row *row, unsigned i)
{
    const bool ext64 = pmcu->config.ext64;
    const core_reg_row *reg = &core_regs[row->reg];
    const unsigned step = row->each ? (pmcu->run.first_counter + i) * reg->step[ext64] : 0;
    cs_pmcu_access access = {.offset = (uint16_t)(reg->offset[ext64] + step),
                             .bytes = reg->pair && ext64 ? 8 : 4,
                             .write = row->write,
                             .data = operand_data(pmcu, row->what, i)};

    set_fields(pmcu, row->what, i, &access);
    if (!reg->pair || ext64) {
        add(pmcu, &access);
        return;
    }
    cs_pmcu_access high = access;
    const bool high_first = row->state == CS_PMCU_PROGRAM; /* the counter runs */

    high.offset = (uint16_t)(reg->high + step);
    high.field[0] = access.field[1];
    add(pmcu, high_first ? &high : &access);
    add(pmcu, high_first ? &access : &high);
}

/* The walk has nothing to do: order "running" starts once, and stops once, and all but "die" stop in
 * READ. */
static bool is_empty(const cs_pmcu *pmcu)
{
    const cs_pmcu_run *run = &pmcu->run;
    const bool running = pmcu->config.order == CS_PMCU_ORDER_RUNNING;

    if (pmcu->state == CS_PMCU_START)
        return running && (run->group != 0 || run->loop != 0);
    if (pmcu->state == CS_PMCU_STOP)
        return running ? cs_pmcu_another_group(run) : pmcu->config.order != CS_PMCU_ORDER_DIE;
    return false;
}

static void build(cs_pmcu *pmcu)
{
    const unsigned mode = pmcu->run.comp ? COMP : NORMAL;
    const unsigned order = 1u << pmcu->config.order;

    pmcu->nr_accesses = 0;
    for (size_t r = 0; r < sizeof(walk_rows) / sizeof(walk_rows[0]) && !is_empty(pmcu); r++) {
        const walk_row *row = &walk_rows[r];
        const bool stop = row->what == TO_EVENT || row->what == TO_CYCLES;

        if (row->state != pmcu->state || !(row->modes & mode) || !(row->orders & order))
            continue;
        for (unsigned i = 0; i < (row->each ? pmcu->run.nr_pmu : 1); i++) {
            if (stop && (stop_row.orders & order))
                add_row(pmcu, &stop_row, row->each ? i : pmcu->run.nr_pmu);
            add_row(pmcu, row, i);
        }
    }
}

/* START, STOP and BREAK may reach all slots of a cluster at once. */
static bool is_broadcast(const cs_pmcu *pmcu)
{
    return pmcu->config.broadcast && (pmcu->state == CS_PMCU_START || pmcu->state == CS_PMCU_STOP ||
                                      pmcu->state == CS_PMCU_BREAK);
}

void cs_pmcu_walk_start(cs_pmcu *pmcu)
{
    const unsigned slot = is_broadcast(pmcu) ? BROADCAST_SLOT : 0;

    build(pmcu);
    for (unsigned l = 0; l < pmcu->config.lanes; l++) {
        pmcu->lanes[l] = (cs_pmcu_lane){.cluster = l, .slot = slot, .access = 0};
        if (l < pmcu->config.clusters && pmcu->nr_accesses != 0)
            pmcu->ask |= 1u << l;
    }
}

void cs_pmcu_walk_request(cs_pmcu *pmcu, unsigned port)
{
    const cs_pmcu_lane *lane = &pmcu->lanes[port];
    const cs_pmcu_access *access = &pmcu->accesses[lane->access];
    cs_bus_txn *txn = &pmcu->txn[port];

    const unsigned cluster = pmcu->config.die * pmcu->config.clusters + lane->cluster;

    txn->addr =
        CS_CLUSTER_BASE + cluster * CS_CLUSTER_BYTES + lane->slot * SLOT_BYTES + access->offset;
    txn->write = access->write;
    txn->size = access->bytes;
    txn->beats = 1;
    cs_pmcu_store32(txn->data, access->data);
    if (access->bytes == 8)
        cs_pmcu_store32(txn->data + 4, 0);
}

/* idx = c K + k */
static unsigned index_of(const cs_pmcu *pmcu, const cs_pmcu_lane *lane)
{
    return lane->slot * pmcu->config.clusters + lane->cluster;
}

static void keep(cs_pmcu *pmcu, const cs_pmcu_lane *lane, const cs_pmcu_access *access,
                 const uint8_t *data)
{
    const unsigned at = index_of(pmcu, lane) * access->stride;

    if (access->field[0] == CS_PMCU_NO_FIELD)
        return;
    memcpy(&pmcu->sample[access->field[0] + at], data, 4);
    if (access->bytes == 8)
        memcpy(&pmcu->sample[access->field[1] + at], data + 4, 4);
}

/* ---- failed slots ---- */

/* An error on a read may be that of any write before it, where writes are posted. */
static uint8_t read_spoils(const cs_pmcu *pmcu)
{
    if (pmcu->config.posted)
        return CS_PMCU_FAILED_NOW | CS_PMCU_FAILED_NEXT |
               (pmcu->run.sample_number == 0 ? CS_PMCU_FAILED_RUN : 0);
    return pmcu->config.order == CS_PMCU_ORDER_COUNTER ? CS_PMCU_FAILED_NOW | CS_PMCU_FAILED_NEXT
                                                       : CS_PMCU_FAILED_NOW;
}

/* What an error on an access of the walk spoils. */
static uint8_t spoils(const cs_pmcu *pmcu, unsigned access)
{
    const bool write = pmcu->accesses[access].write;

    switch (pmcu->state) {
    case CS_PMCU_INIT:
        return CS_PMCU_FAILED_RUN;
    case CS_PMCU_START:
        return pmcu->config.order == CS_PMCU_ORDER_RUNNING ? CS_PMCU_FAILED_RUN
                                                           : CS_PMCU_FAILED_NOW;
    case CS_PMCU_STOP:
        return CS_PMCU_FAILED_NOW | CS_PMCU_FAILED_NEXT;
    case CS_PMCU_READ:
        if (access >= pmcu->reset_at)
            return CS_PMCU_FAILED_NEXT;
        return write ? CS_PMCU_FAILED_NOW | CS_PMCU_FAILED_NEXT : read_spoils(pmcu);
    case CS_PMCU_BREAK:
        return 0;
    default:
        return CS_PMCU_FAILED_NOW;
    }
}

static void fail(cs_pmcu *pmcu, const cs_pmcu_lane *lane, unsigned access)
{
    const uint8_t what = spoils(pmcu, access);

    if (lane->slot != BROADCAST_SLOT) {
        pmcu->failed[index_of(pmcu, lane)] |= what;
        return;
    }
    for (unsigned slot = 0; slot < pmcu->config.slots; slot++)
        pmcu->failed[slot * pmcu->config.clusters + lane->cluster] |= what;
}

void cs_pmcu_clear_failed(cs_pmcu *pmcu)
{
    const unsigned nr_cpu = cs_pmcu_nr_cpu(pmcu);

    for (unsigned idx = 0; idx < nr_cpu; idx++) {
        if ((pmcu->failed[idx] & (CS_PMCU_FAILED_NOW | CS_PMCU_FAILED_RUN)) == 0)
            continue;
        cs_pmcu_store32(&pmcu->sample[4 * idx], 0);
        cs_pmcu_store32(&pmcu->sample[4 * (nr_cpu + idx)], 0);
        for (unsigned word = nr_cpu + idx; word < pmcu->run.sample_words; word += nr_cpu)
            memset(&pmcu->sample[8 * word], 0, 8);
    }
}

void cs_pmcu_next_subsample(cs_pmcu *pmcu)
{
    for (unsigned idx = 0; idx < cs_pmcu_nr_cpu(pmcu); idx++) {
        const uint8_t failed = pmcu->failed[idx];

        pmcu->failed[idx] = failed & CS_PMCU_FAILED_RUN;
        if (failed & CS_PMCU_FAILED_NEXT)
            pmcu->failed[idx] |= CS_PMCU_FAILED_NOW;
    }
}

/* ---- from access to access ---- */

/* Moves on to the next slot; false when the lane has done all of its own. */
static bool next_slot(cs_pmcu *pmcu, cs_pmcu_lane *lane)
{
    lane->access = 0;
    if (!is_broadcast(pmcu)) {
        if (++lane->slot < pmcu->config.slots)
            return true;
        lane->slot = 0;
    }
    lane->cluster += pmcu->config.lanes;
    return lane->cluster < pmcu->config.clusters;
}

void cs_pmcu_walk_complete(cs_pmcu *pmcu, unsigned port)
{
    cs_pmcu_lane *lane = &pmcu->lanes[port];
    const cs_pmcu_access *access = &pmcu->accesses[lane->access];
    const cs_bus_txn *txn = &pmcu->txn[port];

    /* 1. What came back. */
    const bool error = txn->resp != CS_BUS_OKAY;

    if (error) {
        pmcu->regs.errors |= CS_PMCU_FSM_STATUS_CORE_ERR_MASK;
        fail(pmcu, lane, lane->access);
    } else if (!access->write) {
        keep(pmcu, lane, access, txn->data);
    }
    lane->access = error && !access->write ? pmcu->reset_at : lane->access + 1;
    /* 2. What comes next. */
    if (cs_pmcu_breaking(pmcu))
        return;
    if (lane->access < pmcu->nr_accesses || next_slot(pmcu, lane))
        pmcu->ask |= 1u << port;
}
