// SPDX-License-Identifier: Apache-2.0
/* The header of a perf.data file: where attrs, data and features are. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "formats/perf/read/impl.h"

#define MAGIC_BYTES 8u
#define PIPE_HEADER_BYTES 16u
#define SHORT_HEADER_BYTES 72u /* before there were features */
#define HEADER_BYTES 104u
#define SECTION_BYTES 16u
#define ATTR_LEAST_BYTES 64u
#define ATTR_MOST_BYTES 4096u

static bool magic_of(const uint8_t *bytes, size_t length, bool *big_endian)
{
    static const char little[] = "PERFILE2";
    static const char big[] = "2ELIFREP";

    *big_endian = length >= MAGIC_BYTES && memcmp(bytes, big, MAGIC_BYTES) == 0;
    return *big_endian || (length >= MAGIC_BYTES && memcmp(bytes, little, MAGIC_BYTES) == 0);
}

bool cs_perfread_looks_so(const uint8_t *bytes, size_t length)
{
    bool big;

    return magic_of(bytes, length, &big);
}

static cs_status wrong(const cs_perfread *reader, cs_diag *diag, uint64_t at, const char *what,
                       uint64_t found, const char *expected)
{
    return cs_diag_set(diag, CS_ERR_FORMAT, reader->name,
                       "byte %" PRIu64 ": %s is %" PRIu64 ", expected %s (perf.data header)", at,
                       what, found, expected);
}

/* A section has to be within the file. */
static cs_status check_section(const cs_perfread *reader, const char *what,
                               const cs_perfread_section *section, uint64_t at, cs_diag *diag)
{
    if (section->offset <= reader->file_bytes &&
        section->bytes <= reader->file_bytes - section->offset)
        return CS_OK;
    return cs_diag_set(diag, CS_ERR_FORMAT, reader->name,
                       "byte %" PRIu64 ": %s are %" PRIu64 " bytes from byte %" PRIu64
                       " on, the file ends at byte %" PRIu64,
                       at, what, section->bytes, section->offset, reader->file_bytes);
}

/* A section's bytes, whole; bounded by MOST_FACT_BYTES, and in the file. To be freed. */
static cs_status load(cs_perfread *reader, const cs_perfread_section *section, const char *what,
                      uint8_t **out, cs_diag *diag)
{
    const cs_seek_source *source = &reader->input.seekable;
    size_t done = 0;

    *out = NULL;
    if (section->bytes > CS_PERFREAD_MOST_FACT_BYTES)
        return cs_diag_set(diag, CS_ERR_FORMAT, reader->name,
                           "byte %" PRIu64 ": %s are %" PRIu64 " bytes, expected at most %" PRIu32,
                           section->offset, what, section->bytes, CS_PERFREAD_MOST_FACT_BYTES);
    *out = malloc(section->bytes > 0 ? (size_t)section->bytes : 1);
    if (*out == NULL)
        return cs_perfread_no_memory(reader, diag);
    while (done < section->bytes) {
        size_t got = 0;
        cs_status status = source->read_at(source->ctx, section->offset + done, *out + done,
                                           (size_t)section->bytes - done, &got, diag);

        if (status == CS_OK && got == 0)
            status = cs_diag_set(diag, CS_ERR_FORMAT, reader->name,
                                 "byte %" PRIu64 ": the file ends within %s, expected up to byte "
                                 "%" PRIu64,
                                 section->offset + done, what, section->offset + section->bytes);
        if (status != CS_OK)
            return status;
        done += got;
    }
    return CS_OK;
}

/* ---- attrs ---- */

static cs_status take_ids(cs_perfread *reader, uint32_t event, const cs_perfread_section *section,
                          uint64_t at, cs_diag *diag)
{
    uint8_t *bytes = NULL;
    cs_status status = check_section(reader, "ids", section, at, diag);

    if (status == CS_OK && section->bytes % 8 != 0)
        status = wrong(reader, diag, at + 8, "size of the ids", section->bytes, "a multiple of 8");
    if (status == CS_OK && section->bytes / 8 > CS_PERFREAD_MOST_IDS)
        status =
            wrong(reader, diag, at + 8, "size of the ids", section->bytes, "at most 4194304 ids");
    if (status == CS_OK)
        status = load(reader, section, "ids", &bytes, diag);
    if (status == CS_OK) {
        const cs_perfread_words ids = {.bytes = bytes,
                                       .count = (size_t)section->bytes / 8,
                                       .big_endian = reader->facts.big_endian};
        status = cs_perfread_add_ids(reader, event, &ids, section->offset, diag);
    }
    free(bytes);
    return status;
}

