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
    cs_threads *threads = calloc(1, sizeof *threads);

    if (threads == NULL)
        return NULL;
    threads->perf = perf;
    threads->step_ns = step_ns;
    threads->newest = cs_proc_newest();
    return threads;
}

static void free_thread(cs_thread *thread)
{
    if (thread->clock >= 0)
        close(thread->clock);
    cs_watch_end(thread->watch);
    free(thread->mappings);
    free(thread);
}

void cs_threads_destroy(cs_threads *threads)
{
    if (threads == NULL)
        return;
    for (cs_thread *thread = threads->first, *next; thread != NULL; thread = next) {
        next = thread->next;
        cs_process_leave(threads, thread);
        free_thread(thread);
    }
    free(threads);
}

void cs_threads_forked(cs_threads *threads)
{
    for (cs_thread *thread = threads->first; thread != NULL; thread = thread->next)
        cs_watch_forked(thread->watch);
}

static cs_thread **bucket(const cs_threads *threads, pid_t tid)
{
    return (cs_thread **)&threads->buckets[(unsigned)tid % CS_THREAD_BUCKETS];
}

cs_thread *cs_thread_of(const cs_threads *threads, pid_t tid)
{
    cs_thread *thread = *bucket(threads, tid);

    while (thread != NULL && thread->who.tid != (uint32_t)tid)
        thread = thread->next_of_bucket;
    return thread;
}

pid_t cs_threads_process(const cs_threads *threads, pid_t tid)
{
    const cs_thread *thread = cs_thread_of(threads, tid);

    return thread != NULL ? (pid_t)thread->who.pid : 0;
}

void cs_thread_remove(cs_threads *threads, cs_thread *thread)
{
    cs_thread **at = bucket(threads, (pid_t)thread->who.tid);

    while (*at != thread)
        at = &(*at)->next_of_bucket;
    *at = thread->next_of_bucket;
    at = &threads->first;
    while (*at != thread)
        at = &(*at)->next;
    *at = thread->next;
    threads->nr--;
    cs_process_leave(threads, thread);
    cs_perf_task_exit(threads->perf, thread->who.tid);
    free_thread(thread);
}

/* ---- coming ---- */

/* The core hears of it; what it did before does not count unless it was forked here. */
static int introduce(cs_threads *threads, cs_thread *thread, const cs_thread *parent)
{
    cs_proc_status status;
    int error;

    if (parent != NULL) {
        cs_thread_copy_mappings(thread, parent);
        return cs_perf_task_fork(threads->perf, parent->who.tid, &thread->who);
    }
    cs_proc_ran(thread->clock, &thread->ran);
    error = cs_perf_task_add(threads->perf, &thread->who, thread->comm);
    if (error == 0 && cs_proc_status_of((pid_t)thread->who.tid, &status))
        cs_perf_task_set_parent(threads->perf, thread->who.tid,
                                &(cs_perf_who){(uint32_t)status.parent, (uint32_t)status.parent});
    return error;
}

static void link_thread(cs_threads *threads, cs_thread *thread)
{
    cs_thread **list = bucket(threads, (pid_t)thread->who.tid);

    thread->order = threads->nr_order++;
    thread->next = threads->first;
    threads->first = thread;
    thread->next_of_bucket = *list;
    *list = thread;
    threads->nr++;
}

/* It is not known yet, but the core shall hear of it as the child of `parent`; NULL: of nobody. */
static cs_thread *put(cs_threads *threads, cs_perf_who who, const cs_thread *parent)
{
    cs_thread *thread = calloc(1, sizeof *thread);
    cs_proc_stat stat;

    if (thread == NULL)
        return NULL;
    thread->who = who;
    thread->clock = cs_proc_clock((pid_t)who.pid, (pid_t)who.tid);
    cs_proc_stat_of((pid_t)who.tid, &stat);
    memcpy(thread->comm, stat.comm, sizeof thread->comm);
    thread->stack = stat.stack;
    if (thread->clock < 0 || !cs_process_join(threads, thread, parent != NULL)) {
        free_thread(thread);
        return NULL;
    }
    if (introduce(threads, thread, parent) != 0) {
        cs_process_leave(threads, thread);
        free_thread(thread);
        return NULL;
    }
    if (threads->watching)
        thread->watch = cs_watch_begin((pid_t)who.tid);
    link_thread(threads, thread);
    return thread;
}

