// SPDX-License-Identifier: Apache-2.0
/* What a program holds of one of our events: a descriptor that it can read, poll, map, pass on.
 *
 * The program has a file of the kernel's that is a perf event, too, so that poll, select, epoll and SIGIO are
 * Linux's own (host/bell.h). Where the kernel refuses its events it has the read end of a pipe: a byte in it
 * stands for POLLIN, and our end closed for POLLHUP. For the time of an mmap call this front is replaced by
 * the memory of the ring (a memfd), and put back at the program's next call that waits for us.
 *
 * A descriptor is known by its file, not by its number: dup, fork and exec, and closing, need no word
 * with us. That the last one is closed is seen at its mark, or at our end of the pipe. */
#ifndef CS_PMU_HANDLE_H
#define CS_PMU_HANDLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "pmu/host/bell.h"
#include "pmu/host/proc.h"
#include "pmu/host/relay.h"
#include "software/perf/perf.h"

typedef struct cs_handle cs_handle;
typedef struct cs_handles cs_handles;

struct cs_handle {
    cs_perf_event *event; /* its user (cs_perf_user) is the handle */
    pid_t owner;          /* the process that opened it */
    pid_t mapper;         /* that mapped it last; 0: none has */
    unsigned number;      /* where the mapper, or else the owner had it */
    cs_proc_file front;
    uint64_t mark;       /* of a file of the kernel's; 0: the front is a pipe */
    cs_bell bell;        /* of its ring */
    bool closed;         /* its last descriptor; its ring is mapped still */
    bool hung_up;        /* its task has ended */
    int write_end;       /* of the pipe; -1: there is none, or POLLHUP */
    unsigned lit;        /* so many bytes are in the pipe */
    cs_handles *of;      /* all handles */
    int dying;           /* of a process whose end hangs it up: a pidfd; -1 */
    cs_relay relay;      /* the kernel's event that has its samples; its fd is -1: there is none */
    bool stand_in;       /* which has its counts, too: ours is none */
    bool relay_on;       /* else: it is enabled with ours (cs_kernel_follow) */
    bool signal_due;     /* its signal waits: */
    bool signal_last;    /* cs_door_signal's `last` */
    uint64_t doubted_ns; /* until then it may turn out that it was closed; 0: not likely */
    /* The memory of its ring, and of the AUX area behind it; -1: none yet. */
    cs_proc_file file;
    int memory;
    void *mapped; /* here */
    size_t bytes;
    void *aux; /* here; NULL: none */
    size_t aux_bytes;
    size_t locked;        /* of RLIMIT_MEMLOCK */
    cs_proc_file swapped; /* what may be in the place of the front; {0}: nothing */
    int parked;           /* the front meanwhile; -1 */
    cs_handle *next_front, *next_file, *next, *previous, *next_doubtful;
};

cs_handles *cs_handles_create(void); /* NULL: no memory */
/* Ends all handles, not their events. NULL is allowed. */
void cs_handles_destroy(cs_handles *handles);

/* A handle without event. *front is the caller's: the program gets it, and it is closed here. -errno. */
int cs_handle_make(cs_handles *handles, cs_handle **out, int *front);
/* Closes and frees all that it has. */
void cs_handle_end(cs_handles *handles, cs_handle *handle);

/* NULL: it is none of ours. */
cs_handle *cs_handle_of(const cs_handles *handles, cs_proc_file file);
/* All of them, in no order: the first, the next. */
cs_handle *cs_handles_first(const cs_handles *handles);

/* How many have POLLIN. */
size_t cs_handles_lit(const cs_handles *handles);

/* We have been forked: a bell's files of before have POLLHUP, for ever. */
void cs_handles_forked(cs_handles *handles);

/* POLLIN, also for whoever waits for an edge: once, or of a pipe until it is no more. */
void cs_handle_light(cs_handle *handle);
void cs_handle_dim(cs_handle *handle);
/* SIGIO of whoever has set O_ASYNC, with POLL_IN, or for `last` with POLL_HUP, which a pipe cannot. `front`:
 * a descriptor of it here; -1: there is none. */
void cs_handle_signal(cs_handle *handle, int front, bool last);
/* POLLHUP for ever. `front`: as above. */
void cs_handle_hang_up(cs_handle *handle, int front);
/* The ring of `ring` is what it writes to, and is woken for; NULL: it writes to none. */
void cs_handle_hang_on(const cs_handle *handle, int front, const cs_handle *ring);
/* Of a file of the kernel's: its last descriptor is closed. */
bool cs_handle_is_closed(const cs_handle *handle);

/* Memory of `bytes` for its ring, all zero; more, when it has some. 0 or -errno. */
int cs_handle_room(cs_handles *handles, cs_handle *handle, size_t bytes);
/* The part of its memory from `offset` on, which is in reach now (handle->aux). 0 or -errno. */
int cs_handle_aux(cs_handle *handle, uint64_t offset, size_t bytes);
/* Gives it back; it is nowhere mapped any more. */
void cs_handle_no_room(cs_handles *handles, cs_handle *handle);

#endif
