// SPDX-License-Identifier: Apache-2.0
/* Internal to pmu: what stands between a program and the perf core. */
#ifndef CS_PMU_DOOR_H
#define CS_PMU_DOOR_H

#include "pmu/handle.h"
#include "pmu/host/notice.h"
#include "pmu/machine.h"
#include "pmu/pmu.h"
#include "pmu/thread.h"
#include "pmu/truth.h"
#include "software/perf/perf.h"

#define CS_DOOR_KEPT 64u

/* Of each number, of threads with an even number and of others. */
#define CS_DOOR_KNOWN 16384u

/* What a number of a thread's means, as long as nothing is known that changes it; tid 0: nothing. */
typedef struct cs_known {
    pid_t tid;
    unsigned number;
    cs_handle *handle;
} cs_known;

typedef struct cs_door {
    const cs_pmu_options *options;
    cs_pmu_result *result;
    cs_pmu_machine *machine;
    cs_perf *perf;
    cs_handles *handles;
    cs_threads *threads;
    cs_pmu_truth *truth; /* NULL: none is kept */
    pid_t program;       /* as it was started */
    int listener;
    int epoll;
    int closings;        /* within it: our ends of the pipes */
    cs_handle *doubtful; /* those that may have been closed just now (next_doubtful) */
    unsigned nr_sweeps;
    int deaths; /* within it: processes on whose end a handle waits, as pidfds */
    int dying;  /* of the process that is about to end; -1 */
    int timer, signals;
    long wait_ns;     /* for the look that is due; 0: none is */
    uint64_t lit_ns;  /* when a program was last told of data */
    long patience_ns; /* while a program has not taken its data */
    bool ended;       /* the program has, and result->ended is known */
    uint64_t ticked_ns, swept_ns;
    long tick_ns;   /* how often time passes by itself */
    bool overrun;   /* a ring had no room since the last tick */
    pid_t caller;   /* the thread whose call is answered now; 0: none is */
    long hidden_ns; /* records are hidden from readers: when to look again; 0: none are */
    pid_t free_of;  /* in that process numbers below free_from are taken */
    unsigned free_from;
    unsigned tries; /* to open a hardware event */
    bool steady;    /* cs_launched.steady */
    /* Calls that came while another one had to: they are answered next. */
    cs_notice kept[CS_DOOR_KEPT];
    unsigned nr_kept;
    cs_known known[CS_DOOR_KNOWN];
    unsigned nr_relays;      /* handles whose records are the kernel's */
    unsigned nr_signals_due; /* handles whose signal waits */
    unsigned nr_swapped;     /* handles whose memory may be in the place of their front */
} cs_door;

/* ---- calls: each is answered by its function ---- */

void cs_call_open(cs_door *door, cs_notice *notice);
void cs_call_read(cs_door *door, cs_notice *notice);
void cs_call_readv(cs_door *door, cs_notice *notice);
void cs_call_ioctl(cs_door *door, cs_notice *notice);
void cs_call_mmap(cs_door *door, cs_notice *notice);
void cs_call_close(cs_door *door, cs_notice *notice);
void cs_call_close_range(cs_door *door, cs_notice *notice);
void cs_call_fcntl(cs_door *door, cs_notice *notice);
void cs_call_dup(cs_door *door, cs_notice *notice);
void cs_call_exec(cs_door *door, cs_notice *notice);
void cs_call_exit(cs_door *door, cs_notice *notice);
void cs_call_prctl(cs_door *door, cs_notice *notice);

/* What has been written to rings appears there (cs_perf_show). */
void cs_door_show(cs_door *door);
/* A ring that is read just now can wait. */
bool cs_door_is_patient(const cs_door *door);
/* The caller goes on, and finds in its rings all that has happened so far. */
void cs_door_send(cs_door *door, cs_notice *notice);
/* struct perf_event_attr in the caller's memory. 0, or what perf_event_open(2) returns for it. */
int cs_door_attr(const cs_notice *notice, uint64_t at, cs_perf_attr *attr);
/* The caller has CAP_PERFMON. */
bool cs_door_privileged(const cs_notice *notice);
/* The call of `notice` opens this event of ours; of `asked` attr, group and id are said. The descriptor, or -errno. */
long cs_door_open(cs_door *door, const cs_notice *notice, const cs_perf_asked *asked);

/* ---- events that the kernel counts (kernel.c) ---- */

