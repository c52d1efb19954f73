// SPDX-License-Identifier: Apache-2.0
#include "scenario/work/process.h"

#include <stdlib.h>

#include "base/room.h"
#include "scenario/cpus.h"
#include "scenario/work/workload_spec.h"

const char *cs_scenario_process(const cs_scenario *s, uint32_t pid)
{
    const char *workload = NULL;

    for (size_t i = 0; i < s->nr_workloads; i++)
        for (size_t k = 0; k < s->workloads[i].nr_segments; k++) {
            const cs_segment_spec *segment = &s->workloads[i].segments[k];

            if (segment->pid != pid)
                continue;
            if (segment->process[0] != '\0')
                return segment->process;
            if (workload == NULL)
                workload = s->workloads[i].name;
        }
    return workload != NULL && pid == 0 ? "swapper" : workload;
}

/* ---- threads ---- */

typedef struct threads {
    cs_process_thread *list;
    size_t nr, room;
} threads;

/* Of guests are what runs in their modes. */
static bool is_seen(const cs_scenario *s, const cs_workload_spec *w, cs_privilege mode, bool guest)
{
    unsigned cpu = 0;

    while (cpu < cs_scenario_cpus(s) && !w->cpus[cpu])
        cpu++;
    if (cpu == cs_scenario_cpus(s))
        return false;
    const cs_cpu_class *kind = cs_scenario_cpu_class(s, cpu);

    return (kind->is_guest != NULL && kind->is_guest(mode)) == guest;
}

static bool add_threads(threads *t, const cs_scenario *s, const cs_workload_spec *w, uint32_t pid)
{
    for (unsigned cpu = 0; cpu < cs_scenario_cpus(s); cpu++) {
        cs_process_thread *list;

        if (!w->cpus[cpu])
            continue;
        list = cs_room(t->list, &t->room, t->nr, sizeof *list);
        if (list == NULL)
            return false;
        t->list = list;
        list[t->nr++] = (cs_process_thread){pid, cpu, pid};
    }
    return true;
}

static bool add_all(threads *t, const cs_scenario *s, bool guest)
{
    for (size_t i = 0; i < s->nr_workloads; i++) {
        const cs_workload_spec *w = &s->workloads[i];

        for (size_t k = 0; k < w->nr_segments; k++)
            if (is_seen(s, w, w->segments[k].mode, guest) &&
                !add_threads(t, s, w, w->segments[k].pid))
                return false;
    }
    return true;
}

static int by_thread(const void *a, const void *b)
{
    const cs_process_thread *x = a, *y = b;

    if (x->pid != y->pid)
        return (x->pid > y->pid) - (x->pid < y->pid);
    return (x->cpu > y->cpu) - (x->cpu < y->cpu);
}

static bool is_taken(const threads *t, uint32_t tid, size_t numbered)
{
    for (size_t i = 0; i < t->nr; i++)
        if (t->list[i].pid == tid || (i < numbered && t->list[i].tid == tid))
            return true;
    return false;
}

/* Each once, and with numbers as a kernel gives them: the next that are free. */
static void number_threads(threads *t)
{
    size_t kept = 0;

    if (t->nr != 0)
        qsort(t->list, t->nr, sizeof *t->list, by_thread);
    for (size_t i = 0; i < t->nr; i++)
        if (kept == 0 || by_thread(&t->list[kept - 1], &t->list[i]) != 0)
            t->list[kept++] = t->list[i];
    t->nr = kept;
    for (size_t i = 1; i < t->nr; i++) {
        cs_process_thread *thread = &t->list[i];

        if (thread->pid != thread[-1].pid || thread->pid == 0)
            continue;
        thread->tid = thread[-1].tid;
        do
            thread->tid++;
        while (is_taken(t, thread->tid, i));
    }
}

cs_status cs_scenario_threads(const cs_scenario *s, bool guest, cs_process_thread **out, size_t *nr,
                              cs_diag *diag)
{
    threads t = {0};

    *out = NULL;
    *nr = 0;
    if (!add_all(&t, s, guest)) {
        free(t.list);
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for threads");
    }
    number_threads(&t);
    *out = t.list;
    *nr = t.nr;
    return CS_OK;
}

uint32_t cs_process_thread_id(const cs_process_thread *threads, size_t nr, uint32_t pid,
                              unsigned cpu)
{
    const cs_process_thread key = {.pid = pid, .cpu = cpu};
    const cs_process_thread *found =
        nr != 0 ? bsearch(&key, threads, nr, sizeof *threads, by_thread) : NULL;

    return found != NULL ? found->tid : pid;
}
