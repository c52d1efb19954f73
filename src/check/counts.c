// SPDX-License-Identifier: Apache-2.0
/* Counts of perf stat: the file's against what the driver read, and what really happened. */
#include <stdio.h>

#include "check/impl.h"

/* Counts of a file go on from round to round; the truth has a row an interval. Where an event
 * stands in several commands, the file's events of that name are theirs in order. */
static const char *const prepare[] = {
    "CREATE TABLE read AS SELECT rtrim(title,'/') AS name, command, cpu, start, raw, truth, "
    "counted, value FROM counted",
    "CREATE TABLE want AS SELECT name, dense_rank() OVER (PARTITION BY name ORDER BY command) AS "
    "nth, "
    "command, cpu, row_number() OVER (PARTITION BY name, command, cpu ORDER BY start) AS round, "
    "sum(raw) OVER (PARTITION BY name, command, cpu ORDER BY start ROWS UNBOUNDED PRECEDING) AS "
    "value FROM read",
    "CREATE TABLE have AS SELECT s.name, e.nth, s.cpu, s.offset, s.value, row_number() OVER "
    "(PARTITION BY s.fe, s.cpu ORDER BY s.offset) AS round FROM stat s JOIN (SELECT fe, "
    "dense_rank() OVER (PARTITION BY name ORDER BY fe) AS nth FROM (SELECT DISTINCT fe, name FROM "
    "stat)) e ON e.fe=s.fe",
    /* One round at the end: only the sum is there to compare. */
    "CREATE TABLE last AS SELECT name, nth, cpu, max(round) AS rounds FROM have GROUP BY 1,2,3",
    "CREATE TABLE wanted AS SELECT w.name, w.nth, w.cpu, CASE WHEN l.rounds=1 THEN 1 ELSE w.round "
    "END "
    "AS round, w.value FROM want w LEFT JOIN last l USING(name, nth, cpu) WHERE l.rounds IS NULL "
    "OR "
    "l.rounds<>1 OR w.round=(SELECT max(round) FROM want v WHERE v.name=w.name AND v.nth=w.nth AND "
    "v.cpu=w.cpu)",
    "CREATE TABLE both AS SELECT w.name, w.nth, w.cpu, w.round, w.value AS expected, h.value AS "
    "found, h.offset FROM wanted w LEFT JOIN have h USING(name, nth, cpu, round) UNION ALL SELECT "
    "h.name, h.nth, h.cpu, h.round, NULL, h.value, h.offset FROM have h LEFT JOIN wanted w "
    "USING(name, nth, cpu, round) WHERE w.value IS NULL",
};

#define NAME "b.name||CASE WHEN b.nth>1 THEN ' ('||b.nth||')' ELSE '' END"

static const char rows_of_counts[] =
    "SELECT 'counts', " NAME ", b.cpu, max(expected), max(found), sum(expected IS NOT found), "
    "'exact, '||count(*)||' round'||CASE count(*) WHEN 1 THEN '' ELSE 's' END, (SELECT CASE WHEN "
    "c.found IS NULL THEN printf('round %lld is "
    "missing', c.round) WHEN c.expected IS NULL THEN printf('byte %lld: round %lld is not in the "
    "truth', c.offset, c.round) ELSE printf('byte %lld: %lld instead of %lld', c.offset, c.found, "
    "c.expected) END FROM both c WHERE c.name=b.name AND c.nth=b.nth AND c.cpu=b.cpu AND "
    "c.expected "
    "IS NOT c.found ORDER BY c.round LIMIT 1) FROM both b GROUP BY b.name, b.nth, b.cpu ORDER BY "
    "b.name, b.nth, b.cpu";

/* What was counted is known of counters that count exactly. What is extrapolated has no bound; but it is
 * no estimate where there is nothing of ten times what stands for one: IBM's catalogs have scales of up to
 * 65536. */
#define NOTHING "sum(raw)=0 AND sum(truth)>=10*65536"
static const char rows_of_truth[] =
    "SELECT 'truth of counts', name, cpu, sum(counted), sum(raw), sum(counted IS NOT raw), "
    "'exact', "
    "NULL FROM read WHERE counted IS NOT NULL GROUP BY name, command, cpu "
    "UNION ALL SELECT 'truth of counts', name, cpu, sum(truth), printf('%.0f', sum(value)), CASE "
    "WHEN " NOTHING " THEN 1 END, CASE WHEN " NOTHING
    " THEN 'more than 0' ELSE printf('none: off by "
    "%+.3f %%', 100.0*(sum(value)-sum(truth))/max(sum(truth),1)) END, NULL FROM read "
    "WHERE counted IS NULL GROUP BY name, command, cpu";

cs_status cs_check_counts(cs_checking *check)
{
    bool any;
    cs_status status = cs_check_counts_told(check, false, "counted", &any);

    if (status != CS_OK || !any)
        return status;
    status = CS_CHECK_DO_ALL(check, prepare);
    if (status == CS_OK)
        status = cs_check_rows(check, rows_of_counts);
    return status == CS_OK ? cs_check_rows(check, rows_of_truth) : status;
}
