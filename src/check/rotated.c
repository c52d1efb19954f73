// SPDX-License-Identifier: Apache-2.0
/* Counts of events that had counters in turns: value, enabled and running times of the file against what
 * the software told (table rotated of the truth). */
#include <stdio.h>

#include "check/impl.h"

/* Cycles as whole nanoseconds, without overflow. */
#define NS(cycles) "(" cycles ")/mhz*1000+(" cycles ")%mhz*1000/mhz"

/* What was told, by the event's name in files. `nth` tells events of one name from each other: of several
 * commands in their order, of one command in the order in which they are told. */
static const char *const prepare[] = {
    "CREATE TABLE told AS SELECT seq, name, dense_rank() OVER (PARTITION BY name ORDER BY command, "
    "place) AS nth, cpu, final, enabled, running, raw, truth FROM (SELECT t.seq, "
    "rtrim(t.title,'/') AS name, command, (row_number() OVER (PARTITION BY command, pmu, cpu, "
    "title, final ORDER BY t.seq)-1)%coalesce(n,1) AS place, cpu, final, enabled, running, raw, "
    "truth FROM turns t LEFT JOIN (SELECT command, pmu, cpu, title, count(*) AS n FROM turns WHERE "
    "final GROUP BY 1,2,3,4) USING(command, pmu, cpu, title))",
    /* The records of these events. Where nothing else counted all are meant to be. */
    "CREATE TABLE rstat AS SELECT s.*, dense_rank() OVER (PARTITION BY name ORDER BY fe) AS nth, "
    "row_number() OVER (PARTITION BY fe, cpu ORDER BY offset) AS round FROM stat s WHERE name IN "
    "(SELECT name FROM told) OR NOT EXISTS(SELECT 1 FROM truth.count)",
    "DELETE FROM stat WHERE offset IN (SELECT offset FROM rstat)",
    "CREATE TABLE rlast AS SELECT name, nth, cpu, max(round) AS last FROM rstat GROUP BY 1,2,3",
    /* Intervals, added up; behind them the whole. */
    "CREATE TABLE rsum AS SELECT name, nth, cpu, final, row_number() OVER (PARTITION BY name, nth, "
    "cpu ORDER BY final, seq) AS round, CASE WHEN final THEN raw ELSE sum(raw) OVER w END AS "
    "value, "
    "CASE WHEN final THEN enabled ELSE sum(enabled) OVER w END AS enabled, CASE WHEN final THEN "
    "running ELSE sum(running) OVER w END AS running FROM told WINDOW w AS (PARTITION BY name, "
    "nth, "
    "cpu, final ORDER BY seq ROWS UNBOUNDED PRECEDING)",
};

/* What the file is to have: of one with intervals these, and the whole, unless the last interval ended with
 * it; where the truth has kept no intervals, the whole as its last. Else the whole alone. */
#define WANT(round, where)                                                                         \
    "CREATE TABLE rwant AS SELECT name, nth, cpu, " round                                          \
    " AS round, value, " NS("enabled") " AS enabled, " NS(                                         \
        "running") " AS running FROM (SELECT *, coalesce(value=lag(value) OVER w "                 \
                   "AND enabled=lag(enabled) OVER w AND running=lag(running) OVER w, 0) AS same "  \
                   "FROM rsum WINDOW "                                                             \
                   "w AS (PARTITION BY name, nth, cpu ORDER BY round)) LEFT JOIN rlast "           \
                   "USING(name, nth, cpu), "                                                       \
                   "(SELECT CAST(value AS INTEGER) AS mhz FROM truth.run WHERE key='clock_mhz') "  \
                   "WHERE " where

static const char want_intervals[] = WANT("round", "NOT (final AND same)");
static const char want_last[] = WANT("coalesce(last,1)", "final");
static const char want_whole[] = WANT("1", "final");

