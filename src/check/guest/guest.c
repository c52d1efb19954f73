// SPDX-License-Identifier: Apache-2.0
/* What `check` must know of guests: the perf.data of a guest's own perf, of trace mode, against what the
 * hardware wrote, what the guest's driver took of it, and what was really executed. A file is that of the
 * events of perf whose ids it has: of all that the guest took for others it has nothing. */
#include <string.h>

#include "check/family.h"
#include "check/guest/guest.h"

/* Of the file: ids of its events of trace mode, or of a hart's counters, and its other events. */
static const char tables[] =
    "CREATE TABLE own(id INTEGER PRIMARY KEY, event INTEGER);"
    "CREATE TABLE other(event INTEGER PRIMARY KEY);"
    /* What the samples are of; of RISC-V's how a profile is judged: which modes it is of (guest_count's,
     * NULL: all), by instructions or cycles, and whether it can be; whether the samples name CPUs; of
     * which outcomes it is. */
    "CREATE TABLE profile AS SELECT 'trace_imc' AS unit, NULL AS mode, 0 AS by_count, 1 AS shares, "
    "1 AS sure, 1 AS named, NULL AS outcome;"
    "CREATE TABLE shares(name TEXT PRIMARY KEY, function TEXT, count INTEGER, cycles INTEGER, have "
    "INTEGER, chance REAL) WITHOUT ROWID";

#define IS_OWN(event) event " IN (SELECT id FROM own)"

/* Where the samples of several CPUs do not name them their order is not known: then it is that of the
 * addresses, and of the processes that were there. */
#define UNNAMED                                                                                    \
    "(SELECT named FROM profile)=0 AND (SELECT count(DISTINCT cpu) FROM truth.guest_record)>1"
#define ANY_ORDER(ip, pid)                                                                         \
    "CASE WHEN " UNNAMED " THEN " ip " END, CASE WHEN " UNNAMED " THEN " pid " END, "

/* A perf.data of several CPUs has the samples of each in their order, if perf was told to name CPUs
 * (--sample-cpu, or -a).
 *
 * What the driver makes of a record: POWER9's tells modes by addresses, and takes for the process that
 * in which it reads the buffer. */
static const char *const prepare[] = {
    "CREATE TABLE want AS SELECT row_number() OVER (PARTITION BY c.cpu ORDER BY " ANY_ORDER(
        "r.ip", "t.process") "t.seq) AS seq, "
                             "c.cpu, "
                             "r.number, r.ip, CASE WHEN r.ip < 0 AND r.ip >= -4611686018427387904 "
                             "THEN 1 ELSE 2 "
                             "END AS "
                             "mode, "
                             "nullif(t.process,0) AS pid, r.process AS ran, r.file||' "
                             "'||r.function AS function "
                             "FROM "
                             "truth.guest_taken t JOIN truth.guest_record r ON r.number=t.record "
                             "JOIN (SELECT "
                             "number, "
                             "CASE WHEN (SELECT min(cpu) FROM found)>=0 AND (SELECT named FROM "
                             "profile) THEN "
                             "cpu ELSE 0 END "
                             "AS cpu FROM truth.guest_record) "
                             "c "
                             "ON c.number=t.record WHERE " IS_OWN("t.event"),
    "CREATE TABLE have AS SELECT row_number() OVER (PARTITION BY max(cpu,0) ORDER BY " ANY_ORDER(
        "ip",
        "pid") "offset) AS "
               "seq, "
               "max(cpu,0) AS cpu, offset, ip, pid, misc & 7 AS mode FROM found WHERE event NOT IN "
               "(SELECT "
               "event FROM other)",
    "CREATE INDEX have_seq ON have(cpu, seq)",
    "CREATE INDEX want_seq ON want(cpu, seq)",
    "INSERT INTO shares SELECT file||' '||c.name, c.name, sum(count), CASE WHEN by_count THEN "
    "sum(count) ELSE sum(cycles) END, 0, 0 FROM truth.guest_count c, profile p WHERE p.shares AND "
    "(p.mode IS NULL OR c.mode=p.mode) AND counted_by IN ('trace','event') AND " IS_OWN(
        "event") " GROUP BY file, c.name",
    "UPDATE shares SET chance=CAST(cycles AS REAL)/(SELECT sum(cycles) FROM shares)",
    "UPDATE shares SET have=(SELECT count(*) FROM want w JOIN have h USING(cpu, seq) WHERE "
    "w.function=shares.name AND w.ip=h.ip)",
    /* Records that were written for the file's events; those that did not get into it, or were taken
     * for it and written for others. */
    "CREATE TABLE fate AS SELECT coalesce(sum(mine),0) AS written, coalesce(sum(mine<>taken),0) AS "
    "strayed FROM (SELECT " IS_OWN("event") " AS mine, number IN (SELECT record FROM "
                                            "truth.guest_taken WHERE " IS_OWN(
                                                "event") ") AS taken FROM truth.guest_record)",
};

