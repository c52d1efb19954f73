// SPDX-License-Identifier: Apache-2.0
#include "results/common/functions.h"
#include "scenario/work/workload_spec.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A function of a workload; all CPUs that run it share it. */
typedef struct place {
    uint64_t base;
    uint64_t end;
    size_t result; /* index in results */
} place;

/* The functions of a workload by address, and what part of its time in functions each has. */
typedef struct workload {
    place *places;
    double *shares; /* by place */
    size_t nr_places;
} workload;

struct cs_functions {
    const cs_scenario *scenario;
    workload *workloads;
    const workload *of_cpu[CS_MAX_CPUS]; /* NULL: idle */
    uint64_t in_workload[CS_MAX_CPUS];   /* samples in one of its functions */
    cs_function_result *functions;
    size_t nr_functions;
};

static size_t function_result(cs_functions *c, const cs_function_spec *f)
{
    size_t i = 0;

    while (i < c->nr_functions &&
           (c->functions[i].base != f->base || strcmp(c->functions[i].name, f->name) != 0))
        i++;
    if (i == c->nr_functions)
        c->functions[c->nr_functions++] = (cs_function_result){.name = f->name, .base = f->base};
    return i;
}

static int by_base(const void *a, const void *b)
{
    const place *x = a, *y = b;

    return (x->base > y->base) - (x->base < y->base);
}

static const place *find_place(const workload *w, uint64_t pc)
{
    size_t low = 0, high = w->nr_places;

    while (low < high) {
        size_t middle = (low + high) / 2;

        if (w->places[middle].end <= pc)
            low = middle + 1;
        else
            high = middle;
    }
    return low < w->nr_places && w->places[low].base <= pc ? &w->places[low] : NULL;
}

static size_t count_functions(const cs_workload_spec *spec)
{
    size_t count = 0;

    for (size_t k = 0; k < spec->nr_segments; k++)
        count += spec->segments[k].nr_functions;
    return count;
}

/* A function that several segments have is one place with the sum of its shares. */
static void add_segment(cs_functions *c, workload *w, const cs_segment_spec *segment, double time)
{
    double weights = 0;

    for (size_t i = 0; i < segment->nr_functions; i++)
        weights += segment->functions[i].weight;
    for (size_t i = 0; i < segment->nr_functions; i++) {
        const cs_function_spec *f = &segment->functions[i];
        size_t k = 0;

        while (k < w->nr_places && w->places[k].base != f->base)
            k++;
        if (k == w->nr_places)
            w->places[w->nr_places++] = (place){f->base, f->base + f->size, function_result(c, f)};
        if (w->places[k].end < f->base + f->size)
            w->places[k].end = f->base + f->size;
        w->shares[w->places[k].result] += weights > 0 ? time * f->weight / weights : 0;
    }
}

static void fill_workload(cs_functions *c, workload *w, const cs_workload_spec *spec)
{
    double cycles = 0;

    for (size_t k = 0; k < spec->nr_segments; k++)
        cycles += (double)spec->segments[k].cycles;
    for (size_t k = 0; k < spec->nr_segments; k++)
        add_segment(c, w, &spec->segments[k],
                    cycles > 0 ? (double)spec->segments[k].cycles / cycles : 1);
    double in_functions = 0; /* the rest is time of segments that have none */
    for (size_t k = 0; k < w->nr_places; k++)
        in_functions += w->shares[w->places[k].result];
    for (size_t k = 0; k < w->nr_places && in_functions > 0; k++)
        w->shares[w->places[k].result] /= in_functions;
    if (w->nr_places > 0)
        qsort(w->places, w->nr_places, sizeof *w->places, by_base);
}

static cs_status make_workloads(cs_functions *c, cs_diag *diag)
{
    const cs_scenario *s = c->scenario;
    size_t functions = 0;

    for (size_t i = 0; i < s->nr_workloads; i++)
        functions += count_functions(&s->workloads[i]);
    c->functions = calloc(functions + 1, sizeof *c->functions);
    c->workloads = calloc(s->nr_workloads + 1, sizeof *c->workloads);
    bool good = c->functions != NULL && c->workloads != NULL;
    for (size_t i = 0; i < s->nr_workloads && good; i++) {
        workload *w = &c->workloads[i];

        w->places = calloc(functions + 1, sizeof *w->places);
        w->shares = calloc(functions + 1, sizeof *w->shares);
        good = w->places != NULL && w->shares != NULL;
        if (!good)
            break;
        fill_workload(c, w, &s->workloads[i]);
        for (unsigned cpu = 0; cpu < cs_scenario_cpus(s); cpu++)
            if (s->workloads[i].cpus[cpu])
                c->of_cpu[cpu] = w;
    }
    return good ? CS_OK : cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for the results");
}

cs_status cs_functions_create(const cs_scenario *scenario, cs_functions **out, cs_diag *diag)
{
    cs_functions *c = calloc(1, sizeof *c);

    *out = NULL;
    if (c == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for the results");
    c->scenario = scenario;
    cs_status status = make_workloads(c, diag);
    if (status != CS_OK) {
        cs_functions_destroy(c);
        return status;
    }
    *out = c;
    return CS_OK;
}

void cs_functions_destroy(cs_functions *c)
{
    if (c == NULL)
        return;
    for (size_t i = 0; c->workloads != NULL && i < c->scenario->nr_workloads; i++) {
        free(c->workloads[i].places);
        free(c->workloads[i].shares);
    }
    free(c->workloads);
    free(c->functions);
    free(c);
}

void cs_functions_add(cs_functions *c, unsigned cpu, uint64_t pc)
{
    const workload *w = c->of_cpu[cpu];
    const place *place = w != NULL ? find_place(w, pc) : NULL;

    if (place == NULL)
        return;
    c->functions[place->result].samples++;
    c->in_workload[cpu]++;
}

static int by_share(const void *a, const void *b)
{
    const cs_function_result *x = a, *y = b;

    if (x->samples != y->samples)
        return x->samples < y->samples ? 1 : -1;
    return (x->base > y->base) - (x->base < y->base);
}

const cs_function_result *cs_functions_finish(cs_functions *c, size_t *count)
{
    uint64_t all = 0;

    for (unsigned cpu = 0; cpu < cs_scenario_cpus(c->scenario); cpu++) {
        const workload *w = c->of_cpu[cpu];

        all += c->in_workload[cpu];
        for (size_t i = 0; w != NULL && i < c->nr_functions; i++)
            c->functions[i].expected += (double)c->in_workload[cpu] * w->shares[i];
    }
    for (size_t i = 0; i < c->nr_functions && all != 0; i++) {
        c->functions[i].share = (double)c->functions[i].samples / (double)all;
        c->functions[i].expected /= (double)all;
    }
    if (c->nr_functions > 0)
        qsort(c->functions, c->nr_functions, sizeof *c->functions, by_share);
    *count = c->nr_functions;
    return c->functions;
}

double cs_functions_error(cs_functions *c)
{
    size_t count;
    const cs_function_result *f = cs_functions_finish(c, &count);
    double sum = 0, shares = 0;

    for (size_t i = 0; i < count; i++) {
        sum += fabs(f[i].share - f[i].expected);
        shares += f[i].share;
    }
    return shares > 0 ? sum / (double)count : (double)NAN;
}
