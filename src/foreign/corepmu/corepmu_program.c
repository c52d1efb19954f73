// SPDX-License-Identifier: Apache-2.0
/* Random accesses of the frame and of the core, over a random core: docs/hw/corepmu.md. */
#include "foreign/core.h"
#include "foreign/corepmu/corepmu_pins.h"
#include "foreign/ports/registers.h"
#include <countersink/models/corepmu/corepmu.h>

#define NR(list) ((unsigned)(sizeof(list) / sizeof(list)[0]))
#define CYCLE_COUNTER CS_COREPMU_CYCLE_COUNTER
#define FRAME_BYTES 0x1000u
#define AHEAD 400 /* cycles in which the interrupt line is foreseen */

static const uint32_t events[] = {
    0, 8, 0x10, 0x11, 0x14, 0x1b, 0x20, 0xffff, CS_COREPMU_EVENT_CLOCK};

typedef struct run {
    cs_foreign_bench bench;
    cs_corepmu_config config;
    cs_foreign_core *core;
    cs_corepmu *pmu;
    cs_cycle rises; /* the line, if nobody accesses the unit before `until` */
    cs_cycle until;
    bool irq;
    bool system; /* an access of the core waits */
    cs_corepmu_access waiting;
} run;

static uint64_t below(run *r, uint64_t n)
{
    return cs_foreign_draw(&r->bench, n);
}

static bool has(const run *r, unsigned pin)
{
    return cs_foreign_has(&r->bench, pin);
}

static uint64_t give(run *r, unsigned pin, uint64_t value)
{
    return cs_foreign_give(&r->bench, pin, value);
}

static cs_bus_resp read_frame(void *pmu, cs_cycle cycle, uint32_t offset, bool wide, uint64_t *data)
{
    return cs_corepmu_read(pmu, cycle, offset, wide, data);
}

static cs_bus_resp write_frame(void *pmu, cs_cycle cycle, uint32_t offset, bool wide, uint64_t data)
{
    return cs_corepmu_write(pmu, cycle, offset, wide, data);
}

static const cs_foreign_registers frame = {CS_COREPMU_PIN_REG_EN, read_frame, write_frame,
                                           "frame read", "frame write"};

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
        return 4 * (uint32_t)below(r, FRAME_BYTES / 4);
    }
}

