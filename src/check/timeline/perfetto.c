// SPDX-License-Identifier: Apache-2.0
/* Timelines in Perfetto's flavours. */
#include <stdlib.h>
#include <string.h>

#include "check/checker.h"
#include "check/families.h"
#include "formats/perfetto/read/json.h"
#include "formats/perfetto/read/proto.h"

/* What tells an event's kind. */
typedef struct event {
    const cs_evtable *table;
    char phase; /* as in Trace Event JSON */
    const char *name, *unit;
    const cs_event_fields *args;
} event;

/* A counter's unit is in JSON its argument. */
static bool has(const event *e, const char *what)
{
    return (e->table->ev.has >> cs_evtable_column_of(e->table, what) & 1u) != 0 ||
           cs_event_field_of(e->args, what) != NULL ||
           (e->unit != NULL && strcmp(e->unit, what) == 0);
}

static bool is_of(const cs_timeline_kind *row, const void *ctx)
{
    const event *e = ctx;

    return row->phase != '\0' && e->phase == row->phase &&
           (row->name == NULL || (e->name != NULL && strcmp(e->name, row->name) == 0)) &&
           has(e, row->first) && (row->second == NULL || has(e, row->second));
}

/* ---- Trace Event JSON ---- */

static cs_status add_track(cs_evtable *table, const cs_traceevent *e)
{
    const cs_event_field *name = cs_event_field_of(&e->args, "name");

    return name != NULL ? cs_evtable_track(table, e->pid, e->tid, e->name, name->text) : CS_OK;
}

static cs_status fill_json(cs_checking *check, cs_traceread *reader, cs_evtable *table)
{
    cs_traceevent *e = NULL;
    cs_diag diag = {0};
    bool more = true;
    cs_status status = CS_OK;

    while (status == CS_OK && more) {
        const cs_status read = cs_traceread_next(reader, &e, &diag);

        if (read != CS_OK)
            return cs_check_ended(check, read, &diag);
        if (e == NULL)
            return CS_OK;
        if (e->phase == 'M') {
            status = add_track(table, e);
            continue;
        }
        cs_evtable_begin(table);
        cs_evtable_fields(table, &e->args);
        cs_evtable_kind(table, true, is_of, &(event){table, e->phase, e->name, NULL, &e->args});
        cs_evtable_text(table, CS_EV_PROCESS, e->pid);
        cs_evtable_text(table, CS_EV_THREAD, e->tid);
        cs_evtable_text(table, CS_EV_NAME, e->name);
        cs_evtable_number(table, CS_EV_OFFSET, e->offset);
        cs_evtable_number(table, CS_EV_TIME, (uint64_t)e->time_ns);
        if (e->has_duration)
            cs_evtable_number(table, CS_EV_DURATION, (uint64_t)e->duration_ns);
        status = cs_evtable_take(table, &more);
    }
    return status;
}

/* ---- Perfetto's protocol buffers ---- */

/* As JSON calls it. */
static char phase_of(cs_perfettoread_kind kind)
{
    static const char phases[CS_PERFETTOREAD_OTHER + 1] = {[CS_PERFETTOREAD_BEGIN] = 'X',
                                                           [CS_PERFETTOREAD_COMPLETE] = 'X',
                                                           [CS_PERFETTOREAD_INSTANT] = 'i',
                                                           [CS_PERFETTOREAD_COUNTER] = 'C'};

    return phases[kind];
}

/* A counter's value, in the column of its unit. What a double has above 2^53 the reader leaves as a text; what
 * is 2^64 there is no number to either reader. */
static void take_value(cs_evtable *table, const cs_perfettoread_event *e)
{
    const unsigned column = e->unit != NULL ? cs_evtable_column_of(table, e->unit) : 0;
    double value;

    if (column == 0)
        return;
    table->ev.has |= UINT64_C(1) << column;
    value = e->is_whole ? 0 : strtod(e->value, NULL);
    if (e->is_whole)
        cs_evtable_number(table, (int)column, (uint64_t)e->number);
    else if (value < 0x1p53) /* all above are whole */
        cs_evtable_text(table, (int)column, e->value);
    else if (value < 0x1p64)
        cs_evtable_number(table, (int)column, (uint64_t)value);
}

/* The truth's 64 bits without a sign, as the double of a counter has them. */
static void as_double(sqlite3_context *ctx, int nr, sqlite3_value **values)
{
    const double value = (double)(uint64_t)sqlite3_value_int64(values[0]);

    (void)nr;
    if (sqlite3_value_type(values[0]) != SQLITE_INTEGER || value >= 0x1p64)
        sqlite3_result_null(ctx);
    else
        sqlite3_result_int64(ctx, (int64_t)(uint64_t)value);
}

cs_status cs_check_add_as_double(cs_checking *check)
{
    const int result = sqlite3_create_function(
        check->db, "as_double", 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, NULL, as_double, NULL, NULL);

    return result == SQLITE_OK ? CS_OK
                               : cs_diag_set(check->diag, CS_ERR_NO_MEMORY, NULL, "out of memory");
}

