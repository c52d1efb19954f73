#include "guest/imc/bridge.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/bus/big.h"
#include "models/imc/imc_scom.h"

#define CORES 1u
#define WRITE_CYCLES 20u
#define RECORD_BYTES 64u
#define SLOT_BYTES 64u
#define HTM_ON 0xe800000000000000u
#define LDBAR_ENABLE (UINT64_C(1) << 63)
#define LDBAR_TRACE (UINT64_C(1) << 62)
#define MASK_FREEZE (UINT64_C(1) << 29)
#define ADDRESS 0x00ffffffffffe000u
#define TABLE_BYTES 0x2000u
#define FIRST_COUNTER 0x18u
#define NEST_UNIT 1u
#define USER_MODES (CS_MODE_MASK(CS_MODE_GUEST_USER) | CS_MODE_MASK(CS_MODE_HOST_USER))
#define KERNEL_MODES (CS_MODE_MASK(CS_MODE_GUEST_KERNEL) | CS_MODE_MASK(CS_MODE_HOST_KERNEL))

/* While the nest is at work its counters are read in cycles that it does not name. */
#define NEST_WORKS 256u

enum { CORE_PORT, NEST_PORT };

cycle_t bridge_cycle(const bridge *b, uint64_t instruction)
{
    return events_cycle(&b->events, instruction);
}

/* ---- events ---- */

static void look_for_unknown(bridge *b, cycle_t from, cycle_t to)
{
    if (b->events.unknown)
        fprintf(b->log, "X an engine asked for cycles %" PRIu64 " to %" PRIu64 " in %" PRIu64 "\n",
                from, to, b->at);
    b->events.unknown = false;
}

static uint64_t sum(void *ctx, uint32_t event, uint32_t modes, cycle_t from, cycle_t to)
{
    bridge *b = ctx;
    const uint64_t count = events_core(&b->events, event, modes, from, to);

    look_for_unknown(b, from, to);
    return count;
}

static uint64_t nest_sum(void *ctx, uint32_t event, uint32_t modes, cycle_t from, cycle_t to)
{
    bridge *b = ctx;
    const uint64_t count = events_nest(&b->events, event, from, to);

    (void)modes;
    look_for_unknown(b, from, to);
    return count;
}

static cycle_t reach(void *ctx, uint32_t event, uint32_t modes, cycle_t from, uint64_t n)
{
    const bridge *b = ctx;

    (void)modes; /* trace mode has no filter */
    return events_reach(&b->events, event, from, n);
}

static void context(void *ctx, cycle_t cycle, cs_context *out)
{
    bridge *b = ctx;

    /* While it stands still it is at the instruction that comes next. */
    if (events_busy(&b->events, cycle) != events_busy(&b->events, b->at))
        fprintf(b->log, "X the engine asked for cycle %" PRIu64 " in %" PRIu64 "\n", cycle, b->at);
    b->sampled = b->now;
    b->sampled_at = cycle;
    *out = (cs_context){.pc = b->now.pc,
                        .cid1 = (uint32_t)b->now.pid,
                        .cid2 = (uint32_t)b->now.lpid,
                        .mode = (uint8_t)b->now.mode};
}

/* Of a thread that the guest does not have. */
static uint64_t no_sum(void *ctx, uint32_t event, uint32_t modes, cycle_t from, cycle_t to)
{
    (void)ctx, (void)event, (void)modes, (void)from, (void)to;
    return 0;
}

static cycle_t no_reach(void *ctx, uint32_t event, uint32_t modes, cycle_t from, uint64_t n)
{
    (void)ctx, (void)event, (void)modes;
    return n == 0 ? from : CS_NEVER;
}

static void no_context(void *ctx, cycle_t cycle, cs_context *out)
{
    (void)ctx, (void)cycle;
    *out = (cs_context){0};
}

/* ---- memory ---- */

static uint8_t *place(const bridge *b, uint64_t address, uint64_t bytes)
{
    const bridge_memory *const all[] = {&b->ram, &b->homer};

    for (unsigned i = 0; i < 2; i++) {
        const bridge_memory *m = all[i];

        if (m->bytes != NULL && address >= m->first && bytes <= m->size &&
            address - m->first <= m->size - bytes)
            return m->bytes + (address - m->first);
    }
    return NULL;
}

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

static void write_record(bridge *b, const cs_bus_txn *txn, uint8_t *to)
{
    uint8_t data[RECORD_BYTES];
    const bool faulty = b->number == b->faulty;

    tell_record(b, txn);
    b->number++;
    memcpy(data, txn->data, sizeof data);
    if (faulty && b->fault == BRIDGE_WRONG_ADDRESS)
        cs_big_put64(data + 8, cs_big_get64(data + 8) + 4);
    if (!(faulty && b->fault == BRIDGE_LOST))
        memcpy(to, data, sizeof data);
}

