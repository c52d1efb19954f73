// SPDX-License-Identifier: Apache-2.0
/* The writer of perf.data: events, calls (write_perf_calls.c) and features of a program, into memory or into
 * a stream. Our reader must read the file that comes of it. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "write_perf.h"

#define MOST_IDS                                                                                   \
    17000u /* a record of an index has 2000; of four events they are more than a buffer */
#define MOST_LIST 5u
#define MOST_PLACES 16u

/* The first byte: a table's format is where HEADER is not. */
enum { HEADER = 3, FULL = 4, STREAM = 8, NO_SEEK = 16, ABANDON = 32, ID_ALL = 64, BARE = 128 };

/* ---- where it goes ---- */

static cs_status full(cs_diag *diag)
{
    return cs_diag_set(diag, CS_ERR_IO, NULL, "the memory is full");
}

static cs_status memory_write(void *ctx, const void *bytes, size_t length, cs_diag *diag)
{
    cs_fuzz_memory *m = ctx;

    return cs_fuzz_take(m, m->used, bytes, length) ? CS_OK : full(diag);
}

static cs_status memory_patch(void *ctx, uint64_t offset, const void *bytes, size_t length,
                              cs_diag *diag)
{
    cs_fuzz_memory *m = ctx;

    if (offset > m->used || length > m->used - offset)
        abort(); /* it patches what it has written */
    return cs_fuzz_take(m, offset, bytes, length) ? CS_OK : full(diag);
}

static ssize_t stream_write(void *ctx, const char *bytes, size_t length)
{
    cs_fuzz_memory *m = ctx;

    if (m->failed || !cs_fuzz_take(m, m->at, bytes, length)) {
        errno = ENOSPC;
        return 0;
    }
    m->at += length;
    return (ssize_t)length;
}

static int no_seek(void *ctx, off64_t *offset, int whence)
{
    (void)ctx;
    (void)offset;
    (void)whence;
    errno = ESPIPE;
    return -1;
}

static int stream_seek(void *ctx, off64_t *offset, int whence)
{
    cs_fuzz_memory *m = ctx;
    const off64_t from = whence == SEEK_SET ? 0 : (off64_t)(whence == SEEK_CUR ? m->at : m->used);

    if (from + *offset < 0 || (size_t)(from + *offset) > m->used)
        abort();
    m->at = (size_t)(from + *offset);
    *offset = (off64_t)m->at;
    return 0;
}

static FILE *stream_of(cs_fuzz_memory *m, bool seek)
{
    const cookie_io_functions_t calls = {.write = stream_write,
                                         .seek = seek ? stream_seek : no_seek};
    FILE *stream = fopencookie(m, "w", calls);

    if (stream == NULL || setvbuf(stream, NULL, _IONBF, 0) != 0)
        abort();
    return stream;
}

/* ---- events ---- */

/* What the writer refuses (an id of two events, events that differ in SAMPLE_ID_ALL) is rare. */
static cs_perf_data_event event_of(cs_fuzz_perf *r, size_t nr, uint8_t choice)
{
    cs_perf_data_event event = {0};
    cs_perf_data_attr *a = &event.attr;
    uint64_t *ids;

    a->type = (uint32_t)cs_fuzz_number(&r->p);
    a->config = cs_fuzz_number(&r->p);
    a->config1 = cs_fuzz_number(&r->p);
    a->config2 = cs_fuzz_number(&r->p);
    a->sample_period = cs_fuzz_number(&r->p);
    a->sample_type = cs_fuzz_number(&r->p);
    if ((choice & BARE) == 0)
        a->sample_type |= CS_PERF_SAMPLE_IDENTIFIER;
    a->read_format = cs_fuzz_byte(&r->p);
    a->flags = cs_fuzz_number(&r->p);
    if ((choice & ID_ALL) != 0)
        a->flags ^= CS_PERF_ATTR_SAMPLE_ID_ALL;
    ids = cs_fuzz_words(&r->p, MOST_IDS, &event.nr_ids);
    for (size_t i = 0; i < event.nr_ids; i++)
        ids[i] ^= (uint64_t)nr << 32;
    event.ids = ids;
    event.name = cs_fuzz_text(&r->p);
    return event;
}

/* ---- the end ---- */

static const char **texts_of(cs_fuzz_perf *r, size_t *nr)
{
    const char **texts;

    *nr = cs_fuzz_byte(&r->p) % MOST_LIST;
    texts = cs_fuzz_room(&r->p, *nr * sizeof *texts);
    for (size_t i = 0; i < *nr; i++)
        texts[i] = cs_fuzz_text(&r->p);
    return texts;
}

static cs_perf_data_pmu *pmus_of(cs_fuzz_perf *r, size_t *nr)
{
    cs_perf_data_pmu *pmus;

    *nr = cs_fuzz_byte(&r->p) % MOST_LIST;
    pmus = cs_fuzz_room(&r->p, *nr * sizeof *pmus);
    for (size_t i = 0; i < *nr; i++) {
        pmus[i].type = (uint32_t)cs_fuzz_number(&r->p);
        pmus[i].name = cs_fuzz_text(&r->p);
    }
    return pmus;
}

static cs_perf_data_build_id *build_ids_of(cs_fuzz_perf *r, size_t *nr)
{
    cs_perf_data_build_id *ids;

    *nr = cs_fuzz_byte(&r->p) % MOST_LIST;
    ids = cs_fuzz_room(&r->p, *nr * sizeof *ids);
    for (size_t i = 0; i < *nr; i++) {
        uint8_t *id = cs_fuzz_room(&r->p, CS_PERF_DATA_BUILD_ID_BYTES);

        ids[i].misc = (uint16_t)cs_fuzz_number(&r->p);
        ids[i].pid = (int32_t)cs_fuzz_number(&r->p);
        ids[i].id_length = 1 + cs_fuzz_byte(&r->p) % CS_PERF_DATA_BUILD_ID_BYTES;
        for (unsigned k = 0; k < ids[i].id_length; k++)
            id[k] = cs_fuzz_byte(&r->p);
        ids[i].id = id;
        ids[i].file = cs_fuzz_text(&r->p);
    }
    return ids;
}

