// SPDX-License-Identifier: Apache-2.0
#include "formats/perf/read/data.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/perf/read/impl.h"

static const char *const type_names[] = {
    [CS_PERFREAD_MMAP] = "MMAP",
    [CS_PERFREAD_LOST] = "LOST",
    [CS_PERFREAD_COMM] = "COMM",
    [CS_PERFREAD_EXIT] = "EXIT",
    [CS_PERFREAD_THROTTLE] = "THROTTLE",
    [CS_PERFREAD_UNTHROTTLE] = "UNTHROTTLE",
    [CS_PERFREAD_FORK] = "FORK",
    [CS_PERFREAD_READ_RECORD] = "READ",
    [CS_PERFREAD_SAMPLE] = "SAMPLE",
    [CS_PERFREAD_MMAP2] = "MMAP2",
    [CS_PERFREAD_AUX_RECORD] = "AUX",
    [CS_PERFREAD_ITRACE_START] = "ITRACE_START",
    [CS_PERFREAD_LOST_SAMPLES] = "LOST_SAMPLES",
    [CS_PERFREAD_SWITCH] = "SWITCH",
    [CS_PERFREAD_SWITCH_CPU_WIDE] = "SWITCH_CPU_WIDE",
    [CS_PERFREAD_NAMESPACES] = "NAMESPACES",
    [CS_PERFREAD_KSYMBOL] = "KSYMBOL",
    [CS_PERFREAD_BPF_EVENT] = "BPF_EVENT",
    [CS_PERFREAD_CGROUP_RECORD] = "CGROUP",
    [CS_PERFREAD_TEXT_POKE] = "TEXT_POKE",
    [CS_PERFREAD_AUX_OUTPUT_HW_ID] = "AUX_OUTPUT_HW_ID",
    [CS_PERFREAD_HEADER_ATTR] = "HEADER_ATTR",
    [CS_PERFREAD_HEADER_EVENT_TYPE] = "HEADER_EVENT_TYPE",
    [CS_PERFREAD_HEADER_TRACING_DATA] = "HEADER_TRACING_DATA",
    [CS_PERFREAD_HEADER_BUILD_ID] = "HEADER_BUILD_ID",
    [CS_PERFREAD_FINISHED_ROUND] = "FINISHED_ROUND",
    [CS_PERFREAD_ID_INDEX] = "ID_INDEX",
    [CS_PERFREAD_AUXTRACE_INFO] = "AUXTRACE_INFO",
    [CS_PERFREAD_AUXTRACE] = "AUXTRACE",
    [CS_PERFREAD_AUXTRACE_ERROR] = "AUXTRACE_ERROR",
    [CS_PERFREAD_THREAD_MAP] = "THREAD_MAP",
    [CS_PERFREAD_CPU_MAP] = "CPU_MAP",
    [CS_PERFREAD_STAT_CONFIG] = "STAT_CONFIG",
    [CS_PERFREAD_STAT] = "STAT",
    [CS_PERFREAD_STAT_ROUND] = "STAT_ROUND",
    [CS_PERFREAD_EVENT_UPDATE] = "EVENT_UPDATE",
    [CS_PERFREAD_TIME_CONV] = "TIME_CONV",
    [CS_PERFREAD_HEADER_FEATURE] = "HEADER_FEATURE",
    [CS_PERFREAD_COMPRESSED] = "COMPRESSED",
    [CS_PERFREAD_FINISHED_INIT] = "FINISHED_INIT",
    [CS_PERFREAD_COMPRESSED2] = "COMPRESSED2",
};

const char *cs_perfread_type_name(uint32_t type)
{
    return type < sizeof type_names / sizeof type_names[0] ? type_names[type] : NULL;
}

cs_status cs_perfread_no_memory(const cs_perfread *reader, cs_diag *diag)
{
    if (reader->arena.used > CS_PERFREAD_MOST_FACT_BYTES / 2)
        return cs_diag_set(diag, CS_ERR_FORMAT, reader->name,
                           "names, ids and facts of the header need more than %" PRIu32 " bytes",
                           CS_PERFREAD_MOST_FACT_BYTES);
    return cs_diag_set(diag, CS_ERR_NO_MEMORY, reader->name, "no memory to read perf.data");
}

/* ---- open, close ---- */

