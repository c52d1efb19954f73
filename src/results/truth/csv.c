// SPDX-License-Identifier: Apache-2.0
#include "results/truth/csv.h"

#include <errno.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

#include "base/sqlite_path.h"
#include "formats/common/table.h"

#define MOST_COLUMNS 64
#define NAME_BYTES 80
#define PATH_BYTES 4400 /* of a path in a run folder */

static cs_status to_file(void *ctx, const char *text, size_t bytes)
{
    return fwrite(text, 1, bytes, ctx) == bytes ? CS_OK : CS_ERR_IO;
}

static cs_status sql_error(sqlite3 *db, cs_diag *diag)
{
    return cs_diag_set(diag, CS_ERR_IO, "truth.sqlite", "SQLite: %s", sqlite3_errmsg(db));
}

/* SQLite writes integers, reals and texts as text all alike. */
static cs_status write_rows(sqlite3_stmt *rows, FILE *file)
{
    const cs_text_sink sink = {to_file, file};
    const int nr = sqlite3_column_count(rows);
    cs_table_column columns[MOST_COLUMNS] = {{0}};
    cs_table_cell cells[MOST_COLUMNS];
    cs_table table;

    for (int i = 0; i < nr; i++)
        columns[i] = (cs_table_column){.name = sqlite3_column_name(rows, i), .kind = CS_CELL_NAME};
    cs_table_begin(&table, CS_TABLE_CSV, &sink);
    cs_table_columns(&table, columns, (size_t)nr);
    do {
        for (int i = 0; i < nr; i++)
            cells[i].name = (const char *)sqlite3_column_text(rows, i);
        cs_table_row(&table, cells);
    } while (sqlite3_step(rows) == SQLITE_ROW);
    return cs_table_end(&table);
}

static cs_status write_table(sqlite3 *db, const char *name, cs_run_folder *folder, cs_diag *diag)
{
    char sql[NAME_BYTES + 32], path[NAME_BYTES + 16];
    sqlite3_stmt *rows = NULL;
    cs_status status = CS_OK, closed;
    FILE *file = NULL;

    snprintf(sql, sizeof sql, "SELECT * FROM \"%s\"", name);
    snprintf(path, sizeof path, "csv/%s.csv", name);
    if (sqlite3_prepare_v2(db, sql, -1, &rows, NULL) != SQLITE_OK)
        return sql_error(db, diag);
    if (sqlite3_column_count(rows) > MOST_COLUMNS)
        status = cs_diag_set(diag, CS_ERR_RANGE, name, "more than %d columns", MOST_COLUMNS);
    if (status == CS_OK && sqlite3_step(rows) == SQLITE_ROW) {
        status = cs_run_folder_open(folder, path, &file, diag);
        if (status == CS_OK) {
            status = write_rows(rows, file);
            if (status != CS_OK)
                cs_diag_set(diag, status, path, "cannot write: %s", strerror(errno));
            closed = cs_run_folder_close(folder, path, file, status == CS_OK ? diag : NULL);
            status = status != CS_OK ? status : closed;
        }
    }
    if (sqlite3_finalize(rows) != SQLITE_OK && status == CS_OK)
        status = sql_error(db, diag);
    return status;
}

static cs_status write_tables(sqlite3 *db, cs_run_folder *folder, cs_diag *diag)
{
    sqlite3_stmt *names = NULL;
    cs_status status = CS_OK;

    if (sqlite3_prepare_v2(db, "SELECT name FROM sqlite_master WHERE type='table' ORDER BY name",
                           -1, &names, NULL) != SQLITE_OK)
        return sql_error(db, diag);
    while (status == CS_OK && sqlite3_step(names) == SQLITE_ROW) {
        char name[NAME_BYTES];

        snprintf(name, sizeof name, "%s", (const char *)sqlite3_column_text(names, 0));
        status = write_table(db, name, folder, diag);
    }
    sqlite3_finalize(names);
    return status;
}

cs_status cs_truth_csv(cs_run_folder *folder, cs_diag *diag)
{
    char name[PATH_BYTES];
    sqlite3 *db = NULL;
    cs_status status = cs_run_folder_subfolder(folder, "csv", diag);

    if (status != CS_OK)
        return status;
    cs_sqlite_path(cs_run_folder_path(folder, "truth.sqlite"), name, sizeof name);
    if (sqlite3_open_v2(name, &db, SQLITE_OPEN_READONLY, NULL) == SQLITE_OK)
        status = write_tables(db, folder, diag);
    else
        status = sql_error(db, diag);
    sqlite3_close(db);
    return status;
}
