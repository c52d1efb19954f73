// SPDX-License-Identifier: Apache-2.0
/* The perf format: samples, as `perf record` has them. */
#include <stdlib.h>
#include <string.h>

#include "results/common/switches.h"
#include "scenario/machine/bus_spec.h"
#include "traces/common/tasks.h"
#include "traces/common/times.h"
#include "traces/perf/impl.h"
#include "traces/perf/rounds.h"

#define INIT_PID 1u

struct cs_perf_record_state {
    cs_perf_rounds *rounds;
    cs_trace_tasks *tasks;
    uint16_t ring[2][CS_MAX_CPUS]; /* of the host, of the guest: its number from 1 on; 0: none */
    cs_switches switches[CS_MAX_CPUS];
    bool located; /* a sample has an address: a PMCU's have none */
};

/* ---- before the first sample ---- */

static void put_thread(cs_perf_trace *t, const cs_trace_task *task, uint32_t tid, uint32_t parent)
{
    const cs_perf_data_where where = {.pid = task->pid, .tid = tid};

    cs_perf_data_put_fork(t->writer, &where, parent, parent, true);
    cs_perf_data_put_comm(t->writer, &where, task->comm, false);
}

static void put_mapping(cs_perf_trace *t, const cs_trace_mapping *m)
{
    enum { PROT_READ_EXEC = 5, PRIVATE = 2 };
    const cs_perf_data_where user = {.pid = m->pid, .tid = m->pid}, kernel = {.pid = UINT32_MAX};
    const bool named = m->program != NULL && m->program->build_id_bytes != 0;
    const cs_perf_data_mmap map = {
        .build_id = named ? m->program->build_id : NULL,
        .build_id_length = named ? m->program->build_id_bytes : 0,
        .misc = m->kernel ? CS_PERF_MISC_KERNEL : CS_PERF_MISC_USER,
        .addr = m->addr,
        .length = m->length,
        .offset = m->offset,
        .prot = PROT_READ_EXEC,
        .flags = PRIVATE,
        .file = m->file,
    };

    if (m->kernel)
        cs_perf_data_put_mmap(t->writer, &kernel, &map);
    else
        cs_perf_data_put_mmap2(t->writer, &user, &map);
}

