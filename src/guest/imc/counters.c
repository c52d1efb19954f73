/* The truth of counters: what memory should have said each time that the driver read it, and what the
 * files of perf that the guest puts out should say, therefore. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "formats/imc/catalog/catalog.h"
#include "guest/imc/bridge.h"
#include "guest/imc/counters.h"
#include "guest/imc/log.h"
#include "scenario/imc/imc_spec.h"

#define MOST_WORDS 16
#define LINE_BYTES 512
#define MOST_TABLES 64
#define TABLE_BYTES 0x2000u
#define WINDOW_BYTES 0x40000u

static const char tables[] =
    "CREATE TABLE guest_post(number INTEGER, cycle INTEGER, address INTEGER, value INTEGER);"
    "CREATE TABLE guest_read(seq INTEGER PRIMARY KEY, cycle INTEGER, role TEXT, event TEXT, "
    "address INTEGER, expected INTEGER, counted INTEGER);"
    "CREATE TABLE guest_told(file TEXT, event TEXT, round INTEGER, count INTEGER, "
    "scale REAL, counted INTEGER)";

/* A counter that the driver reads. */
typedef struct counter {
    uint64_t address;
    char name[2 * CS_IMC_MAX_NAME + 4]; /* "core_imc/CPM_CCYC/" */
    double scale;
    uint64_t value;                        /* that memory should have */
    uint64_t counted;                      /* at the last read, */
    uint64_t read;                         /* and what was read */
    uint64_t total, counted_total, rounds; /* since a file began */
    bool active;
} counter;

