// SPDX-License-Identifier: Apache-2.0
/* Snapshot pages of the SBI, at the end of a run. */
#include "check/checker.h"
#include "check/impl.h"

static const char *const compare_pages[] = {
    "CREATE TABLE want AS SELECT i.place+s.offset AS offset, s.hart, s.value FROM truth.snapshot s "
    "JOIN image i ON i.number=s.hart",
    "CREATE UNIQUE INDEX want_at ON want(offset)",
    "CREATE TABLE both AS SELECT w.offset, w.hart, w.value, coalesce(f.value,0) AS found FROM want "
    "w LEFT JOIN found f USING(offset)",
    "CREATE TABLE rest AS SELECT f.offset, i.number AS hart, f.value FROM found f JOIN image i ON "
    "f.offset>=i.place AND f.offset<i.place+i.bytes WHERE f.offset NOT IN (SELECT offset FROM "
    "want)",
};

static const char rows_of_pages[] =
    "SELECT 'snapshot', 'hart '||i.number, NULL, (SELECT count(b.value) FROM both b WHERE "
    "b.hart=i.number), (SELECT count(*) FROM both b WHERE b.hart=i.number AND b.value=b.found), "
    "(SELECT count(*) FROM both b WHERE b.hart=i.number AND b.value<>b.found), 'exact', (SELECT "
    "printf('byte %lld: %lld instead of %lld', b.offset, b.found, b.value) FROM both b WHERE "
    "b.hart=i.number AND b.value<>b.found ORDER BY b.offset LIMIT 1) FROM image i "
    "UNION ALL SELECT 'the rest is zero', 'hart '||i.number, NULL, 0, (SELECT count(*) FROM rest r "
    "WHERE r.hart=i.number), (SELECT count(*) FROM rest r WHERE r.hart=i.number), 'exact', (SELECT "
    "printf('byte %lld: %lld, nothing was written there', r.offset, r.value) FROM rest r WHERE "
    "r.hart=i.number ORDER BY r.offset LIMIT 1) FROM image i "
    "UNION ALL SELECT 'not known', 'hart '||hart, NULL, NULL, count(*), NULL, 'none: not in the "
    "truth', NULL FROM want "
    "WHERE value IS NULL GROUP BY hart";

static cs_status check_pages(cs_checking *check)
{
    cs_status status = cs_check_images(check, "snapshot", false);

    if (status == CS_OK)
        status = CS_CHECK_DO_ALL(check, compare_pages);
    return status == CS_OK ? cs_check_rows(check, rows_of_pages) : status;
}

const cs_checker cs_checker_snapshot = {.check = check_pages};
