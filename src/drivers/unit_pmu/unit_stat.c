// SPDX-License-Identifier: Apache-2.0
/* perf stat's commands, and the ticks at which lists turn. */
#include "drivers/unit_pmu/unit_pmu.h"

static cs_cycle units_now(const cs_units *u)
{
    return u->config.ops->now(u->config.ctx);
}

static cs_cycle units_enter(const cs_units *u, const cs_unit_cpu *cpu)
{
    return u->config.ops->enter(u->config.ctx, cpu);
}

static void units_leave(const cs_units *u, const cs_unit_cpu *cpu, cs_cycle entered)
{
    u->config.ops->leave(u->config.ctx, cpu, entered);
}

/* ---- what it tells ---- */

static void event_tell(const cs_units *u, const cs_unit_event *e, cs_count count)
{
    count.command = e->command;
    count.pmu = u->units[e->unit].name;
    count.unit = e->unit;
    count.cpu = e->cpu;
    count.event = e->number;
    count.enabled = count.to - count.from;
    count.turns = true;
    count.family = u->config.family;
    count.pinned = e->pinned;
    count.serial = (unsigned)(e - u->events);
    count.name = e->name;
    count.config = e->config;
    count.config1 = e->config1;
    count.config2 = e->config2;
    count.own = e;
    cs_tell_count(u->config.soft, count.to, count.cpu, &count);
}

static uint64_t event_value(const cs_unit_event *e)
{
    return e->perf != NULL ? e->perf->count : 0;
}

static uint64_t event_running(const cs_unit_event *e)
{
    return e->perf != NULL ? e->perf->running_ns : 0;
}

static void event_tell_interval(const cs_units *u, cs_unit_event *e, cs_cycle to)
{
    event_tell(u, e,
               (cs_count){.from = e->told_to,
                          .to = to,
                          .running = event_running(e) - e->told_running,
                          .raw = event_value(e) - e->told});
    e->told_to = to;
    e->told_running = event_running(e);
    e->told = event_value(e);
}

static void event_tell_end(const cs_units *u, cs_unit_event *e, cs_cycle to, bool interval)
{
    if (interval)
        event_tell_interval(u, e, to);
    event_tell(u, e,
               (cs_count){.from = e->from,
                          .to = to,
                          .running = event_running(e),
                          .raw = event_value(e),
                          .final = true});
}

/* ---- lists ---- */

/* Of a CPU; that of all its units has the pace of the first. */
static unsigned cpu_lists(const cs_units *u, const cs_unit_cpu *cpu)
{
    return u->config.global && cpu->nr_units != 0 ? 1 : cpu->nr_units;
}

static unsigned cpu_list_of(const cs_units *u, unsigned unit_at)
{
    return u->config.global ? 0 : unit_at;
}

static cs_rotation_pace *cpu_pace(const cs_units *u, const cs_unit_cpu *cpu, unsigned list)
{
    return &u->units[cpu->units[list]].pace;
}

static void cpu_restart_lists(cs_units *u, const cs_unit_cpu *cpu)
{
    for (unsigned i = 0; i < cpu->nr_units; i++) {
        cs_unit *unit = &u->units[cpu->units[i]];

        unit->pace = (cs_rotation_pace){.divider = unit->divider,
                                        .least_divider = unit->divider,
                                        .adaptive = u->config.adaptive};
    }
}

static void cpu_commit(cs_units *u, const cs_unit_cpu *cpu)
{
    for (unsigned i = 0; i < cpu->nr_units; i++)
        cs_units_commit(u, cpu->units[i]);
}

/* ---- the timer ---- */

/* Ticks to the next one at which a list turns; 0: none does. */
static unsigned cpu_ahead(cs_units *u, const cs_unit_cpu *cpu)
{
    unsigned least = 0;

    for (unsigned i = 0; i < cpu_lists(u, cpu); i++) {
        const unsigned left = cs_rotation_pace_left(cpu_pace(u, cpu, i), &u->config.limits);

        if (cs_units_wait(u, cpu->units[i]) && (least == 0 || left < least))
            least = left;
    }
    return least;
}

/* The timer is set to the tick at which a list turns, of which `first` is the next; without one it
 * stops. */
static void cpu_set_timer(cs_units *u, cs_unit_cpu *cpu, cs_cycle first)
{
    cpu->ahead = cpu_ahead(u, cpu);
    cpu->tick = cpu->ahead != 0 ? first + (cpu->ahead - 1) * cpu->interval : CS_NEVER;
}

