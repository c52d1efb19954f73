// SPDX-License-Identifier: Apache-2.0
/* What of PMCUs' samples was handed over. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "check/pmcu/pmcu.h"
#include "scenario/corepmu/arm_events.h"

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
    if (status == CS_OK)
        status = cs_check_number(check, "SELECT max(slot)+1" COUNTED, &out->slots);
    if (status != CS_OK || (out->nr_cpu == 0 && out->slots == 0) ||
        (out->nr_cpu >= 1 && out->nr_cpu <= CS_MAX_CPUS && out->slots >= 1 &&
         out->slots <= out->nr_cpu))
        return status;
    return cs_diag_set(check->diag, CS_ERR_FORMAT, check->request->truth,
                       "the truth: expected 1 to %u CPUs that a PMCU counted, and at most as many "
                       "slots, found %" PRId64 " and %" PRId64,
                       CS_MAX_CPUS, out->nr_cpu, out->slots);
}

/* ---- views ---- */

/* Those that were handed over, and the number that they have in the file, or in the truth, where the
 * file has those of several dies. One that was stored over another has come in its place. */
#define NOT_OVER(die, number)                                                                      \
    " AND NOT EXISTS(SELECT 1 FROM kept_over o WHERE o.die=" die " AND " number                    \
    ">=o.first AND " number "<o.first+o.count)"
#define KEPT_AT                                                                                    \
    "CREATE TEMP TABLE kept_at(subsample INTEGER PRIMARY KEY, die INTEGER, number INTEGER, at "    \
    "INTEGER)"

static const char *const old[] = {
    "DROP VIEW IF EXISTS temp.kept_sample",     "DROP VIEW IF EXISTS temp.kept_window",
    "DROP VIEW IF EXISTS temp.kept_subsample",  "DROP VIEW IF EXISTS temp.kept_failed",
    "DROP VIEW IF EXISTS temp.kept_event",      "DROP TABLE IF EXISTS temp.kept_at",
    "DROP VIEW IF EXISTS temp.kept_over",       KEPT_AT,
    "CREATE INDEX temp.kept_by ON kept_at(at)",
};

static const char at_of_one[] =
    "INSERT INTO kept_at SELECT number, 0, k, k FROM (SELECT number, row_number() OVER (ORDER BY "
    "number)-1 AS k FROM truth.subsample WHERE number<%" PRId64 NOT_OVER("0", "number") ")";
static const char at_of_several[] =
    "INSERT INTO kept_at SELECT subsample, die, k, CASE WHEN %" PRId64
    "<0 THEN subsample ELSE k END "
    "FROM (SELECT d.subsample, d.die, row_number() OVER (PARTITION BY d.die ORDER BY d.number)-1 "
    "AS k FROM truth.subsample_die d JOIN truth.die i USING(die) WHERE "
    "d.number<i.handed_over" NOT_OVER("d.die", "d.number") ") WHERE %" PRId64 " IN (die, -1)";
static const char *const views[] = {
    "CREATE TEMP VIEW kept_sample AS SELECT k.at AS subsample, s.cpu, s.position, s.event, "
    "s.value, "
    "s.truth FROM kept_at k JOIN truth.sample s USING(subsample)",
    "CREATE TEMP VIEW kept_window AS SELECT k.at AS subsample, w.cpu, w.start, w.stop, w.cid1, "
    "w.cid2 "
    "FROM kept_at k JOIN truth.window w USING(subsample)",
    "CREATE TEMP VIEW kept_subsample AS SELECT k.at AS number, s.cycle, s.address, s.of_trigger, "
    "s.bytes FROM kept_at k JOIN truth.subsample s ON s.number=k.subsample",
    "CREATE TEMP VIEW kept_failed AS SELECT k.at AS subsample, f.cpu, f.state FROM kept_at k JOIN "
    "truth.failed f USING(subsample)",
};
static const char events_of_all[] = "CREATE TEMP VIEW kept_event AS SELECT * FROM truth.event";
static const char events_of_die[] =
    "CREATE TEMP VIEW kept_event AS SELECT e.id, e.number, e.name, e.cycle_counter, d.sampled FROM "
    "truth.event e JOIN truth.event_die d ON d.event=e.id WHERE d.die=%" PRId64;

/* What a truth without outages, or an older one, does not have is empty. */
static cs_status make_over(cs_checking *check)
{
    bool any = false;
    const cs_status status = cs_check_any(
        check, "SELECT EXISTS(SELECT 1 FROM truth.sqlite_master WHERE name='overwritten')", &any);

    return status != CS_OK
               ? status
               : cs_check_do(check, any ? "CREATE TEMP VIEW kept_over AS SELECT * FROM "
                                          "truth.overwritten"
                                        : "CREATE TEMP VIEW kept_over AS SELECT 0 AS die, 0 AS "
                                          "first, 0 AS count WHERE 0");
}

static cs_status make_views(cs_checking *check, bool several, int64_t die, int64_t limit)
{
    char sql[SQL_BYTES];
    cs_status status = CS_CHECK_DO_ALL(check, old);

    if (status == CS_OK)
        status = make_over(check);
    if (several)
        snprintf(sql, sizeof sql, at_of_several, die, die);
    else
        snprintf(sql, sizeof sql, at_of_one, limit);
    if (status == CS_OK)
        status = cs_check_do(check, sql);
    if (status == CS_OK)
        status = CS_CHECK_DO_ALL(check, views);
    snprintf(sql, sizeof sql, events_of_die, die);
    return status == CS_OK ? cs_check_do(check, several && die >= 0 ? sql : events_of_all) : status;
}

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
    int64_t all = 0, limit = -1, kept = 0;
    bool several = false;
    cs_status status = cs_check_pmcu_several(check, &several);

    if (status == CS_OK)
        status = count(check, die, &all, &limit);
    if (status == CS_OK)
        status = make_views(check, several, die, limit);
    if (status == CS_OK)
        status = cs_check_number(check, "SELECT count(*) FROM kept_at", &kept);
    *cut = limit < 0 || kept < all;
    return status == CS_OK ? cs_check_left_over(check, all, limit) : status;
}

/* ---- in a table of samples ---- */

/* The cycle counter stands behind the counters; event 0xc000 only fills up a subsample. */
static const char in_tables[] =
    "INSERT INTO want(grp, cpu, time, pid, ip, period) SELECT coalesce(e.name, "
    "printf('" CS_ARM_EVENT_PERF
    "', s.event)), s.cpu, b.cycle/mhz*1000+b.cycle%mhz*1000/mhz, " CS_CHECK_PMCU_PID ", 0, "
    "s.value FROM "
    "kept_sample s JOIN kept_subsample b ON b.number=s.subsample LEFT JOIN kept_window w "
    "USING(subsample, cpu) LEFT JOIN truth.event e ON "
    "e.id=s.event, (SELECT CAST(value AS INTEGER) AS mhz FROM "
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
