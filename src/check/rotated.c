/* Counts of events that had counters in turns: value, enabled and running times of the file against what
 * the software told (table rotated of the truth). */
#include <inttypes.h>
#include <stdio.h>

#include "check/impl.h"

/* Cycles as whole nanoseconds, without overflow. */
#define NS(cycles) "(" cycles ")/mhz*1000+(" cycles ")%mhz*1000/mhz"

/* What was told, by the event's name in files. `nth` tells events of one name from each other: of several
 * commands in their order, of one command in the order in which they are told. */
static const char told[] =
    "CREATE TABLE told AS SELECT seq, name, dense_rank() OVER (PARTITION BY name ORDER BY command, "
    "place) AS nth, cpu, final, enabled, running, raw, truth FROM (SELECT r.rowid AS seq, CASE "
    "r.pmu WHEN 'cpu' THEN CASE WHEN r.name LIKE '0x%%' THEN printf('r%%x', r.event) ELSE r.name "
    "END ELSE printf('%%s/event=0x%%x', r.pmu, r.event) END AS name, command, (row_number() OVER "
    "(PARTITION BY command, pmu, cpu, event, final ORDER BY r.rowid)-1)%%coalesce(n,1) AS place, "
    "cpu, final, enabled, running, raw, truth FROM truth.rotated r LEFT JOIN (SELECT command, pmu, "
    "cpu, event, count(*) AS n FROM truth.rotated WHERE final GROUP BY 1,2,3,4) USING(command, "
    "pmu, "
    "cpu, event)%s)";

static const char *const prepare[] = {
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
    "printf('%.0f', 1.0*raw*enabled/running), 0, printf('none: off by %+.3f %%', "
    "100.0*(1.0*raw*enabled/running-truth)/max(truth,1)), NULL FROM told WHERE final AND running>0 "
    "ORDER BY name, nth, cpu";

static cs_status compare(cs_check *check, const char *what, const char *want, const char *have)
{
    char sql[sizeof rows + 64];

    snprintf(sql, sizeof sql, rows, what, want, have, want, have, have, want, want, have);
    return cs_check_rows(check, sql);
}

static cs_status prepare_all(cs_check *check, cs_check_list list, int64_t command)
{
    char only[96] = "", sql[sizeof told + sizeof only];
    cs_status status;

    if (list == CS_CHECK_MULTIPLEX)
        snprintf(only, sizeof only, " WHERE pmu='cpu'");
    else if (list == CS_CHECK_UNCORE)
        snprintf(only, sizeof only, " WHERE command=%" PRId64 " AND pmu<>'cpu'", command);
    snprintf(sql, sizeof sql, told, only);
    status = cs_check_do(check, sql);
    for (size_t i = 0; i < sizeof prepare / sizeof prepare[0] && status == CS_OK; i++)
        status = cs_check_do(check, prepare[i]);
    if (status != CS_OK)
        return status;
    const bool kept = cs_check_number(check, "SELECT count(*) FROM told WHERE NOT final", 0) > 0;
    status = cs_check_do(check, !check->intervals ? want_whole : kept ? want_intervals : want_last);
    for (size_t i = 0; i < sizeof both / sizeof both[0] && status == CS_OK; i++)
        status = cs_check_do(check, both[i]);
    return status == CS_OK && check->intervals && !kept ? cs_check_do(check, forget) : status;
}

cs_status cs_check_rotated(cs_check *check)
{
    static const char *const compared[][3] = {
        {"counts", "v", "hv"}, {"enabled", "e", "he"}, {"running", "r", "hr"}};
    cs_check_list list;
    int64_t command;
    cs_status status = cs_check_command(check, &list, &command);

    if (status != CS_OK || list == CS_CHECK_HARTS || list == CS_CHECK_IMC || list == CS_CHECK_PMI ||
        cs_check_number(check, "SELECT count(*) FROM truth.rotated", 0) == 0)
        return status;
    status = prepare_all(check, list, command);
    for (size_t i = 0; i < sizeof compared / sizeof compared[0] && status == CS_OK; i++)
        status = compare(check, compared[i][0], compared[i][1], compared[i][2]);
    return status == CS_OK ? cs_check_rows(check, estimates) : status;
}
