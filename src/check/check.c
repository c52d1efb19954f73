// SPDX-License-Identifier: Apache-2.0
#define _XOPEN_SOURCE 700
#include "check/check.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

#include "base/number.h"
#include "base/sqlite_foreign.h"
#include "base/sqlite_path.h"
#include "check/checker.h"
#include "check/impl.h"
#include "formats/common/beside.h"
#include "formats/formats.h"
#include "scenario/load.h"

#define PATH_BYTES 4096

/* ---- the file ---- */

cs_byte_source cs_check_source(cs_checking *check)
{
    return cs_input_source(&check->in);
}

cs_status cs_check_ended(cs_checking *check, cs_status status, const cs_diag *diag)
{
    if (status != CS_ERR_FORMAT && status != CS_OK) {
        if (check->diag != NULL)
            *check->diag = *diag;
        return status;
    }
    check->damage = status;
    check->damage_diag = *diag;
    return CS_OK;
}

/* ---- which check ---- */

const cs_checker cs_checker_none = {0};

#define CS_TRACE_FORMAT(id, made, checked)                                                         \
    extern const cs_format cs_format_##id;                                                         \
    extern const cs_checker cs_checker_##checked;
#include "traces/formats.def"
#undef CS_TRACE_FORMAT

typedef struct row {
    const cs_format *format;
    const cs_checker *checker;
} row;

static const row rows[] = {
#define CS_TRACE_FORMAT(id, made, checked) {&cs_format_##id, &cs_checker_##checked},
#include "traces/formats.def"
#undef CS_TRACE_FORMAT
};
#define NR_ROWS (sizeof rows / sizeof rows[0])

static const cs_checker *checker_of(const cs_format *format)
{
    for (size_t i = 0; i < NR_ROWS; i++)
        if (rows[i].format == format && rows[i].checker != &cs_checker_none)
            return rows[i].checker;
    return NULL;
}

const cs_format_option *cs_check_option_at(size_t nr)
{
    for (size_t i = 0; i < NR_ROWS; i++) {
        const cs_format_option *const *option = rows[i].checker->options;

        for (; option != NULL && *option != NULL; option++)
            if (nr-- == 0)
                return *option;
    }
    return NULL;
}

int64_t cs_check_given_number(const cs_checking *check, const cs_format_option *option,
                              int64_t otherwise)
{
    const cs_check_request *request = check->request;
    uint64_t number;

    for (size_t i = request->nr_given; i-- > 0;)
        if (request->given[i].option == option &&
            cs_number_of(request->given[i].text, INT64_MAX, &number))
            return (int64_t)number;
    return otherwise;
}

static bool is_checked(const cs_format *format, const void *ctx)
{
    (void)ctx;
    return checker_of(format) != NULL;
}

/* Adds the bytes of all the run's images that are called so. */
static cs_status add_image_bytes(cs_checking *check, const char *name, int64_t *sum)
{
    char sql[160];
    int64_t bytes = 0;

    snprintf(sql, sizeof sql, "SELECT sum(bytes) FROM truth.image WHERE format='%s'", name);
    const cs_status status = cs_check_number(check, sql, &bytes);

    *sum += bytes;
    return status;
}

/* Of all that are called as the format is. */
static cs_status image_bytes(cs_checking *check, const cs_format *format, int64_t *sum)
{
    cs_status status;

    *sum = 0;
    status = add_image_bytes(check, format->name, sum);
    for (size_t k = 0; status == CS_OK && format->aliases != NULL && format->aliases[k] != NULL;
         k++)
        status = add_image_bytes(check, format->aliases[k], sum);
    return status;
}

/* Images do not say what they are; the run says how large those of a format are together. *out NULL:
 * none is, or several. */
static cs_status guess_image(cs_checking *check, const cs_format **out)
{
    cs_seek_source file;
    bool any = false;
    cs_status status = CS_OK;

    *out = NULL;
    if (check->db == NULL || !cs_input_seek_source(&check->in, &file))
        return CS_OK;
    status =
        cs_check_any(check, "SELECT count(*) FROM truth.sqlite_master WHERE name='image'", &any);
    for (size_t i = 0; i < NR_ROWS && status == CS_OK && any; i++) {
        int64_t bytes;

        status = image_bytes(check, rows[i].format, &bytes);
        if (status != CS_OK || bytes == 0 || (uint64_t)bytes != file.bytes)
            continue;
        any = *out == NULL;
        *out = any ? rows[i].format : NULL;
    }
    return status;
}

