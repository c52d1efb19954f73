// SPDX-License-Identifier: Apache-2.0
/* What a program holds of one of our events: a descriptor that it can read, poll, map, pass on.
 *
 * No file that is free for everybody can be both polled and mapped. So the program has the read end of a
 * pipe, whose readiness the kernel reports to poll, select and epoll without us; a byte in it stands for
 * POLLIN, and our end closed for POLLHUP. For the time of an mmap call it is replaced by the memory of
 * the ring (a memfd), and put back at the program's next call that waits for us.
 *
 * A descriptor is known by its file, not by its number: dup, fork and exec, and closing, need no word
 * with us. That the last one is closed is seen at our end of the pipe. */
#ifndef CS_PMU_HANDLE_H
#define CS_PMU_HANDLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "pmu/host/proc.h"
#include "software/perf/perf.h"

typedef struct cs_handle cs_handle;
typedef struct cs_handles cs_handles;

struct cs_handle {
    cs_perf_event *event; /* its user (cs_perf_user) is the handle */
    pid_t owner;          /* the process that opened it */
    unsigned number;      /* where it had it first */
    cs_proc_file pipe;
    int write_end;  /* -1: closed, POLLHUP */
    unsigned lit;   /* so many bytes are in the pipe */
    size_t *nr_lit; /* of all handles */
    int dying;      /* of a process whose end hangs it up: a pidfd; -1 */
    /* The memory of its ring, and of the AUX area behind it; -1: none yet. */
    cs_proc_file file;
    int memory;
    void *mapped; /* here */
    size_t bytes;
    void *aux; /* here; NULL: none */
    size_t aux_bytes;
    size_t locked;        /* of RLIMIT_MEMLOCK */
    cs_proc_file swapped; /* what may be in the place of the pipe; {0}: nothing */
    int parked;           /* the pipe's read end meanwhile; -1 */
    cs_handle *next_pipe, *next_file, *next, *previous;
};

cs_handles *cs_handles_create(void); /* NULL: no memory */
/* Ends all handles, not their events. NULL is allowed. */
void cs_handles_destroy(cs_handles *handles);

/* A handle without event. *read_end is the caller's: the program gets it, and it is closed here. -errno. */
int cs_handle_make(cs_handles *handles, cs_handle **out, int *read_end);
/* Closes and frees all that it has. */
void cs_handle_end(cs_handles *handles, cs_handle *handle);

/* NULL: it is none of ours. */
cs_handle *cs_handle_of(const cs_handles *handles, cs_proc_file file);
/* All of them, in no order: the first, the next. */
cs_handle *cs_handles_first(const cs_handles *handles);

/* How many have POLLIN. */
size_t cs_handles_lit(const cs_handles *handles);

/* POLLIN from now on, also for whoever waits for an edge; or no more. */
void cs_handle_light(cs_handle *handle);
void cs_handle_dim(cs_handle *handle);
/* SIGIO of whoever has set O_ASYNC. */
void cs_handle_signal(cs_handle *handle);
/* POLLHUP for ever. */
void cs_handle_hang_up(cs_handle *handle);

/* Memory of `bytes` for its ring, all zero; more, when it has some. 0 or -errno. */
int cs_handle_room(cs_handles *handles, cs_handle *handle, size_t bytes);
/* The part of its memory from `offset` on, which is in reach now (handle->aux). 0 or -errno. */
int cs_handle_aux(cs_handle *handle, uint64_t offset, size_t bytes);
/* Gives it back; it is nowhere mapped any more. */
void cs_handle_no_room(cs_handles *handles, cs_handle *handle);

#endif
