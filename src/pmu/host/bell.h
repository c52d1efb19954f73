// SPDX-License-Identifier: Apache-2.0
/* Files whose poll and whose SIGIO are those of perf events, because they are perf events: page-faults of a
 * thread of our own, which has one page fault whenever a file is to ring. They count nothing else.
 *
 * No file is kept here: that a program has closed its last descriptor shows by a lock on one byte of the
 * inode, its mark, which ends with the file. The kernel's fdinfo has the lock, too, and so a descriptor is
 * known by it (cs_proc_file_of); of perf events nothing else tells one from another. */
#ifndef CS_PMU_HOST_BELL_H
#define CS_PMU_HOST_BELL_H

#include <stdbool.h>
#include <stdint.h>

typedef struct cs_bells cs_bells;

/* NULL: the kernel refuses its events here (perf_event_paranoid, a sandbox), or has no memory. */
cs_bells *cs_bells_create(void);
/* NULL is allowed. */
void cs_bells_destroy(cs_bells *bells);

/* A file for a program; the descriptor is the caller's. Its mark is *mark. -errno. */
int cs_bells_file(cs_bells *bells, uint64_t *mark);
/* The file with this mark has no descriptor left, in no process. */
bool cs_bells_is_closed(const cs_bells *bells, uint64_t mark);
/* SIGIO, of whoever has set O_ASYNC on the file: with POLL_IN, or for `last` with POLL_HUP. */
void cs_bells_signal(cs_bells *bells, int file, bool last);

/* POLLIN of all files that hang on it, once: whoever polls first takes it. A file that hangs on none has
 * POLLHUP. */
typedef struct cs_bell {
    int fd; /* -1: none */
    void *pages;
} cs_bell;

/* -errno: the user may lock no more memory (-EPERM), or there is none. */
int cs_bell_make(cs_bells *bells, cs_bell *out);
/* Files that hang on it hang on none. Of none nothing is done. */
void cs_bell_end(cs_bell *bell);
void cs_bell_ring(cs_bells *bells, const cs_bell *bell);
/* NULL: on none. */
void cs_bell_hang(int file, const cs_bell *bell);

#endif
