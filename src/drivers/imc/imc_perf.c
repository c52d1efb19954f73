// SPDX-License-Identifier: Apache-2.0
/* perf commands: which counters they have, and what is done when. */
#include "base/room.h"
#include "drivers/imc/imc_driver_impl.h"
#include "drivers/told.h"
#include "scenario/imc/imc_driver_spec.h"

#include <stdlib.h>

/* ---- counters ---- */

static uint64_t counter_address(const cs_imc_driver *d, const imc_command *c, const imc_counter *k)
{
    switch (c->spec->pmu) {
    case CS_PERF_NEST:
        return d->config.nest_base[cs_imc_chip(d, k->cpu)] + k->event->value;
    case CS_PERF_CORE:
        return cs_imc_core_memory(&d->config.memory, cs_imc_core_of(d, k->cpu)) + k->event->value;
    default:
        return cs_imc_thread_memory(&d->config.memory, k->cpu) + k->event->value;
    }
}

const cs_count_family cs_imc_family = {.name = "imc", .of_cpus = true, .followed = true};

void cs_imc_tell_count(const cs_imc_driver *d, unsigned cpu, const cs_imc_event *event,
                       cs_count count)
{
    count.pmu = event->of->pmu;
    count.to = d->now;
    count.enabled = count.running;
    count.family = &cs_imc_family;
    count.name = event->name;
    count.own = event;
    cs_tell_count(d->config.soft, d->now, cpu, &count);
}

/* What a counter has counted since its last value. */
static void tell_value(cs_imc_driver *d, unsigned number, const imc_counter *k, uint64_t value)
{
    const imc_command *c = &d->commands[number];

    if (c->totals != NULL) {
        const cs_imc_stint stint = {number, k->cpu, k->event, k->from, d->now, value - k->value};
        imc_total *total = &c->totals[k->place];

        total->raw += stint.raw;
        total->ran += stint.to - stint.from;
        cs_tell_imc_stint(d->config.soft, d->now, k->cpu, &stint);
    } else {
        cs_imc_tell_count(d, k->cpu, k->event,
                          (cs_count){.command = number,
                                     .cpu = k->cpu,
                                     .event = k->place,
                                     .from = k->from,
                                     .running = d->now - k->from,
                                     .raw = value - k->value});
    }
}

/* A value that the bus did not deliver is none: the next one counts from the last that it did. */
static void read_counters(cs_imc_driver *d, unsigned number, unsigned cpu, bool first)
{
    imc_command *c = &d->commands[number];
    uint64_t value;

    for (imc_counter *k = c->counters; k < c->counters + c->nr_counters; k++) {
        if (k->cpu != cpu)
            continue;
        const bool good = cs_imc_read_word(d, counter_address(d, c, k), &value);
        d->report.read_errors += !good;
        if (!good || c->dead[cpu])
            continue;
        if (!first && k->started)
            tell_value(d, number, k, value);
        k->started = true;
        k->value = value;
        k->from = d->now;
    }
}

void cs_imc_read_first(cs_imc_driver *d, unsigned number, unsigned cpu)
{
    read_counters(d, number, cpu, true);
}

void cs_imc_read_counts(cs_imc_driver *d, unsigned number, unsigned cpu)
{
    read_counters(d, number, cpu, false);
}

/* ---- perf ---- */

/* A thread's counters are read before it posts, a CPU's when the engine has been started. */
static void begin_on(cs_imc_driver *d, unsigned number, unsigned cpu)
{
    const cs_perf_pmu pmu = d->commands[number].spec->pmu;

    cs_imc_enter(d, cpu);
    cs_imc_work(d, d->config.spec->cross_call_cycles);
    if (pmu == CS_PERF_THREAD)
        cs_imc_read_first(d, number, cpu);
    cs_imc_add_event(d, &d->commands[number], cpu);
    if (pmu == CS_PERF_NEST || pmu == CS_PERF_CORE)
        cs_imc_read_first(d, number, cpu);
    cs_imc_leave(d, cpu);
}

/* The last values, or what is in the buffer. `again`: only for an interval. What is a task's
 * (thread, trace) is stopped before the driver looks, what is a CPU's only after. */