/* Names of groups and tracks are known with each event: they stand in for pid and tid. */
static cs_status fill_proto(cs_checking *check, cs_perfettoread *reader, cs_evtable *table,
                            sqlite3_stmt *ends)
{
    cs_perfettoread_event *e = NULL;
    cs_diag diag = {0};
    bool more = true;
    cs_status status = CS_OK;

    while (status == CS_OK && more) {
        const cs_status read = cs_perfettoread_next(reader, &e, &diag);

        if (read != CS_OK)
            return cs_check_ended(check, read, &diag);
        if (e == NULL)
            return CS_OK;
        if (e->kind == CS_PERFETTOREAD_TRACK)
            continue;
        if (e->kind == CS_PERFETTOREAD_END) {
            status = cs_check_insert(check, ends, (int64_t[]){(int64_t)e->slice, e->time_ns}, 2);
            continue;
        }
        cs_evtable_begin(table);
        cs_evtable_fields(table, &e->args);
        take_value(table, e);
        cs_evtable_kind(table, true, is_of,
                        &(event){table, phase_of(e->kind), e->name, e->unit, &e->args});
        cs_evtable_text(table, CS_EV_PROCESS, e->group);
        cs_evtable_text(table, CS_EV_THREAD, e->track);
        cs_evtable_text(table, CS_EV_NAME, e->name);
        cs_evtable_number(table, CS_EV_OFFSET, e->offset);
        cs_evtable_number(table, CS_EV_TIME, (uint64_t)e->time_ns);
        cs_evtable_number(table, CS_EV_SLICE, e->slice);
        status = cs_evtable_take(table, &more);
    }
    return status;
}

static const char *const resolve_proto[] = {
    "CREATE INDEX slice_end_at ON slice_end(slice)",
    "UPDATE ev SET duration=(SELECT s.time-ev.time FROM slice_end s WHERE s.slice=ev.slice) WHERE "
    "slice>0",
    "INSERT INTO track SELECT DISTINCT process, NULL, 'process_name', process FROM ev",
    "INSERT INTO track SELECT DISTINCT process, thread, 'thread_name', thread FROM ev",
};

/* ---- the whole ---- */

static const char *const make_processes[] = {
    "DROP TABLE IF EXISTS process",
    "CREATE TABLE process AS SELECT pid, name, CASE WHEN name LIKE 'cpu %' THEN "
    "CAST(substr(name,5) AS INTEGER) END AS cpu, CASE WHEN name LIKE 'cpu %' THEN 'core "
    "'||substr(name,5) ELSE name END AS unit FROM track t WHERE kind='process_name'",
    "CREATE INDEX process_at ON process(pid)",
};

cs_status cs_perfetto_processes(cs_checking *check)
{
    cs_status status = CS_CHECK_DO_ALL(check, make_processes);

    for (size_t i = 0; i < CS_CHECK_NR_FAMILIES; i++) {
        const char *const *sql = cs_check_families[i]->resolve_perfetto;

        for (; status == CS_OK && sql != NULL && *sql != NULL; sql++)
            status = cs_check_do(check, *sql);
    }
    return status;
}

/* Groups and tracks by their names: tracks, what is the process of an event, then what that is. What a
 * stream's event gets, known.c tells in other words. */
static const char *const resolve_tracks[] = {
    "CREATE INDEX track_at ON track(kind, pid, tid)",
    "UPDATE ev SET track=(SELECT name FROM track t WHERE t.kind='thread_name' AND t.pid=ev.process "
    "AND t.tid=ev.thread) WHERE kind NOT IN ('count','load')",
    "UPDATE ev SET manager=track WHERE kind='transfer'",
    "UPDATE ev SET manager=substr(name,1,length(name)-5) WHERE kind='load' AND name LIKE '% load'",
};
static const char resolve_processes[] =
    "UPDATE ev SET (cpu, unit)=(SELECT cpu, unit FROM process p WHERE p.pid=ev.process) WHERE kind "
    "NOT IN ('transfer','load')";

static cs_status resolve_json(cs_checking *check)
{
    cs_status status = CS_CHECK_DO_ALL(check, resolve_tracks);

    if (status == CS_OK)
        status = cs_perfetto_processes(check);
    return status == CS_OK ? cs_check_do(check, resolve_processes) : status;
}

static cs_status read_json(cs_checking *check, const cs_byte_source *source, cs_evtable *table)
{
    cs_traceread *reader = NULL;
    cs_status status = cs_traceread_open(source, check->request->path, &reader, check->diag);

    if (status == CS_OK)
        status = fill_json(check, reader, table);
    cs_traceread_close(reader);
    return status;
}

static cs_status read_proto(cs_checking *check, const cs_byte_source *source, cs_evtable *table)
{
    cs_perfettoread *reader = NULL;
    sqlite3_stmt *ends = NULL;
    cs_status status = cs_check_do(check, "CREATE TABLE slice_end(slice INTEGER, time INTEGER)");

    if (status == CS_OK)
        status = cs_check_prepare(check, "INSERT INTO slice_end VALUES(?,?)", &ends);
    if (status == CS_OK)
        status = cs_perfettoread_open(source, check->request->path, &reader, check->diag);
    if (status == CS_OK)
        status = fill_proto(check, reader, table, ends);
    sqlite3_finalize(ends);
    cs_perfettoread_close(reader);
    return status;
}

static cs_status resolve_both(cs_checking *check)
{
    const cs_status status = CS_CHECK_DO_ALL(check, resolve_proto);

    return status == CS_OK ? resolve_json(check) : status;
}

static cs_status check_timeline(cs_checking *check)
{
    static const cs_timeline_reader json = {.ns = true,
                                            .read = read_json,
                                            .resolve = resolve_json,
                                            .resolve_one = cs_known_resolve_tracks};
    /* Its slices end with events of their own. */
    static const cs_timeline_reader proto = {
        .ns = true, .read = read_proto, .resolve = resolve_both};
    const bool is_json = cs_perfettoread_is_json(check->in.look, check->in.looked);

    return cs_check_timeline(check, is_json ? &json : &proto);
}

const cs_checker cs_checker_perfetto = {.check = check_timeline};
