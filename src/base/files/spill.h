// SPDX-License-Identifier: Apache-2.0
/* A list of items that may become longer than memory: it grows at its end, and any item can be looked at
 * again. Its beginning is on the heap, the rest in a file without a name; of that only what was touched
 * lately is resident. Without a folder for the file, or without room in it, all lies on the heap. */
#ifndef CS_BASE_FILES_SPILL_H
#define CS_BASE_FILES_SPILL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CS_SPILL_RESIDENT 6u

typedef struct cs_spill_chunk {
    char *bytes;
    bool on_disk;
    uint64_t first; /* of whoever fills the list: what its first item is sought by */
} cs_spill_chunk;

/* The members are spill.c's but for `count`. */
typedef struct cs_spill {
    size_t count;
    size_t item_bytes;
    unsigned shift; /* of an item's number: its chunk */
    cs_spill_chunk *chunks;
    size_t nr_chunks, room;
    size_t used;                        /* the chunk that was used last */
    size_t resident[CS_SPILL_RESIDENT]; /* others that were used lately */
    unsigned nr_resident;
    /* While the last chunk is filled it may lie on the heap, and is written to its place in the file in one
     * go: the kernel takes its time over each page that is touched in a file for the first time. */
    char *staged; /* NULL: there is none yet */
    bool staging;
    char *place; /* of the chunk, mapped */
    int64_t place_in_file;
    unsigned file; /* which it is */
} cs_spill;

/* Where the file is made, in its time; NULL: none. The process has one. Lists that are there stay valid. */
void cs_spill_set_folder(const char *folder);

/* Items of at most 4 KiB. NULL: no memory. */
cs_spill *cs_spill_create(size_t item_bytes);
/* NULL is allowed. */
void cs_spill_destroy(cs_spill *list);
void cs_spill_clear(cs_spill *list);
/* The first `nr` items are gone: item `nr` is item 0 then. */
void cs_spill_drop(cs_spill *list, size_t nr);

/* One more item, to be filled in; NULL: no memory. */
void *cs_spill_add(cs_spill *list);

/* Items are numbered from 0; the chunk that has one, and the first one of a chunk. */
static inline size_t cs_spill_chunk_of(const cs_spill *list, size_t item)
{
    return item >> list->shift;
}

static inline size_t cs_spill_first(const cs_spill *list, size_t chunk)
{
    return chunk << list->shift;
}

void *cs_spill_turn(cs_spill *list, size_t item);

/* An item, valid until the next call for this list. */
static inline void *cs_spill_at(cs_spill *list, size_t item)
{
    const size_t chunk = item >> list->shift;

    if (chunk != list->used)
        return cs_spill_turn(list, item);
    return list->chunks[chunk].bytes + (item - (chunk << list->shift)) * list->item_bytes;
}

#ifdef __cplusplus
}
#endif

#endif
