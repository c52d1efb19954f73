// SPDX-License-Identifier: Apache-2.0
/* A TrackEvent of Perfetto's protocol buffers, and the counters that it carries beside. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "formats/perfetto/read/impl.h"

enum {
    TYPE,
    TRACK,
    NAME_IID,
    NAME,
    ARGS,
    CATEGORY_IIDS,
    CATEGORIES,
    VALUE,
    REAL_VALUE,
    EXTRA_VALUES,
    EXTRA_TRACKS,
    EXTRA_REALS,
    EXTRA_REAL_TRACKS,
    DELTA_US,
    ABSOLUTE_US,
    LEGACY,
    NR_EVENT
};

static const cs_protoread_spec specs[NR_EVENT] = {
    [TYPE] = {9, CS_PROTO_NUMBER, "TrackEvent.type"},
    [TRACK] = {11, CS_PROTO_NUMBER, "TrackEvent.track_uuid"},
    [NAME_IID] = {10, CS_PROTO_NUMBER, "TrackEvent.name_iid"},
    [NAME] = {23, CS_PROTO_TEXT, "TrackEvent.name"},
    [ARGS] = {4, CS_PROTO_TEXT, "TrackEvent.debug_annotations"},
    [CATEGORY_IIDS] = {3, CS_PROTO_NUMBERS, "TrackEvent.category_iids"},
    [CATEGORIES] = {22, CS_PROTO_TEXT, "TrackEvent.categories"},
    [VALUE] = {30, CS_PROTO_NUMBER, "TrackEvent.counter_value"},
    [REAL_VALUE] = {44, CS_PROTO_DOUBLE, "TrackEvent.double_counter_value"},
    [EXTRA_VALUES] = {12, CS_PROTO_NUMBERS, "TrackEvent.extra_counter_values"},
    [EXTRA_TRACKS] = {31, CS_PROTO_NUMBERS, "TrackEvent.extra_counter_track_uuids"},
    [EXTRA_REALS] = {46, CS_PROTO_DOUBLES, "TrackEvent.extra_double_counter_values"},
    [EXTRA_REAL_TRACKS] = {45, CS_PROTO_NUMBERS, "TrackEvent.extra_double_counter_track_uuids"},
    [DELTA_US] = {1, CS_PROTO_NUMBER, "TrackEvent.timestamp_delta_us"},
    [ABSOLUTE_US] = {16, CS_PROTO_NUMBER, "TrackEvent.timestamp_absolute_us"},
    [LEGACY] = {6, CS_PROTO_TEXT, "TrackEvent.legacy_event"}};

/* TrackEvent.Type */
enum { TYPE_BEGIN = 1, TYPE_END, TYPE_INSTANT, TYPE_COUNTER, TYPE_STATE, NR_TYPES };

static const cs_perfettoread_kind kinds[NR_TYPES] = {[TYPE_BEGIN] = CS_PERFETTOREAD_BEGIN,
                                                     [TYPE_END] = CS_PERFETTOREAD_END,
                                                     [TYPE_INSTANT] = CS_PERFETTOREAD_INSTANT,
                                                     [TYPE_COUNTER] = CS_PERFETTOREAD_COUNTER,
                                                     [TYPE_STATE] = CS_PERFETTOREAD_STATE};

/* ---- its track ---- */

static cs_protoread defaults_of(const cs_perfettoread *reader)
{
    const cs_pftread_sequence *sequence = reader->packet.sequence;

    return (cs_protoread){.bytes = sequence->defaults,
                          .left = sequence->defaults_bytes,
                          .offset = sequence->defaults_offset,
                          .name = reader->name,
                          .diag = reader->packet.message.diag};
}

static cs_status find_track(cs_perfettoread *reader, const cs_protoread_field *found,
                            cs_pftread_track **out)
{
    const cs_pftread_sequence *sequence = reader->packet.sequence;
    cs_protoread defaults = defaults_of(reader);
    cs_protoread_field track = found[TRACK];
    cs_status status = CS_OK;
    void *memory = NULL;

    if (track.number == 0)
        status = cs_protoread_take(defaults, &specs[TRACK], 1, &track);
    if (status != CS_OK)
        return status;
    if (track.number == 0 && sequence->has_thread)
        status = cs_pftread_make(reader, CS_PFT_THREAD, sequence->node.sequence, 0, &memory);
    else
        status = cs_pftread_make(reader, CS_PFT_TRACK, 0, track.value, &memory);
    *out = memory;
    return status;
}

