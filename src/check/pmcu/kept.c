/* What of a PMCU's samples was handed over. */
#include <inttypes.h>

#include "check/pmcu/pmcu.h"

#define COUNTED                                                                                    \
    " FROM truth.cpu WHERE NOT EXISTS(SELECT 1 FROM truth.sample) OR cpu IN (SELECT cpu FROM "     \
    "truth.sample)"

cs_status cs_check_pmcu_cpus(cs_checking *check, int64_t *nr_cpu, int64_t *slots)
{
    const cs_status status = cs_check_number(check, "SELECT count(*)" COUNTED, nr_cpu);

    return status == CS_OK ? cs_check_number(check, "SELECT max(slot)+1" COUNTED, slots) : status;
}

/* Without a driver that has the PMCU perf gets nothing of it. */
cs_status cs_check_pmcu_kept(cs_checking *check, bool *cut)
{
    int64_t all, limit = -1;
    char sql[512];
    cs_status status =
        cs_check_number(check, "SELECT value FROM truth.run WHERE key='handed_over'", &limit);

    all = limit;
    if (status == CS_OK && limit >= 0)
        status = cs_check_number(check, "SELECT max(number)+1 FROM truth.subsample", &all);
    *cut = limit < 0 || limit < all;
    snprintf(
        sql, sizeof sql,
        "CREATE TEMP VIEW kept_sample AS SELECT * FROM truth.sample WHERE subsample<%" PRId64
        ";CREATE TEMP VIEW kept_window AS SELECT * FROM truth.window WHERE subsample<%" PRId64
        ";CREATE TEMP VIEW kept_subsample AS SELECT * FROM truth.subsample WHERE number<%" PRId64,
        limit, limit, limit);
    if (status == CS_OK)
        status = cs_check_do(check, sql);
    return status == CS_OK ? cs_check_left_over(check, all, limit) : status;
}

/* The cycle counter stands behind the counters; event 0xc000 only fills up a subsample. */
static const char in_tables[] =
    "INSERT INTO want(grp, cpu, time, pid, ip, period) SELECT coalesce(e.name, printf('0x%04x', "
    "s.event)), s.cpu, b.cycle/mhz*1000+b.cycle%mhz*1000/mhz, coalesce(w.cid1,4294967295), 0, "
    "s.value FROM "
    "(SELECT *, position=(SELECT max(position) FROM truth.sample) AND EXISTS(SELECT 1 FROM "
    "truth.event WHERE cycle_counter=1) AS cycles FROM kept_sample) s JOIN kept_subsample b ON "
    "b.number=s.subsample LEFT JOIN kept_window w USING(subsample, cpu) LEFT JOIN truth.event e ON "
    "e.number=s.event AND e.cycle_counter=s.cycles, (SELECT CAST(value AS INTEGER) AS mhz FROM "
    "truth.run WHERE key='clock_mhz') WHERE s.event<>49152";

cs_status cs_check_pmcu_tabled(cs_checking *check)
{
    int64_t mhz;
    bool cut;
    cs_status status = cs_check_clock(check, &mhz);

    if (status == CS_OK)
        status = cs_check_pmcu_kept(check, &cut);
    return status == CS_OK ? cs_check_do(check, in_tables) : status;
}
