// SPDX-License-Identifier: Apache-2.0
/* The format `pprof`: profile.proto, packed by gzip, for pprof. Samples that are alike are one, with
 * labels for process and CPU. Each event is two kinds of values: samples, and what they stand for. */
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/room.h"
#include "formats/common/profile_read.h"
#include "formats/common/proto_write.h"
#include "traces/profile/profile.h"

#define WHAT "a pprof file"

/* Fields of profile.proto. */
enum {
    PROFILE_SAMPLE_TYPE = 1,
    PROFILE_SAMPLE = 2,
    PROFILE_MAPPING = 3,
    PROFILE_LOCATION = 4,
    PROFILE_FUNCTION = 5,
    PROFILE_STRING = 6,
    PROFILE_DURATION_NANOS = 10,
    PROFILE_PERIOD_TYPE = 11,
    PROFILE_PERIOD = 12,
    PROFILE_COMMENT = 13,
    PROFILE_DEFAULT_TYPE = 14,
    TYPE_TYPE = 1,
    TYPE_UNIT = 2,
    SAMPLE_LOCATION = 1,
    SAMPLE_VALUE = 2,
    SAMPLE_LABEL = 3,
    LABEL_KEY = 1,
    LABEL_STRING = 2,
    MAPPING_ID = 1,
    MAPPING_START = 2,
    MAPPING_LIMIT = 3,
    MAPPING_FILE = 5,
    MAPPING_HAS_FUNCTIONS = 7,
    LOCATION_ID = 1,
    LOCATION_MAPPING = 2,
    LOCATION_ADDRESS = 3,
    LOCATION_LINE = 4,
    LINE_FUNCTION = 1,
    FUNCTION_ID = 1,
    FUNCTION_NAME = 2,
    FUNCTION_SYSTEM_NAME = 3,
};

/* Where functions of one owner lie. */
typedef struct mapping {
    const char *object;
    uint64_t start, limit;
} mapping;

typedef struct pprof {
    cs_profile *profile;
    char **strings; /* the first is "" */
    size_t nr_strings, strings_room;
    mapping *mappings;
    size_t nr_mappings, mappings_room;
    size_t first;    /* event with samples */
    bool no_address; /* a sample has none: it gets a place behind all others */
    cs_proto_bytes out, message, inner;
    bool failed;
} pprof;

static uint64_t string_of(pprof *t, const char *text)
{
    for (size_t i = 0; i < t->nr_strings; i++)
        if (strcmp(t->strings[i], text) == 0)
            return i;
    char **strings = cs_room(t->strings, &t->strings_room, t->nr_strings, sizeof *strings);
    char *copy = malloc(strlen(text) + 1);

    if (strings != NULL)
        t->strings = strings;
    if (strings == NULL || copy == NULL) {
        free(copy);
        t->failed = true;
        return 0;
    }
    strcpy(copy, text);
    strings[t->nr_strings++] = copy;
    return t->nr_strings - 1;
}

/* ---- values ---- */

static void put_type(pprof *t, unsigned field, const char *type, const char *unit)
{
    cs_proto_number(&t->message, TYPE_TYPE, string_of(t, type));
    cs_proto_number(&t->message, TYPE_UNIT, string_of(t, unit));
    cs_proto_message(&t->out, field, &t->message);
}

static void put_types(pprof *t)
{
    const cs_trace_events *events = t->profile->events;
    char name[CS_PROFILE_EVENT_BYTES], samples[CS_PROFILE_EVENT_BYTES + 16];

    for (size_t i = 0; i < events->nr; i++) {
        cs_profile_event(t->profile, i, name);
        if (events->nr > 1)
            snprintf(samples, sizeof samples, "samples of %s", name);
        else
            snprintf(samples, sizeof samples, "samples");
        put_type(t, PROFILE_SAMPLE_TYPE, samples, "count");
        put_type(t, PROFILE_SAMPLE_TYPE, name, "count");
    }
    if (events->nr == 1 && events->list[0].period != 0 && events->list[0].freq == 0) {
        put_type(t, PROFILE_PERIOD_TYPE, cs_profile_event(t->profile, 0, name), "count");
        cs_proto_number(&t->out, PROFILE_PERIOD, events->list[0].period);
    }
}

/* The first event that was sampled. */
static void put_default(pprof *t)
{
    char name[CS_PROFILE_EVENT_BYTES];

    cs_proto_number(&t->out, PROFILE_DEFAULT_TYPE,
                    string_of(t, cs_profile_event(t->profile, t->first, name)));
}

