// SPDX-License-Identifier: Apache-2.0
/* Random accesses of an uncore block, over a unit whose events have tags: docs/hw/uncore.md. */
#include <stdlib.h>

#include "foreign/core.h"
#include "foreign/uncore/uncore_pins.h"
#include <countersink/models/uncore/uncore.h>

#define NR(list) ((unsigned)(sizeof(list) / sizeof(list)[0]))
#define CTL 0x008u
#define OVF 0x010u
#define IE 0x018u
#define SELECT 0x100u
#define COUNT 0x200u
#define MATCH 0x300u
#define MASK 0x400u
#define END_OF_REGISTERS 0x500u
#define ON (UINT64_C(1) << 16)
#define NO_SETUP (2 * CS_UNCORE_MAX_COUNTERS + 2)

static const uint32_t events[] = {0, 1, 2, 3, 5, 0x20, 0x1234, 0xffff}; /* the clock first */

/* One of these is an event's tag, for some cycles; the clock has the first. */
static const uint64_t tags[] = {0, 1, 0xa500000000000001, UINT64_MAX};

typedef struct run {
    cs_foreign_bench bench;
    cs_uncore_config config;
    cs_foreign_core *core;
    cs_uncore *uncore;
    uint32_t *sums; /* [event][tag][cycle], of the cycles before */
    cs_cycle cycles;
    uint64_t key; /* of the tags */
    bool irq;
    unsigned step, freezes; /* one write of CTL in so many sets FREEZE */
} run;

static uint64_t below(run *r, uint64_t n)
{
    return cs_foreign_draw(&r->bench, n);
}

static uint64_t bits(run *r)
{
    return cs_foreign_bits(&r->bench.random);
}

static cs_bus_resp read_register(void *uncore, cs_cycle cycle, uint32_t offset, bool wide,
                                 uint64_t *data)
{
    return cs_uncore_read(uncore, cycle, offset, wide, data);
}

static cs_bus_resp write_register(void *uncore, cs_cycle cycle, uint32_t offset, bool wide,
                                  uint64_t data)
{
    return cs_uncore_write(uncore, cycle, offset, wide, data);
}

static const cs_foreign_registers registers = {CS_UNCORE_PIN_REG_EN, read_register, write_register,
                                               "read", "write"};

/* ---- tags ---- */

static unsigned tag_of(const run *r, unsigned event, cs_cycle cycle)
{
    return event == 0 ? 0 : (unsigned)(cs_hash_mix(r->key + cycle / 8 * NR(events) + event) % 4);
}

static uint32_t *sums_of(const run *r, unsigned event, unsigned tag)
{
    return r->sums + (event * NR(tags) + tag) * (r->cycles + 1);
}

static void sum_up(run *r)
{
    for (unsigned e = 0; e < NR(events); e++)
        for (unsigned tag = 0; tag < NR(tags); tag++) {
            uint32_t *sums = sums_of(r, e, tag);

            for (cs_cycle t = 0; t < r->cycles; t++)
                sums[t + 1] = sums[t] + (tag_of(r, e, t) == tag
                                             ? cs_foreign_core_increment(r->core, events[e], t)
                                             : 0u);
        }
}

static uint64_t sum(void *ctx, uint32_t event, uint64_t match, uint64_t mask, cs_cycle from,
                    cs_cycle to)
{
    const run *r = ctx;
    uint64_t total = 0;

    if (to > r->cycles)
        to = r->cycles;
    for (unsigned e = 0; e < NR(events) && from < to; e++)
        for (unsigned tag = 0; events[e] == event && tag < NR(tags); tag++)
            if (((tags[tag] ^ match) & mask) == 0)
                total += sums_of(r, e, tag)[to] - sums_of(r, e, tag)[from];
    return total;
}

/* ---- what is accessed ---- */

static uint32_t any_offset(run *r)
{
    const uint32_t mine = 8 * (uint32_t)below(r, r->config.counters);
    const uint32_t any = 8 * (uint32_t)below(r, 18); /* there or not, or just behind */

    if (r->config.extended && below(r, 3) == 0)
        return (below(r, 2) != 0 ? MATCH : MASK) + 8 * (uint32_t)below(r, r->config.counters + 1);
    switch (below(r, 18)) {
    case 0:
        return 0;
    case 1:
    case 2:
    case 3:
        return CTL;
    case 4:
    case 5:
        return OVF;
    case 6:
    case 7:
        return IE;
    case 8:
    case 9:
        return SELECT + mine;
    case 10:
        return SELECT + any;
    case 11:
        return COUNT + any;
    case 12: /* one bit away from a register */
        return (8 * (uint32_t)below(r, 4) | 0x100 * (uint32_t)below(r, 3)) ^ 8u << below(r, 13);
    case 13:
        return bits(r) & 0xfff8;
    default:
        return COUNT + mine;
    }
}

static uint64_t near_the_wrap(run *r)
{
    return cs_foreign_full(&r->bench.random, r->config.width) -
           below(r, below(r, 2) != 0 ? 16 : 200);
}

