/* Samples of perf: those of the file against those that the driver took. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "check/impl.h"
#include "scenario/hpm/harts_spec.h"
#include "scenario/hpm/riscv_spec.h"
#include "scenario/imc/imc_driver_spec.h"
#include "scenario/imc/pmi_spec.h"
#include "scenario/machine/bus_spec.h"

/* Every column is an INTEGER, by a CAST where it is computed: columns that are not alike are not
 * looked up by an index. */

/* What of the truth a sample of the file is: table want(seq, source, command, event, cpu, time, ip,
 * pid, misc, period, chain). Times of IMC's are cycles, of harts ticks of mtime; their commands are numbered
 * apart. */
static const char empty_want[] =
    "CREATE TABLE want(seq INTEGER, command INTEGER, event INTEGER, cpu INTEGER, time INTEGER, ip "
    "INTEGER, pid INTEGER, misc INTEGER, period INTEGER, chain TEXT)";

/* The words of a chain: in front of the truth's addresses the kernel's or the user's marker; of guests
 * both, and no address. */
#define WORDS                                                                                      \
    "CASE WHEN chain IS NULL THEN NULL ELSE rtrim(CASE misc WHEN 1 THEN '0xffffffffffffff80' "     \
    "WHEN 2 THEN '0xfffffffffffffe00' ELSE '0xffffffffffffff80;0xfffffffffffffe00' END||';'||"     \
    "chain, ';') END"

#define MOST_COMMANDS 64u /* of riscv.perf */

/* A perf.data file with commands of host and guest tells them apart by the mode; in a ring, and in a
 * file of a guest's own, the guest's kernel is a kernel. */
static void modes_of(const cs_scenario *s, bool mixable, char *misc, size_t bytes)
{
    char guests[MOST_COMMANDS * 4] = "-1";
    bool hosts = false;

    for (size_t i = 0; i < s->riscv->nr_perf && i < MOST_COMMANDS && mixable; i++) {
        const bool samples = s->riscv->perf[i].sample_period != 0;
        const bool guest = s->riscv->perf[i].guest;
        const size_t used = strlen(guests);

        hosts |= samples && !guest;
        if (samples && guest)
            snprintf(guests + used, sizeof guests - used, ",%zu", i);
    }
    if (hosts)
        snprintf(misc, bytes,
                 "CASE WHEN command IN (%s) AND misc IN (1,2) THEN misc+3 ELSE misc END", guests);
    else
        snprintf(misc, bytes, "misc");
}

static cs_status add_want(cs_check *check, bool harts, bool ns, int64_t command)
{
    char sql[2048], only[96] = "", time[160] = "time", misc[512];
    const cs_scenario *s = NULL;
    const cs_status status = cs_check_load(check, &s);

    if (status != CS_OK)
        return status;
    const int64_t mhz = harts ? s->harts->timebase_mhz : s->bus->clock_mhz;
    const int64_t start = harts ? (int64_t)s->harts->timebase_start : 0;
    modes_of(s, harts && ns && command < 0, misc, sizeof misc);
    if (command >= 0)
        snprintf(only, sizeof only, " AND command=%" PRId64, command);
    if (check->partial)
        strcat(only, " AND cpu IN (SELECT cpu FROM found)");
    if (ns)
        snprintf(time, sizeof time,
                 "(time-(%" PRId64 "))/%" PRId64 "*1000+(time-(%" PRId64 "))%%%" PRId64
                 "*1000/%" PRId64,
                 start, mhz, start, mhz, mhz);
    if (harts)
        snprintf(sql, sizeof sql,
                 "INSERT INTO want SELECT rowid, command+%d, event, cpu, %s, ip, pid, %s, "
                 "period, " WORDS " FROM truth.hart_sample WHERE lost=0%s",
                 CS_CHECK_HARTS_FROM, time, misc, only);
    else
        snprintf(sql, sizeof sql,
                 "INSERT INTO want SELECT rowid+(SELECT count(*) FROM truth.hart_sample), command, "
                 "0, cpu, %s, ip, pid, misc, NULL, NULL FROM truth.perf_sample WHERE 1%s",
                 time, only);
    return cs_check_do(check, sql);
}

cs_status cs_check_periods(cs_check *check, const char *command)
{
    const cs_scenario *s = NULL;
    char sql[192];
    cs_status status = cs_check_load(check, &s);

    snprintf(sql, sizeof sql, "SELECT max(%s) FROM want WHERE %s<%d", command, command,
             CS_CHECK_HARTS_FROM);
    const int64_t most = status == CS_OK ? cs_check_number(check, sql, -1) : -1;
    for (int64_t i = 0; i <= most && status == CS_OK; i++) {
        const bool of_imc = (uint64_t)i < s->imc_driver->nr_perf;

        snprintf(sql, sizeof sql,
                 "UPDATE want SET period=%" PRId64 " WHERE %s=%" PRId64 " AND period IS NULL",
                 (int64_t)(of_imc ? s->imc_driver->perf[i].sample_period : s->pmi->period), command,
                 i);
        status = cs_check_do(check, sql);
    }
    return status;
}

