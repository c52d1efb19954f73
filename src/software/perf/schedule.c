// SPDX-License-Identifier: Apache-2.0
/* Which events count on a CPU: groups in the order of Linux (pinned before flexible, the CPU's
 * before the task's), all of a group or nothing of it, and turns for those that found no
 * counter. */
#include "software/perf/impl.h"

static cs_pmu *pmu_at(const cs_perf_cpu *cpu, unsigned pmu)
{
    return cpu->perf->pmus[pmu];
}

static void pmu_disable(cs_pmu *pmu, cs_perf_cpu *cpu)
{
    if (pmu->ops->disable != NULL)
        pmu->ops->disable(pmu, cpu);
}

static void pmu_enable(cs_pmu *pmu, cs_perf_cpu *cpu)
{
    if (pmu->ops->enable != NULL)
        pmu->ops->enable(pmu, cpu);
}

/* ---- one event ---- */

/* The timer has to tick for it. */
static bool event_ticks(const cs_perf_event *event)
{
    return cs_perf_samples(event);
}

static bool event_sched_in(cs_perf_event *event, cs_perf_cpu *cpu)
{
    if (event->state != CS_PERF_STATE_INACTIVE)
        return true;
    cs_perf_unthrottle(cpu, event);
    if (event->pmu->ops->add(event->pmu, cpu, event) != 0)
        return false;
    cs_perf_set_state(event, CS_PERF_STATE_ACTIVE);
    cpu->nr_active[event->pmu_at]++;
    cpu->nr_ticking += event_ticks(event);
    return true;
}

void cs_perf_sched_out(cs_perf_event *event)
{
    cs_perf_cpu *cpu = event->ctx->cpu;

    if (event->state != CS_PERF_STATE_ACTIVE)
        return;
    event->pmu->ops->del(event->pmu, cpu, event);
    cs_perf_set_state(event, CS_PERF_STATE_INACTIVE);
    cpu->nr_active[event->pmu_at]--;
    cpu->nr_ticking -= event_ticks(event);
    if (cpu->exclusive[event->pmu_at] == event)
        cpu->exclusive[event->pmu_at] = NULL;
}

/* ---- a group ---- */

void cs_perf_group_sched_out(cs_perf_event *leader)
{
    cs_perf_event *s;

    cs_perf_sched_out(leader);
    TAILQ_FOREACH (s, &leader->siblings, in_group)
        cs_perf_sched_out(s);
}

void cs_perf_out_alone(cs_perf_event *event)
{
    cs_perf_cpu *cpu = event->ctx->cpu;
    cs_pmu *p = pmu_at(cpu, event->pmu_at);

    pmu_disable(p, cpu);
    if (event->leader == event)
        cs_perf_group_sched_out(event);
    else
        cs_perf_sched_out(event);
    pmu_enable(p, cpu);
}

static bool group_sched_in(cs_perf_event *leader, cs_perf_cpu *cpu)
{
    cs_perf_event *s;

    if (!event_sched_in(leader, cpu))
        return false;
    TAILQ_FOREACH (s, &leader->siblings, in_group) {
        if (event_sched_in(s, cpu))
            continue;
        cs_perf_group_sched_out(leader);
        return false;
    }
    if (cs_perf_has(leader, CS_PERF_ATTR_EXCLUSIVE))
        cpu->exclusive[leader->pmu_at] = leader;
    return true;
}

/* `room`: no group of this list has been turned away yet. */
static bool group_can_go_on(const cs_perf_event *leader, const cs_perf_cpu *cpu, bool room)
{
    if (leader->software_group)
        return true;
    if (cpu->exclusive[leader->pmu_at] != NULL)
        return false;
    if (cs_perf_has(leader, CS_PERF_ATTR_EXCLUSIVE) && cpu->nr_active[leader->pmu_at] != 0)
        return false;
    return room;
}

/* ---- lists ---- */

static void list_arm_rotation(cs_perf_cpu *cpu, cs_perf_pmu_context *list, unsigned pmu)
{
    const uint64_t turn = cpu->perf->machine.mux_us * UINT64_C(1000);

    list->rotate = true;
    if (cpu->rotate_ns[pmu] == UINT64_MAX)
        cpu->rotate_ns[pmu] = (cpu->now_ns / turn + 1) * turn;
}

static void list_turned_away(cs_perf_event *leader, cs_perf_cpu *cpu)
{
    if (!cs_perf_has(leader, CS_PERF_ATTR_PINNED)) {
        list_arm_rotation(cpu, &leader->ctx->pmus[leader->pmu_at], leader->pmu_at);
        return;
    }
    cs_perf_set_state(leader, CS_PERF_STATE_ERROR);
    cs_perf_wakeup(leader, CS_PERF_WAKE_HANGUP);
}

