// SPDX-License-Identifier: Apache-2.0
#include "pmu/truth.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/files/output.h"
#include "base/room.h"
#include "base/sqlite_path.h"

enum { RUN, NAMED, FORMAT, OPENED, READING, SAMPLE, LOSS, THROTTLE, NR_TABLES };

static const struct {
    const char *create, *insert;
} tables[NR_TABLES] = {
    [RUN] = {"CREATE TABLE run(key TEXT PRIMARY KEY, value) WITHOUT ROWID",
             "INSERT INTO run VALUES(?,?)"},
    [NAMED] = {"CREATE TABLE named(name TEXT PRIMARY KEY, type INTEGER, config INTEGER, scale "
               "REAL) WITHOUT ROWID",
               "INSERT INTO named VALUES(?,?,?,?)"},
    [FORMAT] = {"CREATE TABLE format(pmu TEXT, term TEXT, type INTEGER, low INTEGER, high INTEGER, "
                "PRIMARY KEY(pmu, term)) WITHOUT ROWID",
                "INSERT INTO format VALUES(?,?,?,?,?)"},
    [OPENED] = {"CREATE TABLE opened(id INTEGER PRIMARY KEY, type INTEGER, config INTEGER, config1 "
                "INTEGER, config2 INTEGER, period INTEGER, sample_type INTEGER, read_format "
                "INTEGER, flags INTEGER, tid INTEGER, cpu INTEGER)",
                "INSERT INTO opened VALUES(?,?,?,?,?,?,?,?,?,?,?)"},
    [READING] = {"CREATE TABLE reading(time_ns INTEGER, id INTEGER, last INTEGER, pid INTEGER, tid "
                 "INTEGER, value INTEGER, enabled_ns INTEGER, running_ns INTEGER, truth INTEGER)",
                 "INSERT INTO reading VALUES(?,?,?,?,?,?,?,?,?)"},
    [SAMPLE] =
        {"CREATE TABLE sample(time_ns INTEGER, id INTEGER, cpu INTEGER, pid INTEGER, tid "
         "INTEGER, period INTEGER, value INTEGER, truth INTEGER, lost INTEGER, ip INTEGER, pc "
         "INTEGER, function TEXT)",
         "INSERT INTO sample VALUES(?,?,?,?,?,?,?,?,?,?,?,?)"},
    [LOSS] = {"CREATE TABLE loss(time_ns INTEGER, id INTEGER, lost INTEGER)",
              "INSERT INTO loss VALUES(?,?,?)"},
    [THROTTLE] = {"CREATE TABLE throttle(time_ns INTEGER, id INTEGER, throttled INTEGER)",
                  "INSERT INTO throttle VALUES(?,?,?)"},
};

struct cs_pmu_truth {
    cs_output *output;
    sqlite3 *db;
    sqlite3_stmt *inserts[NR_TABLES];
    bool failed;
    bool numbered;
    uint32_t *numbers; /* number i + 1 is of the thread or process that came so late */
    size_t nr_numbers, room_numbers;
};

static cs_status sql_error(const cs_pmu_truth *truth, cs_diag *diag)
{
    const char *path = cs_output_name(truth->output, CS_OUTPUT_FIRST);
    char why[256];

    return cs_diag_set(diag, CS_ERR_IO, path, "%s",
                       cs_sqlite_why(path, sqlite3_errmsg(truth->db), why, sizeof why));
}

static bool execute(cs_pmu_truth *truth, const char *sql)
{
    return sqlite3_exec(truth->db, sql, NULL, NULL, NULL) == SQLITE_OK;
}

static bool make_tables(cs_pmu_truth *truth)
{
    bool good = execute(truth, "PRAGMA journal_mode=OFF") &&
                execute(truth, "PRAGMA synchronous=OFF") && execute(truth, "BEGIN");

    for (unsigned i = 0; i < NR_TABLES && good; i++)
        good = execute(truth, tables[i].create) &&
               sqlite3_prepare_v2(truth->db, tables[i].insert, -1, &truth->inserts[i], NULL) ==
                   SQLITE_OK;
    return good;
}

static void put_number(cs_pmu_truth *truth, const char *key, uint64_t value)
{
    sqlite3_stmt *insert = truth->inserts[RUN];

    sqlite3_bind_text(insert, 1, key, -1, SQLITE_STATIC);
    sqlite3_bind_int64(insert, 2, (int64_t)value);
    truth->failed |= sqlite3_step(insert) != SQLITE_DONE;
    sqlite3_reset(insert);
}

/* What tells it from the truth of a run, and what each truth has. */
static void put_run(cs_pmu_truth *truth, const cs_perf_machine *machine)
{
    sqlite3_stmt *insert = truth->inserts[RUN];

    sqlite3_bind_text(insert, 1, "kind", -1, SQLITE_STATIC);
    sqlite3_bind_text(insert, 2, "pmu", -1, SQLITE_STATIC);
    truth->failed |= sqlite3_step(insert) != SQLITE_DONE;
    sqlite3_reset(insert);
    put_number(truth, "clock_mhz", machine->clock_mhz);
    put_number(truth, "ids_above", machine->ids_above);
}

