// SPDX-License-Identifier: Apache-2.0
/* What /proc says of processes and threads. All functions say false, or 0, of one that is gone. */
#ifndef CS_PMU_HOST_PROC_H
#define CS_PMU_HOST_PROC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

typedef struct cs_proc_status {
    pid_t pid, parent;
    uint64_t capable; /* effective capabilities, a bit each */
    uint64_t pending; /* signals on the way to it or its process; bit 0 is number 1 */
} cs_proc_status;

bool cs_proc_status_of(pid_t tid, cs_proc_status *out);

typedef struct cs_proc_stat {
    char comm[16];
    char state; /* 'Z': ended */
    unsigned cpu;
    uint64_t minor, major; /* page faults */
    uint64_t stack;        /* where the stack of its program began: another one after each exec */
} cs_proc_stat;

bool cs_proc_stat_of(pid_t tid, cs_proc_stat *out);
/* It is on a CPU, or waits for one. */
bool cs_proc_runs(pid_t tid);

/* Where a thread waits in a system call, or is off the CPU; 0: it runs, or nobody may know. */
uint64_t cs_proc_pc(pid_t tid);

/* Where the program of a process begins; 0: nobody may know. */
uint64_t cs_proc_entry(pid_t pid);

/* The time that a thread has been on CPUs, as of when it last left one: a file to be asked again and again; -1: there is none. */
int cs_proc_clock(pid_t pid, pid_t tid);
bool cs_proc_ran(int clock, uint64_t *ns);

/* The same of a process, with its threads that have ended, and exact also while it runs. */
bool cs_proc_process_ran(pid_t pid, uint64_t *ns);

/* Which file a descriptor is of. {0, 0}: of none. */
typedef struct cs_proc_file {
    uint64_t device, inode;
} cs_proc_file;

/* Of a file of a bell its mark is what tells it from others (host/bell.h). */
cs_proc_file cs_proc_file_of(pid_t tid, unsigned number);
bool cs_proc_has_number(pid_t tid, unsigned number);
cs_proc_file cs_proc_file_here(int fd);
/* The same of a file of a bell, whose mark is known. */
cs_proc_file cs_proc_marked_file(int fd, uint64_t mark);
static inline bool cs_proc_same_file(cs_proc_file a, cs_proc_file b)
{
    return a.device == b.device && a.inode == b.inode;
}
/* Its flags, as open(2) has them, O_CLOEXEC included. */
unsigned cs_proc_flags_of(pid_t pid, unsigned number);
/* The same open file as the descriptor of that thread has. -errno. */
int cs_proc_borrow(pid_t tid, unsigned number);

/* It is a thread of that process. */
bool cs_proc_has(pid_t pid, pid_t tid);
/* Each thread of a process. */
void cs_proc_threads(pid_t pid, void (*each)(void *ctx, pid_t tid), void *ctx);

typedef struct cs_proc_mapping {
    uint64_t begin, end, offset, inode;
    uint32_t major, minor;
    uint32_t prot, flags; /* PROT_.., MAP_.. */
    char file[4096];      /* "" where there is none */
} cs_proc_mapping;

void cs_proc_mappings(pid_t pid, void (*each)(void *ctx, const cs_proc_mapping *mapping),
                      void *ctx);

/* The number of the process or thread that was made last, of all that can be seen here; 0: unknown. */
pid_t cs_proc_newest(void);

#endif
