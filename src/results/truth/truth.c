// SPDX-License-Identifier: Apache-2.0
#include "results/truth/truth.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/sqlite_path.h"
#include "results/parts.h"
#include "scenario/cpus.h"
#include "scenario/machine/bus_spec.h"
#include "scenario/machine/keep_spec.h"
#include <countersink/base/bus/bus_port.h>
#include <countersink/base/probe/probe.h>

static const cs_truth_table run_table = {
    "CREATE TABLE run(key TEXT PRIMARY KEY, value) WITHOUT ROWID", "INSERT INTO run VALUES(?,?)"};
static const cs_truth_table cpu_table = {
    "CREATE TABLE cpu(cpu INTEGER PRIMARY KEY, cluster INTEGER, slot INTEGER, state TEXT)",
    "INSERT INTO cpu VALUES(?,?,?,?)"};
static const cs_truth_table *const own_tables[] = {&run_table, &cpu_table, NULL};

struct cs_truth_rows {
    const cs_truth_table *table;
    sqlite3_stmt *insert;
    cs_truth *truth;
};

struct cs_truth {
    sqlite3 *db;
    cs_truth_rows *rows; /* by table, in the order in which they were made */
    size_t nr_tables;
    char path[4096];
    bool failed;
};

static cs_status sql_error(const cs_truth *t, cs_diag *diag)
{
    char why[256];

    return cs_diag_set(diag, CS_ERR_IO, t->path, "%s",
                       cs_sqlite_why(t->path, sqlite3_errmsg(t->db), why, sizeof why));
}

static bool execute(cs_truth *t, const char *sql)
{
    return sqlite3_exec(t->db, sql, NULL, NULL, NULL) == SQLITE_OK;
}

/* ---- rows ---- */

cs_truth_rows *cs_truth_rows_of(cs_truth *t, const cs_truth_table *table)
{
    cs_truth_rows *rows = t->rows;

    while (rows->table != table)
        rows++;
    return rows;
}

void cs_truth_put(cs_truth_rows *rows)
{
    if (sqlite3_step(rows->insert) != SQLITE_DONE)
        rows->truth->failed = true;
    sqlite3_reset(rows->insert);
}

void cs_truth_integers(cs_truth_rows *rows, int first, const uint64_t *values, int count)
{
    for (int i = 0; i < count; i++)
        sqlite3_bind_int64(rows->insert, first + i, (sqlite3_int64)values[i]);
}

void cs_truth_put_integers(cs_truth_rows *rows, const uint64_t *values, int count)
{
    cs_truth_integers(rows, 1, values, count);
    cs_truth_put(rows);
}

void cs_truth_real(cs_truth_rows *rows, int column, double value)
{
    sqlite3_bind_double(rows->insert, column, value);
}

void cs_truth_text(cs_truth_rows *rows, int column, const char *text)
{
    sqlite3_bind_text(rows->insert, column, text, -1, SQLITE_STATIC);
}

void cs_truth_null(cs_truth_rows *rows, int column)
{
    sqlite3_bind_null(rows->insert, column);
}

const char *cs_truth_response(uint8_t resp)
{
    return resp == CS_BUS_OKAY      ? "OKAY"
           : resp == CS_BUS_SLVERR  ? "SLVERR"
           : resp == CS_SAMPLE_LOST ? "lost"
                                    : "DECERR";
}

const char *cs_truth_direction(const cs_probe_record *r)
{
    return r->write ? "write" : "read";
}

/* ---- what the run is ---- */

void cs_truth_fact(cs_truth *t, const char *key, uint64_t value)
{
    cs_truth_rows *rows = cs_truth_rows_of(t, &run_table);

    cs_truth_text(rows, 1, key);
    cs_truth_integers(rows, 2, &value, 1);
    cs_truth_put(rows);
}