static cs_status put_ids(cs_perf_trace *t, cs_diag *diag)
{
    const uint16_t **cpus = calloc(t->events->nr, sizeof *cpus);

    if (cpus == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for a trace");
    for (size_t i = 0; i < t->events->nr; i++)
        cpus[i] = t->events->list[i].cpus;
    cs_perf_data_put_id_index(t->writer, cpus);
    free(cpus);
    return CS_OK;
}

/* The process, what it has mapped, and its further threads. */
static void put_task(cs_perf_trace *t, const cs_trace_tasks *tasks, const cs_trace_task *task)
{
    put_thread(t, task, task->pid, INIT_PID);
    for (size_t i = 0; i < tasks->nr_mappings; i++)
        if (!tasks->mappings[i].kernel && tasks->mappings[i].pid == task->pid)
            put_mapping(t, &tasks->mappings[i]);
    for (size_t i = 0; i < tasks->nr_threads; i++)
        if (tasks->threads[i].pid == task->pid && tasks->threads[i].tid != task->pid)
            put_thread(t, task, tasks->threads[i].tid, task->pid);
}

/* In perf's order: ids, kernels, CPUs, then each task. */
cs_status cs_perf_trace_put_front(cs_perf_trace *t, cs_diag *diag)
{
    const cs_perf_data_thread whoever = {UINT64_MAX, ""};
    uint16_t cpus[CS_MAX_CPUS];
    cs_status status = put_ids(t, diag);

    if (status == CS_OK)
        status = cs_trace_tasks_create(t->scenario, t->guest, &t->record->tasks, diag);
    if (status != CS_OK)
        return status;
    const cs_trace_tasks *tasks = t->record->tasks;
    for (size_t i = 0; i < tasks->nr_mappings; i++)
        if (tasks->mappings[i].kernel)
            put_mapping(t, &tasks->mappings[i]);
    cs_perf_data_put_thread_map(t->writer, &whoever, 1);
    cs_perf_data_put_cpu_map(t->writer, cpus, cs_perf_trace_cpus(t, cpus));
    for (size_t i = 0; i < tasks->nr_tasks; i++)
        put_task(t, tasks, &tasks->tasks[i]);
    cs_perf_data_put_finished_init(t->writer);
    return CS_OK;
}

/* ---- rings ---- */

static uint64_t id_on(const cs_perf_trace *t, unsigned cpu, size_t *event)
{
    uint64_t id = 0;

    for (*event = 0; *event < t->events->nr; ++*event)
        if ((id = cs_trace_event_id(&t->events->list[*event], cpu)) != 0)
            return id;
    *event = 0;
    return 0;
}

/* The one process leaves the CPU, though it could run on, and the other one gets it. */
static void put_switch(cs_perf_trace *t, unsigned cpu, const cs_switch *s)
{
    cs_perf_data_where where = {.cpu = cpu, .time_ns = cs_trace_ns(t->scenario, s->cycle)};
    const uint32_t from = cs_trace_tasks_thread(t->record->tasks, s->from, cpu),
                   to = cs_trace_tasks_thread(t->record->tasks, s->to, cpu);

    where.id = id_on(t, cpu, &where.event);
    where.pid = s->from;
    where.tid = from;
    cs_perf_data_put_switch_cpu(
        t->writer, &where, CS_PERF_MISC_SWITCH_OUT | CS_PERF_MISC_SWITCH_OUT_PREEMPT, s->to, to);
    where.pid = s->to;
    where.tid = to;
    cs_perf_data_put_switch_cpu(t->writer, &where, 0, s->from, from);
}

/* The last cycle that begins at the time or before. */
static cs_cycle cycle_at(const cs_perf_trace *t, uint64_t time_ns)
{
    const uint64_t mhz = t->scenario->bus->clock_mhz;

    return time_ns / 1000 * mhz + ((time_ns % 1000 + 1) * mhz + 999) / 1000 - 1;
}

static void put_switches(cs_perf_trace *t, unsigned cpu, cs_cycle until)
{
    cs_switch one;

    while (cs_switches_next(&t->record->switches[cpu], until, &one))
        put_switch(t, cpu, &one);
}

static void put_before(cs_perf_trace *t, bool guest, unsigned cpu, uint64_t time_ns)
{
    if (t->request->switch_events && guest == t->guest && t->record->ring[guest][cpu] != 0)
        put_switches(t, cpu, cycle_at(t, time_ns));
}

static void put_after(cs_perf_trace *t, bool guest, unsigned cpu, uint64_t time_ns)
{
    const unsigned ring = t->record->ring[guest][cpu];

    if (ring != 0 && cs_perf_rounds_put(t->record->rounds, ring - 1, time_ns))
        cs_perf_data_put_finished_round(t->writer);
}

/* ---- samples ---- */

/* A guest's modes, in a file that is not its own. */
static uint16_t misc_of(const cs_perf_trace *t, bool guest, uint16_t misc)
{
    if (!guest || t->guest)
        return misc;
    return misc == CS_PERF_MISC_KERNEL ? CS_PERF_MISC_GUEST_KERNEL : CS_PERF_MISC_GUEST_USER;
}

/* Drivers know the context id only, which is the process's. */
static uint32_t thread_of(const cs_perf_trace *t, const cs_trace_record *r)
{
    return r->guest == t->guest && r->tid == r->pid
               ? cs_trace_tasks_thread(t->record->tasks, r->pid, r->cpu)
               : r->tid;
}

void cs_perf_trace_record(void *ctx, const cs_trace_record *r)
{
    cs_perf_trace *t = ctx;
    const cs_perf_data_where where = {.event = r->event,
                                      .id = cs_trace_event_id(&t->events->list[r->event], r->cpu),
                                      .pid = r->pid,
                                      .tid = thread_of(t, r),
                                      .time_ns = r->time_ns,
                                      .cpu = r->cpu};
    const cs_perf_data_sample sample = {.where = where,
                                        .misc = misc_of(t, r->guest, r->misc),
                                        .ip = r->ip,
                                        .period = r->period,
                                        .callchain = r->chain,
                                        .nr_callchain = r->nr_chain,
                                        .raw = r->raw,
                                        .raw_bytes = r->raw_bytes};

    if (r->raw != NULL) { /* in no ring */
        cs_perf_data_put_sample(t->writer, &sample);
        return;
    }
    t->record->located |= r->type == CS_TRACE_SAMPLE && r->ip != 0;
    put_before(t, r->guest, r->cpu, r->time_ns);
    switch (r->type) {
    case CS_TRACE_SAMPLE:
        cs_perf_data_put_sample(t->writer, &sample);
        break;
    case CS_TRACE_LOST:
        cs_perf_data_put_lost(t->writer, &where, r->lost);
        break;
    case CS_TRACE_THROTTLE:
        cs_perf_data_put_throttle(t->writer, &where);
        break;
    case CS_TRACE_UNTHROTTLE:
        cs_perf_data_put_unthrottle(t->writer, &where);
        break;
    }
    put_after(t, r->guest, r->cpu, r->time_ns);
}

/* ---- begin and end ---- */

size_t cs_perf_trace_cpus(const cs_perf_trace *t, uint16_t cpus[CS_MAX_CPUS])
{
    bool there[CS_MAX_CPUS] = {false}, any = false;
    size_t nr = 0;

    for (size_t i = 0; i < t->events->nr; i++)
        for (unsigned k = 0; k < t->events->list[i].nr_cpus; k++)
            if (t->events->list[i].anywhere)
                any = true;
            else
                there[t->events->list[i].cpus[k]] = true;
    for (unsigned cpu = 0; cpu < CS_MAX_CPUS; cpu++)
        if (there[cpu])
            cpus[nr++] = (uint16_t)cpu;
    if (any && nr == 0)
        cpus[nr++] = CS_TRACE_ANY_CPU;
    return nr;
}

static size_t number_rings(cs_perf_trace *t)
{
    size_t nr = 0;

    for (size_t i = 0; i < t->events->nr; i++) {
        const cs_trace_event *e = &t->events->list[i];
        for (unsigned k = 0; k < e->nr_cpus; k++)
            if (t->record->ring[e->guest][e->cpus[k]] == 0)
                t->record->ring[e->guest][e->cpus[k]] = (uint16_t)++nr;
    }
    return nr;
}

cs_status cs_perf_trace_begin_record(cs_perf_trace *t, cs_diag *diag)
{
    t->record = calloc(1, sizeof *t->record);
    if (t->record != NULL)
        t->record->rounds = cs_perf_rounds_create(number_rings(t));
    if (t->record == NULL || t->record->rounds == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for a trace");
    return CS_OK;
}

void cs_perf_trace_begin_switches(cs_perf_trace *t, const cs_environment *environment)
{
    for (unsigned cpu = 0; cpu < CS_MAX_CPUS; cpu++)
        if (t->record->ring[t->guest][cpu] != 0)
            cs_switches_begin(&t->record->switches[cpu], environment->timelines[cpu], t->guest);
}

void cs_perf_trace_end_record(cs_perf_trace *t, cs_cycle end)
{
    for (unsigned cpu = 0; cpu < CS_MAX_CPUS && t->request->switch_events; cpu++)
        if (t->record->ring[t->guest][cpu] != 0)
            put_switches(t, cpu, end);
    cs_perf_data_put_finished_round(t->writer);
}

cs_status cs_perf_trace_put_names(const cs_perf_trace *t, const char *arch, const char *folder,
                                  cs_diag *diag)
{
    return t->record->located ? cs_perf_trace_put_symfs(t, t->record->tasks, arch, folder, diag)
                              : CS_OK;
}

void cs_perf_trace_free_record(cs_perf_trace *t)
{
    if (t->record != NULL) {
        cs_perf_rounds_destroy(t->record->rounds);
        cs_trace_tasks_destroy(t->record->tasks);
    }
    free(t->record);
}
