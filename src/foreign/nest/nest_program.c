// SPDX-License-Identifier: Apache-2.0
/* A posting engine over counters that count by chance, and a host that changes its control block at
 * any time: docs/hw/nest.md. Both engines. */
#include "foreign/bench.h"

#include "nest_rows.h"
#include <countersink/models/nest/nest.h>

#include "foreign/nest/nest_pins.h"

#define NR(list) ((unsigned)(sizeof(list) / sizeof(list)[0]))
#define PERIOD 61u /* of increments: of no tick, nor of a burst */
#define PAGE 4096u
#define BLOCK 0x3fc00u
#define POWER9_UNITS UINT64_C(0xffff8073f007e000)

enum { STATUS, COMMAND, SPEED, UNITS, MODE, MODE_STATE, BLOCK_WORDS };

typedef struct engine {
    const cs_nest_row *rows;
    unsigned nr_rows, nr_counters;
    bool power10;
} engine;

static const engine power9 = {cs_nest_rows, CS_NEST_ROWS, CS_NEST_COUNTERS_TOTAL, false};
static const engine power10 = {cs_nest_p10_rows, CS_NEST_P10_ROWS, CS_NEST_P10_COUNTERS_TOTAL,
                               true};

#define MOST_COUNTERS 336u
_Static_assert(CS_NEST_COUNTERS_TOTAL <= MOST_COUNTERS &&
                   CS_NEST_P10_COUNTERS_TOTAL <= MOST_COUNTERS,
               "room for all counters");

typedef struct run {
    cs_foreign_bench bench;
    cs_foreign_managers bus;
    const engine *engine;
    cs_nest_config config;
    cs_nest *nest;
    cs_probe_sink probe;
    cs_probe_record sample; /* the last one; kind 0: none yet */
    cs_cycle begun;         /* the cycle of the last reset */
    uint64_t block[BLOCK_WORDS];
    unsigned changes; /* the host writes before one look in so many */
    uint8_t increment[PERIOD][MOST_COUNTERS];
    uint32_t prefix[MOST_COUNTERS][PERIOD + 1];
} run;

static uint64_t below(run *r, uint64_t n)
{
    return cs_foreign_draw(&r->bench, n);
}

/* ---- counters ---- */

static void draw_increments(run *r)
{
    const cs_foreign_design *d = r->bench.design;
    const uint64_t fits = cs_foreign_largest(d, CS_NEST_PIN_INC, 4);
    const uint64_t most = fits < d->setting[CS_NEST_SET_MOST] ? fits : d->setting[CS_NEST_SET_MOST];

    for (unsigned n = 0; n < r->engine->nr_counters; n++) {
        const bool there = cs_foreign_has_field(d, CS_NEST_PIN_INC, n);
        const uint64_t kind = below(r, 6);

        for (unsigned t = 0; t < PERIOD; t++) {
            const uint64_t any = below(r, most + 1);

            r->increment[t][n] = (uint8_t)(!there || kind == 0 ? 0 : kind < 3 ? most : any);
            r->prefix[n][t + 1] = r->prefix[n][t] + r->increment[t][n];
        }
    }
}

static uint64_t sum_to(const run *r, unsigned n, cs_cycle cycle)
{
    return cycle / PERIOD * r->prefix[n][PERIOD] + r->prefix[n][cycle % PERIOD];
}

/* `event` is the counter's place in the window. */
static uint64_t sum(void *ctx, uint32_t event, uint32_t modes, cs_cycle from, cs_cycle to)
{
    const run *r = ctx;

    (void)modes;
    for (unsigned i = 0; i < r->engine->nr_rows; i++) {
        const cs_nest_row *row = &r->engine->rows[i];
        const uint32_t first = row->offset / 8u;

        if (row->kind == CS_NEST_COUNTERS && event >= first && event < first + row->count)
            return sum_to(r, row->first + (event - first), to) -
                   sum_to(r, row->first + (event - first), from);
    }
    return 0;
}

static void drive_increments(run *r)
{
    const uint8_t *now = r->increment[r->bench.now % PERIOD];

    const unsigned nr = r->engine->nr_counters;

    for (unsigned n = 0; n < nr; n += 16) {
        const unsigned many = nr - n < 16 ? nr - n : 16;
        uint64_t some = 0;

        for (unsigned i = 0; i < many; i++)
            some |= (uint64_t)now[n + i] << 4 * i;
        cs_foreign_drive(&r->bench, CS_NEST_PIN_INC, 4 * n, 4 * many, some);
    }
}

