// SPDX-License-Identifier: Apache-2.0
#include "traces/common/symbols.h"

#include <stdlib.h>

#include "base/room.h"
#include "scenario/work/workload_spec.h"
#include "traces/common/cpus.h"

typedef struct builder {
    const cs_scenario *scenario;
    cs_trace_symbols *out;
    size_t room;
} builder;

static bool add(builder *b, cs_trace_space space, const cs_function_spec *f, const char *object)
{
    cs_trace_symbols *t = b->out;
    cs_trace_symbol *list = cs_room(t->list, &b->room, t->nr, sizeof *list);

    if (list == NULL)
        return false;
    t->list = list;
    list[t->nr++] = (cs_trace_symbol){.space = space,
                                      .base = f->base,
                                      .end = f->base + f->size,
                                      .name = f->name,
                                      .object = space.kernel ? "kernel" : object};
    return true;
}

static bool add_workload(builder *b, const cs_workload_spec *w)
{
    const cs_scenario *s = b->scenario;
    unsigned cpu = 0;

    while (cpu < cs_scenario_cpus(s) && !w->cpus[cpu])
        cpu++;
    const cs_trace_cpu *kind = cs_trace_cpu_of(s, cpu);
    for (size_t k = 0; k < w->nr_segments; k++) {
        const cs_segment_spec *segment = &w->segments[k];

        for (size_t i = 0; i < segment->nr_functions; i++) {
            const cs_function_spec *f = &segment->functions[i];
            const bool kernel = kind->is_kernel(s, segment->mode, f->base);

            if (!add(b,
                     (cs_trace_space){.guest =
                                          kind->is_guest != NULL && kind->is_guest(segment->mode),
                                      .kernel = kernel,
                                      .pid = kernel ? 0 : segment->pid},
                     f, segment->process[0] != '\0' ? segment->process : w->name))
                return false;
        }
    }
    return true;
}

static int by_space(cs_trace_space a, cs_trace_space b)
{
    if (a.guest != b.guest)
        return a.guest - b.guest;
    if (a.kernel != b.kernel)
        return a.kernel - b.kernel;
    return (a.pid > b.pid) - (a.pid < b.pid);
}

static int by_place(const void *a, const void *b)
{
    const cs_trace_symbol *x = a, *y = b;
    const int space = by_space(x->space, y->space);

    return space != 0 ? space : (x->base > y->base) - (x->base < y->base);
}

cs_status cs_trace_symbols_create(const cs_scenario *s, cs_trace_symbols **out, cs_diag *diag)
{
    builder b = {.scenario = s, .out = calloc(1, sizeof *b.out)};
    bool good = b.out != NULL;

    for (size_t i = 0; good && i < s->nr_workloads; i++)
        good = add_workload(&b, &s->workloads[i]);
    for (size_t i = 0; good && i < s->handler.nr_functions; i++)
        good = add(&b, (cs_trace_space){.kernel = true}, &s->handler.functions[i], "kernel");
    *out = b.out;
    if (!good) {
        cs_trace_symbols_destroy(b.out);
        *out = NULL;
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for the symbols of a trace");
    }
    /* A function with several callers is there several times. */
    if (b.out->nr != 0)
        qsort(b.out->list, b.out->nr, sizeof *b.out->list, by_place);
    size_t kept = 0;
    for (size_t i = 0; i < b.out->nr; i++)
        if (kept == 0 || by_place(&b.out->list[kept - 1], &b.out->list[i]) != 0)
            b.out->list[kept++] = b.out->list[i];
    b.out->nr = kept;
    return CS_OK;
}

void cs_trace_symbols_destroy(cs_trace_symbols *t)
{
    if (t == NULL)
        return;
    free(t->list);
    free(t);
}

const cs_trace_symbol *cs_trace_symbols_find(const cs_trace_symbols *t, cs_trace_space space,
                                             uint64_t address)
{
    const cs_trace_symbol key = {.space = space, .base = address};
    size_t low = 0, high = t->nr;

    while (low < high) { /* the first that lies behind it */
        const size_t middle = low + (high - low) / 2;

        if (by_place(&t->list[middle], &key) <= 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0)
        return NULL;
    const cs_trace_symbol *found = &t->list[low - 1];
    return by_space(found->space, space) == 0 && address - found->base < found->end - found->base
               ? found
               : NULL;
}
