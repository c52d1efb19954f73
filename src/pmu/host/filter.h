// SPDX-License-Identifier: Apache-2.0
/* The seccomp filter of a program under the door: which of its system calls wait for our answer. */
#ifndef CS_PMU_HOST_FILTER_H
#define CS_PMU_HOST_FILTER_H

#include <stdbool.h>

/* Puts the filter on the calling process and all that it will start. What must wait: perf_event_open,
 * execve, execveat, exit_group and close_range; and of the descriptors in our range (range.h) read, readv,
 * pread64, ioctl, mmap, close, fcntl, dup, dup2 and dup3; PR_TASK_PERF_EVENTS_* of prctl. Everything else
 * is the kernel's alone.
 *
 * *steady: a call that we have received waits for its answer whatever signals come (Linux 5.19).
 *
 * Returns the descriptor from which the calls are read, or -errno: -EBUSY, somebody supervises this
 * process already; -EINVAL, this kernel has no notification; -EPERM or -EACCES, it is forbidden here. */
int cs_filter_install(bool *steady);

#endif
