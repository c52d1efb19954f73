// SPDX-License-Identifier: Apache-2.0
/* Tracks of Perfetto's protocol buffers: their names, open slices, counters. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/perfetto/read/impl.h"

/* ---- descriptors ---- */

enum {
    TRACK_UUID,
    TRACK_NAME,
    TRACK_PROCESS,
    TRACK_THREAD,
    TRACK_PARENT,
    TRACK_COUNTER,
    TRACK_STATIC_NAME,
    TRACK_ATRACE_NAME,
    NR_TRACK
};

static const cs_protoread_spec track_specs[NR_TRACK] = {
    [TRACK_UUID] = {1, CS_PROTO_NUMBER, "TrackDescriptor.uuid"},
    [TRACK_NAME] = {2, CS_PROTO_TEXT, "TrackDescriptor.name"},
    [TRACK_PROCESS] = {3, CS_PROTO_TEXT, "TrackDescriptor.process"},
    [TRACK_THREAD] = {4, CS_PROTO_TEXT, "TrackDescriptor.thread"},
    [TRACK_PARENT] = {5, CS_PROTO_NUMBER, "TrackDescriptor.parent_uuid"},
    [TRACK_COUNTER] = {8, CS_PROTO_TEXT, "TrackDescriptor.counter"},
    [TRACK_STATIC_NAME] = {10, CS_PROTO_TEXT, "TrackDescriptor.static_name"},
    [TRACK_ATRACE_NAME] = {13, CS_PROTO_TEXT, "TrackDescriptor.atrace_name"}};

/* Of ThreadDescriptor and ProcessDescriptor. */
enum { PERSON_PID, PERSON_NAME, PERSON_TID, PERSON_REFERENCE, NR_PERSON };
#define PERSON_COMMAND PERSON_TID /* its first text is the program */

static const cs_protoread_spec thread_specs[NR_PERSON] = {
    [PERSON_PID] = {1, CS_PROTO_NUMBER, "ThreadDescriptor.pid"},
    [PERSON_TID] = {2, CS_PROTO_NUMBER, "ThreadDescriptor.tid"},
    [PERSON_NAME] = {5, CS_PROTO_TEXT, "ThreadDescriptor.thread_name"},
    [PERSON_REFERENCE] = {6, CS_PROTO_NUMBER, "ThreadDescriptor.reference_timestamp_us"}};

static const cs_protoread_spec process_specs[] = {
    [PERSON_PID] = {1, CS_PROTO_NUMBER, "ProcessDescriptor.pid"},
    [PERSON_NAME] = {6, CS_PROTO_TEXT, "ProcessDescriptor.process_name"},
    [PERSON_COMMAND] = {2, CS_PROTO_TEXT, "ProcessDescriptor.cmdline"}};

enum {
    COUNTER_TYPE,
    COUNTER_UNIT,
    COUNTER_MULTIPLIER,
    COUNTER_INCREMENTAL,
    COUNTER_UNIT_NAME,
    NR_COUNTER
};

static const cs_protoread_spec counter_specs[NR_COUNTER] = {
    [COUNTER_TYPE] = {1, CS_PROTO_NUMBER, "CounterDescriptor.type"},
    [COUNTER_UNIT] = {3, CS_PROTO_NUMBER, "CounterDescriptor.unit"},
    [COUNTER_MULTIPLIER] = {4, CS_PROTO_NUMBER, "CounterDescriptor.unit_multiplier"},
    [COUNTER_INCREMENTAL] = {5, CS_PROTO_NUMBER, "CounterDescriptor.is_incremental"},
    [COUNTER_UNIT_NAME] = {6, CS_PROTO_TEXT, "CounterDescriptor.unit_name"}};

static cs_status set_field(cs_perfettoread *reader, cs_pftread_text *text,
                           const cs_protoread_field *field)
{
    return cs_pftread_set(reader, text, field->bytes, field->length);
}

static cs_status set_string(cs_perfettoread *reader, cs_pftread_text *text, const char *string)
{
    return cs_pftread_set(reader, text, string, strlen(string));
}

static bool is_set(const cs_pftread_text *text)
{
    return text->text != NULL && text->text[0] != '\0';
}

