// SPDX-License-Identifier: Apache-2.0
/* Bytes for the reader of perf.data, and memory for what it keeps. */
#include <stdlib.h>
#include <string.h>

#include "formats/perf/read/impl.h"

void cs_perfread_skip_window(cs_perfread_input *input, size_t bytes)
{
    input->begin += bytes;
    input->filled -= bytes;
    input->position += bytes;
}

cs_status cs_perfread_fill(cs_perfread_input *input, size_t bytes, size_t *there, cs_diag *diag)
{
    while (input->filled < bytes) {
        if (input->begin > 0) {
            memmove(input->window, input->window + input->begin, input->filled);
            input->begin = 0;
        }
        const uint64_t next = input->position + input->filled;
        size_t room = CS_PERFREAD_WINDOW_BYTES - input->filled;
        size_t got = 0;

        if (room > input->end - next)
            room = (size_t)(input->end - next);
        /* A pipe is asked for no more than is needed: it might not come for long. */
        if (!input->seek && room > bytes - input->filled)
            room = bytes - input->filled;
        if (room == 0)
            break;
        uint8_t *out = input->window + input->filled;
        cs_status status =
            input->seek ? input->seekable.read_at(input->seekable.ctx, next, out, room, &got, diag)
                        : input->stream.read(input->stream.ctx, out, room, &got, diag);
        if (status != CS_OK)
            return status;
        if (got == 0)
            break;
        input->filled += got < room ? got : room;
    }
    *there = input->filled;
    return CS_OK;
}

/* ---- what is kept ---- */

struct cs_perfread_block {
    struct cs_perfread_block *next;
    size_t used;
    size_t room;
    max_align_t bytes[];
};

#define BLOCK_BYTES 65536u

void *cs_perfread_keep(cs_perfread_arena *arena, size_t bytes)
{
    struct cs_perfread_block *block = arena->blocks;

    bytes = (bytes + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);
    if (bytes > CS_PERFREAD_MOST_FACT_BYTES - arena->used)
        return NULL;
    if (block == NULL || block->room - block->used < bytes) {
        const size_t room = bytes > BLOCK_BYTES ? bytes : BLOCK_BYTES;

        block = calloc(1, sizeof *block + room);
        if (block == NULL)
            return NULL;
        block->room = room;
        block->next = arena->blocks;
        arena->blocks = block;
    }
    void *kept = (uint8_t *)block->bytes + block->used;
    block->used += bytes;
    arena->used += bytes;
    return kept;
}

const char *cs_perfread_keep_text(cs_perfread_arena *arena, const char *text)
{
    const size_t bytes = strlen(text) + 1;
    char *kept = cs_perfread_keep(arena, bytes);

    if (kept != NULL)
        memcpy(kept, text, bytes);
    return kept;
}

void cs_perfread_arena_free(cs_perfread_arena *arena)
{
    while (arena->blocks != NULL) {
        struct cs_perfread_block *next = arena->blocks->next;

        free(arena->blocks);
        arena->blocks = next;
    }
}