static const char shares_of_outcomes[] =
    "INSERT INTO shares SELECT file||' '||name, name, sum(count), sum(count), 0, 0 FROM "
    "truth.guest_outcome m, profile p WHERE m.what=p.outcome AND (p.mode IS NULL OR m.mode=p.mode) "
    "AND " IS_OWN("event") " GROUP BY file, name";

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
static const char rows_of_samples[] = "SELECT 'samples', (SELECT unit FROM profile), " CPU(
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
    "SELECT 'processes', (SELECT unit FROM profile), NULL, count(*), sum(pid IS got_pid), sum(pid "
    "IS NOT "
    "got_pid), "
    "'exact', max(CASE WHEN pid IS NOT got_pid THEN printf('byte %lld: process %lld, expected "
    "%lld',"
    " offset, got_pid, pid) END) FROM " PAIRS " WHERE pid IS NOT NULL AND offset IS NOT NULL";

/* Which process really ran: the driver does not say it. */
static const char rows_of_owners[] =
    "SELECT 'truth of processes', (SELECT unit FROM profile), NULL, count(*), sum(ran IS got_pid), "
    "NULL, 'none: "
    "of "
    "them '||sum(ran IS got_pid)||' are of the process that ran', NULL FROM " PAIRS " WHERE ran<>0 "
    "AND offset IS NOT NULL HAVING sum(ran IS NOT got_pid)>0";

/* Of functions of which ten samples or more are expected. Each record that the driver has not taken may
 * have been any function's; where these are many a profile is of some stretches of time alone. */
static const char rows_of_shares[] =
    "SELECT 'share', function, NULL, CAST(round(n*chance) AS INTEGER), have, CASE WHEN "
    "sure AND 10*strayed<=written THEN abs(have-n*chance) > 4*sqrt(n*chance*(1-chance))+1+strayed "
    "END, CASE "
    "WHEN NOT sure THEN printf('none: off by %+.1f %%, as no sample is taken while interrupts are "
    "off', "
    "100*(have/(n*chance)-1)) WHEN strayed=0 THEN '4 sigma' WHEN 10*strayed<=written THEN "
    "printf('4 sigma, and %lld lost', "
    "strayed) ELSE printf('none: off by %+.1f %%, as %lld of %lld records were lost', "
    "100*(have/(n*chance)-1), strayed, written) END, printf('%.2f %% of ', 100*chance)||CASE "
    "WHEN outcome IS NOT NULL THEN count||' '||outcome WHEN count=cycles THEN printf('%lld "
    "instructions', count) ELSE printf('%lld cycles, %lld "
    "instructions', cycles, count) END FROM shares, fate, profile, (SELECT count(*) AS n FROM "
    "have) WHERE "
    "n*chance >= 10 AND function NOT LIKE '[%' ORDER BY cycles DESC, name";

/* Samples of which there is no truth. */
static const char rows_of_others[] =
    "SELECT 'samples', n.name, NULL, NULL, count(*), NULL, 'none: it is not of '||(SELECT unit "
    "FROM profile), NULL "
    "FROM found f JOIN other o USING(event) JOIN names n ON n.fe=f.event GROUP BY f.event";
static const char rows_of_unknown[] =
    "SELECT 'samples', (SELECT unit FROM profile), NULL, NULL, count(*), NULL, 'none: the truth "
    "does not have "
    "which record was for which event of this kernel', NULL FROM found";

static cs_status open_guest(cs_checking *check, void **state)
{
    bool any = false;
    cs_status status = cs_check_any(
        check, "SELECT count(*) FROM truth.sqlite_master WHERE name='guest_record'", &any);

    *state = any ? check : NULL;
    if (status == CS_OK && any)
        status = cs_check_do(check, tables);
    if (status == CS_OK && any)
        status = cs_check_do(check, "UPDATE profile SET unit='hpm' WHERE EXISTS (SELECT 1 FROM "
                                    "truth.run WHERE key='guest' AND value='riscv64')");
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

/* By its PMU; of a file that does not name that, by its name. */
static bool is_trace(const cs_perfread_facts *facts, const cs_perfread_event *event)
{
    static const char pmu[] = "trace_imc";

    for (size_t i = 0; i < facts->nr_pmus; i++)
        if (facts->pmus[i].type == event->type)
            return strcmp(facts->pmus[i].name, pmu) == 0;
    return event->name == NULL || strncmp(event->name, pmu, sizeof pmu - 1) == 0;
}

#define EXCLUDE_KERNEL (UINT64_C(1) << 5)
#define PERF_HARDWARE 0u
#define PERF_CACHE 3u
#define PERF_RAW 4u
#define HARDWARE_CYCLES 0u
#define HARDWARE_INSTRUCTIONS 1u

static bool is_of_hart(const cs_perfread_event *event)
{
    return event->type == PERF_HARDWARE || event->type == PERF_CACHE || event->type == PERF_RAW;
}

/* What an event counts of guest_outcome; NULL: something else. A trap is in no function. */
static const char *outcome_of(const cs_perfread_event *event)
{
    static const struct {
        uint32_t type;
        uint64_t config;
        const char *outcome;
    } all[] = {{PERF_HARDWARE, 3, "l1d load misses"},     {PERF_CACHE, 0x10000, "l1d load misses"},
               {PERF_CACHE, 0x10100, "l1d store misses"}, {PERF_CACHE, 0x10001, "l1i misses"},
               {PERF_CACHE, 0x10003, "dtlb misses"},      {PERF_CACHE, 0x10004, "itlb misses"},
               {PERF_RAW, 0x2a, "taken branches"},        {PERF_RAW, 0x2b, "branches not taken"}};

    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (event->type == all[i].type && event->config == all[i].config)
            return all[i].outcome;
    return NULL;
}

/* A profile of a hart's cycles, instructions or misses. Of the kernel's own no sample can be in code that takes
 * no interrupts. */
static cs_status profile_hart(cs_checking *check, const cs_perfread_event *event, size_t nr)
{
    const bool known = nr == 1 && event->type == PERF_HARDWARE &&
                       (event->config == HARDWARE_CYCLES || event->config == HARDWARE_INSTRUCTIONS);
    const bool user = (event->flags & EXCLUDE_KERNEL) != 0;
    sqlite3_stmt *set = NULL;
    cs_status status = cs_check_prepare(
        check, "UPDATE profile SET mode=nullif(?,0), by_count=?, shares=?, sure=?, outcome=?",
        &set);

    if (status == CS_OK)
        cs_check_text(check, set, 5, nr == 1 ? outcome_of(event) : NULL, -1);
    if (status == CS_OK)
        status = cs_check_insert(
            check, set, (int64_t[]){user, event->config == HARDWARE_INSTRUCTIONS, known, user}, 4);
    sqlite3_finalize(set);
    return status;
}

static cs_status finish(void *state, const cs_perfread *reader)
{
    cs_checking *check = state;
    const cs_perfread_facts *facts = cs_perfread_get_facts(reader);
    sqlite3_stmt *own = NULL, *other = NULL;
    bool hart = false;
    size_t nr_own = 0;
    cs_status status = cs_check_prepare(check, "INSERT OR IGNORE INTO own VALUES(?,?)", &own);

    if (status == CS_OK)
        status = cs_check_prepare(check, "INSERT INTO other VALUES(?)", &other);
    if (status == CS_OK)
        status = cs_check_any(check, "SELECT count(*) FROM profile WHERE unit='hpm'", &hart);
    for (size_t i = 0; i < facts->nr_events && status == CS_OK; i++) {
        const cs_perfread_event *event = &facts->events[i];

        if (!(hart ? is_of_hart(event) : is_trace(facts, event))) {
            status = cs_check_insert(check, other, (int64_t[]){event->index}, 1);
            continue;
        }
        nr_own++;
        for (size_t k = 0; k < event->nr_ids && status == CS_OK; k++)
            status =
                cs_check_insert(check, own, (int64_t[]){(int64_t)event->ids[k], event->index}, 2);
        if (status == CS_OK && (event->sample_type & CS_PERFREAD_CPU) == 0)
            status = cs_check_do(check, "UPDATE profile SET named=0");
        if (hart && status == CS_OK)
            status = profile_hart(check, event, nr_own);
    }
    sqlite3_finalize(own);
    sqlite3_finalize(other);
    return status;
}

/* Whether the truth has of what was taken for which event of perf it was. */
static cs_status knows_events(cs_checking *check, bool *known)
{
    bool any = false, named = false;
    cs_status status = cs_check_any(check, "SELECT count(*) FROM truth.guest_taken", &any);

    if (status == CS_OK)
        status =
            cs_check_any(check, "SELECT count(*) FROM truth.guest_taken WHERE event<>0", &named);
    *known = named || !any;
    return status;
}

static cs_status compare_rows(cs_checking *check)
{
    static const char *const rows[] = {rows_of_samples, rows_of_processes, rows_of_owners,
                                       rows_of_shares};
    cs_status status = CS_OK;

    for (size_t i = 0; i < sizeof rows / sizeof rows[0] && status == CS_OK; i++)
        status = cs_check_rows(check, rows[i]);
    return status;
}

static cs_status compare(void *state, bool samples, bool *done)
{
    cs_checking *check = state;
    bool known = false, any = false, hart = false, outcome = false;
    cs_status status = knows_events(check, &known);

    *done = true;
    if (status == CS_OK && samples)
        status = cs_check_rows(check, known ? rows_of_others : rows_of_unknown);
    if (status == CS_OK && known)
        status =
            cs_check_any(check, "SELECT count(*) FROM profile WHERE outcome IS NOT NULL", &outcome);
    if (status == CS_OK && outcome)
        status = cs_check_do(check, shares_of_outcomes);
    if (status == CS_OK && known)
        status = CS_CHECK_DO_ALL(check, prepare);
    if (status == CS_OK && known)
        status = cs_check_any(
            check, "SELECT (SELECT count(*) FROM want)+(SELECT count(*) FROM have)", &any);
    if (status == CS_OK && any)
        status = compare_rows(check);
    if (status == CS_OK && known)
        status = cs_check_any(check, "SELECT count(*) FROM profile WHERE unit='hpm'", &hart);
    return status == CS_OK && known && hart ? cs_check_hart_overflows(check) : status;
}

static void close_guest(void *state)
{
    (void)state;
}

static cs_status compare_counts(void *state, bool *done)
{
    cs_checking *check = state;
    bool hart = false;
    cs_status status = cs_check_any(check, "SELECT count(*) FROM profile WHERE unit='hpm'", &hart);

    *done = true;
    if (status == CS_OK && hart)
        return cs_check_hart_counts(check);
    return status != CS_OK ? status : cs_check_guest_counts(state);
}

static const cs_check_perf perf = {open_guest, see, finish, compare, close_guest, compare_counts};

const cs_check_family cs_check_guest = {.perf = &perf};
