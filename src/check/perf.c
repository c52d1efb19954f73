/* A perf.data file: its samples, or its counts. */
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "check/checker.h"
#include "check/impl.h"
#include "formats/perf/abi/perf.h"
#include "formats/perf/read/aux.h"
#include "formats/perf/read/parts.h"

#define NAME_BYTES 256
#define CONTEXT_SWITCH (UINT64_C(1) << 26) /* of an attr's flags */

static const char tables[] =
    "CREATE TABLE found(offset INTEGER PRIMARY KEY, event INTEGER, cpu INTEGER, time INTEGER, ip "
    "INTEGER, pid INTEGER, misc INTEGER, period INTEGER, chain TEXT);"
    "CREATE TABLE stat(offset INTEGER PRIMARY KEY, fe INTEGER, name TEXT, cpu INTEGER, value "
    "INTEGER, enabled INTEGER, running INTEGER);"
    "CREATE TABLE raw(subsample INTEGER, cpu INTEGER, position INTEGER, value INTEGER, offset "
    "INTEGER);"
    "CREATE TABLE switched(offset INTEGER, cpu INTEGER, time INTEGER, gone INTEGER, pid INTEGER, "
    "other INTEGER);"
    "CREATE TABLE about(cpu INTEGER);"
    "CREATE TABLE names(fe INTEGER PRIMARY KEY, name TEXT, key INTEGER, pmcu INTEGER)";

typedef struct filler {
    cs_check *check;
    cs_perfread *reader;
    sqlite3_stmt *sample;
    sqlite3_stmt *stat;
    sqlite3_stmt *raw;
    sqlite3_stmt *switched;
    sqlite3_stmt *about;
    int64_t
        nr_cpu; /* of the truth, and its slots a cluster: 0 of a truth without a PMCU's values */
    int64_t slots;
    uint64_t subsamples;
    uint64_t samples;
    uint64_t stats;
    uint64_t auxtraces;
    bool pmcu; /* an event is a PMCU's */
} filler;

/* "pmu/name/" as "pmu/name", "cycles:u" without what follows the colon. */
static void plain_name(const cs_perfread_event *event, char name[NAME_BYTES])
{
    snprintf(name, NAME_BYTES, "%s", event->name != NULL ? event->name : "");

    const size_t length = strlen(name);
    if (length > 0 && name[length - 1] == '/')
        name[length - 1] = '\0';
    else
        name[cs_check_name_bytes(name)] = '\0';
}

/* Of compressed records: the byte in what has been unpacked. */
static int64_t place_of(const cs_perfread_record *record)
{
    return (int64_t)(record->packed ? record->place : record->offset);
}

/* With one event all samples are its own, whatever id they have: here the id has to be right. */
static int64_t event_of(const filler *fill, const cs_perfread_record *record)
{
    const bool has_id = (record->who.has & (CS_PERFREAD_ID | CS_PERFREAD_IDENTIFIER)) != 0;

    if (record->event == NULL ||
        (has_id && record->event->nr_ids > 0 &&
         cs_perfread_event_of(fill->reader, record->who.id) != record->event))
        return -1;
    return record->event->index;
}

/* All words of a call chain, markers among them, in one text. */
static void bind_chain(filler *fill, const cs_perfread_words *chain)
{
    sqlite3_str *text = sqlite3_str_new(NULL);

    for (size_t i = 0; i < chain->count; i++)
        sqlite3_str_appendf(text, "%s0x%llx", i > 0 ? ";" : "",
                            (unsigned long long)cs_perfread_word(chain, i));
    if (sqlite3_str_length(text) == 0)
        sqlite3_bind_text(fill->sample, 9, "", -1, SQLITE_STATIC);
    else
        sqlite3_bind_text(fill->sample, 9, sqlite3_str_value(text), -1, SQLITE_TRANSIENT);
    sqlite3_free(sqlite3_str_finish(text));
}

static cs_status add_sample(filler *fill, const cs_perfread_record *record)
{
    const int64_t values[] = {
        place_of(record),
        event_of(fill, record),
        record->who.cpu,
        (int64_t)record->who.time,
        (int64_t)record->sample.ip,
        record->who.pid,
        record->misc,
        (int64_t)record->sample.period,
    };

    fill->samples++;
    if (record->event != NULL && (record->event->sample_type & CS_PERFREAD_CALLCHAIN) != 0)
        bind_chain(fill, &record->sample.callchain);
    else
        sqlite3_bind_null(fill->sample, 9);
    return cs_check_insert(fill->check, fill->sample, values, sizeof values / sizeof values[0]);
}

/* A subsample's bytes: for each CPU in the order of its slot 8 bytes of ids, then each counter. What
 * is left behind the last whole counter is padding. */
