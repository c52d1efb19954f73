// SPDX-License-Identifier: Apache-2.0
/* A timeline as a stream. Of each comparison that lists events their rows are added up to a number
 * (row_hash.h), and so are the truth's; events themselves are added up to a row of table ev for each
 * combination of texts, CPU and line (sums.c), which is what other comparisons ask. When all agree, what
 * compare.c would print is known. */
#include <stdlib.h>
#include <string.h>

#include "check/families.h"
#include "check/row_hash.h"
#include "check/timeline/sums.h"

#define MOST_VALUES 16u

/* A comparison that lists events. */
typedef struct listed {
    bool lists;
    bool unclear; /* its rows are not columns of the events: there may be none */
    unsigned nr_columns;
    uint8_t columns[MOST_VALUES]; /* of an event; 0: NULL */
    char before[32];              /* what stands before the first of them; "": nothing */
    bool ends;
    cs_rows_sum have;
} listed;

struct cs_evstream {
    cs_checking *check;
    const cs_timeline_reader *reader;
    cs_timeline_plan plan;
    listed listed[CS_TIMELINE_MOST];
    /* By kind, `other` behind them: the comparisons that list them, from 1. */
    uint8_t of_kind[CS_EV_MOST_KINDS + 1][4];
    cs_known *known;
    cs_evsums *sums;
    cs_seek_source file;
    uint64_t at;
    bool gave_up;
};

cs_known *cs_evstream_known(struct cs_evstream *stream)
{
    return stream->known;
}

/* ---- before the file ---- */

static unsigned column_named(const char *name, size_t bytes)
{
    for (unsigned i = 0; i < cs_evtable_nr_columns; i++)
        if (strlen(cs_evtable_columns[i].name) == bytes &&
            memcmp(cs_evtable_columns[i].name, name, bytes) == 0)
            return i;
    return 0;
}

static void list(const cs_timeline_comparison *c, bool ns, listed *out)
{
    const char *group = c->have.group;
    int at = 0;

    out->lists = true;
    out->ends = ns && c->have.ends;
    if (group != NULL && sscanf(group, "'%31[^']'||%n", out->before, &at) == 1)
        group += at; /* 'text'||column */
    out->columns[0] = group != NULL ? (uint8_t)column_named(group, strlen(group)) : 0;
    out->columns[1] = c->have.cpu ? CS_EV_CPU : 0;
    out->nr_columns = 2;
    out->unclear = group != NULL && out->columns[0] == 0;
    for (const char *name = c->columns; *name != '\0'; name += strspn(name, ", ")) {
        const size_t bytes = strcspn(name, ",");
        const unsigned column = column_named(name, bytes);

        out->unclear |= column == 0 || out->nr_columns == MOST_VALUES;
        if (!out->unclear)
            out->columns[out->nr_columns++] = (uint8_t)column;
        name += bytes;
    }
}

/* False: there are more of them than is thought of. */
static bool add_to_kind(struct cs_evstream *stream, size_t kind, size_t comparison)
{
    uint8_t *of = stream->of_kind[kind];
    const size_t most = sizeof stream->of_kind[0];
    size_t nr = 0;

    while (nr < most && of[nr] != 0)
        nr++;
    if (nr == most)
        return false;
    of[nr] = (uint8_t)(comparison + 1);
    return true;
}

/* False: there is a comparison that only table ev can answer. */
static bool prepare(struct cs_evstream *stream, const cs_evtable *table)
{
    const cs_timeline_plan *plan = &stream->plan;
    bool can = true;

    for (size_t i = 0; can && i < plan->nr_comparisons; i++) {
        const cs_timeline_comparison *c = plan->comparisons[i];

        if (c->have.select != NULL) {
            can = c->have.adds;
            continue;
        }
        list(c, plan->ns, &stream->listed[i]);
        for (size_t k = 0; can && k < table->nr_kinds; k++)
            if (strcmp(table->kinds[k]->kind, c->have.kind) == 0)
                can = add_to_kind(stream, k, i);
        if (can && strcmp(c->have.kind, "other") == 0)
            can = add_to_kind(stream, table->nr_kinds, i);
    }
    return can;
}

/* ---- the file ---- */

static void add_value(cs_row_hash *row, const cs_ev_value *value)
{
    if (value->text != NULL)
        cs_row_add_text(row, value->text, strlen(value->text));
    else if (value->is_number)
        cs_row_add(row, CS_ROW_NUMBER, (uint64_t)value->number);
    else
        cs_row_add(row, CS_ROW_NOTHING, 0);
}

