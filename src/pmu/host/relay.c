// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "pmu/host/relay.h"

#include <errno.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define RING_BYTES (16u * 4096u)

int cs_relay_open(const struct perf_event_attr *attr, pid_t pid, int cpu, int group, cs_relay *out)
{
    struct perf_event_attr own = *attr;

    own.size = sizeof own;
    own.write_backward = 0; /* of the program's ring alone */
    if (!own.use_clockid) {
        own.use_clockid = 1;
        own.clockid = CLOCK_MONOTONIC;
    }
    out->ring = NULL;
    out->fd = (int)syscall(SYS_perf_event_open, &own, pid, cpu, group, PERF_FLAG_FD_CLOEXEC);
    return out->fd < 0 ? -errno : 0;
}

void cs_relay_end(cs_relay *relay)
{
    cs_ring_unmap(relay->ring);
    if (relay->fd >= 0)
        close(relay->fd);
}

int cs_relay_map(cs_relay *relay)
{
    if (relay->ring == NULL)
        relay->ring = cs_ring_map(relay->fd, RING_BYTES);
    return relay->ring != NULL ? 0 : -errno;
}

void cs_relay_forked(cs_relay *relay)
{
    if (relay->ring == NULL)
        return;
    relay->ring = NULL;
    cs_relay_map(relay);
}
