// SPDX-License-Identifier: Apache-2.0
#include "software/perf/pmcu/pmcu_work.h"

#include <stdlib.h>
#include <string.h>

#include <countersink/models/corepmu/corepmu.h>

#define CPU_CYCLES 0x11u /* Arm's number of what the core's clock drives */

void cs_perf_pmcu_work_free(cs_perf_pmcu_work *w)
{
    free(w->stretches);
}

static bool work_grow(cs_perf_pmcu_work *w)
{
    const size_t room = w->room != 0 ? 2 * w->room : 16;
    cs_perf_pmcu_stretch *more;

    if (w->nr < w->room)
        return true;
    more = realloc(w->stretches, room * sizeof *more);
    if (more == NULL)
        return false;
    w->stretches = more;
    w->room = room;
    return true;
}

static void work_close(cs_perf_pmcu_work *w, cs_cycle at)
{
    if (w->nr != 0 && w->stretches[w->nr - 1].to == CS_NEVER)
        w->stretches[w->nr - 1].to = at;
}

void cs_perf_pmcu_work_switch(cs_perf_pmcu_work *w, cs_cycle at, const cs_perf_task *task)
{
    work_close(w, at);
    if (task == NULL || !work_grow(w))
        return;
    w->stretches[w->nr++] = (cs_perf_pmcu_stretch){
        .from = at, .to = CS_NEVER, .local = task->local, .work = task->work, .tid = task->who.tid};
}

void cs_perf_pmcu_work_forget(cs_perf_pmcu_work *w, cs_cycle before)
{
    size_t n = 0;

    while (n < w->nr && w->stretches[n].to <= before)
        n++;
    if (n == 0)
        return;
    w->nr -= n;
    memmove(w->stretches, w->stretches + n, w->nr * sizeof w->stretches[0]);
}

/* The part of stretch i from `at` on becomes one of its own. */
static void work_split(cs_perf_pmcu_work *w, size_t i, cs_cycle at)
{
    if (!work_grow(w))
        return;
    memmove(&w->stretches[i + 1], &w->stretches[i], (w->nr - i) * sizeof w->stretches[0]);
    w->nr++;
    w->stretches[i].to = at;
    w->stretches[i + 1].local += at - w->stretches[i].from;
    w->stretches[i + 1].from = at;
}

void cs_perf_pmcu_work_insert(cs_perf_pmcu_work *w, cs_cycle at, uint64_t cycles)
{
    for (size_t i = 0; i < w->nr; i++) {
        cs_perf_pmcu_stretch *s = &w->stretches[i];

        if (s->from < at && s->to > at) {
            work_split(w, i, at);
        } else if (s->from >= at) {
            s->from += cycles;
            s->to += s->to != CS_NEVER ? cycles : 0;
        }
    }
}

/* ---- what a core PMU asks ---- */

static uint64_t stretch_sum(const cs_perf_pmcu_stretch *s, uint32_t event, uint32_t modes,
                            cs_cycle from, cs_cycle to)
{
    const cs_cycle a = from > s->from ? from : s->from, b = to < s->to ? to : s->to;

    if (b <= a)
        return 0;
    return s->work.sum(s->work.ctx, event, modes, a - s->from + s->local, b - s->from + s->local);
}

static uint64_t work_sum(void *ctx, uint32_t event, uint32_t modes, cs_cycle from, cs_cycle to)
{
    const cs_perf_pmcu_work *w = ctx;
    const cs_cycle end = to < *w->reached ? to : *w->reached;
    const uint32_t number = event == CS_COREPMU_EVENT_CLOCK ? CPU_CYCLES : event;
    uint64_t sum = 0;

    for (size_t i = 0; i < w->nr; i++)
        sum += stretch_sum(&w->stretches[i], number, modes, from, end);
    return sum;
}

/* Nobody takes the cores' overflow interrupts. */
static cs_cycle work_reach(void *ctx, uint32_t event, uint32_t modes, cs_cycle from, uint64_t n)
{
    (void)ctx;
    (void)event;
    (void)modes;
    return n == 0 ? from : CS_NEVER;
}

/* The kernel has the thread in CONTEXTIDR. */
static void work_context(void *ctx, cs_cycle cycle, cs_context *out)
{
    const cs_perf_pmcu_work *w = ctx;

    *out = (cs_context){.mode = CS_MODE_EL1};
    for (size_t i = 0; i < w->nr; i++) {
        const cs_perf_pmcu_stretch *s = &w->stretches[i];

        if (cycle < s->from || cycle >= s->to)
            continue;
        s->work.context(s->work.ctx, cycle - s->from + s->local, out);
        out->cid1 = s->tid;
        out->cid2 = 0;
    }
}

cs_event_source cs_perf_pmcu_work_source(cs_perf_pmcu_work *w)
{
    return (cs_event_source){
        .sum = work_sum, .reach = work_reach, .context = work_context, .ctx = w};
}