static cs_status take_attrs(cs_perfread *reader, const cs_perfread_section *attrs, uint64_t each,
                            cs_diag *diag)
{
    uint8_t *bytes = NULL;
    cs_status status = load(reader, attrs, "attrs", &bytes, diag);

    for (uint64_t at = 0; at < attrs->bytes && status == CS_OK; at += each) {
        cs_perfread_cursor cursor = cs_perfread_cursor_of(
            bytes + at, (size_t)each, attrs->offset + at, reader->facts.big_endian);
        uint32_t index = 0;

        status = cs_perfread_add_event(reader, &cursor, (size_t)each - SECTION_BYTES, &index, diag);
        if (status != CS_OK)
            break;
        const uint64_t place = cursor.base + cursor.at;
        cs_perfread_section ids = {.offset = cs_perfread_take64(&cursor, "ids.offset"),
                                   .bytes = cs_perfread_take64(&cursor, "ids.size")};
        status = take_ids(reader, index, &ids, place, diag);
    }
    free(bytes);
    return status;
}

/* ---- features ---- */

static cs_status take_feature(cs_perfread *reader, unsigned number, const uint8_t *entry,
                              uint64_t at, cs_diag *diag)
{
    const bool big = reader->facts.big_endian;
    const cs_perfread_section section = {.offset = cs_perfread_get64(entry, big),
                                         .bytes = cs_perfread_get64(entry + 8, big)};
    uint8_t *bytes = NULL;
    char what[32] = "a feature's bytes";
    cs_status status = check_section(reader, what, &section, at, diag);

    if (status == CS_OK)
        status = load(reader, &section, what, &bytes, diag);
    if (status == CS_OK) {
        cs_perfread_cursor cursor =
            cs_perfread_cursor_of(bytes, (size_t)section.bytes, section.offset, big);

        status = cs_perfread_take_feature(reader, number, &cursor, diag);
    }
    free(bytes);
    return status;
}

static unsigned count_of(const uint64_t bitmap[4])
{
    unsigned count = 0;

    for (unsigned i = 0; i < CS_PERFREAD_NR_FEATURES; i++)
        count += (unsigned)(bitmap[i / 64] >> (i % 64) & 1);
    return count;
}

/* A table of sections behind the data, one for each bit that is set, in rising order. */
static cs_status take_features(cs_perfread *reader, const uint64_t bitmap[4], cs_diag *diag)
{
    uint8_t *table = NULL;
    const cs_perfread_section place = {.offset = reader->data_end,
                                       .bytes = (uint64_t)count_of(bitmap) * SECTION_BYTES};
    cs_status status =
        check_section(reader, "the table of features", &place, SHORT_HEADER_BYTES, diag);
    if (status == CS_OK)
        status = load(reader, &place, "the table of features", &table, diag);
    for (unsigned i = 0, n = 0; i < CS_PERFREAD_NR_FEATURES && status == CS_OK; i++) {
        if ((bitmap[i / 64] >> (i % 64) & 1) == 0)
            continue;
        status = take_feature(reader, i, table + (size_t)n * SECTION_BYTES,
                              place.offset + (uint64_t)n * SECTION_BYTES, diag);
        n++;
    }
    free(table);
    return status;
}

/* A machine of 32 bits wrote the bitmap as words of 32: then every second half is swapped. */
static void take_bitmap(const uint8_t *bytes, bool big, uint64_t bitmap[4])
{
    for (unsigned i = 0; i < 4; i++)
        bitmap[i] = cs_perfread_get64(bytes + (size_t)8 * i, big);
    if (big && (bitmap[0] >> CS_PERFREAD_FEAT_HOSTNAME & 1) == 0 &&
        (bitmap[0] >> (32 + CS_PERFREAD_FEAT_HOSTNAME) & 1) != 0)
        for (unsigned i = 0; i < 4; i++)
            bitmap[i] = bitmap[i] << 32 | bitmap[i] >> 32;
}

/* ---- the header ---- */

static cs_perfread_section section_at(const uint8_t *header, size_t at, bool big)
{
    return (cs_perfread_section){.offset = cs_perfread_get64(header + at, big),
                                 .bytes = cs_perfread_get64(header + at + 8, big)};
}

/* Without data the table of features stands where they would begin, and its first entry names the
 * byte behind the table. Where the recorder was ended there are records instead. */
static cs_status has_table(cs_perfread *reader, uint64_t at, const uint64_t bitmap[4], bool *found,
                           cs_diag *diag)
{
    const cs_seek_source *source = &reader->input.seekable;
    uint8_t entry[8];
    size_t got = 0;
    cs_status status = source->read_at(source->ctx, at, entry, sizeof entry, &got, diag);

    *found = status == CS_OK && got == sizeof entry &&
             cs_perfread_get64(entry, reader->facts.big_endian) ==
                 at + (uint64_t)count_of(bitmap) * SECTION_BYTES;
    return status;
}

