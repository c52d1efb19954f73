// SPDX-License-Identifier: Apache-2.0
/* The loop: calls are answered one after the other; in between time passes. */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "pmu/door.h"
#include "pmu/host/range.h"

#define TICK_NS 5000000
/* Where rings are so small that they cannot hold what comes in that time. */
#define LEAST_TICK_NS 150000
/* While POLLIN is set: the program may have consumed the data. */
#define FIRST_LOOK_NS 50000
/* A reader that runs, or waits for a CPU, is looked at again: after so long, then more and more seldom, 20 ms in all. */
#define HIDDEN_FIRST_NS 50000
#define HIDDEN_LAST_NS 4000000
#define SWEEP_NS 100000000
#define AT_ONCE 5

typedef struct call {
    int nr;
    void (*answer)(cs_door *door, cs_notice *notice);
} call;

static const call calls[] = {
    {SYS_perf_event_open, cs_call_open},
    {SYS_read, cs_call_read},
    {SYS_pread64, cs_call_read},
    {SYS_readv, cs_call_readv},
    {SYS_ioctl, cs_call_ioctl},
    {SYS_mmap, cs_call_mmap},
    {SYS_close, cs_call_close},
    {SYS_close_range, cs_call_close_range},
    {SYS_fcntl, cs_call_fcntl},
    {SYS_dup, cs_call_dup},
    {SYS_dup3, cs_call_dup},
#ifdef SYS_dup2
    {SYS_dup2, cs_call_dup},
#endif
    {SYS_execve, cs_call_exec},
    {SYS_execveat, cs_call_exec},
    {SYS_exit_group, cs_call_exit},
    {SYS_prctl, cs_call_prctl},
};

/* ---- execve, exit_group ---- */

void cs_call_exec(cs_door *door, cs_notice *notice)
{
    if (cs_perf_nr_events(door->perf) != 0 && cs_threads_know(door->threads, notice->tid))
        cs_threads_exec(door->threads, notice->tid);
    cs_door_doubt_all(door, notice->tid);
    cs_door_forget_all(door);
    cs_notice_pass(notice);
}

void cs_call_exit(cs_door *door, cs_notice *notice)
{
    if (cs_perf_nr_events(door->perf) != 0)
        cs_threads_find_new(door->threads);
    cs_door_doubt_all(door, notice->tid);
    cs_door_death_begin(door, cs_threads_process(door->threads, notice->tid));
    cs_threads_end(door->threads, notice->tid);
    cs_door_death_end(door);
    cs_door_forget_all(door);
    cs_notice_pass(notice);
}

/* ---- rings ---- */

static uint64_t monotonic_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

void cs_door_show(cs_door *door)
{
    if (!cs_perf_show(door->perf))
        door->hidden_ns = 0;
    else if (door->hidden_ns == 0)
        door->hidden_ns = HIDDEN_FIRST_NS;
}

bool cs_door_is_patient(const cs_door *door)
{
    return door->hidden_ns < HIDDEN_LAST_NS;
}

static void show_again(cs_door *door)
{
    door->hidden_ns += door->hidden_ns / 4;
    cs_perf_hold(door->perf);
    cs_door_show(door);
}

/* ---- the timer ---- */

static long least(long a, long b)
{
    return a < b ? a : b;
}

/* How long until the next look, in ns; 0: none is needed. */
static long wait_of(const cs_door *door)
{
    if (cs_perf_nr_events(door->perf) == 0)
        return 0;
    if (door->hidden_ns != 0)
        return least(door->hidden_ns, door->tick_ns);
    return cs_handles_lit(door->handles) != 0 ? least(door->patience_ns, door->tick_ns)
                                              : door->tick_ns;
}

/* An earlier look than the one that is due already. */
static void set_timer(cs_door *door)
{
    const long ns = wait_of(door);
    const struct itimerspec once = {.it_value = {.tv_nsec = ns}};

    if (ns == 0 || (door->wait_ns != 0 && door->wait_ns <= ns))
        return;
    timerfd_settime(door->timer, 0, &once, NULL);
    door->wait_ns = ns;
}

void cs_door_light(cs_door *door, cs_handle *handle)
{
    cs_handle_light(handle);
    door->patience_ns = FIRST_LOOK_NS;
    door->lit_ns = monotonic_ns();
}

static void dim_consumed(cs_door *door)
{
    if (cs_handles_lit(door->handles) == 0)
        return;
    for (cs_handle *h = cs_handles_first(door->handles); h != NULL; h = h->next)
        if (h->lit && !cs_perf_unread(h->event))
            cs_handle_dim(h);
}

/* A program that has heard of data mostly takes it at once, and would be told again if it asked: we wait for that.
 * The longer it takes, the longer POLLIN may stay afterwards: an eighth of that time. */
static bool expects_reader(const cs_door *door)
{
    return cs_handles_lit(door->handles) != 0 && monotonic_ns() < door->lit_ns + FIRST_LOOK_NS;
}

static void grow_patience(cs_door *door)
{
    door->patience_ns += door->patience_ns / 8;
    if (door->patience_ns > TICK_NS)
        door->patience_ns = TICK_NS;
}

/* A real machine writes into a ring sample by sample, and its reader keeps up; we write what has come since the
 * last tick, at once. */
