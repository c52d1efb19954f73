// SPDX-License-Identifier: Apache-2.0
/* Which threads there are, and whose children they are. */
#define _GNU_SOURCE
#include "pmu/thread.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pmu/thread_impl.h"

cs_threads *cs_threads_create(cs_perf *perf, uint64_t step_ns)
{
    cs_threads *tasks = calloc(1, sizeof *tasks);

    if (tasks == NULL)
        return NULL;
    tasks->perf = perf;
    tasks->step_ns = step_ns;
    tasks->newest = cs_proc_newest();
    return tasks;
}

static void free_task(cs_thread *task)
{
    if (task->clock >= 0)
        close(task->clock);
    cs_watch_end(task->watch);
    free(task->mappings);
    free(task);
}

void cs_threads_destroy(cs_threads *tasks)
{
    if (tasks == NULL)
        return;
    for (cs_thread *task = tasks->first, *next; task != NULL; task = next) {
        next = task->next;
        free_task(task);
    }
    free(tasks);
}

static cs_thread **bucket(const cs_threads *tasks, pid_t tid)
{
    return (cs_thread **)&tasks->buckets[(unsigned)tid % CS_THREAD_BUCKETS];
}

cs_thread *cs_thread_of(const cs_threads *tasks, pid_t tid)
{
    cs_thread *task = *bucket(tasks, tid);

    while (task != NULL && task->who.tid != (uint32_t)tid)
        task = task->next_of_bucket;
    return task;
}

pid_t cs_threads_process(const cs_threads *tasks, pid_t tid)
{
    const cs_thread *task = cs_thread_of(tasks, tid);

    return task != NULL ? (pid_t)task->who.pid : 0;
}

void cs_thread_remove(cs_threads *tasks, cs_thread *task)
{
    cs_thread **at = bucket(tasks, (pid_t)task->who.tid);

    while (*at != task)
        at = &(*at)->next_of_bucket;
    *at = task->next_of_bucket;
    at = &tasks->first;
    while (*at != task)
        at = &(*at)->next;
    *at = task->next;
    tasks->nr--;
    cs_perf_task_exit(tasks->perf, task->who.tid);
    free_task(task);
}

/* ---- coming ---- */

/* It is not known yet, but the core shall hear of it as the child of `parent`; NULL: of nobody. */
static cs_thread *put(cs_threads *tasks, cs_perf_who who, const cs_thread *parent)
{
    cs_thread *task = calloc(1, sizeof *task);
    cs_proc_stat stat;
    int status;

    if (task == NULL)
        return NULL;
    task->who = who;
    task->clock = cs_proc_clock((pid_t)who.pid, (pid_t)who.tid);
    cs_proc_stat_of((pid_t)who.tid, &stat);
    memcpy(task->comm, stat.comm, sizeof task->comm);
    task->stack = stat.stack;
    status = parent != NULL ? cs_perf_task_fork(tasks->perf, parent->who.tid, &who)
                            : cs_perf_task_add(tasks->perf, &who, task->comm);
    if (status != 0 || task->clock < 0) {
        free_task(task);
        return NULL;
    }
    if (parent != NULL)
        cs_thread_copy_mappings(task, parent);
    else
        cs_proc_ran(task->clock, &task->ran); /* what was before does not count */
    task->order = tasks->nr_order++;
    if (tasks->watching)
        task->watch = cs_watch_begin((pid_t)who.tid);
    task->next = tasks->first;
    tasks->first = task;
    task->next_of_bucket = *bucket(tasks, (pid_t)who.tid);
    *bucket(tasks, (pid_t)who.tid) = task;
    tasks->nr++;
    return task;
}

/* Nobody has said which thread has made another one: one whose events can be inherited. */
static const cs_thread *maker(const cs_threads *tasks, pid_t pid)
{
    const cs_thread *leader = cs_thread_of(tasks, pid);

    if (leader == NULL || cs_perf_cares(tasks->perf, leader->who.tid))
        return leader;
    for (const cs_thread *task = tasks->first; task != NULL; task = task->next)
        if (task->who.pid == (uint32_t)pid && cs_perf_cares(tasks->perf, task->who.tid))
            return task;
    return leader;
}

