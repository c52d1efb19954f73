/* Timelines, CTF or Trace Event JSON: windows, counts, records, samples, software and transfers
 * against the truth's. Other events have no table there (docs/traces_check.md). */
#include <inttypes.h>
#include <string.h>

#include "base/probe.h"
#include "formats/ctf_read.h"
#include "formats/trace_event_read.h"
#include "traces/check_impl.h"

enum {
    KIND = 1,
    PLACE,
    OFFSET,
    PID,
    TID,
    CPU,
    MANAGER,
    TIME,
    CYCLES,
    SUBSAMPLE,
    NUMBER,
    NAME,
    COUNT,
    COMMAND,
    EVENT,
    IP,
    PERSON, /* pid of a sample */
    PERIOD,
    LOST,
    RESULT,
    SNAPSHOT,
    ADDR,
    GRANT,
    BYTES,
    RESP,
    WHO
};

static const char tables[] =
    "CREATE TABLE ev(kind TEXT, place TEXT, offset INTEGER, pid TEXT, tid TEXT, cpu INTEGER, "
    "manager TEXT, time INTEGER, cycles INTEGER, subsample INTEGER, number INTEGER, name TEXT, "
    "count INTEGER, command INTEGER, event INTEGER, ip INTEGER, person INTEGER, period INTEGER, "
    "lost TEXT, result TEXT, snapshot INTEGER, addr INTEGER, granted INTEGER, bytes INTEGER, resp "
    "TEXT, who TEXT);"
    "CREATE TABLE track(pid TEXT, tid TEXT, kind TEXT, name TEXT)";

static const char insert_sql[] = "INSERT INTO ev VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?"
                                 ",?,?,?,?)";

static void text(sqlite3_stmt *insert, int at, const char *value)
{
    if (value != NULL)
        sqlite3_bind_text(insert, at, value, -1, SQLITE_TRANSIENT);
}

/* Fields under the names that both formats have. */
static void bind_fields(sqlite3_stmt *insert, const cs_event_fields *fields)
{
    static const struct {
        const char *name;
        int at;
    } numbers[] = {{"cycles", CYCLES},   {"subsample", SUBSAMPLE},
                   {"number", NUMBER},   {"count", COUNT},
                   {"command", COMMAND}, {"event", EVENT},
                   {"ip", IP},           {"pid", PERSON},
                   {"period", PERIOD},   {"snapshot", SNAPSHOT},
                   {"addr", ADDR},       {"grant", GRANT},
                   {"bytes", BYTES},     {"cpu_id", CPU}},
      texts[] = {{"name", NAME}, {"lost", LOST}, {"result", RESULT}, {"resp", RESP}, {"who", WHO}};

    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        const cs_event_field *field = cs_event_field_of(fields, numbers[i].name);

        if (field != NULL && field->is_number)
            sqlite3_bind_int64(insert, numbers[i].at, (int64_t)field->number);
    }
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        const cs_event_field *field = cs_event_field_of(fields, texts[i].name);

        if (field != NULL)
            text(insert, texts[i].at, field->text);
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

