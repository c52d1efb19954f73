#include "guest/imc/bridge.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/bus/big.h"
#include "models/imc/imc_scom.h"

#define CORES 1u
#define TAP_LOG2 18u
#define WRITE_CYCLES 20u
#define CODE_32MHZ 2u
#define RECORD_BYTES 64u
#define HTM_ON 0xe800000000000000u
#define LDBAR_TRACE (UINT64_C(1) << 62)
#define MASK_FREEZE (UINT64_C(1) << 29)
#define ADDRESS 0x00ffffffffffe000u

/* 32 MHz, of cycles of 1 ns: 4 ticks in 125. */
#define TICKS 4u
#define TICK_CYCLES 125u

/* ---- time ---- */

static uint64_t idle_of_instruction(const bridge *b, uint64_t instruction)
{
    for (size_t i = b->nr_idle; i-- > 0;)
        if (b->idle[i].instruction <= instruction)
            return b->idle[i].cycles;
    return 0;
}

cycle_t bridge_cycle(const bridge *b, uint64_t instruction)
{
    return instruction + idle_of_instruction(b, instruction);
}

/* Cycles below `cycle` in which an instruction was executed. */
static uint64_t busy(const bridge *b, cycle_t cycle)
{
    for (size_t i = b->nr_idle; i-- > 0;) {
        const uint64_t before = i > 0 ? b->idle[i - 1].cycles : 0;
        const cycle_t from = b->idle[i].instruction + before; /* it stands still from here, */
        const cycle_t to = b->idle[i].instruction + b->idle[i].cycles; /* to here */

        if (cycle >= to)
            return cycle - b->idle[i].cycles;
        if (cycle >= from)
            return b->idle[i].instruction;
    }
    return cycle;
}

static cycle_t cycle_after(const bridge *b, uint64_t instructions)
{
    return instructions == 0 ? 0 : bridge_cycle(b, instructions - 1) + 1;
}

/* ---- events ---- */

static bool is_ticks(uint32_t event)
{
    return event == CS_IMC_EVENT_CPMC2(CODE_32MHZ) || event == CS_IMC_EVENT_CPMC1(CODE_32MHZ);
}

static bool is_each_cycle(uint32_t event)
{
    return event == CS_IMC_EVENT_CPMC3 || event == CS_IMC_EVENT_CPMC4;
}

static uint64_t ticks(uint64_t instructions)
{
    return instructions * TICKS / TICK_CYCLES;
}

static uint64_t sum(void *ctx, uint32_t event, uint32_t modes, cycle_t from, cycle_t to)
{
    const bridge *b = ctx;

    (void)modes;
    if (is_ticks(event))
        return ticks(busy(b, to)) - ticks(busy(b, from));
    return is_each_cycle(event) ? busy(b, to) - busy(b, from) : 0;
}

static cycle_t reach(void *ctx, uint32_t event, uint32_t modes, cycle_t from, uint64_t n)
{
    const bridge *b = ctx;
    const uint64_t before = busy(b, from);

    (void)modes;
    if (n == 0)
        return from;
    if (is_ticks(event))
        return cycle_after(b, ((ticks(before) + n) * TICK_CYCLES + TICKS - 1) / TICKS);
    return is_each_cycle(event) ? cycle_after(b, before + n) : CS_NEVER;
}

static void context(void *ctx, cycle_t cycle, cs_context *out)
{
    bridge *b = ctx;

    /* While it stands still it is at the instruction that comes next. */
    if (busy(b, cycle) != busy(b, b->at))
        fprintf(b->log, "X the engine asked for cycle %" PRIu64 " in %" PRIu64 "\n", cycle, b->at);
    b->sampled = b->now;
    b->sampled_at = cycle;
    *out = (cs_context){.pc = b->now.pc,
                        .cid1 = (uint32_t)b->now.pid,
                        .cid2 = (uint32_t)b->now.lpid,
                        .mode = (uint8_t)b->now.mode};
}

/* ---- memory ---- */

static void tell_record(bridge *b, const cs_bus_txn *txn)
{
    const uint64_t buffer = b->ldbar & ADDRESS;
    const uint64_t slot = (txn->addr - buffer) / RECORD_BYTES;
    const uint64_t tb = cs_big_get64(txn->data);

    fprintf(b->log,
            "R %" PRIx64 " %" PRIx64 " %" PRIx64 " %" PRIx64 " %" PRIx64 " %" PRIx64 " %" PRIx64
            " %" PRIx64 "\n",
            b->number, b->session, b->sampled_at, tb, b->sampled.pc, b->sampled.pid,
            b->sampled.mode, txn->addr);
    if (txn->addr >= buffer && slot < BRIDGE_SLOTS)
        b->slots[slot] = (bridge_record){b->number, tb, true};
}

static void write_record(bridge *b, const cs_bus_txn *txn)
{
    uint8_t data[RECORD_BYTES];
    const bool faulty = b->number == b->faulty;

    tell_record(b, txn);
    b->number++;
    memcpy(data, txn->data, sizeof data);
    if (faulty && b->fault == BRIDGE_WRONG_ADDRESS)
        cs_big_put64(data + 8, cs_big_get64(data + 8) + 4);
    if (!(faulty && b->fault == BRIDGE_LOST))
        memcpy(b->ram + txn->addr, data, sizeof data);
}

static void add(uint8_t *to, const cs_bus_txn *txn)
{
    for (unsigned i = 0; i < cs_bus_txn_bytes(txn); i += CS_BUS_BEAT_BYTES)
        cs_big_put64(to + i, cs_big_get64(to + i) + cs_big_get64(txn->data + i));
}