static cs_status add_raw(filler *fill, const cs_perfread_record *record)
{
    const cs_perfread_blob *raw = &record->sample.raw;
    const uint64_t field = 8 * (uint64_t)fill->nr_cpu;
    const bool big = cs_perfread_get_facts(fill->reader)->big_endian;
    cs_status status = CS_OK;

    for (uint64_t at = field; at + field <= raw->count && status == CS_OK; at += field)
        for (int64_t cpu = 0; cpu < fill->nr_cpu && status == CS_OK; cpu++) {
            const int64_t place =
                cpu % fill->slots * (fill->nr_cpu / fill->slots) + cpu / fill->slots;
            const cs_perfread_words words = {raw->bytes + at, (size_t)fill->nr_cpu, big};
            const int64_t values[] = {(int64_t)fill->subsamples, cpu, (int64_t)(at / field) - 1,
                                      (int64_t)cs_perfread_word(&words, (size_t)place),
                                      place_of(record)};

            status = cs_check_insert(fill->check, fill->raw, values, 5);
        }
    fill->subsamples++;
    return status;
}

static cs_status add_stat(filler *fill, const cs_perfread_record *record)
{
    char name[NAME_BYTES] = "?";

    fill->stats++;
    if (record->event != NULL)
        plain_name(record->event, name);
    sqlite3_bind_int64(fill->stat, 1, place_of(record));
    sqlite3_bind_int64(fill->stat, 2, record->event != NULL ? (int64_t)record->event->index : -1);
    sqlite3_bind_text(fill->stat, 3, name, -1, SQLITE_TRANSIENT);
    sqlite3_bind_int64(fill->stat, 4, (int32_t)record->stat.cpu);
    sqlite3_bind_int64(fill->stat, 5, (int64_t)record->stat.value);
    sqlite3_bind_int64(fill->stat, 6, (int64_t)record->stat.enabled);
    sqlite3_bind_int64(fill->stat, 7, (int64_t)record->stat.running);
    return cs_check_insert(fill->check, fill->stat, NULL, 0);
}

static cs_status add_switch(filler *fill, const cs_perfread_record *record)
{
    const int64_t values[] = {place_of(record),          record->who.cpu,
                              (int64_t)record->who.time, (record->misc & CS_PERFREAD_MISC_13) != 0,
                              record->who.pid,           record->task.pid};

    return cs_check_insert(fill->check, fill->switched, values, sizeof values / sizeof values[0]);
}

/* The CPUs that the file is about. */
static cs_status add_cpus(filler *fill, const cs_perfread_record *record)
{
    cs_status status = CS_OK;
    uint32_t place = 0;
    int32_t cpu;

    while (status == CS_OK && cs_perfread_cpu_map_next(&record->cpu_map, &place, &cpu)) {
        const int64_t value = cpu;

        status = cs_check_insert(fill->check, fill->about, &value, 1);
    }
    return status;
}

static bool tells_switches(const cs_perfread *reader)
{
    const cs_perfread_facts *facts = cs_perfread_get_facts(reader);

    for (size_t i = 0; i < facts->nr_events; i++)
        if ((facts->events[i].flags & CONTEXT_SWITCH) != 0)
            return true;
    return false;
}

/* With the PMCU's events: its cores' PMU counts them, and "cycles" is the cycle counter. */
static cs_status add_names(filler *fill)
{
    const cs_perfread_facts *facts = cs_perfread_get_facts(fill->reader);
    sqlite3_stmt *insert = NULL;
    cs_status status = cs_check_prepare(fill->check, "INSERT INTO names VALUES(?,?,?,?)", &insert);

    for (size_t i = 0; i < facts->nr_events && status == CS_OK; i++) {
        const cs_perfread_event *event = &facts->events[i];
        const char *name = event->name != NULL ? event->name : "?";
        const char *pmu = cs_perfread_pmu_name(fill->reader, event->type);
        const bool cycles = strcmp(name, "cycles") == 0;
        fill->pmcu |= pmu != NULL && strstr(pmu, "pmcu") != NULL;
        const bool core = pmu != NULL && strncmp(pmu, "armv8_", 6) == 0;

        sqlite3_bind_int64(insert, 1, (int64_t)i);
        sqlite3_bind_text(insert, 2, name, -1, SQLITE_TRANSIENT);
        sqlite3_bind_int64(insert, 3, cycles ? -1 : (int64_t)event->config);
        sqlite3_bind_int64(insert, 4, fill->subsamples > 0 && (cycles || core));
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
            status = fill->nr_cpu > 0 && record->sample.raw.count > 0 ? add_raw(fill, record)
                                                                      : add_sample(fill, record);
        else if (record->type == CS_PERFREAD_STAT)
            status = add_stat(fill, record);
        else if (record->type == CS_PERFREAD_SWITCH_CPU_WIDE)
            status = add_switch(fill, record);
        else if (record->type == CS_PERFREAD_CPU_MAP)
            status = add_cpus(fill, record);
        else if (record->type == CS_PERFREAD_STAT_ROUND)
            fill->check->intervals |= record->stat_round.type == CS_PERF_STAT_ROUND_INTERVAL;
        fill->auxtraces += record->type == CS_PERFREAD_AUXTRACE;
    }
    return status;
}

