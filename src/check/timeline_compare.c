/* What a timeline's events, in table ev, are held against. */
#include <inttypes.h>
#include <string.h>

#include "check/timeline.h"

/* What the truth must have for a comparison: nothing, as it always has the table; tables of
 * keep.samples_truth; a summary. */
typedef enum source { ALWAYS, ROWS, SUMMARY } source;

/* What is compared: SELECTs of have's and want's rows, in which $T(x) is cycle x in the
 * file's unit. Where there is $ENDS in the one and $U(x) in the other, Perfetto's has column `ends`: a slice
 * ends with cycle x. */
typedef struct comparison {
    const char *what, *columns, *have, *want;
    int formats; /* 1: CTF, 2: Perfetto's */
    source of;
} comparison;

#define POSITION_IS_CYCLES                                                                         \
    "(s.position=(SELECT max(position) FROM truth.sample) AND EXISTS(SELECT 1 FROM truth.event "   \
    "WHERE cycle_counter=1))"
#define COUNTS_FROM                                                                                \
    "FROM truth.sample s JOIN truth.window w USING(subsample, cpu) LEFT JOIN truth.event e ON "    \
    "e.number=s.event AND e.cycle_counter=" POSITION_IS_CYCLES " WHERE s.event<>49152"
#define EVENT_NAME                                                                                 \
    "CASE WHEN " POSITION_IS_CYCLES " THEN 'cycle counter' ELSE coalesce(e.name, "                 \
    "printf('0x%04x', s.event)) END"

/* Of what there is one, there is no number. */
#define UNIT                                                                                       \
    "unit||CASE WHEN unit IN ('pmcu','nest','scom','spr') THEN '' ELSE ' '||number END AS grp, "   \
    "NULL AS cpu, "
#define HAVE "SELECT place, offset, "
#define NO_GROUP "NULL AS grp, cpu, "
#define OF_KIND(kind) " FROM ev WHERE kind='" kind "'"
#define OF_MANAGER "manager AS grp, NULL AS cpu, "
#define TRACK_OF_KIND                                                                              \
    "CASE kind WHEN 'window' THEN 'windows' WHEN 'blind' THEN 'windows' WHEN 'state' THEN kind "   \
    "WHEN 'software' THEN kind WHEN 'subsample' THEN 'subsamples' WHEN 'record' THEN 'records' "   \
    "WHEN 'access' THEN 'registers' WHEN 'csr' THEN 'csrs' WHEN 'sample' THEN CASE track WHEN "    \
    "'guest samples' THEN track ELSE 'samples' END WHEN 'line' THEN CASE WHEN unit NOT LIKE "      \
    "'hart %' THEN 'interrupt' ELSE 'LCOFI to '||CASE line WHEN 0 THEN 'M' WHEN 1 THEN 'S' ELSE "  \
    "'VS' END END END"
#define SUMS_OF_TRANSFERS                                                                          \
    "SELECT NULL AS place, min(offset) AS offset, " OF_MANAGER "count(*) AS transactions, "        \
    "sum(bytes) AS bytes, sum(resp<>'OKAY') AS errors"

