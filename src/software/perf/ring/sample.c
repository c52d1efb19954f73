// SPDX-License-Identifier: Apache-2.0
/* An overflow: its sample, the next period, throttling. */
#include "software/perf/impl.h"

#include <countersink/base/stream/timeline.h>

/* ---- where the thread is ---- */

typedef struct sample_place {
    cs_perf_where where;
    cs_context context; /* by the streams */
    uint64_t chain[CS_PERF_CHAIN_MOST];
} sample_place;

static void place_by_streams(sample_place *p)
{
    const cs_function *f = p->context.function;
    size_t n = 0;

    p->chain[n++] = p->context.pc;
    for (uint32_t i = 0; f != NULL && i < f->nr_returns && n < CS_PERF_CHAIN_MOST; i++)
        p->chain[n++] = f->returns[i];
    p->where = (cs_perf_where){
        .ip = p->context.pc,
        .kernel = p->context.mode != CS_MODE_EL0,
        .chain = p->chain,
        .nr_chain = n,
    };
}

static void place_find(sample_place *p, cs_perf_cpu *cpu, bool chain)
{
    const cs_perf_calls *calls = &cpu->perf->calls;
    cs_perf_task *task = cpu->task;

    p->context = (cs_context){0};
    if (task != NULL)
        task->work.context(task->work.ctx, task->local, &p->context);
    if (task == NULL || calls->where == NULL ||
        !calls->where(calls->ctx, &task->who, cpu->now_ns, chain, &p->where))
        place_by_streams(p);
}

/* ---- its words ---- */

static void sample_put_id(cs_perf_record *r, const cs_perf_event *e, const cs_perf_at *at)
{
    const uint64_t type = e->attr.sample_type;
    const uint64_t id = e->parent != NULL ? e->parent->id : e->id;

    if ((type & CS_PERF_SAMPLE_ID) != 0)
        cs_perf_put_u64(r, id);
    if ((type & CS_PERF_SAMPLE_STREAM_ID) != 0)
        cs_perf_put_u64(r, e->id);
    if ((type & CS_PERF_SAMPLE_CPU) != 0)
        cs_perf_put_pair(r, at->cpu, 0);
}

static void sample_put_begin(cs_perf_record *r, const cs_perf_event *e, const cs_perf_at *at,
                             const cs_perf_where *where)
{
    const uint64_t type = e->attr.sample_type;

    if ((type & CS_PERF_SAMPLE_IDENTIFIER) != 0)
        cs_perf_put_u64(r, e->parent != NULL ? e->parent->id : e->id);
    if ((type & CS_PERF_SAMPLE_IP) != 0)
        cs_perf_put_u64(r, where->ip);
    if ((type & CS_PERF_SAMPLE_TID) != 0)
        cs_perf_put_pair(r, at->who.pid, at->who.tid);
    if ((type & CS_PERF_SAMPLE_TIME) != 0)
        cs_perf_put_u64(r, at->time_ns);
    if ((type & CS_PERF_SAMPLE_ADDR) != 0)
        cs_perf_put_u64(r, 0);
    sample_put_id(r, e, at);
}

static size_t sample_chain_room(const cs_perf_event *e)
{
    const unsigned own = e->attr.sample_max_stack, most = e->perf->machine.max_stack;

    return own != 0 ? own : most;
}

/* A marker, and the addresses of the mode in which the thread is; nothing is known of the other
 * mode. */
static void sample_put_chain(cs_perf_record *r, const cs_perf_event *e, const cs_perf_where *where)
{
    const uint64_t not_wanted =
        where->kernel ? CS_PERF_ATTR_NO_CHAIN_KERNEL : CS_PERF_ATTR_NO_CHAIN_USER;
    const size_t room = sample_chain_room(e);
    const size_t n = where->nr_chain < room ? where->nr_chain : room;

    if (cs_perf_has(e, not_wanted)) {
        cs_perf_put_u64(r, 0);
        return;
    }
    cs_perf_put_u64(r, n + 1);
    cs_perf_put_u64(r, where->kernel ? CS_PERF_CONTEXT_KERNEL : CS_PERF_CONTEXT_USER);
    for (size_t i = 0; i < n; i++)
        cs_perf_put_u64(r, where->chain[i]);
}

/* What follows the chain is never known: no registers, no memory access, no raw data. In the
 * order of the record; each has the word that Linux writes for "none". */
