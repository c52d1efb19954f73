// SPDX-License-Identifier: Apache-2.0
/* Commands with processes: what the kernel does for them when a CPU goes from one process to another,
 * and how a CPU comes by a process that another one still runs (docs/drivers/imc_driver.md, "Processes"). */
#include "drivers/imc/imc_driver_impl.h"

#include "scenario/imc/imc_driver_spec.h"

/* ---- whose is a process ---- */

static bool names_process(const imc_command *c, uint32_t pid)
{
    for (size_t i = 0; i < c->spec->nr_processes; i++)
        if (c->spec->processes[i].pid == pid)
            return true;
    return false;
}

static bool counts_process(const imc_command *c, uint32_t pid)
{
    return c->spec->inherit ? names_process(c, pid) : c->spec->processes[0].pid == pid;
}

/* Of the commands that are open on the CPU, those that ask. */
static uint64_t commands_that(const cs_imc_driver *d, const imc_lane *lane, uint32_t pid,
                              bool (*ask)(const imc_command *, uint32_t))
{
    uint64_t bits = 0;

    for (unsigned i = 0; i < d->nr_commands; i++)
        if ((lane->open >> i & 1) != 0 && ask(&d->commands[i], pid))
            bits |= UINT64_C(1) << i;
    return bits;
}

/* A process is on one CPU at a time; of those that no command is about nobody looks. */
static bool is_elsewhere(const cs_imc_driver *d, const imc_lane *lane, uint32_t pid)
{
    if (commands_that(d, lane, pid, names_process) == 0)
        return false;
    for (unsigned i = 0; i < d->nr_workers; i++) {
        const imc_lane *other = &d->workers[i];

        if (other != lane && other->known && other->state != LANE_WAITS && other->process == pid)
            return true;
    }
    return false;
}

/* The CPU has left its process: the first that waits for it has it. */
static void let_go(cs_imc_driver *d, uint32_t pid)
{
    for (unsigned i = 0; i < d->nr_workers; i++) {
        imc_lane *other = &d->workers[i];

        if (!other->known || other->state != LANE_WAITS || other->process != pid)
            continue;
        other->state = LANE_GRANTED;
        cs_imc_signal(d, other->cpu);
        return;
    }
}

/* Whom the workload of the CPU is about, now. */
static uint32_t process_at(const cs_imc_driver *d, cs_cycle cycle)
{
    cs_context context;

    cs_timeline_workload(d->config.timelines[d->at->cpu], cycle, &context);
    return context.cid1;
}

cs_cycle cs_imc_switch_due(const cs_imc_driver *d)
{
    const imc_lane *lane = d->at;
    cs_cycle cycle = d->now;

    if (lane->open == 0 || lane->state != LANE_RUNS || !lane->switches)
        return CS_NEVER;
    do
        cycle = cs_timeline_until(d->config.timelines[lane->cpu], cycle);
    while (cycle != CS_NEVER && process_at(d, cycle) == lane->process);
    return cycle;
}

/* ---- the events of a command come onto the CPU, and leave it ---- */

static void bring_in(cs_imc_driver *d, unsigned number)
{
    imc_command *c = &d->commands[number];
    const unsigned cpu = d->at->cpu;

    d->at->there |= UINT64_C(1) << number;
    c->dead[cpu] = false; /* the kernel tries anew each time */
    for (unsigned i = 0; i < c->nr_counters; i++)
        if (c->counters[i].cpu == cpu)
            c->counters[i].started = false;
    if (c->spec->pmu == CS_PERF_THREAD)
        cs_imc_read_first(d, number, cpu);
    cs_imc_add_event(d, c, cpu);
}

static void take_out(cs_imc_driver *d, unsigned number)
{
    const imc_command *c = &d->commands[number];
    const unsigned cpu = d->at->cpu;

    d->at->there &= ~(UINT64_C(1) << number);
    if (c->dead[cpu])
        return;
    cs_imc_delete_event(d, c, cpu);
    if (c->spec->pmu == CS_PERF_TRACE)
        cs_imc_dump(d, number, cpu);
    else
        cs_imc_read_counts(d, number, cpu);
}

static void for_each(cs_imc_driver *d, uint64_t bits, void (*what)(cs_imc_driver *, unsigned))
{
    for (unsigned i = 0; i < d->nr_commands; i++)
        if ((bits >> i & 1) != 0)
            what(d, i);
}

/* ---- switches ---- */

/* The process is on this CPU alone: its events come, and it runs. */
static void arrive_here(cs_imc_driver *d)
{
    imc_lane *lane = d->at;
    const uint64_t coming = commands_that(d, lane, lane->process, counts_process) & ~lane->on;

    lane->state = LANE_RUNS;
    lane->on |= coming;
    for_each(d, coming, bring_in);
    cs_imc_leave(d, lane->cpu);
}

static void end_wait(cs_imc_driver *d)
{
    d->report.waited_cycles += d->now - d->at->waits_since;
}

/* The kernel has come to the process, which another CPU may still run. */
static void come_to(cs_imc_driver *d, uint32_t pid)
{
    imc_lane *lane = d->at;
    const bool leaves = lane->known && lane->process != pid;
    const uint32_t old = lane->process;
    const bool waits = is_elsewhere(d, lane, pid);

    lane->known = true;
    lane->process = pid;
    if (waits) {
        lane->state = LANE_WAITS;
        lane->waits_since = d->now;
        d->report.waits++;
    }
    if (leaves)
        let_go(d, old);
    if (!waits)
        arrive_here(d);
}

