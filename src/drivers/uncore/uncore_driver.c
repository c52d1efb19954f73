// SPDX-License-Identifier: Apache-2.0
/* docs/drivers/uncore_driver.md: what happens when. */
#include "drivers/uncore/uncore_driver.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "drivers/uncore/uncore_impl.h"
#include "scenario/scenario.h"
#include "scenario/software_kinds.h"
#include "scenario/uncore/uncore_tags.h"
#include <countersink/base/numbers.h>

/* ---- operations ---- */

/* All workers share the driver: what runs is set anew when an operation has ended. */
static void at_work(uncore_worker *worker)
{
    worker->driver->worker = worker;
    worker->driver->now = worker->routine.now;
}

const cs_op_result *cs_uncore_perform(cs_uncore_driver *d, cs_op op)
{
    uncore_worker *worker = d->worker;
    const cs_op_result *result = cs_routine_perform(&worker->routine, op);

    at_work(worker);
    return result;
}

void cs_uncore_work(cs_uncore_driver *d, uint64_t cycles)
{
    if (cycles != 0)
        cs_uncore_perform(d, (cs_op){.kind = CS_OP_DELAY, .cycles = cycles});
}

static bool is_mine(const cs_uncore_driver *d, const uncore_cpu *cpu)
{
    return d->worker->cpu == CS_MAX_CPUS || d->worker->cpu == cpu->cpu;
}

/* What the worker listens to while it has nothing to do. */
static uint64_t lines_of(const cs_uncore_driver *d)
{
    uint64_t lines = 0;

    if (d->config.side_by_side && cs_uncore_moves(d->config.spec))
        lines |= CS_LINE(CS_LINE_IPI(CS_SOFTWARE_uncore_driver));
    for (unsigned i = 0; i < d->config.units->nr_units && d->config.spec->by_interrupt; i++)
        if (d->units[i].running && is_mine(d, d->units[i].cpu))
            lines |= CS_LINE(CS_LINE_UNCORE(i));
    return lines;
}

/* Until it is time, or one of the worker's lines is high. Returns those that were. */
static uint64_t sleep_until(cs_uncore_driver *d, cs_cycle cycle)
{
    const uint64_t lines = lines_of(d);
    const bool look = d->now >= cycle && d->config.spec->by_interrupt && lines != 0;

    while (d->now < cycle || look) {
        const cs_cycle cycles = d->now < cycle ? cycle - d->now : 1;

        if (lines == 0) {
            cs_uncore_perform(d, (cs_op){.kind = CS_OP_SLEEP, .cycles = cycles});
            continue;
        }
        const cs_op_result *woken =
            cs_uncore_perform(d, (cs_op){.kind = CS_OP_WAIT_IRQ, .cycles = cycles, .lines = lines});
        if (woken->irq || look)
            return woken->lines;
    }
    return 0;
}

/* What is left to do for a CPU that is gone needs none: what perf tells is in memory. */
static bool is_there(const cs_uncore_driver *d, const uncore_cpu *cpu)
{
    return !cpu->gone || d->now >= cpu->on;
}

cs_cycle cs_uncore_enter(cs_uncore_driver *d, const uncore_cpu *cpu)
{
    const cs_cycle entered = d->now;

    if (!is_there(d, cpu))
        return entered;
    cs_uncore_perform(d, (cs_op){.kind = CS_OP_ENTER, .core = (uint16_t)(1 + cpu->cpu)});
    cs_uncore_work(d, d->config.spec->handler_cycles);
    return entered;
}

void cs_uncore_leave(cs_uncore_driver *d, const uncore_cpu *cpu, cs_cycle entered)
{
    if (!is_there(d, cpu))
        return;
    d->report.rotating_cycles += d->now - entered;
    cs_uncore_perform(d, (cs_op){.kind = CS_OP_LEAVE, .core = (uint16_t)(1 + cpu->cpu)});
}

/* ---- commands ---- */

static bool is_of(const cs_uncore_driver *d, const uncore_event *e, const uncore_session *s)
{
    return e->command == s->command && d->units[e->unit].cpu == s->cpu;
}

