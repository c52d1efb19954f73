// SPDX-License-Identifier: Apache-2.0
/* Random use of a core's IMC engine: windows, traces, losses of power: docs/hw/imc.md. */
#include <string.h>

#include "foreign/core.h"
#include "foreign/imc/imc_pins.h"
#include "foreign/imc/imc_values.h"
#include "models/imc/imc_scom.h"
#include <countersink/models/imc/imc_core.h>

#define NR(list) ((unsigned)(sizeof(list) / sizeof(list)[0]))
#define NR_REGS 16u
#define CPMCS 4u
#define CODES 4u /* streams of increments that the codes of a counter share */
#define POWER10 "power10"

/* What begins most programs, and each time that power has come back: then the threads' LDBARs. */
static const uint8_t setup[] = {CS_IMC_REG_PDBAR, CS_IMC_REG_EVENT_MASK, CS_IMC_REG_TRACE,
                                CS_IMC_REG_HTM_MODE};

typedef struct run {
    cs_foreign_bench bench;
    cs_foreign_managers bus;
    cs_imc_core_config config;
    cs_foreign_core *threads[CS_IMC_MAX_THREADS];
    cs_imc_core *core;
    cs_probe_sink probe;
    unsigned state;
    cs_cycle begun; /* the cycle of the last reset */
    bool power, calm;
    unsigned pace, cuts; /* an access, a loss of power in so many cycles; cuts 0: none */
    unsigned step;       /* of the setup */
} run;

static uint64_t below(run *r, uint64_t n)
{
    return cs_foreign_draw(&r->bench, n);
}

static bool has(const run *r, unsigned pin)
{
    return cs_foreign_has(&r->bench, pin);
}

/* ---- what threads do ---- */

/* Neighbours among codes, and codes that differ in one bit, have different streams. */
static uint32_t stream_of(uint32_t event)
{
    const uint32_t code = event % 128;

    if (event >= CS_IMC_EVENT_CPMC3)
        return 2 * CODES + (event - CS_IMC_EVENT_CPMC3);
    return event / 128 * CODES + (code ^ code >> 2 ^ code >> 4 ^ code >> 6) % CODES;
}

static uint64_t sum(void *thread, uint32_t event, uint32_t modes, cs_cycle from, cs_cycle to)
{
    const cs_event_source source = cs_foreign_core_source(thread);

    return source.sum(thread, stream_of(event), modes, from, to);
}

static cs_cycle reach(void *thread, uint32_t event, uint32_t modes, cs_cycle from, uint64_t n)
{
    const cs_event_source source = cs_foreign_core_source(thread);

    return source.reach(thread, stream_of(event), modes, from, n);
}

static void context(void *thread, cs_cycle cycle, cs_context *out)
{
    cs_foreign_core_context(thread, cycle, out);
}

static uint64_t largest(const run *r, unsigned pin)
{
    return has(r, pin) ? cs_foreign_largest(r->bench.design, pin, r->bench.unit->pins[pin].field)
                       : 0;
}

static cs_status create_threads(run *r, cs_cycle cycles, cs_diag *diag)
{
    static const uint8_t modes[] = {0, 1, 2, 3};
    const unsigned most = (unsigned)r->bench.design->setting[CS_IMC_SET_MOST];
    cs_foreign_core_plan plan = {.cycles = cycles,
                                 .nr_events = 2 * CODES + 2,
                                 .modes = modes,
                                 .nr_modes = has(r, CS_IMC_PIN_MODE) ? NR(modes) : 1,
                                 .pc = largest(r, CS_IMC_PIN_PC),
                                 .cid1 = (uint32_t)largest(r, CS_IMC_PIN_PID),
                                 .cid2 = (uint32_t)largest(r, CS_IMC_PIN_LPID)};
    cs_status status = CS_OK;

    for (unsigned i = 0; i < plan.nr_events; i++) {
        const unsigned pin = CS_IMC_PIN_INC1 + (i < 2 * CODES ? i / CODES : i - 2 * CODES + 2);

        plan.events[i] = cs_foreign_core_event_of(&r->bench, i, pin, most);
    }
    for (unsigned t = 0; t < r->config.threads && status == CS_OK; t++)
        status = cs_foreign_core_create(&plan, &r->bench.random, &r->threads[t], diag);
    return status;
}