typedef struct counters {
    const cs_imc_catalog *catalog;
    counter *all; /* by rising addresses */
    size_t nr, room;
    struct {
        cs_imc_domain domain;
        uint64_t first, size;
    } tables[MOST_TABLES];
    size_t nr_tables;
    sqlite3_stmt *post, *read, *told;
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

static void add_table(counters *c, cs_imc_domain domain, uint64_t first, uint64_t size)
{
    for (size_t i = 0; i < c->nr_tables; i++)
        if (c->tables[i].domain == domain && c->tables[i].first == first)
            return;
    if (c->nr_tables < MOST_TABLES) {
        c->tables[c->nr_tables].domain = domain;
        c->tables[c->nr_tables].first = first;
        c->tables[c->nr_tables++].size = size;
    }
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
    if (c->nr == c->room) {
        const size_t room = 2 * c->room + 256;
        counter *more = realloc(c->all, room * sizeof *more);

        if (more == NULL) {
            c->starved = true;
            return;
        }
        c->all = more;
        c->room = room;
    }
    memmove(c->all + at + 1, c->all + at, (c->nr++ - at) * sizeof *c->all);
    c->all[at] = (counter){.address = address};
}

static bool is_counter(const counters *c, uint64_t address, const cs_imc_event **event)
{
    for (size_t i = 0; i < c->nr_tables; i++)
        if (address >= c->tables[i].first && address - c->tables[i].first < c->tables[i].size) {
            *event = cs_imc_catalog_at(c->catalog, c->tables[i].domain,
                                       (uint32_t)(address - c->tables[i].first), NULL);
            return true;
        }
    return false;
}

/* Of all that is read only what lies in a table is a counter. */
static void keep_counters(counters *c)
{
    size_t kept = 0;

    for (size_t i = 0; i < c->nr; i++) {
        const cs_imc_event *event;

        if (!is_counter(c, c->all[i].address, &event))
            continue;
        c->all[kept] = c->all[i];
        if (event != NULL) {
            snprintf(c->all[kept].name, sizeof c->all[kept].name, "%s/%s/", event->of->pmu,
                     event->name);
            c->all[kept].scale = event->scale != NULL ? strtod(event->scale, NULL) : 1;
        }
        kept++;
    }
    c->nr = kept;
}

static void look(counters *c, FILE *log)
{
    char text[LINE_BYTES];

    add_table(c, CS_IMC_DOMAIN_NEST, CS_GUEST_NEST, WINDOW_BYTES);
    while (fgets(text, sizeof text, log) != NULL) {
        const line l = split(text);

        if (l.kind == 'M' && l.count >= 3)
            add_counter(c, l.f[2]);
        else if (l.kind == 'B' && l.count == 2)
            add_table(c, (cs_imc_domain)l.f[0], l.f[1], TABLE_BYTES);
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

static void cleared(counters *c, uint64_t address, uint64_t bytes)
{
    for (size_t at = place_of(c, address); at < c->nr && c->all[at].address < address + bytes; at++)
        c->all[at].value = 0;
}

static void put_told(counters *c, const counter *of)
{
    sqlite3_bind_text(c->told, 1, of->name, -1, SQLITE_STATIC);
    sqlite3_bind_int64(c->told, 2, (sqlite3_int64)of->rounds);
    sqlite3_bind_int64(c->told, 3, (sqlite3_int64)of->total);
    sqlite3_bind_double(c->told, 4, of->scale);
    sqlite3_bind_int64(c->told, 5, (sqlite3_int64)of->counted_total);
    sqlite3_step(c->told);
    sqlite3_reset(c->told);
}

static void was_read(counters *c, const line *l)
{
    static const char *const names[BRIDGE_ROLES] = {"trace", "begin", "read", "end"};
    const unsigned role = (unsigned)l->f[0];
    counter *of = find(c, l->f[2]);

    if (of == NULL || role >= BRIDGE_ROLES)
        return;
    if (role != BRIDGE_BEGIN && of->active) {
        of->total += of->value - of->read;
        of->counted_total += l->f[3] - of->counted;
    }
    of->active = role != BRIDGE_END;
    of->read = of->value;
    of->counted = l->f[3];
    of->rounds += of->rounds == 0;
    sqlite3_bind_text(c->read, 3, names[role], -1, SQLITE_STATIC);
    sqlite3_bind_text(c->read, 4, of->name, -1, SQLITE_STATIC);
    sqlite3_bind_int64(c->read, 5, (sqlite3_int64)of->address);
    sqlite3_bind_int64(c->read, 6, (sqlite3_int64)of->value);
    sqlite3_bind_int64(c->read, 7, (sqlite3_int64)l->f[3]);
    put(c->read, (uint64_t[]){++c->nr_reads, l->f[1]}, 2);
    if (role == BRIDGE_READ) {
        put_told(c, of);
        of->rounds++;
    }
}

/* What was counted until here is in the file that is put out. The last round is what perf reads when
 * the events have ended. */
static void file_begins(counters *c, sqlite3_stmt *name, const char *text)
{
    for (size_t i = 0; i < c->nr; i++) {
        counter *of = &c->all[i];

        if (of->rounds > 0)
            put_told(c, of);
        of->rounds = of->total = of->counted_total = 0;
    }
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
        else if (l.kind == 'W' && l.count == 2)
            cleared(c, l.f[0], l.f[1]);
        else if (l.kind == 'M' && l.count == 4)
            was_read(c, &l);
        else if (l.kind == 'N')
            file_begins(c, name, l.text);
    }
}

cs_status cs_power_write_counters(sqlite3 *db, const cs_scenario *scenario, FILE *log,
                                  cs_diag *diag)
{
    counters c = {.catalog = scenario->imc->catalog};
    sqlite3_stmt *name = NULL;
    const struct {
        sqlite3_stmt **to;
        const char *sql;
    } inserts[] = {
        {&c.post, "INSERT INTO guest_post VALUES(?,?,?,?)"},
        {&c.read, "INSERT INTO guest_read VALUES(?,?,?,?,?,?,?)"},
        {&c.told, "INSERT INTO guest_told VALUES(NULL,?,?,?,?,?)"},
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
    if (c.starved)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, "the guest", "the truth of its counters");
    return good ? CS_OK : cs_diag_set(diag, CS_ERR_IO, "truth", "SQLite: %s", sqlite3_errmsg(db));
}
