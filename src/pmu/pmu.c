// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "pmu/pmu.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/sched/types.h>

#include "base/files/ending.h"
#include "pmu/door.h"
#include "pmu/host/launch.h"
#include "pmu/host/sysfs.h"

#define SLICE_NS 100000 /* the shortest that Linux knows */

/* ---- what the perf core asks for, and reports ---- */

static cs_event_source work(void *ctx, const cs_perf_who *who, const char *comm)
{
    const cs_door *door = ctx;

    (void)who;
    return cs_pmu_machine_work(door->machine, comm);
}

static bool where(void *ctx, const cs_perf_who *who, uint64_t time_ns, bool chain,
                  cs_perf_where *out)
{
    const cs_door *door = ctx;

    (void)chain;
    return cs_threads_where(door->threads, (pid_t)who->tid, time_ns, out);
}

/* What the kernel counted cannot be the same in each run. */
static bool faults(void *ctx, const cs_perf_who *who, cs_perf_faults *out)
{
    const cs_door *door = ctx;
    cs_proc_stat stat;

    if (door->options->step_ns != 0 || !cs_proc_stat_of((pid_t)who->tid, &stat))
        return false;
    *out = (cs_perf_faults){stat.minor, stat.major};
    return true;
}

static void woken(void *ctx, cs_perf_event *event, cs_perf_wake wake)
{
    cs_handle *handle = cs_perf_user(event);

    if (handle == NULL)
        return;
    switch (wake) {
    case CS_PERF_WAKE_DATA:
        cs_door_light(ctx, handle);
        break;
    case CS_PERF_WAKE_HANGUP:
        cs_door_hang_up(ctx, handle);
        break;
    case CS_PERF_WAKE_SIGNAL:
    case CS_PERF_WAKE_LAST:
        cs_door_signal(ctx, handle, wake == CS_PERF_WAKE_LAST);
        break;
    }
}

static void told(void *ctx, const cs_perf_told *what)
{
    cs_door *door = ctx;
    size_t bytes;

    if (what->kind == CS_PERF_TOLD_SAMPLE) {
        door->result->samples++;
        door->overrun |= what->lost != 0 && cs_perf_memory(what->event, &bytes) != NULL;
    }
    if (what->kind == CS_PERF_TOLD_LOST)
        door->result->lost += what->lost;
    if (door->truth != NULL)
        cs_pmu_truth_told(door->truth, what);
}

/* Of a process that watches others. One that waits for our answer is to find all in its rings, whatever its other
 * threads do. */
static bool reads(void *ctx, const cs_perf_event *event)
{
    const cs_door *door = ctx;
    const cs_handle *handle = cs_perf_user(event);

    return handle != NULL && cs_door_is_patient(door) &&
           cs_threads_process(door->threads, (pid_t)cs_perf_tid_of(event)) !=
               cs_door_reader(handle) &&
           cs_proc_runs(cs_door_reader(handle)) &&
           !cs_proc_has(cs_door_reader(handle), door->caller);
}

/* ---- making ---- */

static cs_status make_perf(cs_door *door, cs_diag *diag)
{
    const cs_perf_calls calls = {.work = work,
                                 .woken = woken,
                                 .where = where,
                                 .told = told,
                                 .faults = faults,
                                 .reads = reads,
                                 .ctx = door};
    cs_status status = cs_pmu_machine_load(door->options, &door->machine, diag);

    if (status == CS_OK)
        status = cs_perf_create(cs_pmu_machine_perf(door->machine), &calls, &door->perf, diag);
    if (status != CS_OK)
        return status;
    door->handles = cs_handles_create();
    door->threads = cs_threads_create(door->perf, door->options->step_ns);
    if (door->handles == NULL || door->threads == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for descriptors");
    return door->options->truth == NULL
               ? CS_OK
               : cs_pmu_truth_begin(door->options->truth, door->options->step_ns != 0,
                                    cs_pmu_machine_perf(door->machine), &door->truth, diag);
}

static void listen_to(const cs_door *door, int fd, void *which)
{
    struct epoll_event event = {.events = EPOLLIN, .data = {.ptr = which}};

    epoll_ctl(door->epoll, EPOLL_CTL_ADD, fd, &event);
}

/* Signals for the program, and of its end, come through a descriptor from here on. */
static cs_status make_loop(cs_door *door, sigset_t *signals, cs_diag *diag)
{
    door->epoll = epoll_create1(EPOLL_CLOEXEC);
    door->closings = epoll_create1(EPOLL_CLOEXEC);
    door->deaths = epoll_create1(EPOLL_CLOEXEC);
    door->timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
    door->signals = signalfd(-1, signals, SFD_CLOEXEC | SFD_NONBLOCK);
    if (door->epoll < 0 || door->closings < 0 || door->deaths < 0 || door->timer < 0 ||
        door->signals < 0)
        return cs_diag_set(diag, CS_ERR_IO, NULL, "no descriptors for the program's calls: %s",
                           strerror(errno));
    listen_to(door, door->closings, &door->closings);
    listen_to(door, door->deaths, &door->deaths);
    listen_to(door, door->timer, &door->timer);
    listen_to(door, door->signals, &door->signals);
    return CS_OK;
}

static void fill_signals(sigset_t *signals)
{
    static const int handed_on[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGCHLD};

    sigemptyset(signals);
    for (size_t i = 0; i < sizeof handed_on / sizeof handed_on[0]; i++)
        sigaddset(signals, handed_on[i]);
}

/* Each event takes two descriptors of ours; the program has its own limit. */
static void raise_limit(struct rlimit *before)
{
    struct rlimit most;

    getrlimit(RLIMIT_NOFILE, before);
    most = *before;
    most.rlim_cur = most.rlim_max;
    setrlimit(RLIMIT_NOFILE, &most);
}

/* We stand for the kernel: a program that waits for us is not to wait until other threads' slices of time are over.
 * Before Linux 6.12 this has no effect. */
static void hurry(void)
{
    struct sched_attr attr = {.size = sizeof attr, .sched_runtime = SLICE_NS};

    attr.sched_nice = getpriority(PRIO_PROCESS, 0);
    syscall(SYS_sched_setattr, 0, &attr, 0);
}

static void close_if(int fd)
{
    if (fd >= 0)
        close(fd);
}

static void destroy(cs_door *door)
{
    cs_perf_destroy(door->perf);
    cs_threads_destroy(door->threads);
    cs_handles_destroy(door->handles);
    cs_pmu_machine_destroy(door->machine);
    close_if(door->listener);
    close_if(door->epoll);
    close_if(door->closings);
    close_if(door->deaths);
    close_if(door->timer);
    close_if(door->signals);
}

/* ---- running ---- */

static int show_pmus(void *ctx)
{
    const cs_door *door = ctx;

    return cs_sysfs_show(cs_pmu_machine_perf(door->machine));
}

static const char *why_not_shown(int error)
{
    if (error == -ENOENT)
        return "no PMU appears in " CS_SYSFS_DEVICES ": this system has no such folder (is /sys "
               "mounted?); generic and raw events work";
    return "no PMU appears in " CS_SYSFS_DEVICES ": this system allows neither mounts nor user "
           "namespaces; generic and raw events work";
}

/* Whoever waits for the end of our output is not to wait for us. */
static void forget_terminal(void)
{
    const int null = open("/dev/null", O_RDWR | O_CLOEXEC);

    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO && null >= 0; fd++)
        dup2(null, fd);
    close_if(null);
}