static const comparison comparisons[] = {
    {"windows", "subsample, time, cycles",
     HAVE NO_GROUP "subsample, time, cycles$ENDS" OF_KIND("window"),
     "SELECT " NO_GROUP
     "subsample, $T(start) AS time, stop-start AS cycles$U(stop) FROM truth.window",
     3, ALWAYS},
    {"blind", "time, cycles", HAVE NO_GROUP "time, cycles$ENDS" OF_KIND("blind"),
     "SELECT " NO_GROUP
     "$T(last) AS time, start-last AS cycles$U(start) FROM (SELECT cpu, start, lag(stop) "
     "OVER (PARTITION BY cpu ORDER BY subsample) AS last FROM truth.window) WHERE last IS NOT NULL",
     3, ALWAYS},
    {"counts", "subsample, time, number, count",
     HAVE "name AS grp, cpu, subsample, time, number, count" OF_KIND("count"),
     "SELECT " EVENT_NAME " AS grp, s.cpu, s.subsample, $T(w.start) AS time, s.event AS number, "
     "s.value AS count " COUNTS_FROM,
     1, ROWS},
    /* A counter of Perfetto's goes back to 0 where its window ends. */
    {"counts", "time, count", HAVE "name AS grp, cpu, time, count" OF_KIND("count"),
     "SELECT " EVENT_NAME " AS grp, s.cpu, $T(w.start) AS time, s.value AS count " COUNTS_FROM
     " UNION ALL SELECT " EVENT_NAME ", s.cpu, $T(w.stop), 0 " COUNTS_FROM,
     2, ROWS},
    {"records", "time, result, snapshot, number, addr",
     HAVE NO_GROUP "time, result, snapshot, number, addr" OF_KIND("record"),
     "SELECT " NO_GROUP "$T(cycle) AS time, CASE response WHEN 'OKAY' THEN 'written' ELSE "
     "response END AS result, snapshot, number, address AS addr FROM truth.record",
     3, ROWS},
    {"samples", "command, event, time, ip, pid, period, lost",
     HAVE NO_GROUP "command, event, time, ip, person AS pid, period, lost" OF_KIND("sample"),
     "SELECT " NO_GROUP "command, event, $T(trap) AS time, ip, pid, period, CASE lost WHEN 0 "
     "THEN 'no' ELSE 'yes' END AS lost FROM truth.hart_sample",
     3, ROWS},
    {"subsamples", "time, number, addr, bytes",
     HAVE NO_GROUP "time, number, addr, bytes" OF_KIND("subsample"),
     "SELECT NULL AS grp, NULL AS cpu, $T(cycle) AS time, of_trigger AS number, address AS addr, "
     "bytes FROM truth.subsample",
     3, ALWAYS},
    {"states", "time, cycles, state",
     HAVE "unit AS grp, NULL AS cpu, time, cycles, state$ENDS" OF_KIND("state"),
     "SELECT " UNIT "$T(start) AS time, stop-start AS cycles, state$U(stop) FROM truth.state", 3,
     ROWS},
    {"interrupts", "line, time, cycles",
     HAVE "unit AS grp, NULL AS cpu, line, time, cycles$ENDS" OF_KIND("line"),
     "SELECT " UNIT "line, $T(start) AS time, stop-start AS cycles$U(stop) FROM truth.line", 3,
     ROWS},
    {"accesses", "time, direction, register, value, bytes, resp",
     HAVE
     "unit AS grp, NULL AS cpu, time, direction, register, value, bytes, resp" OF_KIND("access"),
     "SELECT " UNIT "$T(cycle) AS time, direction, offset AS register, value, bytes, response AS "
     "resp FROM truth.access",
     3, ROWS},
    {"csrs", "time, direction, csr, value, exception",
     HAVE "unit AS grp, NULL AS cpu, time, direction, csr, value, exception" OF_KIND("csr"),
     "SELECT 'hart '||hart AS grp, NULL AS cpu, $T(cycle) AS time, direction, csr, value, "
     "exception FROM truth.csr",
     3, ROWS},
    {"postings", "time, cycles, number, addr, bytes, resp",
     HAVE "'group '||nest_group AS grp, NULL AS cpu, time, cycles, number, addr, bytes, "
          "resp$ENDS" OF_KIND("posting"),
     "SELECT 'group '||nest_group AS grp, NULL AS cpu, $T(start) AS time, stop-start AS cycles, "
     "number, address AS addr, bytes, response AS resp$U(stop) FROM truth.posting",
     3, ROWS},
    {"software", "time, cycles", HAVE "who AS grp, cpu, time, cycles$ENDS" OF_KIND("software"),
     "SELECT who AS grp, cpu, $T(start) AS time, stop-start AS cycles$U(stop) FROM truth.software",
     3, ROWS},
    {"software cycles", "cycles",
     "SELECT NULL AS place, min(offset) AS offset, who AS grp, cpu, sum(cycles) AS "
     "cycles" OF_KIND("software") " AND who IN ('kernel','firmware','guest') GROUP BY who, cpu",
     "SELECT who AS grp, cpu, cycles FROM (SELECT 'kernel' AS who, cpu, kernel AS cycles FROM "
     "truth.hart UNION ALL SELECT 'firmware', cpu, firmware FROM truth.hart UNION ALL SELECT "
     "'guest', cpu, guest FROM truth.hart) WHERE cycles>0",
     3, ALWAYS},
    {"transfers", "time, cycles, granted, direction, addr, bytes, resp",
     HAVE OF_MANAGER "time, cycles, granted, direction, addr, bytes, resp$ENDS" OF_KIND("transfer"),
     "SELECT " OF_MANAGER "$T(request) AS time, stop-request AS cycles, granted, direction, "
     "address AS addr, bytes, response AS resp$U(stop) FROM truth.transfer",
     3, ROWS},
    {"transfer sums", "transactions, bytes, errors, wait, held",
     SUMS_OF_TRANSFERS ", sum(granted-time) AS wait, sum(time+cycles-granted) AS held" OF_KIND(
         "transfer") " GROUP BY manager",
     "SELECT " OF_MANAGER "transactions, bytes, errors, wait, held FROM said WHERE transactions>0",
     1, SUMMARY},
    {"transfer sums", "transactions, bytes, errors",
     SUMS_OF_TRANSFERS OF_KIND("transfer") " GROUP BY manager",
     "SELECT " OF_MANAGER "transactions, bytes, errors FROM said WHERE transactions>0", 2, SUMMARY},
    {"loads", "time, held, percent", HAVE OF_MANAGER "time, held, percent" OF_KIND("load"),
     "SELECT " OF_MANAGER "$T(start) AS time, held, held*100/(stop-start) AS percent FROM "
     "truth.load",
     1, ROWS},
    {"loads", "time, percent", HAVE OF_MANAGER "time, percent" OF_KIND("load"),
     "SELECT " OF_MANAGER "$T(start) AS time, held*100/(stop-start) AS percent FROM truth.load "
     "UNION ALL SELECT " OF_MANAGER "$T(stop), 0 FROM truth.load",
     2, ROWS},
    {"load sums", "held",
     "SELECT NULL AS place, min(offset) AS offset, " OF_MANAGER
     "sum(held) AS held" OF_KIND("load") " GROUP BY manager",
     "SELECT " OF_MANAGER "held FROM said WHERE transactions>0", 1, SUMMARY},
    {"tracks", "track",
     HAVE "kind AS grp, cpu, track FROM ev WHERE track IS NOT " TRACK_OF_KIND
          " AND kind NOT IN ('count','load','transfer','posting','other')",
     "SELECT NULL AS grp, NULL AS cpu, NULL AS track WHERE 0", 2, ALWAYS},
    {"other events", "time", HAVE "name AS grp, NULL AS cpu, time" OF_KIND("other"),
     "SELECT NULL AS grp, NULL AS cpu, NULL AS time WHERE 0", 3, ALWAYS},
};

