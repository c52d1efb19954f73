// SPDX-License-Identifier: Apache-2.0
/* Switches of processes in a perf.data file: of each the record of the process that leaves the CPU, and of
 * the one that gets it. */
#include <inttypes.h>

#include "check/impl.h"

/* Of all CPUs that the file is about; as guests see them where all samples are guests'. */
#define WANTED                                                                                     \
    "CREATE TABLE want AS SELECT NULL AS grp, s.cpu, (cycle/%" PRId64 "*1000+cycle%%%" PRId64      \
    "*1000/%" PRId64 ") AS time, d.gone, CASE d.gone WHEN 1 THEN from_pid ELSE to_pid END AS "     \
    "pid, CASE d.gone WHEN 1 THEN to_pid ELSE from_pid END AS other FROM truth.switch s, (SELECT " \
    "1 AS gone UNION ALL SELECT 0) d WHERE s.cpu IN (SELECT cpu FROM about) AND s.guest="          \
    "coalesce((SELECT min(guest) FROM sampled WHERE command IN (SELECT command FROM map)),0)"

cs_status cs_check_switches(cs_checking *check)
{
    static const char prepare[] =
        "CREATE TABLE IF NOT EXISTS map(fe INTEGER, command INTEGER, event INTEGER, n INTEGER);"
        "DROP TABLE IF EXISTS want; DROP TABLE IF EXISTS have;"
        "CREATE TABLE have AS SELECT NULL AS place, NULL AS grp, * FROM switched";
    char sql[1024];
    int64_t mhz;
    cs_status status = cs_check_clock(check, &mhz);

    if (status == CS_OK)
        status = cs_check_do(check, prepare);
    snprintf(sql, sizeof sql, WANTED, mhz, mhz, mhz);
    if (status == CS_OK)
        status = cs_check_do(check, sql);
    return status == CS_OK ? cs_check_same(check, "switches", "time, gone, pid, other") : status;
}
