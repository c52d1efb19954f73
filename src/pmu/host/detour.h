// SPDX-License-Identifier: Apache-2.0
/* Makes a thread, whose call waits for us, make another call that waits for us right after it, unseen by
 * the program: only while a call waits can its descriptors be replaced. ptrace(2) stops the thread between
 * the two, for some microseconds:
 *
 *     cs_detour_begin(&detour, tid)
 *     (the call is passed to the kernel)
 *     cs_detour_turn(&detour, number)   the thread calls fcntl(number, F_GETFD)
 *     (that is received)
 *     cs_detour_hold(&detour)
 *     (it is answered)
 *     cs_detour_end(&detour)            the thread goes on where it was
 *
 * The call must not be interruptible by a signal while it waits (cs_launched.steady). */
#ifndef CS_PMU_HOST_DETOUR_H
#define CS_PMU_HOST_DETOUR_H

#include <stdbool.h>
#include <sys/types.h>

#if defined(__x86_64__)
#include <sys/user.h>
#endif

typedef struct cs_detour {
    pid_t tid;
#if defined(__x86_64__)
    struct user_regs_struct registers; /* as they were */
#endif
} cs_detour;

/* False: it cannot be done (another tracer, a sandbox, another processor than x86-64). */
bool cs_detour_begin(cs_detour *detour, pid_t tid);
/* False: not now (a signal has come, or the thread has ended); it is over then. */
bool cs_detour_turn(cs_detour *detour, unsigned number);
/* The thread has ended in between: it is over. */
bool cs_detour_lost(const cs_detour *detour);
void cs_detour_hold(const cs_detour *detour);
void cs_detour_end(const cs_detour *detour);

#endif
