// SPDX-License-Identifier: Apache-2.0
/* A random program for the counters of a hart: docs/hw/hpm.md. */
#include "foreign/core.h"
#include "foreign/hpm/hpm_script.h"

typedef struct done {
    cs_hpm_access access;
    cs_hpm_result result; /* the model's */
} done;

typedef struct run {
    cs_foreign_bench bench;
    cs_hpm_config config;
    cs_foreign_core *core;
    cs_hpm *hpm;
    cs_hpm_script script;
    unsigned last_lines;
} run;

static void give(run *r, unsigned pin, uint64_t value)
{
    cs_foreign_give(&r->bench, pin, value);
}

static bool has(const run *r, unsigned pin)
{
    return cs_foreign_has(&r->bench, pin);
}

static void strap(cs_foreign_bench *bench)
{
    run *r = (run *)bench;

    give(r, CS_HPM_PIN_XLEN64, r->config.xlen == 64);
    for (unsigned n = 0; n < CS_HPM_COUNTERS; n++)
        cs_foreign_drive(bench, CS_HPM_PIN_WIDTH, 7 * n, 7, r->config.width[n]);
}

/* ---- the increments ---- */

static unsigned increment(run *r, uint32_t event)
{
    return cs_foreign_core_increment(r->core, event, r->bench.now);
}

/* What a pin carries of an event. A design that counts it some cycles later gets it as much earlier. */
static unsigned carried(run *r, unsigned pin, uint32_t event)
{
    return cs_foreign_core_increment(r->core, event, r->bench.now + r->bench.design->late[pin]);
}

/* As a core answers event_o; where nothing would count the pins carry anything. */
static void answer(cs_foreign_bench *bench)
{
    run *r = (run *)bench;

    if (!has(r, CS_HPM_PIN_EVENT))
        return;
    for (unsigned n = 3; n < CS_HPM_COUNTERS; n++) {
        const bool counts =
            !has(r, CS_HPM_PIN_COUNTING) || cs_foreign_look(bench, CS_HPM_PIN_COUNTING, n, 1) != 0;
        const uint32_t event = (uint32_t)cs_foreign_look(bench, CS_HPM_PIN_EVENT, 16 * n, 16) |
                               (r->config.event_sets ? CS_HPM_EVENT_SET : 0);

        cs_foreign_drive(bench, CS_HPM_PIN_INC, 4 * n, 4,
                         counts ? increment(r, event) : cs_foreign_bits(&bench->random));
    }
}

static void drive_core(run *r, const cs_context *who)
{
    give(r, CS_HPM_PIN_MODE, who->mode & 3u);
    give(r, CS_HPM_PIN_V, who->mode >> 2);
    const uint32_t *events;
    const unsigned nr = cs_hpm_events(r->bench.design, &events);

    give(r, CS_HPM_PIN_CYCLE_INC, carried(r, CS_HPM_PIN_CYCLE_INC, CS_HPM_EVENT_CYCLES));
    give(r, CS_HPM_PIN_INSTRET_INC, carried(r, CS_HPM_PIN_INSTRET_INC, CS_HPM_EVENT_INSTRET));
    for (unsigned i = 0; i < nr; i++)
        if (cs_foreign_has_field(r->bench.design, CS_HPM_PIN_EVENTS, events[i]))
            cs_foreign_drive(&r->bench, CS_HPM_PIN_EVENTS, 4 * events[i], 4,
                             carried(r, CS_HPM_PIN_EVENTS, events[i]));
}

/* ---- an access ---- */

static uint64_t combined(const cs_hpm_access *a, uint64_t old)
{
    switch (a->op) {
    case CS_HPM_OP_SET:
        return old | a->value;
    case CS_HPM_OP_CLEAR:
        return old & ~a->value;
    default:
        return a->value;
    }
}

