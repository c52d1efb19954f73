// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include "formats/ctf/read/stream.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/room.h"

#define MAGIC 0xc1fc1fc1u
#define MAX_VISITS (1u << 20) /* types of one event: more is damage */
#define MAX_DEPTH 64u
#define NAME_BYTES 512
#define STRING_BYTES (1u << 20)

cs_status cs_ctf_reading_open(cs_ctf_reading *s, const cs_tsdl *metadata, char *path, cs_diag *diag)
{
    struct stat status;

    *s = (cs_ctf_reading){.metadata = metadata, .path = path};
    s->name = strrchr(path, '/') != NULL ? strrchr(path, '/') + 1 : path;
    if (stat(path, &status) != 0)
        return cs_diag_set(diag, CS_ERR_IO, path, "cannot open: %s", strerror(errno));
    s->file_bytes = (uint64_t)status.st_size;
    if (s->file_bytes > UINT64_MAX / 16)
        return cs_diag_set(diag, CS_ERR_FORMAT, path, "is too large");
    return CS_OK;
}

static void forget_packet(cs_ctf_reading *s)
{
    for (size_t i = 0; i < s->nr_packet_fields; i++) {
        free(s->packet_fields[i].name);
        free(s->packet_fields[i].text);
    }
    s->nr_packet_fields = 0;
}

void cs_ctf_reading_close(cs_ctf_reading *s)
{
    forget_packet(s);
    free(s->packet_fields);
    cs_event_fields_free(&s->fields);
    free(s->path);
}

__attribute__((format(printf, 3, 4))) static cs_status bad(const cs_ctf_reading *s, uint64_t bit,
                                                           const char *format, ...)
{
    char text[256];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return cs_diag_set(s->diag, CS_ERR_FORMAT, s->path, "byte 0x%" PRIx64 ": %s", bit / 8, text);
}

/* ---- bits ---- */

/* The file is open only while a window of it is read, so that there may be many. */
static cs_status look(cs_ctf_reading *s, uint64_t byte, uint8_t *out)
{
    if (byte < s->window_at || byte - s->window_at >= s->window_bytes) {
        FILE *file = fopen(s->path, "rb");
        bool good = file != NULL && fseeko(file, (off_t)byte, SEEK_SET) == 0;

        s->window_at = byte;
        s->window_bytes = good ? fread(s->window, 1, sizeof s->window, file) : 0;
        good = good && ferror(file) == 0;
        const int error = errno;
        if (file != NULL)
            fclose(file);
        if (!good)
            return cs_diag_set(s->diag, CS_ERR_IO, s->path, "cannot read: %s", strerror(error));
        if (s->window_bytes == 0)
            return bad(s, byte * 8, "the file has become shorter while it was read");
    }
    *out = s->window[byte - s->window_at];
    return CS_OK;
}

static cs_status align(cs_ctf_reading *s, unsigned bits)
{
    const uint64_t offset = (s->at - s->packet) % bits;

    if (offset != 0)
        s->at += bits - offset;
    return s->at <= s->content_end
               ? CS_OK
               : bad(s, s->at,
                     "an event runs over the end of its packet's content, byte 0x%" PRIx64,
                     s->content_end / 8);
}

static cs_status read_bits(cs_ctf_reading *s, unsigned size, cs_tsdl_order order, uint64_t *out)
{
    const bool big = (order == CS_TSDL_NATIVE ? s->metadata->order : order) == CS_TSDL_BIG;
    uint64_t value = 0;
    uint8_t byte = 0;

    if (size > s->content_end - s->at)
        return bad(s, s->at, "a field of %u bits, but the packet's content ends at byte 0x%" PRIx64,
                   size, s->content_end / 8);
    for (unsigned done = 0; done < size;) {
        const unsigned in_byte = (unsigned)(s->at % 8);
        const unsigned n = 8 - in_byte < size - done ? 8 - in_byte : size - done;
        const cs_status status = look(s, s->at / 8, &byte);

        if (status != CS_OK)
            return status;
        /* little endian: from the lowest bit of a byte on; big: from the highest */
        const unsigned shift = big ? 8 - in_byte - n : in_byte;
        const uint64_t bits = (uint64_t)(byte >> shift) & ((1u << n) - 1);
        value = big ? value << n | bits : value | bits << done;
        done += n;
        s->at += n;
    }
    *out = value;
    return CS_OK;
}

/* ---- values ---- */

static cs_status add(cs_ctf_reading *s, const char *name, const char *text, size_t bytes,
                     uint64_t number, bool is_number)
{
    if (cs_event_fields_add(&s->fields, name, text, bytes, number, is_number))
        return CS_OK;
    if (s->fields.no_memory)
        return cs_diag_set(s->diag, CS_ERR_NO_MEMORY, s->path, "no memory for an event");
    return bad(s, s->at, "more than %u fields in an event, or %u bytes of them",
               CS_EVENT_MAX_FIELDS, CS_EVENT_MAX_BYTES);
}

