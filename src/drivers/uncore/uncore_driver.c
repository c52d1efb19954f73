/* docs/uncore_driver.md: what happens when. */
#include "drivers/uncore/uncore_driver.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/numbers.h"
#include "drivers/uncore/uncore_impl.h"
#include "scenario/scenario.h"

/* ---- operations ---- */

void cs_uncore_perform(cs_uncore_driver *d, cs_op op)
{
    d->op = op;
    cs_fiber_suspend(d->fiber);
}

void cs_uncore_work(cs_uncore_driver *d, uint64_t cycles)
{
    if (cycles != 0)
        cs_uncore_perform(d, (cs_op){.kind = CS_OP_DELAY, .cycles = cycles});
}

static void sleep_until(cs_uncore_driver *d, cycle_t cycle)
{
    while (d->now < cycle)
        cs_uncore_perform(d, (cs_op){.kind = CS_OP_SLEEP, .cycles = cycle - d->now});
}

static void next(void *ctx, cycle_t now, const cs_op_result *last, cs_op *op)
{
    cs_uncore_driver *d = ctx;

    d->now = now;
    d->result = last != NULL ? *last : (cs_op_result){0};
    d->op = (cs_op){.kind = CS_OP_END};
    cs_fiber_resume(d->fiber);
    *op = d->op;
}

static cycle_t enter(cs_uncore_driver *d, const uncore_cpu *cpu)
{
    const cycle_t entered = d->now;

    cs_uncore_perform(d, (cs_op){.kind = CS_OP_ENTER, .core = (uint16_t)(1 + cpu->cpu)});
    cs_uncore_work(d, d->config.spec->handler_cycles);
    return entered;
}

static void leave(cs_uncore_driver *d, const uncore_cpu *cpu, cycle_t entered)
{
    d->report.rotating_cycles += d->now - entered;
    cs_uncore_perform(d, (cs_op){.kind = CS_OP_LEAVE, .core = (uint16_t)(1 + cpu->cpu)});
}

/* ---- commands ---- */

static bool is_of(const cs_uncore_driver *d, const uncore_event *e, const uncore_session *s)
{
    return e->command == s->command && d->units[e->unit].cpu == s->cpu;
}

static const char *event_name(uint32_t event, char *buffer, size_t size)
{
    snprintf(buffer, size, "uncore:%" PRIu32, event);
    return buffer;
}

const cs_rotated_family cs_uncore_family = {.name = "uncore",
                                            .timeline = CS_UNCORE_TIMELINE(0),
                                            .first_event = CS_EVENT_UNCORE(0),
                                            .event_name = event_name};

static void tell(const cs_uncore_driver *d, const uncore_event *e, cycle_t from, cycle_t to,
                 uint64_t running, uint64_t raw, bool final)
{
    const uncore_unit *unit = &d->units[e->unit];
    const cs_rotated_count count = {
        .command = e->command,
        .pmu = unit->spec->name,
        .unit = e->unit,
        .cpu = unit->cpu->cpu,
        .event = e->event,
        .from = from,
        .to = to,
        .running = running,
        .raw = raw,
        .final = final,
        .family = &cs_uncore_family,
        .pinned = e->pinned,
        .serial = (unsigned)(e - d->events),
    };

    cs_soft_emit(d->config.soft, &cs_soft_rotated, to, count.cpu, &count);
}

static void tell_interval(const cs_uncore_driver *d, uncore_event *e, cycle_t to)
{
    tell(d, e, e->told_to, to, e->running - e->told_running, e->raw - e->told_raw, false);
    e->told_to = to;
    e->told_running = e->running;
    e->told_raw = e->raw;
}

/* The timer is set to the tick at which a list turns, of which `first` is the next; without one it
 * stops. */
static void set_timer(const cs_uncore_driver *d, uncore_cpu *cpu, cycle_t first)
{
    cpu->ahead = cpu->rotation != NULL ? cs_rotation_ahead(cpu->rotation) : 0;
    cpu->tick = cpu->ahead != 0 ? first + (cpu->ahead - 1) * d->tick_cycles : CS_NEVER;
}

/* Ticks are counted from cycle 0 on; the first at or after now, but for one that is late. */
static cycle_t next_tick(const cs_uncore_driver *d, const uncore_cpu *cpu)
{
    const cycle_t phase = (cycle_t)(cpu - d->cpus) * d->tick_cycles / d->nr_cpus;
    cycle_t tick = d->tick_cycles + phase;

    if (cpu->tick < d->now)
        return cpu->tick;
    if (tick < d->now)
        tick += (d->now - tick + d->tick_cycles - 1) / d->tick_cycles * d->tick_cycles;
    return tick;
}

/* Opening an event makes the kernel schedule its whole list anew. */
static bool schedules(const cs_uncore_driver *d, const uncore_session *s, unsigned unit)
{
    return d->config.spec->global || d->config.spec->perf[s->command].units[unit];
}

static void begin_command(cs_uncore_driver *d, uncore_session *s)
{
    const cycle_t entered = enter(d, s->cpu);
    cycle_t time;

    s->state = SESSION_OPEN;
    d->failed = !cs_uncore_list(d, s->cpu, s->command, true);
    if (d->failed)
        return;
    for (size_t i = 0; i < d->nr_events; i++)
        if (is_of(d, &d->events[i], s))
            d->events[i].from = d->events[i].told_to = d->now;
    for (unsigned i = 0; i < s->cpu->nr_units; i++)
        cs_uncore_switch(d, s->cpu, s->cpu->units[i], schedules(d, s, s->cpu->units[i]), &time);
    set_timer(d, s->cpu, next_tick(d, s->cpu));
    leave(d, s->cpu, entered);
}