/* A CPU that units come to has commands of all units. */
static bool has_unit_of(const cs_uncore_driver *d, const uncore_session *s)
{
    for (unsigned i = 0; i < s->cpu->nr_units; i++)
        if (d->config.spec->perf[s->command].units[s->cpu->units[i]])
            return true;
    return false;
}

static const char *event_name(uint32_t event, char *buffer, size_t size)
{
    snprintf(buffer, size, "uncore:%" PRIu32, event);
    return buffer;
}

static uint64_t uncore_truth(const cs_rotated_count *c, cs_timeline *const timelines[])
{
    const cs_uncore_counted counted = {c->event, c->config1, c->config2};

    return cs_uncore_sum(c->own, &counted, timelines[CS_UNCORE_TIMELINE(c->unit)], c->from, c->to);
}

const cs_rotated_family cs_uncore_family = {.name = "uncore",
                                            .timeline = CS_UNCORE_TIMELINE(0),
                                            .first_event = CS_EVENT_UNCORE(0),
                                            .truth = uncore_truth,
                                            .event_name = event_name};

static void uncore_tell(const cs_uncore_driver *d, const uncore_event *e, cs_cycle from,
                        cs_cycle to, uint64_t running, uint64_t raw, bool final)
{
    const uncore_unit *unit = &d->units[e->unit];
    const cs_rotated_count count = {
        .command = e->command,
        .pmu = unit->spec->name,
        .unit = e->unit,
        .cpu = d->config.managers[e->unit].cpu, /* where perf opened it */
        .event = e->event,
        .from = from,
        .to = to,
        .running = running,
        .raw = raw,
        .final = final,
        .family = &cs_uncore_family,
        .pinned = e->pinned,
        .serial = (unsigned)(e - d->events),
        .name = e->spec->name[0] != '\0' ? e->spec->name : NULL,
        .config1 = e->spec->config1,
        .config2 = e->spec->config2,
        .own = unit->spec,
    };

    cs_tell_rotated(d->config.soft, to, count.cpu, &count);
}

static void tell_interval(const cs_uncore_driver *d, uncore_event *e, cs_cycle to)
{
    uncore_tell(d, e, e->told_to, to, e->running - e->told_running, e->raw - e->told_raw, false);
    e->told_to = to;
    e->told_running = e->running;
    e->told_raw = e->raw;
}

/* The timer is set to the tick at which a list turns, of which `first` is the next; without one it
 * stops. */
static void set_timer(uncore_cpu *cpu, cs_cycle first)
{
    cpu->ahead = cpu->rotation != NULL ? cs_rotation_ahead(cpu->rotation) : 0;
    cpu->tick = cpu->ahead != 0 ? first + (cpu->ahead - 1) * cpu->interval : CS_NEVER;
}

/* Ticks are counted from cycle 0 on; the first at or after now, but for one that is late. The timer
 * of a context begins when it is needed. */
static cs_cycle next_tick(const cs_uncore_driver *d, const uncore_cpu *cpu)
{
    if (d->config.spec->list == CS_UNCORE_LIST_CONTEXTS)
        return cpu->tick != CS_NEVER ? cpu->tick : d->now + cpu->interval;
    const cs_cycle phase = (cs_cycle)(cpu - d->cpus) * d->tick_cycles / d->nr_cpus;
    cs_cycle tick = d->tick_cycles + phase;

    if (cpu->tick < d->now)
        return cpu->tick;
    if (tick < d->now)
        tick += (d->now - tick + d->tick_cycles - 1) / d->tick_cycles * d->tick_cycles;
    return tick;
}

void cs_uncore_restart(cs_uncore_driver *d, uncore_cpu *cpu)
{
    set_timer(cpu, next_tick(d, cpu));
}

/* Opening an event makes the kernel schedule its whole list anew. */
static bool uncore_schedules(const cs_uncore_driver *d, const uncore_session *s, unsigned unit)
{
    return d->config.spec->list == CS_UNCORE_LIST_GLOBAL ||
           d->config.spec->perf[s->command].units[unit];
}

