// SPDX-License-Identifier: Apache-2.0
/* Profiles: their stacks, added up or sample by sample, against those of the truth. */
#include "check/profile/profile.h"

#include <stdlib.h>
#include <string.h>

#include "check/checker.h"
#include "formats/firefox/read/firefox.h"
#include "formats/folded/read/folded.h"
#include "formats/pprof/read/pprof.h"
#include "formats/speedscope/read/speedscope.h"

/* What a format's rows are. */
typedef struct profile {
    const cs_profileread_class *reader;
    bool events_in_path; /* an event stands in front of the stack, where there are several */
    bool kinds;          /* "samples of X" stands beside X */
    bool places;         /* it has CPU, process and order */
    bool times;          /* and the time of each sample */
} profile;

static const char tables[] =
    "CREATE TABLE raw(offset INTEGER, grp TEXT, cpu INTEGER, time INTEGER, pid INTEGER, weight "
    "INTEGER, ip INTEGER, stack TEXT, counts INTEGER);"
    "CREATE TABLE want(" CS_CHECK_TABLED ")";

/* A sum as the formats have room for it: no more than 2^63 - 1 (docs/traces/profiles.md). A larger one is a
 * text (exact_sum.c). */
#define WHOLE(what)                                                                                \
    "CASE typeof(sum(" what ")) WHEN 'text' THEN 9223372036854775807 ELSE sum(" what ") END"

/* ---- the file ---- */

static cs_status insert_row(cs_checking *check, sqlite3_stmt *insert, const cs_profileread_row *row)
{
    sqlite3_clear_bindings(insert);
    if (row->event != NULL)
        cs_check_text(check, insert, 2, row->event, -1);
    if (row->has_cpu)
        sqlite3_bind_int64(insert, 3, row->cpu);
    if (row->has_time)
        sqlite3_bind_int64(insert, 4, (int64_t)row->time_ns);
    if (row->has_pid)
        sqlite3_bind_int64(insert, 5, row->pid);
    if (row->is_whole)
        sqlite3_bind_int64(insert, 6, row->number);
    if (row->has_address)
        sqlite3_bind_int64(insert, 7, (int64_t)row->address);
    cs_check_text(check, insert, 8, row->stack, -1);
    const int64_t offset = (int64_t)row->offset;
    return cs_check_insert(check, insert, &offset, 1);
}

static cs_status fill(cs_checking *check, const profile *p)
{
    const cs_byte_source source = cs_check_source(check);
    const cs_profileread_row *row = NULL;
    sqlite3_stmt *insert = NULL;
    void *reader = NULL;
    cs_diag diag = {0};
    cs_status status = cs_check_prepare(
        check,
        "INSERT INTO raw(offset, grp, cpu, time, pid, weight, ip, stack) VALUES(?,?,?,?,?,?,?,?)",
        &insert);

    if (status == CS_OK) {
        const cs_status opened = p->reader->open(&source, check->request->path, &reader, &diag);

        if (opened != CS_OK)
            status = cs_check_ended(check, opened, &diag);
    }
    while (status == CS_OK && reader != NULL) {
        const cs_status read = p->reader->next(reader, &row, &diag);

        if (read != CS_OK)
            status = cs_check_ended(check, read, &diag);
        if (read != CS_OK || row == NULL)
            break;
        status = insert_row(check, insert, row);
    }
    if (reader != NULL)
        p->reader->close(reader);
    sqlite3_finalize(insert);
    return status;
}

/* "samples of X" counts what X weighs; of one event it is "samples". */
static const char *const kinds[] = {
    "UPDATE raw SET counts=grp='samples' OR grp LIKE 'samples of %'",
    "UPDATE raw SET grp=CASE WHEN grp='samples' THEN (SELECT grp FROM raw WHERE NOT counts LIMIT "
    "1) "
    "ELSE substr(grp, 12) END WHERE counts",
};

/* Where a stack begins with no process of the truth, it begins with an event. */
static const char split_events[] =
    "UPDATE raw SET grp=substr(stack, 1, instr(stack, ';')-1), stack=substr(stack, instr(stack, "
    "';')+1) WHERE instr(stack, ';') AND substr(stack, 1, instr(stack, ';')-1) NOT IN (SELECT "
    "DISTINCT CASE WHEN instr(stack, ';') THEN substr(stack, 1, instr(stack, ';')-1) ELSE stack "
    "END "
    "FROM place)";

