/* Random accesses of the frame and of the core, over a random core: docs/hw/corepmu.md. */
#include "foreign/corepmu/corepmu_program.h"

#include <inttypes.h>
#include <stdio.h>

#include "foreign/bench.h"
#include "foreign/core.h"
#include "models/corepmu/corepmu.h"

#define NR(list) ((unsigned)(sizeof(list) / sizeof(list)[0]))
#define CYCLE_COUNTER CS_COREPMU_CYCLE_COUNTER

static const uint32_t events[] = {
    0, 8, 0x10, 0x11, 0x14, 0x1b, 0x20, 0xffff, CS_COREPMU_EVENT_CLOCK};

typedef struct frame_access {
    bool write, wide;
    uint32_t offset;
    uint64_t value;
} frame_access;

typedef struct run {
    cs_foreign_bench bench;
    cs_corepmu_config config;
    cs_foreign_core *core;
    cs_corepmu *pmu;
    bool irq;
    bool system; /* an access of the core waits */
    cs_corepmu_access waiting;
    cycle_t next; /* access of the frame, at the earliest */
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

static uint64_t setting(run *r, unsigned which, unsigned pin, uint64_t least, uint64_t most)
{
    return cs_foreign_setting_of(&r->bench, which, pin, least, most);
}

static void draw_config(run *r)
{
    cs_corepmu_config *c = &r->config;
    unsigned most = CS_COREPMU_MAX_COUNTERS;

    /* As many as its ports have fields. */
    if (r->bench.design->fields[CS_COREPMU_PIN_INC] != 0)
        most = r->bench.design->fields[CS_COREPMU_PIN_INC];
    *c = (cs_corepmu_config){0};
    c->counters = (unsigned)setting(r, CS_COREPMU_SET_COUNTERS, CS_COREPMU_PIN_NR_COUNTER, 1, most);
    c->ext64 = setting(r, CS_COREPMU_SET_EXT64, CS_COREPMU_PIN_EXT64, 0, 1);
    c->hpmn = (unsigned)setting(r, CS_COREPMU_SET_HPMN, CS_COREPMU_PIN_HPMN, 0, c->counters);
    c->hpme = setting(r, CS_COREPMU_SET_HPME, CS_COREPMU_PIN_HPME, 0, 1);
    c->hpmd = setting(r, CS_COREPMU_SET_HPMD, CS_COREPMU_PIN_HPMD, 0, 1);
    c->spme = setting(r, CS_COREPMU_SET_SPME, CS_COREPMU_PIN_SPME, 0, 1);
}

static void strap(void *ctx)
{
    run *r = ctx;
    const cs_corepmu_config *c = &r->config;

    set(r, CS_COREPMU_PIN_NR_COUNTER, 5, c->counters);
    set(r, CS_COREPMU_PIN_EXT64, 1, c->ext64);
    set(r, CS_COREPMU_PIN_HPMN, 5, c->hpmn);
    set(r, CS_COREPMU_PIN_HPME, 1, c->hpme);
    set(r, CS_COREPMU_PIN_HPMD, 1, c->hpmd);
    set(r, CS_COREPMU_PIN_SPME, 1, c->spme);
    snprintf(r->bench.report->settings, sizeof r->bench.report->settings,
             "counters %u, ext64 %d, hpmn %u, hpme %d, hpmd %d, spme %d", c->counters, c->ext64,
             c->hpmn, c->hpme, c->hpmd, c->spme);
}

/* ---- what is accessed ---- */

static uint32_t any_offset(run *r, bool ext64)
{
    const unsigned n = (unsigned)below(r, r->config.counters + 1u);
    const unsigned i = n == r->config.counters ? CYCLE_COUNTER : n;

    switch (below(r, 13)) {
    case 0:
    case 1:
        return 8 * i;
    case 2:
        return 8 * i + 4;
    case 3:
        return 0x400 + (ext64 ? 8 : 4) * i;
    case 4:
        return 0xc00;
    case 5:
        return 0xc20;
    case 6:
        return 0xc80;
    case 7:
        return below(r, 2) != 0 ? 0xcc0 : 0xc40;
    case 8:
        return below(r, 2) != 0 ? 0xc60 : 0xe00;
    case 9:
    case 10:
        return ext64 ? 0xe10 : 0xe04;
    case 11:
        return 0x200 + 4 * (uint32_t)below(r, 12);
    default:
        return 4 * (uint32_t)below(r, 0x1000 / 4);
    }
}

static uint64_t any_value(run *r, uint32_t offset)
{
    const uint64_t event_mask =
        (UINT64_C(1) << r->bench.design->setting[CS_COREPMU_SET_EVENT_BITS]) - 1;

    if (offset < 0x100)
        return below(r, 4) != 0 ? UINT64_MAX - below(r, 300) : cs_foreign_bits(&r->bench.random);
    if (offset == 0xe04 || offset == 0xe10)
        return below(r, 8) != 0 ? (below(r, 256) & 0xe0) | 1 : below(r, 256);
    if (offset == 0xc00 || offset == 0xc40)
        return UINT64_MAX;
    if (offset >= 0x400 && offset < 0x500)
        return (below(r, 2) != 0 ? 0 : below(r, 64) << 26) |
               (events[below(r, NR(events) - 1)] & event_mask);
    return cs_foreign_bits(&r->bench.random);
}

/* Every second one of 8 bytes where there are such; at the end all words in turn. */
static frame_access any_access(run *r, bool ending, unsigned *tour)
{
    frame_access a = {0};

    if (ending) {
        a.offset = 4 * (*tour)++ % 0x1000;
        return a;
    }
    a.wide = has(r, CS_COREPMU_PIN_REG_WIDE) && below(r, r->config.ext64 ? 2 : 12) == 0;
    a.offset = any_offset(r, r->config.ext64) & (a.wide ? ~7u : ~0u);
    a.write = below(r, 2) != 0;
    a.value = any_value(r, a.offset);
    return a;
}

/* ---- a cycle ---- */

static void count(run *r, uint32_t offset, bool write, bool refused)
{
    r->bench.report->accesses++;
    r->bench.report->refused += refused;
    cs_foreign_tally_add(r->bench.tally, offset,
                         refused ? CS_FOREIGN_REFUSED
                         : write ? CS_FOREIGN_WRITTEN
                                 : CS_FOREIGN_READ);
}

static void by_frame(run *r, cycle_t now, const frame_access *a)
{
    uint64_t data = 0;
    const cs_bus_resp resp = a->write ? cs_corepmu_write(r->pmu, now, a->offset, a->wide, a->value)
                                      : cs_corepmu_read(r->pmu, now, a->offset, a->wide, &data);

    set(r, CS_COREPMU_PIN_REG_WRITE, 1, a->write);
    set(r, CS_COREPMU_PIN_REG_ADDR, 16, a->offset);
    set(r, CS_COREPMU_PIN_REG_WIDE, 1, a->wide);
    set(r, CS_COREPMU_PIN_REG_WDATA, 64, a->value);
    cs_foreign_expect(&r->bench, CS_COREPMU_PIN_REG_ERR, now, resp != CS_BUS_OKAY);
    if (!a->write && resp == CS_BUS_OKAY)
        cs_foreign_expect(&r->bench, CS_COREPMU_PIN_REG_RDATA, now, data);
    count(r, a->offset, a->write, resp != CS_BUS_OKAY);
    cs_foreign_did_this(&r->bench, now, "frame %s 0x%03x, %d bytes%s", a->write ? "write" : "read",
                        a->offset, a->wide ? 8 : 4, resp != CS_BUS_OKAY ? ", error" : "");
}

/* Held until it is done. */
static void by_core(run *r, cycle_t now)
{
    const cs_corepmu_access *a = &r->waiting;
    uint64_t data = 0;

    if (!r->system) {
        if (!has(r, CS_COREPMU_PIN_SYS_EN) || r->config.offline || below(r, 4) != 0)
            return;
        r->waiting.offset = (uint16_t)(any_offset(r, true) & 0xff8);
        r->waiting.write = below(r, 2) != 0;
        r->waiting.guest = has(r, CS_COREPMU_PIN_SYS_GUEST) && below(r, 3) == 0;
        r->waiting.value = any_value(r, r->waiting.offset);
        if (cs_foreign_left_out(r->bench.design, r->waiting.offset))
            return;
    }
    set(r, CS_COREPMU_PIN_SYS_EN, 1, 1);
    set(r, CS_COREPMU_PIN_SYS_WRITE, 1, a->write);
    set(r, CS_COREPMU_PIN_SYS_GUEST, 1, a->guest);
    set(r, CS_COREPMU_PIN_SYS_ADDR, 12, a->offset);
    set(r, CS_COREPMU_PIN_SYS_WDATA, 64, a->value);
    r->system = !cs_corepmu_system(r->pmu, now, a, &data);
    cs_foreign_expect(&r->bench, CS_COREPMU_PIN_SYS_READY, now, !r->system);
    if (r->system)
        return;
    if (!a->write)
        cs_foreign_expect(&r->bench, CS_COREPMU_PIN_SYS_RDATA, now, data);
    count(r, a->offset, a->write, false);
    cs_foreign_did_this(&r->bench, now, "core%s %s 0x%03x", a->guest ? " (guest)" : "",
                        a->write ? "write" : "read", a->offset);
}

static void drive_core(run *r, cycle_t now)
{
    cs_context who;

    cs_foreign_core_context(r->core, now, &who);
    set(r, CS_COREPMU_PIN_MODE, 2, who.mode);
    set(r, CS_COREPMU_PIN_PC, 64, who.pc);
    set(r, CS_COREPMU_PIN_CID1, 32, who.cid1);
    set(r, CS_COREPMU_PIN_CID2, 32, who.cid2);
    set(r, CS_COREPMU_PIN_CYCLE_INC, 8,
        cs_foreign_core_increment(r->core, CS_COREPMU_EVENT_CLOCK, now));
}

/* Power and lock change now and then; the core's own access has none of it on its way. */
static void drive_power(run *r, cycle_t now)
{
    bool *pins[] = {&r->config.offline, &r->config.locked};

    for (unsigned i = 0; i < 2; i++) {
        if (!has(r, CS_COREPMU_PIN_OFFLINE + i) || r->system || below(r, *pins[i] ? 40 : 700) != 0)
            continue;
        *pins[i] = !*pins[i];
        cs_corepmu_set_power(r->pmu, now, r->config.offline, r->config.locked);
        set(r, CS_COREPMU_PIN_OFFLINE + i, 1, *pins[i]);
        cs_foreign_did_this(&r->bench, now, "%s is %d", i == 0 ? "offline_i" : "locked_i",
                            *pins[i]);
    }
}

static bool compare(run *r, cycle_t now)
{
    static const struct {
        unsigned pin, width;
    } outputs[] = {
        {CS_COREPMU_PIN_REG_ERR, 1},   {CS_COREPMU_PIN_REG_RDATA, 64},
        {CS_COREPMU_PIN_SYS_READY, 1}, {CS_COREPMU_PIN_SYS_RDATA, 64},
        {CS_COREPMU_PIN_IRQ, 1},
    };
    bool good = true;

    for (size_t i = 0; i < NR(outputs) && good; i++)
        good = cs_foreign_same(&r->bench, outputs[i].pin, now, outputs[i].width);
    return good;
}

static bool cycle(run *r, cycle_t now, bool ending, unsigned *tour)
{
    bool good, irq;

    drive_power(r, now);
    irq = cs_corepmu_irq(r->pmu, now, now + 1) == now;
    r->bench.report->edges += irq != r->irq;
    r->irq = irq;
    cs_foreign_expect(&r->bench, CS_COREPMU_PIN_IRQ, now, irq);
    drive_core(r, now);
    set(r, CS_COREPMU_PIN_REG_EN, 1, 0);
    set(r, CS_COREPMU_PIN_SYS_EN, 1, 0);
    if (now >= r->next && (ending || below(r, 3) == 0)) {
        const frame_access a = any_access(r, ending, tour);

        if (!cs_foreign_left_out(r->bench.design, a.offset) &&
            !(a.wide && cs_foreign_left_out(r->bench.design, a.offset + 4))) {
            set(r, CS_COREPMU_PIN_REG_EN, 1, 1);
            by_frame(r, now, &a);
            r->next = now + r->bench.design->pace_cycles;
        }
    }
    by_core(r, now);
    cs_foreign_clock(&r->bench, 0);
    for (unsigned n = 0; n < r->config.counters; n++) {
        const uint32_t event =
            (uint32_t)cs_foreign_look(&r->bench, CS_COREPMU_PIN_EVENT, 16 * n, 16);

        cs_foreign_drive(&r->bench, CS_COREPMU_PIN_INC, 8 * n, 8,
                         cs_foreign_core_increment(r->core, event, now));
    }
    cs_foreign_clock(&r->bench, 0);
    good = compare(r, now);
    cs_foreign_clock(&r->bench, 1);
    r->bench.report->cycles++;
    return good;
}

/* ---- programs ---- */

static cs_status prepare(run *r, cycle_t cycles, cs_diag *diag)
{
    static const uint8_t modes[] = {1, 0, 0, 0, 1, 2, 3};
    const unsigned bits = r->bench.design->field[CS_COREPMU_PIN_INC];
    const cs_foreign_core_plan plan = {
        .cycles = cycles,
        .events = events,
        .nr_events = NR(events),
        .modes = has(r, CS_COREPMU_PIN_MODE) ? modes : &modes[1],
        .nr_modes = has(r, CS_COREPMU_PIN_MODE) ? NR(modes) : 1,
        .most = bits != 0 && bits < 8 ? (1u << bits) - 1
                                      : (unsigned)r->bench.design->setting[CS_COREPMU_SET_MOST]};
    cs_status status = cs_foreign_core_create(&plan, &r->bench.random, &r->core, diag);
    cs_corepmu_env env;

    if (status != CS_OK)
        return status;
    env = (cs_corepmu_env){.events = cs_foreign_core_source(r->core)};
    return cs_corepmu_create(&r->config, &env, &r->pmu, diag);
}

static cs_status program(run *r, uint64_t seed, const cs_foreign_options *options, bool *good,
                         cs_diag *diag)
{
    const cycle_t all =
        options->cycles + 0x400 * r->bench.design->pace_cycles + CS_FOREIGN_MAX_LATE;
    unsigned tour = 0;
    cs_status status;

    cs_foreign_bench_begin(&r->bench, seed);
    draw_config(r);
    status = prepare(r, all, diag);
    if (status == CS_OK) {
        cs_foreign_bench_restart(&r->bench, strap, r);
        r->irq = false;
        r->system = false;
        r->next = 0;
        for (cycle_t now = 0; *good && now < all; now++)
            *good = cycle(r, now, now >= options->cycles, &tour);
        r->bench.report->programs++;
    }
    cs_corepmu_destroy(r->pmu);
    cs_foreign_core_destroy(r->core);
    r->pmu = NULL;
    r->core = NULL;
    return status;
}

static void name(unsigned offset, char *out, size_t size)
{
    snprintf(out, size, "0x%03x", offset);
}

cs_status cs_corepmu_programs(const cs_foreign_design *design, cs_foreign_dut *dut,
                              const cs_foreign_options *options, cs_foreign_report *report,
                              cs_diag *diag)
{
    run r = {
        .bench = {.unit = &cs_foreign_corepmu, .design = design, .dut = dut, .report = report}};
    cs_status status = cs_foreign_tally_create(&r.bench.tally, diag);
    bool good = true;

    for (unsigned i = 0; i < options->programs && status == CS_OK && good; i++)
        status = program(&r, options->seed + i, options, &good, diag);
    if (status == CS_OK)
        status = cs_foreign_tally_tell(r.bench.tally, name, report, diag);
    cs_foreign_tally_destroy(r.bench.tally);
    return status;
}
