/* What of PMCUs' samples was handed over. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "check/pmcu/pmcu.h"

#define SQL_BYTES 1600u

/* ---- dies ---- */

cs_status cs_check_pmcu_several(cs_checking *check, bool *several)
{
    return cs_check_any(
        check, "SELECT EXISTS(SELECT 1 FROM truth.sqlite_master WHERE name='subsample_die')",
        several);
}

cs_status cs_check_pmcu_die(cs_checking *check, const char *text, int64_t *die)
{
    const char *word = text != NULL ? strstr(text, "sccl") : NULL;
    const size_t digits = word != NULL ? strspn(word + 4, "0123456789") : 0;
    char sql[160];

    *die = -1;
    if (digits == 0 || digits > 3)
        return CS_OK;
    snprintf(sql, sizeof sql,
             "SELECT coalesce((SELECT die FROM truth.die WHERE name='sccl%.*s'), -1)", (int)digits,
             word + 4);
    return cs_check_number(check, sql, die);
}

/* ---- CPUs ---- */

#define COUNTED                                                                                    \
    " FROM truth.cpu WHERE NOT EXISTS(SELECT 1 FROM truth.sample) OR cpu IN (SELECT cpu FROM "     \
    "truth.sample)"

cs_status cs_check_pmcu_cpus(cs_checking *check, int64_t die, cs_check_pmcu_places *out)
{
    char sql[256];
    cs_status status = CS_OK;

    out->first_cpu = 0;
    if (die < 0) {
        status = cs_check_number(check, "SELECT count(*)" COUNTED, &out->nr_cpu);
    } else {
        snprintf(sql, sizeof sql, "SELECT cpus FROM truth.die WHERE die=%" PRId64, die);
        status = cs_check_number(check, sql, &out->nr_cpu);
        snprintf(sql, sizeof sql, "SELECT first_cpu FROM truth.die WHERE die=%" PRId64, die);
        if (status == CS_OK)
            status = cs_check_number(check, sql, &out->first_cpu);
    }
    return status == CS_OK ? cs_check_number(check, "SELECT max(slot)+1" COUNTED, &out->slots)
                           : status;
}

/* ---- views ---- */

static const char *const old_views[] = {
    "DROP VIEW IF EXISTS temp.kept_sample",    "DROP VIEW IF EXISTS temp.kept_window",
    "DROP VIEW IF EXISTS temp.kept_subsample", "DROP VIEW IF EXISTS temp.kept_failed",
    "DROP VIEW IF EXISTS temp.kept_event",
};

/* Of the only die, with the numbers of the truth. */
static cs_status views_of_one(cs_checking *check, int64_t limit)
{
    char sql[SQL_BYTES];

    snprintf(
        sql, sizeof sql,
        "CREATE TEMP VIEW kept_sample AS SELECT * FROM truth.sample WHERE subsample<%" PRId64
        ";CREATE TEMP VIEW kept_window AS SELECT * FROM truth.window WHERE subsample<%" PRId64
        ";CREATE TEMP VIEW kept_subsample AS SELECT * FROM truth.subsample WHERE number<%" PRId64
        ";CREATE TEMP VIEW kept_failed AS SELECT * FROM truth.failed"
        ";CREATE TEMP VIEW kept_event AS SELECT * FROM truth.event",
        limit, limit, limit);
    return cs_check_do(check, sql);
}

/* Of one of several, with the numbers that its subsamples have among its own. */
static cs_status views_of_die(cs_checking *check, int64_t die, int64_t limit)
{
    char sql[SQL_BYTES];

    snprintf(
        sql, sizeof sql,
        "CREATE TEMP VIEW kept_sample AS SELECT d.number AS subsample, s.cpu, s.position, s.event, "
        "s.value, s.truth FROM truth.sample s JOIN truth.subsample_die d USING(subsample) WHERE "
        "d.die=%" PRId64 " AND d.number<%" PRId64
        ";CREATE TEMP VIEW kept_window AS SELECT d.number AS subsample, w.cpu, w.start, w.stop, "
        "w.cid1, w.cid2 FROM truth.window w JOIN truth.subsample_die d USING(subsample) WHERE "
        "d.die=%" PRId64 " AND d.number<%" PRId64
        ";CREATE TEMP VIEW kept_subsample AS SELECT d.number AS number, s.cycle, s.address, "
        "s.of_trigger, s.bytes FROM truth.subsample s JOIN truth.subsample_die d ON "
        "d.subsample=s.number WHERE d.die=%" PRId64 " AND d.number<%" PRId64
        ";CREATE TEMP VIEW kept_failed AS SELECT d.number AS subsample, f.cpu, f.state FROM "
        "truth.failed f JOIN truth.subsample_die d USING(subsample) WHERE d.die=%" PRId64
        ";CREATE TEMP VIEW kept_event AS SELECT e.id, e.number, e.name, e.cycle_counter, "
        "d.sampled FROM truth.event e JOIN truth.event_die d ON d.event=e.id WHERE "
        "d.die=%" PRId64,
        die, limit, die, limit, die, limit, die, die);
    return cs_check_do(check, sql);
}

