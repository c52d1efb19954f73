/* Random runs of a PMCU, with accesses at any time: docs/hw/pmcu.md. */
#include "foreign/pmcu/pmcu_program.h"

#include <inttypes.h>
#include <stdio.h>

#include "models/pmcu/pmcu.h"
#include "regs/gen/pmcu_regs.h"

#define NR(list) ((unsigned)(sizeof(list) / sizeof(list)[0]))
#define END_OF_REGISTERS 0x240u
#define OFFSETS 0x1000u
#define RARE 16u /* one in so many programs walks as many cores as there may be */

typedef struct access {
    bool write, wide;
    uint32_t offset;
    uint64_t value;
} access;

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
    cycle_t next;            /* access, at the earliest */
    unsigned pace, step;     /* an access in so many cycles; of the setup */
    uint64_t store, kill_at; /* as they will be */
    unsigned tour;
} run;

static uint64_t below(run *r, uint64_t n)
{
    return cs_foreign_below(&r->bench.random, n);
}

static bool has(const run *r, unsigned pin)
{
    return cs_foreign_has(&r->bench, pin);
}

static void set(run *r, unsigned pin, unsigned width, uint64_t value)
{
    cs_foreign_drive(&r->bench, pin, 0, width, value);
}

/* ---- straps ---- */

static unsigned setting(run *r, unsigned which, unsigned pin, uint64_t least, uint64_t most)
{
    return (unsigned)cs_foreign_setting_of(&r->bench, which, pin, least, most);
}

/* Few cores, so that a program has several runs; all of them now and then. */
static void draw_config(run *r)
{
    const uint64_t *limit = r->bench.design->setting;
    const bool many = below(r, RARE) == 0;
    const uint64_t clusters = limit[CS_PMCU_SET_MOST_CLUSTERS];
    const uint64_t slots = limit[CS_PMCU_SET_MOST_SLOTS];
    const uint64_t lanes = limit[CS_PMCU_SET_LANES];

    r->config = (cs_pmcu_config){
        .die = (uint16_t)setting(r, CS_PMCU_SET_DIE, CS_PMCU_PIN_DIE, 0, 3),
        .clusters = setting(r, CS_PMCU_SET_CLUSTERS, CS_PMCU_PIN_CLUSTERS, 1,
                            many || clusters < 4 ? clusters : 4),
        .slots = setting(r, CS_PMCU_SET_SLOTS, CS_PMCU_PIN_SLOTS, 1, many || slots < 2 ? slots : 2),
        .lanes = (unsigned)(has(r, CS_PMCU_PIN_LANES) ? 1 + below(r, lanes) : lanes),
        .broadcast = setting(r, CS_PMCU_SET_BROADCAST, CS_PMCU_PIN_BROADCAST, 0, 1),
        .prefetch = setting(r, CS_PMCU_SET_PREFETCH, CS_PMCU_PIN_PREFETCH, 0, 1),
        .order = (cs_pmcu_order)setting(r, CS_PMCU_SET_ORDER, CS_PMCU_PIN_ORDER, 0, 3),
        .ext64 = setting(r, CS_PMCU_SET_EXT64, CS_PMCU_PIN_EXT64, 0, 1),
        .posted = setting(r, CS_PMCU_SET_POSTED, CS_PMCU_PIN_POSTED, 0, 1),
        .tick_cycles = setting(r, CS_PMCU_SET_TICK, CS_PMCU_PIN_TICK, 1, 5)};
    r->bus.ports = (unsigned)lanes;
}

