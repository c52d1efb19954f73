// SPDX-License-Identifier: Apache-2.0
/* An event of the kernel's own, opened here in a program's place, so that its records can be put into a ring
 * that is not the kernel's. Their times are CLOCK_MONOTONIC's, unless the program has chosen a clock. */
#ifndef CS_PMU_HOST_RELAY_H
#define CS_PMU_HOST_RELAY_H

#include <stddef.h>
#include <sys/types.h>

#include "pmu/host/ring.h"

typedef struct cs_relay {
    int fd;                            /* -1: there is none */
    struct perf_event_mmap_page *ring; /* NULL: its records go nowhere yet */
} cs_relay;

/* What perf_event_open(2) returns, but for the descriptor: 0 or -errno. `attr`: as the program has it, but for its
 * size. `group`: -1, or another one's fd. */
int cs_relay_open(const struct perf_event_attr *attr, pid_t pid, int cpu, int group, cs_relay *out);
/* One that there is not is allowed. */
void cs_relay_end(cs_relay *relay);

/* From now on its records are kept until they are taken. 0, also when they are already, or -errno. */
int cs_relay_map(cs_relay *relay);
/* We have been forked. */
void cs_relay_forked(cs_relay *relay);

#endif