/* The first at or after now, but for one that is late. One that is not aligned begins when it is needed. */
static cs_cycle cpu_next_tick(const cs_units *u, const cs_unit_cpu *cpu)
{
    const cs_cycle now = units_now(u);
    cs_cycle tick = cpu->interval + cpu->phase;

    if (!cpu->aligned)
        return cpu->tick != CS_NEVER ? cpu->tick : now + cpu->interval;
    if (cpu->tick < now)
        return cpu->tick;
    if (tick < now)
        tick += (now - tick + cpu->interval - 1) / cpu->interval * cpu->interval;
    return tick;
}

void cs_units_settle(cs_units *u, cs_unit_cpu *cpu)
{
    cpu_restart_lists(u, cpu);
    cpu_commit(u, cpu);
    cpu_set_timer(u, cpu, cpu_next_tick(u, cpu));
}

unsigned cs_units_divider(const cs_units *u, unsigned unit)
{
    const cs_unit_cpu *cpu = u->units[unit].cpu;

    for (size_t i = 0; i < u->nr_events; i++)
        if (u->events[i].open && u->units[u->events[i].unit].cpu == cpu)
            return u->units[u->config.global ? cpu->units[0] : unit].pace.divider;
    return 0;
}

/* What is late by a whole tick is dropped. */
static void cpu_count_tick(cs_units *u, cs_unit_cpu *cpu)
{
    while (units_now(u) - cpu->tick >= cpu->interval) {
        cpu->tick += cpu->interval;
        u->report.late_ticks++;
    }
    u->report.ticks++;
    u->report.late_ticks += units_now(u) > cpu->tick;
}

static void cpu_turn_lists(cs_units *u, const cs_unit_cpu *cpu)
{
    for (unsigned i = 0; i < cpu->ahead; i++)
        for (unsigned k = 0; k < cpu_lists(u, cpu); k++)
            cs_rotation_pace_tick(cpu_pace(u, cpu, k), &u->config.limits);
    for (unsigned i = 0; i < cpu->nr_units; i++) {
        const unsigned list = cpu_list_of(u, i);

        if (!cpu_pace(u, cpu, list)->due || !cs_units_wait(u, cpu->units[i]))
            continue;
        u->units[cpu->units[i]].anew = true;
        if (i == list)
            cs_units_rotate(u, cpu->units[i]);
    }
}

/* Each list bears what its units cost, and all of what the tick does beside. */
static void cpu_switch_units(cs_units *u, const cs_unit_cpu *cpu)
{
    for (unsigned i = 0; i < cpu->nr_units; i++) {
        const cs_cycle began = units_now(u);

        if (!cs_units_commit(u, cpu->units[i]))
            continue;
        u->report.rotations++;
        cs_rotation_pace_bear(cpu_pace(u, cpu, cpu_list_of(u, i)), units_now(u) - began);
    }
    for (unsigned i = 0; i < cpu_lists(u, cpu); i++)
        if (cpu_pace(u, cpu, i)->due)
            cs_rotation_pace_bear(cpu_pace(u, cpu, i), u->config.handler_cycles);
}

static void cpu_ticks(cs_units *u, cs_unit_cpu *cpu)
{
    cpu_count_tick(u, cpu);
    const cs_cycle entered = units_enter(u, cpu), next = cpu->tick + cpu->interval;

    cpu_turn_lists(u, cpu);
    cpu_switch_units(u, cpu);
    cpu_set_timer(u, cpu, next);
    units_leave(u, cpu, entered);
}

/* ---- commands ---- */

cs_unit_session cs_unit_session_of(unsigned command, cs_unit_cpu *cpu, cs_cycle start,
                                   cs_cycle stop, uint64_t every)
{
    return (cs_unit_session){.command = command,
                             .cpu = cpu,
                             .start = start,
                             .stop = stop,
                             .every = every,
                             .interval = every != 0 ? start + every : CS_NEVER};
}

/* The first event of the session from `e` on; NULL: there is none. */
static cs_unit_event *session_from(const cs_units *u, const cs_unit_session *s, cs_unit_event *e)
{
    for (; e < u->events + u->nr_events; e++)
        if (e->command == s->command && u->units[e->unit].cpu == s->cpu)
            return e;
    return NULL;
}

static cs_unit_event *session_first(const cs_units *u, const cs_unit_session *s)
{
    return session_from(u, s, u->events);
}

static cs_unit_event *session_next(const cs_units *u, const cs_unit_session *s, cs_unit_event *e)
{
    return session_from(u, s, e + 1);
}

/* Opening an event makes the kernel schedule its whole list anew. */
static void session_opens(cs_units *u, const cs_unit_session *s, cs_unit_event *e)
{
    cs_unit *unit = &u->units[e->unit];

    e->open = true;
    e->from = e->told_to = units_now(u);
    unit->anew = true;
    if (!unit->away)
        cs_unit_open(u, e);
    for (unsigned i = 0; i < s->cpu->nr_units && u->config.global; i++)
        u->units[s->cpu->units[i]].anew = true;
}

