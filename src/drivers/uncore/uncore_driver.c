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

static bool is_mine(const cs_uncore_driver *d, const cs_unit_cpu *cpu)
{
    return d->worker->cpu == CS_MAX_CPUS || d->worker->cpu == cpu->number;
}

/* What the worker listens to while it has nothing to do. */
static uint64_t lines_of(const cs_uncore_driver *d)
{
    uint64_t lines = 0;

    if (d->config.side_by_side && cs_uncore_moves(d->config.spec))
        lines |= CS_LINE(CS_LINE_IPI(CS_SOFTWARE_uncore_driver));
    for (unsigned i = 0; i < d->config.units->nr_units && d->config.spec->by_interrupt; i++)
        if (d->regs[i].running && is_mine(d, d->units.units[i].cpu))
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

/* ---- for perf ---- */

static cs_cycle uncore_now(void *ctx)
{
    const cs_uncore_driver *d = ctx;

    return d->now;
}

/* What is left to do for a CPU that is gone needs none: what perf tells is in memory. */
static bool is_there(const cs_uncore_driver *d, const cs_unit_cpu *cpu)
{
    const uncore_cpu *of = (const uncore_cpu *)cpu;

    return !of->gone || d->now >= of->on;
}

cs_cycle cs_uncore_enter(void *ctx, const cs_unit_cpu *cpu)
{
    cs_uncore_driver *d = ctx;
    const cs_cycle entered = d->now;

    if (!is_there(d, cpu))
        return entered;
    cs_uncore_perform(d, (cs_op){.kind = CS_OP_ENTER, .core = (uint16_t)(1 + cpu->number)});
    cs_uncore_work(d, d->config.spec->handler_cycles);
    return entered;
}

void cs_uncore_leave(void *ctx, const cs_unit_cpu *cpu, cs_cycle entered)
{
    cs_uncore_driver *d = ctx;

    if (!is_there(d, cpu))
        return;
    d->units.report.rotating_cycles += d->now - entered;
    cs_uncore_perform(d, (cs_op){.kind = CS_OP_LEAVE, .core = (uint16_t)(1 + cpu->number)});
}

static const cs_units_ops uncore_ops = {.now = uncore_now,
                                        .enter = cs_uncore_enter,
                                        .leave = cs_uncore_leave,
                                        .change = cs_uncore_change,
                                        .read = cs_uncore_read_event};

static const char *event_name(uint32_t event, char *buffer, size_t size)
{
    snprintf(buffer, size, "uncore:%" PRIu32, event);
    return buffer;
}

static uint64_t uncore_truth(const cs_count *c, cs_timeline *const timelines[])
{
    const cs_uncore_counted counted = {c->event, c->config1, c->config2};
    const cs_unit_event *e = c->own;

    return cs_uncore_sum(e->owner, &counted, timelines[CS_UNCORE_TIMELINE(c->unit)], c->from,
                         c->to);
}

const cs_count_family cs_uncore_family = {.name = "uncore",
                                          .timeline = CS_UNCORE_TIMELINE(0),
                                          .first_event = CS_EVENT_UNCORE(0),
                                          .truth = uncore_truth,
                                          .event_name = event_name};

/* ---- polls and interrupts ---- */

static void uncore_poll(cs_uncore_driver *d, const cs_unit *unit)
{
    const cs_cycle entered = cs_uncore_enter(d, unit->cpu);

    for (unsigned c = 0; c < unit->counters; c++)
        if (unit->on[c] != NULL)
            cs_uncore_read_event(d, unit->on[c]);
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
    const cs_unit *unit = &d->units.units[i];

    cs_uncore_work(d, d->config.irq_latency_cycles);
    const cs_cycle entered = cs_uncore_enter(d, unit->cpu);

    d->units.report.interrupts++;
    cs_uncore_take_overflows(d, unit);
    cs_uncore_leave(d, unit->cpu, entered);
}

/* ---- what is next ---- */

static void offer_job(cs_unit_job *best, cs_unit_job_kind kind, cs_cycle due, cs_unit_cpu *cpu,
                      unsigned unit)
{
    const cs_unit_job job = {.kind = kind, .due = due, .cpu = cpu, .unit = unit};

    cs_unit_offer(best, &job);
}

static void offer_units(const cs_uncore_driver *d, cs_unit_cpu *cpu, cs_unit_job *best)
{
    for (unsigned k = 0; k < cpu->nr_units; k++) {
        const unsigned number = cpu->units[k];
        const cs_unit *unit = &d->units.units[number];

        if (unit->away)
            offer_job(best, CS_UNIT_ARRIVE, d->regs[number].sent, cpu, number);
        else
            offer_job(best, CS_UNIT_POLL, cs_uncore_poll_due(d, unit), cpu, number);
    }
}

/* Of the worker's commands. Those of a kind are looked at by CPU and command, so that the first of equal
 * ones stays. True: some are not over. */
static bool offer_sessions(cs_uncore_driver *d, cs_unit_job *best)
{
    bool open = false;

    for (size_t i = 0; i < d->nr_sessions; i++) {
        if (!is_mine(d, d->sessions[i].cpu))
            continue;
        const cs_unit_job job = cs_unit_session_job(&d->sessions[i]);

        open |= job.kind != CS_UNIT_NONE;
        cs_unit_offer(best, &job);
    }
    return open;
}

static cs_unit_job next_job(cs_uncore_driver *d)
{
    cs_unit_job best = {.kind = CS_UNIT_NONE, .due = CS_NEVER};
    const bool open = offer_sessions(d, &best);

    for (unsigned i = 0; i < d->nr_cpus; i++) {
        uncore_cpu *cpu = &d->cpus[i];

        if (!is_mine(d, &cpu->cpu))
            continue;
        offer_job(&best, CS_UNIT_TICK, cpu->cpu.tick, &cpu->cpu, 0);
        offer_units(d, &cpu->cpu, &best);
        if (open) {
            offer_job(&best, CS_UNIT_OFF, cpu->off, &cpu->cpu, 0);
            offer_job(&best, CS_UNIT_LOOK, cpu->look, &cpu->cpu, 0);
        }
    }
    return best;
}

static void uncore_do(cs_uncore_driver *d, const cs_unit_job *job)
{
    uncore_cpu *cpu = (uncore_cpu *)job->cpu;

    switch (job->kind) {
    case CS_UNIT_ARRIVE:
        cs_uncore_arrive(d, job->unit);
        break;
    case CS_UNIT_POLL:
        uncore_poll(d, &d->units.units[job->unit]);
        break;
    case CS_UNIT_OFF:
        cs_uncore_go_off(d, cpu);
        break;
    case CS_UNIT_LOOK:
        cs_uncore_look(d, cpu);
        break;
    default:
        cs_units_do(&d->units, job);
    }
}

static void uncore_run(void *ctx)
{
    uncore_worker *w = ctx;
    cs_uncore_driver *d = w->driver;

    at_work(w);
    for (cs_unit_job j = next_job(d); j.kind != CS_UNIT_NONE && !d->units.failed; j = next_job(d)) {
        const uint64_t high = sleep_until(d, j.due);

        take_interrupt(d, high);
        if (d->now >= j.due &&
            (high & CS_LINES_IPI) == 0) /* else what is next may be something else */
            uncore_do(d, &j);
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
    cs_status status;

    *out = NULL;
    if (d == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, NULL, "no memory for perf on uncore units");
    d->config = *config;
    status = cs_uncore_build(d, &uncore_ops, diag);
    if (status == CS_OK)
        status = uncore_hire(d, diag);
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
    cs_units_end(&d->units);
    free(d->sessions);
    free(d->cpus);
    free(d->regs);
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
    return &d->units.report;
}

unsigned cs_uncore_driver_divider(const cs_uncore_driver *d, unsigned number)
{
    return number < d->config.units->nr_units ? cs_units_divider(&d->units, number) : 0;
}

bool cs_uncore_driver_failed(const cs_uncore_driver *d)
{
    return d->units.failed;
}
