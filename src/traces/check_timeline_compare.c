/* What a timeline's events, in table ev (check_timeline.c), are held against. */
#include <inttypes.h>
#include <string.h>

#include "traces/check_impl.h"

/* What is compared: SELECTs of have's and want's rows, in which $T(x) is cycle x in the file's unit, and
 * the truth's table, which must have rows, or the file. */
typedef struct comparison {
    const char *what, *table, *columns, *have, *want;
    int formats; /* 1: CTF, 2: JSON */
} comparison;

#define POSITION_IS_CYCLES                                                                         \
    "(s.position=(SELECT max(position) FROM truth.sample) AND EXISTS(SELECT 1 FROM truth.event "   \
    "WHERE cycle_counter=1))"
#define COUNTS_FROM                                                                                \
    "FROM truth.sample s JOIN truth.window w USING(subsample, cpu) LEFT JOIN truth.event e ON "    \
    "e.number=s.event AND e.cycle_counter=" POSITION_IS_CYCLES " WHERE s.event<>49152"
#define EVENT_NAME                                                                                 \
    "CASE WHEN " POSITION_IS_CYCLES " THEN 'cycle counter' ELSE coalesce(e.name, "                 \
    "printf('event 0x%x', s.event)) END"

static const comparison comparisons[] = {
    {"windows", "truth.window", "subsample, time, cycles",
     "SELECT place, offset, NULL AS grp, cpu, subsample, time, cycles FROM ev WHERE kind='window'",
     "SELECT NULL AS grp, cpu, subsample, $T(start) AS time, stop-start AS cycles FROM "
     "truth.window",
     3},
    {"counts", "truth.sample", "subsample, time, number, count",
     "SELECT place, offset, name AS grp, cpu, subsample, time, number, count FROM ev WHERE "
     "kind='count'",
     "SELECT " EVENT_NAME " AS grp, s.cpu, s.subsample, $T(w.start) AS time, s.event AS number, "
     "s.value AS count " COUNTS_FROM,
     1},
    {"counts", "truth.sample", "time, count",
     "SELECT place, offset, name AS grp, cpu, time, count FROM ev WHERE kind='count'",
     "SELECT " EVENT_NAME " AS grp, s.cpu, $T(w.start) AS time, s.value AS count " COUNTS_FROM, 2},
    {"records", "truth.record", "time, result, snapshot, number, addr",
     "SELECT place, offset, NULL AS grp, cpu, time, result, snapshot, number, addr FROM ev WHERE "
     "kind='record'",
     "SELECT NULL AS grp, cpu, $T(cycle) AS time, CASE response WHEN 'OKAY' THEN 'written' ELSE "
     "response END AS result, snapshot, number, address AS addr FROM truth.record",
     3},
    {"samples", "truth.hart_sample", "command, event, time, ip, pid, period, lost",
     "SELECT place, offset, NULL AS grp, cpu, command, event, time, ip, person AS pid, period, "
     "lost FROM ev WHERE kind='sample'",
     "SELECT NULL AS grp, cpu, command, event, $T(trap) AS time, ip, pid, period, CASE lost WHEN 0 "
     "THEN 'no' ELSE 'yes' END AS lost FROM truth.hart_sample",
     3},
    {"software", "truth.hart", "cycles",
     "SELECT NULL AS place, min(offset) AS offset, who AS grp, cpu, sum(cycles) AS cycles FROM ev "
     "WHERE kind='software' AND who IN ('kernel','firmware','guest') GROUP BY who, cpu",
     "SELECT who AS grp, cpu, cycles FROM (SELECT 'kernel' AS who, cpu, kernel AS cycles FROM "
     "truth.hart UNION ALL SELECT 'firmware', cpu, firmware FROM truth.hart UNION ALL SELECT "
     "'guest', cpu, guest FROM truth.hart) WHERE cycles>0",
     3},
    {"transfers", "said", "transactions, bytes, errors, wait, held",
     "SELECT NULL AS place, min(offset) AS offset, manager AS grp, NULL AS cpu, count(*) AS "
     "transactions, sum(bytes) AS bytes, sum(resp<>'OKAY') AS errors, sum($G-$S) AS wait, "
     "sum($S+cycles-$G) AS held FROM ev WHERE kind='transfer' GROUP BY manager",
     "SELECT manager AS grp, NULL AS cpu, transactions, bytes, errors, wait, held FROM said WHERE "
     "transactions>0",
     1},
    {"transfers", "said", "transactions, bytes, errors",
     "SELECT NULL AS place, min(offset) AS offset, manager AS grp, NULL AS cpu, count(*) AS "
     "transactions, sum(bytes) AS bytes, sum(resp<>'OKAY') AS errors FROM ev WHERE "
     "kind='transfer' GROUP BY manager",
     "SELECT manager AS grp, NULL AS cpu, transactions, bytes, errors FROM said WHERE "
     "transactions>0",
     2},
};

