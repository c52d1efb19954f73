/* Tables of samples and counts, CSV or JSON: each row against the truth's. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "check/checker.h"
#include "check/impl.h"
#include "formats/table/read/table.h"

static const char tables[] =
    "CREATE TABLE have(place TEXT, offset INTEGER, grp TEXT, cpu INTEGER, time INTEGER, pid "
    "INTEGER, mode INTEGER, ip INTEGER, period INTEGER, until INTEGER, raw INTEGER, value TEXT, "
    "unit TEXT, truth INTEGER, name TEXT, final INTEGER, enabled INTEGER, running INTEGER, "
    "chain TEXT);"
    "CREATE TABLE want(source INTEGER, grp TEXT, cpu INTEGER, time INTEGER, pid INTEGER, mode "
    "INTEGER, ip INTEGER, period INTEGER, until INTEGER, raw INTEGER, value TEXT, unit TEXT, truth "
    "INTEGER, final INTEGER, enabled INTEGER, running INTEGER, chain TEXT)";

static const char insert_sql[] =
    "INSERT INTO have(offset, name, cpu, time, pid, mode, ip, period, until, raw, value, unit, "
    "truth, final, enabled, running, chain) VALUES(?,?,?,?,?,?,?,?,?,?,CASE WHEN ?11 IS NOT NULL "
    "THEN "
    "printf('%.9g',?11) END,?,?,?,?,?,?)";

static void bind(sqlite3_stmt *insert, int at, const cs_tableread_cell *cell)
{
    if (cell->text != NULL)
        sqlite3_bind_int64(insert, at, cell->number);
}

static void bind_text(sqlite3_stmt *insert, int at, const cs_tableread_cell *cell)
{
    if (cell->text != NULL)
        sqlite3_bind_text(insert, at, cell->text, -1, SQLITE_TRANSIENT);
}

/* "cycles:u" as the truth has it: its command says what was excluded. */
static void bind_event(sqlite3_stmt *insert, int at, const cs_tableread_cell *cell)
{
    if (cell->text != NULL)
        sqlite3_bind_text(insert, at, cell->text, (int)cs_check_name_bytes(cell->text),
                          SQLITE_TRANSIENT);
}

static cs_status add(cs_check *check, sqlite3_stmt *insert, const cs_tableread_row *row)
{
    const cs_tableread_cell *c = row->cells;

    sqlite3_clear_bindings(insert);
    if (row->kind == CS_TABLEREAD_SAMPLES || row->kind == CS_TABLEREAD_CHAINS) {
        bind_text(insert, 2, &c[CS_SAMPLE_EVENT]);
        bind(insert, 3, &c[CS_SAMPLE_CPU]);
        bind(insert, 4, &c[CS_SAMPLE_TIME]);
        bind(insert, 5, &c[CS_SAMPLE_PID]);
        bind(insert, 6, &c[CS_SAMPLE_MODE]);
        bind(insert, 7, &c[CS_SAMPLE_IP]);
        bind(insert, 8, &c[CS_SAMPLE_PERIOD]);
        if (row->kind == CS_TABLEREAD_CHAINS)
            bind_text(insert, 17, &c[CS_SAMPLE_CHAIN]);
    } else if (row->kind == CS_TABLEREAD_ROTATED) {
        bind_text(insert, 2, &c[CS_COUNT_EVENT]);
        bind(insert, 3, &c[CS_COUNT_CPU]);
        bind(insert, 4, &c[CS_COUNT_FROM]);
        bind(insert, 9, &c[CS_COUNT_TO]);
        bind(insert, 10, &c[CS_ROTATED_RAW]);
        if (c[CS_ROTATED_SCALED].text != NULL)
            sqlite3_bind_double(insert, 11, c[CS_ROTATED_SCALED].real);
        bind_text(insert, 12, &c[CS_ROTATED_UNIT]);
        bind(insert, 13, &c[CS_ROTATED_TRUTH]);
        bind(insert, 14, &c[CS_ROTATED_FINAL]);
        bind(insert, 15, &c[CS_ROTATED_ENABLED]);
        bind(insert, 16, &c[CS_ROTATED_RUNNING]);
    } else {
        bind_event(insert, 2, &c[CS_COUNT_EVENT]);
        bind(insert, 3, &c[CS_COUNT_CPU]);
        bind(insert, 4, &c[CS_COUNT_FROM]);
        bind(insert, 9, &c[CS_COUNT_TO]);
        bind(insert, 10, &c[CS_COUNT_RAW]);
        sqlite3_bind_double(insert, 11, c[CS_COUNT_VALUE].real);
        bind_text(insert, 12, &c[CS_COUNT_UNIT]);
        bind(insert, 13, &c[CS_COUNT_TRUTH]);
    }
    const int64_t offset = (int64_t)row->offset;
    return cs_check_insert(check, insert, &offset, 1);
}