/* After a flexible group that found no counter only software events can go on, which have a list of their own. */
static bool list_is_over(const cs_perf_event *leader)
{
    return !cs_perf_has(leader, CS_PERF_ATTR_PINNED) && !leader->ctx->pmus[leader->pmu_at].strays;
}

static void list_sched_in(cs_perf_event_list *list, cs_perf_cpu *cpu)
{
    cs_perf_event *leader;
    bool room = true;

    TAILQ_FOREACH (leader, list, in_group) {
        if (leader->state <= CS_PERF_STATE_OFF || leader->state == CS_PERF_STATE_ACTIVE ||
            !cs_perf_context_matches(leader))
            continue;
        if (group_can_go_on(leader, cpu, room) && group_sched_in(leader, cpu))
            continue;
        room = cpu->perf->machine.each_pinned && cs_perf_has(leader, CS_PERF_ATTR_PINNED);
        list_turned_away(leader, cpu);
        if (list_is_over(leader))
            return;
    }
}

/* Those that count are mostly the first. */
static void list_sched_out(cs_perf_event_list *list, const cs_perf_cpu *cpu, unsigned pmu)
{
    cs_perf_event *leader;

    TAILQ_FOREACH (leader, list, in_group) {
        if (cpu->nr_active[pmu] == 0)
            return;
        cs_perf_group_sched_out(leader);
    }
}

/* The task's context, where it has events of the PMU. */
static cs_perf_pmu_context *task_list(const cs_perf_cpu *cpu, unsigned pmu)
{
    return cpu->task != NULL ? &cpu->task->ctx.pmus[pmu] : NULL;
}

static bool list_is_empty(const cs_perf_pmu_context *list)
{
    return list == NULL || (TAILQ_EMPTY(&list->pinned) && TAILQ_EMPTY(&list->flexible));
}

static void pmu_flexible_out(cs_perf_cpu *cpu, unsigned pmu)
{
    cs_perf_pmu_context *task = task_list(cpu, pmu);

    if (task != NULL)
        list_sched_out(&task->flexible, cpu, pmu);
    list_sched_out(&cpu->ctx.pmus[pmu].flexible, cpu, pmu);
}

static void pmu_pinned_out(cs_perf_cpu *cpu, unsigned pmu)
{
    cs_perf_pmu_context *task = task_list(cpu, pmu);

    if (task != NULL)
        list_sched_out(&task->pinned, cpu, pmu);
    list_sched_out(&cpu->ctx.pmus[pmu].pinned, cpu, pmu);
}

/* A list turns only if one of its groups is turned away now. */
static void pmu_all_in(cs_perf_cpu *cpu, unsigned pmu)
{
    cs_perf_pmu_context *own = &cpu->ctx.pmus[pmu], *task = task_list(cpu, pmu);

    own->rotate = false;
    if (task != NULL)
        task->rotate = false;
    list_sched_in(&own->pinned, cpu);
    if (task != NULL)
        list_sched_in(&task->pinned, cpu);
    list_sched_in(&own->flexible, cpu);
    if (task != NULL)
        list_sched_in(&task->flexible, cpu);
}

void cs_perf_resched(cs_perf_cpu *cpu, unsigned pmu, cs_perf_out out)
{
    cs_pmu *p = pmu_at(cpu, pmu);

    if (list_is_empty(&cpu->ctx.pmus[pmu]) && list_is_empty(task_list(cpu, pmu)))
        return;
    pmu_disable(p, cpu);
    if (out >= CS_PERF_OUT_FLEXIBLE)
        pmu_flexible_out(cpu, pmu);
    if (out == CS_PERF_OUT_ALL)
        pmu_pinned_out(cpu, pmu);
    pmu_all_in(cpu, pmu);
    pmu_enable(p, cpu);
}

/* ---- turns ---- */

bool cs_perf_waits(const cs_perf_cpu *cpu, unsigned pmu)
{
    const cs_perf_event *leader;

    TAILQ_FOREACH (leader, &cpu->ctx.pmus[pmu].flexible, in_group)
        if (leader->state == CS_PERF_STATE_INACTIVE)
            return true;
    return false;
}

/* The group that goes to the end: the first that counts, or the first of all. */
static cs_perf_event *list_first(cs_perf_event_list *list)
{
    cs_perf_event *leader;

    TAILQ_FOREACH (leader, list, in_group)
        if (leader->state == CS_PERF_STATE_ACTIVE)
            return leader;
    return TAILQ_FIRST(list);
}

static void list_turn(cs_perf_event_list *list)
{
    cs_perf_event *first = list_first(list);

    TAILQ_REMOVE(list, first, in_group);
    TAILQ_INSERT_TAIL(list, first, in_group);
}