/* Takes what a descriptor says of a thread or process. */
static cs_status take_person(cs_perfettoread *reader, cs_pftread_track *track,
                             const cs_protoread *descriptor, const cs_protoread_field *field,
                             bool is_thread)
{
    cs_protoread_field found[NR_PERSON];
    cs_status status = is_thread ? cs_protoread_take(cs_protoread_begin(descriptor, field),
                                                     thread_specs, NR_PERSON, found)
                                 : cs_protoread_take(cs_protoread_begin(descriptor, field),
                                                     process_specs, PERSON_COMMAND + 1, found);

    if (status != CS_OK)
        return status;
    track->is_thread = is_thread;
    track->is_process = !is_thread;
    track->pid = (int32_t)found[PERSON_PID].value;
    track->tid = is_thread ? (int64_t)found[PERSON_TID].value : 0;
    if (!is_thread && found[PERSON_NAME].length == 0 && found[PERSON_COMMAND].number != 0) {
        cs_protoread process = cs_protoread_begin(descriptor, field);

        status = cs_protoread_find(&process, &process_specs[PERSON_COMMAND], &found[PERSON_NAME]);
    }
    if (status == CS_OK && found[PERSON_NAME].length > 0)
        status = set_field(reader, &track->node.text, &found[PERSON_NAME]);
    if (status == CS_OK && !is_thread) {
        void *memory = NULL;

        status = cs_pftread_make(reader, CS_PFT_PROCESS, 0, (uint64_t)track->pid, &memory);
        if (status == CS_OK)
            ((cs_pftread_count *)memory)->number = (int64_t)track->node.id;
    }
    if (is_thread && track->node.key == CS_PFT_THREAD)
        reader->packet.sequence->reference_us = (int64_t)found[PERSON_REFERENCE].value;
    return status;
}

static cs_status take_counter(cs_perfettoread *reader, cs_pftread_track *track,
                              const cs_protoread *descriptor, const cs_protoread_field *field)
{
    static const char *const units[] = {"", "ns", "count", "bytes"};
    static const char *const names[] = {"", "thread time", "thread instruction count"};
    cs_protoread_field found[NR_COUNTER];
    cs_status status =
        cs_protoread_take(cs_protoread_begin(descriptor, field), counter_specs, NR_COUNTER, found);

    if (status != CS_OK)
        return status;
    const uint64_t type = found[COUNTER_TYPE].value, unit = found[COUNTER_UNIT].value;
    track->incremental = found[COUNTER_INCREMENTAL].value != 0;
    track->multiplier = (int64_t)found[COUNTER_MULTIPLIER].value;
    if (found[COUNTER_UNIT_NAME].length > 0)
        status = set_field(reader, &track->unit, &found[COUNTER_UNIT_NAME]);
    else if (unit > 0 && unit < sizeof units / sizeof units[0])
        status = set_string(reader, &track->unit, units[unit]);
    else if (type == 1 || type == 2) /* implied: ns, count */
        status = set_string(reader, &track->unit, units[type]);
    if (status == CS_OK && (type == 1 || type == 2) && !is_set(&track->node.text))
        status = set_string(reader, &track->node.text, names[type]);
    return status;
}

static cs_status described(cs_perfettoread *reader, cs_pftread_track *track)
{
    char text[64];
    cs_status status;

    if (is_set(&track->node.text)) {
        status = set_string(reader, &track->said, track->node.text.text);
    } else {
        if (track->is_process)
            snprintf(text, sizeof text, "process %lld", (long long)track->pid);
        else if (track->is_thread)
            snprintf(text, sizeof text, "thread %lld", (long long)track->tid);
        else
            snprintf(text, sizeof text, "track %llu", (unsigned long long)track->node.id);
        status = set_string(reader, &track->said, text);
    }
    track->described = true;
    reader->version++;
    return status;
}

