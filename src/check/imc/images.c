// SPDX-License-Identifier: Apache-2.0
/* Counters in memory: what engines added up, against what they ought to have added. */
#include "check/checker.h"
#include "check/imc/imc.h"

static const char want[] =
    "CREATE TABLE want(offset INTEGER PRIMARY KEY, number INTEGER, value INTEGER, posts INTEGER)";

static const char *const compare[] = {
    "CREATE TABLE both AS SELECT w.offset, w.number, w.value, w.posts, coalesce(f.value,0) AS "
    "found "
    "FROM want w LEFT JOIN found f USING(offset)",
    "CREATE TABLE rest AS SELECT f.offset, i.number, f.value FROM found f JOIN image i ON "
    "f.offset>=i.place AND f.offset<i.place+i.bytes WHERE NOT EXISTS (SELECT 1 FROM want w WHERE "
    "w.offset=f.offset)",
};

cs_status cs_check_imc_posted(cs_checking *check, const char *format, const char *name,
                              const char *other)
{
    char sql[1024];
    cs_status status = cs_check_images(check, format, true);

    if (status == CS_OK)
        status = cs_check_do(check, want);
    snprintf(sql, sizeof sql,
             "INSERT INTO want SELECT i.place+p.offset, p.number, p.value, p.posts FROM "
             "truth.posted p JOIN image i USING(number) WHERE p.format='%s'",
             format);
    if (status == CS_OK)
        status = cs_check_do(check, sql);
    if (status == CS_OK)
        status = CS_CHECK_DO_ALL(check, compare);
    if (status == CS_OK && other != NULL)
        status = cs_check_do(check, other);
    snprintf(
        sql, sizeof sql,
        "SELECT 'counters', %s, NULL, (SELECT count(*) FROM both b WHERE b.number=i.number), "
        "(SELECT count(*) FROM both b WHERE b.number=i.number AND b.value=b.found), (SELECT "
        "count(*) FROM both b WHERE b.number=i.number AND b.value<>b.found), 'exact, '||"
        "(SELECT coalesce(sum(posts),0) FROM both b WHERE b.number=i.number)||' additions', "
        "(SELECT printf('byte %%lld: %%lld instead of %%lld', b.offset, b.found, b.value) FROM "
        "both b WHERE b.number=i.number AND b.value<>b.found ORDER BY b.offset LIMIT 1) FROM "
        "image i ORDER BY i.number",
        name);
    if (status == CS_OK)
        status = cs_check_rows(check, sql);
    snprintf(sql, sizeof sql,
             "SELECT 'the rest is zero', %s, NULL, 0, (SELECT count(*) FROM rest r WHERE "
             "r.number=i.number), (SELECT count(*) FROM rest r WHERE r.number=i.number), 'exact', "
             "(SELECT printf('byte %%lld: %%lld, nothing was added there', r.offset, r.value) FROM "
             "rest r WHERE r.number=i.number ORDER BY r.offset LIMIT 1) FROM image i ORDER BY "
             "i.number",
             name);
    return status == CS_OK ? cs_check_rows(check, sql) : status;
}

static cs_status check_cores(cs_checking *check)
{
    return cs_check_imc_posted(check, "core-imc", "'core '||i.number", NULL);
}

const cs_checker cs_checker_core_image = {.check = check_cores};

static cs_status check_threads(cs_checking *check)
{
    return cs_check_imc_posted(check, "thread-imc", "'cpu '||i.number", NULL);
}

const cs_checker cs_checker_thread_image = {.check = check_threads};