/* Nobody has said which thread has made another one: one whose events can be inherited. */
static const cs_thread *maker(const cs_threads *threads, pid_t pid)
{
    const cs_thread *leader = cs_thread_of(threads, pid);

    if (leader == NULL || cs_perf_cares(threads->perf, leader->who.tid))
        return leader;
    for (const cs_thread *thread = threads->first; thread != NULL; thread = thread->next)
        if (thread->who.pid == (uint32_t)pid && cs_perf_cares(threads->perf, thread->who.tid))
            return thread;
    return leader;
}

/* The one that has made it, where that is known. */
static const cs_thread *parent_of(const cs_threads *threads, pid_t tid,
                                  const cs_proc_status *status)
{
    return maker(threads, status->pid != tid ? status->pid : status->parent);
}

/* As the child of one that is known. NULL: it is not, or the thread is gone. */
static cs_thread *find(cs_threads *threads, pid_t tid, cs_proc_status *status)
{
    const cs_thread *parent;

    if (!cs_proc_status_of(tid, status))
        return NULL;
    parent = parent_of(threads, tid, status);
    return parent != NULL
               ? put(threads, (cs_perf_who){(uint32_t)status->pid, (uint32_t)tid}, parent)
               : NULL;
}

static void look_at(void *ctx, pid_t tid)
{
    cs_threads *threads = ctx;
    cs_proc_status status;

    if (cs_thread_of(threads, tid) == NULL)
        find(threads, tid, &status);
}

/* Numbers are handed out in rising order, and begin anew when they reach their highest. */
void cs_threads_find_new(cs_threads *threads)
{
    const pid_t newest = cs_proc_newest();

    if (newest == threads->newest)
        return;
    cs_threads_settle(threads);
    for (pid_t tid = newest > threads->newest ? threads->newest + 1 : 2; tid <= newest; tid++)
        look_at(threads, tid);
    threads->newest = newest;
}

void cs_threads_find_threads(cs_threads *threads, pid_t pid)
{
    cs_proc_threads(pid, look_at, threads);
}

/* ---- what is there already ---- */

typedef struct adding {
    cs_threads *threads;
    pid_t pid;
} adding;

static void add_thread(void *ctx, pid_t tid)
{
    const adding *a = ctx;

    if (cs_thread_of(a->threads, tid) == NULL)
        put(a->threads, (cs_perf_who){(uint32_t)a->pid, (uint32_t)tid}, NULL);
}

static void add_family(cs_threads *threads, pid_t pid);

/* Children that it has now have inherited nothing: that must be known of them before they exec or end. */
static void add_children(cs_threads *threads, pid_t pid)
{
    DIR *proc = opendir("/proc");
    const struct dirent *entry;
    cs_proc_status status;

    while (proc != NULL && (entry = readdir(proc)) != NULL) {
        const pid_t child = (pid_t)strtol(entry->d_name, NULL, 10);

        if (child > 0 && cs_thread_of(threads, child) == NULL &&
            cs_proc_status_of(child, &status) && status.parent == pid)
            add_family(threads, child);
    }
    if (proc != NULL)
        closedir(proc);
}

static void add_family(cs_threads *threads, pid_t pid)
{
    adding a = {threads, pid};

    cs_proc_threads(pid, add_thread, &a);
    add_children(threads, pid);
}

bool cs_threads_know(cs_threads *threads, pid_t tid)
{
    cs_proc_status status = {0};

    if (cs_thread_of(threads, tid) != NULL)
        return true;
    cs_threads_settle(threads);
    if (find(threads, tid, &status) != NULL)
        return true;
    if (status.pid != 0)
        add_family(threads, status.pid);
    return cs_thread_of(threads, tid) != NULL;
}

/* ---- where they are ---- */

void cs_threads_watch(cs_threads *threads)
{
    if (threads->watching || threads->step_ns != 0)
        return;
    threads->watching = true;
    for (cs_thread *thread = threads->first; thread != NULL; thread = thread->next)
        thread->watch = cs_watch_begin((pid_t)thread->who.tid);
}

/* Where it began: until it has been seen anywhere. */
static uint64_t entry_of(cs_thread *thread)
{
    if (thread->entry == 0)
        thread->entry = cs_proc_entry((pid_t)thread->who.pid);
    return thread->entry;
}

bool cs_threads_where(cs_threads *threads, pid_t tid, uint64_t time_ns, cs_perf_where *out)
{
    cs_thread *thread = cs_thread_of(threads, tid);

    if (thread == NULL || threads->step_ns != 0)
        return false;
    if (thread->watch != NULL && cs_watch_where(thread->watch, time_ns, out))
        return true;
    *out = (cs_perf_where){.ip = cs_proc_pc(tid)};
    if (out->ip == 0)
        out->ip = entry_of(thread);
    return out->ip != 0;
}
