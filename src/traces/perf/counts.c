// SPDX-License-Identifier: Apache-2.0
/* The perf format: counts, as `perf stat record` has them. The kernel hands out what a counter has
 * counted since it was opened, with the times enabled and running: so the counts of intervals are added
 * up. An interval is over when a counter is told the next time. */
#include <stdlib.h>

#include "traces/common/tasks.h"
#include "traces/common/times.h"
#include "traces/perf/impl.h"

/* One event on one CPU. */
typedef struct counter {
    uint64_t value;
    uint64_t enabled, running; /* cycles */
    bool told;                 /* in this interval */
    bool ended;                /* told as a whole */
} counter;

struct cs_perf_stat_state {
    counter *counters; /* [events][CS_MAX_CPUS] */
    bool intervals;
    cs_cycle until; /* the last count's end */
};

static counter *counter_of(const cs_perf_trace *t, size_t event, unsigned cpu)
{
    if (t->events->list[event].anywhere)
        cpu = 0;
    return &t->stat->counters[event * CS_MAX_CPUS + cpu];
}

/* The counters that were told since the last round (in the end: ever), and the round. */
static void put_round(cs_perf_trace *t, uint64_t type)
{
    bool any = false;

    for (size_t i = 0; i < t->events->nr; i++) {
        const cs_trace_event *e = &t->events->list[i];

        for (unsigned k = 0; k < e->nr_cpus; k++) {
            counter *c = counter_of(t, i, e->cpus[k]);
            const cs_perf_data_count count = {
                .event = i,
                .id = e->ids[k],
                .cpu = e->anywhere ? CS_ANY_CPU : e->cpus[k],
                .value = c->value,
                .enabled_ns = cs_trace_ns(t->scenario, c->enabled),
                .running_ns = cs_trace_ns(t->scenario, c->running),
            };

            if (!c->told)
                continue;
            cs_perf_data_put_stat(t->writer, &count);
            c->told = false;
            any = true;
        }
    }
    if (any || type == CS_PERF_STAT_ROUND_FINAL)
        cs_perf_data_put_stat_round(t->writer, type, cs_trace_ns(t->scenario, t->stat->until));
}

/* It has a counter of its own. */
static void add_own(cs_perf_trace *t, size_t event, const cs_count *count)
{
    counter *c = counter_of(t, event, count->cpu);

    if (c->told && t->stat->intervals)
        put_round(t, CS_PERF_STAT_ROUND_INTERVAL);
    c->value += count->raw;
    c->enabled += count->enabled;
    c->running += count->running;
    c->told = true;
}

/* ---- events that have counters in turns ---- */

/* The number of its event; events->nr: there is none, or all that it can be of have been told (in this
 * interval, or as a whole). Those that a command has twice are told in their order. */
static size_t next_rotated(const cs_perf_trace *t, const cs_count *count)
{
    size_t event = cs_trace_events_find_count(t->events, count, 0);

    while (event != t->events->nr) {
        const counter *c = counter_of(t, event, count->cpu);

        if (count->final ? !c->ended : !c->told)
            break;
        event = cs_trace_events_find_count(t->events, count, event + 1);
    }
    return event;
}

/* What an interval told is added up, and the whole is what is read at the end: it is a round of its own,
 * unless the last interval ended with it. */
static void add_turning(cs_perf_trace *t, size_t first, const cs_count *told)
{
    counter now = {told->raw, told->enabled, told->running, true, told->final};
    size_t event = next_rotated(t, told);

    if (event == t->events->nr && !told->final) {
        put_round(t, CS_PERF_STAT_ROUND_INTERVAL);
        event = first;
    }
    if (event == t->events->nr) {
        cs_trace_feed_fail(t->feed, CS_ERR_RANGE);
        return;
    }
    counter *c = counter_of(t, event, told->cpu);
    if (!told->final) {
        now.value += c->value;
        now.enabled += c->enabled;
        now.running += c->running;
    } else if (c->value == now.value && c->enabled == now.enabled && c->running == now.running &&
               t->stat->intervals) {
        now.told = c->told;
    } else if (c->told) {
        put_round(t, CS_PERF_STAT_ROUND_INTERVAL);
    }
    *c = now;
}

void cs_perf_trace_count(void *ctx, const cs_counted *counted)
{
    cs_perf_trace *t = ctx;
    const cs_count *count = &counted->count;
    const size_t event = cs_trace_events_find_count(t->events, count, 0);

    if (event == t->events->nr || (count->turns && !count->final && !t->stat->intervals))
        return;
    if (count->turns)
        add_turning(t, event, count);
    else
        add_own(t, event, count);
    if (count->to > t->stat->until)
        t->stat->until = count->to;
}

/* ---- the beginning ---- */

/* Whom the counts are of. */
static cs_status put_threads(cs_perf_trace *t, cs_diag *diag)
{
    cs_perf_data_thread one = {UINT64_MAX, ""};
    cs_trace_tasks *tasks = NULL;
    cs_status status = CS_OK;

    if (t->events->list[0].anywhere) {
        status = cs_trace_tasks_create(t->scenario, false, &tasks, diag);
        one.pid = t->events->list[0].pid;
        for (size_t i = 0; status == CS_OK && i < tasks->nr_tasks; i++)
            if (tasks->tasks[i].pid == one.pid)
                one.comm = tasks->tasks[i].comm;
    }
    cs_perf_data_put_thread_map(t->writer, &one, 1);
    cs_trace_tasks_destroy(tasks);
    return status;
}

static cs_status put_front(cs_perf_trace *t, cs_diag *diag)
{
    const uint64_t interval_ms = t->events->interval_us / 1000;
    uint16_t cpus[CS_MAX_CPUS];

    for (size_t i = 0; i < t->events->nr; i++) {
        const cs_trace_event *e = &t->events->list[i];

        if (e->unit != NULL)
            cs_perf_data_put_unit(t->writer, i, e->unit);
        if (e->scale != 1)
            cs_perf_data_put_scale(t->writer, i, e->scale);
        if (e->nr_cpus != 0)
            cs_perf_data_put_event_cpus(t->writer, i, e->cpus, e->nr_cpus);
    }
    const cs_status status = put_threads(t, diag);
    cs_perf_data_put_cpu_map(t->writer, cpus, cs_perf_trace_cpus(t, cpus));
    cs_perf_data_put_stat_config(
        t->writer, t->events->list[0].sockets ? CS_PERF_AGGR_SOCKET : CS_PERF_AGGR_GLOBAL,
        t->stat->intervals && interval_ms == 0 ? 1 : interval_ms, true);
    return status;
}

cs_status cs_perf_trace_begin_counts(cs_perf_trace *t, cs_diag *diag)
{
    t->stat = calloc(1, sizeof *t->stat);
    if (t->stat != NULL)
        t->stat->counters = calloc(t->events->nr * CS_MAX_CPUS, sizeof *t->stat->counters);
    if (t->stat == NULL || t->stat->counters == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for counts");
    t->stat->intervals = t->events->interval_us != 0;
    return put_front(t, diag);
}

void cs_perf_trace_end_counts(cs_perf_trace *t)
{
    put_round(t, t->stat->intervals ? CS_PERF_STAT_ROUND_INTERVAL : CS_PERF_STAT_ROUND_FINAL);
}

void cs_perf_trace_free_counts(cs_perf_trace *t)
{
    if (t->stat != NULL)
        free(t->stat->counters);
    free(t->stat);
}
