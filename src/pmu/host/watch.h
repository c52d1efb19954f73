// SPDX-License-Identifier: Apache-2.0
/* Where a thread of the program really is: the kernel's own task-clock event, which needs no PMU, notes it
 * now and then. Where that is forbidden (many containers), nobody knows. */
#ifndef CS_PMU_HOST_WATCH_H
#define CS_PMU_HOST_WATCH_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "software/perf/perf.h"

typedef struct cs_watch cs_watch;

/* NULL: it cannot be watched. */
cs_watch *cs_watch_begin(pid_t tid);
/* NULL is allowed. */
void cs_watch_end(cs_watch *watch);
/* We have been forked. NULL is allowed. */
void cs_watch_forked(cs_watch *watch);
/* What was noted before `time_ns` was of another program. NULL is allowed. */
void cs_watch_renew(cs_watch *watch, uint64_t time_ns);
/* Where it was last before `time_ns` of CLOCK_MONOTONIC, or first after; times come in rising order. What
 * *out points at is valid until the next call. False: nothing has been noted yet. */
bool cs_watch_where(cs_watch *watch, uint64_t time_ns, cs_perf_where *out);

#endif
