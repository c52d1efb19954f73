// SPDX-License-Identifier: Apache-2.0
/* What the reader of Perfetto's protocol buffers keeps: texts, tracks, sequences, by their numbers. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "formats/perfetto/read/impl.h"

cs_status cs_pftread_bad(cs_perfettoread *reader, uint64_t offset, const char *format, ...)
{
    char text[256];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return cs_diag_set(&reader->diag, CS_ERR_FORMAT, reader->name, "byte 0x%llx: %s",
                       (unsigned long long)offset, text);
}

cs_status cs_pftread_no_memory(cs_perfettoread *reader)
{
    return cs_diag_set(&reader->diag, CS_ERR_NO_MEMORY, reader->name, "no memory for a trace");
}

/* ---- memory ---- */

static cs_status hold(cs_perfettoread *reader, size_t bytes)
{
    if (bytes > CS_PERFETTOREAD_HELD - reader->held)
        return cs_pftread_bad(reader, reader->packet.offset,
                              "found more than %u bytes of names, tracks and sequences",
                              CS_PERFETTOREAD_HELD);
    reader->held += bytes;
    return CS_OK;
}

cs_status cs_pftread_reserve(cs_perfettoread *reader, void **memory, size_t *room, size_t bytes)
{
    const size_t wanted = bytes > 2 * *room || bytes > CS_PERFETTOREAD_HELD / 2 ? bytes : 2 * *room;

    if (bytes <= *room)
        return CS_OK;
    const cs_status status = hold(reader, wanted - *room);
    if (status != CS_OK)
        return status;
    void *larger = realloc(*memory, wanted);
    if (larger == NULL)
        return cs_pftread_no_memory(reader);
    memset((char *)larger + *room, 0, wanted - *room);
    *memory = larger;
    *room = wanted;
    return CS_OK;
}

cs_status cs_pftread_append(cs_perfettoread *reader, cs_pftread_text *text, const char *between,
                            const void *bytes, size_t nr)
{
    const size_t before = text->text == NULL ? 0 : strlen(text->text);
    const size_t gap = before > 0 ? strlen(between) : 0;
    void *memory = text->text;
    const cs_status status =
        cs_pftread_reserve(reader, &memory, &text->room, before + gap + nr + 1);

    text->text = memory;
    if (status == CS_OK) {
        memcpy(text->text + before, between, gap);
        cs_utf8_clean(text->text + before + gap, nr > 0 ? bytes : "", nr);
    }
    return status;
}

cs_status cs_pftread_set(cs_perfettoread *reader, cs_pftread_text *text, const void *bytes,
                         size_t nr)
{
    if (text->text != NULL)
        text->text[0] = '\0';
    return cs_pftread_append(reader, text, "", bytes, nr);
}

/* ---- the map: open addressing, a power of two, at most three quarters full ---- */

static const size_t sizes[] = {
    [CS_PFT_SEQUENCE] = sizeof(cs_pftread_sequence),  [CS_PFT_TRACK] = sizeof(cs_pftread_track),
    [CS_PFT_THREAD] = sizeof(cs_pftread_track),       [CS_PFT_PROCESS] = sizeof(cs_pftread_count),
    [CS_PFT_COUNT] = sizeof(cs_pftread_count),        [CS_PFT_CLOCK] = sizeof(cs_pftread_clock),
    [CS_PFT_GLOBAL_CLOCK] = sizeof(cs_pftread_clock), [CS_PFT_CATEGORY] = sizeof(cs_pftread_node),
    [CS_PFT_NAME] = sizeof(cs_pftread_node),          [CS_PFT_ARGUMENT] = sizeof(cs_pftread_node),
    [CS_PFT_STRING] = sizeof(cs_pftread_node)};