static bool is_sure(const cs_checking *check, const cs_format *format)
{
    const cs_checker *checker = checker_of(format);

    return !format->weak ||
           (checker != NULL && checker->is_sure != NULL && checker->is_sure(check));
}

static cs_status guess(cs_checking *check, const cs_format **out)
{
    const cs_format *as = cs_format_guess(check->in.look, check->in.looked);
    cs_status status = CS_OK;

    if (as == NULL || !is_sure(check, as))
        status = guess_image(check, out);
    if (*out == NULL)
        *out = as;
    return status;
}

/* Opens the file, unless its reader does, and tells what it is. */
static cs_status choose(cs_checking *check, const cs_checker **out)
{
    const char *path = check->request->path, *name = check->request->as;
    const cs_format *as = name != NULL ? cs_format_named(name) : cs_format_guess_folder(path);
    char names[CS_FORMAT_NAMES_BYTES], told[64];
    cs_status status = CS_OK;

    if (as == NULL || !as->folder)
        status = cs_input_open(&check->in, path, 0, UINT64_MAX, check->diag);
    if (status == CS_OK && check->in.file != NULL && strcmp(path, "-") == 0)
        status = cs_input_spool(&check->in, check->diag);
    if (status != CS_OK)
        return status;
    if (as == NULL && name == NULL)
        status = guess(check, &as);
    if (status == CS_OK && as == NULL && name == NULL) { /* an empty file may be of any format */
        status = cs_check_written(check, "format", told, sizeof told);
        as = cs_format_named(told);
    }
    if (status != CS_OK)
        return status;
    *out = as != NULL ? checker_of(as) : NULL;
    if (*out != NULL)
        return CS_OK;
    if (name == NULL && as != NULL)
        name = as->name;
    return cs_diag_set(check->diag, CS_ERR_RANGE, path, "%s%s%s, expected %s (--as)",
                       name != NULL ? "found '" : "has a format that cannot be detected",
                       name != NULL ? name : "", name != NULL ? "'" : "",
                       cs_format_names(names, " or ", is_checked, NULL));
}

/* ---- the whole ---- */

/* In the truths of version 0.2.0, events of samples were called otherwise: all would disagree. */
static cs_status refuse_older(cs_checking *check, const char *path)
{
    bool any = false;
    cs_status status =
        cs_check_any(check, "SELECT count(*) FROM truth.sqlite_master WHERE name='event'", &any);

    if (status != CS_OK || !any)
        return status;
    status = cs_check_any(
        check, "SELECT count(*) FROM truth.event WHERE cycle_counter=1 AND id IS NOT 327680", &any);
    return status != CS_OK || !any
               ? status
               : cs_diag_set(check->diag, CS_ERR_FORMAT, path,
                             "is the truth of an older version: expected id 327680 for the cycle "
                             "counter in table `event`; trace the scenario again");
}

static cs_status attach(cs_checking *check)
{
    char path[PATH_BYTES + 16], name[sizeof path + CS_SQLITE_PATH_MORE], stranger[128], why[256];
    sqlite3_stmt *statement = NULL;
    struct stat there;
    bool is_truth = false;
    int64_t mhz;
    cs_status status;

    snprintf(path, sizeof path, "%s", check->request->truth);
    if (stat(path, &there) != 0 || !S_ISREG(there.st_mode))
        snprintf(path, sizeof path, "%s/truth.sqlite", check->request->truth);
    if (stat(path, &there) != 0)
        return cs_diag_set(check->diag, CS_ERR_IO, path,
                           "cannot open: %s; --truth gives the run folder, or the file that "
                           "`countersink pmu` wrote",
                           strerror(errno));
    /* "": a database of this connection's own, on disk where it grows large. */
    if (sqlite3_open_v2("", &check->db,
                        SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX,
                        NULL) != SQLITE_OK)
        return cs_diag_set(check->diag, CS_ERR_IO, path, "no database: %s",
                           sqlite3_errmsg(check->db));
    cs_sqlite_distrust(check->db);
    status = cs_check_add_rows_hash(check);
    if (status == CS_OK)
        status = cs_check_add_exact_sum(check);
    if (status == CS_OK)
        status = cs_check_add_as_double(check);
    if (status == CS_OK)
        status = cs_check_prepare(check, "ATTACH ? AS truth", &statement);
    if (status == CS_OK) {
        sqlite3_bind_text(statement, 1, cs_sqlite_path(path, name, sizeof name), -1, SQLITE_STATIC);
        if (sqlite3_step(statement) != SQLITE_DONE)
            status = cs_diag_set(check->diag, cs_sqlite_status(check->db), path, "%s",
                                 cs_sqlite_why(path, sqlite3_errmsg(check->db), why, sizeof why));
    }
    sqlite3_finalize(statement);
    if (status == CS_OK && cs_sqlite_stranger(check->db, "truth", stranger, sizeof stranger))
        status = cs_diag_set(check->diag, CS_ERR_FORMAT, path, CS_SQLITE_STRANGER, stranger);
    if (status == CS_OK)
        status = cs_check_any(check, "SELECT count(*) FROM truth.sqlite_master WHERE name='run'",
                              &is_truth);
    if (status == CS_OK && !is_truth)
        status = cs_diag_set(check->diag, CS_ERR_FORMAT, path,
                             "is not the truth of a run: it has no table `run`");
    if (status == CS_OK)
        status = refuse_older(check, path);
    if (status == CS_OK) /* else no time could be told, and all would disagree */
        status = cs_check_clock(check, &mhz);
    if (status == CS_OK)
        status =
            cs_check_any(check, "SELECT count(*) FROM truth.run WHERE key='kind' AND value='pmu'",
                         &check->opened);
    if (status == CS_OK)
        status = cs_check_do(check, "PRAGMA query_only=OFF; PRAGMA main.journal_mode=OFF; "
                                    "PRAGMA main.cache_size=-65536; BEGIN");
    if (status != CS_OK) { /* then nothing can be asked of it */
        sqlite3_close(check->db);
        check->db = NULL;
    }
    return status;
}

