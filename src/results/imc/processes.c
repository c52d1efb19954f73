// SPDX-License-Identifier: Apache-2.0
#include "results/imc/processes.h"

#include "results/imc/perf_truth.h"
#include "scenario/imc/imc_driver_spec.h"

static bool counted(const cs_perf_spec *p, uint32_t pid)
{
    const size_t nr = p->inherit ? p->nr_processes : 1;

    for (size_t i = 0; i < nr; i++)
        if (p->processes[i].pid == pid)
            return true;
    return false;
}

void cs_imc_spells(const cs_scenario *s, cs_timeline *const timelines[], unsigned command,
                   cs_cycle from, cs_cycle to, void (*each)(void *ctx, const cs_imc_spell *),
                   void *ctx)
{
    const cs_perf_spec *p = &s->imc_driver->perf[command];

    for (unsigned cpu = 0; cpu < cs_scenario_cpus(s); cpu++) {
        cs_cycle next;

        for (cs_cycle at = from; p->cpus[cpu] && at < to; at = next) {
            uint64_t local;
            cs_context who;

            next = cs_timeline_until(timelines[cpu], at);
            next = next < to ? next : to;
            if (cs_timeline_track(timelines[cpu], at, &local) != CS_TIMELINE_WORKLOAD)
                continue;
            cs_timeline_context(timelines[cpu], at, &who);
            if (counted(p, who.cid1))
                each(ctx, &(cs_imc_spell){who.cid1, cpu, at, next});
        }
    }
}

typedef struct adding {
    const cs_scenario *scenario;
    cs_timeline *const *timelines;
    const cs_imc_event *event;
    uint64_t sum;
} adding;

static void add(void *ctx, const cs_imc_spell *spell)
{
    adding *a = ctx;

    a->sum += cs_imc_thread_truth(a->scenario, a->timelines[spell->cpu], a->event, spell->from,
                                  spell->to);
}

uint64_t cs_imc_processes_truth(const cs_scenario *s, cs_timeline *const timelines[],
                                const cs_count *c)
{
    adding a = {s, timelines, c->own, 0};

    cs_imc_spells(s, timelines, c->command, c->from, c->to, add, &a);
    return a.sum;
}