/* Cycle `x`, of `length` characters, as the file has it. */
static void put_time(char *out, size_t bytes, const char *x, int length, bool ns, int64_t mhz)
{
    if (!ns)
        snprintf(out, bytes, "(%.*s)", length, x);
    else
        snprintf(out, bytes, "(%.*s/%" PRId64 "*1000+%.*s%%%" PRId64 "*1000/%" PRId64 ")", length,
                 x, mhz, length, x, mhz, mhz);
}

/* `sql` with what begins with $ written out. */
static void expand(char *out, size_t bytes, const char *sql, bool ns, int64_t mhz)
{
    char cycle[256];
    size_t at = 0;

    while (*sql != '\0' && at + 1 < bytes) {
        const bool time = strncmp(sql, "$T(", 3) == 0, ends = strncmp(sql, "$U(", 3) == 0;

        if (time || ends) {
            const int length = (int)strcspn(sql + 3, ")");

            put_time(cycle, sizeof cycle, sql + 3, length, ns, mhz);
            if (time || ns)
                at += (size_t)snprintf(out + at, bytes - at, "%s%s%s", ends ? ", " : "", cycle,
                                       ends ? " AS ends" : "");
            sql += 3 + length + 1;
        } else if (strncmp(sql, "$ENDS", 5) == 0) {
            if (ns)
                at += (size_t)snprintf(out + at, bytes - at, ", time+duration AS ends");
            sql += 5;
        } else {
            out[at++] = *sql++;
        }
    }
    out[at < bytes ? at : bytes - 1] = '\0';
}

static cs_status compare(cs_check *check, const comparison *c, bool ns, int64_t mhz)
{
    const bool ends = ns && strstr(c->have, "$ENDS") != NULL;
    char sql[4096], body[3072], columns[128];
    cs_status status = cs_check_do(check, "DROP TABLE IF EXISTS have; DROP TABLE IF EXISTS want");

    expand(body, sizeof body, c->have, ns, mhz);
    snprintf(sql, sizeof sql, "CREATE TABLE have AS %s", body);
    if (status == CS_OK)
        status = cs_check_do(check, sql);
    expand(body, sizeof body, c->want, ns, mhz);
    snprintf(sql, sizeof sql, "CREATE TABLE want AS %s", body);
    if (status == CS_OK)
        status = cs_check_do(check, sql);
    snprintf(columns, sizeof columns, "%s%s", c->columns, ends ? ", ends" : "");
    return status == CS_OK ? cs_check_same(check, c->what, columns) : status;
}

cs_status cs_check_timeline(cs_check *check, bool ns)
{
    int64_t mhz = 0, software = -1;
    char sql[512];
    cs_status status = cs_check_summary(check, &software);

    if (status == CS_OK) /* each comparison looks at one kind */
        status = cs_check_do(check, "CREATE INDEX ev_kind ON ev(kind)");
    if (status == CS_OK)
        status = cs_check_clock(check, &mhz);
    if (status != CS_OK)
        return status;
    const bool there[] = {
        [ALWAYS] = true,
        [ROWS] =
            cs_check_number(check, "SELECT value FROM truth.run WHERE key='samples_truth'", 0) != 0,
        [SUMMARY] = cs_check_number(check, "SELECT count(*) FROM said", 0) != 0,
    };
    for (size_t i = 0; i < sizeof comparisons / sizeof comparisons[0] && status == CS_OK; i++) {
        const comparison *c = &comparisons[i];

        if ((c->formats & (ns ? 2 : 1)) != 0 && there[c->of])
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
