// SPDX-License-Identifier: Apache-2.0
/* A perf.data file: its samples, or its counts. */
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "check/checker.h"
#include "check/families.h"
#include "formats/perf/read/parts.h"
#include <countersink/formats/perf/abi/perf.h>

#define NAME_BYTES 256
#define CONTEXT_SWITCH (UINT64_C(1) << 26) /* of an attr's flags */

static const char tables[] =
    "CREATE TABLE found(offset INTEGER PRIMARY KEY, event INTEGER, cpu INTEGER, time INTEGER, ip "
    "INTEGER, pid INTEGER, misc INTEGER, period INTEGER, chain TEXT);"
    "CREATE TABLE stat(offset INTEGER PRIMARY KEY, fe INTEGER, name TEXT, cpu INTEGER, value "
    "INTEGER, enabled INTEGER, running INTEGER);"
    "CREATE TABLE switched(offset INTEGER, cpu INTEGER, time INTEGER, gone INTEGER, pid INTEGER, "
    "other INTEGER);"
    "CREATE TABLE throttled(offset INTEGER, cpu INTEGER, time INTEGER, stopped INTEGER);"
    "CREATE TABLE missed(offset INTEGER, lost INTEGER);"
    "CREATE TABLE about(cpu INTEGER);"
    "CREATE TABLE names(fe INTEGER PRIMARY KEY, name TEXT);"
    "CREATE TABLE ids(id INTEGER PRIMARY KEY, fe INTEGER)";

typedef struct filler {
    cs_checking *check;
    cs_perfread *reader;
    sqlite3_stmt *sample;
    sqlite3_stmt *stat;
    sqlite3_stmt *switched;
    sqlite3_stmt *throttled;
    sqlite3_stmt *missed;
    sqlite3_stmt *about;
    void *own[CS_CHECK_NR_FAMILIES]; /* what families have of it; NULL: nothing */
    uint64_t samples;
    uint64_t stats;
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
    fill->check->starved |= sqlite3_str_errcode(text) != SQLITE_OK;
    cs_check_text(fill->check, fill->sample, 9,
                  sqlite3_str_length(text) > 0 ? sqlite3_str_value(text) : "", -1);
    sqlite3_free(sqlite3_str_finish(text));
}

/* Of a program under `countersink pmu` a record need not say on which CPU it was. */
static int64_t cpu_of(const filler *fill, const cs_perfread_record *record)
{
    return fill->check->opened && (record->who.has & CS_PERFREAD_CPU) == 0
               ? -1
               : (int64_t)record->who.cpu;
}