/* ---- the control block ---- */

static uint64_t any_units(run *r)
{
    const uint64_t any = cs_foreign_bits(&r->bench.random);

    switch (below(r, 4)) {
    case 0:
        return 0;
    case 1:
        return any;
    default:
        return r->engine->power10 ? any | cs_foreign_bits(&r->bench.random) : POWER9_UNITS;
    }
}

static uint64_t any_speed(run *r)
{
    const uint64_t which = below(r, 10);

    return which == 0   ? 12 + below(r, 2)
           : which == 1 ? cs_foreign_bits(&r->bench.random)
           : which == 2 ? 8 + below(r, 4)
                        : below(r, 3);
}

static void host_writes(run *r)
{
    switch (below(r, 8)) {
    case 0:
        r->block[SPEED] = any_speed(r);
        break;
    case 1:
        r->block[UNITS] = any_units(r);
        break;
    case 2:
        r->block[MODE] = below(r, 6) == 0 ? UINT64_C(1) << below(r, 64) : below(r, 2);
        break;
    case 3: /* what makes it go on, wherever it stands */
    case 4:
        r->block[COMMAND] = 1;
        r->block[MODE] = below(r, 2);
        r->block[SPEED] = below(r, 2);
        break;
    default:
        r->block[COMMAND] = below(r, 8) == 0 ? UINT64_C(1) << below(r, 64) : below(r, 5);
        break;
    }
}

/* What LOOK finds; a command is there once. Words are big-endian. */
static void memory(cs_foreign_bench *bench, const cs_bus_txn *txn, uint64_t words[])
{
    run *r = (run *)bench;
    const uint64_t first = (txn->addr - r->config.base - BLOCK) / 8;

    if (below(r, r->changes) == 0)
        host_writes(r);
    for (unsigned i = 0; i < txn->beats && first + i < BLOCK_WORDS; i++)
        words[i] = __builtin_bswap64(r->block[first + i]);
    r->block[COMMAND] = 0;
}

/* ---- a cycle ---- */

static void record(void *ctx, const cs_probe_record *seen)
{
    if (seen->kind == CS_PROBE_SAMPLE)
        ((run *)ctx)->sample = *seen;
}

static void done(cs_foreign_bench *bench, unsigned port, const cs_bus_txn *txn)
{
    (void)port;
    cs_nest_bus_done(((run *)bench)->nest, txn);
}

static void drive(cs_foreign_bench *bench)
{
    run *r = (run *)bench;

    cs_foreign_expect(bench, CS_NEST_PIN_STATUS, cs_nest_status(r->nest));
    drive_increments(r);
    cs_foreign_managers_drive(&r->bus);
}

static void settled(cs_foreign_bench *bench)
{
    run *r = (run *)bench;
    const cs_probe_record *sample = &r->sample;

    cs_foreign_managers_observe(&r->bus);
    cs_nest_advance(r->nest, bench->now + 1);
    const bool there = sample->kind != 0 && sample->cycle == bench->now;

    cs_foreign_expect(bench, CS_NEST_PIN_SAMPLE_VALID, there);
    if (!there)
        return;
    cs_foreign_expect(bench, CS_NEST_PIN_SAMPLE_GROUP, sample->index);
    cs_foreign_expect(bench, CS_NEST_PIN_SAMPLE_ADDR, sample->addr);
    cs_foreign_expect(bench, CS_NEST_PIN_SAMPLE_NUMBER, sample->value);
    cs_foreign_expect(bench, CS_NEST_PIN_SAMPLE_BYTES, sample->bytes);
    cs_foreign_expect(bench, CS_NEST_PIN_SAMPLE_RESP, sample->resp);
    cs_foreign_expect(bench, CS_NEST_PIN_SAMPLE_START, sample->request - r->begun);
}

/* ---- programs ---- */

/* Often the engine has always something to do. */
static void draw_config(run *r)
{
    cs_foreign_bench *b = &r->bench;
    const uint64_t *set = b->setting;

    cs_foreign_draw_setting(b, CS_NEST_SET_TICK, CS_NEST_MIN_TICK_CYCLES,
                            below(r, 2) != 0 ? 60 : 300);
    b->setting[CS_NEST_SET_BASE] &= ~(uint64_t)(PAGE - 1);
    r->config = (cs_nest_config){.base = set[CS_NEST_SET_BASE],
                                 .tick_cycles = (uint32_t)set[CS_NEST_SET_TICK],
                                 .power10 = r->engine->power10};
}

