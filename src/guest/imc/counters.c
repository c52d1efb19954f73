// SPDX-License-Identifier: Apache-2.0
/* The truth of counters: what memory should have said each time that the driver read it, and what the
 * files of perf that the guest puts out should say, therefore. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/room.h"
#include "formats/imc/catalog/catalog.h"
#include "guest/imc/bridge.h"
#include "guest/imc/counters.h"
#include "guest/log.h"
#include "scenario/guest/guest_spec.h"
#include "scenario/imc/imc_spec.h"

#define MOST_WORDS 16
#define LINE_BYTES 512
#define MOST_TABLES 64
#define TABLE_BYTES 0x2000u
#define WINDOW_BYTES 0x40000u

static const char tables[] =
    "CREATE TABLE guest_post(number INTEGER, cycle INTEGER, address INTEGER, value INTEGER);"
    "CREATE TABLE guest_read(seq INTEGER PRIMARY KEY, cycle INTEGER, role TEXT, event TEXT, "
    "address INTEGER, expected INTEGER, counted INTEGER, id INTEGER);"
    "CREATE TABLE guest_told(file TEXT, event TEXT, cpu INTEGER, round INTEGER, count INTEGER, "
    "scale REAL, counted INTEGER, cycle INTEGER, id INTEGER)";

#define NO_CPU (-1) /* a task's: of all CPUs that it was on */

/* What perf says of an event: a core's, a chip's, by the CPU that reads it, or a task's. Where its id is
 * not known it is what is said of all such events since a file began. */
typedef struct tally {
    char name[2 * CS_IMC_MAX_NAME + 4]; /* "core_imc/CPM_CCYC/" */
    int cpu;
    uint64_t id; /* 0: not known */
    double scale;
    uint64_t count, counted, rounds;
    bool fresh;         /* it was read since a file began */
    sqlite3_int64 last; /* row of its last round; 0: none */
} tally;

/* A counter that the driver reads. */
typedef struct counter {
    uint64_t address;
    uint64_t value; /* that memory should have */
} counter;

/* It reads a counter for an event. */
typedef struct reader {
    uint64_t address, id;
    size_t tally;
    uint64_t counted; /* at the last read, */
    uint64_t read;    /* and what was read */
    bool active;
} reader;

typedef struct table {
    cs_imc_domain domain;
    uint64_t first, size;
    int cpu;
} table;

typedef struct counters {
    const cs_imc_catalog *catalog;
    unsigned threads; /* CPUs of a core */
    counter *all;     /* by rising addresses */
    size_t nr, room;
    reader *readers;
    size_t nr_readers, room_readers;
    tally *tallies;
    size_t nr_tallies, room_tallies;
    table tables[MOST_TABLES];
    size_t nr_tables;
    sqlite3 *db;
    sqlite3_stmt *post, *read, *told, *drop;
    uint64_t nr_reads;
    bool starved;
} counters;

typedef struct line {
    char kind;
    const char *text;
    uint64_t f[MOST_WORDS];
    unsigned count;
} line;

static line split(const char *text)
{
    line l = {.kind = text[0], .text = text + (text[0] != '\0' ? 1 : 0)};
    const char *at = l.text;
    char *end;

    for (; l.count < MOST_WORDS; l.count++, at = end) {
        l.f[l.count] = strtoull(at, &end, 16);
        if (end == at)
            break;
    }
    return l;
}

/* ---- which counters there are ---- */

static void add_table(counters *c, table t)
{
    for (size_t i = 0; i < c->nr_tables; i++)
        if (c->tables[i].domain == t.domain && c->tables[i].first == t.first)
            return;
    if (c->nr_tables < MOST_TABLES)
        c->tables[c->nr_tables++] = t;
}