/* ---- places ---- */

/* Locations have the number of their frame, from 1 on; a mapping is of an object. */
static uint64_t mapping_of(pprof *t, const cs_stacks_frame *frame)
{
    const char *object = frame->symbol != NULL ? frame->symbol->object : "unknown";
    size_t i = 0;

    while (i < t->nr_mappings && strcmp(t->mappings[i].object, object) != 0)
        i++;
    if (i == t->nr_mappings) {
        mapping *mappings = cs_room(t->mappings, &t->mappings_room, i, sizeof *mappings);

        if (mappings == NULL) {
            t->failed = true;
            return 0;
        }
        t->mappings = mappings;
        mappings[t->nr_mappings++] = (mapping){object, UINT64_MAX, 0};
    }
    mapping *m = &t->mappings[i];
    const uint64_t begin = frame->symbol != NULL ? frame->symbol->base : frame->address;
    const uint64_t end = frame->symbol != NULL ? frame->symbol->end : frame->address + 1;
    m->start = begin < m->start ? begin : m->start;
    m->limit = end > m->limit ? end : m->limit;
    return i + 1;
}

/* A function has the number of its symbol, from 1 on. */
static uint64_t function_of(const pprof *t, const cs_trace_symbol *symbol)
{
    return (uint64_t)(symbol - t->profile->stacks.symbols->list) + 1;
}

static void put_function(pprof *t, uint64_t id, const char *text)
{
    const uint64_t name = string_of(t, text);

    cs_proto_number(&t->message, FUNCTION_ID, id);
    cs_proto_number(&t->message, FUNCTION_NAME, name);
    cs_proto_number(&t->message, FUNCTION_SYSTEM_NAME, name);
    cs_proto_message(&t->out, PROFILE_FUNCTION, &t->message);
}

static void put_functions(pprof *t)
{
    const cs_trace_symbols *symbols = t->profile->stacks.symbols;

    for (size_t i = 0; i < symbols->nr; i++)
        put_function(t, i + 1, symbols->list[i].name);
    if (t->no_address)
        put_function(t, symbols->nr + 1, CS_PROFILEREAD_NO_ADDRESS);
}

static void put_line(pprof *t, uint64_t function)
{
    cs_proto_number(&t->inner, LINE_FUNCTION, function);
    cs_proto_message(&t->message, LOCATION_LINE, &t->inner);
}

static void put_places(pprof *t)
{
    const cs_stacks *s = &t->profile->stacks;

    for (size_t i = 0; i < s->nr_frames; i++) {
        const cs_stacks_frame *frame = &s->frames[i];

        cs_proto_number(&t->message, LOCATION_ID, i + 1);
        cs_proto_number(&t->message, LOCATION_MAPPING, mapping_of(t, frame));
        cs_proto_number(&t->message, LOCATION_ADDRESS, frame->address);
        if (frame->symbol != NULL)
            put_line(t, function_of(t, frame->symbol));
        cs_proto_message(&t->out, PROFILE_LOCATION, &t->message);
    }
    if (t->no_address) {
        cs_proto_number(&t->message, LOCATION_ID, s->nr_frames + 1);
        put_line(t, s->symbols->nr + 1);
        cs_proto_message(&t->out, PROFILE_LOCATION, &t->message);
    }
    for (size_t i = 0; i < t->nr_mappings; i++) {
        const mapping *m = &t->mappings[i];
        char file[CS_NAME_BYTES + 2];

        snprintf(file, sizeof file, "[%s]", m->object);
        cs_proto_number(&t->message, MAPPING_ID, i + 1);
        cs_proto_number(&t->message, MAPPING_START, m->start);
        cs_proto_number(&t->message, MAPPING_LIMIT, m->limit);
        cs_proto_number(&t->message, MAPPING_FILE, string_of(t, file));
        cs_proto_number(&t->message, MAPPING_HAS_FUNCTIONS, 1);
        cs_proto_message(&t->out, PROFILE_MAPPING, &t->message);
    }
}

/* ---- samples ---- */

/* As texts: pprof passes over numbers that are 0. */
static void put_label(pprof *t, const char *key, const char *text)
{
    cs_proto_number(&t->inner, LABEL_KEY, string_of(t, key));
    cs_proto_number(&t->inner, LABEL_STRING, string_of(t, text));
    cs_proto_message(&t->message, SAMPLE_LABEL, &t->inner);
}

static void put_number_label(pprof *t, const char *key, int64_t number)
{
    char text[24];

    snprintf(text, sizeof text, "%" PRId64, number);
    put_label(t, key, text);
}

