// SPDX-License-Identifier: Apache-2.0
#include "traces/common/tasks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/room.h"
#include "scenario/work/process.h"
#include "scenario/work/workload_spec.h"
#include "traces/common/cpus.h"

#define PAGE UINT64_C(0x1000)
#define APART (UINT64_C(64) << 20) /* functions further apart are mapped on their own */

/* A function and whose it is. */
typedef struct piece {
    uint64_t base, end;
    uint32_t pid;
    bool kernel;
    const char *owner;    /* of a process: what its mapping is called */
    const char *function; /* its name */
} piece;

typedef struct builder {
    const cs_scenario *scenario;
    bool guest;
    piece *pieces;
    size_t nr_pieces, room;
    cs_trace_tasks *out;
} builder;

/* ---- what there is ---- */

static const cs_trace_cpu *cpu_of(const cs_scenario *s, const cs_workload_spec *w)
{
    unsigned cpu = 0;

    while (cpu < cs_scenario_cpus(s) && !w->cpus[cpu])
        cpu++;
    return cs_trace_cpu_of(s, cpu);
}

/* Whether the mode is one of those that the trace is about, and if so, whether it is a kernel's. */
static bool is_seen(const builder *b, const cs_trace_cpu *cpu, cs_privilege mode, uint64_t address,
                    bool *kernel)
{
    const bool of_guest = cpu->is_guest != NULL && cpu->is_guest(mode);

    *kernel = cpu->is_kernel(b->scenario, mode, address);
    return of_guest == b->guest;
}

static bool add_piece(builder *b, piece new)
{
    piece *pieces = cs_room(b->pieces, &b->room, b->nr_pieces, sizeof *pieces);

    if (pieces == NULL)
        return false;
    b->pieces = pieces;
    b->pieces[b->nr_pieces++] = new;
    return true;
}

static bool add_task(builder *b, uint32_t pid)
{
    cs_trace_tasks *t = b->out;
    cs_trace_task *tasks;

    for (size_t i = 0; i < t->nr_tasks; i++)
        if (t->tasks[i].pid == pid)
            return true;
    tasks = realloc(t->tasks, (t->nr_tasks + 1) * sizeof *tasks);
    if (tasks == NULL)
        return false;
    t->tasks = tasks;
    tasks[t->nr_tasks] = (cs_trace_task){.pid = pid};
    snprintf(tasks[t->nr_tasks++].comm, CS_TASK_COMM_BYTES, "%.15s",
             cs_scenario_process(b->scenario, pid));
    return true;
}

static bool add_mapping(cs_trace_tasks *t, cs_trace_mapping m)
{
    cs_trace_mapping *mappings = realloc(t->mappings, (t->nr_mappings + 1) * sizeof *mappings);

    if (mappings != NULL) {
        t->mappings = mappings;
        mappings[t->nr_mappings++] = m;
    }
    return mappings != NULL;
}

/* ---- real programs ---- */

static bool in_program(const cs_program_spec *program, const cs_function_spec *f)
{
    for (unsigned i = 0; program != NULL && i < program->nr_texts; i++)
        if (f->base >= program->texts[i].base &&
            f->base - program->texts[i].base < program->texts[i].size)
            return true;
    return false;
}

/* All that can be executed of it, once for each process. */
static bool map_program(cs_trace_tasks *t, uint32_t pid, const cs_program_spec *program)
{
    for (size_t i = 0; i < t->nr_mappings; i++)
        if (t->mappings[i].pid == pid && t->mappings[i].program == program)
            return true;
    for (unsigned i = 0; i < program->nr_texts; i++)
        if (!add_mapping(t, (cs_trace_mapping){.pid = pid,
                                               .addr = program->texts[i].base,
                                               .length = program->texts[i].size,
                                               .offset = program->texts[i].offset,
                                               .file = program->path,
                                               .program = program}))
            return false;
    return true;
}

static bool add_segment(builder *b, const cs_segment_spec *segment, const cs_trace_cpu *cpu,
                        const cs_workload_spec *w)
{
    const char *owner = segment->process[0] != '\0' ? segment->process : w->name;
    bool kernel = false;

    if (is_seen(b, cpu, segment->mode, 0, &kernel) && !add_task(b, segment->pid))
        return false;
    for (size_t i = 0; i < segment->nr_functions; i++) {
        const cs_function_spec *f = &segment->functions[i];

        if (!is_seen(b, cpu, segment->mode, f->base, &kernel))
            continue;
        const bool good =
            !kernel && in_program(w->loaded, f)
                ? map_program(b->out, segment->pid, w->loaded)
                : add_piece(b, (piece){f->base, f->base + f->size, kernel ? 0 : segment->pid,
                                       kernel, owner, f->name});
        if (!good)
            return false;
    }
    return true;
}

static bool add_all(builder *b)
{
    const cs_scenario *s = b->scenario;

    for (size_t i = 0; i < s->nr_workloads; i++) {
        const cs_workload_spec *w = &s->workloads[i];

        for (size_t k = 0; k < w->nr_segments; k++)
            if (!add_segment(b, &w->segments[k], cpu_of(s, w), w))
                return false;
    }
    for (size_t i = 0; i < s->handler.nr_functions && !b->guest; i++) {
        const cs_function_spec *f = &s->handler.functions[i];

        if (!add_piece(b, (piece){f->base, f->base + f->size, 0, true, "software", f->name}))
            return false;
    }
    return true;
}

/* ---- what lies together ---- */

