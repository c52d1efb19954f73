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

static uint64_t machine_time(const cs_threads *tasks)
{
    struct timespec t;

    if (tasks->step_ns != 0)
        return tasks->now;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static uint64_t latest(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* ---- exec ---- */

static void end_other_threads(cs_threads *tasks, const cs_thread *task)
{
    for (cs_thread *other = tasks->first, *next; other != NULL; other = next) {
        next = other->next;
        if (other != task && other->who.pid == task->who.pid)
            cs_thread_remove(tasks, other);
    }
}

/* What it did before it asked was told then: from there on it is the new program's. */
static void become(cs_threads *tasks, cs_thread *task, const cs_proc_stat *stat)
{
    task->exec = false;
    task->stack = stat->stack;
    memcpy(task->comm, stat->comm, sizeof task->comm);
    end_other_threads(tasks, task);
    cs_perf_task_exec(tasks->perf, task->who.tid, task->comm);
    cs_thread_forget_mappings(task);
}

static void look(cs_threads *tasks, cs_thread *task, uint64_t now)
{
    const cs_perf_machine *machine = cs_perf_get_machine(tasks->perf);
    cs_proc_stat stat;

    if (!task->exec && task->looked != 0 && now < task->looked + LOOK_NS)
        return;
    if (!cs_proc_stat_of((pid_t)task->who.tid, &stat))
        return;
    task->looked = now;
    task->cpu = tasks->step_ns != 0 ? task->order % machine->nr_cpus : stat.cpu % machine->nr_cpus;
    if (task->exec && stat.stack != task->stack) {
        become(tasks, task, &stat);
    } else if (strcmp(stat.comm, task->comm) != 0) {
        memcpy(task->comm, stat.comm, sizeof task->comm);
        cs_perf_task_comm(tasks->perf, task->who.tid, task->comm);
    }
}

/* ---- running ---- */

/* Records of mappings come before the samples in them, as a reader needs them. */
static void look_at_mappings(cs_threads *tasks, cs_thread *task, uint64_t now)
{
    if (!tasks->mappings || task->exec || task->who.pid != task->who.tid)
        return;
    if (task->nr_mappings != 0 && now < task->scanned + SCAN_NS)
        return;
    task->scanned = now;
    cs_thread_find_mappings(tasks, task, true);
}

/* It has been on its CPU for so long, most lately. */
static void run(cs_threads *tasks, cs_thread *task, uint64_t now, uint64_t ns)
{
    const uint64_t begun = now > ns ? now - ns : 0;
    const uint64_t reached = latest(cs_perf_reached(tasks->perf, task->cpu), task->until);
    const uint64_t from = latest(begun, reached);

    task->until = from + ns;
    cs_perf_run(tasks->perf, task->who.tid, task->cpu, from, from + ns);
}

/* One that has been killed is there until its parent waits for it. */
static bool is_zombie(const cs_thread *task)
{
    cs_proc_stat stat;

    return cs_proc_stat_of((pid_t)task->who.tid, &stat) && stat.state == 'Z';
}

static bool rests(cs_thread *task, uint64_t now)
{
    if (task->exec || now < task->looked + STILL_NS)
        return true;
    task->looked = now;
    return !is_zombie(task);
}

static void go_on(cs_threads *tasks, cs_thread *task, uint64_t now, uint64_t ns)
{
    look(tasks, task, now);
    look_at_mappings(tasks, task, now);
    run(tasks, task, now, ns);
}

/* False: it has ended. */
static bool catch_up(cs_threads *tasks, cs_thread *task, uint64_t now)
{
    uint64_t ran, before = task->ran;

    if (!cs_proc_ran(task->clock, &ran))
        return false;
    task->ran = ran;
    if (tasks->step_ns != 0) {
        look(tasks, task, now);
        return !is_zombie(task);
    }
    if (!cs_perf_cares(tasks->perf, task->who.tid))
        return true;
    if (ran == before)
        return rests(task, now);
    go_on(tasks, task, now, ran - before);
    return true;
}

void cs_threads_catch_up_all(cs_threads *tasks)
{
    cs_threads_find_new(tasks);
    const uint64_t now = machine_time(tasks);

    for (cs_thread *task = tasks->first, *next; task != NULL; task = next) {
        next = task->next;
        if (!catch_up(tasks, task, now))
            cs_thread_remove(tasks, task);
    }
    cs_perf_idle(tasks->perf, now);
}

void cs_threads_catch_up(cs_threads *tasks, pid_t tid)
{
    cs_thread *task = cs_thread_of(tasks, tid);
    const uint64_t now = machine_time(tasks);

    if (tasks->nr <= FEW) {
        cs_threads_catch_up_all(tasks);
        return;
    }
    if (task != NULL && !catch_up(tasks, task, now))
        cs_thread_remove(tasks, task);
    cs_perf_idle(tasks->perf, now);
}

void cs_threads_step(cs_threads *tasks, pid_t tid)
{
    cs_thread *task = cs_thread_of(tasks, tid);

    if (tasks->step_ns == 0)
        return;
    tasks->now += tasks->step_ns;
    if (task == NULL)
        return;
    if (cs_perf_cares(tasks->perf, task->who.tid))
        go_on(tasks, task, tasks->now, tasks->step_ns);
}

/* ---- what becomes of them ---- */

void cs_threads_exec(cs_threads *tasks, pid_t tid)
{
    cs_thread *task;

    cs_threads_catch_up(tasks, tid);
    task = cs_thread_of(tasks, tid);
    if (task != NULL)
        task->exec = true;
}

void cs_threads_end(cs_threads *tasks, pid_t tid)
{
    const pid_t pid = cs_threads_process(tasks, tid);
    cs_thread *leader = cs_thread_of(tasks, pid);

    if (pid == 0)
        return;
    cs_threads_find_threads(tasks, pid);
    if (leader != NULL)
        leader->scanned = 0;
    cs_threads_catch_up_all(tasks);
    for (cs_thread *task = tasks->first, *next; task != NULL; task = next) {
        next = task->next;
        if (task->who.pid == (uint32_t)pid)
            cs_thread_remove(tasks, task);
    }
}

void cs_threads_tell_mappings(cs_threads *tasks)
{
    if (tasks->mappings)
        return;
    tasks->mappings = true;
    for (cs_thread *task = tasks->first; task != NULL; task = task->next)
        if (task->who.pid == task->who.tid)
            cs_thread_find_mappings(tasks, task, false);
}