static void end_on(cs_imc_driver *d, unsigned number, unsigned cpu, bool again)
{
    const imc_command *c = &d->commands[number];
    const bool trace = c->spec->pmu == CS_PERF_TRACE;
    const bool stops_first = trace || c->spec->pmu == CS_PERF_THREAD;
    const bool deleted = trace || !again;

    cs_imc_enter(d, cpu);
    cs_imc_work(d, d->config.spec->cross_call_cycles);
    if (deleted && stops_first)
        cs_imc_delete_event(d, c, cpu);
    if (trace)
        cs_imc_dump(d, number, cpu);
    else
        cs_imc_read_counts(d, number, cpu);
    if (deleted && !stops_first)
        cs_imc_delete_event(d, c, cpu);
    if (trace && again)
        cs_imc_add_event(d, c, cpu);
    cs_imc_leave(d, cpu);
}

static void activate_pmu(cs_imc_driver *d, cs_perf_pmu pmu)
{
    if (pmu == CS_PERF_NEST)
        return;
    d->active = pmu;
    d->active_references++;
}

static void deactivate_pmu(cs_imc_driver *d, cs_perf_pmu pmu)
{
    if (pmu != CS_PERF_NEST && --d->active_references == 0)
        d->active = 0;
}

/* Why the kernel has no PMU for it; NULL: it has one. */
static const char *missing_pmu(const cs_imc_driver *d, cs_perf_pmu pmu, const cs_imc_unit *unit)
{
    if (pmu == CS_PERF_NEST && !d->config.nest)
        return "the die has no nest";
    if (pmu == CS_PERF_NEST && !d->nest)
        return "OPAL could not pause the nest's engine and has removed its nodes";
    if (unit == NULL)
        return "the catalog has no unit for it";
    if (pmu == CS_PERF_TRACE ? d->trace_lost : pmu != CS_PERF_NEST && d->core_lost)
        return "OPAL's INIT has failed";
    if (pmu == CS_PERF_NEST && !cs_imc_nest_available(unit, d->generation, d->units))
        return "the unit is not available, and OPAL has removed its node";
    if (pmu == CS_PERF_THREAD && cs_imc_catalog_pmu(d->config.catalog, "core_imc") == NULL)
        return "the catalog has no core_imc, and the kernel drops thread_imc without it";
    return NULL;
}

static cs_imc_error ask_kernel(const cs_imc_driver *d, const imc_command *c,
                               const cs_imc_unit *unit, uint64_t config, const char **reason)
{
    const cs_imc_request request = {
        .pmu = c->spec->pmu,
        .config = config,
        .size = unit != NULL ? unit->size : 0,
        .sample_period = c->spec->freq != 0 ? c->spec->freq : c->spec->sample_period,
        .exclude = c->spec->exclude,
        .task = c->spec->task,
        .privileged = c->spec->privileged,
        .missing = missing_pmu(d, c->spec->pmu, unit),
        .active = d->active,
    };

    return cs_imc_event_init(&request, reason);
}

/* perf's core stops each event that has a frequency, to adapt its period, and starts it again. Of
 * IMC to stop is to dump; to start is nothing. */
void cs_imc_tick_on(cs_imc_driver *d, unsigned number, unsigned cpu)
{
    d->report.ticks++;
    cs_imc_enter(d, cpu);
    cs_imc_dump(d, number, cpu);
    cs_imc_leave(d, cpu);
}

static void do_kind(cs_imc_driver *d, unsigned number, unsigned cpu, imc_job_kind kind)
{
    switch (kind) {
    case JOB_BEGIN:
        begin_on(d, number, cpu);
        break;
    case JOB_TICK:
        cs_imc_tick_on(d, number, cpu);
        break;
    default:
        end_on(d, number, cpu, kind == JOB_AGAIN);
        break;
    }
}

imc_lane *cs_imc_worker_of(cs_imc_driver *d, unsigned cpu)
{
    for (unsigned i = 0; i < d->nr_workers; i++)
        if (d->workers[i].cpu == cpu)
            return &d->workers[i];
    return NULL;
}

void cs_imc_post(cs_imc_driver *d, imc_lane *worker, imc_job job)
{
    imc_job *jobs = cs_room(worker->jobs, &worker->room, worker->nr_jobs, sizeof *jobs);
    if (jobs == NULL) {
        d->failed = true;
        return;
    }
    worker->jobs = jobs;
    worker->jobs[worker->nr_jobs++] = job;
    worker->called = true;
}

