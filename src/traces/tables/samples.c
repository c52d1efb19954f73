/* The formats `csv` and `json`: a row for each sample that perf gets, or, where no command samples, for each
 * count that it prints. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drivers/pmcu/pmcu_driver.h"
#include "formats/common/table.h"
#include "formats/perf/abi/text.h"
#include "results/common/counts.h"
#include "results/rotation/results.h"
#include "traces/common/events.h"
#include "traces/common/pmcu_feed.h"
#include "traces/common/ring_feed.h"
#include "traces/common/times.h"
#include "traces/format.h"

typedef struct samples {
    const cs_scenario *scenario;
    cs_trace_events *events;
    const char *name;
    FILE *file;
    cs_table table;
    cs_ring_feed ring;
    cs_pmcu_feed *pmcu; /* NULL: none */
    cs_trace_openings openings;
    bool counts;  /* of samples there are none */
    bool rotates; /* some of the events have counters in turns */
    cs_status status;
} samples;

/* A row of the PMCU is a count on a CPU: it has no mode and no address. */
static const cs_table_column sample_columns[] =
    {
        {"time_ns", CS_CELL_NUMBER, 0, 0},
        {"event", CS_CELL_NAME, 0, 0},
        {"cpu", CS_CELL_NUMBER, 0, 0},
        {"pid", CS_CELL_NUMBER, 0, 0},
        {"mode", CS_CELL_NAME, 0, 0},
        {"ip", CS_CELL_HEX, 1, 0},
        {"period", CS_CELL_NUMBER, 0, 0},
        {"chain", CS_CELL_NAME, 0, 0}, /* where a command samples call chains */
};
static const cs_table_column count_columns[] = {
    {"from_ns", CS_CELL_NUMBER, 0, 0}, {"to_ns", CS_CELL_NUMBER, 0, 0},
    {"event", CS_CELL_NAME, 0, 0},     {"cpu", CS_CELL_NUMBER, 0, 0},
    {"raw", CS_CELL_NUMBER, 0, 0},     {"value", CS_CELL_REAL, 0, 0},
    {"unit", CS_CELL_NAME, 0, 0},      {"truth", CS_CELL_NUMBER, 0, 0},
};
/* Where some of the events have counters in turns. */
static const cs_table_column rotated_columns[] = {
    {"from_ns", CS_CELL_NUMBER, 0, 0},    {"to_ns", CS_CELL_NUMBER, 0, 0},
    {"event", CS_CELL_NAME, 0, 0},        {"cpu", CS_CELL_NUMBER, 0, 0},
    {"final", CS_CELL_NUMBER, 0, 0},      {"raw", CS_CELL_NUMBER, 0, 0},
    {"enabled_ns", CS_CELL_NUMBER, 0, 0}, {"running_ns", CS_CELL_NUMBER, 0, 0},
    {"scaled", CS_CELL_REAL, 0, 0},       {"unit", CS_CELL_NAME, 0, 0},
    {"truth", CS_CELL_NUMBER, 0, 0},
};

/* ---- samples ---- */

static void put_with_chain(samples *t, size_t event, uint64_t time_ns, unsigned cpu, uint32_t pid,
                           const char *mode, uint64_t ip, uint64_t period, const char *chain)
{
    const cs_table_cell cells[] = {{.number = time_ns}, {.name = t->events->list[event].name},
                                   {.number = cpu},     {.number = pid},
                                   {.name = mode},      {.number = ip},
                                   {.number = period},  {.name = chain}};

    cs_table_row(&t->table, cells);
}

static void put(samples *t, size_t event, uint64_t time_ns, unsigned cpu, uint32_t pid,
                const char *mode, uint64_t ip, uint64_t period)
{
    put_with_chain(t, event, time_ns, cpu, pid, mode, ip, period, NULL);
}

static void imc_sample(void *ctx, const cs_soft_record *record)
{
    samples *t = ctx;
    const cs_imc_perf_sample *s = record->what;
    const size_t event = cs_trace_events_find(
        t->events, s->by_interrupt ? CS_TRACE_PMI : CS_TRACE_IMC, s->command, 0);

    if (event != t->events->nr)
        put(t, event, cs_trace_ns(t->scenario, s->time), s->cpu, s->pid, cs_perf_misc_name(s->misc),
            s->ip, s->period);
}

