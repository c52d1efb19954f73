// SPDX-License-Identifier: Apache-2.0
#include "guest/imc/bridge.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/bus/big.h"
#include "models/imc/imc_scom.h"
#include <countersink/base/numbers.h>

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
#define USER_MODES (CS_MODE_MASK(CS_MODE_GUEST_USER) | CS_MODE_MASK(CS_MODE_HOST_USER))
#define KERNEL_MODES (CS_MODE_MASK(CS_MODE_GUEST_KERNEL) | CS_MODE_MASK(CS_MODE_HOST_KERNEL))

/* While the nest is at work its counters are read in cycles that it does not name. */
#define NEST_WORKS 256u

#define NEST_PORT EVENTS_CPUS /* below it: the cores */

cs_cycle bridge_cycle(const bridge *b, uint64_t instruction)
{
    return events_cycle(&b->events, instruction);
}

/* ---- events ---- */

static void look_for_unknown(bridge *b, cs_cycle from, cs_cycle to)
{
    if (b->events.unknown)
        fprintf(b->log, "X an engine asked for cycles %" PRIu64 " to %" PRIu64 " in %" PRIu64 "\n",
                from, to, b->at);
    b->events.unknown = false;
}

static uint64_t sum(void *ctx, uint32_t event, uint32_t modes, cs_cycle from, cs_cycle to)
{
    const bridge_cpu *cpu = ctx;
    bridge *b = cpu->bridge;
    const uint64_t count = events_core(&b->events, cpu->number, event, modes, from, to);

    look_for_unknown(b, from, to);
    return count;
}

static uint64_t timebase(cs_cycle cycle)
{
    return cs_imc_timebase_at(&(cs_imc_timebase){0, BRIDGE_TB_NUM, BRIDGE_TB_DEN}, cycle);
}

static uint64_t nest_sum(void *ctx, uint32_t event, uint32_t modes, cs_cycle from, cs_cycle to)
{
    bridge *b = ctx;
    const uint64_t count = segments_have(b->segments, event)
                               ? segments_sum(b->segments, event, from, to)
                           : event == CS_NEST_TOD ? timebase(to) - timebase(from)
                                                  : events_nest(&b->events, event, from, to);

    (void)modes;
    look_for_unknown(b, from, to);
    return count;
}

static cs_cycle reach(void *ctx, uint32_t event, uint32_t modes, cs_cycle from, uint64_t n)
{
    const bridge_cpu *cpu = ctx;
    bridge *b = cpu->bridge;
    const cs_cycle cycle = events_reach(&b->events, cpu->number, event, from, n);

    (void)modes; /* trace mode has no filter */
    look_for_unknown(b, from, from);
    return cycle;
}

static void context(void *ctx, cs_cycle cycle, cs_context *out)
{
    bridge_cpu *cpu = ctx;
    const bridge *b = cpu->bridge;

    /* While it stands still it is at the instruction that comes next; while another executes, at that
     * which it has executed last. */
    if (events_busy(&b->events, cycle) < b->events.first ||
        events_busy(&b->events, cycle) > events_busy(&b->events, b->at))
        fprintf(b->log, "X the engine asked for cycle %" PRIu64 " in %" PRIu64 "\n", cycle, b->at);
    cpu->sampled = cpu->now;
    cpu->sampled_at = cycle;
    *out = (cs_context){.pc = cpu->now.pc,
                        .cid1 = (uint32_t)cpu->now.pid,
                        .cid2 = (uint32_t)cpu->now.lpid,
                        .mode = (uint8_t)cpu->now.mode};
}

/* Of a thread that the guest does not have. */
static uint64_t no_sum(void *ctx, uint32_t event, uint32_t modes, cs_cycle from, cs_cycle to)
{
    (void)ctx, (void)event, (void)modes, (void)from, (void)to;
    return 0;
}

static cs_cycle no_reach(void *ctx, uint32_t event, uint32_t modes, cs_cycle from, uint64_t n)
{
    (void)ctx, (void)event, (void)modes;
    return n == 0 ? from : CS_NEVER;
}

static void no_context(void *ctx, cs_cycle cycle, cs_context *out)
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