/* ---- the truth ---- */

/* Where nobody knows who ran. */
static const char nobody[] = "UPDATE told SET pid=-1 WHERE pid=4294967295";

static const char *const tell[] = {
    /* Events that have a name in the truth are told apart by CPUs only. */
    "UPDATE raw SET grp=substr(grp, 1, instr(grp, '#')-1) WHERE instr(grp, '#') AND substr(grp, 1, "
    "instr(grp, '#')-1) IN (SELECT grp FROM told)",
    "CREATE TABLE sample AS SELECT t.*, p.stack FROM told t JOIN place p ON p.ip IS t.ip AND p.pid "
    "IS t.pid AND p.cpu IS t.cpu AND p.mode IS t.mode AND p.guest IS t.guest AND p.chain IS "
    "t.chain",
};

/* Which event of the file is which of the truth: the ones that have most in common, each once. */
static const char *const match[] = {
    "CREATE TABLE known AS SELECT command, event, CASE WHEN EXISTS(SELECT 1 FROM raw WHERE cpu IS "
    "NOT NULL) THEN cpu END AS cpu, stack, " WHOLE(
        "period") " AS periods, count(*) AS n FROM sample WHERE "
                  "grp IS NULL GROUP BY 1,2,3,4",
    "CREATE TABLE given AS SELECT grp, cpu, stack, " WHOLE(
        "weight") " AS weight, min(offset) AS offset "
                  "FROM raw WHERE counts IS NOT 1 GROUP BY 1,2,3",
    "CREATE INDEX known_at ON known(stack, cpu)",
    "CREATE TABLE pair AS SELECT g.grp, k.command, k.event, sum(CASE WHEN g.weight IN (k.n, "
    "k.periods) THEN 2*k.n ELSE 1 END) AS score, min(g.offset) AS offset FROM given g JOIN known k "
    "ON k.stack=g.stack AND k.cpu IS g.cpu GROUP BY 1,2,3",
    "CREATE TABLE map(grp TEXT, command INTEGER, event INTEGER)",
};
static const char match_one[] =
    "INSERT INTO map SELECT grp, command, event FROM pair p WHERE NOT EXISTS (SELECT 1 FROM map m "
    "WHERE m.grp IS p.grp OR (m.command=p.command AND m.event=p.event)) ORDER BY score DESC, "
    "offset, command, event LIMIT 1";

static cs_status match_events(cs_checking *check)
{
    int64_t before = -1, after = 0;
    cs_status status = CS_CHECK_DO_ALL(check, match);

    while (status == CS_OK && before != after) {
        before = after;
        status = cs_check_do(check, match_one);
        if (status == CS_OK)
            status = cs_check_number(check, "SELECT count(*) FROM map", &after);
    }
    if (status == CS_OK)
        status = cs_check_do(
            check, "UPDATE sample SET grp=coalesce((SELECT m.grp FROM map m WHERE "
                   "m.command=sample.command AND m.event=sample.event), CASE WHEN (SELECT count(*) "
                   "FROM map)=1 AND (SELECT grp FROM map) IS NULL THEN NULL ELSE 'command '||"
                   "(command%1000000)||' event '||event END) WHERE grp IS NULL");
    return status;
}

/* Of samples that lie in a ring the first are read: as many as the file has. */
static const char late[] =
    "CREATE TABLE kept AS SELECT rowid AS r, row_number() OVER (PARTITION BY grp, cpu ORDER BY "
    "seq) "
    "AS n, (SELECT sum(CASE WHEN w.counts IS NULL THEN 1 WHEN w.counts THEN weight ELSE 0 END) "
    "FROM "
    "raw w WHERE w.grp IS sample.grp AND w.cpu=sample.cpu) AS most FROM sample WHERE ring;"
    "DELETE FROM sample WHERE rowid IN (SELECT r FROM kept WHERE n>coalesce(most,0))";

/* ---- comparisons ---- */

typedef struct comparison {
    const char *what, *columns;
    const char *want, *have;
} comparison;

