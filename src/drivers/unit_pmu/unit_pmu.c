// SPDX-License-Identifier: Apache-2.0
/* Units as PMUs of perf's core. It adds and deletes events without an access, and what has come of that is
 * carried out at once (cs_units_commit), as x86's drivers do at the end of a transaction: which counter
 * an event has depends on all the others. */
#include "drivers/unit_pmu/unit_pmu.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_TYPE 8u

/* What the core calls our PMU is its first member. */
typedef struct cs_unit_pmu {
    cs_pmu pmu;
    cs_units *units;
} unit_pmu;

static cs_units *units_of(const cs_pmu *pmu)
{
    return ((const unit_pmu *)pmu)->units;
}

/* Units with a list in common are one PMU. */
static const cs_pmu *pmu_of(const cs_units *u, unsigned unit)
{
    return &u->pmus[u->config.global ? 0 : unit].pmu;
}

/* Its time is the driver's. */
static cs_perf_cpu *perf_cpu(const cs_units *u, unsigned unit)
{
    cs_perf_cpu *cpu = &u->perf->cpus[u->units[unit].cpu->number];

    if (!u->ending)
        cpu->now_ns = u->config.ops->now(u->config.ctx);
    return cpu;
}

/* ---- what the core calls ---- */

static int unit_event_init(cs_pmu *pmu, cs_perf_event *event)
{
    const cs_unit_event *e = cs_perf_user(event);

    if (event->attr.type != pmu->type)
        return -ENOENT;
    event->hw.event = e->number;
    event->hw.allowed = e->allowed;
    return 0;
}

static int unit_add(cs_pmu *pmu, cs_perf_cpu *cpu, cs_perf_event *event)
{
    cs_unit_event *e = cs_perf_user(event);
    cs_unit *unit = &units_of(pmu)->units[e->unit];

    (void)cpu;
    if (!cs_rotation_set_add(&unit->set, event->hw.allowed))
        return -EAGAIN;
    unit->wanted[unit->set.nr - 1] = e;
    return 0;
}

static void unit_del(cs_pmu *pmu, cs_perf_cpu *cpu, cs_perf_event *event)
{
    const cs_unit_event *e = cs_perf_user(event);
    cs_unit *unit = &units_of(pmu)->units[e->unit];
    unsigned i = 0, nr = unit->set.nr - 1;

    (void)cpu;
    while (unit->wanted[i] != e)
        i++;
    memmove(&unit->wanted[i], &unit->wanted[i + 1], (nr - i) * sizeof unit->wanted[0]);
    cs_rotation_set_clear(&unit->set);
    for (i = 0; i < nr; i++)
        cs_rotation_set_add(&unit->set, unit->wanted[i]->allowed);
}

static void unit_read(cs_pmu *pmu, cs_perf_cpu *cpu, cs_perf_event *event)
{
    const cs_units *u = units_of(pmu);

    if (!u->ending)
        cpu->now_ns = u->config.ops->read(u->config.ctx, cs_perf_user(event));
}

/* start and stop are for samples, of which there are none. */
static const cs_pmu_ops unit_ops = {
    .event_init = unit_event_init,
    .add = unit_add,
    .del = unit_del,
    .read = unit_read,
};

/* ---- events ---- */

static cs_perf_event *unit_leader(const cs_units *u, const cs_unit_event *event)
{
    for (const cs_unit_event *e = u->events; e != event && event->group != 0; e++)
        if (e->command == event->command && e->unit == event->unit && e->group == event->group)
            return e->perf;
    return NULL;
}

