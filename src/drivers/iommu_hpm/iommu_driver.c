// SPDX-License-Identifier: Apache-2.0
/* docs/drivers/iommu_driver.md: what happens when. */
#include "drivers/iommu_hpm/iommu_driver.h"

#include <stdio.h>
#include <stdlib.h>

#include "drivers/iommu_hpm/iommu_driver_impl.h"
#include "scenario/iommu_hpm/iommu_events.h"
#include <countersink/base/numbers.h>

static cs_cycle iommu_us(const cs_iommu_driver *d, uint64_t us)
{
    return us * d->config.clock_mhz;
}

/* ---- waits ---- */

static bool is_used(const iommu_unit *unit)
{
    for (unsigned n = 0; n < IOMMU_COUNTERS; n++)
        if (unit->on[n] != NULL)
            return true;
    return false;
}

/* Until it is time, or the line of a monitor that is used is high. Returns those that were. */
static uint64_t sleep_until(cs_iommu_driver *d, cs_cycle cycle)
{
    uint64_t lines = 0;

    for (unsigned i = 0; i < d->config.units->nr_units; i++)
        if (is_used(&d->units[i]))
            lines |= CS_LINE(CS_LINE_IOMMU(i));
    if (lines == 0) {
        cs_routine_sleep_until(&d->routine, cycle);
        return 0;
    }
    /* What is due looks at the lines, too. */
    const cs_cycle now = d->routine.now;
    const cs_op wait = {
        .kind = CS_OP_WAIT_IRQ, .cycles = now < cycle ? cycle - now : 1, .lines = lines};
    return cs_routine_perform(&d->routine, wait)->lines;
}

static cs_cycle iommu_enter(cs_iommu_driver *d)
{
    const cs_cycle entered = d->routine.now;

    if (d->config.interrupts)
        cs_routine_enter(&d->routine, 0);
    cs_routine_delay(&d->routine, d->config.spec->handler_cycles);
    return entered;
}

static void iommu_leave(cs_iommu_driver *d, cs_cycle entered)
{
    if (!d->config.interrupts)
        return;
    d->report.rotating_cycles += d->routine.now - entered;
    cs_routine_leave(&d->routine, 0);
}

/* ---- what it tells ---- */

static uint64_t iommu_truth(const cs_rotated_count *c, cs_timeline *const timelines[])
{
    const iommu_event *e = c->own;

    return cs_iommu_truth(e->of, e->spec, &timelines[CS_IOMMU_TIMELINE(e->of->first_source)],
                          c->from, c->to);
}

static const char *event_name(uint32_t event, char *buffer, size_t size)
{
    snprintf(buffer, size, "%s", cs_iommu_event_name(event));
    return buffer;
}

const cs_rotated_family cs_iommu_family = {.name = "iommu",
                                           .timeline = CS_IOMMU_TIMELINE(0),
                                           .first_event = CS_EVENT_IOMMU(0),
                                           .truth = iommu_truth,
                                           .event_name = event_name};

static void iommu_tell(const cs_iommu_driver *d, const iommu_event *e, cs_cycle from, cs_cycle to,
                       uint64_t running, uint64_t raw, bool final)
{
    const cs_rotated_count count = {
        .command = e->command,
        .pmu = d->units[e->unit].spec->name,
        .unit = e->unit,
        .cpu = d->config.cpu,
        .event = e->spec->event - CS_EVENT_IOMMU(0),
        .from = from,
        .to = to,
        .running = running,
        .raw = raw,
        .final = final,
        .family = &cs_iommu_family,
        .pinned = e->spec->pinned,
        .serial = (unsigned)(e - d->events),
        .name = e->spec->name,
        .config = e->spec->config,
        .own = e,
    };

    cs_tell_rotated(d->config.soft, to, count.cpu, &count);
}

static void tell_interval(const cs_iommu_driver *d, iommu_event *e, cs_cycle to)
{
    iommu_tell(d, e, e->told_to, to, e->running - e->told_running, e->raw - e->told_raw, false);
    e->told_to = to;
    e->told_running = e->running;
    e->told_raw = e->raw;
}

/* ---- switching ---- */

/* Puts the unit's events where the list says. `all`: what is not pinned leaves its counter even if it comes
 * back to it. True: something has moved. */
static bool switch_unit(cs_iommu_driver *d, unsigned number, bool all)
{
    const int8_t *counters = d->rotation != NULL ? cs_rotation_counters(d->rotation) : NULL;
    iommu_event *to[IOMMU_COUNTERS] = {NULL};
    iommu_unit *unit = &d->units[number];
    bool moved = false;

    for (size_t i = 0; i < d->nr_list; i++)
        if (d->list[i]->unit == number && counters[i] >= 0)
            to[counters[i]] = d->list[i];
    for (unsigned n = 0; n < unit->counters; n++) {
        iommu_event *e = unit->on[n];

        if (e != NULL && (e != to[n] || (all && !e->spec->pinned))) {
            cs_iommu_stop(d, e);
            moved = true;
        }
    }
    for (unsigned n = 0; n < unit->counters; n++)
        if (to[n] != NULL && unit->on[n] == NULL) {
            cs_iommu_start(d, to[n], n);
            moved = true;
        }
    return moved;
}