static const char *label_of(const cs_tsdl_type *type, uint64_t value)
{
    for (const cs_tsdl_label *l = type->labels; l != NULL; l = l->next)
        if (type->is_signed
                ? (int64_t)value >= (int64_t)l->first && (int64_t)value <= (int64_t)l->last
                : value >= l->first && value <= l->last)
            return l->name;
    return NULL;
}

/* A clock of fewer than 64 bits goes on where it was, modulo its size. */
static cs_status new_time(cs_ctf_reading *s, uint64_t value, unsigned size)
{
    if (size < 64) {
        const uint64_t round = (uint64_t)1 << size, low = s->clock & (round - 1);

        value = s->clock - low + value + (value < low ? round : 0);
    }
    if (s->has_clock && value < s->clock)
        return bad(s, s->at - size, "time %" PRIu64 " is before that of what is in front, %" PRIu64,
                   value, s->clock);
    s->clock = value;
    s->has_clock = true;
    return CS_OK;
}

static cs_status integer(cs_ctf_reading *s, const cs_tsdl_type *type, const char *name)
{
    uint64_t value;
    char text[72];
    cs_status status = read_bits(s, type->size, type->order, &value);

    if (status != CS_OK)
        return status;
    if (type->is_signed && type->size < 64 && (value >> (type->size - 1)) != 0)
        value |= UINT64_MAX << type->size;
    /* the packet's end is in front of its events */
    if (type->is_clock && strcmp(name, "timestamp_end") != 0)
        status = new_time(s, value, type->size);
    const char *label = label_of(type, value);
    if (type->base == 16)
        snprintf(text, sizeof text, "0x%" PRIx64,
                 type->size < 64 ? value & (((uint64_t)1 << type->size) - 1) : value);
    else if (type->is_signed)
        snprintf(text, sizeof text, "%" PRId64, (int64_t)value);
    else
        snprintf(text, sizeof text, "%" PRIu64, value);
    if (label == NULL)
        label = text;
    return status == CS_OK ? add(s, name, label, strlen(label), value, true) : status;
}

static cs_status floating(cs_ctf_reading *s, const cs_tsdl_type *type, const char *name)
{
    uint64_t bits;
    char text[64];
    double value;
    cs_status status = read_bits(s, type->size, type->order, &bits);

    if (status != CS_OK)
        return status;
    if (type->size == 32) {
        const uint32_t half = (uint32_t)bits;
        float narrow;

        memcpy(&narrow, &half, sizeof narrow);
        value = (double)narrow;
    } else {
        memcpy(&value, &bits, sizeof value);
    }
    snprintf(text, sizeof text, "%.17g", value);
    return add(s, name, text, strlen(text), 0, false);
}

/* Up to its 0, or `most` bytes of an array. */
static cs_status text_of(cs_ctf_reading *s, const char *name, uint64_t most, bool array)
{
    const uint64_t begin = s->at;
    char *text = NULL;
    size_t bytes = 0, room = 0;
    uint64_t c = 1;
    bool ended = false;
    cs_status status = CS_OK;

    for (uint64_t i = 0; i < most && (array || c != 0) && status == CS_OK; i++) {
        status = read_bits(s, 8, CS_TSDL_NATIVE, &c);
        ended = ended || c == 0;
        if (status != CS_OK || ended)
            continue;
        if (bytes == STRING_BYTES) {
            status = bad(s, begin, "%s: a string of more than %u bytes", name, STRING_BYTES);
            break;
        }
        if (bytes == room) {
            char *more = realloc(text, room = room == 0 ? 64 : 2 * room);

            if (more == NULL) {
                status = cs_diag_set(s->diag, CS_ERR_NO_MEMORY, s->path, "no memory for a string");
                break;
            }
            text = more;
        }
        text[bytes++] = (char)c;
    }
    if (status == CS_OK)
        status = add(s, name, bytes > 0 ? text : "", bytes, 0, false);
    free(text);
    return status;
}

static cs_status value_of(cs_ctf_reading *s, const cs_tsdl_type *type, const char *name,
                          unsigned depth);

static cs_status members_of(cs_ctf_reading *s, const cs_tsdl_type *type, const char *name,
                            unsigned depth)
{
    cs_status status = CS_OK;

    for (const cs_tsdl_member *m = type->members; m != NULL && status == CS_OK; m = m->next) {
        char inner[NAME_BYTES];

        if (name[0] == '\0')
            snprintf(inner, sizeof inner, "%s", m->name);
        else if (snprintf(inner, sizeof inner, "%s.%s", name, m->name) >= NAME_BYTES)
            return bad(s, s->at, "a field's name is longer than %d bytes", NAME_BYTES - 1);
        status = value_of(s, m->type, inner, depth + 1);
    }
    return status;
}

