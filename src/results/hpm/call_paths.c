// SPDX-License-Identifier: Apache-2.0
#include "results/hpm/call_paths.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/room.h"
#include "scenario/hpm/riscv_spec.h"
#include "scenario/work/workload_spec.h"

#define STACK_BYTES ((CS_MAX_CALLERS + 1u) * (CS_NAME_BYTES + 192u))
#define RETURNS_BYTES (CS_MAX_CALLERS * 19u + 1u)

struct cs_call_paths {
    const cs_scenario *scenario;
    size_t nr_functions; /* of all workloads */
    uint64_t *samples;   /* by command and number of the function */
    cs_call_share *shares;
    size_t nr_shares, room;
    char stack[STACK_BYTES];
    char returns[RETURNS_BYTES];
};

static cs_status no_memory(cs_diag *diag)
{
    return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for call paths");
}

cs_status cs_call_paths_create(const cs_scenario *s, cs_call_paths **out, cs_diag *diag)
{
    cs_call_paths *p = calloc(1, sizeof *p);

    *out = NULL;
    if (p == NULL)
        return no_memory(diag);
    p->scenario = s;
    for (size_t i = 0; i < s->nr_workloads; i++)
        for (size_t k = 0; k < s->workloads[i].nr_segments; k++)
            p->nr_functions += s->workloads[i].segments[k].nr_functions;
    p->samples = calloc(s->riscv->nr_perf * p->nr_functions + 1, sizeof *p->samples);
    if (p->samples == NULL) {
        cs_call_paths_destroy(p);
        return no_memory(diag);
    }
    *out = p;
    return CS_OK;
}

void cs_call_paths_destroy(cs_call_paths *p)
{
    if (p == NULL)
        return;
    free(p->samples);
    free(p->shares);
    free(p);
}

static uint64_t *samples_of(const cs_call_paths *p, unsigned command, uint32_t function)
{
    return &p->samples[command * p->nr_functions + function];
}

void cs_call_paths_add(cs_call_paths *p, unsigned command, uint32_t function)
{
    ++*samples_of(p, command, function);
}

static uint64_t in_segment(const cs_call_paths *p, unsigned command, const cs_segment_spec *segment)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < segment->nr_functions; i++)
        sum += *samples_of(p, command, segment->functions[i].number);
    return sum;
}

static uint64_t in_command(const cs_call_paths *p, unsigned command)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < p->nr_functions; i++)
        sum += p->samples[command * p->nr_functions + i];
    return sum;
}

/* ---- texts ---- */

static void write_texts(cs_call_paths *p, const cs_function_spec *f)
{
    size_t at = 0, used = 0;

    p->stack[0] = p->returns[0] = '\0';
    for (size_t k = f->nr_callers; k-- > 0;)
        at += (size_t)snprintf(p->stack + at, STACK_BYTES - at, "%s;", f->callers[k]);
    snprintf(p->stack + at, STACK_BYTES - at, "%s", f->name);
    for (size_t k = 0; k < f->nr_callers; k++)
        used += (size_t)snprintf(p->returns + used, RETURNS_BYTES - used, "%s0x%" PRIx64,
                                 k != 0 ? ";" : "", f->caller_specs[k].ret);
}

/* ---- functions ---- */

/* The share of a function of the workload, made where there is none. NULL: no memory. */
static cs_call_share *share_of(cs_call_paths *p, unsigned command, const char *workload,
                               const char *function, uint64_t base)
{
    for (size_t i = 0; i < p->nr_shares; i++) {
        cs_call_share *s = &p->shares[i];

        if (s->base == base && s->workload == workload && s->command == command &&
            strcmp(s->function, function) == 0)
            return s;
    }
    cs_call_share *shares = cs_room(p->shares, &p->room, p->nr_shares, sizeof *shares);

    if (shares == NULL)
        return NULL;
    p->shares = shares;
    p->shares[p->nr_shares] = (cs_call_share){
        .command = command, .workload = workload, .function = function, .base = base};
    return &p->shares[p->nr_shares++];
}

/* Caller k stands in the path further in, too. */
static bool stands_before(const cs_function_spec *f, size_t k)
{
    const cs_caller_spec *caller = &f->caller_specs[k];

    if (caller->base == f->base)
        return true;
    for (size_t i = 0; i < k; i++)
        if (f->caller_specs[i].base == caller->base)
            return true;
    return false;
}

static bool add_shares(cs_call_paths *p, const cs_call_path *path)
{
    const cs_function_spec *f = path->function;
    cs_call_share *share = share_of(p, path->command, path->workload, f->name, f->base);

    if (share == NULL)
        return false;
    share->self += path->samples;
    share->self_expected += path->expected;
    share->inclusive += path->samples;
    share->inclusive_expected += path->expected;
    for (size_t k = 0; k < f->nr_callers; k++) {
        if (stands_before(f, k))
            continue;
        share = share_of(p, path->command, path->workload, f->callers[k], f->caller_specs[k].base);
        if (share == NULL)
            return false;
        share->inclusive += path->samples;
        share->inclusive_expected += path->expected;
    }
    return true;
}

/* ---- all paths ---- */

typedef struct teller {
    void (*path)(void *ctx, const cs_call_path *path);
    void *ctx;
} teller;

static bool tell_segment(cs_call_paths *p, const teller *to, cs_call_path *path,
                         const cs_segment_spec *segment)
{
    const double here = (double)in_segment(p, path->command, segment),
                 all = (double)in_command(p, path->command);
    double weights = 0;

    for (size_t i = 0; i < segment->nr_functions; i++)
        weights += segment->functions[i].weight;
    for (size_t i = 0; i < segment->nr_functions && here > 0; i++) {
        const cs_function_spec *f = &segment->functions[i];

        if (f->weight == 0)
            continue;
        write_texts(p, f);
        path->pid = segment->cid1;
        path->function = f;
        path->stack = p->stack;
        path->returns = p->returns;
        path->samples = *samples_of(p, path->command, f->number);
        path->expected = here / all * f->weight / weights;
        to->path(to->ctx, path);
        if (!add_shares(p, path))
            return false;
    }
    return true;
}

cs_status cs_call_paths_tell(cs_call_paths *p, void (*path)(void *ctx, const cs_call_path *path),
                             void (*share)(void *ctx, const cs_call_share *share), void *ctx,
                             cs_diag *diag)
{
    const cs_scenario *s = p->scenario;
    const teller to = {path, ctx};
    bool good = true;

    p->nr_shares = 0;
    for (unsigned command = 0; command < s->riscv->nr_perf; command++)
        for (size_t i = 0; i < s->nr_workloads && s->riscv->perf[command].callchain; i++)
            for (size_t k = 0; k < s->workloads[i].nr_segments && good; k++) {
                cs_call_path one = {
                    .command = command, .workload = s->workloads[i].name, .segment = (unsigned)k};

                good = tell_segment(p, &to, &one, &s->workloads[i].segments[k]);
            }
    for (size_t i = 0; i < p->nr_shares; i++)
        share(ctx, &p->shares[i]);
    return good ? CS_OK : no_memory(diag);
}
