// SPDX-License-Identifier: Apache-2.0
/* Records that perf itself writes. They have no sample_id, and may be longer than what is known
 * here: newer versions add at the end. */
#include <inttypes.h>
#include <string.h>

#include "formats/perf/read/impl.h"

static double as_double(uint64_t bits)
{
    double value;

    memcpy(&value, &bits, sizeof value);
    return value;
}

/* `count` entries of `words` words each; the count stands at byte `begin`. */
static cs_perfread_words take_entries(cs_perfread_cursor *cursor, const char *field, uint64_t words)
{
    const size_t begin = cursor->at;
    const uint64_t count = cs_perfread_take64(cursor, field);

    if (count > cs_perfread_left(cursor) / (8 * words))
        cs_perfread_wrong(cursor, begin, CS_ERR_FORMAT,
                          "%s is %" PRIu64 " of %" PRIu64 " bytes, there are %zu bytes", field,
                          count, 8 * words, cs_perfread_left(cursor));
    return cs_perfread_take_words(cursor, count * words, field);
}

void cs_perfread_take_build_id(cs_perfread_cursor *cursor, uint16_t misc, cs_perfread_build_id *id)
{
    id->misc = misc;
    id->pid = cs_perfread_take32(cursor, "pid");

    const size_t begin = cursor->at;
    cs_perfread_blob bytes = cs_perfread_take_blob(cursor, 24, "build_id");
    id->bytes = sizeof id->id;
    if (!cursor->failed) {
        memcpy(id->id, bytes.bytes, sizeof id->id);
        if ((misc & 1u << 15) != 0)
            id->bytes = bytes.bytes[20];
        if (id->bytes > sizeof id->id)
            cs_perfread_wrong(cursor, begin + 20, CS_ERR_FORMAT,
                              "the build id's size is %u, expected at most %zu",
                              (unsigned)id->bytes, sizeof id->id);
    }
    id->file = cs_perfread_take_name(cursor, cursor->size, "filename");
}

static void take_cpu_map(cs_perfread_cursor *cursor, cs_perfread_cpu_map *map)
{
    const size_t begin = cursor->at;

    map->big_endian = cursor->big_endian;
    map->type = cs_perfread_take16(cursor, "cpu_map.type");
    if (map->type == 2) {
        map->any_cpu = cs_perfread_take16(cursor, "cpu_map.any_cpu") != 0;
        map->first_cpu = cs_perfread_take16(cursor, "cpu_map.start_cpu");
        map->last_cpu = cs_perfread_take16(cursor, "cpu_map.end_cpu");
        return;
    }
    if (map->type > 2)
        cs_perfread_wrong(cursor, begin, CS_ERR_FORMAT,
                          "cpu_map.type is %u, expected 0 (numbers), 1 (mask) or 2 (range)",
                          (unsigned)map->type);
    map->count = cs_perfread_take16(cursor, "cpu_map.nr");
    map->word_bytes = 2;
    if (map->type == 1) {
        map->word_bytes = cs_perfread_take16(cursor, "cpu_map.long_size");
        if (map->word_bytes != 4 && map->word_bytes != 8)
            cs_perfread_wrong(cursor, cursor->at - 2, CS_ERR_FORMAT,
                              "cpu_map.long_size is %u, expected 4 or 8",
                              (unsigned)map->word_bytes);
        if (map->word_bytes == 8)
            cs_perfread_take32(cursor, "cpu_map's padding");
    }
    map->bytes =
        cs_perfread_take_blob(cursor, (uint64_t)map->count * map->word_bytes, "cpu_map").bytes;
    if (map->bytes == NULL)
        map->count = 0;
}

bool cs_perfread_cpu_map_next(const cs_perfread_cpu_map *map, uint32_t *place, int32_t *cpu)
{
    if (map->type == 0) {
        if (*place >= map->count)
            return false;
        const uint16_t found = cs_perfread_get16(map->bytes + 2 * (*place)++, map->big_endian);
        *cpu = found == UINT16_MAX ? -1 : found;
        return true;
    }
    if (map->type == 2) {
        const uint32_t any = map->any_cpu ? 1 : 0;

        if (*place < any)
            *cpu = -1;
        else if (map->first_cpu + (*place - any) <= map->last_cpu)
            *cpu = (int32_t)(map->first_cpu + (*place - any));
        else
            return false;
        ++*place;
        return true;
    }
    const uint32_t bits = 8u * map->word_bytes;
    for (; *place < map->count * bits; ++*place) {
        const uint8_t *at = map->bytes + (size_t)(*place / bits) * map->word_bytes;
        const uint64_t word = map->word_bytes == 4 ? cs_perfread_get32(at, map->big_endian)
                                                   : cs_perfread_get64(at, map->big_endian);

        if ((word >> (*place % bits) & 1) != 0) {
            *cpu = (int32_t)(*place)++;
            return true;
        }
    }
    return false;
}

