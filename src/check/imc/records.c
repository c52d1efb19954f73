// SPDX-License-Identifier: Apache-2.0
/* Records of IMC: all that the hardware wrote of a thread, or what the buffers of all threads held
 * at the end. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/bus/msb0.h"
#include "base/number.h"
#include "check/checker.h"
#include "check/impl.h"
#include "formats/imc/abi/fields.h"
#include "formats/imc/read/record.h"
#include "scenario/imc/imc_spec.h"
#include "scenario/machine/bus_spec.h"

#define MOST_CPU 65535u

static const char tables[] =
    "CREATE TABLE found(offset INTEGER PRIMARY KEY, cpu INTEGER, time INTEGER, ip INTEGER, pid "
    "INTEGER, lpid INTEGER, valid INTEGER)";

/* "records/cpu12.imc": 12; -1: it does not say. */
static int cpu_of(const char *path)
{
    const char *name = strrchr(path, '/');
    char *end = NULL;

    name = name != NULL ? name + 1 : path;
    if (strncmp(name, "cpu", 3) != 0)
        return -1;
    const unsigned long cpu = strtoul(name + 3, &end, 10);
    return end != name + 3 && cpu <= MOST_CPU ? (int)cpu : -1;
}

static cs_status check_cpu(const char *text, cs_diag *diag)
{
    uint64_t cpu;

    return cs_number_of(text, MOST_CPU, &cpu)
               ? CS_OK
               : cs_diag_set(diag, CS_ERR_RANGE, NULL, "found '%s', expected 0..%u", text,
                             MOST_CPU);
}

static const cs_format_option option_cpu = {
    .name = "cpu",
    .value = "N",
    .help = "imc-trace: records of this thread (default: FILE's name, as "
            "cpu3.imc; else FILE is the buffers of all)",
    .check = check_cpu};

static const cs_format_option *const options[] = {&option_cpu, NULL};

/* Of which thread its records are, as asked for or by the file's name; -1: nobody says. */
static int cpu_of_file(const cs_checking *check)
{
    const int64_t cpu = cs_check_given_number(check, &option_cpu, -1);

    return cpu >= 0 ? (int)cpu : cpu_of(check->request->path);
}

static bool has_cpu(const cs_checking *check)
{
    return cpu_of_file(check) >= 0;
}

static cs_status fill(cs_checking *check, cs_imc_trace *trace, int cpu, sqlite3_stmt *insert)
{
    const cs_imc_trace_record *record = NULL;
    cs_diag diag = {0};
    cs_status status = CS_OK;

    while (status == CS_OK) {
        cs_status read = cs_imc_trace_next(trace, &record, &diag);

        if (read != CS_OK)
            return cs_check_ended(check, read, &diag);
        if (record == NULL)
            break;
        /* In a buffer there is room that was never written, and the kernel clears the first word of
         * what it has read. */
        if (cpu < 0 && record->itself == CS_IMC_EMPTY)
            continue;
        const bool read_by_kernel = cpu < 0 && record->itself == CS_IMC_READ;
        const int64_t values[] = {
            (int64_t)(record->index * CS_IMC_TRACE_RECORD_BYTES),
            cpu,
            (int64_t)(cpu < 0 ? cs_msb0(record->tb2, CS_IMC_TB2_TIMEBASE) : record->tb1),
            (int64_t)record->ip,
            (int64_t)cs_msb0(record->val, CS_IMC_VAL_PID),
            (int64_t)cs_msb0(record->val, CS_IMC_VAL_LPID),
            record->itself == CS_IMC_VALID || read_by_kernel,
        };
        status = cs_check_insert(check, insert, values, sizeof values / sizeof values[0]);
    }
    return status;
}

/* The record's timebase is that of the cycle it tells of. A place in a buffer has what was written
 * there last, with 42 bits of it. */
static cs_status make_want(cs_checking *check, int cpu)
{
    char sql[1024], time[256];
    const cs_scenario *s = NULL;
    const cs_status status = cs_check_load(check, &s);

    if (status != CS_OK)
        return status;
    const int64_t clock = s->bus->clock_mhz, mhz = s->imc->timebase_mhz;
    const int64_t start = (int64_t)s->imc->timebase_start;
    snprintf(time, sizeof time,
             "(snapshot/%" PRId64 "*%" PRId64 "+snapshot%%%" PRId64 "*%" PRId64 "/%" PRId64
             "+(%" PRId64 "))",
             clock, mhz, clock, mhz, clock, start);
    if (cpu >= 0)
        snprintf(
            sql, sizeof sql,
            "CREATE TABLE want AS SELECT number AS seq, cpu, CAST(%s AS INTEGER) AS time, pc AS "
            "ip, pid, lpid FROM truth.record WHERE response='OKAY' AND cpu=%d",
            time, cpu);
    else
        snprintf(
            sql, sizeof sql,
            "CREATE TABLE want AS SELECT row_number() OVER (ORDER BY address) AS seq, NULL AS "
            "cpu, CAST(%s & 4398046511103 AS INTEGER) AS time, pc AS ip, pid, lpid FROM (SELECT "
            "*, max(cycle) FROM truth.record WHERE response='OKAY' GROUP BY address)",
            time);
    return cs_check_do(check, sql);
}

