// SPDX-License-Identifier: Apache-2.0
/* Where perf's core stopped an event for a while, in a perf.data file: THROTTLE and UNTHROTTLE. */
#include <inttypes.h>

#include "check/impl.h"

cs_status cs_check_throttles(cs_checking *check)
{
    static const char prepare[] =
        "DROP TABLE IF EXISTS want; DROP TABLE IF EXISTS have;"
        "CREATE TABLE have AS SELECT NULL AS place, NULL AS grp, * FROM throttled";
    char sql[256];
    int64_t mhz;
    bool any = false;
    cs_status status =
        cs_check_any(check, "SELECT count(*) FROM truth.sqlite_master WHERE name='throttle'", &any);

    if (status != CS_OK || !any)
        return status;
    status = cs_check_clock(check, &mhz);
    if (status == CS_OK)
        status = cs_check_do(check, prepare);
    snprintf(sql, sizeof sql,
             "CREATE TABLE want AS SELECT NULL AS grp, cpu, (cycle/%" PRId64 "*1000+cycle%%%" PRId64
             "*1000/%" PRId64 ") AS time, stopped FROM truth.throttle",
             mhz, mhz, mhz);
    if (status == CS_OK)
        status = cs_check_do(check, sql);
    return status == CS_OK ? cs_check_same(check, "throttles", "time, stopped") : status;
}
