// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <inttypes.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sqlite_path.h"
#include "guest/hpm/caches.h"
#include "guest/hpm/kinds.h"
#include "guest/hpm/parts.h"
#include "guest/images.h"
#include "guest/imc/bridge.h"
#include "guest/imc/counters.h"
#include "guest/imc/parts.h"
#include "guest/log.h"
#include "guest/warnings.h"
#include "scenario/guest/guest_spec.h"

#define CLOCK_MHZ 1000
#define MOST_FIELDS 11
#define NAME_BYTES 64

static const char tables[] =
    "CREATE TABLE run(key TEXT PRIMARY KEY, value) WITHOUT ROWID;"
    "CREATE TABLE guest_record(number INTEGER PRIMARY KEY, session INTEGER, cycle INTEGER, "
    "timebase INTEGER, ip INTEGER, pid_register INTEGER, mode INTEGER, address INTEGER, cpu "
    "INTEGER, "
    "process INTEGER, file TEXT, function TEXT, event INTEGER);"
    "CREATE TABLE guest_taken(seq INTEGER PRIMARY KEY, record INTEGER, process INTEGER, event "
    "INTEGER);"
    "CREATE TABLE guest_session(session INTEGER PRIMARY KEY, cycle INTEGER, buffer INTEGER, cpu "
    "INTEGER, event INTEGER);"
    "CREATE TABLE guest_overflow(number INTEGER PRIMARY KEY, cycle INTEGER, ip INTEGER, mode "
    "INTEGER, cpu INTEGER, process INTEGER, file TEXT, function TEXT, counter INTEGER, excess "
    "INTEGER, event INTEGER, takes INTEGER);"
    "CREATE TABLE guest_interrupt(overflow INTEGER PRIMARY KEY, skid INTEGER, cause INTEGER);"
    "CREATE TABLE guest_stopped(overflow INTEGER PRIMARY KEY);"
    "CREATE TABLE guest_stale(record INTEGER PRIMARY KEY);"
    "CREATE TABLE guest_looked(seq INTEGER PRIMARY KEY, event INTEGER, cpu INTEGER, count "
    "INTEGER);"
    "CREATE TABLE guest_counted(event INTEGER, cpu INTEGER, count INTEGER, times INTEGER, PRIMARY "
    "KEY(event, cpu)) WITHOUT ROWID;"
    "CREATE TABLE guest_process(process INTEGER, cycle INTEGER, parent INTEGER, name TEXT);"
    "CREATE TABLE guest_mapping(process INTEGER, first INTEGER, last INTEGER, file TEXT);"
    "CREATE TABLE guest_count(file TEXT, name TEXT, process INTEGER, mode INTEGER, cpu INTEGER, "
    "counted_by TEXT, event INTEGER, count INTEGER, cycles INTEGER, PRIMARY KEY(file, name, "
    "process, mode, cpu, counted_by, event)) WITHOUT ROWID;"
    "CREATE TABLE guest_outcome(what TEXT, file TEXT, name TEXT, process INTEGER, mode INTEGER, "
    "cpu "
    "INTEGER, event INTEGER, count INTEGER, PRIMARY KEY(what, file, name, process, mode, cpu, "
    "event)) WITHOUT ROWID";

typedef struct truth {
    sqlite3 *db;
    cs_images *images;
    sqlite3_stmt *record, *overflow, *interrupt, *stopped, *stale, *looked, *counted, *taken,
        *session, *process, *mapping, *count, *outcome;
    const cs_scenario *scenario;
    cs_guest_result *result;
    cs_status status;
    cs_diag *diag;
    char wrong[160]; /* the first X */
    bool ended;
} truth;

/* ---- rows ---- */

static void put(sqlite3_stmt *insert, const uint64_t *values, int count)
{
    for (int i = 0; i < count; i++)
        sqlite3_bind_int64(insert, i + 1, (sqlite3_int64)values[i]);
    sqlite3_step(insert);
    sqlite3_reset(insert);
}

