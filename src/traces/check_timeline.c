/* Timelines, CTF or Perfetto's: their events into table ev, for check_timeline_compare.c. Each has a kind
 * ("other": no event of ours) and the name of its unit as the truth has it, "core 5". */
#include <inttypes.h>
#include <string.h>

#include "base/probe.h"
#include "formats/ctf_read.h"
#include "formats/perfetto_read.h"
#include "formats/trace_event_read.h"
#include "traces/check_impl.h"

#define LOOK_BYTES 128 /* tell which flavour a file is */

/* Columns of table ev: what is bound by hand, then fields under the names that both formats have. */
enum {
    KIND,
    PLACE,
    OFFSET,
    PID,
    TID,
    CPU,
    MANAGER,
    UNIT,
    TRACK,
    TIME,
    DURATION,
    SLICE,
    NAME,
    FIELDS
};

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
    [UNIT] = {"unit", NULL, true},
    [TRACK] = {"track", NULL, true}, /* its name, not in CTF */
    [TIME] = {"time", NULL, false},
    [DURATION] = {"duration", NULL, false}, /* not in CTF */
    [SLICE] = {"slice", NULL, false},       /* its number, where its end is an event of its own */
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
    {"state", "state", true},
    {"line", "line", false},
    {"direction", "direction", true},
    {"register", "offset", false},
    {"value", "value", false},
    {"csr", "csr", false},
    {"exception", "exception", true},
    {"nest_group", "group_id", false},
    {"held", "held_cycles", false},
    {"percent", "percent", false},
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
    static const char *const kinds[][2] = {{"window", "window"},
                                           {"blind", "blind"},
                                           {"count", "count"},
                                           {"imc_record", "record"},
                                           {"hart_sample", "sample"},
                                           {"software", "software"},
                                           {"transfer", "transfer"},
                                           {"hart_software", "software"},
                                           {"bus_load", "load"},
                                           {"pmcu_state", "state"},
                                           {"imc_state", "state"},
                                           {"nest_state", "state"},
                                           {"interrupt", "line"},
                                           {"subsample", "subsample"},
                                           {"posting", "posting"},
                                           {"access", "access"},
                                           {"csr", "csr"}};

    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(event, kinds[i][0]) == 0)
            return kinds[i][1];
    return "other";
}

/* The name of the manager or unit that the packet says. */
static void bind_source(sqlite3_stmt *insert, const cs_event_fields *fields, const char *field,
                        cs_probe_kind kind, int column)
{
    const cs_event_field *f = cs_event_field_of(fields, field);
    char name[64];

    if (f == NULL || !f->is_number)
        return;
    const uint16_t source = f->number < UINT16_MAX ? (uint16_t)f->number : UINT16_MAX;
    text(insert, column, cs_probe_source_name((uint8_t)kind, source, name, sizeof name));
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
        sqlite3_clear_bindings(insert);
        bind_fields(insert, event.fields);
        text(insert, KIND, kind_of_ctf(event.name));
        text(insert, PLACE, event.stream);
        number(insert, OFFSET, event.offset);
        number(insert, TIME, event.time);
        bind_source(insert, event.fields, "manager_id", CS_PROBE_BUS, MANAGER);
        bind_source(insert, event.fields, "unit_id", CS_PROBE_REG, UNIT);
        status = cs_check_insert(check, insert, NULL, 0);
    }
    return status;
}

/* ---- Perfetto's flavours ---- */

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

static const char *kind_of(const event *e)
{
    static const struct {
        char phase;
        const char *name, *first, *second, *kind; /* the event's name; arguments that it has */
    } kinds[] = {{'X', "window", "cycles", "subsample", "window"},
                 {'X', "blind", "cycles", NULL, "blind"},
                 {'C', NULL, "count", NULL, "count"},
                 {'C', NULL, "percent", NULL, "load"},
                 {'i', NULL, "result", "snapshot", "record"},
                 {'i', NULL, "command", "ip", "sample"},
                 {'i', "subsample", "number", "bytes", "subsample"},
                 {'i', NULL, "offset", "value", "access"},
                 {'i', NULL, "csr", "exception", "csr"},
                 {'X', NULL, "cycles", "who", "software"},
                 {'X', NULL, "cycles", "state", "state"},
                 {'X', "interrupt", "cycles", "line", "line"},
                 {'X', "posting", "cycles", "number", "posting"},
                 {'X', NULL, "grant", "direction", "transfer"}};

    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (e->phase == kinds[i].phase &&
            (kinds[i].name == NULL || (e->name != NULL && strcmp(e->name, kinds[i].name) == 0)) &&
            has(e, kinds[i].first) && (kinds[i].second == NULL || has(e, kinds[i].second)))
            return kinds[i].kind;
    return "other";
}