/* A table's doublewords, which are counters. */
static void post(bridge *b, const cs_bus_txn *txn, uint64_t address, uint8_t *to)
{
    const bool faulty = b->posts == b->faulty;
    const unsigned bytes = cs_bus_txn_bytes(txn);
    uint64_t any = 0;

    for (unsigned i = 0; i < bytes; i += CS_BUS_BEAT_BYTES)
        any |= cs_big_get64(txn->data + i);
    if (any == 0) /* it adds nothing */
        return;
    fprintf(b->log, "A %" PRIx64 " %" PRIx64 " %" PRIx64, b->posts, txn->request, address);
    for (unsigned i = 0; i < bytes; i += CS_BUS_BEAT_BYTES)
        fprintf(b->log, " %" PRIx64, cs_big_get64(txn->data + i));
    fputc('\n', b->log);
    b->posts++;
    if (faulty && b->fault == BRIDGE_LOST)
        return;
    if (faulty && b->fault == BRIDGE_WRONG_ADDRESS)
        to += 4;
    for (unsigned i = 0; i < bytes; i += CS_BUS_BEAT_BYTES)
        cs_big_put64(to + i, cs_big_get64(to + i) + cs_big_get64(txn->data + i));
}

static cs_bus_submit submit(void *ctx, unsigned port, cs_bus_txn *txn)
{
    bridge *b = ctx;
    const bool adds = (txn->addr & CS_BUS_ADD) != 0;
    const uint64_t address = txn->addr & ~CS_BUS_ADD;
    const uint64_t bytes = cs_bus_txn_bytes(txn);
    uint8_t *to = place(b, address, bytes);

    txn->grant = txn->request;
    txn->complete = txn->request + WRITE_CYCLES;
    txn->resp = CS_BUS_OKAY;
    if (to == NULL) {
        txn->resp = CS_BUS_DECERR;
        memset(txn->data, 0, sizeof txn->data);
    } else if (!txn->write) {
        memcpy(txn->data, to, bytes);
    } else if (adds) {
        post(b, txn, address, to);
    } else if (port == NEST_PORT) {
        /* The engine clears its counters by writing them. */
        memcpy(to, txn->data, bytes);
        fprintf(b->log, "W %" PRIx64 " %" PRIx64 "\n", address, bytes);
    } else {
        write_record(b, txn, to);
    }
    return CS_BUS_DONE;
}

/* ---- the engines ---- */

cs_status bridge_create(bridge *b, const bridge_config *config, FILE *log, cs_diag *diag)
{
    const cs_event_source nobody = {no_sum, no_reach, no_context, b, NULL};
    const cs_event_source events[CS_IMC_MAX_THREADS] = {
        {sum, reach, context, b, NULL}, nobody, nobody, nobody};
    const cs_imc_core_config core = {.threads = config->threads,
                                     .tap_log2 = config->tap_log2,
                                     .timebase = {0, BRIDGE_TB_NUM, BRIDGE_TB_DEN},
                                     .unit = 0};
    const cs_imc_core_env core_env = {.bus = {submit, b}, .port = CORE_PORT, .events = events};
    const cs_nest_config nest = {
        .base = config->nest_base, .tick_cycles = config->nest_tick, .unit = NEST_UNIT};
    const cs_nest_env nest_env = {
        .bus = {submit, b}, .port = NEST_PORT, .events = {nest_sum, no_reach, no_context, b}};
    cs_status status = events_create(&b->events, diag);

    b->log = log;
    b->nest_base = config->nest_base;
    if (status == CS_OK)
        status = cs_imc_core_create(&core, &core_env, &b->core, diag);
    if (status == CS_OK && config->nest_base != 0)
        status = cs_nest_create(&nest, &nest_env, &b->nest, diag);
    return status;
}

void bridge_destroy(bridge *b)
{
    cs_nest_destroy(b->nest);
    cs_imc_core_destroy(b->core);
    events_destroy(&b->events);
}

static cycle_t next_cycle(const bridge *b, cycle_t now)
{
    const cycle_t core = cs_imc_core_next(b->core);
    cycle_t nest = b->nest != NULL ? cs_nest_next(b->nest) : CS_NEVER;

    if (nest != CS_NEVER)
        nest = nest <= now + NEST_WORKS ? now + 1 : nest - NEST_WORKS;
    return nest < core ? nest : core;
}