static cs_status open_reader(cs_perfread *reader, const char *name, cs_perfread **out,
                             cs_diag *diag)
{
    cs_status status;

    snprintf(reader->name, sizeof reader->name, "%s", name != NULL ? name : "");
    reader->input.end = reader->file_bytes;
    reader->data_end = reader->file_bytes;
    reader->input.window = malloc(CS_PERFREAD_WINDOW_BYTES);
    status = reader->input.window == NULL ? cs_perfread_no_memory(reader, diag)
                                          : cs_perfread_take_header(reader, diag);
    if (status != CS_OK) {
        cs_perfread_close(reader);
        return status;
    }
    if (!reader->facts.pipe) {
        reader->input.begin = 0;
        reader->input.filled = 0;
        reader->input.position = reader->facts.data_offset;
        reader->input.end =
            reader->data_end < reader->file_bytes ? reader->data_end : reader->file_bytes;
    }
    *out = reader;
    return CS_OK;
}

static cs_status create(cs_perfread **out, const char *name, cs_diag *diag)
{
    *out = calloc(1, sizeof **out);
    return *out != NULL ? CS_OK
                        : cs_diag_set(diag, CS_ERR_NO_MEMORY, name, "no memory to read perf.data");
}

cs_status cs_perfread_open(const cs_seek_source *source, const char *name, cs_perfread **out,
                           cs_diag *diag)
{
    cs_perfread *reader;
    cs_status status = create(&reader, name, diag);

    *out = NULL;
    if (status != CS_OK)
        return status;
    reader->input.seek = true;
    reader->input.seekable = *source;
    reader->file_bytes = source->bytes;
    return open_reader(reader, name, out, diag);
}

cs_status cs_perfread_open_pipe(const cs_byte_source *source, const char *name, cs_perfread **out,
                                cs_diag *diag)
{
    cs_perfread *reader;
    cs_status status = create(&reader, name, diag);

    *out = NULL;
    if (status != CS_OK)
        return status;
    reader->input.stream = *source;
    reader->file_bytes = UINT64_MAX;
    return open_reader(reader, name, out, diag);
}

cs_status cs_perfread_add_part(cs_perfread *reader, const cs_seek_source *source, const char *name,
                               cs_diag *diag)
{
    cs_perfread_part *parts =
        realloc(reader->parts, (reader->nr_parts + 1) * sizeof *reader->parts);
    const char *kept = cs_perfread_keep_text(&reader->arena, name != NULL ? name : "");

    if (parts != NULL)
        reader->parts = parts;
    if (parts == NULL || kept == NULL)
        return cs_perfread_no_memory(reader, diag);
    parts[reader->nr_parts++] = (cs_perfread_part){*source, kept};
    return CS_OK;
}

/* Its bytes are read instead of what was read before. */
static void begin_part(cs_perfread *reader)
{
    const cs_perfread_part *part = &reader->parts[reader->next_part++];
    cs_perfread_input *input = &reader->input;
    const char *slash = strrchr(part->name, '/');

    snprintf(reader->name, sizeof reader->name, "%s", part->name);
    reader->part = slash != NULL ? slash + 1 : part->name;
    input->seek = true;
    input->seekable = part->source;
    input->begin = input->filled = 0;
    input->position = 0;
    input->end = reader->file_bytes = reader->data_end = part->source.bytes;
    cs_perfread_unpack_free(reader->unpack); /* each has a stream of its own */
    reader->unpack = NULL;
}

void cs_perfread_close(cs_perfread *reader)
{
    if (reader == NULL)
        return;
    free(reader->input.window);
    cs_perfread_unpack_free(reader->unpack);
    free(reader->parts);
    free(reader->events);
    free(reader->ids);
    cs_perfread_arena_free(&reader->arena);
    free(reader);
}

const cs_perfread_facts *cs_perfread_get_facts(const cs_perfread *reader)
{
    return &reader->facts;
}

const char *cs_perfread_pmu_name(const cs_perfread *reader, uint32_t type)
{
    for (size_t i = 0; i < reader->facts.nr_pmus; i++)
        if (reader->facts.pmus[i].type == type)
            return reader->facts.pmus[i].name;
    return NULL;
}

/* ---- payloads ---- */

static cs_status ends(const cs_perfread *reader, uint64_t at, const char *within, uint64_t end,
                      cs_diag *diag)
{
    return cs_diag_set(diag, CS_ERR_FORMAT, reader->name,
                       "byte %" PRIu64 ": the data end within %s, expected up to byte %" PRIu64, at,
                       within, end);
}