static cs_bus_submit submit(void *ctx, unsigned port, cs_bus_txn *txn)
{
    bridge *b = ctx;
    const bool adds = (txn->addr & CS_BUS_ADD) != 0;
    const uint64_t address = txn->addr & ~CS_BUS_ADD;
    const uint64_t bytes = cs_bus_txn_bytes(txn);

    (void)port;
    txn->grant = txn->request;
    txn->complete = txn->request + WRITE_CYCLES;
    txn->resp = CS_BUS_OKAY;
    if (b->ram == NULL || address > b->ram_bytes || bytes > b->ram_bytes - address)
        txn->resp = CS_BUS_DECERR;
    else if (adds)
        add(b->ram + address, txn);
    else
        write_record(b, txn);
    return CS_BUS_DONE;
}

/* ---- the engine ---- */

cs_status bridge_create(bridge *b, FILE *log, cs_diag *diag)
{
    const cs_event_source events = {sum, reach, context, b};
    const cs_imc_core_config config = {.threads = 1,
                                       .tap_log2 = TAP_LOG2,
                                       .timebase = {0, BRIDGE_TB_NUM, BRIDGE_TB_DEN},
                                       .unit = 0};
    const cs_imc_core_env env = {.bus = {submit, b}, .events = &events};

    b->log = log;
    b->idle = NULL;
    b->nr_idle = 0;
    b->session = b->number = 0;
    return cs_imc_core_create(&config, &env, &b->core, diag);
}

void bridge_destroy(bridge *b)
{
    cs_imc_core_destroy(b->core);
    free(b->idle);
}

uint64_t bridge_next(const bridge *b, uint64_t instruction)
{
    const cycle_t next = cs_imc_core_next(b->core);
    const cycle_t now = bridge_cycle(b, instruction);

    if (next == CS_NEVER)
        return UINT64_MAX;
    return next <= now ? instruction + 1 : instruction + (next - now);
}

void bridge_execute(bridge *b, uint64_t instruction)
{
    b->at = bridge_cycle(b, instruction);
    cs_imc_core_advance(b->core, b->at + 1);
}

void bridge_timebase(bridge *b, uint64_t instruction, uint64_t tb)
{
    const cycle_t now = bridge_cycle(b, instruction);
    /* The first cycle with this timebase. */
    const cycle_t then = tb / BRIDGE_TB_NUM * BRIDGE_TB_DEN +
                         (tb % BRIDGE_TB_NUM * BRIDGE_TB_DEN + BRIDGE_TB_NUM - 1) / BRIDGE_TB_NUM;
    bridge_idle *more;

    /* Reading it takes its time, too. */
    if (then <= now + 2)
        return;
    more = realloc(b->idle, (b->nr_idle + 1) * sizeof *more);
    if (more == NULL) {
        fprintf(b->log, "X out of memory\n");
        return;
    }
    b->idle = more;
    b->idle[b->nr_idle] = (bridge_idle){instruction, then - instruction};
    b->nr_idle++;
    cs_imc_core_events_changed(b->core, 0);
}

bool bridge_traces(const bridge *b)
{
    return (b->htm_mode & HTM_ON) == HTM_ON && (b->ldbar & LDBAR_TRACE) != 0 &&
           (b->event_mask & MASK_FREEZE) == 0;
}

/* A write acts in the cycle of the next instruction. */
static void write_register(bridge *b, uint64_t instruction, unsigned reg, uint64_t value)
{
    if (cs_imc_core_write(b->core, bridge_cycle(b, instruction) + 1, reg, value) != CS_BUS_OKAY)
        fprintf(b->log, "X the engine refused a write of register %u\n", reg);
}

void bridge_scom(bridge *b, uint64_t instruction, uint32_t scom, uint64_t value)
{
    const cs_imc_scom_target target = cs_imc_scom_decode(false, CORES, scom);

    if (target.cores == 0)
        return;
    write_register(b, instruction, target.reg, value);
    if (target.reg == CS_IMC_REG_HTM_MODE)
        b->htm_mode = value;
    else if (target.reg == CS_IMC_REG_EVENT_MASK)
        b->event_mask = value;
}

void bridge_ldbar(bridge *b, uint64_t instruction, uint64_t value)
{
    write_register(b, instruction, CS_IMC_REG_LDBAR, value);
    b->ldbar = value;
    memset(b->slots, 0, sizeof b->slots);
    b->next_slot = 0;
    b->last_tb = 0;
    if ((value & LDBAR_TRACE) != 0)
        fprintf(b->log, "S %" PRIx64 " %" PRIx64 " %" PRIx64 "\n", ++b->session,
                bridge_cycle(b, instruction), value & ADDRESS);
}

/* The driver takes records from the first on, as long as their timebases rise. */
void bridge_driver(bridge *b, uint64_t address, bool store)
{
    const uint64_t buffer = b->ldbar & ADDRESS;
    const uint64_t slot = (address - buffer) / RECORD_BYTES;
    const bridge_record *record;

    if (address < buffer || slot >= BRIDGE_SLOTS || (address - buffer) % RECORD_BYTES != 0)
        return;
    record = &b->slots[slot];
    /* What it stores beyond the first is no buffer's. */
    if (store && slot != 0)
        return;
    if (store) {
        b->slots[slot].there = false;
        b->next_slot = 0;
        b->last_tb = 0;
    } else if (slot == b->next_slot && record->there && record->tb > b->last_tb) {
        fprintf(b->log, "D %" PRIx64 "\n", record->number);
        b->last_tb = record->tb;
        b->next_slot++;
    }
}