void cs_unit_open(cs_units *u, cs_unit_event *e)
{
    cs_perf_event *leader = unit_leader(u, e);
    const uint64_t pinned = e->pinned ? CS_PERF_ATTR_PINNED : 0;
    const cs_perf_attr attr = {.type = pmu_of(u, e->unit)->type,
                               .config = e->config,
                               .config1 = e->config1,
                               .config2 = e->config2,
                               .flags = leader == NULL ? pinned | CS_PERF_ATTR_DISABLED : 0};
    const cs_perf_asked asked = {.attr = &attr,
                                 .privileged = true,
                                 .pid = -1,
                                 .cpu = (int32_t)perf_cpu(u, e->unit)->number,
                                 .group = leader,
                                 .user = e};

    u->failed |= cs_perf_open(u->perf, &asked, &e->perf) != 0;
}

void cs_unit_enable(cs_units *u, const cs_unit_event *e)
{
    if (e->perf == NULL || e->perf->leader != e->perf || e->perf->state != CS_PERF_STATE_OFF)
        return;
    perf_cpu(u, e->unit);
    cs_perf_enable_one(e->perf);
}

void cs_unit_disable(cs_units *u, cs_unit_event *e)
{
    perf_cpu(u, e->unit);
    if (e->perf != NULL)
        cs_perf_disable(e->perf);
}

void cs_unit_close(cs_units *u, cs_unit_event *e)
{
    perf_cpu(u, e->unit);
    cs_perf_close(e->perf);
    e->perf = NULL;
}

void cs_unit_strand(cs_units *u, cs_unit_event *e)
{
    perf_cpu(u, e->unit);
    e->open = false;
    if (e->perf != NULL)
        cs_perf_leave_context(e->perf);
}

cs_cycle cs_unit_update(cs_units *u, cs_unit_event *e)
{
    const cs_perf_cpu *cpu = perf_cpu(u, e->unit);

    if (e->perf != NULL)
        cs_perf_update_count(e->perf);
    return cpu->now_ns;
}

/* ---- the list of a unit ---- */

void cs_units_take_off(cs_units *u, unsigned unit)
{
    perf_cpu(u, unit);
    for (size_t i = 0; i < u->nr_events; i++)
        if (u->events[i].unit == unit && u->events[i].open)
            cs_perf_sched_out(u->events[i].perf);
}

void cs_units_schedule(cs_units *u, unsigned unit)
{
    cs_perf_resched(perf_cpu(u, unit), pmu_of(u, unit)->number, CS_PERF_OUT_ALL);
}

void cs_units_rotate(cs_units *u, unsigned unit)
{
    cs_perf_rotate(perf_cpu(u, unit), pmu_of(u, unit)->number);
}

bool cs_units_wait(const cs_units *u, unsigned unit)
{
    return cs_perf_waits(perf_cpu(u, unit), pmu_of(u, unit)->number);
}

/* What the event is goes with it, but for its counter and its group. Groups are enabled anew. */
static void unit_uproot(cs_perf_event *event)
{
    const cs_perf_state state = event->state;
    const cs_perf_state waits = event->leader == event ? CS_PERF_STATE_OFF : CS_PERF_STATE_INACTIVE;

    cs_perf_detach(event);
    event->state = state < CS_PERF_STATE_INACTIVE ? state : waits;
}

/* A group's leader is the last. */
void cs_units_uproot(cs_units *u, unsigned unit)
{
    perf_cpu(u, unit);
    for (size_t i = u->nr_events; i-- > 0;)
        if (u->events[i].unit == unit && u->events[i].open)
            unit_uproot(u->events[i].perf);
}

static void unit_plant(cs_units *u, cs_unit_event *e)
{
    cs_perf_cpu *cpu = perf_cpu(u, e->unit);
    cs_perf_event *leader = unit_leader(u, e);

    if (e->perf == NULL) {
        cs_unit_open(u, e);
        return;
    }
    e->perf->cpu = (int)cpu->number;
    cs_perf_attach(e->perf, &cpu->ctx, leader != NULL ? leader : e->perf);
}

void cs_units_plant(cs_units *u, unsigned unit)
{
    for (size_t i = 0; i < u->nr_events; i++)
        if (u->events[i].unit == unit && u->events[i].open)
            unit_plant(u, &u->events[i]);
    for (size_t i = 0; i < u->nr_events; i++)
        if (u->events[i].unit == unit && u->events[i].open)
            cs_unit_enable(u, &u->events[i]);
}

