// SPDX-License-Identifier: Apache-2.0
#include "base/stream/perf_stat_line.h"

#include <string.h>

#define NS_PER_SECOND 1000000000u

typedef cs_perf_stat_field field;

typedef struct reader {
    const cs_perf_stat_place *place;
    const char *start, *end; /* of the line */
    const char *at;          /* the next field; NULL past the last */
    cs_diag *diag;
} reader;

/* How much of a bad field a message shows. */
#define SHOWN(f) (int)((f).size < 40 ? (f).size : 40), (f).text

/* ---- fields ---- */

static cs_status refuse(const reader *r, field at, const char *expected)
{
    return cs_diag_set_at(r->diag, CS_ERR_FORMAT, r->place->name, r->place->line, at.column,
                          "found \"%.*s\", expected %s", SHOWN(at), expected);
}

static field trimmed(const reader *r, const char *from, const char *to)
{
    while (from < to && (*from == ' ' || *from == '\t'))
        from++;
    while (to > from && (to[-1] == ' ' || to[-1] == '\t'))
        to--;
    return (field){from, (size_t)(to - from), (unsigned)(from - r->start) + 1};
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
        *out = (field){r->end, 0, (unsigned)(r->end - r->start) + 1};
        return false;
    }
    const char *end = find(r->at, r->end, r->place->separator);
    const char *slash = find(r->at, end, '/');
    if (event && slash < end && find(slash + 1, end, '/') == end) {
        const char *closing = find(slash + 1, r->end, '/');
        if (closing < r->end)
            end = find(closing, r->end, r->place->separator);
    }
    *out = trimmed(r, r->at, end);
    r->at = end < r->end ? end + 1 : NULL;
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
static cs_status read_time(const reader *r, field f, uint64_t *ns)
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

static cs_status read_count(const reader *r, field f, cs_perf_stat_line *out)
{
    static const char expected[] = "a count, <not counted> or <not supported>";
    size_t whole;

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
static cs_status read_cpu(const reader *r, field f, int32_t *cpu)
{
    uint64_t number;

    if (f.size > 3 && memcmp(f.text, "CPU", 3) == 0 &&
        digits(f.text + 3, f.size - 3, &number) == f.size - 3 && number <= INT32_MAX) {
        *cpu = (int32_t)number;
        return CS_OK;
    }
    return cs_diag_set_at(r->diag, CS_ERR_UNSUPPORTED, r->place->name, r->place->line, f.column,
                          "found \"%.*s\": only the plain form of perf stat and that of -A "
                          "(CPU0, CPU1, ...) are read",
                          SHOWN(f));
}

static bool is_count(field f)
{
    return f.size == 0 || is_digit(f.text[0]) || f.text[0] == '<' || f.text[0] == '-';
}

/* What is before the event. */
static cs_status read_counted(reader *r, cs_perf_stat_line *out)
{
    field *count = &out->value;
    cs_status status = CS_OK;

    if (r->place->timed) {
        next_field(r, false, &out->time);
        status = read_time(r, out->time, &out->end_ns);
    }
    if (status == CS_OK)
        next_field(r, false, count);
    if (status == CS_OK && !is_count(*count)) {
        status = read_cpu(r, *count, &out->cpu);
        next_field(r, false, count);
    }
    return status;
}

cs_status cs_perf_stat_line_read(const char *text, size_t size, const cs_perf_stat_place *place,
                                 cs_perf_stat_line *out, cs_diag *diag)
{
    reader r = {.place = place, .start = text, .end = text + size, .at = text, .diag = diag};
    const field all = trimmed(&r, text, text + size);

    *out = (cs_perf_stat_line){.cpu = CS_PERF_STAT_ALL_CPUS};
    if (all.size == 0 || all.text[0] == '#')
        return CS_OK;
    const cs_status status = read_counted(&r, out);
    if (status != CS_OK)
        return status;
    next_field(&r, false, &out->unit);
    if (!next_field(&r, true, &out->event))
        return refuse(&r, out->event,
                      place->timed ? "more fields: time,[CPUn,]count,unit,event"
                                   : "more fields: [CPUn,]count,unit,event");
    for (unsigned i = 0; i < sizeof out->more / sizeof out->more[0]; i++)
        next_field(&r, false, &out->more[i]);
    if (out->event.size == 0 && out->value.size == 0)
        return CS_OK;
    if (out->event.size == 0)
        return refuse(&r, out->event, "the name of an event");
    out->any = true;
    return read_count(&r, out->value, out);
}

bool cs_perf_stat_whole(const char *text, size_t size, uint64_t *out)
{
    return digits(text, size, out) == size && size > 0;
}

bool cs_perf_stat_is_time(const char *text, size_t size)
{
    uint64_t value;
    const size_t whole = digits(text, size, &value);

    return whole > 0 && size == whole + 10 && text[whole] == '.' && all_digits(text + whole + 1, 9);
}
