// SPDX-License-Identifier: Apache-2.0
/* Shares of functions: what was sampled against the weights of the workloads. */
#include "check/imc/imc.h"
#include "scenario/work/workload_spec.h"

/* ---- the functions of the workloads ---- */

static cs_status add_function(cs_checking *check, sqlite3_stmt *insert, const cs_function_spec *f)
{
    if (f->of_program) /* its symbol's size is the file's */
        return CS_OK;
    cs_check_text(check, insert, 1, f->name, -1);
    sqlite3_bind_int64(insert, 2, (int64_t)f->base);
    sqlite3_bind_int64(insert, 3, (int64_t)f->size);
    return cs_check_insert(check, insert, NULL, 0);
}

/* Table fn(name, base, size). */
static cs_status take_functions(cs_checking *check)
{
    const cs_scenario *s = NULL;
    sqlite3_stmt *insert = NULL;
    cs_status status = cs_check_load(check, &s);

    if (status == CS_OK)
        status = cs_check_do(check, "CREATE TEMP TABLE fn(name TEXT, base INTEGER PRIMARY KEY, "
                                    "size INTEGER)");
    if (status == CS_OK)
        status = cs_check_prepare(check, "INSERT OR IGNORE INTO fn VALUES(?,?,?)", &insert);
    for (size_t w = 0; status == CS_OK && w < s->nr_workloads; w++)
        for (size_t i = 0; i < s->workloads[w].nr_segments; i++) {
            const cs_segment_spec *segment = &s->workloads[w].segments[i];

            for (size_t k = 0; status == CS_OK && k < segment->nr_functions; k++)
                status = add_function(check, insert, &segment->functions[k]);
        }
    sqlite3_finalize(insert);
    return status;
}

/* ---- shares ---- */

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

cs_status cs_check_imc_shares(cs_checking *check)
{
    bool shares = false, samples = false, unknown = false;
    cs_status status = cs_check_any(check, "SELECT count(*) FROM truth.function", &shares);

    if (status == CS_OK)
        status = cs_check_any(check, "SELECT count(*) FROM found", &samples);
    if (status != CS_OK || !shares || !samples)
        return status;
    status = take_functions(check);
    if (status == CS_OK)
        status = cs_check_any(
            check, "SELECT count(*) FROM truth.function WHERE base NOT IN (SELECT base FROM fn)",
            &unknown);
    if (status == CS_OK && unknown)
        return cs_check_rows(check,
                             "SELECT 'function share', NULL, NULL, NULL, NULL, NULL, 'none: not "
                             "compared', 'the sizes of a program''s functions are in its "
                             "file'");
    if (status == CS_OK)
        status = CS_CHECK_DO_ALL(check, prepare);
    return status == CS_OK ? cs_check_rows(check, rows_of_shares) : status;
}
