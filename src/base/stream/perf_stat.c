// SPDX-License-Identifier: Apache-2.0
#include "base/stream/perf_stat.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/stream/accumulator.h"
#include "base/stream/perf_stat_line.h"

#define MAX_CLOCK_MHZ 1000000u

typedef struct series {
    cs_perf_series view; /* its pointers are set when all is read */
    char *event;
    uint64_t *end_ns;
    uint64_t *counts;
    size_t count;
    size_t capacity;
} series;

struct cs_perf_stat {
    series *series;
    size_t count;
    size_t capacity;
};

typedef struct reader {
    const char *name;
    char separator;
    unsigned line;
    size_t last; /* the series of the line before */
    cs_diag *diag;
} reader;

/* ---- tables ---- */

static cs_status no_memory(const reader *r)
{
    return cs_diag_set_at(r->diag, CS_ERR_NO_MEMORY, r->name, r->line, 0,
                          "no memory for the counts");
}

static bool is_series(const series *s, const cs_perf_stat_line *line)
{
    return s->view.cpu == line->cpu && strlen(s->event) == line->event.size &&
           memcmp(s->event, line->event.text, line->event.size) == 0;
}

/* The series of that event and CPU, made where there is none yet. */
static series *series_of(cs_perf_stat *stat, reader *r, const cs_perf_stat_line *line)
{
    /* Every interval has the same lines: the next one is nearly always right. */
    for (size_t i = 0; i < stat->count; i++) {
        size_t index = (r->last + 1 + i) % stat->count;
        if (is_series(&stat->series[index], line)) {
            r->last = index;
            return &stat->series[index];
        }
    }
    if (stat->count == stat->capacity) {
        size_t capacity = stat->capacity > 0 ? 2 * stat->capacity : 16;
        series *grown = realloc(stat->series, capacity * sizeof *grown);
        if (grown == NULL)
            return NULL;
        stat->series = grown;
        stat->capacity = capacity;
    }
    char *name = malloc(line->event.size + 1);
    if (name == NULL)
        return NULL;
    memcpy(name, line->event.text, line->event.size);
    name[line->event.size] = '\0';
    r->last = stat->count;
    stat->series[stat->count] = (series){.event = name, .view = {.event = name, .cpu = line->cpu}};
    return &stat->series[stat->count++];
}

static bool append(series *s, const cs_perf_stat_line *line)
{
    if (s->count == s->capacity) {
        size_t capacity = s->capacity > 0 ? 2 * s->capacity : 64;
        uint64_t *ends = realloc(s->end_ns, capacity * sizeof *ends);
        if (ends == NULL)
            return false;
        s->end_ns = ends;
        uint64_t *counts = realloc(s->counts, capacity * sizeof *counts);
        if (counts == NULL)
            return false;
        s->counts = counts;
        s->capacity = capacity;
    }
    s->end_ns[s->count] = line->end_ns;
    s->counts[s->count++] = line->count;
    s->view.not_counted += !line->counted;
    s->view.fractional |= line->fractional;
    return true;
}

static cs_status read_line(cs_perf_stat *stat, reader *r, const char *text, size_t size)
{
    const cs_perf_stat_place place = {r->name, r->line, r->separator, true};
    cs_perf_stat_line line;
    const cs_status status = cs_perf_stat_line_read(text, size, &place, &line, r->diag);

    if (status != CS_OK || !line.any)
        return status;
    series *to = series_of(stat, r, &line);
    if (to == NULL)
        return no_memory(r);
    if (to->count > 0 && to->end_ns[to->count - 1] >= line.end_ns)
        return cs_diag_set_at(r->diag, CS_ERR_FORMAT, r->name, r->line, line.time.column,
                              "found \"%.*s\", expected a time later than the last one of this "
                              "event",
                              (int)(line.time.size < 40 ? line.time.size : 40), line.time.text);
    return append(to, &line) ? CS_OK : no_memory(r);
}

