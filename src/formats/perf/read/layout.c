// SPDX-License-Identifier: Apache-2.0
/* Which event a record of the kernel belongs to, and how it is therefore laid out. With one event
 * it is that one. With several the record has an id in a place that all of them agree on: with
 * IDENTIFIER the first word of a sample and the last of another record, else where the bits before
 * it put the ID. */
#include <inttypes.h>

#include "formats/perf/read/impl.h"

#define TRAILER_BITS                                                                               \
    ((uint64_t)(CS_PERFREAD_TID | CS_PERFREAD_TIME | CS_PERFREAD_ID | CS_PERFREAD_STREAM_ID |      \
                CS_PERFREAD_CPU | CS_PERFREAD_IDENTIFIER))
#define BEFORE_ID                                                                                  \
    ((uint64_t)(CS_PERFREAD_IP | CS_PERFREAD_TID | CS_PERFREAD_TIME | CS_PERFREAD_ADDR))
#define BEHIND_ID ((uint64_t)(CS_PERFREAD_STREAM_ID | CS_PERFREAD_CPU))
#define BRANCH_BITS (CS_PERFREAD_BRANCH_HW_INDEX | CS_PERFREAD_BRANCH_COUNTERS)

static size_t bits_of(uint64_t word)
{
    size_t count = 0;

    for (; word != 0; word &= word - 1)
        count++;
    return count;
}

static uint64_t trailer_of(const cs_perfread_event *event)
{
    return (event->flags & CS_PERFREAD_FLAG_SAMPLE_ID_ALL) != 0 ? event->sample_type & TRAILER_BITS
                                                                : 0;
}

size_t cs_perfread_trailer_bytes(const cs_perfread_event *layout)
{
    return 8 * bits_of(trailer_of(layout));
}

static bool id_word_of(const cs_perfread_event *event, size_t *word)
{
    *word = 0;
    if ((event->sample_type & CS_PERFREAD_IDENTIFIER) != 0)
        return true;
    *word = bits_of(event->sample_type & BEFORE_ID);
    return (event->sample_type & CS_PERFREAD_ID) != 0;
}

static bool id_back_of(const cs_perfread_event *event, size_t *back)
{
    const uint64_t trailer = trailer_of(event);

    *back = 1;
    if ((trailer & CS_PERFREAD_IDENTIFIER) != 0)
        return true;
    *back = 1 + bits_of(trailer & BEHIND_ID);
    return (trailer & CS_PERFREAD_ID) != 0;
}

static bool same_sample(const cs_perfread_event *a, const cs_perfread_event *b)
{
    return a->sample_type == b->sample_type && a->read_format == b->read_format &&
           (a->branch_type & BRANCH_BITS) == (b->branch_type & BRANCH_BITS) &&
           a->regs_user == b->regs_user && a->regs_intr == b->regs_intr;
}

static void find_common(cs_perfread *reader)
{
    cs_perfread_common *common = &reader->common;
    const cs_perfread_event *first = reader->events;

    *common = (cs_perfread_common){
        .nr_events = reader->facts.nr_events, .same_sample = true, .same_trailer = true};
    common->has_id_word = id_word_of(first, &common->id_word);
    common->has_id_back = id_back_of(first, &common->id_back);
    for (size_t i = 1; i < common->nr_events; i++) {
        const cs_perfread_event *event = &reader->events[i];
        size_t at;

        common->has_id_word &= id_word_of(event, &at) && at == common->id_word;
        common->has_id_back &= id_back_of(event, &at) && at == common->id_back;
        common->same_sample &= same_sample(first, event);
        common->same_trailer &= trailer_of(first) == trailer_of(event);
    }
}

/* The id that the record has where all events have it. */
static bool id_of(const cs_perfread_common *common, const cs_perfread_cursor *cursor, bool sample,
                  uint64_t *id)
{
    const size_t left = cs_perfread_left(cursor);
    const size_t words = sample ? common->id_word + 1 : common->id_back;

    if (!(sample ? common->has_id_word : common->has_id_back) || left < 8 * words)
        return false;
    const uint8_t *at = sample ? cursor->bytes + cursor->at + 8 * common->id_word
                               : cursor->bytes + cursor->size - 8 * common->id_back;
    *id = cs_perfread_get64(at, cursor->big_endian);
    return true;
}

void cs_perfread_find_event(cs_perfread *reader, cs_perfread_cursor *cursor, bool sample,
                            const cs_perfread_event **event, const cs_perfread_event **layout)
{
    const cs_perfread_common *common = &reader->common;
    uint64_t id = 0;

    *event = NULL;
    *layout = NULL;
    if (reader->facts.nr_events == 0) {
        cs_perfread_wrong(cursor, 0, CS_ERR_FORMAT,
                          "a record of type %" PRIu32 " before any event is described",
                          cs_perfread_get32(cursor->bytes, cursor->big_endian));
        return;
    }
    if (common->nr_events != reader->facts.nr_events)
        find_common(reader);
    const bool has_id = id_of(common, cursor, sample, &id);
    if (common->nr_events == 1) {
        *layout = reader->events;
        /* What perf itself makes up has no id in its trailer. */
        *event = sample || !has_id || id != 0 ? reader->events : NULL;
        return;
    }
    if (has_id)
        *event = cs_perfread_event_of(reader, id);
    if (*event != NULL)
        *layout = *event;
    else if (sample ? common->same_sample : common->same_trailer)
        *layout = reader->events;
    else if (has_id && id == 0 && !sample)
        *layout = reader->events;
    else if (has_id)
        cs_perfread_wrong(cursor, cursor->at, CS_ERR_FORMAT,
                          "id %" PRIu64 " is no event's, and the %zu events differ in their layout",
                          id, common->nr_events);
    else
        cs_perfread_wrong(cursor, cursor->at, CS_ERR_FORMAT,
                          "no id tells which of %zu events it is, and they differ in their layout",
                          common->nr_events);
}

void cs_perfread_take_trailer(cs_perfread_cursor *cursor, const cs_perfread_event *layout,
                              cs_perfread_who *who)
{
    who->has = trailer_of(layout);
    if ((who->has & CS_PERFREAD_TID) != 0) {
        who->pid = cs_perfread_take32(cursor, "sample_id.pid");
        who->tid = cs_perfread_take32(cursor, "sample_id.tid");
    }
    if ((who->has & CS_PERFREAD_TIME) != 0)
        who->time = cs_perfread_take64(cursor, "sample_id.time");
    if ((who->has & CS_PERFREAD_ID) != 0)
        who->id = cs_perfread_take64(cursor, "sample_id.id");
    if ((who->has & CS_PERFREAD_STREAM_ID) != 0)
        who->stream_id = cs_perfread_take64(cursor, "sample_id.stream_id");
    if ((who->has & CS_PERFREAD_CPU) != 0) {
        who->cpu = cs_perfread_take32(cursor, "sample_id.cpu");
        cs_perfread_take32(cursor, "sample_id.res");
    }
    if ((who->has & CS_PERFREAD_IDENTIFIER) != 0)
        who->id = cs_perfread_take64(cursor, "sample_id.identifier");
}
