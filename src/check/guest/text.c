// SPDX-License-Identifier: Apache-2.0
/* What `perf stat -x,` or `-j` of a RISC-V guest has printed, against what its counters counted; or of a
 * program under `countersink pmu`.
 *
 * A text names no event by its id, and not its command. It is of the last perf before the guest put it out
 * that counted such events and no others; events of one kind are its lines in order. */
#include <stdlib.h>
#include <string.h>

#include "check/checker.h"
#include "check/impl.h"
#include "formats/perf_stat/read/perf_stat.h"

#define NAME_BYTES 256
#define PERF_HARDWARE 0
#define PERF_CACHE 3
#define PERF_RAW 4
#define EXCLUDE_USER 1
#define EXCLUDE_KERNEL 2

static const char tables[] =
    "CREATE TABLE text(offset INTEGER PRIMARY KEY, name TEXT, cpu INTEGER, round INTEGER, value "
    "INTEGER, percent REAL, running INTEGER, counted INTEGER, mean INTEGER, type INTEGER, config "
    "INTEGER, excl "
    "INTEGER)";

/* ---- events by their names ---- */

typedef struct asked_for {
    int64_t type, config, excl; /* EXCLUDE_.. */
} asked_for;

static const struct {
    const char *name;
    int64_t type, config;
} named[] = {
    {"cycles", PERF_HARDWARE, 0},
    {"cpu-cycles", PERF_HARDWARE, 0},
    {"instructions", PERF_HARDWARE, 1},
    {"cache-references", PERF_HARDWARE, 2},
    {"cache-misses", PERF_HARDWARE, 3},
    {"branches", PERF_HARDWARE, 4},
    {"branch-instructions", PERF_HARDWARE, 4},
    {"branch-misses", PERF_HARDWARE, 5},
    {"bus-cycles", PERF_HARDWARE, 6},
    {"ref-cycles", PERF_HARDWARE, 9},
    {"L1-dcache-loads", PERF_CACHE, 0},
    {"L1-dcache-load-misses", PERF_CACHE, 0x10000},
    {"L1-dcache-stores", PERF_CACHE, 0x100},
    {"L1-dcache-store-misses", PERF_CACHE, 0x10100},
    {"L1-icache-loads", PERF_CACHE, 1},
    {"L1-icache-load-misses", PERF_CACHE, 0x10001},
    {"dTLB-loads", PERF_CACHE, 3},
    {"dTLB-load-misses", PERF_CACHE, 0x10003},
    {"iTLB-loads", PERF_CACHE, 4},
    {"iTLB-load-misses", PERF_CACHE, 0x10004},
};

/* "u", "k", "uk"; letters that say something else of the event do not matter. */
static int64_t excluded(const char *modifiers)
{
    const bool user = strchr(modifiers, 'u') != NULL, kernel = strchr(modifiers, 'k') != NULL;
    const bool any = user || kernel || strchr(modifiers, 'h') != NULL;

    return any ? (user ? 0 : EXCLUDE_USER) | (kernel ? 0 : EXCLUDE_KERNEL) : 0;
}

/* False: it is none of a hart's, or not known. */
static bool event_of(const char *printed, asked_for *out)
{
    char name[NAME_BYTES];

    snprintf(name, sizeof name, "%.*s", (int)strcspn(printed, " "), printed); /* "r20:u [cpu]" */
    const char *colon = strrchr(name, ':');
    const size_t bytes = colon != NULL ? (size_t)(colon - name) : strlen(name);
    char *end = NULL;

    *out = (asked_for){PERF_HARDWARE, 0, colon != NULL ? excluded(colon + 1) : 0};
    for (size_t i = 0; i < sizeof named / sizeof named[0]; i++)
        if (strlen(named[i].name) == bytes && memcmp(named[i].name, name, bytes) == 0) {
            out->type = named[i].type;
            out->config = named[i].config;
            return true;
        }
    if (name[0] != 'r' || bytes < 2 || strspn(name + 1, "0123456789abcdef") != bytes - 1)
        return false;
    out->type = PERF_RAW;
    out->config = (int64_t)strtoull(name + 1, &end, 16);
    return true;
}

/* ---- the file ---- */

static cs_status bind_event(cs_checking *check, sqlite3_stmt *insert, int at, const char *name)
{
    const char *slash = strrchr(name, '/');
    cs_status status = CS_OK;
    asked_for event;
    bool known = event_of(name, &event);

    if (!known && check->opened && slash != NULL) {
        event = (asked_for){0, 0, excluded(slash + 1)};
        status = cs_check_opened_event(check, name, &known, &event.type, &event.config);
    }
    if (!known)
        return status;
    sqlite3_bind_int64(insert, at, event.type);
    sqlite3_bind_int64(insert, at + 1, event.config);
    sqlite3_bind_int64(insert, at + 2, event.excl);
    return status;
}