static int by_place(const void *a, const void *b)
{
    const piece *x = a, *y = b;

    if (x->kernel != y->kernel)
        return x->kernel - y->kernel;
    if (x->pid != y->pid)
        return (x->pid > y->pid) - (x->pid < y->pid);
    return (x->base > y->base) - (x->base < y->base);
}

static int by_pid(const void *a, const void *b)
{
    const cs_trace_task *x = a, *y = b;

    return (x->pid > y->pid) - (x->pid < y->pid);
}

/* Would perf find another function at an address of pieces [first, end), if they were in a file with those of the
 * mapping? */
static bool differ(const builder *b, size_t first, size_t end, const cs_trace_mapping *m)
{
    for (size_t i = 0; i < b->nr_pieces; i++) {
        const piece *theirs = &b->pieces[i];

        if (theirs->kernel != m->kernel || theirs->pid != m->pid || theirs->base < m->addr ||
            theirs->base - m->addr >= m->length)
            continue;
        for (size_t k = first; k < end; k++) {
            const piece *ours = &b->pieces[k];

            if (ours->base < theirs->end && theirs->base < ours->end &&
                (ours->base != theirs->base || strcmp(ours->function, theirs->function) != 0))
                return true;
        }
    }
    return false;
}

/* Is there a mapping of that name with which pieces [first, end) cannot be in one file? */
static bool is_taken(const builder *b, const char *name, size_t first, size_t end)
{
    const piece *ours = &b->pieces[first];

    for (size_t i = 0; i < b->out->nr_mappings; i++) {
        const cs_trace_mapping *m = &b->out->mappings[i];

        if (m->program == NULL && strcmp(m->file, name) == 0 &&
            (m->kernel != ours->kernel || m->pid == ours->pid || differ(b, first, end, m)))
            return true;
    }
    return false;
}

/* "[database]", "[database.1]": a name of a file, in no folder. NULL: no memory. */
static const char *made_up_name(const builder *b, unsigned number, size_t first, size_t end)
{
    const piece *p = &b->pieces[first];
    const char *name = p->kernel ? "simulated_kernel" : p->owner;
    const size_t size = CS_NAME_BYTES + 24;
    char *out = malloc(size);

    for (; out != NULL; number++) {
        if (number == 0)
            snprintf(out, size, "[%s]", name);
        else
            snprintf(out, size, "[%s.%u]", name, number);
        for (char *slash = out; (slash = strchr(slash, '/')) != NULL;)
            *slash = '_';
        if (!is_taken(b, out, first, end))
            break;
    }
    return out;
}

/* The mapping that begins with a piece, without its name; returns the piece behind it. */
static size_t lie_together(const builder *b, size_t first, cs_trace_mapping *out)
{
    const piece *p = &b->pieces[first];
    const uint64_t addr = p->base & ~(PAGE - 1);
    uint64_t stop = addr;
    size_t i = first;

    for (; i < b->nr_pieces; i++) {
        const piece *q = &b->pieces[i];
        const uint64_t begin = q->base & ~(PAGE - 1);
        const uint64_t end = q->end > UINT64_MAX - PAGE ? UINT64_MAX & ~(PAGE - 1)
                                                        : (q->end + PAGE - 1) & ~(PAGE - 1);

        if (q->kernel != p->kernel || q->pid != p->pid || (begin > stop && begin - stop > APART))
            break;
        stop = end > stop ? end : stop;
    }
    *out = (cs_trace_mapping){.kernel = p->kernel,
                              .pid = p->pid,
                              .addr = addr,
                              .length = stop - addr,
                              .offset = p->kernel ? 0 : addr};
    return i;
}

static bool map_pieces(builder *b)
{
    cs_trace_mapping last = {0}, new;
    unsigned number = 0;

    if (b->nr_pieces != 0)
        qsort(b->pieces, b->nr_pieces, sizeof *b->pieces, by_place);
    for (size_t i = 0, end; i < b->nr_pieces; i = end) {
        end = lie_together(b, i, &new);
        number = i != 0 && last.kernel == new.kernel &&last.pid == new.pid ? number + 1 : 0;
        new.file = made_up_name(b, number, i, end);
        if (new.file == NULL || !add_mapping(b->out, new)) {
            free((void *)new.file);
            return false;
        }
        last = new;
    }
    return true;
}

cs_status cs_trace_tasks_create(const cs_scenario *s, bool guest, cs_trace_tasks **out,
                                cs_diag *diag)
{
    cs_trace_tasks *t = calloc(1, sizeof *t);
    builder b = {.scenario = s, .guest = guest, .out = t};
    const bool good = t != NULL && add_all(&b) && map_pieces(&b) &&
                      cs_scenario_threads(s, guest, &t->threads, &t->nr_threads, NULL) == CS_OK;

    free(b.pieces);
    *out = NULL;
    if (!good) {
        cs_trace_tasks_destroy(t);
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for the tasks of a trace");
    }
    if (t->nr_tasks != 0)
        qsort(t->tasks, t->nr_tasks, sizeof *t->tasks, by_pid);
    *out = t;
    return CS_OK;
}

uint32_t cs_trace_tasks_thread(const cs_trace_tasks *t, uint32_t pid, unsigned cpu)
{
    return cs_process_thread_id(t->threads, t->nr_threads, pid, cpu);
}

void cs_trace_tasks_destroy(cs_trace_tasks *t)
{
    if (t == NULL)
        return;
    for (size_t i = 0; i < t->nr_mappings; i++)
        if (t->mappings[i].program == NULL)
            free((void *)t->mappings[i].file);
    free(t->tasks);
    free(t->threads);
    free(t->mappings);
    free(t);
}
