// SPDX-License-Identifier: Apache-2.0
#include "drivers/environment.h"

#include <stdlib.h>

#include "scenario/build.h"
#include "scenario/cpus.h"
#include "scenario/machine/ports.h"
#include "scenario/machine/software_spec.h"
#include "scenario/section_list.h"

static void environment_keep(cs_environment *env, cs_status status)
{
    if (env->status == CS_OK)
        env->status = status;
}

/* ---- events by the numbers that a unit knows ---- */

static uint32_t event_at(const struct cs_unit_events *e, uint32_t event)
{
    return e->first + (e->event_of != NULL ? e->event_of[event] : event);
}

static uint64_t unit_sum(void *ctx, uint32_t event, uint32_t modes, cs_cycle from, cs_cycle to)
{
    const struct cs_unit_events *e = ctx;

    return e->source.sum(e->source.ctx, event_at(e, event), modes, from, to);
}

static void unit_prepare(void *ctx, const uint32_t events[], unsigned n, uint32_t modes,
                         cs_cycle from, cs_cycle to)
{
    const struct cs_unit_events *e = ctx;
    uint32_t numbers[CS_EVENTS_AT_ONCE];

    for (unsigned i = 0; i < n; i++)
        numbers[i] = event_at(e, events[i]);
    cs_events_prepare(&e->source, numbers, n, modes, from, to);
}

static cs_cycle unit_reach(void *ctx, uint32_t event, uint32_t modes, cs_cycle from, uint64_t n)
{
    const struct cs_unit_events *e = ctx;

    return e->source.reach(e->source.ctx, event_at(e, event), modes, from, n);
}

static void unit_context(void *ctx, cs_cycle cycle, cs_context *out)
{
    const struct cs_unit_events *e = ctx;

    e->source.context(e->source.ctx, cycle, out);
}

cs_event_source cs_environment_events(const cs_environment *env, unsigned timeline)
{
    return (cs_event_source){unit_sum, unit_reach, unit_context,
                             (void *)&env->unit_events[timeline], unit_prepare};
}

void cs_environment_all_events(const cs_environment *env, cs_event_source out[CS_MAX_CPUS])
{
    for (unsigned cpu = 0; cpu < env->nr_cpus; cpu++)
        out[cpu] = cs_environment_events(env, cpu);
}

static void name_events(cs_environment *env)
{
    const cs_scenario *s = env->scenario;

    for (unsigned i = 0; i < CS_MAX_TIMELINES; i++) {
        struct cs_unit_events *e = &env->unit_events[i];

        if (env->timelines[i] == NULL)
            continue;
        e->source = cs_timeline_event_source(env->timelines[i]);
        e->first = cs_scenario_first_event(s, i);
        e->event_of = cs_scenario_event_of(s, i);
    }
}

/* ---- tracks ---- */

CS_SOFT_PRINTED(track, cs_track_change, "track")
{
    fprintf(out, "%u", what->track);
}

static void tell_track(const cs_environment *env, unsigned cpu, cs_cycle cycle, unsigned track)
{
    cs_tell_track(&env->soft, cycle, cpu, &(cs_track_change){track});
}

void cs_environment_run(cs_environment *env, unsigned cpu, cs_cycle cycle, unsigned track)
{
    cs_timeline *timeline = env->timelines[cpu];

    if (cs_timeline_inserted(timeline))
        environment_keep(env, cs_timeline_leave(timeline, cycle, NULL));
    if (track != 0)
        environment_keep(env, cs_timeline_enter(timeline, cycle, track, NULL));
    tell_track(env, cpu, cycle, track);
}

/* ---- software ---- */

unsigned cs_environment_port(const cs_environment *env, unsigned cpu)
{
    for (unsigned i = 0; i < env->nr_ports; i++)
        if (env->ports[i].cpu == cpu)
            return i;
    return 0;
}