/* The timer is set to the tick at which a list turns; without one it stops. */
static void set_timer(cs_iommu_driver *d, cs_cycle first)
{
    d->ahead = d->rotation != NULL ? cs_rotation_ahead(d->rotation) : 0;
    d->tick = d->ahead != 0 ? first + (d->ahead - 1) * d->tick_cycles : CS_NEVER;
}

static void take_tick(cs_iommu_driver *d)
{
    while (d->routine.now - d->tick >= d->tick_cycles) {
        d->tick += d->tick_cycles;
        d->report.late_ticks++;
    }
    d->report.ticks++;
    d->report.late_ticks += d->routine.now > d->tick;

    const cs_cycle entered = iommu_enter(d), following = d->tick + d->tick_cycles;
    uint64_t due = 0;

    for (unsigned i = 0; i < d->ahead; i++)
        due = cs_rotation_tick(d->rotation);
    for (unsigned i = 0; i < d->config.units->nr_units; i++)
        if ((due >> i & 1) != 0 && cs_rotation_waits(d->rotation, i))
            d->report.rotations += switch_unit(d, i, true);
    set_timer(d, following);
    iommu_leave(d, entered);
}

static void take_interrupts(cs_iommu_driver *d, uint64_t lines)
{
    for (unsigned i = 0; i < d->config.units->nr_units; i++) {
        if ((lines & CS_LINE(CS_LINE_IOMMU(i))) == 0)
            continue;
        cs_routine_delay(&d->routine, d->config.irq_latency_cycles);
        const cs_cycle entered = iommu_enter(d);

        d->report.interrupts++;
        cs_iommu_take_overflows(d, &d->units[i]);
        iommu_leave(d, entered);
    }
}

/* ---- commands ---- */

static bool is_of(const cs_iommu_driver *d, const iommu_event *e, const iommu_command *c)
{
    return e->command == (unsigned)(c - d->commands);
}

/* Whether the command has events on the unit, whose others leave their counters then, too. */
static bool opens_on(const iommu_command *c, unsigned unit)
{
    for (size_t i = 0; i < c->spec->nr_units; i++)
        if (c->spec->units[i] == unit)
            return true;
    return false;
}

static void begin_command(cs_iommu_driver *d, iommu_command *c)
{
    const cs_cycle entered = iommu_enter(d);

    c->state = COMMAND_OPEN;
    d->failed = !cs_iommu_list(d, (unsigned)(c - d->commands), true);
    for (size_t i = 0; i < d->nr_events; i++)
        if (is_of(d, &d->events[i], c))
            d->events[i].from = d->events[i].told_to = d->routine.now;
    for (unsigned i = 0; i < d->config.units->nr_units && !d->failed; i++)
        switch_unit(d, i, opens_on(c, i));
    set_timer(d, d->tick != CS_NEVER ? d->tick : d->routine.now + d->tick_cycles);
    iommu_leave(d, entered);
}

static void take_interval(cs_iommu_driver *d, iommu_command *c)
{
    const cs_cycle entered = iommu_enter(d);

    for (size_t i = 0; i < d->nr_events; i++) {
        iommu_event *e = &d->events[i];

        if (!is_of(d, e, c))
            continue;
        if (e->counter != NO_COUNTER)
            cs_iommu_update(d, e);
        tell_interval(d, e, e->counter != NO_COUNTER ? e->since : d->routine.now);
    }
    while (c->interval <= d->routine.now)
        c->interval += iommu_us(d, c->spec->interval_us);
    iommu_leave(d, entered);
}

static void end_command(cs_iommu_driver *d, iommu_command *c)
{
    const cs_cycle entered = iommu_enter(d);

    c->state = COMMAND_OVER;
    d->failed = !cs_iommu_list(d, (unsigned)(c - d->commands), false);
    for (unsigned i = 0; i < d->config.units->nr_units && !d->failed; i++)
        switch_unit(d, i, false);
    for (size_t i = 0; i < d->nr_events && !d->failed; i++) {
        iommu_event *e = &d->events[i];

        if (!is_of(d, e, c))
            continue;
        if (c->interval != CS_NEVER)
            tell_interval(d, e, d->routine.now);
        iommu_tell(d, e, e->from, d->routine.now, e->running, e->raw, true);
    }
    if (!d->failed)
        set_timer(d, d->tick != CS_NEVER ? d->tick : d->routine.now + d->tick_cycles);
    iommu_leave(d, entered);
}

/* ---- what is next ---- */

/* In the order in which those that are due at the same time go. */
typedef enum job_kind { JOB_END, JOB_INTERVAL, JOB_BEGIN, JOB_TICK, JOB_NONE } job_kind;