cs_status cs_pftread_describe(cs_perfettoread *reader, const cs_protoread_field *field)
{
    const cs_protoread *packet = &reader->packet.message;
    const cs_protoread descriptor = cs_protoread_begin(packet, field);
    cs_protoread_field found[NR_TRACK];
    void *memory = NULL;
    cs_status status = cs_protoread_take(descriptor, track_specs, NR_TRACK, found);

    if (status == CS_OK)
        status = cs_pftread_make(reader, CS_PFT_TRACK, 0, found[TRACK_UUID].value, &memory);
    if (status != CS_OK)
        return status;
    cs_pftread_track *track = memory;
    if (found[TRACK_PARENT].number != 0)
        track->parent = found[TRACK_PARENT].value;
    for (unsigned i = 0; i < NR_TRACK && status == CS_OK; i++)
        if ((i == TRACK_NAME || i == TRACK_STATIC_NAME || i == TRACK_ATRACE_NAME) &&
            found[i].length > 0)
            status = set_field(reader, &track->node.text, &found[i]);
    /* a thread's or process's own name goes before the track's */
    if (status == CS_OK && found[TRACK_PROCESS].number != 0)
        status = take_person(reader, track, &descriptor, &found[TRACK_PROCESS], false);
    if (status == CS_OK && found[TRACK_THREAD].number != 0)
        status = take_person(reader, track, &descriptor, &found[TRACK_THREAD], true);
    if (status == CS_OK && found[TRACK_COUNTER].number != 0)
        status = take_counter(reader, track, &descriptor, &found[TRACK_COUNTER]);
    if (status == CS_OK)
        status = described(reader, track);
    if (status == CS_OK)
        status = cs_pftread_place(reader, track);
    reader->event.kind = CS_PERFETTOREAD_TRACK;
    reader->event.unit = is_set(&track->unit) ? track->unit.text : NULL;
    return status;
}

/* The deprecated way: the sequence is a thread's. */
cs_status cs_pftread_describe_thread(cs_perfettoread *reader, const cs_protoread_field *field)
{
    cs_pftread_sequence *sequence = reader->packet.sequence;
    void *memory = NULL;
    cs_status status = cs_pftread_make(reader, CS_PFT_THREAD, sequence->node.sequence, 0, &memory);

    if (status != CS_OK)
        return status;
    status = take_person(reader, memory, &reader->packet.message, field, true);
    if (status == CS_OK)
        status = described(reader, memory);
    if (status == CS_OK)
        status = cs_pftread_place(reader, memory);
    sequence->has_thread = true;
    reader->event.kind = CS_PERFETTOREAD_TRACK;
    return status;
}

/* ---- where a track lies ---- */

static const cs_pftread_track *parent_of(const cs_perfettoread *reader,
                                         const cs_pftread_track *track)
{
    uint64_t parent = track->parent;

    if (track->is_process)
        return NULL;
    if (track->is_thread) {
        const cs_pftread_count *process =
            cs_pftread_find(reader, CS_PFT_PROCESS, 0, (uint64_t)track->pid);

        parent = process != NULL ? (uint64_t)process->number : 0;
    }
    return parent != 0 ? cs_pftread_find(reader, CS_PFT_TRACK, 0, parent) : NULL;
}

static cs_status find_group(cs_perfettoread *reader, cs_pftread_track *track)
{
    const cs_pftread_track *path[CS_PERFETTOREAD_DEEP];
    cs_status status = set_string(reader, &track->group, "");
    unsigned nr = 0;

    for (const cs_pftread_track *t = track; (t = parent_of(reader, t)) != NULL;) {
        if (nr == CS_PERFETTOREAD_DEEP)
            return cs_pftread_bad(reader, reader->packet.offset,
                                  "track %llu: found more than %u tracks around it, expected none "
                                  "that lies in itself",
                                  (unsigned long long)track->node.id, CS_PERFETTOREAD_DEEP);
        path[nr++] = t;
    }
    while (nr-- > 0 && status == CS_OK)
        if (path[nr]->described)
            status = cs_pftread_append(reader, &track->group, "/", path[nr]->said.text,
                                       strlen(path[nr]->said.text));
    track->version = reader->version;
    return status;
}

cs_status cs_pftread_place(cs_perfettoread *reader, cs_pftread_track *track)
{
    cs_perfettoread_event *event = &reader->event;
    cs_status status = CS_OK;

    event->uuid = track->node.id;
    if (!track->described)
        return CS_OK;
    if (track->group.text == NULL || track->version != reader->version)
        status = find_group(reader, track);
    event->track = track->said.text;
    event->group = is_set(&track->group) ? track->group.text : NULL;
    return status;
}

/* ---- slices ---- */

