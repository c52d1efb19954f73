#define _GNU_SOURCE
#include "base/files/child.h"

#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/files/ending.h"

static pid_t going_on; /* negative: a group */

static int wait_for(pid_t child)
{
    int status = -1;

    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return -1;
    return status;
}

static void end_child(void *ctx)
{
    (void)ctx;
    kill(going_on, SIGKILL);
    wait_for(going_on < 0 ? -going_on : going_on);
}

static void begin_child(pid_t parent, bool group)
{
    cs_ending_forget();
    if (group)
        setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) /* it ended meanwhile */
        _exit(1);
}

pid_t cs_child_start(bool group)
{
    const pid_t parent = getpid();
    pid_t child;

    cs_ending_hold();
    child = fork();
    if (child == 0) {
        begin_child(parent, group);
    } else if (child > 0) {
        if (group)
            setpgid(child, child);
        going_on = group ? -child : child;
        cs_ending_add(end_child, &going_on);
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
    const int status = wait_for(child);

    cs_ending_remove(&going_on);
    return status;
}