/* The number that was read last under this name, in this struct or around it. */
static cs_status length_of(cs_ctf_reading *s, const cs_tsdl_type *type, uint64_t *out)
{
    if (!cs_event_fields_done(&s->fields))
        return cs_diag_set(s->diag, CS_ERR_NO_MEMORY, s->path, "no memory for an event");
    for (size_t i = s->fields.nr_fields; i-- > 0;) {
        const cs_event_field *f = &s->fields.fields[i];
        const char *last = strrchr(f->name, '.');

        if (f->is_number && strcmp(last != NULL ? last + 1 : f->name, type->length_name) == 0) {
            *out = f->number;
            return CS_OK;
        }
    }
    return bad(s, s->at, "a sequence whose length, '%.60s', is not in front of it",
               type->length_name);
}

static cs_status elements_of(cs_ctf_reading *s, const cs_tsdl_type *type, const char *name,
                             unsigned depth)
{
    uint64_t length = type->length;
    cs_status status = type->kind == CS_TSDL_SEQUENCE ? length_of(s, type, &length) : CS_OK;

    if (status == CS_OK && type->element->kind == CS_TSDL_INTEGER && type->element->is_text &&
        type->element->size == 8)
        return text_of(s, name, length, true);
    for (uint64_t i = 0; i < length && status == CS_OK; i++) {
        char inner[NAME_BYTES];

        if (snprintf(inner, sizeof inner, "%s.%" PRIu64, name, i) >= NAME_BYTES)
            return bad(s, s->at, "a field's name is longer than %d bytes", NAME_BYTES - 1);
        status = value_of(s, type->element, inner, depth + 1);
    }
    return status;
}

static cs_status value_of(cs_ctf_reading *s, const cs_tsdl_type *type, const char *name,
                          unsigned depth)
{
    cs_status status;

    if (++s->visits > MAX_VISITS || depth > MAX_DEPTH)
        return bad(s, s->at, "more than %u fields in an event, or %u of them in each other",
                   MAX_VISITS, MAX_DEPTH);
    status = align(s, type->align);
    if (status != CS_OK)
        return status;
    switch (type->kind) {
    case CS_TSDL_INTEGER:
        return integer(s, type, name);
    case CS_TSDL_FLOAT:
        return floating(s, type, name);
    case CS_TSDL_STRING:
        return text_of(s, name, UINT64_MAX, false);
    case CS_TSDL_STRUCT:
        return members_of(s, type, name, depth);
    default:
        return elements_of(s, type, name, depth);
    }
}

static cs_status read_struct(cs_ctf_reading *s, const cs_tsdl_type *type)
{
    s->visits = 0;
    return type != NULL ? value_of(s, type, "", 0) : CS_OK;
}

static bool number_of(const cs_ctf_reading *s, const char *name, uint64_t *out)
{
    const cs_event_field *field = cs_event_field_of(&s->fields, name);

    if (field == NULL || !field->is_number)
        return false;
    *out = field->number;
    return true;
}

/* ---- packets ---- */

static cs_status check_header(cs_ctf_reading *s)
{
    uint64_t number = 0;

    if (number_of(s, "magic", &number) && number != MAGIC)
        return bad(s, s->packet, "found magic 0x%" PRIx64 ", expected 0x%x, the begin of a packet",
                   number, MAGIC);
    for (unsigned i = 0; i < 16 && s->metadata->has_uuid; i++) {
        char name[16];

        snprintf(name, sizeof name, "uuid.%u", i);
        if (number_of(s, name, &number) && number != s->metadata->uuid[i])
            return bad(s, s->packet, "the packet's UUID is not that of the metadata");
    }
    number = 0;
    number_of(s, "stream_id", &number);
    if (s->stream != NULL && s->stream->id != number)
        return bad(s, s->packet, "a packet of stream %" PRIu64 " in a file of stream %" PRIu64,
                   number, s->stream->id);
    s->stream = cs_tsdl_stream_of(s->metadata, number);
    return s->stream != NULL
               ? CS_OK
               : bad(s, s->packet, "stream %" PRIu64 ", which the metadata do not declare", number);
}

