// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include "report/run.h"

#include <errno.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/sqlite_foreign.h"
#include "base/sqlite_path.h"
#include "report/columns.h"
#include "report/panels.h"
#include "results/figures.h"

#define PATH_BYTES 4400u
#define MOST_STEPS 1500       /* of a track of load */
#define MOST_BYTES (64 << 20) /* of a text; a folder of somebody else may link to what has no end */

typedef struct reading {
    const char *folder;
    char path[PATH_BYTES]; /* of the truth */
    sqlite3 *db;
    char *summary;
    sqlite3_int64 mhz, core_mhz, last, step;
    cs_report_grid grid; /* of the panel's cells, from its other queries */
    FILE *out;
    cs_diag *diag;
} reading;

static cs_status failed(reading *r)
{
    if (sqlite3_errcode(r->db) == SQLITE_NOMEM)
        return cs_diag_set(r->diag, CS_ERR_NO_MEMORY, NULL, "out of memory");
    return cs_diag_set(r->diag, CS_ERR_FORMAT, r->path,
                       "is not as this version writes a truth: %s; run the scenario again",
                       sqlite3_errmsg(r->db));
}

static void bind(const reading *r, sqlite3_stmt *query)
{
    const struct {
        const char *name;
        sqlite3_int64 value;
    } numbers[] = {
        {":last", r->last}, {":mhz", r->mhz}, {":core_mhz", r->core_mhz}, {":step", r->step}};
    const int text = sqlite3_bind_parameter_index(query, ":summary");

    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        const int at = sqlite3_bind_parameter_index(query, numbers[i].name);

        if (at != 0)
            sqlite3_bind_int64(query, at, numbers[i].value);
    }
    if (text != 0)
        sqlite3_bind_text(query, text, r->summary, -1, SQLITE_STATIC);
}

static cs_status prepare(reading *r, const char *sql, sqlite3_stmt **out)
{
    if (sqlite3_prepare_v2(r->db, sql, -1, out, NULL) != SQLITE_OK)
        return failed(r);
    bind(r, *out);
    return CS_OK;
}

/* The first number of the first row; `otherwise` where there is none. */
static cs_status number(reading *r, const char *sql, sqlite3_int64 otherwise, sqlite3_int64 *out)
{
    sqlite3_stmt *query = NULL;
    cs_status status = prepare(r, sql, &query);

    *out = otherwise;
    if (status == CS_OK) {
        const int step = sqlite3_step(query);

        if (step == SQLITE_ROW && sqlite3_column_type(query, 0) != SQLITE_NULL)
            *out = sqlite3_column_int64(query, 0);
        else if (step != SQLITE_ROW && step != SQLITE_DONE)
            status = failed(r);
    }
    sqlite3_finalize(query);
    return status;
}

static cs_status is_there(reading *r, const char *table, bool *there)
{
    sqlite3_stmt *query = NULL;
    cs_status status =
        prepare(r, "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", &query);

    if (status == CS_OK) {
        sqlite3_bind_text(query, 1, table, -1, SQLITE_STATIC);
        *there = sqlite3_step(query) == SQLITE_ROW;
    }
    sqlite3_finalize(query);
    return status;
}

/* ---- panels ---- */

/* What a matrix must know beforehand. */
static cs_status learn_grid(reading *r, const cs_report_query *query, size_t nr_rows)
{
    sqlite3_int64 bins = 0;

    if (strcmp(query->name, "layers") == 0)
        r->grid.layers = nr_rows;
    else if (strcmp(query->name, "rows") == 0)
        r->grid.rows = nr_rows;
    else if (strcmp(query->name, "bins") == 0) {
        const cs_status status = number(r, query->sql, 1, &bins);

        r->grid.bins = (size_t)(bins > 0 ? bins : 1);
        return status;
    }
    return CS_OK;
}

