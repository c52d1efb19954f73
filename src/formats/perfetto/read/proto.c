// SPDX-License-Identifier: Apache-2.0
/* The file: one packet after the other, and what each of them is. */
#include "formats/perfetto/read/impl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BUFFER_BYTES 65536u
#define HEAD_BYTES 20u /* a tag and a length at most */
#define PACKET 1u      /* Trace.packet */

cs_status cs_perfettoread_open(const cs_byte_source *source, const char *name,
                               cs_perfettoread **out, cs_diag *diag)
{
    cs_perfettoread *reader = calloc(1, sizeof *reader);

    *out = NULL;
    if (reader == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, name, "no memory for a reader");
    reader->source = *source;
    reader->name = name;
    *out = reader;
    return CS_OK;
}

void cs_perfettoread_close(cs_perfettoread *reader)
{
    if (reader == NULL)
        return;
    cs_pftread_free(reader);
    cs_event_fields_free(&reader->event.args);
    for (size_t i = 0; i < sizeof reader->texts / sizeof reader->texts[0]; i++)
        free(reader->texts[i].text);
    free(reader->buffer);
    free(reader);
}

/* ---- bytes ---- */

/* Makes `bytes` bytes lie in the buffer, or as many as there are. The buffer grows with what was
 * read, not with what a length claims. */
static cs_status ensure(cs_perfettoread *reader, size_t bytes)
{
    while (reader->end - reader->at < bytes && !reader->drained) {
        size_t got = 0;

        if (reader->at > 0) {
            memmove(reader->buffer, reader->buffer + reader->at, reader->end - reader->at);
            reader->end -= reader->at;
            reader->at = 0;
        }
        if (reader->end == reader->room) {
            const size_t room = reader->room == 0 ? BUFFER_BYTES : 2 * reader->room;
            uint8_t *buffer = realloc(reader->buffer, room);

            if (buffer == NULL)
                return cs_diag_set(&reader->diag, CS_ERR_NO_MEMORY, reader->name,
                                   "no memory for a packet");
            reader->buffer = buffer;
            reader->room = room;
        }
        const cs_status status =
            reader->source.read(reader->source.ctx, reader->buffer + reader->end,
                                reader->room - reader->end, &got, &reader->diag);
        if (status != CS_OK)
            return status;
        reader->drained = got == 0;
        reader->end += got;
    }
    return CS_OK;
}

static void consume(cs_perfettoread *reader, size_t bytes)
{
    reader->at += bytes;
    reader->offset += bytes;
}

/* What lies in the buffer, at most `bytes` of it. */
static cs_protoread window(cs_perfettoread *reader, size_t bytes)
{
    const size_t there = reader->end - reader->at;

    return (cs_protoread){.bytes = reader->buffer + reader->at,
                          .left = there < bytes ? there : bytes,
                          .offset = reader->offset,
                          .name = reader->name,
                          .diag = &reader->diag};
}

static cs_status pass_over(cs_perfettoread *reader, uint64_t bytes)
{
    while (bytes > 0) {
        cs_status status = ensure(reader, 1);
        const size_t there = reader->end - reader->at;
        const size_t step = there < bytes ? there : (size_t)bytes;

        if (status != CS_OK)
            return status;
        if (step == 0)
            return cs_pftread_bad(reader, reader->offset,
                                  "the file ends, expected %llu bytes more of a field",
                                  (unsigned long long)bytes);
        consume(reader, step);
        bytes -= step;
    }
    return CS_OK;
}

