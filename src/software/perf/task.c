// SPDX-License-Identifier: Apache-2.0
/* Threads: who there is, and what becomes of their events when they begin, execute and end. */
#include "software/perf/impl.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

static cs_perf_task_list *task_slot(const cs_perf *perf, uint32_t tid)
{
    return (cs_perf_task_list *)&perf->tasks[tid % CS_PERF_TASK_SLOTS];
}

cs_perf_task *cs_perf_task_find(const cs_perf *perf, uint32_t tid)
{
    cs_perf_task *t;

    TAILQ_FOREACH (t, task_slot(perf, tid), in_slot)
        if (t->who.tid == tid)
            return t;
    return NULL;
}

static void task_name(cs_perf_task *task, const char *comm)
{
    snprintf(task->comm, sizeof task->comm, "%s", comm);
}

static void task_find_work(cs_perf_task *task)
{
    const cs_perf_calls *calls = &task->perf->calls;

    task->work = calls->work(calls->ctx, &task->who, task->comm);
}

static int task_new(cs_perf *perf, const cs_perf_who *who, const char *comm, cs_perf_task **out)
{
    if (cs_perf_task_find(perf, who->tid) != NULL)
        return -EEXIST;
    cs_perf_task *t = calloc(1, sizeof *t);
    if (t == NULL)
        return -ENOMEM;
    t->perf = perf;
    t->who = *who;
    task_name(t, comm);
    task_find_work(t);
    cs_perf_context_init(&t->ctx, t);
    TAILQ_INSERT_TAIL(task_slot(perf, who->tid), t, in_slot);
    *out = t;
    return 0;
}

void cs_perf_task_free(cs_perf_task *task)
{
    TAILQ_REMOVE(task_slot(task->perf, task->who.tid), task, in_slot);
    free(task);
}

int cs_perf_task_add(cs_perf *perf, const cs_perf_who *who, const char *comm)
{
    cs_perf_task *task;

    return task_new(perf, who, comm, &task);
}

int cs_perf_task_set_parent(cs_perf *perf, uint32_t tid, const cs_perf_who *parent)
{
    cs_perf_task *task = cs_perf_task_find(perf, tid);

    if (task == NULL)
        return -ESRCH;
    task->parent = *parent;
    return 0;
}

int cs_perf_task_fork(cs_perf *perf, uint32_t parent_tid, const cs_perf_who *who)
{
    cs_perf_task *parent = cs_perf_task_find(perf, parent_tid), *child;

    if (parent == NULL)
        return -ESRCH;
    int error = task_new(perf, who, parent->comm, &child);
    if (error != 0)
        return error;
    child->parent = parent->who;
    child->cpu = parent->cpu;
    child->knows_faults = true; /* it has had none */
    error = cs_perf_inherit(parent, child);
    if (error != 0) {
        cs_perf_leave_task(child);
        cs_perf_task_free(child);
        return error;
    }
    cs_perf_tell_fork(child);
    return 0;
}

/* ---- its name, and so its work ---- */

/* Whoever watches the thread is right up to now, by what it did so far. */
static void task_settle(cs_perf_task *task)
{
    cs_perf_event *e;

    TAILQ_FOREACH (e, &task->ctx.events, in_ctx)
        cs_perf_truth_settle(e);
    if (!task->current)
        return;
    cs_perf_cpu *cpu = &task->perf->cpus[task->cpu];
    TAILQ_FOREACH (e, &cpu->ctx.events, in_ctx)
        cs_perf_truth_settle(e);
    cs_perf_settle(cpu);
}

static void task_rename(cs_perf_task *task, const char *comm)
{
    task_settle(task);
    task_name(task, comm);
    task_find_work(task);
}

int cs_perf_task_comm(cs_perf *perf, uint32_t tid, const char *comm)
{
    cs_perf_task *task = cs_perf_task_find(perf, tid);

    if (task == NULL)
        return -ESRCH;
    task_rename(task, comm);
    cs_perf_tell_comm(task, false);
    return 0;
}

static void task_enable_on_exec(cs_perf_task *task)
{
    cs_perf_event *e, *next;

    for (e = TAILQ_FIRST(&task->ctx.events); e != NULL; e = next) {
        next = TAILQ_NEXT(e, in_ctx);
        if (cs_perf_has(e, CS_PERF_ATTR_REMOVE_ON_EXEC)) {
            cs_perf_leave_event(e);
        } else if (cs_perf_has(e, CS_PERF_ATTR_ENABLE_ON_EXEC)) {
            e->attr.flags &= ~CS_PERF_ATTR_ENABLE_ON_EXEC;
            cs_perf_enable_one(e);
        }
    }
}

int cs_perf_task_exec(cs_perf *perf, uint32_t tid, const char *comm)
{
    cs_perf_task *task = cs_perf_task_find(perf, tid);

    if (task == NULL)
        return -ESRCH;
    task_rename(task, comm);
    task_enable_on_exec(task);
    cs_perf_tell_comm(task, true);
    return 0;
}

/* ---- its end ---- */

int cs_perf_task_exit(cs_perf *perf, uint32_t tid)
{
    cs_perf_task *task = cs_perf_task_find(perf, tid);

    if (task == NULL)
        return -ESRCH;
    cs_perf_tell_exit(task);
    if (task->current)
        cs_perf_switch(&perf->cpus[task->cpu], NULL);
    cs_perf_leave_task(task);
    cs_perf_task_free(task);
    return 0;
}

bool cs_perf_cares(const cs_perf *perf, uint32_t tid)
{
    const cs_perf_task *task = cs_perf_task_find(perf, tid);

    return task != NULL && (perf->nr_cpu_events != 0 || task->ctx.nr_events != 0);
}
