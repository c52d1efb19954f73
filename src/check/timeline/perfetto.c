/* Timelines in Perfetto's flavours: their events into table ev. */
#include <string.h>

#include "check/checker.h"
#include "check/families.h"
#include "formats/perfetto/read/json.h"
#include "formats/perfetto/read/proto.h"

/* What tells an event's kind. */
typedef struct event {
    char phase; /* as in Trace Event JSON */
    const char *name, *unit;
    const cs_event_fields *args;
} event;

/* A counter's unit is in JSON its argument. */
static bool has(const event *e, const char *what)
{
    return cs_event_field_of(e->args, what) != NULL ||
           (e->unit != NULL && strcmp(e->unit, what) == 0);
}

static bool is_of(const cs_timeline_kind *row, const void *ctx)
{
    const event *e = ctx;

    return row->phase != '\0' && e->phase == row->phase &&
           (row->name == NULL || (e->name != NULL && strcmp(e->name, row->name) == 0)) &&
           has(e, row->first) && (row->second == NULL || has(e, row->second));
}

static const char *kind_of(const event *e)
{
    return cs_timeline_kind_of(is_of, e);
}

/* ---- Trace Event JSON ---- */

static cs_status add_track(cs_checking *check, sqlite3_stmt *insert, const cs_traceevent *e)
{
    const cs_event_field *name = cs_event_field_of(&e->args, "name");

    if (name == NULL)
        return CS_OK;
    sqlite3_clear_bindings(insert);
    cs_evtable_text(check, insert, 0, e->pid);
    cs_evtable_text(check, insert, 1, e->tid);
    cs_evtable_text(check, insert, 2, e->name);
    cs_evtable_text(check, insert, 3, name->text);
    return cs_check_insert(check, insert, NULL, 0);
}

