// SPDX-License-Identifier: Apache-2.0
/* Samples of perf: those of the file against those that the driver took. */
#include "check/impl.h"
#include "scenario/machine/bus_spec.h"

/* What of the truth a sample of the file is. */
static const char empty_want[] =
    "CREATE TABLE want(seq INTEGER, command INTEGER, event INTEGER, ring INTEGER, cpu INTEGER, "
    "time "
    "INTEGER, ip INTEGER, pid INTEGER, misc INTEGER, period INTEGER, chain TEXT)";

/* The words of a chain: in front of the truth's addresses the kernel's or the user's marker; of guests
 * both, and no address. */
#define WORDS                                                                                      \
    "CASE WHEN chain IS NULL THEN NULL ELSE rtrim(CASE mode WHEN 1 THEN '0xffffffffffffff80' "     \
    "WHEN 2 THEN '0xfffffffffffffe00' ELSE '0xffffffffffffff80;0xfffffffffffffe00' END||';'||"     \
    "chain, ';') END"

static const char fill_want[] = "INSERT INTO want SELECT seq, command, event, ring, cpu, time, ip, "
                                "pid, misc, period, " WORDS " FROM sampled";

static const char partly[] = "DELETE FROM want WHERE NOT EXISTS (SELECT 1 FROM map m WHERE "
                             "m.command=want.command AND m.event=want.event)";

/* Which event of the file is which of the truth: the one that it shares most samples with, and no
 * two the same. */
static const char *const map[] = {
    "CREATE INDEX want_at ON want(cpu, time, ip)",
    "CREATE TABLE map AS SELECT fe, command, event, max(n) AS n FROM (SELECT f.event AS fe, "
    "w.command, w.event, count(*) AS n FROM found f CROSS JOIN want w ON w.cpu=f.cpu AND "
    "w.time=f.time "
    "AND w.ip=f.ip AND w.pid=f.pid GROUP BY 1,2,3) WHERE fe>=0 GROUP BY fe",
    "DELETE FROM map WHERE EXISTS (SELECT 1 FROM map m WHERE m.command=map.command AND "
    "m.event=map.event AND (m.n>map.n OR (m.n=map.n AND m.fe<map.fe)))",
};

/* Each sample has a number among those that are alike, so that doubles count. */
static const char *const prepare[] = {
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

/* Where the run was cut, rings hold what nobody has read any more: of a command's samples on a CPU those
 * behind the last one that was taken. */
static const char late[] =
    "CREATE TABLE last AS SELECT w.cpu, w.command, max(w.seq) AS seq FROM pair p JOIN want_n w "
    "ON w.seq=p.seq GROUP BY 1,2;"
    "CREATE TABLE late AS SELECT seq FROM want_n w WHERE ring AND seq>coalesce((SELECT seq "
    "FROM last l WHERE l.cpu=w.cpu AND l.command=w.command),-1);"
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

cs_status cs_check_samples(cs_checking *check, const cs_check_sampled_how *how)
{
    bool any = false, cut = false;
    cs_status status = cs_check_samples_told(check, how);

    if (status == CS_OK)
        status = cs_check_do(check, empty_want);
    if (status == CS_OK)
        status = cs_check_do(check, fill_want);
    if (status == CS_OK)
        status = cs_check_any(check, "SELECT count(*) FROM want", &any);
    if (status != CS_OK || !any)
        return status;
    status = CS_CHECK_DO_ALL(check, map);
    if (status == CS_OK && check->partial)
        status = cs_check_do(check, partly);
    if (status == CS_OK)
        status = CS_CHECK_DO_ALL(check, prepare);
    if (status == CS_OK)
        status = cs_check_was_cut(check, &cut);
    if (status == CS_OK && cut)
        status = cs_check_leave(check, late);
    if (status == CS_OK)
        status = cs_check_rows(check, rows_of_samples);
    if (status == CS_OK)
        status = cs_check_rows(check, rows_of_order);
    return status == CS_OK ? cs_check_rows(check, rows_of_chains) : status;
}
