// SPDX-License-Identifier: Apache-2.0
#include "formats/damage/layout.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/room.h"
#include "formats/damage/finder.h"
#include "formats/formats.h"

#define BLOCK_BYTES 64u

/* ---- for formats ---- */

bool cs_damage_add(cs_damage_finder *find, uint64_t offset, uint64_t bytes)
{
    cs_damage_layout *out = find->out;

    if (bytes == 0 || offset > find->size || bytes > find->size - offset)
        return false;
    cs_damage_record *records =
        cs_room(out->records, &find->room, out->nr_records, sizeof *records);

    if (records == NULL) {
        find->no_memory = true;
        return false;
    }
    out->records = records;
    out->records[out->nr_records++] = (cs_damage_record){offset, bytes};
    return true;
}

void cs_damage_add_field(cs_damage_finder *find, uint64_t offset, unsigned bytes, const char *name)
{
    cs_damage_layout *out = find->out;

    if (offset + bytes <= find->size && out->nr_fields < CS_DAMAGE_MOST_FIELDS)
        out->fields[out->nr_fields++] = (cs_damage_field){offset, bytes, name};
}

void cs_damage_add_blocks(cs_damage_finder *find, uint64_t from, uint64_t bytes)
{
    while (cs_damage_add(find, from, bytes))
        from += bytes;
}

void cs_damage_add_lines(cs_damage_finder *find)
{
    uint64_t at = 0;
    bool first = true;

    while (at < find->size) {
        const uint8_t *end = memchr(find->bytes + at, '\n', find->size - at);
        const uint64_t next = end != NULL ? (uint64_t)(end - find->bytes) + 1 : find->size;

        if (!first && !cs_damage_add(find, at, next - at))
            return;
        first = false;
        at = next;
    }
}

/* ---- files of no format ---- */

static void find_blocks(cs_damage_finder *find)
{
    cs_damage_add_blocks(find, 0, BLOCK_BYTES);
}

static const cs_format text = {.name = "lines", .find = cs_damage_add_lines};
static const cs_format bytes = {.name = "bytes", .find = find_blocks};

static bool is_text(const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size && i < 512; i++)
        if (bytes[i] != '\n' && bytes[i] != '\t' && (bytes[i] < 0x20 || bytes[i] > 0x7e))
            return false;
    return size > 0;
}

/* ---- which it is ---- */

static bool has_records(const cs_format *format, const void *ctx)
{
    (void)ctx;
    return format->find != NULL;
}

const char *cs_damage_formats(char out[CS_FORMAT_NAMES_BYTES])
{
    const size_t used = strlen(cs_format_names(out, ", ", has_records, NULL));

    snprintf(out + used, CS_FORMAT_NAMES_BYTES - used, ", %s or %s", text.name, bytes.name);
    return out;
}

static const cs_format *choose(const char *as, const uint8_t *all, size_t size)
{
    const cs_format *format = as != NULL ? cs_format_named(as) : cs_format_guess(all, size);

    if (format != NULL && format->find != NULL)
        return format;
    if (as == NULL)
        return is_text(all, size) ? &text : &bytes;
    return strcmp(as, text.name) == 0 ? &text : strcmp(as, bytes.name) == 0 ? &bytes : NULL;
}

cs_status cs_damage_layout_of(const char *as, const uint8_t *all, size_t size,
                              cs_damage_layout *out, cs_diag *diag)
{
    cs_damage_finder find = {.bytes = all, .size = size, .out = out};
    const cs_format *format = choose(as, all, size);
    char names[CS_FORMAT_NAMES_BYTES];

    *out = (cs_damage_layout){0};
    if (format == NULL)
        return cs_diag_set(diag, CS_ERR_RANGE, NULL, "found '%s', expected %s", as,
                           cs_damage_formats(names));
    out->format = format->name;
    format->find(&find);
    if (!find.no_memory)
        return CS_OK;
    cs_damage_layout_free(out);
    return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for the places of records");
}

void cs_damage_layout_free(cs_damage_layout *layout)
{
    free(layout->records);
    layout->records = NULL;
    layout->nr_records = 0;
}
