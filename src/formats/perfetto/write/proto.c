// SPDX-License-Identifier: Apache-2.0
#include "formats/perfetto/write/proto.h"

#include "formats/common/proto_write.h"
#include "formats/perfetto/write/limits.h"

#define FLUSH_BYTES 65536u /* the sink gets at least so many, but for the last */
#define FIRST_NAMES 256u

/* Fields of Perfetto's messages, by their numbers. */
enum { TRACE_PACKET = 1 };
enum {
    PACKET_TIMESTAMP = 8,
    PACKET_SEQUENCE_ID = 10,
    PACKET_TRACK_EVENT = 11,
    PACKET_INTERNED_DATA = 12,
    PACKET_SEQUENCE_FLAGS = 13,
    PACKET_TRACK_DESCRIPTOR = 60
};
enum { SEQUENCE_CLEARED = 1, SEQUENCE_NEEDS_STATE = 2 };
enum { INTERNED_EVENT_NAMES = 2, INTERNED_ARG_NAMES = 3 };
enum { NAME_IID = 1, NAME_TEXT = 2 };
enum {
    TRACK_UUID = 1,
    TRACK_NAME = 2,
    TRACK_PARENT = 5,
    TRACK_COUNTER = 8,
    TRACK_CHILD_ORDERING = 11,
    TRACK_RANK = 12
};
enum { ORDERING_EXPLICIT = 3 };
enum { COUNTER_UNIT_NAME = 6 };
enum {
    EVENT_ARGS = 4,
    EVENT_TYPE = 9,
    EVENT_NAME_IID = 10,
    EVENT_TRACK_UUID = 11,
    EVENT_DOUBLE_VALUE = 44
};
enum { TYPE_BEGIN = 1, TYPE_END = 2, TYPE_INSTANT = 3, TYPE_COUNTER = 4 };
enum { ARG_NAME_IID = 1, ARG_UNSIGNED = 3, ARG_SIGNED = 4, ARG_TEXT = 6, ARG_POINTER = 7 };

#define LAST_RANK INT32_MAX /* counters come behind the other tracks */

/* Tracks' numbers in the file: those of groups, of tracks and of counters, apart. */
#define UUID_GROUP(number) ((uint64_t)(number) << 2 | 1)
#define UUID_TRACK(number) ((uint64_t)(number) << 2 | 2)
#define UUID_COUNTER(number) ((uint64_t)(number) << 2 | 3)

/* What a name is for; that of a counter is with its group and unit. */
typedef enum name_kind { NAME_EVENT, NAME_ARG, NAME_COUNTER } name_kind;

typedef struct name {
    name_kind kind;
    unsigned group;
    uint64_t iid; /* from 1 on; 0: none here */
    char *text;
} name;

struct cs_perfetto_pb {
    cs_text_sink sink;
    unsigned clock_mhz;
    cs_status status;
    bool begun;         /* the sequence has its first packet */
    cs_proto_bytes out; /* packets for the sink */
    cs_proto_bytes packet, event, arg, interned;
    name *names; /* a hash table */
    size_t room; /* a power of two */
    size_t nr_names;
};

/* ---- packets ---- */

static void flush(cs_perfetto_pb *t)
{
    if (t->status == CS_OK && t->out.used > 0)
        t->status = t->sink.write(t->sink.ctx, (const char *)t->out.bytes, t->out.used);
    t->out.used = 0;
}

/* The packet that has been filled goes out. */
static cs_status send(cs_perfetto_pb *t)
{
    cs_proto_number(&t->packet, PACKET_SEQUENCE_ID, 1);
    cs_proto_number(&t->packet, PACKET_SEQUENCE_FLAGS,
                    t->begun ? SEQUENCE_NEEDS_STATE : SEQUENCE_CLEARED | SEQUENCE_NEEDS_STATE);
    t->begun = true;
    cs_proto_message(&t->out, TRACE_PACKET, &t->packet);
    if (t->out.failed && t->status == CS_OK)
        t->status = CS_ERR_NO_MEMORY;
    if (t->out.used >= FLUSH_BYTES)
        flush(t);
    return t->status;
}

/* ---- names ---- */

static size_t hash(name_kind kind, unsigned group, const char *text)
{
    size_t value = 0xcbf29ce484222325u ^ ((size_t)group << 8 | (size_t)kind);

    for (; *text != '\0'; text++)
        value = (value ^ (uint8_t)*text) * 0x00000100000001b3u;
    return value ^ value >> 29;
}