static const char *const prepare[] = {
    "CREATE INDEX want_at ON want(time)",
    "CREATE TABLE pair AS SELECT w.seq, f.offset, f.ip=w.ip AND f.pid=w.pid AND f.lpid=w.lpid AND "
    "f.valid AS same FROM (SELECT *, row_number() OVER (PARTITION BY time ORDER BY seq) AS n FROM "
    "want) w JOIN (SELECT *, row_number() OVER (PARTITION BY time ORDER BY offset) AS n FROM "
    "found) f "
    "USING(time, n)",
    "CREATE INDEX pair_w ON pair(seq)",
    "CREATE INDEX pair_f ON pair(offset)",
};

static const char rows[] =
    "SELECT 'records', NULL, cpu, (SELECT count(*) FROM want), (SELECT count(*) FROM found), "
    "(SELECT "
    "count(*) FROM want WHERE seq NOT IN (SELECT seq FROM pair)) + (SELECT count(*) FROM found "
    "WHERE "
    "offset NOT IN (SELECT offset FROM pair)), 'exact', coalesce((SELECT printf('missing: number "
    "%lld, timebase %lld; ', seq, time) FROM want WHERE seq NOT IN (SELECT seq FROM pair) LIMIT "
    "1),'') || coalesce((SELECT printf('byte %lld: timebase %lld is not in the truth', offset, "
    "time) "
    "FROM found WHERE offset NOT IN (SELECT offset FROM pair) LIMIT 1),'') FROM (SELECT max(cpu) "
    "AS "
    "cpu FROM want) "
    "UNION ALL SELECT 'PC and ids', NULL, (SELECT max(cpu) FROM want), count(*), sum(same), "
    "sum(NOT same), 'exact', (SELECT printf('byte %lld: ip 0x%llx pid %lld lpid %lld valid %lld, "
    "expected ip 0x%llx pid %lld lpid %lld', f.offset, f.ip, f.pid, f.lpid, f.valid, w.ip, w.pid, "
    "w.lpid) FROM pair p JOIN want w ON w.seq=p.seq JOIN found f ON f.offset=p.offset WHERE NOT "
    "p.same ORDER BY f.offset LIMIT 1) FROM pair "
    "UNION ALL SELECT 'order', NULL, (SELECT max(cpu) FROM want), count(*), count(*)-sum(back), "
    "sum(back), 'exact', (SELECT CASE WHEN sum(back)>0 THEN printf('byte %lld: written before the "
    "one in front of it', min(CASE WHEN back THEN offset END)) END) FROM (SELECT offset, "
    "coalesce(seq < lag(seq) OVER (ORDER BY offset),0) AS back FROM pair)";

static cs_status check_records(cs_checking *check)
{
    const cs_byte_source source = cs_check_source(check);
    const int cpu = cpu_of_file(check);
    cs_imc_trace *trace = NULL;
    sqlite3_stmt *insert = NULL;
    bool any = false;
    cs_status status;

    status = cs_imc_trace_open(&source, check->request->path, 0, &trace, check->diag);
    if (status == CS_OK)
        status = cs_check_do(check, tables);
    if (status == CS_OK)
        status = cs_check_prepare(check, "INSERT INTO found VALUES(?,?,?,?,?,?,?)", &insert);
    if (status == CS_OK)
        status = fill(check, trace, cpu, insert);
    sqlite3_finalize(insert);
    cs_imc_trace_close(trace);
    if (status == CS_OK)
        status = make_want(check, cpu);
    if (status == CS_OK)
        status = cs_check_any(check, "SELECT EXISTS(SELECT 1 FROM want)", &any);
    if (status != CS_OK || !any)
        return status;
    status = CS_CHECK_DO_ALL(check, prepare);
    return status == CS_OK ? cs_check_rows(check, rows) : status;
}

const cs_checker cs_checker_imc_trace = {
    .check = check_records, .is_sure = has_cpu, .options = options};
