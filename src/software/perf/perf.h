// SPDX-License-Identifier: Apache-2.0
/* perf_event_open(2) as Linux answers it, on a machine that is a model (docs/drivers/perf.md).
 * Names are those of kernel/events/core.c: events, groups, contexts of tasks and CPUs, rotation,
 * rings.
 *
 * It makes no system call, knows no clock and keeps nothing outside of a cs_perf. Whoever stands
 * between it and a program says what happens: threads begin, run and end; an event is opened, read,
 * closed. Time is the machine's, in nanoseconds, and passes by cs_perf_run and cs_perf_idle alone:
 *
 *     cs_perf_create(&machine, &calls, &perf, &diag);
 *     cs_perf_task_add(perf, &(cs_perf_who){.pid = 10, .tid = 10}, "prog");
 *     cs_perf_open(perf, &(cs_perf_asked){.attr = &attr, .by = 10, .cpu = -1}, &event);
 *     cs_perf_run(perf, 10, 0, 1000, 5000);            thread 10 was on CPU 0 for 4 us
 *     n = cs_perf_read(event, bytes, sizeof bytes);
 *     cs_perf_close(event);
 *
 * Functions that return int or long return what the system call would: 0 or more, or -errno, each
 * errno where Linux returns it. Callbacks must not call back. One thread at a time. */
#ifndef CS_SOFTWARE_PERF_PERF_H
#define CS_SOFTWARE_PERF_PERF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "software/perf/attr.h"
#include "software/perf/machine.h"
#include <countersink/base/diag.h>
#include <countersink/base/stream/events.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CS_PERF_COMM_BYTES 16u
#define CS_PERF_PAGE_BYTES 4096u

typedef struct cs_perf cs_perf;
typedef struct cs_perf_event cs_perf_event;

typedef struct cs_perf_who {
    uint32_t pid; /* of the process */
    uint32_t tid; /* of the thread; not 0 */
} cs_perf_who;

/* ---- what it says ---- */

/* Where a thread is at a sample. */
typedef struct cs_perf_where {
    uint64_t ip;
    bool kernel;
    const uint64_t *chain; /* addresses of its mode, innermost first, ip included; valid until the
                              next call */
    size_t nr_chain;
} cs_perf_where;

/* What was handed out, and what really was. */
typedef enum cs_perf_told_kind {
    CS_PERF_TOLD_READ,   /* by read(2), one for each event of a group */
    CS_PERF_TOLD_SAMPLE, /* an overflow, whether the ring had room or not */
    CS_PERF_TOLD_LOST,   /* `lost` records that a ring had no room for, since the last */
    CS_PERF_TOLD_THROTTLE,
    CS_PERF_TOLD_UNTHROTTLE,
    CS_PERF_TOLD_CLOSE /* as READ, when an event ends; of an inherited one too */
} cs_perf_told_kind;

typedef struct cs_perf_told {
    cs_perf_told_kind kind;
    const cs_perf_event *event;
    uint64_t id; /* as PERF_EVENT_IOC_ID has it */
    uint64_t time_ns;
    int cpu;         /* -1: none */
    cs_perf_who who; /* the thread that ran; of a reading the event's; {0, 0}: none */
    uint64_t value, enabled_ns, running_ns;
    uint64_t truth; /* it really happened so often while the event was enabled, in its modes */
    uint64_t period;
    uint64_t ip;          /* of a sample, as it was written */
    uint64_t pc;          /* by the streams */
    const char *function; /* in which that is; NULL: nobody knows */
    uint64_t lost;        /* of a sample: 1, its ring had no room or there is none */
} cs_perf_told;

typedef enum cs_perf_wake {
    CS_PERF_WAKE_DATA,   /* poll(2) of the event has POLLIN, once */
    CS_PERF_WAKE_HANGUP, /* its task has ended: POLLHUP from now on */
    CS_PERF_WAKE_SIGNAL, /* SIGIO with POLL_IN, of an event that is cs_perf_set_async */
    CS_PERF_WAKE_LAST    /* SIGIO with POLL_HUP: REFRESH has counted down */
} cs_perf_wake;

typedef struct cs_perf_faults {
    uint64_t minor, major;
} cs_perf_faults;