/* Without an access its pins carry anything. */
static void drive_nothing(run *r)
{
    /* A design without csr_valid_i must not see an operation. */
    const bool safe = !has(r, CS_HPM_PIN_CSR_VALID);
    cs_foreign_random *random = &r->bench.random;

    give(r, CS_HPM_PIN_CSR_VALID, 0);
    give(r, CS_HPM_PIN_CSR_WRITE, 0);
    give(r, CS_HPM_PIN_CSR_ADDR, safe ? 0 : cs_foreign_bits(random));
    give(r, CS_HPM_PIN_CSR_OP, safe ? 0 : cs_foreign_bits(random));
    give(r, CS_HPM_PIN_CSR_WDATA, cs_foreign_bits(random));
    give(r, CS_HPM_PIN_CSR_VALUE, cs_foreign_bits(random));
}

static void drive_access(run *r, const done *d)
{
    give(r, CS_HPM_PIN_CSR_VALID, 1);
    give(r, CS_HPM_PIN_CSR_WRITE, d->access.op != CS_HPM_OP_READ);
    give(r, CS_HPM_PIN_CSR_ADDR, d->access.csr);
    give(r, CS_HPM_PIN_CSR_OP, d->access.op);
    give(r, CS_HPM_PIN_CSR_WDATA, d->access.value);
    give(r, CS_HPM_PIN_CSR_VALUE, combined(&d->access, d->result.value));
    give(r, CS_HPM_PIN_TIME, d->access.time);
    give(r, CS_HPM_PIN_STATEEN_M, d->access.stateen_m);
    give(r, CS_HPM_PIN_STATEEN_H, d->access.stateen_h);
}

/* csr_rdata_o matters where there is an access that is done. */
static void expect(run *r, const done *d)
{
    static const char *const ops[] = {"read", "csrrw", "csrrs", "csrrc"};
    static const char *const modes[] = {"in U", "in S", "", "in M", "in VU", "in VS"};
    const bool refused = d->result.exception != CS_HPM_EXCEPTION_NONE;
    cs_foreign_deed *deed = cs_foreign_accessed(&r->bench, ops[d->access.op], d->access.csr,
                                                d->access.op != CS_HPM_OP_READ, refused);

    deed->behind = modes[d->access.mode];
    deed->has_value = d->access.op != CS_HPM_OP_READ;
    deed->value = d->access.value;
    if (!refused)
        cs_foreign_expect_answer(&r->bench, CS_HPM_PIN_CSR_RDATA, d->result.value);
    cs_foreign_expect_answer(&r->bench, CS_HPM_PIN_CSR_EXC, d->result.exception);
}

/* ---- a cycle ---- */

static void expect_lines(run *r)
{
    const unsigned lines = cs_hpm_irq(r->hpm);

    for (unsigned i = 0; i < 3; i++)
        r->bench.report->edges += (lines ^ r->last_lines) >> i & 1;
    r->last_lines = lines;
    cs_foreign_expect(&r->bench, CS_HPM_PIN_LCOFI, lines);
}

/* What the model says comes before an access of it is carried out: a line is of the cycle. */
static void drive(cs_foreign_bench *bench)
{
    run *r = (run *)bench;
    cs_context who;
    done d;

    cs_foreign_core_context(r->core, bench->now, &who);
    cs_hpm_advance(r->hpm, bench->now);
    expect_lines(r);
    drive_core(r, &who);
    drive_nothing(r);
    if (bench->now < bench->next || !cs_hpm_script_next(&r->script, who.mode, &d.access))
        return;
    bench->next = bench->now + bench->design->pace_cycles;
    d.result = cs_hpm_access_csr(r->hpm, bench->now, &d.access);
    /* A design without exceptions relies on who asks. */
    if (d.result.exception == CS_HPM_EXCEPTION_NONE || has(r, CS_HPM_PIN_CSR_EXC)) {
        drive_access(r, &d);
        expect(r, &d);
    }
}

/* ---- a program ---- */

