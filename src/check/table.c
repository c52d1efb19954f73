// SPDX-License-Identifier: Apache-2.0
/* Tables of samples and counts, CSV or JSON: each row against the truth's. */
#include <stdlib.h>
#include <string.h>

#include "check/checker.h"
#include "check/families.h"
#include "formats/table/read/table.h"
#include "scenario/machine/bus_spec.h"

static const char tables[] =
    "CREATE TABLE have(place TEXT, offset INTEGER, grp TEXT, cpu INTEGER, time INTEGER, pid "
    "INTEGER, mode INTEGER, ip INTEGER, period INTEGER, until INTEGER, raw INTEGER, value TEXT, "
    "unit TEXT, truth INTEGER, name TEXT, final INTEGER, enabled INTEGER, running INTEGER, "
    "chain TEXT, socket INTEGER);"
    "CREATE TABLE want(" CS_CHECK_TABLED
    ", until INTEGER, raw INTEGER, value TEXT, unit TEXT, truth "
    "INTEGER, final INTEGER, enabled INTEGER, running INTEGER, socket INTEGER)";

static const char insert_sql[] =
    "INSERT INTO have(offset, name, cpu, time, pid, mode, ip, period, until, raw, value, unit, "
    "truth, final, enabled, running, chain, socket) VALUES(?,?,?,?,?,?,?,?,?,?,CASE WHEN ?11 IS "
    "NOT NULL "
    "THEN "
    "printf('%.9g',?11) END,?,?,?,?,?,?,?)";

static void bind(sqlite3_stmt *insert, int at, const cs_tableread_cell *cell)
{
    if (cell->text != NULL)
        sqlite3_bind_int64(insert, at, cell->number);
}

static void bind_text(cs_checking *check, sqlite3_stmt *insert, int at,
                      const cs_tableread_cell *cell)
{
    if (cell->text != NULL)
        cs_check_text(check, insert, at, cell->text, -1);
}

/* "cycles:u" as the truth has it: its command says what was excluded. */
static void bind_event(cs_checking *check, sqlite3_stmt *insert, int at,
                       const cs_tableread_cell *cell)
{
    if (cell->text != NULL)
        cs_check_text(check, insert, at, cell->text, (int)cs_check_name_bytes(cell->text));
}

static cs_status add(cs_checking *check, sqlite3_stmt *insert, const cs_tableread_row *row)
{
    const cs_tableread_cell *c = row->cells;

    sqlite3_clear_bindings(insert);
    if (row->kind == CS_TABLEREAD_SAMPLES || row->kind == CS_TABLEREAD_CHAINS) {
        bind_text(check, insert, 2, &c[CS_SAMPLE_EVENT]);
        bind(insert, 3, &c[CS_SAMPLE_CPU]);
        bind(insert, 4, &c[CS_SAMPLE_TIME]);
        bind(insert, 5, &c[CS_SAMPLE_PID]);
        bind(insert, 6, &c[CS_SAMPLE_MODE]);
        bind(insert, 7, &c[CS_SAMPLE_IP]);
        bind(insert, 8, &c[CS_SAMPLE_PERIOD]);
        if (row->kind == CS_TABLEREAD_CHAINS)
            bind_text(check, insert, 17, &c[CS_SAMPLE_CHAIN]);
    } else if (row->kind == CS_TABLEREAD_ROTATED) {
        bind_text(check, insert, 2, &c[CS_COUNT_EVENT]);
        bind(insert, 3, &c[CS_COUNT_CPU]);
        bind(insert, 4, &c[CS_COUNT_FROM]);
        bind(insert, 9, &c[CS_COUNT_TO]);
        bind(insert, 10, &c[CS_ROTATED_RAW]);
        if (c[CS_ROTATED_SCALED].text != NULL)
            sqlite3_bind_double(insert, 11, c[CS_ROTATED_SCALED].real);
        bind_text(check, insert, 12, &c[CS_ROTATED_UNIT]);
        bind(insert, 13, &c[CS_ROTATED_TRUTH]);
        bind(insert, 14, &c[CS_ROTATED_FINAL]);
        bind(insert, 15, &c[CS_ROTATED_ENABLED]);
        bind(insert, 16, &c[CS_ROTATED_RUNNING]);
    } else {
        bind_event(check, insert, 2, &c[CS_COUNT_EVENT]);
        bind(insert, 3, &c[CS_COUNT_CPU]);
        bind(insert, 4, &c[CS_COUNT_FROM]);
        bind(insert, 9, &c[CS_COUNT_TO]);
        bind(insert, 10, &c[CS_COUNT_RAW]);
        sqlite3_bind_double(insert, 11, c[CS_COUNT_VALUE].real);
        bind_text(check, insert, 12, &c[CS_COUNT_UNIT]);
        bind(insert, 13, &c[CS_COUNT_TRUTH]);
        if (row->kind == CS_TABLEREAD_SOCKETS)
            bind(insert, 18, &c[CS_COUNT_SOCKET]);
    }
    const int64_t offset = (int64_t)row->offset;
    return cs_check_insert(check, insert, &offset, 1);
}