cs_status cs_pftread_begin_slice(cs_perfettoread *reader, cs_pftread_track *track)
{
    cs_perfettoread_event *event = &reader->event;
    void *memory = track->slices;
    cs_status status;

    if (track->nr_slices == CS_PERFETTOREAD_OPEN)
        return cs_pftread_bad(reader, event->offset,
                              "track %llu: found more than %u open slices, expected fewer",
                              (unsigned long long)event->uuid, CS_PERFETTOREAD_OPEN);
    status = cs_pftread_reserve(reader, &memory, &track->slices_room,
                                (track->nr_slices + 1) * sizeof *track->slices);
    track->slices = memory;
    if (status != CS_OK)
        return status;
    cs_pftread_slice *slice = &track->slices[track->nr_slices++];
    event->slice = slice->number = ++reader->nr_slices;
    slice->begin_ns = event->time_ns;
    slice->named = event->name != NULL;
    return slice->named ? set_string(reader, &slice->name, event->name) : CS_OK;
}

cs_status cs_pftread_end_slice(cs_perfettoread *reader, cs_pftread_track *track)
{
    cs_perfettoread_event *event = &reader->event;

    if (track->nr_slices == 0)
        return reader->packet.sequence->lost
                   ? CS_OK
                   : cs_pftread_bad(reader, event->offset,
                                    "track %llu: found the end of a slice, expected a begin before",
                                    (unsigned long long)event->uuid);
    const cs_pftread_slice *slice = &track->slices[--track->nr_slices];
    event->slice = slice->number;
    if (event->name == NULL && slice->named)
        event->name = slice->name.text;
    if (__builtin_sub_overflow(event->time_ns, slice->begin_ns, &event->duration_ns))
        return cs_pftread_bad(reader, event->offset, "a slice of more than 2^63 ns");
    event->has_duration = true;
    return CS_OK;
}

/* ---- counters ---- */

static void print_real(char *text, size_t bytes, double value)
{
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, bytes, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            return;
    }
}

/* Increments count from the last value of this track, since its sequence's state was cleared. */
static cs_status increment(cs_perfettoread *reader, const cs_pftread_track *track, bool is_real,
                           int64_t *number, double *real)
{
    const cs_pftread_sequence *sequence = reader->packet.sequence;
    void *memory = NULL;
    const cs_status status =
        cs_pftread_make(reader, CS_PFT_COUNT, sequence->node.sequence, track->node.id, &memory);

    if (status != CS_OK)
        return status;
    cs_pftread_count *count = memory;
    if (count->node.generation != sequence->generation) {
        count->number = 0;
        count->real = 0;
    }
    count->node.generation = sequence->generation;
    if (is_real)
        *real = count->real += *real;
    else if (__builtin_add_overflow(count->number, *number, number))
        return cs_pftread_bad(reader, reader->packet.offset, "a counter of more than 64 bits");
    else
        count->number = *number;
    return CS_OK;
}

cs_status cs_pftread_count_of(cs_perfettoread *reader, cs_pftread_track *track, bool is_real,
                              uint64_t value, uint64_t offset)
{
    cs_perfettoread_event *event = &reader->event;
    int64_t number = (int64_t)value;
    double real = is_real ? cs_protoread_double(value) : 0;
    char text[64];
    cs_status status = cs_pftread_place(reader, track);

    if (status == CS_OK && track->incremental)
        status = increment(reader, track, is_real, &number, &real);
    if (status != CS_OK)
        return status;
    if (track->multiplier > 0) {
        real *= (double)track->multiplier;
        if (!is_real && __builtin_mul_overflow(number, track->multiplier, &number))
            return cs_pftread_bad(reader, offset, "a counter of more than 64 bits");
    }
    event->kind = CS_PERFETTOREAD_COUNTER;
    event->name = event->track;
    event->unit = is_set(&track->unit) ? track->unit.text : NULL;
    event->is_whole = !is_real;
    if (is_real && fabs(real) < 9007199254740992.0 && real == (double)(int64_t)real) {
        number = (int64_t)real;
        event->is_whole = true;
    }
    event->number = event->is_whole ? number : 0;
    if (event->is_whole)
        snprintf(text, sizeof text, "%lld", (long long)number);
    else
        print_real(text, sizeof text, real);
    status = set_string(reader, &reader->texts[CS_PFT_TEXT_VALUE], text);
    event->value = reader->texts[CS_PFT_TEXT_VALUE].text;
    return status;
}
