// SPDX-License-Identifier: Apache-2.0
/* The database of a check, and its rows. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/files/embedded.h"
#include "base/sqlite_foreign.h"
#include "check/impl.h"
#include "scenario/load.h"
#include "scenario/work/workload_spec.h"
#include "scenario/yaml/yaml.h"

extern const cs_embedded cs_check_sql[]; /* sql/ */

#define MOST_OF_REQUEST 4096u /* bytes of trace.json */

static cs_status no_memory(cs_checking *check)
{
    return cs_diag_set(check->diag, CS_ERR_NO_MEMORY, NULL, "out of memory");
}

static cs_status failed(cs_checking *check)
{
    const cs_status status = cs_sqlite_status(check->db);

    if (status == CS_ERR_NO_MEMORY)
        return no_memory(check);
    return cs_diag_set(check->diag, status, check->request->truth, "the truth: %s",
                       sqlite3_errmsg(check->db));
}

cs_status cs_check_do(cs_checking *check, const char *sql)
{
    return sqlite3_exec(check->db, sql, NULL, NULL, NULL) == SQLITE_OK ? CS_OK : failed(check);
}

cs_status cs_check_prepare(cs_checking *check, const char *sql, sqlite3_stmt **out)
{
    return sqlite3_prepare_v2(check->db, sql, -1, out, NULL) == SQLITE_OK ? CS_OK : failed(check);
}

void cs_check_text(cs_checking *check, sqlite3_stmt *insert, int at, const char *text, int bytes)
{
    check->starved |= sqlite3_bind_text(insert, at, text, bytes, SQLITE_TRANSIENT) == SQLITE_NOMEM;
}

cs_status cs_check_insert(cs_checking *check, sqlite3_stmt *insert, const int64_t *values,
                          unsigned nr_values)
{
    for (unsigned i = 0; i < nr_values; i++)
        sqlite3_bind_int64(insert, (int)i + 1, values[i]);
    if (check->starved)
        return no_memory(check);
    const bool good = sqlite3_step(insert) == SQLITE_DONE;
    const cs_status status = good ? CS_OK : failed(check);

    sqlite3_reset(insert);
    return status;
}

cs_status cs_check_do_text(cs_checking *check, sqlite3_str *sql)
{
    char *text = sqlite3_str_finish(sql);

    if (text == NULL)
        return no_memory(check);
    const cs_status status = cs_check_do(check, text);

    sqlite3_free(text);
    return status;
}

cs_status cs_check_do_all(cs_checking *check, const char *const statements[], size_t nr_statements)
{
    cs_status status = CS_OK;

    for (size_t i = 0; i < nr_statements && status == CS_OK; i++)
        status = cs_check_do(check, statements[i]);
    return status;
}

cs_status cs_check_number(cs_checking *check, const char *sql, int64_t *number)
{
    sqlite3_stmt *query = NULL;
    cs_status status = cs_check_prepare(check, sql, &query);

    if (status != CS_OK)
        return status;
    const int step = sqlite3_step(query);

    if (step == SQLITE_ROW && sqlite3_column_type(query, 0) != SQLITE_NULL)
        *number = sqlite3_column_int64(query, 0);
    if (step != SQLITE_ROW && step != SQLITE_DONE)
        status = failed(check);
    sqlite3_finalize(query);
    return status;
}

cs_status cs_check_any(cs_checking *check, const char *sql, bool *any)
{
    int64_t number = 0;
    const cs_status status = cs_check_number(check, sql, &number);

    *any = number != 0;
    return status;
}

cs_status cs_check_clock(cs_checking *check, int64_t *mhz)
{
    *mhz = 0;
    const cs_status status =
        cs_check_number(check, "SELECT value FROM truth.run WHERE key='clock_mhz'", mhz);

    return status != CS_OK || *mhz > 0
               ? status
               : cs_diag_set(check->diag, CS_ERR_FORMAT, check->request->truth,
                             "a clock of %" PRId64 " MHz", *mhz);
}

/* ---- rows ---- */