/* ---- its texts ---- */

static cs_status take_name(cs_perfettoread *reader, const cs_protoread_field *found)
{
    cs_pftread_text *text = &reader->texts[CS_PFT_TEXT_NAME];
    cs_status status;

    if (found[NAME].number != 0 && found[NAME].offset > found[NAME_IID].offset) {
        status = cs_pftread_set(reader, text, found[NAME].bytes, found[NAME].length);
        reader->event.name = text->text;
        return status;
    }
    return found[NAME_IID].value == 0
               ? CS_OK
               : cs_pftread_interned(reader, CS_PFT_NAME, &found[NAME_IID], &reader->event.name);
}

static cs_status add_category(cs_perfettoread *reader, const void *bytes, size_t nr)
{
    cs_pftread_text *text = &reader->texts[CS_PFT_TEXT_CATEGORY];

    if (nr > CS_PERFETTOREAD_SHORT || strlen(text->text) + nr > CS_PERFETTOREAD_SHORT)
        return cs_pftread_bad(reader, reader->packet.offset,
                              "found more than %u bytes of categories", CS_PERFETTOREAD_SHORT);
    return cs_pftread_append(reader, text, ",", bytes, nr);
}

static cs_status take_categories(cs_perfettoread *reader, const cs_protoread *event,
                                 const cs_protoread_field *found)
{
    cs_pftread_text *text = &reader->texts[CS_PFT_TEXT_CATEGORY];
    cs_protoread all = *event, packed = {0};
    cs_protoread_field category;
    bool there = true;
    cs_status status = cs_pftread_set(reader, text, "", 0);

    while (found[CATEGORIES].number != 0 && status == CS_OK) {
        status = cs_protoread_find(&all, &specs[CATEGORIES], &category);
        if (status != CS_OK || category.number == 0)
            break;
        status = add_category(reader, category.bytes, category.length);
    }
    all = *event;
    while (found[CATEGORY_IIDS].number != 0 && status == CS_OK && there) {
        cs_protoread_field iid = found[CATEGORY_IIDS];
        const char *name = NULL;

        status = cs_protoread_number(&all, &specs[CATEGORY_IIDS], &packed, &iid.value, &there);
        if (status == CS_OK && there)
            status = cs_pftread_interned(reader, CS_PFT_CATEGORY, &iid, &name);
        if (status == CS_OK && name != NULL)
            status = add_category(reader, name, strlen(name));
    }
    reader->event.category = text->text != NULL && text->text[0] != '\0' ? text->text : NULL;
    return status;
}

/* ---- the deprecated ways ---- */

enum { PHASE, DURATION_US, UNSCOPED_ID, LOCAL_ID, GLOBAL_ID, LEGACY_NAME, NR_LEGACY };

static const cs_protoread_spec legacy_specs[NR_LEGACY] = {
    [PHASE] = {2, CS_PROTO_NUMBER, "LegacyEvent.phase"},
    [DURATION_US] = {3, CS_PROTO_NUMBER, "LegacyEvent.duration_us"},
    [UNSCOPED_ID] = {6, CS_PROTO_NUMBER, "LegacyEvent.unscoped_id"},
    [LOCAL_ID] = {10, CS_PROTO_NUMBER, "LegacyEvent.local_id"},
    [GLOBAL_ID] = {11, CS_PROTO_NUMBER, "LegacyEvent.global_id"},
    [LEGACY_NAME] = {1, CS_PROTO_NUMBER, "LegacyEvent.name_iid"}};

/* Phases of Trace Event JSON that TrackEvent has as well. */
static const struct {
    char phase;
    cs_perfettoread_kind kind;
} phases[] = {{'B', CS_PERFETTOREAD_BEGIN},
              {'E', CS_PERFETTOREAD_END},
              {'X', CS_PERFETTOREAD_COMPLETE},
              {'i', CS_PERFETTOREAD_INSTANT},
              {'I', CS_PERFETTOREAD_INSTANT}};

