// SPDX-License-Identifier: Apache-2.0
/* The threads of a program, as far as an event counts them: how long each has been on a CPU, and what
 * became of it. It tells the perf core of them, and so its time passes.
 *
 * The machine's time is CLOCK_MONOTONIC's, and a thread ran for as long as the kernel says that it was on
 * a CPU. With `step_ns` the time is our own, and each call that waits for us takes its thread so long:
 * the same calls then have the same answers. */
#ifndef CS_PMU_THREAD_H
#define CS_PMU_THREAD_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "software/perf/perf.h"

typedef struct cs_threads cs_threads;

/* NULL: no memory. step_ns 0: real time. */
cs_threads *cs_threads_create(cs_perf *perf, uint64_t step_ns);
void cs_threads_destroy(cs_threads *threads);
/* We have been forked. */
void cs_threads_forked(cs_threads *threads);

/* From here on the thread is known, with its process and those that it descends from; one whose parent
 * is known has been forked by it. False: there is no such thread. */
bool cs_threads_know(cs_threads *threads, pid_t tid);
/* Processes and threads that have come since, of parents that are known, are known now: before an event
 * is opened, which they have not inherited. */
void cs_threads_find_new(cs_threads *threads);

/* The core has heard of all that this thread has done so far, and of what time it is. */
void cs_threads_catch_up(cs_threads *threads, pid_t tid);
/* The same of a thread that waits for us, and of nobody else: what is another's, or the machine's, is as it was. */
void cs_threads_catch_up_caller(cs_threads *threads, pid_t tid);
/* Of all threads; new ones are found. */
void cs_threads_catch_up_all(cs_threads *threads);
/* A call of this thread waits for us. */
void cs_threads_step(cs_threads *threads, pid_t tid);

/* The thread has asked for an exec, which may fail yet. */
void cs_threads_exec(cs_threads *threads, pid_t tid);
/* Its process ends now, or has ended. */
void cs_threads_end(cs_threads *threads, pid_t tid);
/* What a thread is called is asked at each of its calls from now on (attr.comm). */
void cs_threads_tell_names(cs_threads *threads);
/* What a process has mapped is told from now on (attr.mmap and mmap2). */
void cs_threads_tell_mappings(cs_threads *threads);
/* The thread waits for us, and whoever does may want to know what it has mapped until now. */
void cs_threads_look_at_mappings(cs_threads *threads, pid_t tid);
/* Samples are taken from now on: where threads really are is to be known. */
void cs_threads_watch(cs_threads *threads);
/* Where a thread was at a machine time; false: nobody knows, or it shall be the same in each run. */
bool cs_threads_where(cs_threads *threads, pid_t tid, uint64_t time_ns, cs_perf_where *out);
/* The process of a thread; 0: unknown. */
pid_t cs_threads_process(const cs_threads *threads, pid_t tid);

#endif