static cs_status compare(cs_checking *check, const comparison *c)
{
    static const char *const again[] = {"DROP TABLE IF EXISTS want", "DROP TABLE IF EXISTS have"};
    cs_status status = CS_CHECK_DO_ALL(check, again);
    char sql[1024];

    snprintf(sql, sizeof sql, "CREATE TABLE want AS %s", c->want);
    if (status == CS_OK)
        status = cs_check_do(check, sql);
    snprintf(sql, sizeof sql, "CREATE TABLE have AS %s", c->have);
    if (status == CS_OK)
        status = cs_check_do(check, sql);
    return status == CS_OK ? cs_check_same(check, c->what, c->columns) : status;
}

static const comparison folded_samples = {
    "stacks", "stack, weight",
    "SELECT grp, NULL AS cpu, stack, count(*) AS weight FROM sample GROUP BY grp, stack",
    "SELECT NULL AS place, min(offset) AS offset, grp, NULL AS cpu, stack, sum(weight) AS weight "
    "FROM raw GROUP BY grp, stack"};
static const comparison folded_periods = {
    "stacks", "stack, weight",
    "SELECT grp, NULL AS cpu, stack, " WHOLE("period") " AS weight FROM sample GROUP BY grp, stack",
    "SELECT NULL AS place, min(offset) AS offset, grp, NULL AS cpu, stack, " WHOLE(
        "weight") " AS "
                  "weight FROM raw GROUP BY grp, stack"};
/* Stacks of one text may be several of the file: of other return addresses, of a guest's kernel and of its
 * user. Where a weight is no whole number, neither is the sum. */
#define PPROF_ROWS                                                                                 \
    "SELECT NULL AS place, min(offset) AS offset, grp, cpu, pid, ip, stack, CASE WHEN "            \
    "count(weight)=count(*) THEN " WHOLE("weight") " END AS weight FROM raw WHERE "
#define PPROF_PLACES " GROUP BY grp, cpu, pid, ip, stack"
static const comparison pprof_sums[] = {
    {"samples", "pid, ip, stack, weight",
     "SELECT grp, cpu, pid, CASE WHEN mode IS NOT NULL THEN ip END AS ip, stack, count(*) AS "
     "weight FROM sample GROUP BY grp, cpu, pid, 4, stack",
     PPROF_ROWS "counts" PPROF_PLACES},
    {"periods", "pid, ip, stack, weight",
     "SELECT grp, cpu, pid, CASE WHEN mode IS NOT NULL THEN ip END AS ip, stack, " WHOLE(
         "period") " AS weight FROM sample GROUP BY grp, cpu, pid, 4, stack HAVING sum(period)<>0",
     PPROF_ROWS "NOT counts" PPROF_PLACES},
};
static const comparison each_sample = {
    "samples", "pid, stack, period", "SELECT grp, cpu, pid, stack, period FROM sample",
    "SELECT NULL AS place, offset, grp, cpu, pid, stack, weight AS period FROM raw"};

static const comparison each_timed_sample = {
    "samples", "time, pid, stack, period", "SELECT grp, cpu, time, pid, stack, period FROM sample",
    "SELECT NULL AS place, offset, grp, cpu, time, pid, stack, weight AS period FROM raw"};

/* Where all are there: whether each is in its place. */
static const char order[] =
    "WITH w AS (SELECT grp, cpu, pid, stack, period, row_number() OVER (PARTITION BY grp, cpu "
    "ORDER "
    "BY seq) AS n FROM sample WHERE seq IS NOT NULL), h AS (SELECT grp, cpu, pid, stack, weight, "
    "offset, row_number() OVER (PARTITION BY grp, cpu ORDER BY offset) AS n FROM raw), j AS "
    "(SELECT "
    "w.grp, w.cpu, h.offset, w.pid IS NOT h.pid OR w.stack IS NOT h.stack OR w.period IS NOT "
    "h.weight AS bad FROM w JOIN h ON h.grp IS w.grp AND h.cpu=w.cpu AND h.n=w.n) SELECT 'order', "
    "grp, cpu, count(*), count(*)-sum(bad), sum(bad), 'exact', CASE WHEN sum(bad)>0 THEN "
    "printf('byte %lld: taken at another time', min(CASE WHEN bad THEN offset END)) END FROM j "
    "GROUP BY grp, cpu";

