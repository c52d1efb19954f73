// SPDX-License-Identifier: Apache-2.0
#include "base/stream/perf_stat.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/stream/accumulator.h"

#define NS_PER_SECOND 1000000000u
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
    const char *line_start;
    const char *line_end;
    const char *at; /* the next field; NULL past the last */
    size_t last;    /* the series of the line before */
    cs_diag *diag;
} reader;

/* Part of a line, without blanks at its ends. */
typedef struct field {
    const char *text;
    size_t size;
    unsigned column;
} field;

/* How much of a bad field a message shows. */
#define SHOWN(f) (int)((f).size < 40 ? (f).size : 40), (f).text

/* ---- fields ---- */

static cs_status refuse(reader *r, field at, const char *expected)
{
    return cs_diag_set_at(r->diag, CS_ERR_FORMAT, r->name, r->line, at.column,
                          "found \"%.*s\", expected %s", SHOWN(at), expected);
}

static field trimmed(const reader *r, const char *from, const char *to)
{
    while (from < to && (*from == ' ' || *from == '\t'))
        from++;
    while (to > from && (to[-1] == ' ' || to[-1] == '\t'))
        to--;
    return (field){from, (size_t)(to - from), (unsigned)(from - r->line_start) + 1};
}

static const char *find(const char *from, const char *end, char c)
{
    const char *found = from < end ? memchr(from, c, (size_t)(end - from)) : NULL;

    return found != NULL ? found : end;
}

/* False past the last field. An event is read to the separator after its last
 * slash: `cpu/event=0x3c,umask=0x0/` is one field. */