/* The next packet's head is read, and fields that are none passed over. *bytes: of the packet. */
static cs_status next_head(cs_perfettoread *reader, bool *there, size_t *bytes)
{
    static const unsigned fixed[] = {[CS_PROTO_FIXED64] = 8, [CS_PROTO_FIXED32] = 4};
    uint64_t tag = 0, value = 0;

    for (;;) {
        cs_status status = ensure(reader, HEAD_BYTES);

        *there = false;
        if (status != CS_OK || reader->end == reader->at)
            return status;
        cs_protoread head = window(reader, HEAD_BYTES);
        status = cs_protoread_head(&head, &tag, &value);
        if (status != CS_OK)
            return status;
        const unsigned wire = tag & 7;
        reader->packet.offset = reader->offset;
        consume(reader, (size_t)(head.offset - reader->offset));
        if (tag == (PACKET << 3 | CS_PROTO_BYTES)) {
            if (value > CS_PERFETTOREAD_PACKET)
                return cs_pftread_bad(reader, reader->packet.offset,
                                      "found a packet of %llu bytes, expected at most %u",
                                      (unsigned long long)value, CS_PERFETTOREAD_PACKET);
            *there = true;
            *bytes = (size_t)value;
            return CS_OK;
        }
        status = pass_over(reader, wire == CS_PROTO_BYTES    ? value
                                   : wire == CS_PROTO_VARINT ? 0
                                                             : fixed[wire]);
        if (status != CS_OK)
            return status;
    }
}

/* ---- packets ---- */

enum {
    TIMESTAMP,
    SEQUENCE,
    TRACK_EVENT,
    FLAGS,
    INTERNED,
    DESCRIPTOR,
    CLOCK_ID,
    DEFAULTS,
    CLEARED,
    DROPPED,
    CLOCKS,
    THREAD,
    COMPRESSED,
    ZSTD,
    NR_PACKET
};

static const cs_protoread_spec packet_specs[NR_PACKET] = {
    [TIMESTAMP] = {8, CS_PROTO_NUMBER, "TracePacket.timestamp"},
    [SEQUENCE] = {10, CS_PROTO_NUMBER, "TracePacket.trusted_packet_sequence_id"},
    [TRACK_EVENT] = {11, CS_PROTO_TEXT, "TracePacket.track_event"},
    [FLAGS] = {13, CS_PROTO_NUMBER, "TracePacket.sequence_flags"},
    [INTERNED] = {12, CS_PROTO_TEXT, "TracePacket.interned_data"},
    [DESCRIPTOR] = {60, CS_PROTO_TEXT, "TracePacket.track_descriptor"},
    [CLOCK_ID] = {58, CS_PROTO_NUMBER, "TracePacket.timestamp_clock_id"},
    [DEFAULTS] = {59, CS_PROTO_TEXT, "TracePacket.trace_packet_defaults"},
    [CLEARED] = {41, CS_PROTO_NUMBER, "TracePacket.incremental_state_cleared"},
    [DROPPED] = {42, CS_PROTO_NUMBER, "TracePacket.previous_packet_dropped"},
    [CLOCKS] = {6, CS_PROTO_TEXT, "TracePacket.clock_snapshot"},
    [THREAD] = {44, CS_PROTO_TEXT, "TracePacket.thread_descriptor"},
    [COMPRESSED] = {50, CS_PROTO_TEXT, "TracePacket.compressed_packets"},
    [ZSTD] = {133, CS_PROTO_TEXT, "TracePacket.zstd_compressed_packets"}};

/* TracePacket.SequenceFlags */
#define STATE_CLEARED 1u
#define STATE_NEEDED 2u

/* Other packets that tools write often, by their field. */
static const struct {
    uint32_t field;
    const char *name;
} others[] = {{1, "ftrace_events"},
              {2, "process_tree"},
              {6, "clock_snapshot"},
              {7, "sys_stats"},
              {9, "process_stats"},
              {33, "trace_config"},
              {34, "ftrace_stats"},
              {35, "trace_stats"},
              {36, "synchronization_marker"},
              {37, "profile_packet"},
              {39, "android_log"},
              {43, "process_descriptor"},
              {45, "system_info"},
              {51, "chrome_metadata"},
              {66, "perf_sample"},
              {67, "cpu_info"},
              {69, "service_event"},
              {89, "trace_uuid"},
              {115, "kernel_wakelock_data"}};

/* Fields that say something about a packet, and are not its data. */
static bool is_about(uint32_t field)
{
    static const uint32_t about[] = {3, 8, 10, 12, 13, 41, 42, 58, 59, 79, 87, 98};

    for (size_t i = 0; i < sizeof about / sizeof about[0]; i++)
        if (about[i] == field)
            return true;
    return false;
}