static const char partly[] = "DELETE FROM want WHERE NOT EXISTS (SELECT 1 FROM map m WHERE "
                             "m.command=want.command AND m.event=want.event)";

/* Which event of the file is which of the truth: the one that it shares most samples with, and no
 * two the same. Then
 * each sample has a number among those that are alike, so that doubles count. */
static const char *const prepare[] = {
    "CREATE INDEX want_at ON want(cpu, time, ip)",
    "CREATE TABLE map AS SELECT fe, command, event, max(n) AS n FROM (SELECT f.event AS fe, "
    "w.command, w.event, count(*) AS n FROM found f CROSS JOIN want w ON w.cpu=f.cpu AND "
    "w.time=f.time "
    "AND w.ip=f.ip AND w.pid=f.pid GROUP BY 1,2,3) WHERE fe>=0 GROUP BY fe",
    "DELETE FROM map WHERE EXISTS (SELECT 1 FROM map m WHERE m.command=map.command AND "
    "m.event=map.event AND (m.n>map.n OR (m.n=map.n AND m.fe<map.fe)))",
    "CREATE TABLE have AS SELECT offset, CAST(coalesce(m.command,-1) AS INTEGER) AS command, "
    "CAST(coalesce(m.event,-1) AS INTEGER) AS event, cpu, time, ip, pid, misc, period, f.event AS "
    "fe "
    "FROM found f LEFT JOIN map m ON m.fe=f.event",
    "CREATE TABLE want_n AS SELECT *, row_number() OVER (PARTITION BY command, event, cpu, time, "
    "ip, "
    "pid, misc, period ORDER BY seq) AS n FROM want",
    "CREATE TABLE have_n AS SELECT *, row_number() OVER (PARTITION BY command, event, cpu, time, "
    "ip, "
    "pid, misc, period ORDER BY offset) AS n FROM have",
    "CREATE INDEX want_k ON want_n(cpu, time, ip)",
    "CREATE INDEX have_k ON have_n(cpu, time, ip)",
    "CREATE TABLE pair AS SELECT w.seq, h.offset FROM want_n w CROSS JOIN have_n h ON w.cpu=h.cpu "
    "AND "
    "w.time=h.time AND w.ip=h.ip AND w.pid=h.pid AND w.misc=h.misc AND w.command=h.command AND "
    "w.event=h.event AND w.period IS h.period AND w.n=h.n",
    "CREATE INDEX pair_w ON pair(seq)",
    "CREATE INDEX pair_h ON pair(offset)",
    "CREATE TABLE missing AS SELECT * FROM want_n WHERE seq NOT IN (SELECT seq FROM pair)",
    "CREATE TABLE extra AS SELECT * FROM have_n WHERE offset NOT IN (SELECT offset FROM pair)",
};

/* Where the run was cut, harts' rings hold what nobody has read any more: of a command's samples on a hart
 * those behind the last one that was taken. */
static const char late[] =
    "CREATE TABLE last AS SELECT w.cpu, w.command, max(w.seq) AS seq FROM pair p JOIN want_n w "
    "ON w.seq=p.seq GROUP BY 1,2;"
    "CREATE TABLE late AS SELECT seq FROM want_n w WHERE command>=1000000 AND seq>coalesce((SELECT "
    "seq FROM last l WHERE l.cpu=w.cpu AND l.command=w.command),-1);"
    "DELETE FROM missing WHERE seq IN (SELECT seq FROM late);"
    "DELETE FROM want WHERE seq IN (SELECT seq FROM late)";

#define EVENT_NAME                                                                                 \
    "coalesce((SELECT name FROM names JOIN map ON map.fe=names.fe WHERE "                          \
    "map.command=k.command AND map.event=k.event), CASE WHEN k.command<0 THEN "                    \
    "'?' ELSE 'command '||(k.command%1000000)||' event '||k.event END)"