static cs_perf_data_place *places_of(cs_fuzz_perf *r, uint32_t nr)
{
    cs_perf_data_place *places = cs_fuzz_room(&r->p, nr * sizeof *places);

    for (uint32_t i = 0; i < nr; i++) {
        places[i].core = (uint32_t)cs_fuzz_number(&r->p);
        places[i].socket = (uint32_t)cs_fuzz_number(&r->p);
    }
    return places;
}

static cs_perf_data_features features_of(cs_fuzz_perf *r)
{
    cs_perf_data_features f = {.stat = cs_fuzz_byte(&r->p) % 2 != 0};

    f.hostname = cs_fuzz_text_or_null(&r->p);
    f.osrelease = cs_fuzz_text_or_null(&r->p);
    f.version = cs_fuzz_text_or_null(&r->p);
    f.arch = cs_fuzz_text_or_null(&r->p);
    f.cpudesc = cs_fuzz_text_or_null(&r->p);
    f.cpuid = cs_fuzz_text_or_null(&r->p);
    f.total_mem_kb = cs_fuzz_number(&r->p);
    f.cmdline = texts_of(r, &f.nr_cmdline);
    f.pmus = pmus_of(r, &f.nr_pmus);
    f.build_ids = build_ids_of(r, &f.nr_build_ids);
    f.nr_cpus = (uint32_t)cs_fuzz_number(&r->p);
    if (f.nr_cpus <= MOST_PLACES)
        f.places = places_of(r, f.nr_cpus);
    return f;
}

static void tell_totals(const cs_fuzz_perf *r)
{
    const cs_perf_data_totals totals = cs_perf_data_get_totals(r->writer);
    const uint64_t told[] = {totals.records, totals.samples, totals.data_bytes};

    cs_fuzz_told(told, sizeof told);
}

/* So many calls as a byte says, and the end. Once a call has failed nothing more is written. */
static cs_status play(cs_fuzz_perf *r, uint8_t choice, cs_diag *diag)
{
    cs_perf_data_features features;
    cs_status status = CS_OK;
    size_t written = 0;

    for (unsigned left = cs_fuzz_byte(&r->p); left > 0; left--) {
        const bool good = status == CS_OK;

        cs_fuzz_called(cs_fuzz_perf_call(r), &status);
        written = good ? r->memory.used : written;
    }
    tell_totals(r);
    if ((choice & ABANDON) != 0) {
        cs_perf_data_abandon(r->writer);
        return cs_diag_set(diag, CS_ERR_USAGE, NULL, "abandoned");
    }
    const bool failed = status != CS_OK;
    features = features_of(r);
    cs_fuzz_called(cs_perf_data_finish(r->writer, &features, diag), &status);
    if (failed && r->memory.used != written)
        abort();
    return status;
}

/* The header, or the records: of these what the writer does not look at may be refused. */
static void read_back(const cs_fuzz_perf *r, uint8_t choice)
{
    const char *path = cs_fuzz_file(r->memory.bytes, r->memory.used);
    const bool more = (choice & FULL) != 0;

    if ((choice & HEADER) == HEADER)
        cs_fuzz_read("perf-data", path, "header", more ? CS_TABLE_JSON : CS_TABLE_TEXT, true);
    else
        cs_fuzz_read("perf-data", path, more ? "full" : NULL, (cs_table_format)(choice & HEADER),
                     !r->foreign);
}

static cs_status write_to(cs_fuzz_perf *r, const cs_perf_data_sink *sink, uint8_t choice,
                          bool *read, cs_diag *diag)
{
    cs_status status;

    r->nr_events = cs_fuzz_byte(&r->p) % (CS_FUZZ_PERF_EVENTS + 1);
    for (size_t i = 0; i < r->nr_events; i++)
        r->events[i] = event_of(r, i, choice);
    status = cs_perf_data_create(sink, r->events, r->nr_events, &r->writer, diag);
    if ((status == CS_OK) != (r->writer != NULL))
        abort();
    if (status == CS_OK) {
        status = play(r, choice, diag);
        *read = status == CS_OK;
    }
    return status;
}

void cs_fuzz_perf_write(const void *ctx, const uint8_t *data, size_t size)
{
    cs_fuzz_perf r = {0};
    cs_perf_data_file file = {.name = "stream"};
    cs_perf_data_sink sink = {memory_write, memory_patch, &r.memory};
    cs_diag diag = {0};
    bool read = false;
    uint8_t choice;

    (void)ctx;
    cs_fuzz_program_begin(&r.p, data, size, 1u << 20);
    choice = cs_fuzz_byte(&r.p);
    cs_fuzz_memory_begin(&r.memory, &r.p);
    if ((choice & STREAM) != 0) {
        file.stream = stream_of(&r.memory, (choice & NO_SEEK) == 0);
        sink = cs_perf_data_to_file(&file);
    }
    cs_fuzz_ended(write_to(&r, &sink, choice, &read, &diag), &diag);
    if (file.stream != NULL)
        fclose(file.stream);
    cs_fuzz_told(r.memory.bytes, r.memory.used);
    if (read)
        read_back(&r, choice);
    cs_perf_data_abandon(NULL);
    free(r.memory.bytes);
    cs_fuzz_program_end(&r.p);
}