bool cs_imc_switch(cs_imc_driver *d)
{
    imc_lane *lane = d->at;

    if (lane->open == 0 || lane->state == LANE_WAITS)
        return false;
    if (lane->state == LANE_GRANTED) {
        end_wait(d);
        arrive_here(d);
        return true;
    }
    const uint32_t pid = lane->switches ? process_at(d, d->now) : lane->process;
    if (pid == lane->process)
        return false;
    /* Both have the same events, or none: the kernel hands the one's to the other as they are. */
    if (commands_that(d, lane, pid, counts_process) == lane->on && !is_elsewhere(d, lane, pid)) {
        const uint32_t old = lane->process;

        d->report.swaps += lane->on != 0;
        lane->process = pid;
        let_go(d, old);
        return true;
    }
    cs_imc_tell_late(d);
    lane->serving = CS_IMC_NO_COMMAND;
    d->report.switches++;
    const uint64_t leaving = lane->on;
    lane->on = 0;
    cs_imc_enter(d, lane->cpu);
    for_each(d, leaving, take_out);
    cs_imc_work(d, d->config.spec->switch_cycles);
    come_to(d, pid);
    return true;
}

/* ---- what perf asks ---- */

/* perf has read all CPUs. */
static void tell_counts(cs_imc_driver *d, unsigned number)
{
    imc_command *c = &d->commands[number];

    for (unsigned i = 0; i < c->nr_totals && c->spec->pmu == CS_PERF_THREAD; i++) {
        imc_total *t = &c->totals[i];

        if (t->event != NULL)
            cs_imc_tell_count(d, d->config.tool_cpu, t->event,
                              (cs_count){.command = number,
                                         .cpu = CS_ANY_CPU,
                                         .event = i,
                                         .from = c->since,
                                         .running = t->ran,
                                         .raw = t->raw});
        t->raw = t->ran = 0;
    }
    c->since = d->now;
}

/* The command is no longer open on the CPU. */
static void close_here(cs_imc_driver *d)
{
    imc_lane *lane = d->at;
    const bool had = lane->state != LANE_WAITS;

    if (lane->state != LANE_RUNS && commands_that(d, lane, lane->process, names_process) == 0) {
        end_wait(d);
        lane->state = LANE_RUNS;
        cs_imc_leave(d, lane->cpu);
    }
    if (lane->open != 0)
        return;
    lane->known = false;
    if (had)
        let_go(d, lane->process);
}

static void begin_here(cs_imc_driver *d)
{
    imc_lane *lane = d->at;

    if (lane->known && lane->state != LANE_RUNS)
        return; /* its events come with the process */
    const uint32_t pid = lane->known ? lane->process : process_at(d, d->now);
    if ((commands_that(d, lane, pid, counts_process) & ~lane->on) != 0 ||
        is_elsewhere(d, lane, pid)) {
        cs_imc_enter(d, lane->cpu);
        cs_imc_work(d, d->config.spec->cross_call_cycles);
        come_to(d, pid);
        return;
    }
    lane->known = true;
    lane->process = pid;
}

static void read_on(cs_imc_driver *d, unsigned number, bool over)
{
    imc_lane *lane = d->at;
    const bool trace = d->commands[number].spec->pmu == CS_PERF_TRACE;

    cs_imc_enter(d, lane->cpu);
    cs_imc_work(d, d->config.spec->cross_call_cycles);
    if (over || trace)
        take_out(d, number);
    else
        cs_imc_read_counts(d, number, lane->cpu);
    if (!over && trace)
        bring_in(d, number);
    cs_imc_leave(d, lane->cpu);
}

/* Where its events are not on the CPU, nobody runs there for it. */
static void read_here(cs_imc_driver *d, unsigned number, bool over)
{
    imc_lane *lane = d->at;
    const uint64_t bit = UINT64_C(1) << number;
    const bool on = (lane->on & bit) != 0;

    if (over)
        lane->on &= ~bit;
    if (on)
        read_on(d, number, over);
    if (--d->commands[number].awaited == 0)
        tell_counts(d, number);
    if (over)
        close_here(d);
}

void cs_imc_do_task_job(cs_imc_driver *d, const imc_job *job)
{
    imc_lane *lane = d->at;
    const uint64_t bit = UINT64_C(1) << job->command;

    switch (job->kind) {
    case JOB_BEGIN:
        lane->open |= bit;
        begin_here(d);
        break;
    case JOB_TICK:
        if ((lane->on & bit) != 0 && !d->commands[job->command].dead[lane->cpu])
            cs_imc_tick_on(d, job->command, lane->cpu);
        break;
    case JOB_AGAIN:
        read_here(d, job->command, false);
        break;
    case JOB_END:
        lane->open &= ~bit;
        read_here(d, job->command, true);
        break;
    }
}

void cs_imc_ask_tasks(cs_imc_driver *d, imc_job job)
{
    imc_command *c = &d->commands[job.command];
    const bool all = job.kind == JOB_BEGIN || job.kind == JOB_END;

    for (unsigned i = 0; i < c->nr_cpus; i++) {
        imc_lane *worker = cs_imc_worker_of(d, c->cpus[i]);

        if (!all && (worker->on >> job.command & 1) == 0)
            continue;
        c->awaited += job.kind == JOB_AGAIN || job.kind == JOB_END;
        cs_imc_post(d, worker, job);
    }
    if (job.kind == JOB_AGAIN && c->awaited == 0)
        tell_counts(d, job.command);
    cs_imc_call(d);
}