static cs_status name_other(cs_perfettoread *reader)
{
    cs_protoread message = reader->packet.message;
    cs_protoread_field field;
    char text[64] = "no data";
    cs_status status;

    while ((status = cs_protoread_next(&message, &field)) == CS_OK && field.number != 0) {
        if (is_about(field.number))
            continue;
        snprintf(text, sizeof text, "field %u", field.number);
        for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
            if (others[i].field == field.number)
                snprintf(text, sizeof text, "%s", others[i].name);
    }
    if (status == CS_OK)
        status = cs_pftread_set(reader, &reader->texts[CS_PFT_TEXT_NAME], text, strlen(text));
    reader->event.name = reader->texts[CS_PFT_TEXT_NAME].text;
    return status;
}

static cs_status find_sequence(cs_perfettoread *reader, const cs_protoread_field *found)
{
    const uint64_t flags = found[FLAGS].value;
    void *memory = NULL;
    const cs_status status =
        cs_pftread_make(reader, CS_PFT_SEQUENCE, (uint32_t)found[SEQUENCE].value, 0, &memory);

    if (status != CS_OK)
        return status;
    cs_pftread_sequence *sequence = memory;
    reader->packet.sequence = sequence;
    const bool cleared = (flags & STATE_CLEARED) != 0 || found[CLEARED].value != 0;
    if (found[DROPPED].value != 0) {
        sequence->lost = true;
        sequence->valid = false;
    }
    if (cleared || found[DROPPED].value != 0) {
        sequence->generation++;
        sequence->defaults_bytes = 0;
        sequence->clock = 0;
    }
    if (cleared)
        sequence->valid = true;
    return CS_OK;
}

/* TracePacketDefaults: the clock, and what TrackEvents leave out, which is kept as it is. */
static cs_status take_defaults(cs_perfettoread *reader, const cs_protoread_field *field)
{
    enum { CLOCK, EVENT, NR };
    static const cs_protoread_spec specs[NR] = {
        [CLOCK] = {58, CS_PROTO_NUMBER, "TracePacketDefaults.timestamp_clock_id"},
        [EVENT] = {11, CS_PROTO_TEXT, "TracePacketDefaults.track_event_defaults"}};
    cs_pftread_sequence *sequence = reader->packet.sequence;
    cs_protoread_field found[NR];
    void *memory = sequence->defaults;
    cs_status status =
        cs_protoread_take(cs_protoread_begin(&reader->packet.message, field), specs, NR, found);

    if (status != CS_OK)
        return status;
    sequence->clock = found[CLOCK].value;
    sequence->defaults_bytes = 0;
    if (found[EVENT].length == 0)
        return CS_OK;
    if (found[EVENT].length > CS_PERFETTOREAD_SHORT)
        return cs_pftread_bad(reader, found[EVENT].offset,
                              "%s: found %zu bytes, expected at most %u", specs[EVENT].name,
                              found[EVENT].length, CS_PERFETTOREAD_SHORT);
    status = cs_pftread_reserve(reader, &memory, &sequence->defaults_room, found[EVENT].length);
    sequence->defaults = memory;
    if (status != CS_OK)
        return status;
    memcpy(sequence->defaults, found[EVENT].bytes, found[EVENT].length);
    sequence->defaults_bytes = found[EVENT].length;
    sequence->defaults_offset = found[EVENT].inside;
    return CS_OK;
}

static cs_status take_data(cs_perfettoread *reader, const cs_protoread_field *found)
{
    cs_perfettoread_event *event = &reader->event;

    event->has_time = reader->packet.has_time;
    event->time_ns = reader->packet.time_ns;
    event->clock = reader->packet.clock;
    if (found[TRACK_EVENT].number != 0) {
        reader->packet.event = found[TRACK_EVENT];
        return cs_pftread_track_event(reader);
    }
    if (found[DESCRIPTOR].number != 0)
        return cs_pftread_describe(reader, &found[DESCRIPTOR]);
    if (found[THREAD].number != 0)
        return cs_pftread_describe_thread(reader, &found[THREAD]);
    event->kind = CS_PERFETTOREAD_OTHER;
    const cs_status status = name_other(reader);
    return status == CS_OK && found[CLOCKS].number != 0 ? cs_pftread_clocks(reader, &found[CLOCKS])
                                                        : status;
}

