/* Memory of the end of a run: what engines added up, against what they ought to have added. The files
 * are read doubleword by doubleword. */
#include <inttypes.h>
#include <string.h>

#include "base/bus/big.h"
#include "check/checker.h"
#include "check/impl.h"
#include "formats/common/little.h"
#include "formats/imc/read/nest.h"

#define WORD_BYTES 8u
#define MOST_BYTES 65536u
#define NEST_VERSION 0x2fc00
#define NEST_CONTROL 0x3fc00

static const char tables[] =
    "CREATE TABLE found(offset INTEGER PRIMARY KEY, value INTEGER);"
    "CREATE TABLE image(number INTEGER, place INTEGER, address INTEGER, bytes INTEGER)";

/* Doublewords of zero are not kept: most of an image is. */
static cs_status fill(cs_check *check, bool big, uint64_t *size)
{
    const cs_byte_source source = cs_check_source(check);
    uint8_t bytes[MOST_BYTES];
    sqlite3_stmt *insert = NULL;
    size_t got = sizeof bytes, held = 0;
    cs_status status = cs_check_prepare(check, "INSERT INTO found VALUES(?,?)", &insert);

    *size = 0;
    while (status == CS_OK && got != 0) {
        status = source.read(source.ctx, bytes + held, sizeof bytes - held, &got, check->diag);
        held += got;
        size_t at = 0;
        for (; status == CS_OK && at + WORD_BYTES <= held; at += WORD_BYTES) {
            const uint64_t value = big ? cs_big_get64(bytes + at) : cs_little_get64(bytes + at);

            if (value != 0)
                status = cs_check_insert(check, insert,
                                         (int64_t[]){(int64_t)(*size + at), (int64_t)value}, 2);
        }
        *size += at;
        memmove(bytes, bytes + at, held - at);
        held -= at;
    }
    *size += held;
    sqlite3_finalize(insert);
    return status;
}

/* The file is as many images as the run has of the format. */
static cs_status fetch(cs_check *check, const char *format, bool big)
{
    cs_diag diag = {0};
    uint64_t size;
    char sql[256];
    cs_status status;

    if (cs_check_number(check, "SELECT count(*) FROM truth.sqlite_master WHERE name='image'", 0) ==
        0)
        return cs_diag_set(check->diag, CS_ERR_FORMAT, check->request->truth,
                           "the truth has no table `image`: it was written before there was one");
    status = cs_check_do(check, tables);
    snprintf(sql, sizeof sql,
             "INSERT INTO image SELECT number, place, address, bytes FROM truth.image WHERE "
             "format='%s'",
             format);
    if (status == CS_OK)
        status = cs_check_do(check, sql);
    if (status == CS_OK)
        status = fill(check, big, &size);
    if (status != CS_OK)
        return status;
    const int64_t expected = cs_check_number(check, "SELECT coalesce(sum(bytes),0) FROM image", 0);
    if (expected == 0)
        return cs_diag_set(check->diag, CS_ERR_RANGE, check->request->truth,
                           "the run has no image of format %s", format);
    if (size == (uint64_t)expected)
        return CS_OK;
    cs_diag_set(&diag, CS_ERR_FORMAT, check->request->path,
                "byte %" PRIu64 ": the file ends, expected %" PRId64
                " bytes: the images of the run",
                size, expected);
    return cs_check_ended(check, CS_ERR_FORMAT, &diag);
}

/* ---- counters ---- */

static const char *const compare_counters[] = {
    "CREATE TABLE want(offset INTEGER PRIMARY KEY, number INTEGER, value INTEGER, posts INTEGER)",
    "CREATE TABLE both AS SELECT w.offset, w.number, w.value, w.posts, coalesce(f.value,0) AS "
    "found "
    "FROM want w LEFT JOIN found f USING(offset)",
    "CREATE TABLE rest AS SELECT f.offset, i.number, f.value FROM found f JOIN image i ON "
    "f.offset>=i.place AND f.offset<i.place+i.bytes WHERE NOT EXISTS (SELECT 1 FROM want w WHERE "
    "w.offset=f.offset)",
};

static cs_status check_counters(cs_check *check, const char *format, const char *name)
{
    char sql[1024];
    cs_status status = fetch(check, format, true);

    if (status == CS_OK)
        status = cs_check_do(check, compare_counters[0]);
    snprintf(sql, sizeof sql,
             "INSERT INTO want SELECT i.place+p.offset, p.number, p.value, p.posts FROM "
             "truth.posted p JOIN image i USING(number) WHERE p.format='%s'",
             format);
    if (status == CS_OK)
        status = cs_check_do(check, sql);
    for (size_t i = 1; i < sizeof compare_counters / sizeof compare_counters[0]; i++)
        if (status == CS_OK)
            status = cs_check_do(check, compare_counters[i]);
    /* The block through which it is controlled is software's, too. */
    snprintf(sql, sizeof sql, "DELETE FROM rest WHERE offset=%d OR (offset>=%d AND offset<%d)",
             NEST_VERSION, NEST_CONTROL, (int)(NEST_CONTROL + CS_IMC_CONTROL_BYTES));
    if (status == CS_OK && strcmp(format, "nest-imc") == 0)
        status = cs_check_do(check, sql);
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

static cs_status check_cores(cs_check *check)
{
    return check_counters(check, "core-imc", "'core '||i.number");
}

const cs_checker cs_checker_core_image = {.check = check_cores};

static cs_status check_threads(cs_check *check)
{
    return check_counters(check, "thread-imc", "'cpu '||i.number");
}

const cs_checker cs_checker_thread_image = {.check = check_threads};

static cs_status check_nest(cs_check *check)
{
    return check_counters(check, "nest-imc", "'nest'");
}

const cs_checker cs_checker_nest_image = {.check = check_nest};

/* ---- snapshot pages ---- */

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
    "UNION ALL SELECT 'not known', 'hart '||hart, NULL, NULL, count(*), 0, 'none', NULL FROM want "
    "WHERE value IS NULL GROUP BY hart";

static cs_status check_pages(cs_check *check)
{
    cs_status status = fetch(check, "snapshot", false);

    for (size_t i = 0; i < sizeof compare_pages / sizeof compare_pages[0]; i++)
        if (status == CS_OK)
            status = cs_check_do(check, compare_pages[i]);
    return status == CS_OK ? cs_check_rows(check, rows_of_pages) : status;
}

const cs_checker cs_checker_snapshot = {.check = check_pages};
