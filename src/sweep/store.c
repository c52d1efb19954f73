// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include "sweep/store.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/files/output.h"
#include "base/sqlite_foreign.h"
#include "base/sqlite_path.h"

/* A file of SQLite's says so in its head. */
#define APPLICATION 0x43535350 /* "CSSP" */
#define LAYOUT 1

/* Until a change of somebody else's is complete, when the file is opened. */
#define OPEN_MS 5000
#define READER_NS 5000000

/* Columns that every point has, beside its keys and its figures. */
#define OWN_COLUMNS "point INTEGER PRIMARY KEY, error TEXT, wall_s REAL"

struct cs_sweep_store {
    const cs_sweep_plan *plan;
    cs_output *claim; /* of the file's name: keeps other writers out, and has a folder to work in */
    sqlite3 *db;
    char path[4096];
    char (*columns)[CS_SWEEP_NAME_BYTES]; /* of figures, in the table's order */
    size_t nr_columns;
    sqlite3_stmt *insert; /* NULL: to be made anew */
};

static cs_status failed(const cs_sweep_store *s, cs_diag *diag)
{
    char why[256];

    return cs_diag_set(diag, cs_sqlite_status(s->db), s->path, "%s",
                       cs_sqlite_why(s->path, sqlite3_errmsg(s->db), why, sizeof why));
}

static cs_status execute(cs_sweep_store *s, const char *sql, cs_diag *diag)
{
    return sqlite3_exec(s->db, sql, NULL, NULL, NULL) == SQLITE_OK ? CS_OK : failed(s, diag);
}

static cs_status run_text(cs_sweep_store *s, char *sql, cs_diag *diag)
{
    cs_status status = sql != NULL ? execute(s, sql, diag)
                                   : cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for SQL");

    sqlite3_free(sql);
    return status;
}

static cs_status number_of(cs_sweep_store *s, const char *sql, sqlite3_int64 *out, cs_diag *diag)
{
    sqlite3_stmt *query = NULL;
    cs_status status = CS_OK;

    *out = 0;
    if (sqlite3_prepare_v2(s->db, sql, -1, &query, NULL) != SQLITE_OK ||
        sqlite3_step(query) != SQLITE_ROW)
        status = failed(s, diag);
    else
        *out = sqlite3_column_int64(query, 0);
    sqlite3_finalize(query);
    return status;
}

/* ---- a new one ---- */

static cs_status make_tables(cs_sweep_store *s, const char *identity, cs_diag *diag)
{
    const cs_sweep_plan *plan = s->plan;
    cs_status status =
        execute(s,
                "CREATE TABLE sweep(name TEXT, text TEXT, scenario TEXT, points INTEGER, "
                "file TEXT, identity TEXT);"
                "CREATE TABLE key(number INTEGER PRIMARY KEY, name TEXT);"
                "CREATE TABLE point(" OWN_COLUMNS ")",
                diag);

    for (size_t i = 0; i < plan->nr_keys && status == CS_OK; i++)
        status = run_text(s,
                          sqlite3_mprintf("ALTER TABLE point ADD COLUMN \"%w\";"
                                          "INSERT INTO key VALUES (%d, %Q)",
                                          cs_sweep_key(plan, i), (int)i, cs_sweep_key(plan, i)),
                          diag);
    if (status == CS_OK)
        status = run_text(s,
                          sqlite3_mprintf("INSERT INTO sweep VALUES (%Q, %Q, %Q, %lld, %Q, %Q)",
                                          plan->name, plan->about, plan->scenario,
                                          (long long)plan->nr_points, plan->text, identity),
                          diag);
    if (status == CS_OK)
        status = run_text(s,
                          sqlite3_mprintf("PRAGMA application_id=%d; PRAGMA user_version=%d",
                                          APPLICATION, LAYOUT),
                          diag);
    return status;
}

/* ---- one that was there ---- */

