// SPDX-License-Identifier: Apache-2.0
/* A perf.data file of `perf record` or `perf stat record` under `countersink pmu`, against the truth that
 * command wrote. Events are known by their ids, which the file has from PERF_EVENT_IOC_ID. */
#include "check/impl.h"

/* Each overflow of an event of the file, and whether the file has it: at that time and place. A ring that was
 * full has some no more; LOST says how many. */
static const char taken[] =
    "CREATE INDEX found_time ON found(time);"
    "CREATE TABLE taken AS SELECT i.fe AS fe, s.cpu AS cpu, s.time_ns AS time, s.ip AS ip, "
    "s.period AS "
    "period, "
    "EXISTS(SELECT 1 FROM found f WHERE f.time=s.time_ns AND f.ip=s.ip AND f.event=i.fe) AS there "
    "FROM truth.sample s JOIN ids i ON i.id=s.id;"
    "CREATE INDEX taken_time ON taken(time)";

/* Of each event: what the file has was an overflow, with that period. */
static const char samples[] =
    "SELECT 'samples', n.name, NULL, (SELECT count(*) FROM taken t WHERE t.fe=n.fe AND there), "
    "(SELECT count(*) FROM found f WHERE f.event=n.fe), "
    "(SELECT count(*) FROM found f WHERE f.event=n.fe AND NOT EXISTS(SELECT 1 FROM taken t WHERE "
    "t.time=f.time AND t.ip=f.ip AND t.fe=n.fe AND f.period IN (0, t.period))), 'exact', "
    "(SELECT 'at byte '||min(f.offset) FROM found f WHERE f.event=n.fe AND NOT EXISTS(SELECT 1 "
    "FROM "
    "taken t WHERE t.time=f.time AND t.ip=f.ip AND t.fe=n.fe AND f.period IN (0, t.period))) "
    "FROM names n WHERE EXISTS(SELECT 1 FROM taken t WHERE t.fe=n.fe) OR "
    "EXISTS(SELECT 1 FROM found f WHERE f.event=n.fe) ORDER BY n.fe";

/* What it has not, LOST records have counted, and lost records that are no samples with it. One is written
 * before the next sample that finds room: nobody counts what is lost at the end. */
static const char gone[] =
    "CREATE TABLE newest AS SELECT cpu, max(time) AS time FROM found GROUP BY cpu;"
    "CREATE TABLE gone AS SELECT (SELECT count(*) FROM taken t WHERE NOT there AND t.time<ifnull("
    "(SELECT max(n.time) FROM newest n WHERE n.cpu IN (t.cpu,-1)),0)) AS missing, "
    "(SELECT ifnull(sum(lost),0) FROM truth.loss) AS told";
static const char lost[] = "SELECT 'lost', NULL, NULL, missing, told, CASE WHEN missing<=told THEN "
                           "0 ELSE missing-told END, "
                           "'at least', NULL FROM gone WHERE missing>0 OR told>0";

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
    status = cs_check_do(check, taken);
    if (status == CS_OK)
        status = cs_check_rows(check, samples);
    if (status == CS_OK)
        status = cs_check_do(check, gone);
    return status == CS_OK ? cs_check_rows(check, lost) : status;
}

/* ---- text ---- */

/* Of each kind of event, which perf has opened once for each CPU or thread: what was read last. */
static const char told[] =
    "CREATE TABLE told AS SELECT type, config, flags>>4&3 AS excl, count(*) AS ids, sum(value) AS "
    "value, "
    "sum(enabled_ns) AS enabled, sum(running_ns) AS running, sum(truth) AS truth FROM truth.opened "
    "JOIN truth.reading r USING(id) WHERE r.rowid IN (SELECT max(rowid) FROM truth.reading WHERE "
    "last=0 GROUP BY id) GROUP BY 1,2,3";

/* perf scales what had no counter all the time, and rounds. 6.1 adds up first, 6.12 scales first: of several
 * descriptors either may be. */
#define SCALED "CAST(round(t.value*ifnull(n.scale,1)*(1.0*t.enabled/t.running)) AS INTEGER)"
#define WHOLE "CAST(round(t.value*ifnull(n.scale,1)) AS INTEGER)"
static const char rows_of_text[] =
    "SELECT 'counts', l.name, CASE WHEN l.cpu>=0 THEN l.cpu END, "
    "CASE WHEN t.running<t.enabled THEN " SCALED " ELSE " WHOLE " END, l.value, "
    "CASE WHEN intervals OR t.ids IS NULL OR l.mean OR l.cpu>=0 OR l.value IS NULL THEN NULL "
    "WHEN t.running>=t.enabled THEN l.value<>" WHOLE " "
    "WHEN t.ids>1 THEN NULL ELSE abs(l.value-" SCALED ")>1 END, "
    "CASE WHEN intervals THEN 'none: it is an interval' WHEN t.ids IS NULL THEN 'none: no such "
    "event was read' "
    "WHEN l.mean THEN 'none: it is a mean of several runs' WHEN l.cpu>=0 THEN 'none: of one CPU' "
    "WHEN t.running>=t.enabled THEN 'exact' WHEN t.ids>1 THEN 'none: scaled one by one' ELSE '1' "
    "END, "
    "CASE WHEN t.running<t.enabled THEN 'really '||t.truth END "
    "FROM text l, how LEFT JOIN truth.named n ON n.name=l.name LEFT JOIN told t ON "
    "t.type=ifnull(l.type,n.type) AND t.config=ifnull(l.config,n.config) AND "
    "t.excl=ifnull(l.excl,0) "
    "ORDER BY l.offset";

cs_status cs_check_opened_text(cs_checking *check)
{
    cs_status status = cs_check_do(check, told);

    if (status == CS_OK)
        status = cs_check_do(check, check->intervals ? "CREATE TABLE how AS SELECT 1 AS intervals"
                                                     : "CREATE TABLE how AS SELECT 0 AS intervals");
    return status == CS_OK ? cs_check_rows(check, rows_of_text) : status;
}