static cs_status take_legacy(cs_perfettoread *reader, const cs_protoread *event,
                             const cs_protoread_field *field)
{
    cs_perfettoread_event *out = &reader->event;
    cs_protoread_field found[NR_LEGACY];
    char text[32];
    cs_status status =
        cs_protoread_take(cs_protoread_begin(event, field), legacy_specs, NR_LEGACY, found);

    if (status != CS_OK || found[PHASE].number == 0)
        return status;
    const uint64_t phase = found[PHASE].value;
    if (phase <= 0x20 || phase >= 0x7f)
        return cs_pftread_bad(reader, found[PHASE].offset,
                              "LegacyEvent.phase: found %" PRIu64 ", expected a letter", phase);
    out->kind = CS_PERFETTOREAD_LEGACY;
    out->phase = (char)phase;
    for (size_t i = 0; i < sizeof phases / sizeof phases[0]; i++)
        if (phases[i].phase == out->phase)
            out->kind = phases[i].kind;
    if (out->name == NULL && found[LEGACY_NAME].value != 0)
        status = cs_pftread_interned(reader, CS_PFT_NAME, &found[LEGACY_NAME], &out->name);
    if (found[DURATION_US].number != 0) {
        out->has_duration =
            !__builtin_mul_overflow((int64_t)found[DURATION_US].value, 1000, &out->duration_ns);
        if (!out->has_duration)
            return cs_pftread_bad(reader, found[DURATION_US].offset,
                                  "LegacyEvent.duration_us: found more than 2^63 ns");
    }
    for (unsigned i = UNSCOPED_ID; i <= GLOBAL_ID && status == CS_OK; i++)
        if (found[i].number != 0) {
            snprintf(text, sizeof text, "0x%" PRIx64, found[i].value);
            status = cs_pftread_argument(reader, "id", &found[i], text, strlen(text), true);
        }
    return status;
}

static cs_status take_time(cs_perfettoread *reader, const cs_protoread_field *found)
{
    cs_perfettoread_event *event = &reader->event;
    cs_pftread_sequence *sequence = reader->packet.sequence;
    int64_t us = (int64_t)found[ABSOLUTE_US].value;
    bool fits = true;

    event->has_time = reader->packet.has_time;
    event->time_ns = reader->packet.time_ns;
    event->clock = reader->packet.clock;
    if (event->has_time)
        return CS_OK;
    if (found[DELTA_US].number != 0) {
        fits = !__builtin_add_overflow(sequence->reference_us, (int64_t)found[DELTA_US].value, &us);
        sequence->reference_us = us;
    } else if (found[ABSOLUTE_US].number == 0) {
        return cs_pftread_bad(reader, event->offset,
                              "found a TrackEvent without a timestamp, or whose clock no "
                              "ClockSnapshot of its sequence has (clock %" PRIu64 ")",
                              event->clock);
    }
    if (!fits || __builtin_mul_overflow(us, 1000, &event->time_ns))
        return cs_pftread_bad(reader, event->offset, "a time of more than 2^63 ns");
    event->has_time = true;
    return CS_OK;
}

/* ---- the event ---- */

static cs_status take_kind(cs_perfettoread *reader, const cs_protoread *message,
                           const cs_protoread_field *found)
{
    cs_perfettoread_event *event = &reader->event;
    const uint64_t type = found[TYPE].value;
    char text[64];

    if (type >= TYPE_BEGIN && type < NR_TYPES) {
        event->kind = kinds[type];
        return CS_OK;
    }
    event->kind = CS_PERFETTOREAD_OTHER;
    if (type == 0 && found[LEGACY].number != 0)
        return take_legacy(reader, message, &found[LEGACY]);
    snprintf(text, sizeof text, "TrackEvent of type %" PRIu64, type);
    const cs_status status =
        cs_pftread_set(reader, &reader->texts[CS_PFT_TEXT_NAME], text, strlen(text));
    event->name = reader->texts[CS_PFT_TEXT_NAME].text;
    return status;
}

/* A counter: its value. Of one that has both, the last counts. */
static cs_status take_value(cs_perfettoread *reader, cs_pftread_track *track,
                            const cs_protoread_field *found)
{
    const bool real = found[REAL_VALUE].offset > found[VALUE].offset;
    const cs_protoread_field *value = &found[real ? REAL_VALUE : VALUE];

    if (value->number == 0)
        return cs_pftread_bad(reader, reader->event.offset, "found a counter without a value");
    return cs_pftread_count_of(reader, track, real, value->value, value->offset);
}

