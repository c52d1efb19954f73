// SPDX-License-Identifier: Apache-2.0
/* A machine begins and ends. */
#include "software/perf/impl.h"

#include <stdlib.h>

#define NS_PER_US UINT64_C(1000)
#define NS_PER_SECOND UINT64_C(1000000000)

/* ---- what it is made of ---- */

static void machine_defaults(cs_perf_machine *m)
{
    m->sample_rate = m->sample_rate != 0 ? m->sample_rate : 100000;
    m->mux_us = m->mux_us != 0 ? m->mux_us : 4000;
    m->tick_us = m->tick_us != 0 ? m->tick_us : 4000;
    m->mlock_kb = m->mlock_kb != 0 ? m->mlock_kb : 516;
    m->max_stack = m->max_stack != 0 ? m->max_stack : CS_PERF_CHAIN_MOST - 2;
}

static cs_status machine_wrong(cs_diag *diag, const char *member, unsigned found, unsigned least,
                               unsigned most)
{
    return cs_diag_set(diag, CS_ERR_RANGE, "perf", "%s: %u is not in %u..%u", member, found, least,
                       most);
}

static cs_status machine_check(const cs_perf_machine *m, cs_diag *diag)
{
    if (m->nr_cpus < 1 || m->nr_cpus > CS_PERF_MOST_CPUS)
        return machine_wrong(diag, "nr_cpus", m->nr_cpus, 1, CS_PERF_MOST_CPUS);
    if (m->clock_mhz < 1 || m->clock_mhz > 100000)
        return machine_wrong(diag, "clock_mhz", m->clock_mhz, 1, 100000);
    if (m->nr_systems > CS_PERF_MOST_SYSTEMS)
        return machine_wrong(diag, "nr_systems", (unsigned)m->nr_systems, 0, CS_PERF_MOST_SYSTEMS);
    if (m->max_stack > CS_PERF_CHAIN_MOST - 2)
        return machine_wrong(diag, "max_stack", m->max_stack, 1, CS_PERF_CHAIN_MOST - 2);
    return CS_OK;
}

/* How many samples of an event a tick lets through. */
static unsigned samples_of_tick(const cs_perf *perf)
{
    const uint64_t ticks = NS_PER_SECOND / perf->tick_ns;

    return ticks != 0 ? (unsigned)((perf->machine.sample_rate + ticks - 1) / ticks) : UINT32_MAX;
}

static void cpu_init(cs_perf *perf, unsigned number)
{
    cs_perf_cpu *cpu = &perf->cpus[number];

    *cpu = (cs_perf_cpu){.perf = perf, .number = number};
    cs_perf_context_init(&cpu->ctx, NULL);
    cs_perf_context_enter(&cpu->ctx, cpu);
    for (unsigned i = 0; i < CS_PERF_MOST_PMUS; i++)
        cpu->rotate_ns[i] = UINT64_MAX;
}

static cs_status perf_init(cs_perf *perf, const cs_perf_machine *machine,
                           const cs_perf_calls *calls)
{
    perf->machine = *machine;
    perf->calls = *calls;
    machine_defaults(&perf->machine);
    perf->last_id = machine->ids_above;
    perf->tick_ns = perf->machine.tick_us * NS_PER_US;
    perf->most_samples = samples_of_tick(perf);
    TAILQ_INIT(&perf->events);
    TAILQ_INIT(&perf->hidden);
    for (unsigned i = 0; i < CS_PERF_TASK_SLOTS; i++)
        TAILQ_INIT(&perf->tasks[i]);
    perf->cpus = calloc(machine->nr_cpus, sizeof *perf->cpus);
    if (perf->cpus == NULL)
        return CS_ERR_NO_MEMORY;
    for (unsigned i = 0; i < machine->nr_cpus; i++)
        cpu_init(perf, i);
    return CS_OK;
}

/* ---- PMUs ---- */

static cs_status perf_add_pmu(cs_perf *perf, cs_pmu *pmu)
{
    if (pmu == NULL)
        return CS_ERR_NO_MEMORY;
    pmu->number = perf->nr_pmus;
    perf->pmus[perf->nr_pmus++] = pmu;
    return CS_OK;
}