static cs_status fill(cs_check *check, cs_tableread *table)
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

/* Which rows of the truth: those of --command, or all. */
typedef struct wanted {
    char harts[64], imc[64]; /* conditions */
    bool pmcu;
} wanted;

static cs_status choose(cs_check *check, wanted *out)
{
    static const char hart[] = "riscv.perf.", imc[] = "imc_driver.perf.";
    const char *command = check->request->command;
    char *end = NULL;

    *out = (wanted){"1", "1", true};
    if (command == NULL)
        return CS_OK;
    *out = (wanted){"0", "0", false};
    const bool of_hart = strncmp(command, hart, strlen(hart)) == 0;
    const bool of_imc = strncmp(command, imc, strlen(imc)) == 0;
    if (strcmp(command, "pmcu_driver") == 0) {
        out->pmcu = true;
        return CS_OK;
    }
    if (strcmp(command, "pmi") == 0) {
        strcpy(out->imc, "1");
        return CS_OK;
    }
    const char *number = command + strlen(of_hart ? hart : imc);
    const unsigned long long nth = of_hart || of_imc ? strtoull(number, &end, 10) : 0;
    if (end == NULL || end == number || *end != '\0')
        return cs_diag_set(check->diag, CS_ERR_RANGE, NULL,
                           "--command: found '%s', expected riscv.perf.N, imc_driver.perf.N, pmi "
                           "or driver",
                           command);
    snprintf(of_hart ? out->harts : out->imc, sizeof out->imc, "command=%llu", nth);
    return CS_OK;
}

/* Ticks of a clock as an expression of nanoseconds, rounded down. */
static void ns_of(int64_t mhz, int64_t start, const char *column, char *out, size_t bytes)
{
    snprintf(out, bytes,
             "CAST((%s-(%" PRId64 "))/%" PRId64 "*1000+(%s-(%" PRId64 "))%%%" PRId64
             "*1000/%" PRId64 " AS INTEGER)",
             column, start, mhz, column, start, mhz, mhz);
}