/* The PMCU's CPUs: those that it counted, where the values were kept; else all. */
static void place_cpus(filler *fill)
{
    cs_check *check = fill->check;

    fill->nr_cpu = cs_check_number(check,
                                   "SELECT count(*) FROM truth.cpu WHERE NOT EXISTS(SELECT 1 FROM "
                                   "truth.sample) OR cpu IN (SELECT cpu FROM truth.sample)",
                                   0);
    fill->slots =
        cs_check_number(check,
                        "SELECT max(slot)+1 FROM truth.cpu WHERE NOT EXISTS(SELECT 1 FROM "
                        "truth.sample) OR cpu IN (SELECT cpu FROM truth.sample)",
                        1);
}

/* A PMCU's AUX data in the file. */
static cs_status check_aux(cs_check *check)
{
    cs_perfread_aux aux;
    cs_perfread *reader = NULL;
    cs_perfread_parts *parts = NULL;
    cs_status status = cs_perfread_open_input(&check->in, &parts, &reader, check->diag);

    if (status == CS_OK)
        status = cs_perfread_aux_begin(&aux, reader, -1, check->diag);
    if (status == CS_OK) {
        const cs_byte_source source = cs_perfread_aux_source(&aux);

        status =
            cs_perfread_aux_pmu(&aux, "pmcu") != NULL ? cs_check_pmcu_bytes(check, &source) : CS_OK;
    }
    cs_perfread_close(reader);
    cs_perfread_close_parts(parts);
    return status;
}

static cs_status check_file(cs_check *check)
{
    filler fill = {.check = check};
    cs_perfread_parts *parts = NULL;
    cs_seek_source source;
    cs_status status =
        cs_input_seek_source(&check->in, &source)
            ? CS_OK
            : cs_diag_set(check->diag, CS_ERR_IO, check->request->path, "is no plain file");

    if (status == CS_OK)
        status = cs_perfread_open_input(&check->in, &parts, &fill.reader, check->diag);
    if (status == CS_OK)
        status = cs_check_do(check, tables);
    if (status == CS_OK)
        status =
            cs_check_prepare(check, "INSERT INTO found VALUES(?,?,?,?,?,?,?,?,?)", &fill.sample);
    if (status == CS_OK)
        status = cs_check_prepare(check, "INSERT INTO stat VALUES(?,?,?,?,?,?,?)", &fill.stat);
    if (status == CS_OK)
        status = cs_check_prepare(check, "INSERT INTO raw VALUES(?,?,?,?,?)", &fill.raw);
    if (status == CS_OK)
        status =
            cs_check_prepare(check, "INSERT INTO switched VALUES(?,?,?,?,?,?)", &fill.switched);
    if (status == CS_OK)
        status = cs_check_prepare(check, "INSERT INTO about VALUES(?)", &fill.about);
    if (status == CS_OK && cs_check_number(check, "SELECT count(*) FROM truth.subsample", 0) > 0)
        place_cpus(&fill);
    if (status == CS_OK)
        status = fill_tables(&fill);
    if (status == CS_OK)
        status = add_names(&fill);
    const bool switches = fill.reader != NULL && tells_switches(fill.reader);
    const bool counts = fill.reader != NULL && cs_perfread_get_facts(fill.reader)->stat;
    sqlite3_finalize(fill.sample);
    sqlite3_finalize(fill.stat);
    sqlite3_finalize(fill.raw);
    sqlite3_finalize(fill.switched);
    sqlite3_finalize(fill.about);
    cs_perfread_close(fill.reader);
    cs_perfread_close_parts(parts);
    if (status != CS_OK)
        return status;
    if (counts || fill.stats > 0) {
        status = cs_check_rotated(check);
        return status == CS_OK ? cs_check_counts(check) : status;
    }
    if (fill.auxtraces > 0 && fill.samples == 0)
        return cs_check_do(check, "DROP TABLE found") == CS_OK ? check_aux(check) : CS_ERR_IO;
    if (fill.subsamples > 0 || (fill.pmcu && cs_check_was_cut(check)))
        status = cs_check_stock(check, (int64_t)fill.subsamples);
    if (status == CS_OK)
        status = cs_check_samples(check, true);
    if (status == CS_OK && switches)
        status = cs_check_switches(check);
    if (status == CS_OK)
        status = cs_check_paths(check);
    return status == CS_OK ? cs_check_shares(check) : status;
}

const cs_checker cs_checker_perf_data = {.check = check_file};
