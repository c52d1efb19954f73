// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "pmu/host/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/files/ending.h"
#include "pmu/host/filter.h"

/* What the new process reports first. */
typedef struct hello {
    int before; /* errno with which somebody else's filter answers perf_event_open; 0: none does */
    int error;  /* -errno of our filter */
    int prepared;
    bool steady;
} hello;

/* The listener goes with it, unless it is negative. */
static bool send_hello(int to, hello said, int listener)
{
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(sizeof(int))];
    } control = {.bytes = {0}};
    struct iovec part = {&said, sizeof said};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};

    if (listener >= 0) {
        message.msg_control = &control;
        message.msg_controllen = sizeof control;
        control.header = (struct cmsghdr){
            .cmsg_len = CMSG_LEN(sizeof(int)), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
        memcpy(CMSG_DATA(&control.header), &listener, sizeof listener);
    }
    return sendmsg(to, &message, MSG_NOSIGNAL) == (ssize_t)sizeof said;
}

static bool receive_hello(int from, hello *said, int *listener)
{
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(sizeof(int))];
    } control = {.bytes = {0}};
    struct iovec part = {said, sizeof *said};
    struct msghdr message = {.msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = &control,
                             .msg_controllen = sizeof control};
    const ssize_t got = recvmsg(from, &message, MSG_CMSG_CLOEXEC);
    const struct cmsghdr *with = CMSG_FIRSTHDR(&message);

    *listener = -1;
    if (got == (ssize_t)sizeof *said && with != NULL && with->cmsg_type == SCM_RIGHTS)
        memcpy(listener, CMSG_DATA(with), sizeof *listener);
    return got == (ssize_t)sizeof *said;
}

/* The kernel looks at the flags first, whatever it forbids; another supervisor perhaps at the attr. What a
 * filter answers itself comes before any notification. */
static int answered_before(void)
{
    if (syscall(SYS_perf_event_open, NULL, 0, -1, -1, ~0UL) >= 0 || errno == EINVAL ||
        errno == EFAULT)
        return 0;
    /* A kernel without perf lacks the file, too. */
    return errno == ENOSYS && access("/proc/sys/kernel/perf_event_paranoid", F_OK) != 0 ? 0 : errno;
}

/* In the new process. From the filter on every exec waits for an answer: the listener must have gone to
 * whom it is for before. */
static _Noreturn void begin(const cs_launch *launch, int hellos, int report)
{
    hello said = {.prepared = launch->prepare != NULL ? launch->prepare(launch->ctx) : 0};
    int listener;
    char ready;

    said.before = answered_before();
    listener = said.before == 0 ? cs_filter_install(&said.steady) : -1;
    said.error = listener < 0 && said.before == 0 ? listener : 0;
    if (send_hello(hellos, said, listener) && said.error == 0 && said.before == 0 &&
        recv(hellos, &ready, 1, 0) == 1) {
        close(listener);
        signal(SIGXFSZ, SIG_DFL); /* which we ignore; what we catch exec resets */
        execvp(launch->argv[0], launch->argv);
        said.error = errno;
        if (write(report, &said.error, sizeof said.error) < 0)
            said.error = ENOENT;
    }
    _exit(said.error == ENOENT ? 127 : 126);
}

static cs_status refuse(hello said, cs_diag *diag)
{
    if (said.before != 0)
        return cs_diag_set(
            diag, CS_ERR_UNSUPPORTED, "",
            "this sandbox answers perf_event_open itself (%s), and no program's call "
            "gets further; Docker and Podman let it pass with --cap-add PERFMON",
            strerror(said.before));
    if (said.error == -EBUSY)
        return cs_diag_set(diag, CS_ERR_UNSUPPORTED, "",
                           "the system calls of this process are supervised already (by another "
                           "`countersink pmu`, or by the container): run it outside of that");
    if (said.error == -EINVAL || said.error == -ENOSYS)
        return cs_diag_set(diag, CS_ERR_UNSUPPORTED, "",
                           "this system has no seccomp notification: expected Linux 5.14 or newer, "
                           "without a sandbox that lacks it (gVisor)");
    return cs_diag_set(diag, CS_ERR_UNSUPPORTED, "", "seccomp(2) is refused here: %s",
                       strerror(-said.error));
}

static cs_status meet(int hellos, cs_launched *out, cs_diag *diag)
{
    hello said;

    if (!receive_hello(hellos, &said, &out->listener))
        return cs_diag_set(diag, CS_ERR_IO, "", "the new process ended before its program");
    if (said.error != 0 || said.before != 0)
        return refuse(said, diag);
    out->prepared = said.prepared;
    out->steady = said.steady;
    if (out->listener < 0)
        return cs_diag_set(diag, CS_ERR_IO, "", "no descriptor is left for the program's calls");
    if (send(hellos, "", 1, MSG_NOSIGNAL) != 1) {
        close(out->listener);
        return cs_diag_set(diag, CS_ERR_IO, "", "the new process ended before its program");
    }
    return CS_OK;
}

static cs_status no_more(cs_diag *diag, const char *what)
{
    return cs_diag_set(diag, CS_ERR_IO, "", "%s: %s", what, strerror(errno));
}

cs_status cs_launch_begin(const cs_launch *launch, cs_launched *out, cs_diag *diag)
{
    int pair[2], report[2];
    cs_status status;

    *out = (cs_launched){.pid = -1, .listener = -1, .report = -1};
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
        return no_more(diag, "socketpair");
    if (pipe2(report, O_CLOEXEC) != 0) {
        close(pair[0]);
        close(pair[1]);
        return no_more(diag, "pipe");
    }
    out->pid = fork();
    if (out->pid == 0) {
        cs_ending_forget();
        close(pair[0]);
        begin(launch, pair[1], report[1]);
    }
    close(pair[1]);
    close(report[1]);
    out->report = report[0];
    status = out->pid < 0 ? no_more(diag, "fork") : meet(pair[0], out, diag);
    close(pair[0]);
    if (status != CS_OK) {
        close(report[0]);
        if (out->pid > 0)
            waitpid(out->pid, NULL, 0);
    }
    return status;
}

int cs_launch_why(cs_launched *launched)
{
    int error = 0;

    if (read(launched->report, &error, sizeof error) != (ssize_t)sizeof error)
        error = 0;
    close(launched->report);
    launched->report = -1;
    return error;
}