/* ---- accesses ---- */

static const char *variant(const run *r)
{
    return r->config.power10 ? POWER10 : "power9";
}

static uint64_t place(uint64_t reg, const char *of)
{
    return reg >= CS_IMC_REG_LDBAR
               ? 0x2000 * (reg - CS_IMC_REG_LDBAR) + 8 * 850
               : cs_imc_scom_address(of != NULL && strcmp(of, POWER10) == 0, 0, (unsigned)reg);
}

/* A design that tells no error is not asked for one. */
static bool may_be(const run *r, unsigned reg, bool write, bool tells_error)
{
    const unsigned all = CS_IMC_REG_LDBAR + r->config.threads;

    if (cs_foreign_left_out(r->bench.design, reg))
        return false;
    return tells_error || (r->power && reg < all && reg != CS_IMC_REG_ERR_RPT + 1 &&
                           !(write && reg == CS_IMC_REG_STATUS));
}

/* At the register port, or at that of the threads: `first` is its WRITE, DATA follows, and behind it
 * what is read and the error. */
static void access(run *r, unsigned reg, bool write, unsigned write_pin, unsigned data_pin)
{
    cs_foreign_bench *b = &r->bench;
    const unsigned read_pin = data_pin + 1, error_pin = data_pin + 2;
    uint64_t value = 0;

    cs_foreign_drive(b, write_pin, 0, 1, write);
    if (write)
        value = cs_foreign_given(b, data_pin, cs_foreign_imc_value(&b->random, reg, r->calm));
    cs_foreign_drive(b, data_pin, 0, 64, value);
    const bool refused = (write ? cs_imc_core_write(r->core, b->now, reg, value)
                                : cs_imc_core_read(r->core, b->now, reg, &value)) != CS_BUS_OKAY;
    cs_foreign_deed *deed = cs_foreign_accessed(b, write ? "write" : "read", reg, write, refused);

    deed->variant = variant(r);
    deed->has_value = write;
    deed->value = value;
    if (!write && !refused)
        cs_foreign_expect_answer(b, read_pin, value);
    cs_foreign_expect_answer(b, error_pin, refused);
    b->next = b->now + b->design->pace_cycles;
}

static void access_register(run *r, unsigned reg, bool write)
{
    if (!may_be(r, reg, write, has(r, CS_IMC_PIN_REG_ERR)))
        return;
    cs_foreign_drive(&r->bench, CS_IMC_PIN_REG_EN, 0, 1, 1);
    cs_foreign_drive(&r->bench, CS_IMC_PIN_REG_SEL, 0, 4, reg);
    access(r, reg, write, CS_IMC_PIN_REG_WRITE, CS_IMC_PIN_REG_WDATA);
}

static void access_ldbar(run *r, unsigned thread, bool write)
{
    const unsigned reg = CS_IMC_REG_LDBAR + thread;

    if (!may_be(r, reg, write, has(r, CS_IMC_PIN_LDBAR_ERR)))
        return;
    cs_foreign_drive(&r->bench, CS_IMC_PIN_LDBAR_EN, thread, 1, 1);
    access(r, reg, write, CS_IMC_PIN_LDBAR_WRITE, CS_IMC_PIN_LDBAR_WDATA);
}

/* Where it has a port of their own, accesses of LDBAR come there. */
static void access_either(run *r, unsigned reg, bool write)
{
    if (reg >= CS_IMC_REG_LDBAR && has(r, CS_IMC_PIN_LDBAR_EN))
        access_ldbar(r, (reg - CS_IMC_REG_LDBAR) % CS_IMC_MAX_THREADS, write);
    else
        access_register(r, reg, write);
}