enum { WHAT, EVENT, CPU, EXPECTED, FOUND, DIFFER, BOUND, FIRST, NR_QUERY };
enum { NR_CELLS = NR_QUERY + 1 };

static const cs_table_column columns[NR_CELLS] = {
    {"what", CS_CELL_NAME, 0, 16},  {"event", CS_CELL_NAME, 0, 24},
    {"cpu", CS_CELL_REAL, 0, 4},    {"expected", CS_CELL_REAL, 0, 14},
    {"found", CS_CELL_REAL, 0, 14}, {"differ", CS_CELL_REAL, 0, 8},
    {"bound", CS_CELL_NAME, 0, 22}, {"verdict", CS_CELL_NAME, 0, 10},
    {"first", CS_CELL_NAME, 0, 0},
};

/* False: a value could not be had, as memory ran out; it is NULL then, as if there were none. */
static bool take_cells(sqlite3_stmt *query, cs_table_cell *cells)
{
    for (int i = 0; i < NR_QUERY; i++) {
        const bool is_there = sqlite3_column_type(query, i) != SQLITE_NULL;
        const char *text = (const char *)sqlite3_column_text(query, i);

        if (is_there && text == NULL)
            return false;
        cells[i < FIRST ? i : FIRST + 1].name = text;
    }
    return true;
}

/* The row's verdict. Where there is none the bound says why. */
static const char *judge(cs_checking *check, sqlite3_stmt *query, cs_table_cell *cells)
{
    static const char why[] = "none: ", nothing[] = "none: nothing to compare";
    const char **bound = &cells[BOUND].name;

    check->rows++;
    if (cells[DIFFER].name == NULL) {
        if (*bound == NULL || strncmp(*bound, why, sizeof why - 1) != 0)
            *bound = nothing;
        if (check->unknown[0] == '\0')
            snprintf(check->unknown, sizeof check->unknown, "%s", *bound + sizeof why - 1);
        return "cannot say";
    }
    const bool differs = sqlite3_column_int64(query, DIFFER) != 0;

    check->bad_rows += differs;
    check->good_rows += !differs;
    return differs ? "DISAGREES" : "agrees";
}

static cs_status rows_of(cs_checking *check, sqlite3_stmt *query)
{
    cs_status status = CS_OK;
    int step = SQLITE_DONE;

    if (!check->headed)
        cs_table_columns(&check->table, columns, NR_CELLS);
    check->headed = true;
    while (check->table.status == CS_OK && (step = sqlite3_step(query)) == SQLITE_ROW) {
        cs_table_cell cells[NR_CELLS];

        if (!take_cells(query, cells)) {
            status = failed(check);
            break;
        }
        cells[FIRST].name = judge(check, query, cells);
        cs_table_row(&check->table, cells);
    }
    if (status == CS_OK && check->table.status == CS_OK && step != SQLITE_DONE)
        status = failed(check);
    return status;
}

cs_status cs_check_rows(cs_checking *check, const char *sql)
{
    sqlite3_stmt *query = NULL;
    cs_status status = cs_check_prepare(check, sql, &query);

    if (status == CS_OK)
        status = rows_of(check, query);
    sqlite3_finalize(query);
    return status;
}

cs_status cs_check_script(cs_checking *check, const char *name)
{
    const cs_embedded *script = cs_check_sql;
    cs_status status = CS_OK;

    while (strcmp(script->name, name) != 0)
        script++;
    for (const char *at = script->text; status == CS_OK && *at != '\0';) {
        sqlite3_stmt *statement = NULL;

        if (sqlite3_prepare_v2(check->db, at, -1, &statement, &at) != SQLITE_OK)
            status = failed(check);
        else if (sqlite3_column_count(statement) != 0)
            status = rows_of(check, statement);
        else if (statement != NULL)
            status = cs_check_insert(check, statement, NULL, 0);
        sqlite3_finalize(statement);
    }
    return status;
}

/* ---- what was asked for, and the scenario ---- */

cs_status cs_check_cannot_open(cs_checking *check, const char *path)
{
    return cs_diag_set(check->diag, CS_ERR_IO, path, "cannot open: %s", strerror(errno));
}

