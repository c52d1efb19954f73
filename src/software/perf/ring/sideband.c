// SPDX-License-Identifier: Apache-2.0
/* Records of what happens to threads: FORK, EXIT, COMM, MMAP, SWITCH. They go to every event
 * that asked for them, of the thread and of the CPU on which it is. */
#include "software/perf/impl.h"

#include <errno.h>
#include <string.h>

#define PROT_EXECUTE 4u

/* One thing that happened. */
typedef struct sideband {
    cs_perf_task *task;
    uint64_t flags; /* an event wants it with one of these */
    cs_perf_at at;
    void (*put)(const struct sideband *s, cs_perf_event *event);
    const void *what;
    uint16_t misc;
} sideband;

static void sideband_to_context(const sideband *s, cs_perf_context *ctx)
{
    cs_perf_event *e;

    if ((ctx->flags & s->flags) == 0)
        return;
    TAILQ_FOREACH (e, &ctx->events, in_ctx) {
        if (e->state < CS_PERF_STATE_INACTIVE || !cs_perf_has(e, s->flags))
            continue;
        if (e->cpu >= 0 && (unsigned)e->cpu != s->at.cpu)
            continue;
        s->put(s, e);
    }
}

static cs_perf_cpu *sideband_cpu(const cs_perf_task *task)
{
    return &task->perf->cpus[task->cpu];
}

static void sideband_send(sideband *s)
{
    cs_perf_task *task = s->task;

    s->at = (cs_perf_at){.who = task->who, .cpu = task->cpu, .time_ns = task->perf->now_ns};
    sideband_to_context(s, &sideband_cpu(task)->ctx);
    sideband_to_context(s, &task->ctx);
}

static void sideband_output(const sideband *s, cs_perf_event *event, cs_perf_record *r)
{
    cs_perf_put_id(r, event, &s->at);
    cs_perf_output(event, r, &s->at);
}

/* ---- fork and exit ---- */

static void sideband_put_task(const sideband *s, cs_perf_event *event)
{
    const uint32_t *type = s->what;
    const cs_perf_task *t = s->task;
    cs_perf_record r = cs_perf_record_begin(event->perf, *type, 0);

    cs_perf_put_pair(&r, t->who.pid, t->parent.pid);
    cs_perf_put_pair(&r, t->who.tid, t->parent.tid);
    cs_perf_put_u64(&r, s->at.time_ns);
    sideband_output(s, event, &r);
}

/* As the kernel does, also for an event that asked for mappings or names alone. */
#define TASK_FLAGS                                                                                 \
    (CS_PERF_ATTR_COMM | CS_PERF_ATTR_MMAP | CS_PERF_ATTR_MMAP2 | CS_PERF_ATTR_MMAP_DATA |         \
     CS_PERF_ATTR_TASK)

/* It is the parent that forks: its events hear of it, and have the parent's thread in their
 * trailer. */
void cs_perf_tell_fork(cs_perf_task *child)
{
    static const uint32_t type = CS_PERF_REC_FORK;
    cs_perf_task *parent = cs_perf_task_find(child->perf, child->parent.tid);
    sideband s = {.task = child, .flags = TASK_FLAGS, .put = sideband_put_task, .what = &type};

    s.at = (cs_perf_at){parent->who, parent->cpu, child->perf->now_ns};
    sideband_to_context(&s, &sideband_cpu(parent)->ctx);
    sideband_to_context(&s, &parent->ctx);
}

void cs_perf_tell_exit(cs_perf_task *task)
{
    static const uint32_t type = CS_PERF_REC_EXIT;

    sideband_send(
        &(sideband){.task = task, .flags = TASK_FLAGS, .put = sideband_put_task, .what = &type});
}

/* ---- names ---- */

static void sideband_put_comm(const sideband *s, cs_perf_event *event)
{
    cs_perf_record r = cs_perf_record_begin(event->perf, CS_PERF_REC_COMM, s->misc);

    cs_perf_put_pair(&r, s->task->who.pid, s->task->who.tid);
    cs_perf_put_text(&r, s->task->comm);
    sideband_output(s, event, &r);
}

void cs_perf_tell_comm(cs_perf_task *task, bool exec)
{
    sideband_send(&(sideband){.task = task,
                              .flags = CS_PERF_ATTR_COMM,
                              .put = sideband_put_comm,
                              .misc = exec ? CS_PERF_MISC_COMM_EXEC : 0});
}