static bool thread_is_wired(const run *r, unsigned thread)
{
    return cs_foreign_has_field(r->bench.design, CS_IMC_PIN_LDBAR_EN, thread);
}

static void any_access(run *r)
{
    static const uint8_t often[] = {CS_IMC_REG_HTM_MODE, CS_IMC_REG_STATUS, CS_IMC_REG_STATUS,
                                    CS_IMC_REG_PDBAR,    CS_IMC_REG_TRACE,  CS_IMC_REG_EVENT_MASK,
                                    CS_IMC_REG_FIR,      CS_IMC_REG_ERR_RPT};
    const bool ldbar = below(r, 3) == 0;
    const bool apart = has(r, CS_IMC_PIN_LDBAR_EN); /* then both may come in a cycle */
    const unsigned thread =
        (unsigned)below(r, below(r, 8) == 0 ? CS_IMC_MAX_THREADS : r->config.threads);

    if (!ldbar || (apart && below(r, 4) == 0))
        access_register(
            r, below(r, 12) != 0 ? often[below(r, NR(often))] : (unsigned)below(r, apart ? 8 : 16),
            below(r, 2) == 0);
    if (ldbar && !apart)
        access_register(r, CS_IMC_REG_LDBAR + thread, below(r, 4) != 0);
    else if (ldbar && thread_is_wired(r, thread))
        access_ldbar(r, thread, below(r, 4) != 0);
}

static void drive_accesses(run *r)
{
    cs_foreign_bench *b = &r->bench;

    cs_foreign_drive(b, CS_IMC_PIN_REG_EN, 0, 1, 0);
    cs_foreign_drive(b, CS_IMC_PIN_LDBAR_EN, 0, CS_IMC_MAX_THREADS, 0);
    if (b->now < b->next)
        return;
    if (b->ending) {
        const unsigned reg = b->ended++ % (CS_IMC_REG_LDBAR + r->config.threads);

        access_either(r, reg, false);
    } else if (r->power && r->step < NR(setup) + r->config.threads) {
        const unsigned step = r->step++;

        access_either(r, step < NR(setup) ? setup[step] : CS_IMC_REG_LDBAR + (step - NR(setup)),
                      true);
    } else if (below(r, r->pace) == 0) {
        any_access(r);
    }
}

/* ---- a cycle ---- */

static void drive_power(run *r)
{
    const bool was = r->power;

    if (!has(r, CS_IMC_PIN_POWER) || r->cuts == 0)
        return;
    r->power = r->bench.ending || (was ? below(r, r->cuts) != 0 : below(r, 12) == 0);
    if (r->power == was)
        return;
    if (r->power && below(r, 4) != 0)
        r->step = 0;
    cs_imc_core_set_power(r->core, r->bench.now, r->power);
    cs_foreign_did_this(&r->bench, r->power ? "power on" : "power off");
}

static void drive_time(run *r)
{
    const cs_imc_timebase *tb = &r->config.timebase;
    const cs_cycle now = r->bench.now;
    const uint64_t at = cs_imc_timebase_at(tb, now);

    cs_foreign_drive(&r->bench, CS_IMC_PIN_TB, 0, 64, at);
    cs_foreign_drive(&r->bench, CS_IMC_PIN_TICK, 0, 1,
                     now != 0 && at != cs_imc_timebase_at(tb, now - 1));
}

static void drive(cs_foreign_bench *bench)
{
    run *r = (run *)bench;

    cs_foreign_expect(bench, CS_IMC_PIN_STATE, r->state);
    drive_power(r);
    cs_foreign_drive(bench, CS_IMC_PIN_POWER, 0, 1, r->power);
    drive_time(r);
    for (unsigned t = 0; t < r->config.threads; t++) {
        cs_context who;

        cs_foreign_core_context(r->threads[t], bench->now, &who);
        cs_foreign_drive(bench, CS_IMC_PIN_MODE, 2 * t, 2, who.mode);
    }
    drive_accesses(r);
    cs_foreign_managers_drive(&r->bus);
}