static void session_begins(cs_units *u, cs_unit_session *s)
{
    const cs_cycle entered = units_enter(u, s->cpu);

    s->state = CS_UNIT_OPEN;
    for (cs_unit_event *e = session_first(u, s); e != NULL; e = session_next(u, s, e))
        session_opens(u, s, e);
    for (cs_unit_event *e = session_first(u, s); e != NULL; e = session_next(u, s, e))
        cs_unit_enable(u, e);
    if (!u->failed)
        cs_units_settle(u, s->cpu);
    units_leave(u, s->cpu, entered);
}

static void session_reads(cs_units *u, cs_unit_session *s)
{
    const cs_cycle entered = units_enter(u, s->cpu);

    for (cs_unit_event *e = session_first(u, s); e != NULL; e = session_next(u, s, e))
        event_tell_interval(u, e, cs_unit_update(u, e));
    while (s->interval <= units_now(u))
        s->interval += s->every;
    units_leave(u, s->cpu, entered);
}

static void session_tells(cs_units *u, const cs_unit_session *s, unsigned unit, cs_cycle to)
{
    for (cs_unit_event *e = session_first(u, s); e != NULL; e = session_next(u, s, e))
        if (e->unit == unit)
            event_tell_end(u, e, to, s->interval != CS_NEVER);
}

static void session_closes(cs_units *u, const cs_unit_session *s)
{
    for (cs_unit_event *e = session_first(u, s); e != NULL; e = session_next(u, s, e)) {
        e->open = false;
        cs_unit_close(u, e);
    }
}

static void session_disables(cs_units *u, const cs_unit_session *s)
{
    for (cs_unit_event *e = session_first(u, s); e != NULL; e = session_next(u, s, e))
        cs_unit_disable(u, e);
    for (unsigned i = 0; i < cpu_lists(u, s->cpu); i++)
        cs_units_schedule(u, s->cpu->units[i]);
}

static void session_ends(cs_units *u, cs_unit_session *s)
{
    const cs_unit_cpu *cpu = s->cpu;
    const cs_cycle entered = units_enter(u, cpu);

    s->state = CS_UNIT_OVER;
    session_disables(u, s);
    for (unsigned i = 0; i < cpu->nr_units; i++) {
        cs_units_commit(u, cpu->units[i]);
        if (u->config.ends_at_switch)
            session_tells(u, s, cpu->units[i], u->units[cpu->units[i]].time);
    }
    for (unsigned i = 0; i < cpu->nr_units && !u->config.ends_at_switch; i++)
        session_tells(u, s, cpu->units[i], units_now(u));
    session_closes(u, s);
    cs_units_settle(u, s->cpu);
    units_leave(u, cpu, entered);
}

/* ---- what is next ---- */

void cs_unit_offer(cs_unit_job *best, const cs_unit_job *other)
{
    if (other->due != CS_NEVER &&
        (other->due < best->due || (other->due == best->due && other->kind < best->kind)))
        *best = *other;
}

cs_unit_job cs_unit_session_job(cs_unit_session *s)
{
    cs_unit_job job = {.kind = CS_UNIT_NONE, .due = CS_NEVER, .cpu = s->cpu, .session = s};

    if (s->state == CS_UNIT_NEW) {
        job.kind = CS_UNIT_BEGIN;
        job.due = s->start;
    } else if (s->state == CS_UNIT_OPEN) {
        job.kind = s->interval < s->stop ? CS_UNIT_INTERVAL : CS_UNIT_END;
        job.due = s->interval < s->stop ? s->interval : s->stop;
    }
    return job;
}

/* A CPU that units come to has commands of all units. */
static void session_passes(cs_unit_session *s, cs_unit_job_kind kind)
{
    if (kind == CS_UNIT_INTERVAL)
        s->interval += s->every;
    else
        s->state = kind == CS_UNIT_BEGIN ? CS_UNIT_OPEN : CS_UNIT_OVER;
}

void cs_units_do(cs_units *u, const cs_unit_job *job)
{
    cs_unit_session *s = job->session;

    if (job->kind == CS_UNIT_TICK) {
        cpu_ticks(u, job->cpu);
    } else if (session_first(u, s) == NULL) {
        session_passes(s, job->kind);
    } else if (job->kind == CS_UNIT_BEGIN) {
        session_begins(u, s);
    } else if (job->kind == CS_UNIT_INTERVAL) {
        session_reads(u, s);
    } else {
        session_ends(u, s);
    }
}