static void adapt_tick(cs_door *door)
{
    door->tick_ns = door->overrun ? door->tick_ns / 2 : door->tick_ns + door->tick_ns / 32;
    if (door->tick_ns < LEAST_TICK_NS)
        door->tick_ns = LEAST_TICK_NS;
    if (door->tick_ns > TICK_NS)
        door->tick_ns = TICK_NS;
    door->overrun = false;
}

static void tick(cs_door *door)
{
    const uint64_t now = monotonic_ns();
    uint64_t times;

    if (read(door->timer, &times, sizeof times) != (ssize_t)sizeof times)
        return;
    door->wait_ns = 0;
    dim_consumed(door);
    cs_door_signal_due(door);
    grow_patience(door);
    show_again(door);
    if (now < door->ticked_ns + (uint64_t)door->tick_ns)
        return;
    door->ticked_ns = now;
    cs_perf_hold(door->perf);
    cs_kernel_pass_records(door);
    if (door->options->step_ns == 0)
        cs_threads_catch_up_all(door->threads);
    cs_door_show(door);
    adapt_tick(door);
    if (now < door->swept_ns + SWEEP_NS)
        return;
    door->swept_ns = now;
    cs_door_sweep(door);
}

/* ---- what comes ---- */

void cs_door_send(cs_door *door, cs_notice *notice)
{
    if (notice->sent)
        return;
    cs_door_show(door);
    door->caller = 0;
    cs_notice_send(notice);
}

/* A read of few words that is none of an event's. */
static bool is_of_others(cs_door *door, const cs_notice *notice)
{
    return notice->nr == SYS_read && !cs_range_has((unsigned)notice->args[0]) &&
           (cs_perf_nr_events(door->perf) == 0 ||
            cs_door_handle(door, notice, notice->args[0]) == NULL);
}

static void answer(cs_door *door, cs_notice *notice)
{
    size_t i = 0;

    if (is_of_others(door, notice)) {
        cs_notice_pass(notice);
        cs_notice_send(notice);
        return;
    }
    door->result->calls++;
    cs_perf_hold(door->perf);
    cs_kernel_pass_records(door);
    door->caller = notice->tid;
    if (door->nr_swapped != 0)
        cs_door_put_back(door, notice);
    cs_threads_step(door->threads, notice->tid);
    while (i < sizeof calls / sizeof calls[0] && calls[i].nr != notice->nr)
        i++;
    if (i < sizeof calls / sizeof calls[0])
        calls[i].answer(door, notice);
    cs_notice_pass(notice);
    cs_kernel_follow(door);
    cs_door_signal_due(door);
    cs_door_send(door, notice);
}

/* False: nobody is left who could call. */
static bool listen(cs_door *door, uint32_t events)
{
    cs_notice notice;

    if ((events & EPOLLIN) != 0) {
        if (cs_notice_receive(door->listener, door->steady, &notice) == 0)
            answer(door, &notice);
        while (door->nr_kept != 0) {
            notice = door->kept[--door->nr_kept];
            answer(door, &notice);
        }
        return true;
    }
    return (events & (EPOLLHUP | EPOLLERR)) == 0;
}

/* False: the program has ended. */
static bool signalled(cs_door *door)
{
    struct signalfd_siginfo info;

    if (read(door->signals, &info, sizeof info) != (ssize_t)sizeof info)
        return true;
    if (info.ssi_signo != SIGCHLD) {
        /* One from the terminal has gone to the whole group. */
        if (info.ssi_code != SI_KERNEL)
            kill(door->program, (int)info.ssi_signo);
        return true;
    }
    door->ended = waitpid(door->program, &door->result->ended, WNOHANG) == door->program &&
                  !WIFSTOPPED(door->result->ended);
    return !door->ended;
}

static bool may_be_closed(const cs_door *door, const struct epoll_event *events, int nr)
{
    bool may = door->doubtful != NULL;

    for (int i = 0; i < nr; i++)
        may |= events[i].data.ptr == &door->closings;
    return may;
}

static bool come(cs_door *door, const struct epoll_event *events, int nr, bool lasting)
{
    bool on = true;

    /* First: a program that closes an event and opens another one has room for it. */
    if (may_be_closed(door, events, nr))
        cs_door_drain(door);
    for (int i = 0; i < nr; i++) {
        if (events[i].data.ptr == &door->deaths)
            cs_door_bury(door);
        if (events[i].data.ptr == &door->timer)
            tick(door);
        if (events[i].data.ptr == &door->listener)
            on = listen(door, events[i].events) && on;
        if (events[i].data.ptr == &door->signals)
            on = (signalled(door) || lasting) && on;
    }
    return on;
}

void cs_door_serve(cs_door *door, bool lasting)
{
    struct epoll_event events[AT_ONCE];
    bool on = true;

    door->tick_ns = TICK_NS;
    while (on) {
        int nr;

        set_timer(door);
        nr = epoll_wait(door->epoll, events, AT_ONCE, expects_reader(door) ? 0 : -1);
        if (nr > 0)
            on = come(door, events, nr, lasting);
        else if (nr == 0)
            dim_consumed(door);
        else if (nr < 0 && errno != EINTR)
            on = false;
    }
}