static cs_status begin_with(cs_foreign_bench *bench, const engine *with, cs_diag *diag)
{
    static const unsigned changes[] = {2, 4, 10, 30};
    run *r = (run *)bench;

    r->engine = with;
    r->bus.bench = bench;
    r->bus.first = CS_NEST_PIN_AWVALID;
    r->bus.ports = 1;
    r->bus.done = done;
    r->bus.memory = memory;
    draw_config(r);
    cs_foreign_managers_begin(&r->bus);
    draw_increments(r);
    r->probe = (cs_probe_sink){.record = record, .ctx = r, .no_hashes = true};
    r->sample = (cs_probe_record){0};
    r->begun = 0;
    r->changes = changes[below(r, NR(changes))];
    for (unsigned i = 0; i < BLOCK_WORDS; i++)
        r->block[i] = cs_foreign_bits(&bench->random);
    r->block[COMMAND] = 0;
    r->block[SPEED] = below(r, 2);
    r->block[UNITS] = any_units(r);
    r->block[MODE] = below(r, 4) == 0;
    const cs_nest_env env = {.bus = {cs_foreign_managers_submit, &r->bus},
                             .events = {.sum = sum, .ctx = r},
                             .probe = &r->probe};
    return cs_nest_create(&r->config, &env, &r->nest, diag);
}

static cs_status begin_power9(cs_foreign_bench *bench, cs_cycle cycles, cs_cycle ending,
                              cs_diag *diag)
{
    (void)cycles;
    (void)ending;
    return begin_with(bench, &power9, diag);
}

static cs_status begin_power10(cs_foreign_bench *bench, cs_cycle cycles, cs_cycle ending,
                               cs_diag *diag)
{
    (void)cycles;
    (void)ending;
    return begin_with(bench, &power10, diag);
}

static void reset(cs_foreign_bench *bench)
{
    run *r = (run *)bench;

    cs_nest_reset(r->nest, bench->now);
    cs_foreign_managers_reset(&r->bus);
    r->sample = (cs_probe_record){0};
    r->begun = bench->now;
}

static void end(cs_foreign_bench *bench)
{
    run *r = (run *)bench;

    cs_nest_destroy(r->nest);
    r->nest = NULL;
}

/* ---- the units ---- */

static cs_status check(const cs_foreign_design *d, cs_diag *diag)
{
    if (d->setting[CS_NEST_SET_BASE] % PAGE != 0)
        return cs_diag_set(diag, CS_ERR_RANGE, NULL, "base is a multiple of 4096");
    if (!d->set[CS_NEST_SET_TICK] && !d->linked[CS_NEST_PIN_TICK])
        return cs_diag_set(diag, CS_ERR_RANGE, NULL,
                           "tick_cycles: the MAP must say how many there are");
    return CS_OK;
}

static const cs_foreign_setting settings[] = {CS_NEST_SETTINGS(CS_FOREIGN_ROW){NULL}};

_Static_assert(CS_NEST_NR_PINS <= CS_FOREIGN_MAX_PINS, "room for all pins");

#define UNIT(unit, counters, begins)                                                               \
    static const cs_foreign_pin unit##_pins[] = {CS_NEST_PINS(CS_FOREIGN_ROW, counters){NULL}};    \
    const cs_foreign_unit cs_foreign_##unit = {                                                    \
        .name = #unit,                                                                             \
        .page = "docs/hw/nest.md",                                                                 \
        .pins = unit##_pins,                                                                       \
        .settings = settings,                                                                      \
        .cycles = 8000, /* some rounds of the ring */                                              \
        .check = check,                                                                            \
        .bytes = sizeof(run),                                                                      \
        .begin = begins,                                                                           \
        .drive = drive,                                                                            \
        .settled = settled,                                                                        \
        .reset = reset,                                                                            \
        .end = end,                                                                                \
    };

UNIT(nest, CS_NEST_COUNTERS_TOTAL, begin_power9)
UNIT(nest10, CS_NEST_P10_COUNTERS_TOTAL, begin_power10)