static cs_status add(cs_checking *check, sqlite3_stmt *insert, const cs_statread_row *row,
                     int64_t round)
{
    sqlite3_clear_bindings(insert);
    sqlite3_bind_int64(insert, 1, (int64_t)row->offset);
    cs_check_text(check, insert, 2, row->event, -1);
    sqlite3_bind_int64(insert, 3, row->cpu);
    sqlite3_bind_int64(insert, 4, round);
    if (row->whole)
        sqlite3_bind_int64(insert, 5, (int64_t)row->count);
    sqlite3_bind_double(insert, 6, row->percent != NULL ? strtod(row->percent, NULL) : 100);
    sqlite3_bind_int64(insert, 7, (int64_t)row->running_ns);
    sqlite3_bind_int(insert, 8, row->value != NULL);
    sqlite3_bind_int(insert, 9, row->mean);
    const cs_status status = bind_event(check, insert, 10, row->event);
    return status == CS_OK ? cs_check_insert(check, insert, NULL, 0) : status;
}

static cs_status fill(cs_checking *check, cs_statread *reader)
{
    const cs_statread_row *row = NULL;
    sqlite3_stmt *insert = NULL;
    uint64_t end_ns = 0;
    int64_t round = 1;
    cs_diag diag = {0};
    cs_status status =
        cs_check_prepare(check, "INSERT INTO text VALUES(?,?,?,?,?,?,?,?,?,?,?,?)", &insert);

    while (status == CS_OK) {
        const cs_status read = cs_statread_next(reader, &row, &diag);

        if (read != CS_OK)
            status = cs_check_ended(check, read, &diag);
        if (read != CS_OK || row == NULL)
            break;
        round += row->timed && end_ns != 0 && row->end_ns != end_ns;
        end_ns = row->end_ns;
        check->intervals |= row->timed;
        status = add(check, insert, row, round);
    }
    sqlite3_finalize(insert);
    return status;
}

/* ---- which command's ---- */

#define SAME(a, b)                                                                                 \
#a ".type=" #b ".type AND " #a ".config=" #b ".config AND " #a ".excl=" #b ".excl"

/* Of the events that perf has opened those whose counts it wants. What it opens to see whether it can, it neither
 * reads nor lets count. */
#define WANTED                                                                                     \
    "e.period=0 AND (EXISTS (SELECT 1 FROM truth.guest_asked a WHERE a.event=e.event) OR EXISTS "  \
    "(SELECT 1 FROM truth.guest_counted c WHERE c.event=e.event))"
#define OF_CACHE                                                                                   \
    "flags>>4&3) FROM truth.guest_event e WHERE e.type=3 AND e.config=text.config AND " WANTED

/* perf prints an event of caches without its modes: they are those of the last one before the text was put out. Of a
 * text that the guest has not put out by that name they are known if all have the same. */
static const char find_modes[] =
    "UPDATE text SET excl=coalesce(CASE WHEN EXISTS (SELECT 1 FROM truth.guest_put WHERE file=?1) "
    "THEN (SELECT (" OF_CACHE " AND e.last<=(SELECT last FROM truth.guest_put WHERE file=?1) ORDER "
    "BY e.last DESC LIMIT 1) WHEN (SELECT count(DISTINCT " OF_CACHE ")=1 THEN (SELECT min(" OF_CACHE
    ") END, -1) WHERE type=3";

static const char *const prepare[] = {
    /* nth: of several of one kind; rank: of the CPU. */
    "CREATE TABLE line AS SELECT *, row_number() OVER (PARTITION BY round, cpu, type, config, "
    "excl, CASE WHEN type IS NULL THEN name END ORDER BY offset) AS nth, dense_rank() OVER (ORDER "
    "BY cpu)-1 AS rank FROM text",
    "CREATE TABLE kind AS SELECT type, config, excl, max(nth) AS lines FROM line WHERE type IS NOT "
    "NULL GROUP BY 1,2,3",
    "CREATE TABLE opened AS SELECT event, process, type, config, flags>>4&3 AS excl, last, "
    "row_number() OVER (PARTITION BY process, type, config, flags>>4&3 ORDER BY event)-1 AS place "
    "FROM truth.guest_event e WHERE " WANTED,
    "CREATE TABLE fits AS SELECT process, max(last) AS last FROM opened o WHERE EXISTS (SELECT 1 "
    "FROM kind) GROUP BY process HAVING NOT EXISTS (SELECT 1 FROM kind k WHERE (SELECT count(*) "
    "FROM opened p WHERE p.process=o.process AND " SAME(
        p, k) ") % k.lines<>0 OR NOT EXISTS (SELECT 1 FROM opened p WHERE p.process=o.process "
              "AND " SAME(p, k) ")) AND NOT EXISTS (SELECT 1 FROM opened p WHERE "
                                "p.process=o.process AND NOT EXISTS (SELECT 1 FROM kind k WHERE "
                                "" SAME(p, k) "))",
};