cs_status cs_perfread_payload(cs_perfread *reader, uint8_t *out, size_t bytes, size_t *got,
                              cs_diag *diag)
{
    cs_perfread_input *input = &reader->input;
    const uint64_t end = input->position + reader->payload_left;
    size_t there = 0;

    *got = 0;
    if (bytes > reader->payload_left)
        bytes = (size_t)reader->payload_left;
    if (bytes == 0)
        return CS_OK;
    if (bytes > CS_PERFREAD_WINDOW_BYTES / 2)
        bytes = CS_PERFREAD_WINDOW_BYTES / 2;
    cs_status status = cs_perfread_fill(input, bytes, &there, diag);
    if (status != CS_OK)
        return status;
    if (there == 0)
        return ends(reader, input->position, "a payload", end, diag);
    if (bytes > there)
        bytes = there;
    memcpy(out, input->window + input->begin, bytes);
    cs_perfread_skip_window(input, bytes);
    reader->payload_left -= bytes;
    *got = bytes;
    return CS_OK;
}

/* What nobody took of the last record's payload. A file is not read there. */
static cs_status pass_payload(cs_perfread *reader, cs_diag *diag)
{
    cs_perfread_input *input = &reader->input;

    if (reader->payload_left > input->filled && input->seek) {
        const uint64_t beyond = reader->payload_left - input->filled;

        cs_perfread_skip_window(input, input->filled);
        if (beyond > input->end - input->position)
            return ends(reader, input->end, "a payload", input->position + beyond, diag);
        input->position += beyond;
        reader->payload_left = 0;
    }
    while (reader->payload_left > 0) {
        uint8_t piece[4096];
        size_t got;
        cs_status status = cs_perfread_payload(reader, piece, sizeof piece, &got, diag);

        if (status != CS_OK)
            return status;
    }
    return CS_OK;
}

/* ---- records ---- */

static cs_status take_kernel_record(cs_perfread *reader, cs_perfread_cursor *cursor,
                                    cs_perfread_record *record)
{
    const bool sample = record->type == CS_PERFREAD_SAMPLE;
    const cs_perfread_event *layout = NULL;

    cs_perfread_find_event(reader, cursor, sample, &record->event, &layout);
    if (layout == NULL)
        return CS_OK;
    if (sample) {
        cs_perfread_take_sample(cursor, layout, record);
        return CS_OK;
    }
    const size_t trailer = cs_perfread_trailer_bytes(layout);
    if (cs_perfread_left(cursor) < trailer) {
        cs_perfread_wrong(cursor, cursor->at, CS_ERR_FORMAT,
                          "its sample_id takes %zu bytes, there are %zu", trailer,
                          cs_perfread_left(cursor));
        return CS_OK;
    }
    cursor->size -= trailer;
    cs_perfread_take_kernel(cursor, layout, record);
    cursor->size += trailer;
    cs_perfread_take_trailer(cursor, layout, &record->who);
    return CS_OK;
}

static cs_status take_record(cs_perfread *reader, cs_perfread_record *record, cs_diag *diag)
{
    cs_perfread_cursor cursor = cs_perfread_cursor_of(record->bytes, record->size, record->offset,
                                                      reader->facts.big_endian);
    cs_status status = CS_OK;

    cursor.at = CS_PERFREAD_RECORD_HEADER_BYTES;
    if (!record->known)
        return CS_OK;
    if (record->type < CS_PERFREAD_FIRST_USER)
        status = take_kernel_record(reader, &cursor, record);
    else
        status = cs_perfread_take_user(reader, &cursor, record, diag);
    if (status != CS_OK)
        return status;
    status = cs_perfread_judge(&cursor, reader->name, cs_perfread_type_name(record->type), diag);
    if (status == CS_OK && !reader->facts.pipe && !record->packed &&
        record->payload_bytes > reader->data_end - (record->offset + record->size))
        status =
            cs_diag_set(diag, CS_ERR_FORMAT, reader->name,
                        "byte %" PRIu64 ": %s has %" PRIu64
                        " bytes of payload, the data end %" PRIu64 " bytes behind it",
                        record->offset, cs_perfread_type_name(record->type), record->payload_bytes,
                        reader->data_end - (record->offset + record->size));
    if (status == CS_OK && record->payload_bytes > UINT64_MAX / 2)
        status =
            cs_diag_set(diag, CS_ERR_FORMAT, reader->name,
                        "byte %" PRIu64 ": %s has %" PRIu64 " bytes of payload, expected less",
                        record->offset, cs_perfread_type_name(record->type), record->payload_bytes);
    return status;
}

