// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "pmu/host/watch.h"

#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "pmu/host/ring.h"

#define PERIOD_NS 250000u
#define RING_BYTES (8u * 4096u)
#define MOST_STACK 64u
#define LEAST_ADDRESS 4096u /* smaller ones come from frames that are none */
/* Of a record: header, ip, time, the chain's length and addresses. */
#define MOST_WORDS (4u + MOST_STACK + 8u)

typedef struct place {
    uint64_t time_ns, ip;
    uint64_t chain[MOST_STACK];
    size_t nr_chain;
} place;

struct cs_watch {
    int fd;
    struct perf_event_mmap_page *ring;
    place last, next; /* time_ns 0: there is none */
    uint64_t since;
};

static int open_clock(pid_t tid)
{
    struct perf_event_attr attr;

    memset(&attr, 0, sizeof attr);
    attr.size = sizeof attr;
    attr.type = PERF_TYPE_SOFTWARE;
    attr.config = PERF_COUNT_SW_TASK_CLOCK;
    attr.sample_period = PERIOD_NS;
    attr.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TIME | PERF_SAMPLE_CALLCHAIN;
    attr.sample_max_stack = MOST_STACK;
    attr.exclude_kernel = 1;
    attr.exclude_callchain_kernel = 1;
    attr.use_clockid = 1;
    attr.clockid = CLOCK_MONOTONIC;
    return (int)syscall(SYS_perf_event_open, &attr, tid, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

cs_watch *cs_watch_begin(pid_t tid)
{
    cs_watch *watch = calloc(1, sizeof *watch);

    if (watch == NULL)
        return NULL;
    watch->fd = open_clock(tid);
    if (watch->fd >= 0)
        watch->ring = cs_ring_map(watch->fd, RING_BYTES);
    if (watch->ring != NULL)
        return watch;
    cs_watch_end(watch);
    return NULL;
}

void cs_watch_end(cs_watch *watch)
{
    if (watch == NULL)
        return;
    cs_ring_unmap(watch->ring);
    if (watch->fd >= 0)
        close(watch->fd);
    free(watch);
}

void cs_watch_forked(cs_watch *watch)
{
    if (watch != NULL)
        watch->ring = cs_ring_map(watch->fd, RING_BYTES);
}

/* ---- records ---- */

static void read_place(const uint64_t *words, size_t nr, place *out)
{
    *out = (place){.ip = words[1], .time_ns = words[2]};
    for (size_t i = 0; i < words[3] && 4 + i < nr && out->nr_chain < MOST_STACK; i++)
        if (words[4 + i] >= LEAST_ADDRESS && words[4 + i] < (uint64_t)PERF_CONTEXT_MAX)
            out->chain[out->nr_chain++] = words[4 + i];
}

/* The next place that was noted. False: there is none yet. */
static bool take(cs_watch *watch, place *out)
{
    uint64_t words[MOST_WORDS];
    size_t bytes;

    while ((bytes = cs_ring_take(watch->ring, words, sizeof words)) != 0) {
        const struct perf_event_header *header = (const struct perf_event_header *)words;
        const size_t nr = (bytes < sizeof words ? bytes : sizeof words) / sizeof words[0];

        if (header->type != PERF_RECORD_SAMPLE || nr < 4)
            continue;
        read_place(words, nr, out);
        if (out->time_ns >= watch->since)
            return true;
    }
    return false;
}

void cs_watch_renew(cs_watch *watch, uint64_t time_ns)
{
    if (watch == NULL)
        return;
    watch->since = time_ns;
    watch->last.time_ns = watch->next.time_ns = 0;
}

bool cs_watch_where(cs_watch *watch, uint64_t time_ns, cs_perf_where *out)
{
    const place *at;

    while (watch->next.time_ns <= time_ns) {
        if (watch->next.time_ns != 0)
            watch->last = watch->next;
        if (!take(watch, &watch->next)) {
            watch->next.time_ns = 0;
            break;
        }
    }
    at = watch->last.time_ns != 0 ? &watch->last : &watch->next;
    if (at->time_ns == 0)
        return false;
    *out = (cs_perf_where){.ip = at->ip, .chain = at->chain, .nr_chain = at->nr_chain};
    return true;
}