/* A single task is the port's software itself; several share it by cs_tasks. */
cs_status cs_environment_add_task(cs_environment *env, unsigned cpu, cs_software software,
                                  cs_diag *diag)
{
    struct cs_environment_port *port = &env->ports[cs_environment_port(env, cpu)];
    const uint16_t core = (uint16_t)(1 + cpu);

    if (env->scenario->software->port_per_cpu && port->cpu != cpu)
        return cs_diag_set(diag, CS_ERR_RANGE, env->scenario->name,
                           "a task of CPU %u, which has no port", cpu);
    if (port->nr_tasks++ == 0) {
        port->cpu = cpu;
        port->software = software;
        return CS_OK;
    }
    if (port->tasks == NULL) {
        if (cs_tasks_create(&port->tasks, diag) != CS_OK ||
            cs_tasks_add(port->tasks, port->software, (uint16_t)(1 + port->cpu), diag) != CS_OK)
            return CS_ERR_NO_MEMORY;
        port->software = cs_tasks_software(port->tasks);
    }
    return cs_tasks_add(port->tasks, software, core, diag);
}

/* A port on which nothing runs. */
static void end_at_once(void *ctx, cs_cycle now, const cs_op_result *last, cs_op *op)
{
    (void)ctx, (void)now, (void)last;
    op->kind = CS_OP_END;
}

static void make_ports(cs_environment *env)
{
    uint8_t cpus[CS_MAX_CPUS];

    env->nr_ports = cs_scenario_ports(env->scenario, cpus);
    for (unsigned i = 0; i < env->nr_ports; i++) {
        env->ports[i].cpu = cpus[i];
        env->ports[i].software = (cs_software){end_at_once, NULL};
    }
}

static unsigned all_tasks(const cs_environment *env)
{
    unsigned tasks = 0;

    for (unsigned i = 0; i < env->nr_ports; i++)
        tasks += env->ports[i].nr_tasks;
    return tasks;
}

static cs_status make_software(cs_environment *env, cs_diag *diag)
{
    cs_status status = CS_OK;

    make_ports(env);
    env->ended = "perf has ended";
    for (unsigned i = 0; i < CS_NR_SOFTWARE_KINDS && status == CS_OK; i++) {
        const cs_software_row *row = cs_software_rows[i];
        const unsigned before = all_tasks(env);

        if (!cs_scenario_runs(env->scenario, (cs_software_kind)i))
            continue;
        if (row->create != NULL)
            status = row->create(env, &env->objects[i], diag);
        env->nr_kinds += all_tasks(env) != before;
        if (row->ended != NULL)
            env->ended = row->ended;
    }
    return status;
}

const struct cs_rotating_report *cs_environment_rotating(const cs_environment *env,
                                                         cs_software_kind number)
{
    const cs_software_row *row = cs_software_rows[number];
    const void *object = env->objects[number];

    return object != NULL && row->rotating != NULL ? row->rotating(object) : NULL;
}

/* ---- create, destroy ---- */

static cs_status lay_memory(cs_environment *env, cs_diag *diag)
{
    cs_status status = cs_memory_create(&env->memory, diag);

    for (size_t i = 0; i < cs_nr_sections && status == CS_OK; i++)
        if (cs_sections[i].section->lay != NULL)
            status = cs_sections[i].section->lay(env->scenario, env->memory);
    return status == CS_OK || env->memory == NULL
               ? status
               : cs_diag_set(diag, status, env->scenario->name,
                             "no memory for what lies in memory");
}

static cs_status environment_fill(cs_environment *env, cs_diag *diag)
{
    cs_status status = cs_scenario_timelines(env->scenario, &env->timeline_set, diag);

    for (unsigned cpu = 0; status == CS_OK && cpu < env->nr_cpus; cpu++)
        env->timelines[cpu] = cs_timelines_cpu(env->timeline_set, cpu);
    if (status == CS_OK) {
        for (unsigned i = CS_MAX_CPUS; i < CS_MAX_TIMELINES; i++)
            env->timelines[i] = cs_timelines_cpu(env->timeline_set, i);
        name_events(env);
    }
    if (status == CS_OK)
        status = cs_scenario_guard(env->scenario, &env->guard, diag);
    if (status == CS_OK)
        status = lay_memory(env, diag);
    if (status == CS_OK)
        status = make_software(env, diag);
    return status;
}