static void ring_record(void *ctx, unsigned hart, bool guest, const cs_perf_record *r)
{
    samples *t = ctx;
    const size_t event = cs_trace_events_find(t->events, CS_TRACE_HART, cs_ring_command(r->id),
                                              cs_ring_event(r->id));

    char text[CS_PERF_CHAIN_TEXT];
    const char *chain = cs_perf_chain_text(r->chain, r->nr_chain, text);

    (void)guest;
    if (r->type == CS_PERF_REC_SAMPLE && event != t->events->nr)
        put_with_chain(t, event, cs_trace_hart_ns(t->scenario, r->time),
                       cs_scenario_hart_cpu(t->scenario, hart), r->pid, cs_perf_misc_name(r->misc),
                       r->ip, r->period, *chain != '\0' ? chain : NULL);
}

static void hart_data(void *ctx, const cs_soft_record *record)
{
    samples *t = ctx;
    const cs_riscv_data *d = record->what;

    if (!cs_ring_feed_put(&t->ring, d->hart, d->guest, d->bytes, d->length))
        t->status = CS_ERR_FORMAT;
}

/* ---- the PMCU ---- */

static void fed(void *ctx, const cs_pmcu_fed *s)
{
    samples *t = ctx;
    const size_t first = cs_trace_events_find(t->events, CS_TRACE_ARM, 0, 0);
    const uint64_t time_ns = cs_trace_ns(t->scenario, s->cycle);

    for (unsigned cpu = 0; cpu < s->nr_cpus; cpu++)
        for (unsigned i = 0; i < s->nr_events + s->has_cycles; i++) {
            const bool cycles = i == s->nr_events;
            const size_t event =
                cycles ? t->events->nr - 1 : first + (size_t)s->subsample * s->nr_events + i;

            if (cycles || event < t->events->nr - 1) /* else it is padding */
                put(t, event, time_ns, cpu, s->cid1[cpu], NULL, 0, s->values[i * s->nr_cpus + cpu]);
        }
}

static void subsample(void *ctx, const cs_soft_record *record)
{
    cs_pmcu_feed_subsample(((samples *)ctx)->pmcu, record->what);
}

static void trigger(void *ctx, const cs_soft_record *record)
{
    cs_pmcu_feed_trigger(((samples *)ctx)->pmcu, record->what);
}

static void aux(void *ctx, const cs_soft_record *record)
{
    cs_pmcu_feed_aux(((samples *)ctx)->pmcu, record->what);
}

static cs_status begin(void *ctx, cs_environment *environment, cs_diag *diag)
{
    const samples *t = ctx;

    (void)diag;
    if (t->pmcu != NULL)
        cs_pmcu_feed_begin(
            t->pmcu,
            cs_pmcu_driver_get_layout(cs_pmcu_driver_of(environment))->subsamples_per_sample);
    return CS_OK;
}

/* ---- counts ---- */

typedef struct counted {
    cycle_t from, to;
    uint64_t running; /* cycles */
    uint64_t raw, truth;
    double value;     /* as perf prints it */
    const char *unit; /* NULL: none */
    unsigned cpu;
    bool final; /* of the whole command; false: of an interval */
} counted;

static void put_count(samples *t, size_t event, const counted *c)
{
    const uint64_t from_ns = cs_trace_ns(t->scenario, c->from),
                   to_ns = cs_trace_ns(t->scenario, c->to);
    const char *name = t->events->list[event].name;
    char value[32];

    snprintf(value, sizeof value, "%.17g", c->value);
    if (t->rotates) {
        const cs_table_cell cells[] = {{.number = from_ns},
                                       {.number = to_ns},
                                       {.name = name},
                                       {.number = c->cpu},
                                       {.number = c->final},
                                       {.number = c->raw},
                                       {.number = cs_trace_ns(t->scenario, c->to - c->from)},
                                       {.number = cs_trace_ns(t->scenario, c->running)},
                                       {.name = c->running != 0 ? value : NULL},
                                       {.name = c->unit},
                                       {.number = c->truth}};
        cs_table_row(&t->table, cells);
    } else {
        const cs_table_cell cells[] = {{.number = from_ns}, {.number = to_ns},   {.name = name},
                                       {.number = c->cpu},  {.number = c->raw},  {.name = value},
                                       {.name = c->unit},   {.number = c->truth}};
        cs_table_row(&t->table, cells);
    }
}