static void begin_command(cs_uncore_driver *d, uncore_session *s)
{
    cs_cycle entered, time;

    if (!has_unit_of(d, s)) {
        s->state = SESSION_OPEN;
        return;
    }
    entered = cs_uncore_enter(d, s->cpu);
    s->state = SESSION_OPEN;
    d->failed = !cs_uncore_list(d, s->cpu, s->command, true);
    if (d->failed)
        return;
    for (size_t i = 0; i < d->nr_events; i++)
        if (is_of(d, &d->events[i], s))
            d->events[i].from = d->events[i].told_to = d->now;
    for (unsigned i = 0; i < s->cpu->nr_units; i++)
        cs_uncore_switch(d, s->cpu, s->cpu->units[i], uncore_schedules(d, s, s->cpu->units[i]),
                         &time);
    set_timer(s->cpu, next_tick(d, s->cpu));
    cs_uncore_leave(d, s->cpu, entered);
}

static void take_interval(cs_uncore_driver *d, uncore_session *s)
{
    const uint64_t cycles = cs_uncore_us(d, d->config.spec->perf[s->command].interval_us);
    cs_cycle entered;

    if (!has_unit_of(d, s)) {
        s->interval += cycles;
        return;
    }
    entered = cs_uncore_enter(d, s->cpu);
    for (size_t i = 0; i < d->nr_events; i++) {
        uncore_event *e = &d->events[i];

        if (!is_of(d, e, s))
            continue;
        if (e->counter == NO_COUNTER) {
            tell_interval(d, e, d->now);
        } else {
            cs_uncore_read_event(d, e);
            tell_interval(d, e, e->since);
        }
    }
    while (s->interval <= d->now)
        s->interval += cycles;
    cs_uncore_leave(d, s->cpu, entered);
}

static void end_command(cs_uncore_driver *d, uncore_session *s)
{
    cs_cycle entered;

    if (!has_unit_of(d, s)) {
        s->state = SESSION_OVER;
        return;
    }
    entered = cs_uncore_enter(d, s->cpu);
    s->state = SESSION_OVER;
    d->failed = !cs_uncore_list(d, s->cpu, s->command, false);
    for (unsigned u = 0; u < s->cpu->nr_units && !d->failed; u++) {
        cs_cycle to;

        cs_uncore_switch(d, s->cpu, s->cpu->units[u], false, &to);
        for (size_t i = 0; i < d->nr_events; i++) {
            uncore_event *e = &d->events[i];

            if (!is_of(d, e, s) || e->unit != s->cpu->units[u])
                continue;
            if (s->interval != CS_NEVER)
                tell_interval(d, e, to);
            uncore_tell(d, e, e->from, to, e->running, e->raw, true);
        }
    }
    if (!d->failed)
        set_timer(s->cpu, next_tick(d, s->cpu));
    cs_uncore_leave(d, s->cpu, entered);
}

/* ---- timers ---- */

static void take_tick(cs_uncore_driver *d, uncore_cpu *cpu)
{
    while (d->now - cpu->tick >= cpu->interval) {
        cpu->tick += cpu->interval;
        d->report.late_ticks++;
    }
    d->report.ticks++;
    d->report.late_ticks += d->now > cpu->tick;

    const cs_cycle entered = cs_uncore_enter(d, cpu), next = cpu->tick + cpu->interval;
    uint64_t due = 0;

    for (unsigned i = 0; i < cpu->ahead; i++)
        due = cs_rotation_tick(cpu->rotation);
    for (unsigned i = 0; i < cpu->nr_units; i++) {
        const cs_cycle began = d->now;
        cs_cycle time;

        if ((due >> i & 1) == 0 || !cs_rotation_waits(cpu->rotation, i) ||
            !cs_uncore_switch(d, cpu, cpu->units[i], true, &time))
            continue;
        d->report.rotations++;
        cs_rotation_took(cpu->rotation, i, d->now - began);
    }
    cs_rotation_took_beside(cpu->rotation, d->config.spec->handler_cycles);
    set_timer(cpu, next);
    cs_uncore_leave(d, cpu, entered);
}

