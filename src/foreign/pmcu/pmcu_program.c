// SPDX-License-Identifier: Apache-2.0
/* Random runs of a PMCU, with accesses at any time: docs/hw/pmcu.md. */
#include "foreign/pmcu/pmcu_pins.h"

#include <countersink/models/pmcu/pmcu.h>
#include <countersink/regs/pmcu_regs.h>

#define NR(list) ((unsigned)(sizeof(list) / sizeof(list)[0]))
#define END_OF_REGISTERS 0x240u
#define OFFSETS 0x1000u
#define RARE 16u /* one in so many programs walks as many cores as there may be */

/* What leads to a run, in this order. */
static const uint16_t setup[] = {
    CS_PMCU_FSM_CFG,      CS_PMCU_EVENT_BASE_H, CS_PMCU_EVENT_BASE_L, CS_PMCU_STORE_BASE_H,
    CS_PMCU_STORE_BASE_L, CS_PMCU_KILL_BASE_H,  CS_PMCU_KILL_BASE_L,  CS_PMCU_WAIT_CNT,
    CS_PMCU_COMP,         CS_PMCU_INT_EN,       CS_PMCU_INT_MSK,      CS_PMCU_FSM_CTRL,
};

static const uint16_t others[] = {
    CS_PMCU_FSM_STATUS, CS_PMCU_FSM_STATUS, CS_PMCU_INT_STAT, CS_PMCU_INT_CLR,
    CS_PMCU_INT_EN,     CS_PMCU_INT_MSK,    CS_PMCU_FSM_CTRL, CS_PMCU_FSM_BRK,
    CS_PMCU_PMCR,       CS_PMCU_PMCCFILTR,  CS_PMCU_WAIT_CNT, CS_PMCU_FSM_CFG,
};

typedef struct run {
    cs_foreign_bench bench;
    cs_foreign_managers bus;
    cs_pmcu_config config;
    cs_pmcu *pmcu;
    cs_probe_sink probe;
    cs_probe_record sample; /* the last one; kind 0: none yet */
    bool irq;
    unsigned pace, step;     /* an access in so many cycles; of the setup */
    uint64_t store, kill_at; /* as they will be */
} run;

static uint64_t below(run *r, uint64_t n)
{
    return cs_foreign_draw(&r->bench, n);
}

static bool has(const run *r, unsigned pin)
{
    return cs_foreign_has(&r->bench, pin);
}

static cs_bus_resp read_register(void *pmcu, cs_cycle cycle, uint32_t offset, bool wide,
                                 uint64_t *data)
{
    return cs_pmcu_read(pmcu, cycle, offset, wide, data);
}

static cs_bus_resp write_register(void *pmcu, cs_cycle cycle, uint32_t offset, bool wide,
                                  uint64_t data)
{
    return cs_pmcu_write(pmcu, cycle, offset, wide, data);
}

static const cs_foreign_registers registers = {CS_PMCU_PIN_REG_EN, read_register, write_register,
                                               "read", "write"};

/* ---- straps ---- */

/* Few cores, so that a program has several runs; all of them now and then. */
static void draw_config(run *r)
{
    cs_foreign_bench *b = &r->bench;
    const uint64_t *limit = b->design->setting;
    const uint64_t *set = b->setting;
    const bool many = below(r, RARE) == 0;
    const uint64_t clusters = limit[CS_PMCU_SET_MOST_CLUSTERS];
    const uint64_t slots = limit[CS_PMCU_SET_MOST_SLOTS];

    cs_foreign_draw_setting(b, CS_PMCU_SET_CLUSTERS, 1, many || clusters < 4 ? clusters : 4);
    cs_foreign_draw_setting(b, CS_PMCU_SET_SLOTS, 1, many || slots < 2 ? slots : 2);
    cs_foreign_draw_setting(b, CS_PMCU_SET_TICK, 1, 5);
    if (has(r, CS_PMCU_PIN_LANES))
        b->setting[CS_PMCU_SET_LANES] = 1 + below(r, limit[CS_PMCU_SET_LANES]);
    r->bus.ports = (unsigned)limit[CS_PMCU_SET_LANES];
    r->config = (cs_pmcu_config){.die = (uint16_t)set[CS_PMCU_SET_DIE],
                                 .clusters = (unsigned)set[CS_PMCU_SET_CLUSTERS],
                                 .slots = (unsigned)set[CS_PMCU_SET_SLOTS],
                                 .lanes = (unsigned)set[CS_PMCU_SET_LANES],
                                 .broadcast = set[CS_PMCU_SET_BROADCAST] != 0,
                                 .prefetch = set[CS_PMCU_SET_PREFETCH] != 0,
                                 .order = (cs_pmcu_order)set[CS_PMCU_SET_ORDER],
                                 .ext64 = set[CS_PMCU_SET_EXT64] != 0,
                                 .posted = set[CS_PMCU_SET_POSTED] != 0,
                                 .tick_cycles = (unsigned)set[CS_PMCU_SET_TICK]};
}

