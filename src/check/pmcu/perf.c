// SPDX-License-Identifier: Apache-2.0
/* What a perf.data file has of a PMCU: samples with a subsample's bytes, events that it counted on the
 * cores, or its AUX data. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "check/pmcu/pmcu.h"
#include "formats/perf/read/aux.h"
#include <countersink/base/numbers.h>

/* The events that it counted, with their numbers; -1: the cycle counter. */
static const char tables[] =
    "CREATE TABLE raw(subsample INTEGER, cpu INTEGER, position INTEGER, value INTEGER, offset "
    "INTEGER);"
    "CREATE TABLE pmcu_event(fe INTEGER PRIMARY KEY, key INTEGER)";

typedef struct state {
    cs_checking *check;
    sqlite3_stmt *raw;
    bool several; /* dies */
    uint64_t subsamples;
    struct {
        cs_check_pmcu_places places; /* no CPU: the truth has no subsamples */
        uint64_t subsamples;
    } dies[CS_MAX_DIES];
    const cs_perfread_event *last_event; /* of a sample with bytes, and whose it is */
    int64_t last_die;
    uint64_t auxtraces;
    uint64_t truncated;       /* AUX records with the flag */
    bool named;               /* an event is its own */
    int64_t own[CS_MAX_DIES]; /* of several dies, whose these events are, in their order */
    unsigned nr_own;
} state;

static void close_state(void *own)
{
    state *s = own;

    sqlite3_finalize(s->raw);
    free(s);
}

static cs_status open_state(cs_checking *check, void **own)
{
    bool any = false;
    cs_status there = cs_check_any(
        check, "SELECT count(*) FROM truth.sqlite_master WHERE name='subsample'", &any);

    if (there != CS_OK || !any) /* a guest's truth has none */
        return there;
    state *s = calloc(1, sizeof *s);

    any = false;
    if (s == NULL)
        return cs_diag_set(check->diag, CS_ERR_NO_MEMORY, NULL, "out of memory");
    *own = s;
    *s = (state){.check = check};
    cs_status status = cs_check_do(check, tables);
    if (status == CS_OK)
        status = cs_check_prepare(check, "INSERT INTO raw VALUES(?,?,?,?,?)", &s->raw);
    if (status == CS_OK)
        status = cs_check_any(check, "SELECT count(*) FROM truth.subsample", &any);
    if (status == CS_OK)
        status = cs_check_pmcu_several(check, &s->several);
    if (status == CS_OK && any && !s->several)
        status = cs_check_pmcu_cpus(check, -1, &s->dies[0].places);
    return status;
}

/* The number of the k'th subsample of a die until all are known, where there are several. */
#define KEY(die, k) ((int64_t)(die) << 32 | (int64_t)(k))

/* A subsample's bytes: for each CPU in the order of its slot 8 bytes of ids, then each counter. What
 * is left behind the last whole counter is padding. */
static cs_status add_raw(state *s, int64_t die, const cs_perfread *reader,
                         const cs_perfread_record *record)
{
    const cs_perfread_blob *raw = &record->sample.raw;
    const cs_check_pmcu_places *p = &s->dies[die].places;
    const uint64_t field = 8 * (uint64_t)p->nr_cpu;
    const bool big = cs_perfread_get_facts(reader)->big_endian;
    const int64_t number = KEY(die, s->dies[die].subsamples++);
    cs_status status = CS_OK;

    for (uint64_t at = field; at + field <= raw->count && status == CS_OK; at += field)
        for (int64_t cpu = 0; cpu < p->nr_cpu && status == CS_OK; cpu++) {
            const int64_t place = cpu % p->slots * (p->nr_cpu / p->slots) + cpu / p->slots;
            const cs_perfread_words words = {raw->bytes + at, (size_t)p->nr_cpu, big};
            const int64_t values[] = {number, p->first_cpu + cpu, (int64_t)(at / field) - 1,
                                      (int64_t)cs_perfread_word(&words, (size_t)place),
                                      cs_check_place_of(record)};

            status = cs_check_insert(s->check, s->raw, values, 5);
        }
    s->subsamples++;
    return status;
}

/* Of several dies the event's PMU says whose; -1: it is none's. */
static cs_status die_of(state *s, const cs_perfread *reader, const cs_perfread_event *event,
                        int64_t *die)
{
    cs_status status = CS_OK;

    *die = s->several ? s->last_die : 0;
    if (!s->several || (event != NULL && event == s->last_event))
        return CS_OK;
    const char *pmu = event != NULL ? cs_perfread_pmu_name(reader, event->type) : NULL;
    status = cs_check_pmcu_die(s->check, pmu != NULL || event == NULL ? pmu : event->name, die);
    s->last_event = event;
    s->last_die = *die;
    return status;
}