/* Of all of several, with the numbers of the truth. */
#define HANDED_OVER                                                                                \
    "(SELECT d.subsample FROM truth.subsample_die d JOIN truth.die k USING(die) WHERE "            \
    "d.number<k.handed_over)"
static const char *const views_of_all[] = {
    "CREATE TEMP VIEW kept_sample AS SELECT * FROM truth.sample WHERE subsample IN " HANDED_OVER,
    "CREATE TEMP VIEW kept_window AS SELECT * FROM truth.window WHERE subsample IN " HANDED_OVER,
    "CREATE TEMP VIEW kept_subsample AS SELECT * FROM truth.subsample WHERE number "
    "IN " HANDED_OVER,
    "CREATE TEMP VIEW kept_failed AS SELECT * FROM truth.failed",
    "CREATE TEMP VIEW kept_event AS SELECT * FROM truth.event",
};

/* How many subsamples there were, and how many of them perf got; without a driver none (-1). */
static cs_status count(cs_checking *check, int64_t die, int64_t *all, int64_t *limit)
{
    char sql[160];
    cs_status status;

    *limit = -1;
    if (die < 0) {
        status =
            cs_check_number(check, "SELECT value FROM truth.run WHERE key='handed_over'", limit);
        *all = *limit;
        return status == CS_OK && *limit >= 0
                   ? cs_check_number(check, "SELECT max(number)+1 FROM truth.subsample", all)
                   : status;
    }
    snprintf(sql, sizeof sql, "SELECT handed_over FROM truth.die WHERE die=%" PRId64, die);
    status = cs_check_number(check, sql, limit);
    snprintf(sql, sizeof sql, "SELECT subsamples FROM truth.die WHERE die=%" PRId64, die);
    return status == CS_OK ? cs_check_number(check, sql, all) : status;
}

cs_status cs_check_pmcu_kept(cs_checking *check, int64_t die, bool *cut)
{
    int64_t all = 0, limit = -1;
    bool several = false;
    cs_status status = cs_check_pmcu_several(check, &several);

    if (status == CS_OK)
        status = count(check, die, &all, &limit);
    *cut = limit < 0 || limit < all;
    if (status == CS_OK)
        status = CS_CHECK_DO_ALL(check, old_views);
    if (status == CS_OK)
        status = !several  ? views_of_one(check, limit)
                 : die < 0 ? CS_CHECK_DO_ALL(check, views_of_all)
                           : views_of_die(check, die, limit);
    return status == CS_OK ? cs_check_left_over(check, all, limit) : status;
}

/* ---- in a table of samples ---- */

/* The cycle counter stands behind the counters; event 0xc000 only fills up a subsample. */
static const char in_tables[] =
    "INSERT INTO want(grp, cpu, time, pid, ip, period) SELECT coalesce(e.name, printf('0x%04x', "
    "s.event)), s.cpu, b.cycle/mhz*1000+b.cycle%mhz*1000/mhz, coalesce(w.cid1,4294967295), 0, "
    "s.value FROM "
    "(SELECT *, " CS_CHECK_PMCU_CYCLES " AS cycles FROM kept_sample s) s JOIN kept_subsample b ON "
    "b.number=s.subsample LEFT JOIN kept_window w USING(subsample, cpu) LEFT JOIN truth.event e ON "
    "e.number=s.event AND e.cycle_counter=s.cycles, (SELECT CAST(value AS INTEGER) AS mhz FROM "
    "truth.run WHERE key='clock_mhz') WHERE s.event<>49152";

cs_status cs_check_pmcu_tabled(cs_checking *check)
{
    int64_t mhz;
    bool cut;
    cs_status status = cs_check_clock(check, &mhz);

    if (status == CS_OK)
        status = cs_check_pmcu_kept(check, -1, &cut);
    return status == CS_OK ? cs_check_do(check, in_tables) : status;
}