/* Whose buffer of trace mode it is; those of CPUs lie apart. */
static bridge_cpu *cpu_of(bridge *b, unsigned core, uint64_t address)
{
    const unsigned first = core * b->config.guest_threads;
    bridge_cpu *found = &b->cpus[first];

    for (unsigned i = 1; i < b->config.guest_threads; i++) {
        const uint64_t buffer = b->cpus[first + i].buffer;

        if (address >= buffer && (address < found->buffer || buffer > found->buffer))
            found = &b->cpus[first + i];
    }
    return found;
}

static void tell_record(bridge *b, bridge_cpu *cpu, const cs_bus_txn *txn)
{
    const uint64_t slot = (txn->addr - cpu->buffer) / RECORD_BYTES;
    const uint64_t tb = cs_big_get64(txn->data);

    fprintf(b->log,
            "R %" PRIx64 " %" PRIx64 " %" PRIx64 " %" PRIx64 " %" PRIx64 " %" PRIx64 " %" PRIx64
            " %" PRIx64 " %x %x %x\n",
            b->number, cpu->session, cpu->sampled_at, tb, cpu->sampled.pc, cpu->sampled.pid,
            cpu->sampled.mode, txn->addr, cpu->number, cpu->sampled.image, cpu->event);
    if (txn->addr >= cpu->buffer && slot < BRIDGE_SLOTS)
        cpu->slots[slot] = (bridge_record){b->number, tb, true};
}

static void write_record(bridge *b, unsigned core, const cs_bus_txn *txn, uint8_t *to)
{
    uint8_t data[RECORD_BYTES];
    const bool faulty = b->number == b->faulty;

    tell_record(b, cpu_of(b, core, txn->addr), txn);
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
        /* The engine clears its counters by writing them, and stores the time of day. */
        memcpy(to, txn->data, bytes);
        fprintf(b->log, "W %" PRIx64 " %" PRIx64 " %" PRIx64 "\n", address, bytes,
                cs_big_get64(txn->data));
    } else {
        write_record(b, port, txn, to);
    }
    return CS_BUS_DONE;
}

/* ---- the engines ---- */

static cs_status create_core(bridge *b, unsigned number, cs_diag *diag)
{
    const bridge_config *config = &b->config;
    const unsigned first = number * config->guest_threads;
    cs_event_source events[CS_IMC_MAX_THREADS];
    const cs_imc_core_config core = {.threads = config->threads,
                                     .tap_log2 = config->tap_log2,
                                     .timebase = {0, BRIDGE_TB_NUM, BRIDGE_TB_DEN},
                                     .unit = (uint16_t)number};
    const cs_imc_core_env env = {.bus = {submit, b}, .port = number, .events = events};

    for (unsigned i = 0; i < CS_IMC_MAX_THREADS; i++)
        events[i] = i < config->guest_threads
                        ? (cs_event_source){sum, reach, context, &b->cpus[first + i], NULL}
                        : (cs_event_source){no_sum, no_reach, no_context, b, NULL};
    b->cores[number].table.cpus = (events_cpus){first, config->guest_threads};
    return cs_imc_core_create(&core, &env, &b->cores[number].engine, diag);
}

static cs_status create_cpu(bridge *b, unsigned number, cs_diag *diag)
{
    bridge_cpu *cpu = &b->cpus[number];

    cpu->bridge = b;
    cpu->number = number;
    cpu->table.cpus = (events_cpus){number, 1};
    cpu->slots = calloc(BRIDGE_SLOTS, sizeof *cpu->slots);
    return cpu->slots != NULL ? CS_OK
                              : cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "records of a guest");
}

cs_status bridge_create(bridge *b, const bridge_config *config, FILE *log, cs_diag *diag)
{
    const cs_nest_config nest = {.base = config->nest_base,
                                 .tick_cycles = config->nest_tick,
                                 .unit = (uint16_t)config->cores};
    const cs_nest_env nest_env = {
        .bus = {submit, b}, .port = NEST_PORT, .events = {nest_sum, no_reach, no_context, b, NULL}};
    cs_status status;

    b->log = log;
    b->config = *config;
    b->nr_cpus = config->cores * config->guest_threads;
    if (b->nr_cpus == 0 || b->nr_cpus > EVENTS_CPUS || config->guest_threads > config->threads)
        return cs_diag_set(diag, CS_ERR_RANGE, NULL, "a guest of %u CPUs", b->nr_cpus);
    status = events_create(&b->events, b->nr_cpus, diag);
    b->events.threads = config->guest_threads;
    for (unsigned i = 0; i < b->nr_cpus && status == CS_OK; i++)
        status = create_cpu(b, i, diag);
    for (unsigned i = 0; i < config->cores && status == CS_OK; i++)
        status = create_core(b, i, diag);
    if (status == CS_OK && config->nest_base != 0)
        status = cs_nest_create(&nest, &nest_env, &b->nest, diag);
    return status;
}

