// SPDX-License-Identifier: Apache-2.0
/* Shares of call paths: what was sampled against the weights of the workloads. */
#include "check/hpm/hpm.h"

/* A path is a function and where it returns to, which is what stands in a chain behind the marker and
 * the address. As of functions, samples in a row on the same path of a CPU count
 * as one in the bound. */
static const char *const prepare[] = {
    "CREATE TABLE path AS SELECT command+" CS_CHECK_HPM_FROM
    " AS command, base, size, returns, min(stack) AS "
    "stack, sum(expected) AS expected FROM truth.call_path GROUP BY 1,2,3,4",
    "CREATE INDEX path_at ON path(command, returns, base)",
    "CREATE TABLE walked AS SELECT f.offset, f.cpu, f.ip, m.command, "
    "substr(f.chain, instr(f.chain,';')+1) AS behind FROM found f JOIN map m ON m.fe=f.event WHERE "
    "instr(f.chain,';')>0",
    "CREATE TABLE path_hit AS SELECT w.offset, w.cpu, w.command, (SELECT p.rowid FROM path p WHERE "
    "p.command=w.command AND p.returns=CASE WHEN instr(w.behind,';')>0 THEN substr(w.behind, "
    "instr(w.behind,';')+1) ELSE '' END AND p.base<=w.ip AND w.ip-p.base<p.size ORDER BY p.base "
    "DESC LIMIT 1) AS path FROM walked w",
    "DELETE FROM path_hit WHERE path IS NULL",
    "CREATE TABLE path_runs AS SELECT command, count(*) AS n FROM (SELECT command, path, lag(path) "
    "OVER (PARTITION BY command, cpu ORDER BY offset) AS before FROM path_hit) WHERE before IS "
    "NULL OR before<>path GROUP BY command",
    "CREATE TABLE path_hits AS SELECT path, count(*) AS n FROM path_hit GROUP BY path",
};

static const char rows_of_shares[] =
    "SELECT 'path share', stack, NULL, printf('%.5f', expected), printf('%.5f', share), "
    "abs(share-expected) > bound + 1e-12, printf('%.5f (4 sigma of %lld)', bound, n), "
    "printf('command %lld: %lld samples', command-" CS_CHECK_HPM_FROM
    ", hits) FROM (SELECT p.command, p.stack, "
    "p.expected, r.n, coalesce(h.n,0) AS hits, coalesce(h.n,0)*1.0/(SELECT count(*) FROM path_hit "
    "a WHERE a.command=p.command) AS share, 4*sqrt(max(p.expected*(1-p.expected),0)/r.n) AS bound "
    "FROM path p JOIN path_runs r ON r.command=p.command LEFT JOIN path_hits h ON "
    "h.path=p.rowid) ORDER BY command, expected DESC, stack";

cs_status cs_check_hpm_paths(cs_checking *check)
{
    bool paths = false, chains = false;
    cs_status status = cs_check_any(check, "SELECT count(*) FROM truth.call_path", &paths);

    if (status == CS_OK)
        status = cs_check_any(check, "SELECT count(*) FROM found WHERE chain IS NOT NULL", &chains);
    if (status != CS_OK || !paths || !chains)
        return status;
    status = CS_CHECK_DO_ALL(check, prepare);
    return status == CS_OK ? cs_check_rows(check, rows_of_shares) : status;
}
