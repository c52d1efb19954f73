// SPDX-License-Identifier: Apache-2.0
/* A PMCU's counts as samples: for each event, CPU and subsample one whose period is the count, and
 * for each subsample one with its bytes. */
#include <inttypes.h>

#include "check/pmcu/pmcu.h"
#include "scenario/corepmu/arm_events.h"

/* An event's key is its number, -1 for the cycle counter, which stands behind the counters where
 * there is one. Event 0xc000 only fills up a subsample, and has no samples. */
static const char *const prepare[] = {
    "CREATE TABLE due AS SELECT s.subsample, s.cpu, CAST(CASE s.event WHEN " CS_CHECK_PMCU_CYCLES
    " THEN -1 ELSE s.event END AS INTEGER) AS key, "
    "CAST(b.cycle/mhz*1000+b.cycle%mhz*1000/"
    "mhz AS INTEGER) AS time, CAST(" CS_CHECK_PMCU_PID " AS INTEGER) AS pid, s.value AS "
    "value FROM "
    "clock, kept_sample s JOIN kept_subsample b ON b.number=s.subsample LEFT JOIN kept_window w "
    "USING(subsample, cpu) WHERE s.event<>49152",
    "CREATE TABLE got AS SELECT f.offset, n.key, f.cpu, f.time, f.pid, f.period AS value FROM "
    "found f "
    "JOIN pmcu_event n ON n.fe=f.event",
    "CREATE INDEX due_at ON due(key, cpu, time)",
    "CREATE INDEX got_at ON got(key, cpu, time)",
    /* A count of 0 need not have a sample. */
    "CREATE TABLE sides AS SELECT d.key, d.cpu, d.subsample, d.value AS expected, g.value AS "
    "found, "
    "g.offset, d.pid AS pid, g.pid AS found_pid FROM due d LEFT JOIN got g ON g.key=d.key AND "
    "g.cpu=d.cpu AND g.time=d.time WHERE g.offset IS NOT NULL OR d.value<>0 UNION ALL SELECT "
    "g.key, "
    "g.cpu, NULL, NULL, g.value, g.offset, NULL, g.pid FROM got g WHERE NOT EXISTS (SELECT 1 FROM "
    "due d WHERE d.key=g.key AND d.cpu=g.cpu AND d.time=g.time)",
    "CREATE TABLE verdicts AS SELECT *, (expected IS NOT found OR (found<>0 AND pid IS NOT "
    "found_pid) OR count(*) OVER (PARTITION BY key, cpu, subsample)>1) AS wrong FROM sides",
};

#define KEY_NAME                                                                                   \
    "CASE WHEN j.key=-1 THEN 'cycles' ELSE coalesce((SELECT name FROM truth.event e WHERE "        \
    "e.id=j.key), printf('" CS_ARM_EVENT_NUMBER "', j.key)) END"

static const char rows[] =
    "SELECT 'counts', " KEY_NAME ", cpu, sum(expected IS NOT NULL), sum(found IS NOT NULL), "
    "sum(wrong), 'exact', (SELECT printf('byte %s, subsample %s: %s of process %s instead of %s of "
    "%s', coalesce(k.offset,'-'), coalesce(k.subsample,'-'), coalesce(k.found,'nothing'), "
    "coalesce(k.found_pid,'-'), coalesce(k.expected,'nothing'), coalesce(k.pid,'-')) FROM verdicts "
    "k "
    "WHERE k.wrong AND k.key=j.key AND k.cpu=j.cpu ORDER BY k.subsample LIMIT 1) FROM verdicts j "
    "GROUP BY j.key, j.cpu ORDER BY j.key, j.cpu";

