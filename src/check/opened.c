// SPDX-License-Identifier: Apache-2.0
/* A perf.data file of `perf record` or `perf stat record` under `countersink pmu`, against the truth that
 * command wrote. Events are known by their ids, which the file has from PERF_EVENT_IOC_ID. */
#include <stdlib.h>
#include <string.h>

#include "check/impl.h"

/* Samples of both sides, numbered where an event has several at one time and place: a sample has one partner
 * at most. What a ring had room for comes first. */
static const char sides[] =
    "CREATE TABLE present AS SELECT event AS fe, cpu, time, ip, period, offset, "
    "row_number() OVER (PARTITION BY event, time, ip ORDER BY period, offset) AS nth FROM found;"
    "CREATE INDEX present_time ON present(time);"
    "CREATE TABLE taken AS SELECT i.fe AS fe, s.cpu AS cpu, s.time_ns AS time, s.ip AS ip, "
    "s.period "
    "AS period, s.lost AS lost, row_number() OVER (PARTITION BY i.fe, s.time_ns, s.ip ORDER BY "
    "s.lost, s.period) AS nth FROM truth.sample s JOIN ids i ON i.id=s.id;"
    "CREATE INDEX taken_time ON taken(time)";

/* What perf had not read yet when it ended is not missing: what comes after the file's last sample of a CPU (-1: it
 * does not say of which). A file without periods has 0 there. */
static const char strays[] =
    "CREATE TABLE newest AS SELECT cpu, max(time) AS time FROM found GROUP BY cpu;"
    "CREATE TABLE extra AS SELECT fe, min(offset) AS first, count(*) AS nr FROM present p WHERE "
    "NOT "
    "EXISTS(SELECT 1 FROM taken t WHERE t.time=p.time AND t.fe=p.fe AND t.ip=p.ip AND t.nth=p.nth "
    "AND NOT t.lost AND p.period IN (0, t.period)) GROUP BY fe;"
    "CREATE TABLE due AS SELECT t.*, EXISTS(SELECT 1 FROM present p WHERE p.time=t.time AND "
    "p.fe=t.fe AND p.ip=t.ip AND p.nth=t.nth AND p.period IN (0, t.period)) AS there FROM taken t "
    "WHERE NOT lost AND time<=ifnull((SELECT max(n.time) FROM newest n WHERE n.cpu IN "
    "(t.cpu,-1)),0);"
    "CREATE TABLE absent AS SELECT fe, min(time) AS first, count(*) AS nr FROM due WHERE NOT there "
    "GROUP BY fe";

/* What the kernel counts itself has ids of the kernel's, which are smaller. */
#define OF_KERNEL                                                                                  \
    "(SELECT max(id) FROM ids i WHERE i.fe=n.fe)<=(SELECT value FROM truth.run WHERE "             \
    "key='ids_above')"

/* Each sample of the file is an overflow that the ring had room for, and the other way round. */
static const char samples[] =
    "SELECT 'samples', n.name, NULL, CASE WHEN kernel THEN NULL ELSE (SELECT count(*) FROM due d "
    "WHERE d.fe=n.fe) END, (SELECT count(*) FROM present p WHERE p.fe=n.fe), "
    "CASE WHEN kernel THEN NULL ELSE ifnull(e.nr,0)+ifnull(a.nr,0) END, "
    "CASE WHEN kernel THEN 'none: the kernel counted them' ELSE 'exact' END, "
    "CASE WHEN kernel THEN NULL WHEN e.nr>0 THEN 'at byte '||e.first WHEN a.nr>0 THEN 'none at "
    "'||a.first||' ns' END "
    "FROM (SELECT fe, name, ifnull(" OF_KERNEL
    ",0) AS kernel FROM names n UNION ALL SELECT -1, 'of "
    "no event', 0) n LEFT JOIN extra e USING(fe) LEFT JOIN absent a USING(fe) "
    "WHERE EXISTS(SELECT 1 FROM due d WHERE d.fe=n.fe) OR EXISTS(SELECT 1 FROM present p WHERE "
    "p.fe=n.fe) ORDER BY n.fe<0, n.fe";

/* What LOST records say. */
static const char lost[] =
    "SELECT 'lost', NULL, NULL, told, said, abs(told-said), 'exact', NULL FROM (SELECT "
    "ifnull((SELECT sum(lost) FROM truth.loss WHERE id IN (SELECT id FROM ids)),0) AS told, "
    "ifnull((SELECT sum(lost) FROM missed),0) AS said) WHERE told>0 OR said>0";

