/* A random program on both sides: the model's answers are the page's, cycle by cycle. */
#include "foreign/hpm/hpm_program.h"

#include <inttypes.h>
#include <stdio.h>

#include "foreign/bench.h"

#define NAME_BYTES 24u

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

static void set(run *r, unsigned pin, unsigned lsb, unsigned width, uint64_t value)
{
    cs_foreign_drive(&r->bench, pin, lsb, width, value);
}

static bool has(const run *r, unsigned pin)
{
    return cs_foreign_has(&r->bench, pin);
}

static void strap(void *ctx)
{
    run *r = ctx;
    const cs_hpm_config *c = &r->config;

    set(r, CS_HPM_PIN_XLEN64, 0, 1, c->xlen == 64);
    set(r, CS_HPM_PIN_MODES, 0, 2, c->modes);
    set(r, CS_HPM_PIN_COUNTERS, 0, 32, c->counters);
    for (unsigned n = 0; n < CS_HPM_COUNTERS; n++)
        set(r, CS_HPM_PIN_WIDTH, 7 * n, 7, c->width[n]);
    set(r, CS_HPM_PIN_SSCOFPMF, 0, 1, c->sscofpmf);
    set(r, CS_HPM_PIN_SMCNTRPMF, 0, 1, c->smcntrpmf);
    set(r, CS_HPM_PIN_SMCDELEG, 0, 1, c->smcdeleg);
    set(r, CS_HPM_PIN_AIA, 0, 1, c->aia);
    set(r, CS_HPM_PIN_LATENCY, 0, 5, c->lcofi_latency);
    snprintf(r->bench.report->settings, sizeof r->bench.report->settings,
             "xlen %u, modes %u, counters 0x%08x, width of 3 %u, sscofpmf %d, smcntrpmf %d, "
             "smcdeleg %d, aia %d, lcofi_latency %u",
             c->xlen, c->modes, c->counters, c->width[3], c->sscofpmf, c->smcntrpmf, c->smcdeleg,
             c->aia, c->lcofi_latency);
}

/* ---- the increments ---- */

static unsigned increment(run *r, uint32_t event, cycle_t now)
{
    return cs_foreign_core_increment(r->core, event, now);
}

/* As a core answers event_o; where nothing would count the pins carry anything. */
static void answer_events(run *r, cycle_t now)
{
    for (unsigned n = 3; n < CS_HPM_COUNTERS; n++) {
        const bool counts = !has(r, CS_HPM_PIN_COUNTING) ||
                            cs_foreign_look(&r->bench, CS_HPM_PIN_COUNTING, n, 1) != 0;
        const uint32_t event = (uint32_t)cs_foreign_look(&r->bench, CS_HPM_PIN_EVENT, 16 * n, 16);

        set(r, CS_HPM_PIN_INC, 4 * n, 4,
            counts ? increment(r, event, now) : cs_foreign_bits(&r->bench.random));
    }
}

static void drive_events(run *r, cycle_t now)
{
    set(r, CS_HPM_PIN_CYCLE_INC, 0, 4, increment(r, CS_HPM_EVENT_CYCLES, now));
    set(r, CS_HPM_PIN_INSTRET_INC, 0, 4, increment(r, CS_HPM_EVENT_INSTRET, now));
    for (unsigned i = 0; i < cs_hpm_nr_events(r->bench.design); i++)
        if (cs_hpm_events[i] < 64)
            set(r, CS_HPM_PIN_EVENTS, 4 * cs_hpm_events[i], 4, increment(r, cs_hpm_events[i], now));
}

/* ---- an access ---- */

static uint64_t combined(const cs_hpm_access *a, uint64_t old, unsigned xlen)
{
    const uint64_t mask = xlen == 64 ? UINT64_MAX : UINT32_MAX;

    switch (a->op) {
    case CS_HPM_OP_SET:
        return (old | a->value) & mask;
    case CS_HPM_OP_CLEAR:
        return old & ~a->value;
    default:
        return a->value & mask;
    }
}