/* Where the values were not kept. */
static const char rows_of_sums[] =
    "SELECT 'sums', " KEY_NAME ", NULL, j.sampled, coalesce(s.total,0), j.sampled IS NOT "
    "coalesce(s.total,0), 'exact', NULL FROM (SELECT *, CASE WHEN cycle_counter THEN -1 ELSE "
    "number "
    "END AS key FROM truth.event) j LEFT JOIN (SELECT n.key, sum(f.period) AS total FROM found f "
    "JOIN "
    "pmcu_event n ON n.fe=f.event GROUP BY n.key) s ON s.key=j.key ORDER BY j.id";

/* The bytes: values as they stand in the subsample (docs/hw/pmcu.md, "What is written"). */
static const char rows_of_raw[] =
    "SELECT 'raw values', NULL, s.cpu, count(*), count(r.value), sum(s.value IS NOT r.value), "
    "'exact', (SELECT printf('byte %s, subsample %lld, position %lld: %s instead of %lld', "
    "coalesce(q.offset,'-'), v.subsample, v.position, coalesce(q.value,'nothing'), v.value) FROM "
    "kept_sample v LEFT JOIN raw q USING(subsample, cpu, position) WHERE v.cpu=s.cpu AND v.value "
    "IS "
    "NOT q.value ORDER BY v.subsample, v.position LIMIT 1) FROM kept_sample s LEFT JOIN raw r "
    "USING(subsample, cpu, position) GROUP BY s.cpu ORDER BY s.cpu";

/* Where nothing was handed over, and nothing is there, there is nothing to compare. */
static const char rows_of_subsamples[] =
    "SELECT 'subsamples', NULL, NULL, n, %" PRId64 ", CASE WHEN n+%" PRId64 ">0 THEN abs(n-%" PRId64
    ") END, 'exact', NULL FROM (SELECT count(*) AS n FROM kept_subsample)";

/* Of several dies `raw` says which of a die's own it is (perf.c). */
static const char *const keys[] = {
    "CREATE TABLE raw_key(key INTEGER PRIMARY KEY, subsample INTEGER)",
    "INSERT INTO raw_key SELECT (die<<32)|number, subsample FROM kept_at",
    "UPDATE raw SET subsample=(SELECT k.subsample FROM raw_key k WHERE k.key=raw.subsample)",
};

static cs_status compare(cs_checking *check, int64_t subsamples)
{
    char clock[128], counted[sizeof rows_of_subsamples + 64];
    int64_t mhz;
    bool cut = false, any = false, several = false;
    cs_status status = cs_check_clock(check, &mhz);

    snprintf(clock, sizeof clock, "CREATE TABLE clock AS SELECT %" PRId64 " AS mhz", mhz);
    if (status == CS_OK)
        status = cs_check_do(check, clock);
    if (status == CS_OK)
        status = cs_check_pmcu_kept(check, -1, &cut);
    if (status == CS_OK)
        status = cs_check_pmcu_several(check, &several);
    if (status == CS_OK && several && subsamples > 0)
        status = CS_CHECK_DO_ALL(check, keys);
    snprintf(counted, sizeof counted, rows_of_subsamples, subsamples, subsamples, subsamples);
    if (status == CS_OK)
        status = cs_check_rows(check, counted);
    if (status == CS_OK)
        status = cs_check_any(check, "SELECT EXISTS(SELECT 1 FROM kept_sample)", &any);
    if (status != CS_OK || (!any && cut))
        return status;
    if (!any)
        return cs_check_rows(check, rows_of_sums);
    status = CS_CHECK_DO_ALL(check, prepare);
    if (status == CS_OK)
        status = cs_check_rows(check, rows);
    if (status == CS_OK)
        status = cs_check_do(check, "CREATE INDEX raw_at ON raw(subsample, cpu, position)");
    return status == CS_OK ? cs_check_rows(check, rows_of_raw) : status;
}

cs_status cs_check_pmcu_samples(cs_checking *check, int64_t subsamples)
{
    const cs_status status = compare(check, subsamples);

    return status == CS_OK
               ? cs_check_do(check, "DELETE FROM found WHERE event IN (SELECT fe FROM pmcu_event)")
               : status;
}