/* What was read last of each id is what the file says, and its times. */
static const char counts_sql[] =
    "SELECT 'counts', n.name, NULL, w.value, h.value, "
    "(w.value IS NOT h.value)+(w.enabled IS NOT h.enabled)+(w.running IS NOT h.running), 'exact', "
    "CASE WHEN w.running<w.enabled THEN 'really '||w.truth||', scaled '||"
    "CAST(round(w.value*(1.0*w.enabled/w.running)) AS INTEGER) END "
    "FROM names n "
    "JOIN (SELECT i.fe AS fe, sum(value) AS value, sum(enabled_ns) AS enabled, sum(running_ns) AS "
    "running, sum(truth) AS truth FROM truth.reading r JOIN ids i USING(id) WHERE r.rowid IN "
    "(SELECT max(rowid) FROM truth.reading WHERE last=0 GROUP BY id) GROUP BY i.fe) w "
    "ON w.fe=n.fe "
    "JOIN (SELECT fe, sum(value) AS value, sum(enabled) AS enabled, sum(running) AS running FROM "
    "stat "
    "GROUP BY fe) h ON h.fe=n.fe ORDER BY n.fe";

cs_status cs_check_opened(cs_checking *check, bool counts)
{
    cs_status status;

    if (counts)
        return cs_check_rows(check, counts_sql);
    status = cs_check_do(check, sides);
    if (status == CS_OK)
        status = cs_check_do(check, strays);
    if (status == CS_OK)
        status = cs_check_rows(check, samples);
    return status == CS_OK ? cs_check_rows(check, lost) : status;
}

/* ---- events by their names ---- */

/* ?1 PMU, ?2 the term's name, ?3 its value: an event of that name, or bits of config. */
static const char word[] =
    "SELECT type, config FROM truth.named WHERE name=?1||'/'||?2||'/' UNION ALL SELECT type, "
    "(?3&((1<<(high-low+1))-1))<<low FROM truth.format WHERE pmu=?1 AND term=?2 LIMIT 1";

/* False: it is unknown. */
static bool add_term(cs_checking *check, sqlite3_stmt *find, const char *term, size_t bytes,
                     int64_t *type, int64_t *config)
{
    const char *value = memchr(term, '=', bytes);
    const size_t name_bytes = value != NULL ? (size_t)(value - term) : bytes;

    cs_check_text(check, find, 2, term, (int)name_bytes);
    sqlite3_bind_int64(find, 3, value != NULL ? (int64_t)strtoull(value + 1, NULL, 0) : 1);
    const bool known = sqlite3_step(find) == SQLITE_ROW;

    if (known) {
        *type = sqlite3_column_int64(find, 0);
        *config |= sqlite3_column_int64(find, 1);
    }
    sqlite3_reset(find);
    return known;
}

cs_status cs_check_opened_event(cs_checking *check, const char *name, bool *known, int64_t *type,
                                int64_t *config)
{
    const char *first = strchr(name, '/'), *last = strrchr(name, '/');
    sqlite3_stmt *find = NULL;
    cs_status status =
        cs_check_any(check, "SELECT count(*) FROM truth.sqlite_master WHERE name='format'", known);

    if (status != CS_OK || !*known || first == last || last - first == 1) {
        *known = false;
        return status;
    }
    status = cs_check_prepare(check, word, &find);
    if (status == CS_OK)
        cs_check_text(check, find, 1, name, (int)(first - name));
    for (const char *term = first + 1; status == CS_OK && *known && term < last;) {
        const size_t bytes = strcspn(term, ",/");

        *known = add_term(check, find, term, bytes, type, config);
        term += bytes + 1;
    }
    sqlite3_finalize(find);
    return status;
}

/* ---- text ---- */

/* The events of the lines, by what perf opened them with; the nth of so many lines of one kind, CPU and round of
 * perf stat -I. */
static const char lines[] =
    "CREATE TABLE line AS SELECT *, row_number() OVER (alike ORDER BY offset) AS nth, count(*) "
    "OVER "
    "alike AS lines FROM (SELECT l.offset, l.name, l.cpu, l.round, l.value, l.mean, n.scale, "
    "ifnull(l.type,n.type) AS type, ifnull(l.config,n.config) AS config, ifnull(l.excl,0) AS excl "
    "FROM text l LEFT JOIN truth.named n ON n.name=l.name) WINDOW alike AS (PARTITION BY type, "
    "config, excl, cpu, round)";

static const char readings[] =
    "CREATE TABLE had AS SELECT id, row_number() OVER (PARTITION BY id ORDER BY rowid) AS nr, "
    "count(*) OVER (PARTITION BY id) AS nrs, value, enabled_ns AS enabled, running_ns AS running, "
    "truth FROM truth.reading WHERE last=0;"
    "CREATE INDEX had_nr ON had(id, nr)";

/* Of each descriptor what was read last; or, of intervals, what came between two readings, if perf has read as often
 * as it has printed: it may read once more after the last that it prints. */
