/* What a perf.data file has of a PMCU: samples with a subsample's bytes, events that it counted on the
 * cores, or its AUX data. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "check/pmcu/pmcu.h"
#include "formats/perf/read/aux.h"

/* The events that it counted, with their numbers; -1: the cycle counter. */
static const char tables[] =
    "CREATE TABLE raw(subsample INTEGER, cpu INTEGER, position INTEGER, value INTEGER, offset "
    "INTEGER);"
    "CREATE TABLE pmcu_event(fe INTEGER PRIMARY KEY, key INTEGER)";

typedef struct state {
    cs_checking *check;
    sqlite3_stmt *raw;
    int64_t nr_cpu; /* 0: the truth has no subsamples */
    int64_t slots;
    uint64_t subsamples;
    uint64_t auxtraces;
    bool named; /* an event is its own */
} state;

static void close_state(void *own)
{
    state *s = own;

    sqlite3_finalize(s->raw);
    free(s);
}

static cs_status open_state(cs_checking *check, void **own)
{
    state *s = calloc(1, sizeof *s);
    bool any = false;

    if (s == NULL)
        return cs_diag_set(check->diag, CS_ERR_NO_MEMORY, NULL, "out of memory");
    *own = s;
    *s = (state){.check = check, .slots = 1};
    cs_status status = cs_check_do(check, tables);
    if (status == CS_OK)
        status = cs_check_prepare(check, "INSERT INTO raw VALUES(?,?,?,?,?)", &s->raw);
    if (status == CS_OK)
        status = cs_check_any(check, "SELECT count(*) FROM truth.subsample", &any);
    return status == CS_OK && any ? cs_check_pmcu_cpus(check, &s->nr_cpu, &s->slots) : status;
}

/* A subsample's bytes: for each CPU in the order of its slot 8 bytes of ids, then each counter. What
 * is left behind the last whole counter is padding. */
static cs_status add_raw(state *s, const cs_perfread *reader, const cs_perfread_record *record)
{
    const cs_perfread_blob *raw = &record->sample.raw;
    const uint64_t field = 8 * (uint64_t)s->nr_cpu;
    const bool big = cs_perfread_get_facts(reader)->big_endian;
    cs_status status = CS_OK;

    for (uint64_t at = field; at + field <= raw->count && status == CS_OK; at += field)
        for (int64_t cpu = 0; cpu < s->nr_cpu && status == CS_OK; cpu++) {
            const int64_t place = cpu % s->slots * (s->nr_cpu / s->slots) + cpu / s->slots;
            const cs_perfread_words words = {raw->bytes + at, (size_t)s->nr_cpu, big};
            const int64_t values[] = {(int64_t)s->subsamples, cpu, (int64_t)(at / field) - 1,
                                      (int64_t)cs_perfread_word(&words, (size_t)place),
                                      cs_check_place_of(record)};

            status = cs_check_insert(s->check, s->raw, values, 5);
        }
    s->subsamples++;
    return status;
}

static cs_status take_record(void *own, const cs_perfread *reader, const cs_perfread_record *record,
                             bool *taken)
{
    state *s = own;

    s->auxtraces += record->type == CS_PERFREAD_AUXTRACE;
    *taken = record->type == CS_PERFREAD_SAMPLE && s->nr_cpu > 0 && record->sample.raw.count > 0;
    return *taken ? add_raw(s, reader, record) : CS_OK;
}

/* Its cores' PMU counts its events, and "cycles" is the cycle counter. */
static cs_status take_events(void *own, const cs_perfread *reader)
{
    state *s = own;
    const cs_perfread_facts *facts = cs_perfread_get_facts(reader);
    sqlite3_stmt *insert = NULL;
    cs_status status = cs_check_prepare(s->check, "INSERT INTO pmcu_event VALUES(?,?)", &insert);

    for (size_t i = 0; i < facts->nr_events && status == CS_OK; i++) {
        const cs_perfread_event *event = &facts->events[i];
        const char *pmu = cs_perfread_pmu_name(reader, event->type);
        const bool cycles = event->name != NULL && strcmp(event->name, "cycles") == 0;
        const bool core = pmu != NULL && strncmp(pmu, "armv8_", 6) == 0;

        s->named |= pmu != NULL && strstr(pmu, "pmcu") != NULL;
        if (s->subsamples > 0 && (cycles || core))
            status = cs_check_insert(
                s->check, insert, (int64_t[]){(int64_t)i, cycles ? -1 : (int64_t)event->config}, 2);
    }
    sqlite3_finalize(insert);
    return status;
}

/* AUX data in the file. */
static cs_status check_aux(cs_checking *check)
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

static cs_status compare(void *own, bool samples, bool *done)
{
    const state *s = own;

    if (s->auxtraces > 0 && !samples) {
        const cs_status status = cs_check_do(s->check, "DROP TABLE found");

        *done = true;
        return status == CS_OK ? check_aux(s->check) : status;
    }
    return s->subsamples > 0 || s->named ? cs_check_pmcu_samples(s->check, (int64_t)s->subsamples)
                                         : CS_OK;
}

const cs_check_perf cs_check_pmcu_perf = {.open = open_state,
                                          .record = take_record,
                                          .finish = take_events,
                                          .compare = compare,
                                          .close = close_state};