/* "There are no samples" and "no memory" are told apart by the count. */
static void put_samples(pprof *t)
{
    cs_profile *p = t->profile;
    uint32_t frames[CS_STACKS_MOST_FRAMES];
    char name[CS_PROFILE_PROCESS_BYTES];
    size_t nr;
    cs_profile_total *totals = cs_profile_totals(p, true, &nr);

    t->failed |= nr == 0 && p->stacks.samples->count != 0;
    t->first = nr != 0 ? SIZE_MAX : 0;
    for (size_t i = 0; i < nr; i++) {
        const cs_profile_total *total = &totals[i];
        size_t depth = cs_stacks_frames(&p->stacks, total->stack, frames);

        if (depth == 0) { /* older pprofs pass over what has no place */
            t->no_address = true;
            frames[depth++] = (uint32_t)p->stacks.nr_frames;
        }
        t->first = total->event < t->first ? total->event : t->first;
        for (size_t k = depth; k-- > 0;)
            cs_proto_varint(&t->inner, frames[k] + 1);
        cs_proto_message(&t->message, SAMPLE_LOCATION, &t->inner);
        for (size_t k = 0; k < p->events->nr; k++) {
            const bool own = k == total->event;

            cs_proto_varint(&t->inner, own ? total->samples : 0);
            cs_proto_varint(&t->inner, own ? total->periods : 0);
        }
        cs_proto_message(&t->message, SAMPLE_VALUE, &t->inner);
        put_label(t, "process", cs_profile_process(p, total->pid, name));
        put_number_label(t, "pid", cs_profile_pid(total->pid));
        put_number_label(t, "cpu", total->cpu);
        cs_proto_message(&t->out, PROFILE_SAMPLE, &t->message);
    }
    free(totals);
}

/* ---- the file ---- */

/* As gzip, of which nothing tells the time or the machine. */
static cs_status put_packed(const cs_proto_bytes *bytes, FILE *file, cs_diag *diag)
{
    enum { GZIP = 16 + MAX_WBITS, MEMORY = 8 };
    static const z_stream fresh;
    z_stream stream = fresh;
    uint8_t chunk[16384];
    size_t left = bytes->used;
    int step;

    if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP, MEMORY,
                     Z_DEFAULT_STRATEGY) != Z_OK)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for " WHAT);
    stream.next_in = bytes->bytes;
    do {
        if (stream.avail_in == 0 && left != 0) {
            stream.avail_in = left < UINT_MAX ? (uInt)left : UINT_MAX;
            left -= stream.avail_in;
        }
        stream.next_out = chunk;
        stream.avail_out = sizeof chunk;
        step = deflate(&stream, left != 0 ? Z_NO_FLUSH : Z_FINISH);
        fwrite(chunk, 1, sizeof chunk - stream.avail_out, file);
    } while (step == Z_OK);
    deflateEnd(&stream);
    return CS_OK;
}

static cs_status write_profile(cs_profile *p, FILE *file, cs_diag *diag)
{
    pprof t = {.profile = p};
    cs_status status;

    string_of(&t, "");
    put_types(&t);
    put_samples(&t);
    put_default(&t);
    put_functions(&t);
    put_places(&t);
    cs_proto_number(&t.out, PROFILE_DURATION_NANOS, p->end_ns);
    cs_proto_number(&t.out, PROFILE_COMMENT, string_of(&t, "countersink"));
    for (size_t i = 0; i < t.nr_strings; i++)
        cs_proto_text(&t.out, PROFILE_STRING, t.strings[i]);
    if (t.failed || t.out.failed || t.message.failed || t.inner.failed)
        status = cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for " WHAT);
    else
        status = put_packed(&t.out, file, diag);
    for (size_t i = 0; i < t.nr_strings; i++)
        free(t.strings[i]);
    free(t.strings);
    free(t.mappings);
    free(t.out.bytes);
    free(t.message.bytes);
    free(t.inner.bytes);
    return status;
}

static const cs_profile_writer writer = {.what = WHAT, .by_name = false, .write = write_profile};

static cs_status check(const cs_scenario *s, const cs_trace_request *request, cs_diag *diag)
{
    return cs_profile_check(s, request, WHAT, diag);
}

static cs_status open_pprof(const cs_trace_place *place, void **state, cs_run_listener *listener,
                            cs_diag *diag)
{
    return cs_profile_open(place, &writer, state, listener, diag);
}

const cs_trace_format cs_trace_pprof = {
    .check = check, .open = open_pprof, .close = cs_profile_close};
