#define _POSIX_C_SOURCE 200809L
#include "check/check.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check/impl.h"
#include "formats/ctf/read/ctf.h"
#include "formats/imc/read/record.h"
#include "formats/perfetto/read/json.h"
#include "formats/perfetto/read/proto.h"
#include "formats/pmcu/abi/aux_header.h"
#include "formats/riscv/read/ring.h"
#include "formats/table/read/table.h"

#define PATH_BYTES 4096

/* ---- the file ---- */

static cs_status read_file(void *ctx, uint8_t *out, size_t bytes, size_t *got, cs_diag *diag)
{
    cs_check *check = ctx;

    *got = fread(out, 1, bytes, check->file);
    if (ferror(check->file))
        return cs_diag_set(diag, CS_ERR_IO, check->request->path, "cannot read: %s",
                           strerror(errno));
    return CS_OK;
}

cs_byte_source cs_check_source(cs_check *check)
{
    return (cs_byte_source){read_file, check};
}

static cs_status read_at(void *ctx, uint64_t offset, uint8_t *out, size_t bytes, size_t *got,
                         cs_diag *diag)
{
    cs_check *check = ctx;
    ssize_t read = 0;

    *got = 0;
    if (offset <= INT64_MAX)
        do
            read = pread(fileno(check->file), out, bytes, (off_t)offset);
        while (read < 0 && errno == EINTR);
    if (read < 0)
        return cs_diag_set(diag, CS_ERR_IO, check->request->path, "cannot read: %s",
                           strerror(errno));
    *got = (size_t)read;
    return CS_OK;
}

cs_status cs_check_seek_source(cs_check *check, cs_seek_source *source)
{
    struct stat status;

    if (fstat(fileno(check->file), &status) != 0 || !S_ISREG(status.st_mode))
        return cs_diag_set(check->diag, CS_ERR_IO, check->request->path, "is no plain file");
    *source = (cs_seek_source){read_at, check, (uint64_t)status.st_size};
    return CS_OK;
}

cs_status cs_check_ended(cs_check *check, cs_status status, const cs_diag *diag)
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

typedef struct kind {
    const char *name;
    cs_status (*check)(cs_check *check);
} kind;

static const kind kinds[] = {
    {"perf-data", cs_check_perf_data},
    {"pmcu-aux", cs_check_pmcu_aux},
    {"riscv-ring", cs_check_ring},
    {"imc-trace", cs_check_imc_trace},
    {"imc", cs_check_imc_trace}, /* formats of `trace` have its names, and those of `decode` */
    {"core-imc", cs_check_core_image},
    {"imc-core", cs_check_core_image},
    {"thread-imc", cs_check_thread_image},
    {"imc-thread", cs_check_thread_image},
    {"nest-imc", cs_check_nest_image},
    {"imc-nest", cs_check_nest_image},
    {"csv", cs_check_csv},
    {"json", cs_check_json},
    {"perfetto", cs_check_trace_events},
    {"ctf", cs_check_ctf},
    {"snapshot", cs_check_pages},
    {"sbi-snapshot", cs_check_pages},
};
#define NR_KINDS (sizeof kinds / sizeof kinds[0])

static const char *guess(const uint8_t *look, size_t bytes)
{
    cs_pmcu_aux_header header;
    cs_imc_trace_record record;

    if (cs_perfread_looks_so(look, bytes))
        return "perf-data";
    if (cs_tableread_is_csv(look, bytes))
        return "csv";
    if (cs_tableread_is_json(look, bytes))
        return "json";
    if (cs_traceread_looks_so(look, bytes) || cs_perfettoread_looks_so(look, bytes))
        return "perfetto";
    if (bytes >= CS_PMCU_AUX_FIXED_BYTES &&
        cs_pmcu_aux_header_decode(look, NULL, &header, NULL) == CS_OK)
        return "pmcu-aux";
    if (cs_perf_ring_looks_so(look, bytes))
        return "riscv-ring";
    for (size_t at = 0; at + CS_IMC_TRACE_RECORD_BYTES <= bytes; at += CS_IMC_TRACE_RECORD_BYTES) {
        cs_imc_trace_decode(look + at, &record);
        if (record.itself == CS_IMC_VALID)
            return "imc-trace";
    }
    return NULL;
}

/* Images do not say what they are; the run says how large those of a format are together. NULL:
 * none is, or several. */
static const char *guess_image(cs_check *check)
{
    const char *found = NULL;
    struct stat status;
    char sql[160];

    if (check->db == NULL || fstat(fileno(check->file), &status) != 0)
        return NULL;
    for (size_t i = 0; i < NR_KINDS; i++) {
        snprintf(sql, sizeof sql, "SELECT sum(bytes) FROM truth.image WHERE format='%s'",
                 kinds[i].name);
        if (cs_check_number(check, sql, -1) != (int64_t)status.st_size)
            continue;
        if (found != NULL)
            return NULL;
        found = kinds[i].name;
    }
    return found;
}

