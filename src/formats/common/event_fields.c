// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include "formats/common/event_fields.h"

#include <stdlib.h>
#include <string.h>

#include "base/room.h"

void cs_event_fields_clear(cs_event_fields *fields)
{
    fields->nr_fields = 0;
    fields->bytes = 0;
}

void cs_event_fields_free(cs_event_fields *fields)
{
    free(fields->fields);
    free(fields->held);
    free(fields->text);
    *fields = (cs_event_fields){0};
}

size_t cs_utf8_length(const char *text, size_t bytes)
{
    const unsigned char *c = (const unsigned char *)text;
    const size_t length = c[0] < 0x80                   ? 1
                          : c[0] >= 0xc2 && c[0] < 0xe0 ? 2
                          : c[0] >= 0xe0 && c[0] < 0xf0 ? 3
                          : c[0] >= 0xf0 && c[0] < 0xf5 ? 4
                                                        : 0;

    if (length > bytes)
        return 0;
    for (size_t i = 1; i < length; i++)
        if ((c[i] & 0xc0) != 0x80)
            return 0;
    /* Too long a form, surrogates, beyond U+10FFFF: told by the second byte. */
    if ((c[0] == 0xe0 && c[1] < 0xa0) || (c[0] == 0xed && c[1] >= 0xa0) ||
        (c[0] == 0xf0 && c[1] < 0x90) || (c[0] == 0xf4 && c[1] >= 0x90))
        return 0;
    return length;
}

static bool reserve(cs_event_fields *fields, size_t bytes)
{
    size_t room = fields->text_room < 1024 ? 1024 : fields->text_room;

    if (bytes > CS_EVENT_MAX_BYTES || fields->bytes > CS_EVENT_MAX_BYTES - bytes)
        return false;
    while (room < fields->bytes + bytes)
        room *= 2;
    if (room == fields->text_room)
        return true;
    char *text = realloc(fields->text, room);
    fields->no_memory = text == NULL;
    if (text == NULL)
        return false;
    fields->text = text;
    fields->text_room = room;
    return true;
}

void cs_utf8_clean(char *out, const char *text, size_t bytes)
{
    for (size_t i = 0; i < bytes;) {
        for (; i < bytes && text[i] >= 0x20 && text[i] < 0x7f; i++) /* ASCII */
            out[i] = text[i];
        if (i == bytes)
            break;
        const size_t length = cs_utf8_length(text + i, bytes - i);
        const bool good = length > 1;
        const size_t step = good ? length : 1;

        if (good)
            memcpy(out + i, text + i, step);
        else
            out[i] = '?';
        i += step;
    }
    out[bytes] = '\0';
}

/* Room for bytes + 1 has been made. */
static size_t put(cs_event_fields *fields, const char *text, size_t bytes)
{
    const size_t at = fields->bytes;

    cs_utf8_clean(fields->text + at, text, bytes);
    fields->bytes += bytes + 1;
    return at;
}

bool cs_event_fields_add(cs_event_fields *fields, const char *name, const char *text, size_t bytes,
                         uint64_t number, bool is_number)
{
    const size_t name_bytes = strlen(name);

    if (fields->nr_fields >= CS_EVENT_MAX_FIELDS)
        return false;
    void *held = cs_room(fields->held, &fields->room, fields->nr_fields, sizeof *fields->held);

    fields->no_memory = held == NULL;
    if (held == NULL)
        return false;
    fields->held = held;
    if (!reserve(fields, name_bytes + bytes + 2))
        return false;
    const size_t at = put(fields, name, name_bytes);
    fields->held[fields->nr_fields].name = at;
    fields->held[fields->nr_fields].text = put(fields, text, bytes);
    fields->held[fields->nr_fields].number = number;
    fields->held[fields->nr_fields].is_number = is_number;
    fields->nr_fields++;
    return true;
}

bool cs_event_fields_done(cs_event_fields *fields)
{
    if (fields->fields_room < fields->room || fields->fields == NULL) {
        const size_t room = fields->room == 0 ? 1 : fields->room;
        void *array = realloc(fields->fields, room * sizeof *fields->fields);

        if (array == NULL)
            return false;
        fields->fields = array;
        fields->fields_room = room;
    }
    for (size_t i = 0; i < fields->nr_fields; i++)
        fields->fields[i] = (cs_event_field){.name = fields->text + fields->held[i].name,
                                             .text = fields->text + fields->held[i].text,
                                             .number = fields->held[i].number,
                                             .is_number = fields->held[i].is_number};
    return true;
}

const cs_event_field *cs_event_field_of(const cs_event_fields *fields, const char *name)
{
    for (size_t i = fields->nr_fields; i-- > 0;)
        if (strcmp(fields->fields[i].name, name) == 0)
            return &fields->fields[i];
    return NULL;
}

const char *cs_event_fields_print(cs_event_fields *fields)
{
    size_t bytes = 1;

    for (size_t i = 0; i < fields->nr_fields; i++)
        bytes += strlen(fields->fields[i].name) + strlen(fields->fields[i].text) + 4;
    if (!reserve(fields, bytes) || !cs_event_fields_done(fields)) /* the text may have moved */
        return NULL;
    char *out = fields->text + fields->bytes;
    char *end = out;
    for (size_t i = 0; i < fields->nr_fields; i++) {
        const cs_event_field *f = &fields->fields[i];
        const bool quoted = f->text[0] == '\0' || strchr(f->text, ' ') != NULL;

        if (i > 0)
            *end++ = ' ';
        end = stpcpy(end, f->name);
        *end++ = '=';
        if (quoted)
            *end++ = '"';
        end = stpcpy(end, f->text);
        if (quoted)
            *end++ = '"';
    }
    *end = '\0';
    return out;
}