/* The next record of the input, if all of it is there; *out NULL: `there` bytes are. */
static cs_status next_of(cs_perfread *reader, cs_perfread_input *input, cs_perfread_record **out,
                         size_t *there, cs_diag *diag)
{
    cs_perfread_record *record = &reader->record;
    cs_status status = cs_perfread_fill(input, CS_PERFREAD_RECORD_HEADER_BYTES, there, diag);

    *out = NULL;
    if (status != CS_OK || *there < CS_PERFREAD_RECORD_HEADER_BYTES)
        return status;
    const uint8_t *bytes = input->window + input->begin;
    const bool big = reader->facts.big_endian;
    memset(record, 0, sizeof *record);
    record->index = reader->index;
    record->offset = input->position;
    record->type = cs_perfread_get32(bytes, big);
    record->misc = cs_perfread_get16(bytes + 4, big);
    record->size = cs_perfread_get16(bytes + 6, big);
    record->known = cs_perfread_type_name(record->type) != NULL;
    if (record->size < CS_PERFREAD_RECORD_HEADER_BYTES)
        return cs_diag_set(diag, CS_ERR_FORMAT, reader->name,
                           "%s %" PRIu64 ": a record of type %" PRIu32
                           " has size %u, expected at least 8",
                           input == &reader->input ? "byte" : "unpacked byte", record->offset,
                           record->type, (unsigned)record->size);
    status = cs_perfread_fill(input, record->size, there, diag);
    if (status != CS_OK || *there < record->size)
        return status;
    record->bytes = input->window + input->begin;
    cs_perfread_skip_window(input, record->size);
    *out = record;
    return CS_OK;
}

/* Of what has been unpacked; *out NULL: nothing whole is left. */
static cs_status next_packed(cs_perfread *reader, cs_perfread_record **out, cs_diag *diag)
{
    uint64_t offset;
    cs_perfread_input *input = cs_perfread_unpacked(reader->unpack, &offset);
    size_t there;
    cs_status status = next_of(reader, input, out, &there, diag);

    if (status != CS_OK || *out == NULL)
        return status;
    (*out)->packed = true;
    (*out)->place = (*out)->offset;
    (*out)->offset = offset;
    status = take_record(reader, *out, diag);
    if (status == CS_OK && (*out)->payload_bytes > 0)
        return cs_diag_set(diag, CS_ERR_FORMAT, reader->name,
                           "byte %" PRIu64 ": %s with a payload in compressed data", offset,
                           cs_perfread_type_name((*out)->type));
    return status;
}

/* The file is at its end: so must be what it had compressed. */
static cs_status all_unpacked(const cs_perfread *reader, cs_diag *diag)
{
    uint64_t offset;

    if (reader->unpack == NULL)
        return CS_OK;
    const cs_perfread_input *input = cs_perfread_unpacked(reader->unpack, &offset);
    if (input->filled == 0)
        return CS_OK;
    return cs_diag_set(diag, CS_ERR_FORMAT, reader->name,
                       "byte %" PRIu64 ": the data end within a compressed record, %zu bytes of it "
                       "have been unpacked",
                       reader->input.position, input->filled);
}

/* *out NULL: the file, or the part that is read, is at its end. */
static cs_status next_here(cs_perfread *reader, cs_perfread_record **out, cs_diag *diag)
{
    cs_perfread_input *input = &reader->input;
    size_t there = 0;
    cs_status status = CS_OK;

    if (reader->unpack != NULL)
        status = next_packed(reader, out, diag);
    if (status != CS_OK || *out != NULL)
        return status;
    status = next_of(reader, input, out, &there, diag);
    if (status != CS_OK)
        return status;
    if (there == 0 && (reader->facts.pipe || input->position >= reader->data_end))
        return all_unpacked(reader, diag);
    if (there < CS_PERFREAD_RECORD_HEADER_BYTES)
        return ends(reader, input->position + there, "a record's header",
                    there == 0 ? reader->data_end
                               : input->position + CS_PERFREAD_RECORD_HEADER_BYTES,
                    diag);
    if (*out == NULL)
        return ends(reader, input->position + there, "a record",
                    input->position + reader->record.size, diag);
    return take_record(reader, *out, diag);
}

static cs_status next(cs_perfread *reader, const cs_perfread_record **out, cs_diag *diag)
{
    cs_perfread_record *record = NULL;
    cs_status status = pass_payload(reader, diag);

    if (status == CS_OK)
        status = next_here(reader, &record, diag);
    while (status == CS_OK && record == NULL && reader->next_part < reader->nr_parts) {
        begin_part(reader);
        status = next_here(reader, &record, diag);
    }
    if (status != CS_OK || record == NULL)
        return status;
    record->part = reader->part;
    reader->index++;
    reader->payload_left = record->payload_bytes;
    *out = record;
    return CS_OK;
}

cs_status cs_perfread_next(cs_perfread *reader, const cs_perfread_record **out, cs_diag *diag)
{
    *out = NULL;
    if (reader->failed == CS_OK) {
        reader->failed = next(reader, out, &reader->failure);
        if (reader->failed == CS_OK)
            return CS_OK;
    }
    *out = NULL;
    if (diag != NULL)
        *diag = reader->failure;
    return reader->failed;
}