/* An event is on several pins: it is what all of them can say. */
static cs_foreign_core_event event_of(const run *r, uint32_t event)
{
    const cs_foreign_bench *b = &r->bench;
    /* A sum of all has to fit into inc_i. */
    const unsigned most =
        b->design->setting[CS_HPM_SET_EVENT_SET] == CS_FOREIGN_SUMS && has(r, CS_HPM_PIN_INC)
            ? event <= CS_NARROW_INCREMENT
            : (unsigned)b->design->setting[CS_HPM_SET_MOST];
    const unsigned counted = has(r, CS_HPM_PIN_EVENT) ? CS_HPM_PIN_INC : CS_HPM_PIN_EVENTS;
    cs_foreign_core_event e = cs_foreign_core_event_of(b, event, counted, most);

    if (!cs_hpm_has_event(b->design, event))
        e = (cs_foreign_core_event){.event = event, .always = true};
    if (event == CS_HPM_EVENT_CYCLES || event == CS_HPM_EVENT_INSTRET) {
        const unsigned least = e.always ? most : e.most;

        e = cs_foreign_core_event_of(
            b, event, event == CS_HPM_EVENT_CYCLES ? CS_HPM_PIN_CYCLE_INC : CS_HPM_PIN_INSTRET_INC,
            least);
    }
    return e;
}

static cs_status begin(cs_foreign_bench *bench, cs_cycle cycles, cs_cycle ending, cs_diag *diag)
{
    static const uint8_t modes[4][10] = {
        {3}, {3, 3, 0}, {3, 3, 3, 1, 1, 0}, {3, 3, 3, 3, 1, 1, 5, 5, 4, 0}};
    static const unsigned nr_modes[4] = {1, 3, 6, 10};
    run *r = (run *)bench;
    const uint32_t *events;
    cs_foreign_core_plan plan = {.cycles = cycles,
                                 .last_cycles = ending,
                                 .nr_events = cs_hpm_events(bench->design, &events),
                                 .sets = (unsigned)bench->design->setting[CS_HPM_SET_EVENT_SET]};
    cs_status status;

    r->config = cs_hpm_draw_config(bench);
    bench->width[CS_HPM_PIN_CSR_RDATA] = r->config.xlen;
    const unsigned set_of = has(r, CS_HPM_PIN_MODE) ? r->config.modes : 0;
    plan.modes = modes[set_of];
    plan.nr_modes = nr_modes[set_of];
    for (unsigned i = 0; i < plan.nr_events; i++)
        plan.events[i] = event_of(r, events[i]);
    status = cs_foreign_core_create(&plan, &bench->random, &r->core, diag);
    if (status != CS_OK)
        return status;
    r->last_lines = 0;
    cs_hpm_script_begin(&r->script, bench, &r->config);
    const cs_hpm_env env = {.events = cs_foreign_core_source(r->core)};
    return cs_hpm_create(&r->config, &env, &r->hpm, diag);
}

static void reset(cs_foreign_bench *bench)
{
    run *r = (run *)bench;

    cs_hpm_reset(r->hpm, bench->now);
    r->last_lines = 0;
}

static void end(cs_foreign_bench *bench)
{
    run *r = (run *)bench;

    cs_hpm_destroy(r->hpm);
    cs_foreign_core_destroy(r->core);
    r->hpm = NULL;
    r->core = NULL;
}

static unsigned ending_of(const cs_foreign_bench *bench)
{
    (void)bench;
    return cs_hpm_script_ending();
}

static const cs_foreign_pin pins[] = {CS_HPM_PINS(CS_FOREIGN_ROW){NULL}};
static const cs_foreign_setting settings[] = {CS_HPM_SETTINGS(CS_FOREIGN_ROW){NULL}};

const cs_foreign_unit cs_foreign_hpm = {
    .name = "hpm",
    .page = "docs/hw/hpm.md",
    .pins = pins,
    .settings = settings,
    .address_bits = 12,
    .check = cs_hpm_check,
    .bytes = sizeof(run),
    .ending = ending_of,
    .begin = begin,
    .strap = strap,
    .drive = drive,
    .answer = answer,
    .reset = reset,
    .end = end,
};