/* As the summary calls it (src/base/probe.h, "Manager numbers"). */
static void name_manager(uint64_t manager, char *out, size_t bytes)
{
    static const struct {
        uint64_t first;
        const char *name;
    } ranges[] = {{CS_MANAGER_HART(0), "hart"},
                  {CS_MANAGER_NEST, NULL},
                  {CS_MANAGER_IMC(0), "imc core"},
                  {CS_MANAGER_PMCU(0), "pmcu lane"}};

    snprintf(out, bytes, "%s", manager == CS_MANAGER_NEST ? "nest" : "cpu");
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++)
        if (manager >= ranges[i].first) {
            if (ranges[i].name != NULL)
                snprintf(out, bytes, "%s %" PRIu64, ranges[i].name, manager - ranges[i].first);
            return;
        }
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
        sqlite3_bind_int64(insert, OFFSET, (int64_t)event.offset);
        sqlite3_bind_int64(insert, TIME, (int64_t)event.time);
        if (manager != NULL && manager->is_number) {
            name_manager(manager->number, name, sizeof name);
            text(insert, MANAGER, name);
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
    text(insert, 1, e->pid);
    text(insert, 2, e->tid);
    text(insert, 3, e->name);
    text(insert, 4, name->text);
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
        sqlite3_bind_int64(insert, OFFSET, (int64_t)e->offset);
        sqlite3_bind_int64(insert, TIME, e->time_ns);
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

/* ---- comparisons ---- */

/* What is compared: SELECTs of have's and want's rows, in which $T(x) is cycle x in the file's unit, and
 * the truth's table, which must have rows, or the file. */
typedef struct comparison {
    const char *what, *table, *columns, *have, *want;
    int formats; /* 1: CTF, 2: JSON */
} comparison;

#define POSITION_IS_CYCLES                                                                         \
    "(s.position=(SELECT max(position) FROM truth.sample) AND EXISTS(SELECT 1 FROM truth.event "   \
    "WHERE cycle_counter=1))"
#define COUNTS_FROM                                                                                \
    "FROM truth.sample s JOIN truth.window w USING(subsample, cpu) LEFT JOIN truth.event e ON "    \
    "e.number=s.event AND e.cycle_counter=" POSITION_IS_CYCLES " WHERE s.event<>49152"
#define EVENT_NAME                                                                                 \
    "CASE WHEN " POSITION_IS_CYCLES " THEN 'cycle counter' ELSE coalesce(e.name, "                 \
    "printf('event 0x%x', s.event)) END"

static const comparison comparisons[] = {
    {"windows", "truth.window", "subsample, time, cycles",
     "SELECT place, offset, NULL AS grp, cpu, subsample, time, cycles FROM ev WHERE kind='window'",
     "SELECT NULL AS grp, cpu, subsample, $T(start) AS time, stop-start AS cycles FROM "
     "truth.window",
     3},
    {"counts", "truth.sample", "subsample, time, number, count",
     "SELECT place, offset, name AS grp, cpu, subsample, time, number, count FROM ev WHERE "
     "kind='count'",
     "SELECT " EVENT_NAME " AS grp, s.cpu, s.subsample, $T(w.start) AS time, s.event AS number, "
     "s.value AS count " COUNTS_FROM,
     1},
    {"counts", "truth.sample", "time, count",
     "SELECT place, offset, name AS grp, cpu, time, count FROM ev WHERE kind='count'",
     "SELECT " EVENT_NAME " AS grp, s.cpu, $T(w.start) AS time, s.value AS count " COUNTS_FROM, 2},
    {"records", "truth.record", "time, result, snapshot, number, addr",
     "SELECT place, offset, NULL AS grp, cpu, time, result, snapshot, number, addr FROM ev WHERE "
     "kind='record'",
     "SELECT NULL AS grp, cpu, $T(cycle) AS time, CASE response WHEN 'OKAY' THEN 'written' ELSE "
     "response END AS result, snapshot, number, address AS addr FROM truth.record",
     3},
    {"samples", "truth.hart_sample", "command, event, time, ip, pid, period, lost",
     "SELECT place, offset, NULL AS grp, cpu, command, event, time, ip, person AS pid, period, "
     "lost FROM ev WHERE kind='sample'",
     "SELECT NULL AS grp, cpu, command, event, $T(trap) AS time, ip, pid, period, CASE lost WHEN 0 "
     "THEN 'no' ELSE 'yes' END AS lost FROM truth.hart_sample",
     3},
    {"software", "truth.hart", "cycles",
     "SELECT NULL AS place, min(offset) AS offset, who AS grp, cpu, sum(cycles) AS cycles FROM ev "
     "WHERE kind='software' AND who IN ('kernel','firmware','guest') GROUP BY who, cpu",
     "SELECT who AS grp, cpu, cycles FROM (SELECT 'kernel' AS who, cpu, kernel AS cycles FROM "
     "truth.hart UNION ALL SELECT 'firmware', cpu, firmware FROM truth.hart UNION ALL SELECT "
     "'guest', cpu, guest FROM truth.hart) WHERE cycles>0",
     3},
    {"transfers", "said", "transactions, bytes, errors, wait, held",
     "SELECT NULL AS place, min(offset) AS offset, manager AS grp, NULL AS cpu, count(*) AS "
     "transactions, sum(bytes) AS bytes, sum(resp<>'OKAY') AS errors, sum($G-$S) AS wait, "
     "sum($S+cycles-$G) AS held FROM ev WHERE kind='transfer' GROUP BY manager",
     "SELECT manager AS grp, NULL AS cpu, transactions, bytes, errors, wait, held FROM said WHERE "
     "transactions>0",
     1},
    {"transfers", "said", "transactions, bytes, errors",
     "SELECT NULL AS place, min(offset) AS offset, manager AS grp, NULL AS cpu, count(*) AS "
     "transactions, sum(bytes) AS bytes, sum(resp<>'OKAY') AS errors FROM ev WHERE "
     "kind='transfer' GROUP BY manager",
     "SELECT manager AS grp, NULL AS cpu, transactions, bytes, errors FROM said WHERE "
     "transactions>0",
     2},
};

/* `sql` with $T(x), $G and $S written out. */
static void expand(char *out, size_t bytes, const char *sql, bool ns, int64_t mhz)
{
    size_t at = 0;

    while (*sql != '\0' && at + 1 < bytes) {
        if (strncmp(sql, "$T(", 3) == 0) {
            const int length = (int)strcspn(sql + 3, ")");

            if (ns)
                at += (size_t)snprintf(out + at, bytes - at,
                                       "(%.*s/%" PRId64 "*1000+%.*s%%%" PRId64 "*1000/%" PRId64 ")",
                                       length, sql + 3, mhz, length, sql + 3, mhz, mhz);
            else
                at += (size_t)snprintf(out + at, bytes - at, "(%.*s)", length, sql + 3);
            sql += 3 + length + 1;
        } else if (*sql == '$') {
            at += (size_t)snprintf(out + at, bytes - at, "%s", sql[1] == 'G' ? "granted" : "time");
            sql += 2;
        } else {
            out[at++] = *sql++;
        }
    }
    out[at < bytes ? at : bytes - 1] = '\0';
}

static cs_status compare(cs_check *check, const comparison *c, bool ns, int64_t mhz)
{
    char sql[4096], body[3072];
    cs_status status = cs_check_do(check, "DROP TABLE IF EXISTS have; DROP TABLE IF EXISTS want");

    expand(body, sizeof body, c->have, ns, mhz);
    snprintf(sql, sizeof sql, "CREATE TABLE have AS %s", body);
    if (status == CS_OK)
        status = cs_check_do(check, sql);
    expand(body, sizeof body, c->want, ns, mhz);
    snprintf(sql, sizeof sql, "CREATE TABLE want AS %s", body);
    if (status == CS_OK)
        status = cs_check_do(check, sql);
    return status == CS_OK ? cs_check_same(check, c->what, c->columns) : status;
}

static cs_status compare_all(cs_check *check, bool ns)
{
    const int64_t mhz =
        cs_check_number(check, "SELECT value FROM truth.run WHERE key='clock_mhz'", 1000);
    int64_t software = -1;
    char sql[512];
    cs_status status = cs_check_summary(check, &software);

    if (status == CS_OK && mhz <= 0)
        return cs_diag_set(check->diag, CS_ERR_FORMAT, check->request->truth, "a clock of 0 MHz");
    for (size_t i = 0; i < sizeof comparisons / sizeof comparisons[0] && status == CS_OK; i++) {
        const comparison *c = &comparisons[i];

        snprintf(sql, sizeof sql, "SELECT count(*) FROM %s", c->table);
        /* without samples_truth, say, there is nothing to compare with */
        if ((c->formats & (ns ? 2 : 1)) != 0 && cs_check_number(check, sql, 0) > 0)
            status = compare(check, c, ns, mhz);
    }
    if (status != CS_OK || software < 0)
        return status;
    snprintf(sql, sizeof sql,
             "SELECT 'software ns', NULL, NULL, %" PRId64 ", n, n<>%" PRId64
             ", 'exact', NULL FROM (SELECT coalesce(sum(cycles),0)*1000/%" PRId64
             " AS n FROM ev WHERE kind='software')",
             software, software, mhz);
    return cs_check_rows(check, sql);
}

cs_status cs_check_ctf(cs_check *check)
{
    cs_ctfread *reader = NULL;
    sqlite3_stmt *insert = NULL;
    cs_status status = cs_check_do(check, tables);

    if (status == CS_OK)
        status = cs_check_prepare(check, insert_sql, &insert);
    if (status == CS_OK)
        status = cs_ctfread_open(check->request->path, &reader, check->diag);
    if (status == CS_OK)
        status = fill_ctf(check, reader, insert);
    sqlite3_finalize(insert);
    cs_ctfread_close(reader);
    return status == CS_OK ? compare_all(check, false) : status;
}

cs_status cs_check_trace_events(cs_check *check)
{
    const cs_byte_source source = cs_check_source(check);
    cs_traceread *reader = NULL;
    sqlite3_stmt *insert = NULL, *tracks = NULL;
    cs_status status = cs_check_do(check, tables);

    if (status == CS_OK)
        status = cs_check_prepare(check, insert_sql, &insert);
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
    return status == CS_OK ? compare_all(check, true) : status;
}