typedef struct cs_perf_calls {
    /* What this thread does, as a function of its own core cycles. Asked for when it begins,
     * executes or is renamed; it goes on at the cycle where it is. */
    cs_event_source (*work)(void *ctx, const cs_perf_who *who, const char *comm);
    /* May be NULL, as all below. */
    void (*woken)(void *ctx, cs_perf_event *event, cs_perf_wake wake);
    /* False, or no function: the thread is where its streams say. */
    bool (*where)(void *ctx, const cs_perf_who *who, uint64_t time_ns, bool chain,
                  cs_perf_where *out);
    void (*told)(void *ctx, const cs_perf_told *told);
    /* How many page faults, minor and major, the thread has had so far. False: nobody knows. No function: events
     * of page faults are -ENOENT. */
    bool (*faults)(void *ctx, const cs_perf_who *who, cs_perf_faults *out);
    /* Whoever has mapped the event may be looking into its ring right now: cs_perf_show leaves it out. */
    bool (*reads)(void *ctx, const cs_perf_event *event);
    void *ctx;
} cs_perf_calls;

/* Both are copied. Errors: CS_ERR_RANGE (which member, what was found, what is allowed),
 * CS_ERR_NO_MEMORY; *out is NULL then. */
cs_status cs_perf_create(const cs_perf_machine *machine, const cs_perf_calls *calls, cs_perf **out,
                         cs_diag *diag);
/* Events that are still open end with it. NULL is allowed. */
void cs_perf_destroy(cs_perf *perf);
/* With its defaults filled in. */
const cs_perf_machine *cs_perf_get_machine(const cs_perf *perf);

/* ---- what threads do ---- */

/* A thread that nobody here forked. -EEXIST: its tid is there; -ENOMEM. */
int cs_perf_task_add(cs_perf *perf, const cs_perf_who *who, const char *comm);
/* Who forked a thread that was added: what its EXIT record says. -ESRCH. */
int cs_perf_task_set_parent(cs_perf *perf, uint32_t tid, const cs_perf_who *parent);
/* A child of `parent_tid`, which inherits its events. -ESRCH: no such parent; -EEXIST, -ENOMEM. */
int cs_perf_task_fork(cs_perf *perf, uint32_t parent_tid, const cs_perf_who *child);
/* -ESRCH, as all below. Threads that an exec ends are ended by cs_perf_task_exit. */
int cs_perf_task_exec(cs_perf *perf, uint32_t tid, const char *comm);
int cs_perf_task_comm(cs_perf *perf, uint32_t tid, const char *comm);
int cs_perf_task_exit(cs_perf *perf, uint32_t tid);

typedef struct cs_perf_mapping {
    uint64_t addr, length, offset;
    uint32_t prot, flags, major, minor;
    uint64_t inode, generation;
    const char *file; /* "//anon", "[stack]" included */
} cs_perf_mapping;
/* With PROT_EXEC in `prot` a mapping of code, else one of data (attr.mmap_data). */
int cs_perf_task_mmap(cs_perf *perf, uint32_t tid, const cs_perf_mapping *mapping);

/* Thread tid was on the CPU in [from_ns, to_ns). Stretches of a CPU come in rising order and do not
 * overlap, nor do those of a thread; between them the CPU idled. -EINVAL: from_ns is before what
 * the CPU has reached, or to_ns before from_ns, or there is no such CPU; -ESRCH. */
int cs_perf_run(cs_perf *perf, uint32_t tid, unsigned cpu, uint64_t from_ns, uint64_t to_ns);
/* It is `now_ns`: CPUs that have not come so far idled. To be called before whatever happens at
 * that time, with all stretches before it told. A time that has passed changes nothing. */
void cs_perf_idle(cs_perf *perf, uint64_t now_ns);
uint64_t cs_perf_reached(const cs_perf *perf, unsigned cpu);
/* The latest that it has heard of. */
uint64_t cs_perf_now(const cs_perf *perf);
/* False: no event counts this thread or any CPU, so that its stretches need not be told. */
bool cs_perf_cares(const cs_perf *perf, uint32_t tid);

/* ---- system calls ---- */

typedef struct cs_perf_asked {
    const cs_perf_attr *attr; /* copied */
    uint32_t by;              /* tid of the caller */
    bool privileged;          /* the caller has CAP_PERFMON */
    int32_t pid;              /* as in the call: 0 the caller, -1 everybody, else a tid */
    int32_t cpu;              /* -1: all */
    cs_perf_event *group;     /* of group_fd; NULL: it is -1 */
    uint64_t flags;           /* PERF_FLAG_.. */
    void *user;               /* what cs_perf_user is at first */
    uint64_t id;              /* that it is to have; 0: the next that is free */
} cs_perf_asked;

/* 0 and *out, or -errno. Descriptors are the caller's (EBADF, EMFILE). Of PERF_TYPE_SOFTWARE
 * only what contexts know: cpu-clock, task-clock, context-switches, cpu-migrations, dummy; and page faults, where
 * cs_perf_calls has them, without samples (-EOPNOTSUPP);
 * others are -ENOENT. */