static uint64_t any_tag(run *r)
{
    static const uint64_t masks[] = {0, 1, UINT64_MAX << 56};

    return below(r, 2) != 0   ? tags[below(r, NR(tags))]
           : below(r, 4) != 0 ? masks[below(r, NR(masks))]
                              : bits(r);
}

static uint64_t any_event(run *r)
{
    const uint64_t mask = (UINT64_C(1) << r->bench.design->setting[CS_UNCORE_SET_EVENT_BITS]) - 1;

    return (events[below(r, NR(events))] & mask) | (bits(r) & ~(ON | 0xffff));
}

static uint64_t any_value(run *r, uint32_t offset)
{
    if (offset == CTL)
        return (bits(r) & ~UINT64_C(0x103)) | (below(r, 4) != 0) |
               (uint64_t)(below(r, r->freezes) == 0) << 1 | (uint64_t)(below(r, 6) == 0) << 8;
    if (offset >= SELECT && offset < COUNT)
        return any_event(r) | (below(r, 5) != 0 ? ON : 0);
    if (offset >= COUNT && offset < MATCH)
        return below(r, 4) == 0 ? below(r, 1000) : near_the_wrap(r);
    if (offset >= MATCH && offset < END_OF_REGISTERS)
        return any_tag(r);
    return below(r, 4) == 0 ? UINT64_MAX : below(r, 4) == 0 ? 0 : bits(r);
}

/* What begins most programs: all counters near their end. */
static cs_foreign_access setup(run *r)
{
    const unsigned step = r->step++, n = step / 2;
    cs_foreign_access a = {.write = true};

    if (n < r->config.counters)
        a.offset = (step % 2 != 0 ? SELECT : COUNT) + 8 * n;
    else
        a.offset = step % 2 != 0 ? CTL : IE;
    a.value = any_value(r, a.offset) | (a.offset == CTL);
    return a;
}

static cs_foreign_access any_access(run *r)
{
    cs_foreign_access a = {0};
    const bool wide = cs_foreign_may_be_wide(&r->bench, &registers);

    if (r->bench.ending)
        return cs_foreign_toured(&r->bench, END_OF_REGISTERS);
    if (r->step < 2 * r->config.counters + 2) {
        a = setup(r);
        a.wide = wide;
        return a;
    }
    a.write = below(r, 3) != 0;
    a.offset = any_offset(r);
    a.value = any_value(r, a.offset);
    a.wide = wide && below(r, 2) != 0;
    if (!a.wide && below(r, 3) == 0) {
        a.offset += 4;
        a.value = below(r, 2) != 0 ? a.value >> 32 : bits(r);
    }
    /* A design that tells no error is not asked for one. */
    if (cs_foreign_has(&r->bench, CS_UNCORE_PIN_REG_ERR) && below(r, 12) == 0)
        a.offset = (a.offset & ~7u) + (uint32_t)below(r, 8);
    return a;
}

/* ---- a cycle ---- */

static void drive(cs_foreign_bench *bench)
{
    run *r = (run *)bench;

    cs_uncore_advance(r->uncore, bench->now);
    const bool irq = cs_uncore_irq(r->uncore);
    cs_foreign_expect(bench, CS_UNCORE_PIN_IRQ, irq);
    bench->report->edges += irq != r->irq;
    r->irq = irq;
    cs_foreign_no_access(bench, &registers);
    if (bench->now >= bench->next && (bench->ending || below(r, 2) == 0)) {
        const cs_foreign_access a = any_access(r);

        cs_foreign_access_register(bench, &registers, r->uncore, &a, NULL);
    }
}

/* The unit answers event_o in the same cycle; where nothing counts, with anything. */
static void answer(cs_foreign_bench *bench)
{
    run *r = (run *)bench;

    for (unsigned n = 0; n < CS_UNCORE_MAX_COUNTERS; n++) {
        const bool counts = !cs_foreign_has(bench, CS_UNCORE_PIN_COUNTING) ||
                            cs_foreign_look(bench, CS_UNCORE_PIN_COUNTING, n, 1) != 0;
        const uint32_t event = (uint32_t)cs_foreign_look(bench, CS_UNCORE_PIN_EVENT, 16 * n, 16);
        uint64_t inc = bits(r);

        if (counts && r->config.extended)
            inc = sum(r, event, cs_foreign_look(bench, CS_UNCORE_PIN_MATCH, 64 * n, 64),
                      cs_foreign_look(bench, CS_UNCORE_PIN_MASK, 64 * n, 64), bench->now,
                      bench->now + 1);
        else if (counts)
            inc = cs_foreign_core_increment(r->core, event, bench->now);
        cs_foreign_drive(bench, CS_UNCORE_PIN_INC, 4 * n, 4, inc);
    }
}

/* ---- programs ---- */