static void put_place(sqlite3_stmt *insert, int at, cs_images_place place)
{
    sqlite3_bind_text(insert, at, place.file, -1, SQLITE_STATIC);
    sqlite3_bind_text(insert, at + 1, place.function, -1, SQLITE_STATIC);
}

/* Of a line C, whose kind is an outcome: which. */
static void put_outcome(const truth *t, const char *what, const uint64_t f[])
{
    const uint32_t image = (uint32_t)f[0];

    sqlite3_bind_text(t->outcome, 1, what, -1, SQLITE_STATIC);
    put_place(t->outcome, 2, cs_images_find(t->images, image, f[1], (unsigned)f[3]));
    sqlite3_bind_int64(t->outcome, 4, cs_images_process(t->images, image));
    sqlite3_bind_int64(t->outcome, 5, (sqlite3_int64)f[3]);
    sqlite3_bind_int64(t->outcome, 6, (sqlite3_int64)f[4]);
    sqlite3_bind_int64(t->outcome, 7, (sqlite3_int64)f[7]);
    sqlite3_bind_int64(t->outcome, 8, (sqlite3_int64)f[2]);
    sqlite3_step(t->outcome);
    sqlite3_reset(t->outcome);
}

/* C image pc count mode cpu kind by event */
static void put_count(truth *t, const uint64_t f[])
{
    static const char *const names[] = {
        [BRIDGE_NOBODY] = "none",      [BRIDGE_BY_TRACE] = "trace", [BRIDGE_LEFT_OUT] = "left",
        [BRIDGE_BY_THREAD] = "thread", [BRIDGE_BY_CORE] = "core",   [BRIDGE_BY_NEST] = "nest",
        [CS_GUEST_BY_EVENT] = "event"};
    const bool power = t->scenario->guest->kind == CS_GUEST_POWER9;
    const uint32_t image = (uint32_t)f[0];

    if (!power && f[5] >= CS_RISCV_KINDS && f[5] - CS_RISCV_KINDS < CS_RISCV_OUTCOMES) {
        put_outcome(t, cs_riscv_outcomes[f[5] - CS_RISCV_KINDS], f);
        return;
    }
    if (f[5] >= (power ? CS_POWER_KINDS : CS_RISCV_KINDS) || f[6] >= sizeof names / sizeof names[0])
        return;
    const uint64_t cycles = f[2] * (power ? cs_power_cycles(t->scenario, (unsigned)f[5])
                                          : cs_riscv_cycles(t->scenario, (unsigned)f[5]));

    t->result->counted += f[2];
    t->result->counted_cycles += cycles;
    if (f[6] == BRIDGE_BY_TRACE || f[6] == CS_GUEST_BY_EVENT)
        t->result->traced += f[2];
    put_place(t->count, 1, cs_images_find(t->images, image, f[1], (unsigned)f[3]));
    sqlite3_bind_int64(t->count, 3, cs_images_process(t->images, image));
    sqlite3_bind_int64(t->count, 4, (sqlite3_int64)f[3]);
    sqlite3_bind_int64(t->count, 5, (sqlite3_int64)f[4]);
    sqlite3_bind_text(t->count, 6, names[f[6]], -1, SQLITE_STATIC);
    sqlite3_bind_int64(t->count, 7, (sqlite3_int64)f[7]);
    sqlite3_bind_int64(t->count, 8, (sqlite3_int64)f[2]);
    sqlite3_bind_int64(t->count, 9, (sqlite3_int64)cycles);
    sqlite3_step(t->count);
    sqlite3_reset(t->count);
}

static void see_cycle(cs_guest_result *result, uint64_t cycle)
{
    result->last_cycle = cycle > result->last_cycle ? cycle : result->last_cycle;
}