typedef struct job {
    job_kind kind;
    cs_cycle due;
    iommu_command *command;
} job;

static job job_of(iommu_command *c)
{
    if (c->state == COMMAND_NEW)
        return (job){JOB_BEGIN, c->start, c};
    if (c->state == COMMAND_OVER)
        return (job){JOB_NONE, CS_NEVER, NULL};
    return c->interval < c->stop ? (job){JOB_INTERVAL, c->interval, c} : (job){JOB_END, c->stop, c};
}

static job next_job(cs_iommu_driver *d)
{
    job best = {JOB_TICK, d->tick, NULL};

    for (size_t i = 0; i < d->config.spec->nr_perf; i++) {
        const job other = job_of(&d->commands[i]);

        if (other.due < best.due ||
            (other.due == best.due && other.kind < best.kind && other.kind != JOB_NONE))
            best = other;
    }
    return best.due == CS_NEVER ? (job){JOB_NONE, CS_NEVER, NULL} : best;
}

static void iommu_run(void *ctx)
{
    cs_iommu_driver *d = ctx;

    for (unsigned i = 0; i < d->config.units->nr_units; i++)
        cs_iommu_detect(d, &d->units[i]);
    for (job j = next_job(d); j.kind != JOB_NONE && !d->failed; j = next_job(d)) {
        const uint64_t high = sleep_until(d, j.due);

        take_interrupts(d, high);
        if (high != 0 || d->routine.now < j.due)
            continue; /* what is next may be something else now */
        if (j.kind == JOB_BEGIN)
            begin_command(d, j.command);
        else if (j.kind == JOB_INTERVAL)
            take_interval(d, j.command);
        else if (j.kind == JOB_END)
            end_command(d, j.command);
        else
            take_tick(d);
    }
}

/* ---- outside ---- */

static void build_events(cs_iommu_driver *d)
{
    for (unsigned command = 0; command < d->config.spec->nr_perf; command++) {
        const cs_iommu_perf_spec *p = &d->config.spec->perf[command];

        for (size_t u = 0; u < p->nr_units; u++) {
            const size_t first = d->nr_events;

            for (size_t i = 0; i < p->nr_events; i++) {
                unsigned group = (unsigned)d->nr_events;

                for (size_t k = i; k-- > 0 && p->events[i].group != 0;)
                    if (p->events[k].group == p->events[i].group)
                        group = (unsigned)(first + k);
                d->events[d->nr_events++] = (iommu_event){.command = command,
                                                          .unit = p->units[u],
                                                          .spec = &p->events[i],
                                                          .of = d->units[p->units[u]].spec,
                                                          .group = group,
                                                          .counter = NO_COUNTER};
            }
        }
    }
}

static bool iommu_build(cs_iommu_driver *d)
{
    const cs_iommu_driver_spec *spec = d->config.spec;

    d->commands = calloc(spec->nr_perf + 1, sizeof *d->commands);
    if (d->commands == NULL)
        return false;
    for (size_t i = 0; i < spec->nr_perf; i++) {
        const cs_iommu_perf_spec *p = &spec->perf[i];

        d->commands[i] = (iommu_command){
            .spec = p,
            .start = iommu_us(d, p->start_us),
            .stop = iommu_us(d, p->stop_us),
            .interval = p->interval_us != 0 ? iommu_us(d, p->start_us + p->interval_us) : CS_NEVER};
    }
    for (unsigned i = 0; i < d->config.units->nr_units; i++)
        d->units[i] = (iommu_unit){.spec = &d->config.units->units[i],
                                   .base = CS_IOMMU_BASE + (uint64_t)i * CS_IOMMU_STRIDE};
    d->tick_cycles = iommu_us(d, spec->tick_us);
    d->tick = CS_NEVER;
    build_events(d); /* of the units above */
    return true;
}

cs_status cs_iommu_driver_create(const cs_iommu_driver_config *config, cs_iommu_driver **out,
                                 cs_diag *diag)
{
    cs_iommu_driver *d = calloc(1, sizeof *d);

    *out = NULL;
    if (d != NULL)
        d->config = *config;
    const cs_status status =
        d != NULL && iommu_build(d)
            ? cs_routine_create(&d->routine, iommu_run, d, diag)
            : cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for perf on IOMMUs");
    if (status == CS_OK)
        *out = d;
    else
        cs_iommu_driver_destroy(d);
    return status;
}

void cs_iommu_driver_destroy(cs_iommu_driver *d)
{
    if (d == NULL)
        return;
    cs_routine_destroy(&d->routine);
    cs_rotation_destroy(d->rotation);
    free(d->commands);
    free(d);
}

cs_software cs_iommu_driver_software(cs_iommu_driver *d)
{
    return cs_routine_software(&d->routine);
}

const cs_rotating_report *cs_iommu_driver_get_report(const cs_iommu_driver *d)
{
    return &d->report;
}

bool cs_iommu_driver_failed(const cs_iommu_driver *d)
{
    return d->failed;
}
