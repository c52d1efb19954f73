// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "base/files/child.h"

#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/files/ending.h"

static pid_t going_on[CS_CHILDREN_MOST]; /* 0: free; negative: a group */
static unsigned nr_going_on;

static int wait_for(pid_t child, pid_t *which)
{
    int status = -1;

    do
        *which = waitpid(child, &status, 0);
    while (*which < 0 && errno == EINTR);
    return *which < 0 ? -1 : status;
}

static void end_children(void *ctx)
{
    (void)ctx;
    for (unsigned i = 0; i < CS_CHILDREN_MOST; i++)
        if (going_on[i] != 0)
            kill(going_on[i], SIGKILL);
    for (unsigned i = 0; i < CS_CHILDREN_MOST; i++) {
        pid_t which;

        if (going_on[i] != 0)
            wait_for(going_on[i] < 0 ? -going_on[i] : going_on[i], &which);
    }
}

static void begin_child(pid_t parent, bool group)
{
    cs_ending_forget();
    for (unsigned i = 0; i < CS_CHILDREN_MOST; i++)
        going_on[i] = 0;
    nr_going_on = 0;
    if (group)
        setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) /* it ended meanwhile */
        _exit(1);
}

static void note(pid_t child)
{
    unsigned i = 0;

    while (going_on[i] != 0)
        i++;
    going_on[i] = child;
    /* Actions are taken last one first: a child is ended before what it writes into is removed. */
    if (nr_going_on++ != 0)
        cs_ending_remove(going_on);
    cs_ending_add(end_children, going_on);
}

static void forget(pid_t child)
{
    for (unsigned i = 0; i < CS_CHILDREN_MOST; i++)
        if (going_on[i] == child || going_on[i] == -child) {
            going_on[i] = 0;
            if (--nr_going_on == 0)
                cs_ending_remove(going_on);
            return;
        }
}

pid_t cs_child_start(bool group)
{
    const pid_t parent = getpid();
    pid_t child;

    if (nr_going_on == CS_CHILDREN_MOST) {
        errno = EAGAIN;
        return -1;
    }
    cs_ending_hold();
    child = fork();
    if (child == 0) {
        begin_child(parent, group);
    } else if (child > 0) {
        if (group)
            setpgid(child, child);
        note(group ? -child : child);
    }
    cs_ending_release();
    return child;
}

pid_t cs_child_fork(void)
{
    const pid_t parent = getpid();
    pid_t child;

    cs_ending_hold();
    child = fork();
    if (child == 0)
        begin_child(parent, false);
    cs_ending_release();
    return child;
}

int cs_child_wait(pid_t child)
{
    pid_t which;
    const int status = wait_for(child, &which);

    cs_ending_hold();
    forget(child);
    cs_ending_release();
    return status;
}

pid_t cs_child_wait_any(int *status)
{
    pid_t which;

    *status = wait_for(-1, &which);
    cs_ending_hold();
    if (which > 0)
        forget(which);
    cs_ending_release();
    return which;
}