/* The data's end, and whether there is what should follow it. */
static cs_status place_data(cs_perfread *reader, const cs_perfread_section *data,
                            const uint64_t bitmap[4], cs_diag *diag)
{
    bool table = false;
    cs_status status;

    cs_perfread_facts *facts = &reader->facts;

    if (data->offset > reader->file_bytes)
        return wrong(reader, diag, 40, "offset of the data", data->offset, "a byte of the file");
    facts->data_offset = data->offset;
    facts->data_bytes = data->bytes;
    if (data->bytes == 0 &&
        (status = has_table(reader, data->offset, bitmap, &table, diag)) != CS_OK)
        return status;
    facts->unfinished = data->bytes == 0 && data->offset < reader->file_bytes && !table;
    if (facts->unfinished)
        facts->data_bytes = reader->file_bytes - data->offset;
    if (facts->data_bytes > UINT64_MAX - data->offset)
        return wrong(reader, diag, 48, "size of the data", data->bytes,
                     "less than 2^64 with its "
                     "offset");
    reader->data_end = data->offset + facts->data_bytes;
    return CS_OK;
}

static cs_status take_file_header(cs_perfread *reader, const uint8_t *header, uint64_t size,
                                  cs_diag *diag)
{
    const bool big = reader->facts.big_endian;
    const uint64_t each = cs_perfread_get64(header + 16, big);
    const cs_perfread_section attrs = section_at(header, 24, big);
    const cs_perfread_section data = section_at(header, 40, big);
    uint64_t bitmap[4] = {0};
    cs_status status;

    if (size != HEADER_BYTES && size != SHORT_HEADER_BYTES)
        return wrong(reader, diag, 8, "size of the header", size, "104, 72, or 16 for a pipe");
    if (each < ATTR_LEAST_BYTES + SECTION_BYTES || each > ATTR_MOST_BYTES || each % 8 != 0)
        return wrong(reader, diag, 16, "attr_size", each, "a multiple of 8, 80..4096");
    if (attrs.bytes % each != 0)
        return wrong(reader, diag, 32, "size of the attrs", attrs.bytes, "a multiple of attr_size");
    if (attrs.bytes == 0)
        return wrong(reader, diag, 32, "size of the attrs", 0, "at least one event");
    if (size == HEADER_BYTES)
        take_bitmap(header + SHORT_HEADER_BYTES, big, bitmap);
    if ((status = check_section(reader, "attrs", &attrs, 24, diag)) != CS_OK ||
        (status = place_data(reader, &data, bitmap, diag)) != CS_OK ||
        (status = take_attrs(reader, &attrs, each, diag)) != CS_OK)
        return status;
    if (reader->facts.unfinished || reader->data_end > reader->file_bytes)
        return CS_OK; /* no feature was written, or they are cut off */
    return take_features(reader, bitmap, diag);
}

cs_status cs_perfread_take_header(cs_perfread *reader, cs_diag *diag)
{
    cs_perfread_input *input = &reader->input;
    size_t there = 0;
    cs_status status = cs_perfread_fill(input, PIPE_HEADER_BYTES, &there, diag);

    if (status != CS_OK)
        return status;
    if (there >= MAGIC_BYTES && memcmp(input->window, "PERFFILE", MAGIC_BYTES) == 0)
        return cs_diag_set(diag, CS_ERR_UNSUPPORTED, reader->name,
                           "byte 0: a perf.data file of version 1 (before Linux 3.5), expected "
                           "\"PERFILE2\"");
    if (there >= MAGIC_BYTES && !magic_of(input->window, there, &reader->facts.big_endian))
        return cs_diag_set(diag, CS_ERR_FORMAT, reader->name,
                           "byte 0: expected \"PERFILE2\" or \"2ELIFREP\", the magic of perf.data");
    if (there < PIPE_HEADER_BYTES)
        return cs_diag_set(diag, CS_ERR_FORMAT, reader->name,
                           "byte %zu: the file ends within the header of perf.data, expected at "
                           "least 16 bytes",
                           there);

    const uint64_t size = cs_perfread_get64(input->window + MAGIC_BYTES, reader->facts.big_endian);
    if (size == PIPE_HEADER_BYTES) {
        reader->facts.pipe = true;
        reader->facts.data_offset = PIPE_HEADER_BYTES;
        cs_perfread_skip_window(input, PIPE_HEADER_BYTES);
        return CS_OK;
    }
    if (!input->seek)
        return cs_diag_set(diag, CS_ERR_UNSUPPORTED, reader->name,
                           "byte 8: a perf.data file with a header of %" PRIu64 " bytes cannot be "
                           "read from a pipe; give the file",
                           size);
    status = cs_perfread_fill(input, HEADER_BYTES, &there, diag);
    if (status == CS_OK && there < HEADER_BYTES && (size != SHORT_HEADER_BYTES || there < size))
        status = cs_diag_set(diag, CS_ERR_FORMAT, reader->name,
                             "byte %zu: the file ends within the header of perf.data, expected "
                             "%" PRIu64 " bytes",
                             there, size);
    return status == CS_OK ? take_file_header(reader, input->window, size, diag) : status;
}
