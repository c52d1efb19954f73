// SPDX-License-Identifier: Apache-2.0
#include "formats/perf_stat/read/perf_stat.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/stream/perf_stat_line.h"
#include "formats/perf_stat/read/json_line.h"

#define BUFFER_BYTES 65536u
#define STARTED "# started on "
#define FOR_PEOPLE "Performance counter stats for"

static const char separators[] = ",;|\t";

struct cs_statread {
    cs_byte_source source;
    const char *name;
    char buffer[BUFFER_BYTES];
    size_t have, at; /* of the buffer */
    uint64_t before; /* bytes of the file before it */
    bool begun, json;
    cs_perf_stat_place place;
    cs_statread_row row;
    cs_statread_texts texts;
};

cs_status cs_statread_open(const cs_byte_source *source, const char *name, cs_statread **out,
                           cs_diag *diag)
{
    cs_statread *r = calloc(1, sizeof *r);

    *out = r;
    if (r == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, name, "no memory for a reader");
    r->source = *source;
    r->name = name;
    r->place.name = name;
    return CS_OK;
}

void cs_statread_close(cs_statread *reader)
{
    free(reader);
}

/* ---- lines ---- */

/* The next line, without its end; NULL: the file has ended. */
static cs_status next_line(cs_statread *r, const char **line, size_t *bytes, cs_diag *diag)
{
    const char *end = NULL;
    bool more = true;

    *line = NULL;
    while ((end = memchr(r->buffer + r->at, '\n', r->have - r->at)) == NULL && more) {
        size_t got = 0;

        memmove(r->buffer, r->buffer + r->at, r->have - r->at);
        r->before += r->at;
        r->have -= r->at;
        r->at = 0;
        if (r->have == BUFFER_BYTES)
            return cs_diag_set_at(diag, CS_ERR_FORMAT, r->name, r->place.line + 1, 1,
                                  "a line of more than %u bytes", BUFFER_BYTES);
        const cs_status status = r->source.read(r->source.ctx, (uint8_t *)r->buffer + r->have,
                                                BUFFER_BYTES - r->have, &got, diag);

        if (status != CS_OK)
            return status;
        r->have += got;
        more = got > 0;
    }
    if (end == NULL && r->at == r->have)
        return CS_OK;
    *line = r->buffer + r->at;
    *bytes = end != NULL ? (size_t)(end - *line) : r->have - r->at;
    r->row = (cs_statread_row){.offset = r->before + r->at};
    r->at += *bytes + (end != NULL);
    *bytes -= *bytes > 0 && (*line)[*bytes - 1] == '\r';
    r->place.line++;
    return CS_OK;
}

static size_t blanks(const char *line, size_t bytes)
{
    size_t i = 0;

    while (i < bytes && line[i] == ' ')
        i++;
    return i;
}

/* What the first line with a count says of all: how they are separated, and whether they have times. */
static bool learn(const char *line, size_t bytes, char *separator, bool *timed)
{
    const size_t from = blanks(line, bytes);
    size_t end = from;

    while (end < bytes && memchr(separators, line[end], sizeof separators - 1) == NULL)
        end++;
    if (end == bytes)
        return false;
    *separator = line[end];
    *timed = cs_perf_stat_is_time(line + from, end - from);
    return true;
}

static bool is_empty(const char *line, size_t bytes)
{
    const size_t from = blanks(line, bytes);

    return from == bytes || line[from] == '#';
}

static cs_status begin(cs_statread *r, const char *line, size_t bytes, cs_diag *diag)
{
    const size_t from = blanks(line, bytes);
    const size_t word = sizeof FOR_PEOPLE - 1;

    r->begun = true;
    r->json = line[from] == '{';
    if (bytes - from >= word && memcmp(line + from, FOR_PEOPLE, word) == 0)
        return cs_diag_set_at(diag, CS_ERR_FORMAT, r->name, r->place.line, (unsigned)from + 1,
                              "found the table for people, expected what perf stat -x, or -j "
                              "prints");
    if (!r->json && !learn(line, bytes, &r->place.separator, &r->place.timed))
        return cs_diag_set_at(diag, CS_ERR_FORMAT, r->name, r->place.line, (unsigned)from + 1,
                              "found \"%.*s\", expected a count and its event, as perf stat -x, "
                              "or -j prints them",
                              (int)(bytes - from < 40 ? bytes - from : 40), line + from);
    return CS_OK;
}

/* ---- counts ---- */

static bool ends_in(const cs_perf_stat_field *f, char c)
{
    return f->size > 0 && f->text[f->size - 1] == c;
}

static cs_status too_long(const cs_statread *r, cs_diag *diag)
{
    return cs_diag_set_at(diag, CS_ERR_FORMAT, r->name, r->place.line, 1,
                          "a name or a number of more than %u bytes", CS_STATREAD_TEXT - 1);
}