static cs_status check_identity(cs_sweep_store *s, const char *schema, const char *path,
                                const char *identity, cs_diag *diag)
{
    sqlite3_stmt *query = NULL;
    cs_status status = CS_OK;
    char sql[120], stranger[128];

    if (cs_sqlite_stranger(s->db, schema, stranger, sizeof stranger))
        return cs_diag_set(diag, CS_ERR_USAGE, path, CS_SQLITE_STRANGER, stranger);
    snprintf(sql, sizeof sql, "SELECT identity FROM %s.sweep WHERE identity IS NOT NULL", schema);
    if (sqlite3_prepare_v2(s->db, sql, -1, &query, NULL) != SQLITE_OK ||
        sqlite3_step(query) != SQLITE_ROW)
        status = cs_diag_set(diag, CS_ERR_USAGE, path, "is not the file of a sweep");
    else if (strcmp((const char *)sqlite3_column_text(query, 0), identity) != 0)
        status =
            cs_diag_set(diag, CS_ERR_USAGE, path,
                        "it holds another sweep, or this one from before its file, its scenario "
                        "or countersink changed; remove it, or name another file with -o");
    sqlite3_finalize(query);
    return status;
}

static cs_status read_columns(cs_sweep_store *s, cs_diag *diag)
{
    sqlite3_stmt *query = NULL;
    cs_status status = CS_OK;

    if (sqlite3_prepare_v2(s->db, "SELECT name FROM pragma_table_info('point')", -1, &query,
                           NULL) != SQLITE_OK)
        return failed(s, diag);
    for (size_t i = 0; sqlite3_step(query) == SQLITE_ROW; i++) {
        if (i < 3 + s->plan->nr_keys)
            continue;
        if (s->nr_columns == CS_SWEEP_RESULT_MOST) {
            status = cs_diag_set(diag, CS_ERR_USAGE, s->path, "more columns than a sweep can have");
            break;
        }
        snprintf(s->columns[s->nr_columns++], CS_SWEEP_NAME_BYTES, "%s",
                 (const char *)sqlite3_column_text(query, 0));
    }
    sqlite3_finalize(query);
    return status;
}

/* A row waits for readers as long as they like: else a sweep of a night would end because somebody looks
 * at it. */
static int wait_for_readers(void *ctx, int times)
{
    (void)ctx;
    (void)times;
    nanosleep(&(struct timespec){.tv_nsec = READER_NS}, NULL);
    return 1;
}

static cs_status open_file(cs_sweep_store *s, const char *identity, cs_diag *diag)
{
    char name[sizeof s->path + CS_SQLITE_PATH_MORE];
    sqlite3_int64 tables = 0, application = 0;
    cs_status status;

    if (sqlite3_open_v2(cs_sqlite_path(s->path, name, sizeof name), &s->db,
                        SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX,
                        NULL) != SQLITE_OK)
        return failed(s, diag);
    cs_sqlite_distrust(s->db);
    sqlite3_busy_timeout(s->db, OPEN_MS);
    /* What a process that is killed has written stays; only a machine that stops loses it. */
    status = execute(s, "PRAGMA synchronous=OFF; BEGIN IMMEDIATE", NULL);
    if (status != CS_OK && sqlite3_errcode(s->db) == SQLITE_BUSY)
        return cs_diag_set(diag, CS_ERR_IO, s->path, "another process is using it");
    if (status != CS_OK && sqlite3_errcode(s->db) == SQLITE_NOTADB)
        return cs_diag_set(diag, CS_ERR_USAGE, s->path, "is not the file of a sweep");
    if (status != CS_OK)
        return failed(s, diag);
    status = number_of(s, "SELECT count(*) FROM sqlite_master", &tables, diag);
    if (status == CS_OK)
        status = number_of(s, "PRAGMA application_id", &application, diag);
    if (status != CS_OK)
        return status;
    if (tables == 0)
        status = make_tables(s, identity, diag);
    else if (application != APPLICATION)
        return cs_diag_set(diag, CS_ERR_USAGE, s->path, "is not the file of a sweep");
    else
        status = check_identity(s, "main", s->path, identity, diag);
    if (status == CS_OK && tables != 0)
        status = run_text(s,
                          sqlite3_mprintf("UPDATE sweep SET text=%Q, file=%Q WHERE file<>%Q",
                                          s->plan->about, s->plan->text, s->plan->text),
                          diag);
    sqlite3_busy_handler(s->db, wait_for_readers, NULL);
    if (status == CS_OK)
        status = execute(s, "COMMIT", diag);
    return status == CS_OK ? read_columns(s, diag) : status;
}