static bool next_field(reader *r, bool event, field *out)
{
    if (r->at == NULL) {
        *out = (field){r->line_end, 0, (unsigned)(r->line_end - r->line_start) + 1};
        return false;
    }
    const char *end = find(r->at, r->line_end, r->separator);
    const char *slash = find(r->at, end, '/');
    if (event && slash < end && find(slash + 1, end, '/') == end) {
        const char *closing = find(slash + 1, r->line_end, '/');
        if (closing < r->line_end)
            end = find(closing, r->line_end, r->separator);
    }
    *out = trimmed(r, r->at, end);
    r->at = end < r->line_end ? end + 1 : NULL;
    return true;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Leading digits; returns how many, 0 where there are none or they exceed 64 bits. */
static size_t digits(const char *text, size_t size, uint64_t *value)
{
    size_t i = 0;

    *value = 0;
    for (; i < size && is_digit(text[i]); i++)
        if (__builtin_mul_overflow(*value, 10, value) ||
            __builtin_add_overflow(*value, (uint64_t)(text[i] - '0'), value))
            return 0;
    return i;
}

static bool all_digits(const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (!is_digit(text[i]))
            return false;
    return true;
}

static bool is(field f, const char *text)
{
    return f.size == strlen(text) && memcmp(f.text, text, f.size) == 0;
}

/* Seconds, with up to nine digits after the point. */
static cs_status read_time(reader *r, field f, uint64_t *ns)
{
    static const char expected[] = "a time in seconds, as 1.000123456, later than 0";
    uint64_t seconds;
    size_t whole = digits(f.text, f.size, &seconds);

    if (whole == 0 || seconds >= NS_PER_SECOND)
        return refuse(r, f, expected);
    *ns = seconds * NS_PER_SECOND;
    if (whole < f.size) {
        const char *fraction = f.text + whole + 1;
        size_t size = f.size - whole - 1;
        uint64_t value;
        if (f.text[whole] != '.' || size > 9 || digits(fraction, size, &value) != size || size == 0)
            return refuse(r, f, expected);
        for (size_t i = size; i < 9; i++)
            value *= 10;
        *ns += value;
    }
    return *ns > 0 ? CS_OK : refuse(r, f, expected);
}

typedef struct reading {
    uint64_t count;
    bool counted;
    bool fractional;
} reading;

static cs_status read_count(reader *r, field f, reading *out)
{
    static const char expected[] = "a count, <not counted> or <not supported>";
    size_t whole;

    *out = (reading){0};
    if (is(f, "<not counted>") || is(f, "<not supported>"))
        return CS_OK;
    out->counted = true;
    whole = digits(f.text, f.size, &out->count);
    if (whole == 0)
        return refuse(r, f, expected);
    if (whole == f.size)
        return CS_OK;
    if (f.text[whole] != '.' || !all_digits(f.text + whole + 1, f.size - whole - 1))
        return refuse(r, f, expected);
    out->fractional = true;
    return CS_OK;
}

/* "CPU12". Other words of aggregation begin with a letter, too; a count does not. */
static cs_status read_cpu(reader *r, field f, int32_t *cpu)
{
    uint64_t number;

    if (f.size > 3 && memcmp(f.text, "CPU", 3) == 0 &&
        digits(f.text + 3, f.size - 3, &number) == f.size - 3 && number <= INT32_MAX) {
        *cpu = (int32_t)number;
        return CS_OK;
    }
    return cs_diag_set_at(r->diag, CS_ERR_UNSUPPORTED, r->name, r->line, f.column,
                          "found \"%.*s\": only the plain form of perf stat and that of -A "
                          "(CPU0, CPU1, ...) are read",
                          SHOWN(f));
}

/* ---- tables ---- */

static cs_status no_memory(const reader *r)
{
    return cs_diag_set_at(r->diag, CS_ERR_NO_MEMORY, r->name, r->line, 0,
                          "no memory for the counts");
}

static bool is_series(const series *s, field event, int32_t cpu)
{
    return s->view.cpu == cpu && is(event, s->event);
}

/* The series of that event and CPU, made where there is none yet. */
static series *series_of(cs_perf_stat *stat, reader *r, field event, int32_t cpu)
{
    /* Every interval has the same lines: the next one is nearly always right. */
    for (size_t i = 0; i < stat->count; i++) {
        size_t index = (r->last + 1 + i) % stat->count;
        if (is_series(&stat->series[index], event, cpu)) {
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
    char *name = malloc(event.size + 1);
    if (name == NULL)
        return NULL;
    memcpy(name, event.text, event.size);
    name[event.size] = '\0';
    r->last = stat->count;
    stat->series[stat->count] = (series){.event = name, .view = {.event = name, .cpu = cpu}};
    return &stat->series[stat->count++];
}

static bool append(series *s, uint64_t end_ns, reading found)
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
    s->end_ns[s->count] = end_ns;
    s->counts[s->count++] = found.count;
    s->view.not_counted += !found.counted;
    s->view.fractional |= found.fractional;
    return true;
}

static cs_status read_line(cs_perf_stat *stat, reader *r)
{
    field time, count, unit, event;
    uint64_t end_ns = 0;
    int32_t cpu = CS_PERF_STAT_ALL_CPUS;
    reading found;

    next_field(r, false, &time);
    if (time.size == 0 && r->at == NULL)
        return CS_OK;
    if (time.size > 0 && time.text[0] == '#')
        return CS_OK;
    cs_status status = read_time(r, time, &end_ns);
    if (status != CS_OK)
        return status;
    next_field(r, false, &count);
    if (count.size > 0 && !is_digit(count.text[0]) && count.text[0] != '<' &&
        count.text[0] != '-') {
        status = read_cpu(r, count, &cpu);
        if (status != CS_OK)
            return status;
        next_field(r, false, &count);
    }
    next_field(r, false, &unit);
    if (!next_field(r, true, &event))
        return refuse(r, event, "more fields: time,[CPUn,]count,unit,event");
    if (event.size == 0 && count.size == 0)
        return CS_OK;
    if (event.size == 0)
        return refuse(r, event, "the name of an event");
    status = read_count(r, count, &found);
    if (status != CS_OK)
        return status;

    series *to = series_of(stat, r, event, cpu);
    if (to == NULL)
        return no_memory(r);
    if (to->count > 0 && to->end_ns[to->count - 1] >= end_ns)
        return refuse(r, time, "a time later than the last one of this event");
    return append(to, end_ns, found) ? CS_OK : no_memory(r);
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
    for (const char *at = text; at < end && status == CS_OK; at = r.line_end + 1) {
        r.line++;
        r.line_start = r.at = at;
        r.line_end = find(at, end, '\n');
        const char *newline = r.line_end;
        if (r.line_end > at && r.line_end[-1] == '\r')
            r.line_end--;
        status = read_line(stat, &r);
        r.line_end = newline;
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