static void strap(cs_foreign_bench *bench)
{
    cs_foreign_drive(bench, CS_PMCU_PIN_LANES, 0, 3, bench->setting[CS_PMCU_SET_LANES]);
}

/* ---- what is accessed ---- */

/* EV_LEN, NR_LOOP and NR_PMU of a run that ends soon, or of none. */
static uint64_t any_cfg(run *r)
{
    static const uint8_t lengths[] = {1, 1, 2, 3, 5, 8, 9, 17, 0, 255};
    static const uint8_t loops[] = {1, 1, 1, 2, 3, 0, 255};

    return lengths[below(r, NR(lengths))] | (uint64_t)loops[below(r, NR(loops))] << 8 |
           (below(r, 12) == 0 ? below(r, 16) : 1 + below(r, 8)) << 16;
}

/* Near the end of a page, so that bursts are split. */
static uint64_t any_place(run *r)
{
    const uint64_t high = below(r, 10) == 0 ? 0xffffffffu : below(r, 4);

    return high << 32 | (below(r, 16) << 12) |
           (below(r, 2) != 0 ? 0xfc0 + below(r, 64) : below(r, 4096));
}

/* Drawn with STORE_BASE; a few words behind it, or far, or below. */
static void draw_store(run *r)
{
    r->store = any_place(r);
    r->kill_at = below(r, 4) != 0 ? r->store + 0x100000 : r->store + below(r, 600);
    if (below(r, 20) == 0)
        r->kill_at = r->store - below(r, 16);
}

static uint64_t any_value(run *r, uint32_t offset)
{
    switch (offset) {
    case CS_PMCU_FSM_CFG:
        return any_cfg(r);
    case CS_PMCU_EVENT_BASE_H:
        return any_place(r) >> 32;
    case CS_PMCU_EVENT_BASE_L:
        return any_place(r);
    case CS_PMCU_STORE_BASE_H:
        draw_store(r);
        return r->store >> 32;
    case CS_PMCU_STORE_BASE_L:
        return r->store;
    case CS_PMCU_KILL_BASE_H:
        return r->kill_at >> 32;
    case CS_PMCU_KILL_BASE_L:
        return r->kill_at;
    case CS_PMCU_WAIT_CNT:
        return below(r, 30) == 0 ? below(r, 500) : below(r, 12);
    case CS_PMCU_FSM_CTRL:
    case CS_PMCU_FSM_BRK:
        return below(r, 8) != 0 ? 1 : below(r, 4);
    default:
        return below(r, 3) != 0 ? below(r, 4) : cs_foreign_bits(&r->bench.random);
    }
}

static cs_foreign_access any_access(run *r)
{
    cs_foreign_access a = {0};

    if (r->bench.ending)
        return cs_foreign_toured(&r->bench, END_OF_REGISTERS);
    a.wide = cs_foreign_may_be_wide(&r->bench, &registers) && below(r, 20) == 0;
    if (below(r, 12) == 0)
        a.offset = (uint32_t)(4 * below(r, (below(r, 4) != 0 ? END_OF_REGISTERS : OFFSETS) / 4));
    else if (below(r, 3) != 0)
        a.offset = setup[r->step++ % NR(setup)];
    else
        a.offset = others[below(r, NR(others))];
    a.write = below(r, 5) != 0;
    if (a.wide)
        a.offset &= ~7u;
    a.value = any_value(r, a.offset);
    return a;
}

/* ---- a cycle ---- */

static void record(void *ctx, const cs_probe_record *seen)
{
    run *r = ctx;

    if (seen->kind == CS_PROBE_SAMPLE)
        r->sample = *seen;
}

static void done(cs_foreign_bench *bench, unsigned port, const cs_bus_txn *txn)
{
    cs_pmcu_bus_done(((run *)bench)->pmcu, port, txn);
}

/* The lines of the cycle, before the model executes it. */
static void expect_lines(run *r)
{
    const bool irq = cs_pmcu_irq(r->pmcu);
    uint64_t status = 0;

    cs_pmcu_read(r->pmcu, r->bench.now, CS_PMCU_FSM_STATUS, false, &status);
    cs_foreign_expect(&r->bench, CS_PMCU_PIN_STATE, status & CS_PMCU_FSM_STATUS_STATE_MASK);
    cs_foreign_expect(&r->bench, CS_PMCU_PIN_IRQ, irq);
    r->bench.report->edges += irq != r->irq;
    r->irq = irq;
}

