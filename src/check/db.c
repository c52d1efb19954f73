/* The database of a check, and its rows. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "check/impl.h"
#include "scenario/load.h"
#include "scenario/work/workload_spec.h"
#include "scenario/yaml/yaml.h"

#define MOST_OF_REQUEST 4096u /* bytes of trace.json */

static cs_status failed(cs_checking *check)
{
    return cs_diag_set(check->diag, CS_ERR_IO, check->request->truth, "the truth: %s",
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

cs_status cs_check_insert(cs_checking *check, sqlite3_stmt *insert, const int64_t *values,
                          unsigned nr_values)
{
    for (unsigned i = 0; i < nr_values; i++)
        sqlite3_bind_int64(insert, (int)i + 1, values[i]);
    const bool good = sqlite3_step(insert) == SQLITE_DONE;

    sqlite3_reset(insert);
    return good ? CS_OK : failed(check);
}

cs_status cs_check_do_text(cs_checking *check, sqlite3_str *sql)
{
    char *text = sqlite3_str_finish(sql);

    if (text == NULL)
        return cs_diag_set(check->diag, CS_ERR_NO_MEMORY, NULL, "out of memory");
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
    {"found", CS_CELL_REAL, 0, 14}, {"differ", CS_CELL_NUMBER, 0, 8},
    {"bound", CS_CELL_NAME, 0, 22}, {"verdict", CS_CELL_NAME, 0, 9},
    {"first", CS_CELL_NAME, 0, 0},
};

cs_status cs_check_rows(cs_checking *check, const char *sql)
{
    sqlite3_stmt *query = NULL;
    cs_status status = cs_check_prepare(check, sql, &query);
    int step = SQLITE_DONE;

    if (status != CS_OK)
        return status;
    if (!check->headed)
        cs_table_columns(&check->table, columns, NR_CELLS);
    check->headed = true;
    while (check->table.status == CS_OK && (step = sqlite3_step(query)) == SQLITE_ROW) {
        const int64_t differ = sqlite3_column_int64(query, DIFFER);
        cs_table_cell cells[NR_CELLS];

        for (int i = 0; i < NR_QUERY; i++)
            cells[i < FIRST ? i : FIRST + 1].name = (const char *)sqlite3_column_text(query, i);
        cells[DIFFER].number = (uint64_t)differ;
        cells[FIRST].name = differ == 0 ? "agrees" : "DISAGREES";
        cs_table_row(&check->table, cells);
        check->rows++;
        check->bad_rows += differ != 0;
    }
    if (check->table.status == CS_OK && step != SQLITE_DONE)
        status = failed(check);
    sqlite3_finalize(query);
    return status;
}

/* ---- what was asked for, and the scenario ---- */

bool cs_check_written_command(cs_checking *check, char *name, size_t bytes)
{
    char path[4096], text[MOST_OF_REQUEST];
    cs_yaml *yaml = NULL;
    cs_yaml_node *root = NULL;
    bool found = false;

    snprintf(path, sizeof path, "%s/trace.json", check->request->truth);
    FILE *file = fopen(path, "rb");
    if (file == NULL) /* `run` writes none */
        return false;
    const size_t got = fread(text, 1, sizeof text, file);
    fclose(file);
    if (cs_yaml_create(&yaml, NULL) == CS_OK &&
        cs_yaml_parse(yaml, text, got, path, true, &root, NULL) == CS_OK) {
        const cs_yaml_node *node = cs_yaml_find(root, "command", NULL);

        found = node != NULL && node->kind == CS_YAML_SCALAR && !node->plain &&
                strlen(node->text) < bytes;
        if (found)
            strcpy(name, node->text);
    }
    cs_yaml_destroy(yaml);
    return found;
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

bool cs_check_ended_so(const cs_checking *check, const char *how, bool otherwise)
{
    char path[4096], text[4096], asked[128];

    snprintf(path, sizeof path, "%s/summary.json", check->request->truth);
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return otherwise;
    const size_t bytes = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[bytes] = '\0';
    snprintf(asked, sizeof asked, "\"ended\": \"%s\"", how);
    return strstr(text, "\"ended\": \"") == NULL ? otherwise : strstr(text, asked) != NULL;
}

bool cs_check_was_cut(const cs_checking *check)
{
    return cs_check_ended_so(check, "cut at limit_cycles", false);
}

cs_status cs_check_left_over(cs_checking *check, int64_t all, int64_t kept)
{
    char sql[256];

    if (all == kept)
        return CS_OK;
    snprintf(sql, sizeof sql,
             "SELECT 'not handed over', NULL, NULL, %" PRId64 ", %" PRId64
             ", 0, 'none: run ended early', NULL",
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
