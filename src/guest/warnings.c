// SPDX-License-Identifier: Apache-2.0
#include "guest/warnings.h"

#include <stdio.h>

/* Each row is a warning. One whose tables are of another machine has none. */
static const char *const queries[] = {
    "SELECT printf('core_imc counts nothing of %lld instructions: perf has left their CPUs in "
    "trace mode (guest_count, counted_by ''left'')', sum(count)) FROM guest_count WHERE "
    "counted_by='left' HAVING sum(count)>0",
    /* Ten times perf's unit, or more. */
    "SELECT printf('%s%s counts 0 of %lld (guest_told, file %s)', rtrim(event,'/'), CASE WHEN "
    "cpu<0 "
    "THEN '' ELSE printf(' on CPU %d', cpu) END, counted, file) FROM guest_told t WHERE count=0 "
    "AND counted>=10*scale AND scale>0 AND cycle IS NULL ORDER BY event, cpu",
    /* What the driver did not find any more when it looked. */
    "SELECT printf('%lld of %lld records of CPU %d never came to perf: the hardware had "
    "overwritten "
    "them, or nobody looked (guest_taken)', count(*)-sum(took), count(*), cpu) FROM (SELECT cpu, "
    "number IN (SELECT record FROM guest_taken) AS took FROM guest_record WHERE EXISTS (SELECT 1 "
    "FROM guest_session)) GROUP BY cpu HAVING 10*(count(*)-sum(took))>count(*) ORDER BY cpu",
    "SELECT printf('%lld of %lld overflows of event %lld on CPU %d have no sample: the driver had "
    "stopped the counter before (guest_stopped)', sum(number IN (SELECT overflow FROM "
    "guest_stopped)), count(*), event, cpu) FROM guest_overflow WHERE event<>0 GROUP BY event, cpu "
    "HAVING sum(number IN (SELECT overflow FROM guest_stopped))>0 ORDER BY event, cpu",
};

void cs_guest_warn(sqlite3 *truth, cs_guest_result *result)
{
    for (size_t i = 0; i < sizeof queries / sizeof queries[0]; i++) {
        sqlite3_stmt *rows = NULL;

        if (sqlite3_prepare_v2(truth, queries[i], -1, &rows, NULL) == SQLITE_OK)
            while (result->nr_warnings < CS_GUEST_WARNINGS && sqlite3_step(rows) == SQLITE_ROW)
                snprintf(result->warnings[result->nr_warnings++], sizeof result->warnings[0], "%s",
                         (const char *)sqlite3_column_text(rows, 0));
        sqlite3_finalize(rows);
    }
}