static void expect_sample(run *r)
{
    const bool there = r->sample.kind != 0 && r->sample.cycle == r->bench.now;

    cs_foreign_expect(&r->bench, CS_PMCU_PIN_SAMPLE_VALID, there);
    if (!there)
        return;
    cs_foreign_expect(&r->bench, CS_PMCU_PIN_SAMPLE_ADDR, r->sample.addr);
    cs_foreign_expect(&r->bench, CS_PMCU_PIN_SAMPLE_NUMBER, r->sample.value);
    cs_foreign_expect(&r->bench, CS_PMCU_PIN_SAMPLE_BYTES, r->sample.bytes);
}

static void drive(cs_foreign_bench *bench)
{
    run *r = (run *)bench;

    expect_lines(r);
    cs_foreign_no_access(bench, &registers);
    if (bench->now >= bench->next && (bench->ending || below(r, r->pace) == 0)) {
        const cs_foreign_access a = any_access(r);

        cs_foreign_access_register(bench, &registers, r->pmcu, &a, NULL);
    }
    cs_foreign_managers_drive(&r->bus);
}

static void settled(cs_foreign_bench *bench)
{
    run *r = (run *)bench;

    cs_foreign_managers_observe(&r->bus);
    cs_pmcu_advance(r->pmcu, bench->now + 1);
    expect_sample(r);
}

/* ---- programs ---- */

static cs_status begin(cs_foreign_bench *bench, cs_cycle cycles, cs_cycle ending, cs_diag *diag)
{
    static const unsigned paces[] = {1, 2, 4, 10, 30, 60};
    run *r = (run *)bench;

    (void)cycles;
    (void)ending;
    r->bus.bench = bench;
    r->bus.first = CS_PMCU_PIN_AWVALID;
    r->bus.done = done;
    draw_config(r);
    cs_foreign_managers_begin(&r->bus);
    r->probe = (cs_probe_sink){.record = record, .ctx = r, .no_hashes = true};
    r->sample = (cs_probe_record){0};
    r->irq = false;
    r->step = 0;
    r->pace = paces[below(r, NR(paces))];
    draw_store(r);
    const cs_pmcu_env env = {.bus = {cs_foreign_managers_submit, &r->bus}, .probe = &r->probe};
    return cs_pmcu_create(&r->config, &env, &r->pmcu, diag);
}

static void reset(cs_foreign_bench *bench)
{
    run *r = (run *)bench;

    cs_foreign_managers_reset(&r->bus);
    cs_pmcu_reset(r->pmcu, bench->now);
    r->sample = (cs_probe_record){0};
    r->irq = false;
    r->step = 0;
}

static void end(cs_foreign_bench *bench)
{
    run *r = (run *)bench;

    cs_pmcu_destroy(r->pmcu);
    r->pmcu = NULL;
}

static unsigned ending_of(const cs_foreign_bench *bench)
{
    (void)bench;
    return END_OF_REGISTERS / 4;
}

/* ---- the unit ---- */

static cs_status check(const cs_foreign_design *d, cs_diag *diag)
{
    const bool *has_pin = d->linked;

    if (has_pin[CS_PMCU_PIN_REG_WIDE] && !has_pin[CS_PMCU_PIN_REG_ERR])
        return cs_diag_set(diag, CS_ERR_RANGE, NULL,
                           "reg_wide_i has a port, and reg_err_o has none: an access of 8 bytes "
                           "is an error");
    if (!d->set[CS_PMCU_SET_CLUSTERS] && !has_pin[CS_PMCU_PIN_CLUSTERS])
        return cs_diag_set(diag, CS_ERR_RANGE, NULL,
                           "clusters: the MAP must say how many there are");
    if (!d->set[CS_PMCU_SET_SLOTS] && !has_pin[CS_PMCU_PIN_SLOTS])
        return cs_diag_set(diag, CS_ERR_RANGE, NULL,
                           "slots: the MAP must say how many each cluster has");
    return CS_OK;
}

static const cs_foreign_pin pins[] = {CS_PMCU_PINS(CS_FOREIGN_ROW){NULL}};
static const cs_foreign_setting settings[] = {CS_PMCU_SETTINGS(CS_FOREIGN_ROW){NULL}};

_Static_assert(CS_PMCU_NR_PINS <= CS_FOREIGN_MAX_PINS, "room for all pins");

const cs_foreign_unit cs_foreign_pmcu = {
    .name = "pmcu",
    .page = "docs/hw/pmcu.md",
    .pins = pins,
    .settings = settings,
    .address_bits = 16,
    .check = check,
    .bytes = sizeof(run),
    .ending = ending_of,
    .begin = begin,
    .strap = strap,
    .drive = drive,
    .settled = settled,
    .reset = reset,
    .end = end,
};