static void list_turn_back(cs_perf_event_list *list)
{
    cs_perf_event *last = TAILQ_LAST(list, cs_perf_event_list);

    TAILQ_REMOVE(list, last, in_group);
    TAILQ_INSERT_HEAD(list, last, in_group);
}

static void list_rotate(cs_perf_pmu_context *list, bool last_first)
{
    if (list == NULL || !list->rotate || TAILQ_EMPTY(&list->flexible))
        return;
    if (last_first)
        list_turn_back(&list->flexible);
    else
        list_turn(&list->flexible);
}

void cs_perf_rotate(cs_perf_cpu *cpu, unsigned pmu)
{
    cs_pmu *p = pmu_at(cpu, pmu);
    cs_perf_pmu_context *own = &cpu->ctx.pmus[pmu], *task = task_list(cpu, pmu);

    cpu->rotate_ns[pmu] = UINT64_MAX;
    if (!own->rotate && (task == NULL || !task->rotate))
        return;
    pmu_disable(p, cpu);
    list_rotate(own, cpu->perf->machine.last_first);
    list_rotate(task, cpu->perf->machine.last_first);
    pmu_flexible_out(cpu, pmu);
    pmu_all_in(cpu, pmu);
    pmu_enable(p, cpu);
}

/* ---- threads ---- */

void cs_perf_settle(cs_perf_cpu *cpu)
{
    for (unsigned i = 0; i < cpu->perf->nr_pmus; i++) {
        cs_pmu *p = pmu_at(cpu, i);

        if (p->ops->settle != NULL)
            p->ops->settle(p, cpu);
    }
}

static void task_pmu_out(cs_perf_cpu *cpu, unsigned pmu)
{
    cs_pmu *p = pmu_at(cpu, pmu);
    cs_perf_pmu_context *task = task_list(cpu, pmu);

    if (list_is_empty(task))
        return;
    pmu_disable(p, cpu);
    list_sched_out(&task->flexible, cpu, pmu);
    list_sched_out(&task->pinned, cpu, pmu);
    task->rotate = false;
    pmu_enable(p, cpu);
}

/* Events that follow their task everywhere watch it whether it runs or not. */
static void context_watch(cs_perf_context *ctx)
{
    cs_perf_event *e;

    if (ctx->task != NULL && !ctx->bound)
        return;
    TAILQ_FOREACH (e, &ctx->events, in_ctx)
        cs_perf_truth_update(e);
}

static void switch_out(cs_perf_cpu *cpu)
{
    cs_perf_task *task = cpu->task;

    task->nr_switches++;
    cpu->nr_switches++;
    cs_perf_software_happened(cpu, CS_PERF_SW_CONTEXT_SWITCHES);
    for (unsigned i = 0; i < cpu->perf->nr_pmus; i++)
        task_pmu_out(cpu, i);
    cs_perf_context_leave(&task->ctx);
    task->current = false;
}

/* Events of the CPU stay as they are, unless the thread has some of that PMU, or some of theirs wait. */
static void task_pmu_in(cs_perf_cpu *cpu, unsigned pmu)
{
    if (!list_is_empty(task_list(cpu, pmu)) || cpu->ctx.pmus[pmu].rotate)
        cs_perf_resched(cpu, pmu, CS_PERF_OUT_ALL);
}

static void switch_in(cs_perf_cpu *cpu, cs_perf_task *next)
{
    const bool migrated = next->ran && next->cpu != cpu->number;

    next->current = true;
    next->ran = true;
    next->cpu = cpu->number;
    cs_perf_context_enter(&next->ctx, cpu);
    context_watch(&next->ctx);
    for (unsigned i = 0; i < cpu->perf->nr_pmus; i++)
        task_pmu_in(cpu, i);
    if (!migrated)
        return;
    next->nr_migrations++; /* events of the task count it, which are in by now */
    cpu->nr_migrations++;
    cs_perf_software_happened(cpu, CS_PERF_SW_CPU_MIGRATIONS);
}

void cs_perf_switch(cs_perf_cpu *cpu, cs_perf_task *next)
{
    cs_perf_task *prev = cpu->task;

    if (prev == next)
        return;
    cs_perf_settle(cpu);
    if (prev != NULL) {
        cs_perf_tell_switch(cpu, prev, next, true);
        switch_out(cpu);
    }
    cpu->task = next;
    cs_perf_settle(cpu);
    if (prev != NULL)
        context_watch(&prev->ctx);
    context_watch(&cpu->ctx);
    if (next == NULL)
        return;
    switch_in(cpu, next);
    cs_perf_tell_switch(cpu, next, prev, false);
}