static cs_status fill(cs_checking *check, cs_tableread *table)
{
    const cs_tableread_row *row = NULL;
    sqlite3_stmt *insert = NULL;
    cs_diag diag = {0};
    cs_status status = cs_check_prepare(check, insert_sql, &insert);

    while (status == CS_OK) {
        const cs_status read = cs_tableread_next(table, &row, &diag);

        if (read != CS_OK)
            status = cs_check_ended(check, read, &diag);
        if (read != CS_OK || row == NULL)
            break;
        status = add(check, insert, row);
    }
    sqlite3_finalize(insert);
    return status;
}

/* ---- the truth ---- */

/* Cycles as an expression of nanoseconds, rounded down. */
#define NS(cycles) "(" cycles ")/mhz*1000+(" cycles ")%mhz*1000/mhz"
#define CLOCK "(SELECT CAST(value AS INTEGER) AS mhz FROM truth.run WHERE key='clock_mhz')"
#define REAL(value) "CASE WHEN " value " IS NOT NULL THEN printf('%.9g', " value ") END"

static const char counts[] = "INSERT INTO want(grp, cpu, time, until, raw, value, unit, truth) "
                             "SELECT title, cpu, " NS("start") ", " NS("stop") ", raw, " REAL(
                                 "value") ", nullif(unit,''), truth FROM told, " CLOCK;
static const char rotated_counts[] =
    "INSERT INTO want(grp, cpu, time, until, raw, value, truth, final, enabled, running) SELECT "
    "title, cpu, " NS("start") ", " NS("stop") ", raw, " REAL("scaled") ", truth, final, " NS(
        "enabled") ", " NS("running") " FROM told, " CLOCK;

static cs_status want_counts(cs_checking *check, bool rotated)
{
    bool any = false;
    int64_t mhz;
    cs_status status = cs_check_clock(check, &mhz);

    if (status == CS_OK)
        status = cs_check_counts_told(check, rotated, "told", &any);
    return status == CS_OK && any ? cs_check_do(check, rotated ? rotated_counts : counts) : status;
}

/* ---- rows ---- */

/* The truth numbers events, the file names them: of those rows that are told apart by all else, an
 * event of the truth has one name. Counts as samples have no mode, and their names are compared. */
static const char rows_of_names[] =
    "WITH k AS (SELECT cpu, time, ip, pid, period, min(name) AS name, min(offset) AS offset FROM "
    "have WHERE mode IS NOT NULL GROUP BY 1,2,3,4,5 HAVING count(*)=1), j AS (SELECT w.command, "
    "w.event, k.name, k.offset, count(*) OVER (PARTITION BY w.command, w.event, k.name) AS n FROM "
    "k CROSS JOIN want w ON w.cpu=k.cpu AND w.time=k.time AND w.ip=k.ip AND w.pid=k.pid AND "
    "w.period=k.period WHERE w.command IS NOT NULL), u AS (SELECT "
    "command, event, name, max(n) AS n, min(offset) AS offset FROM j GROUP BY 1,2,3), f AS (SELECT "
    "*, first_value(name) OVER (PARTITION BY command, event ORDER BY n DESC, offset) AS best FROM "
    "u) SELECT 'names', best, NULL, sum(n), sum(CASE WHEN name=best THEN n ELSE 0 END), sum(CASE "
    "WHEN name=best THEN 0 ELSE n END), 'one name an event', (SELECT 'byte '||offset||': '||name "
    "FROM f g WHERE g.command=f.command AND g.event=f.event AND g.name<>g.best ORDER BY offset "
    "LIMIT 1) FROM f GROUP BY command, event";