static cs_status perf_add_core(cs_perf *perf, cs_diag *diag)
{
    const cs_perf_core *core = perf->machine.core;
    cs_pmu *pmu;
    const cs_status status = core->driver->create(perf, core, &pmu, diag);

    return status == CS_OK ? perf_add_pmu(perf, pmu) : status;
}

static cs_status perf_add_system(cs_perf *perf, const cs_perf_system *system, cs_diag *diag)
{
    cs_pmu *pmu = system->pmu;
    const cs_status status =
        system->driver != NULL ? system->driver->create(perf, system, &pmu, diag) : CS_OK;

    return status == CS_OK ? perf_add_pmu(perf, pmu) : status;
}

static cs_status perf_add_pmus(cs_perf *perf, cs_diag *diag)
{
    cs_status status = perf_add_pmu(perf, cs_perf_software_pmu());

    if (status == CS_OK && perf->machine.core != NULL)
        status = perf_add_core(perf, diag);
    for (size_t i = 0; i < perf->machine.nr_systems && status == CS_OK; i++)
        status = perf_add_system(perf, &perf->machine.systems[i], diag);
    return status;
}

/* ---- begin and end ---- */

static cs_status perf_no_memory(cs_diag *diag)
{
    return cs_diag_set(diag, CS_ERR_NO_MEMORY, "perf", "out of memory");
}

cs_status cs_perf_create(const cs_perf_machine *machine, const cs_perf_calls *calls, cs_perf **out,
                         cs_diag *diag)
{
    cs_status status = machine_check(machine, diag);

    *out = NULL;
    if (status != CS_OK)
        return status;
    cs_perf *perf = calloc(1, sizeof *perf);
    if (perf == NULL)
        return perf_no_memory(diag);
    status = perf_init(perf, machine, calls);
    if (status == CS_OK)
        status = perf_add_pmus(perf, diag);
    if (status != CS_OK) {
        cs_perf_destroy(perf);
        return status == CS_ERR_NO_MEMORY ? perf_no_memory(diag) : status;
    }
    *out = perf;
    return CS_OK;
}

static void perf_free_tasks(cs_perf *perf)
{
    cs_perf_task *t;

    for (unsigned i = 0; i < CS_PERF_TASK_SLOTS; i++)
        while ((t = TAILQ_FIRST(&perf->tasks[i])) != NULL)
            cs_perf_task_free(t);
}

void cs_perf_destroy(cs_perf *perf)
{
    cs_perf_event *e;

    if (perf == NULL)
        return;
    while ((e = TAILQ_FIRST(&perf->events)) != NULL)
        cs_perf_close(e);
    perf_free_tasks(perf);
    for (unsigned i = 0; i < perf->nr_pmus; i++)
        if (perf->pmus[i]->ops->destroy != NULL)
            perf->pmus[i]->ops->destroy(perf->pmus[i]);
    free(perf->cpus);
    free(perf);
}

const cs_perf_machine *cs_perf_get_machine(const cs_perf *perf)
{
    return &perf->machine;
}

/* ---- an event, for whoever opened it ---- */

uint64_t cs_perf_id(const cs_perf_event *event)
{
    return event->id;
}

const cs_perf_attr *cs_perf_attr_of(const cs_perf_event *event)
{
    return &event->attr;
}

uint32_t cs_perf_tid_of(const cs_perf_event *event)
{
    return event->who.tid;
}

bool cs_perf_depends_on(const cs_perf_event *event, uint32_t tid)
{
    return event->who.tid == tid && !cs_perf_has(event, CS_PERF_ATTR_INHERIT) &&
           event->pmu->ops->reached == NULL;
}

int cs_perf_cpu_of(const cs_perf_event *event)
{
    return event->cpu;
}

bool cs_perf_is_on(const cs_perf_event *event)
{
    return event->state >= CS_PERF_STATE_INACTIVE && event->leader->state >= CS_PERF_STATE_INACTIVE;
}

void cs_perf_set_user(cs_perf_event *event, void *user)
{
    event->user = user;
}

void *cs_perf_user(const cs_perf_event *event)
{
    return event->user;
}

void cs_perf_set_async(cs_perf_event *event, bool on)
{
    event->async = on;
}

size_t cs_perf_nr_events(const cs_perf *perf)
{
    return perf->nr_events;
}