/* We cannot count it, or not sample it. `group`: of group_fd; NULL: it is -1. */
bool cs_kernel_counts(const cs_door *door, const cs_perf_attr *attr, const cs_handle *group);
/* Such an event, whose descriptor is to be one of ours, so that it can share a ring with ours. */
bool cs_kernel_is_relayed(const cs_door *door, const cs_notice *notice, const cs_perf_attr *attr,
                          const cs_handle *group);
/* The descriptor in the program, or -errno. */
long cs_kernel_open(cs_door *door, const cs_notice *notice, const cs_perf_attr *attr,
                    cs_handle *group);
/* Its records come into the ring that it writes to now, if it does. 0 or -errno. */
int cs_kernel_map(cs_handle *handle);
/* What has come since appears in rings. */
void cs_kernel_pass_records(cs_door *door);
/* What is enabled here is so in the kernel, too. */
void cs_kernel_follow(cs_door *door);
/* The kernel puts what its group has counted into its samples. */
bool cs_kernel_has_groups_values(const cs_handle *handle);
/* What is read of it is the kernel's. */
bool cs_kernel_has_counts(const cs_handle *handle);
long cs_kernel_read(const cs_handle *handle, void *bytes, size_t size);
/* Of a handle with a relay; as cs_perf_do_ioctl. */
int cs_kernel_ioctl(const cs_notice *notice, const cs_handle *handle, cs_perf_ioctl *call);

/* ---- descriptors ---- */

/* From now on it is seen when its last descriptor is closed. */
void cs_door_watch(cs_door *door, cs_handle *handle);
/* A call that is about to go on may close it, or what this process has; NULL is none. */
void cs_door_doubt(cs_door *door, cs_handle *handle);
void cs_door_doubt_all(cs_door *door, pid_t tid);

/* The handle that the caller has at `number`, its front put back where the memory was. NULL: none of
 * ours. */
cs_handle *cs_door_handle(cs_door *door, const cs_notice *notice, uint64_t number);
/* It means this for this thread. */
void cs_door_know(cs_door *door, pid_t tid, unsigned number, cs_handle *handle);
/* What number `number` means, in whatever thread, or any number, is looked up anew. */
void cs_door_forget(cs_door *door, uint64_t number);
void cs_door_forget_all(cs_door *door);
/* As cs_notice_place. */
int cs_door_place(cs_door *door, const cs_notice *notice, int fd, unsigned number, unsigned flags);
/* Puts back all fronts of the caller's process. */
void cs_door_put_back(cs_door *door, const cs_notice *notice);
/* Gives the caller the file at a number of its own in our range, `least` or above. The number, or -errno. */
long cs_door_give(cs_door *door, const cs_notice *notice, int fd, unsigned least, unsigned flags);
/* Its front, which that thread should have at `number`; the caller closes it. -errno. */
int cs_door_front(const cs_door *door, const cs_handle *handle, pid_t tid, unsigned number);
/* The same, wherever some process has it. */
int cs_door_front_of(const cs_door *door, const cs_handle *handle);
/* The handle whose memory the event writes to: its own, or that of SET_OUTPUT; NULL: there is none. */
cs_handle *cs_door_ring(const cs_door *door, const cs_handle *handle);
/* Ends the events whose last descriptor is closed, unless they are mapped still. */
void cs_door_drain(cs_door *door);
/* POLLIN, of a pipe until the program has taken what there is. */
void cs_door_light(cs_door *door, cs_handle *handle);
/* SIGIO, now or when the one before has been taken; `last`: REFRESH has counted down. */
void cs_door_signal(cs_door *door, cs_handle *handle, bool last);
void cs_door_signal_due(cs_door *door);
/* Its task ends: POLLHUP, when the process that is about to end has ended. */
void cs_door_hang_up(const cs_door *door, cs_handle *handle);
/* Between these two the process of a thread is about to end. */
void cs_door_death_begin(cs_door *door, pid_t pid);
void cs_door_death_end(cs_door *door);
/* Processes have ended. */
void cs_door_bury(cs_door *door);
/* Looks after handles whose closing has not been seen. */
void cs_door_sweep(cs_door *door);
/* That process has its ring mapped; the one that should. */
bool cs_door_mapped(const cs_handle *handle, pid_t pid);
bool cs_door_is_mapped(const cs_handle *handle);
/* The process that may be looking into its ring. */
static inline pid_t cs_door_reader(const cs_handle *handle)
{
    return handle->mapper != 0 ? handle->mapper : handle->owner;
}

/* ---- the loop ---- */

/* Until the program has ended, or (`lasting`) all that it has left behind. */
void cs_door_serve(cs_door *door, bool lasting);

#endif
