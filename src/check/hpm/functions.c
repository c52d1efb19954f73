// SPDX-License-Identifier: Apache-2.0
/* Shares of functions: what was sampled of an event, against what a flat profile ought to show. Of commands
 * with call chains paths.c says it, and more. */
#include "check/hpm/hpm.h"

/* A function is one of a process: others have theirs at the same addresses. Samples in a
 * row in the same function of a CPU count as one in the bound. */
static const char *const prepare[] = {
    "CREATE TABLE flat AS SELECT command+" CS_CHECK_HPM_FROM
    " AS command, event, min(event_name) AS event_name, pid, base, size, min(function) AS name, "
    "sum(expected) AS expected FROM truth.hart_function WHERE command NOT IN (SELECT command FROM "
    "truth.call_path) GROUP BY command, event, pid, base, size",
    "CREATE INDEX flat_at ON flat(command, event, pid, base)",
    "CREATE TABLE flat_hit AS SELECT f.offset, f.cpu, m.command, m.event, (SELECT n.rowid FROM "
    "flat n WHERE n.command=m.command AND n.event=m.event AND n.pid=f.pid AND n.base<=f.ip AND "
    "f.ip-n.base<n.size ORDER BY n.base DESC LIMIT 1) AS function FROM found f JOIN map m ON "
    "m.fe=f.event",
    "DELETE FROM flat_hit WHERE function IS NULL",
    "CREATE TABLE flat_runs AS SELECT command, event, count(*) AS n FROM (SELECT command, event, "
    "function, lag(function) OVER (PARTITION BY command, event, cpu ORDER BY offset) AS before "
    "FROM flat_hit) WHERE before IS NULL OR before<>function GROUP BY command, event",
    "CREATE TABLE flat_all AS SELECT command, event, count(*) AS n FROM flat_hit GROUP BY 1,2",
    "CREATE TABLE flat_hits AS SELECT function, count(*) AS n FROM flat_hit GROUP BY function",
};

static const char rows_of_shares[] =
    "SELECT 'function share', name, NULL, printf('%.5f', expected), printf('%.5f', share), "
    "abs(share-expected) > bound + 1e-12, printf('%.5f (4 sigma of %lld)', bound, n), "
    "printf('%s, pid %lld: %lld samples', event_name, pid, hits) FROM (SELECT f.command, f.event, "
    "f.event_name, f.pid, f.base, f.name, f.expected, r.n, coalesce(h.n,0) AS hits, "
    "coalesce(h.n,0)*1.0/a.n AS share, 4*sqrt(max(f.expected*(1-f.expected),0)/r.n) AS bound "
    "FROM flat f JOIN flat_runs r USING(command, event) JOIN flat_all a USING(command, event) "
    "LEFT JOIN flat_hits h ON h.function=f.rowid) ORDER BY command, event, expected DESC, pid, "
    "name, base";

static cs_status functions(cs_checking *check)
{
    bool any = false;
    cs_status status = cs_check_any(check, "SELECT count(*) FROM truth.hart_function", &any);

    if (status == CS_OK && any)
        status = CS_CHECK_DO_ALL(check, prepare);
    return status == CS_OK && any ? cs_check_rows(check, rows_of_shares) : status;
}

cs_status cs_check_hpm_shares(cs_checking *check)
{
    const cs_status status = functions(check);

    return status == CS_OK ? cs_check_hpm_paths(check) : status;
}