/* Without an access its pins carry anything. */
static void drive_access(run *r, const done *d)
{
    const bool writes = d != NULL && d->access.op != CS_HPM_OP_READ;

    set(r, CS_HPM_PIN_CSR_VALID, 0, 1, d != NULL);
    set(r, CS_HPM_PIN_CSR_WRITE, 0, 1, writes);
    if (d == NULL) {
        /* A design without csr_valid_i must not see an operation. */
        const bool safe = !has(r, CS_HPM_PIN_CSR_VALID);

        set(r, CS_HPM_PIN_CSR_ADDR, 0, 12, safe ? 0 : cs_foreign_bits(&r->bench.random));
        set(r, CS_HPM_PIN_CSR_OP, 0, 2, safe ? 0 : cs_foreign_bits(&r->bench.random));
        set(r, CS_HPM_PIN_CSR_WDATA, 0, 64, cs_foreign_bits(&r->bench.random));
        set(r, CS_HPM_PIN_CSR_VALUE, 0, 64, cs_foreign_bits(&r->bench.random));
        return;
    }
    set(r, CS_HPM_PIN_CSR_ADDR, 0, 12, d->access.csr);
    set(r, CS_HPM_PIN_CSR_OP, 0, 2, d->access.op);
    set(r, CS_HPM_PIN_CSR_WDATA, 0, 64, d->access.value);
    set(r, CS_HPM_PIN_CSR_VALUE, 0, 64, combined(&d->access, d->result.value, r->config.xlen));
    set(r, CS_HPM_PIN_TIME, 0, 64, d->access.time);
    set(r, CS_HPM_PIN_STATEEN_M, 0, 1, d->access.stateen_m);
    set(r, CS_HPM_PIN_STATEEN_H, 0, 1, d->access.stateen_h);
}

static void count(run *r, const done *d)
{
    const bool refused = d->result.exception != CS_HPM_EXCEPTION_NONE;

    r->bench.report->accesses++;
    r->bench.report->refused += refused;
    cs_foreign_tally_add(r->bench.tally, d->access.csr,
                         refused                          ? CS_FOREIGN_REFUSED
                         : d->access.op == CS_HPM_OP_READ ? CS_FOREIGN_READ
                                                          : CS_FOREIGN_WRITTEN);
}

static void remember(run *r, const done *d, cycle_t now)
{
    static const char *const ops[] = {"read", "csrrw", "csrrs", "csrrc"};
    static const char *const modes[] = {"U", "S", "?", "M", "VU", "VS"};
    static const char *const ends[] = {"", ", illegal instruction", ", virtual instruction"};
    char name[NAME_BYTES];
    char value[40] = "";

    cs_hpm_csr_name(d->access.csr, name, sizeof name);
    if (d->access.op != CS_HPM_OP_READ)
        snprintf(value, sizeof value, " operand 0x%" PRIx64, d->access.value);
    cs_foreign_did_this(&r->bench, now, "%s 0x%03x %s%s in %s%s", ops[d->access.op], d->access.csr,
                        name, value, modes[d->access.mode], ends[d->result.exception]);
}

/* The outputs of the cycle; csr_rdata_o matters where there is an access that is done. */
static bool compare(run *r, const done *d, cycle_t now)
{
    cs_foreign_bench *bench = &r->bench;

    if (d != NULL) {
        cs_foreign_expect(bench, CS_HPM_PIN_CSR_EXC, now, (uint64_t)d->result.exception);
        if (d->result.exception == CS_HPM_EXCEPTION_NONE)
            cs_foreign_expect(bench, CS_HPM_PIN_CSR_RDATA, now, d->result.value);
    }
    return cs_foreign_same(bench, CS_HPM_PIN_CSR_EXC, now, 2) &&
           cs_foreign_same(bench, CS_HPM_PIN_CSR_RDATA, now, r->config.xlen == 64 ? 64 : 32) &&
           cs_foreign_same(bench, CS_HPM_PIN_LCOFI, now, 3);
}

/* ---- a program ---- */

/* What the model says comes before an access of it is carried out: a line is of the cycle. */
static bool cycle(run *r, cycle_t now, bool ending, cycle_t *next)
{
    cs_context who;
    done d;
    const done *shown = NULL;
    unsigned lines;
    bool good;

    cs_foreign_core_context(r->core, now, &who);
    set(r, CS_HPM_PIN_MODE, 0, 2, who.mode & 3u);
    set(r, CS_HPM_PIN_V, 0, 1, who.mode >> 2);
    cs_hpm_advance(r->hpm, now);
    lines = cs_hpm_irq(r->hpm);
    for (unsigned i = 0; i < 3; i++)
        r->bench.report->edges += (lines ^ r->last_lines) >> i & 1;
    r->bench.report->overflows += (lines & ~r->last_lines) != 0;
    r->last_lines = lines;
    cs_foreign_expect(&r->bench, CS_HPM_PIN_LCOFI, now, lines);
    if (now >= *next && cs_hpm_script_next(&r->script, who.mode, ending, &d.access)) {
        *next = now + r->bench.design->pace_cycles;
        d.result = cs_hpm_access_csr(r->hpm, now, &d.access);
        /* A design without exceptions relies on who asks. */
        if (d.result.exception == CS_HPM_EXCEPTION_NONE || has(r, CS_HPM_PIN_CSR_EXC)) {
            shown = &d;
            count(r, &d);
            remember(r, &d, now);
        }
    }
    drive_access(r, shown);
    drive_events(r, now);
    cs_foreign_clock(&r->bench, 0);
    if (has(r, CS_HPM_PIN_EVENT)) {
        answer_events(r, now);
        cs_foreign_clock(&r->bench, 0);
    }
    good = compare(r, shown, now);
    cs_foreign_clock(&r->bench, 1);
    r->bench.report->cycles++;
    return good;
}

