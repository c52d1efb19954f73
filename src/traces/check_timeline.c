/* Timelines, CTF or Trace Event JSON: windows, counts, records, samples, software and transfers
 * against the truth's. Other events have no table there (docs/traces_check.md). */
#include <inttypes.h>
#include <string.h>

#include "base/probe.h"
#include "formats/ctf_read.h"
#include "formats/trace_event_read.h"
#include "traces/check_impl.h"

/* Columns of table ev: what is bound by hand, then fields under the names that both formats have. */
enum { KIND, PLACE, OFFSET, PID, TID, CPU, MANAGER, TIME, NAME, FIELDS };

static const struct {
    const char *name, *field; /* NULL: it is no field */
    bool is_text;
} columns[] = {
    [KIND] = {"kind", NULL, true},
    [PLACE] = {"place", NULL, true},
    [OFFSET] = {"offset", NULL, false},
    [PID] = {"pid", NULL, true},
    [TID] = {"tid", NULL, true},
    [CPU] = {"cpu", "cpu_id", false},
    [MANAGER] = {"manager", NULL, true},
    [TIME] = {"time", NULL, false},
    [NAME] = {"name", "name", true},
    [FIELDS] = {"cycles", "cycles", false},
    {"subsample", "subsample", false},
    {"number", "number", false},
    {"count", "count", false},
    {"command", "command", false},
    {"event", "event", false},
    {"ip", "ip", false},
    {"person", "pid", false}, /* of a sample */
    {"period", "period", false},
    {"lost", "lost", true},
    {"result", "result", true},
    {"snapshot", "snapshot", false},
    {"addr", "addr", false},
    {"granted", "grant", false},
    {"bytes", "bytes", false},
    {"resp", "resp", true},
    {"who", "who", true},
};
#define NR_COLUMNS (sizeof columns / sizeof columns[0])

static void text(sqlite3_stmt *insert, int column, const char *value)
{
    if (value != NULL)
        sqlite3_bind_text(insert, column + 1, value, -1, SQLITE_TRANSIENT);
}

static void number(sqlite3_stmt *insert, int column, uint64_t value)
{
    sqlite3_bind_int64(insert, column + 1, (int64_t)value);
}

/* Tables ev and track, and the statement that fills ev. */
static cs_status create(cs_check *check, sqlite3_stmt **insert)
{
    char sql[2048] = "CREATE TABLE ev(", values[4 * NR_COLUMNS] = "";
    cs_status status;

    for (size_t i = 0; i < NR_COLUMNS; i++) {
        const size_t at = strlen(sql), end = strlen(values);

        snprintf(sql + at, sizeof sql - at, "%s %s%s", columns[i].name,
                 columns[i].is_text ? "TEXT" : "INTEGER", i + 1 < NR_COLUMNS ? "," : ")");
        snprintf(values + end, sizeof values - end, "?%s", i + 1 < NR_COLUMNS ? "," : "");
    }
    status = cs_check_do(check, sql);
    if (status == CS_OK)
        status = cs_check_do(check, "CREATE TABLE track(pid TEXT, tid TEXT, kind TEXT, name TEXT)");
    snprintf(sql, sizeof sql, "INSERT INTO ev VALUES(%s)", values);
    return status == CS_OK ? cs_check_prepare(check, sql, insert) : status;
}

static void bind_fields(sqlite3_stmt *insert, const cs_event_fields *fields)
{
    for (size_t i = 0; i < NR_COLUMNS; i++) {
        const cs_event_field *field =
            columns[i].field != NULL ? cs_event_field_of(fields, columns[i].field) : NULL;

        if (field != NULL && columns[i].is_text)
            text(insert, (int)i, field->text);
        else if (field != NULL && field->is_number)
            number(insert, (int)i, field->number);
    }
}

/* ---- CTF ---- */

static const char *kind_of_ctf(const char *event)
{
    static const char *const kinds[][2] = {{"window", "window"},     {"count", "count"},
                                           {"imc_record", "record"}, {"hart_sample", "sample"},
                                           {"software", "software"}, {"hart_software", "software"},
                                           {"transfer", "transfer"}};

    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(event, kinds[i][0]) == 0)
            return kinds[i][1];
    return NULL;
}

static cs_status fill_ctf(cs_check *check, cs_ctfread *reader, sqlite3_stmt *insert)
{
    cs_ctfread_event event;
    cs_diag diag = {0};
    bool there = false;
    cs_status status = CS_OK;

    while (status == CS_OK) {
        const cs_status read = cs_ctfread_next(reader, &event, &there, &diag);

        if (read != CS_OK)
            return cs_check_ended(check, read, &diag);
        if (!there)
            return CS_OK;
        const char *kind = kind_of_ctf(event.name);
        const cs_event_field *manager = cs_event_field_of(event.fields, "manager_id");
        char name[64];
        if (kind == NULL)
            continue;
        sqlite3_clear_bindings(insert);
        bind_fields(insert, event.fields);
        text(insert, KIND, kind);
        text(insert, PLACE, event.stream);
        number(insert, OFFSET, event.offset);
        number(insert, TIME, event.time);
        if (manager != NULL && manager->is_number) {
            const uint16_t small =
                manager->number < UINT16_MAX ? (uint16_t)manager->number : UINT16_MAX;
            text(insert, MANAGER, cs_probe_source_name(CS_PROBE_BUS, small, name, sizeof name));
        }
        status = cs_check_insert(check, insert, NULL, 0);
    }
    return status;
}