/* Of one that the guest has not put out by that name there may be no other like it. */
static const char find_command[] =
    "CREATE TABLE command AS SELECT process FROM fits WHERE CASE WHEN EXISTS (SELECT 1 FROM "
    "truth.guest_put WHERE file=?1) THEN last<=(SELECT last FROM truth.guest_put WHERE file=?1) "
    "ELSE (SELECT count(*) FROM fits)=1 END ORDER BY last DESC LIMIT 1";

/* ---- what it should say ---- */

#define TOTAL                                                                                      \
    "coalesce((SELECT count FROM truth.guest_asked a WHERE a.event=o.event ORDER BY round DESC "   \
    "LIMIT 1), (SELECT sum(count) FROM truth.guest_counted c WHERE c.event=o.event), 0)"
/* Until that round. After the last that it prints perf reads once more; NULL: it has read otherwise. */
#define LAST_PRINTED "(SELECT max(round) FROM line)"
#define LAST_ASKED "(SELECT max(round) FROM truth.guest_asked a WHERE a.event=o.event)"
#define UNTIL(round)                                                                               \
    "CASE WHEN " LAST_ASKED "-" LAST_PRINTED " BETWEEN 0 AND 1 THEN coalesce((SELECT count FROM "  \
    "truth.guest_asked a WHERE a.event=o.event AND a.round=" round "),0) END"

#define OF_LINE                                                                                    \
    "FROM line l JOIN kind k ON " SAME(                                                            \
        l, k) " JOIN opened o ON o.process=(SELECT process FROM "                                  \
              "command) AND " SAME(o, l) " AND o.place%k.lines=l.nth-1 AND (l.cpu<0 "              \
                                         "OR o.place/k.lines=l.rank) GROUP BY l.offset"

static const char whole[] = "CREATE TABLE want AS SELECT l.offset, count(*) AS ids, sum(" TOTAL
                            ") AS count, sum(" TOTAL ") AS total " OF_LINE;
static const char intervals[] = "CREATE TABLE want AS SELECT l.offset, count(*) AS ids, sum(" UNTIL(
    "l.round") "-" UNTIL("l.round-1") ") AS count, sum(" TOTAL ") AS total " OF_LINE;

/* perf's percentage is rounded down to a whole one. */
#define PART "(100.0*w.count/"
static const char judge[] =
    "CREATE TABLE judged AS SELECT l.*, w.ids, w.count, w.total, CASE WHEN l.mean OR l.value IS "
    "NULL OR w.count IS NULL THEN NULL WHEN NOT l.counted OR l.percent>=100 OR w.count=0 THEN "
    "l.value<>w.count WHEN w.ids>1 THEN NULL ELSE l.value<" PART
    "(l.percent+1))-1 OR (l.percent>=1 AND l.value>" PART
    "(l.percent-0.005))+1) END AS bad FROM line l JOIN want w USING(offset)";

#define CPU "CASE WHEN cpu>=0 THEN cpu END"

/* Of all that perf has scaled of a task, or of a CPU, it knows one enabled time: a count, scaled to that and rounded
 * down, says it to some ns. */
#define ENABLED(more) "1.0*(value" more ")*running/count"
static const char rows_of_scaled[] =
    "SELECT 'scaled', printf('%d counts', sum(lines)), " CPU
    ", printf('%.1f', min(hi)), printf('%.1f', max(lo)), sum(lo>hi+1), 'one enabled time, in ns', "
    "max(CASE WHEN lo>hi+1 THEN printf('byte %lld: not those of the others', offset) END) FROM "
    "(SELECT round, cpu, count(*) AS lines, max(" ENABLED("") ") AS lo, min(" ENABLED(
        "+1") ") AS hi, min(offset) AS offset FROM judged WHERE bad IS NOT NULL AND percent<100 "
              "AND "
              "ids=1 AND count>0 AND value>0 GROUP BY round, cpu HAVING count(*)>1) GROUP BY cpu";

#define NAME "name||CASE WHEN nth>1 THEN ' ('||nth||')' ELSE '' END"
#define OF_KIND "GROUP BY type, config, excl, nth, cpu ORDER BY min(offset)"