/* R number session cycle tb ip pid mode address cpu image event */
static void put_record(truth *t, const uint64_t f[])
{
    const uint32_t image = (uint32_t)f[9];

    t->result->records++;
    see_cycle(t->result, f[2]);
    put_place(t->record, 11, cs_images_find(t->images, image, f[4], (unsigned)f[6]));
    sqlite3_bind_int64(t->record, 10, cs_images_process(t->images, image));
    sqlite3_bind_int64(t->record, 13, (sqlite3_int64)f[10]);
    put(t->record, f, 9);
}

/* O number cycle ip mode cpu image counter excess event takes */
static void put_overflow(truth *t, const uint64_t f[])
{
    const uint32_t image = (uint32_t)f[5];

    see_cycle(t->result, f[1]);
    put_place(t->overflow, 7, cs_images_find(t->images, image, f[2], (unsigned)f[3]));
    sqlite3_bind_int64(t->overflow, 6, cs_images_process(t->images, image));
    sqlite3_bind_int64(t->overflow, 9, (sqlite3_int64)f[6]);
    for (int i = 7; i < 10; i++)
        sqlite3_bind_int64(t->overflow, i + 3, (sqlite3_int64)f[i]);
    put(t->overflow, f, 5);
}

/* The last word of a line. */
static void last_word(const char *line, char word[NAME_BYTES])
{
    const size_t length = strcspn(line, "\n");
    size_t from = length;

    while (from > 0 && line[from - 1] != ' ')
        from--;
    snprintf(word, NAME_BYTES, "%.*s", (int)(length - from), line + from);
}

/* I image process cycle from name */
static void put_image(truth *t, const uint64_t f[], const char *line)
{
    char name[NAME_BYTES];

    last_word(line, name);
    if (t->status == CS_OK)
        t->status =
            cs_images_add(t->images, (uint32_t)f[0], (uint32_t)f[1], (uint32_t)f[3], t->diag);
    sqlite3_bind_text(t->process, 4, name, -1, SQLITE_STATIC);
    put(t->process, (uint64_t[]){f[1], f[2], cs_images_process(t->images, (uint32_t)f[3])}, 3);
}

/* F image address bytes page file */
static void put_mapping(truth *t, const uint64_t f[], const char *line)
{
    char name[NAME_BYTES];

    last_word(line, name);
    if (t->status == CS_OK)
        t->status = cs_images_map(t->images, (uint32_t)f[0], f[1], f[2], name, t->diag);
    sqlite3_bind_text(t->mapping, 4, name, -1, SQLITE_STATIC);
    put(t->mapping,
        (uint64_t[]){cs_images_process(t->images, (uint32_t)f[0]), f[1], f[1] + f[2] - 1}, 3);
}

static void read_line(truth *t, const char *line)
{
    uint64_t f[MOST_FIELDS] = {0};
    const char *at = line + 1;
    char *end;
    int count = 0;

    if (line[0] == 'X') {
        if (t->wrong[0] == '\0')
            snprintf(t->wrong, sizeof t->wrong, "%.*s", (int)strcspn(line + 2, "\n"), line + 2);
        return;
    }
    for (; count < MOST_FIELDS; count++, at = end) {
        f[count] = strtoull(at, &end, 16);
        if (end == at)
            break;
    }
    if (line[0] == 'R' && count == 11) {
        put_record(t, f);
    } else if (line[0] == 'O' && count == 10) {
        put_overflow(t, f);
    } else if (line[0] == 'T' && count == 3) {
        put(t->interrupt, f, 3);
    } else if (line[0] == 'L' && count == 1) {
        put(t->stopped, f, 1);
    } else if (line[0] == 'K' && count == 1) {
        put(t->stale, f, 1);
    } else if (line[0] == 'Q' && count == 3) {
        put(t->looked, f, 3);
    } else if (line[0] == 'P' && count == 3) {
        put(t->counted, f, 3);
    } else if (line[0] == 'D' && count == 3) {
        put(t->taken, (uint64_t[]){++t->result->taken, f[0], f[1], f[2]}, 4);
    } else if (line[0] == 'S' && count == 5) {
        put(t->session, f, 5);
    } else if (line[0] == 'I' && count >= 4) {
        put_image(t, f, line);
    } else if (line[0] == 'F' && count >= 4) {
        put_mapping(t, f, line);
    } else if (line[0] == 'C' && count == 8) {
        put_count(t, f);
    } else if (line[0] == 'E' && count == 3) {
        t->result->instructions = f[0];
        t->result->busy_cycles = f[1] - f[2];
        t->result->idle_cycles = f[2];
        t->ended = true;
    }
}

