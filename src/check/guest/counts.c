// SPDX-License-Identifier: Apache-2.0
/* The counts of a guest's own perf stat, against what the engines had put into memory when the guest's
 * driver read it, and against what was really counted. */
#include <string.h>

#include "check/guest/guest.h"

/* Where there are several. */
#define CPU(table) "CASE WHEN (SELECT count(DISTINCT cpu) FROM " table ")>1 THEN cpu END"

/* What the file should say of its events, by their ids; in a kernel in which these are not known, of all
 * that was read since the file before. Of each CPU: a row a round, of what had been counted until then. A file of
 * one round has the last. Names in the file are without the last slash. A task's count is of no CPU.
 * `cycle` is NULL of the last round, which perf reads when its events have ended. */
static const char want_counts[] =
    "CREATE TABLE guest_want AS SELECT rtrim(event,'/') AS name, cpu, round, count, scale, "
    "counted, max(round) OVER (PARTITION BY event, cpu) AS last, cycle, 0 AS kept FROM "
    "truth.guest_told WHERE CASE WHEN id=0 OR NOT EXISTS (SELECT 1 FROM ids) THEN file=?1 ELSE id "
    "IN (SELECT id FROM ids) END";

#define ALL_ROUNDS "(SELECT max(rounds) FROM guest_have)"
#define SAME(a, b) #a ".name=" #b ".name AND " #a ".cpu=" #b ".cpu"

static const char *const prepare_counts[] = {
    "CREATE TABLE guest_have AS SELECT name, cpu, offset, value, row_number() OVER (PARTITION BY "
    "name, cpu ORDER BY offset) AS round, count(*) OVER (PARTITION BY name, cpu) AS rounds FROM "
    "(SELECT name, CASE WHEN name IN (SELECT name FROM guest_want WHERE cpu<0) THEN -1 ELSE "
    "max(cpu,0) END AS cpu, offset, value FROM stat)",
    "DELETE FROM guest_want WHERE round<>last AND name IN (SELECT name FROM guest_have WHERE "
    "rounds=1)",
    "UPDATE guest_want SET round=1 WHERE name IN (SELECT name FROM guest_have WHERE rounds=1)",
    /* Of a core that has no CPU the driver reads nothing, and perf's round has the count of the one
     * before. Which rounds these were is known by the time of those that were read of others. */
    "CREATE TABLE guest_times AS SELECT round, min(cycle) AS cycle FROM guest_want WHERE cycle IS "
    "NOT NULL AND last=" ALL_ROUNDS " GROUP BY round",
    "UPDATE guest_want SET round=CASE WHEN cycle IS NULL THEN " ALL_ROUNDS " ELSE (SELECT round "
    "FROM (SELECT round, abs(t.cycle-guest_want.cycle) AS away FROM guest_times t) ORDER BY away "
    "LIMIT 1) END WHERE "
    "last<" ALL_ROUNDS " AND EXISTS (SELECT 1 FROM guest_times) AND EXISTS (SELECT 1 FROM "
    "guest_have h WHERE " SAME(h, guest_want) " AND h.rounds=" ALL_ROUNDS ")",
    "DELETE FROM guest_want WHERE EXISTS (SELECT 1 FROM guest_want v WHERE " SAME(
        v, guest_want) " AND v.round=guest_want.round AND v.rowid>guest_want.rowid)",
    "INSERT INTO guest_want SELECT w.name, w.cpu, h.round, w.count, w.scale, w.counted, w.last, "
    "NULL, 1 FROM guest_have h JOIN guest_want w ON w.rowid=(SELECT v.rowid FROM guest_want v "
    "WHERE " SAME(v,
                  h) " AND v.round<h.round ORDER BY v.round DESC LIMIT 1) WHERE EXISTS (SELECT "
                     "1 FROM guest_times) AND NOT EXISTS (SELECT 1 FROM guest_want v WHERE " SAME(
                         v, h) " AND v.round=h.round)",
    "CREATE TABLE guest_both AS SELECT w.name, w.cpu, w.round, w.count AS expected, h.value AS "
    "found, h.offset, w.kept FROM guest_want w LEFT JOIN guest_have h USING(name, cpu, round) "
    "UNION ALL SELECT h.name, h.cpu, h.round, NULL, h.value, h.offset, 0 FROM guest_have h LEFT "
    "JOIN guest_want w USING(name, cpu, round) WHERE w.name IS NULL",
};

static const char rows_of_counts[] = "SELECT 'counts', name, " CPU(
    "guest_both") ", max(expected), max(found), sum(expected IS NOT found), 'exact, '||count(*)||' "
                  "round'||CASE count(*) WHEN 1 THEN '' ELSE 's' END||CASE WHEN sum(kept)>0 THEN "
                  "', '||sum(kept)||' without a CPU' ELSE '' END, (SELECT CASE WHEN c.found IS "
                  "NULL THEN printf('round %lld is missing', c.round) WHEN c.expected IS NULL THEN "
                  "printf('byte %lld: round %lld was not read from memory', c.offset, c.round) "
                  "ELSE printf('byte %lld: %lld instead of %lld', c.offset, c.found, c.expected) "
                  "END FROM guest_both c WHERE c.name=b.name AND c.cpu=b.cpu AND c.expected IS NOT "
                  "c.found ORDER BY c.round LIMIT 1) FROM guest_both b GROUP BY name, cpu ORDER BY "
                  "name, cpu";

/* The counters are not looked at all the time: what perf makes of them is an estimate, and may be 0 of
 * what is rare. That nothing was counted of much, while perf had left CPUs in trace mode, is none. */
#define NOTHING                                                                                    \
    "count=0 AND counted>=10*scale AND EXISTS (SELECT 1 FROM truth.guest_count WHERE "             \
    "counted_by='left' AND count>0)"
static const char rows_of_estimates[] = "SELECT 'truth of counts', name, " CPU(
    "guest_want") ", counted, printf('%.0f', count*scale+0.0), CASE WHEN " NOTHING
                  " THEN 1 END, CASE WHEN " NOTHING
                  " THEN 'more than 0' ELSE printf('none: off by %+.3f %%', "
                  "100.0*(count*scale-counted)/max(counted,1)) END, CASE WHEN " NOTHING
                  " AND name LIKE 'core_imc%' THEN (SELECT printf('%lld instructions were "
                  "executed in trace mode', sum(count)) FROM truth.guest_count WHERE "
                  "counted_by='left' HAVING sum(count)>0) END FROM (SELECT *, row_number() "
                  "OVER (PARTITION BY name, cpu ORDER BY round DESC) AS back FROM guest_want) "
                  "WHERE back=1 ORDER BY name, cpu";

static const char *name_of_file(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash != NULL ? slash + 1 : path;
}

cs_status cs_check_guest_counts(cs_checking *check)
{
    sqlite3_stmt *want = NULL;
    cs_status status = cs_check_prepare(check, want_counts, &want);

    if (status == CS_OK) {
        cs_check_text(check, want, 1, name_of_file(check->request->path), -1);
        status = cs_check_insert(check, want, NULL, 0);
    }
    sqlite3_finalize(want);
    if (status == CS_OK)
        status = CS_CHECK_DO_ALL(check, prepare_counts);
    if (status == CS_OK)
        status = cs_check_rows(check, rows_of_counts);
    return status == CS_OK ? cs_check_rows(check, rows_of_estimates) : status;
}