/* `sql` with $T(x), $G and $S written out. */
static void expand(char *out, size_t bytes, const char *sql, bool ns, int64_t mhz)
{
    size_t at = 0;

    while (*sql != '\0' && at + 1 < bytes) {
        if (strncmp(sql, "$T(", 3) == 0) {
            const int length = (int)strcspn(sql + 3, ")");

            if (ns)
                at += (size_t)snprintf(out + at, bytes - at,
                                       "(%.*s/%" PRId64 "*1000+%.*s%%%" PRId64 "*1000/%" PRId64 ")",
                                       length, sql + 3, mhz, length, sql + 3, mhz, mhz);
            else
                at += (size_t)snprintf(out + at, bytes - at, "(%.*s)", length, sql + 3);
            sql += 3 + length + 1;
        } else if (*sql == '$') {
            at += (size_t)snprintf(out + at, bytes - at, "%s", sql[1] == 'G' ? "granted" : "time");
            sql += 2;
        } else {
            out[at++] = *sql++;
        }
    }
    out[at < bytes ? at : bytes - 1] = '\0';
}

static cs_status compare(cs_check *check, const comparison *c, bool ns, int64_t mhz)
{
    char sql[4096], body[3072];
    cs_status status = cs_check_do(check, "DROP TABLE IF EXISTS have; DROP TABLE IF EXISTS want");

    expand(body, sizeof body, c->have, ns, mhz);
    snprintf(sql, sizeof sql, "CREATE TABLE have AS %s", body);
    if (status == CS_OK)
        status = cs_check_do(check, sql);
    expand(body, sizeof body, c->want, ns, mhz);
    snprintf(sql, sizeof sql, "CREATE TABLE want AS %s", body);
    if (status == CS_OK)
        status = cs_check_do(check, sql);
    return status == CS_OK ? cs_check_same(check, c->what, c->columns) : status;
}

cs_status cs_check_timeline(cs_check *check, bool ns)
{
    const int64_t mhz =
        cs_check_number(check, "SELECT value FROM truth.run WHERE key='clock_mhz'", 1000);
    int64_t software = -1;
    char sql[512];
    cs_status status = cs_check_summary(check, &software);

    if (status == CS_OK && mhz <= 0)
        return cs_diag_set(check->diag, CS_ERR_FORMAT, check->request->truth, "a clock of 0 MHz");
    for (size_t i = 0; i < sizeof comparisons / sizeof comparisons[0] && status == CS_OK; i++) {
        const comparison *c = &comparisons[i];

        snprintf(sql, sizeof sql, "SELECT count(*) FROM %s", c->table);
        /* without samples_truth, say, there is nothing to compare with */
        if ((c->formats & (ns ? 2 : 1)) != 0 && cs_check_number(check, sql, 0) > 0)
            status = compare(check, c, ns, mhz);
    }
    if (status != CS_OK || software < 0)
        return status;
    snprintf(sql, sizeof sql,
             "SELECT 'software ns', NULL, NULL, %" PRId64 ", n, n<>%" PRId64
             ", 'exact', NULL FROM (SELECT coalesce(sum(cycles),0)*1000/%" PRId64
             " AS n FROM ev WHERE kind='software')",
             software, software, mhz);
    return cs_check_rows(check, sql);
}