static name *find(name *names, size_t room, name_kind kind, unsigned group, const char *text)
{
    for (size_t at = hash(kind, group, text);; at++) {
        name *n = &names[at & (room - 1)];

        if (n->iid == 0 || (n->kind == kind && n->group == group && strcmp(n->text, text) == 0))
            return n;
    }
}

static bool grow(cs_perfetto_pb *t)
{
    const size_t room = t->room != 0 ? 2 * t->room : FIRST_NAMES;
    name *names = calloc(room, sizeof *names);

    if (names == NULL)
        return false;
    for (size_t i = 0; i < t->room; i++)
        if (t->names[i].iid != 0)
            *find(names, room, t->names[i].kind, t->names[i].group, t->names[i].text) = t->names[i];
    free(t->names);
    t->names = names;
    t->room = room;
    return true;
}

/* The name's number; *is_new: it has just got it. 0: no memory. */
static uint64_t number_of(cs_perfetto_pb *t, name_kind kind, unsigned group, const char *text,
                          bool *is_new)
{
    *is_new = false;
    if (2 * t->nr_names >= t->room && !grow(t)) {
        t->status = t->status != CS_OK ? t->status : CS_ERR_NO_MEMORY;
        return 0;
    }
    name *n = find(t->names, t->room, kind, group, text);
    if (n->iid != 0)
        return n->iid;
    const size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    if (copy == NULL) {
        t->status = t->status != CS_OK ? t->status : CS_ERR_NO_MEMORY;
        return 0;
    }
    *n = (name){kind, group, ++t->nr_names, memcpy(copy, text, size)};
    *is_new = true;
    return n->iid;
}

/* The number of an event's or argument's name. What is new is told with the packet. */
static uint64_t intern(cs_perfetto_pb *t, name_kind kind, const char *text)
{
    bool is_new;
    const uint64_t iid = number_of(t, kind, 0, text, &is_new);

    if (is_new) {
        cs_proto_bytes entry = {0};

        cs_proto_number(&entry, NAME_IID, iid);
        cs_proto_text(&entry, NAME_TEXT, text);
        cs_proto_message(&t->interned,
                         kind == NAME_EVENT ? INTERNED_EVENT_NAMES : INTERNED_ARG_NAMES, &entry);
        free(entry.bytes);
    }
    return iid;
}

/* ---- tracks ---- */

static cs_status describe(cs_perfetto_pb *t, uint64_t uuid, uint64_t parent, const char *text,
                          unsigned order)
{
    cs_proto_number(&t->event, TRACK_UUID, uuid);
    cs_proto_text(&t->event, TRACK_NAME, text);
    if (parent != 0)
        cs_proto_number(&t->event, TRACK_PARENT, parent);
    else
        cs_proto_number(&t->event, TRACK_CHILD_ORDERING, ORDERING_EXPLICIT);
    cs_proto_number(&t->event, TRACK_RANK, order);
    cs_proto_message(&t->packet, PACKET_TRACK_DESCRIPTOR, &t->event);
    return send(t);
}

cs_status cs_perfetto_pb_name_group(cs_perfetto_pb *t, unsigned group, const char *text,
                                    unsigned order)
{
    return describe(t, UUID_GROUP(group), 0, text, order);
}

cs_status cs_perfetto_pb_name_track(cs_perfetto_pb *t, cs_perfetto_track track, const char *text,
                                    unsigned order)
{
    return describe(t, UUID_TRACK(track.track), UUID_GROUP(track.group), text, order);
}

static uint64_t counter_of(cs_perfetto_pb *t, unsigned group, const char *text, const char *unit)
{
    bool is_new;
    const uint64_t uuid = UUID_COUNTER(number_of(t, NAME_COUNTER, group, text, &is_new));

    if (is_new) {
        cs_proto_text(&t->arg, COUNTER_UNIT_NAME, unit);
        cs_proto_message(&t->event, TRACK_COUNTER, &t->arg);
        describe(t, uuid, UUID_GROUP(group), text, LAST_RANK);
    }
    return uuid;
}

/* ---- events ---- */

static void put_enum(cs_perfetto_pb *t, const cs_field *field, uint64_t number)
{
    for (size_t i = 0; i < field->nr_labels; i++)
        if (field->labels[i].value == number) {
            cs_proto_text(&t->arg, ARG_TEXT, field->labels[i].name);
            return;
        }
    cs_proto_number(&t->arg, ARG_UNSIGNED, number);
}