/* ---- Trace Event JSON ---- */

static const char *kind_of_json(const cs_traceevent *e)
{
    static const struct {
        char phase;
        const char *name, *first, *second, *kind; /* the event's name; arguments that it has */
    } kinds[] = {{'X', "window", "cycles", "subsample", "window"},
                 {'C', NULL, "count", NULL, "count"},
                 {'i', NULL, "result", "snapshot", "record"},
                 {'i', NULL, "command", "ip", "sample"},
                 {'X', NULL, "cycles", "who", "software"},
                 {'X', NULL, "grant", "direction", "transfer"}};

    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (e->phase == kinds[i].phase &&
            (kinds[i].name == NULL || (e->name != NULL && strcmp(e->name, kinds[i].name) == 0)) &&
            cs_event_field_of(&e->args, kinds[i].first) != NULL &&
            (kinds[i].second == NULL || cs_event_field_of(&e->args, kinds[i].second) != NULL))
            return kinds[i].kind;
    return NULL;
}

static cs_status add_track(cs_check *check, sqlite3_stmt *insert, const cs_traceevent *e)
{
    const cs_event_field *name = cs_event_field_of(&e->args, "name");

    if (name == NULL)
        return CS_OK;
    sqlite3_clear_bindings(insert);
    text(insert, 0, e->pid);
    text(insert, 1, e->tid);
    text(insert, 2, e->name);
    text(insert, 3, name->text);
    return cs_check_insert(check, insert, NULL, 0);
}

static cs_status fill_json(cs_check *check, cs_traceread *reader, sqlite3_stmt *insert,
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
        const char *kind = kind_of_json(e);
        if (kind == NULL)
            continue;
        sqlite3_clear_bindings(insert);
        bind_fields(insert, &e->args);
        text(insert, KIND, kind);
        text(insert, PID, e->pid);
        text(insert, TID, e->tid);
        text(insert, NAME, e->name);
        number(insert, OFFSET, e->offset);
        number(insert, TIME, (uint64_t)e->time_ns);
        status = cs_check_insert(check, insert, NULL, 0);
    }
    return status;
}

/* Groups and tracks by their names. A counter goes back to 0 where its window ends: that is no
 * count. */
static const char *const resolve[] = {
    "CREATE INDEX track_at ON track(kind, pid, tid)",
    "UPDATE ev SET cpu=(SELECT CASE WHEN name LIKE 'cpu %' THEN CAST(substr(name,5) AS INTEGER) "
    "WHEN name LIKE 'hart %' THEN (SELECT cpu FROM truth.hart WHERE hart=CAST(substr(t.name,6) AS "
    "INTEGER)) END FROM track t WHERE t.kind='process_name' AND t.pid=ev.pid) WHERE "
    "kind<>'transfer'",
    "UPDATE ev SET manager=(SELECT name FROM track t WHERE t.kind='thread_name' AND t.pid=ev.pid "
    "AND t.tid=ev.tid) WHERE kind='transfer'",
    "CREATE TABLE starts AS SELECT DISTINCT cpu, time FROM ev WHERE kind='window'",
    "DELETE FROM ev WHERE kind='count' AND count=0 AND NOT EXISTS(SELECT 1 FROM starts s WHERE "
    "s.cpu=ev.cpu AND s.time=ev.time)",
};

/* ---- the whole ---- */

cs_status cs_check_ctf(cs_check *check)
{
    cs_ctfread *reader = NULL;
    sqlite3_stmt *insert = NULL;
    cs_status status = create(check, &insert);

    if (status == CS_OK)
        status = cs_ctfread_open(check->request->path, &reader, check->diag);
    if (status == CS_OK)
        status = fill_ctf(check, reader, insert);
    sqlite3_finalize(insert);
    cs_ctfread_close(reader);
    return status == CS_OK ? cs_check_timeline(check, false) : status;
}

cs_status cs_check_trace_events(cs_check *check)
{
    const cs_byte_source source = cs_check_source(check);
    cs_traceread *reader = NULL;
    sqlite3_stmt *insert = NULL, *tracks = NULL;
    cs_status status = create(check, &insert);

    if (status == CS_OK)
        status = cs_check_prepare(check, "INSERT INTO track VALUES(?,?,?,?)", &tracks);
    if (status == CS_OK)
        status = cs_traceread_open(&source, check->request->path, &reader, check->diag);
    if (status == CS_OK)
        status = fill_json(check, reader, insert, tracks);
    sqlite3_finalize(insert);
    sqlite3_finalize(tracks);
    cs_traceread_close(reader);
    for (size_t i = 0; i < sizeof resolve / sizeof resolve[0] && status == CS_OK; i++)
        status = cs_check_do(check, resolve[i]);
    return status == CS_OK ? cs_check_timeline(check, true) : status;
}
