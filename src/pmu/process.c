// SPDX-License-Identifier: Apache-2.0
/* How much each thread has been on a CPU. The kernel says it of a process exactly, but of a thread only as
 * of when it last left its CPU; and nothing of a thread that has ended. What a process has done and none
 * of its threads owns up to is that of those that run now, or have ended since. */
#include <stdlib.h>

#include "pmu/thread_impl.h"

static cs_process *process_of(cs_threads *threads, pid_t pid)
{
    cs_process *process = threads->processes;

    while (process != NULL && process->pid != pid)
        process = process->next;
    return process;
}

bool cs_process_join(cs_threads *threads, cs_thread *thread, bool forked)
{
    cs_process *process = process_of(threads, (pid_t)thread->who.pid);

    if (process == NULL) {
        process = calloc(1, sizeof *process);
        if (process == NULL)
            return false;
        process->pid = (pid_t)thread->who.pid;
        if (!forked)
            cs_proc_process_ran(process->pid, &process->fed);
        process->next = threads->processes;
        threads->processes = process;
    }
    thread->process = process;
    thread->next_of_process = process->first;
    process->first = thread;
    process->nr++;
    return true;
}

void cs_process_leave(cs_threads *threads, cs_thread *thread)
{
    cs_process *process = thread->process, **at = &threads->processes;
    cs_thread **member = &process->first;

    while (*member != thread)
        member = &(*member)->next_of_process;
    *member = thread->next_of_process;
    if (--process->nr != 0)
        return;
    while (*at != process)
        at = &(*at)->next;
    *at = process->next;
    free(process);
}

/* ---- accounts ---- */

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* What the process has done, beyond what its threads have been given. */
static uint64_t open_account(const cs_process *process)
{
    uint64_t all;

    if (!cs_proc_process_ran(process->pid, &all))
        return UINT64_MAX; /* it is gone: its threads say what they can */
    return all > process->fed ? all - process->fed : 0;
}

/* What the thread owns up to, within `open`. */
static uint64_t own(cs_thread *thread, uint64_t open)
{
    uint64_t ran;

    thread->gone = !cs_proc_ran(thread->clock, &ran);
    thread->due = !thread->gone && ran > thread->ran ? least(ran - thread->ran, open) : 0;
    return thread->due;
}

static bool may_have_more(const cs_thread *thread)
{
    return thread->gone || cs_proc_runs((pid_t)thread->who.tid);
}

static void spread(cs_process *process, uint64_t open)
{
    cs_thread *with[64];
    size_t nr = 0;

    for (cs_thread *t = process->first; t != NULL && nr < sizeof with / sizeof with[0];
         t = t->next_of_process)
        if (process->nr == 1 || may_have_more(t))
            with[nr++] = t;
    if (nr == 0) /* of threads that came and went unseen */
        with[nr++] = process->first;
    for (size_t i = 0; i < nr; i++)
        with[i]->due += open / nr + (i < open % nr);
}

void cs_process_account(cs_process *process)
{
    uint64_t open = open_account(process);
    const bool known = open != UINT64_MAX;

    for (cs_thread *t = process->first; t != NULL; t = t->next_of_process)
        open -= own(t, open);
    if (known && open != 0)
        spread(process, open);
}

void cs_process_account_one(cs_thread *thread)
{
    own(thread, open_account(thread->process));
}

void cs_process_account_waiting(cs_thread *thread)
{
    own(thread, UINT64_MAX);
}