static void sample_put_unknown(cs_perf_record *r, const cs_perf_event *e)
{
    static const struct {
        uint64_t bit, word;
    } rest[] = {
        {CS_PERF_SAMPLE_RAW, 4}, /* four bytes, all zero */
        {CS_PERF_SAMPLE_REGS_USER, 0},
        {CS_PERF_SAMPLE_STACK_USER, 0},
        {CS_PERF_SAMPLE_WEIGHT | CS_PERF_SAMPLE_WEIGHT_STRUCT, 0},
        {CS_PERF_SAMPLE_DATA_SRC, CS_PERF_MEM_UNKNOWN},
        {CS_PERF_SAMPLE_TRANSACTION, 0},
        {CS_PERF_SAMPLE_REGS_INTR, 0},
        {CS_PERF_SAMPLE_PHYS_ADDR, 0},
        {CS_PERF_SAMPLE_CGROUP, 0},
        {CS_PERF_SAMPLE_DATA_PAGE_SIZE, 0},
        {CS_PERF_SAMPLE_CODE_PAGE_SIZE, 0},
        {CS_PERF_SAMPLE_AUX, 0},
    };

    for (size_t i = 0; i < sizeof rest / sizeof rest[0]; i++)
        if ((e->attr.sample_type & rest[i].bit) != 0)
            cs_perf_put_u64(r, rest[i].word);
}

static bool sample_write(cs_perf_event *e, const cs_perf_at *at, const cs_perf_where *where,
                         uint64_t period)
{
    const uint64_t type = e->attr.sample_type;
    cs_perf_record r = cs_perf_record_begin(
        e->perf, CS_PERF_REC_SAMPLE, where->kernel ? CS_PERF_MISC_KERNEL : CS_PERF_MISC_USER);

    sample_put_begin(&r, e, at, where);
    if ((type & CS_PERF_SAMPLE_PERIOD) != 0)
        cs_perf_put_u64(&r, period);
    if ((type & CS_PERF_SAMPLE_READ) != 0)
        cs_perf_put_values(&r, e, true);
    if ((type & CS_PERF_SAMPLE_CALLCHAIN) != 0)
        sample_put_chain(&r, e, where);
    sample_put_unknown(&r, e);
    return cs_perf_output(e, &r, at);
}

/* ---- what is told ---- */

static void sample_tell(cs_perf_event *e, const cs_perf_at *at, const sample_place *p,
                        uint64_t period, bool written)
{
    const cs_perf_calls *calls = &e->perf->calls;

    if (calls->told == NULL)
        return;
    cs_perf_update_count(e);
    calls->told(calls->ctx,
                &(cs_perf_told){
                    .kind = CS_PERF_TOLD_SAMPLE,
                    .event = e->parent != NULL ? e->parent : e,
                    .id = e->id,
                    .time_ns = at->time_ns,
                    .cpu = (int)at->cpu,
                    .who = at->who,
                    .value = e->count,
                    .enabled_ns = e->enabled_ns,
                    .running_ns = e->running_ns,
                    .truth = e->truth.sum,
                    .period = period,
                    .lost = !written,
                    .ip = p->where.ip,
                    .pc = p->context.pc,
                    .function = p->context.function != NULL ? p->context.function->name : NULL,
                });
}

/* ---- throttling ---- */

static cs_perf_at sample_at(const cs_perf_cpu *cpu)
{
    return (cs_perf_at){
        .who = cpu->task != NULL ? cpu->task->who : (cs_perf_who){0, 0},
        .cpu = cpu->number,
        .time_ns = cpu->now_ns,
    };
}

static void throttle_log(cs_perf_cpu *cpu, cs_perf_event *e, bool stopped)
{
    const cs_perf_at at = sample_at(cpu);
    const cs_perf_calls *calls = &cpu->perf->calls;
    cs_perf_record r =
        cs_perf_record_begin(e->perf, stopped ? CS_PERF_REC_THROTTLE : CS_PERF_REC_UNTHROTTLE, 0);

    cs_perf_put_u64(&r, at.time_ns);
    cs_perf_put_u64(&r, e->parent != NULL ? e->parent->id : e->id);
    cs_perf_put_u64(&r, e->id);
    cs_perf_put_id(&r, e, &at);
    cs_perf_output(e, &r, &at);
    if (calls->told != NULL)
        calls->told(calls->ctx, &(cs_perf_told){.kind = stopped ? CS_PERF_TOLD_THROTTLE
                                                                : CS_PERF_TOLD_UNTHROTTLE,
                                                .event = e->parent != NULL ? e->parent : e,
                                                .id = e->id,
                                                .time_ns = at.time_ns,
                                                .cpu = (int)at.cpu,
                                                .who = at.who});
}

