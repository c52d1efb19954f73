// SPDX-License-Identifier: Apache-2.0
/* Events of a perf.data file: perf_event_attr of any size, and the ids. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/room.h"
#include "formats/perf/read/impl.h"

#define ATTR_LEAST_BYTES 64u
#define ATTR_MOST_BYTES 4096u /* what the kernel takes at most: a page */

/* Byte offsets in perf_event_attr; a later version only adds at the end. */
enum {
    AT_TYPE = 0,
    AT_SIZE = 4,
    AT_CONFIG = 8,
    AT_PERIOD = 16,
    AT_SAMPLE_TYPE = 24,
    AT_READ_FORMAT = 32,
    AT_FLAGS = 40,
    AT_CONFIG1 = 56,
    AT_CONFIG2 = 64,
    AT_BRANCH_TYPE = 72,
    AT_REGS_USER = 80,
    AT_STACK_USER = 88,
    AT_REGS_INTR = 96
};

/* The flags are bit fields: a big endian machine begins at the other end. */
static uint64_t reversed(uint64_t value)
{
    uint64_t out = 0;

    for (unsigned i = 0; i < 64; i++)
        out |= (value >> i & 1) << (63 - i);
    return out;
}

static void decode(const uint8_t *bytes, size_t size, bool big, cs_perfread_event *event)
{
    uint8_t whole[ATTR_MOST_BYTES] = {0};

    memcpy(whole, bytes, size);
    event->type = cs_perfread_get32(whole + AT_TYPE, big);
    event->config = cs_perfread_get64(whole + AT_CONFIG, big);
    event->period = cs_perfread_get64(whole + AT_PERIOD, big);
    event->sample_type = cs_perfread_get64(whole + AT_SAMPLE_TYPE, big);
    event->read_format = cs_perfread_get64(whole + AT_READ_FORMAT, big);
    event->flags = cs_perfread_get64(whole + AT_FLAGS, big);
    if (big)
        event->flags = reversed(event->flags);
    event->config1 = cs_perfread_get64(whole + AT_CONFIG1, big);
    event->config2 = cs_perfread_get64(whole + AT_CONFIG2, big);
    event->branch_type = cs_perfread_get64(whole + AT_BRANCH_TYPE, big);
    event->regs_user = cs_perfread_get64(whole + AT_REGS_USER, big);
    event->stack_user = cs_perfread_get32(whole + AT_STACK_USER, big);
    event->regs_intr = cs_perfread_get64(whole + AT_REGS_INTR, big);
}

/* What changes a sample's layout in a way not known here. */
static void check(cs_perfread_cursor *cursor, size_t begin, const cs_perfread_event *event)
{
    const uint64_t sample = event->sample_type & ~(uint64_t)CS_PERFREAD_ALL_SAMPLE_BITS;
    const uint64_t format = event->read_format & ~(uint64_t)CS_PERFREAD_ALL_FORMAT_BITS;

    if (sample != 0)
        cs_perfread_wrong(cursor, begin + AT_SAMPLE_TYPE, CS_ERR_UNSUPPORTED,
                          "sample_type has unknown bits 0x%" PRIx64 ", known are 0x%x", sample,
                          (unsigned)CS_PERFREAD_ALL_SAMPLE_BITS);
    if (format != 0)
        cs_perfread_wrong(cursor, begin + AT_READ_FORMAT, CS_ERR_UNSUPPORTED,
                          "read_format has unknown bits 0x%" PRIx64 ", known are 0x%x", format,
                          (unsigned)CS_PERFREAD_ALL_FORMAT_BITS);
    if ((event->sample_type & CS_PERFREAD_WEIGHT) != 0 &&
        (event->sample_type & CS_PERFREAD_WEIGHT_STRUCT) != 0)
        cs_perfread_wrong(cursor, begin + AT_SAMPLE_TYPE, CS_ERR_FORMAT,
                          "sample_type has both WEIGHT and WEIGHT_STRUCT, expected one of them");
}

static cs_status make_room(cs_perfread *reader, cs_diag *diag)
{
    cs_perfread_event *events =
        cs_room(reader->events, &reader->events_room, reader->facts.nr_events, sizeof *events);

    if (events == NULL)
        return cs_perfread_no_memory(reader, diag);
    reader->events = events;
    reader->facts.events = events;
    return CS_OK;
}