static void add_event(listed *listed, const cs_ev *ev)
{
    static const cs_ev_value nothing = {0};
    cs_row_hash row = cs_row_begin();
    char text[64];
    unsigned i = 0;

    if (listed->before[0] != '\0' && ev->values[listed->columns[0]].is_number) {
        snprintf(text, sizeof text, "%s%lld", listed->before,
                 (long long)ev->values[listed->columns[0]].number);
        cs_row_add_text(&row, text, strlen(text));
        i = 1;
    }
    for (; i < listed->nr_columns; i++)
        add_value(&row, listed->columns[i] != 0 ? &ev->values[listed->columns[i]] : &nothing);
    if (listed->ends) {
        const cs_ev_value *time = &ev->values[CS_EV_TIME], *length = &ev->values[CS_EV_DURATION];
        const cs_ev_value end = {.number =
                                     (int64_t)((uint64_t)time->number + (uint64_t)length->number),
                                 .is_number = time->is_number && length->is_number};

        add_value(&row, &end);
    }
    cs_rows_add(&listed->have, &row);
}

cs_status cs_evstream_take(struct cs_evstream *stream, cs_evtable *table, bool *more)
{
    const uint8_t *of = stream->of_kind[table->ev.kind];
    cs_status status = stream->reader->resolve_one(stream->check, stream, &table->ev, more);

    if (status != CS_OK || !*more) {
        stream->gave_up = true;
        return status;
    }
    for (size_t i = 0; i < sizeof stream->of_kind[0] && of[i] != 0; i++) {
        add_event(&stream->listed[of[i] - 1], &table->ev);
        *more &= !stream->listed[of[i] - 1].unclear;
    }
    status = cs_evsums_add(stream->sums, &table->ev, more);
    stream->gave_up |= !*more;
    return status;
}

/* ---- the truth ---- */

static void add_result(cs_row_hash *row, sqlite3_stmt *query, int column)
{
    switch (sqlite3_column_type(query, column)) {
    case SQLITE_NULL:
        cs_row_add(row, CS_ROW_NOTHING, 0);
        break;
    case SQLITE_INTEGER:
        cs_row_add(row, CS_ROW_NUMBER, (uint64_t)sqlite3_column_int64(query, column));
        break;
    case SQLITE_TEXT: {
        const char *text = (const char *)sqlite3_column_text(query, column);

        if (text != NULL)
            cs_row_add_text(row, text, (size_t)sqlite3_column_bytes(query, column));
        break;
    }
    default: /* an event has none */
        cs_row_add(row, CS_ROW_REAL, 0);
    }
}

/* Whether the wanted rows are those of the file. How many each group has goes into table groups_NR. */
static cs_status hold_listed(struct cs_evstream *stream, size_t nr, bool *same)
{
    const listed *listed = &stream->listed[nr];
    sqlite3_str *sql = sqlite3_str_new(stream->check->db);
    cs_rows_sum want = {.rows = 0};
    cs_evgroups *groups = NULL;
    sqlite3_stmt *query = NULL;
    char columns[128], *text;
    int step = SQLITE_DONE;

    cs_timeline_columns(&stream->plan, nr, columns, sizeof columns);
    sqlite3_str_appendf(sql, "SELECT grp, cpu, %s FROM (", columns);
    cs_timeline_put_want(sql, &stream->plan, nr);
    sqlite3_str_appendall(sql, ")");
    text = sqlite3_str_finish(sql);
    cs_status status = cs_evgroups_create(stream->check, &groups);
    if (status == CS_OK)
        status = cs_check_prepare(stream->check, text != NULL ? text : "", &query);
    const int nr_values = query != NULL ? sqlite3_column_count(query) : 0;
    while (status == CS_OK && (step = sqlite3_step(query)) == SQLITE_ROW) {
        cs_row_hash row = cs_row_begin();

        add_result(&row, query, 0);
        add_result(&row, query, 1);
        status = cs_evgroups_add(groups, &row, query);
        for (int i = 2; i < nr_values; i++)
            add_result(&row, query, i);
        cs_rows_add(&want, &row);
    }
    *same =
        status == CS_OK && step == SQLITE_DONE && memcmp(&want, &listed->have, sizeof want) == 0;
    sqlite3_finalize(query);
    sqlite3_free(text);
    if (*same)
        status = cs_evgroups_store(groups, (unsigned)nr);
    cs_evgroups_destroy(groups);
    return status;
}