/* Writes `"name": {...}` with what stands before it, if there are rows. */
static cs_status put_query(reading *r, const cs_report_query *query, const char *before, bool *put)
{
    sqlite3_stmt *rows = NULL;
    char *text = NULL;
    size_t bytes = 0, nr_rows = 0;
    bool there = true;
    cs_status status = query->table != NULL ? is_there(r, query->table, &there) : CS_OK;

    *put = false;
    if (status != CS_OK || !there)
        return status;
    status = prepare(r, query->sql, &rows);
    FILE *memory = status == CS_OK ? open_memstream(&text, &bytes) : NULL;

    if (status == CS_OK && memory == NULL)
        status = cs_diag_set(r->diag, CS_ERR_NO_MEMORY, NULL, "out of memory");
    if (status == CS_OK) {
        status = query->form == CS_REPORT_CELLS
                     ? cs_report_cells(rows, &r->grid, memory, &nr_rows, r->diag)
                     : cs_report_columns(rows, memory, &nr_rows, r->diag);
        if (status == CS_ERR_FORMAT)
            status = failed(r);
    }
    if (memory != NULL && fclose(memory) != 0 && status == CS_OK)
        status = cs_diag_set(r->diag, CS_ERR_NO_MEMORY, NULL, "out of memory");
    if (status == CS_OK)
        status = learn_grid(r, query, nr_rows);
    if (status == CS_OK && nr_rows != 0) {
        fprintf(r->out, "%s\"%s\":", before, query->name);
        fwrite(text, 1, bytes, r->out);
        *put = true;
    }
    sqlite3_finalize(rows);
    free(text);
    return status;
}

static void put_head(FILE *out, const cs_report_panel *panel)
{
    const struct {
        const char *key, *text;
    } texts[] = {{"id", panel->id},
                 {"kind", panel->kind},
                 {"title", panel->title},
                 {"about", panel->about},
                 {"unit", panel->unit}};

    fputc('{', out);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (texts[i].text != NULL) {
            fprintf(out, "%s\"%s\":", cs_json_comma(i), texts[i].key);
            cs_json_string(out, texts[i].text);
        }
    fputs(",\"data\":{", out);
}

/* The panel of the first, with what all of its id have to show. */
static cs_status put_panel(reading *r, const cs_report_panel *const *panels, size_t nr,
                           const cs_report_panel *first, bool *any)
{
    FILE *out = r->out;
    char *text = NULL;
    size_t bytes = 0;
    bool own = false;
    cs_status status = CS_OK;
    FILE *memory = open_memstream(&text, &bytes);

    if (memory == NULL)
        return cs_diag_set(r->diag, CS_ERR_NO_MEMORY, NULL, "out of memory");
    r->out = memory;
    r->grid = (cs_report_grid){.last = (double)r->last};
    for (size_t i = 0; i < nr && status == CS_OK; i++)
        for (const cs_report_query *query = panels[i]->queries;
             strcmp(panels[i]->id, first->id) == 0 && query->name != NULL && status == CS_OK;
             query++) {
            bool put;

            status = put_query(r, query, own ? ",\n" : "", &put);
            own |= put;
        }
    r->out = out;
    if (fclose(memory) != 0 && status == CS_OK)
        status = cs_diag_set(r->diag, CS_ERR_NO_MEMORY, NULL, "out of memory");
    if (status == CS_OK && own) {
        fputs(*any ? ",\n" : "", out);
        put_head(out, first);
        fwrite(text, 1, bytes, out);
        fputs("}}", out);
        *any = true;
    }
    free(text);
    return status;
}

static cs_status put_panels(reading *r)
{
    const cs_report_panel *panels[CS_REPORT_MOST_PANELS];
    const size_t nr = cs_report_panels(panels);
    cs_status status = CS_OK;
    bool any = false;

    for (size_t i = 0; i < nr && status == CS_OK; i++)
        if (panels[i]->title != NULL)
            status = put_panel(r, panels, nr, panels[i], &any);
    return status;
}

/* ---- the run ---- */