/* As in samples.c; the file does not say of which command a sample is. */
static const char late[] = "DELETE FROM want WHERE ring AND time>coalesce((SELECT max(time) FROM "
                           "have h WHERE h.cpu=want.cpu),-1)";

static cs_status compare_samples(cs_checking *check)
{
    bool chains = false, cut = false, there = false;
    cs_status status = cs_check_has_samples(check, "have", &there);

    if (status != CS_OK || !there)
        return status;
    status = cs_check_tabled_samples(check);
    if (status == CS_OK)
        status = cs_check_any(check,
                              "SELECT EXISTS(SELECT 1 FROM want WHERE chain IS NOT NULL) OR "
                              "EXISTS(SELECT 1 FROM have WHERE chain IS NOT NULL)",
                              &chains);
    if (status == CS_OK) /* with each of them a row is looked up by the other table's */
        status = cs_check_do(check, "CREATE INDEX have_at ON have(cpu, time);"
                                    "CREATE INDEX want_at ON want(cpu, time, ip);"
                                    "UPDATE have SET grp=CASE WHEN mode IS NULL THEN name END");
    if (status == CS_OK)
        status = cs_check_was_cut(check, &cut);
    if (status == CS_OK && cut)
        status = cs_check_leave(check, late);
    if (status == CS_OK)
        status = cs_check_same(check, "samples",
                               chains ? "time, pid, mode, ip, period, chain"
                                      : "time, pid, mode, ip, period");
    return status == CS_OK ? cs_check_rows(check, rows_of_names) : status;
}

/* Each CPU's socket, by the run's scenario. */
static cs_status want_sockets(cs_checking *check)
{
    const cs_scenario *s;
    sqlite3_stmt *update = NULL;
    cs_status status = cs_check_load(check, &s);

    if (status == CS_OK)
        status = cs_check_prepare(check, "UPDATE want SET socket=?2 WHERE cpu=?1", &update);
    for (unsigned cpu = 0; status == CS_OK && cpu < cs_scenario_cpus(s); cpu++)
        for (size_t i = 0; i < CS_CHECK_NR_FAMILIES && status == CS_OK; i++) {
            unsigned socket;

            if (cs_check_families[i]->socket != NULL &&
                cs_check_families[i]->socket(s, cpu, &socket))
                status = cs_check_insert(check, update, (int64_t[]){cpu, socket}, 2);
        }
    sqlite3_finalize(update);
    return status;
}

static cs_status compare_counts(cs_checking *check, cs_tableread_kind kind)
{
    const bool rotated = kind == CS_TABLEREAD_ROTATED;
    cs_status status = want_counts(check, rotated);

    if (status == CS_OK && kind == CS_TABLEREAD_SOCKETS)
        status = want_sockets(check);
    if (status == CS_OK)
        status = cs_check_do(check, "UPDATE have SET grp=name");
    return status == CS_OK
               ? cs_check_same(check, "counts",
                               rotated ? "time, until, final, raw, enabled, running, value, truth"
                               : kind == CS_TABLEREAD_SOCKETS
                                   ? "time, until, raw, value, unit, truth, socket"
                                   : "time, until, raw, value, unit, truth")
               : status;
}

static cs_status check_table(cs_checking *check, cs_table_format format)
{
    const cs_byte_source source = cs_check_source(check);
    cs_tableread *table = NULL;
    cs_status status =
        cs_tableread_open(&source, check->request->path, format, &table, check->diag);

    if (status == CS_OK)
        status = cs_check_do(check, tables);
    if (status == CS_OK)
        status = fill(check, table);
    const cs_tableread_kind kind =
        table != NULL ? cs_tableread_get_kind(table) : CS_TABLEREAD_EMPTY;
    cs_tableread_close(table);
    if (status != CS_OK)
        return status;
    return kind == CS_TABLEREAD_COUNTS || kind == CS_TABLEREAD_SOCKETS ||
                   kind == CS_TABLEREAD_ROTATED
               ? compare_counts(check, kind)
               : compare_samples(check);
}

static cs_status check_csv(cs_checking *check)
{
    return check_table(check, CS_TABLE_CSV);
}

const cs_checker cs_checker_csv = {.check = check_csv};

static cs_status check_json(cs_checking *check)
{
    return check_table(check, CS_TABLE_JSON);
}

const cs_checker cs_checker_json = {.check = check_json};