/* The place of the first counter at or above the address. */
static size_t place_of(const counters *c, uint64_t address)
{
    size_t low = 0, high = c->nr;

    while (low < high) {
        const size_t middle = (low + high) / 2;

        if (c->all[middle].address < address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static counter *find(const counters *c, uint64_t address)
{
    const size_t at = place_of(c, address);

    return at < c->nr && c->all[at].address == address ? &c->all[at] : NULL;
}

static void add_counter(counters *c, uint64_t address)
{
    const size_t at = place_of(c, address);

    if (at < c->nr && c->all[at].address == address)
        return;

    counter *more = cs_room(c->all, &c->room, c->nr, sizeof *more);
    if (more == NULL) {
        c->starved = true;
        return;
    }
    c->all = more;
    memmove(c->all + at + 1, c->all + at, (c->nr++ - at) * sizeof *c->all);
    c->all[at] = (counter){.address = address};
}

static const table *table_of(const counters *c, uint64_t address)
{
    for (size_t i = 0; i < c->nr_tables; i++)
        if (address >= c->tables[i].first && address - c->tables[i].first < c->tables[i].size)
            return &c->tables[i];
    return NULL;
}

/* The tally of what lies at that place of a table; one without a name where the catalog has none. */
static size_t tally_of(counters *c, uint64_t address, uint64_t id)
{
    const table *t = table_of(c, address);
    const cs_imc_event *event =
        cs_imc_catalog_at(c->catalog, t->domain, (uint32_t)(address - t->first), NULL);
    tally like = {.cpu = t->cpu, .id = id, .scale = 1};

    if (event != NULL) {
        snprintf(like.name, sizeof like.name, "%s/%s/", event->of->pmu, event->name);
        like.scale = event->scale != NULL ? strtod(event->scale, NULL) : 1;
        for (size_t i = 0; i < c->nr_tallies; i++)
            if (c->tallies[i].cpu == like.cpu && c->tallies[i].id == id &&
                strcmp(c->tallies[i].name, like.name) == 0)
                return i;
    }

    tally *more = cs_room(c->tallies, &c->room_tallies, c->nr_tallies, sizeof *more);
    if (more == NULL) {
        c->starved = true;
        return 0;
    }
    c->tallies = more;
    c->tallies[c->nr_tallies] = like;
    return c->nr_tallies++;
}

/* NULL: no memory. */
static reader *reader_of(counters *c, uint64_t address, uint64_t id)
{
    for (size_t i = 0; i < c->nr_readers; i++)
        if (c->readers[i].address == address && c->readers[i].id == id)
            return &c->readers[i];

    const size_t tally = tally_of(c, address, id);
    reader *more = cs_room(c->readers, &c->room_readers, c->nr_readers, sizeof *more);
    if (more == NULL || c->starved) {
        c->starved = true;
        return NULL;
    }
    c->readers = more;
    c->readers[c->nr_readers] = (reader){.address = address, .id = id, .tally = tally};
    return &c->readers[c->nr_readers++];
}

/* Of all that is read only what lies in a table is a counter. */
static void keep_counters(counters *c)
{
    size_t kept = 0;

    for (size_t i = 0; i < c->nr; i++)
        if (table_of(c, c->all[i].address) != NULL)
            c->all[kept++] = c->all[i];
    c->nr = c->starved ? 0 : kept;
}

static void look(counters *c, FILE *log)
{
    char text[LINE_BYTES];

    add_table(c, (table){CS_IMC_DOMAIN_NEST, CS_GUEST_NEST, WINDOW_BYTES, 0});
    while (fgets(text, sizeof text, log) != NULL) {
        const line l = split(text);

        if (l.kind == 'M' && l.count >= 3) {
            add_counter(c, l.f[2]);
        } else if (l.kind == 'B' && l.count == 3) {
            const cs_imc_domain domain = (cs_imc_domain)l.f[0];
            const int cpu =
                domain == CS_IMC_DOMAIN_CORE ? (int)((unsigned)l.f[2] * c->threads) : NO_CPU;

            add_table(c, (table){domain, l.f[1], TABLE_BYTES, cpu});
        }
    }
    keep_counters(c);
}

/* ---- what happened to them ---- */

static void put(sqlite3_stmt *insert, const uint64_t *values, int count)
{
    for (int i = 0; i < count; i++)
        sqlite3_bind_int64(insert, i + 1, (sqlite3_int64)values[i]);
    sqlite3_step(insert);
    sqlite3_reset(insert);
}

static void posted(counters *c, const line *l)
{
    for (unsigned i = 3; i < l->count; i++) {
        const uint64_t address = l->f[2] + 8 * (i - 3);
        counter *to = find(c, address);

        if (to == NULL)
            continue;
        to->value += l->f[i];
        put(c->post, (uint64_t[]){l->f[0], l->f[1], address, l->f[i]}, 4);
    }
}

/* Zeros, or one word. */
static void written(counters *c, uint64_t address, uint64_t bytes, uint64_t word)
{
    for (size_t at = place_of(c, address); at < c->nr && c->all[at].address < address + bytes; at++)
        c->all[at].value = c->all[at].address == address ? word : 0;
}

/* `cycle` 0: when the file begins to be put out. */
static void put_told(counters *c, const tally *of, uint64_t cycle)
{
    sqlite3_bind_text(c->told, 1, of->name, -1, SQLITE_STATIC);
    sqlite3_bind_int64(c->told, 2, of->cpu);
    sqlite3_bind_int64(c->told, 3, (sqlite3_int64)of->rounds);
    sqlite3_bind_int64(c->told, 4, (sqlite3_int64)of->count);
    sqlite3_bind_double(c->told, 5, of->scale);
    sqlite3_bind_int64(c->told, 6, (sqlite3_int64)of->counted);
    sqlite3_bind_int64(c->told, 7, (sqlite3_int64)cycle);
    sqlite3_bind_int64(c->told, 8, (sqlite3_int64)of->id);
    sqlite3_step(c->told);
    sqlite3_reset(c->told);
}

static void was_read(counters *c, const line *l)
{
    static const char *const names[BRIDGE_ROLES] = {"trace", "begin", "read", "end"};
    const unsigned role = (unsigned)l->f[0];
    const counter *at = find(c, l->f[2]);
    reader *of = at != NULL && role < BRIDGE_ROLES ? reader_of(c, at->address, l->f[4]) : NULL;

    if (of == NULL)
        return;

    tally *to = &c->tallies[of->tally];
    if (role != BRIDGE_BEGIN && of->active) {
        to->count += at->value - of->read;
        to->counted += l->f[3] - of->counted;
    }
    of->active = role != BRIDGE_END;
    of->read = at->value;
    of->counted = l->f[3];
    to->rounds += to->rounds == 0;
    to->fresh = true;
    sqlite3_bind_text(c->read, 3, names[role], -1, SQLITE_STATIC);
    sqlite3_bind_text(c->read, 4, to->name, -1, SQLITE_STATIC);
    sqlite3_bind_int64(c->read, 5, (sqlite3_int64)of->address);
    sqlite3_bind_int64(c->read, 6, (sqlite3_int64)at->value);
    sqlite3_bind_int64(c->read, 7, (sqlite3_int64)l->f[3]);
    sqlite3_bind_int64(c->read, 8, (sqlite3_int64)of->id);
    put(c->read, (uint64_t[]){++c->nr_reads, l->f[1]}, 2);
    if (role == BRIDGE_READ) {
        put_told(c, to, l->f[1]);
        to->rounds++;
    }
}

/* The last round is what perf reads when the events have ended. An event whose id is known may not have
 * ended: then another file has the last. */
static void put_last(counters *c, tally *of)
{
    if (of->last != 0) {
        sqlite3_bind_int64(c->drop, 1, of->last);
        sqlite3_step(c->drop);
        sqlite3_reset(c->drop);
    }
    put_told(c, of, 0);
    if (of->id != 0)
        of->last = sqlite3_last_insert_rowid(c->db);
    else
        of->rounds = of->count = of->counted = 0;
    of->fresh = false;
}

/* What was counted until here is in the file that is put out. */
static void file_begins(counters *c, sqlite3_stmt *name, const char *text)
{
    for (size_t i = 0; i < c->nr_tallies; i++)
        if (c->tallies[i].fresh)
            put_last(c, &c->tallies[i]);
    text += strspn(text, " ");
    sqlite3_bind_text(name, 1, text, (int)strcspn(text, "\n"), SQLITE_STATIC);
    sqlite3_step(name);
    sqlite3_reset(name);
}

static void follow(counters *c, sqlite3_stmt *name, FILE *log)
{
    char text[LINE_BYTES];

    while (fgets(text, sizeof text, log) != NULL) {
        const line l = split(text);

        if (l.kind == 'A' && l.count >= 4)
            posted(c, &l);
        else if (l.kind == 'W' && l.count == 3)
            written(c, l.f[0], l.f[1], l.f[2]);
        else if (l.kind == 'M' && l.count == 5)
            was_read(c, &l);
        else if (l.kind == 'N')
            file_begins(c, name, l.text);
    }
}

cs_status cs_power_write_counters(sqlite3 *db, const cs_scenario *scenario, FILE *log,
                                  cs_diag *diag)
{
    counters c = {.catalog = scenario->imc->catalog, .threads = scenario->guest->threads, .db = db};
    sqlite3_stmt *name = NULL;
    const struct {
        sqlite3_stmt **to;
        const char *sql;
    } inserts[] = {
        {&c.post, "INSERT INTO guest_post VALUES(?,?,?,?)"},
        {&c.read, "INSERT INTO guest_read VALUES(?,?,?,?,?,?,?,?)"},
        {&c.told, "INSERT INTO guest_told VALUES(NULL,?,?,?,?,?,?,nullif(?,0),?)"},
        {&c.drop, "DELETE FROM guest_told WHERE rowid=?"},
        {&name, "UPDATE guest_told SET file=? WHERE file IS NULL"},
    };
    bool good = sqlite3_exec(db, tables, NULL, NULL, NULL) == SQLITE_OK;

    for (size_t i = 0; i < sizeof inserts / sizeof inserts[0]; i++)
        good = good && sqlite3_prepare_v2(db, inserts[i].sql, -1, inserts[i].to, NULL) == SQLITE_OK;
    rewind(log);
    look(&c, log);
    rewind(log);
    if (good)
        follow(&c, name, log);
    for (size_t i = 0; i < sizeof inserts / sizeof inserts[0]; i++)
        sqlite3_finalize(*inserts[i].to);
    free(c.all);
    free(c.readers);
    free(c.tallies);
    if (c.starved)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, "the guest", "the truth of its counters");
    return good ? CS_OK : cs_diag_set(diag, CS_ERR_IO, "truth", "SQLite: %s", sqlite3_errmsg(db));
}