static const char *const both[] = {
    "CREATE TABLE rboth AS SELECT w.name, w.nth, w.cpu, w.round, h.offset, w.value AS v, h.value "
    "AS "
    "hv, w.enabled AS e, h.enabled AS he, w.running AS r, h.running AS hr, 1 AS wanted FROM rwant "
    "w "
    "LEFT JOIN rstat h USING(name, nth, cpu, round) UNION ALL SELECT h.name, h.nth, h.cpu, "
    "h.round, "
    "h.offset, NULL, h.value, NULL, h.enabled, NULL, h.running, 0 FROM rstat h LEFT JOIN rwant w "
    "USING(name, nth, cpu, round) WHERE w.value IS NULL",
    "CREATE INDEX rboth_of ON rboth(name, nth, cpu)",
};
/* Intervals that the truth has not kept are not wrong. */
static const char forget[] =
    "DELETE FROM rboth WHERE NOT wanted AND EXISTS(SELECT 1 FROM rlast l WHERE "
    "l.name=rboth.name AND l.nth=rboth.nth AND l.cpu=rboth.cpu AND "
    "rboth.round<l.last) AND name IN (SELECT name FROM told)";

/* One row for each event and CPU; `what` and columns of rboth. */
static const char rows[] =
    "SELECT '%s', b.name||CASE WHEN b.nth>1 THEN ' ('||b.nth||')' ELSE '' END, b.cpu, max(%s), "
    "max(%s), sum(%s IS NOT %s), 'exact, '||count(*)||' round'||CASE count(*) WHEN 1 THEN '' ELSE "
    "'s' END, (SELECT CASE WHEN c.offset IS "
    "NULL "
    "THEN printf('round %%lld is missing', c.round) WHEN NOT c.wanted THEN printf('byte %%lld: "
    "round "
    "%%lld is not in the truth', c.offset, c.round) ELSE printf('byte %%lld: %%lld instead of "
    "%%lld', "
    "c.offset, c.%s, c.%s) END FROM rboth c WHERE c.name=b.name AND c.nth=b.nth AND c.cpu=b.cpu "
    "AND "
    "c.%s IS NOT c.%s ORDER BY c.round LIMIT 1) FROM rboth b GROUP BY b.name, b.nth, b.cpu ORDER "
    "BY "
    "b.name, b.nth, b.cpu";

/* An event that was on a counter for a part of the time is an estimate, and has no bound. */
static const char estimates[] =
    "SELECT 'truth of counts', name||CASE WHEN nth>1 THEN ' ('||nth||')' ELSE '' END, cpu, truth, "
    "printf('%.0f', 1.0*raw*enabled/running), NULL, printf('none: off by %+.3f %%', "
    "100.0*(1.0*raw*enabled/running-truth)/max(truth,1)), NULL FROM told WHERE final AND running>0 "
    "ORDER BY name, nth, cpu";

static cs_status compare(cs_checking *check, const char *what, const char *want, const char *have)
{
    char sql[sizeof rows + 64];

    snprintf(sql, sizeof sql, rows, what, want, have, want, have, have, want, want, have);
    return cs_check_rows(check, sql);
}

/* What the file is to have beside what it has. */
static cs_status prepare_all(cs_checking *check)
{
    bool kept = false;
    cs_status status = CS_CHECK_DO_ALL(check, prepare);

    if (status == CS_OK)
        status = cs_check_any(check, "SELECT count(*) FROM told WHERE NOT final", &kept);
    if (status == CS_OK)
        status = cs_check_do(check, !check->intervals ? want_whole
                                    : kept            ? want_intervals
                                                      : want_last);
    if (status == CS_OK)
        status = CS_CHECK_DO_ALL(check, both);
    return status == CS_OK && check->intervals && !kept ? cs_check_do(check, forget) : status;
}

cs_status cs_check_rotated(cs_checking *check)
{
    static const char *const compared[][3] = {
        {"counts", "v", "hv"}, {"enabled", "e", "he"}, {"running", "r", "hr"}};
    bool any;
    cs_status status = cs_check_counts_told(check, true, "turns", &any);

    if (status != CS_OK || !any)
        return status;
    status = prepare_all(check);
    for (size_t i = 0; i < sizeof compared / sizeof compared[0] && status == CS_OK; i++)
        status = compare(check, compared[i][0], compared[i][1], compared[i][2]);
    return status == CS_OK ? cs_check_rows(check, estimates) : status;
}
