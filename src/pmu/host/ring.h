// SPDX-License-Identifier: Apache-2.0
/* The ring of an event of the kernel's that is mapped here. A process that is forked does not have it: it maps
 * the event once more. */
#ifndef CS_PMU_HOST_RING_H
#define CS_PMU_HOST_RING_H

#include <linux/perf_event.h>
#include <stddef.h>

/* `bytes` of records, a power of two and whole pages. NULL: errno says why. */
struct perf_event_mmap_page *cs_ring_map(int fd, size_t bytes);
/* NULL is allowed, as below. */
void cs_ring_unmap(struct perf_event_mmap_page *ring);
/* Takes the next record, of which at most `most` bytes are wanted: its bytes; 0: there is none. */
size_t cs_ring_take(struct perf_event_mmap_page *ring, void *record, size_t most);

#endif