static void prepare_extra(cs_perfettoread *reader, const cs_protoread *message,
                          const cs_protoread_field *found, unsigned stage)
{
    const unsigned values = stage == 1 ? EXTRA_VALUES : EXTRA_REALS;
    const unsigned tracks = stage == 1 ? EXTRA_TRACKS : EXTRA_REAL_TRACKS;

    reader->extra =
        (cs_pftread_extra){.values = *message,
                           .tracks = found[tracks].number != 0 ? *message : defaults_of(reader),
                           .stage = found[values].number != 0 ? stage : 0};
}

cs_status cs_pftread_track_event(cs_perfettoread *reader)
{
    const cs_protoread message = cs_protoread_begin(&reader->packet.message, &reader->packet.event);
    cs_protoread_field found[NR_EVENT];
    cs_pftread_track *track = NULL;
    cs_status status = cs_protoread_take(message, specs, NR_EVENT, found);

    if (status == CS_OK)
        status = take_time(reader, found);
    if (status == CS_OK)
        status = find_track(reader, found, &track);
    if (status == CS_OK)
        status = cs_pftread_place(reader, track);
    if (status == CS_OK)
        status = take_name(reader, found);
    if (status == CS_OK && (found[CATEGORIES].number != 0 || found[CATEGORY_IIDS].number != 0))
        status = take_categories(reader, &message, found);
    if (status == CS_OK && found[ARGS].number != 0)
        status = cs_pftread_arguments(reader);
    if (status == CS_OK)
        status = take_kind(reader, &message, found);
    if (status != CS_OK)
        return status;
    if (reader->event.kind == CS_PERFETTOREAD_BEGIN)
        status = cs_pftread_begin_slice(reader, track);
    else if (reader->event.kind == CS_PERFETTOREAD_END)
        status = cs_pftread_end_slice(reader, track);
    else if (reader->event.kind == CS_PERFETTOREAD_COUNTER)
        status = take_value(reader, track, found);
    if (found[EXTRA_VALUES].number != 0)
        prepare_extra(reader, &message, found, 1);
    else if (found[EXTRA_REALS].number != 0)
        prepare_extra(reader, &message, found, 2);
    return status;
}

/* Doubles come behind the whole numbers. */
static cs_status next_stage(cs_perfettoread *reader)
{
    const cs_protoread message = cs_protoread_begin(&reader->packet.message, &reader->packet.event);
    cs_protoread_field found[NR_EVENT];
    const cs_status status = cs_protoread_take(message, specs, NR_EVENT, found);

    if (status == CS_OK)
        prepare_extra(reader, &message, found, 2);
    return status;
}

cs_status cs_pftread_next_extra(cs_perfettoread *reader, bool *there)
{
    cs_pftread_extra *extra = &reader->extra;
    uint64_t value = 0, uuid = 0;
    bool has_track = false;
    void *track = NULL;
    cs_status status = CS_OK;

    *there = false;
    while (extra->stage != 0) {
        const bool real = extra->stage == 2;

        status = cs_protoread_number(&extra->values, &specs[real ? EXTRA_REALS : EXTRA_VALUES],
                                     &extra->values_packed, &value, there);
        if (status == CS_OK && *there)
            status =
                cs_protoread_number(&extra->tracks, &specs[real ? EXTRA_REAL_TRACKS : EXTRA_TRACKS],
                                    &extra->tracks_packed, &uuid, &has_track);
        if (status == CS_OK && *there && !has_track)
            return cs_pftread_bad(reader, reader->packet.offset,
                                  "found more extra counter values than tracks for them");
        if (status == CS_OK && *there) {
            status = cs_pftread_make(reader, CS_PFT_TRACK, 0, uuid, &track);
            return status == CS_OK ? cs_pftread_count_of(reader, track, real, value,
                                                         reader->packet.event.offset)
                                   : status;
        }
        if (status != CS_OK)
            return status;
        if (real)
            extra->stage = 0;
        else
            status = next_stage(reader);
        if (status != CS_OK)
            return status;
    }
    return status;
}