cs_status cs_perf_stat_parse(const char *text, size_t size, const char *name, char separator,
                             cs_perf_stat **out, cs_diag *diag)
{
    reader r = {.name = name, .separator = separator, .diag = diag};
    const char *end = text + size;
    cs_status status = CS_OK;

    *out = NULL;
    cs_perf_stat *stat = calloc(1, sizeof *stat);
    if (stat == NULL)
        return no_memory(&r);
    for (const char *at = text, *newline; at < end && status == CS_OK; at = newline + 1) {
        newline = memchr(at, '\n', (size_t)(end - at));
        newline = newline != NULL ? newline : end;
        r.line++;
        const size_t bytes = (size_t)(newline - at);
        status = read_line(stat, &r, at, bytes - (bytes > 0 && newline[-1] == '\r'));
    }
    if (status == CS_OK && stat->count == 0)
        status = cs_diag_set_at(diag, CS_ERR_FORMAT, name, r.line > 0 ? r.line : 1, 1,
                                "no counts: expected lines time,[CPUn,]count,unit,event as perf "
                                "stat -I -x%c writes them",
                                separator);
    if (status != CS_OK) {
        cs_perf_stat_destroy(stat);
        return status;
    }
    for (size_t i = 0; i < stat->count; i++) {
        series *s = &stat->series[i];
        s->view.intervals = s->count;
        s->view.end_ns = s->end_ns;
        s->view.counts = s->counts;
    }
    *out = stat;
    return CS_OK;
}

void cs_perf_stat_destroy(cs_perf_stat *stat)
{
    if (stat == NULL)
        return;
    for (size_t i = 0; i < stat->count; i++) {
        free(stat->series[i].event);
        free(stat->series[i].end_ns);
        free(stat->series[i].counts);
    }
    free(stat->series);
    free(stat);
}

size_t cs_perf_stat_count(const cs_perf_stat *stat)
{
    return stat->count;
}

const cs_perf_series *cs_perf_stat_at(const cs_perf_stat *stat, size_t index)
{
    return index < stat->count ? &stat->series[index].view : NULL;
}

const cs_perf_series *cs_perf_stat_find(const cs_perf_stat *stat, const char *event, int32_t cpu)
{
    for (size_t i = 0; i < stat->count; i++)
        if (stat->series[i].view.cpu == cpu && strcmp(stat->series[i].event, event) == 0)
            return &stat->series[i].view;
    return NULL;
}

/* ---- streams ---- */

cs_status cs_perf_series_stream(const cs_perf_series *s, uint32_t clock_mhz, cs_stream_after after,
                                cs_stream_pool *pool, const cs_stream **out, cs_diag *diag)
{
    *out = NULL;
    if (clock_mhz == 0 || clock_mhz > MAX_CLOCK_MHZ)
        return cs_diag_set(diag, CS_ERR_RANGE, s->event,
                           "bus clock of %" PRIu32 " MHz: must be 1..%u", clock_mhz, MAX_CLOCK_MHZ);
    if (s->fractional)
        return cs_diag_set(diag, CS_ERR_UNSUPPORTED, s->event,
                           "its counts have digits after the point: they are a quantity, not "
                           "events, and cannot be replayed");

    cs_stream_interval *intervals = calloc(s->intervals, sizeof *intervals);
    if (intervals == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, s->event, "no memory for %zu intervals",
                           s->intervals);
    for (size_t i = 0; i < s->intervals; i++) {
        cs_u128 cycles = (cs_u128)s->end_ns[i] * clock_mhz / 1000;
        intervals[i].end = cycles < CS_NEVER ? (cs_cycle)cycles : CS_NEVER;
        intervals[i].count = s->counts[i];
    }
    cs_diag why;
    cs_status status = cs_stream_replay(pool, intervals, s->intervals, after, out, &why);
    free(intervals);
    if (status != CS_OK)
        cs_diag_set(diag, status, s->event, "at %" PRIu32 " MHz: %s", clock_mhz, why.text);
    return status;
}