/* ---- counters ---- */

/* The counters whose event changes; `anew`: or leaves them, even if it comes back. */
static uint32_t unit_moves(const cs_unit *unit, cs_unit_event *const to[], bool anew)
{
    uint32_t moves = 0;

    for (unsigned n = 0; n < unit->counters; n++) {
        const cs_unit_event *on = unit->on[n];

        if (on != to[n] || (on != NULL && anew && !on->pinned))
            moves |= UINT32_C(1) << n;
    }
    return moves;
}

bool cs_units_commit(cs_units *u, unsigned number)
{
    cs_unit *unit = &u->units[number];
    cs_rotation_set set = unit->set;
    cs_unit_event *to[CS_UNIT_COUNTERS] = {NULL};

    cs_rotation_set_lowest(&set);
    for (unsigned i = 0; i < set.nr; i++)
        to[set.counter_of[i]] = unit->wanted[i];
    const uint32_t moves = unit_moves(unit, to, unit->anew && !u->config.keeps);
    unit->anew = false;
    unit->time = u->config.ops->now(u->config.ctx);
    if (moves == 0)
        return false;
    u->config.ops->change(u->config.ctx, unit, to, moves);
    perf_cpu(u, number);
    return true;
}

void cs_unit_leaves(cs_unit *unit, cs_unit_event *e, cs_cycle at)
{
    cs_perf_correct_times(e->perf, at, true);
    unit->on[e->counter] = NULL;
    e->counter = CS_UNIT_NO_COUNTER;
}

void cs_unit_comes(cs_unit *unit, cs_unit_event *e, unsigned counter, cs_cycle at)
{
    cs_perf_correct_times(e->perf, at, false);
    unit->on[counter] = e;
    e->counter = (int)counter;
}

void cs_unit_counts(cs_unit_event *e, uint64_t value, uint64_t mask)
{
    e->perf->count += (value - e->last) & mask;
    e->last = value;
}

/* ---- begin and end ---- */

static cs_status units_create_perf(cs_units *u, cs_diag *diag)
{
    const cs_perf_calls calls = {0}; /* there are no threads */
    cs_perf_system systems[CS_PERF_MOST_SYSTEMS];
    const cs_perf_machine machine = {.nr_cpus = u->config.nr_cpus,
                                     .clock_mhz = 1,
                                     .systems = systems,
                                     .nr_systems = u->config.global ? 1 : u->config.nr_units,
                                     .last_first = u->config.last_first,
                                     .each_pinned = true};

    for (unsigned i = 0; i < machine.nr_systems; i++) {
        u->pmus[i] =
            (unit_pmu){{.ops = &unit_ops, .type = FIRST_TYPE + i, .no_interrupt = true}, u};
        systems[i] = (cs_perf_system){.pmu = &u->pmus[i].pmu};
    }
    return cs_perf_create(&machine, &calls, &u->perf, diag);
}

cs_status cs_units_begin(const cs_units_config *config, cs_units *u, cs_diag *diag)
{
    *u = (cs_units){.config = *config};
    u->units = calloc(config->nr_units, sizeof *u->units);
    u->events = calloc(config->most_events, sizeof *u->events);
    u->pmus = calloc(config->nr_units, sizeof *u->pmus);
    if (u->units == NULL || u->events == NULL || u->pmus == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for perf on units");
    for (unsigned i = 0; i < config->nr_units; i++) {
        u->units[i].number = i;
        cs_rotation_set_clear(&u->units[i].set);
    }
    return units_create_perf(u, diag);
}

void cs_units_end(cs_units *u)
{
    u->ending = true;
    cs_perf_destroy(u->perf);
    free(u->pmus);
    free(u->events);
    free(u->units);
}