void bridge_destroy(bridge *b)
{
    cs_nest_destroy(b->nest);
    for (unsigned i = 0; i < b->config.cores; i++)
        cs_imc_core_destroy(b->cores[i].engine);
    for (unsigned i = 0; i < b->nr_cpus; i++)
        free(b->cpus[i].slots);
    events_destroy(&b->events);
}

static cs_cycle next_cycle(const bridge *b, cs_cycle now)
{
    cs_cycle next = b->nest != NULL ? cs_nest_next(b->nest) : CS_NEVER;

    if (next != CS_NEVER)
        next = next <= now + NEST_WORKS ? now + 1 : next - NEST_WORKS;
    for (unsigned i = 0; i < b->config.cores; i++) {
        const cs_cycle core = cs_imc_core_next(b->cores[i].engine);

        next = core < next ? core : next;
    }
    return next;
}

uint64_t bridge_next(const bridge *b, uint64_t instruction)
{
    const cs_cycle now = bridge_cycle(b, instruction);
    const cs_cycle next = next_cycle(b, now);
    const uint64_t then = next == CS_NEVER ? UINT64_MAX
                          : next <= now    ? instruction + 1
                                           : instruction + (next - now);

    return b->events.look < then ? b->events.look : then;
}

void bridge_executed(bridge *b, uint64_t instruction, const events_executed executed[],
                     const events_current *current)
{
    events_tell(&b->events, instruction + 1, executed, current);
}

/* What was foreseen of a CPU holds no longer. */
static void foresee(bridge *b, unsigned cpu)
{
    cs_imc_core_events_changed(b->cores[cpu / b->config.guest_threads].engine,
                               cpu % b->config.guest_threads);
}

void bridge_turn(bridge *b, unsigned cpu)
{
    const unsigned before = b->events.running;

    events_turn(&b->events, cpu);
    foresee(b, before);
    foresee(b, cpu);
}

void bridge_execute(bridge *b, uint64_t instruction)
{
    b->at = bridge_cycle(b, instruction);
    if (b->events.look <= instruction) {
        b->events.look = CS_NEVER;
        for (unsigned i = 0; i < b->nr_cpus; i++)
            foresee(b, i);
    }
    for (unsigned i = 0; i < b->config.cores; i++)
        cs_imc_core_advance(b->cores[i].engine, b->at + 1);
    if (b->nest == NULL)
        return;
    cs_nest_advance(b->nest, b->at + 1);
    b->nest_paused = b->nest_paused || cs_nest_status(b->nest) == CS_NEST_STATUS_PAUSE;
}

void bridge_timebase(bridge *b, uint64_t first, uint64_t tb)
{
    const cs_cycle now = bridge_cycle(b, first);
    /* The first cycle with this timebase. */
    const cs_cycle then = tb / BRIDGE_TB_NUM * BRIDGE_TB_DEN +
                          (tb % BRIDGE_TB_NUM * BRIDGE_TB_DEN + BRIDGE_TB_NUM - 1) / BRIDGE_TB_NUM;

    /* Reading it takes its time, too. */
    if (then <= now + 2)
        return;
    if (!events_stood(&b->events, first, then))
        fprintf(b->log, "X out of memory\n");
    for (unsigned i = 0; i < b->nr_cpus; i++)
        foresee(b, i);
}

bridge_counting bridge_counts(const bridge *b, unsigned cpu)
{
    const bridge_core *core = &b->cores[cpu / b->config.guest_threads];
    const uint64_t ldbar = b->cpus[cpu].ldbar;

    if ((core->htm_mode & HTM_ON) == HTM_ON && (core->event_mask & MASK_FREEZE) == 0) {
        if ((ldbar & LDBAR_TRACE) != 0)
            return core->counted ? BRIDGE_LEFT_OUT : BRIDGE_BY_TRACE;
        return (ldbar & LDBAR_ENABLE) != 0 ? BRIDGE_BY_THREAD : BRIDGE_BY_CORE;
    }
    return b->nest_paused && cs_nest_status(b->nest) == CS_NEST_STATUS_RUN ? BRIDGE_BY_NEST
                                                                           : BRIDGE_NOBODY;
}