/* Where it is, or the empty place where it belongs. */
static size_t place_of(const cs_pftread_map *map, cs_pftread_key key, uint32_t sequence,
                       uint64_t id)
{
    size_t at = (size_t)cs_hash_mix(id + cs_hash_mix((uint64_t)key << 32 | sequence));

    for (;; at++) {
        const cs_pftread_node *node = map->nodes[at &= map->room - 1];

        if (node == NULL || (node->id == id && node->sequence == sequence && node->key == key))
            return at;
    }
}

void *cs_pftread_find(const cs_perfettoread *reader, cs_pftread_key key, uint32_t sequence,
                      uint64_t id)
{
    const cs_pftread_map *map = &reader->map;

    return map->room == 0 ? NULL : map->nodes[place_of(map, key, sequence, id)];
}

static cs_status grow(cs_perfettoread *reader)
{
    cs_pftread_map *map = &reader->map;
    const cs_pftread_map old = *map;
    const size_t room = old.room == 0 ? 64 : 2 * old.room;
    const cs_status status = hold(reader, (room - old.room) * sizeof(cs_pftread_node *));

    if (status != CS_OK)
        return status;
    cs_pftread_node **nodes = calloc(room, sizeof *nodes);
    if (nodes == NULL)
        return cs_pftread_no_memory(reader);
    map->nodes = nodes;
    map->room = room;
    for (size_t i = 0; i < old.room; i++)
        if (old.nodes[i] != NULL) {
            const cs_pftread_node *node = old.nodes[i];

            nodes[place_of(map, node->key, node->sequence, node->id)] = old.nodes[i];
        }
    free(old.nodes);
    return CS_OK;
}

cs_status cs_pftread_make(cs_perfettoread *reader, cs_pftread_key key, uint32_t sequence,
                          uint64_t id, void **out)
{
    cs_pftread_map *map = &reader->map;
    cs_status status = CS_OK;

    *out = cs_pftread_find(reader, key, sequence, id);
    if (*out != NULL)
        return CS_OK;
    if (4 * (map->nr + 1) > 3 * map->room)
        status = grow(reader);
    if (status == CS_OK)
        status = hold(reader, sizes[key]);
    if (status != CS_OK)
        return status;
    cs_pftread_node *node = calloc(1, sizes[key]);
    if (node == NULL)
        return cs_pftread_no_memory(reader);
    node->id = id;
    node->sequence = sequence;
    node->key = key;
    map->nodes[place_of(map, key, sequence, id)] = node;
    map->nr++;
    *out = node;
    return CS_OK;
}

static void free_track(cs_pftread_track *track)
{
    for (size_t i = 0; i < track->slices_room / sizeof *track->slices; i++)
        free(track->slices[i].name.text);
    free(track->slices);
    free(track->said.text);
    free(track->group.text);
    free(track->unit.text);
}

void cs_pftread_free(cs_perfettoread *reader)
{
    for (size_t i = 0; i < reader->map.room; i++) {
        cs_pftread_node *node = reader->map.nodes[i];

        if (node == NULL)
            continue;
        if (node->key == CS_PFT_TRACK || node->key == CS_PFT_THREAD)
            free_track((cs_pftread_track *)node);
        if (node->key == CS_PFT_SEQUENCE)
            free(((cs_pftread_sequence *)node)->defaults);
        free(node->text.text);
        free(node);
    }
    free(reader->map.nodes);
}

cs_status cs_pftread_interned(cs_perfettoread *reader, cs_pftread_key key,
                              const cs_protoread_field *iid, const char **out)
{
    const cs_pftread_sequence *sequence = reader->packet.sequence;
    const cs_pftread_node *node = cs_pftread_find(reader, key, sequence->node.sequence, iid->value);

    *out = NULL;
    if (node != NULL && node->generation == sequence->generation)
        *out = node->text.text;
    else if (!sequence->lost)
        return cs_pftread_bad(reader, iid->offset,
                              "found interned text %llu, expected one that was told before",
                              (unsigned long long)iid->value);
    return CS_OK;
}
