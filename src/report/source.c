// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include "report/source.h"

#include <errno.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "report/run.h"
#include "report/sweeps.h"
#include "results/figures.h"

#define PATH_BYTES 4400u
#define WAYS "ways.json"

void cs_report_name(const char *path, char *out, size_t size)
{
    size_t length = strlen(path);

    while (length > 1 && path[length - 1] == '/')
        length--;
    size_t first = length;

    while (first > 0 && path[first - 1] != '/')
        first--;
    snprintf(out, size, "%.*s", (int)(length - first), path + first);
}

static bool has(const char *folder, const char *name)
{
    char path[PATH_BYTES + 64];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    return access(path, R_OK) == 0;
}

/* A run that goes on, or was killed, lies in a hidden folder beside its name (base/files/output.h). */
static bool is_being_made(const char *path)
{
    char name[PATH_BYTES / 2], hidden[PATH_BYTES];
    const char *slash = strrchr(path, '/');

    cs_report_name(path, name, sizeof name);
    snprintf(hidden, sizeof hidden, "%.*s.%s.countersink",
             slash != NULL && slash[1] != '\0' ? (int)(slash - path + 1) : 0, path, name);
    return access(hidden, F_OK) == 0;
}

static cs_status refuse_folder(const char *path, cs_diag *diag)
{
    static const char *const parts[] = {"summary.json", "truth.sqlite"};
    size_t missing = 0;

    while (missing + 1 < sizeof parts / sizeof parts[0] && has(path, parts[missing]))
        missing++;
    return cs_diag_set(diag, CS_ERR_FORMAT, path,
                       "is no folder that `countersink run` has finished: there is no %s in it",
                       parts[missing]);
}

cs_status cs_report_what(const char *path, cs_report_source *what, cs_diag *diag)
{
    struct stat info;

    if (stat(path, &info) != 0)
        return cs_diag_set(diag, CS_ERR_IO, path, "%s%s", strerror(errno),
                           errno == ENOENT && is_being_made(path)
                               ? "; its run has not finished yet, or was killed"
                               : "");
    if (S_ISDIR(info.st_mode)) {
        *what = has(path, WAYS) ? CS_REPORT_WAYS : CS_REPORT_RUN;
        return *what == CS_REPORT_WAYS || (has(path, "summary.json") && has(path, "truth.sqlite"))
                   ? CS_OK
                   : refuse_folder(path, diag);
    }
    *what = CS_REPORT_SWEEP;
    return S_ISREG(info.st_mode)
               ? cs_report_check_sweep(path, diag)
               : cs_diag_set(diag, CS_ERR_FORMAT, path,
                             "is neither the folder of a run nor the file of a sweep");
}

/* ---- ways ---- */

/* Calls for each way in the file; the names are SQLite's until the next. */
static cs_status put_ways(const char *folder, const char *name, const char *text, FILE *out,
                          cs_diag *diag)
{
    char path[PATH_BYTES];
    sqlite3 *db = NULL;
    sqlite3_stmt *rows = NULL;
    cs_status status = CS_OK;
    int step = SQLITE_NOMEM;

    if (sqlite3_open(":memory:", &db) == SQLITE_OK &&
        (step = sqlite3_prepare_v2(db, "SELECT value->>'way' FROM json_each(?)", -1, &rows,
                                   NULL)) == SQLITE_OK) {
        sqlite3_bind_text(rows, 1, text, -1, SQLITE_STATIC);
        while (status == CS_OK && (step = sqlite3_step(rows)) == SQLITE_ROW) {
            const char *way = (const char *)sqlite3_column_text(rows, 0);

            snprintf(path, sizeof path, "%s/%s", folder, way != NULL ? way : "");
            if (way == NULL || strchr(way, '/') != NULL || !has(path, "truth.sqlite"))
                status = cs_diag_set(diag, CS_ERR_FORMAT, folder, "its way %s is not there",
                                     way != NULL ? way : "?");
            else
                status = cs_report_put_run(path, way, name, out, diag);
            fputs(",\n", out);
        }
    }
    if (status == CS_OK && step != SQLITE_DONE)
        status = cs_diag_set(diag, CS_ERR_FORMAT, folder, WAYS ": %s", sqlite3_errmsg(db));
    sqlite3_finalize(rows);
    sqlite3_close(db);
    return status;
}

static cs_status put_folder_of_ways(const char *folder, FILE *out, cs_diag *diag)
{
    char *text = NULL, name[256];
    cs_status status = cs_report_read(folder, WAYS, &text, diag);

    cs_report_name(folder, name, sizeof name);
    if (status == CS_OK)
        status = put_ways(folder, name, text, out, diag);
    if (status == CS_OK) {
        fputs("{\"type\":\"ways\",\"name\":", out);
        cs_json_string(out, name);
        fprintf(out, ",\"rows\":%s}", text);
    }
    free(text);
    return status;
}

cs_status cs_report_put(const char *path, cs_report_source what, FILE *out, cs_diag *diag)
{
    char name[256];

    cs_report_name(path, name, sizeof name);
    switch (what) {
    case CS_REPORT_WAYS:
        return put_folder_of_ways(path, out, diag);
    case CS_REPORT_SWEEP:
        return cs_report_put_sweep(path, name, out, diag);
    case CS_REPORT_RUN:
        break;
    }
    return cs_report_put_run(path, name, NULL, out, diag);
}