static void put_cpus(cs_truth *t, const cs_scenario *s)
{
    cs_truth_rows *rows = cs_truth_rows_of(t, &cpu_table);

    for (unsigned cpu = 0; cpu < cs_scenario_cpus(s); cpu++) {
        unsigned group, number;

        cs_scenario_cpu_place(s, cpu, &group, &number);
        cs_truth_integers(rows, 1, (uint64_t[]){cpu, group, number}, 3);
        cs_truth_text(rows, 4, cs_cpu_state_name(cs_scenario_cpu_state(s, cpu)));
        cs_truth_put(rows);
    }
}

static void put_run(cs_truth *t, const cs_scenario *s)
{
    cs_truth_rows *rows = cs_truth_rows_of(t, &run_table);

    cs_truth_text(rows, 1, "scenario");
    cs_truth_text(rows, 2, s->name);
    cs_truth_put(rows);
    cs_truth_fact(t, "seed", s->seed);
    cs_truth_fact(t, "clock_mhz", s->bus->clock_mhz);
    cs_truth_fact(t, "core_mhz", s->core_clock.mhz);
    cs_truth_fact(t, "samples_truth", s->keep->samples_truth);
}

/* ---- create, finish ---- */

static size_t count_tables(const cs_truth_table *const *tables)
{
    size_t n = 0;

    while (tables != NULL && tables[n] != NULL)
        n++;
    return n;
}

static bool make_tables(cs_truth *t, const cs_truth_table *const *tables)
{
    bool good = true;

    for (; good && tables != NULL && *tables != NULL; tables++) {
        cs_truth_rows *rows = &t->rows[t->nr_tables++];

        *rows = (cs_truth_rows){.table = *tables, .truth = t};
        good = execute(t, rows->table->create) &&
               sqlite3_prepare_v2(t->db, rows->table->insert, -1, &rows->insert, NULL) == SQLITE_OK;
    }
    return good;
}

/* The run's own, then those of each part. */
static bool make_all_tables(cs_truth *t, const cs_scenario *scenario)
{
    size_t nr = count_tables(own_tables);
    bool good;

    for (unsigned i = 0; i < CS_NR_PARTS; i++)
        nr += count_tables(cs_parts[i]->tables);
    t->rows = calloc(nr, sizeof *t->rows);
    good = t->rows != NULL && make_tables(t, own_tables);
    for (unsigned i = 0; i < CS_NR_PARTS && good; i++)
        if (cs_parts[i]->wanted == NULL || cs_parts[i]->wanted(scenario))
            good = make_tables(t, cs_parts[i]->tables);
    return good;
}

cs_status cs_truth_create(const char *path, const cs_scenario *scenario, cs_truth **out,
                          cs_diag *diag)
{
    char name[sizeof(((cs_truth *)0)->path) + CS_SQLITE_PATH_MORE];
    cs_truth *t = calloc(1, sizeof *t);
    cs_status status;
    bool good;

    *out = NULL;
    if (t == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for the truth");
    snprintf(t->path, sizeof t->path, "%s", path);
    good = sqlite3_open_v2(cs_sqlite_path(path, name, sizeof name), &t->db,
                           SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX,
                           NULL) == SQLITE_OK;
    /* One thread writes it: no mutex. It appears under its name when it is whole: no journal. */
    good = good && execute(t, "PRAGMA journal_mode=OFF") && execute(t, "PRAGMA synchronous=OFF") &&
           execute(t, "BEGIN") && make_all_tables(t, scenario);
    if (good) {
        put_run(t, scenario);
        put_cpus(t, scenario);
    }
    if (!good || t->failed) {
        status = sql_error(t, diag);
        cs_truth_abandon(t);
        return status;
    }
    *out = t;
    return CS_OK;
}

cs_status cs_truth_finish(cs_truth *t, cs_diag *diag)
{
    const cs_status status = execute(t, "COMMIT") && !t->failed ? CS_OK : sql_error(t, diag);

    cs_truth_abandon(t);
    return status;
}

void cs_truth_abandon(cs_truth *t)
{
    if (t == NULL)
        return;
    for (size_t i = 0; i < t->nr_tables; i++)
        sqlite3_finalize(t->rows[i].insert);
    sqlite3_close(t->db);
    free(t->rows);
    free(t);
}