static cs_status open_truth(reading *r)
{
    char name[PATH_BYTES + CS_SQLITE_PATH_MORE], stranger[128], why[256];

    snprintf(r->path, sizeof r->path, "%s/truth.sqlite", r->folder);
    if (sqlite3_open_v2(cs_sqlite_path(r->path, name, sizeof name), &r->db,
                        SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK)
        return cs_diag_set(r->diag, CS_ERR_IO, r->path, "%s",
                           cs_sqlite_why(r->path, sqlite3_errmsg(r->db), why, sizeof why));
    cs_sqlite_distrust(r->db);
    return cs_sqlite_stranger(r->db, "main", stranger, sizeof stranger)
               ? cs_diag_set(r->diag, CS_ERR_FORMAT, r->path, CS_SQLITE_STRANGER, stranger)
               : CS_OK;
}

static cs_status learn_run(reading *r)
{
    sqlite3_int64 ns = 0;
    cs_status status = number(r, "SELECT value FROM run WHERE key = 'clock_mhz'", 0, &r->mhz);

    if (status == CS_OK)
        status = number(r, "SELECT value FROM run WHERE key = 'core_mhz'", 0, &r->core_mhz);
    if (status == CS_OK)
        status = number(r, "SELECT :summary->>'simulated_ns'", 0, &ns);
    if (status == CS_OK && (r->mhz <= 0 || r->core_mhz <= 0 || ns < 0))
        status = cs_diag_set(r->diag, CS_ERR_FORMAT, r->path,
                             "is not as this version writes a truth: clocks of %lld and %lld MHz, "
                             "%lld ns; run the scenario again",
                             (long long)r->mhz, (long long)r->core_mhz, (long long)ns);
    r->last = (sqlite3_int64)((double)ns * (double)r->mhz / 1000) + 1;
    r->step = 10 * r->mhz;
    while (r->last / (r->step != 0 ? r->step : 1) > MOST_STEPS)
        r->step *= 2;
    return status;
}

/* A whole file with a zero behind it; NULL: errno says why. */
static char *read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    size_t have = 0, room = 1u << 16;
    char *text = file != NULL ? malloc(room) : NULL;

    while (text != NULL) {
        have += fread(text + have, 1, room - have - 1, file);
        if (have + 1 < room)
            break;
        char *more = realloc(text, room *= 2);

        if (more == NULL)
            free(text);
        text = more;
    }
    if (text != NULL && ferror(file)) {
        free(text);
        text = NULL;
    }
    if (text != NULL)
        text[have] = '\0';
    if (file != NULL) {
        const int why = errno;

        fclose(file);
        errno = why;
    }
    return text;
}

cs_status cs_report_read(const char *folder, const char *name, char **out, cs_diag *diag)
{
    char path[PATH_BYTES];
    struct stat info;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    *out = NULL;
    if (stat(path, &info) == 0 && (!S_ISREG(info.st_mode) || info.st_size > MOST_BYTES))
        return cs_diag_set(diag, CS_ERR_FORMAT, path, "expected a file of at most %d MiB",
                           MOST_BYTES >> 20);
    *out = read_file(path);
    return *out != NULL ? CS_OK
                        : cs_diag_set(diag, CS_ERR_IO, path, "cannot read: %s", strerror(errno));
}

static cs_status put_run(reading *r, const char *name, const char *group)
{
    char *scenario = NULL;
    cs_status status = cs_report_read(r->folder, "scenario.yaml", &scenario, r->diag);

    if (status == CS_OK) {
        fputs("{\"type\":\"run\",\"name\":", r->out);
        cs_json_string(r->out, name);
        if (group != NULL) {
            fputs(",\"group\":", r->out);
            cs_json_string(r->out, group);
        }
        fprintf(r->out,
                ",\"clock_mhz\":%lld,\"last\":%lld,\"summary\":%s,\"scenario\":", (long long)r->mhz,
                (long long)r->last, r->summary);
        cs_json_string(r->out, scenario);
        fputs(",\"panels\":[\n", r->out);
        status = put_panels(r);
        fputs("]}", r->out);
    }
    free(scenario);
    return status;
}

cs_status cs_report_put_run(const char *folder, const char *name, const char *group, FILE *out,
                            cs_diag *diag)
{
    reading r = {.folder = folder, .out = out, .diag = diag};
    cs_status status = open_truth(&r);

    if (status == CS_OK)
        status = cs_report_read(folder, "summary.json", &r.summary, diag);
    if (status == CS_OK)
        status = learn_run(&r);
    if (status == CS_OK)
        status = put_run(&r, name, group);
    sqlite3_close(r.db);
    free(r.summary);
    return status;
}
