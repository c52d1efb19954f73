// SPDX-License-Identifier: Apache-2.0
/* MMAP records. The kernel writes one at each mmap and mprotect; we look now and then at all that is mapped. */
#include <stdlib.h>
#include <string.h>

#include "base/room.h"
#include "pmu/thread_impl.h"

typedef struct walk {
    cs_threads *threads;
    cs_thread *thread;
    const cs_thread *by;
} walk;

static bool knows(const cs_thread *thread, const cs_told_mapping *m)
{
    for (size_t i = 0; i < thread->nr_mappings; i++)
        if (memcmp(&thread->mappings[i], m, sizeof *m) == 0)
            return true;
    return false;
}

/* What was there before may come again. */
static void forget_overlapped(cs_thread *thread, const cs_told_mapping *m)
{
    size_t kept = 0;

    for (size_t i = 0; i < thread->nr_mappings; i++)
        if (thread->mappings[i].end <= m->begin || m->end <= thread->mappings[i].begin)
            thread->mappings[kept++] = thread->mappings[i];
    thread->nr_mappings = kept;
}

static void note(cs_thread *thread, const cs_told_mapping *m)
{
    cs_told_mapping *moved;

    forget_overlapped(thread, m);
    moved = cs_room(thread->mappings, &thread->room_mappings, thread->nr_mappings, sizeof *m);
    if (moved == NULL) /* it is told again: readers take the newest */
        return;
    thread->mappings = moved;
    thread->mappings[thread->nr_mappings++] = *m;
}

static void tell(cs_threads *threads, const cs_thread *thread, const cs_proc_mapping *m)
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

    cs_perf_task_mmap(threads->perf, thread->who.tid, &told);
}

/* A page of the kernel's that every process has: no mmap has made it. */
static bool is_of_the_kernel(const cs_proc_mapping *m)
{
    return strcmp(m->file, "[vsyscall]") == 0;
}

static void look(void *ctx, const cs_proc_mapping *m)
{
    const walk *w = ctx;
    const cs_told_mapping one = {m->begin, m->end, m->offset, m->inode, m->prot};

    if (knows(w->thread, &one) || is_of_the_kernel(m))
        return;
    note(w->thread, &one);
    if (w->by != NULL)
        tell(w->threads, w->by, m);
}

void cs_thread_find_mappings(cs_threads *threads, cs_thread *thread, const cs_thread *by)
{
    walk w = {threads, thread, by};

    cs_proc_mappings((pid_t)thread->who.pid, look, &w);
}

void cs_thread_forget_mappings(cs_thread *thread)
{
    thread->nr_mappings = 0;
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