static cs_status hold_summed(struct cs_evstream *stream, size_t nr, bool *same)
{
    char columns[128], sql[512];
    cs_status status = cs_timeline_make(stream->check, &stream->plan, nr);

    cs_timeline_columns(&stream->plan, nr, columns, sizeof columns);
    snprintf(sql, sizeof sql,
             "SELECT (SELECT rows_hash(grp, cpu, %s) FROM want) = "
             "(SELECT rows_hash(grp, cpu, %s) FROM have)",
             columns, columns);
    return status == CS_OK ? cs_check_any(stream->check, sql, same) : status;
}

/* ---- what compare.c would print ---- */

static cs_status print_listed(cs_checking *check, const cs_timeline_comparison *c, unsigned nr)
{
    char sql[256];

    snprintf(sql, sizeof sql,
             "SELECT '%s', grp, cpu, n, n, 0, 'exact', '' FROM groups_%u ORDER BY grp, cpu",
             c->what, nr);
    return cs_check_rows(check, sql);
}

static cs_status print(struct cs_evstream *stream)
{
    cs_checking *check = stream->check;
    cs_status status = CS_OK;
    char columns[128];

    for (size_t i = 0; status == CS_OK && i < stream->plan.nr_comparisons; i++) {
        const cs_timeline_comparison *c = stream->plan.comparisons[i];

        if (stream->listed[i].lists) {
            status = print_listed(check, c, (unsigned)i);
            continue;
        }
        cs_timeline_columns(&stream->plan, i, columns, sizeof columns);
        status = cs_timeline_make(check, &stream->plan, i);
        if (status == CS_OK)
            status = cs_check_same(check, c->what, columns);
    }
    return status == CS_OK ? cs_timeline_software(check, &stream->plan) : status;
}

/* ---- the whole ---- */

static cs_status read_on(void *ctx, uint8_t *out, size_t bytes, size_t *got, cs_diag *diag)
{
    struct cs_evstream *stream = ctx;
    const cs_status status =
        stream->file.read_at(stream->file.ctx, stream->at, out, bytes, got, diag);

    stream->at += *got;
    return status;
}

static cs_status read_file(struct cs_evstream *stream, cs_evtable *table)
{
    cs_checking *check = stream->check;
    const cs_byte_source source = {read_on, stream};
    cs_status status = cs_timeline_plan_of(check, stream->reader->ns, &stream->plan);

    if (status == CS_OK)
        status = cs_known_create(check, &stream->known);
    if (status == CS_OK)
        status = cs_evsums_create(check, &stream->sums);
    stream->gave_up = status != CS_OK || !prepare(stream, table);
    if (!stream->gave_up)
        status = stream->reader->read(check, &source, table);
    stream->gave_up |= check->damage != CS_OK;
    check->damage = CS_OK;
    if (status == CS_OK && !stream->gave_up)
        status = cs_evsums_store(stream->sums, table);
    return status;
}

static cs_status compare(struct cs_evstream *stream, bool *same)
{
    cs_status status = CS_OK;

    *same = true;
    for (size_t i = 0; status == CS_OK && *same && i < stream->plan.nr_comparisons; i++)
        status =
            stream->listed[i].lists ? hold_listed(stream, i, same) : hold_summed(stream, i, same);
    return status;
}

cs_status cs_timeline_stream(cs_checking *check, const cs_timeline_reader *reader, bool *agrees)
{
    struct cs_evstream *stream = calloc(1, sizeof *stream);
    cs_evtable table = {0};
    cs_status status = CS_ERR_NO_MEMORY;

    *agrees = false;
    if (stream == NULL)
        return status;
    stream->check = check;
    stream->reader = reader;
    if (check->in.file == NULL || cs_input_seek_source(&check->in, &stream->file)) {
        status = cs_evtable_open(check, stream, &table);
        if (status == CS_OK)
            status = read_file(stream, &table);
        cs_evtable_close(&table);
        if (status == CS_OK && !stream->gave_up)
            status = compare(stream, agrees);
        if (status != CS_OK)
            *agrees = false;
        if (*agrees)
            status = print(stream);
    }
    cs_known_destroy(stream->known);
    cs_evsums_destroy(stream->sums);
    free(stream);
    return status;
}