static cs_status take_record(void *own, const cs_perfread *reader, const cs_perfread_record *record,
                             bool *taken)
{
    state *s = own;
    int64_t die = 0;
    cs_status status = CS_OK;

    s->auxtraces += record->type == CS_PERFREAD_AUXTRACE;
    s->truncated += record->type == CS_PERFREAD_AUX_RECORD &&
                    (record->aux.flags & CS_PERFREAD_AUX_TRUNCATED) != 0;
    *taken = record->type == CS_PERFREAD_SAMPLE && record->sample.raw.count > 0;
    if (*taken)
        status = die_of(s, reader, record->event, &die);
    *taken = *taken && die >= 0;
    if (*taken && s->several && s->dies[die].places.nr_cpu == 0)
        status = cs_check_pmcu_cpus(s->check, die, &s->dies[die].places);
    *taken = *taken && s->dies[die].places.nr_cpu > 0;
    return *taken && status == CS_OK ? add_raw(s, die, reader, record) : status;
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

        int64_t die = -1;

        s->named |= pmu != NULL && strstr(pmu, "pmcu") != NULL;
        if (s->several && pmu != NULL && strstr(pmu, "pmcu") != NULL)
            status = cs_check_pmcu_die(s->check, pmu, &die);
        if (die >= 0 && s->nr_own < CS_MAX_DIES)
            s->own[s->nr_own++] = die;
        if (status == CS_OK && s->subsamples > 0 && (cycles || core))
            status = cs_check_insert(
                s->check, insert, (int64_t[]){(int64_t)i, cycles ? -1 : (int64_t)event->config}, 2);
    }
    sqlite3_finalize(insert);
    return status;
}

/* One stream of AUX data in the file; -1: the only one. Of several dies each has one, in the order of
 * their events. */
static cs_status check_stream(cs_checking *check, int64_t stream, int64_t die)
{
    cs_perfread_aux aux;
    cs_perfread *reader = NULL;
    cs_perfread_parts *parts = NULL;
    cs_status status = cs_perfread_open_input(&check->in, &parts, &reader, check->diag);

    if (status == CS_OK)
        status = cs_perfread_aux_begin(&aux, reader, stream, check->diag);
    if (status == CS_OK) {
        const cs_byte_source source = cs_perfread_aux_source(&aux);

        status = cs_perfread_aux_pmu(&aux, "pmcu") != NULL
                     ? cs_check_pmcu_bytes(check, &source, die)
                     : CS_OK;
    }
    cs_perfread_close(reader);
    cs_perfread_close_parts(parts);
    return status;
}

static cs_status check_aux(const state *s)
{
    cs_status status = CS_OK;

    if (!s->several)
        return check_stream(s->check, -1, -1);
    for (unsigned i = 0; i < s->nr_own && status == CS_OK; i++)
        status = check_stream(s->check, i, s->own[i]);
    return status;
}

/* Each time that all AUX buffers were full is one stretch with the flag. */
static cs_status check_truncated(const state *s)
{
    char sql[512];
    bool any = s->truncated != 0;
    int64_t lost = 0;
    cs_status status = cs_check_any(
        s->check, "SELECT count(*) FROM truth.sqlite_master WHERE name='aux_loss'", &any);

    if (status == CS_OK && any)
        status = cs_check_number(s->check, "SELECT count(*) FROM truth.aux_loss", &lost);
    if (status != CS_OK || (!any && s->truncated == 0))
        return status;
    snprintf(sql, sizeof sql,
             "SELECT 'AUX truncated', NULL, NULL, %" PRId64 ", %" PRIu64 ", %" PRId64 "<>%" PRIu64
             ", 'as often', NULL",
             lost, s->truncated, lost, s->truncated);
    return cs_check_rows(s->check, sql);
}

/* Its samples are in its AUX data; table found is of other drivers then, and AUX data have one of that
 * name. */
static cs_status compare_aux(const state *s, bool samples)
{
    cs_status status = cs_check_do(s->check, samples ? "ALTER TABLE found RENAME TO found_of_others"
                                                     : "DROP TABLE found");

    if (status == CS_OK)
        status = check_truncated(s);
    if (status == CS_OK)
        status = check_aux(s);
    return status == CS_OK && samples
               ? cs_check_do(s->check, "DROP TABLE IF EXISTS found;"
                                       "ALTER TABLE found_of_others RENAME TO found")
               : status;
}

static cs_status compare(void *own, bool samples, bool *done)
{
    const state *s = own;

    *done = s->auxtraces > 0 && !samples;
    if (s->auxtraces > 0)
        return compare_aux(s, samples);
    return s->subsamples > 0 || s->named ? cs_check_pmcu_samples(s->check, (int64_t)s->subsamples)
                                         : CS_OK;
}

const cs_check_perf cs_check_pmcu_perf = {.open = open_state,
                                          .record = take_record,
                                          .finish = take_events,
                                          .compare = compare,
                                          .close = close_state};