uint32_t bridge_event(const bridge *b, unsigned cpu)
{
    return bridge_counts(b, cpu) == BRIDGE_BY_TRACE ? b->cpus[cpu].event : 0;
}

void bridge_begin(bridge *b, uint64_t event)
{
    b->cpus[b->events.running].event = (uint32_t)event;
}

void bridge_count(bridge *b, uint64_t event)
{
    b->cpus[b->events.running].reads = (uint32_t)event;
}

void bridge_dump(bridge *b, uint64_t event)
{
    bridge_cpu *cpu = &b->cpus[b->events.running];

    cpu->dumped = (uint32_t)event;
    cpu->next_slot = 0;
    cpu->last_tb = 0;
}

void bridge_end(bridge *b, uint64_t event)
{
    b->cpus[b->events.running].ends = (uint32_t)event;
}

/* A write acts in the cycle of the next instruction. */
static void write_register(bridge *b, bridge_core *core, uint64_t instruction, unsigned reg,
                           uint64_t value)
{
    if (cs_imc_core_write(core->engine, bridge_cycle(b, instruction) + 1, reg, value) !=
        CS_BUS_OKAY)
        fprintf(b->log, "X the engine refused a write of register %u\n", reg);
}

void bridge_scom(bridge *b, uint64_t instruction, uint32_t scom, uint64_t value)
{
    const cs_imc_scom_target target = cs_imc_scom_decode(false, b->config.cores, scom);

    for (unsigned i = 0; i < b->config.cores; i++) {
        bridge_core *core = &b->cores[i];

        if ((target.cores >> i & 1u) == 0)
            continue;
        write_register(b, core, instruction, target.reg, value);
        if (target.reg == CS_IMC_REG_HTM_MODE) {
            core->htm_mode = value;
            core->counted = false;
        } else if (target.reg == CS_IMC_REG_EVENT_MASK) {
            core->event_mask = value;
        } else if (target.reg == CS_IMC_REG_PDBAR) {
            core->table.first = value & ADDRESS;
            fprintf(b->log, "B %x %" PRIx64 " %x\n", BRIDGE_CORE_TABLE, value & ADDRESS, i);
        }
    }
}

void bridge_ldbar(bridge *b, uint64_t instruction, uint64_t value)
{
    bridge_cpu *cpu = &b->cpus[b->events.running];

    write_register(b, &b->cores[cpu->number / b->config.guest_threads], instruction,
                   CS_IMC_REG_LDBAR + cpu->number % b->config.guest_threads, value);
    cpu->ldbar = value;
    if ((value & (LDBAR_TRACE | LDBAR_ENABLE)) == LDBAR_ENABLE) {
        cpu->table.first = value & ADDRESS;
        fprintf(b->log, "B %x %" PRIx64 " %x\n", BRIDGE_THREAD_TABLE, value & ADDRESS, cpu->number);
    }
    if ((value & LDBAR_TRACE) != 0) {
        /* What lies there from sessions before can still be read. */
        if (cpu->buffer != (value & ADDRESS))
            memset(cpu->slots, 0, BRIDGE_SLOTS * sizeof *cpu->slots);
        cpu->buffer = value & ADDRESS;
        cpu->session = ++b->sessions;
        fprintf(b->log, "S %" PRIx64 " %" PRIx64 " %" PRIx64 " %x %x\n", cpu->session,
                bridge_cycle(b, instruction), cpu->buffer, cpu->number, cpu->event);
    }
}

/* Of whom a table is. One that no register names is that of a thread, which LDBAR will name: the driver
 * reads before it writes LDBAR for the first time. */
static events_cpus cpus_of(const bridge *b, uint64_t address)
{
    const uint64_t first = address / TABLE_BYTES * TABLE_BYTES;

    for (unsigned i = 0; i < b->nr_cpus; i++)
        if (b->cpus[i].table.first == first)
            return b->cpus[i].table.cpus;
    for (unsigned i = 0; i < b->config.cores; i++)
        if (b->cores[i].table.first == first)
            return b->cores[i].table.cpus;
    return b->cpus[b->events.running].table.cpus;
}

