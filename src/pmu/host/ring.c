// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "pmu/host/ring.h"

#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#define PAGE_BYTES 4096u

struct perf_event_mmap_page *cs_ring_map(int fd, size_t bytes)
{
    void *ring = mmap(NULL, PAGE_BYTES + bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

    return ring != MAP_FAILED ? ring : NULL;
}

void cs_ring_unmap(struct perf_event_mmap_page *ring)
{
    if (ring != NULL)
        munmap(ring, PAGE_BYTES + ring->data_size);
}

static void copy(const struct perf_event_mmap_page *ring, uint64_t at, void *out, size_t bytes)
{
    const char *data = (const char *)ring + PAGE_BYTES;
    const size_t from = (size_t)(at % ring->data_size), room = (size_t)ring->data_size - from;
    const size_t first = bytes < room ? bytes : room;

    memcpy(out, data + from, first);
    memcpy((char *)out + first, data, bytes - first);
}

size_t cs_ring_take(struct perf_event_mmap_page *ring, void *record, size_t most)
{
    struct perf_event_header header;
    uint64_t tail;

    if (ring == NULL)
        return 0;
    tail = ring->data_tail;
    if (tail == __atomic_load_n(&ring->data_head, __ATOMIC_ACQUIRE))
        return 0;
    copy(ring, tail, &header, sizeof header);
    copy(ring, tail, record, header.size < most ? header.size : most);
    __atomic_store_n(&ring->data_tail, tail + header.size, __ATOMIC_RELEASE);
    return header.size;
}