cs_status cs_sweep_store_open(const char *path, const cs_sweep_plan *plan, const char *identity,
                              cs_sweep_store **out, cs_diag *diag)
{
    cs_sweep_store *s = calloc(1, sizeof *s);
    cs_status status = CS_OK;

    *out = NULL;
    if (s != NULL)
        s->columns = calloc(CS_SWEEP_RESULT_MOST, sizeof *s->columns);
    if (s == NULL || s->columns == NULL)
        status = cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for a sweep");
    if (status == CS_OK) {
        s->plan = plan;
        snprintf(s->path, sizeof s->path, "%s", path);
        status = cs_output_begin(path, CS_OUTPUT_FOLDER | CS_OUTPUT_REPLACE, &s->claim, diag);
    }
    if (status == CS_OK) {
        status = open_file(s, identity, diag);
    }
    if (status != CS_OK) {
        cs_sweep_store_close(s);
        return status;
    }
    *out = s;
    return CS_OK;
}

const char *cs_sweep_store_folder(const cs_sweep_store *s)
{
    return cs_output_path(s->claim, CS_OUTPUT_FIRST);
}

cs_status cs_sweep_store_done(cs_sweep_store *s, bool *done, cs_diag *diag)
{
    sqlite3_stmt *query = NULL;
    int step;

    if (sqlite3_prepare_v2(s->db, "SELECT point FROM point", -1, &query, NULL) != SQLITE_OK)
        return failed(s, diag);
    while ((step = sqlite3_step(query)) == SQLITE_ROW) {
        const sqlite3_int64 point = sqlite3_column_int64(query, 0);

        if (point >= 0 && (size_t)point < s->plan->nr_points)
            done[point] = true;
    }
    sqlite3_finalize(query);
    return step == SQLITE_DONE ? CS_OK : failed(s, diag);
}

/* ---- rows ---- */

static size_t column_of(const cs_sweep_store *s, const char *name)
{
    size_t i = 0;

    while (i < s->nr_columns && strcmp(s->columns[i], name) != 0)
        i++;
    return i;
}

/* A key that varies is a column, too, and needs no second one. */
static bool is_key(const cs_sweep_store *s, const char *name)
{
    for (size_t i = 0; i < s->plan->nr_keys; i++)
        if (strcmp(cs_sweep_key(s->plan, i), name) == 0)
            return true;
    return false;
}

static cs_status add_column(cs_sweep_store *s, const char *name, cs_diag *diag)
{
    if (column_of(s, name) < s->nr_columns || s->nr_columns == CS_SWEEP_RESULT_MOST ||
        is_key(s, name))
        return CS_OK;
    sqlite3_finalize(s->insert);
    s->insert = NULL;
    strcpy(s->columns[s->nr_columns++], name);
    return run_text(s, sqlite3_mprintf("ALTER TABLE point ADD COLUMN \"%w\" REAL", name), diag);
}

static cs_status prepare_insert(cs_sweep_store *s, cs_diag *diag)
{
    const size_t nr = 3 + s->plan->nr_keys + s->nr_columns;
    char sql[64 + 2 * (3 + CS_SWEEP_MOST_KEYS + CS_SWEEP_RESULT_MOST)];
    int used = snprintf(sql, sizeof sql, "INSERT INTO point VALUES (?");

    for (size_t i = 1; i < nr; i++)
        used += snprintf(sql + used, sizeof sql - (size_t)used, ",?");
    snprintf(sql + used, sizeof sql - (size_t)used, ")");
    return sqlite3_prepare_v2(s->db, sql, -1, &s->insert, NULL) == SQLITE_OK ? CS_OK
                                                                             : failed(s, diag);
}

/* A number where it is one. */
static void bind_value(sqlite3_stmt *row, int column, const cs_sweep_value *value)
{
    const char *text = value->shown;
    char *end;
    const double number = strtod(text, &end);

    if (value->assignment == NULL) /* it has none: NULL */
        return;
    if (*text == '\0' || *end != '\0')
        sqlite3_bind_text(row, column, text, -1, SQLITE_STATIC);
    else if (strspn(text, "0123456789") == strlen(text) && strlen(text) <= 18)
        sqlite3_bind_int64(row, column, strtoll(text, NULL, 10));
    else
        sqlite3_bind_double(row, column, number);
}