/* ---- Trace Event JSON ---- */

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
        sqlite3_clear_bindings(insert);
        bind_fields(insert, &e->args);
        text(insert, KIND, kind_of(&(event){e->phase, e->name, NULL, &e->args}));
        text(insert, PID, e->pid);
        text(insert, TID, e->tid);
        text(insert, NAME, e->name);
        number(insert, OFFSET, e->offset);
        number(insert, TIME, (uint64_t)e->time_ns);
        if (e->has_duration)
            number(insert, DURATION, (uint64_t)e->duration_ns);
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
static void bind_value(sqlite3_stmt *insert, const cs_perfettoread_event *e)
{
    for (size_t i = FIELDS; i < NR_COLUMNS && e->unit != NULL; i++)
        if (strcmp(columns[i].field, e->unit) == 0 && e->is_whole)
            number(insert, (int)i, (uint64_t)e->number);
        else if (strcmp(columns[i].field, e->unit) == 0)
            text(insert, (int)i, e->value);
}

/* Names of groups and tracks are known with each event: they stand in for pid and tid. */
static cs_status fill_proto(cs_check *check, cs_perfettoread *reader, sqlite3_stmt *insert,
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
        bind_fields(insert, &e->args);
        bind_value(insert, e);
        text(insert, KIND, kind_of(&(event){phase_of(e->kind), e->name, e->unit, &e->args}));
        text(insert, PID, e->group);
        text(insert, TID, e->track);
        text(insert, NAME, e->name);
        number(insert, OFFSET, e->offset);
        number(insert, TIME, (uint64_t)e->time_ns);
        number(insert, SLICE, e->slice);
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

/* ---- what is said elsewhere ---- */

/* Uncore units have their number in CTF by bridge and slot, in JSON their name; the truth has that of
 * the scenario. */
static const char *const resolve_ctf[] = {
    "UPDATE ev SET unit=(SELECT 'uncore '||u.unit FROM truth.unit u WHERE "
    "ev.unit='uncore '||(15*u.bridge+u.slot)) WHERE unit GLOB 'uncore [0-9]*'",
};

/* Groups and tracks by their names. */
static const char *const resolve_json[] = {
    "CREATE INDEX track_at ON track(kind, pid, tid)",
    "CREATE TABLE process AS SELECT pid, name, CASE WHEN name LIKE 'cpu %' THEN "
    "CAST(substr(name,5) AS INTEGER) WHEN name LIKE 'hart %' THEN (SELECT cpu FROM truth.hart "
    "WHERE hart=CAST(substr(t.name,6) AS INTEGER)) END AS cpu, CASE WHEN name LIKE 'cpu %' THEN "
    "'core '||substr(name,5) WHEN name LIKE 'uncore %' THEN coalesce((SELECT 'uncore '||unit FROM "
    "truth.unit u WHERE substr(u.name,1,32)=substr(t.name,8)), name) ELSE name END AS unit FROM "
    "track t WHERE kind='process_name'",
    "CREATE INDEX process_at ON process(pid)",
    "UPDATE ev SET (cpu, unit)=(SELECT cpu, unit FROM process p WHERE p.pid=ev.pid) WHERE kind NOT "
    "IN ('transfer','load')",
    "UPDATE ev SET track=(SELECT name FROM track t WHERE t.kind='thread_name' AND t.pid=ev.pid "
    "AND t.tid=ev.tid) WHERE kind NOT IN ('count','load')",
    "UPDATE ev SET manager=track WHERE kind='transfer'",
    "UPDATE ev SET nest_group=CAST(substr(track,19) AS INTEGER) WHERE kind='posting' AND track "
    "LIKE 'postings of group %'",
    "UPDATE ev SET manager=substr(name,1,length(name)-5) WHERE kind='load' AND name LIKE '% load'",
};

static cs_status resolve(cs_check *check, const char *const statements[], size_t count)
{
    cs_status status = CS_OK;

    for (size_t i = 0; i < count && status == CS_OK; i++)
        status = cs_check_do(check, statements[i]);
    return status;
}

#define RESOLVE(check, statements)                                                                 \
    resolve(check, statements, sizeof(statements) / sizeof((statements)[0]))

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
    if (status == CS_OK)
        status = RESOLVE(check, resolve_ctf);
    return status == CS_OK ? cs_check_timeline(check, false) : status;
}

static cs_status take_json(cs_check *check, const cs_byte_source *source, sqlite3_stmt *insert)
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

static cs_status take_proto(cs_check *check, const cs_byte_source *source, sqlite3_stmt *insert)
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
    return status == CS_OK ? RESOLVE(check, resolve_proto) : status;
}

cs_status cs_check_trace_events(cs_check *check)
{
    const cs_byte_source source = cs_check_source(check);
    sqlite3_stmt *insert = NULL;
    uint8_t look[LOOK_BYTES];
    const size_t bytes = fread(look, 1, sizeof look, check->file);
    cs_status status = create(check, &insert);

    rewind(check->file);
    if (status == CS_OK)
        status = cs_perfettoread_is_json(look, bytes) ? take_json(check, &source, insert)
                                                      : take_proto(check, &source, insert);
    sqlite3_finalize(insert);
    if (status == CS_OK)
        status = RESOLVE(check, resolve_json);
    return status == CS_OK ? cs_check_timeline(check, true) : status;
}