static cs_status fill_json(cs_checking *check, cs_traceread *reader, sqlite3_stmt *insert,
                           sqlite3_stmt *tracks)
{
    cs_traceevent *e = NULL;
    cs_diag diag = {0};
    cs_status status = CS_OK;

    while (status == CS_OK) {
        const cs_status read = cs_traceread_next(reader, &e, &diag);

        if (read != CS_OK)
            return cs_check_ended(check, read, &diag);
        if (e == NULL)
            return CS_OK;
        if (e->phase == 'M') {
            status = add_track(check, tracks, e);
            continue;
        }
        sqlite3_clear_bindings(insert);
        cs_evtable_fields(check, insert, &e->args);
        cs_evtable_text(check, insert, CS_EV_KIND,
                        kind_of(&(event){e->phase, e->name, NULL, &e->args}));
        cs_evtable_text(check, insert, CS_EV_PID, e->pid);
        cs_evtable_text(check, insert, CS_EV_TID, e->tid);
        cs_evtable_text(check, insert, CS_EV_NAME, e->name);
        cs_evtable_number(insert, CS_EV_OFFSET, e->offset);
        cs_evtable_number(insert, CS_EV_TIME, (uint64_t)e->time_ns);
        if (e->has_duration)
            cs_evtable_number(insert, CS_EV_DURATION, (uint64_t)e->duration_ns);
        status = cs_check_insert(check, insert, NULL, 0);
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

/* A counter's value, in the column of its unit. */
static void bind_value(cs_checking *check, sqlite3_stmt *insert, const cs_perfettoread_event *e)
{
    for (size_t i = CS_EV_FIELDS; i < cs_evtable_nr_columns && e->unit != NULL; i++)
        if (strcmp(cs_evtable_columns[i].field, e->unit) == 0 && e->is_whole)
            cs_evtable_number(insert, (int)i, (uint64_t)e->number);
        else if (strcmp(cs_evtable_columns[i].field, e->unit) == 0)
            cs_evtable_text(check, insert, (int)i, e->value);
}

/* Names of groups and tracks are known with each event: they stand in for pid and tid. */
static cs_status fill_proto(cs_checking *check, cs_perfettoread *reader, sqlite3_stmt *insert,
                            sqlite3_stmt *ends)
{
    cs_perfettoread_event *e = NULL;
    cs_diag diag = {0};
    cs_status status = CS_OK;

    while (status == CS_OK) {
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
        sqlite3_clear_bindings(insert);
        cs_evtable_fields(check, insert, &e->args);
        bind_value(check, insert, e);
        cs_evtable_text(check, insert, CS_EV_KIND,
                        kind_of(&(event){phase_of(e->kind), e->name, e->unit, &e->args}));
        cs_evtable_text(check, insert, CS_EV_PID, e->group);
        cs_evtable_text(check, insert, CS_EV_TID, e->track);
        cs_evtable_text(check, insert, CS_EV_NAME, e->name);
        cs_evtable_number(insert, CS_EV_OFFSET, e->offset);
        cs_evtable_number(insert, CS_EV_TIME, (uint64_t)e->time_ns);
        cs_evtable_number(insert, CS_EV_SLICE, e->slice);
        status = cs_check_insert(check, insert, NULL, 0);
    }
    return status;
}

static const char *const resolve_proto[] = {
    "CREATE INDEX slice_end_at ON slice_end(slice)",
    "UPDATE ev SET duration=(SELECT s.time-ev.time FROM slice_end s WHERE s.slice=ev.slice) WHERE "
    "slice>0",
    "INSERT INTO track SELECT DISTINCT pid, NULL, 'process_name', pid FROM ev",
    "INSERT INTO track SELECT DISTINCT pid, tid, 'thread_name', tid FROM ev",
};

/* ---- the whole ---- */

/* Groups and tracks by their names: tracks, what is the process of an event, then what that is. */
static const char *const resolve_tracks[] = {
    "CREATE INDEX track_at ON track(kind, pid, tid)",
    "UPDATE ev SET track=(SELECT name FROM track t WHERE t.kind='thread_name' AND t.pid=ev.pid "
    "AND t.tid=ev.tid) WHERE kind NOT IN ('count','load')",
    "UPDATE ev SET manager=track WHERE kind='transfer'",
    "UPDATE ev SET manager=substr(name,1,length(name)-5) WHERE kind='load' AND name LIKE '% load'",
    "CREATE TABLE process AS SELECT pid, name, CASE WHEN name LIKE 'cpu %' THEN "
    "CAST(substr(name,5) AS INTEGER) END AS cpu, CASE WHEN name LIKE 'cpu %' THEN 'core "
    "'||substr(name,5) ELSE name END AS unit FROM track t WHERE kind='process_name'",
    "CREATE INDEX process_at ON process(pid)",
};
static const char resolve_processes[] =
    "UPDATE ev SET (cpu, unit)=(SELECT cpu, unit FROM process p WHERE p.pid=ev.pid) WHERE kind NOT "
    "IN ('transfer','load')";

static cs_status resolve(cs_checking *check)
{
    cs_status status = CS_CHECK_DO_ALL(check, resolve_tracks);

    for (size_t i = 0; i < CS_CHECK_NR_FAMILIES; i++) {
        const char *const *sql = cs_check_families[i]->resolve_perfetto;

        for (; status == CS_OK && sql != NULL && *sql != NULL; sql++)
            status = cs_check_do(check, *sql);
    }
    return status == CS_OK ? cs_check_do(check, resolve_processes) : status;
}

static cs_status take_json(cs_checking *check, const cs_byte_source *source, sqlite3_stmt *insert)
{
    cs_traceread *reader = NULL;
    sqlite3_stmt *tracks = NULL;
    cs_status status = cs_check_prepare(check, "INSERT INTO track VALUES(?,?,?,?)", &tracks);

    if (status == CS_OK)
        status = cs_traceread_open(source, check->request->path, &reader, check->diag);
    if (status == CS_OK)
        status = fill_json(check, reader, insert, tracks);
    sqlite3_finalize(tracks);
    cs_traceread_close(reader);
    return status;
}

static cs_status take_proto(cs_checking *check, const cs_byte_source *source, sqlite3_stmt *insert)
{
    cs_perfettoread *reader = NULL;
    sqlite3_stmt *ends = NULL;
    cs_status status = cs_check_do(check, "CREATE TABLE slice_end(slice INTEGER, time INTEGER)");

    if (status == CS_OK)
        status = cs_check_prepare(check, "INSERT INTO slice_end VALUES(?,?)", &ends);
    if (status == CS_OK)
        status = cs_perfettoread_open(source, check->request->path, &reader, check->diag);
    if (status == CS_OK)
        status = fill_proto(check, reader, insert, ends);
    sqlite3_finalize(ends);
    cs_perfettoread_close(reader);
    return status == CS_OK ? CS_CHECK_DO_ALL(check, resolve_proto) : status;
}

static cs_status check_timeline(cs_checking *check)
{
    const cs_byte_source source = cs_check_source(check);
    sqlite3_stmt *insert = NULL;
    cs_status status = cs_evtable_create(check, &insert);

    if (status == CS_OK)
        status = cs_perfettoread_is_json(check->in.look, check->in.looked)
                     ? take_json(check, &source, insert)
                     : take_proto(check, &source, insert);
    sqlite3_finalize(insert);
    if (status == CS_OK)
        status = resolve(check);
    return status == CS_OK ? cs_check_timeline(check, true) : status;
}

const cs_checker cs_checker_perfetto = {.check = check_timeline};