static void bind_row(cs_sweep_store *s, size_t point, const cs_sweep_result *r)
{
    const int keys = (int)s->plan->nr_keys;
    char error[1024];

    sqlite3_reset(s->insert);
    sqlite3_clear_bindings(s->insert);
    sqlite3_bind_int64(s->insert, 1, (sqlite3_int64)point);
    if (r->status != CS_OK)
        sqlite3_bind_text(s->insert, 2, cs_diag_print(&r->diag, error, sizeof error), -1,
                          SQLITE_TRANSIENT);
    sqlite3_bind_double(s->insert, 3, r->wall_s);
    for (int i = 0; i < keys; i++)
        bind_value(s->insert, 4 + i, cs_sweep_value_at(s->plan, point, (size_t)i));
    for (size_t i = 0; i < r->nr; i++) {
        const size_t column = column_of(s, r->figures[i].name);

        if (column < s->nr_columns)
            sqlite3_bind_double(s->insert, 4 + keys + (int)column, r->figures[i].value);
    }
}

cs_status cs_sweep_store_put(cs_sweep_store *s, size_t point, const cs_sweep_result *result,
                             cs_diag *diag)
{
    cs_status status = CS_OK;

    for (size_t i = 0; i < result->nr && status == CS_OK; i++)
        status = add_column(s, result->figures[i].name, diag);
    if (status == CS_OK && s->insert == NULL)
        status = prepare_insert(s, diag);
    if (status != CS_OK)
        return status;
    bind_row(s, point, result);
    return sqlite3_step(s->insert) == SQLITE_DONE && sqlite3_reset(s->insert) == SQLITE_OK
               ? CS_OK
               : failed(s, diag);
}

/* ---- another file's rows ---- */

/* Columns of the other one that are not here are added; in *names all of it, as SQL. */
static cs_status join_columns(cs_sweep_store *s, char **names, cs_diag *diag)
{
    sqlite3_stmt *query = NULL;
    sqlite3_str *list = sqlite3_str_new(s->db);
    cs_status status = CS_OK;

    *names = NULL;
    if (sqlite3_prepare_v2(s->db, "SELECT name FROM pragma_table_info('point', 'part')", -1, &query,
                           NULL) != SQLITE_OK)
        status = failed(s, diag);
    for (size_t i = 0; status == CS_OK && sqlite3_step(query) == SQLITE_ROW; i++) {
        const char *name = (const char *)sqlite3_column_text(query, 0);

        sqlite3_str_appendf(list, "%s\"%w\"", i == 0 ? "" : ", ", name);
        if (i >= 3 && strlen(name) < CS_SWEEP_NAME_BYTES)
            status = add_column(s, name, diag);
    }
    sqlite3_finalize(query);
    *names = sqlite3_str_finish(list);
    if (status == CS_OK && *names == NULL)
        status = cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for SQL");
    return status;
}

cs_status cs_sweep_store_collect(cs_sweep_store *s, const char *path, const char *identity,
                                 cs_diag *diag)
{
    char *names = NULL;
    cs_status status = run_text(s, sqlite3_mprintf("ATTACH %Q AS part", path), diag);

    if (status != CS_OK)
        return status;
    status = check_identity(s, "part", path, identity, diag);
    if (status == CS_OK)
        status = join_columns(s, &names, diag);
    if (status == CS_OK)
        status = run_text(s,
                          sqlite3_mprintf("INSERT OR IGNORE INTO main.point(%s) "
                                          "SELECT %s FROM part.point",
                                          names, names),
                          diag);
    sqlite3_free(names);
    execute(s, "DETACH part", NULL);
    return status;
}

cs_status cs_sweep_store_refused(cs_sweep_store *s, cs_sweep_end *end, cs_diag *diag)
{
    sqlite3_stmt *query = NULL;
    int step;

    if (sqlite3_prepare_v2(s->db,
                           "SELECT point, error FROM point WHERE error IS NOT NULL ORDER BY point",
                           -1, &query, NULL) != SQLITE_OK)
        return failed(s, diag);
    while ((step = sqlite3_step(query)) == SQLITE_ROW)
        if (end->refused++ == 0) {
            end->first_refused_point = (size_t)sqlite3_column_int64(query, 0);
            cs_diag_set(&end->first_refused, CS_ERR_SCENARIO, NULL, "%s",
                        (const char *)sqlite3_column_text(query, 1));
        }
    sqlite3_finalize(query);
    return step == SQLITE_DONE ? CS_OK : failed(s, diag);
}

void cs_sweep_store_close(cs_sweep_store *s)
{
    if (s == NULL)
        return;
    sqlite3_finalize(s->insert);
    sqlite3_close(s->db);
    cs_output_abandon(s->claim);
    free(s->columns);
    free(s);
}
