// SPDX-License-Identifier: Apache-2.0
/* The events of a task or of a CPU, and how long they have been in. */
#include "software/perf/impl.h"

void cs_perf_context_init(cs_perf_context *ctx, cs_perf_task *task)
{
    *ctx = (cs_perf_context){.task = task};
    TAILQ_INIT(&ctx->events);
    for (unsigned i = 0; i < CS_PERF_MOST_PMUS; i++) {
        TAILQ_INIT(&ctx->pmus[i].pinned);
        TAILQ_INIT(&ctx->pmus[i].flexible);
    }
}

static cs_perf_event_list *context_list(cs_perf_event *leader)
{
    cs_perf_pmu_context *pmu = &leader->ctx->pmus[leader->pmu_at];

    return cs_perf_has(leader, CS_PERF_ATTR_PINNED) ? &pmu->pinned : &pmu->flexible;
}

void cs_perf_context_link(cs_perf_event *leader)
{
    TAILQ_INSERT_TAIL(context_list(leader), leader, in_group);
}

void cs_perf_context_unlink(cs_perf_event *leader)
{
    TAILQ_REMOVE(context_list(leader), leader, in_group);
}

uint64_t cs_perf_context_time(const cs_perf_context *ctx)
{
    return ctx->cpu != NULL ? ctx->time_ns + ctx->cpu->now_ns - ctx->stamp_ns : ctx->time_ns;
}

void cs_perf_context_enter(cs_perf_context *ctx, cs_perf_cpu *cpu)
{
    ctx->cpu = cpu;
    ctx->stamp_ns = cpu->now_ns;
}

void cs_perf_context_leave(cs_perf_context *ctx)
{
    ctx->time_ns = cs_perf_context_time(ctx);
    ctx->cpu = NULL;
}

bool cs_perf_context_matches(const cs_perf_event *event)
{
    return event->cpu < 0 || (unsigned)event->cpu == event->ctx->cpu->number;
}