uint64_t bridge_next(const bridge *b, uint64_t instruction)
{
    const cycle_t now = bridge_cycle(b, instruction);
    const cycle_t next = next_cycle(b, now);

    if (next == CS_NEVER)
        return UINT64_MAX;
    return next <= now ? instruction + 1 : instruction + (next - now);
}

void bridge_executed(bridge *b, uint64_t instruction, const events_executed *executed)
{
    events_tell(&b->events, instruction + 1, executed);
}

void bridge_execute(bridge *b, uint64_t instruction)
{
    b->at = bridge_cycle(b, instruction);
    cs_imc_core_advance(b->core, b->at + 1);
    if (b->nest != NULL)
        cs_nest_advance(b->nest, b->at + 1);
}

void bridge_timebase(bridge *b, uint64_t instruction, uint64_t tb)
{
    const cycle_t now = bridge_cycle(b, instruction);
    /* The first cycle with this timebase. */
    const cycle_t then = tb / BRIDGE_TB_NUM * BRIDGE_TB_DEN +
                         (tb % BRIDGE_TB_NUM * BRIDGE_TB_DEN + BRIDGE_TB_NUM - 1) / BRIDGE_TB_NUM;

    /* Reading it takes its time, too. */
    if (then <= now + 2)
        return;
    if (events_stood(&b->events, instruction, then))
        cs_imc_core_events_changed(b->core, 0);
    else
        fprintf(b->log, "X out of memory\n");
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
    else if (target.reg == CS_IMC_REG_PDBAR)
        fprintf(b->log, "B %x %" PRIx64 "\n", BRIDGE_CORE_TABLE, value & ADDRESS);
}

void bridge_ldbar(bridge *b, uint64_t instruction, uint64_t value)
{
    write_register(b, instruction, CS_IMC_REG_LDBAR, value);
    b->ldbar = value;
    memset(b->slots, 0, sizeof b->slots);
    b->next_slot = 0;
    b->last_tb = 0;
    if ((value & (LDBAR_TRACE | LDBAR_ENABLE)) == LDBAR_ENABLE)
        fprintf(b->log, "B %x %" PRIx64 "\n", BRIDGE_THREAD_TABLE, value & ADDRESS);
    if ((value & LDBAR_TRACE) != 0)
        fprintf(b->log, "S %" PRIx64 " %" PRIx64 " %" PRIx64 "\n", ++b->session,
                bridge_cycle(b, instruction), value & ADDRESS);
}

/* What the counter at that place of a table would have said, had it counted all the time. */
static uint64_t exact(bridge *b, uint64_t offset, cycle_t cycle)
{
    static const uint32_t modes[] = {CS_MODE_ALL, CS_MODE_ALL, USER_MODES, KERNEL_MODES};
    const uint32_t slot = (uint32_t)(offset / SLOT_BYTES);
    const uint32_t counter = (uint32_t)(offset % SLOT_BYTES - FIRST_COUNTER) / 8;
    const uint32_t numbers[] = {CS_IMC_EVENT_CPMC1(slot), CS_IMC_EVENT_CPMC2(slot),
                                CS_IMC_EVENT_CPMC3, CS_IMC_EVENT_CPMC4};

    if (offset % SLOT_BYTES < FIRST_COUNTER || counter >= sizeof numbers / sizeof numbers[0])
        return 0;
    return events_all(&b->events, b->events.core[numbers[counter]], modes[slot / 32], cycle);
}

/* Whether it is a counter at all will be seen from what was posted. */
static void tell_read(bridge *b, uint64_t instruction, bridge_role role, uint64_t address)
{
    const cycle_t cycle = bridge_cycle(b, instruction);
    const uint64_t in_nest = (address - b->nest_base) / 8;
    uint64_t count;

    if (b->nest != NULL && address >= b->nest_base && in_nest < EVENTS_NEST)
        count = events_all(&b->events, b->events.nest[in_nest], CS_MODE_ALL, cycle + 1);
    else
        count = exact(b, address % TABLE_BYTES, cycle + 1);
    fprintf(b->log, "M %x %" PRIx64 " %" PRIx64 " %" PRIx64 "\n", role, cycle, address, count);
    look_for_unknown(b, cycle, cycle + 1);
}

/* The driver takes records from the first on, as long as their timebases rise. */
static void scan(bridge *b, uint64_t address, bool store)
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

void bridge_driver(bridge *b, uint64_t instruction, bridge_role role, uint64_t address, bool store)
{
    if (role == BRIDGE_TRACE)
        scan(b, address, store);
    else if (!store)
        tell_read(b, instruction, role, address);
}