/* ---- names of events, as perf writes them ---- */

static bool ends_with(const char *text, const char *end)
{
    const size_t n = strlen(text), m = strlen(end);

    return n >= m && strcmp(text + n - m, end) == 0;
}

/* In its file beside the event's. */
static double scale_of(const cs_perf_system *pmu, const char *event)
{
    const size_t n = strlen(event);

    for (size_t i = 0; i < pmu->nr_events; i++) {
        const cs_perf_file *file = &pmu->events[i];

        if (strncmp(file->name, event, n) == 0 && strcmp(file->name + n, ".scale") == 0)
            return strtod(file->text, NULL);
    }
    return 1;
}

/* Where a term goes, of those that go into config. "config:0-7", "config:18"; config itself is all of it. */
static bool find_bits(const cs_perf_system *pmu, const char *term, size_t bytes, unsigned *low,
                      unsigned *high)
{
    *low = 0;
    *high = 63;
    if (bytes == strlen("config") && memcmp(term, "config", bytes) == 0)
        return true;
    for (size_t i = 0; i < pmu->nr_formats; i++) {
        const cs_perf_file *file = &pmu->formats[i];

        if (strlen(file->name) != bytes || memcmp(file->name, term, bytes) != 0)
            continue;
        const int read = sscanf(file->text, "config:%u-%u", low, high);

        if (read == 1)
            *high = *low;
        return read >= 1;
    }
    return false;
}

/* "event=0x2e,umask=0x41" */
static uint64_t config_of(const cs_perf_system *pmu, const char *terms)
{
    uint64_t config = 0;
    unsigned low, high;

    for (const char *term = terms; term != NULL; term = strchr(term, ',')) {
        term += *term == ',';
        const size_t bytes = strcspn(term, "=,");

        if (find_bits(pmu, term, bytes, &low, &high))
            config |= strtoull(term + bytes + 1, NULL, 0) << low;
    }
    return config;
}

static void put_format(cs_pmu_truth *truth, const cs_perf_system *pmu, const char *term)
{
    sqlite3_stmt *insert = truth->inserts[FORMAT];
    unsigned low, high;

    if (!find_bits(pmu, term, strlen(term), &low, &high))
        return;
    sqlite3_bind_text(insert, 1, pmu->name, -1, SQLITE_TRANSIENT);
    sqlite3_bind_text(insert, 2, term, -1, SQLITE_TRANSIENT);
    sqlite3_bind_int64(insert, 3, pmu->type);
    sqlite3_bind_int64(insert, 4, low);
    sqlite3_bind_int64(insert, 5, high);
    truth->failed |= sqlite3_step(insert) != SQLITE_DONE;
    sqlite3_reset(insert);
}

static void put_named(cs_pmu_truth *truth, const cs_perf_system *pmu, const cs_perf_file *file)
{
    sqlite3_stmt *insert = truth->inserts[NAMED];
    char name[512];

    if (strchr(file->text, '=') == NULL || ends_with(file->name, ".scale") ||
        ends_with(file->name, ".unit"))
        return;
    snprintf(name, sizeof name, "%s/%s/", pmu->name, file->name);
    sqlite3_bind_text(insert, 1, name, -1, SQLITE_TRANSIENT);
    sqlite3_bind_int64(insert, 2, pmu->type);
    sqlite3_bind_int64(insert, 3, (sqlite3_int64)config_of(pmu, file->text));
    sqlite3_bind_double(insert, 4, scale_of(pmu, file->name));
    truth->failed |= sqlite3_step(insert) != SQLITE_DONE;
    sqlite3_reset(insert);
}

static void put_words(cs_pmu_truth *truth, const cs_perf_system *pmu)
{
    put_format(truth, pmu, "config");
    for (size_t i = 0; i < pmu->nr_formats; i++)
        put_format(truth, pmu, pmu->formats[i].name);
    for (size_t i = 0; i < pmu->nr_events; i++)
        put_named(truth, pmu, &pmu->events[i]);
}

static void put_names(cs_pmu_truth *truth, const cs_perf_machine *machine)
{
    const cs_perf_core *core = machine->core;

    if (core != NULL)
        put_words(truth, &(cs_perf_system){.name = core->name,
                                           .type = core->type,
                                           .formats = core->formats,
                                           .nr_formats = core->nr_formats,
                                           .events = core->events,
                                           .nr_events = core->nr_events});
    for (size_t i = 0; i < machine->nr_systems; i++)
        put_words(truth, &machine->systems[i]);
}

