// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "pmu/host/detour.h"

#include <fcntl.h>
#include <stdint.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#if defined(__x86_64__)

#define SYSCALL_BYTES 2 /* of the instruction */
#define SYSCALL_CODE 0x050f

bool cs_detour_begin(cs_detour *detour, pid_t tid)
{
    detour->tid = tid;
    if (ptrace(PTRACE_SEIZE, tid, NULL, NULL) != 0)
        return false;
    /* It stops when its call has been done. */
    return ptrace(PTRACE_INTERRUPT, tid, NULL, NULL) == 0;
}

/* A signal is delivered as if nothing had been. */
static bool give_up(const cs_detour *detour, int signal)
{
    ptrace(PTRACE_DETACH, detour->tid, NULL, (void *)(uintptr_t)(unsigned)signal);
    return false;
}

/* 0: where we wanted it to; else the signal that comes first; -1: it is gone. */
static int wait_for_stop(const cs_detour *detour)
{
    int status;

    if (waitpid(detour->tid, &status, __WALL) != detour->tid || !WIFSTOPPED(status))
        return -1;
    return status >> 16 == PTRACE_EVENT_STOP ? 0 : WSTOPSIG(status);
}

/* The thread has come here by an instruction that can be executed again. */
static bool came_by_syscall(const cs_detour *detour)
{
    const uintptr_t at = detour->registers.rip - SYSCALL_BYTES;

    return ((unsigned long)ptrace(PTRACE_PEEKTEXT, detour->tid, (void *)at, NULL) & 0xffff) ==
           SYSCALL_CODE;
}

bool cs_detour_turn(cs_detour *detour, unsigned number)
{
    const int signal = wait_for_stop(detour);
    struct user_regs_struct other;

    if (signal < 0)
        return false;
    if (signal != 0 || ptrace(PTRACE_GETREGS, detour->tid, NULL, &detour->registers) != 0 ||
        !came_by_syscall(detour))
        return give_up(detour, signal);
    other = detour->registers;
    other.rax = SYS_fcntl;
    other.orig_rax = (unsigned long long)-1; /* nothing to restart */
    other.rdi = number;
    other.rsi = F_GETFD;
    other.rip -= SYSCALL_BYTES;
    if (ptrace(PTRACE_SETREGS, detour->tid, NULL, &other) != 0)
        return give_up(detour, 0);
    return ptrace(PTRACE_CONT, detour->tid, NULL, NULL) == 0;
}

bool cs_detour_lost(const cs_detour *detour)
{
    int status;

    return waitpid(detour->tid, &status, __WALL | WNOHANG) == detour->tid && !WIFSTOPPED(status);
}

void cs_detour_hold(const cs_detour *detour)
{
    ptrace(PTRACE_INTERRUPT, detour->tid, NULL, NULL);
}

void cs_detour_end(const cs_detour *detour)
{
    const int signal = wait_for_stop(detour);

    if (signal < 0)
        return;
    ptrace(PTRACE_SETREGS, detour->tid, NULL, &detour->registers);
    give_up(detour, signal);
}

#else

bool cs_detour_begin(cs_detour *detour, pid_t tid)
{
    detour->tid = tid;
    return false;
}

bool cs_detour_turn(cs_detour *detour, unsigned number)
{
    (void)detour;
    (void)number;
    return false;
}

bool cs_detour_lost(const cs_detour *detour)
{
    (void)detour;
    return true;
}

void cs_detour_hold(const cs_detour *detour)
{
    (void)detour;
}

void cs_detour_end(const cs_detour *detour)
{
    (void)detour;
}

#endif