static uint64_t any_value(run *r, uint32_t offset)
{
    const uint64_t event_mask =
        (UINT64_C(1) << r->bench.design->setting[CS_COREPMU_SET_EVENT_BITS]) - 1;

    if (offset < 0x100)
        return below(r, 4) != 0
                   ? cs_foreign_full(&r->bench.random, below(r, 2) != 0 ? 64 : 32) - below(r, 300)
                   : cs_foreign_bits(&r->bench.random);
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
static cs_foreign_access any_access(run *r)
{
    cs_foreign_access a = {0};

    if (r->bench.ending)
        return cs_foreign_toured(&r->bench, FRAME_BYTES);
    a.wide = cs_foreign_may_be_wide(&r->bench, &frame) && below(r, r->config.ext64 ? 2 : 12) == 0;
    a.offset = any_offset(r, r->config.ext64) & (a.wide ? ~7u : ~0u);
    a.write = below(r, 2) != 0;
    a.value = any_value(r, a.offset);
    return a;
}

/* ---- a cycle ---- */

/* Foreseen as far as a platform would: the unit must keep to it. */
static bool line(run *r)
{
    const cs_cycle now = r->bench.now;

    if (now >= r->until) {
        r->until = now + AHEAD;
        r->rises = cs_corepmu_irq(r->pmu, now, r->until);
    }
    return r->rises <= now;
}

/* The line of a cycle is the one before the frame's access in it, and stays so when it is asked for
 * behind it. */
static void by_frame(run *r)
{
    const cs_foreign_access a = any_access(r);
    const cs_cycle now = r->bench.now;

    cs_foreign_access_register(&r->bench, &frame, r->pmu, &a, r->config.ext64 ? "ext64" : "ext32");
    cs_foreign_expect(&r->bench, CS_COREPMU_PIN_IRQ, cs_corepmu_irq(r->pmu, now, now + 1) == now);
    r->until = now;
}

/* Held until it is done. */
static void by_core(run *r)
{
    cs_corepmu_access *a = &r->waiting;
    uint64_t data = 0;

    cs_foreign_drive(&r->bench, CS_COREPMU_PIN_SYS_EN, 0, 1, 0);
    if (!r->system) {
        if (!has(r, CS_COREPMU_PIN_SYS_EN) || r->config.offline || below(r, 4) != 0)
            return;
        a->offset = (uint16_t)(any_offset(r, true) & 0xff8);
        a->write = cs_foreign_given(&r->bench, CS_COREPMU_PIN_SYS_WRITE, below(r, 2));
        a->guest = cs_foreign_given(&r->bench, CS_COREPMU_PIN_SYS_GUEST, below(r, 3) == 0);
        a->value = cs_foreign_given(&r->bench, CS_COREPMU_PIN_SYS_WDATA, any_value(r, a->offset));
        if (cs_foreign_left_out(r->bench.design, a->offset))
            return;
    }
    give(r, CS_COREPMU_PIN_SYS_EN, 1);
    give(r, CS_COREPMU_PIN_SYS_WRITE, a->write);
    give(r, CS_COREPMU_PIN_SYS_GUEST, a->guest);
    give(r, CS_COREPMU_PIN_SYS_ADDR, a->offset);
    give(r, CS_COREPMU_PIN_SYS_WDATA, a->value);
    r->system = !cs_corepmu_system(r->pmu, r->bench.now, a, &data);
    cs_foreign_expect(&r->bench, CS_COREPMU_PIN_SYS_READY, !r->system);
    if (r->system)
        return;
    r->until = r->bench.now;
    cs_foreign_deed *deed = cs_foreign_accessed(&r->bench, a->write ? "core write" : "core read",
                                                a->offset, a->write, false);
    deed->variant = "ext64";
    deed->behind = a->guest ? "in a guest" : NULL;
    deed->has_value = a->write;
    deed->value = a->value;
    if (!a->write)
        cs_foreign_expect_answer(&r->bench, CS_COREPMU_PIN_SYS_RDATA, data);
}

static void drive_core(run *r)
{
    cs_context who;

    cs_foreign_core_context(r->core, r->bench.now, &who);
    give(r, CS_COREPMU_PIN_MODE, who.mode);
    give(r, CS_COREPMU_PIN_PC, who.pc);
    give(r, CS_COREPMU_PIN_CID1, who.cid1);
    give(r, CS_COREPMU_PIN_CID2, who.cid2);
    give(r, CS_COREPMU_PIN_CYCLE_INC,
         cs_foreign_core_increment(r->core, CS_COREPMU_EVENT_CLOCK, r->bench.now));
}

/* Power and lock change now and then; the core's own access has none of it on its way. */
static void drive_power(run *r)
{
    static const char *const names[] = {"offline_i", "locked_i"};
    bool *pins[] = {&r->config.offline, &r->config.locked};

    for (unsigned i = 0; i < 2; i++) {
        if (!has(r, CS_COREPMU_PIN_OFFLINE + i) || r->system || below(r, *pins[i] ? 40 : 700) != 0)
            continue;
        *pins[i] = !*pins[i];
        cs_corepmu_set_power(r->pmu, r->bench.now, r->config.offline, r->config.locked);
        r->until = r->bench.now;
        give(r, CS_COREPMU_PIN_OFFLINE + i, *pins[i]);
        cs_foreign_deed *deed = cs_foreign_did_this(&r->bench, names[i]);
        deed->has_value = true;
        deed->value = *pins[i];
    }
}

static void drive(cs_foreign_bench *bench)
{
    run *r = (run *)bench;

    drive_power(r);
    const bool irq = line(r);
    bench->report->edges += irq != r->irq;
    r->irq = irq;
    cs_foreign_expect(bench, CS_COREPMU_PIN_IRQ, irq);
    drive_core(r);
    cs_foreign_no_access(bench, &frame);
    if (bench->now >= bench->next && (bench->ending || below(r, 3) == 0))
        by_frame(r);
    by_core(r);
}

static void answer(cs_foreign_bench *bench)
{
    const run *r = (run *)bench;

    for (unsigned n = 0; n < r->config.counters; n++) {
        const uint32_t event = (uint32_t)cs_foreign_look(bench, CS_COREPMU_PIN_EVENT, 16 * n, 16);

        cs_foreign_drive(bench, CS_COREPMU_PIN_INC, 8 * n, 8,
                         cs_foreign_core_increment(r->core, event, bench->now));
    }
}

/* ---- programs ---- */

/* Counters that have a field of both. */
static unsigned wired(const cs_foreign_design *d)
{
    unsigned n = 0;

    while (n < CS_COREPMU_MAX_COUNTERS && cs_foreign_has_field(d, CS_COREPMU_PIN_INC, n) &&
           cs_foreign_has_field(d, CS_COREPMU_PIN_EVENT, n))
        n++;
    return n;
}

static void draw_config(run *r)
{
    cs_foreign_bench *b = &r->bench;
    const uint64_t *set = b->setting;

    cs_foreign_draw_setting(b, CS_COREPMU_SET_COUNTERS, 1, wired(b->design));
    cs_foreign_draw_setting(b, CS_COREPMU_SET_HPMN, 0, set[CS_COREPMU_SET_COUNTERS]);
    r->config = (cs_corepmu_config){.counters = (unsigned)set[CS_COREPMU_SET_COUNTERS],
                                    .ext64 = set[CS_COREPMU_SET_EXT64] != 0,
                                    .hpmn = (unsigned)set[CS_COREPMU_SET_HPMN],
                                    .hpme = set[CS_COREPMU_SET_HPME] != 0,
                                    .hpmd = set[CS_COREPMU_SET_HPMD] != 0,
                                    .spme = set[CS_COREPMU_SET_SPME] != 0};
}

static cs_status begin(cs_foreign_bench *bench, cs_cycle cycles, cs_cycle ending, cs_diag *diag)
{
    static const uint8_t modes[] = {1, 0, 0, 0, 1, 2, 3};
    run *r = (run *)bench;
    const bool moves = has(r, CS_COREPMU_PIN_MODE);
    cs_foreign_core_plan plan = {
        .cycles = cycles,
        .nr_events = NR(events),
        .modes = moves ? modes : &modes[1],
        .nr_modes = moves ? NR(modes) : 1,
        .pc = cs_foreign_given(bench, CS_COREPMU_PIN_PC, UINT64_MAX),
        .cid1 = (uint32_t)cs_foreign_given(bench, CS_COREPMU_PIN_CID1, UINT64_MAX),
        .cid2 = (uint32_t)cs_foreign_given(bench, CS_COREPMU_PIN_CID2, UINT64_MAX)};
    cs_status status;

    (void)ending;
    draw_config(r);
    for (unsigned i = 0; i < NR(events); i++)
        plan.events[i] = cs_foreign_core_event_of(
            bench, events[i],
            events[i] == CS_COREPMU_EVENT_CLOCK ? CS_COREPMU_PIN_CYCLE_INC : CS_COREPMU_PIN_INC,
            (unsigned)bench->design->setting[CS_COREPMU_SET_MOST]);
    status = cs_foreign_core_create(&plan, &bench->random, &r->core, diag);
    if (status != CS_OK)
        return status;
    const cs_corepmu_env env = {.events = cs_foreign_core_source(r->core)};
    r->irq = r->system = false;
    r->until = 0;
    return cs_corepmu_create(&r->config, &env, &r->pmu, diag);
}

static void reset(cs_foreign_bench *bench)
{
    run *r = (run *)bench;

    cs_corepmu_reset(r->pmu, bench->now);
    r->irq = r->system = false;
    r->until = bench->now;
}

static void end(cs_foreign_bench *bench)
{
    run *r = (run *)bench;

    cs_corepmu_destroy(r->pmu);
    cs_foreign_core_destroy(r->core);
    r->pmu = NULL;
    r->core = NULL;
}

static unsigned ending_of(const cs_foreign_bench *bench)
{
    (void)bench;
    return FRAME_BYTES / 4;
}

/* ---- the unit ---- */

static cs_status check(const cs_foreign_design *d, cs_diag *diag)
{
    const bool *has_pin = d->linked;
    const bool drawn = has_pin[CS_COREPMU_PIN_NR_COUNTER] && !d->set[CS_COREPMU_SET_COUNTERS];
    const unsigned counters = (unsigned)d->setting[CS_COREPMU_SET_COUNTERS];

    if (has_pin[CS_COREPMU_PIN_SYS_EN] != has_pin[CS_COREPMU_PIN_SYS_ADDR])
        return cs_diag_set(diag, CS_ERR_RANGE, NULL,
                           "sys_en_i and sys_addr_i: the MAP names the one without the other");
    if (!d->set[CS_COREPMU_SET_COUNTERS] && !has_pin[CS_COREPMU_PIN_NR_COUNTER])
        return cs_diag_set(diag, CS_ERR_RANGE, NULL,
                           "counters: the MAP must say how many there are");
    if (wired(d) < (drawn ? 1 : counters))
        return cs_diag_set(diag, CS_ERR_RANGE, NULL,
                           "counters is %u, and event_o and inc_i have fields for the first %u: "
                           "'settings: {counters: %u}', or more fields",
                           counters, wired(d), wired(d));
    return CS_OK;
}

static const cs_foreign_pin pins[] = {CS_COREPMU_PINS(CS_FOREIGN_ROW){NULL}};
static const cs_foreign_setting settings[] = {CS_COREPMU_SETTINGS(CS_FOREIGN_ROW){NULL}};

const cs_foreign_unit cs_foreign_corepmu = {
    .name = "corepmu",
    .page = "docs/hw/corepmu.md",
    .pins = pins,
    .settings = settings,
    .address_bits = 16,
    .check = check,
    .bytes = sizeof(run),
    .ending = ending_of,
    .begin = begin,
    .drive = drive,
    .answer = answer,
    .reset = reset,
    .end = end,
};