static cs_status compare_folded(cs_checking *check)
{
    bool weighs = false;
    const cs_status status = cs_check_any(
        check,
        "SELECT w<>n AND abs(1.0*w-p)<abs(1.0*w-n) FROM (SELECT sum(weight) AS w FROM raw), "
        "(SELECT count(*) AS n FROM sample), (SELECT sum(weight) AS p FROM (SELECT " WHOLE(
            "period") " AS weight FROM sample GROUP BY grp, stack))",
        &weighs);

    return status == CS_OK ? compare(check, weighs ? &folded_periods : &folded_samples) : status;
}

static cs_status compare_all(cs_checking *check, const profile *p)
{
    cs_status status = CS_OK;

    if (p->events_in_path)
        return compare_folded(check);
    if (p->kinds) {
        for (size_t i = 0; i < 2 && status == CS_OK; i++)
            status = compare(check, &pprof_sums[i]);
        return status;
    }
    if (p->times)
        return compare(check, &each_timed_sample);
    status = compare(check, &each_sample);
    return status == CS_OK ? cs_check_rows(check, order) : status;
}

/* What the rings still held when the run was cut. */
static cs_status leave_late(cs_checking *check, const profile *p, bool *lost)
{
    bool cut = false, rings = false;
    cs_status status = cs_check_was_cut(check, &cut);

    *lost = false;
    if (status == CS_OK && cut)
        status = cs_check_any(check, "SELECT count(*) FROM sample WHERE ring", &rings);
    if (status != CS_OK || !rings)
        return status;
    *lost = !p->places;
    if (*lost)
        return cs_check_rows(check, "SELECT 'stacks', NULL, NULL, (SELECT count(*) FROM sample), "
                                    "(SELECT sum(weight) FROM raw), NULL, 'none: run ended early', "
                                    "NULL");
    return cs_check_do(check, late);
}

static cs_status check_profile(cs_checking *check, const profile *p)
{
    bool lost = false, there = false;
    cs_status status = cs_check_do(check, tables);

    if (status == CS_OK)
        status = fill(check, p);
    if (status == CS_OK)
        status = cs_check_has_samples(check, "raw", &there);
    if (status != CS_OK || !there)
        return status;
    status = cs_check_tabled_samples(check);
    if (status == CS_OK)
        status = cs_check_do(check, "ALTER TABLE want RENAME TO told");
    if (status == CS_OK)
        status = cs_check_do(check, nobody);
    if (status == CS_OK)
        status = cs_check_profile_places(check);
    if (status == CS_OK && p->kinds)
        status = CS_CHECK_DO_ALL(check, kinds);
    if (status == CS_OK && p->events_in_path)
        status = cs_check_do(check, split_events);
    if (status == CS_OK)
        status = CS_CHECK_DO_ALL(check, tell);
    if (status == CS_OK)
        status = match_events(check);
    if (status == CS_OK)
        status = leave_late(check, p, &lost);
    return status == CS_OK && !lost ? compare_all(check, p) : status;
}

/* ---- formats ---- */

static cs_status check_folded(cs_checking *check)
{
    static const profile of = {.reader = &cs_foldedread, .events_in_path = true};

    return check_profile(check, &of);
}

static cs_status check_pprof(cs_checking *check)
{
    static const profile of = {.reader = &cs_pprofread, .kinds = true, .places = true};

    return check_profile(check, &of);
}

static cs_status check_speedscope(cs_checking *check)
{
    static const profile of = {.reader = &cs_speedscoperead, .places = true};

    return check_profile(check, &of);
}

static cs_status check_firefox(cs_checking *check)
{
    static const profile of = {.reader = &cs_firefoxread, .places = true, .times = true};

    return check_profile(check, &of);
}

const cs_checker cs_checker_folded = {.check = check_folded};
const cs_checker cs_checker_pprof = {.check = check_pprof};
const cs_checker cs_checker_speedscope = {.check = check_speedscope};
const cs_checker cs_checker_firefox = {.check = check_firefox};