/* A counter that takes none is given anything, and so is a thread whose state nobody keeps. */
static void answer_thread(run *r, unsigned t)
{
    cs_foreign_bench *b = &r->bench;
    const bool counts =
        !has(r, CS_IMC_PIN_ACTIVE) || cs_foreign_look(b, CS_IMC_PIN_ACTIVE, t, 1) != 0;
    const bool captured =
        !has(r, CS_IMC_PIN_CAPTURE) || cs_foreign_look(b, CS_IMC_PIN_CAPTURE, t, 1) != 0;
    const uint32_t events[CPMCS] = {
        CS_IMC_EVENT_CPMC1((uint32_t)cs_foreign_look(b, CS_IMC_PIN_CODE1, 7 * t, 7)),
        CS_IMC_EVENT_CPMC2((uint32_t)cs_foreign_look(b, CS_IMC_PIN_CODE2, 7 * t, 7)),
        CS_IMC_EVENT_CPMC3, CS_IMC_EVENT_CPMC4};
    const uint64_t anything = cs_foreign_bits(&b->random);
    cs_context who = {.pc = anything, .cid1 = (uint32_t)anything, .cid2 = (uint32_t)~anything};

    for (unsigned n = 0; n < CPMCS; n++)
        cs_foreign_drive(
            b, CS_IMC_PIN_INC1 + n, 4 * t, 4,
            counts ? cs_foreign_core_increment(r->threads[t], stream_of(events[n]), b->now)
                   : anything >> 4 * n);
    if (captured)
        cs_foreign_core_context(r->threads[t], b->now, &who);
    cs_foreign_drive(b, CS_IMC_PIN_PC, 64 * t, 64, who.pc);
    cs_foreign_drive(b, CS_IMC_PIN_PID, 32 * t, 32, who.cid1);
    cs_foreign_drive(b, CS_IMC_PIN_LPID, 32 * t, 32, who.cid2);
}

static void answer(cs_foreign_bench *bench)
{
    run *r = (run *)bench;

    for (unsigned t = 0; t < r->config.threads; t++)
        answer_thread(r, t);
}

static void done(cs_foreign_bench *bench, unsigned port, const cs_bus_txn *txn)
{
    (void)port;
    cs_imc_core_bus_done(((run *)bench)->core, txn);
}

static void expect_written(cs_foreign_bench *b, const cs_probe_record *seen)
{
    cs_foreign_expect(b, CS_IMC_PIN_SAMPLE_VALID, 1);
    cs_foreign_expect(b, CS_IMC_PIN_SAMPLE_THREAD, seen->index);
    cs_foreign_expect(b, CS_IMC_PIN_SAMPLE_ADDR, seen->addr);
    cs_foreign_expect(b, CS_IMC_PIN_SAMPLE_RESP, seen->resp);
    cs_foreign_expect(b, CS_IMC_PIN_SAMPLE_SNAP, seen->request - ((const run *)b)->begun);
    cs_foreign_expect(b, CS_IMC_PIN_SAMPLE_NUMBER, seen->value);
}

/* Of the cycle that the model executes, bench->now. A waiting record is from an earlier snapshot. */
static void record(void *ctx, const cs_probe_record *seen)
{
    run *r = ctx;
    cs_foreign_bench *b = &r->bench;

    if (seen->kind == CS_PROBE_STATE)
        r->state = (unsigned)seen->value;
    if (seen->kind != CS_PROBE_SAMPLE)
        return;
    if (seen->resp != CS_SAMPLE_LOST) {
        expect_written(b, seen);
    } else if (seen->request == seen->cycle) {
        cs_foreign_expect_field(b, CS_IMC_PIN_LOST, seen->index, 1);
    } else {
        cs_foreign_expect_field(b, CS_IMC_PIN_DROPPED, seen->index, 1);
        cs_foreign_expect_field(b, CS_IMC_PIN_DROPPED_ADDR, seen->index, seen->addr);
        cs_foreign_expect_field(b, CS_IMC_PIN_DROPPED_SNAP, seen->index, seen->request - r->begun);
    }
}

