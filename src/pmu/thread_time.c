// SPDX-License-Identifier: Apache-2.0
/* How the time of threads becomes the machine's. */
#define _POSIX_C_SOURCE 200809L
#include <string.h>
#include <time.h>

#include "pmu/thread.h"
#include "pmu/thread_impl.h"

/* On which CPU a thread is, and what it is called, is asked so often. */
#define LOOK_NS 1000000u
/* And whether it has ended, when it does not run. */
#define STILL_NS 10000000u
/* And what it has mapped. */
#define SCAN_NS 20000000u
/* With more threads than these a call brings only its own up to date, and the tick the others. */
#define FEW 8u

static uint64_t machine_time(const cs_threads *threads)
{
    struct timespec t;

    if (threads->step_ns != 0)
        return threads->now;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static uint64_t latest(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* ---- exec ---- */

static void end_other_threads(cs_threads *threads, const cs_thread *thread)
{
    for (cs_thread *other = threads->first, *next; other != NULL; other = next) {
        next = other->next;
        if (other != thread && other->who.pid == thread->who.pid)
            cs_thread_remove(threads, other);
    }
}

/* What it did before it asked was told then: from there on it is the new program's. */
static void become(cs_threads *threads, cs_thread *thread, const cs_proc_stat *stat)
{
    thread->exec = false;
    thread->stack = stat->stack;
    memcpy(thread->comm, stat->comm, sizeof thread->comm);
    end_other_threads(threads, thread);
    cs_perf_task_exec(threads->perf, thread->who.tid, thread->comm);
    cs_thread_forget_mappings(thread);
    thread->entry = 0;
    cs_watch_renew(thread->watch, machine_time(threads));
}

/* An exec that was asked for has been; the list of threads changes. */
static bool settle(cs_threads *threads, cs_thread *thread)
{
    cs_proc_stat stat;

    if (!thread->exec || !cs_proc_stat_of((pid_t)thread->who.tid, &stat) ||
        stat.stack == thread->stack)
        return false;
    become(threads, thread, &stat);
    return true;
}

void cs_threads_settle(cs_threads *threads)
{
    cs_thread *thread = threads->first;

    while (thread != NULL)
        thread = settle(threads, thread) ? threads->first : thread->next;
}

static void look(cs_threads *threads, cs_thread *thread, uint64_t now)
{
    const cs_perf_machine *machine = cs_perf_get_machine(threads->perf);
    cs_proc_stat stat;

    if (!threads->names && thread->looked != 0 && now < thread->looked + LOOK_NS)
        return;
    if (!cs_proc_stat_of((pid_t)thread->who.tid, &stat))
        return;
    thread->looked = now;
    thread->cpu =
        threads->step_ns != 0 ? thread->order % machine->nr_cpus : stat.cpu % machine->nr_cpus;
    if (thread->exec || strcmp(stat.comm, thread->comm) == 0)
        return;
    memcpy(thread->comm, stat.comm, sizeof thread->comm);
    cs_perf_task_comm(threads->perf, thread->who.tid, thread->comm);
}

/* ---- running ---- */

/* Records of mappings come before the samples in them, as a reader needs them. */
static void look_at_mappings(cs_threads *threads, cs_thread *thread, uint64_t now)
{
    if (!threads->mappings || thread->exec || thread->who.pid != thread->who.tid)
        return;
    if (thread->nr_mappings != 0 && now < thread->scanned + SCAN_NS)
        return;
    thread->scanned = now;
    cs_thread_find_mappings(threads, thread, thread);
}

/* It has been on its CPU for so long, most lately. */
static void run(cs_threads *threads, cs_thread *thread, uint64_t now, uint64_t ns)
{
    const uint64_t begun = now > ns ? now - ns : 0;
    const uint64_t reached = latest(cs_perf_reached(threads->perf, thread->cpu), thread->until);
    const uint64_t from = latest(begun, reached);

    thread->until = from + ns;
    cs_perf_run(threads->perf, thread->who.tid, thread->cpu, from, from + ns);
}

/* One that has been killed is there until its parent waits for it. */
static bool is_zombie(const cs_thread *thread)
{
    cs_proc_stat stat;

    return cs_proc_stat_of((pid_t)thread->who.tid, &stat) && stat.state == 'Z';
}

static bool access_lost(const cs_thread *thread)
{
    uint64_t ran;

    return !cs_proc_ran(thread->clock, &ran);
}

static bool rests(cs_thread *thread, uint64_t now)
{
    if (thread->exec || now < thread->looked + STILL_NS)
        return true;
    thread->looked = now;
    return !is_zombie(thread);
}

static void go_on(cs_threads *threads, cs_thread *thread, uint64_t now, uint64_t ns)
{
    look(threads, thread, now);
    look_at_mappings(threads, thread, now);
    run(threads, thread, now, ns);
}

/* What it is due. False: it has ended. */
static bool give(cs_threads *threads, cs_thread *thread, uint64_t now)
{
    const uint64_t ns = thread->due;

    thread->due = 0;
    thread->ran += ns;
    thread->process->fed += ns;
    if (!cs_perf_cares(threads->perf, thread->who.tid))
        return !thread->gone;
    if (ns != 0)
        go_on(threads, thread, now, ns);
    return !thread->gone && (ns != 0 || rests(thread, now));
}

static void give_all(cs_threads *threads, cs_process *process, uint64_t now)
{
    for (cs_thread *thread = process->first, *next; thread != NULL; thread = next) {
        next = thread->next_of_process;
        if (!give(threads, thread, now))
            cs_thread_remove(threads, thread);
    }
}

/* In steps nothing is due: only what has become of threads is looked at. */
static void look_at_all(cs_threads *threads, uint64_t now)
{
    for (cs_thread *thread = threads->first, *next; thread != NULL; thread = next) {
        next = thread->next;
        look(threads, thread, now);
        if (access_lost(thread) || is_zombie(thread))
            cs_thread_remove(threads, thread);
    }
}

void cs_threads_catch_up_all(cs_threads *threads)
{
    cs_threads_find_new(threads);
    cs_threads_settle(threads);
    const uint64_t now = machine_time(threads);

    if (threads->step_ns != 0)
        look_at_all(threads, now);
    for (cs_process *process = threads->processes, *next; process != NULL && threads->step_ns == 0;
         process = next) {
        next = process->next;
        cs_process_account(process);
        give_all(threads, process, now);
    }
    cs_perf_idle(threads->perf, now);
}

void cs_threads_catch_up(cs_threads *threads, pid_t tid)
{
    cs_thread *thread = cs_thread_of(threads, tid);

    if (threads->nr <= FEW || threads->step_ns != 0) {
        cs_threads_catch_up_all(threads);
        return;
    }
    cs_threads_settle(threads);
    const uint64_t now = machine_time(threads);

    if (thread != NULL) {
        cs_process_account_one(thread);
        if (!give(threads, thread, now))
            cs_thread_remove(threads, thread);
    }
    cs_perf_idle(threads->perf, now);
}

void cs_threads_catch_up_caller(cs_threads *threads, pid_t tid)
{
    cs_thread *thread = cs_thread_of(threads, tid);

    if (thread == NULL || thread->exec || threads->step_ns != 0) {
        cs_threads_catch_up(threads, tid);
        return;
    }
    cs_process_account_waiting(thread);
    give(threads, thread, machine_time(threads));
}

void cs_threads_step(cs_threads *threads, pid_t tid)
{
    cs_thread *thread;

    if (threads->step_ns == 0)
        return;
    threads->now += threads->step_ns;
    cs_threads_settle(threads);
    thread = cs_thread_of(threads, tid);
    if (thread == NULL)
        return;
    if (cs_perf_cares(threads->perf, thread->who.tid))
        go_on(threads, thread, threads->now, threads->step_ns);
}

/* ---- what becomes of them ---- */

void cs_threads_exec(cs_threads *threads, pid_t tid)
{
    cs_thread *thread;

    cs_threads_catch_up(threads, tid);
    thread = cs_thread_of(threads, tid);
    if (thread != NULL)
        thread->exec = true;
}

void cs_threads_end(cs_threads *threads, pid_t tid)
{
    const pid_t pid = cs_threads_process(threads, tid);
    cs_thread *leader;

    if (pid == 0)
        return;
    cs_threads_find_threads(threads, pid);
    cs_threads_settle(threads);
    leader = cs_thread_of(threads, pid);
    if (leader != NULL)
        leader->scanned = 0;
    cs_threads_catch_up_all(threads);
    for (cs_thread *thread = threads->first, *next; thread != NULL; thread = next) {
        next = thread->next;
        if (thread->who.pid == (uint32_t)pid)
            cs_thread_remove(threads, thread);
    }
}

void cs_threads_tell_mappings(cs_threads *threads)
{
    if (threads->mappings)
        return;
    threads->mappings = true;
    for (cs_thread *thread = threads->first; thread != NULL; thread = thread->next)
        if (thread->who.pid == thread->who.tid)
            cs_thread_find_mappings(threads, thread, NULL);
}

void cs_threads_look_at_mappings(cs_threads *threads, pid_t tid)
{
    const cs_thread *by = cs_thread_of(threads, tid);
    cs_thread *leader = by != NULL ? cs_thread_of(threads, (pid_t)by->who.pid) : NULL;

    if (threads->mappings && leader != NULL && !leader->exec)
        cs_thread_find_mappings(threads, leader, by);
}

void cs_threads_tell_names(cs_threads *threads)
{
    threads->names = true;
}