static void take_auxtrace(cs_perfread_cursor *cursor, cs_perfread_record *record)
{
    cs_perfread_auxtrace *aux = &record->auxtrace;

    aux->bytes = cs_perfread_take64(cursor, "size");
    aux->offset = cs_perfread_take64(cursor, "offset");
    aux->reference = cs_perfread_take64(cursor, "reference");
    aux->idx = cs_perfread_take32(cursor, "idx");
    aux->tid = cs_perfread_take32(cursor, "tid");
    aux->cpu = cs_perfread_take32(cursor, "cpu");
    record->payload_bytes = aux->bytes;
}

static void take_auxtrace_error(cs_perfread_cursor *cursor, cs_perfread_record *record)
{
    record->auxtrace_error.type = cs_perfread_take32(cursor, "type");
    record->auxtrace_error.code = cs_perfread_take32(cursor, "code");
    record->auxtrace_error.cpu = cs_perfread_take32(cursor, "cpu");
    record->auxtrace_error.pid = cs_perfread_take32(cursor, "pid");
    record->auxtrace_error.tid = cs_perfread_take32(cursor, "tid");
    record->auxtrace_error.format = cs_perfread_take32(cursor, "fmt");
    record->auxtrace_error.ip = cs_perfread_take64(cursor, "ip");
    if (record->auxtrace_error.format != 0)
        record->auxtrace_error.time = cs_perfread_take64(cursor, "time");
    record->auxtrace_error.message =
        cs_perfread_take_name(cursor, cursor->at + cs_perfread_left(cursor), "msg");
}

static void take_stat(cs_perfread_cursor *cursor, cs_perfread_record *record)
{
    record->stat.id = cs_perfread_take64(cursor, "id");
    record->stat.cpu = cs_perfread_take32(cursor, "cpu");
    record->stat.thread = cs_perfread_take32(cursor, "thread");
    record->stat.value = cs_perfread_take64(cursor, "val");
    record->stat.enabled = cs_perfread_take64(cursor, "ena");
    record->stat.running = cs_perfread_take64(cursor, "run");
}

static void take_time_conv(cs_perfread_cursor *cursor, cs_perfread_record *record)
{
    record->time_conv.shift = cs_perfread_take64(cursor, "time_shift");
    record->time_conv.mult = cs_perfread_take64(cursor, "time_mult");
    record->time_conv.zero = cs_perfread_take64(cursor, "time_zero");
    if (cs_perfread_left(cursor) < 24) /* before version 5.10 it ended here */
        return;
    record->time_conv.cycles = cs_perfread_take64(cursor, "time_cycles");
    record->time_conv.mask = cs_perfread_take64(cursor, "time_mask");
    cs_perfread_blob caps = cs_perfread_take_blob(cursor, 8, "cap_user_time_zero");
    record->time_conv.has_zero = caps.bytes[0] != 0;
    record->time_conv.has_short = caps.bytes[1] != 0;
}

static cs_status take_event_update(cs_perfread *reader, cs_perfread_cursor *cursor,
                                   cs_perfread_record *record, cs_diag *diag)
{
    record->update.type = cs_perfread_take64(cursor, "type");
    record->update.id = cs_perfread_take64(cursor, "id");
    switch (record->update.type) {
    case 0:
    case 2:
        record->update.text = cs_perfread_take_name(cursor, cursor->size, "data");
        break;
    case 1:
        record->update.scale = as_double(cs_perfread_take64(cursor, "scale"));
        break;
    case 3:
        take_cpu_map(cursor, &record->update.cpus);
        break;
    default:
        cs_perfread_wrong(cursor, CS_PERFREAD_RECORD_HEADER_BYTES, CS_ERR_FORMAT,
                          "type of update is %" PRIu64 ", expected 0..3", record->update.type);
    }
    record->event = cs_perfread_event_of(reader, record->update.id);
    if (cursor->failed || record->event == NULL)
        return CS_OK;
    cs_perfread_event *event = &reader->events[record->event->index];
    if (record->update.type == 1) {
        event->scale = record->update.scale;
    } else if (record->update.text != NULL) {
        const char *kept = cs_perfread_keep_text(&reader->arena, record->update.text);

        if (kept == NULL)
            return cs_perfread_no_memory(reader, diag);
        *(record->update.type == 0 ? &event->unit : &event->name) = kept;
    }
    return CS_OK;
}

static cs_status take_attr(cs_perfread *reader, cs_perfread_cursor *cursor,
                           cs_perfread_record *record, cs_diag *diag)
{
    uint32_t index = 0;
    cs_status status = cs_perfread_add_event(reader, cursor, 0, &index, diag);

    if (status != CS_OK)
        return status;
    const uint64_t offset = cursor->base + cursor->at;
    if (cs_perfread_left(cursor) % 8 != 0)
        cs_perfread_wrong(cursor, cursor->at, CS_ERR_FORMAT,
                          "%zu bytes are left for ids, expected a multiple of 8",
                          cs_perfread_left(cursor));
    cs_perfread_words ids = cs_perfread_take_words(cursor, cs_perfread_left(cursor) / 8, "ids");
    if (!cursor->failed)
        status = cs_perfread_add_ids(reader, index, &ids, offset, diag);
    record->attr.event = record->event = &reader->events[index];
    return status;
}