/* Of a line of -x. */
static cs_status take_line(cs_statread *r, const char *line, size_t bytes, bool *any, cs_diag *diag)
{
    cs_perf_stat_line l;
    cs_statread_row *row = &r->row;
    const cs_status status = cs_perf_stat_line_read(line, bytes, &r->place, &l, diag);
    const cs_perf_stat_field *rest = l.more;

    *any = status == CS_OK && l.any;
    if (!*any)
        return status;
    row->mean = ends_in(&rest[0], '%');
    row->timed = r->place.timed;
    row->end_ns = l.end_ns;
    row->cpu = l.cpu;
    row->count = l.count;
    row->whole = !l.fractional;
    row->has_running = !row->mean && rest[0].size > 0 && rest[1].size > 0;
    if (!cs_statread_keep(&r->texts, &row->value, l.counted ? l.value.text : NULL, l.value.size) ||
        !cs_statread_keep(&r->texts, &row->unit, l.unit.text, l.unit.size) ||
        !cs_statread_keep(&r->texts, &row->event, l.event.text, l.event.size) ||
        !cs_statread_keep(&r->texts, &row->percent, row->has_running ? rest[1].text : NULL,
                          rest[1].size))
        return too_long(r, diag);
    if (row->has_running && !cs_perf_stat_whole(rest[0].text, rest[0].size, &row->running_ns))
        return cs_diag_set_at(diag, CS_ERR_FORMAT, r->name, r->place.line, rest[0].column,
                              "found \"%.*s\", expected the time on a counter, in ns",
                              (int)rest[0].size, rest[0].text);
    return CS_OK;
}

cs_status cs_statread_next(cs_statread *r, const cs_statread_row **row, cs_diag *diag)
{
    const char *line = NULL;
    size_t bytes = 0;
    bool any = false;

    *row = NULL;
    while (!any) {
        cs_status status = next_line(r, &line, &bytes, diag);

        if (status != CS_OK || line == NULL)
            return status;
        if (memchr(line, '\0', bytes) != NULL)
            return cs_diag_set_at(diag, CS_ERR_FORMAT, r->name, r->place.line, 1, "found byte 0");
        if (is_empty(line, bytes))
            continue;
        if (!r->begun)
            status = begin(r, line, bytes, diag);
        r->texts.used = 0;
        if (status == CS_OK)
            status = r->json
                         ? cs_statread_json(line, bytes, &r->place, &r->texts, &r->row, &any, diag)
                         : take_line(r, line, bytes, &any, diag);
        if (status != CS_OK)
            return status;
    }
    *row = &r->row;
    return CS_OK;
}

/* ---- printing ---- */

static const cs_table_column columns[] = {
    {"offset", CS_CELL_NUMBER, 0, 9},    {"time_ns", CS_CELL_REAL, 0, 12},
    {"cpu", CS_CELL_REAL, 0, 4},         {"value", CS_CELL_REAL, 0, 14},
    {"unit", CS_CELL_NAME, 0, 6},        {"event", CS_CELL_NAME, 0, 24},
    {"running_ns", CS_CELL_REAL, 0, 12}, {"percent", CS_CELL_REAL, 0, 7},
};

cs_status cs_statread_print(cs_statread *reader, cs_table_format format, const cs_text_sink *sink,
                            cs_diag *diag)
{
    const cs_statread_row *row = NULL;
    cs_table table;
    cs_status status;

    cs_table_begin(&table, format, sink);
    cs_table_columns(&table, columns, sizeof columns / sizeof columns[0]);
    while ((status = cs_statread_next(reader, &row, diag)) == CS_OK && row != NULL &&
           table.status == CS_OK) {
        char time[24], cpu[16], running[24];

        snprintf(time, sizeof time, "%" PRIu64, row->end_ns);
        snprintf(cpu, sizeof cpu, "%" PRId32, row->cpu);
        snprintf(running, sizeof running, "%" PRIu64, row->running_ns);
        const cs_table_cell cells[] = {{.number = row->offset},
                                       {.name = row->timed ? time : NULL},
                                       {.name = row->cpu >= 0 ? cpu : NULL},
                                       {.name = row->value},
                                       {.name = row->unit[0] != '\0' ? row->unit : NULL},
                                       {.name = row->event},
                                       {.name = row->has_running ? running : NULL},
                                       {.name = row->percent}};
        cs_table_row(&table, cells);
    }
    cs_table_end(&table);
    if (status == CS_OK && table.status != CS_OK)
        return cs_diag_set(diag, table.status, NULL, "the table could not be written");
    return status;
}

/* ---- looking ---- */

/* A whole line of -x: what follows the event is a time and a share of it. */
static bool is_line(const char *line, size_t bytes)
{
    cs_perf_stat_place place = {.name = ""};
    cs_perf_stat_line l;
    cs_diag unused = {0};
    uint64_t running;

    if (!learn(line, bytes, &place.separator, &place.timed) ||
        cs_perf_stat_line_read(line, bytes, &place, &l, &unused) != CS_OK || !l.any)
        return false;
    return cs_perf_stat_whole(l.more[0].text, l.more[0].size, &running) && l.more[1].size > 3 &&
           l.more[1].text[l.more[1].size - 3] == '.';
}

/* Files of -o begin with the time at which perf began. */
bool cs_statread_looks_so(const uint8_t *look, size_t bytes)
{
    static const char value[] = "\"counter-value\"";
    const char *at = (const char *)look, *end = at + bytes;
    const char *newline = bytes != 0 ? memchr(at, '\n', bytes) : NULL;

    if (bytes > sizeof STARTED && memcmp(at, STARTED, sizeof STARTED - 1) == 0)
        return true;
    if (bytes > 0 && at[0] == '{') {
        for (; (size_t)(end - at) >= sizeof value - 1 && *at != '\n'; at++)
            if (memcmp(at, value, sizeof value - 1) == 0)
                return true;
        return false;
    }
    return newline != NULL && is_line(at, (size_t)(newline - at));
}