static cs_status want_samples(cs_check *check, const wanted *which)
{
    char sql[2048], hart[256], cycles[256], commit[256];
    const cs_scenario *s = NULL;
    cs_status status = cs_check_load(check, &s);

    if (status != CS_OK)
        return status;
    ns_of(s->harts->timebase_mhz, (int64_t)s->harts->timebase_start, "time", hart, sizeof hart);
    ns_of(s->bus->clock_mhz, 0, "time", cycles, sizeof cycles);
    ns_of(s->bus->clock_mhz, 0, "b.cycle", commit, sizeof commit);
    snprintf(sql, sizeof sql,
             "INSERT INTO want(source, cpu, time, pid, mode, ip, period, chain) SELECT "
             "1000000+command*1000+event, cpu, %s, pid, misc, ip, period, nullif(chain,'') FROM "
             "truth.hart_sample WHERE lost=0 AND %s",
             hart, which->harts);
    status = cs_check_do(check, sql);
    snprintf(sql, sizeof sql,
             "INSERT INTO want(source, cpu, time, pid, mode, ip, period) SELECT command, cpu, %s, "
             "pid, misc, ip, NULL FROM truth.perf_sample WHERE %s",
             cycles, which->imc);
    if (status == CS_OK)
        status = cs_check_do(check, sql);
    if (status == CS_OK)
        status = cs_check_periods(check, "source");
    if (status != CS_OK || !which->pmcu)
        return status;
    status = cs_check_kept(
        check,
        cs_check_number(check, "SELECT count(DISTINCT time) FROM have WHERE mode IS NULL", 0));
    /* The cycle counter stands behind the counters; event 0xc000 only fills up a subsample. */
    snprintf(sql, sizeof sql,
             "INSERT INTO want(grp, cpu, time, pid, ip, period) SELECT coalesce(e.name, "
             "printf('0x%%04x', s.event)), s.cpu, %s, coalesce(w.cid1,4294967295), 0, s.value FROM "
             "(SELECT *, position=(SELECT max(position) FROM truth.sample) AND EXISTS(SELECT 1 "
             "FROM truth.event WHERE cycle_counter=1) AS cycles FROM kept_sample) s JOIN "
             "kept_subsample b ON b.number=s.subsample LEFT JOIN kept_window w USING(subsample, "
             "cpu) LEFT JOIN truth.event e ON e.number=s.event AND e.cycle_counter=s.cycles WHERE "
             "s.event<>49152",
             commit);
    return status == CS_OK ? cs_check_do(check, sql) : status;
}

static cs_status want_counts(cs_check *check, const wanted *which)
{
    char sql[2048], start[256], stop[256];
    int64_t mhz = 1;
    const cs_status status = cs_check_clock(check, &mhz);

    ns_of(mhz, 0, "start", start, sizeof start);
    ns_of(mhz, 0, "stop", stop, sizeof stop);
    snprintf(sql, sizeof sql,
             "INSERT INTO want(grp, cpu, time, until, raw, value, unit, truth) SELECT CASE WHEN "
             "pmu IN ('riscv','guest') THEN event ELSE pmu||'/'||event||'/' END, cpu, %s, %s, raw, "
             "printf('%%.9g', value), nullif(unit,''), truth FROM truth.count WHERE CASE WHEN pmu "
             "IN ('riscv','guest') THEN %s ELSE %s END",
             start, stop, which->harts, which->imc);
    return status == CS_OK ? cs_check_do(check, sql) : status;
}

/* Names as rotated.c has them. */
static cs_status want_rotated(cs_check *check)
{
    char sql[2048], start[256], stop[256], only[64] = "1";
    cs_check_list list;
    int64_t command, mhz = 1;
    cs_status status = cs_check_command(check, &list, &command);

    if (status == CS_OK)
        status = cs_check_clock(check, &mhz);
    ns_of(mhz, 0, "start", start, sizeof start);
    ns_of(mhz, 0, "stop", stop, sizeof stop);
    if (list == CS_CHECK_MULTIPLEX)
        snprintf(only, sizeof only, "pmu='cpu'");
    else if (list == CS_CHECK_UNCORE)
        snprintf(only, sizeof only, "pmu<>'cpu' AND command=%" PRId64, command);
    else if (list != CS_CHECK_ALL)
        snprintf(only, sizeof only, "0");
    snprintf(sql, sizeof sql,
             "INSERT INTO want(grp, cpu, time, until, raw, value, truth, final, enabled, running) "
             "SELECT CASE WHEN pmu<>'cpu' THEN printf('%%s/event=0x%%x/', pmu, event) WHEN name "
             "LIKE '0x%%' THEN printf('r%%x', event) ELSE name END, cpu, %s, %s, raw, CASE WHEN "
             "scaled IS NOT NULL THEN printf('%%.9g', scaled) END, truth, final, "
             "enabled*1000/%" PRId64 ", running*1000/%" PRId64 " FROM truth.rotated WHERE %s",
             start, stop, mhz, mhz, only);
    return status == CS_OK ? cs_check_do(check, sql) : status;
}

/* ---- rows ---- */

/* The truth numbers events, the file names them: of those rows that are told apart by all else, an
 * event of the truth has one name. A PMCU's rows have no mode, and their names are compared. */