static const char rows_of_counts[] =
    "SELECT 'counts', " NAME ", " CPU ", sum(count), sum(value), sum(bad), CASE WHEN count(bad)=0 "
    "THEN CASE WHEN max(mean) THEN 'none: it is a mean of several runs' WHEN max(ids)>1 THEN "
    "'none: each CPU''s count is scaled by itself' ELSE 'none: it is no whole number, or was "
    "counted too short' END WHEN min(percent)>=100 THEN 'exact' ELSE printf('as its percentage, "
    "%.2f', min(percent)) END||CASE WHEN count(*)>1 THEN printf(', %d rounds', count(*)) ELSE '' "
    "END, max(CASE WHEN bad AND offset=first THEN printf('byte %lld: %lld instead of %lld%s', "
    "offset, value, count, CASE WHEN percent>=100 THEN '' ELSE printf(' in %.2f %%', percent) END) "
    "END) FROM (SELECT *, min(CASE WHEN bad THEN offset END) OVER (PARTITION BY type, config, "
    "excl, nth, cpu) AS first FROM judged) WHERE count IS NOT NULL " OF_KIND;

/* Intervals of which it is not known which of perf's readings they are. */
static const char rows_of_sums[] =
    "SELECT 'counts', " NAME ", " CPU ", max(total), sum(value), NULL, printf('none: perf has not "
    "read it as often as it has printed it, %d times', count(*)), NULL FROM judged WHERE count IS "
    "NULL " OF_KIND;

static const char rows_of_others[] =
    "SELECT 'counts', name, " CPU ", NULL, sum(value), NULL, 'none: it is no event of hpm that is "
    "known by this name', NULL FROM line WHERE type IS NULL GROUP BY name, nth, cpu ORDER BY "
    "min(offset)";

static const char rows_of_unknown[] =
    "SELECT 'counts', name, " CPU ", NULL, sum(value), NULL, CASE WHEN (SELECT count(*) FROM "
    "fits)>1 THEN 'none: several commands counted such events; which, its name would say' ELSE "
    "'none: no perf of this guest counted these events' END, NULL FROM line WHERE type IS NOT "
    "NULL AND NOT EXISTS (SELECT 1 FROM command) GROUP BY name, nth, cpu ORDER BY min(offset)";

/* ---- the whole ---- */

static const char *name_of_file(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash != NULL ? slash + 1 : path;
}

/* ?1 is the name of the text. */
static cs_status do_of_file(cs_checking *check, const char *sql)
{
    sqlite3_stmt *todo = NULL;
    cs_status status = cs_check_prepare(check, sql, &todo);

    if (status == CS_OK) {
        cs_check_text(check, todo, 1, name_of_file(check->request->path), -1);
        status = cs_check_insert(check, todo, NULL, 0);
    }
    sqlite3_finalize(todo);
    return status;
}

static cs_status choose_command(cs_checking *check)
{
    cs_status status = do_of_file(check, find_modes);

    if (status == CS_OK)
        status = CS_CHECK_DO_ALL(check, prepare);
    return status == CS_OK ? do_of_file(check, find_command) : status;
}

static cs_status compare(cs_checking *check)
{
    static const char *const rows[] = {rows_of_counts, rows_of_scaled, rows_of_sums,
                                       rows_of_unknown, rows_of_others};
    cs_status status = choose_command(check);

    if (status == CS_OK)
        status = cs_check_do(check, check->intervals ? intervals : whole);
    if (status == CS_OK)
        status = cs_check_do(check, judge);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0] && status == CS_OK; i++)
        status = cs_check_rows(check, rows[i]);
    return status;
}

static cs_status check_text(cs_checking *check)
{
    const cs_byte_source source = cs_check_source(check);
    cs_statread *reader = NULL;
    bool known = false;
    cs_status status = cs_check_any(
        check, "SELECT count(*) FROM truth.sqlite_master WHERE name='guest_asked'", &known);

    if (status == CS_OK && !known && !check->opened)
        return cs_diag_set(check->diag, CS_ERR_UNDECIDED, check->request->path,
                           "cannot say: the truth in %s is of no RISC-V guest, and of no program "
                           "under `countersink pmu`, whose perf prints such a text",
                           check->request->truth);
    if (status == CS_OK)
        status = cs_statread_open(&source, check->request->path, &reader, check->diag);
    if (status == CS_OK)
        status = cs_check_do(check, tables);
    if (status == CS_OK)
        status = fill(check, reader);
    cs_statread_close(reader);
    if (status != CS_OK)
        return status;
    return check->opened ? cs_check_opened_text(check) : compare(check);
}

const cs_checker cs_checker_perf_stat = {.check = check_text};