/* Counters that have a field of both. */
static unsigned wired(const cs_foreign_design *d)
{
    unsigned n = 0;

    while (n < CS_UNCORE_MAX_COUNTERS && cs_foreign_has_field(d, CS_UNCORE_PIN_INC, n) &&
           cs_foreign_has_field(d, CS_UNCORE_PIN_EVENT, n))
        n++;
    return n;
}

static bool has_tags(const cs_foreign_design *d)
{
    return d->linked[CS_UNCORE_PIN_MATCH] && d->linked[CS_UNCORE_PIN_MASK];
}

/* Narrow counters wrap by themselves; the others have all widths, and often the largest. */
static void draw_config(run *r)
{
    cs_foreign_bench *b = &r->bench;
    const uint64_t *set = b->setting;

    cs_foreign_draw_setting(b, CS_UNCORE_SET_COUNTERS, 1, wired(b->design));
    const uint64_t which = below(r, 6);
    if (which < 2)
        cs_foreign_draw_setting(b, CS_UNCORE_SET_WIDTH, 8, 11);
    else if (which == 2)
        cs_foreign_draw_setting(b, CS_UNCORE_SET_WIDTH, 64, 64);
    if (!has_tags(b->design))
        b->setting[CS_UNCORE_SET_EXTENDED] = 0;
    r->config = (cs_uncore_config){.counters = (unsigned)set[CS_UNCORE_SET_COUNTERS],
                                   .width = (unsigned)set[CS_UNCORE_SET_WIDTH],
                                   .id = (uint16_t)set[CS_UNCORE_SET_ID],
                                   .extended = set[CS_UNCORE_SET_EXTENDED] != 0};
}

static cs_status begin(cs_foreign_bench *bench, cs_cycle cycles, cs_cycle ending, cs_diag *diag)
{
    static const uint8_t modes[] = {0};
    run *r = (run *)bench;
    cs_foreign_core_plan plan = {
        .cycles = cycles, .nr_events = NR(events), .modes = modes, .nr_modes = 1};
    cs_status status;

    (void)ending;
    draw_config(r);
    for (unsigned i = 0; i < NR(events); i++)
        plan.events[i] =
            cs_foreign_core_event_of(bench, events[i], CS_UNCORE_PIN_INC,
                                     (unsigned)bench->design->setting[CS_UNCORE_SET_MOST]);
    plan.events[0] = (cs_foreign_core_event){.event = events[0], .most = 1, .always = true};
    status = cs_foreign_core_create(&plan, &bench->random, &r->core, diag);
    if (status != CS_OK)
        return status;
    r->cycles = cycles;
    r->key = bits(r);
    r->irq = false;
    r->step = below(r, 3) == 0 ? NO_SETUP : 0; /* the state of the reset is looked at, too */
    r->freezes = 1u << below(r, 6);
    r->sums = calloc(NR(events) * NR(tags) * (cycles + 1), sizeof *r->sums);
    if (r->sums == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for a program");
    sum_up(r);
    const cs_uncore_env env = {.events = cs_foreign_core_source(r->core), .tagged = {sum, r}};
    return cs_uncore_create(&r->config, &env, &r->uncore, diag);
}

static void reset(cs_foreign_bench *bench)
{
    run *r = (run *)bench;

    cs_uncore_reset(r->uncore, bench->now);
    r->irq = false;
    r->step = 0;
}

static void end(cs_foreign_bench *bench)
{
    run *r = (run *)bench;

    cs_uncore_destroy(r->uncore);
    cs_foreign_core_destroy(r->core);
    free(r->sums);
    r->uncore = NULL;
    r->core = NULL;
    r->sums = NULL;
}

static unsigned ending_of(const cs_foreign_bench *bench)
{
    (void)bench;
    return END_OF_REGISTERS / 4;
}

/* ---- the unit ---- */

static cs_status check(const cs_foreign_design *d, cs_diag *diag)
{
    const bool drawn = d->linked[CS_UNCORE_PIN_COUNTERS] && !d->set[CS_UNCORE_SET_COUNTERS];
    const unsigned counters = (unsigned)d->setting[CS_UNCORE_SET_COUNTERS];

    if (d->set[CS_UNCORE_SET_EXTENDED] && d->setting[CS_UNCORE_SET_EXTENDED] != 0 && !has_tags(d))
        return cs_diag_set(diag, CS_ERR_RANGE, NULL,
                           "extended is 1, and match_o or mask_o has no port");
    if (wired(d) < (drawn ? 1 : counters))
        return cs_diag_set(diag, CS_ERR_RANGE, NULL,
                           "counters is %u, and event_o and inc_i have fields for the first %u: "
                           "'settings: {counters: %u}', or more fields",
                           counters, wired(d), wired(d));
    return CS_OK;
}

static const cs_foreign_pin pins[] = {CS_UNCORE_PINS(CS_FOREIGN_ROW){NULL}};
static const cs_foreign_setting settings[] = {CS_UNCORE_SETTINGS(CS_FOREIGN_ROW){NULL}};

const cs_foreign_unit cs_foreign_uncore = {
    .name = "uncore",
    .page = "docs/hw/uncore.md",
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