cs_status cs_check_written(cs_checking *check, const char *key, char *name, size_t bytes)
{
    char path[4096], text[MOST_OF_REQUEST];
    cs_yaml *yaml = NULL;
    cs_yaml_node *root = NULL;
    cs_status status;

    snprintf(path, sizeof path, "%s/trace.json", check->request->truth);
    FILE *file = fopen(path, "rb");
    name[0] = '\0';
    if (file == NULL) /* `run` writes none; without a truth there is more to say */
        return errno == ENOENT || errno == ENOTDIR ? CS_OK : cs_check_cannot_open(check, path);
    const size_t got = fread(text, 1, sizeof text, file);
    fclose(file);
    status = cs_yaml_create(&yaml, check->diag);
    if (status == CS_OK)
        status = cs_yaml_parse(yaml, text, got, path, true, &root, check->diag);
    if (status == CS_OK) {
        const cs_yaml_node *node = cs_yaml_find(root, key, NULL);

        if (node != NULL && node->kind == CS_YAML_SCALAR && !node->plain &&
            strlen(node->text) < bytes)
            strcpy(name, node->text);
    }
    cs_yaml_destroy(yaml);
    return status;
}

cs_status cs_check_has_samples(cs_checking *check, const char *have, bool *has)
{
    char sql[256];
    int64_t kept = 1;
    const cs_status status =
        cs_check_number(check, "SELECT value FROM truth.run WHERE key='samples_truth'", &kept);

    *has = kept != 0;
    if (status != CS_OK || *has)
        return status;
    snprintf(sql, sizeof sql,
             "SELECT 'samples', NULL, NULL, NULL, (SELECT count(*) FROM %s), NULL, "
             "'none: the truth has no samples (keep.samples_truth)', NULL",
             have);
    return cs_check_rows(check, sql);
}

cs_status cs_check_load(cs_checking *check, const cs_scenario **out)
{
    char path[4096];
    cs_status status = CS_OK;

    snprintf(path, sizeof path, "%s/scenario.yaml", check->request->truth);
    if (check->scenario == NULL)
        status = cs_scenario_load(path, NULL, 0, &check->scenario, check->diag);
    *out = check->scenario;
    return status;
}

size_t cs_check_name_bytes(const char *name)
{
    const size_t length = strlen(name);
    const char *colon = strrchr(name, ':');

    if (colon == NULL || colon[1] == '\0' || strspn(colon + 1, "ukhGHIpPSDW") != strlen(colon + 1))
        return length;
    return (size_t)(colon - name);
}

/* ---- runs that ended early ---- */

cs_status cs_check_was_cut(cs_checking *check, bool *cut)
{
    char path[4096], text[4096];

    snprintf(path, sizeof path, "%s/summary.json", check->request->truth);
    FILE *file = fopen(path, "rb");
    *cut = false;
    if (file == NULL)
        return cs_check_cannot_open(check, path);
    const size_t bytes = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[bytes] = '\0';
    *cut = strstr(text, "\"ended\": \"cut at limit_cycles\"") != NULL;
    return CS_OK;
}

cs_status cs_check_left_over(cs_checking *check, int64_t all, int64_t kept)
{
    char sql[256];

    if (all == kept)
        return CS_OK;
    snprintf(sql, sizeof sql,
             "SELECT 'not handed over', NULL, NULL, %" PRId64 ", %" PRId64
             ", NULL, 'none: run ended early', NULL",
             all, kept);
    return cs_check_rows(check, sql);
}

cs_status cs_check_leave(cs_checking *check, const char *sql)
{
    static const char count[] = "SELECT count(*) FROM want";
    int64_t all = 0, kept = 0;
    cs_status status = cs_check_number(check, count, &all);

    if (status == CS_OK)
        status = cs_check_do(check, sql);
    if (status == CS_OK)
        status = cs_check_number(check, count, &kept);
    return status == CS_OK ? cs_check_left_over(check, all, kept) : status;
}
