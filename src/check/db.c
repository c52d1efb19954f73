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

static cs_status failed(cs_check *check)
{
    return cs_diag_set(check->diag, CS_ERR_IO, check->request->truth, "the truth: %s",
                       sqlite3_errmsg(check->db));
}

cs_status cs_check_do(cs_check *check, const char *sql)
{
    return sqlite3_exec(check->db, sql, NULL, NULL, NULL) == SQLITE_OK ? CS_OK : failed(check);
}

cs_status cs_check_prepare(cs_check *check, const char *sql, sqlite3_stmt **out)
{
    return sqlite3_prepare_v2(check->db, sql, -1, out, NULL) == SQLITE_OK ? CS_OK : failed(check);
}

cs_status cs_check_insert(cs_check *check, sqlite3_stmt *insert, const int64_t *values,
                          unsigned nr_values)
{
    for (unsigned i = 0; i < nr_values; i++)
        sqlite3_bind_int64(insert, (int)i + 1, values[i]);
    const bool good = sqlite3_step(insert) == SQLITE_DONE;

    sqlite3_reset(insert);
    return good ? CS_OK : failed(check);
}

int64_t cs_check_number(cs_check *check, const char *sql, int64_t otherwise)
{
    sqlite3_stmt *query = NULL;
    int64_t number = otherwise;

    if (sqlite3_prepare_v2(check->db, sql, -1, &query, NULL) == SQLITE_OK &&
        sqlite3_step(query) == SQLITE_ROW && sqlite3_column_type(query, 0) != SQLITE_NULL)
        number = sqlite3_column_int64(query, 0);
    sqlite3_finalize(query);
    return number;
}

cs_status cs_check_clock(cs_check *check, int64_t *mhz)
{
    *mhz = cs_check_number(check, "SELECT value FROM truth.run WHERE key='clock_mhz'", 0);
    return *mhz > 0 ? CS_OK
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

cs_status cs_check_rows(cs_check *check, const char *sql)
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

bool cs_check_written_command(cs_check *check, char *name, size_t bytes)
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

cs_status cs_check_load(cs_check *check, const cs_scenario **out)
{
    char path[4096];
    cs_status status = CS_OK;

    snprintf(path, sizeof path, "%s/scenario.yaml", check->request->truth);
    if (check->scenario == NULL)
        status = cs_scenario_load(path, NULL, 0, &check->scenario, check->diag);
    *out = check->scenario;
    return status;
}

static cs_status add_function(cs_check *check, sqlite3_stmt *insert, const cs_function_spec *f)
{
    if (f->of_program) /* its symbol's size is the file's */
        return CS_OK;
    sqlite3_bind_text(insert, 1, f->name, -1, SQLITE_TRANSIENT);
    sqlite3_bind_int64(insert, 2, (int64_t)f->base);
    sqlite3_bind_int64(insert, 3, (int64_t)f->size);
    return cs_check_insert(check, insert, NULL, 0);
}

cs_status cs_check_functions(cs_check *check)
{
    const cs_scenario *s = NULL;
    sqlite3_stmt *insert = NULL;
    cs_status status = cs_check_load(check, &s);

    if (status == CS_OK)
        status = cs_check_do(check, "CREATE TEMP TABLE fn(name TEXT, base INTEGER PRIMARY KEY, "
                                    "size INTEGER)");
    if (status == CS_OK)
        status = cs_check_prepare(check, "INSERT OR IGNORE INTO fn VALUES(?,?,?)", &insert);
    for (size_t w = 0; status == CS_OK && w < s->nr_workloads; w++)
        for (size_t i = 0; i < s->workloads[w].nr_segments; i++) {
            const cs_segment_spec *segment = &s->workloads[w].segments[i];

            for (size_t k = 0; status == CS_OK && k < segment->nr_functions; k++)
                status = add_function(check, insert, &segment->functions[k]);
        }
    sqlite3_finalize(insert);
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

/* Whether summary.json says of the run's end what is asked; `otherwise` where it says nothing. */
static bool ended(const cs_check *check, const char *how, bool otherwise)
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

bool cs_check_was_cut(const cs_check *check)
{
    return ended(check, "cut at limit_cycles", false);
}

static cs_status left_over(cs_check *check, int64_t all, int64_t kept)
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

cs_status cs_check_leave(cs_check *check, const char *sql)
{
    static const char count[] = "SELECT count(*) FROM want";
    const int64_t all = cs_check_number(check, count, 0);
    const cs_status status = cs_check_do(check, sql);

    return status == CS_OK ? left_over(check, all, cs_check_number(check, count, 0)) : status;
}

cs_status cs_check_kept(cs_check *check, int64_t subsamples)
{
    const int64_t all = cs_check_number(check, "SELECT max(number)+1 FROM truth.subsample", 0);
    char sql[512];

    check->cut_short = subsamples < all && (subsamples > 0 || cs_check_was_cut(check)) &&
                       !ended(check, "all samples were taken", true);
    const int64_t limit = check->cut_short ? subsamples : all;
    snprintf(
        sql, sizeof sql,
        "CREATE TEMP VIEW kept_sample AS SELECT * FROM truth.sample WHERE subsample<%" PRId64
        ";CREATE TEMP VIEW kept_window AS SELECT * FROM truth.window WHERE subsample<%" PRId64
        ";CREATE TEMP VIEW kept_subsample AS SELECT * FROM truth.subsample WHERE number<%" PRId64,
        limit, limit, limit);
    cs_status status = cs_check_do(check, sql);
    return status == CS_OK ? left_over(check, all, limit) : status;
}