static const char rows_of_names[] =
    "WITH k AS (SELECT cpu, time, ip, pid, period, min(name) AS name, min(offset) AS offset FROM "
    "have WHERE mode IS NOT NULL GROUP BY 1,2,3,4,5 HAVING count(*)=1), j AS (SELECT w.source, "
    "k.name, k.offset, count(*) OVER (PARTITION BY w.source, k.name) AS n FROM want w JOIN k "
    "USING(cpu, time, ip, pid, period) WHERE w.source IS NOT NULL), u AS (SELECT source, name, "
    "max(n) AS n, min(offset) AS offset FROM j GROUP BY 1,2), f AS (SELECT *, first_value(name) "
    "OVER (PARTITION BY source ORDER BY n DESC, offset) AS best FROM u) SELECT 'names', best, "
    "NULL, sum(n), sum(CASE WHEN name=best THEN n ELSE 0 END), sum(CASE WHEN name=best THEN 0 ELSE "
    "n END), 'one name an event', (SELECT 'byte '||offset||': '||name FROM f g WHERE "
    "g.source=f.source AND g.name<>g.best ORDER BY offset LIMIT 1) FROM f GROUP BY source";

/* As in samples.c; the file does not say of which command a sample is. */
static const char late[] = "DELETE FROM want WHERE source>=1000000 AND time>coalesce((SELECT "
                           "max(time) FROM have h WHERE h.cpu=want.cpu),-1)";

static cs_status compare_samples(cs_check *check)
{
    const bool with_chains =
        cs_check_number(check, "SELECT count(*) FROM want WHERE chain IS NOT NULL", 0) > 0 ||
        cs_check_number(check, "SELECT count(*) FROM have WHERE chain IS NOT NULL", 0) > 0;
    cs_status status =
        cs_check_do(check, "CREATE INDEX have_at ON have(cpu, time);"
                           "UPDATE have SET grp=CASE WHEN mode IS NULL THEN name END");

    if (status == CS_OK && cs_check_was_cut(check))
        status = cs_check_leave(check, late);
    if (status == CS_OK)
        status = cs_check_same(check, "samples",
                               with_chains ? "time, pid, mode, ip, period, chain"
                                           : "time, pid, mode, ip, period");
    return status == CS_OK ? cs_check_rows(check, rows_of_names) : status;
}

static cs_status check_table(cs_check *check, cs_table_format format)
{
    const cs_byte_source source = cs_check_source(check);
    cs_tableread *table = NULL;
    wanted which;
    cs_status status =
        cs_tableread_open(&source, check->request->path, format, &table, check->diag);

    if (status == CS_OK)
        status = cs_check_do(check, tables);
    if (status == CS_OK)
        status = fill(check, table);
    const cs_tableread_kind kind =
        table != NULL ? cs_tableread_get_kind(table) : CS_TABLEREAD_EMPTY;
    cs_tableread_close(table);
    if (status == CS_OK && kind != CS_TABLEREAD_ROTATED)
        status = choose(check, &which);
    if (status == CS_OK)
        status = kind == CS_TABLEREAD_ROTATED  ? want_rotated(check)
                 : kind == CS_TABLEREAD_COUNTS ? want_counts(check, &which)
                                               : want_samples(check, &which);
    if (status != CS_OK)
        return status;
    if (kind != CS_TABLEREAD_COUNTS && kind != CS_TABLEREAD_ROTATED)
        return compare_samples(check);
    status = cs_check_do(check, "UPDATE have SET grp=name");
    if (status != CS_OK)
        return status;
    return cs_check_same(check, "counts",
                         kind == CS_TABLEREAD_COUNTS
                             ? "time, until, raw, value, unit, truth"
                             : "time, until, final, raw, enabled, running, value, truth");
}

static cs_status check_csv(cs_check *check)
{
    return check_table(check, CS_TABLE_CSV);
}

const cs_checker cs_checker_csv = {.check = check_csv};

static cs_status check_json(cs_check *check)
{
    return check_table(check, CS_TABLE_JSON);
}

const cs_checker cs_checker_json = {.check = check_json};