static void uncore_poll(cs_uncore_driver *d, uncore_unit *unit)
{
    const cs_cycle entered = cs_uncore_enter(d, unit->cpu);

    for (unsigned c = 0; c < unit->spec->counters; c++)
        if (unit->now.on[c] != NULL)
            cs_uncore_read_event(d, unit->now.on[c]);
    cs_uncore_leave(d, unit->cpu, entered);
}

/* The first unit whose line was high. */
static void take_interrupt(cs_uncore_driver *d, uint64_t lines)
{
    unsigned i = 0;

    if (!d->config.spec->by_interrupt)
        return;
    while (i < d->config.units->nr_units && (lines & CS_LINE(CS_LINE_UNCORE(i))) == 0)
        i++;
    if (i == d->config.units->nr_units)
        return;
    uncore_unit *unit = &d->units[i];

    cs_uncore_work(d, d->config.irq_latency_cycles);
    const cs_cycle entered = cs_uncore_enter(d, unit->cpu);

    d->report.interrupts++;
    cs_uncore_take_overflows(d, unit);
    cs_uncore_leave(d, unit->cpu, entered);
}

/* ---- what is next ---- */

/* In the order in which those that are due at the same time go. */
typedef enum job_kind {
    JOB_END,
    JOB_INTERVAL,
    JOB_BEGIN,
    JOB_ARRIVE,
    JOB_POLL,
    JOB_TICK,
    JOB_OFF,
    JOB_LOOK,
    JOB_NONE
} job_kind;

typedef struct job {
    job_kind kind;
    cs_cycle due;
    uncore_session *session;
    uncore_unit *unit;
    uncore_cpu *cpu;
} job;

/* Those of a kind are looked at by CPU and command, so that the first of equal ones stays. */
static void uncore_offer(job *best, const job *other)
{
    if (other->due != CS_NEVER &&
        (other->due < best->due || (other->due == best->due && other->kind < best->kind)))
        *best = *other;
}

static job session_job(uncore_session *s)
{
    switch (s->state) {
    case SESSION_NEW:
        return (job){JOB_BEGIN, s->start, s, NULL, s->cpu};
    case SESSION_OPEN:
        if (s->interval < s->stop)
            return (job){JOB_INTERVAL, s->interval, s, NULL, s->cpu};
        return (job){JOB_END, s->stop, s, NULL, s->cpu};
    default:
        return (job){JOB_NONE, CS_NEVER, NULL, NULL, NULL};
    }
}

static void offer_units(cs_uncore_driver *d, uncore_cpu *cpu, job *best)
{
    for (unsigned k = 0; k < cpu->nr_units; k++) {
        uncore_unit *unit = &d->units[cpu->units[k]];
        const job arrives = {JOB_ARRIVE, unit->sent, NULL, unit, cpu};
        const job poll = {JOB_POLL, cs_uncore_poll_due(unit), NULL, unit, cpu};

        uncore_offer(best, unit->moving ? &arrives : &poll);
    }
}

/* Of the CPUs of the worker. */
static job next_job(cs_uncore_driver *d)
{
    job best = {JOB_NONE, CS_NEVER, NULL, NULL, NULL};
    bool open = false;

    for (size_t i = 0; i < d->nr_sessions; i++) {
        if (!is_mine(d, d->sessions[i].cpu))
            continue;
        const job j = session_job(&d->sessions[i]);

        open |= j.kind != JOB_NONE;
        uncore_offer(&best, &j);
    }
    for (unsigned i = 0; i < d->nr_cpus; i++) {
        uncore_cpu *cpu = &d->cpus[i];
        const job tick = {JOB_TICK, cpu->tick, NULL, NULL, cpu};
        const job off = {JOB_OFF, cpu->off, NULL, NULL, cpu};
        const job look = {JOB_LOOK, cpu->look, NULL, NULL, cpu};

        if (!is_mine(d, cpu))
            continue;
        uncore_offer(&best, &tick);
        offer_units(d, cpu, &best);
        if (open) {
            uncore_offer(&best, &off);
            uncore_offer(&best, &look);
        }
    }
    return best;
}