/* The one that has made it, where that is known. */
static const cs_thread *parent_of(const cs_threads *tasks, pid_t tid, const cs_proc_status *status)
{
    return maker(tasks, status->pid != tid ? status->pid : status->parent);
}

/* As the child of one that is known. NULL: it is not, or the thread is gone. */
static cs_thread *find(cs_threads *tasks, pid_t tid, cs_proc_status *status)
{
    const cs_thread *parent;

    if (!cs_proc_status_of(tid, status))
        return NULL;
    parent = parent_of(tasks, tid, status);
    return parent != NULL ? put(tasks, (cs_perf_who){(uint32_t)status->pid, (uint32_t)tid}, parent)
                          : NULL;
}

static void look_at(void *ctx, pid_t tid)
{
    cs_threads *tasks = ctx;
    cs_proc_status status;

    if (cs_thread_of(tasks, tid) == NULL)
        find(tasks, tid, &status);
}

/* Numbers are handed out in rising order, and begin anew when they reach their highest. */
void cs_threads_find_new(cs_threads *tasks)
{
    const pid_t newest = cs_proc_newest();

    if (newest == tasks->newest)
        return;
    for (pid_t tid = newest > tasks->newest ? tasks->newest + 1 : 2; tid <= newest; tid++)
        look_at(tasks, tid);
    tasks->newest = newest;
}

void cs_threads_find_threads(cs_threads *tasks, pid_t pid)
{
    cs_proc_threads(pid, look_at, tasks);
}

/* ---- what is there already ---- */

typedef struct adding {
    cs_threads *tasks;
    pid_t pid;
} adding;

static void add_thread(void *ctx, pid_t tid)
{
    const adding *a = ctx;

    if (cs_thread_of(a->tasks, tid) == NULL)
        put(a->tasks, (cs_perf_who){(uint32_t)a->pid, (uint32_t)tid}, NULL);
}

static void add_family(cs_threads *tasks, pid_t pid);

/* Children that it has now have inherited nothing: that must be known of them before they exec or end. */
static void add_children(cs_threads *tasks, pid_t pid)
{
    DIR *proc = opendir("/proc");
    const struct dirent *entry;
    cs_proc_status status;

    while (proc != NULL && (entry = readdir(proc)) != NULL) {
        const pid_t child = (pid_t)strtol(entry->d_name, NULL, 10);

        if (child > 0 && cs_thread_of(tasks, child) == NULL && cs_proc_status_of(child, &status) &&
            status.parent == pid)
            add_family(tasks, child);
    }
    if (proc != NULL)
        closedir(proc);
}

static void add_family(cs_threads *tasks, pid_t pid)
{
    adding a = {tasks, pid};

    cs_proc_threads(pid, add_thread, &a);
    add_children(tasks, pid);
}

bool cs_threads_know(cs_threads *tasks, pid_t tid)
{
    cs_proc_status status = {0};

    if (cs_thread_of(tasks, tid) != NULL || find(tasks, tid, &status) != NULL)
        return true;
    if (status.pid != 0)
        add_family(tasks, status.pid);
    return cs_thread_of(tasks, tid) != NULL;
}

/* ---- where they are ---- */

void cs_threads_watch(cs_threads *tasks)
{
    if (tasks->watching || tasks->step_ns != 0)
        return;
    tasks->watching = true;
    for (cs_thread *task = tasks->first; task != NULL; task = task->next)
        task->watch = cs_watch_begin((pid_t)task->who.tid);
}

bool cs_threads_where(cs_threads *tasks, pid_t tid, uint64_t time_ns, cs_perf_where *out)
{
    const cs_thread *task = cs_thread_of(tasks, tid);

    if (task == NULL || tasks->step_ns != 0)
        return false;
    if (task->watch != NULL && cs_watch_where(task->watch, time_ns, out))
        return true;
    *out = (cs_perf_where){.ip = cs_proc_pc(tid)};
    return out->ip != 0;
}