cs_status cs_pmu_truth_begin(const char *path, bool numbered, const cs_perf_machine *machine,
                             cs_pmu_truth **out, cs_diag *diag)
{
    cs_pmu_truth *truth = calloc(1, sizeof *truth);
    const char *place;
    char name[4096 + CS_SQLITE_PATH_MORE];
    cs_status status;

    *out = NULL;
    if (truth == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for the truth");
    truth->numbered = numbered;
    status = cs_output_begin(path, 0, &truth->output, diag);
    if (status != CS_OK) {
        free(truth);
        return status;
    }
    place = cs_output_path(truth->output, CS_OUTPUT_FIRST);
    if (sqlite3_open_v2(cs_sqlite_path(place, name, sizeof name), &truth->db,
                        SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX,
                        NULL) != SQLITE_OK ||
        !make_tables(truth)) {
        status = sql_error(truth, diag);
        cs_pmu_truth_abandon(truth);
        return status;
    }
    put_run(truth, machine);
    put_names(truth, machine);
    *out = truth;
    return CS_OK;
}

/* ---- rows ---- */

static uint64_t number_of(cs_pmu_truth *truth, uint32_t tid)
{
    uint32_t *moved;

    if (!truth->numbered || tid == 0)
        return tid;
    for (size_t i = 0; i < truth->nr_numbers; i++)
        if (truth->numbers[i] == tid)
            return i + 1;
    moved = cs_room(truth->numbers, &truth->room_numbers, truth->nr_numbers, sizeof *moved);
    if (moved == NULL) {
        truth->failed = true;
        return 0;
    }
    truth->numbers = moved;
    truth->numbers[truth->nr_numbers++] = tid;
    return truth->nr_numbers;
}

static void put(cs_pmu_truth *truth, unsigned table, const uint64_t *values, int nr,
                const char *text)
{
    sqlite3_stmt *insert = truth->inserts[table];

    for (int i = 0; i < nr; i++)
        sqlite3_bind_int64(insert, i + 1, (sqlite3_int64)values[i]);
    if (table == SAMPLE)
        sqlite3_bind_text(insert, nr + 1, text, -1, SQLITE_STATIC);
    if (sqlite3_step(insert) != SQLITE_DONE)
        truth->failed = true;
    sqlite3_reset(insert);
}

#define PUT(truth, table, text, ...)                                                               \
    put(truth, table, (const uint64_t[]){__VA_ARGS__},                                             \
        (int)(sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t)), text)

void cs_pmu_truth_event(cs_pmu_truth *truth, const cs_perf_event *event)
{
    const cs_perf_attr *a = cs_perf_attr_of(event);

    PUT(truth, OPENED, NULL, cs_perf_id(event), a->type, a->config, a->config1, a->config2,
        a->sample_period, a->sample_type, a->read_format, a->flags,
        number_of(truth, cs_perf_tid_of(event)), (uint64_t)(int64_t)cs_perf_cpu_of(event));
}

void cs_pmu_truth_told(cs_pmu_truth *truth, const cs_perf_told *t)
{
    const uint64_t pid = number_of(truth, t->who.pid), tid = number_of(truth, t->who.tid);

    switch (t->kind) {
    case CS_PERF_TOLD_READ:
    case CS_PERF_TOLD_CLOSE:
        PUT(truth, READING, NULL, t->time_ns, t->id, t->kind == CS_PERF_TOLD_CLOSE, pid, tid,
            t->value, t->enabled_ns, t->running_ns, t->truth);
        break;
    case CS_PERF_TOLD_SAMPLE:
        PUT(truth, SAMPLE, t->function, t->time_ns, cs_perf_id(t->event), (uint64_t)(int64_t)t->cpu,
            pid, tid, t->period, t->value, t->truth, t->lost, t->ip, t->pc);
        break;
    case CS_PERF_TOLD_LOST:
        PUT(truth, LOSS, NULL, t->time_ns, t->id, t->lost);
        break;
    case CS_PERF_TOLD_THROTTLE:
    case CS_PERF_TOLD_UNTHROTTLE:
        PUT(truth, THROTTLE, NULL, t->time_ns, cs_perf_id(t->event),
            t->kind == CS_PERF_TOLD_THROTTLE);
        break;
    }
}

/* ---- the end ---- */

static void close_all(cs_pmu_truth *truth)
{
    for (unsigned i = 0; i < NR_TABLES; i++)
        sqlite3_finalize(truth->inserts[i]);
    sqlite3_close(truth->db);
    free(truth->numbers);
    free(truth);
}

cs_status cs_pmu_truth_finish(cs_pmu_truth *truth, cs_diag *diag)
{
    cs_output *output = truth->output;

    if (!execute(truth, "COMMIT") || truth->failed) {
        const cs_status status = sql_error(truth, diag);

        cs_pmu_truth_abandon(truth);
        return status;
    }
    close_all(truth);
    return cs_output_commit(output, diag);
}

void cs_pmu_truth_abandon(cs_pmu_truth *truth)
{
    if (truth == NULL)
        return;
    cs_output *output = truth->output;

    close_all(truth);
    cs_output_abandon(output);
}
