// SPDX-License-Identifier: Apache-2.0
#include "report/sweeps.h"

#include <sqlite3.h>

#include "base/sqlite_foreign.h"
#include "base/sqlite_path.h"
#include "report/columns.h"
#include "results/figures.h"

#define PATH_BYTES 4400u

static cs_status open_sweep(const char *path, sqlite3 **db, cs_diag *diag)
{
    char name[PATH_BYTES], stranger[128], why[256];

    if (sqlite3_open_v2(cs_sqlite_path(path, name, sizeof name), db,
                        SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK)
        return cs_diag_set(diag, CS_ERR_IO, path, "%s",
                           cs_sqlite_why(path, sqlite3_errmsg(*db), why, sizeof why));
    cs_sqlite_distrust(*db);
    return cs_sqlite_stranger(*db, "main", stranger, sizeof stranger)
               ? cs_diag_set(diag, CS_ERR_FORMAT, path, CS_SQLITE_STRANGER, stranger)
               : CS_OK;
}

static cs_status failed(sqlite3 *db, const char *path, cs_diag *diag)
{
    return cs_diag_set(diag, CS_ERR_FORMAT, path,
                       "is no file that `countersink sweep` has made: %s", sqlite3_errmsg(db));
}

cs_status cs_report_check_sweep(const char *path, cs_diag *diag)
{
    sqlite3 *db = NULL;
    cs_status status = open_sweep(path, &db, diag);

    if (status == CS_OK &&
        sqlite3_exec(db,
                     "SELECT name, text, points, file FROM sweep; SELECT name FROM key;"
                     "SELECT point, error FROM point LIMIT 1",
                     NULL, NULL, NULL) != SQLITE_OK)
        status = failed(db, path, diag);
    sqlite3_close(db);
    return status;
}

static cs_status put_rows(sqlite3 *db, const char *path, const char *sql, const char *key,
                          FILE *out, cs_diag *diag)
{
    sqlite3_stmt *rows = NULL;
    size_t nr_rows = 0;
    cs_status status = CS_OK;

    fprintf(out, ",\n\"%s\":", key);
    if (sqlite3_prepare_v2(db, sql, -1, &rows, NULL) != SQLITE_OK)
        status = failed(db, path, diag);
    if (status == CS_OK && cs_report_columns(rows, out, &nr_rows, diag) != CS_OK)
        status = failed(db, path, diag);
    if (nr_rows == 0)
        fputs("null", out);
    sqlite3_finalize(rows);
    return status;
}

cs_status cs_report_put_sweep(const char *path, const char *name, FILE *out, cs_diag *diag)
{
    static const struct {
        const char *key, *sql;
    } parts[] = {
        {"about", "SELECT name, text, points, file FROM sweep"},
        {"keys", "SELECT name FROM key ORDER BY number"},
        {"points", "SELECT * FROM point WHERE error IS NULL ORDER BY point"},
    };
    sqlite3 *db = NULL;
    cs_status status = open_sweep(path, &db, diag);

    fputs("{\"type\":\"sweep\",\"name\":", out);
    cs_json_string(out, name);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0] && status == CS_OK; i++)
        status = put_rows(db, path, parts[i].sql, parts[i].key, out, diag);
    fputs("}", out);
    sqlite3_close(db);
    return status;
}
