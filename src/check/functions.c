/* Shares of functions: what was sampled against the weights of the workloads. */
#include "check/impl.h"

/* Samples one after the other in the same function are not independent: the function goes on. So a
 * run of them on one CPU counts as one, and the bound is four standard deviations of a share of so
 * many (a function that is within its weights is outside in 1 of 16,000 cases). */
static const char *const prepare[] = {
    "CREATE TABLE hit AS SELECT f.offset, f.cpu, (SELECT n.base FROM fn n WHERE n.base<=f.ip AND "
    "f.ip-n.base<n.size ORDER BY n.base DESC LIMIT 1) AS base FROM found f WHERE f.cpu IN (SELECT "
    "cpu FROM truth.perf_sample)",
    "DELETE FROM hit WHERE base IS NULL",
    "CREATE TABLE runs AS SELECT count(*) AS n FROM (SELECT base, lag(base) OVER (PARTITION BY cpu "
    "ORDER BY offset) AS before FROM hit) WHERE before IS NULL OR before<>base",
};

static const char rows_of_shares[] =
    "SELECT 'function share', name, NULL, printf('%.5f', expected), printf('%.5f', share), "
    "coalesce(abs(share-expected) > bound + 1e-12, 1), printf('%.5f (4 sigma of %lld)', bound, n), "
    "printf('%lld samples', hits) FROM (SELECT t.name, t.expected, r.n, (SELECT count(*) FROM hit "
    "h "
    "WHERE h.base=t.base) AS hits, (SELECT count(*) FROM hit h WHERE h.base=t.base)*1.0/(SELECT "
    "count(*) FROM hit) AS share, 4*sqrt(max(t.expected*(1-t.expected),0)/r.n) AS bound FROM "
    "truth.function t, runs r WHERE t.expected IS NOT NULL AND r.n>0) ORDER BY expected DESC, name";

cs_status cs_check_shares(cs_check *check)
{
    cs_status status;

    if (cs_check_number(check, "SELECT count(*) FROM truth.function", 0) == 0 ||
        cs_check_number(check, "SELECT count(*) FROM found", 0) == 0)
        return CS_OK;
    status = cs_check_functions(check);
    if (status == CS_OK &&
        cs_check_number(check,
                        "SELECT count(*) FROM truth.function WHERE base NOT IN (SELECT base "
                        "FROM fn)",
                        0) > 0)
        return cs_check_rows(check,
                             "SELECT 'function share', NULL, NULL, NULL, NULL, 0, 'none: not "
                             "compared', 'the sizes of a program''s functions are in its "
                             "file'");
    for (size_t i = 0; i < sizeof prepare / sizeof prepare[0] && status == CS_OK; i++)
        status = cs_check_do(check, prepare[i]);
    return status == CS_OK ? cs_check_rows(check, rows_of_shares) : status;
}