static void settled(cs_foreign_bench *bench)
{
    run *r = (run *)bench;

    cs_foreign_managers_observe(&r->bus);
    cs_foreign_expect(bench, CS_IMC_PIN_SAMPLE_VALID, 0);
    for (unsigned t = 0; t < r->config.threads; t++) {
        cs_foreign_expect_field(bench, CS_IMC_PIN_LOST, t, 0);
        cs_foreign_expect_field(bench, CS_IMC_PIN_DROPPED, t, 0);
    }
    cs_imc_core_advance(r->core, bench->now + 1);
}

/* ---- programs ---- */

/* Threads that have a field of all that has one for each. */
static unsigned wired(const cs_foreign_design *d)
{
    unsigned threads = CS_IMC_MAX_THREADS;

    for (unsigned i = CS_IMC_PIN_LDBAR_EN; i < CS_IMC_PIN_AWVALID; i++) {
        const bool each = (i == CS_IMC_PIN_LDBAR_EN || i >= CS_IMC_PIN_ACTIVE) && d->linked[i];

        while (each && threads > 0 && !cs_foreign_has_field(d, i, threads - 1))
            threads--;
    }
    return threads;
}

/* Short windows, and a timebase that is near a boundary of a longer one, or near its end. */
static void draw_config(run *r)
{
    static const uint8_t threads[] = {1, 2, 4, 4};
    cs_foreign_bench *b = &r->bench;
    const uint64_t *set = b->setting;
    const unsigned most = wired(b->design);
    cs_imc_timebase *tb = &r->config.timebase;

    cs_foreign_draw_setting(b, CS_IMC_SET_TAP, 2, below(r, 4) != 0 ? 4 : 7);
    if (has(r, CS_IMC_PIN_THREADS) && !b->design->set[CS_IMC_SET_THREADS])
        b->setting[CS_IMC_SET_THREADS] = threads[below(r, most >= 4 ? 4 : most)];
    r->config.power10 = set[CS_IMC_SET_POWER10] != 0;
    r->config.threads = (unsigned)set[CS_IMC_SET_THREADS];
    r->config.tap_log2 = (unsigned)set[CS_IMC_SET_TAP];
    tb->den = 1 + (uint32_t)below(r, below(r, 2) != 0 ? 3 : 1000);
    tb->num = tb->den - (uint32_t)below(r, (tb->den + 1) / 2);
    tb->start = cs_foreign_bits(&b->random) << (4 + below(r, 30));
    tb->start -= below(r, 3000);
    tb->start = cs_foreign_given(b, CS_IMC_PIN_TB, tb->start);
    if (r->bench.design->bits[CS_IMC_PIN_TB] < 64 && r->bench.design->bits[CS_IMC_PIN_TB] != 0)
        tb->start /= 2; /* it does not get to the port's end */
}