void cs_imc_call(cs_imc_driver *d)
{
    for (unsigned i = 0; i < d->nr_workers; i++) {
        const bool called = d->workers[i].called;

        d->workers[i].called = false;
        if (called)
            cs_imc_signal(d, d->workers[i].cpu);
    }
}

/* On all its CPUs: in their turn, or by the CPUs themselves, which are sent an interrupt. */
static void have_done(cs_imc_driver *d, imc_job job)
{
    const imc_command *c = &d->commands[job.command];

    for (unsigned i = 0; i < c->nr_cpus; i++) {
        if (job.kind != JOB_BEGIN && c->dead[c->cpus[i]])
            continue;
        if (d->nr_workers == 0)
            do_kind(d, job.command, c->cpus[i], job.kind);
        else
            cs_imc_post(d, cs_imc_worker_of(d, c->cpus[i]), job);
    }
    cs_imc_call(d);
}

void cs_imc_do_job(cs_imc_driver *d, const imc_job *job)
{
    d->at->action = job->due;
    d->at->serving = job->command;
    if (d->commands[job->command].totals != NULL)
        cs_imc_do_task_job(d, job);
    else if (!d->commands[job->command].dead[d->at->cpu] || job->kind == JOB_BEGIN)
        do_kind(d, job->command, d->at->cpu, job->kind);
}

void cs_imc_dismiss(cs_imc_driver *d)
{
    d->over = true;
    for (unsigned i = 0; i < d->nr_workers; i++)
        cs_imc_signal(d, d->workers[i].cpu);
}

/* False: the kernel has refused it. */
static bool open_command(cs_imc_driver *d, unsigned number)
{
    imc_command *c = &d->commands[number];
    const char *reason = "";
    cs_imc_error error = CS_IMC_GOOD;

    c->opened = true;
    if (c->spec->nr_events == 0)
        error = ask_kernel(d, c, c->unit, c->spec->config, &reason);
    for (unsigned i = 0; i < c->nr_counters && error == CS_IMC_GOOD; i++) {
        const cs_imc_event *event = c->counters[i].event;

        error = ask_kernel(d, c, event->of, event->value, &reason);
    }
    cs_tell_imc_opened(d->config.soft, d->now, d->config.tool_cpu,
                       &(cs_imc_opened){number, error, reason});
    if (error != CS_IMC_GOOD) {
        cs_soft_warn(d->config.soft, d->now, d->config.tool_cpu,
                     "imc_driver.perf.%u: the kernel refuses it: %s, %s", number,
                     cs_imc_error_name(error), reason);
        d->report.refused++;
        c->refused = c->ended = true;
        return false;
    }
    activate_pmu(d, c->spec->pmu);
    c->since = d->now;
    return true;
}

/* The first of `start`, start + step, .. after `now`; CS_NEVER where step is 0. */
static cs_cycle next_step(cs_cycle start, cs_cycle step, cs_cycle now)
{
    if (step == 0)
        return CS_NEVER;
    return start + ((now > start ? now - start : 0) / step + 1) * step;
}

/* When the command is up next, after `now`. Where it is due for more it is no tick. */
static void plan_command(const cs_imc_driver *d, imc_command *c)
{
    const bool ticks = c->spec->freq != 0;
    const cs_cycle tick = next_step(0, ticks ? cs_imc_us(d, d->config.spec->tick_us) : 0, d->now);
    const cs_cycle next =
        next_step(cs_imc_us(d, c->spec->start_us), cs_imc_us(d, c->spec->interval_us), d->now);

    c->due = cs_imc_us(d, c->spec->stop_us);
    c->ticks = false;
    if (c->ended)
        return;
    if (next < c->due)
        c->due = next;
    c->ticks = tick < c->due;
    if (c->ticks)
        c->due = tick;
}

/* A turn that came later than a tenth of a command's interval is told when it is over. */
void cs_imc_tell_late(cs_imc_driver *d)
{
    if (d->at->serving == CS_IMC_NO_COMMAND)
        return;
    const imc_command *c = &d->commands[d->at->serving];
    const uint64_t all_us = c->spec->stop_us - c->spec->start_us;
    const uint64_t step_us = c->spec->interval_us != 0 ? c->spec->interval_us : all_us;

    if (c->late > cs_imc_us(d, step_us) / 10)
        cs_imc_tell(d, CS_IMC_LATE, d->at->serving, c->latest, c->late);
}

