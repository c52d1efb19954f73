// SPDX-License-Identifier: Apache-2.0
/* Internal to pmu: what the sources of the threads share. */
#ifndef CS_PMU_THREAD_IMPL_H
#define CS_PMU_THREAD_IMPL_H

#include "pmu/host/proc.h"
#include "pmu/host/watch.h"
#include "pmu/thread.h"

/* A mapping that the core has heard of. */
typedef struct cs_told_mapping {
    uint64_t begin, end, offset, inode, prot;
} cs_told_mapping;

typedef struct cs_thread cs_thread;
typedef struct cs_process cs_process;

struct cs_process {
    pid_t pid;
    uint64_t fed; /* what its threads have been given, those that have ended included */
    unsigned nr;
    cs_thread *first;
    cs_process *next;
};

struct cs_thread {
    cs_perf_who who;
    char comm[16];
    unsigned order; /* among those that have been known */
    int clock;      /* cs_proc_clock */
    uint64_t ran;   /* the core has heard of so much, or need not hear */
    uint64_t due;   /* and is to hear of so much now */
    bool gone;
    cs_process *process;
    uint64_t until; /* when its last stretch ended, in machine time */
    unsigned cpu;
    uint64_t looked;           /* at machine time `looked` */
    uint64_t stack;            /* of its program; another one tells that an exec has been */
    bool exec;                 /* it has asked for one */
    uint64_t scanned;          /* its mappings, in machine time; 0: they are due */
    cs_watch *watch;           /* NULL: it is not watched */
    uint64_t entry;            /* of its program; 0: not asked yet */
    cs_told_mapping *mappings; /* of a process: its first thread has them */
    size_t nr_mappings, room_mappings;
    cs_thread *next, *next_of_bucket, *next_of_process;
};

#define CS_THREAD_BUCKETS 256u

struct cs_threads {
    cs_perf *perf;
    uint64_t step_ns, now; /* in steps */
    pid_t newest;          /* of which it is known whether they are ours */
    unsigned nr_order;
    size_t nr;
    bool mappings, names;
    bool watching;
    cs_thread *first;
    cs_process *processes;
    cs_thread *buckets[CS_THREAD_BUCKETS];
};

cs_thread *cs_thread_of(const cs_threads *threads, pid_t tid);
/* Execs that were asked for and have been are told: before a child is, which inherits what they enable. */
void cs_threads_settle(cs_threads *threads);
/* Takes it out, with its end told. */
void cs_thread_remove(cs_threads *threads, cs_thread *thread);
/* The threads of a process that have come since. */
void cs_threads_find_threads(cs_threads *threads, pid_t pid);

/* Its process; of one that was there before, what it has done does not
 * count. False: no memory. */
bool cs_process_join(cs_threads *threads, cs_thread *thread, bool forked);
void cs_process_leave(cs_threads *threads, cs_thread *thread);
/* What each of its threads has done since (due), and which have ended (gone). */
void cs_process_account(cs_process *process);
/* The same of one of many threads. */
void cs_process_account_one(cs_thread *thread);
/* Of one that is off its CPU: the kernel knows exactly. */
void cs_process_account_waiting(cs_thread *thread);

/* A child has what its parent had. */
void cs_thread_copy_mappings(cs_thread *child, const cs_thread *parent);
void cs_thread_forget_mappings(cs_thread *thread);
/* Those of its process that are new, or otherwise protected. `by`: whose the records are; NULL: there are none. */
void cs_thread_find_mappings(cs_threads *threads, cs_thread *thread, const cs_thread *by);

#endif
