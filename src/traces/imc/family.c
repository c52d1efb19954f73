// SPDX-License-Identifier: Apache-2.0
/* The perf commands of IMC, and those of the way without it: interrupts whose handler samples. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drivers/imc/imc_driver.h"
#include "drivers/told.h"
#include "formats/imc/catalog/catalog.h"
#include "scenario/imc/imc_cpus.h"
#include "scenario/imc/imc_driver_spec.h"
#include "scenario/imc/imc_spec.h"
#include "scenario/imc/pmi_spec.h"
#include "scenario/section_list.h"
#include "traces/common/times.h"
#include "traces/family.h"
#include <countersink/formats/perf/abi/perf.h>

/* ---- events ---- */

/* One CPU stands for its core, or for the chip (docs/drivers/imc_driver.md, "Adding and deleting"). */
static void imc_cpus(const cs_scenario *s, const cs_perf_spec *p, bool out[CS_MAX_CPUS])
{
    const unsigned first = cs_scenario_imc_cpu(s, 0, 0);
    const unsigned end = first + s->imc->cores * s->imc->threads;
    unsigned last = UINT32_MAX;

    memset(out, 0, CS_MAX_CPUS * sizeof *out);
    for (unsigned cpu = first; cpu < end; cpu++) {
        const unsigned place = p->pmu == CS_PERF_NEST   ? cs_scenario_imc_chip(s, cpu)
                               : p->pmu == CS_PERF_CORE ? (cpu - first) / s->imc->threads
                                                        : cpu;

        out[cpu] = p->cpus[cpu] && place != last;
        last = p->cpus[cpu] ? place : last;
    }
}

/* As the driver finds it: in its PMU, else anywhere in the catalog. */
static const cs_imc_event *imc_event(const cs_scenario *s, const cs_perf_spec *p, size_t k)
{
    static const char *const pmus[] = {[CS_PERF_CORE] = "core_imc",
                                       [CS_PERF_THREAD] = "thread_imc",
                                       [CS_PERF_TRACE] = "trace_imc"};
    const cs_imc_unit *unit =
        p->pmu != CS_PERF_NEST ? cs_imc_catalog_pmu(s->imc->catalog, pmus[p->pmu]) : NULL;
    const cs_imc_event *event = NULL;

    if (p->nr_events == 0)
        return cs_imc_catalog_at(s->imc->catalog, (cs_imc_domain)p->pmu, (uint32_t)p->config, NULL);
    if (unit != NULL)
        event = cs_imc_unit_event(unit, p->events[k]);
    if (event == NULL)
        (void)cs_imc_catalog_find(s->imc->catalog, p->events[k], &event, NULL);
    return event;
}

static void open_events(cs_events_builder *b, const cs_perf_command *command)
{
    const cs_scenario *s = b->scenario;
    const cs_perf_spec *p = &s->imc_driver->perf[command->number];
    const size_t nr = p->nr_events != 0 ? p->nr_events : 1;
    bool cpus[CS_MAX_CPUS];

    imc_cpus(s, p, cpus);
    for (size_t k = 0; k < nr; k++) {
        const cs_imc_event *event = imc_event(s, p, k);
        cs_trace_event *new = event != NULL ? cs_events_add(b, command, (unsigned)k, cpus) : NULL;

        if (new == NULL)
            continue;
        snprintf(new->name, sizeof new->name, "%s/%s/", event->of->pmu, event->name);
        new->type = cs_events_pmu_type(b, event->of->pmu);
        new->config = event->value;
        new->period = command->period;
        new->freq = command->frequency;
        new->sockets = p->per_socket;
        if (p->nr_processes != 0 && command->period == 0)
            cs_events_anywhere(new, p->processes[0].pid);
        new->unit = event->unit;
        new->scale = event->scale != NULL ? strtod(event->scale, NULL) : 1;
    }
}

static void opening(const cs_soft_record *record, cs_trace_opening *out)
{
    const cs_imc_opened *o = cs_told_imc_opened(record);

    *out = (cs_trace_opening){o->command, 0, o->error != CS_IMC_GOOD ? o->reason : NULL};
}

static void open_pmi(cs_events_builder *b, const cs_perf_command *command)
{
    cs_trace_event *new = cs_events_add(b, command, 0, b->scenario->pmi->cpus);

    if (new == NULL)
        return;
    snprintf(new->name, sizeof new->name, "cycles");
    new->type = CS_PERF_TYPE_HARDWARE;
    new->period = command->period;
    new->freq = command->frequency;
}

/* ---- samples ---- */

/* As the kernel's imc-pmu hands a record on: its address and mode; but who ran, and when, is of the
 * dump, and the period is the command's, or 1 in frequency mode. A handler of interrupts tells what
 * it wrote. */
static void put(cs_trace_feed *f, const cs_trace_family *family, const cs_imc_perf_sample *s)
{
    cs_trace_feed_put(
        f, &(cs_trace_record){.event = cs_trace_events_find(f->events, family, s->command, 0),
                              .cpu = s->cpu,
                              .time_ns = cs_trace_ns(f->scenario, s->time),
                              .pid = s->pid,
                              .tid = s->pid,
                              .misc = s->misc,
                              .ip = s->ip,
                              .period = s->period});
}

static void imc_sample(void *ctx, const cs_soft_record *record)
{
    const cs_imc_perf_sample *s = cs_told_imc_sample(record);

    if (!s->by_interrupt)
        put(ctx, &cs_trace_family_imc, s);
}

static void pmi_sample(void *ctx, const cs_soft_record *record)
{
    const cs_imc_perf_sample *s = cs_told_imc_sample(record);

    if (s->by_interrupt)
        put(ctx, &cs_trace_family_pmi, s);
}

static void pmi_throttled(void *ctx, const cs_soft_record *record)
{
    cs_trace_feed_throttled(ctx, &cs_trace_family_pmi, record);
}

static cs_status listen_imc(cs_trace_feed *f, void **state, cs_run_listener *listener,
                            cs_diag *diag)
{
    (void)f, (void)state, (void)diag;
    cs_run_hear(listener, &cs_soft_imc_sample, imc_sample);
    return CS_OK;
}

static cs_status listen_pmi(cs_trace_feed *f, void **state, cs_run_listener *listener,
                            cs_diag *diag)
{
    (void)f, (void)state, (void)diag;
    cs_run_hear(listener, &cs_soft_imc_sample, pmi_sample);
    cs_run_hear(listener, &cs_soft_throttled, pmi_throttled);
    return CS_OK;
}

const cs_trace_family cs_trace_family_imc = {
    .section = &cs_section_imc_driver,
    .cpu = &cs_trace_cpu_power,
    .open = open_events,
    .opened = &cs_soft_imc_opened,
    .opening = opening,
    .listen = listen_imc,
    .counts = &cs_imc_family,
};

const cs_trace_family cs_trace_family_pmi = {
    .section = &cs_section_pmi,
    .cpu = &cs_trace_cpu_power,
    .open = open_pmi,
    .listen = listen_pmi,
};
