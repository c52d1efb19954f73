// SPDX-License-Identifier: Apache-2.0
/* O_TMPFILE, MADV_DONTNEED */
#define _GNU_SOURCE
#include "base/files/spill.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/room.h"

/* What the kernel maps around a page that is touched, and aligned as that is: whoever touches a chunk
 * brings no other one back into memory. */
#define CHUNK_BYTES (64u * 1024)
#define EXTENT_BYTES (16u * CHUNK_BYTES) /* that the file grows by */
#define MOST_ITEM_BYTES 4096u
#define ON_HEAP 1u /* chunks of each list, before the file is needed */

static struct {
    pid_t owner; /* whoever has been forked has a file of its own */
    char folder[PATH_MAX];
    int file; /* 0: not made yet; negative: none can be */
    off_t bytes;
    char *extent;
    size_t left; /* of the extent */
} disk;
static unsigned files; /* that there have been */

/* ---- chunks ---- */

static int make_file(void)
{
    char name[PATH_MAX + 16];
    int file = open(disk.folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

    if (file >= 0)
        return file;
    snprintf(name, sizeof name, "%s/.spill", disk.folder); /* the file system may not know how */
    file = open(name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file >= 0)
        unlink(name);
    return file;
}

/* The next extent of the file at an aligned address; NULL: none. */
static char *map_extent(void)
{
    const size_t bytes = EXTENT_BYTES + CHUNK_BYTES;
    char *room = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    char *extent;

    if (room == MAP_FAILED)
        return NULL;
    extent = (char *)(((uintptr_t)room + CHUNK_BYTES - 1) / CHUNK_BYTES * CHUNK_BYTES);
    if (mmap(extent, EXTENT_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, disk.file,
             disk.bytes) == MAP_FAILED) {
        munmap(room, bytes);
        return NULL;
    }
    return extent;
}

static void grow_file(void)
{
    if (disk.file == 0)
        disk.file = make_file();
    if (disk.file < 0 || posix_fallocate(disk.file, disk.bytes, EXTENT_BYTES) != 0)
        return;
    disk.extent = map_extent();
    if (disk.extent == NULL)
        return;
    disk.bytes += EXTENT_BYTES;
    disk.left = EXTENT_BYTES;
}

/* NULL: there is no room. */
static char *chunk_of_disk(int64_t *place_in_file)
{
    if (disk.folder[0] == '\0' || disk.owner != getpid())
        return NULL;
    if (disk.left == 0)
        grow_file();
    if (disk.left == 0)
        return NULL;
    disk.left -= CHUNK_BYTES;
    *place_in_file = (int64_t)(disk.bytes - (off_t)(EXTENT_BYTES - disk.left));
    return disk.extent + disk.left;
}

void cs_spill_set_folder(const char *folder)
{
    if (disk.file > 0)
        close(disk.file);
    memset(&disk, 0, sizeof disk);
    files++;
    disk.owner = getpid();
    if (folder != NULL)
        snprintf(disk.folder, sizeof disk.folder, "%s", folder);
}

/* ---- lists ---- */

cs_spill *cs_spill_create(size_t item_bytes)
{
    cs_spill *s = calloc(1, sizeof *s);

    if (s == NULL)
        return NULL;
    s->item_bytes = item_bytes;
    while ((item_bytes << (s->shift + 1)) <= CHUNK_BYTES)
        s->shift++;
    return s;
}

void cs_spill_destroy(cs_spill *s)
{
    if (s == NULL)
        return;
    for (size_t i = 0; i < s->nr_chunks; i++)
        if (s->chunks[i].on_disk)
            munmap(s->chunks[i].bytes, CHUNK_BYTES);
        else
            free(s->chunks[i].bytes);
    if (s->staging) /* it was one of the chunks */
        munmap(s->place, CHUNK_BYTES);
    else
        free(s->staged);
    free(s->chunks);
    free(s);
}

void cs_spill_clear(cs_spill *s)
{
    s->count = 0;
}

void cs_spill_drop(cs_spill *s, size_t nr)
{
    char item[MOST_ITEM_BYTES];

    for (size_t i = nr; i < s->count; i++) {
        memcpy(item, cs_spill_at(s, i), s->item_bytes);
        memcpy(cs_spill_at(s, i - nr), item, s->item_bytes);
    }
    s->count -= nr;
}

/* What is on disk may leave memory: it comes back when it is touched. */
static void give_back(cs_spill *s)
{
    for (unsigned i = 0; i < s->nr_resident; i++) {
        const cs_spill_chunk *chunk = &s->chunks[s->resident[i]];

        if (chunk->on_disk)
            madvise(chunk->bytes, CHUNK_BYTES, MADV_DONTNEED);
    }
    s->nr_resident = 0;
}

/* The chunk is left for another. */
static void leave(cs_spill *s, size_t chunk)
{
    for (unsigned i = 0; i < s->nr_resident; i++)
        if (s->resident[i] == chunk)
            return;
    if (s->nr_resident == CS_SPILL_RESIDENT)
        give_back(s);
    s->resident[s->nr_resident++] = chunk;
}

static bool write_all(const char *bytes, int64_t at)
{
    size_t done = 0;

    while (done < CHUNK_BYTES) {
        const ssize_t more =
            pwrite(disk.file, bytes + done, CHUNK_BYTES - done, (off_t)at + (off_t)done);

        if (more < 0 && errno == EINTR)
            continue;
        if (more <= 0)
            return false;
        done += (size_t)more;
    }
    return true;
}

/* The last chunk goes to its place in the file. */
static void settle(cs_spill *s)
{
    cs_spill_chunk *chunk = &s->chunks[s->nr_chunks - 1];

    if (!s->staging)
        return;
    if (s->file != files || !write_all(s->staged, s->place_in_file))
        memcpy(s->place, s->staged, CHUNK_BYTES);
    chunk->bytes = s->place;
    chunk->on_disk = true;
    s->staging = false;
}

/* A chunk on disk, to be filled on the heap. NULL: none. */
static char *stage(cs_spill *s)
{
    char *place = chunk_of_disk(&s->place_in_file);

    if (place != NULL && s->staged == NULL)
        s->staged = calloc(1, CHUNK_BYTES);
    s->staging = place != NULL && s->staged != NULL;
    s->place = place;
    s->file = files;
    return s->staging ? s->staged : place;
}

static bool add_chunk(cs_spill *s)
{
    cs_spill_chunk *chunks = cs_room(s->chunks, &s->room, s->nr_chunks, sizeof *chunks);
    char *bytes;

    if (chunks == NULL)
        return false;
    s->chunks = chunks;
    settle(s);
    bytes = s->nr_chunks < ON_HEAP ? NULL : stage(s);
    chunks[s->nr_chunks].on_disk = bytes != NULL && !s->staging;
    if (bytes == NULL)
        bytes = malloc(CHUNK_BYTES);
    chunks[s->nr_chunks].bytes = bytes;
    if (bytes == NULL)
        return false;
    s->nr_chunks++;
    return true;
}

void *cs_spill_turn(cs_spill *s, size_t item)
{
    leave(s, s->used);
    s->used = item >> s->shift;
    return s->chunks[s->used].bytes + (item - (s->used << s->shift)) * s->item_bytes;
}

void *cs_spill_add(cs_spill *s)
{
    if (s->count >> s->shift == s->nr_chunks && !add_chunk(s))
        return NULL;
    return cs_spill_at(s, s->count++);
}