static void put_arg(cs_perfetto_pb *t, const cs_field *field, cs_field_value value)
{
    cs_proto_number(&t->arg, ARG_NAME_IID, intern(t, NAME_ARG, field->name));
    switch (field->kind) {
    case CS_FIELD_DECIMAL:
        cs_proto_number(&t->arg, ARG_UNSIGNED, value.number);
        break;
    case CS_FIELD_HEX:
        cs_proto_number(&t->arg, ARG_POINTER, value.number);
        break;
    case CS_FIELD_SIGNED:
        cs_proto_number(&t->arg, ARG_SIGNED, value.number);
        break;
    case CS_FIELD_TEXT:
        cs_proto_text(&t->arg, ARG_TEXT, value.text);
        break;
    case CS_FIELD_ENUM:
        put_enum(t, field, value.number);
        break;
    }
    cs_proto_message(&t->event, EVENT_ARGS, &t->arg);
}

/* The event that has been filled goes out. */
static cs_status send_event(cs_perfetto_pb *t, unsigned type, uint64_t uuid, uint64_t cycle)
{
    cs_proto_number(&t->event, EVENT_TYPE, type);
    cs_proto_number(&t->event, EVENT_TRACK_UUID, uuid);
    cs_proto_number(&t->packet, PACKET_TIMESTAMP, cs_perfetto_nanoseconds(t->clock_mhz, cycle));
    if (t->interned.used > 0 || t->interned.failed)
        cs_proto_message(&t->packet, PACKET_INTERNED_DATA, &t->interned);
    cs_proto_message(&t->packet, PACKET_TRACK_EVENT, &t->event);
    return send(t);
}

static cs_status put(cs_perfetto_pb *t, unsigned type, cs_perfetto_track track, const char *text,
                     uint64_t cycle, const cs_perfetto_args *args)
{
    cs_proto_number(&t->event, EVENT_NAME_IID, intern(t, NAME_EVENT, text));
    for (size_t i = 0; args != NULL && i < args->nr; i++)
        put_arg(t, &args->fields[i], args->values[i]);
    return send_event(t, type, UUID_TRACK(track.track), cycle);
}

cs_status cs_perfetto_pb_slice(cs_perfetto_pb *t, cs_perfetto_track track, const char *text,
                               uint64_t from, uint64_t to, const cs_perfetto_args *args)
{
    if (to < from || !cs_perfetto_is_time(t->clock_mhz, to))
        return CS_ERR_RANGE;
    put(t, TYPE_BEGIN, track, text, from, args);
    return send_event(t, TYPE_END, UUID_TRACK(track.track), to);
}

cs_status cs_perfetto_pb_instant(cs_perfetto_pb *t, cs_perfetto_track track, const char *text,
                                 uint64_t cycle, const cs_perfetto_args *args)
{
    if (!cs_perfetto_is_time(t->clock_mhz, cycle))
        return CS_ERR_RANGE;
    return put(t, TYPE_INSTANT, track, text, cycle, args);
}

cs_status cs_perfetto_pb_counter(cs_perfetto_pb *t, unsigned group, const char *text,
                                 const char *unit, uint64_t cycle, double value)
{
    if (!cs_perfetto_is_time(t->clock_mhz, cycle) || !cs_perfetto_is_value(unit, value))
        return CS_ERR_RANGE;
    const uint64_t uuid = counter_of(t, group, text, unit);

    cs_proto_double(&t->event, EVENT_DOUBLE_VALUE, value);
    return send_event(t, TYPE_COUNTER, uuid, cycle);
}

/* ---- beginning and end ---- */

cs_status cs_perfetto_pb_create(const cs_text_sink *sink, unsigned clock_mhz, cs_perfetto_pb **out)
{
    *out = calloc(1, sizeof **out);
    if (*out == NULL)
        return CS_ERR_NO_MEMORY;
    (*out)->sink = *sink;
    (*out)->clock_mhz = clock_mhz;
    return CS_OK;
}

cs_status cs_perfetto_pb_end(cs_perfetto_pb *t)
{
    flush(t);
    return t->status;
}

void cs_perfetto_pb_destroy(cs_perfetto_pb *t)
{
    if (t == NULL)
        return;
    for (size_t i = 0; i < t->room; i++)
        free(t->names[i].text);
    free(t->names);
    free(t->out.bytes);
    free(t->packet.bytes);
    free(t->event.bytes);
    free(t->arg.bytes);
    free(t->interned.bytes);
    free(t);
}