cs_status cs_environment_create(const cs_scenario *scenario, const cs_probe_sink *probe,
                                cs_environment **out, cs_diag *diag)
{
    cs_environment *env = calloc(1, sizeof *env);

    *out = NULL;
    if (env == NULL)
        return cs_diag_set(diag, CS_ERR_NO_MEMORY, scenario->name, "no memory for its environment");
    env->scenario = scenario;
    env->nr_cpus = cs_scenario_cpus(scenario);
    env->probe = probe;
    for (unsigned cpu = 0; cpu < CS_MAX_CPUS; cpu++)
        env->entered[cpu] = CS_NEVER;
    env->status = CS_OK;

    cs_status status = environment_fill(env, diag);
    if (status != CS_OK) {
        cs_environment_destroy(env);
        return status;
    }
    *out = env;
    return CS_OK;
}

void cs_environment_destroy(cs_environment *env)
{
    if (env == NULL)
        return;
    for (unsigned i = 0; i < CS_NR_SOFTWARE_KINDS; i++)
        if (env->objects[i] != NULL)
            cs_software_rows[i]->destroy(env->objects[i]);
    for (unsigned i = 0; i < env->nr_ports; i++)
        cs_tasks_destroy(env->ports[i].tasks);
    cs_memory_destroy(env->memory);
    cs_guard_destroy(env->guard);
    cs_timelines_destroy(env->timeline_set);
    free(env);
}

/* ---- the CPUs ---- */

unsigned cs_environment_cpu(const cs_environment *env, unsigned core)
{
    return core == 0 ? env->scenario->software->cpu : core - 1;
}

unsigned cs_environment_core(const cs_environment *env, unsigned port, unsigned core)
{
    return core == 0 ? 1 + env->ports[port].cpu : core;
}

void cs_environment_enter(void *environment, cs_cycle cycle, unsigned core)
{
    cs_environment *env = environment;
    const unsigned cpu = cs_environment_cpu(env, core);
    const cs_cycle from = cycle > env->left[cpu] ? cycle : env->left[cpu];

    if (env->inside[cpu]++ != 0)
        return;
    environment_keep(env, cs_timeline_enter(env->timelines[cpu], from, CS_TRACK_HANDLER, NULL));
    env->entered[cpu] = from;
    tell_track(env, cpu, from, CS_TRACK_HANDLER);
}

/* What the workload misses after a stay. */
static uint64_t environment_refill(cs_environment *env)
{
    const cs_software_spec *spec = env->scenario->software;
    const uint64_t cycles = (uint64_t)spec->evicted_lines * spec->refill_cycles;

    env->refill_cycles += cycles;
    return cycles;
}

void cs_environment_leave(void *environment, cs_cycle cycle, unsigned core)
{
    cs_environment *env = environment;
    const unsigned cpu = cs_environment_cpu(env, core);

    if (env->inside[cpu] > 1) {
        env->inside[cpu]--;
        return;
    }
    env->inside[cpu] = 0; /* where nobody was in, the timeline says so */
    const cs_cycle to =
        cycle > env->entered[cpu] ? cycle + environment_refill(env) : env->entered[cpu];

    environment_keep(env, cs_timeline_leave(env->timelines[cpu], to, NULL));
    env->software_cycles[cpu] = cs_environment_cpu_software_cycles(env, cpu, to);
    env->entered[cpu] = CS_NEVER;
    env->left[cpu] = to;
    tell_track(env, cpu, to, 0);
}

uint64_t cs_environment_cpu_software_cycles(const cs_environment *env, unsigned cpu, cs_cycle now)
{
    const cs_cycle entered = env->entered[cpu];

    return env->software_cycles[cpu] + (entered < now ? now - entered : 0);
}

uint64_t cs_environment_software_cycles(const cs_environment *env, cs_cycle now)
{
    uint64_t cycles = 0;

    for (unsigned cpu = 0; cpu < env->nr_cpus; cpu++)
        cycles += cs_environment_cpu_software_cycles(env, cpu, now);
    return cycles;
}