/* What it is due for. */
static imc_job_kind begin_job(cs_imc_driver *d, imc_command *c)
{
    if (d->now < cs_imc_us(d, c->spec->stop_us))
        return c->ticks ? JOB_TICK : JOB_AGAIN;
    deactivate_pmu(d, c->spec->pmu);
    c->ended = true;
    return JOB_END;
}

void cs_imc_serve_command(cs_imc_driver *d, unsigned number)
{
    imc_command *c = &d->commands[number];
    imc_job job = {JOB_BEGIN, number, c->due};

    cs_imc_tell_late(d);
    if (d->nr_workers == 0) {
        d->at->action = c->due;
        d->at->serving = number;
    }
    if (c->opened)
        job.kind = begin_job(d, c);
    else if (!open_command(d, number))
        return;
    plan_command(d, c);
    if (c->totals != NULL)
        cs_imc_ask_tasks(d, job);
    else
        have_done(d, job);
}

/* ---- made from the configuration ---- */

/* One CPU stands for its core, or for the chip. */
static void choose_cpus(const cs_imc_driver *d, imc_command *c)
{
    const unsigned end = cs_imc_end_cpu(&d->config.memory);

    for (unsigned cpu = d->config.memory.first_cpu; cpu < end; cpu++) {
        if (!c->spec->cpus[cpu])
            continue;
        const unsigned *last = c->nr_cpus > 0 ? &c->cpus[c->nr_cpus - 1] : NULL;
        if (last != NULL &&
            ((c->spec->pmu == CS_PERF_NEST && cs_imc_chip(d, *last) == cs_imc_chip(d, cpu)) ||
             (c->spec->pmu == CS_PERF_CORE && cs_imc_core_of(d, *last) == cs_imc_core_of(d, cpu))))
            continue;
        c->cpus[c->nr_cpus++] = cpu;
    }
}

/* Number k of a command's events; NULL: the config is none of the catalog's. */
static const cs_imc_event *find_event(const cs_imc_driver *d, const imc_command *c, size_t k)
{
    const cs_perf_spec *spec = c->spec;
    const cs_imc_event *event = NULL;

    if (spec->nr_events == 0)
        return cs_imc_catalog_at(d->config.catalog, (cs_imc_domain)spec->pmu,
                                 (uint32_t)spec->config, NULL);
    /* The loader has looked all names up: in their PMU, but for the nest's. */
    if (c->unit != NULL)
        event = cs_imc_unit_event(c->unit, spec->events[k]);
    if (event == NULL)
        (void)cs_imc_catalog_find(d->config.catalog, spec->events[k], &event, NULL);
    return event;
}

bool cs_imc_make_command(cs_imc_driver *d, imc_command *c, const cs_perf_spec *spec)
{
    static const char *const pmus[] = {[CS_PERF_CORE] = "core_imc",
                                       [CS_PERF_THREAD] = "thread_imc",
                                       [CS_PERF_TRACE] = "trace_imc"};
    c->spec = spec;
    c->due = cs_imc_us(d, spec->start_us);
    choose_cpus(d, c);
    if (spec->pmu != CS_PERF_NEST)
        c->unit = cs_imc_catalog_pmu(d->config.catalog, pmus[spec->pmu]);
    const size_t nr_events = spec->nr_events != 0 ? spec->nr_events : 1;
    c->counters = calloc((size_t)c->nr_cpus * nr_events + 1, sizeof *c->counters);
    if (spec->nr_processes != 0)
        c->totals = calloc(nr_events, sizeof *c->totals);
    if (c->counters == NULL || (spec->nr_processes != 0 && c->totals == NULL))
        return false;
    c->nr_totals = spec->nr_processes != 0 ? (unsigned)nr_events : 0;
    for (unsigned i = 0; i < c->nr_cpus; i++)
        for (size_t k = 0; k < nr_events; k++) {
            const cs_imc_event *event = find_event(d, c, k);

            if (event == NULL)
                continue;
            c->unit = event->of;
            c->counters[c->nr_counters++] =
                (imc_counter){.event = event, .cpu = c->cpus[i], .place = (unsigned)k};
            if (c->totals != NULL)
                c->totals[k].event = event;
        }
    return true;
}