/* ---- mappings ---- */

static void sideband_put_mmap2(cs_perf_record *r, const cs_perf_mapping *m)
{
    cs_perf_put_pair(r, m->major, m->minor);
    cs_perf_put_u64(r, m->inode);
    cs_perf_put_u64(r, m->generation);
    cs_perf_put_pair(r, m->prot, m->flags);
}

static bool sideband_wants_mmap(const cs_perf_event *event, bool code)
{
    return code ? cs_perf_has(event, CS_PERF_ATTR_MMAP | CS_PERF_ATTR_MMAP2)
                : cs_perf_has(event, CS_PERF_ATTR_MMAP_DATA);
}

static void sideband_put_mmap(const sideband *s, cs_perf_event *event)
{
    const cs_perf_mapping *m = s->what;
    const bool code = (m->prot & PROT_EXECUTE) != 0;
    const bool second = cs_perf_has(event, CS_PERF_ATTR_MMAP2);

    if (!sideband_wants_mmap(event, code))
        return;
    cs_perf_record r =
        cs_perf_record_begin(event->perf, second ? CS_PERF_REC_MMAP2 : CS_PERF_REC_MMAP,
                             CS_PERF_MISC_USER | (code ? 0u : CS_PERF_MISC_MMAP_DATA));
    cs_perf_put_pair(&r, s->task->who.pid, s->task->who.tid);
    cs_perf_put_u64(&r, m->addr);
    cs_perf_put_u64(&r, m->length);
    cs_perf_put_u64(&r, m->offset);
    if (second)
        sideband_put_mmap2(&r, m);
    cs_perf_put_text(&r, m->file);
    sideband_output(s, event, &r);
}

int cs_perf_task_mmap(cs_perf *perf, uint32_t tid, const cs_perf_mapping *mapping)
{
    cs_perf_task *task = cs_perf_task_find(perf, tid);

    if (task == NULL)
        return -ESRCH;
    sideband_send(
        &(sideband){.task = task,
                    .flags = CS_PERF_ATTR_MMAP | CS_PERF_ATTR_MMAP2 | CS_PERF_ATTR_MMAP_DATA,
                    .put = sideband_put_mmap,
                    .what = mapping});
    return 0;
}

/* ---- switches ---- */

/* An event of a CPU also says who comes or came. */
static void sideband_put_switch(const sideband *s, cs_perf_event *event)
{
    const cs_perf_who *other = s->what;
    const bool wide = event->ctx->task == NULL;
    cs_perf_record r = cs_perf_record_begin(
        event->perf, wide ? CS_PERF_REC_SWITCH_CPU_WIDE : CS_PERF_REC_SWITCH, s->misc);

    if (wide)
        cs_perf_put_pair(&r, other->pid, other->tid);
    sideband_output(s, event, &r);
}

void cs_perf_tell_switch(cs_perf_cpu *cpu, cs_perf_task *task, const cs_perf_task *other, bool out)
{
    const cs_perf_who who = other != NULL ? other->who : (cs_perf_who){0, 0};
    sideband s = {.task = task,
                  .flags = CS_PERF_ATTR_CONTEXT_SWITCH,
                  .put = sideband_put_switch,
                  .what = &who,
                  .misc = out ? CS_PERF_MISC_SWITCH_OUT : 0};

    s.at = (cs_perf_at){task->who, cpu->number, cpu->now_ns};
    sideband_to_context(&s, &cpu->ctx);
    sideband_to_context(&s, &task->ctx);
}

/* ---- what an inherited event came to ---- */

void cs_perf_tell_read(cs_perf_event *event)
{
    const cs_perf_task *task = event->ctx->task;
    const cs_perf_at at = {task->who, task->cpu, event->perf->now_ns};

    if (!cs_perf_has(event, CS_PERF_ATTR_INHERIT_STAT))
        return;
    cs_perf_record r = cs_perf_record_begin(event->perf, CS_PERF_REC_READ, 0);
    cs_perf_put_pair(&r, task->who.pid, task->who.tid);
    cs_perf_put_values(&r, event, true);
    cs_perf_put_id(&r, event, &at);
    cs_perf_output(event, &r, &at);
}