static cs_status choose(cs_check *check, const kind **out)
{
    const char *as = check->request->as;
    uint8_t look[2 * CS_IMC_TRACE_RECORD_BYTES];

    if (as == NULL && cs_ctfread_looks_so(check->request->path)) {
        as = "ctf";
    } else if (as == NULL) {
        const size_t bytes = fread(look, 1, sizeof look, check->file);

        rewind(check->file);
        as = guess(look, bytes);
        /* A good record may be no record at all: little in it says so. */
        if (as == NULL || (strcmp(as, "imc-trace") == 0 && cs_check_imc_cpu(check) < 0)) {
            const char *image = guess_image(check);

            as = image != NULL ? image : as;
        }
    }
    for (size_t i = 0; as != NULL && i < NR_KINDS; i++)
        if (strcmp(kinds[i].name, as) == 0) {
            *out = &kinds[i];
            return CS_OK;
        }
    return cs_diag_set(check->diag, CS_ERR_RANGE, check->request->path,
                       "%s%s%s, expected perf-data, pmcu-aux, imc-trace, imc, core-imc, "
                       "thread-imc, nest-imc, snapshot, riscv-ring, csv, json, perfetto or ctf "
                       "(--as)",
                       as != NULL ? "found '" : "is of no format that can be told",
                       as != NULL ? as : "", as != NULL ? "'" : "");
}

/* ---- the whole ---- */

static cs_status attach(cs_check *check)
{
    char path[PATH_BYTES + 16];
    sqlite3_stmt *statement = NULL;
    struct stat there;
    cs_status status;

    snprintf(path, sizeof path, "%s/truth.sqlite", check->request->truth);
    if (stat(path, &there) != 0)
        return cs_diag_set(check->diag, CS_ERR_IO, path,
                           "cannot open: %s; --truth gives the run folder", strerror(errno));
    /* "": a database of this connection's own, on disk where it grows large. */
    if (sqlite3_open("", &check->db) != SQLITE_OK)
        return cs_diag_set(check->diag, CS_ERR_IO, path, "no database: %s",
                           sqlite3_errmsg(check->db));
    status = cs_check_prepare(check, "ATTACH ? AS truth", &statement);
    if (status == CS_OK) {
        sqlite3_bind_text(statement, 1, path, -1, SQLITE_TRANSIENT);
        if (sqlite3_step(statement) != SQLITE_DONE)
            status = cs_diag_set(check->diag, CS_ERR_IO, path, "%s", sqlite3_errmsg(check->db));
    }
    sqlite3_finalize(statement);
    if (status == CS_OK && cs_check_number(check, "SELECT count(*) FROM truth.run", -1) < 0)
        status = cs_diag_set(check->diag, CS_ERR_FORMAT, path,
                             "is no truth of a run: it has no table `run`");
    return status == CS_OK ? cs_check_do(check, "PRAGMA query_only=OFF; BEGIN") : status;
}

/* What all the rows, and the reading, come to. */
static cs_status verdict(cs_check *check)
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
            check->diag, CS_ERR_UNSUPPORTED, check->request->path,
            "nothing to compare: the truth in %s knows nothing that belongs into it (is "
            "keep.samples_truth set? is there such a --command? did the kernel refuse it, or did "
            "the run end before perf got anything?)",
            check->request->truth);
    return CS_OK;
}

cs_status cs_check_trace(const cs_check_request *request, const cs_text_sink *sink, cs_diag *diag)
{
    cs_check_request wanted = *request;
    cs_check check = {.request = &wanted, .diag = diag};
    char truth[PATH_BYTES], command[64];
    const kind *as = NULL;
    cs_diag no_truth = {0};
    cs_status status, attached;

    if (wanted.truth == NULL) {
        if (snprintf(truth, sizeof truth, "%s.truth", request->path) >= (int)sizeof truth)
            return cs_diag_set(diag, CS_ERR_RANGE, request->path, "the name is too long");
        wanted.truth = truth;
    }
    check.file = fopen(request->path, "rb");
    if (check.file == NULL)
        return cs_diag_set(diag, CS_ERR_IO, request->path, "cannot open: %s", strerror(errno));
    if (request->truth == NULL && request->command == NULL &&
        cs_check_written_command(&check, command, sizeof command))
        wanted.command = command;
    cs_table_begin(&check.table, request->format, sink);
    check.diag = &no_truth;
    attached = attach(&check);
    check.diag = diag;
    status = choose(&check, &as);
    if (status == CS_OK && attached != CS_OK) {
        status = attached;
        if (diag != NULL)
            *diag = no_truth;
    }
    if (status == CS_OK)
        status = as->check(&check);
    cs_table_end(&check.table);
    if (status == CS_OK)
        status = verdict(&check);
    if (status == CS_OK && check.table.status != CS_OK)
        status = cs_diag_set(diag, check.table.status, NULL, "the table could not be written");
    sqlite3_close(check.db);
    fclose(check.file);
    return status;
}