/* A count that had its counter all the time. */
static void put_whole(samples *t, size_t event, const cs_perf_count *c)
{
    if (event != t->events->nr)
        put_count(t, event,
                  &(counted){.from = c->from,
                             .to = c->to,
                             .running = c->to - c->from,
                             .raw = c->raw,
                             .truth = c->truth,
                             .value = c->value,
                             .unit = c->unit,
                             .cpu = c->cpu,
                             .final = !t->events->list[event].intervals});
}

static void perf_count(void *ctx, const cs_soft_record *record)
{
    samples *t = ctx;
    const cs_told_count *told = record->what;

    if (told->of->kind == &cs_soft_imc_count) {
        const cs_imc_count *c = told->of->what;

        put_whole(t, cs_trace_events_find_imc(t->events, c->command, c->event), told->count);
    } else {
        const cs_riscv_which *w = &((const cs_riscv_count *)told->of->what)->which;

        put_whole(t, cs_trace_events_find(t->events, CS_TRACE_HART, w->command, w->event),
                  told->count);
    }
}

static void rotated(void *ctx, const cs_soft_record *record)
{
    samples *t = ctx;
    const cs_rotated_result *r = record->what;
    const cs_rotated_count *c = &r->count;
    const size_t event = cs_trace_events_find_rotated(t->events, c, 0);

    if (event != t->events->nr)
        put_count(t, event,
                  &(counted){.from = c->from,
                             .to = c->to,
                             .running = c->running,
                             .raw = c->raw,
                             .truth = r->truth,
                             .value = r->scaled,
                             .cpu = c->cpu,
                             .final = c->final});
}

/* ---- the format ---- */

static cs_status find_events(const cs_scenario *s, const cs_trace_request *request, bool *counts,
                             cs_trace_events **out, cs_diag *diag)
{
    cs_status status = cs_trace_events_create(s, request, true, out, diag);

    *counts = status == CS_OK && (*out)->nr == 0;
    if (!*counts)
        return status;
    cs_trace_events_destroy(*out);
    return cs_trace_events_create(s, request, false, out, diag);
}

static cs_status check(const cs_scenario *s, const cs_trace_request *request, cs_diag *diag)
{
    cs_trace_events *events;
    cs_status status = cs_trace_command_check(s, request, diag);
    bool counts;

    if (status == CS_OK)
        status = find_events(s, request, &counts, &events, diag);
    if (status != CS_OK)
        return status;
    if (events->nr == 0)
        status = cs_diag_set(diag, CS_ERR_SCENARIO, s->source,
                             "no perf command is in this scenario (imc_driver.perf, riscv.perf, "
                             "uncore_driver.perf, multiplex, pmcu_driver or pmi), so that there is "
                             "nothing for a table");
    cs_trace_events_destroy(events);
    return status;
}

static cs_status to_file(void *ctx, const char *text, size_t bytes)
{
    return fwrite(text, 1, bytes, ctx) == bytes ? CS_OK : CS_ERR_IO;
}

static cs_status end(void *ctx, cycle_t cycle, cs_diag *diag)
{
    samples *t = ctx;
    FILE *file = t->file;
    cs_status status = cs_table_end(&t->table);

    (void)cycle;
    t->file = NULL;
    if (fclose(file) != 0 || status != CS_OK)
        return cs_diag_set(diag, CS_ERR_IO, t->name, "cannot write: %s", strerror(errno));
    status = t->status == CS_OK && t->pmcu != NULL ? cs_pmcu_feed_status(t->pmcu) : t->status;
    if (status != CS_OK)
        return cs_diag_set(diag, status, t->name, "the run's records do not make a table");
    return t->counts ? CS_OK : cs_trace_openings_check(&t->openings, t->scenario, diag);
}

