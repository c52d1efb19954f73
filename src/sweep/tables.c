// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "base/sqlite_foreign.h"
#include "base/sqlite_path.h"
#include "formats/common/table.h"
#include "scenario/yaml/suggest.h"
#include "sweep/sweep.h"

#define MOST_COLUMNS (3u + CS_SWEEP_MOST_KEYS + CS_SWEEP_RESULT_MOST)
#define PATH_BYTES 4400u
#define WIDEST 24u /* of a value for people */

/* What a sweep shows when its file does not say: those of them that its points have. */
static const char *const usual[] = {"mean_error",  "most_error",   "coverage",   "blind_fraction",
                                    "skew_s",      "samples",      "subsamples", "lost",
                                    "share_error", "stolen_share", "bus_busy",   "wrong_counts"};

#define NR_USUAL (sizeof usual / sizeof usual[0])

static cs_status failed(sqlite3 *db, const char *path, cs_diag *diag)
{
    char why[256];

    return cs_diag_set(diag, cs_sqlite_status(db), path, "%s",
                       cs_sqlite_why(path, sqlite3_errmsg(db), why, sizeof why));
}

static cs_status open_file(const char *path, sqlite3 **db, cs_diag *diag)
{
    char name[PATH_BYTES];

    if (sqlite3_open_v2(cs_sqlite_path(path, name, sizeof name), db,
                        SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, NULL) == SQLITE_OK)
        return CS_OK;
    return failed(*db, path, diag);
}

static cs_status to_file(void *ctx, const char *text, size_t bytes)
{
    return fwrite(text, 1, bytes, ctx) == bytes ? CS_OK : CS_ERR_IO;
}

/* ---- CSV ---- */

static void csv_rows(sqlite3_stmt *rows, FILE *out)
{
    const cs_text_sink sink = {to_file, out};
    const int nr = sqlite3_column_count(rows);
    cs_table_column columns[MOST_COLUMNS] = {{0}};
    cs_table_cell cells[MOST_COLUMNS];
    cs_table table;

    for (int i = 0; i < nr; i++)
        columns[i] = (cs_table_column){.name = sqlite3_column_name(rows, i), .kind = CS_CELL_NAME};
    cs_table_begin(&table, CS_TABLE_CSV, &sink);
    cs_table_columns(&table, columns, (size_t)nr);
    while (sqlite3_step(rows) == SQLITE_ROW) {
        for (int i = 0; i < nr; i++)
            cells[i].name = (const char *)sqlite3_column_text(rows, i);
        cs_table_row(&table, cells);
    }
    cs_table_end(&table);
}

static bool has_column(sqlite3 *db, const char *name)
{
    sqlite3_stmt *query = NULL;
    bool has;

    sqlite3_prepare_v2(db, "SELECT 1 FROM pragma_table_info('point') WHERE name=?", -1, &query,
                       NULL);
    sqlite3_bind_text(query, 1, name, -1, SQLITE_STATIC);
    has = sqlite3_step(query) == SQLITE_ROW;
    sqlite3_finalize(query);
    return has;
}

/* The point, what the sweep's keys are there, and the figures; NULL: no memory, or another error. */
static sqlite3_stmt *select_columns(const cs_sweep_plan *plan, sqlite3 *db, const char *from,
                                    const char *const figures[], size_t nr_figures)
{
    sqlite3_str *sql = sqlite3_str_new(db);
    sqlite3_stmt *rows = NULL;
    char *text;

    sqlite3_str_appendall(sql, "SELECT point");
    for (size_t i = 0; i < plan->nr_keys; i++)
        sqlite3_str_appendf(sql, ", \"%w\"", cs_sweep_key(plan, i));
    for (size_t i = 0; i < nr_figures; i++)
        sqlite3_str_appendf(sql, ", \"%w\"", figures[i]);
    sqlite3_str_appendf(sql, " FROM %s ORDER BY point", from);
    text = sqlite3_str_finish(sql);
    if (text != NULL)
        sqlite3_prepare_v2(db, text, -1, &rows, NULL);
    sqlite3_free(text);
    return rows;
}

cs_status cs_sweep_csv(const cs_sweep_plan *plan, const char *path, const char *const figures[],
                       size_t nr, FILE *out, cs_diag *diag)
{
    const char *there[CS_SWEEP_MOST_FIGURES];
    size_t nr_there = 0;
    sqlite3 *db = NULL;
    sqlite3_stmt *rows = NULL;
    cs_status status = open_file(path, &db, diag);

    for (size_t i = 0; i < nr && status == CS_OK; i++)
        if (has_column(db, figures[i]))
            there[nr_there++] = figures[i];
    if (status == CS_OK && nr == 0)
        sqlite3_prepare_v2(db, "SELECT * FROM point ORDER BY point", -1, &rows, NULL);
    else if (status == CS_OK)
        rows = select_columns(plan, db, "point", there, nr_there);
    if (status == CS_OK && rows == NULL)
        status = failed(db, path, diag);
    if (status == CS_OK)
        csv_rows(rows, out);
    if (sqlite3_finalize(rows) != SQLITE_OK && status == CS_OK)
        status = failed(db, path, diag);
    sqlite3_close(db);
    return status;
}