static void put_facts(const truth *t, const cs_scenario *s, sqlite3_stmt *insert)
{
    const struct {
        const char *key;
        uint64_t value;
    } facts[] = {{"clock_mhz", CLOCK_MHZ},
                 {"core_mhz", CLOCK_MHZ},
                 {"seed", s->seed},
                 {"samples_truth", 1},
                 {"instructions", t->result->instructions},
                 {"busy_cycles", t->result->busy_cycles},
                 {"idle_cycles", t->result->idle_cycles},
                 {"traced_instructions", t->result->traced}};

    for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++) {
        sqlite3_bind_text(insert, 1, facts[i].key, -1, SQLITE_STATIC);
        sqlite3_bind_int64(insert, 2, (sqlite3_int64)facts[i].value);
        sqlite3_step(insert);
        sqlite3_reset(insert);
    }
    sqlite3_bind_text(insert, 1, "guest", -1, SQLITE_STATIC);
    sqlite3_bind_text(insert, 2, cs_guest_machine_of(s->guest->kind)->kind, -1, SQLITE_STATIC);
    sqlite3_step(insert);
    sqlite3_reset(insert);
    sqlite3_bind_text(insert, 1, "scenario", -1, SQLITE_STATIC);
    sqlite3_bind_text(insert, 2, s->name, -1, SQLITE_STATIC);
    sqlite3_step(insert);
    sqlite3_reset(insert);
}

static void find_top(const truth *t)
{
    static const char sql[] = "SELECT file, name, sum(count), sum(cycles) FROM guest_count GROUP "
                              "BY file, name ORDER BY 4 DESC, 1, 2";
    cs_guest_result *r = t->result;
    sqlite3_stmt *rows = NULL;

    if (sqlite3_prepare_v2(t->db, sql, -1, &rows, NULL) == SQLITE_OK)
        while (r->nr_top < CS_GUEST_TOP && sqlite3_step(rows) == SQLITE_ROW) {
            cs_guest_top *top = &r->top[r->nr_top++];

            snprintf(top->file, sizeof top->file, "%s", sqlite3_column_text(rows, 0));
            snprintf(top->function, sizeof top->function, "%s", sqlite3_column_text(rows, 1));
            top->instructions = (uint64_t)sqlite3_column_int64(rows, 2);
            top->cycles = (uint64_t)sqlite3_column_int64(rows, 3);
        }
    sqlite3_finalize(rows);
}