static cs_status take_feature(cs_perfread *reader, cs_perfread_cursor *cursor,
                              cs_perfread_record *record, cs_diag *diag)
{
    record->feature.number = cs_perfread_take64(cursor, "feat_id");
    cs_perfread_cursor inner =
        cs_perfread_cursor_of(cursor->bytes + cursor->at, cs_perfread_left(cursor),
                              cursor->base + cursor->at, cursor->big_endian);
    record->feature.data = cs_perfread_take_blob(cursor, cs_perfread_left(cursor), "data");
    if (!cursor->failed && record->feature.number >= CS_PERFREAD_NR_FEATURES)
        cs_perfread_wrong(cursor, CS_PERFREAD_RECORD_HEADER_BYTES, CS_ERR_FORMAT,
                          "feat_id is %" PRIu64 ", expected at most %d", record->feature.number,
                          CS_PERFREAD_NR_FEATURES - 1);
    if (cursor->failed)
        return CS_OK;
    return cs_perfread_take_feature(reader, (unsigned)record->feature.number, &inner, diag);
}

/* The newer kind says how many bytes there are before the padding. */
static cs_status take_compressed(cs_perfread *reader, cs_perfread_cursor *cursor,
                                 cs_perfread_record *record, cs_diag *diag)
{
    uint64_t bytes = cs_perfread_left(cursor);

    if (record->packed)
        cs_perfread_wrong(cursor, 0, CS_ERR_FORMAT, "it is in compressed data itself");
    else if (record->type == CS_PERFREAD_COMPRESSED2)
        bytes = cs_perfread_take64(cursor, "data_size");
    record->compressed = cs_perfread_take_blob(cursor, bytes, "its data");
    return cursor->failed
               ? CS_OK
               : cs_perfread_unpack_piece(reader, &record->compressed, record->offset, diag);
}

cs_status cs_perfread_take_user(cs_perfread *reader, cs_perfread_cursor *cursor,
                                cs_perfread_record *record, cs_diag *diag)
{
    switch (record->type) {
    case CS_PERFREAD_HEADER_ATTR:
        return take_attr(reader, cursor, record, diag);
    case CS_PERFREAD_HEADER_EVENT_TYPE:
        record->event_type.id = cs_perfread_take64(cursor, "event_id");
        record->event_type.name = cs_perfread_take_name(cursor, cursor->size, "name");
        break;
    case CS_PERFREAD_HEADER_TRACING_DATA:
        record->payload_bytes = cs_perfread_take32(cursor, "size");
        break;
    case CS_PERFREAD_HEADER_BUILD_ID:
        cs_perfread_take_build_id(cursor, record->misc, &record->build_id);
        break;
    case CS_PERFREAD_ID_INDEX:
        record->id_index.entries = take_entries(cursor, "nr", 4);
        break;
    case CS_PERFREAD_AUXTRACE_INFO:
        record->auxtrace_info.type = cs_perfread_take32(cursor, "type");
        cs_perfread_take32(cursor, "reserved");
        record->auxtrace_info.private_words =
            cs_perfread_take_words(cursor, cs_perfread_left(cursor) / 8, "priv");
        break;
    case CS_PERFREAD_AUXTRACE:
        take_auxtrace(cursor, record);
        break;
    case CS_PERFREAD_AUXTRACE_ERROR:
        take_auxtrace_error(cursor, record);
        break;
    case CS_PERFREAD_THREAD_MAP:
        record->thread_map.entries = take_entries(cursor, "nr", 3);
        break;
    case CS_PERFREAD_CPU_MAP:
        take_cpu_map(cursor, &record->cpu_map);
        break;
    case CS_PERFREAD_STAT_CONFIG:
        record->stat_config.entries = take_entries(cursor, "nr", 2);
        break;
    case CS_PERFREAD_STAT:
        take_stat(cursor, record);
        record->event = cs_perfread_event_of(reader, record->stat.id);
        break;
    case CS_PERFREAD_STAT_ROUND:
        record->stat_round.type = cs_perfread_take64(cursor, "type");
        record->stat_round.time = cs_perfread_take64(cursor, "time");
        break;
    case CS_PERFREAD_EVENT_UPDATE:
        return take_event_update(reader, cursor, record, diag);
    case CS_PERFREAD_TIME_CONV:
        take_time_conv(cursor, record);
        break;
    case CS_PERFREAD_HEADER_FEATURE:
        return take_feature(reader, cursor, record, diag);
    case CS_PERFREAD_COMPRESSED:
    case CS_PERFREAD_COMPRESSED2:
        return take_compressed(reader, cursor, record, diag);
    default:
        break; /* FINISHED_ROUND, FINISHED_INIT: nothing but the header */
    }
    return CS_OK;
}