static void strap(void *ctx)
{
    run *r = ctx;
    const cs_pmcu_config *c = &r->config;

    set(r, CS_PMCU_PIN_DIE, 2, c->die);
    set(r, CS_PMCU_PIN_CLUSTERS, 5, c->clusters);
    set(r, CS_PMCU_PIN_SLOTS, 4, c->slots);
    set(r, CS_PMCU_PIN_LANES, 3, c->lanes);
    set(r, CS_PMCU_PIN_BROADCAST, 1, c->broadcast);
    set(r, CS_PMCU_PIN_PREFETCH, 1, c->prefetch);
    set(r, CS_PMCU_PIN_ORDER, 2, c->order);
    set(r, CS_PMCU_PIN_EXT64, 1, c->ext64);
    set(r, CS_PMCU_PIN_POSTED, 1, c->posted);
    set(r, CS_PMCU_PIN_TICK, 16, c->tick_cycles);
    snprintf(r->bench.report->settings, sizeof r->bench.report->settings,
             "die %u, clusters %u, slots %u, lanes %u, broadcast %d, prefetch %d, order %d, "
             "ext64 %d, posted %d, tick_cycles %u",
             c->die, c->clusters, c->slots, c->lanes, c->broadcast, c->prefetch, (int)c->order,
             c->ext64, c->posted, c->tick_cycles);
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

static access any_access(run *r, bool ending)
{
    access a = {0};

    if (ending) {
        a.offset = 4 * r->tour++ % END_OF_REGISTERS;
        return a;
    }
    a.wide = has(r, CS_PMCU_PIN_REG_WIDE) && below(r, 20) == 0;
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

static void done(void *ctx, unsigned port, const cs_bus_txn *txn)
{
    run *r = ctx;

    cs_pmcu_bus_done(r->pmcu, port, txn);
}

static void by_register(run *r, cycle_t now, const access *a)
{
    uint64_t data = 0;
    const cs_bus_resp resp = a->write ? cs_pmcu_write(r->pmcu, now, a->offset, a->wide, a->value)
                                      : cs_pmcu_read(r->pmcu, now, a->offset, a->wide, &data);
    const bool bad = resp != CS_BUS_OKAY;

    set(r, CS_PMCU_PIN_REG_EN, 1, 1);
    set(r, CS_PMCU_PIN_REG_WRITE, 1, a->write);
    set(r, CS_PMCU_PIN_REG_ADDR, 16, a->offset);
    set(r, CS_PMCU_PIN_REG_WIDE, 1, a->wide);
    set(r, CS_PMCU_PIN_REG_WDATA, 64, a->value);
    cs_foreign_expect(&r->bench, CS_PMCU_PIN_REG_ERR, now, bad);
    if (!a->write && !bad)
        cs_foreign_expect(&r->bench, CS_PMCU_PIN_REG_RDATA, now, data);
    r->bench.report->accesses++;
    r->bench.report->refused += bad;
    cs_foreign_tally_add(r->bench.tally, a->offset,
                         bad        ? CS_FOREIGN_REFUSED
                         : a->write ? CS_FOREIGN_WRITTEN
                                    : CS_FOREIGN_READ);
    if (a->write)
        cs_foreign_did_this(&r->bench, now, "write 0x%03x = 0x%" PRIx64 "%s", a->offset, a->value,
                            bad ? ", 8 bytes: error" : "");
    else
        cs_foreign_did_this(&r->bench, now, "read 0x%03x%s", a->offset,
                            bad ? ", 8 bytes: error" : "");
}

static void access_now(run *r, cycle_t now, bool ending)
{
    access a;

    set(r, CS_PMCU_PIN_REG_EN, 1, 0);
    if (now < r->next || (!ending && below(r, r->pace) != 0))
        return;
    a = any_access(r, ending);
    if (cs_foreign_left_out(r->bench.design, a.offset) ||
        (a.wide && cs_foreign_left_out(r->bench.design, a.offset + 4)))
        return;
    by_register(r, now, &a);
    r->next = now + r->bench.design->pace_cycles;
}

/* The lines of the cycle, before the model executes it. */
static void expect_lines(run *r, cycle_t now)
{
    const bool irq = cs_pmcu_irq(r->pmcu);
    uint64_t status = 0;

    cs_pmcu_read(r->pmcu, now, CS_PMCU_FSM_STATUS, false, &status);
    cs_foreign_expect(&r->bench, CS_PMCU_PIN_STATE, now, status & CS_PMCU_FSM_STATUS_STATE_MASK);
    cs_foreign_expect(&r->bench, CS_PMCU_PIN_IRQ, now, irq);
    r->bench.report->edges += irq != r->irq;
    r->irq = irq;
}

static void expect_sample(run *r, cycle_t now)
{
    const bool there = r->sample.kind != 0 && r->sample.cycle == now;

    cs_foreign_expect(&r->bench, CS_PMCU_PIN_SAMPLE_VALID, now, there);
    if (!there)
        return;
    cs_foreign_expect(&r->bench, CS_PMCU_PIN_SAMPLE_ADDR, now, r->sample.addr);
    cs_foreign_expect(&r->bench, CS_PMCU_PIN_SAMPLE_NUMBER, now, r->sample.value);
    cs_foreign_expect(&r->bench, CS_PMCU_PIN_SAMPLE_BYTES, now, r->sample.bytes);
}

static bool compare(run *r, cycle_t now)
{
    static const struct {
        unsigned pin, width;
    } outputs[] = {
        {CS_PMCU_PIN_REG_ERR, 1},        {CS_PMCU_PIN_REG_RDATA, 64},
        {CS_PMCU_PIN_STATE, 4},          {CS_PMCU_PIN_IRQ, 1},
        {CS_PMCU_PIN_SAMPLE_VALID, 1},   {CS_PMCU_PIN_SAMPLE_ADDR, 64},
        {CS_PMCU_PIN_SAMPLE_NUMBER, 32}, {CS_PMCU_PIN_SAMPLE_BYTES, 16},
    };
    bool good = true;

    for (size_t i = 0; i < NR(outputs) && good; i++)
        good = cs_foreign_same(&r->bench, outputs[i].pin, now, outputs[i].width);
    return good;
}

static bool cycle(run *r, cycle_t now, bool ending)
{
    bool good;

    expect_lines(r, now);
    access_now(r, now, ending);
    cs_foreign_managers_drive(&r->bus);
    cs_foreign_clock(&r->bench, 0);
    good = cs_foreign_managers_observe(&r->bus, now);
    cs_pmcu_advance(r->pmcu, now + 1);
    expect_sample(r, now);
    good = good && compare(r, now);
    cs_foreign_clock(&r->bench, 1);
    r->bench.report->cycles++;
    return good;
}

/* ---- programs ---- */

static cs_status program(run *r, uint64_t seed, const cs_foreign_options *options, bool *good,
                         cs_diag *diag)
{
    static const unsigned paces[] = {1, 2, 4, 10, 30, 60};
    const cycle_t all =
        options->cycles + CS_FOREIGN_MAX_LATE + END_OF_REGISTERS / 4 * r->bench.design->pace_cycles;
    cs_pmcu_env env;
    cs_status status;

    cs_foreign_bench_begin(&r->bench, seed);
    draw_config(r);
    cs_foreign_managers_begin(&r->bus);
    r->probe = (cs_probe_sink){.record = record, .ctx = r, .no_hashes = true};
    env = (cs_pmcu_env){.bus = {cs_foreign_managers_submit, &r->bus}, .probe = &r->probe};
    status = cs_pmcu_create(&r->config, &env, &r->pmcu, diag);
    if (status != CS_OK)
        return status;
    r->sample = (cs_probe_record){0};
    r->irq = false;
    r->next = 0;
    r->step = r->tour = 0;
    r->pace = paces[below(r, NR(paces))];
    draw_store(r);
    cs_foreign_bench_restart(&r->bench, strap, r);
    for (cycle_t now = 0; *good && now < all; now++)
        *good = cycle(r, now, now >= options->cycles);
    r->bench.report->programs++;
    cs_pmcu_destroy(r->pmcu);
    r->pmcu = NULL;
    return CS_OK;
}

static void name(unsigned offset, char *out, size_t size)
{
    snprintf(out, size, "0x%03x", offset);
}

cs_status cs_pmcu_programs(const cs_foreign_design *design, cs_foreign_dut *dut,
                           const cs_foreign_options *options, cs_foreign_report *report,
                           cs_diag *diag)
{
    run r = {
        .bench = {.unit = &cs_foreign_pmcu, .design = design, .dut = dut, .report = report},
        .bus = {.first = CS_PMCU_PIN_AXI, .done = done},
    };
    cs_status status = cs_foreign_tally_create(&r.bench.tally, diag);
    bool good = true;

    r.bus.bench = &r.bench;
    r.bus.ctx = &r;
    for (unsigned i = 0; i < options->programs && status == CS_OK && good; i++)
        status = program(&r, options->seed + i, options, &good, diag);
    report->transfers = r.bus.transfers;
    if (status == CS_OK)
        status = cs_foreign_tally_tell(r.bench.tally, name, report, diag);
    cs_foreign_tally_destroy(r.bench.tally);
    return status;
}
