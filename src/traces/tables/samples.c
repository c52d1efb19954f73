// SPDX-License-Identifier: Apache-2.0
/* The formats `csv` and `json`: a row for each sample that perf gets, or, where no command samples, for each
 * count that it prints. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/common/table.h"
#include "formats/perf/abi/text.h"
#include "traces/common/cpus.h"
#include "traces/common/feed.h"
#include "traces/common/times.h"

typedef struct samples {
    const cs_scenario *scenario;
    cs_trace_feed *feed;
    const cs_trace_events *events; /* the feed's */
    const char *name;
    FILE *file;
    cs_table table;
    bool rotates; /* some of the events have counters in turns */
    bool sockets; /* some of them are added up by socket */
} samples;

/* A sample without a mode is a count on a CPU: its address is none. */
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
    {"event", CS_CELL_NAME, 0, 0},     {"cpu", CS_CELL_SIGNED, 0, 0},
    {"raw", CS_CELL_NUMBER, 0, 0},     {"value", CS_CELL_REAL, 0, 0},
    {"unit", CS_CELL_NAME, 0, 0},      {"truth", CS_CELL_NUMBER, 0, 0},
    {"socket", CS_CELL_REAL, 0, 0}, /* where a command adds up by socket */
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

static void put(void *ctx, const cs_trace_record *r)
{
    samples *t = ctx;
    char text[CS_PERF_CHAIN_TEXT];
    const char *chain = cs_perf_chain_text(r->chain, r->nr_chain, text);
    const cs_table_cell cells[] = {
        {.number = r->time_ns}, {.name = t->events->list[r->event].name}, {.number = r->cpu},
        {.number = r->pid},     {.name = cs_perf_misc_name(r->misc)},     {.number = r->ip},
        {.number = r->period},  {.name = *chain != '\0' ? chain : NULL}};

    if (r->type == CS_TRACE_SAMPLE)
        cs_table_row(&t->table, cells);
}

/* ---- counts ---- */

/* NULL: it has none. */
static const char *socket_of(const samples *t, unsigned cpu, char text[16])
{
    const cs_trace_cpu *kind = cpu != CS_ANY_CPU ? cs_trace_cpu_of(t->scenario, cpu) : NULL;
    unsigned core, socket;

    if (kind == NULL || kind->place == NULL)
        return NULL;
    kind->place(t->scenario, cpu, &core, &socket);
    snprintf(text, 16, "%u", socket);
    return text;
}

static void put_count(void *ctx, const cs_counted *one)
{
    samples *t = ctx;
    const cs_count *c = &one->count;
    const size_t event = cs_trace_events_find_count(t->events, c, 0);

    if (event == t->events->nr)
        return;
    const uint64_t from_ns = cs_trace_ns(t->scenario, one->from),
                   to_ns = cs_trace_ns(t->scenario, one->to);
    const char *name = t->events->list[event].name;
    const uint64_t cpu = c->cpu != CS_ANY_CPU ? c->cpu : UINT64_MAX;
    char value[32], socket[16];

    snprintf(value, sizeof value, "%.17g", one->value);
    if (t->rotates) {
        const cs_table_cell cells[] = {
            {.number = from_ns},
            {.number = to_ns},
            {.name = name},
            {.number = c->cpu},
            {.number = c->turns ? c->final : !t->events->list[event].intervals},
            {.number = c->raw},
            {.number = cs_trace_ns(t->scenario, c->enabled)},
            {.number = cs_trace_ns(t->scenario, c->running)},
            {.name = c->running != 0 ? value : NULL},
            {.name = one->unit},
            {.number = one->truth}};
        cs_table_row(&t->table, cells);
    } else {
        const cs_table_cell cells[] = {
            {.number = from_ns}, {.number = to_ns},      {.name = name},
            {.number = cpu},     {.number = c->raw},     {.name = value},
            {.name = one->unit}, {.number = one->truth}, {.name = socket_of(t, c->cpu, socket)}};
        cs_table_row(&t->table, cells);
    }
}

/* ---- the format ---- */

static cs_status check(const cs_scenario *s, const cs_trace_request *request, cs_diag *diag)
{
    cs_trace_events *events;
    bool counts;
    const cs_status status = cs_trace_events_check(s, request, "a table", &counts, &events, diag);

    cs_trace_events_destroy(events);
    return status;
}

static cs_status to_file(void *ctx, const char *text, size_t bytes)
{
    return fwrite(text, 1, bytes, ctx) == bytes ? CS_OK : CS_ERR_IO;
}

static cs_status end(void *ctx, cs_cycle cycle, cs_diag *diag)
{
    samples *t = ctx;
    FILE *file = t->file;
    const cs_status status = cs_table_end(&t->table);

    (void)cycle;
    t->file = NULL;
    if (fclose(file) != 0 || status != CS_OK)
        return cs_diag_set(diag, CS_ERR_IO, t->name, "cannot write: %s", strerror(errno));
    return cs_trace_feed_status(t->feed, t->name, "a table", diag);
}

static void close_samples(void *state)
{
    samples *t = state;

    if (t->file != NULL)
        fclose(t->file);
    cs_trace_feed_destroy(t->feed);
    free(t);
}

static bool has_chains(const samples *t)
{
    for (size_t i = 0; i < t->events->nr; i++)
        if (t->events->list[i].callchain)
            return true;
    return false;
}

static void put_columns(samples *t)
{
    for (size_t i = 0; i < t->events->nr; i++) {
        t->rotates |= t->feed->counts && t->events->list[i].rotated != NULL;
        t->sockets |= t->events->list[i].sockets;
    }
    if (t->rotates)
        cs_table_columns(&t->table, rotated_columns,
                         sizeof rotated_columns / sizeof rotated_columns[0]);
    else if (t->feed->counts)
        cs_table_columns(&t->table, count_columns,
                         sizeof count_columns / sizeof count_columns[0] - !t->sockets);
    else
        cs_table_columns(&t->table, sample_columns,
                         sizeof sample_columns / sizeof sample_columns[0] - !has_chains(t));
}

static cs_status open_samples(const cs_trace_place *place, void **state, cs_run_listener *listener,
                              cs_diag *diag)
{
    samples *t = calloc(1, sizeof *t);
    const cs_trace_sink sink = {.record = put, .count = put_count, .end = end, .ctx = t};
    cs_table_format format = CS_TABLE_CSV;
    cs_status status;

    *state = NULL;
    if (t == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for a trace");
    t->scenario = place->scenario;
    t->name = place->request->output;
    status = cs_table_format_of(place->request->format, &format, diag);
    if (status == CS_OK)
        status = cs_trace_feed_create(place, &sink, listener, &t->feed, diag);
    if (status == CS_OK && (t->file = fopen(place->path, "wb")) == NULL)
        status = cs_diag_set(diag, CS_ERR_IO, t->name, "cannot write: %s", strerror(errno));
    if (status != CS_OK) {
        close_samples(t);
        return status;
    }
    t->events = t->feed->events;
    cs_table_begin(&t->table, format, &(cs_text_sink){to_file, t->file});
    put_columns(t);
    *state = t;
    return CS_OK;
}

const cs_trace_format cs_trace_table = {
    .check = check,
    .open = open_samples,
    .close = close_samples,
};
