/* What `check` must know of guests: the perf.data of a guest's own perf, of trace mode, against what the
 * hardware wrote, what the guest's driver took of it, and what was really executed. */
#include <string.h>

#include "check/family.h"

/* A perf.data of several CPUs has the samples of each in their order, if perf was told to name CPUs
 * (--sample-cpu, or -a).
 *
 * What the driver makes of a record: POWER9's tells modes by addresses, and takes for the process that
 * in which it reads the buffer. */
static const char *const prepare[] = {
    "CREATE TABLE want AS SELECT row_number() OVER (PARTITION BY c.cpu ORDER BY t.seq) AS seq, "
    "c.cpu, "
    "r.number, r.ip, CASE WHEN r.ip < 0 AND r.ip >= -4611686018427387904 THEN 1 ELSE 2 END AS "
    "mode, "
    "nullif(t.process,0) AS pid, r.process AS ran, r.file||' '||r.function AS function FROM "
    "truth.guest_taken t JOIN truth.guest_record r ON r.number=t.record JOIN (SELECT "
    "number, "
    "CASE WHEN (SELECT min(cpu) FROM found)>=0 THEN cpu ELSE 0 END AS cpu FROM truth.guest_record) "
    "c "
    "ON c.number=t.record",
    "CREATE TABLE have AS SELECT row_number() OVER (PARTITION BY max(cpu,0) ORDER BY offset) AS "
    "seq, "
    "max(cpu,0) AS cpu, offset, ip, pid, misc & 7 AS mode FROM found",
    "CREATE INDEX have_seq ON have(cpu, seq)",
    "CREATE INDEX want_seq ON want(cpu, seq)",
    "CREATE TABLE shares(name TEXT PRIMARY KEY, function TEXT, count INTEGER, cycles INTEGER, have "
    "INTEGER, chance REAL) WITHOUT ROWID",
    "INSERT INTO shares SELECT file||' '||name, name, sum(count), sum(cycles), 0, 0 FROM "
    "truth.guest_count WHERE counted_by='trace' GROUP BY file, name",
    "UPDATE shares SET chance=CAST(cycles AS REAL)/(SELECT sum(cycles) FROM shares)",
    "UPDATE shares SET have=(SELECT count(*) FROM want w JOIN have h USING(cpu, seq) WHERE "
    "w.function=shares.name AND w.ip=h.ip)",
};

/* Where there are several. */
#define CPU(table) "CASE WHEN (SELECT count(DISTINCT cpu) FROM " table ")>1 THEN cpu END"

#define PAIRS                                                                                      \
    "(SELECT w.*, h.offset, h.ip AS got_ip, h.pid AS got_pid, h.mode AS got_mode FROM want w "     \
    "LEFT "                                                                                        \
    "JOIN have h USING(cpu, seq) UNION ALL SELECT h.seq, h.cpu, NULL, NULL, NULL, NULL, NULL, "    \
    "NULL, "                                                                                       \
    "h.offset, h.ip, h.pid, h.mode FROM have h LEFT JOIN want w USING(cpu, seq) WHERE w.seq IS "   \
    "NULL)"

/* Address, mode; then processes. */
static const char rows_of_samples[] = "SELECT 'samples', 'trace_imc', " CPU(
    "want") ", sum(number IS NOT NULL), sum(offset IS NOT NULL), "
            "sum(bad), 'exact', max(CASE WHEN bad AND seq=first THEN CASE WHEN number IS NULL THEN "
            "printf('byte %lld: ip 0x%llx is no record of the hardware', offset, got_ip) WHEN "
            "offset IS "
            "NULL THEN printf('record %lld, ip 0x%llx, is missing', number, ip) ELSE printf('byte "
            "%lld: "
            "ip 0x%llx, record %lld was taken at 0x%llx', offset, got_ip, number, ip) END END) "
            "FROM "
            "(SELECT *, ip IS NOT got_ip OR mode IS NOT got_mode AS bad, min(CASE WHEN ip IS NOT "
            "got_ip OR "
            "mode IS NOT got_mode THEN seq END) OVER (PARTITION BY cpu) AS first FROM " PAIRS
            ") GROUP BY cpu "
            "ORDER BY cpu";

static const char rows_of_processes[] =
    "SELECT 'processes', 'trace_imc', NULL, count(*), sum(pid IS got_pid), sum(pid IS NOT "
    "got_pid), "
    "'exact', max(CASE WHEN pid IS NOT got_pid THEN printf('byte %lld: process %lld, expected "
    "%lld',"
    " offset, got_pid, pid) END) FROM " PAIRS " WHERE pid IS NOT NULL AND offset IS NOT NULL";

/* Which process really ran: the driver does not say it. */
static const char rows_of_owners[] =
    "SELECT 'truth of processes', 'trace_imc', NULL, count(*), sum(ran IS got_pid), NULL, 'none: "
    "of "
    "them '||sum(ran IS got_pid)||' are of the process that ran', NULL FROM " PAIRS " WHERE ran<>0 "
    "AND offset IS NOT NULL HAVING sum(ran IS NOT got_pid)>0";

/* Of functions of which ten samples or more are expected. */
static const char rows_of_shares[] =
    "SELECT 'share', function, NULL, CAST(round(n*chance) AS INTEGER), have, abs(have-n*chance) > "
    "4*sqrt(n*chance*(1-chance))+1, '4 sigma', printf('%.2f %% of ', 100*chance)||CASE "
    "count WHEN cycles THEN printf('%lld instructions', count) ELSE printf('%lld cycles, %lld "
    "instructions', cycles, count) END FROM shares, (SELECT count(*) AS n FROM have) WHERE "
    "n*chance >= 10 AND function NOT LIKE '[%' ORDER BY cycles DESC, name";