/* What all the rows, and the reading, come to. */
static cs_status verdict(cs_checking *check)
{
    if (check->damage != CS_OK) {
        if (check->diag != NULL)
            *check->diag = check->damage_diag;
        return check->damage;
    }
    if (check->bad_rows > 0)
        return cs_diag_set(check->diag, CS_ERR_DIFFERENCE, check->request->path,
                           "%" PRIu64 " of %" PRIu64 " comparisons disagree with the truth",
                           check->bad_rows, check->rows);
    if (check->rows == 0)
        return cs_diag_set(
            check->diag, CS_ERR_UNDECIDED, check->request->path,
            "cannot say: nothing to compare: the truth in %s has nothing that belongs in it "
            "(is keep.samples_truth set? is there such a --command? did the kernel refuse it, or "
            "did "
            "the run end before perf got anything?)",
            check->request->truth);
    if (check->good_rows == 0)
        return cs_diag_set(check->diag, CS_ERR_UNDECIDED, check->request->path,
                           "cannot say: none of %" PRIu64 " comparisons could be made: %s",
                           check->rows, check->unknown);
    return CS_OK;
}

cs_status cs_check_trace(const cs_check_request *request, const cs_text_sink *sink, cs_diag *diag)
{
    cs_check_request wanted = *request;
    cs_checking check = {.request = &wanted, .diag = diag};
    char truth[PATH_BYTES], command[64];
    const cs_checker *checker = NULL;
    cs_diag no_truth = {0};
    cs_status status, attached;

    if (wanted.truth == NULL) {
        if (!cs_run_folder_beside(request->path, truth, sizeof truth) &&
            snprintf(truth, sizeof truth, "%s.truth", request->path) >= (int)sizeof truth)
            return cs_diag_set(diag, CS_ERR_RANGE, request->path, "the name is too long");
        wanted.truth = truth;
    }
    check.in.name = request->path;
    if (request->truth == NULL && request->command == NULL) {
        status = cs_check_written(&check, "command", command, sizeof command);
        if (status != CS_OK)
            return status;
        wanted.command = command[0] != '\0' ? command : NULL;
    }
    cs_table_begin(&check.table, request->format, sink);
    check.diag = &no_truth;
    attached = attach(&check);
    check.diag = diag;
    status = choose(&check, &checker);
    if (status == CS_OK && attached != CS_OK) {
        status = attached;
        if (diag != NULL)
            *diag = no_truth;
    }
    if (status == CS_OK)
        status = checker->check(&check);
    cs_table_end(&check.table);
    if (status == CS_OK)
        status = verdict(&check);
    if (status == CS_OK && check.table.status != CS_OK)
        status = cs_diag_set(diag, check.table.status, NULL, "the table could not be written");
    cs_scenario_destroy(check.scenario);
    sqlite3_close(check.db);
    cs_input_close(&check.in);
    return status;
}