/* A tick has so many samples at most: those above stop the event until the next. */
static bool overflow_throttles(cs_perf_cpu *cpu, cs_perf_event *e)
{
    const uint64_t tick = cpu->now_ns / cpu->perf->tick_ns;

    if (!cs_perf_throttle_overflow(&e->hw.throttle, tick, cpu->perf->most_samples))
        return false;
    throttle_log(cpu, e, true);
    return true;
}

/* ---- the overflow ---- */

static void overflow_adapt(cs_perf_cpu *cpu, cs_perf_event *e)
{
    cs_pmu *p = e->pmu;

    if (!cs_perf_has(e, CS_PERF_ATTR_FREQ) ||
        !cs_perf_frequency_overflow(&e->hw.frequency, &e->hw.period, cpu->now_ns))
        return;
    p->ops->stop(p, cpu, e);
    e->hw.period.left = 0;
    p->ops->start(p, cpu, e);
}

/* True: REFRESH has counted down. */
static bool overflow_is_last(cs_perf_event *e)
{
    return e->refresh != 0 && --e->refresh == 0;
}

static void overflow_signal(cs_perf_event *e, bool last)
{
    const cs_perf_event *opened = e->parent != NULL ? e->parent : e;

    if (opened->async)
        cs_perf_wakeup(e, last ? CS_PERF_WAKE_LAST : CS_PERF_WAKE_SIGNAL);
}

/* A timer fires in any mode; a counter cannot, where its own mode is excluded. */
static bool place_excluded(const sample_place *p, const cs_perf_event *e)
{
    return e->pmu->software && cs_perf_has(e, p->where.kernel ? CS_PERF_ATTR_EXCLUDE_KERNEL
                                                              : CS_PERF_ATTR_EXCLUDE_USER);
}

bool cs_perf_overflow(cs_perf_cpu *cpu, cs_perf_event *event, uint64_t period)
{
    const cs_perf_at at = sample_at(cpu);
    sample_place place;
    bool stops;

    place_find(&place, cpu, (event->attr.sample_type & CS_PERF_SAMPLE_CALLCHAIN) != 0);
    if (place_excluded(&place, event))
        return false;
    stops = overflow_throttles(cpu, event);
    overflow_adapt(cpu, event);
    const bool last = overflow_is_last(event);
    const bool written = sample_write(event, &at, &place.where, period);
    sample_tell(event, &at, &place, period, written);
    overflow_signal(event, last);
    event->overflowed_last = last;
    cpu->overflowed_last |= last;
    return stops || last;
}

void cs_perf_sample_at(cs_perf_cpu *cpu, cs_perf_event *event, uint64_t ip, bool kernel)
{
    const cs_perf_at at = sample_at(cpu);
    sample_place place = {.where = {.ip = ip, .kernel = kernel, .nr_chain = 1}};

    place.chain[0] = ip;
    place.where.chain = place.chain;
    const bool written = sample_write(event, &at, &place.where, event->hw.period.last);
    sample_tell(event, &at, &place, event->hw.period.last, written);
}

/* ---- the tick ---- */

void cs_perf_unthrottle(cs_perf_cpu *cpu, cs_perf_event *event)
{
    if (cs_perf_throttle_tick(&event->hw.throttle))
        throttle_log(cpu, event, false);
}

static void tick_event(cs_perf_cpu *cpu, cs_perf_event *e)
{
    cs_pmu *p = e->pmu;

    if (e->state != CS_PERF_STATE_ACTIVE || !cs_perf_samples(e))
        return;
    if (e->hw.throttle.stopped) {
        cs_perf_unthrottle(cpu, e);
        p->ops->start(p, cpu, e);
    }
    if (!cs_perf_has(e, CS_PERF_ATTR_FREQ))
        return;
    p->ops->stop(p, cpu, e);
    cs_perf_frequency_tick(&e->hw.frequency, &e->hw.period, e->count);
    p->ops->start(p, cpu, e);
}

static void tick_context(cs_perf_cpu *cpu, cs_perf_context *ctx)
{
    cs_perf_event *e;

    TAILQ_FOREACH (e, &ctx->events, in_ctx)
        tick_event(cpu, e);
}

void cs_perf_tick(cs_perf_cpu *cpu)
{
    tick_context(cpu, &cpu->ctx);
    if (cpu->task != NULL)
        tick_context(cpu, &cpu->task->ctx);
}