/* ---- counts ---- */

/* What the file should say, of each CPU: a row a round, of what had been counted until then. A file of
 * one round has the last. Names in the file are without the last slash. A task's count is of no CPU. */
static const char want_counts[] =
    "CREATE TABLE guest_want AS SELECT rtrim(event,'/') AS name, cpu, round, count, scale, "
    "counted, "
    "max(round) OVER (PARTITION BY event, cpu) AS last FROM truth.guest_told WHERE file=?1";
static const char *const prepare_counts[] = {
    "CREATE TABLE guest_have AS SELECT name, cpu, offset, value, row_number() OVER (PARTITION BY "
    "name, cpu ORDER BY offset) AS round, count(*) OVER (PARTITION BY name, cpu) AS rounds FROM "
    "(SELECT name, CASE WHEN name IN (SELECT name FROM guest_want WHERE cpu<0) THEN -1 ELSE "
    "max(cpu,0) END AS cpu, offset, value FROM stat)",
    "DELETE FROM guest_want WHERE round<>last AND name IN (SELECT name FROM guest_have WHERE "
    "rounds=1)",
    "UPDATE guest_want SET round=1 WHERE name IN (SELECT name FROM guest_have WHERE rounds=1)",
    "CREATE TABLE guest_both AS SELECT w.name, w.cpu, w.round, w.count AS expected, h.value AS "
    "found, "
    "h.offset FROM guest_want w LEFT JOIN guest_have h USING(name, cpu, round) UNION ALL SELECT "
    "h.name, h.cpu, h.round, NULL, h.value, h.offset FROM guest_have h LEFT JOIN guest_want w "
    "USING(name, cpu, round) WHERE w.name IS NULL",
};

static const char rows_of_counts[] = "SELECT 'counts', name, " CPU(
    "guest_both") ", max(expected), max(found), sum(expected IS NOT "
                  "found), 'exact, '||count(*)||' round'||CASE count(*) WHEN 1 THEN '' ELSE 's' "
                  "END, (SELECT CASE "
                  "WHEN c.found IS NULL THEN printf('round %lld is missing', c.round) WHEN "
                  "c.expected IS NULL THEN "
                  "printf('byte %lld: round %lld was not read from memory', c.offset, c.round) "
                  "ELSE printf('byte "
                  "%lld: %lld instead of %lld', c.offset, c.found, c.expected) END FROM guest_both "
                  "c WHERE "
                  "c.name=b.name AND c.cpu=b.cpu AND c.expected IS NOT c.found ORDER BY c.round "
                  "LIMIT 1) FROM "
                  "guest_both b GROUP BY name, cpu ORDER BY name, cpu";

/* The counters are not looked at all the time: what perf makes of them is an estimate. */
static const char rows_of_estimates[] = "SELECT 'truth of counts', name, " CPU(
    "guest_want") ", counted, printf('%.0f', count*scale), "
                  "NULL, printf('none: off by %+.3f %%', "
                  "100.0*(count*scale-counted)/max(counted,1)), NULL FROM "
                  "(SELECT *, row_number() OVER (PARTITION BY name, cpu ORDER BY round DESC) AS "
                  "back FROM "
                  "guest_want) WHERE back=1 ORDER BY name, cpu";

static const char *name_of_file(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash != NULL ? slash + 1 : path;
}

static cs_status compare_counts(void *state, bool *done)
{
    cs_checking *check = state;
    sqlite3_stmt *want = NULL;
    cs_status status = cs_check_prepare(check, want_counts, &want);

    *done = true;
    if (status == CS_OK) {
        cs_check_text(check, want, 1, name_of_file(check->request->path), -1);
        status = cs_check_insert(check, want, NULL, 0);
    }
    sqlite3_finalize(want);
    if (status == CS_OK)
        status = CS_CHECK_DO_ALL(check, prepare_counts);
    if (status == CS_OK)
        status = cs_check_rows(check, rows_of_counts);
    return status == CS_OK ? cs_check_rows(check, rows_of_estimates) : status;
}

static cs_status open_guest(cs_checking *check, void **state)
{
    bool any = false;
    const cs_status status = cs_check_any(
        check, "SELECT count(*) FROM truth.sqlite_master WHERE name='guest_record'", &any);

    *state = any ? check : NULL;
    return status;
}

static cs_status see(void *state, const cs_perfread *reader, const cs_perfread_record *record,
                     bool *taken)
{
    (void)state;
    (void)reader;
    (void)record;
    *taken = false;
    return CS_OK;
}

static cs_status finish(void *state, const cs_perfread *reader)
{
    (void)state;
    (void)reader;
    return CS_OK;
}

static cs_status compare(void *state, bool samples, bool *done)
{
    cs_checking *check = state;
    bool any = samples;
    cs_status status = CS_CHECK_DO_ALL(check, prepare);

    *done = true;
    if (status == CS_OK && !any)
        status = cs_check_any(check, "SELECT count(*) FROM want", &any);
    if (status != CS_OK || !any)
        return status;
    status = cs_check_rows(check, rows_of_samples);
    if (status == CS_OK)
        status = cs_check_rows(check, rows_of_processes);
    if (status == CS_OK)
        status = cs_check_rows(check, rows_of_owners);
    return status == CS_OK ? cs_check_rows(check, rows_of_shares) : status;
}

static void close_guest(void *state)
{
    (void)state;
}

static const cs_check_perf perf = {open_guest, see, finish, compare, close_guest, compare_counts};

const cs_check_family cs_check_guest = {.perf = &perf};