#define SINCE(what) "a." what "-ifnull(b." what ",0) AS " what
static const char due[] =
    "CREATE TABLE due AS SELECT a.id, CASE WHEN intervals THEN a.nr ELSE 1 END AS "
    "round, " SINCE("value") ", " SINCE("enabled") ", " SINCE("running") ", " SINCE(
        "truth") " FROM how, had a LEFT JOIN had b ON intervals AND b.id=a.id AND "
                 "b.nr=a.nr-1 WHERE CASE "
                 "WHEN intervals THEN a.nrs-(SELECT max(round) FROM text) BETWEEN 0 AND 1 "
                 "ELSE a.nr=a.nrs "
                 "END";

/* perf has a descriptor for each CPU or thread, or several there if the event was named several times. */
static const char kinds[] =
    "CREATE TABLE kind AS SELECT d.*, type, config, flags>>4&3 AS excl, cpu, row_number() OVER "
    "(alike ORDER BY id) AS nth, count(*) OVER alike AS ids FROM truth.opened o JOIN due d "
    "USING(id) WINDOW alike AS (PARTITION BY type, config, flags>>4&3, cpu, o.tid, d.round)";

/* perf scales what had no counter all the time: up to 6.1 the sum of all descriptors, later each of them. */
static const char told[] =
    "CREATE TABLE told AS SELECT l.offset, count(*) AS ids, sum(w.value) AS value, sum(w.enabled) "
    "AS enabled, sum(w.running) AS running, sum(w.truth) AS truth, sum(CASE WHEN w.running>0 THEN "
    "w.value*(1.0*w.enabled/w.running) ELSE 0 END) AS each FROM line l JOIN kind w ON "
    "w.type=l.type AND w.config=l.config AND w.excl=l.excl AND w.round=l.round WHERE (l.cpu<0 OR "
    "w.cpu=l.cpu) AND (l.lines=1 OR (l.lines=w.ids AND l.nth=w.nth)) GROUP BY l.offset";

/* And rounds. */
#define WHOLE(what) "CAST(round(" what "*ifnull(l.scale,1)) AS INTEGER)"
#define SCALED WHOLE("t.value*(1.0*t.enabled/t.running)")
#define EACH WHOLE("t.each")
static const char judge[] =
    "CREATE TABLE judged AS SELECT l.offset, l.name, l.nth, l.cpu, CASE WHEN t.running>=t.enabled "
    "THEN " WHOLE(
        "t.value") " WHEN abs(l.value-" EACH ")<abs(l.value-" SCALED ") THEN " EACH " ELSE " SCALED
                   " END AS expected, l.value AS found, "
                   "CASE WHEN t.ids IS NULL OR l.mean OR l.value IS NULL THEN NULL "
                   "WHEN t.running>=t.enabled THEN l.value<>" WHOLE(
                       "t.value") " ELSE abs(l.value-" SCALED ")>1 AND abs(l.value-" EACH
                                  ")>t.ids END AS bad, "
                                  "CASE WHEN t.ids IS NULL AND l.lines>1 THEN 'none: it is there "
                                  "several times' "
                                  "WHEN t.ids IS NULL AND l.type IS NOT NULL AND intervals THEN "
                                  "'none: perf has not read it as "
                                  "often as it has printed it' "
                                  "WHEN t.ids IS NULL THEN 'none: no such event was read' "
                                  "WHEN l.mean THEN 'none: it is a mean of several runs' "
                                  "WHEN t.running>=t.enabled THEN 'exact' ELSE CAST(t.ids AS TEXT) "
                                  "END AS bound, "
                                  "t.running<t.enabled AS scaled, t.truth FROM line l, how LEFT "
                                  "JOIN told t USING(offset)";

static const char rows_of_text[] =
    "SELECT 'counts', name, CASE WHEN cpu>=0 THEN cpu END, sum(expected), sum(found), sum(bad), "
    "CASE WHEN count(bad)=0 THEN max(bound) ELSE min(CASE WHEN bad IS NOT NULL THEN bound END) "
    "END||CASE WHEN count(*)>1 THEN printf(', %d intervals', count(*)) ELSE '' END, "
    "CASE WHEN sum(bad)>0 AND count(*)>1 THEN 'at byte '||min(CASE WHEN bad THEN offset END) "
    "WHEN max(scaled) THEN 'really '||sum(truth) END "
    "FROM judged GROUP BY name, nth, cpu ORDER BY min(offset)";

cs_status cs_check_opened_text(cs_checking *check)
{
    static const char *const tables[] = {lines, readings, due, kinds, told, judge};
    cs_status status =
        cs_check_do(check, check->intervals ? "CREATE TABLE how AS SELECT 1 AS intervals"
                                            : "CREATE TABLE how AS SELECT 0 AS intervals");

    if (status == CS_OK)
        status = CS_CHECK_DO_ALL(check, tables);
    return status == CS_OK ? cs_check_rows(check, rows_of_text) : status;
}