static void take_interval(cs_uncore_driver *d, uncore_session *s)
{
    const cycle_t entered = enter(d, s->cpu);
    const uint64_t cycles = cs_uncore_us(d, d->config.spec->perf[s->command].interval_us);

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
    leave(d, s->cpu, entered);
}

static void end_command(cs_uncore_driver *d, uncore_session *s)
{
    const cycle_t entered = enter(d, s->cpu);

    s->state = SESSION_OVER;
    d->failed = !cs_uncore_list(d, s->cpu, s->command, false);
    for (unsigned u = 0; u < s->cpu->nr_units && !d->failed; u++) {
        cycle_t to;

        cs_uncore_switch(d, s->cpu, s->cpu->units[u], false, &to);
        for (size_t i = 0; i < d->nr_events; i++) {
            uncore_event *e = &d->events[i];

            if (!is_of(d, e, s) || e->unit != s->cpu->units[u])
                continue;
            if (s->interval != CS_NEVER)
                tell_interval(d, e, to);
            tell(d, e, e->from, to, e->running, e->raw, true);
        }
    }
    if (!d->failed)
        set_timer(d, s->cpu, next_tick(d, s->cpu));
    leave(d, s->cpu, entered);
}

/* ---- timers ---- */

static void take_tick(cs_uncore_driver *d, uncore_cpu *cpu)
{
    while (d->now - cpu->tick >= d->tick_cycles) {
        cpu->tick += d->tick_cycles;
        d->report.late_ticks++;
    }
    d->report.ticks++;
    d->report.late_ticks += d->now > cpu->tick;

    const cycle_t entered = enter(d, cpu), next = cpu->tick + d->tick_cycles;
    uint64_t due = 0;

    for (unsigned i = 0; i < cpu->ahead; i++)
        due = cs_rotation_tick(cpu->rotation);
    for (unsigned i = 0; i < cpu->nr_units; i++) {
        const cycle_t began = d->now;
        cycle_t time;

        if ((due >> i & 1) == 0 || !cs_rotation_waits(cpu->rotation, i) ||
            !cs_uncore_switch(d, cpu, cpu->units[i], true, &time))
            continue;
        d->report.rotations++;
        cs_rotation_took(cpu->rotation, i, d->now - began);
    }
    cs_rotation_took_beside(cpu->rotation, d->config.spec->handler_cycles);
    set_timer(d, cpu, next);
    leave(d, cpu, entered);
}

static void poll(cs_uncore_driver *d, uncore_unit *unit)
{
    const cycle_t entered = enter(d, unit->cpu);

    for (unsigned c = 0; c < unit->spec->counters; c++)
        if (unit->now.on[c] != NULL)
            cs_uncore_read_event(d, unit->now.on[c]);
    leave(d, unit->cpu, entered);
}

/* ---- what is next ---- */

/* In the order in which those that are due at the same time go. */
typedef enum job_kind { JOB_END, JOB_INTERVAL, JOB_BEGIN, JOB_POLL, JOB_TICK, JOB_NONE } job_kind;

typedef struct job {
    job_kind kind;
    cycle_t due;
    uncore_session *session;
    uncore_unit *unit;
    uncore_cpu *cpu;
} job;

/* Those of a kind are looked at by CPU and command, so that the first of equal ones stays. */
static void offer(job *best, const job *other)
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

static job next_job(cs_uncore_driver *d)
{
    job best = {JOB_NONE, CS_NEVER, NULL, NULL, NULL};

    for (size_t i = 0; i < d->nr_sessions; i++) {
        const job j = session_job(&d->sessions[i]);

        offer(&best, &j);
    }
    for (unsigned i = 0; i < d->nr_cpus; i++) {
        uncore_cpu *cpu = &d->cpus[i];
        const job tick = {JOB_TICK, cpu->tick, NULL, NULL, cpu};

        offer(&best, &tick);
        for (unsigned k = 0; k < cpu->nr_units; k++) {
            uncore_unit *unit = &d->units[cpu->units[k]];
            const job j = {JOB_POLL, cs_uncore_poll_due(unit), NULL, unit, cpu};

            offer(&best, &j);
        }
    }
    return best;
}

static void run(void *ctx)
{
    cs_uncore_driver *d = ctx;

    for (job j = next_job(d); j.kind != JOB_NONE && !d->failed; j = next_job(d)) {
        sleep_until(d, j.due);
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
        case JOB_POLL:
            poll(d, j.unit);
            break;
        default:
            take_tick(d, j.cpu);
        }
    }
    cs_uncore_perform(d, (cs_op){.kind = CS_OP_END});
}

/* ---- outside ---- */

cs_status cs_uncore_driver_create(const cs_uncore_driver_config *config, cs_uncore_driver **out,
                                  cs_diag *diag)
{
    cs_uncore_driver *d = calloc(1, sizeof *d);

    *out = NULL;
    if (d == NULL || !cs_uncore_build(d, config) ||
        cs_fiber_create(run, d, &d->fiber, NULL) != CS_OK) {
        cs_uncore_driver_destroy(d);
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for perf on uncore units");
    }
    *out = d;
    return CS_OK;
}

void cs_uncore_driver_destroy(cs_uncore_driver *d)
{
    if (d == NULL)
        return;
    cs_fiber_destroy(d->fiber);
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

cs_software cs_uncore_driver_software(cs_uncore_driver *d)
{
    return (cs_software){next, d};
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