static void fill(truth *t, const cs_scenario *s, FILE *log)
{
    sqlite3_stmt *facts = NULL;
    const struct {
        sqlite3_stmt **to;
        const char *sql;
    } inserts[] = {
        {&t->record, "INSERT INTO guest_record VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?)"},
        {&t->overflow, "INSERT INTO guest_overflow VALUES(?,?,?,?,?,?,?,?,?,?,?,?)"},
        {&t->interrupt, "INSERT OR IGNORE INTO guest_interrupt VALUES(?,?,?)"},
        {&t->stopped, "INSERT OR IGNORE INTO guest_stopped VALUES(?)"},
        {&t->stale, "INSERT OR IGNORE INTO guest_stale VALUES(?)"},
        {&t->looked, "INSERT INTO guest_looked VALUES(NULL,?,?,?)"},
        {&t->counted, "INSERT INTO guest_counted VALUES(?,?,?,1) ON CONFLICT DO UPDATE SET "
                      "count=count+excluded.count, times=times+1"},
        {&t->taken, "INSERT INTO guest_taken VALUES(?,?,?,?)"},
        {&t->session, "INSERT INTO guest_session VALUES(?,?,?,?,?)"},
        {&t->process, "INSERT INTO guest_process VALUES(?,?,?,?)"},
        {&t->mapping, "INSERT INTO guest_mapping VALUES(?,?,?,?)"},
        {&t->count, "INSERT INTO guest_count VALUES(?,?,?,?,?,?,?,?,?) ON CONFLICT DO UPDATE "
                    "SET count=count+excluded.count, cycles=cycles+excluded.cycles"},
        {&t->outcome, "INSERT INTO guest_outcome VALUES(?,?,?,?,?,?,?,?) ON CONFLICT DO UPDATE SET "
                      "count=count+excluded.count"},
        {&facts, "INSERT INTO run VALUES(?,?)"},
    };
    bool good = true;
    char line[256];

    for (size_t i = 0; i < sizeof inserts / sizeof inserts[0]; i++)
        good =
            good && sqlite3_prepare_v2(t->db, inserts[i].sql, -1, inserts[i].to, NULL) == SQLITE_OK;
    while (good && !t->ended && fgets(line, sizeof line, log) != NULL)
        read_line(t, line);
    if (good)
        put_facts(t, s, facts);
    find_top(t);
    for (size_t i = 0; i < sizeof inserts / sizeof inserts[0]; i++)
        sqlite3_finalize(*inserts[i].to);
}

cs_status cs_guest_write_truth(const cs_scenario *scenario, const cs_guest_place *place,
                               const char *log, const char *path, cs_guest_result *result,
                               cs_diag *diag)
{
    char name[CS_GUEST_PATH + CS_SQLITE_PATH_MORE];
    truth t = {.scenario = scenario, .result = result, .diag = diag};
    char folder[CS_GUEST_PATH];
    FILE *lines = fopen(log, "r");
    cs_status status;

    if (lines == NULL)
        return cs_diag_set(diag, CS_ERR_IO, log, "the plugin has written nothing: %s",
                           strerror(errno));
    snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(log, '/') - log), log);
    status = cs_images_create(scenario, place, folder, &t.images, diag);
    if (status == CS_OK) {
        bool good = sqlite3_open(cs_sqlite_path(path, name, sizeof name), &t.db) == SQLITE_OK &&
                    sqlite3_exec(t.db, "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; BEGIN",
                                 NULL, NULL, NULL) == SQLITE_OK &&
                    sqlite3_exec(t.db, tables, NULL, NULL, NULL) == SQLITE_OK;

        if (good)
            fill(&t, scenario, lines);
        status = t.status;
        if (good && status == CS_OK && scenario->guest->kind == CS_GUEST_POWER9)
            status = cs_power_write_counters(t.db, scenario, lines, diag);
        if (good && status == CS_OK && scenario->guest->kind == CS_GUEST_RISCV64)
            status = cs_riscv_write_asked(t.db, lines, diag);
        if (good)
            cs_guest_warn(t.db, result);
        good = good && sqlite3_exec(t.db, "COMMIT", NULL, NULL, NULL) == SQLITE_OK;
        if (status == CS_OK && (!good || sqlite3_errcode(t.db) == SQLITE_FULL))
            status = cs_diag_set(diag, CS_ERR_IO, path, "SQLite: %s", sqlite3_errmsg(t.db));
        sqlite3_close(t.db);
    }
    fclose(lines);
    cs_images_destroy(t.images);
    if (status == CS_OK && t.wrong[0] != '\0')
        status = cs_diag_set(diag, CS_ERR_IO, "the guest", "%s", t.wrong);
    if (status == CS_OK && !t.ended)
        status = cs_diag_set(diag, CS_ERR_IO, "the guest",
                             "the plugin has not ended, or had no space for its log");
    return status;
}