/* Packet and content may be smaller than the file; without their sizes the file is one packet. */
static cs_status take_sizes(cs_ctf_reading *s)
{
    const uint64_t left = s->file_bytes * 8 - s->packet;
    uint64_t content = left, packet = left;

    if (number_of(s, "packet_size", &packet))
        content = packet;
    number_of(s, "content_size", &content);
    if (packet == 0 || packet % 8 != 0 || packet > left)
        return bad(s, s->packet,
                   "a packet of %" PRIu64 " bits, expected a multiple of 8 up to %" PRIu64, packet,
                   left);
    if (content > packet || content < s->at - s->packet)
        return bad(s, s->packet, "a content of %" PRIu64 " bits, expected %" PRIu64 "..%" PRIu64,
                   content, s->at - s->packet, packet);
    s->packet_end = s->packet + packet;
    s->content_end = s->packet + content;
    return CS_OK;
}

static bool is_housekeeping(const char *name)
{
    static const char *const names[] = {"timestamp_begin", "timestamp_end", "content_size",
                                        "packet_size", "packet_seq_num"};

    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

/* What of the context each event is told with. */
static cs_status keep_context(cs_ctf_reading *s)
{
    forget_packet(s);
    for (size_t i = 0; i < s->fields.nr_fields; i++) {
        const cs_event_field *f = &s->fields.fields[i];

        if (is_housekeeping(f->name))
            continue;
        void *more = cs_room(s->packet_fields, &s->packet_room, s->nr_packet_fields,
                             sizeof *s->packet_fields);

        if (more == NULL)
            return cs_diag_set(s->diag, CS_ERR_NO_MEMORY, s->path, "no memory for a packet");
        s->packet_fields = more;
        s->packet_fields[s->nr_packet_fields].name = strdup(f->name);
        s->packet_fields[s->nr_packet_fields].text = strdup(f->text);
        s->packet_fields[s->nr_packet_fields].number = f->number;
        s->packet_fields[s->nr_packet_fields].is_number = f->is_number;
        s->nr_packet_fields++;
        if (s->packet_fields[s->nr_packet_fields - 1].name == NULL ||
            s->packet_fields[s->nr_packet_fields - 1].text == NULL)
            return cs_diag_set(s->diag, CS_ERR_NO_MEMORY, s->path, "no memory for a packet");
    }
    return CS_OK;
}

static cs_status read_fields(cs_ctf_reading *s, const cs_tsdl_type *type)
{
    cs_status status;

    cs_event_fields_clear(&s->fields);
    status = read_struct(s, type);
    if (status == CS_OK && !cs_event_fields_done(&s->fields))
        status = cs_diag_set(s->diag, CS_ERR_NO_MEMORY, s->path, "no memory for an event");
    return status;
}

static cs_status begin_packet(cs_ctf_reading *s)
{
    cs_status status;

    s->packet = s->at = s->packet_end;
    s->content_end = s->file_bytes * 8;
    status = read_fields(s, s->metadata->packet_header);
    if (status == CS_OK)
        status = check_header(s);
    if (status == CS_OK)
        status = read_fields(s, s->stream->packet_context);
    if (status == CS_OK)
        status = take_sizes(s);
    return status == CS_OK ? keep_context(s) : status;
}

/* ---- events ---- */

static cs_status read_event(cs_ctf_reading *s)
{
    uint64_t id = 0;
    cs_status status;

    s->event_at = s->at;
    status = read_fields(s, s->stream->event_header);
    if (status != CS_OK)
        return status;
    number_of(s, "id", &id);
    s->event = cs_tsdl_event_of(s->metadata, s->stream->id, id);
    if (s->event == NULL)
        return bad(s, s->event_at,
                   "event %" PRIu64 " of stream %" PRIu64 ", which the metadata do not declare", id,
                   s->stream->id);
    cs_event_fields_clear(&s->fields);
    for (size_t i = 0; i < s->nr_packet_fields && status == CS_OK; i++)
        status = add(s, s->packet_fields[i].name, s->packet_fields[i].text,
                     strlen(s->packet_fields[i].text), s->packet_fields[i].number,
                     s->packet_fields[i].is_number);
    if (status == CS_OK)
        status = read_struct(s, s->stream->event_context);
    if (status == CS_OK)
        status = read_struct(s, s->event->context);
    if (status == CS_OK)
        status = read_struct(s, s->event->fields);
    if (status == CS_OK && s->at == s->event_at)
        return bad(s, s->at, "an event of no bits at all");
    if (status == CS_OK && !cs_event_fields_done(&s->fields))
        status = cs_diag_set(s->diag, CS_ERR_NO_MEMORY, s->path, "no memory for an event");
    return status;
}

cs_status cs_ctf_reading_next(cs_ctf_reading *s, cs_diag *diag)
{
    s->diag = diag;
    s->event = NULL;
    while (s->at >= s->content_end) {
        if (s->packet_end >= s->file_bytes * 8)
            return CS_OK;
        const cs_status status = begin_packet(s);

        if (status != CS_OK)
            return status;
    }
    return read_event(s);
}
