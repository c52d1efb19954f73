// SPDX-License-Identifier: Apache-2.0
#include "results/hpm/shares.h"

#include <stdlib.h>
#include <string.h>

#include "scenario/hpm/riscv_spec.h"

struct cs_hart_shares {
    const cs_scenario *scenario;
    size_t nr_functions;           /* of all workloads */
    uint64_t *bases;               /* by number */
    size_t *first;                 /* of a command's events among all */
    uint64_t *samples, *overflows; /* by event and number of the function */
    cs_hart_share *list;           /* of one event */
    size_t nr;
};

static cs_status no_memory(cs_diag *diag)
{
    return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for shares of functions");
}

cs_status cs_hart_shares_create(const cs_scenario *s, cs_hart_shares **out, cs_diag *diag)
{
    cs_hart_shares *p = calloc(1, sizeof *p);
    size_t events = 0;

    *out = NULL;
    if (p == NULL)
        return no_memory(diag);
    p->scenario = s;
    for (size_t i = 0; i < s->nr_workloads; i++)
        for (size_t k = 0; k < s->workloads[i].nr_segments; k++)
            p->nr_functions += s->workloads[i].segments[k].nr_functions;
    p->first = calloc(s->riscv->nr_perf + 1, sizeof *p->first);
    for (size_t c = 0; p->first != NULL && c < s->riscv->nr_perf; c++) {
        p->first[c] = events;
        events += s->riscv->perf[c].nr_events;
    }
    p->samples = calloc(events * p->nr_functions + 1, sizeof *p->samples);
    p->overflows = calloc(events * p->nr_functions + 1, sizeof *p->overflows);
    p->list = calloc(p->nr_functions + 1, sizeof *p->list);
    p->bases = calloc(p->nr_functions + 1, sizeof *p->bases);
    if (p->bases == NULL || p->first == NULL || p->samples == NULL || p->overflows == NULL ||
        p->list == NULL) {
        cs_hart_shares_destroy(p);
        return no_memory(diag);
    }
    for (size_t i = 0; i < s->nr_workloads; i++)
        for (size_t k = 0; k < s->workloads[i].nr_segments; k++)
            for (size_t f = 0; f < s->workloads[i].segments[k].nr_functions; f++) {
                const cs_function_spec *one = &s->workloads[i].segments[k].functions[f];

                p->bases[one->number] = one->base;
            }
    *out = p;
    return CS_OK;
}

void cs_hart_shares_destroy(cs_hart_shares *p)
{
    if (p == NULL)
        return;
    free(p->bases);
    free(p->first);
    free(p->samples);
    free(p->overflows);
    free(p->list);
    free(p);
}

/* Those of all functions, of one event. */
static uint64_t *row_of(const cs_hart_shares *p, uint64_t *counts, unsigned command, unsigned event)
{
    return &counts[(p->first[command] + event) * p->nr_functions];
}

static void count(const cs_hart_shares *p, uint64_t *row, const cs_function *f)
{
    /* Those of software have numbers of their own. */
    if (f != NULL && f->number < p->nr_functions && p->bases[f->number] == f->base)
        row[f->number]++;
}

void cs_hart_shares_add(cs_hart_shares *p, unsigned command, unsigned event, const cs_function *in,
                        const cs_function *overflowed)
{
    count(p, row_of(p, p->samples, command, event), in);
    count(p, row_of(p, p->overflows, command, event), overflowed);
}

/* The function of the process, made where there is none. */
static cs_hart_share *share_of(cs_hart_shares *p, const cs_workload_spec *w, uint32_t pid,
                               const cs_function_spec *f)
{
    size_t i = 0;

    while (i < p->nr &&
           (p->list[i].function->base != f->base || p->list[i].pid != pid ||
            p->list[i].workload != w->name || strcmp(p->list[i].function->name, f->name) != 0))
        i++;
    if (i == p->nr)
        p->list[p->nr++] = (cs_hart_share){.pid = pid, .workload = w->name, .function = f};
    return &p->list[i];
}

static void add_segment(cs_hart_shares *p, const cs_workload_spec *w,
                        const cs_segment_spec *segment, const uint64_t *samples,
                        const uint64_t *overflows, double all)
{
    uint64_t here = 0;
    double weights = 0;

    for (size_t i = 0; i < segment->nr_functions; i++) {
        here += samples[segment->functions[i].number];
        weights += segment->functions[i].weight;
    }
    for (size_t i = 0; i < segment->nr_functions; i++) {
        const cs_function_spec *f = &segment->functions[i];

        if (samples[f->number] == 0 && overflows[f->number] == 0 && (here == 0 || f->weight == 0))
            continue;
        cs_hart_share *share = share_of(p, w, segment->cid1, f);

        share->samples += samples[f->number];
        share->overflows += overflows[f->number];
        share->share = all > 0 ? (double)share->samples / all : 0;
        share->expected += all > 0 ? (double)here / all * f->weight / weights : 0;
    }
}

static int by_share(const void *a, const void *b)
{
    const cs_hart_share *x = a, *y = b;

    if (x->pid != y->pid)
        return x->pid < y->pid ? -1 : 1;
    if (x->samples != y->samples)
        return x->samples < y->samples ? 1 : -1;
    return (x->function->base > y->function->base) - (x->function->base < y->function->base);
}

static void tell_event(cs_hart_shares *p, unsigned command, unsigned event,
                       void (*tell)(void *ctx, const cs_hart_share *share), void *ctx)
{
    const cs_scenario *s = p->scenario;
    const uint64_t *samples = row_of(p, p->samples, command, event),
                   *overflows = row_of(p, p->overflows, command, event);
    uint64_t all = 0;

    p->nr = 0;
    for (size_t i = 0; i < p->nr_functions; i++)
        all += samples[i];
    for (size_t i = 0; i < s->nr_workloads; i++)
        for (size_t k = 0; k < s->workloads[i].nr_segments; k++)
            add_segment(p, &s->workloads[i], &s->workloads[i].segments[k], samples, overflows,
                        (double)all);
    if (p->nr > 1)
        qsort(p->list, p->nr, sizeof *p->list, by_share);
    for (size_t i = 0; i < p->nr; i++) {
        p->list[i].command = command;
        p->list[i].event = event;
        tell(ctx, &p->list[i]);
    }
}

void cs_hart_shares_tell(cs_hart_shares *p, void (*tell)(void *ctx, const cs_hart_share *share),
                         void *ctx)
{
    for (unsigned command = 0; command < p->scenario->riscv->nr_perf; command++)
        for (unsigned event = 0; event < p->scenario->riscv->perf[command].nr_events; event++)
            tell_event(p, command, event, tell, ctx);
}