static void uncore_run(void *ctx)
{
    uncore_worker *w = ctx;
    cs_uncore_driver *d = w->driver;

    at_work(w);
    for (job j = next_job(d); j.kind != JOB_NONE && !d->failed; j = next_job(d)) {
        const uint64_t high = sleep_until(d, j.due);

        take_interrupt(d, high);
        if (d->now < j.due || (high & CS_LINES_IPI) != 0)
            continue; /* what is next may be something else now */
        switch (j.kind) {
        case JOB_BEGIN:
            begin_command(d, j.session);
            break;
        case JOB_INTERVAL:
            take_interval(d, j.session);
            break;
        case JOB_END:
            end_command(d, j.session);
            break;
        case JOB_ARRIVE:
            cs_uncore_arrive(d, (unsigned)(j.unit - d->units));
            break;
        case JOB_POLL:
            uncore_poll(d, j.unit);
            break;
        case JOB_OFF:
            cs_uncore_go_off(d, j.cpu);
            break;
        case JOB_LOOK:
            cs_uncore_look(d, j.cpu);
            break;
        default:
            take_tick(d, j.cpu);
        }
    }
}

/* ---- outside ---- */

/* One worker, or one for each CPU that may manage. */
static cs_status uncore_hire(cs_uncore_driver *d, cs_diag *diag)
{
    cs_status status = CS_OK;

    for (unsigned cpu = 0; cpu < CS_MAX_CPUS && status == CS_OK; cpu++) {
        uncore_worker *w = &d->workers[d->nr_workers];

        if (d->config.side_by_side ? !d->config.may[cpu] : cpu != 0)
            continue;
        *w = (uncore_worker){.driver = d, .cpu = d->config.side_by_side ? cpu : CS_MAX_CPUS};
        status = cs_routine_create(&w->routine, uncore_run, w, diag);
        d->nr_workers++;
    }
    return status;
}

cs_status cs_uncore_driver_create(const cs_uncore_driver_config *config, cs_uncore_driver **out,
                                  cs_diag *diag)
{
    cs_uncore_driver *d = calloc(1, sizeof *d);

    *out = NULL;
    const cs_status status =
        d != NULL && cs_uncore_build(d, config)
            ? uncore_hire(d, diag)
            : cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for perf on uncore units");
    if (status == CS_OK)
        *out = d;
    else
        cs_uncore_driver_destroy(d);
    return status;
}

void cs_uncore_driver_destroy(cs_uncore_driver *d)
{
    if (d == NULL)
        return;
    for (unsigned i = 0; i < d->nr_workers; i++)
        cs_routine_destroy(&d->workers[i].routine);
    for (unsigned i = 0; i < d->nr_cpus; i++) {
        cs_rotation_destroy(d->cpus[i].rotation);
        free(d->cpus[i].list);
    }
    free(d->sessions);
    free(d->events);
    free(d->cpus);
    free(d->units);
    free(d);
}

cs_software cs_uncore_driver_software(cs_uncore_driver *d, unsigned cpu)
{
    unsigned i = 0;

    while (i + 1 < d->nr_workers && d->workers[i].cpu != cpu)
        i++;
    return cs_routine_software(&d->workers[i].routine);
}

const cs_rotating_report *cs_uncore_driver_get_report(const cs_uncore_driver *d)
{
    return &d->report;
}

unsigned cs_uncore_driver_divider(const cs_uncore_driver *d, unsigned number)
{
    const uncore_cpu *cpu = number < d->config.units->nr_units ? d->units[number].cpu : NULL;

    if (cpu == NULL || cpu->rotation == NULL)
        return 0;
    for (unsigned i = 0; i < cpu->nr_units; i++)
        if (cpu->units[i] == number)
            return cs_rotation_divider(cpu->rotation, i);
    return 0;
}

bool cs_uncore_driver_failed(const cs_uncore_driver *d)
{
    return d->failed;
}