cs_status cs_perfread_add_event(cs_perfread *reader, cs_perfread_cursor *cursor, size_t bytes,
                                uint32_t *index, cs_diag *diag)
{
    const size_t begin = cursor->at;
    cs_perfread_event event = {.index = (uint32_t)reader->facts.nr_events,
                               .attr_offset = cursor->base + begin,
                               .scale = 1};

    /* Its own size stands in it: look before it is taken whole. */
    cs_perfread_cursor look = *cursor;
    cs_perfread_take32(&look, "perf_event_attr.type");
    uint32_t said = cs_perfread_take32(&look, "perf_event_attr.size");
    if (look.failed)
        return cs_perfread_judge(&look, reader->name, "event", diag);
    if (said == 0) /* of the very first version, which did not fill it in */
        said = ATTR_LEAST_BYTES;
    if (said < ATTR_LEAST_BYTES || said > ATTR_MOST_BYTES || said % 8 != 0)
        cs_perfread_wrong(cursor, begin + AT_SIZE, CS_ERR_FORMAT,
                          "perf_event_attr.size is %" PRIu32 ", expected a multiple of 8, %u..%u",
                          said, ATTR_LEAST_BYTES, ATTR_MOST_BYTES);
    if (bytes == 0)
        bytes = said;
    cs_perfread_blob attr = cs_perfread_take_blob(cursor, bytes, "perf_event_attr");
    if (!cursor->failed) {
        event.attr_bytes = said;
        decode(attr.bytes, attr.count < said ? attr.count : said, cursor->big_endian, &event);
        check(cursor, begin, &event);
    }
    if (reader->facts.nr_events >= CS_PERFREAD_MOST_EVENTS)
        cs_perfread_wrong(cursor, begin, CS_ERR_FORMAT, "more than %u events",
                          CS_PERFREAD_MOST_EVENTS);
    cs_status status = cs_perfread_judge(cursor, reader->name, "event", diag);
    if (status == CS_OK)
        status = make_room(reader, diag);
    if (status == CS_OK) {
        *index = event.index;
        reader->events[reader->facts.nr_events++] = event;
    }
    return status;
}

/* ---- ids ---- */

static size_t slot_of(const cs_perfread *reader, uint64_t id)
{
    size_t slot = (size_t)((id * UINT64_C(0x9e3779b97f4a7c15)) >> 20) & (reader->ids_room - 1);

    while (reader->ids[slot].event != 0 && reader->ids[slot].id != id)
        slot = (slot + 1) & (reader->ids_room - 1);
    return slot;
}

const cs_perfread_event *cs_perfread_event_of(const cs_perfread *reader, uint64_t id)
{
    if (reader->ids_room == 0)
        return NULL;
    const cs_perfread_id_slot *slot = &reader->ids[slot_of(reader, id)];
    return slot->event != 0 ? &reader->events[slot->event - 1] : NULL;
}

static cs_status grow(cs_perfread *reader, cs_diag *diag)
{
    cs_perfread_id_slot *old = reader->ids;
    const size_t old_room = reader->ids_room;
    const size_t room = old_room == 0 ? 64 : 2 * old_room;
    cs_perfread_id_slot *ids = calloc(room, sizeof *ids);

    if (ids == NULL)
        return cs_perfread_no_memory(reader, diag);
    reader->ids = ids;
    reader->ids_room = room;
    for (size_t i = 0; i < old_room; i++)
        if (old[i].event != 0)
            ids[slot_of(reader, old[i].id)] = old[i];
    free(old);
    return CS_OK;
}

/* 0 is what a counter has that could not be opened, and no id. */
static cs_status add_id(cs_perfread *reader, uint32_t event, uint64_t id, uint64_t offset,
                        cs_diag *diag)
{
    if (id == 0)
        return CS_OK;
    if (2 * reader->nr_ids >= reader->ids_room) {
        cs_status status = grow(reader, diag);

        if (status != CS_OK)
            return status;
    }
    cs_perfread_id_slot *slot = &reader->ids[slot_of(reader, id)];
    if (slot->event != 0 && slot->event != event + 1)
        return cs_diag_set(diag, CS_ERR_FORMAT, reader->name,
                           "byte %" PRIu64 ": id %" PRIu64 " of event %" PRIu32
                           " is already event %" PRIu32 "'s, expected ids of its own",
                           offset, id, event, slot->event - 1);
    if (slot->event == 0)
        reader->nr_ids++;
    *slot = (cs_perfread_id_slot){.id = id, .event = event + 1};
    return CS_OK;
}

cs_status cs_perfread_add_ids(cs_perfread *reader, uint32_t event, const cs_perfread_words *ids,
                              uint64_t offset, cs_diag *diag)
{
    cs_perfread_event *to = &reader->events[event];
    cs_status status = CS_OK;

    if (ids->count > CS_PERFREAD_MOST_IDS - reader->nr_ids)
        return cs_diag_set(diag, CS_ERR_FORMAT, reader->name,
                           "byte %" PRIu64 ": %zu ids of event %" PRIu32
                           " and %zu of others, expected at most %" PRIu32,
                           offset, ids->count, event, reader->nr_ids, CS_PERFREAD_MOST_IDS);
    if (ids->count == 0)
        return CS_OK;
    uint64_t *kept = cs_perfread_keep(&reader->arena, (to->nr_ids + ids->count) * sizeof *kept);
    if (kept == NULL)
        return cs_perfread_no_memory(reader, diag);
    if (to->nr_ids > 0)
        memcpy(kept, to->ids, to->nr_ids * sizeof *kept);
    for (size_t i = 0; i < ids->count && status == CS_OK; i++) {
        kept[to->nr_ids + i] = cs_perfread_word(ids, i);
        status = add_id(reader, event, kept[to->nr_ids + i], offset + 8 * i, diag);
    }
    to->ids = kept;
    to->nr_ids += ids->count;
    return status;
}
