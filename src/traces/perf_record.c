/* The perf format: samples, as `perf record` has them. */
#include "traces/perf_impl.h"
#include "traces/tasks.h"
#include "traces/times.h"

/* Samples between two rounds: so many perf holds to bring them into order. */
#define ROUND_SAMPLES 65536u
/* Ids of events in a hart's ring: (command, event) as one number from 1 on. */
#define RING_EVENTS 256u

/* ---- who runs ---- */

static void put_task(cs_perf_trace *t, const cs_trace_task *task)
{
    const cs_perf_data_where where = {.pid = task->pid, .tid = task->pid};

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

cs_status cs_perf_trace_put_tasks(cs_perf_trace *t, cs_diag *diag)
{
    cs_trace_tasks *tasks;
    const cs_status status = cs_trace_tasks_create(t->scenario, t->guest, &tasks, diag);

    if (status != CS_OK)
        return status;
    for (size_t i = 0; i < tasks->nr_tasks; i++)
        put_task(t, &tasks->tasks[i]);
    for (size_t i = 0; i < tasks->nr_mappings; i++)
        put_mapping(t, &tasks->mappings[i]);
    cs_trace_tasks_destroy(tasks);
    return CS_OK;
}

/* ---- samples ---- */

static void put(cs_perf_trace *t, const cs_perf_data_sample *sample)
{
    cs_perf_data_put_sample(t->writer, sample);
    if (t->in_order && ++t->since_round == ROUND_SAMPLES) {
        cs_perf_data_put_finished_round(t->writer);
        t->since_round = 0;
    }
}

/* As the kernel's imc-pmu hands a record on: its address and mode; but who ran, and when, is of the
 * dump, and the period is the command's. A handler of interrupts tells what it wrote. */
static void imc_sample(void *ctx, const cs_imc_perf_sample *s)
{
    cs_perf_trace *t = ctx;
    const size_t event = cs_trace_events_find(
        t->events, s->by_interrupt ? CS_TRACE_PMI : CS_TRACE_IMC, s->command, 0);

    if (event == t->events->nr)
        return;
    put(t, &(cs_perf_data_sample){
               .where = {.event = event,
                         .id = cs_trace_event_id(&t->events->list[event], s->cpu),
                         .pid = s->pid,
                         .tid = s->pid,
                         .time_ns = cs_trace_ns(t->scenario, s->time),
                         .cpu = s->cpu},
               .misc = s->misc,
               .ip = s->ip,
               .period = s->period,
           });
}

/* ---- harts ---- */

/* A guest's modes, in a file that is not its own. */
static uint16_t misc_of(const cs_perf_trace *t, bool guest, uint16_t misc)
{
    if (!guest || t->guest)
        return misc;
    return misc == CS_PERF_MISC_KERNEL ? CS_PERF_MISC_GUEST_KERNEL : CS_PERF_MISC_GUEST_USER;
}

static void ring_record(void *ctx, unsigned hart, bool guest, const cs_perf_record *r)
{
    cs_perf_trace *t = ctx;
    const unsigned cpu = cs_scenario_hart_cpu(t->scenario, hart);
    const size_t event =
        cs_trace_events_find(t->events, CS_TRACE_HART, (unsigned)((r->id - 1) / RING_EVENTS),
                             (unsigned)((r->id - 1) % RING_EVENTS));

    if (event == t->events->nr)
        return; /* of another command */
    const cs_perf_data_where where = {.event = event,
                                      .id = cs_trace_event_id(&t->events->list[event], cpu),
                                      .pid = r->pid,
                                      .tid = r->tid,
                                      .time_ns = cs_trace_hart_ns(t->scenario, r->time),
                                      .cpu = cpu};
    switch (r->type) {
    case CS_PERF_SAMPLE:
        put(t, &(cs_perf_data_sample){.where = where,
                                      .misc = misc_of(t, guest, r->misc),
                                      .ip = r->ip,
                                      .period = r->period});
        break;
    case CS_PERF_LOST:
        cs_perf_data_put_lost(t->writer, &where, r->lost);
        break;
    case CS_PERF_THROTTLE:
        cs_perf_data_put_throttle(t->writer, &where);
        break;
    case CS_PERF_UNTHROTTLE:
        cs_perf_data_put_unthrottle(t->writer, &where);
        break;
    default:
        t->status = CS_ERR_FORMAT;
    }
}

static void hart_data(void *ctx, unsigned hart, bool guest, const void *bytes, size_t length)
{
    cs_perf_trace *t = ctx;

    if (!cs_ring_feed_put(&t->feed, hart, guest, bytes, length))
        t->status = CS_ERR_FORMAT;
}

void cs_perf_trace_listen_record(cs_perf_trace *t, cs_run_listener *listener)
{
    t->in_order = true;
    for (size_t i = 0; i < t->events->nr; i++)
        switch (t->events->list[i].source) {
        case CS_TRACE_IMC:
        case CS_TRACE_PMI:
            listener->perf_sample = imc_sample;
            break;
        case CS_TRACE_HART:
            listener->hart_data = hart_data;
            t->in_order = false;
            break;
        default: /* perf_pmcu.c */
            t->in_order = false;
        }
    t->feed.record = ring_record;
    t->feed.ctx = t;
}