static cs_status add_sample(filler *fill, const cs_perfread_record *record)
{
    const int64_t values[] = {
        cs_check_place_of(record),
        event_of(fill, record),
        cpu_of(fill, record),
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

static cs_status add_stat(filler *fill, const cs_perfread_record *record)
{
    char name[NAME_BYTES] = "?";

    fill->stats++;
    if (record->event != NULL)
        plain_name(record->event, name);
    sqlite3_bind_int64(fill->stat, 1, cs_check_place_of(record));
    sqlite3_bind_int64(fill->stat, 2, record->event != NULL ? (int64_t)record->event->index : -1);
    cs_check_text(fill->check, fill->stat, 3, name, -1);
    sqlite3_bind_int64(fill->stat, 4, (int32_t)record->stat.cpu);
    sqlite3_bind_int64(fill->stat, 5, (int64_t)record->stat.value);
    sqlite3_bind_int64(fill->stat, 6, (int64_t)record->stat.enabled);
    sqlite3_bind_int64(fill->stat, 7, (int64_t)record->stat.running);
    return cs_check_insert(fill->check, fill->stat, NULL, 0);
}

static cs_status add_switch(filler *fill, const cs_perfread_record *record)
{
    const int64_t values[] = {cs_check_place_of(record), record->who.cpu,
                              (int64_t)record->who.time, (record->misc & CS_PERFREAD_MISC_13) != 0,
                              record->who.pid,           record->task.pid};

    return cs_check_insert(fill->check, fill->switched, values, sizeof values / sizeof values[0]);
}

static cs_status add_throttle(filler *fill, const cs_perfread_record *record)
{
    const int64_t values[] = {cs_check_place_of(record), record->who.cpu,
                              (int64_t)record->throttle.time, record->type == CS_PERFREAD_THROTTLE};

    return cs_check_insert(fill->check, fill->throttled, values, sizeof values / sizeof values[0]);
}

static cs_status add_loss(filler *fill, const cs_perfread_record *record)
{
    const int64_t values[] = {cs_check_place_of(record), (int64_t)record->lost.lost};

    return cs_check_insert(fill->check, fill->missed, values, sizeof values / sizeof values[0]);
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

static cs_status add_names(filler *fill)
{
    const cs_perfread_facts *facts = cs_perfread_get_facts(fill->reader);
    sqlite3_stmt *insert = NULL;
    cs_status status = cs_check_prepare(fill->check, "INSERT INTO names VALUES(?,?)", &insert);

    for (size_t i = 0; i < facts->nr_events && status == CS_OK; i++) {
        const cs_perfread_event *event = &facts->events[i];

        cs_check_text(fill->check, insert, 2, event->name != NULL ? event->name : "?", -1);
        status = cs_check_insert(fill->check, insert, (int64_t[]){(int64_t)i}, 1);
    }
    sqlite3_finalize(insert);
    return status;
}

/* Of an event: one for each of its CPUs and threads. A damaged file may have one twice. */
static cs_status add_ids(filler *fill)
{
    const cs_perfread_facts *facts = cs_perfread_get_facts(fill->reader);
    sqlite3_stmt *insert = NULL;
    cs_status status =
        cs_check_prepare(fill->check, "INSERT OR IGNORE INTO ids VALUES(?,?)", &insert);

    for (size_t i = 0; i < facts->nr_events; i++)
        for (size_t k = 0; k < facts->events[i].nr_ids && status == CS_OK; k++)
            status = cs_check_insert(fill->check, insert,
                                     (int64_t[]){(int64_t)facts->events[i].ids[k], (int64_t)i}, 2);
    sqlite3_finalize(insert);
    return status;
}

/* ---- what is of a family alone ---- */

/* The family's that the file has something of; NULL: no other. */
static const cs_check_perf *own_at(const filler *fill, size_t i)
{
    return fill->own[i] != NULL ? cs_check_families[i]->perf : NULL;
}

static cs_status open_own(filler *fill)
{
    cs_status status = CS_OK;

    for (size_t i = 0; i < CS_CHECK_NR_FAMILIES && status == CS_OK; i++)
        if (cs_check_families[i]->perf != NULL)
            status = cs_check_families[i]->perf->open(fill->check, &fill->own[i]);
    return status;
}

static cs_status show_own(filler *fill, const cs_perfread_record *record, bool *taken)
{
    cs_status status = CS_OK;

    *taken = false;
    for (size_t i = 0; i < CS_CHECK_NR_FAMILIES && status == CS_OK && !*taken; i++)
        if (own_at(fill, i) != NULL)
            status = own_at(fill, i)->record(fill->own[i], fill->reader, record, taken);
    return status;
}

static cs_status finish_own(filler *fill)
{
    cs_status status = CS_OK;

    for (size_t i = 0; i < CS_CHECK_NR_FAMILIES && status == CS_OK; i++)
        if (own_at(fill, i) != NULL)
            status = own_at(fill, i)->finish(fill->own[i], fill->reader);
    return status;
}

static cs_status compare_own(filler *fill, bool *done)
{
    cs_status status = CS_OK;

    *done = false;
    for (size_t i = 0; i < CS_CHECK_NR_FAMILIES && status == CS_OK && !*done; i++)
        if (own_at(fill, i) != NULL)
            status = own_at(fill, i)->compare(fill->own[i], fill->samples > 0, done);
    return status;
}

static void close_own(filler *fill)
{
    for (size_t i = 0; i < CS_CHECK_NR_FAMILIES; i++)
        if (own_at(fill, i) != NULL)
            own_at(fill, i)->close(fill->own[i]);
}

/* ---- the file ---- */

static cs_status add_record(filler *fill, const cs_perfread_record *record)
{
    bool taken;
    const cs_status status = show_own(fill, record, &taken);

    if (status != CS_OK || taken)
        return status;
    switch (record->type) {
    case CS_PERFREAD_SAMPLE:
        return add_sample(fill, record);
    case CS_PERFREAD_STAT:
        return add_stat(fill, record);
    case CS_PERFREAD_SWITCH_CPU_WIDE:
        return add_switch(fill, record);
    case CS_PERFREAD_THROTTLE:
    case CS_PERFREAD_UNTHROTTLE:
        return add_throttle(fill, record);
    case CS_PERFREAD_LOST:
        return add_loss(fill, record);
    case CS_PERFREAD_CPU_MAP:
        return add_cpus(fill, record);
    case CS_PERFREAD_STAT_ROUND:
        fill->check->intervals |= record->stat_round.type == CS_PERF_STAT_ROUND_INTERVAL;
        return CS_OK;
    default:
        return CS_OK;
    }
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
        status = add_record(fill, record);
    }
    return status;
}

static cs_status prepare(filler *fill)
{
    const struct {
        sqlite3_stmt **out;
        const char *sql;
    } inserts[] = {
        {&fill->sample, "INSERT INTO found VALUES(?,?,?,?,?,?,?,?,?)"},
        {&fill->stat, "INSERT INTO stat VALUES(?,?,?,?,?,?,?)"},
        {&fill->switched, "INSERT INTO switched VALUES(?,?,?,?,?,?)"},
        {&fill->throttled, "INSERT INTO throttled VALUES(?,?,?,?)"},
        {&fill->missed, "INSERT INTO missed VALUES(?,?)"},
        {&fill->about, "INSERT INTO about VALUES(?)"},
    };
    cs_status status = cs_check_do(fill->check, tables);

    for (size_t i = 0; i < sizeof inserts / sizeof inserts[0] && status == CS_OK; i++)
        status = cs_check_prepare(fill->check, inserts[i].sql, inserts[i].out);
    return status == CS_OK ? open_own(fill) : status;
}

static void finalize(filler *fill)
{
    sqlite3_finalize(fill->sample);
    sqlite3_finalize(fill->stat);
    sqlite3_finalize(fill->switched);
    sqlite3_finalize(fill->throttled);
    sqlite3_finalize(fill->missed);
    sqlite3_finalize(fill->about);
}

static cs_status compare_samples(filler *fill, bool switches)
{
    cs_checking *check = fill->check;
    cs_check_only only;
    bool done;
    cs_status status = compare_own(fill, &done);

    if (status != CS_OK || done)
        return status;
    status = cs_check_only_of(check, &only);
    if (status == CS_OK)
        status =
            cs_check_samples(check, &(cs_check_sampled_how){.ns = true, .mixed = only.number < 0});
    if (status == CS_OK && switches)
        status = cs_check_switches(check);
    if (status == CS_OK)
        status = cs_check_throttles(check);
    for (size_t i = 0; i < CS_CHECK_NR_FAMILIES && status == CS_OK; i++)
        if (cs_check_families[i]->shares != NULL)
            status = cs_check_families[i]->shares(check);
    return status;
}

static cs_status compare_counts(filler *fill)
{
    cs_status status = CS_OK;
    bool done = false;

    for (size_t i = 0; i < CS_CHECK_NR_FAMILIES && status == CS_OK && !done; i++)
        if (own_at(fill, i) != NULL && own_at(fill, i)->counts != NULL)
            status = own_at(fill, i)->counts(fill->own[i], &done);
    if (status == CS_OK && !done)
        status = cs_check_rotated(fill->check);
    return status == CS_OK && !done ? cs_check_counts(fill->check) : status;
}

static cs_status check_file(cs_checking *check)
{
    filler fill = {.check = check};
    cs_perfread_parts *parts = NULL;
    cs_seek_source source;
    bool switches = false, counts = false;
    cs_status status =
        cs_input_seek_source(&check->in, &source)
            ? CS_OK
            : cs_diag_set(check->diag, CS_ERR_IO, check->request->path, "is not a regular file");

    if (status == CS_OK)
        status = cs_perfread_open_input(&check->in, &parts, &fill.reader, check->diag);
    if (status == CS_OK)
        status = prepare(&fill);
    if (status == CS_OK)
        status = fill_tables(&fill);
    if (status == CS_OK)
        status = add_names(&fill);
    if (status == CS_OK)
        status = add_ids(&fill);
    if (status == CS_OK)
        status = finish_own(&fill);
    if (status == CS_OK) {
        switches = tells_switches(fill.reader);
        counts = cs_perfread_get_facts(fill.reader)->stat || fill.stats > 0;
    }
    finalize(&fill);
    cs_perfread_close(fill.reader);
    cs_perfread_close_parts(parts);
    if (status == CS_OK && check->opened)
        status = cs_check_opened(check, counts);
    else if (status == CS_OK)
        status = counts ? compare_counts(&fill) : compare_samples(&fill, switches);
    close_own(&fill);
    return status;
}

const cs_checker cs_checker_perf_data = {.check = check_file};