/* Processes that outlive the program would find nobody who answers them, not even their exit. */
static void serve_those_left(cs_door *door)
{
    struct epoll_event none;
    const int left = epoll_wait(door->epoll, &none, 1, 0);

    if (left == 1 && none.data.ptr == &door->listener && (none.events & EPOLLHUP) != 0)
        return;
    if (fork() != 0)
        return;
    cs_ending_forget();
    cs_handles_forked(door->handles);
    cs_threads_forked(door->threads);
    setsid();
    forget_terminal();
    door->truth = NULL;
    cs_door_serve(door, true);
    _exit(0);
}

static cs_status run(cs_door *door, const cs_launch *launch, cs_diag *diag)
{
    /* A program may close a pipe while we write to it. */
    const struct sigaction ignore = {.sa_handler = SIG_IGN};
    struct sigaction broken_pipe;
    sigset_t signals, before;
    struct rlimit limit;
    cs_launched launched;
    cs_status status;

    fill_signals(&signals);
    status = make_loop(door, &signals, diag);
    if (status == CS_OK)
        status = cs_launch_begin(launch, &launched, diag);
    if (status != CS_OK)
        return status;
    sigprocmask(SIG_BLOCK, &signals, &before);
    sigaction(SIGPIPE, &ignore, &broken_pipe);
    raise_limit(&limit);
    hurry();
    door->program = launched.pid;
    cs_pmu_machine_set_program(door->machine, launched.pid);
    if (launched.prepared != 0)
        door->result->no_sysfs = why_not_shown(launched.prepared);
    door->listener = launched.listener;
    door->steady = launched.steady;
    cs_notice_hurry(door->listener);
    listen_to(door, door->listener, &door->listener);
    cs_door_serve(door, false);
    if (!door->ended)
        waitpid(door->program, &door->result->ended, 0);
    door->result->why = cs_launch_why(&launched);
    serve_those_left(door);
    setrlimit(RLIMIT_NOFILE, &limit);
    sigaction(SIGPIPE, &broken_pipe, NULL);
    sigprocmask(SIG_SETMASK, &before, NULL);
    return CS_OK;
}

cs_status cs_pmu_run(const cs_pmu_options *options, char *const argv[], cs_pmu_result *result,
                     cs_diag *diag)
{
    cs_door door = {.options = options,
                    .result = result,
                    .listener = -1,
                    .epoll = -1,
                    .closings = -1,
                    .deaths = -1,
                    .dying = -1,
                    .timer = -1,
                    .signals = -1};
    const cs_launch launch = {
        .argv = argv, .prepare = options->no_sysfs ? NULL : show_pmus, .ctx = &door};
    cs_status status;

    *result = (cs_pmu_result){0};
    status = make_perf(&door, diag);
    if (status == CS_OK)
        status = run(&door, &launch, diag);
    destroy(&door);
    if (door.truth == NULL)
        return status;
    if (status == CS_OK && result->why == 0)
        return cs_pmu_truth_finish(door.truth, diag);
    cs_pmu_truth_abandon(door.truth);
    return status;
}
