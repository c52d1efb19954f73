// SPDX-License-Identifier: Apache-2.0
/* A perf.data file of `perf record` or `perf stat record` under `countersink pmu`, against the truth that
 * command wrote. Events are known by their ids, which the file has from PERF_EVENT_IOC_ID. */
#include <stdlib.h>
#include <string.h>

#include "check/impl.h"

cs_status cs_check_opened(cs_checking *check, bool counts)
{
    return cs_check_script(check, counts ? "opened_counts" : "opened_samples");
}

/* ---- events by their names ---- */

/* ?1 PMU, ?2 the term's name, ?3 its value: an event of that name, or bits of config. */
static const char word[] =
    "SELECT type, config FROM truth.named WHERE name=?1||'/'||?2||'/' UNION ALL SELECT type, "
    "(?3&((1<<(high-low+1))-1))<<low FROM truth.format WHERE pmu=?1 AND term=?2 LIMIT 1";

/* False: it is unknown. */
static bool add_term(cs_checking *check, sqlite3_stmt *find, const char *term, size_t bytes,
                     int64_t *type, int64_t *config)
{
    const char *value = memchr(term, '=', bytes);
    const size_t name_bytes = value != NULL ? (size_t)(value - term) : bytes;

    cs_check_text(check, find, 2, term, (int)name_bytes);
    sqlite3_bind_int64(find, 3, value != NULL ? (int64_t)strtoull(value + 1, NULL, 0) : 1);
    const bool known = sqlite3_step(find) == SQLITE_ROW;

    if (known) {
        *type = sqlite3_column_int64(find, 0);
        *config |= sqlite3_column_int64(find, 1);
    }
    sqlite3_reset(find);
    return known;
}

cs_status cs_check_opened_event(cs_checking *check, const char *name, bool *known, int64_t *type,
                                int64_t *config)
{
    const char *first = strchr(name, '/'), *last = strrchr(name, '/');
    sqlite3_stmt *find = NULL;
    cs_status status =
        cs_check_any(check, "SELECT count(*) FROM truth.sqlite_master WHERE name='format'", known);

    if (status != CS_OK || !*known || first == last || last - first == 1) {
        *known = false;
        return status;
    }
    status = cs_check_prepare(check, word, &find);
    if (status == CS_OK)
        cs_check_text(check, find, 1, name, (int)(first - name));
    for (const char *term = first + 1; status == CS_OK && *known && term < last;) {
        const size_t bytes = strcspn(term, ",/");

        *known = add_term(check, find, term, bytes, type, config);
        term += bytes + 1;
    }
    sqlite3_finalize(find);
    return status;
}

/* ---- text ---- */

cs_status cs_check_opened_text(cs_checking *check)
{
    const cs_status status =
        cs_check_do(check, check->intervals ? "CREATE TABLE how AS SELECT 1 AS intervals"
                                            : "CREATE TABLE how AS SELECT 0 AS intervals");

    return status == CS_OK ? cs_check_script(check, "opened_text") : status;
}