static cs_status begin(cs_foreign_bench *bench, cs_cycle cycles, cs_cycle ending, cs_diag *diag)
{
    static const unsigned paces[] = {1, 2, 4, 10, 30, 60, 200};
    static const unsigned cuts[] = {0, 0, 60, 400};
    run *r = (run *)bench;
    cs_event_source events[CS_IMC_MAX_THREADS];
    cs_status status;

    (void)ending;
    r->bus.bench = bench;
    r->bus.first = CS_IMC_PIN_AWVALID;
    r->bus.ports = 1;
    r->bus.writes_only = true;
    r->bus.done = done;
    draw_config(r);
    cs_foreign_managers_begin(&r->bus);
    status = create_threads(r, cycles, diag);
    if (status != CS_OK)
        return status;
    for (unsigned t = 0; t < r->config.threads; t++)
        events[t] = (cs_event_source){sum, reach, context, r->threads[t], NULL};
    r->probe = (cs_probe_sink){.record = record, .ctx = r, .no_hashes = true};
    r->state = 0;
    r->begun = 0;
    r->power = true;
    r->calm = below(r, 2) != 0;
    r->pace = paces[below(r, NR(paces))];
    r->cuts = cuts[below(r, NR(cuts))];
    r->step = below(r, 8) == 0 ? NR(setup) + CS_IMC_MAX_THREADS : 0;
    const cs_imc_core_env env = {
        .bus = {cs_foreign_managers_submit, &r->bus}, .events = events, .probe = &r->probe};
    return cs_imc_core_create(&r->config, &env, &r->core, diag);
}

static void reset(cs_foreign_bench *bench)
{
    run *r = (run *)bench;

    cs_imc_core_reset(r->core, bench->now);
    cs_foreign_managers_reset(&r->bus);
    r->state = 0;
    r->begun = bench->now;
    r->step = 0;
}

static void end(cs_foreign_bench *bench)
{
    run *r = (run *)bench;

    cs_imc_core_destroy(r->core);
    r->core = NULL;
    for (unsigned t = 0; t < CS_IMC_MAX_THREADS; t++) {
        cs_foreign_core_destroy(r->threads[t]);
        r->threads[t] = NULL;
    }
}

static unsigned ending_of(const cs_foreign_bench *bench)
{
    (void)bench;
    return NR_REGS;
}

/* ---- the unit ---- */

static cs_status check(const cs_foreign_design *d, cs_diag *diag)
{
    static const uint8_t ldbar[] = {CS_IMC_PIN_LDBAR_WRITE, CS_IMC_PIN_LDBAR_WDATA,
                                    CS_IMC_PIN_LDBAR_RDATA};
    const bool drawn = d->linked[CS_IMC_PIN_THREADS] && !d->set[CS_IMC_SET_THREADS];
    const unsigned threads = (unsigned)d->setting[CS_IMC_SET_THREADS];

    if (threads == 3)
        return cs_diag_set(diag, CS_ERR_RANGE, NULL, "threads is 1, 2 or 4");
    if (wired(d) < (drawn ? 1 : threads))
        return cs_diag_set(diag, CS_ERR_RANGE, NULL,
                           "threads is %u, and there are fields for the first %u: 'settings: "
                           "{threads: %u}', or more fields",
                           threads, wired(d), wired(d));
    for (unsigned i = 0; i < NR(ldbar); i++)
        if (d->linked[CS_IMC_PIN_LDBAR_EN] != d->linked[ldbar[i]])
            return cs_diag_set(diag, CS_ERR_RANGE, NULL,
                               "ldbar_en_i, ldbar_write_i, ldbar_wdata_i and ldbar_rdata_o: all of "
                               "them have a port, or none");
    return CS_OK;
}

static const cs_foreign_pin pins[] = {CS_IMC_PINS(CS_FOREIGN_ROW){NULL}};
static const cs_foreign_setting settings[] = {CS_IMC_SETTINGS(CS_FOREIGN_ROW){NULL}};

_Static_assert(CS_IMC_NR_PINS <= CS_FOREIGN_MAX_PINS, "room for all pins");
_Static_assert(CS_IMC_MAX_THREADS <= CS_FOREIGN_MOST_PORTS, "room for fields of all threads");

const cs_foreign_unit cs_foreign_imc = {
    .name = "imc",
    .page = "docs/hw/imc.md",
    .pins = pins,
    .settings = settings,
    .address_bits = 4,
    .place = place,
    .check = check,
    .bytes = sizeof(run),
    .ending = ending_of,
    .begin = begin,
    .drive = drive,
    .answer = answer,
    .settled = settled,
    .reset = reset,
    .end = end,
};