int cs_perf_open(cs_perf *perf, const cs_perf_asked *asked, cs_perf_event **out);
/* The last descriptor is closed and the last mapping gone. NULL is allowed. */
void cs_perf_close(cs_perf_event *event);

/* Bytes, or -errno; 0: the event is in error (pinned, without a counter). */
long cs_perf_read(cs_perf_event *event, void *bytes, size_t size);

/* What `arg` points at is the caller's to fetch and to store. */
typedef struct cs_perf_ioctl {
    uint32_t request;         /* PERF_EVENT_IOC_.. */
    uint64_t arg;             /* the word itself */
    uint64_t period;          /* PERIOD */
    cs_perf_event *output;    /* SET_OUTPUT: the event of descriptor arg; NULL: arg is -1 */
    const cs_perf_attr *attr; /* MODIFY_ATTRIBUTES */
    uint64_t id;              /* ID: the answer */
    bool privileged;          /* CAP_PERFMON */
} cs_perf_ioctl;
int cs_perf_do_ioctl(cs_perf_event *event, cs_perf_ioctl *call);

#define CS_PERF_POLL_IN 1u
#define CS_PERF_POLL_HUP 2u
/* What poll(2) reports; as in Linux it takes POLLIN away. */
unsigned cs_perf_poll(cs_perf_event *event);
/* Of a descriptor with O_ASYNC: overflows are signalled, with or without a ring. */
void cs_perf_set_async(cs_perf_event *event, bool on);

/* ---- rings ---- */

typedef struct cs_perf_mapped {
    void *
        memory; /* `bytes` of it, all zero, shared with the program; borrowed. NULL: would it do? */
    size_t bytes;    /* as in mmap(2) */
    uint64_t offset; /* in bytes; 0: the ring; else its AUX area */
    bool shared;     /* MAP_SHARED */
    bool writable;   /* PROT_WRITE: data_tail is obeyed; else the ring overwrites */
    size_t locked;   /* bytes of such rings that the user has locked already */
    size_t limit;    /* RLIMIT_MEMLOCK, in bytes */
    bool privileged; /* CAP_IPC_LOCK */
} cs_perf_mapped;

/* 0 or -errno. An event that is mapped already, or writes to a ring that is, is mapped once
 * more: its memory stays that of cs_perf_memory, whatever `memory` is. */
int cs_perf_mmap(cs_perf_event *event, const cs_perf_mapped *mapped);
/* A mapping less. After the last one of a ring its memory is not touched any more. */
void cs_perf_munmap(cs_perf_event *event);
/* The memory of the event's ring, and its bytes; NULL: it has none. */
void *cs_perf_memory(const cs_perf_event *event, size_t *bytes);
/* What is written to rings from here on appears there, and wakes, all at once, and while nobody reads: a program
 * that looks at data_head twice, as perf record does, is to find the same. Rings that overwrite show each record,
 * and one whose reader is signalled or hung up what it has by then. Calls nest: the last one shows. True: some
 * ring was left out; show again. */
void cs_perf_hold(cs_perf *perf);
bool cs_perf_show(cs_perf *perf);
/* A record of `bytes`, from its header on, that somebody else has made goes into the event's ring as it is. */
void cs_perf_write(cs_perf_event *event, void *record, size_t bytes);
/* The program sees what it has not consumed. */
bool cs_perf_unread(const cs_perf_event *event);
/* The times in the event's user page are those of now. */
void cs_perf_update_page(cs_perf_event *event);

/* ---- an event ---- */

uint64_t cs_perf_id(const cs_perf_event *event);
const cs_perf_attr *cs_perf_attr_of(const cs_perf_event *event);
/* It counts this task (0: no task) on this CPU (-1: all). */
uint32_t cs_perf_tid_of(const cs_perf_event *event);
/* What is read depends on nothing but what this thread has done: not on its children, nor on other threads, nor
 * on the machine's time. */
bool cs_perf_depends_on(const cs_perf_event *event, uint32_t tid);
int cs_perf_cpu_of(const cs_perf_event *event);
/* It is enabled, and so is the leader of its group: it counts where it can. */
bool cs_perf_is_on(const cs_perf_event *event);
/* For whoever opened it. */
void cs_perf_set_user(cs_perf_event *event, void *user);
void *cs_perf_user(const cs_perf_event *event);
/* Descriptors that are open; inherited events do not count. */
size_t cs_perf_nr_events(const cs_perf *perf);

#ifdef __cplusplus
}
#endif

#endif