static const char rows_of_samples[] =
    "SELECT 'samples', " EVENT_NAME ", k.cpu, "
    "(SELECT count(*) FROM want w WHERE w.command=k.command AND w.event=k.event AND w.cpu=k.cpu), "
    "(SELECT count(*) FROM have h WHERE h.command=k.command AND h.event=k.event AND h.cpu=k.cpu), "
    "(SELECT count(*) FROM missing w WHERE w.command=k.command AND w.event=k.event AND "
    "w.cpu=k.cpu) "
    "+ (SELECT count(*) FROM extra h WHERE h.command=k.command AND h.event=k.event AND "
    "h.cpu=k.cpu), 'exact', "
    "coalesce((SELECT printf('missing: time %lld ip 0x%llx pid %lld', time, ip, pid) FROM missing "
    "w "
    "WHERE w.command=k.command AND w.event=k.event AND w.cpu=k.cpu ORDER BY time LIMIT 1)||'; ', "
    "'') "
    "|| coalesce((SELECT printf('byte %lld: time %lld ip 0x%llx pid %lld misc %lld period %lld is "
    "', offset, time, ip, pid, misc, period) || CASE WHEN n > 1 THEN printf('there %lld times', n) "
    "ELSE 'not in the truth' END FROM extra h WHERE "
    "h.command=k.command AND h.event=k.event AND h.cpu=k.cpu ORDER BY offset LIMIT 1), '') "
    "FROM (SELECT command, event, cpu FROM want UNION SELECT command, event, cpu FROM have) k "
    "ORDER BY k.command, k.event, k.cpu";

/* Of those that are there the order in the file is the order in which they were taken. */
static const char rows_of_order[] =
    "SELECT 'order', " EVENT_NAME
    ", k.cpu, count(*), count(*) - sum(k.back), sum(k.back), 'exact', "
    "(SELECT CASE WHEN sum(k.back)>0 THEN printf('byte %lld: taken before the one in front of it', "
    "min(CASE WHEN k.back THEN k.offset END)) END) FROM (SELECT h.command, h.event, h.cpu, "
    "h.offset, "
    "coalesce(p.seq < lag(p.seq) OVER (PARTITION BY h.command, h.event, h.cpu ORDER BY h.offset), "
    "0) "
    "AS back FROM pair p JOIN have_n h ON h.offset=p.offset) k GROUP BY k.command, k.event, k.cpu "
    "ORDER BY 1,2,3";

/* Of those that are there, and have or ought to have a call chain. */
static const char rows_of_chains[] =
    "SELECT 'chains', " EVENT_NAME ", k.cpu, sum(k.wanted IS NOT NULL), sum(k.found IS NOT NULL), "
    "sum(k.wanted IS NOT k.found), 'exact', (SELECT CASE WHEN sum(k.wanted IS NOT k.found)>0 THEN "
    "printf('byte %lld: ', min(CASE WHEN k.wanted IS NOT k.found THEN k.offset END))||"
    "coalesce((SELECT 'found '||coalesce(f.chain,'none')||', expected '||coalesce(w.chain,'none') "
    "FROM pair p JOIN want_n w ON w.seq=p.seq JOIN found f ON f.offset=p.offset WHERE "
    "w.command=k.command AND w.event=k.event AND w.cpu=k.cpu AND w.chain IS NOT f.chain ORDER BY "
    "f.offset LIMIT 1), '') END) FROM (SELECT w.command, w.event, w.cpu, p.offset, w.chain AS "
    "wanted, f.chain AS found FROM pair p JOIN want_n w ON w.seq=p.seq JOIN found f ON "
    "f.offset=p.offset WHERE w.chain IS NOT NULL OR f.chain IS NOT NULL) k GROUP BY k.command, "
    "k.event, k.cpu ORDER BY 1,2,3";

cs_status cs_check_samples(cs_check *check, bool ns)
{
    cs_check_list list;
    int64_t command;
    cs_status status = cs_check_command(check, &list, &command);

    if (status == CS_OK)
        status = cs_check_do(check, empty_want);
    if (status == CS_OK && (list == CS_CHECK_ALL || list == CS_CHECK_HARTS))
        status = add_want(check, true, ns, command);
    if (status == CS_OK && ns &&
        (list == CS_CHECK_ALL || list == CS_CHECK_IMC || list == CS_CHECK_PMI))
        status = add_want(check, false, ns, command);
    if (status == CS_OK && cs_check_number(check, "SELECT count(*) FROM want", 0) == 0)
        return CS_OK;
    if (status == CS_OK)
        status = cs_check_periods(check, "command");
    for (size_t i = 0; i < sizeof prepare / sizeof prepare[0] && status == CS_OK; i++) {
        if (i == 3 && check->partial)
            status = cs_check_do(check, partly);
        if (status == CS_OK)
            status = cs_check_do(check, prepare[i]);
    }
    if (status == CS_OK && cs_check_was_cut(check))
        status = cs_check_leave(check, late);
    if (status == CS_OK)
        status = cs_check_rows(check, rows_of_samples);
    if (status == CS_OK)
        status = cs_check_rows(check, rows_of_order);
    return status == CS_OK ? cs_check_rows(check, rows_of_chains) : status;
}