static unsigned most_increment(const cs_foreign_design *d)
{
    static const unsigned pins[] = {CS_HPM_PIN_INC, CS_HPM_PIN_EVENTS};
    unsigned most = (unsigned)d->setting[CS_HPM_SET_MOST];

    for (size_t i = 0; i < 2; i++) {
        const unsigned bits = d->field[pins[i]];

        if (bits != 0 && bits < 4 && most > (1u << bits) - 1)
            most = (1u << bits) - 1;
    }
    return most;
}

static cs_status prepare(run *r, cycle_t cycles, cycle_t ending, cs_diag *diag)
{
    static const uint8_t modes[4][10] = {
        {3}, {3, 3, 0}, {3, 3, 3, 1, 1, 0}, {3, 3, 3, 3, 1, 1, 5, 5, 4, 0}};
    static const unsigned nr_modes[4] = {1, 3, 6, 10};
    const unsigned set_of = has(r, CS_HPM_PIN_MODE) ? r->config.modes : 0;
    const cs_foreign_core_plan plan = {.cycles = cycles,
                                       .last_cycles = ending,
                                       .events = cs_hpm_events,
                                       .nr_events = cs_hpm_nr_events(r->bench.design),
                                       .modes = modes[set_of],
                                       .nr_modes = nr_modes[set_of],
                                       .most = most_increment(r->bench.design)};
    cs_status status = cs_foreign_core_create(&plan, &r->bench.random, &r->core, diag);
    cs_hpm_env env;

    if (status != CS_OK)
        return status;
    env = (cs_hpm_env){.events = cs_foreign_core_source(r->core)};
    return cs_hpm_create(&r->config, &env, &r->hpm, diag);
}

/* *good: no difference. */
static cs_status program(run *r, uint64_t seed, const cs_foreign_options *options, bool *good,
                         cs_diag *diag)
{
    const cycle_t ending =
        (cycle_t)cs_hpm_script_ending() * r->bench.design->pace_cycles + CS_FOREIGN_MAX_LATE;
    cycle_t next = 0;
    cs_status status;

    cs_foreign_bench_begin(&r->bench, seed);
    r->config = cs_hpm_draw_config(r->bench.design, &r->bench.random);
    status = prepare(r, options->cycles + ending, ending, diag);
    if (status == CS_OK) {
        cs_foreign_bench_restart(&r->bench, strap, r);
        cs_hpm_script_begin(&r->script, r->bench.design, &r->config, &r->bench.random);
        r->last_lines = 0;
        for (cycle_t now = 0; *good && now < options->cycles + ending; now++)
            *good = cycle(r, now, now >= options->cycles, &next);
        r->bench.report->programs++;
    }
    cs_hpm_destroy(r->hpm);
    cs_foreign_core_destroy(r->core);
    r->hpm = NULL;
    r->core = NULL;
    return status;
}

cs_status cs_hpm_programs(const cs_foreign_design *design, cs_foreign_dut *dut,
                          const cs_foreign_options *options, cs_foreign_report *report,
                          cs_diag *diag)
{
    run r = {.bench = {.unit = &cs_foreign_hpm, .design = design, .dut = dut, .report = report}};
    cs_status status = cs_foreign_tally_create(&r.bench.tally, diag);
    bool good = true;

    for (unsigned i = 0; i < options->programs && status == CS_OK && good; i++)
        status = program(&r, options->seed + i, options, &good, diag);
    if (status == CS_OK)
        status = cs_foreign_tally_tell(r.bench.tally, cs_hpm_csr_name, report, diag);
    cs_foreign_tally_destroy(r.bench.tally);
    return status;
}