static cs_status take_packet(cs_perfettoread *reader)
{
    cs_protoread_field found[NR_PACKET];
    cs_status status = cs_protoread_take(reader->packet.message, packet_specs, NR_PACKET, found);

    if (status != CS_OK)
        return status;
    if (found[COMPRESSED].number != 0 || found[ZSTD].number != 0)
        return cs_diag_set(&reader->diag, CS_ERR_UNSUPPORTED, reader->name,
                           "byte 0x%llx: found compressed packets, which are not read here "
                           "(trace_processor util decompress_packets writes them out)",
                           (unsigned long long)reader->packet.offset);
    status = find_sequence(reader, found);
    if (status == CS_OK && found[DEFAULTS].number != 0)
        status = take_defaults(reader, &found[DEFAULTS]);
    if (status == CS_OK && found[INTERNED].number != 0)
        status = cs_pftread_interned_data(reader, &found[INTERNED]);
    if (status != CS_OK)
        return status;
    if ((found[FLAGS].value & STATE_NEEDED) != 0 && !reader->packet.sequence->valid) {
        reader->event.kind = CS_PERFETTOREAD_OTHER;
        reader->event.name = "passed over: what it builds on is lost";
        return CS_OK;
    }
    status = cs_pftread_time(reader, &found[TIMESTAMP], &found[CLOCK_ID]);
    return status == CS_OK ? take_data(reader, found) : status;
}

/* ---- events ---- */

/* All but the memory of the arguments. */
static void clear_event(cs_perfettoread *reader)
{
    cs_event_fields args = reader->event.args;

    cs_event_fields_clear(&args);
    reader->event = (cs_perfettoread_event){.offset = reader->packet.offset, .args = args};
}

static cs_status next(cs_perfettoread *reader, bool *there)
{
    size_t bytes = 0;
    cs_status status;

    if (reader->extra.stage != 0) {
        clear_event(reader);
        reader->event.has_time = true;
        reader->event.time_ns = reader->event_time_ns;
        reader->event.clock = reader->packet.clock;
        status = cs_pftread_next_extra(reader, there);
        if (status != CS_OK || *there)
            return status;
    }
    status = next_head(reader, there, &bytes);
    if (status != CS_OK || !*there)
        return status;
    status = ensure(reader, bytes);
    if (status == CS_OK && reader->end - reader->at < bytes)
        return cs_pftread_bad(reader, reader->packet.offset,
                              "found a packet of %zu bytes, the file ends at byte 0x%llx", bytes,
                              (unsigned long long)(reader->offset + reader->end - reader->at));
    if (status != CS_OK)
        return status;
    const uint64_t offset = reader->packet.offset;
    reader->packet = (cs_pftread_packet){.message = window(reader, bytes), .offset = offset};
    clear_event(reader);
    status = take_packet(reader);
    reader->event_time_ns = reader->event.time_ns;
    consume(reader, bytes); /* the bytes stay where they are until the next packet is read */
    return status;
}

cs_status cs_perfettoread_next(cs_perfettoread *reader, cs_perfettoread_event **event,
                               cs_diag *diag)
{
    bool there = false;

    *event = NULL;
    if (reader->status == CS_OK)
        reader->status = next(reader, &there);
    if (reader->status == CS_OK && there && !cs_event_fields_done(&reader->event.args))
        reader->status =
            cs_diag_set(&reader->diag, CS_ERR_NO_MEMORY, reader->name, "no memory for an event");
    if (reader->status != CS_OK && diag != NULL)
        *diag = reader->diag;
    if (reader->status == CS_OK && there)
        *event = &reader->event;
    return reader->status;
}