/* What the counter at that place of a table would have said, had it counted all the time. */
static uint64_t exact(bridge *b, uint64_t address, cs_cycle cycle)
{
    const events_cpus cpus = cpus_of(b, address);
    const uint64_t offset = address % TABLE_BYTES;
    static const uint32_t modes[] = {CS_MODE_ALL, CS_MODE_ALL, USER_MODES, KERNEL_MODES};
    const uint32_t slot = (uint32_t)(offset / SLOT_BYTES);
    const uint32_t counter = (uint32_t)(offset % SLOT_BYTES - FIRST_COUNTER) / 8;
    const uint32_t numbers[] = {CS_IMC_EVENT_CPMC1(slot), CS_IMC_EVENT_CPMC2(slot),
                                CS_IMC_EVENT_CPMC3, CS_IMC_EVENT_CPMC4};

    if (offset % SLOT_BYTES < FIRST_COUNTER || counter >= sizeof numbers / sizeof numbers[0])
        return 0;
    return events_all(&b->events, cpus, b->events.core[numbers[counter]], modes[slot / 32], cycle);
}

/* A core's event is read as soon as it begins. */
static void note_counted(bridge *b, uint64_t address)
{
    for (unsigned i = 0; i < b->config.cores; i++)
        if (b->cores[i].table.first != 0 &&
            b->cores[i].table.first == address / TABLE_BYTES * TABLE_BYTES)
            b->cores[i].counted = true;
}

/* Whether it is a counter at all will be seen from what was posted. */
static void tell_read(bridge *b, uint64_t instruction, bridge_role role, uint64_t address)
{
    const cs_cycle cycle = bridge_cycle(b, instruction);
    const uint64_t in_nest = (address - b->config.nest_base) / 8;
    const events_cpus all = {0, b->nr_cpus};
    uint64_t count;

    if (in_nest < EVENTS_NEST && segments_have(b->segments, (uint32_t)in_nest))
        count = segments_sum(b->segments, (uint32_t)in_nest, 0, cycle + 1);
    else if (b->nest != NULL && in_nest == CS_NEST_TOD)
        count = timebase(cycle + 1);
    else if (b->nest != NULL && address >= b->config.nest_base && in_nest < EVENTS_NEST)
        count = events_all(&b->events, all, b->events.nest[in_nest], CS_MODE_ALL, cycle + 1);
    else
        count = exact(b, address, cycle + 1);
    fprintf(b->log, "M %x %" PRIx64 " %" PRIx64 " %" PRIx64 " %x\n", role, cycle, address, count,
            b->cpus[b->events.running].reads);
    look_for_unknown(b, cycle, cycle + 1);
}

/* The driver takes records from the first on, as long as their timebases rise. */
static void scan(bridge *b, uint64_t address, bool store)
{
    bridge_cpu *cpu = &b->cpus[b->events.running];
    const uint64_t slot = (address - cpu->buffer) / RECORD_BYTES;
    const bridge_record *record;

    if (address < cpu->buffer || slot >= BRIDGE_SLOTS ||
        (address - cpu->buffer) % RECORD_BYTES != 0)
        return;
    record = &cpu->slots[slot];
    /* What it stores beyond the first is no buffer's. */
    if (store && slot != 0)
        return;
    if (store) {
        /* The last that it does when it reads a buffer. */
        cpu->slots[slot].there = false;
        cpu->next_slot = 0;
        cpu->last_tb = 0;
        if (cpu->event == cpu->ends)
            cpu->event = 0;
        cpu->ends = 0;
    } else if (slot == cpu->next_slot && record->there && record->tb > cpu->last_tb) {
        fprintf(b->log, "D %" PRIx64 " %x %x\n", record->number, cpu->process, cpu->dumped);
        cpu->last_tb = record->tb;
        cpu->next_slot++;
    }
}

void bridge_driver(bridge *b, uint64_t instruction, bridge_role role, uint64_t address, bool store)
{
    if (role == BRIDGE_TRACE) {
        scan(b, address, store);
    } else if (!store) {
        note_counted(b, address);
        tell_read(b, instruction, role, address);
    }
}
