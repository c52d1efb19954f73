/* What `check` must know of guests: the perf.data of a guest's own perf, of trace mode, against what the
 * hardware wrote, what the guest's driver took of it, and what was really executed. */
#include "check/family.h"

/* What the driver makes of a record: POWER9's tells modes by addresses; the process is that which has
 * the record's PID register, where a program has said so. */
static const char *const prepare[] = {
    "CREATE TABLE want AS SELECT t.seq, r.number, r.ip, CASE WHEN r.ip < 0 AND r.ip >= "
    "-4611686018427387904 THEN 1 ELSE 2 END AS mode, (SELECT process FROM truth.guest_process p "
    "WHERE p.pid_register=r.pid_register) AS pid FROM truth.guest_taken t JOIN truth.guest_record "
    "r "
    "ON r.number=t.record",
    "CREATE TABLE have AS SELECT row_number() OVER (ORDER BY offset) AS seq, offset, ip, pid, "
    "misc & 7 AS mode FROM found",
    "CREATE INDEX have_seq ON have(seq)",
    "CREATE INDEX want_seq ON want(seq)",
    "CREATE TABLE shares(name TEXT PRIMARY KEY, count INTEGER, have INTEGER, chance REAL) WITHOUT "
    "ROWID",
    "INSERT INTO shares SELECT name, sum(count), 0, 0 FROM truth.guest_count GROUP BY name",
    "UPDATE shares SET chance=CAST(count AS REAL)/(SELECT sum(count) FROM shares)",
    "UPDATE shares SET have=(SELECT count(*) FROM truth.guest_function f JOIN have h ON h.ip "
    "BETWEEN f.first AND f.last WHERE f.name=shares.name)",
};

#define PAIRS                                                                                      \
    "(SELECT w.*, h.offset, h.ip AS got_ip, h.pid AS got_pid, h.mode AS got_mode FROM want w "     \
    "LEFT "                                                                                        \
    "JOIN have h ON h.seq=w.seq UNION ALL SELECT h.seq, NULL, NULL, NULL, NULL, h.offset, h.ip, "  \
    "h.pid, h.mode FROM have h WHERE h.seq NOT IN (SELECT seq FROM want))"

/* Address, mode; then processes. */
static const char rows_of_samples[] =
    "SELECT 'samples', 'trace_imc', NULL, (SELECT count(*) FROM want), (SELECT count(*) FROM "
    "have), "
    "sum(bad), 'exact', max(CASE WHEN bad AND seq=first THEN CASE WHEN number IS NULL THEN "
    "printf('byte %lld: ip 0x%llx is no record of the hardware', offset, got_ip) WHEN offset IS "
    "NULL THEN printf('record %lld, ip 0x%llx, is missing', number, ip) ELSE printf('byte %lld: "
    "ip 0x%llx, record %lld was taken at 0x%llx', offset, got_ip, number, ip) END END) FROM "
    "(SELECT "
    "*, ip IS NOT got_ip OR mode IS NOT got_mode AS bad, min(CASE WHEN ip IS NOT got_ip OR mode IS "
    "NOT got_mode THEN seq END) OVER () AS first FROM " PAIRS ")";

static const char rows_of_processes[] =
    "SELECT 'processes', 'trace_imc', NULL, count(*), sum(pid IS got_pid), sum(pid IS NOT "
    "got_pid), "
    "'exact', max(CASE WHEN pid IS NOT got_pid THEN printf('byte %lld: process %lld, expected "
    "%lld',"
    " offset, got_pid, pid) END) FROM " PAIRS " WHERE pid IS NOT NULL AND offset IS NOT NULL";

/* Of functions of which ten samples or more are expected. */
static const char rows_of_shares[] =
    "SELECT 'share', name, NULL, CAST(round(n*chance) AS INTEGER), have, abs(have-n*chance) > "
    "4*sqrt(n*chance*(1-chance))+1, '4 sigma', printf('%.2f %% of %lld instructions', 100*chance, "
    "count) FROM shares, (SELECT count(*) AS n FROM have) WHERE n*chance >= 10 AND name NOT LIKE "
    "'[%' ORDER BY count DESC, name";

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
    return status == CS_OK ? cs_check_rows(check, rows_of_shares) : status;
}

static void close_guest(void *state)
{
    (void)state;
}

static const cs_check_perf perf = {open_guest, see, finish, compare, close_guest};

const cs_check_family cs_check_guest = {.perf = &perf};