/* ---- for people ---- */

static void tell_missing(sqlite3 *db, const char *figure, FILE *warnings)
{
    cs_suggest suggest = cs_suggest_begin(figure);
    sqlite3_stmt *query = NULL;
    char names[CS_SWEEP_RESULT_MOST][CS_SWEEP_NAME_BYTES];
    const char *near;

    sqlite3_prepare_v2(db, "SELECT name FROM pragma_table_info('point')", -1, &query, NULL);
    for (size_t i = 0; i < CS_SWEEP_RESULT_MOST && sqlite3_step(query) == SQLITE_ROW; i++) {
        snprintf(names[i], sizeof names[i], "%s", (const char *)sqlite3_column_text(query, 0));
        cs_suggest_offer(&suggest, names[i]);
    }
    near = cs_suggest_end(&suggest);
    fprintf(warnings, "warning: no point has a figure %s%s%s%s\n", figure,
            near != NULL ? "; did you mean " : "", near != NULL ? near : "",
            near != NULL ? "?" : "");
    sqlite3_finalize(query);
}

static size_t shown_figures(const cs_sweep_plan *plan, sqlite3 *db, FILE *warnings,
                            const char *out[CS_SWEEP_MOST_FIGURES])
{
    const char *const *from = plan->nr_figures != 0 ? plan->figures : usual;
    const size_t most = plan->nr_figures != 0 ? plan->nr_figures : NR_USUAL;
    size_t nr = 0;

    for (size_t i = 0; i < most; i++)
        if (from == usual && strcmp(from[i], "samples") == 0 && has_column(db, "subsamples"))
            continue; /* the former name of the same number */
        else if (has_column(db, from[i]))
            out[nr++] = from[i];
        else if (plan->nr_figures != 0)
            tell_missing(db, from[i], warnings);
    return nr;
}

static void print_rows(const cs_sweep_plan *plan, sqlite3_stmt *rows, const char *const figures[],
                       size_t nr_figures, size_t most, FILE *out)
{
    const cs_text_sink sink = {to_file, out};
    const size_t before = 1 + plan->nr_keys;
    cs_table_column columns[1 + CS_SWEEP_MOST_KEYS + CS_SWEEP_MOST_FIGURES] = {{0}};
    cs_table_cell cells[1 + CS_SWEEP_MOST_KEYS + CS_SWEEP_MOST_FIGURES];
    char texts[CS_SWEEP_MOST_FIGURES][WIDEST + 8];
    cs_table table;
    size_t more = 0;

    for (size_t i = 0; i < before + nr_figures; i++)
        columns[i] = (cs_table_column){.name = i == 0       ? "point"
                                               : i < before ? cs_sweep_key(plan, i - 1)
                                                            : figures[i - before],
                                       .kind = CS_CELL_NAME,
                                       .width = i >= before ? 10 : 0};
    cs_table_begin(&table, CS_TABLE_TEXT, &sink);
    cs_table_columns(&table, columns, before + nr_figures);
    for (size_t row = 0; sqlite3_step(rows) == SQLITE_ROW; row++) {
        if (most != 0 && row >= most) {
            more++;
            continue;
        }
        for (size_t i = 0; i < before; i++)
            cells[i].name = sqlite3_column_type(rows, (int)i) == SQLITE_NULL
                                ? "-"
                                : (const char *)sqlite3_column_text(rows, (int)i);
        for (size_t i = 0; i < nr_figures; i++) {
            const int column = (int)(before + i);
            const double value = sqlite3_column_type(rows, column) == SQLITE_NULL
                                     ? (double)NAN
                                     : sqlite3_column_double(rows, column);

            cells[column].name = cs_sweep_figure_text(figures[i], value, texts[i], sizeof texts[i]);
        }
        cs_table_row(&table, cells);
    }
    cs_table_end(&table);
    if (more != 0)
        fprintf(out, "... and %zu more points\n", more);
}

cs_status cs_sweep_text(const cs_sweep_plan *plan, const char *path, size_t most, FILE *out,
                        FILE *warnings, cs_diag *diag)
{
    const char *figures[CS_SWEEP_MOST_FIGURES];
    sqlite3 *db = NULL;
    sqlite3_stmt *rows = NULL;
    cs_status status = open_file(path, &db, diag);

    if (status == CS_OK) {
        const size_t nr = shown_figures(plan, db, warnings, figures);

        rows = select_columns(plan, db, "point WHERE error IS NULL", figures, nr);
        if (rows == NULL)
            status = failed(db, path, diag);
        else
            print_rows(plan, rows, figures, nr, most, out);
    }
    sqlite3_finalize(rows);
    sqlite3_close(db);
    return status;
}
