/* A perf.data file: its samples, or its counts. */
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "formats/perf_data_read.h"
#include "formats/perf_read_aux.h"
#include "traces/check_impl.h"

#define NAME_BYTES 256

static const char tables[] =
    "CREATE TABLE found(offset INTEGER PRIMARY KEY, event INTEGER, cpu INTEGER, time INTEGER, ip "
    "INTEGER, pid INTEGER, misc INTEGER, period INTEGER);"
    "CREATE TABLE stat(offset INTEGER PRIMARY KEY, fe INTEGER, name TEXT, cpu INTEGER, value "
    "INTEGER);"
    "CREATE TABLE names(fe INTEGER PRIMARY KEY, name TEXT)";

typedef struct filler {
    cs_check *check;
    cs_perfread *reader;
    sqlite3_stmt *sample;
    sqlite3_stmt *stat;
    uint64_t samples;
    uint64_t stats;
    uint64_t auxtraces;
} filler;

/* "pmu/name/" as "pmu/name", "cycles:u" without what follows the colon. */
static void plain_name(const cs_perfread_event *event, char name[NAME_BYTES])
{
    snprintf(name, NAME_BYTES, "%s", event->name != NULL ? event->name : "");

    const size_t length = strlen(name);
    char *colon = strrchr(name, ':');
    if (length > 0 && name[length - 1] == '/') {
        name[length - 1] = '\0';
    } else if (colon != NULL && colon[1] != '\0' &&
               strspn(colon + 1, "ukhGHIpPSDW") == strlen(colon + 1)) {
        *colon = '\0';
    }
}

static cs_status add_sample(filler *fill, const cs_perfread_record *record)
{
    const int64_t values[] = {
        (int64_t)record->offset,
        record->event != NULL ? (int64_t)record->event->index : -1,
        record->who.cpu,
        (int64_t)record->who.time,
        (int64_t)record->sample.ip,
        record->who.pid,
        record->misc,
        (int64_t)record->sample.period,
    };

    fill->samples++;
    return cs_check_insert(fill->check, fill->sample, values, sizeof values / sizeof values[0]);
}

static cs_status add_stat(filler *fill, const cs_perfread_record *record)
{
    char name[NAME_BYTES] = "?";

    fill->stats++;
    if (record->event != NULL)
        plain_name(record->event, name);
    sqlite3_bind_int64(fill->stat, 1, (int64_t)record->offset);
    sqlite3_bind_int64(fill->stat, 2, record->event != NULL ? (int64_t)record->event->index : -1);
    sqlite3_bind_text(fill->stat, 3, name, -1, SQLITE_TRANSIENT);
    sqlite3_bind_int64(fill->stat, 4, (int32_t)record->stat.cpu);
    sqlite3_bind_int64(fill->stat, 5, (int64_t)record->stat.value);
    return cs_check_insert(fill->check, fill->stat, NULL, 0);
}

static cs_status add_names(filler *fill)
{
    const cs_perfread_facts *facts = cs_perfread_get_facts(fill->reader);
    sqlite3_stmt *insert = NULL;
    cs_status status = cs_check_prepare(fill->check, "INSERT INTO names VALUES(?,?)", &insert);

    for (size_t i = 0; i < facts->nr_events && status == CS_OK; i++) {
        const char *name = facts->events[i].name;

        sqlite3_bind_int64(insert, 1, (int64_t)i);
        sqlite3_bind_text(insert, 2, name != NULL ? name : "?", -1, SQLITE_TRANSIENT);
        status = cs_check_insert(fill->check, insert, NULL, 0);
    }
    sqlite3_finalize(insert);
    return status;
}

static cs_status fill_tables(filler *fill)
{
    const cs_perfread_record *record = NULL;
    cs_diag diag = {0};
    cs_status status = CS_OK;

    while (status == CS_OK) {
        cs_status read = cs_perfread_next(fill->reader, &record, &diag);

        if (read != CS_OK)
            return cs_check_ended(fill->check, read, &diag);
        if (record == NULL)
            break;
        if (record->type == CS_PERFREAD_SAMPLE)
            status = add_sample(fill, record);
        else if (record->type == CS_PERFREAD_STAT)
            status = add_stat(fill, record);
        fill->auxtraces += record->type == CS_PERFREAD_AUXTRACE;
    }
    return status;
}

/* A PMCU's AUX data in the file. */
static cs_status check_aux(cs_check *check)
{
    cs_perfread_aux aux;
    cs_perfread *reader = NULL;
    cs_seek_source file;
    cs_status status = cs_check_seek_source(check, &file);

    if (status == CS_OK)
        status = cs_perfread_open(&file, check->request->path, &reader, check->diag);
    if (status == CS_OK)
        status = cs_perfread_aux_begin(&aux, reader, -1, check->diag);
    if (status == CS_OK) {
        const cs_byte_source source = cs_perfread_aux_source(&aux);

        status = cs_perfread_aux_is_pmcu(&aux) ? cs_check_pmcu_bytes(check, &source) : CS_OK;
    }
    cs_perfread_close(reader);
    return status;
}

cs_status cs_check_perf_data(cs_check *check)
{
    filler fill = {.check = check};
    cs_seek_source source;
    cs_status status = cs_check_seek_source(check, &source);

    if (status == CS_OK)
        status = cs_perfread_open(&source, check->request->path, &fill.reader, check->diag);
    if (status == CS_OK)
        status = cs_check_do(check, tables);
    if (status == CS_OK)
        status = cs_check_prepare(check, "INSERT INTO found VALUES(?,?,?,?,?,?,?,?)", &fill.sample);
    if (status == CS_OK)
        status = cs_check_prepare(check, "INSERT INTO stat VALUES(?,?,?,?,?)", &fill.stat);
    if (status == CS_OK)
        status = fill_tables(&fill);
    if (status == CS_OK)
        status = add_names(&fill);
    const bool counts = fill.reader != NULL && cs_perfread_get_facts(fill.reader)->stat;
    sqlite3_finalize(fill.sample);
    sqlite3_finalize(fill.stat);
    cs_perfread_close(fill.reader);
    if (status != CS_OK)
        return status;
    if (counts || fill.stats > 0)
        return cs_check_counts(check);
    if (fill.auxtraces > 0 && fill.samples == 0)
        return cs_check_do(check, "DROP TABLE found") == CS_OK ? check_aux(check) : CS_ERR_IO;
    status = cs_check_samples(check, true);
    return status == CS_OK ? cs_check_shares(check) : status;
}