static void close_samples(void *state)
{
    samples *t = state;

    if (t->file != NULL)
        fclose(t->file);
    cs_pmcu_feed_destroy(t->pmcu);
    cs_trace_events_destroy(t->events);
    free(t);
}

static void imc_opened(void *ctx, const cs_soft_record *record)
{
    samples *t = ctx;
    const cs_imc_opened *o = record->what;

    cs_trace_opened_imc(&t->openings, o->command, o->error != CS_IMC_GOOD ? o->reason : NULL);
}

static void hart_opened(void *ctx, const cs_soft_record *record)
{
    samples *t = ctx;
    const cs_riscv_opened *o = record->what;

    cs_trace_opened_hart(&t->openings, o->which.command, o->which.event,
                         o->error != 0 ? strerror(-o->error) : NULL);
}

static cs_status listen(samples *t, bool counts, cs_run_listener *listener, cs_diag *diag)
{
    *listener = (cs_run_listener){.begin = begin, .end = end, .ctx = t};
    t->ring.record = ring_record;
    t->ring.ctx = t;
    t->counts = counts;
    if (counts) {
        cs_run_hear(listener, &cs_soft_perf_count, perf_count);
        cs_run_hear(listener, &cs_soft_rotated_result, rotated);
        for (size_t i = 0; i < t->events->nr; i++)
            t->rotates |= t->events->list[i].source == CS_TRACE_UNCORE ||
                          t->events->list[i].source == CS_TRACE_MULTIPLEX;
        return CS_OK;
    }
    t->openings.events = t->events;
    cs_run_hear(listener, &cs_soft_imc_opened, imc_opened);
    cs_run_hear(listener, &cs_soft_riscv_opened, hart_opened);
    cs_run_hear(listener, &cs_soft_imc_sample, imc_sample);
    cs_run_hear(listener, &cs_soft_riscv_data, hart_data);
    if (cs_trace_events_find(t->events, CS_TRACE_PMCU, 0, 0) == t->events->nr)
        return CS_OK;
    cs_run_hear(listener, &cs_soft_pmcu_subsample, subsample);
    cs_run_hear(listener, &cs_soft_pmcu_trigger, trigger);
    cs_run_hear(listener, &cs_soft_pmcu_aux, aux);
    return cs_pmcu_feed_create(fed, t, &t->pmcu, diag);
}

static bool has_chains(const samples *t)
{
    for (size_t i = 0; i < t->events->nr; i++)
        if (t->events->list[i].callchain)
            return true;
    return false;
}

static cs_status open_samples(const cs_trace_place *place, void **state, cs_run_listener *listener,
                              cs_diag *diag)
{
    samples *t = calloc(1, sizeof *t);
    cs_table_format format = CS_TABLE_CSV;
    cs_status status;
    bool counts = false;

    *state = NULL;
    if (t == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for a trace");
    t->scenario = place->scenario;
    t->name = place->request->output;
    status = cs_table_format_of(place->request->format, &format, diag);
    if (status == CS_OK)
        status = find_events(t->scenario, place->request, &counts, &t->events, diag);
    if (status == CS_OK)
        status = listen(t, counts, listener, diag);
    if (status == CS_OK && (t->file = fopen(place->path, "wb")) == NULL)
        status = cs_diag_set(diag, CS_ERR_IO, t->name, "cannot write: %s", strerror(errno));
    if (status != CS_OK) {
        close_samples(t);
        return status;
    }
    cs_table_begin(&t->table, format, &(cs_text_sink){to_file, t->file});
    if (t->rotates)
        cs_table_columns(&t->table, rotated_columns,
                         sizeof rotated_columns / sizeof rotated_columns[0]);
    else if (counts)
        cs_table_columns(&t->table, count_columns, sizeof count_columns / sizeof count_columns[0]);
    else
        cs_table_columns(&t->table, sample_columns,
                         sizeof sample_columns / sizeof sample_columns[0] - !has_chains(t));
    *state = t;
    return CS_OK;
}

const cs_trace_format cs_trace_table = {
    .check = check,
    .open = open_samples,
    .close = close_samples,
};
