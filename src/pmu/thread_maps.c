// SPDX-License-Identifier: Apache-2.0
/* MMAP records. The kernel writes one at each mmap; we look now and then at all that is mapped. */
#include <stdlib.h>
#include <string.h>

#include "base/room.h"
#include "pmu/thread_impl.h"

typedef struct walk {
    cs_threads *tasks;
    cs_thread *task;
    bool tell;
} walk;

static bool knows(const cs_thread *task, const cs_told_mapping *m)
{
    for (size_t i = 0; i < task->nr_mappings; i++)
        if (memcmp(&task->mappings[i], m, sizeof *m) == 0)
            return true;
    return false;
}

static void note(cs_thread *task, const cs_told_mapping *m)
{
    cs_told_mapping *moved =
        cs_room(task->mappings, &task->room_mappings, task->nr_mappings, sizeof *m);

    if (moved == NULL) /* it is told again: readers take the newest */
        return;
    task->mappings = moved;
    task->mappings[task->nr_mappings++] = *m;
}

static void tell(cs_threads *tasks, const cs_thread *task, const cs_proc_mapping *m)
{
    const cs_perf_mapping told = {.addr = m->begin,
                                  .length = m->end - m->begin,
                                  .offset = m->offset,
                                  .prot = m->prot,
                                  .flags = m->flags,
                                  .major = m->major,
                                  .minor = m->minor,
                                  .inode = m->inode,
                                  .file = m->file[0] != '\0' ? m->file : "//anon"};

    cs_perf_task_mmap(tasks->perf, task->who.tid, &told);
}

static void look(void *ctx, const cs_proc_mapping *m)
{
    const walk *w = ctx;
    const cs_told_mapping one = {m->begin, m->end, m->offset, m->inode};

    if (knows(w->task, &one))
        return;
    note(w->task, &one);
    if (w->tell)
        tell(w->tasks, w->task, m);
}

void cs_thread_find_mappings(cs_threads *tasks, cs_thread *task, bool tell_them)
{
    walk w = {tasks, task, tell_them};

    cs_proc_mappings((pid_t)task->who.pid, look, &w);
}

void cs_thread_forget_mappings(cs_thread *task)
{
    task->nr_mappings = 0;
}

void cs_thread_copy_mappings(cs_thread *child, const cs_thread *parent)
{
    if (parent->nr_mappings == 0)
        return;
    child->mappings = malloc(parent->nr_mappings * sizeof *child->mappings);
    if (child->mappings == NULL)
        return;
    memcpy(child->mappings, parent->mappings, parent->nr_mappings * sizeof *child->mappings);
    child->nr_mappings = child->room_mappings = parent->nr_mappings;
}
